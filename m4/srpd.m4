dnl SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB

dnl SRPD_ARG_ENABLE(NAME, HELP): an --enable-NAME switch, off by default.
AC_DEFUN([SRPD_ARG_ENABLE], [
	AC_ARG_ENABLE([$1], [AS_HELP_STRING([--enable-$1], [$2])],
		[], [AS_TR_SH([enable_$1])=no])
])

dnl SRPD_SANITIZE(FLAGS): compile and link everything with FLAGS, or stop.
AC_DEFUN([SRPD_SANITIZE], [
	srpd_saved_CFLAGS=$CFLAGS
	CFLAGS="$CFLAGS $1"
	AC_MSG_CHECKING([whether $CC takes $1])
	AC_LINK_IFELSE([AC_LANG_PROGRAM()], [AC_MSG_RESULT([yes])],
		[AC_MSG_RESULT([no])
		AC_MSG_ERROR([$CC cannot build with $1])])
	CFLAGS=$srpd_saved_CFLAGS
	SRPD_CFLAGS="$SRPD_CFLAGS $1 -fno-omit-frame-pointer"
	SRPD_LDFLAGS="$SRPD_LDFLAGS $1"
])

dnl SRPD_LIB(VAR, LIBRARY, FUNCTION, HEADER, PACKAGE): a library that has no
dnl .pc file. Sets VAR_LIBS and leaves LIBS alone.
AC_DEFUN([SRPD_LIB], [
	AC_CHECK_HEADER([$4], [],
		[AC_MSG_ERROR([$4 is missing: install $5])])
	srpd_saved_LIBS=$LIBS
	AC_SEARCH_LIBS([$3], [$2], [$1_LIBS="-l$2"],
		[AC_MSG_ERROR([lib$2 is missing: install $5])])
	LIBS=$srpd_saved_LIBS
	AC_SUBST([$1_LIBS])
])

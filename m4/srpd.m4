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

dnl SRPD_WITH_FIO: --with-fio=DIR, the configured source of the fio that is to
dnl load the engine. Sets FIO_DIR, FIO_VERSION ("no" without) and HAVE_FIO.
AC_DEFUN([SRPD_WITH_FIO], [
	AC_ARG_WITH([fio], [AS_HELP_STRING([--with-fio=DIR],
		[build fio's external engine with the configured source of
		fio in DIR, which scripts/fio-source brings])],
		[], [with_fio=no])
	FIO_DIR=
	FIO_VERSION=no
	AS_IF([test "$with_fio" != no], [
		AS_IF([test ! -e "$with_fio/ioengines.h"],
			[AC_MSG_ERROR([--with-fio=$with_fio is not a source of fio:
	scripts/fio-source brings one])])
		AS_IF([test ! -e "$with_fio/config-host.h"],
			[AC_MSG_ERROR([$with_fio is not configured: run ./configure there])])
		FIO_DIR=$(cd "$with_fio" && pwd)
		AC_MSG_CHECKING([the version of fio in $FIO_DIR])
		FIO_VERSION=$(cd "$FIO_DIR" && sh ./FIO-VERSION-GEN 2>/dev/null
			sed -n 's/^FIO_VERSION = //p' FIO-VERSION-FILE)
		AC_MSG_RESULT([$FIO_VERSION])
		AS_IF([test -z "$FIO_VERSION"],
			[AC_MSG_ERROR([$FIO_DIR does not say its version])])
	])
	AC_SUBST([FIO_DIR])
	AC_SUBST([FIO_VERSION])
	AM_CONDITIONAL([HAVE_FIO], [test "$with_fio" != no])
])

dnl SRPD_ARG_DIR(NAME, SUBDIR): a --with-NAME=DIR for files of the system's,
dnl ${prefix}/lib/SUBDIR unless given, "no" for nowhere.
AC_DEFUN([SRPD_ARG_DIR], [
	AC_ARG_WITH([$1], [AS_HELP_STRING([--with-$1=DIR],
		[where to install for it @<:@PREFIX/lib/$2@:>@])],
		[], [with_$1='${prefix}/lib/$2'])
	AS_IF([test "$with_$1" = yes], [with_$1='${prefix}/lib/$2'])
	AC_SUBST([$1], [$with_$1])
	AM_CONDITIONAL([WITH_]m4_toupper([$1]), [test "$with_$1" != no])
])

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# Who may include whom. The linker sees a call upward; only this sees an
# upward include. Initiator (core) and target meet on the wire alone.
# shellcheck source=tests/lint/lint.sh
. "$(dirname "$0")/lint.sh"

# Folder, then patterns of the headers it may include besides its own.
ours='
util
wire		util/*
fabric		util/*
softrdma	fabric/fabric.h util/* wire/iwarp*
core		srpi/srpi.h fabric/* wire/* util/*
target		fabric/* wire/* util/*
attach		srpi/srpi.h util/*
ctl		util/*
lib		*
srpd		srpi/srpi.h attach/* ctl/* target/target.h util/*
tools		srpi/srpi.h ctl/* util/*
srptgt		target/target.h fabric/fabric.h # a program of tools
srptgt_opts	target/target.h # its command line
srptgt_cmds	target/target.h # its control socket
fio		srpi/srpi.h
bench		*
'

# Libraries: the headers each folder may take from outside libc.
theirs='
util		numaif.h
wire		scsi/*
fabric		infiniband/* rdma/*
softrdma	infiniband/* rdma/*
core		infiniband/* rdma/*
target		infiniband/* rdma/* libaio.h
lib		*
srpd		jansson.h iniparser/* systemd/* microhttpd.h
ctl		jansson.h
tools		jansson.h libaio.h
fio		fio.h optgroup.h config-host.h jansson.h
bench		*
'
library='^(infiniband/|rdma/|scsi/|iniparser/|systemd/|jansson\.h|libaio\.h|numaif\.h|microhttpd\.h|fio\.h|optgroup\.h|config-host\.h|check\.h)'

# includes FILE: prints quote and path of each include line.
includes() {
	sed -nE 's/^[ \t]*#[ \t]*include[ \t]*(["<])([^">]+)[">].*/\1 \2/p' \
		"$lint_tree/$1"
}

check_include() { # file folder quote path
	local stem
	stem=$(basename "$1" | sed 's/\..*//')
	if [ -d "$lint_tree/src/${4%%/*}" ] && [[ $4 == */* ]] ||
	   [[ $4 == srpi/* ]]; then
		[[ $4 != "$2"/* ]] || return 0
		in_table "$ours" "$2" "$4" || in_table "$ours" "$stem" "$4" ||
			complain "$1 includes $4, which $2 may not"
	elif [[ $4 =~ $library ]]; then
		in_table "$theirs" "$2" "$4" ||
			complain "$1 includes $4, which $2 may not"
	elif [ "$3" = '"' ] && [ "$4" != config.h ]; then
		complain "$1 includes \"$4\": write \"folder/$4\""
	fi
}

for file in $(lint_files src -- -name '*.[ch]'); do
	folder=${file#src/}
	folder=${folder%%/*}
	grep -qE "^$folder([[:space:]]|$)" <<<"$ours" ||
		complain "$file: folder $folder is not in the table"
	while read -r quote path; do
		check_include "$file" "$folder" "$quote" "$path"
	done < <(includes "$file")
done

# The public header is all that an installed program has.
for file in $(lint_files include -- -name '*.h'); do
	while read -r quote path; do
		if [ "$quote" = '"' ] || [[ $path =~ $library ]] ||
		   [ -e "$lint_tree/src/$path" ]; then
			complain "$file includes $path, which is not libc's"
		fi
	done < <(includes "$file")
done
lint_finish

#!/bin/sh
# keep_warnings.sh COMPILER ARGUMENTS... -o OBJECT ...: compiles, and keeps what the compiler says in OBJECT.warnings. An
# object that is up to date is not compiled again, so its warnings would be seen once and never more.
object=
previous=
for word; do
  if [ "$previous" = -o ]; then object=$word; fi
  previous=$word
done
said=$object.warnings
# What one clone has compiled serves the next: ccache sees paths in this one as relative.
export CCACHE_BASEDIR="${CCACHE_BASEDIR:-${0%/cmake/*}}" CCACHE_NOHASHDIR=1
# What ccache must overlook to keep units with precompiled headers; it compares these headers by their contents.
export CCACHE_SLOPPINESS="${CCACHE_SLOPPINESS:-pch_defines,time_macros,include_file_mtime,include_file_ctime}"
"$@" 2>"$said"
status=$?
if [ -s "$said" ]; then cat "$said" >&2; else rm -f "$said"; fi
exit $status

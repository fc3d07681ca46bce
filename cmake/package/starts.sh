#!/bin/sh
# Becomes the program where the C library is new enough for it. Elsewhere the loader would say so, in a line for each symbol.
major=@MAJOR@ minor=@MINOR@
found=
if command -v getconf >/dev/null; then
  found=$(getconf GNU_LIBC_VERSION 2>/dev/null) || found="no glibc"
fi
case $found in
  '') ;; # nobody to ask
  glibc\ [0-9]*.[0-9]*)
    version=${found#glibc }
    rest=${version#*.}
    if [ "${version%%.*}" -gt "$major" ] || { [ "${version%%.*}" -eq "$major" ] && [ "${rest%%.*}" -ge "$minor" ]; }; then
      found=
    fi
    ;;
  *) found="no glibc" ;;
esac
if [ -n "$found" ]; then
  printf 'synchroscope: it needs glibc %s.%s or newer, and this system has %s: it has to be built here, from source\n' \
    "$major" "$minor" "$found" >&2
  exit 3
fi
own=$0
if [ -L "$own" ]; then own=$(readlink -f "$own"); fi
exec "${own%/*}/../lib/synchroscope/synchroscope" "$@"

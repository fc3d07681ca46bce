"""The packages whose headers a lock of a user's own is compiled with, as a line for debhelper: own_lock_needs.py BUILD

The recipes that the build has written are asked what they read.
"""

import pathlib
import re
import shlex
import sys

import binaries


def headers(recipe):
    """The files outside the project that its source includes, all but the user's own."""
    lines = filter(None, recipe.read_text(encoding="utf-8").splitlines())
    words = [word for word in lines if not word.startswith(("part ", "-Wl,")) and word != "-shared"]
    rule = binaries.said(*words, "-M", "-DSYNCHRO_OWN_HEADER=<synchro/locks/mutex.hpp>")
    return {pathlib.Path(word) for word in shlex.split(rule.replace("\\\n", " ")) if word.startswith("/usr/include/")}


def main(build):
    files = set().union(*(headers(recipe) for recipe in pathlib.Path(build, "own_lock").glob("*.txt")))
    # A compiler's own, and what that needs, come with it.
    packages = {name for name in binaries.packages_of(files).values()
                if not re.match(r"libstdc\+\+-|libc6-dev|linux-libc-dev", name)}
    print(f"synchro:Depends={', '.join(sorted(packages))}")


main(*sys.argv[1:])

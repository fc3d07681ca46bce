"""Every public header compiles alone, twice in a row, with nothing but the include path, and without a warning:

    headers_alone.py INCLUDE LEFT_OUT COMPILER [OPTION...]

LEFT_OUT is a regular expression: headers of other systems. One that includes another, on every system, is compiled behind
that one in one unit: it meets nothing there that it does not bring itself. That makes half as many units.
"""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

INCLUDE = re.compile(r'\s*#\s*include "(synchro/[^"]+)"')
OPENS, CLOSES = re.compile(r"\s*#\s*if"), re.compile(r"\s*#\s*endif")


def included(text):
    """What a header includes outside of conditions, but for its own guard."""
    found, depth = set(), 0
    for line in text.splitlines():
        depth += bool(OPENS.match(line)) - bool(CLOSES.match(line))
        wanted = INCLUDE.match(line)
        if wanted and depth <= 1:
            found.add(wanted[1])
    return found


def reached(name, direct):
    """All headers that this one includes, directly or not."""
    found, ahead = set(), {name}
    while ahead:
        ahead = set().union(*(direct.get(each, set()) for each in ahead)) - found
        found |= ahead
    return found


def chains(direct):
    """Lists of all headers, in which each includes the one before it."""
    below = {name: reached(name, direct) for name in direct}
    made = []
    for name in sorted(direct, key=lambda name: (len(below[name]), name)):
        fitting = [chain for chain in made if chain[-1] in below[name]]
        if fitting:
            max(fitting, key=lambda chain: len(below[chain[-1]])).append(name)
        else:
            made.append([name])
    return made


class HeadersAlone(unittest.TestCase):
    def test_each_in_a_chain_includes_the_one_before(self):
        self.assertEqual(chains({"a": set(), "b": {"a"}, "c": {"b"}, "d": {"a"}}), [["a", "b", "c"], ["d"]])

    def test_what_only_some_systems_include_counts_for_nothing(self):
        self.assertEqual(included('#ifndef G\n#include "synchro/a.hpp"\n#if X\n#include "synchro/b.hpp"\n#endif\n#endif\n'),
                         {"synchro/a.hpp"})

    def test_every_header(self):
        direct = {path.relative_to(FOLDER).as_posix(): included(path.read_text()) for path in sorted(FOLDER.rglob("*.hpp"))}
        direct = {name: found for name, found in direct.items() if not re.match(LEFT_OUT, name)}
        with tempfile.TemporaryDirectory() as folder:
            for chain in chains(direct):
                unit = pathlib.Path(folder, chain[-1].replace("/", "_") + ".cpp")
                unit.write_text("".join(f"#include <{name}>\n#include <{name}>\n" for name in chain))
                # In the folder itself, so that ccache knows the unit again in another one.
                result = subprocess.run([*COMPILER, "-Werror", f"-I{FOLDER}", "-c", unit.name, "-o", "object"], cwd=folder,
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
                with self.subTest(chain=chain):
                    self.assertEqual(result.returncode, 0, result.stdout[:3000])


if __name__ == "__main__":
    FOLDER, LEFT_OUT, COMPILER = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
    del sys.argv[1:]
    unittest.main()

"""Checks that no file asks which processor or system it is compiled for, but those whose task that is.

conditions.py ROOT: looks at all C and C++ sources in the folders of the house. What depends on a processor stands in a
folder `cpu`, one file for each architecture; what depends on a system in a folder with its name. Prints each condition that
stands elsewhere; exit status 1 if there is one.
"""

import pathlib
import re
import sys

FOLDERS = ("include", "src", "c", "examples", "bench", "tests")
SOURCES = {".hpp", ".cpp", ".in", ".h", ".c"}
# The doors: each picks a file for a processor or a system, or refuses those that nobody has written one for.
# The bare programs share nothing with the house, so they ask for themselves.
PROCESSOR = ("include/synchro/os.hpp", "src/cpu/this_cpu.hpp", "bench/bare_thread.hpp", "bench/messages/bare.cpp")
SYSTEM = ("include/synchro/os.hpp", "include/synchro/domains.hpp")
CONDITION = re.compile(r"^[ \t]*#[ \t]*(?:if|ifdef|ifndef|elif)\b(?:[^\n]*\\\n)*[^\n]*", re.M)
ASKS = (
    ("processor", PROCESSOR, re.compile(r"\b(?:__(?:x86_64|amd64|i[3-6]?86|aarch64|arm|powerpc(?:64)?|riscv|s390x?|sparc|mips"
                                        r"|loongarch(?:64)?)(?:__|_)?|_M_(?:X64|AMD64|IX86|ARM|ARM64)|__ARM_\w+|__SSE\w*__"
                                        r"|__AVX\w*__|__WAITPKG__|__MWAITX__)(?!\w)")),
    ("system", SYSTEM, re.compile(r"\b(?:__linux(?:__)?|_WIN(?:32|64)|__APPLE__|__(?:Free|Net|Open)BSD__|__unix(?:__)?|__ANDROID__"
                                  r"|__sun|_AIX)(?!\w)")),
)


def misplaced(root):
    """Sentences, one for each condition that stands where it should not."""
    files = sorted(path for folder in FOLDERS for path in (root / folder).rglob("*") if path.suffix in SOURCES)
    for path in files:
        text = path.read_text()
        for condition in CONDITION.finditer(text):
            for what, doors, asks in ASKS:
                if asks.search(condition[0]) and path.relative_to(root).as_posix() not in doors:
                    line = text.count("\n", 0, condition.start()) + 1
                    yield f"{path}:{line}: asks for the {what}: {condition[0].strip()}"


def main():
    sentences = list(misplaced(pathlib.Path(sys.argv[1])))
    for sentence in sentences:
        print(sentence)
    return 1 if sentences else 0


if __name__ == "__main__":
    sys.exit(main())

"""Checks that each C++ test can fail: assertions.py PROJECT

A test asserts if its body, or a function that it calls, has an assertion in it: one of its file or of a header of tests/.
One that fails only by never ending, or by a sanitizer's word, says so: SUCCEED() << why. Nor may an assertion hold whatever
the program does. Prints each test and assertion that cannot fail; exit status 1 if there is one.
"""

import pathlib
import re
import sys

ASSERTS = re.compile(r"\b(?:EXPECT_|ASSERT_|FAIL\(|ADD_FAILURE|SUCCEED\(|static_assert\(|[.>]expect\w*\()")
NO_FUNCTIONS = {"catch", "for", "if", "main", "switch", "while", "TEST", "TEST_F", "TEST_P", "TYPED_TEST"}
TEST = re.compile(r"^(?:TYPED_)?TEST(?:_F|_P)?\((\w+), (\w+)\) ?\{", re.M)
FUNCTION = re.compile(r"\b(\w+)\([^;{}()]*(?:\([^;{}()]*\)[^;{}()]*)*\)[^;{}()]*\{")
CALL = re.compile(r"(?<![.>\w])(\w+)(?:<[^;()]*>)?\(")
LITERAL = re.compile(r'//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'')
NEVER = (
    (re.compile(r"\b(?:EXPECT|ASSERT)_GE\(\s*[^;]*?(?:size\(\)|count\([^;()]*\)|length\(\)),\s*0[uU]?\)"), "is never negative"),
    (re.compile(r"\b(?:EXPECT|ASSERT)_(?:EQ|GE|LE)\((\w[\w.]*), \1\)"), "is compared with itself"),
    (re.compile(r"\b(?:EXPECT|ASSERT)_(?:TRUE\(true|FALSE\(false)\)"), "is a constant"),
    (re.compile(r"\|\| true\b"), "is true whatever comes before"),
)


def body_at(text, brace):
    depth = 0
    for i in range(brace, len(text)):
        depth += {"{": 1, "}": -1}.get(text[i], 0)
        if depth == 0:
            return text[brace:i + 1]
    return text[brace:]


def bare(text):
    """Without comments and the content of strings and characters."""
    return LITERAL.sub(lambda m: "" if m[0].startswith("/") else '""', text)


def functions(text):
    """(name, body) of each function."""
    return [(m[1], body_at(text, m.end() - 1)) for m in FUNCTION.finditer(text) if m[1] not in NO_FUNCTIONS]


def asserting(known):
    """Names of those functions in whose body is an assertion, or a call of such a function."""
    found = {name for name, body in known if ASSERTS.search(body)}
    calls = {name: set(CALL.findall(body)) for name, body in known}
    while more := {name for name, called in calls.items() if name not in found and found & called}:
        found |= more
    return found


def sentences(root):
    texts = {path: bare(path.read_text(encoding="utf-8")) for path in sorted((root / "tests").rglob("*.[ch]pp"))}
    shared = [f for path, text in texts.items() if path.suffix == ".hpp" for f in functions(text)]
    for path, text in texts.items():
        where, names = path.relative_to(root), asserting([*shared, *functions(text)])
        for test in TEST.finditer(text):
            body = body_at(text, test.end() - 1)
            if not ASSERTS.search(body) and not names & set(CALL.findall(body)):
                yield f"{where}: {test[1]}.{test[2]} asserts nothing"
        for pattern, why in NEVER:
            for m in pattern.finditer(text):
                yield f"{where}:{text[:m.start()].count(chr(10)) + 1}: {why}: {m[0][:80]}"


def main():
    wrong = list(sentences(pathlib.Path(sys.argv[1])))
    for sentence in wrong:
        print(sentence)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

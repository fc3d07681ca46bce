"""Checks that each test can fail, of C++, Python and JavaScript: assertions.py PROJECT

A test asserts if its body, or a function that it calls, has an assertion in it: one of its file or of what the tests
share. One that fails only by never ending, or by a sanitizer's word, says so: SUCCEED() << why. Nor may an assertion
hold whatever the program does. That something is at least 0 asserts little: it has a better bound, or says why it
could be negative, unless it is a file or a process that the system may have refused. Prints each test and assertion
that cannot fail; exit status 1 if there is one.
"""

import ast
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
    (re.compile(r"\b(?:EXPECT|ASSERT)_GE\([^;]*, 0[lL]*[uU][lL]*\)"), "is never negative"),
    (re.compile(r"\b(?:EXPECT|ASSERT)_LE\(0[lL]*[uU][lL]*,"), "is never negative"),
    (re.compile(r"\b(?:EXPECT|ASSERT)_TRUE\([^;=!<>]*[.>]find\([^;=!<>()]*\)\)"), "is true where nothing is found"),
)
UNSIGNED = re.compile(r"\b(?:unsigned|std::size_t|std::uint\w+_t|uintptr_t) (\w+)\b(?!\()")
BOUND = re.compile(r"\b(?:EXPECT|ASSERT)_(GE|LE)\(")
ZERO = re.compile(r"0(?:\.0*)?")
REASON = re.compile(r'\s*<<\s*""')  # of bare text: the words are gone
OF_THE_SYSTEM = r"(?:::)?(?:accept|dup|dup2|epoll_create1|eventfd|fork|memfd_create|mkstemp|open|openat|socket)\("


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


def call_at(text, paren):
    """What is in these parentheses, at its commas, and where it ends."""
    depth, parts, begin = 0, [], paren + 1
    for i in range(paren, len(text)):
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(text[i], 0)
        if depth == 0 or (depth == 1 and text[i] == ","):
            parts.append(text[begin:i].strip())
            begin = i + 1
        if depth == 0:
            return parts, i + 1
    return parts, len(text)


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


# What ends a test of Python that goes wrong: unittest's own, and what throws by itself.
RAISES = re.compile(r"assert\w*|fail|check_call|check_output|raise_for_status")
ALWAYS_TRUE = (ast.Tuple, ast.GeneratorExp, ast.Lambda)
SCRIPT_TEST = re.compile(r"^ *(?:await )?(?:test|it)\(", re.M)
SCRIPT_ASSERTS = re.compile(r"\bassert\b|\bexpect\(")
SCRIPT_NEVER = (
    (re.compile(r"\bassert(?:\.ok)?\((?:true|1|\"\")[,)]"), "is a constant"),
    (re.compile(r"\bassert\.(?:deep)?(?:[eE]|StrictE|strictE)qual\((\w[\w.]*), \1[,)]"), "is compared with itself"),
)
SCRIPT_FUNCTION = re.compile(r"\bfunction (\w+)\([^)]*\)[^{;]*\{|\bconst (\w+) = (?:async )?\([^)]*\)[^=;]*=> *\{")


def called_by(node):
    """Names of functions and methods that are called, or handed on, somewhere in it."""
    names = [n for n in ast.walk(node) if isinstance(n, (ast.Attribute, ast.Name))]
    return {n.attr if isinstance(n, ast.Attribute) else n.id for n in names}


def python_asserts(node):
    return any(isinstance(n, (ast.Assert, ast.Raise)) or
               (isinstance(n, ast.Attribute) and RAISES.fullmatch(n.attr)) or
               (isinstance(n, ast.keyword) and n.arg == "check" and getattr(n.value, "value", None) is True)
               for n in ast.walk(node))


def constant_claim(call):
    """Why this assertion of unittest always holds; nothing if it may fail."""
    name, args = getattr(call.func, "attr", ""), call.args
    same = len(args) > 1 and ast.dump(args[0]) == ast.dump(args[1])
    may_differ = same and any(isinstance(n, ast.Call) for n in ast.walk(args[0]))
    if same and not may_differ and name in ("assertEqual", "assertIs", "assertLessEqual", "assertGreaterEqual"):
        return "is compared with itself"
    if name == "assertGreaterEqual" and isinstance(args[0], ast.Call) and getattr(args[0].func, "id", "") == "len":
        return "is never negative" if getattr(args[1], "value", None) == 0 else None
    if name in ("assertTrue", "assertFalse") and isinstance(args[0], ast.Constant):
        return "is a constant"
    if name in ("assertTrue", "assertFalse") and isinstance(args[0], ALWAYS_TRUE):
        return "is true whatever is in it"
    return None


def constant_assert(node):
    if isinstance(node.test, ast.Constant) and node.test.value:
        return "is a constant"
    return "is true whatever is in it" if isinstance(node.test, ALWAYS_TRUE) else None


def of_python(root):
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted((root / "tests").rglob("*.py"))}
    all_functions = {path: [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)] for path, tree in trees.items()}
    shared = [f for path, known in all_functions.items() for f in known if not path.name.startswith("test_")]
    for path, known in all_functions.items():
        reached = {f.name for f in [*shared, *known] if python_asserts(f)}
        calls = {f.name: called_by(f) for f in [*shared, *known]}
        while more := {name for name, called in calls.items() if name not in reached and reached & called}:
            reached |= more
        for f in known:
            if f.name.startswith("test_") and f.name not in reached:
                yield f"{path.relative_to(root)}:{f.lineno}: {f.name} asserts nothing"
        for n in ast.walk(trees[path]):
            why = constant_claim(n) if isinstance(n, ast.Call) else constant_assert(n) if isinstance(n, ast.Assert) else None
            if why:
                yield f"{path.relative_to(root)}:{n.lineno}: {why}: {ast.unparse(n)[:80]}"


def of_scripts(root):
    files = [path for path in sorted((root / "tests").rglob("*")) if path.suffix in (".mjs", ".ts")]
    texts = {path: bare(path.read_text(encoding="utf-8")) for path in files}
    known = [(m[1] or m[2], body_at(text, m.end() - 1)) for text in texts.values() for m in SCRIPT_FUNCTION.finditer(text)]
    asserts = {name for name, body in known if SCRIPT_ASSERTS.search(body)}
    for path, text in texts.items():
        for m in SCRIPT_TEST.finditer(text):
            body = body_at(text, text.find("=> {", m.end()) + len("=> "))
            if not SCRIPT_ASSERTS.search(body) and not asserts & set(CALL.findall(body)):
                yield f"{path.relative_to(root)}:{text[:m.start()].count(chr(10)) + 1}: a test asserts nothing"
        for pattern, why in SCRIPT_NEVER:
            for m in pattern.finditer(text):
                yield f"{path.relative_to(root)}:{text[:m.start()].count(chr(10)) + 1}: {why}: {m[0][:80]}"


def bounded_by_0(text):
    """What is asserted to be at least 0: the match, what it is, and whether a reason follows."""
    for m in BOUND.finditer(text):
        parts, end = call_at(text, m.end() - 1)
        zero = {"GE": 1, "LE": 0}[m[1]]
        if len(parts) == 2 and ZERO.fullmatch(parts[zero]):
            yield m.start(), text[m.start():end], parts[1 - zero], REASON.match(text, end) is not None


def may_be_refused(what, text):
    return re.match(OF_THE_SYSTEM, what) or re.search(rf"\b{re.escape(what)} = {OF_THE_SYSTEM}", text)


def always_held(text):
    """Where an assertion stands that holds whatever the program does, its words, and why; what a name is, is looked for in
    the same file."""
    found = {m.start(): (m[0], why) for pattern, why in NEVER for m in pattern.finditer(text)}
    unsigned = set(UNSIGNED.findall(text))
    for at, words, what, has_reason in bounded_by_0(text):
        if what in unsigned:
            found.setdefault(at, (words, "is never negative"))
        elif not has_reason and not may_be_refused(what, text):
            found.setdefault(at, (words, "is at least 0, without a reason why it could be less"))
    return sorted((at, *rest) for at, rest in found.items())


def of_cpp(root):
    texts = {path: bare(path.read_text(encoding="utf-8")) for path in sorted((root / "tests").rglob("*.[ch]pp"))}
    shared = [f for path, text in texts.items() if path.suffix == ".hpp" for f in functions(text)]
    for path, text in texts.items():
        where, names = path.relative_to(root), asserting([*shared, *functions(text)])
        for test in TEST.finditer(text):
            body = body_at(text, test.end() - 1)
            if not ASSERTS.search(body) and not names & set(CALL.findall(body)):
                yield f"{where}: {test[1]}.{test[2]} asserts nothing"
        for at, words, why in always_held(text):
            yield f"{where}:{text[:at].count(chr(10)) + 1}: {why}: {words[:80]}"


def sentences(root):
    for language in (of_cpp, of_python, of_scripts):
        yield from language(root)


def main():
    wrong = list(sentences(pathlib.Path(sys.argv[1])))
    for sentence in wrong:
        print(sentence)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

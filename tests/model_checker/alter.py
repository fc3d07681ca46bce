#!/usr/bin/env python3
"""Alters the plain statements of headers: alter.py INCLUDE OUTPUT HEADERS.

Writes HEADERS, which are relative to INCLUDE/synchro, into OUTPUT once more, with all their alterations in them: each
is asked for by its number while the program runs (src/model_checker/altered.hpp), so that one compiler's run serves for all
(mutant schemata: Untch, Offutt, Harrold: Mutation Analysis Using Mutant Schemata, ISSTA 1993). Prints what each number
is:

    number | header | line's number | the line of the source | what is altered

Where a line, or two lines that read alike, can be altered twice in the same words, the later ones are counted: (2). A line
of the source keeps its number, by which plain_mutants.py leaves a line alone that a compiler refuses altered.

What is altered: a condition is always true, or never; an operand of && or || is left out; a loop runs once; a bound is
off by one (< and <=); a number, a sum or a difference is one more; a number that is handed in counts as 1; a mask is
left out; a member, a local variable or a parameter stands for another of its type; a call or an assignment is left out,
or comes before the one above it. Left to synchroscope verify --mutate: operations on atomics, wake-ups, fences and
writes to plain<T>.

The headers are read as clang-format leaves them: an operator between two operands has blanks on both sides, a bracket
of a template has none."""
import argparse
import bisect
import collections
import pathlib
import re
import sys

TOKEN = re.compile(r"""(?P<skip>\s+|//[^\n]*|/\*.*?\*/|^[ \t]*\#(?:[^\n\\]|\\.|\\\n)*)
  |(?P<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
  |(?P<number>\.?\d(?:[\w.]|'(?=\w)|[eE][+-])*)
  |(?P<name>[A-Za-z_]\w*)
  |(?P<sign>->\*|<=>|<<=|>>=|\.\.\.|::|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|.)""", re.X | re.M | re.S)
PAIRS = {"(": ")", "[": "]", "{": "}"}
NO_TYPE = {"return", "throw", "delete", "new", "goto", "else", "case", "default", "break", "continue", "co_await",
           "co_return", "if", "while", "for", "do", "switch", "try", "using", "static_assert", "public", "private",
           "protected",
           "friend", "operator"}
BEFORE_BODY = {")", "const", "noexcept", "override", "final", "mutable"}
STEPS_OF_THE_MACHINE = re.compile(r"(\.|->)(store|exchange|fetch_\w+|compare_exchange_\w+)\($|^Machine::(unpark|fence)\($")
BOUNDS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
ASSIGN = {"=", "+=", "-=", "|=", "&=", "^=", "*=", "/=", "%=", "<<=", ">>="}
LEFT_ALONE = {"using", "static_assert", "break", "continue", "throw", "struct", "class", "enum", ";", "static", "constexpr"}
BY_PRECEDENCE = ((",",), ASSIGN, ("?",), ("||",), ("&&",), ("==", "!=", *BOUNDS), ("|", "^"), ("&",), ("<<", ">>"),
                 ("+", "-"), ("*", "/", "%"))

# How an alteration is described, without what stands in backquotes, and what that kind is called.
KINDS = {"always": "a condition always holds", "never": "a condition never holds", "with": "a bound off by one",
         "one more": "a number one more", "is 1": "a number that counts as 1", "without": "a mask left out",
         "for": "another of its type", "runs once": "a loop runs once", "left out": "a call or an assignment left out",
         "before the statement above": "before the statement above"}


def kind_of(what):
    """The kind of an alteration, of its description."""
    text = re.sub(r"^`[^`]*` | \(\d+\)$", "", what)
    return next(kind for kind in KINDS if text == kind or text.startswith(kind + " "))


class Header:
    """The tokens of a header, which bracket belongs to which, and which blanks stand between."""

    def __init__(self, text):
        self.text, self.tokens = text, []
        for found in TOKEN.finditer(text):
            if found.lastgroup != "skip":
                self.tokens.append((found.lastgroup, found.group(), found.start(), found.end()))
        self.words = [t[1] for t in self.tokens] + [""]
        self.choices = self.find_choices()
        self.mate = {}
        self.match_brackets()
        self.match_angles()

    def match_brackets(self):
        waiting = []
        for i, word in enumerate(self.words):
            if self.tokens[i:] and self.tokens[i][0] == "sign":
                if word in PAIRS:
                    waiting.append(i)
                elif word in PAIRS.values():
                    self.mate[waiting.pop()] = i

    def blank_before(self, i):
        return i == 0 or self.tokens[i - 1][3] != self.tokens[i][2]

    def between_operands(self, i):
        """Whether the sign stands between two operands."""
        return self.blank_before(i) and i + 1 < len(self.tokens) and self.blank_before(i + 1)

    def match_angles(self):
        for i, word in enumerate(self.words):
            opens = word == "<" and i > 0 and (self.words[i - 1] == "template" or not self.blank_before(i))
            if not opens or self.between_operands(i) and self.words[i - 1] != "template":
                continue
            depth, k = 0, i
            while k < len(self.tokens):
                word = self.words[k]
                if k in self.mate and word in PAIRS:
                    k = self.mate[k]
                elif word == "<" and (k == i or not self.between_operands(k)):
                    depth += 1
                elif word in (">", ">>") and not (self.blank_before(k) and self.blank_before(k + 1)):
                    depth -= len(word)
                if depth <= 0:
                    break
                k += 1
            self.mate[i] = k

    def find_choices(self):
        """(the token behind it, its word) of each directive that chooses."""
        begins = [begin for _, _, begin, _ in self.tokens]
        found = re.finditer(r"^[ \t]*#[ \t]*(if|ifdef|ifndef|else|elif|endif)\b", self.text, re.M)
        return [(bisect.bisect(begins, d.start()), d[1]) for d in found]

    def is_cut(self):
        """Whether one of several branches of the preprocessor has the half of a statement, or of a pair of brackets."""
        if not re.search(r"^\s*#\s*(if|else|elif)\b", self.text, re.M):
            return False
        depth, begun, last = 0, [], 0
        for i, word in self.choices:
            for k in range(last, i):
                depth += (self.words[k] in PAIRS) - (self.words[k] in PAIRS.values())
            last = i
            if i > 0 and self.words[i - 1] not in (";", "{", "}"):
                return True
            if not word.startswith("if") and begun.pop() != depth:
                return True
            if word != "endif":
                begun.append(depth)
        return False

    def line(self, i):
        return self.text.count("\n", 0, self.tokens[i][2]) + 1

    def gap(self, i):
        """What stands before a token, without comments: only blanks and the ends of lines."""
        begin = self.tokens[i - 1][3] if i > 0 else 0
        between = self.text[begin:self.tokens[i][2]]
        return "\n" * between.count("\n") or (" " if between else "")

    def raw(self, a, b):
        return "".join((self.gap(i) if i > a else "") + self.words[i] for i in range(a, b))

    def next(self, i):
        """The token behind this one, or behind what it brackets."""
        return self.mate[i] + 1 if i in self.mate and self.words[i] in "([{<" else i + 1

    def split(self, a, b, wanted):
        """The places between a and b where one of the signs stands, outside of brackets."""
        places, i = [], a
        while i < b:
            if self.words[i] in wanted and i not in self.mate and self.tokens[i][0] == "sign":
                if self.words[i] in ",?:;" or self.between_operands(i):
                    places.append(i)
            i = self.next(i)
        return places


def on_one_line(text):
    return text.replace("\n", " ")


class Alterer:
    def __init__(self, name, header, first, without):
        self.name, self.header, self.words = name, header, header.words
        self.last, self.first, self.without, self.made = first, first, without, {}
        self.lines = header.text.splitlines()
        self.alike = collections.Counter()  # how often each was made of each line, as it reads
        self.fields, self.plain_fields = {}, set()
        self.locals = []
        self.allowed = True

    # ---- what is altered

    def number(self, i, what):
        """The number of a new alteration of the line in which token i stands; nothing where none may be made, and no other
        has that number then: harnesses that were built before a line was refused call the others by theirs."""
        line = self.header.line(i)
        source = self.lines[line - 1].strip()
        self.last += 1
        self.alike[source, what] += 1
        nth = self.alike[source, what]
        if f"{self.name}:{line}" in self.without:
            return None
        self.made[self.last] = line, source, what if nth == 1 else f"{what} ({nth})"
        return self.last

    def condition(self, a, b, text, ways=("always", "never")):
        """The same condition, which an alteration makes true or false always."""
        shown = on_one_line(self.header.raw(a, b))
        if shown in ("true", "false"):
            return text
        if "always" in ways:
            k = self.number(a, f"`{shown}` always")
            text = f"(({text}) || ::altered::is({k}))" if k else text
        if "never" in ways:
            k = self.number(a, f"`{shown}` never")
            text = f"(({text}) && !::altered::is({k}))" if k else text
        return text

    def instead(self, i, what, text, other):
        k = self.number(i, what)
        return f"(::altered::is({k}) ? {on_one_line(other)} : {text})" if k else text

    def call(self, i, what, function, text):
        k = self.number(i, what)
        return f"::altered::{function}({k}, {text})" if k else text

    # ---- expressions

    def expression(self, a, b, operand=False):
        """`operand`: something is done with its value, which may be another."""
        header = self.header
        if a >= b:
            return ""
        for signs in BY_PRECEDENCE:
            places = header.split(a, b, signs)
            if places:
                return self.operation(a, b, places)
        if self.words[a] == "!":
            return "!" + self.expression(a + 1, b)
        return self.primary(a, b, operand)

    def joined(self, a, b, places, parts):
        text = parts[0]
        for at, part in zip(places, parts[1:]):
            text += self.header.gap(at) + self.words[at] + self.header.gap(at + 1) + part
        return text

    def operation(self, a, b, places):
        sign = self.words[places[0]]
        if sign == "?":
            return self.choice(a, b, places[0])
        if sign in ASSIGN:
            at = places[0]
            return self.joined(a, b, [at], [self.chain(a, at), self.expression(at + 1, b, True)])
        ends = [a, *(p + 1 for p in places)], [*places, b]
        spans = list(zip(*ends))
        parts = [self.expression(x, y, sign not in "+-" or self.header.tokens[x][0] != "number") for x, y in spans]
        if sign in ("&&", "||"):
            way = "always" if sign == "&&" else "never"
            parts = [self.condition(x, y, p, (way,)) for (x, y), p in zip(spans, parts)]
        text = self.joined(a, b, places, parts)
        shown = on_one_line(self.header.raw(a, b))
        if sign in BOUNDS and len(places) == 1:
            text = self.instead(a, f"`{shown}` with {BOUNDS[sign]}", text, f"({parts[0]}) {BOUNDS[sign]} ({parts[1]})")
        if sign in ("&", "|") and len(places) == 1:
            text = self.instead(a, f"`{shown}` without {sign}", f"({text})", f"({parts[0]})")
        if sign in ("+", "-"):
            text = self.call(a, f"`{shown}` one more", "more", f"({text})")
        return text

    def choice(self, a, b, at):
        second = next(p for p in self.header.split(at + 1, b, (":",)))
        text = self.condition(a, at, self.expression(a, at))
        either = self.expression(at + 1, second, True), self.expression(second + 1, b, True)
        return self.joined(a, b, [at, second], [text, *either])

    def primary(self, a, b, operand):
        kind, word = self.header.tokens[a][:2]
        if b == a + 1 and operand:
            if kind == "number":
                return self.call(a, f"`{word}` one more", "more", word)
            if kind == "name":
                return self.named(a, word)
        return self.chain(a, b)

    def named(self, a, word):
        """A name alone, whose value is wanted."""
        text = self.other_field(a, a + 1, word)
        types = dict(self.locals[-1]) if self.locals else {}
        if word not in types:
            return text
        others = [n for n, t in self.locals[-1] if t == types[word] and n != word and "auto" not in t]
        if others:
            text = self.instead(a, f"`{others[-1]}` for `{word}`", text, others[-1])
        if "*" in types[word] or types[word] == "bool":
            return text
        return self.call(a, f"`{word}` is 1", "one", text)

    def other_field(self, a, b, text):
        """The member at the end of tokens a to b, or another of its type."""
        name = self.words[b - 1]
        if name not in self.fields or (b == a + 1 and not name.endswith("_")):
            return text
        others = [n for n, t in self.fields.items() if t == self.fields[name] and n != name]
        if not others:
            return text
        return self.instead(b - 1, f"`{others[0]}` for `{name}`", text, self.header.raw(a, b - 1) + others[0])

    def chain(self, a, b):
        """Names, calls and members, one behind the other."""
        header, text, i = self.header, "", a
        sigil = a
        while sigil < b and self.words[sigil] in ("&", "*", "++", "--", "-", "~"):
            sigil += 1
        head = sigil + 3 if self.words[sigil + 1:sigil + 2] in (["->"], ["."]) and sigil + 3 <= b else sigil + 1
        if self.words[head] == "(" and head > sigil + 1:
            head = sigil + 1  # a member's function
        if sigil < b and header.tokens[sigil][0] == "name" and (head == b or self.words[head] != "("):
            text = header.raw(a, sigil) + self.other_field(sigil, head, header.raw(sigil, head))
            i = head
        while i < b:
            gap = header.gap(i) if i > a else ""
            if self.words[i] == "{" and self.is_lambda_body(a, i):
                text += gap + self.lambda_body(a, i)
            elif i in header.mate and self.words[i] == "(" and not self.is_lambda_list(i):
                text += gap + "(" + self.arguments(a, i) + ")"
            elif i in header.mate:
                text += gap + header.raw(i, header.mate[i] + 1)
            else:
                text += gap + self.words[i]
            i = header.next(i)
        return text

    def arguments(self, a, i):
        header, end = self.header, self.header.mate[i]
        if i + 1 == end:
            return ""
        called = header.raw(max(a, i - 3), i + 1).replace("\n", "")
        whole = header.raw(a, i + 1).replace("\n", "").replace(" ", "")
        spared = STEPS_OF_THE_MACHINE.search(whole) or "memory_order" in called
        places = header.split(i + 1, end, (",",))
        spans = list(zip([i + 1, *(p + 1 for p in places)], [*places, end]))
        parts = [self.expression(x, y, not spared or y - x > 1) for x, y in spans]
        return header.gap(i + 1) + self.joined(i + 1, end, places, parts) + header.gap(end)

    def is_lambda_list(self, i):
        return self.words[i - 1] == "]" or (self.words[i - 1] == ">" and any(
            self.header.mate.get(k) == i - 1 and self.words[k - 1] == "]" for k in range(max(0, i - 40), i)))

    def is_lambda_body(self, a, i):
        before = self.words[i - 1]
        if before == "]":
            return True
        k = i - 1
        while k > a and self.words[k] in ("mutable", "noexcept", "constexpr"):
            k -= 1
        return self.words[k] == ")" and any(self.header.mate.get(p) == k and self.is_lambda_list(p) for p in range(a, k))

    def lambda_body(self, a, i):
        before = range(i - 1, a - 1, -1)
        parameters = next((p for p in before if self.words[p] == "(" and self.header.mate.get(p, i) < i), None)
        return self.body(i, parameters if self.words[i - 1] != "]" else None)

    # ---- statements

    def body(self, i, parameters):
        """Of a function, at its bracket."""
        self.locals.append([])
        if parameters is not None:
            end = self.header.mate[parameters]
            places = self.header.split(parameters + 1, end, (",",))
            for x, y in zip([parameters + 1, *(p + 1 for p in places)], [*places, end]):
                self.declare(x, y)
        text = self.block(i)
        self.locals.pop()
        return text

    def declare(self, a, b):
        found = self.declaration(a, b)
        if found and self.locals:
            self.locals[-1].append((found[1], found[0]))
        return found

    def declaration(self, a, b):
        """(type, name, the token behind the name) of what is declared from a on; nothing if nothing is."""
        if self.words[a] in NO_TYPE or self.header.tokens[a][0] != "name":
            return None
        i, names = a, []
        while i < b:
            kind, word = self.header.tokens[i][:2]
            if kind == "name":
                names.append(i)
            elif word == "<" and i in self.header.mate:
                pass
            elif word in ("*", "&", "&&", "...") and not self.header.blank_before(i):
                pass
            elif word != "::":
                break
            i = self.header.next(i)
        if not names or names[-1] != i - 1 or i - 1 == a or self.words[i - 2] in ("::", ".", "->"):
            return None
        if i < b and self.words[i] not in ("=", "{", "(", ";", ",", "[", ":", ")"):
            return None
        kept = [w for w in self.words[a:i - 1] if w not in ("const", "&", "typename", "static", "constexpr", "inline")]
        return "".join(kept), self.words[i - 1], i

    def block(self, i):
        end, text, k = self.header.mate[i], "{", i + 1
        depth = len(self.locals[-1])
        statements, chosen = [], {place for place, _ in self.header.choices}
        while k < end:
            begin = k
            statement, k, kind = self.statement(k)
            statements.append((self.header.gap(begin), statement, kind, begin, k))
        for n, (gap, statement, kind, begin, behind) in enumerate(statements):
            text += gap
            follows = statements[n + 1] if n + 1 < len(statements) else None
            number = None
            if kind == "does" and follows and follows[2] == "does" and behind not in chosen:
                number = self.number(follows[3], "before the statement above")
            if number:
                text += f"if (::altered::is({number})) {{ {on_one_line(follows[1])} }} "
                statements[n + 1] = (follows[0], f"{{ if (!::altered::is({number})) {follows[1]} }}", *follows[2:])
            text += statements[n][1]
        del self.locals[-1][depth:]
        return text + self.header.gap(end) + "}"

    def statement(self, i):
        """(the statement altered, the token behind it, "does" if it is an expression)"""
        word = self.words[i]
        if word == "{":
            return self.block(i), self.header.mate[i] + 1, ""
        if word == "[" and self.words[i + 1] == "[":
            end = self.header.mate[i] + 1
            text, behind, kind = self.statement(end)
            return self.header.raw(i, end) + self.header.gap(end) + text, behind, ""
        if word in ("if", "while", "for", "do", "switch", "try", "else"):
            text, behind = getattr(self, "of_" + word)(i)
            return text, behind, ""
        if word in ("case", "default"):
            colon = next(k for k in range(i, len(self.words)) if self.words[k] == ":")
            return self.header.raw(i, colon + 1), colon + 1, ""
        end = i
        while self.words[end] != ";":
            end = self.header.next(end)
        return self.simple(i, end)

    def simple(self, i, end):
        word, header = self.words[i], self.header
        if word in LEFT_ALONE:
            return header.raw(i, end + 1), end + 1, ""
        if word == "return":
            return self.of_return(i, end), end + 1, ""
        found = self.declaration(i, end + 1)
        if found or word in ("auto", "const"):
            text = self.initialised(i, end)
            self.declare(i, end + 1)  # a name is not offered within its own initializer
            return text, end + 1, ""
        text = self.expression(i, end) + ";"
        shown = on_one_line(header.raw(i, end))
        if not self.is_of_the_machine(i, end):
            k = self.number(i, "left out" if len(shown) > 60 else f"`{shown}` left out")
            text = f"{{ if (!::altered::is({k})) {text} }}" if k else text
        return text, end + 1, "does"

    def is_of_the_machine(self, i, end):
        """Whether --mutate leaves it out."""
        places = self.header.split(i, end, ASSIGN)
        if places:
            return self.words[places[0] - 1] in self.plain_fields
        text = self.header.raw(i, end)
        last = next((p for p in range(end - 1, i, -1) if self.header.mate.get(p) == end - 1), None)
        called = self.header.raw(i, last + 1) if last else text
        return STEPS_OF_THE_MACHINE.search(called.replace("\n", "").replace(" ", "")) is not None

    def of_return(self, i, end):
        if end == i + 1 or self.words[i + 1] == "{":
            return self.header.raw(i, end + 1)
        text = self.expression(i + 1, end, True)
        if self.words[i + 1] == "!" or self.header.split(i + 1, end, ("&&", "||", "==", "!=", *BOUNDS)):
            if not self.header.split(i + 1, end, (",", "?", *ASSIGN)):
                text = self.condition(i + 1, end, text)
        return "return" + self.header.gap(i + 1) + text + ";"

    def initialised(self, i, end):
        places = self.header.split(i, end, ("=",))
        if not places or "constexpr" in self.words[i:places[0]]:
            return self.header.raw(i, end + 1)
        at = places[0]
        return self.header.raw(i, at + 1) + self.header.gap(at + 1) + self.expression(at + 1, end, True) + ";"

    def of_if(self, i):
        header = self.header
        is_constant = self.words[i + 1] == "constexpr"
        opening = i + 2 if is_constant else i + 1
        end = header.mate[opening]
        depth = len(self.locals[-1])
        if is_constant:
            text = header.raw(i, end + 1)
        else:
            text = header.raw(i, opening + 1) + self.of_condition(opening + 1, end) + ")"
        body, k = self.under(end + 1)
        text += body
        if self.words[k] == "else":
            rest, k = self.of_else(k, header.gap(k))
            text += rest
        del self.locals[-1][depth:]
        return text, k

    def under(self, k):
        """The statement below an if or a loop, with the attribute before it."""
        text = ""
        if self.words[k] == "[" and self.words[k + 1] == "[":
            behind = self.header.mate[k] + 1
            text, k = self.header.gap(k) + self.header.raw(k, behind), behind
        statement, behind, _ = self.statement(k)
        return text + self.header.gap(k) + statement, behind

    def of_else(self, i, gap=""):
        body, k = self.under(i + 1)
        return gap + "else" + body, k

    def of_condition(self, a, b):
        places = self.header.split(a, b, (";",))
        begin = places[0] + 1 if places else a
        opening = self.header.raw(a, begin) + (self.header.gap(begin) if places else "")
        if places:
            self.declare(a, places[0])
        if self.declare(begin, b):
            return opening + self.header.raw(begin, b)
        return opening + self.condition(begin, b, self.expression(begin, b))

    def of_while(self, i):
        end = self.header.mate[i + 1]
        depth = len(self.locals[-1])
        declared = self.declare(i + 2, end)
        text = self.header.raw(i + 2, end) if declared else self.expression(i + 2, end)
        if not declared:
            text = self.condition(i + 2, end, text, ("never",))
        k = None if declared else self.number(i, "`while` runs once")
        body, behind = self.under(end + 1)
        del self.locals[-1][depth:]
        if k is None:
            return "while (" + text + ")" + body, behind
        return f"for (bool again_{k} = true; again_{k} && ({text}); again_{k} = !::altered::is({k}))" + body, behind

    def of_do(self, i):
        body, k = self.under(i + 1)
        end = self.header.mate[k + 1]
        text = self.condition(k + 2, end, self.expression(k + 2, end), ("never",))
        return "do" + body + self.header.gap(k) + "while (" + text + ");", end + 2

    def of_for(self, i):
        header, end = self.header, self.header.mate[i + 1]
        depth = len(self.locals[-1])
        places = header.split(i + 2, end, (";",))
        text = header.raw(i, end + 1)
        if len(places) == 2:
            self.declare(i + 2, places[0] + 1)
            text = "for (" + header.raw(i + 2, places[0] + 1) + " " + self.expression(places[0] + 1, places[1])
            text += header.raw(places[1], end + 1)
        body, behind = self.under(end + 1)
        del self.locals[-1][depth:]
        return text + body, behind

    def of_switch(self, i):
        end = self.header.mate[i + 1]
        body, behind = self.under(end + 1)
        return self.header.raw(i, end + 1) + body, behind

    def of_try(self, i):
        body, k = self.under(i + 1)
        text = "try" + body
        while self.words[k] == "catch":
            end = self.header.mate[k + 1]
            body, behind = self.under(end + 1)
            text += self.header.gap(k) + self.header.raw(k, end + 1) + body
            k = behind
        return text, k

    # ---- declarations outside of functions

    def declarations(self, a, b, scope):
        """All from a to b, in the class or namespace that opens at `scope`, with the bodies of functions altered."""
        header, text, i, begin = self.header, "", a, a
        parameters, in_list = None, False
        while i < b:
            word, gap = self.words[i], header.gap(i) if i > a else ""
            if word == "{" and self.opens_scope(begin, i):
                inside = self.declarations(i + 1, header.mate[i], i)
                text += gap + "{" + header.gap(i + 1) + inside + header.gap(header.mate[i]) + "}"
                i = begin = header.mate[i] + 1
                parameters, in_list = None, False
                continue
            is_concept = "concept" in self.words[begin:i]
            if word == "{" and parameters is not None and not is_concept and self.opens_body(i, in_list):
                text += gap + self.body(i, parameters)
                i = begin = header.mate[i] + 1
                parameters, in_list = None, False
                continue
            if word == "(" and parameters is None and self.words[i - 1] not in ("noexcept", "decltype", "alignas"):
                parameters = i
            in_list = in_list or (word == ":" and parameters is not None)
            behind = header.next(i)
            text += gap + header.raw(i, behind)
            if word == ";" and parameters is None:
                self.note_field(begin, behind, scope)
            if word == ";" or (word == ":" and self.words[i - 1] in ("public", "private", "protected")):
                begin, parameters, in_list = behind, None, False
            i = behind
        return text

    def opens_scope(self, begin, i):
        k = begin
        while k < i and self.words[k] in ("template", "inline", "export", "[", "friend"):
            k = self.header.next(k + 1 if self.words[k] == "template" else k)
            if self.words[k] == "requires":
                return any(w in ("class", "struct") for w in self.words[k:i])
        return self.words[k] in ("namespace", "class", "struct", "union") or (self.words[k] == "extern" and i == k + 2)

    def opens_body(self, i, in_list):
        before = self.words[i - 1]
        if in_list:
            return before in (")", "}")
        return before in BEFORE_BODY or self.header.tokens[i - 1][0] == "name" or before in (">", "*", "&")

    def note_field(self, a, b, scope):
        """What is declared from a to b is a member of the class at `scope`. A name that stands for two counts for none."""
        found = None if self.words[a] in ("static", "constexpr", "using", "friend", "inline") else self.declaration(a, b)
        if not found:
            return
        kind, name, _ = found
        if self.fields.setdefault(name, (scope, kind)) != (scope, kind):
            self.fields[name] = (scope, name)
        if "plain<" in kind:
            self.plain_fields.add(name)

    def altered(self):
        """Twice, since members stand behind the functions that use them."""
        self.declarations(0, len(self.header.tokens), 0)
        self.made.clear()
        self.alike.clear()
        self.last = self.first
        return self.declarations(0, len(self.header.tokens), 0)


def directives(text):
    """Lines of the preprocessor, each at its place, and blanks for the rest."""
    return [line if line.lstrip().startswith("#") else None for line in text.splitlines()]


def merged(source, altered_text):
    """The altered text with the source's directives at their lines."""
    lines = altered_text.split("\n")
    lines += [""] * (source.count("\n") - len(lines))
    for number, directive in enumerate(directives(source)):
        if directive is not None:
            lines[number] = directive
    return "\n".join(lines) + "\n"


def alter(name, text, first, without):
    """(the header with its alterations, what each number is); nothing in one of which the preprocessor cuts a statement."""
    header = Header(text)
    if not header.tokens or header.is_cut():
        return text, {}
    alterer = Alterer(name, header, first, without)
    lead = "\n" * text.count("\n", 0, header.tokens[0][2])
    changed = merged(text, lead + alterer.altered())
    return changed, alterer.made


IN_ONE_HEADER = 1000


def write_if_new(path, text):
    if not path.exists() or path.read_text() != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


class Row(collections.namedtuple("Row", "number header line source what")):
    """One alteration."""

    def key(self):
        return f"{self.header} | {self.source} | {self.what}"


def write_some(include, output, headers, without):
    """Writes these headers, and the others as they are, by which a build knows where each is found; says what is altered.
    A number stays an alteration's while its header stays."""
    rows = []
    for place, path in enumerate(sorted(include.glob("synchro/**/*.hpp"))):
        name, first = str(path.relative_to(include / "synchro")), place * IN_ONE_HEADER
        written = output / path.relative_to(include)
        if name not in headers:
            write_if_new(written, path.read_text())
            continue
        text, made = alter(name, path.read_text(), first, without)
        if max(made, default=first) >= first + IN_ONE_HEADER:
            sys.exit(f"{name}: more than {IN_ONE_HEADER} alterations")
        write_if_new(written, text)
        rows += (Row(k, name, *one) for k, one in made.items())
    return rows


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("include", type=pathlib.Path)
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("headers", nargs="+", help="relative to INCLUDE/synchro")
    asked = parser.parse_args()
    for row in write_some(asked.include, asked.output, set(asked.headers), set()):
        print(*row, sep=" | ")


if __name__ == "__main__":
    main()

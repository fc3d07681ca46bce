#!/usr/bin/env python3
"""Validates results files against docs/results.schema.json.

    python3 tests/results/validate.py FILE...

Says what is wrong, one line each. Exit status: 0 all valid, 1 some are not, 2 usage or a missing Python module.
"""

import json
import pathlib
import sys

try:
    from jsonschema import Draft202012Validator
except ImportError:
    print("validate.py needs the Python module jsonschema (Debian and Ubuntu: python3-jsonschema)", file=sys.stderr)
    sys.exit(2)

SCHEMA = pathlib.Path(__file__).resolve().parents[2] / "docs" / "results.schema.json"


def no_constant(name):
    raise ValueError(f"{name} is not JSON")


def no_duplicates(pairs):
    members = dict(pairs)
    if len(members) != len(pairs):
        twice = {k for k, _ in pairs if sum(k == n for n, _ in pairs) > 1}
        raise ValueError("a member occurs twice: " + ", ".join(sorted(twice)))
    return members


def validator():
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def parse(text):
    """JSON as the standard has it: no NaN, no member twice."""
    return json.loads(text, parse_constant=no_constant, object_pairs_hook=no_duplicates)


def faults(document, check):
    """One line for each fault of a parsed document."""
    for error in sorted(check.iter_errors(document), key=lambda e: [str(p) for p in e.absolute_path]):
        place = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in error.absolute_path)
        message = " ".join(error.message.split())
        yield f"{place.lstrip('.') or 'the document'}: {message if len(message) < 300 else message[:300] + '...'}"


def main(files):
    if not files:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    check = validator()
    bad = False
    for name in files:
        try:
            found = list(faults(parse(pathlib.Path(name).read_text(encoding="utf-8")), check))
        except (OSError, ValueError, RecursionError) as error:
            found = [str(error)]
        bad = bad or bool(found)
        for line in found:
            print(f"{name}: {line}")
        if not found:
            print(f"{name}: valid")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Answers an Overpass query from a list of objects: only the statements that ours are made of.

Expressions are matched by the C library, as an Overpass server does.
"""

import ctypes
import ctypes.util
import re
from functools import cache

_LIBC = ctypes.CDLL(ctypes.util.find_library("c"))
_EXTENDED, _NO_PLACES = 1, 8
_STATEMENT = re.compile(
    r"(node|way|rel)((?:\[(?:\"(?:[^\"\\]|\\.)*\"|[^]\"])*\])*)(\(if:is_closed\(\)\))?"
)
_FILTER = re.compile(r'\["((?:[^"\\]|\\.)*)"(?:(=|!=|~|!~)"((?:[^"\\]|\\.)*)")?\]')
_KINDS = {"node": "node", "way": "way", "rel": "relation"}


@cache
def _compiled(expression):
    room = ctypes.create_string_buffer(512)  # more than any regex_t takes
    code = _LIBC.regcomp(room, expression.encode(), _EXTENDED | _NO_PLACES)
    assert code == 0, f"the C library can't read {expression!r}"
    return room


@cache
def posix_search(expression, text):
    return _LIBC.regexec(_compiled(expression), text.encode(), 0, None, 0) == 0


def _unquoted(text):
    return re.sub(r"\\(.)", lambda m: {"n": "\n", "t": "\t"}.get(m[1], m[1]), text)


def parse(query):
    """Return the statements as (kind, filters, must be closed)."""
    head, body = query.split("(\n", 1)
    assert head.startswith("[out:json]")
    body, tail = body.rsplit("\n);\n", 1)
    assert tail == "out tags center;\n"
    statements = []
    for line in body.splitlines():
        found = _STATEMENT.fullmatch(line.strip().removesuffix(";"))
        assert found, f"not understood: {line}"
        filters, end = [], 0
        for part in _FILTER.finditer(found[2]):
            assert part.start() == end
            end = part.end()
            filters.append((_unquoted(part[1]), part[2], part[3] and _unquoted(part[3])))
        assert end == len(found[2])
        statements.append((_KINDS[found[1]], filters, bool(found[3])))
    return statements


def _passes(tags, key, operator, value):
    if operator is None:
        return key in tags
    if operator in {"=", "~"}:
        return key in tags and (
            tags[key] == value if operator == "=" else posix_search(value, tags[key])
        )
    # Overpass lets what lacks the key through a negative filter.
    return key not in tags or not (
        tags[key] == value if operator == "!=" else posix_search(value, tags[key])
    )


def answers(statements, thing):
    """Whether the query's answer holds the object."""
    return any(
        kind == thing.kind
        and (thing.is_closed or not must_be_closed)
        and all(_passes(thing.tags, *wanted) for wanted in filters)
        for kind, filters, must_be_closed in statements
    )

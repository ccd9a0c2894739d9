"""Selectors as Overpass QL: the same objects as the predicate finds, without lookaheads.

Source: OpenStreetMap wiki, "Overpass API/Overpass QL". A way's area is a closed way not tagged
`area=no`; its line is any way not tagged `area=yes`, as in `selector.shapes_of`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..errors import UsageError
from .selector import AREA, AREA_RELATIONS, LINE, NODE, Selector
from .tag_value import Equal, OneOf, Present, TagValue

_DEFAULT_TIMEOUT_S = 60
_DEFAULT_BYTES = 256 << 20

# Per shape: the statements' kind of object, further filters, and a condition after them.
_STATEMENTS = {
    NODE: (("node", "", ""),),
    LINE: (("way", '["area"!="yes"]', ""),),
    AREA: (
        ("way", '["area"!="no"]', "(if:is_closed())"),
        ("rel", f'["type"~"^({"|".join(AREA_RELATIONS)})$"]', ""),
    ),
}


def overpass_ql(
    selectors: Iterable[Selector],
    box: tuple[float, float, float, float] | None = None,
    timeout_s: int = _DEFAULT_TIMEOUT_S,
    most_bytes: int = _DEFAULT_BYTES,
    output: str = "tags center",
) -> str:
    """Return a query for the objects that any selector accepts, with tags and centres, as JSON.

    box: (west, south, east, north) in degrees, not across ±180; None asks for the whole planet,
    which a server can answer for rare things only. output: what `out` is to say of each; "center"
    lists a way's nodes too. UsageError for no selector and a box that is none.
    """
    settings = f"[out:json][timeout:{timeout_s}][maxsize:{most_bytes}]"
    if box is not None:
        west, south, east, north = _checked(box)
        settings += f"[bbox:{south:.7f},{west:.7f},{north:.7f},{east:.7f}]"
    statements = dict.fromkeys(line for selector in selectors for line in statements_of(selector))
    if not statements:
        raise UsageError("no OpenStreetMap selector", "in the query", "write one for the category")
    body = "\n".join(f"  {line};" for line in statements)
    return f"{settings};\n(\n{body}\n);\nout {output};\n"


def _checked(box: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
    west, south, east, north = box
    if not (-180 <= west < east <= 180 and -90 <= south < north <= 90):  # NaN fails too
        raise UsageError(
            f"no box: {west:g} {south:g} {east:g} {north:g}",
            "in the query",
            "write west, south, east, north in degrees, in two boxes across ±180",
        )
    return box


def statements_of(selector: Selector) -> Iterator[str]:
    """Yield one statement for each kind of object that the selector's shapes come as."""
    wanted = "".join(_filter(key, value) for key, value in selector.tags)
    unwanted = "".join(_filter_out(key, value) for key, value in selector.without)
    for shape in selector.shapes:
        for kind, more, condition in _STATEMENTS[shape]:
            yield f"{kind}{wanted}{unwanted}{more}{condition}"


def _filter(key: str, value: TagValue) -> str:
    if isinstance(value, Present):
        return f'[{_quoted(key)}][{_quoted(key)}!="no"]'
    if isinstance(value, Equal):
        return f"[{_quoted(key)}={_quoted(value.value)}]"
    return f"[{_quoted(key)}~{_expression(value)}]"


def _filter_out(key: str, value: TagValue) -> str:
    if isinstance(value, Equal):
        return f"[{_quoted(key)}!={_quoted(value.value)}]"
    return f"[{_quoted(key)}!~{_expression(value)}]"


def _expression(value: TagValue) -> str:
    expression = value.expression()
    if isinstance(value, OneOf) and len(value.values) == 1:
        return _quoted(f"^{expression}$")
    return _quoted(f"^({expression})$")


def _quoted(text: str) -> str:
    """Return an Overpass string: quotes and backslashes escaped, line ends written out."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + escaped.replace("\n", "\\n").replace("\t", "\\t") + '"'

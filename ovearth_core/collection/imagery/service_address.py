"""The address of a WMS or WMTS: its own parameters, and those that go with every request."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from urllib.parse import quote, unquote_plus

from .address import AddressTemplate

# What every request of these services says anew.
_OF_A_REQUEST = {
    "service", "request", "bbox", "width", "height", "exceptions", "transparent", "bgcolor",
    "tilematrix", "tilerow", "tilecol", "query_layers",
}  # fmt: skip


def parted(text: str, known: Iterable[str]) -> tuple[str, dict[str, str]]:
    """Return an address with what a person may have said taken out of it, and that.

    known: names, in lower case, that are options. What is left (`map=`, a key) is the server's.
    """
    head, _, query = text.partition("?")
    said: dict[str, str] = {}
    kept = []
    for pair in filter(None, query.split("&")):
        name, _, value = pair.partition("=")
        if name.lower() in known:
            said[name.lower()] = unquote_plus(value)
        elif name.lower() not in _OF_A_REQUEST:
            kept.append(pair)
    return head + ("?" + "&".join(kept) if kept else ""), said


def asking(
    base: str, parameters: Mapping[str, str], is_told_by_server: bool = False
) -> AddressTemplate:
    """Return the address of a request. A `{name}` in a value is left to be filled in."""
    pairs = [f"{name}={quote(value, safe='/:,{}$')}" for name, value in parameters.items()]
    base = re.sub(r"[?&]+$", "", base)
    text = base + ("&" if "?" in base else "?") + "&".join(pairs)
    return AddressTemplate.told_by_server(text) if is_told_by_server else AddressTemplate(text)

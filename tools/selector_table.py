"""Write docs/taxonomy-selectors.md: each category's selectors, and what they find in an extract.

Run `python tools/selector_table.py EXTRACT.osm.pbf` with osmium installed.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import osmium

from ovearth_core.taxonomy import Category, load, shapes_of

DOC = Path("docs/taxonomy-selectors.md")
START, END = "<!-- table: tools/selector_table.py -->\n", "<!-- end of table -->\n"
KINDS = {"n": "node", "w": "way", "r": "relation"}


def count_hits(extract: str) -> Counter[str]:
    """Return how many objects of the extract each category's selectors accept."""
    taxonomy, hits = load(), Counter()
    for thing in osmium.FileProcessor(extract):
        tags = {tag.k: tag.v for tag in thing.tags}
        if not tags:
            continue
        kind = KINDS.get(thing.type_str(), "")
        is_closed = kind == "way" and len(thing.nodes) > 3 and thing.is_closed()
        shapes = shapes_of(kind, tags, is_closed)
        hits.update(c.id for c in taxonomy if c.accepts(tags, shapes))
    return hits


def row(category: Category, hits: int) -> str:
    """Return the category's line of the table."""
    first = "; ".join(_short(selector.as_json()) for selector in category.osm)
    setting = " *(setting)*" if category.osm_finds == "setting" else ""
    return f"| `{category.id}` | {first}{setting} | {f'{hits:,}' if hits else '–'} |\n"


def _short(selector: dict) -> str:
    wanted = ", ".join(f"{key}={_value(value)}" for key, value in selector["tags"].items())
    without = ", ".join(f"{key}={_value(value)}" for key, value in selector["not"].items())
    return f"`{wanted}`" + (f" not `{without}`" if without else "")


def _value(value: object) -> str:
    if isinstance(value, dict):
        ((kind, text),) = value.items()
        text = f"{kind}:{text}"
    else:
        text = "/".join(value) if isinstance(value, list) else str(value)
    return text.replace("|", "\\|")


def main() -> None:
    """Put the table anew into the document."""
    hits = count_hits(sys.argv[1])
    head, rest = DOC.read_text(encoding="utf-8").split(START)
    tail = rest.split(END)[1]
    rows = "".join(row(category, hits[category.id]) for category in load())
    table = f"| category | selectors | found |\n| --- | --- | ---: |\n{rows}"
    DOC.write_text(head + START + table + END + tail, encoding="utf-8")
    found = sum(hits[category.id] > 0 for category in load())
    sys.stdout.write(f"{found} of {len(load())} categories found in {sys.argv[1]}\n")


if __name__ == "__main__":
    main()

"""What an image may be used for, as STAC says it: an SPDX identifier, or "other" and a link.

Source: https://github.com/radiantearth/stac-spec (1.1), "Common Metadata", and https://spdx.org.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ..rows import ImageRow

OTHER = "other"
# The families of licences that images and labels come under, as SPDX spells them.
_SPDX = re.compile(
    r"CC0-1\.0|CC-BY(-NC)?(-SA|-ND)?-[1-4]\.[05]|CC-PDDC|ODbL-1\.0|ODC-By-1\.0|PDDL-1\.0"
    r"|OGL-UK-[123]\.0|etalab-2\.0|DL-DE-(BY|ZERO)-2\.0|CDLA-[A-Za-z]+-[12]\.0|MIT|Apache-2\.0"
    r"|BSD-[23]-Clause|A?GPL-[23]\.0-(only|or-later)|NLOD-[12]\.0|Unlicense",
    re.IGNORECASE,
)
_CREATIVE_COMMONS = re.compile(
    r"https?://creativecommons\.org/(licenses|publicdomain)/([a-z-]+)/([0-9.]+)(/.*)?"
)


@dataclass(frozen=True)
class License:
    """code: an SPDX identifier, or "other". href: where it is to be read. words: as it is called,
    where the code doesn't say it."""

    code: str = OTHER
    href: str | None = None
    words: str | None = None


def license_of(image: ImageRow, known: Iterable[Mapping[str, Any]]) -> License:
    """Return an image's licence; `known` are those that a benchmark lists by id, name and url."""
    number = image.extra.get("license")
    listed = next((one for one in known if number is not None and one.get("id") == number), {})
    words = image.license or listed.get("name")
    href = listed.get("url")
    if isinstance(words, str) and re.match("https?://", words):
        href = href or words
    for text in (words, href):
        code = _code(text) if isinstance(text, str) else None
        if code is not None:
            return License(code, href if isinstance(href, str) else None)
    return License(
        OTHER,
        href if isinstance(href, str) else None,
        words if isinstance(words, str) else None,
    )


def license_of_all(found: Iterable[License]) -> License:
    """Return the licence of several images together: theirs if it is one, else "other"."""
    distinct = set(found)
    return distinct.pop() if len(distinct) == 1 else License()


def _code(text: str) -> str | None:
    told = _CREATIVE_COMMONS.fullmatch(text.strip())
    if told is not None:
        kind, version = told[2].upper(), told[3]
        return f"CC0-{version}" if kind == "ZERO" else f"CC-{kind}-{version}"
    plain = "-".join(text.split())
    return plain if _SPDX.fullmatch(plain) else None

"""One problem that was found: of which kind, where, what it is, and how to mend it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ..errors import one_line

ERROR, WARNING = "error", "warning"
_ERRORS = (
    *("frame", "gsd", "file-name", "no-name", "no-query"),
    *("outline", "unreadable", "invalid", "outside", "no-pixel", "duplicate-instance"),
    *("mask", "mask-differs", "box", "no-box", "box-differs", "needless-box"),
    *("no-text", "both-polarities", "doubled-text", "names-category", "negative-task"),
    *("no-file", "changed-file", "unreadable-file", "file-size", "file-crs", "file-place"),
    *("no-target", "no-image", "no-category", "no-instance", "no-shape", "not-indexed"),
    *("cut-off-import", "release-file"),
    *("ambiguous-text", "negative-present", "wrong-direction", "part-of-target"),
)
# What --fix mends, and what is suspicious rather than wrong: a person must look.
_WARNINGS = (
    *("sliver", "overlap", "near-duplicate", "no-gsd", "no-checksum"),
    *("no-place", "file-no-place"),
    *("unclosed-ring", "ring-order", "spaces", "stale-box"),
    *("repeated-text", "negative-kind", "not-near", "one-of-several"),
    *("long-text", "short-text", "language"),
)
SEVERITIES = dict.fromkeys(_ERRORS, ERROR) | dict.fromkeys(_WARNINGS, WARNING)


@dataclass(frozen=True)
class Finding:
    """One problem.

    kind: a slug that stays, of `SEVERITIES`. item, id: what it is about ("image", 3). what, mend:
    in words. image_id: of the image that it is on. pixel: x, y there. lonlat: the same in
    EPSG:4326. Any of these last three may be None. note: more of the place, for people.
    """

    kind: str
    item: str
    id: int | str | None
    what: str
    mend: str
    image_id: int | None = None
    pixel: tuple[float, float] | None = None
    lonlat: tuple[float, float] | None = None
    note: str = ""

    @property
    def severity(self) -> str:
        """Return "error" for what spoils a benchmark, "warning" for what may be right."""
        return SEVERITIES[self.kind]

    @property
    def where(self) -> str:
        """The item and its id."""
        place = self.item if self.id is None else f"{self.item} {self.id}"
        return f"{place} ({self.note})" if self.note else place

    def __str__(self) -> str:
        place = "" if self.pixel is None else " at x {:.1f}, y {:.1f}".format(*self.pixel)
        return one_line(f"{self.where}: {self.what}{place} [{self.kind}]; {self.mend}")

    def as_json(self) -> dict[str, Any]:
        """Return it as a JSON object; `check` is an older name of `kind`."""
        return {
            "kind": self.kind,
            "check": self.kind,
            "severity": self.severity,
            "item": self.item,
            "id": self.id,
            "where": self.where,
            "place": {
                "image_id": self.image_id,
                "pixel": None if self.pixel is None else list(self.pixel),
                "lonlat": None if self.lonlat is None else list(self.lonlat),
            },
            "what": self.what,
            "mend": self.mend,
        }


def findings_json(findings: Iterable[Finding], **more: Any) -> str:
    """Return the findings as a JSON document, with other members after them."""
    listed = [finding.as_json() for finding in findings]
    return json.dumps({"problems": listed, **more}, indent=1, ensure_ascii=False) + "\n"

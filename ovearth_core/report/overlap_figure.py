"""The overlap of the taxonomy with other datasets as a figure: both directions."""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..errors import MissingPackageError, UsageError

FORMATS = (".png", ".svg", ".pdf")
# Okabe and Ito's colours, which colour-blind people tell apart.
_COLOURS = {
    "exact": "#0072B2",
    "broader": "#56B4E9",
    "narrower": "#009E73",
    "hierarchy": "#56B4E9",
    "unmatched": "#D55E00",
    "none": "#BBBBBB",
}
_CLASS_KINDS = ("exact", "broader", "narrower", "unmatched")
_CATEGORY_KINDS = {"exact": "exact", "hierarchy": "broader or narrower only", "none": "in none"}


def overlap_figure(document: Mapping[str, Any], path: Path) -> bytes:
    """Return the figure as the file `path` (.png, .svg or .pdf) is to hold it.

    `document` is from `overlap_document`.
    """
    if path.suffix.lower() not in FORMATS:
        mend = f"end it in {', '.join(FORMATS)}"
        raise UsageError(f"no figure of kind {path.suffix!r}", str(path), mend)
    drawn = io.BytesIO()
    _figure(document).savefig(drawn, format=path.suffix[1:].lower(), dpi=200)
    return drawn.getvalue()


def _figure(document: Mapping[str, Any]) -> Any:
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingPackageError(
            "the figure needs Matplotlib", "here", "pip install 'ovearth[report]'"
        ) from None
    figure = Figure(figsize=(9.5, 4), layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=[5, 2])
    _draw_datasets(left, document["datasets"])
    _draw_categories(right, document["categories"]["counts"])
    return figure


def _draw_datasets(axes: Any, datasets: list[Mapping[str, Any]]) -> None:
    names = [dataset["name"] for dataset in datasets]
    starts = [0.0] * len(datasets)
    for kind in _CLASS_KINDS:
        shares = [100 * d[kind] / d["countable"] for d in datasets]
        bars = axes.barh(names, shares, left=starts, color=_COLOURS[kind], label=kind)
        labels = [str(d[kind]) if d[kind] else "" for d in datasets]
        axes.bar_label(bars, labels, label_type="center", fontsize=8, color=_ink(kind))
        starts = [start + share for start, share in zip(starts, shares, strict=True)]
    axes.invert_yaxis()
    axes.set(xlim=(0, 100), xlabel="classes (%)", title="Their classes in our taxonomy")
    axes.legend(ncols=4, fontsize=8, frameon=False, loc="upper center", bbox_to_anchor=(0.5, -0.16))


def _draw_categories(axes: Any, counts: Mapping[str, int]) -> None:
    start = 0
    for kind, words in _CATEGORY_KINDS.items():
        bar = axes.bar(["categories"], [counts[kind]], bottom=start, color=_COLOURS[kind])
        axes.bar_label(
            bar, [f"{words}: {counts[kind]}"], label_type="center", fontsize=8, color=_ink(kind)
        )
        start += counts[kind]
    axes.set(title="Our categories in theirs", ylabel="categories", ylim=(0, start))
    axes.set_xticks([])


def _ink(kind: str) -> str:
    return "white" if kind == "exact" else "black"

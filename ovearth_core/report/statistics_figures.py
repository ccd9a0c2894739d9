"""Dataset statistics as figures, PNG and SVG; colours that colour-blind people tell apart."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ..errors import MissingPackageError
from .drawing import COLOURS, HATCHES, settle, without_glyphs

FORMATS = ("png", "svg")
_SIZE_INCHES = (6.0, 4.0)
_LONGEST_LABEL = 40
_LEAST_BARS = 5

Draw = Callable[[Any, Mapping[str, Any]], None]


def draw_statistics(
    document: Mapping[str, Any], kinds: Sequence[str] = FORMATS
) -> Iterator[tuple[str, bytes]]:
    """Yield file names and contents of the figures; what has no number at all has no figure.

    Raises MissingPackageError without Matplotlib.
    """
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingPackageError(
            "the figures need Matplotlib", "here", "pip install 'ovearth[report]'"
        ) from None
    for name, draw in _FIGURES.items():
        figure = Figure(figsize=_SIZE_INCHES, layout="constrained")
        axes = figure.subplots()
        draw(axes, document)
        if not axes.has_data():
            continue
        axes.spines[["top", "right"]].set_visible(False)
        with without_glyphs():
            settle(figure)
        for kind in kinds:
            drawn = io.BytesIO()
            # Without the date and with names of its own the same numbers give the same file.
            metadata = {"Date": None} if kind == "svg" else {}
            with rc_context({"svg.hashsalt": name}), without_glyphs():
                figure.savefig(drawn, format=kind, dpi=200, metadata=metadata)
            yield f"{name}.{kind}", drawn.getvalue()


def _spread(axes: Any, spread: Mapping[str, Any], colour: str, label: str, hatch: str = "") -> None:
    if spread["histogram"] is None:
        return
    edges, counts = spread["histogram"]["edges"], spread["histogram"]["counts"]
    axes.stairs(counts, edges, fill=True, color=colour, alpha=0.6, label=label, hatch=hatch)
    axes.stairs(counts, edges, color=colour, linewidth=1.0)


def _histogram(key: str, title: str, label: str, of: str, **scales: str) -> Draw:
    def draw(axes: Any, document: Mapping[str, Any]) -> None:
        _spread(axes, document["distributions"][key], COLOURS[0], title)
        axes.set(title=title, xlabel=label, ylabel=of, **scales)

    return draw


def _image_sizes(axes: Any, document: Mapping[str, Any]) -> None:
    for place, (key, label) in enumerate((("image_width", "width"), ("image_height", "height"))):
        _spread(axes, document["distributions"][key], COLOURS[place], label, HATCHES[place])
    axes.set(title="Image sizes", xlabel="pixels", ylabel="images")
    _legend(axes)


def _words(axes: Any, document: Mapping[str, Any]) -> None:
    for place, (task, spread) in enumerate(document["distributions"]["words_per_text"].items()):
        _spread(axes, spread, COLOURS[place], task, HATCHES[place])
    axes.set(title="Words per text", xlabel="words", ylabel="queries")
    _legend(axes)


def _legend(axes: Any) -> None:
    if axes.has_data():
        axes.legend(frameon=False)


def _bars(find: Callable[[Mapping[str, Any]], Mapping[str, int]], title: str, of: str) -> Draw:
    def draw(axes: Any, document: Mapping[str, Any]) -> None:
        counts = find(document)
        if not counts:
            return
        names = [_shortened(name) for name in counts]
        places = range(len(names))
        bars = axes.barh(places, list(counts.values()), color=COLOURS[0])
        axes.set_yticks(places, names)
        axes.bar_label(bars, padding=2)
        # Few bars stay bars.
        axes.set(title=title, xlabel=of, ylim=(max(len(names), _LEAST_BARS) - 0.5, -0.5))

    return draw


def _shortened(name: str) -> str:
    # A dollar sign would start a formula.
    plain = name.replace("$", r"\$")
    return plain if len(plain) <= _LONGEST_LABEL else plain[: _LONGEST_LABEL - 1] + "…"


def _of(key: str) -> Callable[[Mapping[str, Any]], Mapping[str, int]]:
    return lambda document: document["distributions"][key]


_FIGURES: dict[str, Draw] = {
    "image-sizes": _image_sizes,
    "gsd": _histogram("gsd_m", "Ground sampling distance", "metres per pixel", "images"),
    "boxes-per-target": _histogram(
        "boxes_per_target", "Boxes per target", "boxes", "targets", yscale="symlog"
    ),
    "box-area-share": _histogram(
        "box_area_share", "Box area", "share of the image area", "boxes", xscale="log"
    ),
    "words-per-text": _words,
    "obb-angles": _histogram(
        "obb_angle_deg", "Oriented boxes' angles", "degrees from +x towards +y", "boxes"
    ),
    "continents": _bars(_of("continents"), "Images by continent", "images"),
    "categories-by-domain": _bars(
        _of("categories_by_domain"), "Categories by domain", "categories"
    ),
    "targets-by-tasks": _bars(
        lambda document: document["targets_by_tasks"], "Targets by tasks", "targets"
    ),
}

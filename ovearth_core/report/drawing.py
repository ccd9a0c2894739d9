"""What all figures share: colours that colour-blind people tell apart, sizes, and file formats."""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ..errors import MissingPackageError, UsageError, one_line
from ..spelling import nearest

# Okabe and Ito's, in an order in which neighbours differ in lightness too, for print in grey.
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#000000")
HATCHES = ("", "//", "..", "xx", "\\\\", "oo", "--")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
GREY = "#999999"

_FORMATS = ("png", "svg", "pdf")
_DPI = 200
_LONGEST_LABEL = 32
_PLACES = 5
_LEGEND_INCHES, LEGEND_ROW_INCHES = 0.35, 0.18
# Of a page: readable in print without being enlarged.
_STYLE: Any = {
    "font.size": 9.0, "axes.titlesize": 10.0, "legend.fontsize": 8.0, "axes.axisbelow": True,
    "axes.grid": True, "grid.color": "#E5E5E5", "grid.linewidth": 0.6,
    "axes.spines.top": False, "axes.spines.right": False, "svg.fonttype": "none",
}  # fmt: skip

# Asked one after another for letters that Matplotlib's own font lacks, such as Chinese ones.
_MORE_FONTS = (
    "Noto Sans CJK SC", "Noto Sans CJK JP", "Noto Sans SC", "Source Han Sans SC",
    "WenQuanYi Zen Hei", "Microsoft YaHei", "PingFang SC", "Hiragino Sans GB", "Arial Unicode MS",
    "Droid Sans Fallback",
)  # fmt: skip

# Puts its axes into an empty figure.
Draw = Callable[[Any], None]


def figure_format(name: str) -> str:
    """Return the format of a file by its name's ending; UsageError for one that is none."""
    ending = name.lower().rpartition(".")[2]
    if ending not in _FORMATS:
        endings = [f".{known}" for known in _FORMATS]
        raise UsageError(f"no figure of kind '.{ending}'", name, nearest(f".{ending}", endings))
    return ending


def figure_bytes(draw: Draw, kind: str, name: str, size: tuple[float, float]) -> bytes:
    """Return a figure as a file of a `kind` of png, svg or pdf. size: width, height in inches.

    name: keeps the ids of several SVGs on one page apart. The same numbers give the same bytes.
    Raises MissingPackageError without Matplotlib.
    """
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingPackageError(
            "figures need Matplotlib", "here", "pip install 'ovearth[report]'"
        ) from None
    drawn = io.BytesIO()
    dates = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
    fonts = ["DejaVu Sans", *_fonts_here()]
    with rc_context({**_STYLE, "svg.hashsalt": name, "font.family": fonts}), without_glyphs():
        figure = Figure(figsize=size, dpi=_DPI if kind == "png" else None, layout="constrained")
        draw(figure)
        settle(figure)
        figure.savefig(drawn, format=kind, dpi=_DPI, metadata=dates.get(kind, {}))
    return drawn.getvalue()


def settle(figure: Any) -> None:
    """Lay out the panels once for all, in places without the last bits of the solver.

    Those change from one call to the next, and with them every name in an SVG.
    """
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    for axes in figure.axes:
        place = axes.get_position()
        axes.set_position([round(each, _PLACES) for each in place.bounds])


def _fonts_here() -> list[str]:
    from matplotlib.font_manager import fontManager

    known = {font.name for font in fontManager.ttflist}
    return [font for font in _MORE_FONTS if font in known]


@contextmanager
def without_glyphs() -> Iterator[None]:
    """Keep quiet about letters that no font here has: a box stands for each."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=r"(?s)Glyph \d+ .*missing from")
        yield


def label(text: str, longest: int = _LONGEST_LABEL) -> str:
    """Return a text for a figure: on one line, shortened, no formula."""
    plain = one_line(text)
    shown = plain if len(plain) <= longest else plain[: longest - 1] + "…"
    return shown.replace("$", r"\$")


def nothing_to_draw(figure: Any, why: str) -> None:
    """Say in a figure why there is nothing in it."""
    axes = figure.subplots()
    axes.set_axis_off()
    axes.text(0.5, 0.5, label(why, 200), ha="center", va="center", wrap=True)


def panels(figure: Any, count: int, rows: int = 1, **options: Any) -> list[Any]:
    """Return `count` axes side by side."""
    return list(figure.subplots(rows, count, squeeze=False, **options).ravel())


def legend_below(figure: Any, rows: int = 1, **options: Any) -> None:
    """Put a legend of some rows below all panels. options: those of Matplotlib's legend."""
    try:
        figure.legend(loc="outside lower center", **options)
    except ValueError:  # Matplotlib 3.6, of Debian 12, has no such place: make room for it
        inches = _LEGEND_INCHES + (rows - 1) * LEGEND_ROW_INCHES
        share = min(0.5, inches / figure.get_figheight())
        figure.get_layout_engine().set(rect=(0, share, 1, 1 - share))
        figure.legend(loc="lower center", **options)

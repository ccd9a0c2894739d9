"""PaliGemma: `<loc0512><loc0256><loc0768><loc0512> tank ; …`, y first, bins of 1024.

Sixteen codes of a mask (`<seg012>`) need the weights of the model's own VQ-VAE decoder, which are
not ours to ship: they are left out and counted, and the box before them is kept.

Source: the parser of the model's demonstration (bin / 1024 of height or width), as supervision's
from_paligemma has it; big_vision's evaluators/proj/paligemma/transfers/segmentation.py for the
order y0, x0, y1, x1 and the range 0 to 1023.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .grid import Grid
from .items import BOX, LEFT_OUT, Item, broken, label_of
from .location_tokens import cut_token, fours, runs_of
from .text import text_dialect

_LOC = re.compile(r"<loc(\d{1,9})>", re.ASCII)
_CODE = re.compile(r"<seg\d{1,9}>", re.ASCII)
_CODES = "masks as <seg> codes, which only the model's own VQ-VAE decodes: their boxes are kept"


def scan(text: str) -> Iterator[Item]:
    """Yield what an answer holds; see `Scan`."""
    last = 0
    for run in runs_of(text, _LOC):
        codes = _CODE.search(run.after)
        label = label_of(_CODE.sub("", run.after).partition(";")[0])
        last = run.at
        for numbers in fours(run.numbers):
            yield Item(BOX, run.at, numbers, label)
            if codes is not None:
                yield Item(LEFT_OUT, run.at, what=_CODES)
        left = len(run.numbers) % 4
        if left and not (run.ends or cut_token(run.after, "<loc")):
            yield broken(f"{len(run.numbers)} location tokens where a box has four", run.at)
        elif left:
            yield broken(f"cut off inside a box: {left} of its 4 location tokens", run.at)
            return
    if cut_token(text, "<loc"):
        yield broken("cut off inside a location token", last)


DIALECTS = (
    text_dialect(
        "paligemma",
        ("PaliGemma", "PaliGemma 2"),
        scan,
        Grid(highest=1023, per=1024, y_first=True),
        "four tokens <loc0000> to <loc1023> a box, y0, x0, y1, x1, bin / 1024 of height or width,"
        " and the label behind them; masks as <seg000> to <seg127> codes are not decoded, which"
        " needs the model's VQ-VAE: they are left out and counted, and their boxes kept",
        "https://github.com/google-research/big_vision"
        " big_vision/evaluators/proj/paligemma/transfers/segmentation.py at"
        " 5f95305cdb93f8da81fb21178a5024cff5ad4f96 (order, range); bin / 1024 as in the model's"
        " demonstration and in supervision 0.31.2 from_paligemma",
    ),
)

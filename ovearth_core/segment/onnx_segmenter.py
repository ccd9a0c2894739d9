"""SAM and SAM 2 as an encoder and a decoder in ONNX."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .decoder import Decoder
from .embeddings import MOST_KEPT, Kept, content_key
from .encoder import Encoder
from .fit import Fit
from .onnx_file import OnnxFile
from .prompt import Prompt
from .segmenter import Masks, Pixels, Scores, checked_pixels, no_image

# What SAM itself gives: one mask for clear prompts, then three for unclear ones.
_MASKS_OF_BOTH = 4


@dataclass(frozen=True)
class _Seen:
    """An image as the model sees it: embeddings by the decoder's names for them."""

    fit: Fit
    embeddings: dict[str, NDArray[Any]]


class OnnxSegmenter:
    """A `Segmenter` of two ONNX files; embeddings of the last images are kept.

    Raises InputError where the files are no such pair.
    """

    def __init__(self, encoder: OnnxFile, decoder: OnnxFile, most_kept: int = MOST_KEPT) -> None:
        self._encoder = Encoder(encoder)
        self._decoder = Decoder(decoder)
        self._sources = self._decoder.sources(encoder.outputs)
        self._frame = self._encoder.frame(self._decoder.side)
        self._kept: Kept[_Seen] = Kept(most_kept)
        self._seen: _Seen | None = None
        self.name = pair_name(encoder.path, decoder.path)

    @property
    def family(self) -> str:
        """SAM or SAM 2, as the decoder's inputs tell."""
        return "SAM 2" if self._decoder.is_sam2 else "SAM"

    def set_image(self, pixels: Pixels) -> None:
        """Take the image (H, W, 3); one seen before costs nothing."""
        pixels = checked_pixels(pixels)
        key = content_key(pixels)
        seen = self._kept.get(key)
        if seen is None:
            size = (pixels.shape[0], pixels.shape[1])
            fit = (Fit.stretched if self._decoder.is_sam2 else Fit.padded)(size, self._frame)
            outputs = self._encoder.encode(pixels, fit)
            seen = _Seen(fit, {name: outputs[source] for name, source in self._sources.items()})
            self._kept.put(key, seen)
        self._seen = seen

    def predict(
        self, points: ArrayLike, labels: ArrayLike, box: ArrayLike | None = None
    ) -> tuple[Masks, Scores]:
        """Return masks (K, H, W) and scores (K,), the best first; see `Segmenter`."""
        prompt = Prompt.checked(points, labels, box)
        if self._seen is None:
            raise no_image()
        masks, scores = self._decoder.decode(self._seen.embeddings, prompt, self._seen.fit)
        if len(masks) == _MASKS_OF_BOTH:
            meant = slice(1, None) if prompt.is_ambiguous else slice(0, 1)
            masks, scores = masks[meant], scores[meant]
        order = np.argsort(-scores, kind="stable")
        return masks[order], scores[order]


def pair_name(encoder: Path, decoder: Path) -> str:
    """Return what both files' names begin with, else the name of the folder."""
    stem = encoder.name.removesuffix(".onnx")
    shared = 0
    while shared < min(len(stem), len(decoder.name)) and stem[shared] == decoder.name[shared]:
        shared += 1
    common = stem[:shared].rstrip("._- ")
    return common or encoder.resolve().parent.name or stem

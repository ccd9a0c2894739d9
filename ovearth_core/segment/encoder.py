"""The image encoder of a SAM or SAM 2 export: how it wants its pixels."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from .fit import Fit
from .guidance import HOW_TO_GET
from .onnx_file import OnnxFile, Tensor, listed
from .resizing import resized

# Of ImageNet, red, green and blue, on a scale of 0 to 1: what SAM and SAM 2 were trained with.
_MEAN = (0.485, 0.456, 0.406)
_STD = (0.229, 0.224, 0.225)
_WHITE = 255.0
USUAL_SIDE = 1024
_CONFIG = "preprocessor_config.json"
_LARGEST_CONFIG = 1 << 20

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Colours:
    """(pixel * scale - mean) / std, done before the model (`is_outside`) or by the model itself."""

    is_outside: bool
    mean: Floats
    std: Floats
    scale: float = 1.0 / _WHITE

    @property
    def padding(self) -> Floats:
        """The colour (3,), 0 to 255, that becomes zero: SAM pads with zeros."""
        padding: Floats = self.mean / np.float32(self.scale)
        return padding

    def taken(self, pixels: Floats) -> Floats:
        """Return pixels (H, W, 3), 0 to 255, as the model takes them."""
        if not self.is_outside:
            return pixels
        taken: Floats = (pixels * np.float32(self.scale) - self.mean) / self.std
        return taken


class Encoder:
    """Makes embeddings of images. Raises InputError where the file is no encoder.

    Read from the model: whether bands come last (0 to 255 then, and the model normalises) or first
    (normalised here), and the size. A preprocessor_config.json beside it, or in the folder above,
    wins over the usual mean and standard deviation.
    """

    def __init__(self, file: OnnxFile) -> None:
        self.file = file
        self._input = _image_input(file)
        self._bands_last = _is_three(self._input.shape[-1])
        config = _config(file.path)
        raw = self._bands_last or self._input.dtype == np.uint8
        self._colours = _colours(config, is_outside=not raw)
        self._given_frame = _frame(self._input, self._bands_last)

    def frame(self, other_side: int | None) -> tuple[int, int]:
        """Return height and width that the model sees; other_side: where it doesn't say."""
        side = other_side or USUAL_SIDE
        return self._given_frame or (side, side)

    def encode(self, pixels: NDArray[np.uint8], fit: Fit) -> dict[str, NDArray[Any]]:
        """Return the embeddings by name of an image (H, W, 3), laid as `fit` says."""
        inner = resized(pixels, fit.inner_height, fit.inner_width)
        # Without a size of its own, a model that takes bands last pads by itself.
        whole = inner if self._pads_itself else self._padded(inner, fit)
        tensor = self._colours.taken(whole)
        if not self._bands_last:
            tensor = np.moveaxis(tensor, 2, 0)
        if self._input.rank == 4:
            tensor = tensor[None]
        if np.issubdtype(self._input.dtype, np.integer):
            tensor = np.rint(tensor)
        wanted = np.ascontiguousarray(tensor, dtype=self._input.dtype)
        return self.file.run({self._input.name: wanted})

    @property
    def _pads_itself(self) -> bool:
        return self._given_frame is None and self._bands_last

    def _padded(self, inner: Floats, fit: Fit) -> Floats:
        if inner.shape[:2] == (fit.frame_height, fit.frame_width):
            return inner
        whole = np.empty((fit.frame_height, fit.frame_width, 3), np.float32)
        whole[:] = self._colours.padding
        whole[: inner.shape[0], : inner.shape[1]] = inner
        return whole


def is_encoder(file: OnnxFile) -> bool:
    """Whether a model takes an image and nothing else."""
    return _only_image(file) is not None


def _image_input(file: OnnxFile) -> Tensor:
    found = _only_image(file)
    if found is None:
        raise InputError(
            f"not a SAM encoder: has inputs {listed(file.inputs)}, not one image",
            str(file.path),
            HOW_TO_GET,
        )
    return found


def _only_image(file: OnnxFile) -> Tensor | None:
    if len(file.inputs) != 1:
        return None
    (only,) = file.inputs.values()
    bands = {3: only.shape[-1:], 4: (only.shape[1], only.shape[-1]) if only.rank == 4 else ()}
    return only if any(map(_is_three, bands.get(only.rank, ()))) else None


def _is_three(size: int | None) -> bool:
    return size == 3


def _frame(tensor: Tensor, bands_last: bool) -> tuple[int, int] | None:
    height, width = tensor.shape[-3:-1] if bands_last else tensor.shape[-2:]
    return None if height is None or width is None else (height, width)


def _colours(config: Mapping[str, Any], is_outside: bool) -> Colours:
    mean, std = (
        np.array(config.get(key, usual), np.float32)
        for key, usual in (("image_mean", _MEAN), ("image_std", _STD))
    )
    scale = float(config.get("rescale_factor", 1.0 / _WHITE))
    return Colours(is_outside, mean, std, scale)


def _config(model: Path) -> Mapping[str, Any]:
    """Return what a preprocessor_config.json says of an image's colours."""
    for folder in (model.parent, model.parent.parent):
        path = folder / _CONFIG
        if path.is_file():
            return _read_config(path)
    return {}


def _read_config(path: Path) -> Mapping[str, Any]:
    mend = "mend it, or take it away"
    try:
        if path.stat().st_size > _LARGEST_CONFIG:
            raise InputError("too large for what it should be", str(path), mend)
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as fault:
        if isinstance(fault, InputError):
            raise
        raise InputError("not JSON", str(path), mend) from None
    config = found if isinstance(found, dict) else {}
    for key in ("image_mean", "image_std"):
        if key in config and not _are_colours(
            config[key], above=0.0 if key == "image_std" else -1.0
        ):
            raise InputError(f"{key!r} is not three numbers", str(path), mend)
    if "rescale_factor" in config and not _are_colours([config["rescale_factor"]] * 3, above=0.0):
        raise InputError("'rescale_factor' is no number above 0", str(path), mend)
    return config


def _are_colours(value: Any, above: float) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 3
        and all(type(item) in (int, float) and above < item < 1e6 for item in value)
    )

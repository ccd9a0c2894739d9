"""One ONNX file, run by onnxruntime: what it takes and gives, and errors that say what it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, MissingPackageError
from .guidance import HOW_TO_GET

_TYPES = {
    "tensor(float)": np.float32,
    "tensor(float16)": np.float16,
    "tensor(double)": np.float64,
    "tensor(uint8)": np.uint8,
    "tensor(int32)": np.int32,
    "tensor(int64)": np.int64,
    "tensor(bool)": np.bool_,
}
# What people name instead, by its first bytes.
_OTHERS = (
    (b"PK\x03\x04", "a PyTorch checkpoint or another archive", "export it to ONNX"),
    (b"\x80\x02", "a PyTorch checkpoint", "export it to ONNX"),
    (b"\x89HDF", "an HDF5 file", "export the model to ONNX"),
    (b"version https://git-lfs", "a pointer of Git LFS, not the file itself", "run git lfs pull"),
    (b"<", "a web page", "download the file itself"),
    (b"{", "JSON", "name the .onnx file"),
)
_SILENT = 4
# How onnxruntime's versions say that weights are looked for in another file.
_WEIGHTS_APART = ("External data", "external data", "GetFileLength")


@dataclass(frozen=True)
class Tensor:
    """An input or output: its name, NumPy type, and sizes, None where any will do."""

    name: str
    dtype: Any
    shape: tuple[int | None, ...]

    @property
    def rank(self) -> int:
        """How many axes it has."""
        return len(self.shape)


class OnnxFile:
    """A model loaded. Raises InputError where the file is none, MissingPackageError."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._session = _session(path)
        self.inputs = {item.name: _tensor(path, item) for item in self._session.get_inputs()}
        self.outputs = {item.name: _tensor(path, item) for item in self._session.get_outputs()}

    def run(self, feed: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
        """Return all outputs by name; InputError where the model fails on what it said it takes."""
        try:
            found = self._session.run(list(self.outputs), dict(feed))
        except Exception as fault:
            shapes = ", ".join(f"{name} {list(array.shape)}" for name, array in feed.items())
            raise InputError(
                f"the model fails on {shapes} ({_first_line(fault)})", str(self.path), HOW_TO_GET
            ) from None
        return dict(zip(self.outputs, found, strict=True))


def listed(tensors: Mapping[str, Tensor]) -> str:
    """Return the names of tensors, for a message."""
    return ", ".join(sorted(tensors)) or "none"


def _session(path: Path) -> Any:
    try:
        import onnxruntime
    except ImportError:
        raise MissingPackageError(
            "click-to-mask with a model file needs onnxruntime",
            "in this Python",
            "pip install onnxruntime, or name a server's address instead",
        ) from None
    _look_at(path)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = _SILENT
    try:
        return onnxruntime.InferenceSession(
            str(path), options, providers=onnxruntime.get_available_providers()
        )
    except Exception as fault:
        said = _first_line(fault)
        if any(words in said for words in _WEIGHTS_APART):
            what = f"the model's weights are in a file beside it that is missing or wrong ({said})"
            raise InputError(what, str(path), "put all its files into one folder") from None
        raise InputError(f"not an ONNX model ({said})", str(path), HOW_TO_GET) from None


def _look_at(path: Path) -> None:
    try:
        with path.open("rb") as file:
            head = file.read(64)
    except OSError as fault:
        raise InputError(
            f"no model can be read there ({fault.strerror or fault})", str(path), HOW_TO_GET
        ) from None
    if not head:
        raise InputError("not an ONNX model: the file is empty", str(path), HOW_TO_GET)
    for start, kind, mend in _OTHERS:
        if head.startswith(start):
            raise InputError(f"not an ONNX model: it is {kind}", str(path), mend)


def _tensor(path: Path, item: Any) -> Tensor:
    dtype = _TYPES.get(item.type)
    if dtype is None:
        raise InputError(f"not a SAM model: {item.name} is a {item.type}", str(path), HOW_TO_GET)
    shape = tuple(size if isinstance(size, int) and size > 0 else None for size in item.shape)
    return Tensor(item.name, dtype, shape)


def _first_line(fault: Exception) -> str:
    line = str(fault).strip().partition("\n")[0]
    return line if len(line) <= 200 else f"{line[:200]}…"

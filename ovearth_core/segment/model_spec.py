"""Opens a model by what a person writes: two ONNX files, a folder with them, or an address."""

from __future__ import annotations

from pathlib import Path

from ..errors import InputError, UsageError
from .decoder import is_decoder
from .encoder import is_encoder
from .guidance import HOW_TO_GET
from .onnx_file import OnnxFile, listed
from .onnx_segmenter import OnnxSegmenter, pair_name
from .segmenter import Segmenter

_ADDRESSES = ("http://", "https://")
_ENDING = ".onnx"
_HOW_TO_NAME = f"write encoder.onnx,decoder.onnx; {HOW_TO_GET}"
# An export's main files, where others beside them are the same in fewer bits.
_MAIN = (
    ("vision_encoder", "prompt_encoder_mask_decoder"),
    ("encoder", "decoder"),
    ("image_encoder", "image_decoder"),
    ("image_encoder", "mask_decoder"),
)


def open_model(spec: str) -> Segmenter:
    """Open a model.

    spec: `encoder.onnx,decoder.onnx` (in any order), a folder with such a pair, or the http(s)
    address of a server that speaks the protocol of docs/click-to-mask.md. Raises UsageError where
    it names no two files, InputError where they are something else, MissingPackageError without
    onnxruntime (or httpx).
    """
    if spec.lower().startswith(_ADDRESSES):
        from .server_segmenter import ServerSegmenter

        return ServerSegmenter(spec)
    return _opened(_pair(spec))


def tried_model(spec: str) -> Segmenter:
    """Open a model as `open_model`; of a server, ask too: an address doesn't say who is there.

    Raises ServiceError where the server doesn't answer, or not as one of masks does.
    """
    model = open_model(spec)
    if spec.lower().startswith(_ADDRESSES):
        from .server_segmenter import try_server

        try_server(spec)
    return model


def model_identity(spec: str) -> str:
    """Return what tells one model from another without opening it: address, or files and sizes."""
    if spec.lower().startswith(_ADDRESSES):
        from .server_segmenter import checked_address

        return checked_address(spec)
    stats = [(path, path.stat()) for path in _pair(spec)]
    return ";".join(f"{path.name}:{stat.st_size}:{stat.st_mtime_ns}" for path, stat in stats)


def model_name(spec: str) -> str:
    """Return the name of a model without opening it; raises as `open_model` does for its files."""
    if spec.lower().startswith(_ADDRESSES):
        return model_identity(spec)
    return pair_name(*_pair(spec))


def _pair(spec: str) -> tuple[Path, Path]:
    if not spec.strip():
        raise UsageError("no model is named", "--masks-from-boxes", _HOW_TO_NAME)
    whole = Path(spec).expanduser()
    if whole.is_dir():
        return _pair_in(whole)
    parts = [Path(part.strip()).expanduser() for part in spec.split(",")]
    if len(parts) != 2:
        is_there = len(parts) == 1 and whole.exists()
        what = "one file, but a model is two" if is_there else "no such model"
        raise UsageError(what, spec, _HOW_TO_NAME)
    for part in parts:
        if not part.is_file():
            raise InputError("no such model file", str(part), HOW_TO_GET)
    return parts[0], parts[1]


def _pair_in(folder: Path) -> tuple[Path, Path]:
    """Return the two models of a folder, or of its folder `onnx`."""
    for place in (folder, folder / "onnx"):
        files = sorted(place.glob(f"*{_ENDING}")) if place.is_dir() else []
        if len(files) == 2:
            return files[0], files[1]
        for encoder, decoder in _MAIN:
            pair = (place / f"{encoder}{_ENDING}", place / f"{decoder}{_ENDING}")
            if all(path.is_file() for path in pair):
                return pair
        if len(files) == 1:
            raise UsageError("only one ONNX file, but a model is two", str(files[0]), _HOW_TO_NAME)
        if files:
            names = ", ".join(path.name for path in files[:8])
            raise UsageError(f"several models ({names})", str(place), _HOW_TO_NAME)
    raise UsageError("no ONNX file in the folder", str(folder), HOW_TO_GET)


def _opened(pair: tuple[Path, Path]) -> OnnxSegmenter:
    first, second = (OnnxFile(path) for path in pair)
    if is_decoder(first) and is_encoder(second):
        first, second = second, first
    if is_decoder(first) and is_decoder(second):
        what = (
            f"two SAM decoders, no encoder: {second.path.name} has inputs {listed(second.inputs)}"
        )
        raise InputError(what, str(first.path), _HOW_TO_NAME)
    return OnnxSegmenter(first, second)

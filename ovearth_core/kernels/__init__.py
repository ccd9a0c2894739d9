"""Compiled bodies of the inner loops, where Numba and orjson are installed (`ovearth[fast]`).

Each has a NumPy body of the same signature in the room that uses it, and both are tested against
each other. Two environment variables:

- OVEARTH_KERNELS forces one: `numpy`, or `compiled`, which is an error without Numba; `auto`, the
  default, takes what is there. `numpy` keeps orjson out too;
- OVEARTH_THREADS: how many threads large batches of compiled work are spread over; 1 is none.
  Without it, as many as there are processors to run on. Results don't depend on it.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import MissingPackageError, UsageError
from ..spelling import nearest

SWITCH = "OVEARTH_KERNELS"
CHOICES = ("auto", "numpy", "compiled")

# The kernels of each module: it is imported, and Numba with it, when one of them is asked for.
_KERNELS = {
    "boxes": ("box_overlaps", "envelopes"),
    "edges": ("row_edges",),
    "hulls": ("local_hulls",),
    "matching": ("matching_sizes",),
    "polygons": ("may_cross", "pair_iou"),
    "rectangles": ("hull_sides", "side_areas", "smallest_sides", "extents", "set_corners"),
    "resampling": ("resample_rows",),
    "rle": ("rle_areas", "rle_bounds"),
    "runs": ("merged_bounds", "shared_bounds", "shared_length", "unpaired"),
    "scan": ("covered_bounds",),
}
_HOMES = {name: module for module, names in _KERNELS.items() for name in names}


def compiled_body(name: str) -> Callable[..., Any] | None:
    """Return the compiled body of a kernel, or None where the NumPy one is to be used.

    Raises UsageError for an unknown choice, MissingPackageError where Numba is forced and lacks.
    """
    module = _module(_choice(), _HOMES[name])
    return None if module is None else getattr(module, name)


def _choice() -> str:
    choice = os.environ.get(SWITCH) or CHOICES[0]
    if choice not in CHOICES:
        raise UsageError(f"{SWITCH} is {choice!r}", "in the environment", nearest(choice, CHOICES))
    return choice


def are_compiled() -> bool:
    """Whether compiled bodies are there to be used, found out without importing them."""
    return _choice() != "numpy" and find_spec("numba") is not None


def quick_json() -> Callable[[bytes], Any] | None:
    """Return orjson's reader, or None where it isn't installed or `numpy` is forced."""
    return _orjson_loads(_choice())


@cache
def _orjson_loads(choice: str) -> Callable[[bytes], Any] | None:
    if choice == "numpy":
        return None
    try:
        loads: Callable[[bytes], Any] = import_module("orjson").loads
    except ImportError:
        return None
    return loads


def same_kind(array: NDArray[Any]) -> NDArray[Any]:
    """Return a contiguous, read-only view (a copy if need be): a kernel is compiled for one kind.

    Otherwise each mix of writable, read-only and strided arguments is compiled anew.
    """
    view = np.ascontiguousarray(array).view()
    view.setflags(write=False)
    return view


@cache
def _module(choice: str, name: str) -> ModuleType | None:
    if choice == "numpy":
        return None
    try:
        return import_module(f".{name}", __name__)
    except ImportError:
        if choice == "compiled":
            raise MissingPackageError(
                f"{SWITCH} asks for compiled kernels, and Numba is not installed",
                "in the environment",
                "pip install 'ovearth[fast]'",
            ) from None
        return None

"""Compiled bodies of the inner loops, where Numba and orjson are installed (`ovearth[fast]`).

Each has a NumPy body of the same signature in the room that uses it, and both are tested against
each other. The environment variable OVEARTH_KERNELS forces one: `numpy`, or `compiled`, which is
an error without Numba; `auto`, the default, takes what is there. `numpy` keeps orjson out too.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache, lru_cache
from importlib import import_module
from types import ModuleType
from typing import Any

from ..errors import MissingPackageError, UsageError
from ..spelling import nearest

SWITCH = "OVEARTH_KERNELS"
CHOICES = ("auto", "numpy", "compiled")
_HOME = {"rle_areas": "masks", "matching_sizes": "matching"}


def compiled_body(name: str) -> Callable[..., Any] | None:
    """Return the compiled body of a kernel, or None where the NumPy one is to be used.

    Raises UsageError for an unknown choice, MissingPackageError where Numba is forced and lacks.
    """
    module = _module(os.environ.get(SWITCH, CHOICES[0]), _HOME.get(name, "bodies"))
    return None if module is None else getattr(module, name)


def quick_json() -> Callable[[bytes], Any] | None:
    """Return orjson's reader, or None where it isn't installed or `numpy` is forced."""
    return _orjson_loads(os.environ.get(SWITCH, CHOICES[0]))


@lru_cache(maxsize=len(CHOICES))
def _orjson_loads(choice: str) -> Callable[[bytes], Any] | None:
    if choice == "numpy":
        return None
    try:
        loads: Callable[[bytes], Any] = import_module("orjson").loads
    except ImportError:
        return None
    return loads


@cache
def _module(choice: str, home: str) -> ModuleType | None:
    if choice not in CHOICES:
        raise UsageError(f"{SWITCH} is {choice!r}", "in the environment", nearest(choice, CHOICES))
    if choice == "numpy":
        return None
    try:
        return import_module(f".{home}", __name__)
    except ImportError:
        if choice == "compiled":
            raise MissingPackageError(
                f"{SWITCH} asks for compiled kernels, and Numba is not installed",
                "in the environment",
                "pip install 'ovearth[fast]'",
            ) from None
        return None

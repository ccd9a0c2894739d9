"""How the bodies are compiled: no reordered sums and no fused operations, so the bits are NumPy's.

They release the interpreter lock, and are kept on disk: beside the code, else in the user's cache
folder, or where NUMBA_CACHE_DIR says. Numba notices a change of the file that a kernel is in, but
not of one that it imports: a kernel's helpers lie in its own file.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import njit


def kernel(function: Callable[..., Any]) -> Any:
    """Return the function compiled, when it is first called."""
    try:
        return njit(cache=True, nogil=True, error_model="numpy")(function)
    except RuntimeError:  # none of these folders can be written to: each process compiles anew
        return njit(nogil=True, error_model="numpy")(function)


def inlined(function: Callable[..., Any]) -> Any:
    """Return the function to be written out wherever a kernel calls it.

    For what is called once a number: handing arrays over counts references, which costs more.
    """
    return njit(inline="always")(function)

"""How the bodies are compiled: no reordered sums and no fused operations, so the bits are NumPy's.

They release the interpreter lock and are kept on disk between runs. Numba notices a change of the
file that a kernel is in, but not of one that it imports: a kernel's helpers lie in its own file.
"""

from __future__ import annotations

from typing import Any

from numba import njit

kernel: Any = njit(cache=True, nogil=True, error_model="numpy")

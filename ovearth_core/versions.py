"""The versions that a number may depend on."""

from __future__ import annotations

import platform

from .version import VERSION


def versions() -> dict[str, str]:
    """Return the versions that a number may depend on."""
    import numpy as np
    import pyproj

    return {
        "ovearth": VERSION,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "pyproj": pyproj.__version__,
        "proj": pyproj.proj_version_str,
    }

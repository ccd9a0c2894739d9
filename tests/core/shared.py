"""Where the real data for tests lies, and what to do without it."""

import os
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("OVEARTH_SHARED", CHECKOUT.parent / "shared"))
DATA = SHARED / "data"
KNOWN_VALUES = SHARED / "vectors" / "known-values.json"

needs_shared = pytest.mark.skipif(
    not KNOWN_VALUES.exists(), reason=f"the real data is not at {SHARED} (set OVEARTH_SHARED)"
)

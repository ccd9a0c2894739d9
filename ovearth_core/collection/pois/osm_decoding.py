"""How osmium decodes OpenStreetMap files: with every processor there is."""

from __future__ import annotations

import os
from typing import Any


def decoders() -> dict[str, Any]:
    """Return the argument by which osmium's readers decode with every processor.

    Left alone they leave two out, so that of two processors one does all. Nothing where osmium's
    version has no such choice.
    """
    import osmium

    pool = getattr(osmium.io, "ThreadPool", None)
    return {} if pool is None else {"thread_pool": pool(os.cpu_count() or 1)}

"""Large batches of compiled work in parts, on threads: compiled bodies release the lock."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import TypeVar

from ..errors import UsageError

THREADS = "OVEARTH_THREADS"
T = TypeVar("T")

# More parts than threads: where another program holds a processor up, the others take them.
_PARTS_PER_THREAD = 2


def in_parts(work: Callable[[slice], T], count: int, least: int) -> list[T]:
    """Return what `work` gives for slices that make up range(count), in their order.

    least: items below which a part of its own doesn't pay. `work` must not call in_parts itself.
    Raises UsageError where OVEARTH_THREADS is not a positive whole number.
    """
    threads = thread_count()
    parts = min(count // least, threads * _PARTS_PER_THREAD)
    if threads == 1 or parts < 2:
        return [work(slice(0, count))]
    ends = [count * part // parts for part in range(parts + 1)]
    return list(_pool(threads).map(work, map(slice, ends[:-1], ends[1:])))


def thread_count() -> int:
    """Return how many threads to use; UsageError where OVEARTH_THREADS is not a positive number."""
    asked = os.environ.get(THREADS)
    if not asked:
        return _processors()
    if not (asked.isascii() and asked.isdigit() and int(asked)):
        raise UsageError(
            f"{THREADS} is {asked!r}", "in the environment", "give a whole number, 1 for none"
        )
    return int(asked)


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@lru_cache(maxsize=1)
def _pool(threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads, thread_name_prefix="ovearth-kernels")


if hasattr(os, "register_at_fork"):
    # A child has the pool without its threads, and would wait for them forever.
    os.register_at_fork(after_in_child=_pool.cache_clear)

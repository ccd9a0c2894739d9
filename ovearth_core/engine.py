"""Where long work runs: here, in threads, in other processes, or on a Dask cluster."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

from .errors import OVEarthError
from .kernels import compiled_body

_THREADS = 2

ItemT = TypeVar("ItemT")
ResultT = TypeVar("ResultT")


@contextmanager
def threads() -> Iterator[Executor | None]:
    """Give threads for work whose kernels release the interpreter lock; None where none do."""
    if compiled_body("rle_areas") is None:
        yield None
        return
    with ThreadPoolExecutor(_THREADS) as executor:
        yield executor


def in_order(
    executor: Executor | None,
    function: Callable[[ItemT], ResultT],
    items: Iterable[ItemT],
    at_once: int,
) -> Iterator[ResultT]:
    """Yield function(item) for each item in order, up to `at_once` of them under way.

    Without an executor all is done here. A fault of the items themselves is raised after the
    results of those before it, as if all had been done one by one.
    """
    if executor is None:
        yield from map(function, items)
        return
    waiting: deque[Future[ResultT]] = deque()
    source = iter(items)
    fault: OVEarthError | None = None
    while fault is None:
        try:
            item = next(source)
        except StopIteration:
            break
        except OVEarthError as found:
            fault = found
            break
        waiting.append(executor.submit(function, item))
        if len(waiting) >= at_once:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()
    if fault is not None:
        raise fault

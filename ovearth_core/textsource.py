"""Text files as bytes: opened by content (plain or gzip), with faults said in one line."""

from __future__ import annotations

import gzip
import hashlib
import io
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from threading import Lock, Thread
from typing import IO, cast

from .errors import InputError

_GZIP_MAGIC = b"\x1f\x8b"
_HASH_CHUNK = 1 << 20
_ONE_AT_A_TIME = Lock()


@contextmanager
def open_text_bytes(path: Path) -> Iterator[IO[bytes]]:
    """Open `path` for reading bytes, unpacked if it is gzip by content, whatever its name.

    Raises InputError when the file is missing, unreadable, a folder, or a gzip that is cut off
    or damaged; faults found while the caller reads are turned into InputError too.
    """
    try:
        if path.exists() and not path.is_file() and not path.is_dir():
            raise InputError(
                "is no regular file, and it must be read twice",
                str(path),
                "write it to a file first",
            )
        with path.open("rb") as raw:
            packed = raw.read(2) == _GZIP_MAGIC
            raw.seek(0)
            if packed:
                with gzip.GzipFile(fileobj=raw) as unpacked:
                    yield cast("IO[bytes]", io.BufferedReader(unpacked, 1 << 18))
            else:
                yield raw
    except EOFError:
        raise InputError("gzip is cut off", str(path), "copy the file again, whole") from None
    except (gzip.BadGzipFile, zlib.error) as fault:
        raise InputError(f"gzip is damaged ({fault})", str(path), "pack it again") from None
    except FileNotFoundError:
        raise InputError("no such file", str(path), "check the path") from None
    except IsADirectoryError:
        raise InputError("is a folder, not a file", str(path), "name the file in it") from None
    except OSError as fault:
        reason = fault.strerror or str(fault)
        raise InputError(f"can't be read ({reason})", str(path), "check the file") from None


def sha256_later(path: Path) -> Callable[[], str]:
    """Begin to take sha256_of(path) in the background; the function returned waits for it.

    One file after another, and never longer than the program runs.
    """
    taken: Future[str] = Future()
    Thread(target=_take_sha256, args=(path, taken), daemon=True).start()
    return taken.result


def _take_sha256(path: Path, taken: Future[str]) -> None:
    with _ONE_AT_A_TIME:
        try:
            taken.set_result(sha256_of(path))
        except InputError as fault:
            taken.set_exception(fault)


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of the file's bytes as they lie on disk, in hex."""
    digest = hashlib.sha256()
    try:
        with path.open("rb") as raw:
            while chunk := raw.read(_HASH_CHUNK):
                digest.update(chunk)
    except OSError as fault:
        reason = fault.strerror or str(fault)
        raise InputError(f"can't be read ({reason})", str(path), "check the path") from None
    return digest.hexdigest()

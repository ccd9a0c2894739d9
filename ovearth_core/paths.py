"""Paths that come out of files: they stay inside the folder of the file that names them."""

from __future__ import annotations

from pathlib import Path, PureWindowsPath

from .errors import InputError


def inside(folder: Path, relative: str) -> Path:
    """Return `relative` resolved in `folder`; InputError where it would lead out of it.

    Absolute paths, drive letters, `..` that climbs out, and links that point out are refused.
    """
    windows = PureWindowsPath(relative)
    is_plain = relative and "\0" not in relative and not windows.drive and not windows.root
    root = folder.resolve()
    try:
        path = (root / relative).resolve() if is_plain else root
        path.exists()
    except OSError as fault:
        reason = fault.strerror or str(fault)
        raise InputError(f"path {relative[:40]!r} is none ({reason})", mend="mend it") from None
    if not is_plain or (path != root and root not in path.parents) or path == root:
        raise InputError(f"path {relative!r} leaves its folder", mend=f"put the file in {folder}")
    return path

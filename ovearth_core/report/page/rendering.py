"""Renders the page by its template, every text escaped, script and style inside."""

from __future__ import annotations

import base64
import hashlib
from typing import Any

from ...errors import MissingPackageError
from ...resources import resource

_TEMPLATE, _STYLE, _SCRIPT = "page.html", "page.css", "page.js"


def rendered(**content: Any) -> str:
    """Return the page as HTML; MissingPackageError without Jinja2."""
    try:
        from jinja2 import Environment, FileSystemLoader, StrictUndefined
    except ImportError:
        raise MissingPackageError(
            "the report needs Jinja2", "here", "pip install 'ovearth[report]'"
        ) from None
    folder = resource(f"report/{_TEMPLATE}").parent
    environment = Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    style, script = ((folder / name).read_text("utf-8") for name in (_STYLE, _SCRIPT))
    # Ours, from the package: the only texts that the template doesn't escape.
    own = {"style": style, "script": script, "script_hash": _hash(script)}
    return environment.get_template(_TEMPLATE).render(**own, **content)


def _hash(script: str) -> str:
    """Return what the page's policy knows its script by: no other one runs."""
    digest = hashlib.sha256(script.encode("utf-8")).digest()
    return f"sha256-{base64.b64encode(digest).decode('ascii')}"

"""Where the help pages lie that come with the plugin."""

from __future__ import annotations

from pathlib import Path

HELP = Path(__file__).parents[1] / "resources" / "help"


def help_address(page: str) -> str:
    """Return the address of a page, by its name without an ending."""
    return (HELP / f"{page}.html").as_uri()

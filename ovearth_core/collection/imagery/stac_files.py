"""The documents of a STAC catalogue, read with the same care as pictures."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

from ...errors import InputError, MissingPackageError
from .address import Address, AddressTemplate, without_secrets
from .fetching import Politeness, fetch
from .saying import is_web_page, words
from .server_errors import BadDescriptionError, WebPageError


def careful_files(place: str, rules: Politeness) -> Any:
    """Return pystac-client's way to documents, by our own client: timed, bounded, polite.

    It has: address, shown (fit to be seen), is_online, fetch_ahead(href).
    """
    try:
        from pystac_client.stac_api_io import StacApiIO
    except ImportError:
        raise MissingPackageError(
            "a search by STAC needs pystac-client", mend="pip install 'ovearth[collect]'"
        ) from None

    class CarefulFiles(StacApiIO):  # type: ignore[misc, unused-ignore]
        """Documents over HTTP, or of this machine where the catalogue itself is."""

        def __init__(self) -> None:
            super().__init__()
            self.is_online = place.lower().startswith(("http://", "https://"))
            template = AddressTemplate(place) if self.is_online else None
            self.address = template.fill().url if template else str(Path(place).resolve())
            self.shown = template.published if template else place
            self._host = urlsplit(self.address).netloc
            # Parameters of the address go with every request to its server: there are keys in them.
            self._parameters = urlsplit(self.address).query if self.is_online else ""
            if self.is_online:
                self.address = self.address.partition("?")[0]
            self._ahead: dict[str, str] = {}

        def fetch_ahead(self, href: str) -> None:
            """Fetch a document that will be read soon."""
            if href.lower().startswith(("http://", "https://")):
                self._ahead[href] = self.request(href)

        def read_text(self, source: Any, *args: Any, **kwargs: Any) -> str:
            """Return a document; InputError, ServerError for what can't be had."""
            href = os.fspath(source) if isinstance(source, (str, os.PathLike)) else str(source)
            ahead = self._ahead.pop(href, None)
            if ahead is not None:
                return ahead
            if not href.lower().startswith(("http://", "https://")):
                return self._local(href)
            text: str = super().read_text(source, *args, **kwargs)
            return text

        def request(
            self,
            href: str,
            method: str | None = None,
            headers: dict[str, str] | None = None,
            parameters: dict[str, Any] | None = None,
        ) -> str:
            """Return what a server answers, as text."""
            is_post = (method or "GET").upper() == "POST"
            said = None if is_post or not parameters else urlencode(parameters)
            own = self._parameters if urlsplit(href).netloc == self._host else ""
            query = "&".join(filter(None, [said, own]))
            url = href + ("&" if "?" in href else "?") + query if query else href
            shown = AddressTemplate.told_by_server(url).fill().shown
            address = Address(url, without_secrets(shown), urlsplit(url).netloc)
            arrival = fetch(
                address, rules, json=parameters if is_post else None, is_empty=lambda _: False
            )
            text = arrival.body.decode("utf-8", "replace").lstrip("\ufeff")
            if is_web_page(arrival.body):
                said = without_secrets(words(arrival.body))
                raise WebPageError(f"a web page came ({said})", address.shown, "check the address")
            if not text.lstrip().startswith("{"):
                raise BadDescriptionError("no JSON came", address.shown, "check the address")
            return text

        def _local(self, href: str) -> str:
            if self.is_online:
                raise BadDescriptionError(
                    "a catalogue on a server names a file of this machine", self.shown,
                    "tell its owner",
                )  # fmt: skip
            path = Path(href.removeprefix("file://"))
            if path.stat().st_size > rules.most_bytes:
                raise InputError("the file is too large", str(path), "raise most_bytes")
            return path.read_text(encoding="utf-8")

    return CarefulFiles()

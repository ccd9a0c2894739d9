"""The documents of a STAC catalogue, read with the same care as pictures."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

from ...errors import InputError, MissingPackageError
from .address import Address, AddressTemplate, without_secrets
from .fetching import Arrival, Politeness, fetch
from .saying import is_web_page, words
from .server_errors import BadDescriptionError, RefusedError, WebPageError

_WEB = ("http://", "https://")


def careful_files(place: str, rules: Politeness) -> Any:
    """Return pystac-client's way to documents, by our own client: timed, bounded, polite.

    It has what Documents has, and pystac-client's methods.
    """
    try:
        from pystac_client.stac_api_io import StacApiIO
    except ImportError:
        raise MissingPackageError(
            "a search by STAC needs pystac-client", mend="pip install 'ovearth[collect]'"
        ) from None

    class CarefulFiles(Documents, StacApiIO):  # type: ignore[misc, unused-ignore]
        """Documents, and what pystac-client makes of them."""

        def __init__(self) -> None:
            StacApiIO.__init__(self)
            Documents.__init__(self, place, rules)

    return CarefulFiles()


class Documents:
    """Documents over HTTP, or of this machine where the catalogue itself is.

    address: of the first one. shown: the same, fit to be seen. is_online: it is on a server.
    """

    def __init__(self, place: str, rules: Politeness) -> None:
        self.is_online = _is_web(place)
        template = AddressTemplate(place) if self.is_online else None
        self.shown = template.published if template else place
        self.address = str(Path(place).resolve())
        self._rules = rules
        self._ahead: dict[str, str] = {}
        # Parameters of the address go with every request to its server: there are keys in them.
        self._host, self._parameters = "", ""
        if template is not None:
            self.address, _, self._parameters = template.fill().url.partition("?")
            self._host = urlsplit(self.address).netloc

    def fetch_ahead(self, href: str) -> None:
        """Fetch a document that will be read soon."""
        if _is_web(href):
            # What isn't there is told to whoever reads it.
            with suppress(RefusedError):
                self._ahead[href] = self.request(href)

    def read_text(self, source: Any, *args: Any, **kwargs: Any) -> str:
        """Return a document; InputError, ServerError for what can't be had."""
        href = os.fspath(source)
        ahead = self._ahead.pop(href, None)
        if ahead is not None:
            return ahead
        if not _is_web(href):
            return self._local(href)
        text: str = super().read_text(source, *args, **kwargs)  # type: ignore[misc]
        return text

    def request(
        self,
        href: str,
        method: str | None = None,
        headers: dict[str, str] | None = None,
        parameters: dict[str, Any] | None = None,
    ) -> str:
        """Return what a server answers, as text. headers: none are needed."""
        is_post = (method or "GET").upper() == "POST"
        said = "" if is_post or not parameters else urlencode(parameters)
        own = self._parameters if urlsplit(href).netloc == self._host else ""
        query = "&".join(filter(None, [said, own]))
        url = href + ("&" if "?" in href else "?") + query if query else href
        shown = without_secrets(AddressTemplate.told_by_server(url).fill().shown)
        address = Address(url, shown, urlsplit(url).netloc)
        asked = parameters if is_post else None
        return _json_text(fetch(address, self._rules, asked, is_empty=lambda _: False), shown)

    def _local(self, href: str) -> str:
        if self.is_online:
            raise BadDescriptionError(
                "a catalogue on a server names a file of this machine", self.shown, "tell its owner"
            )
        path = Path(href.removeprefix("file://"))
        if path.stat().st_size > self._rules.most_bytes:
            raise InputError("the file is too large", str(path), "raise most_bytes")
        return path.read_text(encoding="utf-8")


def _is_web(href: str) -> bool:
    return href.lower().startswith(_WEB)


def _json_text(arrival: Arrival, shown: str) -> str:
    text = arrival.body.decode("utf-8", "replace").lstrip("\ufeff")
    if is_web_page(arrival.body):
        said = without_secrets(words(arrival.body))
        raise WebPageError(f"a web page came ({said})", shown, "check the address")
    if not text.lstrip().startswith("{"):
        raise BadDescriptionError("no JSON came", shown, "check the address")
    return text

"""Addresses with keys in them: filled in from the environment, and never shown.

`${NAME}` in an address stands for the environment variable NAME. What is recorded of an address,
and what errors say, has the keys left out.
"""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

from ...errors import UsageError

_KEY = re.compile(r"\$\{(\w+)\}")
_HIDDEN = "KEY"
# Names of query parameters that hold a secret.
_SECRET_NAMES = re.compile(
    r"^(.*_)?(key|apikey|api[_-]?key|token|accesstoken|access[_-]token|sig|signature|secret"
    r"|password|passwd|pwd|auth|subscription-key|client[_-]secret|credential|x-amz-.*)$",
    re.I,
)
# What these write down at their lower levels has whole addresses in it.
_TALKATIVE = ("httpx", "httpcore.connection", "httpcore.http11", "httpcore.http2", "httpcore.proxy")
_secrets: set[str] = set()


@dataclass(frozen=True)
class Address:
    """url: as it is sent. shown: fit to be seen by anyone. host: whose limit it counts for."""

    url: str
    shown: str
    host: str


class AddressTemplate:
    """An address with places for keys, `${NAME}`, and for values, `{name}`.

    Raises UsageError for what is no address of a web server, for a key that is written out in it,
    and for one that the environment lacks.
    """

    def __init__(self, text: str) -> None:
        self._host = _host(text)
        _refuse_written_out_keys(text)
        self._text = text
        self._keys = {name: _from_environment(name, text) for name in _KEY.findall(text)}
        _secrets.update(self._keys.values())
        _silence()

    @classmethod
    def told_by_server(cls, text: str) -> AddressTemplate:
        """Return an address that a server gave: what is a key in it is hidden.

        Nothing is filled in from the environment: that is none of the server's business.
        """
        template = cls.__new__(cls)
        template._host = _host(text)
        template._text = text
        template._keys = {name: f"${{{name}}}" for name in _KEY.findall(text)}
        pairs = [pair.partition("=") for pair in urlsplit(text).query.split("&")]
        _secrets.update(v for name, _, v in pairs if v and _SECRET_NAMES.match(name))
        _silence()
        return template

    @property
    def published(self) -> str:
        """The address as it may be handed on: parameters that are keys left out."""
        return hidden(self._text)

    def fill(self, values: Mapping[str, str] | None = None) -> Address:
        """Return the address with `{name}` replaced by values; others stay as they are."""
        shown = hidden(self._filled(values, _HIDDEN))
        return Address(self._filled(values, None), shown, self._host)

    def _filled(self, values: Mapping[str, str] | None, instead: str | None) -> str:
        text = _KEY.sub(lambda m: instead or quote(self._keys[m[1]], safe=""), self._text)
        for name, value in (values or {}).items():
            text = text.replace(f"{{{name}}}", value)
        return text


def _host(text: str) -> str:
    try:
        parts = urlsplit(text)
    except ValueError:
        parts = urlsplit("")
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise UsageError("is no address of a web server", hidden(text), "give https://…")
    return parts.netloc.rpartition("@")[2]


def hidden(text: str) -> str:
    """Return an address without its keys: parameters dropped, in a path their name left out."""
    text = re.sub(r"(?<=://)[^/@?#]*@", "", text)
    head, mark, query = text.partition("?")
    kept = [pair for pair in query.split("&") if not _is_secret(pair)]
    query = "&".join(kept)
    return _KEY.sub(_HIDDEN, head) + (mark + query if query else "")


def without_secrets(text: str) -> str:
    """Return what a server says with any key that it repeats left out."""
    for secret in _secrets:
        text = text.replace(secret, _HIDDEN).replace(quote(secret, safe=""), _HIDDEN)
    return text


def _is_secret(pair: str) -> bool:
    name, _, value = pair.partition("=")
    return bool(_KEY.search(value)) or _is_written_out(name, value)


def _is_written_out(name: str, value: str) -> bool:
    """Whether a parameter's value is a key itself, neither empty nor a place to be filled in."""
    is_place = not value or re.fullmatch(r"\$?\{[^}]*\}", value) is not None
    return not is_place and _SECRET_NAMES.match(name) is not None


def _refuse_written_out_keys(text: str) -> None:
    mend = "put it into an environment variable and write ${NAME} in its place"
    if "@" in urlsplit(text).netloc:
        raise UsageError("a password is written out in the address", hidden(text), mend)
    for pair in urlsplit(text).query.split("&"):
        name, _, value = pair.partition("=")
        if not _KEY.search(value) and _is_written_out(name, value):
            raise UsageError(f"the key {name!r} is written out in it", hidden(text), mend)


def _from_environment(name: str, text: str) -> str:
    value = os.environ.get(name, "")
    if not value:
        raise UsageError(
            f"the environment variable {name} is not set", hidden(text), f"export {name}=…"
        )
    return value


class _WithoutSecrets(logging.Filter):
    """Drops what other packages would write down with a key in it."""

    def filter(self, record: logging.LogRecord) -> bool:
        text = record.getMessage()
        return without_secrets(text) == text


_FILTER = _WithoutSecrets()


def _silence() -> None:
    for name in _TALKATIVE:
        logging.getLogger(name).addFilter(_FILTER)

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
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

from ...errors import UsageError

_KEY = re.compile(r"\$\{(\w+)\}")
_HIDDEN = "KEY"
# Names of parameters that hold a secret, in addresses and in what else GDAL opens.
_HUSHED = (
    r"(?:[\w.-]*[_.-])?(?:sig|signature|secret|password|passwd|pwd|userpwd|auth|authorization"
    r"|cookie|credentials?|(?:api|access|account|secret|auth|app|user|private)?(?:key|token))"
    r"|awsaccesskeyid"
    r"|x-(?:amz|goog)-[\w-]*"
)
_HUSHED_NAMES = re.compile(_HUSHED, re.I)
_SIGNATURES = re.compile(r"(?:.*[_-])?sig(?:nature)?", re.I)
# Where there is a signature, these only say how and until when it holds: they differ each time.
_SIGNING_NAMES = re.compile(
    r"s[tepvr]|spr|ss|srt|sip|sk(?:oid|tid|t|e|s|v)|expires|policy|key-pair-id|googleaccessid", re.I
)
# A name, =, and a value, outside of an address's own query too; and the same where an address is
# itself a parameter of another.
_ANY_PAIR = re.compile(
    rf"(?<![\w.-])(?P<name>{_HUSHED})(?P<is>\s*=\s*)(?P<value>\"[^\"]*\"|'[^']*'|[^&;#\s\"'<>,/]+)",
    re.I,
)
_CODED_PAIR = re.compile(
    rf"(?<=%3f|%26)(?P<name>{_HUSHED})(?P<is>%3d)(?P<value>(?:(?!%26|%23)[^&;#\s\"'<>])+)", re.I
)
# The same in XML, which GDAL takes in place of a file.
_ELEMENT = re.compile(rf"(?<=<)(?P<name>{_HUSHED})(?P<is>>)(?P<value>[^<]+)(?=<)", re.I)
# What stands before the host: up to an @, also where a password holds a character too many.
_LOGIN = re.compile(
    r"(?<=://)(?:[^/@?#\s]*|[^/@?#\s:\[]*:(?!\d{1,5}(?:[/?#]|$))[^@\s]*)@"
    r"|(?<=%3a%2f%2f)(?:(?!%2f|%40)[^/@?#&\s])*(?:%40|@)",
    re.I,
)
_NAMED_LOGIN = re.compile(r"(?:[\w.-]*:)?\$\{\w+\}(?::\$\{\w+\})?@")
_MEND = "put it into an environment variable and write ${NAME} in its place"
# What these write down at their lower levels has whole addresses in it.
# Up to its 0.23, a filter of "httpx" has no say in what its own parts write.
_TALKATIVE = (
    *("httpx", "httpx._client"),
    *("httpcore.connection", "httpcore.http11", "httpcore.http2", "httpcore.proxy"),
    *("rasterio._env", "rasterio._err", "rasterio._io", "rasterio._base"),
)
_secrets: set[str] = set()
# Shorter parts of what a variable holds are words of any text.
_SHORTEST_SECRET = 6
_ESCAPED = re.compile(r"(?:[\w.~-]|%[0-9a-fA-F]{2})*", re.ASCII)


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
        refuse_written_out_keys(text)
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
        remember_keys(text)
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
    """Return an address without its keys: parameters dropped, in a path their name left out.

    With a signature go the parameters that say how long it holds. Anything else that GDAL opens
    (`/vsicurl/…`, `PG:…`, XML) is taken too: what is a key by its name is KEY in it.
    """
    head, mark, query = _LOGIN.sub("", text).partition("?")
    pairs = query.split("&")
    is_signed = any(_SIGNATURES.fullmatch(pair.partition("=")[0]) for pair in pairs)
    kept = [pair for pair in pairs if not _is_secret(pair)]
    if is_signed:
        kept = [pair for pair in kept if not _SIGNING_NAMES.fullmatch(pair.partition("=")[0])]
    query = "&".join(kept)
    shown = _KEY.sub(_HIDDEN, head) + (mark + query if query else "")
    for pattern in (_ANY_PAIR, _CODED_PAIR, _ELEMENT):
        shown = pattern.sub(lambda m: m["name"] + m["is"] + _instead_of(m["value"]), shown)
    return _KEY.sub(_HIDDEN, shown)


def _instead_of(value: str) -> str:
    return value if _is_place(value) else _HIDDEN


def without_secrets(text: str) -> str:
    """Return what a server says with any key that it repeats left out."""
    for secret in _secrets:
        text = text.replace(secret, _HIDDEN).replace(quote(secret, safe=""), _HIDDEN)
    return text


def _is_secret(pair: str) -> bool:
    name, _, value = pair.partition("=")
    return bool(_KEY.search(pair)) or (
        not _is_place(value) and _HUSHED_NAMES.fullmatch(name) is not None
    )


def _is_place(value: str) -> bool:
    """Whether a value is empty or a place to be filled in, and so no key itself."""
    return not value or re.fullmatch(r"\$?\{[^}]*\}", value) is not None


def refuse_written_out_keys(text: str) -> None:
    """Raise UsageError for an address, or what else GDAL opens, with a key or password in it."""
    for shape in dict.fromkeys((text, unquote(text), unquote(unquote(text)))):
        login = _LOGIN.search(shape)
        if login is not None and not _NAMED_LOGIN.fullmatch(login[0]):
            raise UsageError("a password is written out in the address", hidden(text), _MEND)
        for pair in (*_ANY_PAIR.finditer(shape), *_ELEMENT.finditer(shape)):
            if not _KEY.search(pair["value"]) and not _is_place(pair["value"]):
                what = f"the key {pair['name']!r} is written out in it"
                raise UsageError(what, hidden(text), _MEND)


def remember_keys(text: str) -> None:
    """Have what is a key by its name in an address that a server gave left out from now on."""
    pairs = [pair.partition("=") for pair in text.partition("?")[2].split("&")]
    found = [value for name, _, value in pairs if _HUSHED_NAMES.fullmatch(name)]
    found += [pair["value"] for pair in _ANY_PAIR.finditer(text)]
    for login in _LOGIN.finditer(text):
        found += login[0][:-1].split(":")
    for value in found:
        _secrets.update(v for v in (value, unquote(value)) if len(v) >= _SHORTEST_SECRET)
    _silence()


def is_local_file(text: str) -> bool:
    """Whether a text is the path of a file or folder that is there: nothing in it is a key."""
    try:
        return Path(text).exists()
    except (OSError, ValueError):
        return False


def filled_in(text: str) -> str:
    """Return what GDAL is to open, with `${NAME}` from the environment; UsageError if one lacks.

    In an address a value is escaped, unless it is already, or stands for whole parameters
    (`…?${NAME}`).
    """
    if is_local_file(text):
        return text
    refuse_written_out_keys(text)
    is_address = "://" in text

    def value_of(place: re.Match[str]) -> str:
        value = _from_environment(place[1], text)
        parts = re.split(r"[&=]", value) if _is_whole(place) else [value]
        _secrets.update(part for part in (value, *parts) if len(part) >= _SHORTEST_SECRET)
        if not is_address or _is_whole(place) or _ESCAPED.fullmatch(value):
            return value
        return quote(value, safe="")

    filled = _KEY.sub(value_of, text)
    _silence()
    return filled


def _is_whole(place: re.Match[str]) -> bool:
    """Whether a `${NAME}` stands for whole parameters."""
    before, after = place.string[: place.start()], place.string[place.end() :]
    return before.endswith(("?", "&")) and not after.startswith("=")


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

"""What a server says in words, in whatever it wraps them: HTML, XML, JSON, or plain text."""

from __future__ import annotations

import html
import re

_LONGEST = 200
_READ_AT_MOST = 20_000
_EXCEPTION = re.compile(
    r"<(?:\w+:)?(?:ServiceException|Exception)\b([^>]*)>(.*?)</(?:\w+:)?(?:ServiceException|Exception)>",
    re.DOTALL,
)
# The first element: neither a declaration, a comment nor an instruction.
_ROOT = re.compile(r"<(?:\w+:)?([A-Za-z]\w*)")
_CODE = re.compile(r"\b(?:code|exceptionCode)\s*=\s*[\"']([^\"']{1,80})[\"']")
_WEB_PAGE = re.compile(
    r"^\s*(<\?xml[^>]*>)?\s*(<!--.*?-->\s*)*<(!doctype html|html|head|body)\b", re.I | re.S
)


def beginning(body: bytes) -> str:
    """Return the first part of an answer as text."""
    return body[:_READ_AT_MOST].decode("utf-8-sig", "replace")


def words(body: bytes) -> str:
    """Return the first words of a text, without markup, at most 200 characters."""
    text = re.sub(r"(?is)<(script|style|head)\b.*?</\1\s*>", " ", beginning(body))
    text = text.replace("<![CDATA[", " ").replace("]]>", " ")
    text = " ".join(html.unescape(re.sub(r"(?s)<[^>]*>?", " ", text)).split())
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def is_web_page(body: bytes) -> bool:
    """Whether a page for people came."""
    return _WEB_PAGE.match(beginning(body)) is not None


def service_exception(body: bytes) -> str | None:
    """Return the code and words of an OGC exception report, None where it is none."""
    text = beginning(body)
    root = _ROOT.search(text) if text.lstrip().startswith("<") else None
    if root is None or "Exception" not in root[1]:
        return None
    found = _EXCEPTION.search(text)
    if found is None:
        return words(body) or "no words"
    code = _CODE.search(found[1])
    said = words(found[2].encode()) or "no words"
    return said if code is None else f"{code[1]}: {said}"

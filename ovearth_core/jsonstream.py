"""One JSON object in a file, read member by member, never held whole."""

from __future__ import annotations

import codecs
import json
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import IO, Any, NamedTuple, NoReturn

from .errors import InputError
from .kernels import quick_json
from .textsource import open_text_bytes

_CHUNK_BYTES = 1 << 20
_LONGEST_VALUE = 1 << 28
# A fault reported this close to the end of what has been read may only be a value cut in two.
_CUT_MARGIN = 16
_WHITESPACE = " \t\r\n"
# What is left of a literal when a file ends inside it.
_BEGINNINGS = {word[:n] for word in ("true", "false", "null", "-") for n in range(len(word) + 1)}


def refuse_constant(name: str) -> NoReturn:
    """Refuse NaN and the infinities, which Python's JSON reader would accept."""
    raise InputError(f"{name} is not a number in JSON", mend="leave the value out or write null")


def distinct_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object's members; a key given twice is refused, Python would keep the last."""
    members = dict(pairs)
    if len(members) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise InputError(f"the key {twice!r} occurs twice in one object", mend="keep one of them")
    return members


def refuse_half_characters(text: str, value: Any) -> None:
    """Raise InputError where JSON text spells half of a surrogate pair: no file can hold it."""
    if "\\u" in text and ("\\ud" in text or "\\uD" in text):
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise InputError(
                "a text holds half of a character (\\ud800 to \\udfff alone)", mend="mend the text"
            ) from None


def quick_objects(lines: Sequence[bytes]) -> list[dict[str, Any] | None]:
    """Return the JSON object on each line; None where the careful way has to decide.

    None throughout where the quick reader isn't there (orjson, in `ovearth[fast]`).
    """
    loads = quick_json()
    return [None] * len(lines) if loads is None else [_quick_object(loads, line) for line in lines]


def _quick_object(loads: Callable[[bytes], Any], line: bytes) -> dict[str, Any] | None:
    try:
        value = loads(line)
    except ValueError:
        return None
    return value if type(value) is dict and _has_every_key_once(line, value) else None


def _has_every_key_once(line: bytes, value: dict[str, Any]) -> bool:
    """Whether no key is doubled: there are no more quotes than those of what was read.

    An escaped quote might hide others, so that texts with one are not looked into.
    """
    texts = 0
    for level in (value, *(item for item in value.values() if type(item) is dict)):
        texts += len(level)
        for item in level.values():
            if type(item) is str:
                if '"' in item:
                    return False
                texts += 1
    return line.count(b'"') == 2 * texts


DECODER = json.JSONDecoder(parse_constant=refuse_constant, object_pairs_hook=distinct_keys)


class Member(NamedTuple):
    """One value: of a top-level key, or one element of the list under it; `text` is its JSON."""

    key: str
    line: int
    value: Any
    in_list: bool
    text: str


class JsonStream:
    """Reads the members of the object in `path`; `keys` holds the keys met so far, in order.

    Faults raise InputError with line and column. Memory stays at a few chunks plus the largest
    single element.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.keys: list[str] = []
        self._text = ""
        self._pos = 0
        self._ended = False
        self._lines_before = 0
        self._columns_before = 0
        self._counted_to = 0
        self._lines_counted = 0
        self._decode = codecs.getincrementaldecoder("utf-8-sig")().decode

    def members(self) -> Iterator[Member]:
        """Yield every top-level member; the elements of a top-level list come one by one."""
        with open_text_bytes(self.path) as source:
            self._source = source
            if self._peek() != "{":
                self._fail("not a JSON object", "the file must start with {")
            self._pos += 1
            yield from self._object()
            if self._peek():
                self._fail("text after the end of the JSON object", "remove it")

    def elements(self, keys: Collection[str]) -> Iterator[Member]:
        """Yield the elements of a list: the file's whole content, or under one of `keys` in it.

        Raises InputError where there is neither.
        """
        with open_text_bytes(self.path) as source:
            self._source = source
            first = self._peek()
            if first == "[":
                yield from self._list("")
            elif first == "{":
                self._pos += 1
                yield from (m for m in self._object() if m.in_list and m.key in keys)
            else:
                self._fail("neither a JSON list nor an object", "the file must start with [ or {")
            if self._peek():
                self._fail("text after the end of the JSON", "remove it")
        if first == "{" and not any(key in self.keys for key in keys):
            listed = " or ".join(map(repr, keys))
            raise InputError(f"no {listed} in it", str(self.path), "name a file with that list")

    def _object(self) -> Iterator[Member]:
        if self._peek() == "}":
            self._pos += 1
            return
        while True:
            key = self._key()
            if self._peek() == "[":
                yield from self._list(key)
            else:
                line = self._line()
                value, text = self._value()
                yield Member(key, line, value, False, text)
            if self._separator("}"):
                return

    def _key(self) -> str:
        if self._peek() != '"':
            self._fail("expected a key in double quotes" if self._peek() else "JSON is cut off")
        key: str = self._value()[0]
        if key in self.keys:
            self._fail(f"the key {key!r} occurs twice", "keep one of them")
        self.keys.append(key)
        if self._peek() != ":":
            self._fail("expected ':' after a key" if self._peek() else "JSON is cut off")
        self._pos += 1
        return key

    def _list(self, key: str) -> Iterator[Member]:
        self._pos += 1
        if self._peek() == "]":
            self._pos += 1
            return
        while True:
            self._peek()
            line = self._line()
            value, text = self._value()
            yield Member(key, line, value, True, text)
            if self._separator("]"):
                return

    def _separator(self, end: str) -> bool:
        found = self._peek()
        if found not in (",", end) or not found:
            self._fail(f"expected ',' or '{end}'" if found else "JSON is cut off")
        self._pos += 1
        return found == end

    def _peek(self) -> str:
        """Skip white space; return the next character, or '' at the end of the file."""
        while True:
            text, pos = self._text, self._pos
            while pos < len(text) and text[pos] in _WHITESPACE:
                pos += 1
            self._pos = pos
            if pos < len(text):
                return text[pos]
            if not self._read_more():
                return ""

    def _value(self) -> tuple[Any, str]:
        """Return the next value, and its text."""
        self._peek()
        while True:
            try:
                value, end = DECODER.raw_decode(self._text, self._pos)
                text = self._text[self._pos : end]
                refuse_half_characters(text, value)
            except json.JSONDecodeError as fault:
                if self._is_cut(fault) and self._read_more():
                    continue
                self._pos = fault.pos
                rest = self._text[fault.pos :].strip()
                cut = rest in _BEGINNINGS or fault.msg.startswith("Unterminated")
                self._fail("JSON is cut off" if cut else f"not JSON ({fault.msg})")
            except RecursionError:
                self._fail("JSON is nested too deep")
            except InputError as fault:
                raise fault.at(self._place()) from None
            except ValueError as fault:
                self._fail(f"not JSON ({fault})")
            if self._may_go_on(end) and self._read_more():
                continue
            self._pos = end
            return value, text

    def _may_go_on(self, end: int) -> bool:
        """Whether what was read ends in a number that the next chunk may continue."""
        rest = self._text[end : end + 4]
        return len(rest) < 4 and not rest.strip("+-.eE0123456789")

    def _is_cut(self, fault: json.JSONDecodeError) -> bool:
        near_end = fault.pos + _CUT_MARGIN >= len(self._text)
        return near_end or fault.msg.startswith("Unterminated")

    def _read_more(self) -> bool:
        """Drop what was consumed, append at least as much again as is left; False at the end."""
        if self._ended:
            return False
        self._forget_consumed()
        if len(self._text) > _LONGEST_VALUE:
            self._fail(f"one JSON value is longer than {_LONGEST_VALUE} characters", "split it")
        wanted = max(_CHUNK_BYTES, len(self._text))
        chunk = _read_exactly(self._source, wanted)
        self._ended = len(chunk) < wanted
        try:
            self._text += self._decode(chunk, self._ended)
        except UnicodeDecodeError as fault:
            self._fail(f"not UTF-8 text ({fault.reason})", "save the file as UTF-8")
        return True

    def _forget_consumed(self) -> None:
        newlines = self._text.count("\n", 0, self._pos)
        self._counted_to = self._lines_counted = 0
        if newlines:
            self._lines_before += newlines
            self._columns_before = 0
        self._columns_before += self._pos - (self._text.rfind("\n", 0, self._pos) + 1)
        self._text = self._text[self._pos :]
        self._pos = 0

    def _line(self) -> int:
        # Counted on from the last call, so that counting stays linear in the file.
        self._lines_counted += self._text.count("\n", self._counted_to, self._pos)
        self._counted_to = self._pos
        return self._lines_before + self._lines_counted + 1

    def _place(self) -> str:
        self._forget_consumed()
        return f"{self.path} line {self._lines_before + 1} column {self._columns_before + 1}"

    def _fail(self, what: str, mend: str = "mend the JSON there") -> NoReturn:
        raise InputError(what, self._place(), mend)


def _read_exactly(source: IO[bytes], size: int) -> bytes:
    parts: list[bytes] = []
    while size > 0:
        part = source.read(size)
        if not part:
            break
        parts.append(part)
        size -= len(part)
    return b"".join(parts)

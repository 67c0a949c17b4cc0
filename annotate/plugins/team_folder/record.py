"""Records: what a log of a team folder is made of, a line each.

A line is a JSON object: `number` in its log, `clock` (larger than that of every record its writer
knew), `before` (the hash of the record before it), `kind`, `body`, and `hash`, the hash of all of
these.  So a line proves itself, and its position behind the one before; a line that is cut off,
turned or written over is none.  What a body holds is checked here as strictly as a workspace is
when it is opened, since anybody may have written it.
"""

import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePosixPath, PureWindowsPath
from typing import Any

from annotate.marks.journal import dump
from annotate.marks.records import BROKEN, LARGEST, LONGEST_ID, read_json
from annotate.workspace import sheets
from engine.bounds import NOTED_SIDE
from engine.errors import InputError

ENDING = ".pagelet-log"
"""Of the names of logs."""

TEAM = "team:"
"""Begins the key of a page that lies in the team folder."""

FORMAT = 1
"""Of the logs; one that says a higher number is left alone."""

LONGEST = 64 * 2**20
"""Bytes of a line: a change of very many marks, drafts of a huge page."""

_MOST_SIGNS = 6 * 2**20
"""Letters of a line outside its texts: what bounds the memory that reading it takes."""

Body = Mapping[str, Any]

SHAPES: dict[str, dict[str, type]] = {
    "log": {"format": int, "uid": str, "device": str, "host": str, "name": str},
    "person": {"uid": str, "name": str, "role": str},
    "page": {
        "uid": str, "key": str, "position": int, "url": str, "title": str, "digest": str,
        "width": int, "height": int, "visited": str,
    },
    "change": {
        "uid": str, "key": str, "revision": int, "after": str, "made": str, "what": str,
        "step": str, "delta": str,
    },
    "status": {"uid": str, "key": str, "status": str},
    "comment": {
        "id": str, "owner": str, "key": str, "author": str, "mark": str, "made": str,
        "kind": str, "text": str, "answers": str,
    },
    "settled": {"id": str, "settled": bool},
    "removed": {"id": str},
    "decision": {"uid": str, "key": str, "item": str, "choice": str},
    "assigned": {"uid": str, "name": str, "pages": list},
    "quiz": {"uid": str, "key": str, "right": int, "of": int},
    "guideline": {"name": str, "pages": list},
    "accepted": {"uid": str, "log": str, "host": str, "made": str},
}  # fmt: skip
"""Kind of record → what its body has, and of which type."""

_CHOICES = {
    ("person", "role"): {"annotator", "reviewer"},
    ("status", "status"): {"open", "in progress", "done", "question"},
    ("change", "step"): {"edit", "undo", "redo"},
    ("comment", "kind"): {"comment", "question", "answer"},
}

_SPEAKER = {"comment": "author", "settled": "", "assigned": "", "guideline": "", "log": "uid"}
"""Kind → field with the name of the author; "" for the log's own annotator."""


@dataclass(frozen=True, slots=True)
class LogLine:
    """Line of a log.

    Attributes:
        number: In its log; the first is 0, of kind ``log``.
        clock: Of two records of one thing the one with the larger clock holds; of two with the
            same clock the one with the larger hash.
        before: Hash of the record before it, "" of the first.
        kind: A key of `SHAPES`.
        body: As there.
        hash: Of all of this.
    """

    number: int
    clock: int
    before: str
    kind: str
    body: Body
    hash: str

    @classmethod
    def made(cls, number: int, clock: int, before: str, kind: str, body: Body) -> "LogLine":
        """Return a new record."""
        return cls(number, clock, before, kind, body, _hash(number, clock, before, kind, body))

    @property
    def line(self) -> bytes:
        """The record as bytes, with the end of the line."""
        whole = {
            "number": self.number, "clock": self.clock, "before": self.before, "kind": self.kind,
            "body": self.body, "hash": self.hash,
        }  # fmt: skip
        return dump(whole).encode() + b"\n"

    @property
    def rank(self) -> tuple[int, str]:
        """Precedence between two records of the same thing."""
        return self.clock, self.hash

    def speaker(self, head: "LogLine") -> str:
        """Return the uid of the person whose word it is, in the log that begins with ``head``."""
        name = _SPEAKER.get(self.kind, "uid")
        return str(self.body[name] if name else head.body["uid"])


def read(line: bytes) -> LogLine | None:
    """Return the record of a line without its end; None for any other line."""
    if not line.startswith(b"{") or len(line) > LONGEST:
        return None
    if len(line) > _MOST_SIGNS and len(_TEXTS.sub(b"", line)) > _MOST_SIGNS:
        return None
    try:
        whole = read_json(line.decode())
        record = LogLine(
            _count(whole["number"]), _count(whole["clock"]), _text(whole["before"]),
            _text(whole["kind"]), whole["body"], _text(whole["hash"]),
        )  # fmt: skip
        if _hash(*(whole[name] for name in _HASHED)) != record.hash:
            return None
    except (*BROKEN, InputError):
        return None
    return record


_HASHED = ("number", "clock", "before", "kind", "body")
_TEXTS = re.compile(rb'"(?:[^"\\]|\\.)*+"')


def _hash(number: int, clock: int, before: str, kind: str, body: Body) -> str:
    return hashlib.sha256(dump([number, clock, before, kind, body]).encode()).hexdigest()[:32]


def change_id(body: Body) -> str:
    """Return what tells one change of a page's marks from every other: all that led to it."""
    named = [body[name] for name in ("after", "revision", "made", "what", "step", "delta")]
    return hashlib.sha256(dump(named).encode()).hexdigest()[:32]


def check(record: LogLine) -> None:
    """Raise `InputError` where a body is not as its kind has it; an unknown kind has nothing."""
    shape = SHAPES.get(record.kind)
    if shape is None:
        return
    body = record.body
    if not isinstance(body, dict):
        raise InputError(f"a record of the kind {record.kind} has no body")
    for name, kind in shape.items():
        value = body.get(name)
        allowed = _CHOICES.get((record.kind, name))
        is_good = type(value) is kind and (allowed is None or value in allowed)
        if isinstance(value, str):
            _text(value)
        if not is_good or (name in _TESTS and not _TESTS[name](value)):
            raise InputError(f"{name} of a record of the kind {record.kind} is {_shown(value)}")
    if record.kind == "person" and not body["name"].strip():
        raise InputError("a person has no name")
    if record.kind == "log" and not _is_log_name(body["name"]):
        raise InputError(f"the name of a log is {_shown(body['name'])}")
    if record.kind == "change":
        if (body["revision"] == 1) != (body["after"] == ""):
            raise InputError(f"change {body['revision']} of a page follows {body['after']!r}")
        sheets.check_change(body["delta"])
    if record.kind == "quiz" and body["right"] > body["of"]:
        raise InputError(f"{body['right']} answers of {body['of']} are right")
    if record.kind in ("assigned", "guideline"):
        is_page = _is_assigned if record.kind == "assigned" else _is_guideline_page
        for each in body["pages"]:
            if not is_page(each):
                raise InputError(f"a page of a record {record.kind} is {_shown(each)}")
    if record.kind == "page" and not _is_address(body["url"], body["key"]):
        raise InputError(f"url of a record of the kind page is {_shown(body['url'])}")


def is_valid(record: LogLine) -> bool:
    """Return whether `check` accepts a record."""
    try:
        check(record)
    except InputError:
        return False
    return True


def _is_assigned(page: object) -> bool:
    match page:
        case [str(key), int(control)]:
            return type(control) is int and 0 <= control <= 2 and is_key(_text(key))
    return False


def _is_guideline_page(page: object) -> bool:
    match page:
        case [str(title), str(text)]:
            return len(_text(title)) <= 1_000 and len(_text(text)) <= 1_000_000
    return False


def is_key(key: str) -> bool:
    """Return whether logs may use this key of a page: paths must be inside the team folder."""
    if not 0 < len(key) <= 10_000 or not _is_line(key) or _scheme(key) in _CODE:
        return False
    if not key.startswith(TEAM):
        return True
    inside = key.removeprefix(TEAM)
    parts = (*PurePosixPath(inside).parts, *PureWindowsPath(inside).parts)
    is_away = ".." in parts or PurePosixPath(inside).is_absolute() or PureWindowsPath(inside).anchor
    return bool(parts) and not is_away


def _is_address(url: str, key: str) -> bool:
    """Return whether a page of this key may be at an address: only a file leads to a file."""
    scheme = _scheme(url)
    is_file = PurePosixPath(key).is_absolute() or bool(PureWindowsPath(key).anchor)
    return len(url) <= 100_000 and scheme not in _CODE and (scheme != "file" or is_file)


_CODE = ("javascript", "data", "vbscript", "view-source", "blob")


def _scheme(address: str) -> str:
    return address.strip().partition(":")[0].lower()


def _is_line(text: str) -> bool:
    """Return whether a text is one line that shows all that is in it, in the order it has."""
    return _HIDDEN.search(text) is None


def one_line(text: str) -> str:
    """Return a text of a page without what `_is_line` refuses."""
    return _HIDDEN.sub(" ", text)


_HIDDEN = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def _line(most: int) -> Callable[[str], bool]:
    return lambda text: len(text) <= most and _is_line(text)


def _is_date(text: str) -> bool:
    """Return whether a text is a date, or "", which means never."""
    try:
        return text == "" or (len(text) <= 40 and bool(datetime.fromisoformat(text)))
    except ValueError:
        return False


def _matches(pattern: str) -> Callable[[str], bool]:
    return lambda text: re.fullmatch(pattern, text) is not None


def _between(least: int, most: int) -> Callable[[int], bool]:
    return lambda number: least <= number <= most


def _is_log_name(name: str) -> bool:
    """Return whether a log's file may be called so: a plain name, no way to another folder."""
    is_plain = PurePosixPath(name).name == name == PureWindowsPath(name).name
    return is_plain and name.endswith(ENDING) and len(name) <= 255 and _is_line(name)


_UID = _matches(r"[^\s\x00-\x1f\x7f-\x9f]{1,100}")
_HASH = _matches("([0-9a-f]{32})?")

_TESTS: dict[str, Callable[[Any], bool]] = {
    "format": _between(1, LARGEST), "device": _matches(r"[\w-]{1,40}"), "host": _line(255),
    "uid": _UID, "owner": _UID, "author": _UID, "log": _HASH, "after": _HASH,
    "key": is_key, "title": lambda text: len(text) <= 100_000,
    "digest": _matches("([0-9a-f]{64})?"),
    "position": _between(0, LARGEST), "revision": _between(1, LARGEST),
    "width": _between(0, NOTED_SIDE.most), "height": _between(0, NOTED_SIDE.most),
    "right": _between(0, LARGEST), "of": _between(0, LARGEST),
    "visited": _is_date, "made": _is_date, "what": lambda text: len(text) <= 10_000,
    "id": _matches(r"[\w.:-]{1,100}"), "answers": _matches(r"[\w.:-]{0,100}"),
    "mark": lambda text: len(text) <= LONGEST_ID,
    "item": lambda text: len(text) <= 100_000, "choice": lambda text: len(text) <= 100_000,
    "text": lambda text: 0 < len(text) <= 10_000, "name": _line(200),
}  # fmt: skip
"""Field → whether a value of its type will do, in every kind of record."""


def _shown(value: object) -> str:
    """Return a value as text for a message."""
    try:
        return ascii(value) if len(ascii(value)) <= 60 else f"{ascii(value)[:60]}…"
    except (ValueError, RecursionError):
        return f"a {type(value).__name__}"


def _count(value: object) -> int:
    if type(value) is not int or not 0 <= value <= 2**53:
        raise ValueError(f"{value!r} is no count")
    return value


def _text(value: object) -> str:
    """Return a text that a database takes: no half of a surrogate pair, no zero."""
    if type(value) is not str or "\0" in value:
        raise InputError("a record has something else than a text")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise InputError("a record has half a character") from None
    return value

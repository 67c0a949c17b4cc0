"""Records: what a log of a team folder is made of, a line each.

A line is a JSON object: `number` in its log, `clock` (larger than that of every record its writer
knew), `before` (the hash of the record before it), `kind`, `body`, and `hash`, which is that of all
of this.  So a line proves itself, and its position behind the one before; a line that is cut off,
turned or written over is none.  What a body holds is checked here, since anybody may have
written it.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from annotate.marks.journal import dump
from annotate.marks.records import BROKEN, read_json
from engine.errors import InputError

FORMAT = 1
"""Of the logs; one that says a higher number is left alone."""

LONGEST = 64 * 2**20
"""Bytes of a line: a change of very many marks, drafts of a huge page."""

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
}  # fmt: skip
"""Kind of record → what its body has, and of which type."""

_CHOICES = {
    ("person", "role"): {"annotator", "reviewer"},
    ("status", "status"): {"open", "in progress", "done", "question"},
    ("change", "step"): {"edit", "undo", "redo"},
    ("comment", "kind"): {"comment", "question", "answer"},
}
_LARGEST = 2**31 - 1


@dataclass(frozen=True)
class Record:
    """One line of a log.

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
    def made(cls, number: int, clock: int, before: str, kind: str, body: Body) -> "Record":
        """Return a new record."""
        return cls(number, clock, before, kind, body, _hash(number, clock, before, kind, body))

    @property
    def line(self) -> bytes:
        """How it is written, with the end of the line."""
        whole = {
            "number": self.number, "clock": self.clock, "before": self.before, "kind": self.kind,
            "body": self.body, "hash": self.hash,
        }  # fmt: skip
        return dump(whole).encode() + b"\n"

    @property
    def rank(self) -> tuple[int, str]:
        """What decides between two records of one thing."""
        return self.clock, self.hash


def read(line: bytes) -> Record | None:
    """Return the record of a line without its end; None for what is none, whatever it is."""
    if not line.startswith(b"{") or len(line) > LONGEST:
        return None
    try:
        whole = read_json(line.decode())
        record = Record(
            _count(whole["number"]), _count(whole["clock"]), _text(whole["before"]),
            _text(whole["kind"]), whole["body"], _text(whole["hash"]),
        )  # fmt: skip
        if _hash(*(whole[name] for name in _HASHED)) != record.hash:
            return None
    except (*BROKEN, InputError):
        return None
    return record


_HASHED = ("number", "clock", "before", "kind", "body")


def _hash(number: int, clock: int, before: str, kind: str, body: Body) -> str:
    return hashlib.sha256(dump([number, clock, before, kind, body]).encode()).hexdigest()[:32]


def change_id(body: Body) -> str:
    """Return what tells one change of a page's marks from every other: all that led to it."""
    named = [body[name] for name in ("after", "revision", "made", "what", "step", "delta")]
    return hashlib.sha256(dump(named).encode()).hexdigest()[:32]


def check(record: Record) -> None:
    """Raise `InputError` where a body is not as its kind has it; an unknown kind has nothing."""
    shape = SHAPES.get(record.kind)
    if shape is None:
        return
    body = record.body
    if not isinstance(body, dict):
        raise InputError(f"a record of the kind {record.kind} has no body")
    for name, kind in shape.items():
        value = body.get(name)
        if type(value) is not kind:
            raise InputError(f"{name} of a record of the kind {record.kind} is {value!r}"[:200])
        if isinstance(value, int) and not -_LARGEST <= value <= _LARGEST:
            raise InputError(f"{name} of a record of the kind {record.kind} is {value}"[:200])
        if kind is str:
            _text(value)
        allowed = _CHOICES.get((record.kind, name))
        if allowed is not None and value not in allowed:
            raise InputError(f"{name} of a record of the kind {record.kind} is {value!r}"[:200])
    if record.kind == "assigned":
        _check_assigned(body["pages"])


def _check_assigned(pages: list[Any]) -> None:
    for each in pages:
        match each:
            case [str(key), int(control)] if 0 <= control <= 2:
                _text(key)
            case _:
                raise InputError(f"a page is assigned as {each!r}"[:200])


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

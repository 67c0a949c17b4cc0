"""Records: marks in stored form, in the workspace and in gold files.

A record describes the position of each target in three ways (`annotate.marks.anchor` finds it
again). Whatever enters, by a gold file, an import, a merge or a damaged workspace, is checked here.
"""

import json
import re
from collections.abc import Mapping
from typing import Any, Literal, NoReturn, NotRequired, TypedDict, TypeVar

from engine import bounds
from engine.errors import InputError

T = TypeVar("T")


class TargetRecord(TypedDict):
    """Position of a target; positions are code points, the end excluded."""

    path: str
    part: NotRequired[list[int]]  # of the text row's own text; none for a whole node
    position: list[int]  # in the text of the page
    quote: str
    prefix: str
    suffix: str
    shows: NotRequired[list[str]]  # for a node without text: its tag, attributes and pictures


class SeedRecord(TypedDict):
    """The run a mark was adopted from."""

    method: str
    version: str
    params: str  # JSON, keys sorted
    input: str


class GuessRecord(TypedDict):
    """The type suggested for a mark."""

    type: str
    why: str
    version: str


class GuidelineRecord(TypedDict):
    """The version of the guideline that a mark follows."""

    name: str
    digest: str


class MarkRecord(TypedDict):
    id: str
    level: int
    type: str
    targets: list[TargetRecord]
    quote: NotRequired[str]  # of a mark without targets
    draft: NotRequired[bool]  # from a method or another page, and not confirmed yet
    moved: NotRequired[bool]  # at a probable position, and not confirmed yet
    guess: NotRequired[GuessRecord]  # the type suggested for it, also once it has one
    seed: NotRequired[SeedRecord]  # of a mark that began as a method's, also once it is confirmed
    unsure: NotRequired[bool]  # flagged by its annotator, for review
    fields: NotRequired[dict[str, str]]  # the guideline's own: name and value
    guideline: NotRequired[GuidelineRecord]  # in files, where it is not that of the file


_FLAGS: tuple[Literal["draft", "moved", "unsure"], ...] = ("draft", "moved", "unsure")

LONGEST_ID = 1_000
"""Letters of a mark's id."""

LARGEST = 2**31 - 1
"""Position in a text, and any other whole number of a record."""

BROKEN = (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError)
"""What reading JSON of an unknown shape may raise."""


def read_json(text: str) -> Any:  # noqa: ANN401
    """Return the value of JSON; `ValueError` also for NaN and Infinity, which JSON does not know.

    A number beyond all floats is refused as well.
    """
    return json.loads(text, parse_constant=_no_number, parse_float=_finite)


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


def _finite(text: str) -> float:
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise ValueError(f"{text[:20]} is too large a number")
    return number


def writable(text: str) -> str:
    """Return a text that UTF-8 and SQLite can store: lone surrogates and NUL are spelt out."""
    return text.encode("utf-8", "backslashreplace").decode().replace("\0", "\\0")


def check(record: Mapping[str, Any]) -> MarkRecord:
    """Return a record read from a file; `InputError` if it does not describe a mark.

    Half of a surrogate pair stays in text of the page (quotes, paths), and is escaped elsewhere.
    """
    try:
        checked: MarkRecord = {
            "id": _identity(record["id"]),
            "level": _typed(record["level"], int),
            "type": _word(record.get("type", "")),
            "targets": [_check_target(target) for target in _typed(record["targets"], list)],
        }
        if "quote" in record:
            checked["quote"] = _typed(record["quote"], str)
        for flag in _FLAGS:
            if record.get(flag) is True:
                checked[flag] = True
        if "fields" in record:
            fields = _typed(record["fields"], dict)
            checked["fields"] = {_word(x): _word(value) for x, value in sorted(fields.items())}
        if "guideline" in record:
            ref = record["guideline"]
            checked["guideline"] = {"name": _word(ref["name"]), "digest": _word(ref["digest"])}
        if "guess" in record:
            guess = record["guess"]
            checked["guess"] = {
                "type": _word(guess["type"]),
                "why": _word(guess.get("why", "")),
                "version": _word(guess.get("version", "")),
            }
        if "seed" in record:
            seed = record["seed"]
            checked["seed"] = {
                "method": _word(seed["method"]),
                "version": _word(seed.get("version", "")),
                "params": _word(seed.get("params", "{}")),
                "input": _word(seed.get("input", "")),
            }
    except KeyError as error:
        raise InputError(f"a mark is damaged: it has no {error.args[0]}") from None
    except BROKEN as error:
        raise InputError(f"a mark is damaged: {error}") from None
    if checked["level"] not in (0, 1, 2):
        got = bounds.shown(checked["level"])
        raise InputError(f"a mark is damaged: its level must be 0, 1 or 2, got {got}")
    return checked


def _check_target(target: object) -> TargetRecord:
    if not isinstance(target, Mapping):
        raise TypeError(f"its target {_shown(target)} is invalid")
    checked: TargetRecord = {
        "path": _typed(target["path"], str),
        "position": _pair(target["position"]),
        "quote": _typed(target["quote"], str),
        "prefix": _typed(target["prefix"], str),
        "suffix": _typed(target["suffix"], str),
    }
    if "part" in target:
        checked["part"] = _pair(target["part"])
    if "shows" in target:
        checked["shows"] = [_typed(value, str) for value in target["shows"]]
    return checked


def _identity(value: object) -> str:
    text = _word(value)
    if not text or len(text) > LONGEST_ID:
        raise ValueError(f"its id has {len(text)} letters; expected 1 to {LONGEST_ID}")
    return text


def _word(value: object) -> str:
    return writable(_typed(value, str))


def _typed(value: object, kind: type[T]) -> T:
    if not isinstance(value, kind) or isinstance(value, bool):
        raise TypeError(f"{_shown(value)} is not a {kind.__name__}")
    return value


def _shown(value: object) -> str:
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # a number of thousands of digits; deep nesting
        return f"a {type(value).__name__}"
    return _UNSHOWN.sub("?", text[:40])


_UNSHOWN = re.compile(r"[^\x20-\x7e\xa1-\ud7ff\ue000-\uffff]")


def _pair(value: object) -> list[int]:
    if not isinstance(value, list) or len(value) != 2:
        raise TypeError(f"{_shown(value)} is not a pair of numbers")
    first, last = (_typed(number, int) for number in value)
    if not (0 <= first <= LARGEST and 0 <= last <= LARGEST):
        raise ValueError(f"{_shown(value)} are not positions in a text")
    return [first, last]

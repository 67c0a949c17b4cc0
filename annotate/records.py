"""Records: marks as they are written down, in the workspace and in gold files.

A record says where each target stands three ways (`annotate.anchor` says how it is found again).
"""

from collections.abc import Mapping
from typing import Any, NotRequired, TypedDict, TypeVar

from engine.errors import InputError

T = TypeVar("T")


class TargetRecord(TypedDict):
    """Where one target stands; positions are code points, the end excluded."""

    path: str
    part: NotRequired[list[int]]  # of the text row's own text; none for a whole node
    position: list[int]  # in the text of the page
    quote: str
    prefix: str
    suffix: str
    shows: NotRequired[list[str]]  # for a node without text: its tag, attributes and pictures


class SeedRecord(TypedDict):
    """The run a mark was taken over from."""

    method: str
    version: str
    params: str  # JSON, keys sorted
    input: str


class GuessRecord(TypedDict):
    """The type suggested for a mark."""

    type: str
    why: str
    version: str


class MarkRecord(TypedDict):
    """One mark."""

    id: str
    level: int
    type: str
    targets: list[TargetRecord]
    quote: NotRequired[str]  # of a mark without targets
    draft: NotRequired[bool]  # from a method or another page, and not confirmed yet
    guess: NotRequired[GuessRecord]  # the type suggested for it, also once it has one
    seed: NotRequired[SeedRecord]  # of a mark that began as a method's, also once it is confirmed


def check(record: Mapping[str, Any]) -> MarkRecord:
    """Return a record read from a file; `InputError` if it does not describe a mark."""
    try:
        checked: MarkRecord = {
            "id": _typed(record["id"], str),
            "level": _typed(record["level"], int),
            "type": _typed(record.get("type", ""), str),
            "targets": [_check_target(target) for target in record["targets"]],
        }
        if "quote" in record:
            checked["quote"] = _typed(record["quote"], str)
        if record.get("draft") is True:
            checked["draft"] = True
        if "guess" in record:
            guess = record["guess"]
            checked["guess"] = {
                "type": _typed(guess["type"], str),
                "why": _typed(guess.get("why", ""), str),
                "version": _typed(guess.get("version", ""), str),
            }
        if "seed" in record:
            seed = record["seed"]
            checked["seed"] = {
                "method": _typed(seed["method"], str),
                "version": _typed(seed.get("version", ""), str),
                "params": _typed(seed.get("params", "{}"), str),
                "input": _typed(seed.get("input", ""), str),
            }
    except KeyError as error:
        raise InputError(f"a mark is damaged: it has no {error.args[0]}") from None
    except (TypeError, ValueError, OverflowError, AttributeError) as error:
        raise InputError(f"a mark is damaged: {error}") from None
    if checked["level"] not in (0, 1, 2):
        raise InputError(f"a mark is damaged: its level is {checked['level']}, want 0, 1 or 2")
    return checked


def _check_target(target: Mapping[str, Any]) -> TargetRecord:
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


def _typed(value: object, kind: type[T]) -> T:
    if not isinstance(value, kind) or isinstance(value, bool):
        raise TypeError(f"{value!r} is not a {kind.__name__}")
    return value


def _pair(value: object) -> list[int]:
    if not isinstance(value, list) or len(value) != 2:
        raise TypeError(f"{value!r} is not a pair of numbers")
    return [_typed(number, int) for number in value]

"""Certificate of a frozen page: properties that were the same when it was restored, and others."""

import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Literal, TypeVar

from engine.errors import InputError
from engine.words import plural

CheckVerdict = Literal["identical", "different", "failed"]

MOST_CHANGES = 500
"""Changed nodes that a certificate names; it counts all."""


_MISSING = " is not there"
"""How what is said of a file that no server had ends (`engine.web.freezing`)."""


@dataclass(frozen=True)
class Check:
    """Result of one comparison.

    Attributes:
        name: Property: tree, text, boxes ...
        is_same: Whether it was restored.
        said: Amount compared and differences, in words.
    """

    name: str
    is_same: bool
    said: str


@dataclass(frozen=True)
class NodeChange:
    """A node that is not as it was.

    Attributes:
        path: Of the node, as `engine.nodes.NodeTable.path` gives it.
        row: Of the page as it is now; -1 if it is gone.
        what: gone, new, attributes, text, box, shown, style.
        before, after: Old and new value, shortened.
    """

    path: str
    row: int
    what: str
    before: str
    after: str


@dataclass(frozen=True)
class Certificate:
    """Result of restoring a frozen page in a fresh process.

    Attributes:
        verdict: ``identical``: all is; ``different``: not all is; ``failed``: it did not come back.
        made: Time, ISO 8601, UTC.
        engine: Browser engine that rendered it.
        software: Pagelet with its version.
        checks: The comparisons.
        changes: The first nodes that differ (`MOST_CHANGES`).
        lost: Parts of the page that could not be stored, each with the reason.
        clicked: Clicks before the page was frozen, in words.
        notes: Notes on restoring it.
        seconds: Duration.
    """

    verdict: CheckVerdict
    made: str
    engine: str
    software: str
    checks: tuple[Check, ...] = field(default=())
    changes: tuple[NodeChange, ...] = field(default=())
    lost: tuple[str, ...] = field(default=())
    clicked: tuple[str, ...] = field(default=())
    notes: tuple[str, ...] = field(default=())
    seconds: float = 0.0

    @property
    def summary(self) -> str:
        if self.verdict == "failed":
            return f"did not come back: {self.notes[0] if self.notes else 'no reason was given'}"
        lost_note = f"; {self.lost_in_words}" if self.lost else ""
        if self.verdict == "identical":
            return f"identical: {', '.join(check.name for check in self.checks)}{lost_note}"
        wrong = ", ".join(f"{check.name} ({check.said})" for check in self.failed)
        return f"different: {wrong}{lost_note}"

    @property
    def lost_in_words(self) -> str:
        """Number of parts that could not be stored, and why; "" for nothing."""
        missing = sum(each.endswith(_MISSING) for each in self.lost)
        others = len(self.lost) - missing
        was = "was" if missing == 1 else "were"
        parts = []
        if missing:
            parts.append(f"{plural(missing, 'file')} {was} missing when the page was opened")
        if others:
            parts.append(f"{plural(others, 'part')} of the page could not be stored")
        return ", ".join(parts)

    @property
    def failed(self) -> tuple[Check, ...]:
        """The checks that found a difference."""
        return tuple(check for check in self.checks if not check.is_same)

    def lines(self) -> Iterable[str]:
        """Yield it in words, a line each."""
        for check in self.checks:
            yield f"{'same' if check.is_same else 'DIFFERENT':9}  {check.name:10}  {check.said}"
        for each in self.clicked:
            yield f"clicked    {each}"
        for each in self.lost:
            yield f"not kept   {each}"
        for each in self.notes:
            yield f"note       {each}"
        for change in self.changes:
            yield f"changed    {change.path}: {change.what}: {change.before} → {change.after}"

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> "Certificate":
        """Return what `as_json` gave; raises `InputError` for anything else."""
        try:
            verdict = value["verdict"]
            if verdict not in ("identical", "different", "failed"):
                raise ValueError("its verdict is unknown")
            seconds = value["seconds"]
            if isinstance(seconds, bool) or not math.isfinite(seconds):
                raise ValueError("its seconds are not a number")
            return cls(
                verdict=verdict,
                made=_text(value["made"]),
                engine=_text(value["engine"]),
                software=_text(value["software"]),
                checks=tuple(_of_kind(Check, each) for each in _list(value["checks"])),
                changes=tuple(_of_kind(NodeChange, each) for each in _list(value["changes"])),
                lost=_texts(value["lost"]),
                clicked=_texts(value.get("clicked", [])),
                notes=_texts(value["notes"]),
                seconds=float(seconds),
            )
        except KeyError as error:
            raise InputError(f"the certificate is damaged: {error} is missing") from error
        except (TypeError, ValueError, OverflowError, AttributeError) as error:
            raise InputError(f"the certificate is damaged: {error}") from error


_Row = TypeVar("_Row", Check, NodeChange)


def _of_kind(kind: type[_Row], value: object) -> _Row:
    """Return a row of the certificate; `ValueError` where a field is missing or of another kind."""
    if not isinstance(value, dict) or value.keys() != {each.name for each in fields(kind)}:
        raise ValueError(f"a {kind.__name__} has missing or unknown fields")
    for each in fields(kind):
        if type(value[each.name]) is not each.type:
            raise ValueError(f"its {each.name} has the wrong type")
    return kind(**value)


def _list(value: object) -> list[object]:
    if not isinstance(value, list | tuple):
        raise ValueError("one of its lists is not a list")
    return list(value)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("one of its texts is not a text")
    return value


def _texts(value: object) -> tuple[str, ...]:
    return tuple(map(_text, _list(value)))

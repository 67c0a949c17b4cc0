"""Files of a loop: accepted results, and the log as JSON Lines and as a page of Markdown."""

import gzip
import hashlib
import json
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from pathlib import Path

from algorithms.own.settings import settings_folder
from annotate.plugins.compare.memorised import tried_in_words
from annotate.plugins.compare.tables import as_cell, markdown_table
from engine.bounded_file import atomic_write, read_bytes
from engine.errors import InputError, convert_os_error
from engine.words import plural

LOG, SHOWN, ACCEPTED = "cycles.jsonl", "cycles.md", "accepted.json.gz"
START = "vault-start.json.gz"
"""Results of the method of the first cycle on the pages of the vault."""

KNOWN = "loops"
"""Folder of the settings: a file for each log."""

_MOST_BYTES = 1 << 28
_MOST_MOVED = 8
"""Pages of a cycle in Markdown, the worst and the best; JSON Lines has all."""

Decisions = tuple[tuple[int, int, str], ...]
"""First word of a place, one past its last, and the decision in words; later ones hold."""


class CycleVerdict(StrEnum):
    """What becomes of a cycle."""

    FIRST = "first"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    VAULT = "vault opened"


@dataclass(frozen=True)
class AcceptedPage:
    """What the accepted method gave on a page.

    Attributes:
        score: Its score.
        text: Its text; None where it failed.
        decisions: Its decisions; none where the method gives no reasons.
        data: SHA-256 of the page and its gold; "" of earlier results.
    """

    score: float
    text: str | None
    decisions: Decisions = ()
    data: str = ""


@dataclass(frozen=True)
class MovedPage:
    """A page whose text another version of the method changed.

    Attributes:
        page: Data set and page.
        type: Page type; "" if unknown.
        before, after: Its scores.
        words_lost, words_gained: Words of the text that only one has.
        lost, gained: The longest passage of each.
        why: The decision on the longest passage, before and after; "" where there is none.
        explanation: Why it may fall; "" for none.
        by_heart: Whether it rose as the method knows it by heart (`memorised`).
    """

    page: str
    type: str
    before: float
    after: float
    words_lost: int = 0
    words_gained: int = 0
    lost: str = ""
    gained: str = ""
    why: tuple[str, str] = ("", "")
    explanation: str = ""
    by_heart: bool = False

    @property
    def difference(self) -> float:
        return self.after - self.before


@dataclass(frozen=True)
class Cycle:
    """One turn of the loop.

    Attributes:
        date: The day.
        method, measure: Keys.
        hypothesis: What was expected.
        change: What was changed.
        pages: How many were scored.
        before, after: Mean scores; ``before`` None of the first cycle.
        milliseconds: Processor time of a page; None where it is not known.
        verdict: What became of it.
        moved: Pages whose text changed, worst first; of the vault those that fell too far.
        accepted: SHA-256 of the accepted results after it; "" of earlier logs.
        tried, by_heart, untried: Pages tried with words changed, those of them known by heart, and
            those that could not be tried.
        why_untried: Why no page was; "" where some were.
        removed: Cycles at the end of the log, or all of it, that stood there before and are gone.
        start: SHA-256 of the starting method's results on the vault; "" where there are none.
        error: Standard error of the difference of both means; None except of the vault.
        seal: SHA-256 of all lines before and of this one without it; "" of earlier logs.
    """

    date: str
    method: str
    measure: str
    hypothesis: str
    change: str
    pages: int
    before: float | None
    after: float
    milliseconds: float | None
    verdict: CycleVerdict
    moved: tuple[MovedPage, ...] = ()
    accepted: str = ""
    tried: int = 0
    by_heart: int = 0
    untried: int = 0
    why_untried: str = ""
    removed: int = 0
    seal: str = ""
    start: str = ""
    error: float | None = None

    @property
    def summary(self) -> str:
        """The outcome in a sentence."""
        before = "" if self.before is None else f"{self.before:.4f} → "
        up, down = self._counts
        moved = f"; better: {up}, worse: {down}" if self.moved else ""
        if self.verdict is CycleVerdict.VAULT and self.before is not None:
            error = "" if self.error is None else f" ± {self.error:.4f}"
            moved = f": {self.after - self.before:+.4f}{error}"
            moved += f"; {plural(len(self.moved), 'page')} fell by more than .05"
        if excused := sum(bool(each.explanation) for each in self.moved):
            moved += f" ({excused} explained)"
        if self.tried or self.untried:
            heart = self.by_heart, self.tried, self.untried, self.why_untried
            moved += f"; {tried_in_words(*heart)}"
        if self.removed:
            moved += f"; {plural(self.removed, 'cycle')} of the log as it stood here before gone"
        spent = "" if self.milliseconds is None else f"; {self.milliseconds} ms of processor a page"
        return (
            f"{self.verdict}: mean {self.measure} {before}{self.after:.4f} of "
            f"{plural(self.pages, 'page')}{moved}{spent}"
        )

    @property
    def _counts(self) -> tuple[int, int]:
        """Numbers of better and worse pages."""
        differences = [each.difference for each in self.moved]
        return sum(each > 0 for each in differences), sum(each < 0 for each in differences)


def read_log(folder: Path) -> list[Cycle]:
    """Return the cycles in a folder's log, oldest first; none where there is no log.

    Raises `InputError`.
    """
    path, lines = folder / LOG, _lines(folder)
    try:
        cycles = [_cycle(json.loads(line)) for line in lines]
        is_sealed = [
            not k.seal or k.seal == _seal(lines[:n], lines[n]) for n, k in enumerate(cycles)
        ]
    except (ValueError, TypeError, KeyError, RecursionError):
        raise InputError(f"{path} is not a log that pagelet loop wrote") from None
    first = next((n for n, each in enumerate(cycles) if each.seal), len(cycles))
    if known := _known(folder):  # what follows the lines that this user has seen is sealed
        first = min(first, _common(known, lines))
    edited = [n for n, each in enumerate(cycles, 1) if n > first and not each.seal]
    edited += [n for n, is_right in enumerate(is_sealed, 1) if not is_right]
    if edited:
        raise InputError(
            f"{path} was changed since pagelet loop wrote it, at cycle {min(edited)}: restore it, "
            "or begin a new log with --log"
        )
    return cycles


def _lines(folder: Path) -> list[str]:
    """Return the lines of a log, whichever ends of line git gave them."""
    path = folder / LOG
    if not path.exists():
        return []
    with convert_os_error(f"read {path}"):
        text = read_bytes(path, _MOST_BYTES).decode("utf-8", "surrogateescape")
    return [line for line in text.replace("\r", "").split("\n") if line]


def _seal(before: Sequence[str], line: str) -> str:
    """Return the seal of a line: of all lines before, and of itself without its seal."""
    own = {name: value for name, value in json.loads(line).items() if name != "seal"}
    return _digest("\n".join((*before, json.dumps(own, ensure_ascii=False))))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def _known_path(folder: Path) -> Path:
    return settings_folder() / KNOWN / f"{_digest(str(folder.resolve()))[:32]}.json"


def _known(folder: Path) -> list[str]:
    """Return the digests of a log's lines as this user's settings have them.

    What can change the log seldom looks there.
    """
    with suppress(OSError, ValueError, RecursionError):
        read = json.loads(read_bytes(_known_path(folder), _MOST_BYTES))
        return read if isinstance(read, list) else []
    return []


def _common(known: Sequence[str], lines: Sequence[str]) -> int:
    """Return how many lines a log begins with that were known."""
    pairs = enumerate(zip(known, lines, strict=False))
    return next((n for n, (a, b) in pairs if a != _digest(b)), min(len(known), len(lines)))


def removed_cycles(folder: Path) -> int:
    """Return how many cycles a folder's log had at its end that are gone, or are others now."""
    known = _known(folder)
    return len(known) - _common(known, _lines(folder))


def _cycle(read: dict[str, object]) -> Cycle:
    moved = read.pop("moved")
    if not isinstance(moved, list):
        raise TypeError
    pages = tuple(MovedPage(**{**each, "why": tuple(each["why"])}) for each in moved)
    own = {**read, "verdict": CycleVerdict(str(read["verdict"]))}
    return Cycle(**own, moved=pages)  # type: ignore[arg-type]


def add_to_log(
    folder: Path,
    cycle: Cycle,
    accepted: Mapping[str, AcceptedPage] | None = None,
    start: Mapping[str, AcceptedPage] | None = None,
) -> str:
    """Add a cycle to a folder's log, in both forms, and replace the accepted results by others.

    So are those on the vault, ``start``.  None is done without the others.  Return why the log is
    not remembered, "" where it is.  Raises `InputError`.
    """
    with ExitStack() as both:
        for name, pages in ((ACCEPTED, accepted), (START, start)):
            if pages is not None:
                both.enter_context(atomic_write(folder / name)).write_bytes(_as_bytes(pages))
        if accepted is not None:
            cycle = replace(cycle, accepted=_results_digest(accepted))
        if start is not None:
            cycle = replace(cycle, start=_results_digest(start))
        cycles, lines = [*read_log(folder), cycle], _lines(folder)
        line = json.dumps(asdict(cycle), ensure_ascii=False)
        line = line.encode("utf-8", "backslashreplace").decode()
        sealed = {**json.loads(line), "seal": _seal(lines, line)}
        lines.append(json.dumps(sealed, ensure_ascii=False))
        with atomic_write(folder / LOG) as beside:
            text = "".join(f"{each}\n" for each in lines)
            beside.write_bytes(text.encode("utf-8", "surrogateescape"))
    with atomic_write(folder / SHOWN) as beside:
        beside.write_text(as_markdown(cycles), "utf-8", "backslashreplace")
    try:
        with convert_os_error("keep the digests of the log in the settings"):
            path = _known_path(folder)
            path.parent.mkdir(parents=True, exist_ok=True)
            with atomic_write(path) as beside:
                beside.write_text(json.dumps([*map(_digest, lines)], indent=1), "utf-8")
    except InputError as error:
        return f"{error}: cycles that are removed will not be noticed"
    return ""


def read_accepted(folder: Path, name: str = ACCEPTED) -> dict[str, AcceptedPage]:
    """Return the accepted results, or those of `START`, by data set and page; {} without a file.

    Raises `InputError`.
    """
    path = folder / name
    if not path.exists():
        return {}
    try:
        with convert_os_error(f"read {path}"):
            data = gzip.decompress(read_bytes(path, _MOST_BYTES))
        return {
            str(name): AcceptedPage(
                float(each["score"]),
                each["text"],
                tuple((a, b, c) for a, b, c in each["why"]),
                each.get("data", ""),
            )
            for name, each in json.loads(data).items()
        }
    except (ValueError, TypeError, KeyError, AttributeError, EOFError, RecursionError):
        raise InputError(f"{path} is not what pagelet loop wrote: delete it") from None


def accepted_digest(folder: Path, name: str = ACCEPTED) -> str:
    """Return the SHA-256 of the accepted results, or of `START`; "" where there are none."""
    path = folder / name
    if not path.exists():
        return ""
    with convert_os_error(f"read {path}"):
        return hashlib.sha256(read_bytes(path, _MOST_BYTES)).hexdigest()


def check_unchanged(folder: Path, cycles: Sequence[Cycle], measure: str) -> None:
    """Raise `InputError` where accepted results or the measure are not those of the last cycle."""
    if cycles and cycles[-1].measure != measure:
        raise InputError(
            f"cycles in {folder} are scored by {cycles[-1].measure}, not {measure}: means of two "
            f"measures cannot be compared; add --measure {cycles[-1].measure}"
        )
    for name, known in (
        ((ACCEPTED, cycles[-1].accepted), (START, cycles[-1].start)) if cycles else ()
    ):
        if known and accepted_digest(folder, name) != known:
            raise InputError(
                f"{folder / name} is not what the last cycle left: changes would be measured "
                "against something else; restore it, or begin a new log with --log"
            )


def _results_digest(pages: Mapping[str, AcceptedPage]) -> str:
    return hashlib.sha256(_as_bytes(pages)).hexdigest()


def _as_bytes(pages: Mapping[str, AcceptedPage]) -> bytes:
    every = {
        name: {"score": each.score, "text": each.text, "why": each.decisions, "data": each.data}
        for name, each in pages.items()
    }
    return gzip.compress(json.dumps(every).encode(), mtime=0)


def as_markdown(cycles: Sequence[Cycle]) -> str:
    """Return the log as a page: a table of all cycles, then each with the pages that moved."""
    opened = sum(each.verdict is CycleVerdict.VAULT for each in cycles)
    gone = sum(each.removed for each in cycles)
    rows = [["cycle", "hypothesis", "pages", "mean", "better", "worse", "ms", "verdict"]]
    for number, each in enumerate(cycles, 1):
        mean = "" if each.before is None else f"{each.before:.4f} → "
        up, down = ("", "") if each.verdict is CycleVerdict.VAULT else map(str, each._counts)
        spent = "" if each.milliseconds is None else str(each.milliseconds)
        rows.append([
            str(number), each.hypothesis, str(each.pages), f"{mean}{each.after:.4f}", up, down,
            spent, str(each.verdict),
        ])  # fmt: skip
    parts = [
        f"{plural(len(cycles), 'cycle')}; the vault was opened {plural(opened, 'time')}"
        + (f"; {plural(gone, 'cycle')} removed before." if gone else "."),
        markdown_table([[as_cell(cell) for cell in row] for row in rows]),
    ]
    for number, each in enumerate(cycles, 1):
        if each.moved or each.change:
            parts += _details(number, each)
    return "\n\n".join(parts) + "\n"


def _details(number: int, cycle: Cycle) -> list[str]:
    half = _MOST_MOVED // 2
    shown = [*cycle.moved] if len(cycle.moved) <= _MOST_MOVED else [
        *cycle.moved[:half], *cycle.moved[-half:]
    ]  # fmt: skip
    parts = [f"## Cycle {number}: {cycle.verdict}", as_cell(cycle.hypothesis)]
    parts += [f"Changed: {as_cell(cycle.change)}"] if cycle.change else []
    if shown:
        rows = [["page", "type", "before", "after", "lost", "gained", "why"]]
        rows += [
            [e.page, e.type, f"{e.before:.3f}", f"{e.after:.3f}", e.lost, e.gained, _why(e)]
            for e in shown
        ]
        parts.append(markdown_table([[as_cell(cell) for cell in row] for row in rows]))
    return parts


def _why(page: MovedPage) -> str:
    before, after = page.why
    decided = f"{before} → {after}" if before or after else ""
    return "; ".join(filter(None, (decided, page.explanation)))

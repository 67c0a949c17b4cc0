"""Tasks of an evaluation and their results: what travels to workers and back, and rows of it."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from algorithms.core.batch import Measures, Run, RunStatus, Setup
from algorithms.measures.measure import Measure
from algorithms.measures.prf import Score
from annotate.datasets.case_files import PageFiles
from annotate.datasets.cases import Case, Key
from annotate.evaluation.run.run_options import EvaluationOptions
from annotate.evaluation.store.rows import ResultRow, RunFacts, parameters_of, version_of
from engine.errors import PageletError
from engine.word_units import WordUnit

RENDERED = ("dom", "seen", "rendered")
"""Forms of a page that need a browser."""


@dataclass(frozen=True)
class Work:
    """Settings of the work on every page, the same for all workers.

    Attributes:
        measures: Keys.
        renderer: Name and version of the browser engine.
        options: Options of the evaluation.
        is_verbose: Whether to print progress on stderr, causes of failures included.
    """

    measures: tuple[str, ...]
    renderer: str
    options: EvaluationOptions = field(default_factory=EvaluationOptions)
    is_verbose: bool = False


@dataclass(frozen=True)
class CaseTask:
    """Case and the setups to run on it.

    Attributes:
        number: The caller's number for it.
        case: The page with its gold.
        setups: Methods to run.
        start: The first setup to run; those before it are done.
        unrendered: Outcome of an earlier rendering, if it killed a worker.
    """

    number: int
    case: Case
    setups: tuple[Setup, ...]
    start: int = 0
    unrendered: Run | None = None


STARTING, READING, RENDERING = "starting", "reading", "rendering"
"""Steps of a worker; running a method is called by that method's name."""


@dataclass(frozen=True)
class PageFacts:
    """Facts about a page for the rows of a table; as far as it is known.

    Attributes:
        digest: SHA-256 of the document.
        size: Its bytes.
        dom_size: Bytes of the DOM HTML; None where the page was not rendered.
        viewport: Width and height it was rendered in; None where it was not.
        is_cached: Whether its rendering is an earlier one.
        notes: Notes for the user on the rendering and the gold.
        gold_text: The main content; None if there is none or it was not requested.
        gold: Digest by `gold_digest`.
        seen: Fingerprints of page and gold (`algorithms.learning.seen`).
        if_empty: Measure → what an empty text scores; empty until a text is to be scored.
    """

    digest: str
    size: int
    dom_size: int | None = None
    viewport: tuple[int, int] | None = None
    is_cached: bool = False
    notes: tuple[str, ...] = ()
    gold_text: str | None = None
    gold: str = ""
    seen: tuple[str, ...] = ()
    if_empty: Mapping[str, Score] = field(default_factory=dict)


WorkMessage = str | PageFacts | Run
"""The step that a worker begins, what it knows of the page, or how a method ended."""


@dataclass(frozen=True)
class PageDone:
    """A case with one run for each setup; without facts its document could not be read."""

    task: CaseTask
    facts: PageFacts | None
    runs: tuple[Run, ...]

    def rows(self, renderer: str, measures: Measures, unit: WordUnit) -> list[ResultRow]:
        """Return its rows, one a run and measure; ``unit`` is what texts were scored by."""
        key, runs = self.task.case.key, zip(self.task.setups, self.runs, strict=True)
        return [
            row
            for setup, run in runs
            for row in rows_of(
                key, self.facts, renderer, setup, run, measures.of(setup.entry), unit
            )
        ]

    @classmethod
    def of(cls, task: CaseTask, facts: PageFacts | None, runs: Iterable[Run]) -> "PageDone":
        """Return a case that is done, with what an empty text scores where no text came."""
        if_empty = {} if facts is None else facts.if_empty
        lost = RunStatus.FAILED, RunStatus.TIMED_OUT
        both = zip(task.setups, runs, strict=True)
        every = (
            replace(run, if_empty=run.if_empty or if_empty)
            if setup.is_extractor and run.status in lost
            else run
            for setup, run in both
        )
        return cls(task, facts, tuple(every))

    @property
    def notes(self) -> list[str]:
        _, name, read = self.task.case.key
        return [f"{name} ({read}): {note}" for note in (self.facts.notes if self.facts else ())]


def rows_of(
    key: Key,
    facts: PageFacts | None,
    renderer: str,
    setup: Setup,
    run: Run,
    measures: Sequence[Measure],
    unit: WordUnit = "characters",
) -> Iterator[ResultRow]:
    """Yield the rows of one run, one a measure; ``unit`` is what its text was scored by."""
    facts = facts or PageFacts("", 0)
    is_rendered = setup.input in RENDERED
    shared = RunFacts(
        *key,
        setup.method,
        version_of(setup),
        parameters_of(setup),
        None if run.seconds is None else round(1000 * run.seconds, 4),
        None if run.text is None else run.unmapped,
        facts.digest,
        (facts.dom_size if is_rendered else facts.size) or 0,
        renderer if is_rendered else "",
        facts.viewport if is_rendered else None,
        run.gold_on_page,
        run.extract_on_page,
        unit if setup.is_extractor else "",
        facts.gold,
        not setup.learned_from.isdisjoint(facts.seen),
    )
    for measure in measures:
        why_not = run.unscored.get(measure.key, "")
        yield ResultRow(
            shared,
            measure.key,
            RunStatus.SKIPPED if why_not else run.status,
            why_not or run.reason,
            run.scores.get(measure.key, Score(None)),
            run.counts.get(measure.key),
            run.if_empty.get(measure.key),
        )


def has_changed(rows: Iterable[ResultRow], files: PageFiles) -> bool:
    """Return whether a page is to be done again; reads its document and its gold.

    Properties unknown in either have not changed; but if neither could be read, so that the page
    failed, and now both can, they have.
    """
    page = gold = ""
    has_failed = False
    for row in rows:
        page, gold = page or row.run.page_hash, gold or row.run.gold_hash
        has_failed |= row.status is RunStatus.FAILED
    if not page and not has_failed:
        return False
    now = page_digest(files), gold_digest(files)
    if not page:
        return all(now)
    return any(then and new and then != new for then, new in zip((page, gold), now, strict=True))


def page_digest(files: PageFiles) -> str:
    """Return the SHA-256 of a page's document; "" where it cannot be read, or only from the web."""
    document = files.document()
    try:
        return "" if document.is_live else hashlib.sha256(document.read()).hexdigest()
    except PageletError:
        return ""


def gold_digest(files: PageFiles) -> str:
    """Return the SHA-256 of a page's gold files; "" if they cannot be read."""
    try:
        parts = files.gold_bytes(), repr(files.snippets()).encode("utf-8", "surrogatepass")
        return hashlib.sha256(b"\0".join(parts)).hexdigest()
    except PageletError:
        return ""

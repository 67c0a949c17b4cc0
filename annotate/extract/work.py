"""Worker process for a range of an archive: extract every page, write one file."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Self

import numpy as np

from algorithms.core.attempt import OutcomeStatus, attempt
from algorithms.core.batch import Setup
from algorithms.results import Extraction
from algorithms.structure import Form
from annotate.archives.page_ranges import ArchivedPage, RecordRange, pages
from annotate.evaluation.run.triage import worst_of
from annotate.evaluation.store.rows import parameters_of, version_of
from annotate.evaluation.tables.prediction_quality import BAD
from annotate.extract import extracted_rows
from annotate.extract.extracted_rows import ExtractedPage, Format
from annotate.extract.stream import expected_f1, form_in
from engine.errors import CaptureError, InputError, LoadTimeout
from engine.page import Page
from engine.processes.worker_process import Handler, Send
from engine.runs import mark_covered
from engine.source import Source
from engine.tree import Bools
from engine.web.worker_browser import LateBrowser
from engine.word_units import word_count

LEAST_CHARACTERS = 60
"""A shorter text gets no language."""


@dataclass(frozen=True)
class ExtractionJob:
    """Settings of the work on every page, the same for all workers.

    Attributes:
        setup: The method.
        beside: Methods whose agreement is the confidence.
        out: The folder to write to.
        kind: Output format.
        seconds: Time limit of one page.
        only: Addresses of the pages to extract; None takes all.
        no_sandbox: See `engine.web.headless.Browser`.
        also: Other columns beside the text.
        predicts: Whether each page's F1 is predicted.
    """

    setup: Setup
    beside: tuple[Setup, ...]
    out: Path
    kind: Format
    seconds: float = 120.0
    only: frozenset[str] | None = None
    no_sandbox: bool = False
    also: tuple[Form, ...] = ()
    predicts: bool = False

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns that are written."""
        return extracted_rows.columns_with(self.also, predicts=self.predicts)


@dataclass(frozen=True)
class ShardOrder:
    """Range of records to extract.

    Attributes:
        file: File to write.
        records: The records.
        chosen: Numbers of the records to extract; None takes all.
        digest: Stored with the rows, to recognise them.
        lost: Number of a record → how it ended, of those that took a worker down before.
        goes_on: Whether the rows that such a worker had finished are taken as they are.
    """

    file: Path
    records: RecordRange
    chosen: frozenset[int] | None
    digest: str
    lost: Mapping[int, tuple[str, str]]
    goes_on: bool = False


@dataclass(frozen=True)
class PageCounts:
    """Numbers of extracted pages and of answers that are none.

    Attributes:
        counts: Status → how many rows have it.
        left_out: Number of unsuccessful answers in HTML, which are not pages.
        not_html: Number of answers other than HTML.
        not_chosen: Number of pages not selected.
        truncated: Number of pages of which the archive has only the beginning.
        failure: Why the first page failed; "" if none did.
        predicted, bad: Of how many pages the F1 was predicted, and of how many it is below
            `annotate.evaluation.tables.prediction_quality.BAD`.
        worst: Prediction and address of the worst of these.
    """

    counts: Mapping[str, int] = field(default_factory=dict)
    left_out: int = 0
    not_html: int = 0
    not_chosen: int = 0
    truncated: int = 0
    failure: str = ""
    predicted: int = 0
    bad: int = 0
    worst: Sequence[tuple[float, str]] = ()

    @property
    def pages(self) -> int:
        """Number of rows written."""
        return sum(self.counts.values())

    def plus(self, other: "PageCounts") -> Self:
        """Return the same with the counts of other pages."""
        names = ("left_out", "not_html", "not_chosen", "truncated", "predicted", "bad")
        return replace(
            self,
            counts=dict(Counter(self.counts) + Counter(other.counts)),
            failure=self.failure or other.failure,
            worst=tuple(worst_of([*self.worst, *other.worst])),
            **{name: getattr(self, name) + getattr(other, name) for name in names},
        )


@dataclass(frozen=True)
class ShardSummary(PageCounts):
    """Summary of an order; its counts up to `not_chosen` add up to the records of the range.

    Attributes:
        trouble: Why the archive could not be read to the end of the range; "" if it could.
    """

    trouble: str = ""


@contextmanager
def extraction_worker(send: Send, job: ExtractionJob) -> Iterator[Handler]:
    """Answer a `ShardOrder` by its summary; the number of each record is sent as it begins."""
    with LateBrowser(no_sandbox=job.no_sandbox) as browser:
        yield partial(_do, _JobTools(job, browser), send)


def _do(tools: "_JobTools", send: Send, order: ShardOrder) -> ShardSummary:
    order.file.parent.mkdir(parents=True, exist_ok=True)
    counts, statuses = Counter[str](), Counter[str]()
    failure, trouble, only = "", "", tools.job.only
    f1s: list[float] = []
    worst: list[tuple[float, str]] = []
    with (
        extracted_rows.FinishedRows(order.file, goes_on=order.goes_on) as finished,
        extracted_rows.RowWriter(order.file, tools.job.kind, tools.job.columns) as writer,
    ):
        try:
            for number, page in enumerate(pages(order.records)):
                if not isinstance(page, ArchivedPage):
                    counts["not_html" if page is None else "left_out"] += 1
                    continue
                send(number)
                is_chosen = order.chosen is None or number in order.chosen
                is_asked = number in order.lost or only is None or page.address in only
                if not (is_chosen and is_asked):
                    counts["not_chosen"] += 1
                    continue
                row = finished.get(number)
                if row is None:
                    row = tools.row(order.records, page, order.lost.get(number))
                    finished.add(number, row)
                writer.add(row)
                statuses[row.status] += 1
                counts["truncated"] += bool(row.truncated)
                failure = failure or row.reason
                if row.predicted_f1 is not None:
                    f1s.append(row.predicted_f1)
                    worst = worst_of([*worst, (row.predicted_f1, row.address)])
        except InputError as error:
            trouble = str(error)
        summary = ShardSummary(
            dict(statuses), **counts, failure=failure, trouble=trouble,
            predicted=len(f1s), bad=sum(f1 < BAD for f1 in f1s), worst=worst,
        )  # fmt: skip
        writer.finish({"shard": order.digest, **asdict(summary)})
    return summary


class _JobTools:
    """Browser, started for the first page that needs one, and language detection if installed."""

    def __init__(self, job: ExtractionJob, browser: LateBrowser) -> None:
        self.job, self._browser = job, browser
        self._method = job.setup.method, version_of(job.setup), parameters_of(job.setup)
        self._detect: Callable[[str], tuple[str, int]] | None = None
        with suppress(ImportError):
            from resiliparse.parse.lang import detect_fast

            self._detect = detect_fast

    def row(
        self, records: RecordRange, archived: ArchivedPage, lost: tuple[str, str] | None
    ) -> ExtractedPage:
        source = Source.of(archived.received)
        status, reason = lost or ("failed", archived.trouble)
        row = ExtractedPage(
            records.name,
            archived.offset,
            archived.length,
            archived.record,
            archived.address,
            extracted_rows.date_of(archived.date),
            len(archived.data),
            hashlib.sha256(archived.data).hexdigest(),
            source.encoding,
            source.title,
            None,
            *self._method,
            status,
            reason,
            archived.truncated,
            archived.digest,
        )
        if lost is not None or archived.trouble:
            return row
        try:
            page = Page(archived.address, source)
            if self.job.setup.input != "original":
                page = self._browser.capture(archived.document(records.path))
        except (CaptureError, InputError) as error:
            status = "timed out" if isinstance(error, LoadTimeout) else "failed"
            return replace(row, status=status, reason=str(error))
        return self._filled(row, page)

    def _filled(self, row: ExtractedPage, page: Page) -> ExtractedPage:
        setup = self.job.setup
        outcome = attempt(setup.entry, page, setup.params, setup.input)
        result = outcome.result
        if not isinstance(result, Extraction):
            status = "timed out" if outcome.timed_out else "failed"
            return replace(row, status=status, reason=outcome.error)
        source, text = result.source, result.text
        is_kept = _kept_words(result)
        count = int(is_kept.sum())
        f1, low, high = expected_f1(result) if self.job.predicts else (None, None, None)
        return replace(
            row,
            language=self._language(text if len(text) >= LEAST_CHARACTERS else source.text),
            status="empty" if outcome.status is OutcomeStatus.EMPTY else "ok",
            reason="",
            text=text,
            words=word_count(text),
            page_words=word_count(" ".join(source.words)),
            linked=round(_words_in_links(source, is_kept) / count, 4) if count else None,
            confidence=self._confidence(page, is_kept),
            ms=round(1000 * outcome.seconds, 4),
            markdown=form_in(result, "markdown", page.url, self.job.also),
            html=form_in(result, "html", page.url, self.job.also),
            predicted_f1=f1,
            predicted_low=low,
            predicted_high=high,
        )

    def _confidence(self, page: Page, is_kept: Bools) -> float | None:
        if not is_kept.any():
            return None
        result = []
        for setup in self.job.beside:
            other = attempt(setup.entry, page, setup.params, setup.input).result
            if isinstance(other, Extraction):
                also = _kept_words(other)
                result.append(2.0 * int((is_kept & also).sum()) / int(is_kept.sum() + also.sum()))
        return round(sum(result) / len(result), 4) if result else None

    def _language(self, text: str) -> str | None:
        if self._detect is None or len(text) < LEAST_CHARACTERS:
            return None
        code, _ = self._detect(text)
        return None if code == "unknown" else str(code)


def _kept_words(extraction: Extraction) -> Bools:
    """Return which words of its source an extraction keeps, bool (w,)."""
    starts, ends = extraction.source.words_in(extraction.spans).T
    return mark_covered(starts, ends, len(extraction.source.words))


def _words_in_links(source: Source, is_kept: Bools) -> int:
    """Return how many of a source's kept words are in links: after ``<a>``, before ``</a>``.

    From the tokens alone: reading the tree takes as long as all the rest.
    """
    tokens = source.tokens
    tags = np.flatnonzero(tokens.is_named("a"))
    before = np.concatenate(([0], np.cumsum(is_kept)))
    kept = before[np.append(tokens.words.searchsorted(tags), is_kept.size)]  # before each, and all
    return int((kept[1:] - kept[:-1])[~tokens.is_close[tags]].sum())

"""Pages one after the other, without files: what a method extracts, with the F1 that is expected.

What makers of corpora put between a reader and a writer of their own: nothing is rendered, written
or started, and a page costs what the method costs.  `annotate.extract.run` does whole archives.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from algorithms.core.attempt import OutcomeStatus, attempt
from algorithms.core.batch import Setup
from algorithms.results import Extraction
from algorithms.structure import Form, form_of
from annotate.evaluation.tables.prediction_quality import BAD
from engine.errors import InputError
from engine.page import Page
from engine.source import Source
from engine.word_units import word_count


@dataclass(frozen=True)
class StreamedPage:
    """Result of one page.

    Attributes:
        address: As it was given.
        text: The main content; "" where there is none.
        status: ok, empty, failed, timed out.
        reason: Why there is no text, of the last two.
        words: Number of words of the text.
        predicted_f1, predicted_low, predicted_high: F1 in words expected without gold, and bounds;
            None if not requested, or without a result.
        is_low: Whether the expected F1 is below the requested minimum; without a result, too.
        markdown, html: Result with its elements, if requested.
    """

    address: str
    text: str
    status: str
    reason: str = ""
    words: int = 0
    predicted_f1: float | None = None
    predicted_low: float | None = None
    predicted_high: float | None = None
    is_low: bool = False
    markdown: str | None = None
    html: str | None = None


@dataclass(frozen=True)
class StreamOptions:
    """Settings of the work on each page.

    Attributes:
        setup: The method.
        also: Other output beside the text.
        predicts: Whether the F1 is predicted.
        least: Expected F1 below which a page is low.
        drops: Whether such pages are left out.
    """

    setup: Setup
    also: tuple[Form, ...] = ()
    predicts: bool = True
    least: float = BAD
    drops: bool = False

    def __post_init__(self) -> None:
        if not self.setup.is_extractor or self.setup.entry.reads_site:
            raise InputError(f"{self.setup.method} does not extract from a page alone")
        if self.setup.input != "original":
            raise InputError("pages of a stream are not rendered: they are read as they came")
        if not 0 <= self.least <= 1:
            raise InputError(f"least must be from 0 to 1, got {self.least:g}")
        if self.drops and not self.predicts:
            raise InputError("low pages cannot be dropped without a prediction")


def stream_pages(
    pages: Iterable[tuple[str, str | bytes]], options: StreamOptions
) -> Iterator[StreamedPage]:
    """Yield the result of each page, in order; only one is held at a time.

    ``pages`` are addresses with HTML: bytes are decoded as a browser does.
    """
    for address, data in pages:
        page = extract_page(address, data, options)
        if not (options.drops and page.is_low):
            yield page


def extract_page(address: str, data: str | bytes, options: StreamOptions) -> StreamedPage:
    """Return the result of one page."""
    if isinstance(data, str):
        source = Source.from_text(data.replace("\0", ""))
    else:
        source = Source.from_bytes(data)
    setup = options.setup
    outcome = attempt(setup.entry, Page(address, source), setup.params, setup.input)
    result = outcome.result
    if not isinstance(result, Extraction):
        status = "timed out" if outcome.timed_out else "failed"
        return StreamedPage(address, "", status, outcome.error, is_low=options.predicts)
    expected = expected_f1(result) if options.predicts else (None, None, None)
    is_low = options.predicts and (expected[0] is None or expected[0] < options.least)
    return StreamedPage(
        address, result.text, "empty" if outcome.status is OutcomeStatus.EMPTY else "ok", "",
        word_count(result.text), *expected, is_low=is_low,
        markdown=form_in(result, "markdown", address, options.also),
        html=form_in(result, "html", address, options.also),
    )  # fmt: skip


def expected_f1(result: Extraction) -> tuple[float | None, float | None, float | None]:
    """Return the F1 that is expected without gold, and its bounds; None without words."""
    if not result.source.words:
        return None, None, None
    from algorithms.triage.prediction import predict

    made = predict(result.source, result)
    return round(made.f1, 4), round(made.low, 4), round(made.high, 4)


def form_in(result: Extraction, form: Form, address: str, also: Sequence[Form]) -> str | None:
    """Return a result in a form with elements; None if that is not requested."""
    return form_of(result, form, address) if form in also else None

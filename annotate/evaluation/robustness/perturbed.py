"""Data set with each page changed, except its content."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from algorithms.core.attempt import BlockGold, attempt
from algorithms.explain.differences import words_kept
from algorithms.measures.snippets import Snippets
from algorithms.measures.text_words import normalise, words_of
from algorithms.method import Method
from algorithms.params import Params
from algorithms.results import Extraction, keep_words
from annotate.datasets.case_files import PageFiles, Render
from annotate.datasets.cases import DataSet
from annotate.evaluation.robustness.perturbations import PERTURBATIONS, Perturbation
from annotate.evaluation.tables.axes import MARK as MARK
from annotate.marks.gold import Gold, MarkState
from engine.document import Document
from engine.errors import InputError
from engine.fetch import Received
from engine.page import Page
from engine.sequences import common_words
from engine.source import Source

_BY_KEY = {each.key: each for each in PERTURBATIONS}


@dataclass(frozen=True)
class PerturbedContent:
    """The bytes of a page, changed; ``key`` is the perturbation's."""

    document: Document
    key: str

    def receive(self) -> Received:
        """Return the changed page in the encoding of the change; raises `InputError`."""
        received = self.document.receive()
        change = _BY_KEY[self.key]
        if change.html is None:
            return received
        html = change.html(Source.of(received).html)
        errors = "replace" if change.encoding.startswith("utf") else "xmlcharrefreplace"
        return Received(html.encode(change.encoding, errors), change.encoding)


@dataclass(frozen=True)
class PerturbedFiles(PageFiles):
    """Changed page; its gold is that of the original page, with its texts changed likewise."""

    files: PageFiles
    key: str

    def document(self) -> Document:
        document, change = self.files.document(), self.change
        if change.html is not None:
            document = replace(document, data=None, content=PerturbedContent(document, self.key))
        return document if change.document is None else change.document(document)

    @property
    def change(self) -> Perturbation:
        return _BY_KEY[self.key]

    def marks(self, page: Page) -> Gold:
        """The marks at their positions after the change, which keeps the marked content."""
        gold = self.files.marks(page)
        if gold.block_texts is not None:
            return gold
        moved = MarkState.MOVED
        followed = (m.with_(state=MarkState.EXACT) if m.state is moved else m for m in gold.marks)
        return replace(gold, marks=tuple(followed))

    def page_type(self) -> str:
        return self.files.page_type()

    def host(self) -> str:
        return self.files.host()

    def text(self, render: Render) -> str | None:
        text = self.files.text(render)
        return text if text is None or self.change.text is None else self.change.text(text)

    def snippets(self) -> Snippets | None:
        known, text = self.files.snippets(), self.change.text
        if known is None or text is None:
            return known
        return Snippets(tuple(map(text, known.required)), tuple(map(text, known.unwanted)))

    def blocks(self, render: Render) -> BlockGold | None:
        """The gold blocks by their texts: where they stood is another place now."""
        gold, text = self.files.blocks(render), self.change.text
        if gold is None:
            return None
        texts = gold.texts if text is None else [(text(each), level) for each, level in gold.texts]
        return replace(gold, texts=texts, blocks=None, why_no_location="the page was changed")

    def gold_bytes(self) -> bytes:
        return self.files.gold_bytes()


def harm(before: str, after: str, tolerated: float = 0.0, gold: str | None = None) -> str:
    """Return why a change is not harmless to the content, "" where it is.

    Args:
        before, after: Text of the page.
        tolerated: Share of the words that may come or go.
        gold: Where it is known, words that are not in it may go.
    """
    old, new, marked = (Counter(words_of(normalise(t))) for t in (before, after, gold or ""))
    gone = old - new if gold is None else (old - new) - (old - marked)
    lost, added = gone.total(), (new - old).total()
    if lost + added <= tolerated * max(1, old.total()):
        return ""
    return f"the change is not harmless here: {lost} words are gone and {added} have come"


def perturb_pages(dataset: DataSet, changes: Sequence[Perturbation]) -> tuple[DataSet, ...]:
    """Return the original data set, and a changed one for each change."""
    return (dataset, *(_changed(dataset, change) for change in changes))


def names_as_they_are(datasets: Iterable[DataSet]) -> list[str]:
    """Return the names of data sets, those of changed ones left out."""
    return [dataset.name for dataset in datasets if MARK not in dataset.name]


def _changed(dataset: DataSet, change: Perturbation) -> DataSet:
    pages = tuple(
        (name, {variant: PerturbedFiles(each, change.key) for variant, each in files.items()})
        for name, files in dataset.pages
    )
    return replace(
        dataset, name=f"{dataset.name}{MARK}{change.key}", pages=pages, origin="", complete=0,
        is_package=False, problems=(),
    )  # fmt: skip


OF_SOURCE: tuple[Perturbation, ...] = tuple(
    each for each in PERTURBATIONS if each.html is not None and each.encoding == "utf-8"
)
"""Those that leave the page's own words in it: what is kept after them can be shown on it."""


def after_change(entry: Method, params: Params, source: Source, change: Perturbation) -> Extraction:
    """Return the words of the original page that a method keeps of the changed one.

    Raises `InputError` where the method gives nothing.
    """
    assert change.html is not None
    page = Page("", Source.from_text(change.html(source.html)))
    outcome = attempt(entry, page, params, "original")
    if not isinstance(outcome.result, Extraction):
        raise InputError(outcome.error or f"{entry.name} gives no text of the changed page")
    pairs = common_words(source.words, outcome.result.source.words)
    keeps = np.zeros(len(source.words), dtype=bool)
    keeps[pairs[:, 0]] = words_kept(outcome.result)[pairs[:, 1]]
    return keep_words(source, keeps)

"""One page, what methods find on it, and what that scores."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from algorithms.core.attempt import BlockGold
from algorithms.core.batch import Setup, measures_of, score_blocks, score_extraction
from algorithms.core.catalogue import has_method, named_method
from algorithms.levels import Level
from algorithms.measures.prf import Score
from algorithms.measures.snippets import Snippets
from algorithms.measures.text_comparison import GoldText
from algorithms.method import Method
from algorithms.params import Params, Value
from algorithms.results import Extraction, Result, Segmentation
from algorithms.structure import form_of
from algorithms.templates.site import Site
from algorithms.trace import Trace
from annotate.datasets.case_files import PageFiles
from annotate.datasets.site_pages import index_of, site_of
from annotate.evaluation.report.markup import table_html
from annotate.library import drawing, rendering
from engine import geometry
from engine.archive import pack, unpack
from engine.document import Document
from engine.errors import InputError, ParameterError
from engine.page import Input, Page
from engine.source import Source
from engine.word_units import WORD_UNITS, WordUnit, words_in
from engine.words import join_words, no_such, plural

if TYPE_CHECKING:
    from algorithms.own.functions import ExtractFunction


class Scores(dict[str, Score]):
    """Measure → score with ``value``, ``precision`` and ``recall``.

    Attributes:
        why_none: Why there is none, in one sentence; "" where there are some.
        gold_seen: Whether the method learned from the gold of this page.
        input: What the method read of the page; "" where nothing was run.
    """

    def __init__(
        self,
        scores: Mapping[str, Score] | None = None,
        why_none: str = "",
        *,
        gold_seen: bool = False,
        input: str = "",
    ) -> None:
        super().__init__(scores or {})
        self.why_none, self.gold_seen, self.input = why_none, gold_seen, input

    def __repr__(self) -> str:
        if self.why_none:
            return f"Scores(none: {self.why_none})"
        parts = [f"{key}={_number(each.value)}" for key, each in self.items()]
        parts += [f"input={self.input!r}"] * bool(self.input) + ["gold_seen=True"] * self.gold_seen
        return f"Scores({', '.join(parts)})"

    def _repr_html_(self) -> str:
        if self.why_none:
            return table_html([], [], f"No scores: {self.why_none}")
        lines = [
            [key, *map(_number, (score.value, score.precision, score.recall))]
            for key, score in self.items()
        ]
        note = f"The method read the page as {self.input}." if self.input else ""
        note += " It has seen the gold of this page." if self.gold_seen else ""
        return table_html(["measure", "value", "P", "R"], lines, note)


@dataclass(frozen=True, eq=False)
class OpenPage:
    """A page to run methods on; it is rendered when that is first needed, in another process.

    Attributes:
        document: Where it is and how it is shown.
        files: Where its gold is; None where there can be none.
    """

    document: Document
    files: PageFiles | None = None

    @property
    def address(self) -> str:
        """Address it was opened from."""
        return self.document.address

    @cached_property
    def source(self) -> Page:
        """The document as received, not rendered."""
        source = Source.of(self.document.receive())
        return Page(self.document.address, source, title=self.document.title)

    @cached_property
    def rendered(self) -> Page:
        """The page rendered; costs a second or so the first time."""
        page = rendering.render(self.document)
        return page if self.files is None else self.files.laid_out(page)

    @property
    def title(self) -> str:
        """The document's title."""
        page = self.__dict__.get("rendered") or self.source
        return page.title or (page.original.title if page.original else "")

    @property
    def html(self) -> str:
        """The document as received, decoded."""
        return self.source.source("original").html

    @cached_property
    def gold(self) -> "PageGold | None":
        """Annotators' marks on it; None for an unmarked page."""
        return None if self.files is None else PageGold(self)

    def run(
        self, method_key: "str | ExtractFunction", *, input: Input | None = None, **params: Value
    ) -> "MethodRun":
        """Run a method and return what it found.

        Args:
            method_key: As `methods` lists them, or a function from HTML to text.
            input: ``original``, ``dom`` or ``rendered``; by default what the method reads first.
            params: Its parameters by name; the others have their defaults.

        Raises:
            InputError: There is no such method, input or parameter, or the page cannot be read.
            MethodError: The method cannot work on this page.
            CaptureError: The page cannot be rendered.

        >>> import pagelet
        >>> page = pagelet.open(b"<title>Tea</title><p>Tea is a drink of hot water and leaves.")
        >>> page.run("plain").text
        'Tea is a drink of hot water and leaves.'
        """
        return self.run_setup(setup_of(method_key, params, input))

    def run_setup(self, setup: Setup) -> "MethodRun":
        """Run a method as it is set up; raises as `run`."""
        page = self.source if setup.input == "original" else self.rendered
        start = time.perf_counter()
        result = setup.entry.run(page, setup.params, setup.input, self._site(setup))
        return MethodRun(self, setup, time.perf_counter() - start, result)

    def _site(self, setup: Setup) -> Site | None:
        """Return the page's site for a method that reads it, None where none is known."""
        documents = self.files.site_documents() if self.files and setup.entry.reads_site else ()
        if not documents:
            return None
        return site_of(documents).at(index_of(documents, self.document))

    def __getstate__(self) -> dict[str, Any]:
        known = self.__dict__.get("rendered")
        packed = None if known is None else pack(known)
        return {"document": self.document, "files": self.files, "packed": packed}

    def __setstate__(self, state: dict[str, Any]) -> None:
        packed = state.pop("packed")
        self.__dict__.update(state)
        if packed is not None:
            self.__dict__["rendered"] = unpack(packed, self.address)

    def __repr__(self) -> str:
        return f"<page {self.document.name}>"

    def _repr_html_(self) -> str:
        return drawing.page_html(self)


def setup_of(
    key: "str | ExtractFunction", params: Mapping[str, Value], source: Input | None = None
) -> Setup:
    """Return a method as it is set up; raises `InputError` for unknown names."""
    return set_up(entry_of(key), params, source)


def set_up(entry: Method, params: Mapping[str, Value], source: Input | None = None) -> Setup:
    """Return a method with parameters and what it reads; raises `InputError`."""
    known = entry.params.specs()
    for name in params:
        if name not in known:
            raise ParameterError(no_such(f"parameter of {entry.key}", name, known))
    made: Params = entry.params(**params)
    requested = source or entry.default_input()
    if requested not in entry.inputs:
        raise InputError(
            f"{entry.key} does not read the {requested} page; it reads: {join_words(entry.inputs)}"
        )
    return Setup(entry.key, made, requested, entry.recipe)


def entry_of(word: "str | ExtractFunction") -> Method:
    """Return a method by its key, file or function; raises `InputError`."""
    if isinstance(word, str):
        return named_method(word)
    if not callable(word):
        raise InputError(f"a method is a key or a function from HTML to text, got {word!r}")
    from algorithms.own.functions import method_of

    made = method_of(word)
    if has_method(made.key):
        raise InputError(f"there is a method {made.key!r} already: rename the function")
    return made


@dataclass(frozen=True, eq=False)
class FoundBlock:
    """A block that a method found.

    Attributes:
        level, type, reason: As `algorithms.results.Block` has them.
        text: All text in it.
        box: x, y, width and height in CSS px from the page's top left; of all its nodes together.
        rows: Its nodes, as rows of the page's node table.
    """

    level: Level
    type: str
    text: str
    box: tuple[float, float, float, float]
    rows: tuple[int, ...]
    reason: str = ""

    def __repr__(self) -> str:
        x, y, wide, high = (round(number) for number in self.box)
        kind = f" {self.type}" if self.type else ""
        return f"<block {self.level}{kind} {wide}x{high}+{x}+{y} {self.text.strip()[:40]!r}>"


@dataclass(frozen=True, eq=False)
class MethodRun:
    """Result of a method on a page.

    Attributes:
        page: The page.
        setup: The method, its parameters and what it read.
        seconds: What it took, the text of an extraction not included.
        result: Spans of the source, or blocks of the rendered page.
    """

    page: OpenPage
    setup: Setup
    seconds: float
    result: Result

    @property
    def method(self) -> str:
        """The method's key."""
        return self.setup.method

    @cached_property
    def text(self) -> str:
        """The main content; of a method that gives blocks, their texts, level 1, a line each."""
        if isinstance(self.result, Extraction):
            return self.result.text
        blocks = [block for block in self.blocks if block.level == 1] or self.blocks
        return "\n".join(" ".join(block.text.split()) for block in blocks)

    @cached_property
    def markdown(self) -> str:
        """Result as Markdown, with headings, lists, tables, code, links and emphasis.

        >>> import pagelet
        >>> page = pagelet.open(b"<h2>Tea</h2><ul><li>hot<li><b>black</b></ul>")
        >>> print(page.run("plain").markdown)
        ## Tea
        <BLANKLINE>
        - hot
        - **black**
        """
        return form_of(self.result, "markdown", self.page.source.url)

    @cached_property
    def html(self) -> str:
        """The same as clean HTML, without scripts, styles and boxes."""
        return form_of(self.result, "html", self.page.source.url)

    @cached_property
    def blocks(self) -> tuple[FoundBlock, ...]:
        """The blocks; none of a method that extracts."""
        result = self.result
        if isinstance(result, Extraction):
            return ()
        found = []
        for b in result.blocks:
            text, box = result.text_of(b), geometry.box_of(result.nodes, b.rows)
            found.append(FoundBlock(b.level, b.type, text, box, b.rows, b.reason))
        return tuple(found)

    @cached_property
    def trace(self) -> Trace | None:
        """Decisions of the method; None for one that gives none."""
        return self.setup.entry.trace(self._read, self.setup.params, self.setup.input)

    @property
    def _read(self) -> Page:
        """The page as the method read it."""
        return self.page.source if self.setup.input == "original" else self.page.rendered

    def score(
        self,
        gold: "PageGold | str | None" = None,
        measures: str | None = None,
        word_unit: WordUnit = "characters",
    ) -> "Scores":
        """Return what it scores, by measure; those this gold cannot give are left out.

        A page without gold of this kind gives none; ``why_none`` gives the reason.

        Args:
            gold: The page's own by default; a text is used as main content.
            measures: Keys separated by commas, or ``all``; by default the usual ones.
            word_unit: Unit of words in Chinese, Japanese, Thai, Lao, Khmer and Burmese:
                ``"characters"`` or ``"clauses"``.

        Raises:
            InputError: The text given is no gold of this kind, or there is no such measure.

        >>> import pagelet
        >>> run = pagelet.open(b"<p>Tea is hot.<p>Buy now!").run("plain")
        >>> run.score("Tea is hot.")["cs"].recall
        1.0
        """
        if word_unit not in WORD_UNITS:
            raise InputError(f"word_unit must be {join_words(WORD_UNITS, 'or')}, got {word_unit!r}")
        if not isinstance(gold, PageGold | str | None):
            kind = f"a value of type {type(gold).__name__}"
            raise InputError(f"gold must be a text or the gold of a page, got {kind}")
        keys = measures_of(measures, [self.setup.entry.output])
        page = "the page" if self.page.address == "-" else self.page.address
        mine = None if isinstance(gold, str) else gold or self.page.gold
        if isinstance(self.result, Extraction):
            text, snippets = gold if isinstance(gold, str) else None, None
            if mine is not None:
                text, snippets = mine.text, mine.snippets
            if text is None and snippets is None:
                return Scores(why_none=f"{page} has no gold text to score by")
            prepared = GoldText(text, self.result.source, snippets, word_unit)
            scores = score_extraction(self.result, prepared, keys.text).scores
            seen = self.setup.has_seen(self.page.source, text or "")
            return Scores(scores, gold_seen=seen, input=self.setup.input)
        if isinstance(gold, str):
            raise InputError("a text is gold for main content, and this method gives blocks")
        blocks = None if mine is None else mine.block_gold
        if blocks is None:
            return Scores(why_none=f"{page} has no gold blocks to score by")
        scores = score_blocks(self.result, blocks, keys.blocks).scores
        seen = self.setup.has_seen(self.page.source, blocks.texts)
        return Scores(scores, gold_seen=seen, input=self.setup.input)

    def __getstate__(self) -> dict[str, Any]:
        r = self.result
        light: object = (
            (np.asarray(r.spans), r.given, r.unmapped, r.seconds)
            if isinstance(r, Extraction)
            else (r.blocks, r.rounds)
        )
        return {"page": self.page, "setup": self.setup, "seconds": self.seconds, "light": light}

    def __setstate__(self, state: dict[str, Any]) -> None:
        light = state.pop("light")
        self.__dict__.update(state)
        if self.setup.is_extractor:
            result: Result = Extraction(self._read.source(self.setup.input), *light)
        else:
            result = Segmentation(self.page.rendered.rendered(), *light)
        self.__dict__["result"] = result

    def __repr__(self) -> str:
        if isinstance(self.result, Extraction):
            text = plural(len(words_in(self.text)), "word")
        else:
            text = plural(len(self.result.blocks), "block")
        return f"<{self.method} on {self.page.document.name}: {text}>"

    def _repr_html_(self) -> str:
        return drawing.run_html(self)


@dataclass(frozen=True, eq=False)
class PageGold:
    """Annotators' marks on a page.

    Attributes:
        page: The page.
    """

    page: OpenPage

    @cached_property
    def text(self) -> str | None:
        """The main content; None if it is not marked."""
        return self._files.text(lambda: self.page.rendered)

    @cached_property
    def snippets(self) -> Snippets | None:
        """Phrases that the main content has, or has not; None if there are none."""
        return self._files.snippets()

    @cached_property
    def blocks(self) -> Sequence[tuple[str, int]]:
        """Text and level of each gold block; empty if none are marked."""
        result = self.block_gold
        return () if result is None else tuple((text, level) for text, level in result.texts)

    @cached_property
    def block_gold(self) -> BlockGold | None:
        """The blocks as measures take them; None if none are marked."""
        return self._files.blocks(lambda: self.page.rendered)

    @property
    def _files(self) -> PageFiles:
        assert self.page.files is not None, "a page without files has no gold"
        return self.page.files

    def __getstate__(self) -> dict[str, Any]:
        return {"page": self.page}

    def __repr__(self) -> str:
        return f"<gold of {self.page.document.name}>"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"

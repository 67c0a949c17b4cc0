"""Method: one entry of the catalogue, and a placeholder for one that is not in it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from algorithms.figures.figure import Figure
from algorithms.params import Params, Value, param, params_class
from algorithms.results import Extraction, Result
from algorithms.templates.site import Site
from algorithms.trace import Trace
from engine.errors import MethodError
from engine.page import SOURCES, Input, Page
from engine.source import Source


class MethodRecipe(Protocol):
    """Recipe for a method outside the catalogue, in any process; can be pickled and hashed."""

    def entry(self, key: str) -> "Method":
        """Return the method under a key."""

    def for_page(self, _name: str) -> "MethodRecipe":
        """Return the part of the recipe for one page of a data set: by default all of it."""
        return self


@dataclass(frozen=True)
class Method:
    """A published method, ready to run.

    Attributes:
        key: Its short name in files and on the command line.
        name: Its name on screen.
        params: The class of its parameters.
        output: ``"extraction"`` or ``"segmentation"``.
        cite: Authors and year, or the thesis' section.
        on_source: Runs on one source (original, DOM, or as it is seen); None if it cannot.
        on_page: Runs on the rendered page; None if it needs no rendering.
        on_site: Runs on a page together with its site: on the site's seed; None if one page is all
            it reads.
        version: Of the program that does the work; "" for Pagelet's own.
        summary: One sentence for the user: what it takes as content, or as a block.
        trace_source, trace_page, trace_site: Why it keeps what it keeps, on the input of
            `on_source`, `on_page` or `on_site`; None if it cannot explain them.
        figures_source, figures_page: Figures it brings itself, on the same inputs; Pagelet's own
            methods have theirs in `algorithms.plugins.figure`.
        prepare: Reads what runs with some parameters need and is kept afterwards, such as a model:
            no part of the time of a run; None where there is nothing.
        recipe: What makes it in another process; None where a catalogue there has it.
        reads_seen: Whether it reads a page as it is seen where that is rendered anyway.
        card: The card of the model it reads, by its parameters; None of a method that does not
            learn.
        members: The methods that it runs on the source, with their parameters; None of a method
            that runs no other.
    """

    key: str
    name: str
    params: type[Params]
    output: str
    cite: str
    on_source: Callable[[Source, Any], Result] | None = None
    on_page: Callable[[Page, Any], Result] | None = None
    on_site: Callable[[Site, Any], Extraction] | None = None
    summary: str = ""
    version: str = ""
    trace_source: Callable[[Source, Any], Trace] | None = None
    trace_page: Callable[[Page, Any], Trace] | None = None
    trace_site: Callable[[Site, Any], Trace] | None = None
    figures_source: Callable[[Source, Any], tuple[Figure, ...]] | None = None
    figures_page: Callable[[Page, Any], tuple[Figure, ...]] | None = None
    prepare: Callable[[Any], object] | None = None
    recipe: MethodRecipe | None = None
    reads_seen: bool = False
    card: Callable[[Any], Mapping[str, Any]] | None = None
    members: "Callable[[Any], tuple[tuple[Method, Params], ...]] | None" = None

    @property
    def is_own(self) -> bool:
        """Whether Pagelet does the work itself; else it waits for another process to do it."""
        return not self.version

    @property
    def inputs(self) -> tuple[Input, ...]:
        """Inputs that it can read, the usual one first."""
        reads_source = self.on_source is not None or self.reads_site
        result = SOURCES if reads_source else ()
        return (*result, "rendered") if self.on_page else result

    def default_input(self, *, is_rendered: bool = False) -> Input:
        """Return the default input: the rendered page if a browser renders it anyway.

        Commands, Python and window call this; their defaults differ in ``is_rendered`` only.
        """
        if not is_rendered:
            return self.inputs[0]
        if self.on_page is not None:
            return "rendered"
        if self.reads_site:
            return "original"
        return "seen" if self.reads_seen else "dom"

    @property
    def reads_site(self) -> bool:
        """Whether it reads a page together with its site."""
        return self.on_site is not None

    @property
    def says_why(self) -> bool:
        """Whether it can explain why it kept or dropped words of a source."""
        return self.trace_source is not None or self.trace_site is not None

    def run(self, page: Page, params: Params, source: Input, site: Site | None = None) -> Result:
        """Run on one input of ``page``; `MethodError` if it cannot read that input.

        ``site`` is the page's site, with the page as its seed; only methods that read it want it.
        """
        if source == "rendered" and self.on_page is not None:
            return self.on_page(page, params)
        if source != "rendered" and (self.on_site is not None or self.on_source is not None):
            return self.run_on(page.source(source), params, site)
        raise MethodError(f"{self.name} does not read the {source} page")

    def run_on(self, source: Source, params: Params, site: Site | None = None) -> Result:
        """Run on a source, with its site as in `run`; `MethodError` if it cannot."""
        if self.on_site is not None:
            result = self.on_site(self._site_of(source, site), params)
            return result.on(source)  # the site may hold another, equal source
        if self.on_source is not None:
            return self.on_source(source, params)
        raise MethodError(f"{self.name} does not read the source of a page")

    def trace(
        self, page: Page, params: Params, source: Input, site: Site | None = None
    ) -> Trace | None:
        """Return the decisions of a run on one input of ``page``; None if it has no trace."""
        if source == "rendered":
            return self.trace_page(page, params) if self.trace_page is not None else None
        return self.trace_on(page.source(source), params, site)

    def trace_on(self, source: Source, params: Params, site: Site | None = None) -> Trace | None:
        """Return the decisions of a run on a source; None if it cannot explain them."""
        if self.trace_site is not None:
            return self.trace_site(self._site_of(source, site), params)
        return self.trace_source(source, params) if self.trace_source is not None else None

    def _site_of(self, source: Source, site: Site | None) -> Site:
        if site is None:
            raise MethodError(f"{self.name} reads a page together with its site: none is known")
        return site.reading(source)


@dataclass(frozen=True)
class UnknownMethod(MethodRecipe):
    """A method that results are of; it cannot be run.

    Attributes:
        output: What it gave.
        values: Names and values of its parameters.
    """

    output: str
    values: tuple[tuple[str, Value], ...]

    def entry(self, key: str) -> Method:
        def fail(_source: Source, _params: Params) -> Result:
            raise MethodError(f"there is no method {key} here to run")

        fields = [(name, type(value), param(value, "as it was run")) for name, value in self.values]
        made = params_class("StandInParams", fields)
        return Method(
            key, key, made, self.output, "", on_source=fail, version="unknown", recipe=self
        )


def unknown_method(key: str, output: str, values: Mapping[str, Value]) -> Method:
    """Return a placeholder for a method with the parameters it was run with."""
    return UnknownMethod(output, tuple(values.items())).entry(key)

"""Method: one entry of the catalogue."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from algorithms.params import Params
from algorithms.results import Result
from engine.errors import MethodError
from engine.page import Input, Page
from engine.source import Source


@dataclass(frozen=True)
class Method:
    """A published method, ready to run.

    Attributes:
        key: Its short name in files and on the command line.
        name: Its name on screen.
        params: The class of its parameters.
        output: ``"extraction"`` or ``"segmentation"``.
        cite: Authors and year, or the thesis' section.
        on_source: Runs on one source (original or DOM HTML); None if it cannot.
        on_page: Runs on the rendered page; None if it needs no rendering.
        version: Of the program that does the work; "" for Pagelet's own.
        summary: One sentence for the user: what it takes as content, or as a block.
    """

    key: str
    name: str
    params: type[Params]
    output: str
    cite: str
    on_source: Callable[[Source, Any], Result] | None = None
    on_page: Callable[[Page, Any], Result] | None = None
    summary: str = ""
    version: str = ""

    @property
    def is_own(self) -> bool:
        """Whether Pagelet does the work itself; else it waits for another process to do it."""
        return not self.version

    @property
    def inputs(self) -> tuple[Input, ...]:
        """What it can read, the usual one first."""
        found: tuple[Input, ...] = ("original", "dom") if self.on_source else ()
        return (*found, "rendered") if self.on_page else found

    def run(self, page: Page, params: Params, source: Input) -> Result:
        """Run on one input of ``page``; `MethodError` if it cannot read that input."""
        if source == "rendered" and self.on_page is not None:
            return self.on_page(page, params)
        if source != "rendered" and self.on_source is not None:
            return self.on_source(page.source(source), params)
        raise MethodError(f"{self.name} does not read the {source} page")

"""Page: everything known of one page at one moment; frozen; what every method reads."""

import hashlib
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from engine.align import Alignment
from engine.errors import MethodError
from engine.nodes import NodeTable
from engine.source import Source

Input = Literal["original", "dom", "rendered"]
"""What a method reads: the HTML of the single GET, the serialised DOM, or the rendered nodes."""


@dataclass(frozen=True, eq=False)
class Page:
    """One page.

    Attributes:
        url: The address the reader sees (a file's path for local pages).
        original: The document as received; None for a page that has only a DOM.
        dom: The DOM serialised after settling; None for a page that was not rendered.
        nodes: The rendered nodes; None for a page that was not rendered.
        viewport: Width and height in CSS px the page was rendered in.
        title: The document's title, "" if it has none.
        notes: What a user should know of the capture, one sentence each ("timed out after 20 s").
    """

    url: str
    original: Source | None = None
    dom: Source | None = None
    nodes: NodeTable | None = None
    viewport: tuple[int, int] = (1366, 768)
    title: str = ""
    notes: tuple[str, ...] = field(default=())

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the original bytes, or of the DOM where there are none."""
        source = self.original or self.dom
        data = b"" if source is None else source.data or source.html.encode("utf-8", "replace")
        return hashlib.sha256(data).hexdigest()

    def source(self, name: Input) -> Source:
        """Return the original or the DOM source; `MethodError` if the page has none."""
        result = self.original if name == "original" else self.dom
        if result is None:
            missing = (
                "original HTML" if name == "original" else "DOM HTML (the page is not rendered)"
            )
            raise MethodError(f"this page has no {missing}")
        return result

    def rendered(self) -> NodeTable:
        """Return the rendered nodes; `MethodError` if the page was not rendered."""
        if self.nodes is None:
            raise MethodError("this method needs the rendered page")
        return self.nodes

    @cached_property
    def dom_alignment(self) -> Alignment:
        """Where each word of `dom` stands in the rendered nodes: exact."""
        return Alignment.of_dom(self.source("dom"), self.rendered())

    @cached_property
    def original_alignment(self) -> Alignment:
        """Where each word of `original` stands in the rendered nodes: by word sequence."""
        return Alignment.of_original(self.source("original"), self.rendered())

    def alignment(self, source: Source) -> Alignment:
        """Return the alignment of one of this page's two sources."""
        return self.dom_alignment if source is self.dom else self.original_alignment

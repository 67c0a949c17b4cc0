"""Page: everything known of one page at one moment; frozen; the input of every method."""

import hashlib
from dataclasses import dataclass, field, replace
from functools import cached_property
from threading import Lock
from typing import Any, Literal

from engine.align import Alignment
from engine.errors import MethodError
from engine.nodes import NodeTable
from engine.seen import Seen
from engine.source import Source

Input = Literal["original", "dom", "seen", "rendered"]
"""What a method reads: the HTML of the single GET, the serialised DOM, the DOM with the layout
written into it (`engine.seen`), or the rendered nodes."""

SOURCES: tuple[Input, ...] = ("original", "dom", "seen")
"""The inputs that are HTML."""

_MAKING = Lock()


@dataclass(frozen=True, eq=False)
class Page:
    """Web page.

    Attributes:
        url: The address the reader sees (a file's path for local pages).
        original: The document as received; None for a page that has only a DOM.
        dom: The DOM serialised after settling; None for a page that was not rendered.
        nodes: The rendered nodes; None for a page that was not rendered.
        viewport: Width and height in CSS px the page was rendered in.
        title: The document's title, "" if it has none.
        notes: Remarks on the capture for the user, one sentence each ("timed out after 20 s").
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
        """Return a source, `seen` made when first asked for; `MethodError` if there is none."""
        if name == "seen":
            if self.nodes is None:
                raise MethodError("this page is not rendered: there is no text as it is seen")
            return self.seen.source
        result = self.original if name == "original" else self.dom
        if result is None:
            missing = (
                "original HTML" if name == "original" else "DOM HTML (the page is not rendered)"
            )
            raise MethodError(f"this page has no {missing}")
        return result

    def name_of(self, source: Source) -> Input:
        """Return which of the page's sources one is."""
        if source is self.dom:
            return "dom"
        seen = self.__dict__.get("_seen")
        return "seen" if seen is not None and source is seen.source else "original"

    @property
    def seen(self) -> Seen:
        """The page as it is seen: HTML, and the place of each of its words.  O(nodes), once."""
        with _MAKING:  # threads that read the page at once get the same source
            seen: Seen | None = self.__dict__.get("_seen")
            if seen is None:
                seen = self.__dict__["_seen"] = Seen.of(self.rendered(), self.dom)
        return seen

    def unread(self) -> "Page":
        """Return the page with nothing computed yet of its sources and nodes."""
        sources: dict[str, Any] = {
            name: source and source.unread()
            for name, source in (("original", self.original), ("dom", self.dom))
        }
        page = replace(self, **sources, nodes=self.nodes and replace(self.nodes))
        seen = self.__dict__.get("_seen")
        if seen is not None:  # part of the page, as its DOM is
            page.__dict__["_seen"] = replace(seen, source=seen.source.unread())
        return page

    def rendered(self) -> NodeTable:
        """Return the rendered nodes; `MethodError` if the page was not rendered."""
        if self.nodes is None:
            raise MethodError("this method needs the rendered page")
        return self.nodes

    @cached_property
    def dom_alignment(self) -> Alignment:
        """Exact location of each word of `dom` in the rendered nodes."""
        return Alignment.of_dom(self.source("dom"), self.rendered())

    @cached_property
    def original_alignment(self) -> Alignment:
        """Location of each word of `original` in the rendered nodes, by word sequence."""
        return Alignment.of_original(self.source("original"), self.rendered())

    def alignment(self, source: Source) -> Alignment:
        """Return the alignment of one of this page's sources."""
        name = self.name_of(source)
        if name == "seen":
            return self.seen.alignment
        return self.dom_alignment if name == "dom" else self.original_alignment

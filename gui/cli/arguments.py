"""Shared command-line arguments and their values."""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from algorithms.core.catalogue import named_method
from algorithms.method import Method
from algorithms.params import Params
from algorithms.templates.site import Site
from annotate.datasets.cases import Variant
from annotate.datasets.no_pages import takes_all as take_all
from annotate.datasets.no_pages import takes_none as take_none
from annotate.datasets.opening import (
    OpenedPages,
    list_documents,
    open_document,
    open_page,
    open_pages,
)
from annotate.datasets.site_pages import site_with
from engine.document import Document, with_repeatable
from engine.errors import InputError
from engine.options import Options, option
from engine.page import Input, Page
from engine.source import Source
from engine.words import join_words
from gui.cli.signatures import Argument
from gui.cli.terminal import note

if TYPE_CHECKING:
    from engine.web.headless import Browser


TakesAll = Annotated[
    bool,
    Argument(
        "take files of a folder that are no pages, too: error pages, redirects, fragments",
        flag="all",
    ),
]
SiteFolder = Annotated[
    str | None,
    Argument(
        "the page's site, for methods that read it: a folder of pages, or a data set",
        metavar="FOLDER",
    ),
]


@dataclass(frozen=True)
class PageOptions(Options):
    """Input and parameters of a method, and the rendering of the page.

    Attributes:
        requested: What the method reads; None leaves it to the method.
        settings: Parameters of the method, ``name=value`` each.
        no_sandbox: See `engine.web.headless.Browser`.
    """

    requested: Input | None = option(
        None, "what the method reads (default: original, where it can)", flag="input"
    )
    settings: Sequence[str] = option((), "set a parameter", flag="set", metavar="NAME=VALUE")
    viewport: str | None = option(None, "layout size in px", metavar="WxH")
    repeatable: bool | None = option(
        None,
        "where pages are rendered, give their scripts the same random numbers and date each "
        "time (default: local pages yes, live ones no)",
    )
    variant: Variant = option("html", "which file of a page in Kreuzer's layout")
    no_sandbox: bool = False

    def input_of(self, entry: Method) -> Input:
        """Return the input of a method; `InputError` lists those it can read."""
        is_rendered = bool(self.viewport) or self.repeatable is not None
        requested = self.requested or entry.default_input(is_rendered=is_rendered)
        if requested not in entry.inputs:
            reads = join_words(entry.inputs)
            raise InputError(f"{entry.key} does not read the {requested} page; it reads: {reads}")
        return requested

    def page_of(self, path: str, *, needs_rendering: bool) -> Page:
        """Return the page named on the command line, rendered if that is needed.

        What is rendered has the layout its gold was made on, where that is kept.
        """
        viewport = viewport_of(self.viewport)
        document = open_document(path, variant=self.variant, viewport=viewport)
        document = with_repeatable(document, self.repeatable)
        if not needs_rendering:
            source = Source.of(document.receive())
            note(*source.notes)
            return Page(document.address, source)
        with browser_for(document, no_sandbox=self.no_sandbox) as browser:
            page = browser.capture(document)
        note(*browser.notes, *page.notes)
        return page if path == "-" else open_page(path, self.variant).laid_out(page)


@contextmanager
def browser_for(document: Document | None = None, *, no_sandbox: bool) -> "Iterator[Browser]":
    """Start a browser that prints nothing, for a page and those like it; None: local pages."""
    from engine.web.headless import Browser
    from engine.web.qt_log import silence_qt_log  # Qt

    silence_qt_log()
    online = document is not None and document.is_live
    near = document is not None and document.is_near
    with Browser(online=online, near=near, no_sandbox=no_sandbox) as browser:
        yield browser


def pages_in(path: str | Path, *, takes_all: bool) -> OpenedPages:
    """Return the pages of a path; print the omitted ones unless all files are taken."""
    opened = open_pages(path, takes=take_all if takes_all else take_none)
    note(*opened.problems)
    if len(opened.no_pages) and not takes_all:
        note("with --all these files are taken, too")
    return opened


def method_of(key: str, output: str) -> Method:
    """Return a method of this output; `InputError` names the command for the other."""
    entry = named_method(key)
    if entry.output != output:
        verb = "segment" if entry.output == "segmentation" else "extract"
        raise InputError(f"{key} is a method of {entry.output}; use: pagelet {verb} {key}")
    return entry


def params_of(entry: Method, settings: Sequence[str]) -> Params:
    """Return parameters from ``name=value`` texts."""
    texts = {}
    for setting in settings:
        name, sign, value = setting.partition("=")
        if not sign:
            raise InputError(f"--set {setting} is not of the form name=value")
        texts[name.strip()] = value.strip()
    return entry.params.parse(texts)


def viewport_of(text: str | None) -> tuple[int, int] | None:
    """Return a layout size from a text such as ``1366x768``; None where none was given."""
    if not text:
        return None
    width, _, height = text.partition("x")
    if not (width.isdigit() and (not height or height.isdigit())):
        raise InputError(f"--viewport is {text!r}; give a size such as 1366x768")
    return int(width), int(height or 768)


def site_named(folder: str | None, entry: Method, page: Page) -> Site | None:
    """Return the page's site; `InputError` where the method wants one that was not named."""
    if not entry.reads_site:
        return None
    if folder is None:
        raise InputError(f"{entry.key} reads a page together with its site: add --site FOLDER")
    return site_with(list_documents(folder), page)


def processors() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


JOBS = processors()
"""Default of how many processes work."""


def check_is_other_file(out: Path, page: str | Path) -> None:
    """Raise `InputError` if the file to write is the page itself, also under another name."""
    if out.exists() and Path(page).exists() and out.samefile(page):
        raise InputError(f"{out} is the page itself: name another file after --out")

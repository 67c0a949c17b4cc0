"""What `why` and `diff` have in common: a method, a page, and its gold."""

from dataclasses import dataclass
from pathlib import Path

from algorithms.core.attempt import GoldResults
from algorithms.method import Method
from algorithms.params import Params
from algorithms.templates.site import Site
from annotate.datasets.case_files import MarkedFiles, PageFiles
from annotate.datasets.opening import open_page
from annotate.marks.gold import MAIN
from engine import bounded_file
from engine.errors import InputError
from engine.options import Options, option
from engine.page import Input, Page
from gui.cli.arguments import PageOptions, method_of, params_of, site_named


@dataclass(frozen=True)
class GoldOptions(Options):
    """The site and the gold of a page."""

    site: str | None = option(
        None,
        "the page's site, for methods that read it: a folder of pages, or a data set",
        metavar="FOLDER",
    )
    gold: Path | None = option(None, "the main content as text", metavar="FILE")
    json: bool = option(False, "print JSON")


@dataclass(frozen=True)
class PageQuestion:
    """Subject of a question; ``gold`` is None where there is none."""

    entry: Method
    params: Params
    source: Input
    page: Page
    gold: str | None = None
    site: Site | None = None


def read_question(method: str, path: str, how: PageOptions, more: GoldOptions) -> PageQuestion:
    """Return what a question is about.  A page is rendered only where its gold needs it."""
    entry = method_of(method, "extraction")
    params = params_of(entry, how.settings)
    source = how.input_of(entry)
    files = open_page(path, how.variant)
    # Main content that is marks needs the rendered page.
    is_marked = more.gold is None and isinstance(files, MarkedFiles)
    is_marked = is_marked and any(level == MAIN for level, _ in files.marked())
    page = how.page_of(path, needs_rendering=source != "original" or is_marked)
    gold = gold_of(files, page, more.gold)
    return PageQuestion(entry, params, source, page, gold, site_named(more.site, entry, page))


def asked_blocks(
    method: str, path: str, how: PageOptions, more: GoldOptions
) -> tuple[PageQuestion, GoldResults]:
    """Return what a question about a segmenter is about, and the gold blocks."""
    entry = method_of(method, "segmentation")
    params = params_of(entry, how.settings)
    source = how.input_of(entry)
    if more.gold is not None:
        raise InputError(
            f"{entry.key} finds blocks, and --gold names main content; gold blocks are taken from "
            "what comes with the page"
        )
    files = open_page(path, how.variant)
    page = how.page_of(path, needs_rendering=True)
    gold = files.marks(page).blocks_as_results(page)
    return PageQuestion(entry, params, source, page), gold


def gold_of(files: PageFiles, page: Page, file: Path | None = None) -> str | None:
    """Return the main content of a page as text; None where nobody marked any.

    Args:
        files: What was opened.
        page: It, rendered where its gold is marks.
        file: A text file that holds the gold, in place of what comes with the page.
    """
    if file is None:
        return files.text(lambda: page)
    try:
        return bounded_file.read_text(file)
    except OSError as error:
        raise InputError(f"{file} cannot be read: {error.strerror or error}") from error
    except ValueError as error:
        raise InputError(f"{file} cannot be read as gold text: {error}") from error

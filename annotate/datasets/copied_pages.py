"""Find repeated pages of a data set: a copy is no independent observation."""

from collections.abc import Iterable
from contextlib import suppress

from algorithms.learning.seen import fingerprint
from annotate.datasets.case_files import PageFiles
from engine.errors import InputError, PageletError
from engine.page import Page
from engine.source import Source
from engine.words import plural, shorten

_MOST_NAMED = 5


def copies_in(pages: Iterable[tuple[str, PageFiles]]) -> dict[str, str]:
    """Return the name of each copy of an earlier page → the name of that page.

    Copies have the same letters and digits in their texts.  Of pages with gold text only those with
    the same gold are read.  A page that is unreadable, live, or nearly without text is no copy.
    """
    by_gold: dict[str, list[tuple[str, PageFiles]]] = {}
    for name, files in pages:
        by_gold.setdefault(_gold(files), []).append((name, files))
    result = {}
    for alike in by_gold.values():
        first: dict[str, str] = {}
        for name, files in alike if len(alike) > 1 else ():
            if (mark := _mark(files)) and first.setdefault(mark, name) != name:
                result[name] = first[mark]
    return result


def copies_sentence(copies: dict[str, str]) -> str:
    """Return how many pages are copies, and which; "" for none."""
    if not copies:
        return ""
    named = [f"{shorten(copy, 30)} of {shorten(page, 30)}" for copy, page in copies.items()]
    named[_MOST_NAMED:] = [f"{len(named) - _MOST_NAMED} more"] if len(named) > _MOST_NAMED else []
    are = "is a copy of another" if len(copies) == 1 else "are copies of others"
    return (
        f"{plural(len(copies), 'page')} {are} ({', '.join(named)}): means count each, intervals "
        "and tests count a page and its copies once"
    )


def _gold(files: PageFiles) -> str:
    with suppress(PageletError):
        text = files.text(_no_rendering) or ""
        return fingerprint(text) or text.strip()
    return ""


def _no_rendering() -> Page:
    raise InputError("gold that needs the rendered page is not compared")


def _mark(files: PageFiles) -> str:
    with suppress(PageletError):
        document = files.document()
        return (
            "" if document.is_live else fingerprint(" ".join(Source.of(document.receive()).words))
        )
    return ""

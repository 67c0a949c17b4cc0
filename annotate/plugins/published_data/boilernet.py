"""BoilerNet's data sets (GoogleTrends-2017 and those converted for it): formats.md#boilernet.

``raw_html/X.html``, where annotators gave elements an attribute ``__label``, and
``prepared_html/X.html`` made from it: parsed, indented, without scripts, each text in a ``span``
with ``__boilernet_label``, 1 for main content.  Either folder may be missing, or a folder of such
pages be given itself.

A method sees the raw page where there is one.  Gold is read from the raw page's labels if it has
any, since indenting puts white space into words (``a<b>b</b>``), else from the prepared page's.  A
label counts for everything below it until another one; ``__label`` with the value ``comment`` is
ignored, as in BoilerNet's own reader.

What methods see has no label: the attributes are taken off, and so is a ``span`` that had nothing
else.  Classes of L3S-GN1's annotators go too, since its converted pages still have them.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from annotate.archives.page_files import PageWithGold, page_document, pages_in, pair_files
from annotate.datasets.labels import Labels, labelled_text, without_labels
from engine.document import Document
from engine.errors import InputError
from engine.fetch import Received, read_file
from engine.source import Source

RAW, PREPARED = "raw_html", "prepared_html"

_HINT = re.compile(r"__boilernet_label|__label|__prediction|x-nc-", re.IGNORECASE)
_SAYS = re.compile(r"__boilernet_label|__label|__prediction", re.IGNORECASE)
_LABELLED = re.compile(rb"<[a-zA-Z][^<>]*\s__(?:boilernet_label|label|prediction)\s*=")
_LABELS = Labels(
    _HINT,
    attributes=frozenset(["__boilernet_label", "__label", "__prediction"]),
    classes=re.compile(r"x-nc-\w+"),
    wrapper="span",
)


class BoilernetPage(PageWithGold):
    """A page, and the file that has the gold if the page has none; may be the same file."""

    def document(self) -> Document:
        return page_document(self.name, self, address=str(self.page))

    def receive(self) -> Received:
        """Return the page's own bytes, or UTF-8 if labels were taken off; raises `InputError`."""
        source = Source.from_bytes(read_file(self.page))
        if _HINT.search(source.html) is None:
            return Received(source.data)
        return Received(without_labels(source.html, _LABELS).encode("utf-8", "replace"), "utf-8")

    def text(self) -> str | None:
        """Return the gold, None if nothing has a label; raises `InputError` if unreadable."""
        for path in dict.fromkeys([self.page, self.gold]):
            text = labelled_text(Source.from_bytes(read_file(path)), _SAYS, _is_content)
            if text is not None:
                return text
        return None


def matches(folder: Path) -> bool:
    """Return whether a folder has this layout.  Reads one page at most."""
    if (folder / PREPARED).is_dir():
        return True
    html = folder / RAW if (folder / RAW).is_dir() else folder
    page = next(pages_in(html), None)
    try:
        return page is not None and _LABELLED.search(read_file(page)) is not None
    except InputError:  # a page that cannot be read may be another data set's
        return False


def pages(folder: Path, problems: list[str]) -> Iterator[BoilernetPage]:
    """Yield the pages with gold; ``problems`` gets a sentence for each that has only one side."""
    raw, prepared = folder / RAW, folder / PREPARED
    if not (raw.is_dir() and prepared.is_dir()):
        only = next((each for each in (raw, prepared) if each.is_dir()), folder)
        yield from (BoilernetPage(page.stem, page, page) for page in pages_in(only))
        return

    def gold_of(page: Path) -> Path | None:
        gold = prepared / page.name
        return gold if gold.is_file() or not _LABELLED.search(read_file(page)) else page

    for page, gold in pair_files(folder, pages_in(raw), pages_in(prepared), gold_of, problems):
        yield BoilernetPage(page.stem, page, gold)


def _is_content(attributes: Mapping[str, str]) -> bool | None:
    if "__boilernet_label" in attributes:
        return attributes["__boilernet_label"].strip() == "1"
    if attributes.get("__label", "comment") != "comment" or "__prediction" in attributes:
        return True
    return None

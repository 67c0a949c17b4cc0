"""Gold that comes with a page: a gold file, Kreuzer's blocks file, or a text in its package."""

from annotate import goldfile
from annotate.datasets import kreuzer, package
from annotate.gold import Gold
from engine.document import Document
from engine.page import Page


def gold_beside(document: Document, page: Page) -> tuple[Gold, tuple[str, ...]]:
    """Return the gold that lies beside a document, and what a user should know of it.

    Empty where there is none.  `InputError` says why a file that is there cannot be used.
    """
    if document.root is not None and document.data is None and document.package is None:
        path = goldfile.gold_path(document.root / document.path)
        if path.is_file():
            return goldfile.read(path, page.rendered()), ()
    blocks = kreuzer.blocks_of(document)
    if blocks is not None:
        found = kreuzer.read_gold(page.rendered(), kreuzer.read_blocks(blocks))
        return found.gold, found.problems
    text = package.gold_text(document)
    if text is not None:
        aligned = package.align_gold(page.rendered(), text)
        if aligned.share < 1.0:
            lost = ", ".join(f'"{stretch[:40]}"' for stretch in aligned.missing[:3])
            return aligned.gold, (
                f"{1 - aligned.share:.1%} of the gold text's words are not on this page: {lost}",
            )
        return aligned.gold, ()
    return Gold(), ()

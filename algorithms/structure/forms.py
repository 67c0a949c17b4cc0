"""Output forms of kept content: text, Markdown, HTML, and its parts."""

from collections.abc import Iterable
from typing import Literal, get_args

from algorithms.results import Extraction, Segmentation
from algorithms.structure.parts import StructureParts
from engine.errors import InputError
from engine.source import Source
from engine.tree import Ints
from engine.words import no_such

Form = Literal["markdown", "html"]


def form_of(result: Extraction | Segmentation, form: Form, address: str = "") -> str:
    """Return the kept content of a result with its elements; ``address`` is the page's.

    See `algorithms.structure.tree.tree_of` for their treatment.
    """
    from algorithms.structure.html import html_of  # with lxml
    from algorithms.structure.markdown import markdown_of
    from algorithms.structure.tree import tree_of

    tree = tree_of(result, address)
    return markdown_of(tree) if form == "markdown" else html_of(tree)


def text_of(source: Source, spans: Ints) -> str:
    """Return `Source.text_of` spans, int32 (k, 2), as `algorithms.structure.plain_text` does."""
    from algorithms.structure import plain_text  # with the readers of formulas

    return plain_text.text_of(source, spans)


def parts_of(result: Extraction | Segmentation) -> StructureParts:
    """Return the headings, lists, tables, code and links of the kept content."""
    from algorithms.structure.tree import tree_of  # with lxml

    return StructureParts(tree_of(result))


def forms_named(names: Iterable[str]) -> tuple[Form, ...]:
    """Return the forms of these names, each once, in their own order; raises `InputError`."""
    chosen = {name.strip() for name in names} - {""}
    for name in sorted(chosen - set(get_args(Form))):
        raise InputError(no_such("form", name, get_args(Form)))
    forms: tuple[Form, ...] = get_args(Form)
    return tuple(form for form in forms if form in chosen)

"""The parts of a clean tree that are compared: headings, tables, code; and its output forms."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from algorithms.structure.kinds import CELLS, HEADINGS, LISTS, MARKS

if TYPE_CHECKING:
    from lxml.html import HtmlElement
from collections.abc import Iterable
from typing import Literal, get_args

from algorithms.results import Extraction, Segmentation
from engine.errors import InputError
from engine.source import Source
from engine.tree import Ints
from engine.words import no_such

_OWN_ROLES = HEADINGS | CELLS | {"li", "dt", "dd", "pre", "caption", "figcaption", "blockquote"}
_INLINE = frozenset(MARKS.values()) | {"br", "img"}


@dataclass(frozen=True)
class LeveledText:
    """A heading, a list item or a block of code.

    Attributes:
        level: What it is: the level of a heading, kind and depth of a list, or a tag.
        text: Its own text, white space collapsed but in code; of an item without lists in it.
    """

    level: str
    text: str


@dataclass(frozen=True, eq=False)
class StructureParts:
    """All parts of a clean tree, read when first asked for."""

    tree: "HtmlElement"

    @cached_property
    def runs(self) -> tuple[tuple[str, str], ...]:
        """Texts between two block elements' tags, each with its element."""
        return tuple(_runs(self.tree, "p"))

    @cached_property
    def headings(self) -> tuple[LeveledText, ...]:
        """The headings in order."""
        return tuple(
            LeveledText(str(each.tag), " ".join(each.text_content().split()))
            for each in self.tree.iter(*HEADINGS)
        )

    @cached_property
    def items(self) -> tuple[LeveledText, ...]:
        """Items of lists in order, each with the tag and depth of its list."""
        return tuple(
            LeveledText(
                _level([str(up.tag) for up in each.iterancestors(*LISTS)]),
                " ".join(" ".join(text for _, text in _runs(each, "", lists=False)).split()),
            )
            for each in self.tree.iter("li")
        )

    @cached_property
    def code(self) -> tuple[LeveledText, ...]:
        """Blocks of code and formulas in order."""
        return tuple(
            LeveledText(str(each.tag), each.text_content().strip("\n"))
            for each in self.tree.iter("pre", "math")
        )

    @cached_property
    def tables(self) -> "tuple[HtmlElement, ...]":
        """The tables in order."""
        return tuple(self.tree.iter("table"))

    @cached_property
    def links(self) -> Counter[str]:
        """Number of links to each address."""
        return Counter(each.get("href", "") for each in self.tree.iter("a"))


def _level(lists: list[str]) -> str:
    return f"{lists[0]} {len(lists)}" if lists else ""


def _runs(block: "HtmlElement", role: str, *, lists: bool = True) -> Iterator[tuple[str, str]]:
    """Yield the texts of a block, those of blocks in it in their turn."""
    pieces = [block.text or ""]
    for child in block:
        tag = str(child.tag)
        if tag in _INLINE:
            pieces.append(" " if tag == "br" else child.text_content())
        elif lists or tag not in LISTS:
            yield from _run(role, pieces)
            pieces = []
            inner = f"{block.tag!s} li" if tag == "li" else tag if tag in _OWN_ROLES else role
            yield from _runs(child, inner, lists=lists)
        pieces.append(child.tail or "")
    yield from _run(role, pieces)


def _run(role: str, pieces: list[str]) -> Iterator[tuple[str, str]]:
    text = "".join(pieces)
    if text.strip():
        yield role, text


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

"""Callouts: boxes that say a note, a tip or a warning, with their kind and title."""

import re
from typing import NamedTuple

from algorithms.structure.rows import PageRows

_KINDS = (
    "note|info|information|abstract|summary|tldr|todo|tip|hint|important|success|check|done"
    "|question|help|faq|warning|caution|attention|failure|fail|missing|danger|error|bug|example"
    "|quote|cite|seealso|primary|secondary|light|dark|details|deprecated|versionadded|alert"
    "|versionchanged|experimental|remember|versionremoved|task"
)
_BOXES = ("admonition", "callout", "markdown-alert", "ghd-alert", "alert", "book-hint",
          "custom-block", "starlight-aside", "notecard", "confluence-information-macro", "hint",
          "td-alert", "custom-container")  # fmt: skip
_KIND_IN_CLASS = re.compile(
    rf"(?:^|\s)(?:markdown-alert-|ghd-alert-|alert--?|callout--?|admonition--?|theme-admonition-"
    rf"|hint--?|starlight-aside--|notecard--?|td-alert--?|td-|custom-block--?|bd-callout-"
    rf"|confluence-information-macro-|admonition_|is-style-)?({_KINDS})(?=\s|$)",
    re.IGNORECASE,
)
_IS_BOX = re.compile(
    r" (?:admonition|admonitionblock|callout|markdown-alert|ghd-alert|alert|book-hint|custom-block"
    r"|starlight-aside|notecard|confluence-information-macro|hint|bd-callout|td-alert"
    r"|theme-admonition|custom-container|docs-callout|obsidian-callout) | admonition-|_admonition"
    r"| theme-admonition-",
    re.IGNORECASE,
)
_TITLE = re.compile(
    r" (?:admonition-title|markdown-alert-title|ghd-alert-title|callout-title|callout-title-inner"
    r"|callout-title-container|callout-header|alert-heading|alert-title|custom-block-title"
    r"|starlight-aside__title|admonition-heading|callout-heading|hint-title|custom-container-title"
    r"|admonition__title|admonition-header|callout__title|confluence-information-macro-title"
    r"|book-hint-title) | admonitionHeading[-_]",
    re.IGNORECASE,
)
_NO_KIND = frozenset(["alert", "quote", "light", "dark", "secondary", "primary"])
_TAGS = frozenset("div aside section details blockquote table article p".split())
_SAME = {"check": "success", "information": "info"}


class Callout(NamedTuple):
    """A callout.

    Attributes:
        kind: Such as ``note``, in lower case.
        title: What stands above it; its kind where nothing does.
        title_rows: Rows of the title, and of the icon beside it.
    """

    kind: str
    title: str
    title_rows: tuple[int, ...]


def callouts_of(rows: PageRows) -> dict[int, Callout]:
    """Return the callouts of a page by row.

    Known are those of GitHub, Obsidian, Bootstrap, Docusaurus, Sphinx, MkDocs, Hugo, VitePress,
    Starlight, Quarto, AsciiDoc, MDN and Confluence.
    """
    found: dict[int, Callout] = {}
    past = 0
    for row in rows.mentioning(*_BOXES):
        if row < past and not _is_obsidian(rows, row):
            continue
        callout = _callout(rows, row)
        if callout:
            found[row] = callout
            past = max(past, rows.end[row])
    return found


def _is_obsidian(rows: PageRows, row: int) -> bool:
    return bool(rows.get(row, "data-callout"))


def _callout(rows: PageRows, row: int) -> Callout | None:
    if rows.names[row] not in _TAGS:
        return None
    classes, kind = rows.classes(row), rows.get(row, "data-callout").strip().lower()
    if not kind:
        if not _IS_BOX.search(classes) or _TITLE.search(classes):
            return None
        kind = _kind_in(classes)
        if not kind:
            return None
    inside = range(row + 1, rows.end[row])
    title_row = next(
        (at for at in inside if rows.names[at] != "#text" and _TITLE.search(rows.classes(at))), None
    )
    if title_row is None and rows.names[row] == "details":
        title_row = next((at for at in rows.children(row) if rows.names[at] == "summary"), None)
    if not rows.has_text(row, rows.end[row]):
        return None
    if title_row is None and " alert " in classes and not _has_sentence(rows, row):
        return None
    title = rows.text(title_row) if title_row is not None else ""
    if title_row is not None and not _has_other_text(rows, row, title_row):
        return None
    title_rows = () if title_row is None else (title_row,)
    icon = next(
        (at for at in inside if rows.names[at] == "td" and " icon " in rows.classes(at)), None
    )
    if icon is not None:
        title, title_rows = title or rows.text(icon), (*title_rows, icon)
    return Callout(kind, title or kind.capitalize(), title_rows)


def _kind_in(classes: str) -> str:
    kinds = [match[1].lower() for match in _KIND_IN_CLASS.finditer(classes)]
    kinds = [_SAME.get(kind, kind) for kind in kinds if kind not in _NO_KIND]
    if kinds:
        return kinds[-1] if kinds[0] == "details" else kinds[0]
    if re.search(r" (?:admonition|notecard) ", classes):
        return "note"
    return ""


def _has_sentence(rows: PageRows, row: int) -> bool:
    """Return whether an alert says more than a notice of the site, such as "Saved"."""
    text = rows.text(row)
    return len(text.split()) >= (3 if text.endswith((".", "!")) else 4)


def _has_other_text(rows: PageRows, row: int, title: int) -> bool:
    return rows.has_text(row, title) or rows.has_text(rows.end[title], rows.end[row])

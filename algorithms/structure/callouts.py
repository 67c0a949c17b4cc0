"""Callouts: boxes of a note, a tip or a warning, with their kind and title."""

import re
from typing import NamedTuple

from algorithms.structure.noise import IS_FOR_SCREEN_READERS
from algorithms.structure.rows import PageRows

_KINDS = (
    "note|info|information|abstract|summary|tldr|todo|tip|hint|important|success|check|done"
    "|question|help|faq|warning|caution|attention|failure|fail|missing|danger|error|bug|example"
    "|quote|cite|seealso|primary|secondary|light|dark|details|deprecated|versionadded|alert"
    "|versionchanged|experimental|remember|versionremoved|task"
)
_BOXES = ("admonition", "callout", "markdown-alert", "ghd-alert", "alert", "book-hint",
          "custom-block", "starlight-aside", "notecard", "confluence-information-macro", "hint",
          "td-alert", "custom-container", "notices", "hint-container", "tip", "warning", "caution",
          "important", "note")  # fmt: skip
_KIND_IN_CLASS = re.compile(
    rf"(?:^|\s)(?:markdown-alert-|ghd-alert-|alert--?|callout[-_]-?|admonition--?|theme-admonition-"
    rf"|myst-admonition-"
    rf"|hint--?|starlight-aside--|notecard--?|td-alert--?|td-|custom-block--?|bd-callout-"
    rf"|confluence-information-macro-|admonition_|is-style-)?({_KINDS})(?=\s|$)",
    re.IGNORECASE,
)
_IS_BOX = re.compile(
    r" (?:admonition|admonitionblock|callout|markdown-alert|ghd-alert|alert|book-hint|custom-block"
    r"|starlight-aside|notecard|confluence-information-macro|hint|bd-callout|td-alert"
    r"|theme-admonition|custom-container|docs-callout|obsidian-callout|notices|hint-container"
    r"|(?:hextra|nextra)-callout|myst-admonition) | admonition-|_admonition"
    r"| theme-admonition-| markdown-alert-| kg-callout-card ",
    re.IGNORECASE,
)
_TITLE = re.compile(
    r" (?:admonition-title|markdown-alert-title|ghd-alert-title|callout-title|callout-title-inner"
    r"|callout-title-container|callout-header|alert-heading|alert-title|custom-block-title"
    r"|starlight-aside__title|admonition-heading|callout-heading|hint-title|custom-container-title"
    r"|admonition__title|admonition-header|callout__title|confluence-information-macro-title"
    r"|book-hint-title|hint-container-title|box-label|myst-admonition-header-text"
    r"|myst-admonition-header|kg-callout-emoji) | admonitionHeading[-_]",
    re.IGNORECASE,
)
_NO_KIND = frozenset(["alert", "quote", "light", "dark", "secondary", "primary"])
_UNNAMED = re.compile(
    r" (?:admonition|notecard|kg-callout-card|hextra-callout|nextra-callout|figure) "
)
"""Boxes without a kind that are notes."""

_TAGS = frozenset("div aside section details blockquote table article p figure".split())
_SAME = {"check": "success", "information": "info"}


class Callout(NamedTuple):
    """A callout.

    Attributes:
        kind: Such as ``note``, in lower case.
        title: Its heading; its kind where there is none.
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
    for row in sorted({*rows.mentioning(*_BOXES), *rows.named("details")}):
        if row < past and not rows.get(row, "data-callout"):
            continue
        callout = _callout(rows, row)
        if callout:
            found[row] = callout
            past = max(past, rows.end[row])
    return found


def _callout(rows: PageRows, row: int) -> Callout | None:
    if rows.names[row] not in _TAGS:
        return None
    inside = [at for at in range(row + 1, rows.end[row]) if rows.names[at] != "#text"]
    title_row = next((at for at in inside if _TITLE.search(rows.classes(at))), None)
    if title_row is None:
        title_row = _title_at_start(rows, row)
    kind = _kind(rows, row, "" if title_row is None else rows.text(title_row).lower())
    if not kind or not _has_content(rows, row, title_row):
        return None
    title = "" if title_row is None else _said(rows, title_row)
    icon = next(
        (at for at in inside if rows.names[at] == "td" and " icon " in rows.classes(at)), None
    )
    if icon is not None:
        title = title or rows.text(icon)
    title_rows = tuple(at for at in (title_row, icon) if at is not None)
    return Callout(kind, title or kind.capitalize(), title_rows)


def _kind(rows: PageRows, row: int, title: str) -> str:
    """Return the kind of a callout by its attributes, classes or title; "" if it is none."""
    given = rows.get(row, "data-callout") or rows.get(row, "data-callout-type")
    if given.strip():
        return given.strip().lower()
    classes, name = rows.classes(row), rows.names[row]
    is_box = _IS_BOX.search(classes) is not None
    is_named_so = bool(title) and f" {title} " == classes.lower()
    if not (is_box or name == "details" or is_named_so) or _TITLE.search(classes):
        return ""
    if name == "figure":
        return "" if " callout " not in classes else _kind_in(f"{classes}figure ")
    is_named = title in _KINDS.split("|") and (" alert " in classes or not is_box)
    return _kind_in(classes) or (title if is_named else "")


def _has_content(rows: PageRows, row: int, title: int | None) -> bool:
    """Return whether a callout has a text besides its title; an alert without one, a sentence."""
    if title is not None:
        return rows.has_text(row, title) or rows.has_text(rows.end[title], rows.end[row])
    is_notice = " alert " in rows.classes(row) and not _has_sentence(rows, row)
    return rows.has_text(row, rows.end[row]) and not is_notice


def _title_at_start(rows: PageRows, row: int) -> int | None:
    """Return the first element of a callout, if that is a heading or names the kind of callout."""
    first = next(iter(rows.elements(row)), None)
    if first is None or rows.has_text(row, first):
        return None
    name, words = rows.names[first], rows.text(first).strip(" :").lower()
    is_title = name in ("summary", "h2", "h3", "h4", "h5", "h6") or " title " in rows.classes(first)
    return first if is_title or words in _KINDS.split("|") else None


def _said(rows: PageRows, title: int) -> str:
    """Return a title without text for screen readers; "" if only signs are left."""
    inside = range(title, rows.end[title])
    unseen = [at for at in inside if rows.names[at] != "#text"
              and IS_FOR_SCREEN_READERS.search(rows.classes(at))]  # fmt: skip
    texts = [rows.text(at) for at in inside if rows.names[at] == "#text"
             and not any(up <= at < rows.end[up] for up in unseen)]  # fmt: skip
    text = " ".join(" ".join(texts).split()) or rows.text(title)
    return text if re.search(r"\w", text) else ""


def _kind_in(classes: str) -> str:
    kinds = [match[1].lower() for match in _KIND_IN_CLASS.finditer(classes)]
    kinds = [_SAME.get(kind, kind) for kind in kinds if kind not in _NO_KIND]
    if kinds:
        return kinds[-1] if kinds[0] in ("details", "hint") else kinds[0]
    return "note" if _UNNAMED.search(classes) else ""


def _has_sentence(rows: PageRows, row: int) -> bool:
    """Return whether an alert has more text than a notice of the site, such as "Saved"."""
    text = rows.text(row)
    return len(text.split()) >= (3 if text.endswith((".", "!")) else 4)

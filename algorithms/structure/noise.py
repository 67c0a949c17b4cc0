"""Content to leave out: permalinks, names of icons, doubles, labels of buttons."""

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from algorithms.structure.reading_rules import Element, ReadingRule, read_by
from algorithms.structure.rows import PageRows
from engine.nodes import NodeTable
from engine.tokenise import INLINE_BOXES, IS_INLINE

_HEADINGS = tuple(f"h{level}" for level in range(1, 7))
_HINTS = ("headerlink", "header-link", "permalink", "anchor", "heading", "hash-link", "hashlink",
          "editsection", "inline-template", "gist-meta", "direct-link",
          "section-link", "deep-link", "headline-link", "sr-only", "sr_only",
          "hidden", "screen", "assistive-text", "show-for-sr", "invisible", "offscreen",
          "role=")  # fmt: skip
_PERMALINK = re.compile(
    r" (?:header-?link|permalink|anchor|anchor-?link|heading-?(?:link|anchor)|hash-?link"
    r"|header-anchor|anchorjs-link|direct-link|section-link|deep-link|octicon-link|headline-link"
    r"|anchor-heading|sl-anchor-link|link-anchor|td-heading-self-link) ",
    re.IGNORECASE,
)
_PERMALINK_TEXT = re.compile(
    r"^(?:\W*|link|anchor|permalink|direct link|copy link|(?:permalink|direct link|link) to .*"
    r"|section titled .*|anchor link to .*|anchor for .*|🔗)$",
    re.IGNORECASE,
)
_ICON = re.compile(r" (?:material-icons(?:-\w+)?|material-symbols-\w+|mat-icon|google-symbols) ")
_SAYS_ICON = re.compile(r"[\s_-]icons?[\s_-]|[a-z]Icons?[\s_-]| fa[srlbd]? ")
_LIGATURE = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)+")
_ICON_TAGS = ("mat-icon", "md-icon")
ICON_HINTS = ("icon", "material-symbols", "google-symbols")
"""What tags of icons that are words hold, in lower case."""
PRIVATE = "[\ue000-\uf8ff\U000f0000-\U0010fffd]"
"""Letters of no language, which fonts of icons use."""
_PRIVATE_WORD = re.compile(rf"\s*{PRIVATE}{{1,2}}\s*")
_NO_TEXT = re.compile(r" (?:mw-editsection|Inline-Template|gist-meta) ")
IS_FOR_SCREEN_READERS = re.compile(
    r" (?:sr-only|sr_only|visually-?hidden|screen-?reader(?:s?-text|-only|s-only)?|u-hiddenVisually"
    r"|is-visually-hidden|VisuallyHidden|a11y-hidden|assistive-text|show-for-sr|element-invisible"
    r"|a-offscreen|not-machine:hidden) ",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"^\W*(?:copy|copied|copy (?:code|link|to clipboard|page|text)|share(?: this)?|edit|expand"
    r"|collapse|show (?:more|less|all)|read more|load more|see more|close|menu|toggle.*|subscribe"
    r"|sign up|log in|like|reply|print|save|download|play|pause|next|previous|prev|open|run"
    r"|view raw|wrap|follow|report|bookmark|more|back to top|search|submit|try it|ask ai"
    r"|explain)\W*$",
    re.IGNORECASE,
)
_HIDING = re.compile(
    r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)(?![\w-])", re.IGNORECASE
)
_STRIKING = re.compile(r"text-decoration(?:-line)?\s*:[^;]*\bline-through\b", re.IGNORECASE)
_DECLARED = r"(?:^|;)\s*{}\s*:\s*({}|initial|inherit|unset)\s*(?:!\s*important\s*)?(?=;|$)"
_WEIGHT, _SLOPE = (
    re.compile(_DECLARED.format(name, values), re.IGNORECASE)
    for name, values in (
        ("font-weight", r"normal|bold|bolder|lighter|(?:1000|[1-9]\d{0,2})(?:\.\d+)?"),
        ("font-style", r"normal|italic|oblique(?:\s+[-+.\w]+)?"),
    )
)
"""Declarations that are valid; ``revert`` and ``var()`` state nothing that is known here."""
_IS_BOLD = re.compile(r"bold|bolder|[6-9]\d\d(?:\.\d+)?|1000", re.IGNORECASE)
_IS_SLANTED = re.compile(r"italic|oblique.*", re.IGNORECASE)
_BOLD_TAGS, _SLANTED_TAGS = ("b", "strong"), ("i", "em", "cite", "var", "dfn")
_MAY_BE_MARKED = ("span", "font", *_BOLD_TAGS, *_SLANTED_TAGS)
_HAVE_OWN_LOOK = (
    *_HEADINGS,
    "th",
    "code",
    "pre",
    "kbd",
    "samp",
    "tt",
    "listing",
    "xmp",
    "textarea",
)
_IS_REFERENCE = re.compile(r" (?:citation|ltx_cite) ")
_ROLES = {"list": "ul", "listitem": "li", "blockquote": "blockquote"}
_LONGEST_DOUBLE = 12
"""Words of texts for screen readers alone; more is content."""


class Noise(NamedTuple):
    """Rows to leave out, and tags that replace those of some rows."""

    left_out: set[int]
    tags: dict[int, str]


def noise_of(rows: PageRows) -> Noise:
    """Return the rows of a page to leave out, and the tags that roles give to elements."""
    out: set[int] = set()
    tags: dict[int, str] = {}
    headings = rows.named(*_HEADINGS)
    for row in rows.mentioning(*_HINTS):
        found = read_by(_RULES, Element(rows, row))
        if isinstance(found, int):
            out.add(found)
        elif found:
            tags[row] = found
            if found in _HEADINGS:
                headings.append(row)
    for heading in headings:
        out |= _in_heading(rows, heading)
        tags.update(dict.fromkeys(_links_to_itself(rows, heading), "span"))
    for row in headings:  # not seen as a heading
        if IS_FOR_SCREEN_READERS.search(rows.classes(row)):
            tags[row] = "strong"
    out.update(row for row in rows.named("button") if _is_bare_label(rows, row))
    out.update(rows.named("rp"))
    out |= icons_of(rows)
    tags.update(dict.fromkeys(inline_boxes(rows), "span"))
    cites = (row for row in rows.named("cite") if _IS_REFERENCE.search(rows.classes(row)))
    tags.update(dict.fromkeys(cites, "span"))  # a whole reference is not emphasised
    return Noise(out, tags)


def _is_bare_label(rows: PageRows, row: int) -> bool:
    """Return whether a button only names what it does, and is neither a heading nor in a text."""
    text = rows.text(row)
    is_label = _LABEL.match(text) or (text and not re.search(r"\w", text))
    return bool(is_label) and not (_is_whole_heading(rows, row) or _is_beside_named(rows, row))


def icons_of(rows: PageRows) -> set[int]:
    """Return elements and texts that a font draws as icons: their names, or private letters."""
    named = (row for row in rows.mentioning(*ICON_HINTS) if _is_icon(rows, row))
    at, texts = rows.texts
    letters = (row for row, text in zip(at.tolist(), texts, strict=True)
               if _PRIVATE_WORD.fullmatch(text))  # fmt: skip
    return {*named, *letters}


def _is_icon(rows: PageRows, row: int) -> bool:
    classes = rows.classes(row)
    if _ICON.search(classes) or rows.names[row] in _ICON_TAGS:
        return True
    is_small = rows.names[row] in ("i", "span", "em")
    return is_small and _SAYS_ICON.search(classes) is not None and _is_ligature(rows, row)


def _is_ligature(rows: PageRows, row: int) -> bool:
    return _LIGATURE.fullmatch(rows.glued(row).strip()) is not None


def _is_beside_named(rows: PageRows, row: int) -> bool:
    """Return whether a paragraph or form has the button beside one that stays."""
    if rows.names[rows.parent[row]] not in ("p", "form", "fieldset", "dialog"):
        return False
    others = (rows.text(at) for at in rows.elements(rows.parent[row]) if rows.names[at] == "button")
    return any(re.search(r"\w", text) and not _LABEL.match(text) for text in others)


def inline_boxes(rows: PageRows) -> list[int]:
    """Return the boxes that their own style puts in the line: they part nothing."""
    return [
        row for row in rows.mentioning("inline")
        if rows.names[row] in INLINE_BOXES and IS_INLINE.search(rows.get(row, "style"))
    ]  # fmt: skip


def struck_rows(rows: PageRows) -> list[int]:
    """Return the elements whose text is struck through by their own style, or any known one.

    Its line goes through all text in them.
    """
    struck = [row for row in rows.mentioning("line-through")
              if _STRIKING.search(rows.get(row, "style"))]  # fmt: skip
    if isinstance(rows.page, NodeTable):
        drawn = rows.page.is_computed("text-decoration-line", lambda line: "line-through" in line)
        struck += np.flatnonzero(drawn & ~rows.page.is_text).tolist()
    return struck


class StyledMarks(NamedTuple):
    """Marks that elements' own styles take away and make, by row."""

    tags: dict[int, str]
    made: dict[int, tuple[str, ...]]


def styled_marks(rows: PageRows) -> StyledMarks:
    """Return the marks that an element's own style takes away, and those that it makes.

    Programs for texts write ``<b style="font-weight:normal">`` around all they copy.  A heading is
    bold in any case, and a bold token of code is code.
    """
    styled = StyledMarks({}, {})
    for row in rows.mentioning("font-weight", "font-style"):
        style, name = rows.get(row, "style"), rows.names[row]
        weight, slope = (next(reversed(each.findall(style)), "") for each in (_WEIGHT, _SLOPE))
        is_bold, is_slanted = _IS_BOLD.fullmatch(weight), _IS_SLANTED.fullmatch(slope)
        if (name in _BOLD_TAGS and weight and not is_bold) or (
            name in _SLANTED_TAGS and slope and not is_slanted
        ):
            styled.tags[row] = "span"
        made = (*(["strong"] if is_bold else []), *(["em"] if is_slanted else []))
        if made and name in _MAY_BE_MARKED and not _has_own_look(rows, row):
            styled.made[row] = made
    return styled


def _has_own_look(rows: PageRows, row: int) -> bool:
    return any(rows.names[at] in _HAVE_OWN_LOOK for at in rows.above(row))


def shadow_roots(rows: PageRows) -> list[int]:
    """Return the templates that are drawn, as the shadow tree of the element around them."""
    return [
        row for row in rows.named("template")
        if rows.get(row, "shadowrootmode").lower() in ("open", "closed")
    ]  # fmt: skip


def hidden_rows(rows: PageRows) -> list[int]:
    """Return the elements that ``hidden`` or their own style hides, but from a search in a page."""
    return [row for row in rows.mentioning("hidden", "none") if _is_hidden(rows, row)]


def _is_hidden(rows: PageRows, row: int) -> bool:
    given = rows.attributes(row)
    is_hidden = given.get("hidden", "until-found").lower() != "until-found"
    return is_hidden or _HIDING.search(given.get("style", "")) is not None


def _in_heading(rows: PageRows, heading: int) -> set[int]:
    """Return permalinks and buttons in a heading that has more than them."""
    out = set()
    for row in range(heading + 1, rows.end[heading]):
        if rows.names[row] in ("a", "button") and row not in out:
            text = rows.text(row)
            is_label = rows.names[row] == "button" and not _is_whole_heading(rows, row)
            has_picture = any(rows.names[at] == "img" for at in range(row, rows.end[row]))
            is_link = _PERMALINK_TEXT.match(text) and not has_picture
            if (is_link or is_label) and rows.text(heading) != text:
                out.add(row)
    return out


def _links_to_itself(rows: PageRows, heading: int) -> list[int]:
    """Return the links that a heading is as a whole, and that lead to it."""
    text = rows.text(heading)
    return [
        row for row in range(heading + 1, rows.end[heading])
        if rows.names[row] == "a" and rows.get(row, "href").startswith("#")
        and rows.text(row) == text
    ]  # fmt: skip


def _drawn_again(rows: PageRows, row: int) -> int | None:
    """Return the element drawn beside text for screen readers, with the same letters and digits."""
    after = rows.end[row]
    if after >= len(rows.names) or rows.parent[after] != rows.parent[row]:
        return None
    said, drawn = (re.sub(r"\W", "", rows.glued(at)) for at in (row, after))
    is_drawn = rows.get(after, "aria-hidden") == "true" and bool(said)
    return after if is_drawn and said == drawn and rows.text(row) != rows.text(after) else None


def _is_whole_heading(rows: PageRows, row: int) -> bool:
    above = next((at for at in rows.above(row) if rows.names[at] in _HEADINGS), None)
    return above is not None and rows.text(above) == rows.text(row)


def _is_double(rows: PageRows, row: int) -> bool:
    """Return whether a text for screen readers is no content: short, and no heading."""
    if rows.names[row] in (*_HEADINGS, "table", "caption", "main", "article", "legend"):
        return False
    if any(rows.names[at] in (*_HEADINGS, "p", "table", "ul", "ol", "math") for at in
           range(row + 1, rows.end[row])):  # fmt: skip
        return False
    return not _is_whole_heading(rows, row) and len(rows.text(row).split()) <= _LONGEST_DOUBLE


def _role(element: Element) -> str:
    return element.get("role").strip().lower()


def _heading_by_level(element: Element) -> str:
    level = element.get("aria-level").strip()
    return f"h{level}" if level in "123456" and level else "h2"


def _whole(element: Element) -> int:
    return element.row


_RULES: Sequence[ReadingRule[Element, int | str]] = (
    ReadingRule("ARIA: headings",
         lambda it: _role(it) == "heading" and it.name not in _HEADINGS, _heading_by_level),
    ReadingRule("ARIA: lists and quotes",
         lambda it: _role(it) in _ROLES and it.name in ("div", "span", "section"),
         lambda it: _ROLES[_role(it)]),
    ReadingRule("MediaWiki's links to edit, GitHub's to a gist",
                lambda it: _NO_TEXT.search(it.classes), _whole),
    ReadingRule("Sphinx, MkDocs, Docusaurus, GitHub: permalinks",
         lambda it: _PERMALINK.search(it.classes) and it.name in ("a", "button", "span", "div"),
         lambda it: it.row if _PERMALINK_TEXT.match(it.text) else None),
    ReadingRule("Mastodon: the scheme of an address",
         lambda it: " invisible " in it.classes and it.rows.names[it.rows.parent[it.row]] == "a",
         _whole),
    ReadingRule("doubles for screen readers",
         lambda it: IS_FOR_SCREEN_READERS.search(it.classes) and _is_double(it.rows, it.row),
         lambda it: _drawn_again(it.rows, it.row) or it.row),
    ReadingRule("links that are buttons",
         lambda it: it.name == "a" and _role(it) == "button" and _LABEL.match(it.text), _whole),
)  # fmt: skip
"""Answer for an element: the row to leave out, or its tag."""

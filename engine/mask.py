"""Parts of a document that are no markup: comments, and contents of scripts, styles and titles.

It is found with `str.find` and left out, so that the rest can be cut at tags: only these letters
are counted.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from engine.nesting import BREAKS_OUT, HOLDS_HTML

_NAMES = {
    name: "".join(f"[{letter}{letter.upper()}]" for letter in name)
    for name in (
        *("script", "style", "title", "textarea", "xmp", "plaintext"),
        *("iframe", "noembed", "noframes"),
    )
}
_RAW = "|".join(_NAMES.values())
_SPECIAL = re.compile(rf"<(?:[!?]|/[^a-zA-Z]|(?=[sStTxXpPiInN])({_RAW})(?=[\s/>]))")
TAG_START = re.compile(r"</?[a-zA-Z]")
"""How a tag starts; after a "/" there is a letter, else it is no tag (see `_SPECIAL`)."""
_USUAL_TAG = re.compile(r"""<\w+(?:\s+[\w:-]+(?:="[^">]*")?)*\s*>""")
_ATTRIBUTE_STEP = re.compile(r"""[^>=]*(?:>|=\s*(?:"[^"]*"|'[^']*')?)""")
_IN_SCRIPT = re.compile(r"<!--|-->|</?script(?=[\s/>])", re.IGNORECASE)
_ENDS = {
    name: re.compile(rf"</{any_case}(?=[ \t\n\f\r/>]|\Z)") for name, any_case in _NAMES.items()
}
_SHOWN = ("textarea", "xmp", "plaintext", "cdata", "iframe", "noembed", "noframes")
"""Parts that are text, though no markup."""
_CDATA = "<![CDATA["
_FOREIGN = re.compile(r"<(/?)(?:svg|math)(?=[\s/>])", re.IGNORECASE)
_BREAKS_OUT = re.compile(rf"<(?:{'|'.join(sorted(BREAKS_OUT))})(?=[\s/>])", re.IGNORECASE)
_END_OF_NOSCRIPT = re.compile(r"</noscript(?=[\s/>])", re.IGNORECASE)
"""Browsers that run scripts end there what a frame in it has left open."""
_END_OF_SVG = re.compile(r"</svg(?=[\s/>])", re.IGNORECASE)
_HTML_AGAIN = f"<(?:{'|'.join(sorted(BREAKS_OUT | HOLDS_HTML))})(?=[\\s/>])"
_KEEPS_NUL = re.compile(
    rf"(<(?:svg|math)[\s/>].*?(?=</(?:svg|math)[\s/>]|{_HTML_AGAIN}|\Z)|<plaintext[\s/>].*)",
    re.IGNORECASE | re.DOTALL,
)
_END_OR_COMMENT = re.compile(f"{_ENDS['script'].pattern}|<!--")
"""Of a script's content.  A search passes three times as many letters a second as `str.find` does
for two or more of them."""


class Masked(NamedTuple):
    """Document without its parts that are not text.

    Attributes:
        text: The rest; one pseudo-tag, ``<!>``, replaces each part that was left out.
        cuts: Ends in it of the pseudo-tags that are shorter than the part they replace.
        missing: How many letters have been left out up to each, and before all, (cuts + 1,).
        title: The span of the title in the document.
    """

    text: str
    cuts: list[int]
    missing: list[int]
    title: tuple[int, int]


def mask(html: str) -> Masked:
    """Return a document without its parts that are not text."""
    pieces: list[str] = []
    cuts: list[int] = []
    missing = [0]
    title = (0, 0)
    at = 0
    for start, end, name in _specials(html):
        if name == "title" and title == (0, 0):
            title = (start, end)
        pieces.append(html[at:start])
        if name in _SHOWN:
            pieces.append(html[start:end].replace("<", "_").replace(">", "_"))
        else:
            size = end - start
            if size > 2:
                pieces.append("<!>")
                missing.append(missing[-1] + size - 3)
                cuts.append(end - missing[-1])
            elif name:  # too short for that: make the start tag longer
                pieces[-1] = f"{pieces[-1][:-1]}{' ' * size}>"
            else:
                pieces.append("\0" * size)
        at = end
    pieces.append(html[at:])
    return Masked("".join(pieces), cuts, missing, title)


class _Foreign:
    """Where a document is in ``svg`` or ``math``; read when first asked for."""

    def __init__(self, html: str) -> None:
        self._html = html

    @cached_property
    def _tags(self) -> tuple[list[int], list[bool]]:
        tags = list(_FOREIGN.finditer(self._html))
        return [tag.end() for tag in tags], [bool(tag[1]) for tag in tags]

    def holds(self, at: int) -> bool:
        """Return whether a place is in one, and not in HTML again within."""
        ends, closes = self._tags
        index = bisect_right(ends, at) - 1
        if index < 0 or closes[index]:
            return False
        return _BREAKS_OUT.search(self._html, ends[index], at) is None


def visible_ranges(html: str) -> Iterator[tuple[int, int]]:
    """Yield where a document has text and tags: between the parts left out."""
    at = 0
    for start, end, _ in _specials(html):
        yield at, start
        at = end
    yield at, len(html)


def _specials(html: str) -> Iterator[tuple[int, int, str]]:
    """Yield ``(start, end, name)`` of each part that is no markup; name "" for comments."""
    at = 0
    dead_ends: set[int] = set()
    unclosed: set[str] = set()
    foreign = _Foreign(html)
    while match := _SPECIAL.search(html, at):
        start = match.start()
        tag = _tag_around(html, at, start, dead_ends)
        if tag > start:
            at = tag
            continue
        name = (match[1] or "").lower()
        if html.startswith(_CDATA, start) and foreign.holds(start):
            text = start + len(_CDATA)
            end = html.find("]]>", text)
            at = end + 3 if end >= 0 else len(html)
            yield start, text, ""
            yield text, (end if end >= 0 else at), "cdata"
            if end >= 0:
                yield end, at, ""
            continue
        if not name:
            at = _end_of_comment(html, start)
            yield start, at, name
            continue
        if usual := _USUAL_TAG.match(html, start):
            content = usual.end()
        else:
            quoted = end_of_tag(html, start, dead_ends)
            content = quoted if quoted >= 0 else html.find(">", start) + 1
        if not content:
            return
        at = content
        if name not in unclosed and not (name == "plaintext" and foreign.holds(start)):
            at = _end_of_content(html, content, name, foreign)
        if at < 0:
            unclosed.add(name)
            at = content
        if at > content:
            yield content, at, name


def _tag_around(html: str, low: int, at: int, dead_ends: set[int]) -> int:
    """Return the end of the tag whose quoted value holds ``at``, -1 if there is none."""
    for quote in ('"', "'"):
        opening = html.rfind(quote, low, at)
        if opening <= 0 or not (html[opening - 1] == "=" or html[opening - 1].isspace()):
            continue
        if html[max(low, opening - 20) : opening].rstrip()[-1:] == "=":
            start = html.rfind("<", low, opening)
            if start >= 0 and TAG_START.match(html, start):
                return end_of_tag(html, start, dead_ends)
    return -1


def _end_of_comment(html: str, start: int) -> int:
    if html.startswith("<!--", start):
        end = html.find("-->", start + 2)
        odd = html.find("--!>", start + 4, end if end >= 0 else len(html))
        if odd >= 0:
            return odd + 4
    else:
        end = html.find(">", start)
        return end + 1 if end >= 0 else len(html)
    return end + 3 if end >= 0 else len(html)


def _end_of_content(html: str, start: int, name: str, foreign: "_Foreign") -> int:
    """Return where the text of a raw-text element ends; an unclosed one takes the rest.

    An unclosed frame, and a title in a picture, takes nothing, where a browser would show nothing
    of the rest; -1 if no more of them end.
    """
    if name == "plaintext":
        return len(html)
    end = (_END_OR_COMMENT if name == "script" else _ENDS[name]).search(html, start)
    last = end.start() if end else len(html)
    if name == "iframe":
        return -1 if end is None else start if _END_OF_NOSCRIPT.search(html, start, last) else last
    if name == "title":
        of_svg = _END_OF_SVG.search(html, start, last)
        if (of_svg or end is None) and foreign.holds(start):
            return of_svg.start() if of_svg else -1
    if end is None or end[0] != "<!--":
        return last
    has_end = _ENDS[name].search(html, end.end()) is not None
    return _end_of_script(html, start) if has_end else len(html)


def without_nul(html: str) -> str:
    """Return a document without U+0000, shown as U+FFFD in pictures, formulas and plain text."""
    if "\0" not in html:
        return html
    parts = _KEEPS_NUL.split(html)
    parts[0::2] = [part.replace("\0", "") for part in parts[0::2]]
    return "".join(parts).replace("\0", "\ufffd")


def _end_of_script(html: str, start: int) -> int:
    """Return where a script with ``<!--`` ends: there a ``<script>`` must be closed first.

    What ``document.write("<script ...></script>")`` relies on.
    """
    escaped = nested = False
    for match in _IN_SCRIPT.finditer(html, start):
        what = match[0].lower()
        if what == "<!--":
            escaped = True
        elif what == "-->":
            escaped = nested = False
        elif what == "<script":
            nested = escaped
        elif nested:
            nested = False
        else:
            return match.start()
    return len(html)


def end_of_tag(html: str, start: int, dead_ends: set[int]) -> int:
    """Return where the tag that starts at ``start`` ends, quotes respected; -1 if it does not.

    ``dead_ends`` are places between attributes from where none ended, and get those found here: who
    asks for many tags of a document hands in one set, and each place is passed only once.
    """
    at = start + 1
    passed = []
    while at not in dead_ends and (step := _ATTRIBUTE_STEP.match(html, at)):
        passed.append(at)
        at = step.end()
        if html[at - 1] == ">":
            return at
    dead_ends.update(passed, [at])
    return -1

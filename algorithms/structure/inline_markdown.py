"""Texts with marks in Markdown: emphasis, links, pictures, code and formulas in a line."""

import re
import unicodedata
from collections.abc import Sequence
from urllib.parse import quote

from lxml.html import HtmlElement

# What a browser draws around ``q``, by language (Unicode CLDR, main marks).
_MARKS = {
    "“”‘’": "en nl pt ko th tr vi zh",
    "„“‚‘": "de bg cs et is ka lt lv sk sl sr hr mk",
    "«»“”": "es it el ca hy fa eu gl sq fr",
    "«»„“": "ru uk be kk ky",
    "„”«»": "pl ro hu",
    "””’’": "sv fi he",
    "「」『』": "ja",
    "«»‹›": "de-ch it-ch rm",
    "«»‘’": "no nb nn",
    "”“’‘": "ar",
}
_BY_LANGUAGE = {name: marks for marks, names in _MARKS.items() for name in names.split()}


def quotation_marks(quote: HtmlElement) -> tuple[str, str]:
    """Return the marks before and after a ``q``: the inner ones where it is in another."""
    language = quote.get("lang", "").lower().replace("_", "-")
    marks = _BY_LANGUAGE.get(language) or _BY_LANGUAGE.get(language.partition("-")[0], "“”‘’")
    depth = sum(1 for _ in quote.iterancestors("q")) % 2
    return marks[2 * depth], marks[2 * depth + 1]


_ESCAPED = re.compile(r"[\\`*\[\]<~]|&(?=#?\w+;)|(?<![^\W_])_|_(?![^\W_])")
INLINE = frozenset("a em strong del ins q code sub sup math br img input".split())
_DELIMITERS = {"em": "*", "strong": "**", "del": "~~"}
_FIRST = {
    "a": "[", "br": "\n", "code": "`", "img": "!", "input": "[", "math": "$", "q": "“", "sub": "<",
    "sup": "<",
}  # fmt: skip
"""What the Markdown of an element begins with, but for emphasis: that is written by its text."""
_LINKED = re.compile(r"(?:(?:https?|ftp)(?=://)|www(?=\.))(?=(\S*))", re.IGNORECASE)
TICKS = re.compile("`+")


def is_display(element: HtmlElement) -> bool:
    return element.tag == "math" and element.get("display") == "block"


def tex_of(formula: HtmlElement) -> str:
    """Return the TeX of a formula; dollars within it become brackets of the same meaning."""
    tex = re.sub(r"(?<!\\)\$([^$]*)(?<!\\)\$", r"\\(\1\\)", formula.text or "")
    return "\n".join(line.rstrip() for line in tex.split("\n") if line.strip())


def content_of(element: HtmlElement) -> list[HtmlElement | str]:
    content: list[HtmlElement | str] = [element.text] if element.text else []
    for child in element:
        content.append(child)
        if child.tail:
            content.append(child.tail)
    return content


class Inline:
    """Writer of texts with marks; the text before and after decides how emphasis is written."""

    def __init__(self, *, one_line: bool = False, in_table: bool = False) -> None:
        self._one_line, self._in_table = one_line, in_table
        self._has_dollars: bool | None = None
        self._is_link = False

    def of(self, content: Sequence[HtmlElement | str], before: str = "", after: str = "") -> str:
        """Write content between two characters, "" for a line's start or end."""
        written = ""
        if self._has_dollars is None:
            self._has_dollars = _dollars(content) > 1
        for each, follows in zip(content, _following(content, after), strict=True):
            if isinstance(each, str):
                text = self._text(each)
                written += text if self._is_link else _without_links(text, follows)
                continue
            if each.tag == "br" and _LINKED.search(written, written.rfind(" ") + 1):
                written += " "  # or the mark of the line's end would be of the address
            if each.tag == "a" and (written[-1:] or before) == "!":
                written = f"{written[:-1]}\\!"  # or it would be a picture
            written += self._element(each, written[-1:] or before, follows)
        return written

    def _text(self, text: str) -> str:
        text = _ESCAPED.sub(lambda match: f"\\{match[0]}", " ".join(_split(text)))
        if self._has_dollars:
            text = text.replace("$", "\\$")
        return text.replace("|", "\\|") if self._in_table else text

    def _element(self, element: HtmlElement, before: str, after: str) -> str:
        tag = element.tag
        if tag == "math":
            tex = " ".join(tex_of(element).split("\n"))
            mark = "$$" if is_display(element) and not self._one_line else "$"
            return f"{mark}{tex.replace('|', chr(92) + '|') if self._in_table else tex}{mark}"
        if tag == "input":
            box = "[x]" if element.get("checked") is not None else "[ ]"
            return box if after.isspace() else f"{box} "
        if tag == "sup" and element.get("data-note"):
            return f"[^{element.get('data-note')}]"
        if tag in ("sub", "sup"):
            text = self.of(content_of(element), ">", "<")
            return f"<{tag}>{text}</{tag}>" if text.strip() else text
        if tag == "br":
            return " " if self._one_line else "\\\n"
        if tag in ("code", "pre"):
            lines = _code_text(element, keeps_lines=tag == "pre").splitlines()
            if not self._in_table:
                return self._code(" ".join(lines), before)
            written = (self._code(line, before if n == 0 else ">") for n, line in enumerate(lines))
            return "<br>".join(filter(str.strip, written))
        if tag == "img":
            alt = self._text(element.get("alt", ""))
            return f"![{alt}]({self._target(element, 'src')})"
        if tag == "a":
            self._is_link = True
            text = self.of(content_of(element), "[", "]")
            self._is_link = False
            return f"[{text}]({self._target(element, 'href')})"
        if tag in _DELIMITERS:
            return self._emphasis(element, before, after)
        if tag == "q":
            left, right = quotation_marks(element)
            return f"{left}{self.of(content_of(element), left, right)}{right}"
        return self.of(content_of(element), before, after)

    def _emphasis(self, element: HtmlElement, before: str, after: str) -> str:
        tag = str(element.tag)
        delimiter = _DELIMITERS[tag]
        text = self.of(content_of(element), delimiter[0], delimiter[0])
        bare = text.strip()
        if not bare:
            return text
        lead, trail = text[: text.index(bare[0])], text[len(text.rstrip()) :]
        before, after = (" " if lead else before), (" " if trail else after)
        edges = (before, bare[0], bare[-1], after)
        if delimiter[0] not in edges and _flanks(before, bare[0]) and _flanks(after, bare[-1]):
            return f"{lead}{delimiter}{bare}{delimiter}{trail}"
        return f"{lead}<{tag}>{bare}</{tag}>{trail}"

    def _code(self, text: str, before: str) -> str:
        if not text.strip():
            return text
        if before == "`":  # or both would be one run of ticks
            return f"<code>{self._text(text)}</code>"
        if self._in_table:
            text = text.replace("|", "\\|")
        longest = {len(run) for run in TICKS.findall(text)}
        ticks = "`" * next(n for n in range(1, len(longest) + 2) if n not in longest)
        is_padded = text[0] in " `" or text[-1] in " `"
        pad = " " if is_padded else ""
        return f"{ticks}{pad}{text}{pad}{ticks}"

    def _target(self, element: HtmlElement, name: str) -> str:
        """Return the address of a link or picture, with its title in quotes."""
        address, title = self._address(element.get(name, "")), element.get("title", "")
        title = re.sub(r'[\\"]|&(?=#?\w+;)', lambda match: f"\\{match[0]}", title)
        title = title.replace("|", "\\|") if self._in_table else title
        return f'{address or "<>"} "{title}"' if title else address

    def _address(self, address: str) -> str:
        address = re.sub(r"[\\()]|&(?=#?\w+;)", lambda match: f"\\{match[0]}", address)
        for character, code in ((" ", "%20"), ("<", "%3C"), (">", "%3E"), ("|", "%7C")):
            address = address.replace(character, code)
        return "".join(quote(each) if each.isspace() else each for each in address)


def _code_text(element: HtmlElement, *, keeps_lines: bool) -> str:
    """Return the text of code in a line or a cell, a line end for each ``br`` and, if kept, others.

    A line end of the source is white space but in ``pre``.
    """

    def own(text: str | None) -> str:
        return (text or "") if keeps_lines else " ".join(re.split(r"[\r\n]+", text or ""))

    inside = (
        ("\n" if each.tag == "br" else _code_text(each, keeps_lines=keeps_lines)) + own(each.tail)
        for each in element
    )
    return own(element.text) + "".join(inside)


def _following(content: Sequence[HtmlElement | str], after: str) -> list[str]:
    """Return the character that comes after each: the first of those behind it that have one."""
    following = []
    for each in reversed(content):
        following.append(after)
        after = _first_character(each) or after
    return following[::-1]


def _dollars(content: Sequence[HtmlElement | str]) -> int:
    """Return the number of dollars in a text, including those of formulas."""
    count = 0
    for each in content:
        if isinstance(each, str):
            count += each.count("$")
        elif each.tag == "math":
            count += 2
        else:
            count += _dollars(content_of(each))
    return count


def _without_links(text: str, after: str) -> str:
    """Return a text in which no address is taken for a link by GitHub with marks that follow it.

    GitHub reads an address up to white space, escapes and emphasis included.
    """

    def parted(match: re.Match[str]) -> str:
        is_spoilt = "\\" in match[1] or (match.end(1) == len(text) and after.strip())
        return f"{match[0]}\\" if is_spoilt else match[0]

    return _LINKED.sub(parted, text)


def _first_character(each: HtmlElement | str) -> str:
    if isinstance(each, str):
        return each[:1]
    return _FIRST.get(str(each.tag)) or next(filter(None, each.itertext()), "")[:1]


def _split(text: str) -> list[str]:
    """Return words, with "" at an end with white space, so that blanks join them."""
    words = text.split()
    if not words:
        return ["", ""] if text else [""]
    return [*([""] if text[0].isspace() else []), *words, *([""] if text[-1].isspace() else [])]


def _flanks(outside: str, inside: str) -> bool:
    """Whether a delimiter between two characters opens or closes emphasis towards the inner one.

    Symbols that are not of ASCII are punctuation since CommonMark 0.31, and not for GitHub: both
    have to read the same.
    """
    is_mark = unicodedata.category(inside)[0] in "PS"
    is_parted = not outside or outside.isspace() or _is_punctuation(outside)
    return is_parted or not is_mark


def _is_punctuation(character: str) -> bool:
    kind = unicodedata.category(character)[0]
    return kind == "P" or (kind == "S" and character.isascii())

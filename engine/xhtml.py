"""XHTML read as XML and written as HTML, so that every method reads what a browser shows.

Browsers read ``application/xhtml+xml`` with an XML parser: ``<script/>`` and ``<title/>`` are
empty, CDATA sections are text, named references come from the document type.  A document that is
not well-formed, or whose root is not in XHTML's namespace, is one that browsers refuse or show
without its structure: it is read as HTML as far as that goes, with a note.

Sources: XHTML 1.0; Blink, XMLDocumentParser (the public identifiers that bring references).
"""

import re
from html import escape
from html.entities import name2codepoint
from typing import NamedTuple
from xml.parsers import expat

SUFFIXES = (".xhtml", ".xht", ".xhtm", ".xml")
"""How the names of files end that browsers read as XML."""

KINDS = ("application/xhtml+xml", "application/xml", "text/xml")
"""Media types of the same."""

_HTML = "http://www.w3.org/1999/xhtml"
_PLAIN = (_HTML, "http://www.w3.org/2000/svg", "http://www.w3.org/1998/Math/MathML")
_KNOWN_TYPES = re.compile(
    r"-//W3C//DTD (?:XHTML|MathML) .*//EN|-//WAPFORUM//DTD XHTML Mobile 1\.[0-2]//EN"
)
VOID = frozenset(
    "area base basefont bgsound br col embed frame hr img input keygen link meta param source "
    "track wbr".split()
)
_EMPTY = re.compile(r"<([A-Za-z][\w:-]*)((?:\s[^<>]*)?)/>")
_CDATA = re.compile(r"<!\[CDATA\[(.*?)\]\]>", re.DOTALL)
_INSTRUCTION = re.compile(r"<\?.*?\?>", re.DOTALL)
_RAW = frozenset(["script", "style", "xmp", "iframe", "noembed", "noframes", "plaintext"])
_REFERENCES = "".join(f'<!ENTITY {name} "&#38;#{code};">' for name, code in name2codepoint.items())


class XhtmlReading(NamedTuple):
    """XHTML as HTML; where it is read in spite of its faults, a note on these."""

    html: str
    note: str = ""


def is_xml_kind(kind: str) -> bool:
    """Return whether browsers read a media type, with parameters or not, as XML."""
    return kind.partition(";")[0].strip().lower() in KINDS


def is_xml_name(name: str) -> bool:
    """Return whether browsers read a file of this name as XML."""
    return name.lower().removesuffix(".gz").endswith(SUFFIXES)


def read(text: str) -> XhtmlReading:
    """Return a document in XML as HTML with the same tree and text.  O(n)."""
    writer = _XmlToHtml()
    try:
        writer.parser.Parse(text.removeprefix("\ufeff"), True)
    except (expat.ExpatError, UnicodeError) as error:
        why = str(error).partition(":")[0] if isinstance(error, expat.ExpatError) else "odd letters"
        where = ""
        if isinstance(error, expat.ExpatError):
            where = f"line {error.lineno}, column {error.offset + 1}: "
        note = f"the page is XHTML that is not well-formed ({where}{why})"
        return XhtmlReading(_mended(text), f"{note}: browsers stop there; it is read as HTML")
    if not writer.is_html:
        note = "the page is XHTML whose root is not <html> in the namespace of XHTML"
        why = "browsers show it without structure; it is read as HTML"
        return XhtmlReading(_mended(text), f"{note}: {why}")
    return XhtmlReading("".join(writer.parts))


def _mended(text: str) -> str:
    """Return ill-formed XML as HTML, with other notations where HTML has none."""
    text = _CDATA.sub(lambda found: escape(found[1], quote=False), _INSTRUCTION.sub("", text))
    return _EMPTY.sub(
        lambda found: (
            found[0] if found[1].lower() in VOID else f"<{found[1]}{found[2]}></{found[1]}>"
        ),
        text,
    )


class _XmlToHtml:
    """Writer of HTML while expat reads XML."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.is_html = False
        self._open: list[str] = []
        self.parser = parser = expat.ParserCreate(namespace_separator=" ")
        parser.namespace_prefixes = True
        parser.buffer_text = True
        parser.ordered_attributes = True
        parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_ALWAYS)
        parser.ExternalEntityRefHandler = self._external
        parser.StartDoctypeDeclHandler = self._doctype
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.CommentHandler = self._comment
        parser.SkippedEntityHandler = self._skipped

    def _external(
        self, context: str, _base: str | None, _system: str | None, public: str | None
    ) -> int:
        """Parse the references of a document type of XHTML; nothing is ever fetched."""
        known = public is not None and _KNOWN_TYPES.fullmatch(" ".join(public.split()))
        self.parser.ExternalEntityParserCreate(context).Parse(_REFERENCES if known else "", True)
        return 1

    def _doctype(self, *_about: object) -> None:
        self.parts.append("<!DOCTYPE html>")

    def _start(self, name: str, attributes: list[str]) -> None:
        space, tag = _split(name)
        if not self._open:
            self.is_html = space == _HTML and tag == "html"
        fields = [
            f' {_split(key)[1]}="{escape(value)}"'
            for key, value in zip(attributes[::2], attributes[1::2], strict=True)
        ]
        self.parts.append(f"<{tag}{''.join(fields)}>")
        self._open.append(tag if space == _HTML else f" {tag}")

    def _end(self, name: str) -> None:
        tag = self._open.pop()
        if tag not in VOID:
            self.parts.append(f"</{_split(name)[1]}>")

    def _text(self, text: str) -> None:
        if self._open and self._open[-1] in _RAW:
            self.parts.append(text.replace("</", r"<\/"))
        else:
            self.parts.append(escape(text, quote=False))

    def _comment(self, text: str) -> None:
        self.parts.append(f"<!-- {text.lstrip('->')} -->" if text[:1] in "->" else f"<!--{text}-->")

    def _skipped(self, name: str, is_parameter: bool) -> None:
        if not is_parameter:
            self.parts.append(f"&amp;{name};")


def _split(name: str) -> tuple[str, str]:
    """Return namespace and HTML name of expat's ``NAMESPACE LOCAL PREFIX``."""
    parts = name.split(" ")
    if len(parts) == 1:
        return "", name
    space, local, *prefix = parts
    if space in _PLAIN:
        return space, local
    return space, f"{prefix[0] if prefix else 'xml'}:{local}"

"""Kinds of text that are not pages, by their beginning: code, settings, mail, tables of logs.

Recognised by the first lines; a page that quotes such text begins with markup.
"""

import re
from collections.abc import Sequence

from annotate.archives import magic

_COMMENT = r"(?:\s|//.*\n|/\*[\s\S]*?\*/)*"

_SQL_COMMENT = r"(?:--.*\n|/\*[\s\S]*?\*/|\s)*"
_PYTHON_COMMENT = r"(?:#.*\n|\s|(\"\"\"|''')[\s\S]*?\1)*"

_KINDS: Sequence[tuple[str, str]] = (
    (r"From \S+ .*\d\d:\d\d.*\n[\w-]+:", "a mailbox (mbox)"),
    (r"(?:diff --git |Index: \S+\n=+\n|--- \S.*\n\+\+\+ \S.*\n@@ )", "a patch (diff)"),
    (r"BEGIN:VCALENDAR", "a calendar (iCalendar)"),
    (r"BEGIN:VCARD", "a file of contacts (vCard)"),
    (r"(?:%.*\n|\s)*\\(?:documentclass|documentstyle|begin|usepackage|input|chapter|section)\b",
     "a LaTeX document"),
    (r"(?:%.*\n|\s)*@\w+\{[^,\s]+,", "a bibliography (BibTeX)"),
    (r"(?:\d+\r?\n\d\d:\d\d:\d\d[,.]\d{3} -->|WEBVTT\b)", "a file of subtitles"),
    (r"-----BEGIN [A-Z ]+-----", "a key or certificate (PEM)"),
    (r"#!.*python", "Python code"),
    (r"#!.*\bnode", "JavaScript"),
    (r"#!", "a script of a shell"),
    (r"<\?php\b(?![\s\S]*<html)", "PHP code"),
    (r"<%[@=\s]", "a template (JSP, ASP or ERB)"),
    (r"\{[%#{]", "a template (Jinja, Django or Liquid)"),
    (r"<(?:template|script)\b(?=[\s\S]*\bexport default\b)(?![\s\S]*<(?:html|body)[\s>])",
     "a Vue component"),
    (r"CDX N b |\S+[,)]\S* \d{14} \{", "an index of a web archive (CDX)"),
    (r"(?:#.*\n|\s)*\[{1,2}[\w .\"-]+\]{1,2}[ \t]*\n(?:[#;].*\n|\s*\n)*[\w.\"-]+\s*=",
     "a file of settings (INI or TOML)"),
    (r"\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d", "a log"),
    (r"\S+ \S+ \S+ \[\d\d/\w{3}/\d{4}:\d\d:\d\d:\d\d [+-]\d{4}\] \"", "a log of a server"),
    (_SQL_COMMENT + r"(?:CREATE (?:TABLE|DATABASE|INDEX)|INSERT INTO|DROP TABLE|SELECT |PRAGMA )",
     "SQL"),
    (_PYTHON_COMMENT + r"(?:import \w[\w., ]*\n|from [\w.]+ import |def \w+\(.*:|class \w+[(:])",
     "Python code"),
    (_COMMENT + r"(?:@(?:charset|import|media|font-face)\b|[\w.#*:>\[\]=\", -]+\{\s*[\w-]+\s*:"
     + r"[^{}<]*\})", "a style sheet (CSS)"),
    (_COMMENT + r"(?:['\"]use strict['\"]|(?:const|let|var) [\w{\[$][^;<]*=|function[ (*]\w*\s*\("
     + r"|\(function\b|[!(]function\b|\(\(\)\s*=>|(?:import|export) [^;<]*(?:\bfrom\b|=|default\b)"
     + r"|window\.\w+\s*=|define\()", "JavaScript"),
    (r"#include\s*[<\"]", "C code"),
)  # fmt: skip

_LATE: Sequence[tuple[str, str]] = (
    (r"---\s*\n(?:[\w-]+:.*\n)+---\s*\n", "Markdown"),
    (r"#{1,6} \S.*\n", "Markdown"),
    (r"\S.*\n([=*~-])\1{3,}[ \t]*\n", "Markdown or reStructuredText"),
)  # fmt: skip
"""Kinds that lists of addresses and annotations begin like."""

_COMPILED, _COMPILED_LATE = (
    tuple((re.compile(pattern), title) for pattern, title in kinds) for kinds in (_KINDS, _LATE)
)

_ANY_MARKUP = re.compile(r"</?[a-z][\w:-]*[\s/>]|&(?:\w+|#\w+);", re.IGNORECASE)

_HEAD = 20_000
"""Number of characters examined."""


def kind_of_text(text: str, *, is_late: bool = False) -> str:
    """Return the kind of a text as a phrase, by its beginning; "" for other texts.

    ``is_late`` asks for the kinds that are sure only once all others are ruled out.
    """
    head = text[:_HEAD].replace("\r\n", "\n")
    kinds = _COMPILED_LATE if is_late else _COMPILED
    return next((title for pattern, title in kinds if pattern.match(head)), "")


def has_markup(text: str) -> bool:
    """Return whether a tag or a character reference stands anywhere in a text."""
    return _ANY_MARKUP.search(text) is not None


def text_in(data: bytes) -> str | None:
    """Return bytes as text, in any recognisable encoding; None if they are no text."""
    for mark, encoding in ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"),
                           (b"<\0", "utf-16-le"), (b"\0<", "utf-16-be")):  # fmt: skip
        if data.startswith(mark):
            return data.decode(encoding, "replace")
    head = data[:8192]
    has_markup = re.search(rb"<(?:!doctype|html|body|head|p|div)[\s>]", head, re.IGNORECASE)
    if magic.is_binary(head) and not has_markup:
        return None
    return data.decode("utf-8", "replace").replace("\0", "")

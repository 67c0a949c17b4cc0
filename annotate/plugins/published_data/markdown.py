"""Markdown as the text a reader sees: markup for style and links is removed, the words stay.

For gold that comes as Markdown only.  Covers what ``html2text`` and people write: headings, rules,
quotes, lists, tables with pipes, fenced code, emphasis, code, links, pictures, escapes, references
and tags of HTML.  Numbers of ordered lists go, as no text of a page has them; formulas stay as they
are; a picture leaves nothing.  Not covered: code by indentation is read as text, so a star in it
may go.
"""

import html as html_module
import re

_FENCE = re.compile(r"^[ ]{0,3}(```+(?=[^`]*$)|~~~+)")
_RULE = re.compile(
    r"^[ ]{0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,}|=+[ \t]*|-+[ \t]*)$"
)
_TABLE_RULE = re.compile(r"^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
_HEADING = re.compile(r"^[ ]{0,3}#{1,6}(?:[ \t]+|$)")
_HEADING_END = re.compile(r"[ \t]+#+[ \t]*$")
_MARKER = re.compile(r"^[ \t]*(?:>[ \t]?|(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$))")
_DEFINITION = re.compile(r"^[ ]{0,3}\[[^\[\]]+\]:[ \t]*\S+(?:[ \t]+(?:\"[^\"]*\"|'[^']*'))?[ \t]*$")

_CODE = re.compile(r"(?<!`)(`{1,3})(?!`)([^`\n]+?)(?<!`)\1(?!`)")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_TARGET = (
    r"\([ \t]*(?:<[^<>\n]*>|[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)"
    r"""(?:\s+(?:"[^"]*"|'[^']*'))?[ \t]*\)"""
)
_PICTURE = re.compile(rf"!\[[^\[\]]*\](?:{_TARGET}|\[[^\[\]]*\])")
_LINK = re.compile(rf"\[([^\[\]]*)\](?:{_TARGET}|\[[^\[\]]*\])")
_ADDRESS = re.compile(r"<((?:https?://|mailto:)[^<>\s]+)>")
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>|<!--.*?-->", re.DOTALL)
_STARS = re.compile(r"(\*{1,3})(?=\S)([^*\n]+?)(?<=\S)\1")
_BARS = re.compile(r"(?<!\w)(_{1,3})(?=\S)([^\n]{1,1000}?)(?<=\S)\1(?!\w)")
_STRUCK = re.compile(r"~~(?=\S)([^~\n]+?)(?<=\S)~~")

_HELD = 0xF0000
"""Characters from here on represent text that is final."""
_MOST_HELD = 0xFFFD


def plain_text(markdown: str) -> str:
    """Return the text of Markdown, one line for each of its lines with text."""
    verbatim: list[str] = []
    lines: list[str] = []
    fence = ""
    rows = _table_rows(source := markdown.expandtabs(4).splitlines())
    for number, line in enumerate(source):
        match = _FENCE.match(line)
        if fence:
            if match and match[1].startswith(fence) and not line.strip(" `~"):
                fence = ""
            elif line.strip():
                lines.append(_keep(line.strip(), verbatim))
            continue
        if match:
            fence = match[1]
            continue
        is_table_rule = number in rows and _TABLE_RULE.match(line)
        if is_table_rule or _RULE.match(line) or _DEFINITION.match(line):
            continue
        lines.append(_without_markers(line, number in rows, verbatim))
    text = _inline("\n".join(lines), verbatim)
    return "\n".join(words for line in text.splitlines() if (words := " ".join(line.split())))


def _table_rows(lines: list[str]) -> set[int]:
    """Return which lines are rows of tables: those around a rule of dashes and pipes."""
    rows: set[int] = set()
    for number, line in enumerate(lines):
        if "|" not in line or not _TABLE_RULE.match(line):
            continue
        rows.update((number - 1, number) if number and "|" in lines[number - 1] else (number,))
        below = number + 1
        while below < len(lines) and "|" in lines[below]:
            rows.add(below)
            below += 1
    return rows


def _without_markers(line: str, is_row: bool, verbatim: list[str]) -> str:
    if is_row:
        line = _CODE.sub(lambda code: _keep(code[2].strip(), verbatim), line)
        return re.sub(r"(?<!\\)\|", " ", line).replace("\\|", _keep("|", verbatim))
    while marker := _MARKER.match(line):
        line = line[marker.end() :]
    if heading := _HEADING.match(line):
        line = _HEADING_END.sub("", line[heading.end() :])
    return line


def _inline(text: str, verbatim: list[str]) -> str:
    text = _CODE.sub(lambda code: _keep(code[2].strip(), verbatim), text)
    text = _ESCAPE.sub(lambda escape: _keep(escape[1], verbatim), text)
    text = _ADDRESS.sub(lambda address: _keep(address[1], verbatim), text)
    text = _TAG.sub(_tag, text)
    text = _LINK.sub(r"\1", _PICTURE.sub("", text))  # a picture may be in a link
    text = _STARS.sub(r"\2", _STARS.sub(r"\2", text))  # kinds may be nested
    text = _STRUCK.sub(r"\1", _BARS.sub(r"\2", text))
    text = html_module.unescape(text)
    return "".join(
        verbatim[code] if 0 <= (code := ord(c) - _HELD) < len(verbatim) else c for c in text
    )


def _tag(match: re.Match[str]) -> str:
    return "\n" if re.match(r"</?(?:br|p|div|li|tr|h[1-6])\b", match[0], re.IGNORECASE) else ""


def _keep(text: str, verbatim: list[str]) -> str:
    """Return a placeholder character for a text; the text itself if none is left."""
    if len(verbatim) >= _MOST_HELD:
        return text
    verbatim.append(text)
    return chr(_HELD + len(verbatim) - 1)

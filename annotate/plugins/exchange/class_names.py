"""Names of YOLO's classes, in a list of lines or under ``names`` of a ``data.yaml``.

Of YAML it knows what programs write there: a list or numbered names, in brackets over several lines
or one a line, plain or in quotes (YAML 1.2, 7.3), with comments.
"""

import json
import re
from collections.abc import Iterator

_QUOTED = r'"(?:[^"\\]|\\.)*"|' + r"'(?:[^']|'')*'"
_NAMES = re.compile(r"""^["']?names["']?[ \t]*:(?=\s)""", re.MULTILINE)
_GAP = r"(?:\s++|(?<=\s)#[^\n]*+)*+"  # takes nothing twice: comments cost their length
_IN_BRACKETS = re.compile(
    rf"{_GAP}(?:({_QUOTED}|\d+)\s*:\s+)?({_QUOTED}|[^\s,\[\]{{}}\"'#](?:[^,\[\]{{}}\n#]|(?<=\S)#)*+)"
    rf"{_GAP}(?:,|(?=[\]}}]))"
)
_IN_LINE = re.compile(
    rf"[ \t]*(?:-|({_QUOTED}|\d+)[ \t]*:)[ \t]+(?:&\S+[ \t]+)?"
    rf"({_QUOTED}|[^\s#\"'>|](?:[^\n#]|(?<=\S)#)*)[ \t]*(?:[ \t]#.*)?"
)


def names_in_lines(text: str) -> dict[str, str]:
    """Return number → name, of names one a line."""
    return {str(number): each.strip() for number, each in enumerate(text.split("\n"))}


def names_in_yaml(text: str) -> dict[str, str]:
    """Return number → name under ``names`` of a file of settings, as text."""
    start = _NAMES.search(text)
    found = _found(text[start.end() :]) if start else ()
    return {
        _plain(match[1]) if match[1] else str(number): _plain(match[2])
        for number, match in enumerate(found)
    }


def _found(text: str) -> Iterator[re.Match[str]]:
    first = re.match(rf"{_GAP}[\[{{]", text)
    if first:
        at = first.end()
        while match := _IN_BRACKETS.match(text, at):
            yield match
            at = match.end()
        return
    for line in text.split("\n"):
        match = _IN_LINE.fullmatch(line)
        if match:
            yield match
        elif re.fullmatch(r"\s*(?:#.*)?", line) is None:
            return


def _plain(scalar: str) -> str:
    """Return a name without its quotes and what they escape."""
    if scalar[0] == "'":
        return scalar[1:-1].replace("''", "'")
    if scalar[0] == '"':
        try:
            return str(json.loads(scalar))
        except ValueError:  # an escape of YAML alone
            return scalar[1:-1]
    return scalar.strip()

"""Gold in the page's own markup: reading it, and removing it before a method runs.

Both work on the tags of the source, so that all other characters stay as they are.
"""

import html as html_module
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from engine.references import resolve_value
from engine.source import Source
from engine.tree import Ints

Label = Callable[[Mapping[str, str]], bool | None]
"""From an element's attributes: whether it is main content, None where it does not say."""

_NAME = re.compile(r"</?[a-zA-Z][^\s/>]*")
_ATTRIBUTE = re.compile(
    r"""(?P<before>[\s/]*)(?P<name>[^\s/>][^\s/>=]*)"""  # may begin with "=", as WHATWG has it
    r"""(?:\s*=\s*(?P<value>"[^"]*"|'[^']*'|[^\s>"'][^\s>]*))?"""
)


@dataclass(frozen=True)
class Labels:
    """Annotators' markup in a page.

    Attributes:
        hint: Text in the start tag of every labelled element; others are skipped.
        attributes: Names of the attributes, lower case.
        classes: Pattern of a whole class name of theirs.
        elements: Names of elements that are theirs altogether.
        wrapper: An element they put around texts: removed if it had nothing but labels.
    """

    hint: re.Pattern[str]
    attributes: frozenset[str] = frozenset()
    classes: re.Pattern[str] | None = None
    elements: frozenset[str] = field(default_factory=frozenset)
    wrapper: str = ""


def labelled_text(source: Source, hint: re.Pattern[str], label: Label) -> str | None:
    """Return the text whose innermost labelled element is main content; None if none has a label.

    A line break is inserted where a block-level element has one.  O(n).
    """
    tree = source.tree
    rows = {token: row for row, token in enumerate(tree.token.tolist()) if token >= 0}
    hinted = (rows[token] for token in _hinted(source, hint).tolist() if token in rows)
    said = {row: label(source.attributes(row)) for row in hinted}
    own = {row: says for row, says in said.items() if says is not None}
    if not own:
        return None
    is_content = np.zeros(len(tree), dtype=bool)
    for row in sorted(own):  # a parent before its children: the innermost has the last word
        is_content[row : tree.end[row]] = own[row]
    return source.text_of(tree.outer[is_content & tree.is_text])


def without_labels(html: str, labels: Labels) -> str:
    """Return the page as it was before it was labelled, as far as its tags tell.

    A wrapper that had no attribute of its own cannot be distinguished from an element of the page
    that had none, and is removed; attributes keep their order and spelling, only a class that was
    shortened is rewritten.
    """
    source = Source.from_text(html)
    tokens, tree = source.tokens, source.tree
    changes: dict[tuple[int, int], str] = {}
    bare: set[int] = set()
    for token in _hinted(source, labels.hint).tolist():
        start, end = int(tokens.start[token]), int(tokens.end[token])
        tag, is_bare = _cleaned(html[start:end], labels)
        if tag != html[start:end]:
            changes[start, end] = tag
            if is_bare and tokens.names[tokens.name[token]] == labels.wrapper:
                bare.add(token)
    for row in np.flatnonzero(np.isin(tree.token, sorted(bare))).tolist():
        (start, end), (inside, rest) = tree.outer[row].tolist(), tree.inner[row].tolist()
        changes[start, inside] = ""
        changes[rest, end] = ""
    for token in np.flatnonzero(tokens.is_named(*labels.elements)).tolist():
        changes[int(tokens.start[token]), int(tokens.end[token])] = ""
    pieces, at = [], 0
    for (start, end), tag in sorted(changes.items()):
        pieces += [html[at:start], tag]
        at = end
    return "".join([*pieces, html[at:]])


def _hinted(source: Source, hint: re.Pattern[str]) -> Ints:
    """Return the start tags that have the hint in them, as tokens in order, int32 (k,)."""
    tokens = source.tokens
    at = np.array([match.start() for match in hint.finditer(source.html)], dtype=np.int64)
    token = np.unique(np.searchsorted(tokens.start, at, side="right") - 1)
    token = token[token >= 0]
    if not token.size:
        return token.astype(np.int32)
    keeps = tokens.is_tag[token] & ~tokens.is_close[token]
    # Between a tag and the next token there may be white space, comments and scripts.
    at_tag = np.searchsorted(at, tokens.start[token])
    keeps &= at[np.minimum(at_tag, at.size - 1)] < tokens.end[token]
    return token[keeps].astype(np.int32)


def _cleaned(tag: str, labels: Labels) -> tuple[str, bool]:
    """Return a start tag without labels, and whether it has no attribute left."""
    name = _NAME.match(tag)
    if name is None:
        return tag, False
    pieces, at, left = [name[0]], name.end(), 0
    while (match := _ATTRIBUTE.match(tag, at)) and match.end() < len(tag):
        at = match.end()
        low = match["name"].lower()
        if low in labels.attributes:
            continue
        text = match[0]
        if low == "class" and labels.classes is not None and match["value"]:
            value = match["value"]
            quoted = value[1:-1] if value[0] in "\"'" else value
            classes = resolve_value(quoted).split()
            remaining = [each for each in classes if not labels.classes.fullmatch(each)]
            if not remaining and classes:
                continue
            if len(remaining) < len(classes):
                text = f'{match["before"]}class="{html_module.escape(" ".join(remaining))}"'
        pieces.append(text)
        left += 1
    return "".join([*pieces, tag[at:]]), not left

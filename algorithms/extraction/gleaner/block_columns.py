"""Columns measured on the blocks of a source before learning.

Each column has a name ``group.detail``.  A group may hold more than its name suggests: ``names``,
the scores of hashed words of start tags, has the tags' own names in it, too.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from algorithms.extraction.gleaner.linked_data import linked_texts, property_of, tags_of_head
from algorithms.extraction.gleaner.records import of_records
from algorithms.extraction.gleaner.text_runs import (
    LEVELS,
    TextRuns,
    hash_words,
    names,
    number_values,
    text_runs,
)
from algorithms.signals.memo import shared
from algorithms.signals.tree_counts import linked, words_below
from engine.source import Source
from engine.tree import Bools, Longs
from engine.word_units import words_in

Column = npt.NDArray[np.float32]
Columns = dict[str, npt.NDArray[Any]]

_STOP_WORDS = np.unique(
    hash_words(
        "the of and to in a is that for it on as with was be by this are at from or an have not "
        "but they you his her he she we which their all has had were there been if more when will "
        "would who so no can about into than them its also out up what some only do my your our "
        "der die das und ist nicht ein eine zu den von mit auf für im dem des sich auch als es an "
        "le la les des est et un une que qui dans pour pas sur au plus par ce il elle ne se avec "
        "el los las y en es por con para su del al lo como más pero sus una il di che è non per "
        "sono della het een van op te zijn niet dat aan o da não uma os no se na em e do".split()
    )
)
_TAGS = (
    "article", "main", "nav", "header", "footer", "aside", "form", "ul", "ol", "table", "section",
    "a", "button", "figure", "blockquote", "select", "noscript", "dl", "details", "p", "pre",
    "label", "svg", "td", "th", "li", "time", "figcaption", "textarea", "code", "span", "dialog",
)  # fmt: skip
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_COUNTED = ("p", "li", "table", "form", "article", "h1", "h2", "h3", "pre", "img", "time", "input",
            "button", "section", "video", "iframe", "dl", "blockquote", "nav", "svg")  # fmt: skip
_SIGNS = (".", ",", "!", "?", ":", "|", "-", "/", "(", "\"", "…", "©", "»", "·", "$",
          "€", "%", "#", "@")  # fmt: skip
_PRICE = re.compile(r"[$€£¥]\s?\d|\d\s?(?:€|£|USD|EUR|kr)")
_DATE = re.compile(
    r"\b(?:19|20)\d\d\b|\b\d{1,2}[./]\d{1,2}\b|\bago\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct"
    r"|nov|dec)[a-z]*\.? \d",
    re.IGNORECASE,
)
_TITLE_PART = re.compile(r"\s+[|»–—-]\s+")
_WINDOWS = (2, 5, 12)
_START = 200
"""Letters of a block whose kinds are counted."""

_FIRST_WORDS = 12
"""Words of a block of which capital letters are counted."""

_DIGIT, _UPPER, _SPACE, _SIGN_BITS = 1, 2, 4, 3
"""Bits of letters' kinds, and how many there are below the number of a sign."""


@shared
def measure_columns(source: Source) -> Columns:
    """Return all columns of a source, float32 (b,) each."""
    runs = text_runs(source)
    result: Columns = {}
    if len(runs):
        result |= _of_text(_Texts(runs.texts, runs))
        result |= _of_links(source, runs)
        result |= _of_tags(source, runs)
        result |= _of_position(source, runs)
        result |= _of_tree(source, runs, result)
        result |= _of_repetition(source, runs, result)
        result |= of_records(source, runs, result)
        result |= _of_page(source, runs, result)
        result |= _of_description(source, runs)
        result |= _of_neighbours(result)
    return {name: np.asarray(column, dtype=np.float32) for name, column in result.items()}


@dataclass(frozen=True)
class _Texts:
    """The texts of a page's blocks: equal ones have equal columns."""

    texts: tuple[str, ...]
    runs: TextRuns = field(compare=False)


@lru_cache(maxsize=2)
def _of_text(of: _Texts) -> Columns:
    runs = of.runs
    words = runs.words
    count = np.maximum(words, 1)
    letters = np.array([len(text) for text in runs.texts])
    stop = _is_among(runs.tokens, _STOP_WORDS)
    stops = _sums(stop, runs.start)
    start = np.concatenate(([0], np.cumsum(letters)))
    every = "".join(runs.texts)
    codes = np.frombuffer(every.encode("utf-32-le", "surrogatepass"), np.uint32)
    kinds = _table(every, _kinds_of).take(codes)
    block = np.repeat(np.arange(len(runs)), letters)
    is_start = np.arange(codes.size) < start[block] + _START
    digits, upper = (
        np.bincount(block[is_start & (kinds & bit > 0)], minlength=len(runs))
        for bit in (_DIGIT, _UPPER)
    )
    counted = 1 + np.minimum(letters, _START)
    pairs = np.unique(np.repeat(np.arange(len(runs)), words) << 32 | runs.tokens)
    classes = _table(every, _class_of).take(codes)
    ends = np.append(classes, 0)  # of an empty text
    starts = [text[:_START] for text in runs.texts]
    has_ago = "ago" in every.lower()
    result = {
        "text.words": np.log1p(words),
        "text.letters": np.log1p(letters),
        "text.word_length": letters / count,
        "text.stop": stops / count,
        "text.stops": np.log1p(stops),
        "text.distinct": np.bincount(pairs >> 32, minlength=len(runs)) / count,
        "text.upper": upper / counted,
        "text.digits": digits / counted,
        "text.title": _capitals(kinds, block, start),
        "text.starts": ends[np.where(letters > 0, start[:-1], -1)],
        "text.ends": ends[np.where(letters > 0, start[1:] - 1, -1)],
        "text.price": [
            bool((number or len(text) > _START) and _PRICE.search(text))
            for number, text in zip(digits.tolist(), runs.texts, strict=True)
        ],
        "text.date": [
            bool((number or (has_ago and "ago" in text.lower())) and _DATE.search(text))
            for number, text in zip(digits.tolist(), starts, strict=True)
        ],
    }
    number = kinds >> _SIGN_BITS
    at = np.flatnonzero(number)
    signs = np.bincount(
        block[at] * (len(_SIGNS) + 1) + number[at], minlength=len(runs) * (len(_SIGNS) + 1)
    ).reshape(len(runs), -1)
    for sign, of_sign in zip(_SIGNS, signs.T[1:], strict=True):
        result[f"text.sign{sign}"] = of_sign / count if sign in ".,-/:" else of_sign
    return {name: np.asarray(column, dtype=np.float32) for name, column in result.items()}


def _table(text: str, kind_of: Callable[[str], int]) -> npt.NDArray[np.uint8]:
    """Return the kind of each letter of a text at its code point, uint8 (k,)."""
    letters = list(set(text))
    codes = np.array(list(map(ord, letters)), dtype=np.int64)
    result = np.zeros(int(codes.max(initial=0)) + 1, dtype=np.uint8)
    result[codes] = list(map(kind_of, letters))
    return result


def _kinds_of(letter: str) -> int:
    """Return what a letter is, a bit each, and above them the number of a sign."""
    kinds = _DIGIT * letter.isdigit() + _UPPER * letter.isupper() + _SPACE * letter.isspace()
    return kinds | (_SIGNS.index(letter) + 1 if letter in _SIGNS else 0) << _SIGN_BITS


def _capitals(kinds: npt.NDArray[np.uint8], block: Longs, start: Longs) -> npt.NDArray[np.float64]:
    """Return the share of capital letters among those that begin a block's first words."""
    is_letter = kinds & _SPACE == 0
    begins = is_letter.copy()
    begins[1:] &= ~is_letter[:-1] | (block[1:] != block[:-1])
    at = np.flatnonzero(begins)
    first = at.searchsorted(start[:-1])[block[at]]
    at = at[np.arange(at.size) - first < _FIRST_WORDS]
    of, size = block[at], start.size - 1
    capitals = np.bincount(of[kinds[at] & _UPPER > 0], minlength=size)
    return np.asarray(capitals / np.maximum(np.bincount(of, minlength=size), 1))


def _class_of(sign: str) -> int:
    if sign in ".!?…。！？":
        return 5
    if sign.isalpha():
        return 2 if sign.isupper() else 1
    return 3 if sign.isdigit() else 4


def _sums(values: npt.NDArray[np.generic], start: Longs) -> npt.NDArray[np.float64]:
    total = np.concatenate(([0.0], np.cumsum(values, dtype=np.float64)))
    return np.asarray(total[start[1:]] - total[start[:-1]], dtype=np.float64)


def _between(flags: Bools, runs: TextRuns) -> npt.NDArray[np.float64]:
    """Return the share of flagged words of each block, as the source splits them."""
    total = np.concatenate(([0.0], np.cumsum(flags, dtype=np.float64)))
    return np.asarray((total[runs.last] - total[runs.first]) / (runs.last - runs.first))


def _of_links(source: Source, runs: TextRuns) -> Columns:
    tree = source.tree
    is_link = tree.has_tag("a")
    starts = np.zeros(source.tokens.words.size + 1)
    np.add.at(starts, tree.words[is_link & (tree.words[:, 1] > tree.words[:, 0]), 0], 1)
    total = np.concatenate(([0.0], np.cumsum(starts)))
    in_links = words_below(source, linked(source) & ~tree.is_text)
    emphasis = words_below(source, tree.has_tag("b", "strong", "em"))
    share = _between(in_links, runs)
    number = total[runs.last] - total[runs.first]
    return {
        "links.share": share,
        "links.number": np.log1p(number),
        "links.free": np.log1p(runs.words * (1 - share)),
        "text.emphasis": _between(emphasis, runs),
    }


def _of_tags(source: Source, runs: TextRuns) -> Columns:
    tree, row = source.tree, runs.row
    result: Columns = {}
    for tag in _TAGS:
        rows = tree.has_tag(tag)
        result[f"tag.{tag}"] = (
            tree.below(rows)[row] if rows.any() else np.zeros(len(runs), dtype=bool)
        )
    level = np.zeros(len(runs))
    for number, tag in enumerate(_HEADINGS, 1):
        level[tree.within(tag)[row]] = number
    result["tag.heading"] = level
    result["tag.depth"] = tree.depth[row]
    return result | _of_headings(runs, level)


def _of_headings(runs: TextRuns, level: npt.NDArray[np.float64]) -> Columns:
    index = np.arange(len(runs))
    last = np.maximum.accumulate(np.where(level > 0, index, -1))
    before = np.concatenate(([-1], last[:-1]))
    total = np.concatenate(([0], np.cumsum(runs.words)))
    following = np.minimum.accumulate(np.where(level > 0, index, len(runs))[::-1])[::-1]
    after = np.append(following[1:], len(runs))
    firsts = np.flatnonzero(level == 1)
    first = firsts[0] if firsts.size else -1
    return {
        "heading.level": np.where(before >= 0, level[np.maximum(before, 0)], 0),
        "heading.blocks": np.where(before >= 0, index - before, 999),
        "heading.words": np.where(
            before >= 0, np.log1p(total[index] - total[np.maximum(before, 0)]), 12
        ),
        "heading.next": np.minimum(after - index, 50),
        "heading.section": np.log1p(total[after] - total[np.maximum(before, 0)]),
        "heading.number": np.cumsum(level > 0),
        "heading.after_h1": np.where(first >= 0, np.clip(index - first, -99, 999), -200),
        "heading.words_h1": np.where(
            first >= 0, np.sign(index - first) * np.log1p(np.abs(total[index] - total[first])), -20
        ),
        "heading.h1s": np.full(len(runs), firsts.size),
    }


def _of_position(source: Source, runs: TextRuns) -> Columns:
    total = np.concatenate(([0], np.cumsum(runs.words)))
    every, index = max(int(total[-1]), 1), np.arange(len(runs))
    size = max(len(source.html), 1)
    return {
        "position.words": total[:-1] / every,
        "position.blocks": index / len(runs),
        "position.before": np.log1p(total[:-1]),
        "position.after": np.log1p(every - total[1:]),
        "position.markup": source.tokens.spans[runs.first, 0] / size,
        "position.index": np.minimum(index, 200),
        "position.left": np.minimum(len(runs) - index, 200),
    }


def _of_tree(source: Source, runs: TextRuns, own_columns: Columns) -> Columns:
    """Return columns on the content of each effective ancestor and the block's position in it."""
    tree = source.tree
    n = len(tree)
    ranges = tree.words
    # Totals up to each word of the source, so that each ancestor's are a difference.
    size = source.tokens.words.size
    at_word = np.zeros((5, size + 1))
    words = runs.words.astype(np.float64)
    linked_words, paragraphs = words * own_columns["links.share"], words * own_columns["tag.p"]
    long = np.where(words >= 10, words, 0)
    at_word[:, runs.first + 1] = (words, linked_words, np.ones(len(runs)), paragraphs, long)
    total = np.cumsum(at_word, axis=1)
    everything = max(float(words.sum()), 1.0)
    parent = tree.parent
    is_element = ~tree.is_text
    children = np.bincount(parent[1:][is_element[1:]], minlength=n)
    below = np.arange(n)
    elements = np.concatenate(([0], np.cumsum(is_element)))
    elements = elements[tree.end] - elements[below]
    columns: Columns = {}
    before = None
    for level in range(LEVELS):
        rows = runs.levels[level]
        a, b = ranges[rows, 0], ranges[rows, 1]
        held = total[:, b] - total[:, a]
        inside = np.maximum(held[0], 1)
        name = f"tree{level}"
        columns[f"{name}.words"] = np.log1p(held[0])
        columns[f"{name}.share"] = held[0] / everything
        columns[f"{name}.links"] = held[1] / inside
        columns[f"{name}.mean"] = np.log1p(held[0] / np.maximum(held[2], 1))
        columns[f"{name}.paragraphs"] = held[3] / inside
        columns[f"{name}.long"] = held[4] / inside
        columns[f"{name}.children"] = np.log1p(children[rows])
        columns[f"{name}.markup"] = np.log1p(held[0] / np.maximum(elements[rows], 1))
        columns[f"{name}.at"] = (total[0, runs.first] - total[0, a]) / inside
        if before is not None:
            columns[f"{name}.part"] = before / inside
        before = held[0]
    return columns


def _of_repetition(source: Source, runs: TextRuns, own_columns: Columns) -> Columns:
    """Return columns on repeated kinds of blocks and parts: by tag and class, path, text."""
    tree, sign = source.tree, names(source).signature
    words = runs.words.astype(np.float64)
    every = max(words.sum(), 1.0)
    columns: Columns = {}
    parent = tree.parent.astype(np.int64)
    kinds = number_values(parent * (1 << 33) + sign)
    count = np.bincount(kinds)
    for level in range(5):
        rows = runs.levels[level]
        columns[f"repeat.siblings{level}"] = np.log1p(count[kinds[rows]])
    paths = path_groups(source)
    for name, group in paths.items():
        size = np.bincount(group)
        held = np.bincount(group, weights=words)
        links = np.bincount(group, weights=words * own_columns["links.share"])
        first = np.full(size.size, len(runs))
        np.minimum.at(first, group, np.arange(len(runs)))
        columns[f"repeat.{name}"] = np.log1p(size[group])
        columns[f"repeat.{name}_share"] = held[group] / every
        columns[f"repeat.{name}_mean"] = np.log1p(held / size)[group]
        columns[f"repeat.{name}_links"] = (links / np.maximum(held, 1))[group]
        columns[f"repeat.{name}_first"] = first[group] / len(runs)
    same = number_values(hash_words(runs.texts))
    columns["repeat.text"] = np.minimum(np.bincount(same)[same], 20)
    columns["repeat.again"] = np.ones(len(runs), dtype=bool)
    columns["repeat.again"][np.unique(same, return_index=True)[1]] = False
    return columns


@shared
def path_groups(source: Source) -> dict[str, Longs]:
    """Return which blocks have one path of tags, and of tags and classes, as numbers of groups."""
    tree, sign, runs = source.tree, names(source).signature, text_runs(source)
    tag = hash_words(tree.names)[tree.tag]
    result = {}
    for name, own, most in (("tags", tag, 40), ("classes", sign, 6)):
        at = tree.parent[runs.row].astype(np.int64)
        path = np.zeros(len(runs), dtype=np.int64)
        for _ in range(most):
            alive = at >= 0
            if not alive.any():
                break
            path = np.where(alive, path * 1000003 ^ own[np.maximum(at, 0)], path)
            at = np.where(alive, tree.parent[np.maximum(at, 0)], -1)
        result[name] = number_values(path)
    return result


def _of_page(source: Source, runs: TextRuns, columns: Columns) -> Columns:
    tree, words = source.tree, runs.words.astype(np.float64)
    every = max(words.sum(), 1.0)
    values = {
        "words": np.log1p(words.sum()),
        "blocks": np.log1p(len(runs)),
        "links": (words * columns["links.share"]).sum() / every,
        "paragraphs": (words * columns["tag.p"]).sum() / every,
        "lists": (words * columns["tag.ul"]).sum() / every,
        "tables": (words * columns["tag.table"]).sum() / every,
        "code": (words * columns["tag.pre"]).sum() / every,
        "article": (words * columns["tag.article"]).sum() / every,
        "main": (words * columns["tag.main"]).sum() / every,
        "long": words[words >= 20].sum() / every,
        "largest": words.max() / every,
        "prices": np.log1p(columns["text.price"].sum()),
        "dates": np.log1p(columns["text.date"].sum()),
        "stop": (words * columns["text.stop"]).sum() / every,
        "markup": np.log(len(source.html) / every),
    }
    for tag in _COUNTED:
        values[f"count_{tag}"] = np.log1p(np.count_nonzero(tree.has_tag(tag)))
    return {f"page.{name}": np.full(len(runs), value) for name, value in values.items()}


def _of_description(source: Source, runs: TextRuns) -> Columns:
    """Return columns on how well a block's text agrees with title, description and linked data."""
    title = source.title
    part = max(_TITLE_PART.split(title), key=len, default="")
    columns: Columns = {}
    total = np.maximum(runs.words, 1)
    head = tags_of_head(source)
    meta = " ".join(
        tag.get("content", "") for tag in head if _DESCRIPTION.fullmatch(property_of(tag))
    )
    for name, text in (("title", title), ("part", part), ("meta", meta)):
        known = np.unique(hash_words(words_in(text.lower())))
        shared_words = _sums(_is_among(runs.tokens, known), runs.start)
        columns[f"data.{name}"] = shared_words / total
        if name != "meta":
            columns[f"data.{name}_whole"] = shared_words / max(known.size, 1)
    texts = linked_texts(source)
    everything = "\n".join("\n".join(own) for own in texts.values())
    columns["data.known"] = np.full(len(runs), np.log1p(len(everything.split())))
    columns["data.linked"] = _repeated(everything, runs)
    for part, own in texts.items():
        described = "\n".join(own)
        columns[f"data.{part}"] = _repeated(described, runs)
        columns[f"data.{part}_known"] = np.full(len(runs), np.log1p(len(described.split())))
    return columns


def _repeated(text: str, runs: TextRuns) -> npt.NDArray[np.float64]:
    """Return which share of each block's pairs of words a text has."""
    own = np.zeros(runs.tokens.size, dtype=bool)
    if text:
        words = hash_words(words_in(text.lower()))
        own[:-1] = _is_among(_pairs(runs.tokens), np.unique(_pairs(words)))
    return _sums(own, runs.start) / np.maximum(runs.words, 1)


def _is_among(values: Longs, known: Longs) -> Bools:
    """Return which values are among known ones, ascending: quicker than to sort the values."""
    if not known.size:
        return np.zeros(values.size, dtype=bool)
    return np.asarray(known.take(known.searchsorted(values), mode="clip") == values)


def _pairs(tokens: Longs) -> Longs:
    return tokens[:-1] * 1000003 + tokens[1:]


_DESCRIPTION = re.compile(r"(?:og:|twitter:)?(?:description|title)")


def _of_neighbours(own_columns: Columns) -> Columns:
    columns: Columns = {}
    for name in (
        "text.words links.share text.stop tag.p tag.heading repeat.tags text.ends"
    ).split():
        values = np.asarray(own_columns[name], dtype=np.float32)
        short = name.partition(".")[2]
        for shift in (1, 2, 3):
            columns[f"near.{short}-{shift}"] = shift_blocks(values, shift)
            columns[f"near.{short}+{shift}"] = shift_blocks(values, -shift)
    words = np.expm1(own_columns["text.words"])
    for reach in _WINDOWS:
        held = sum_windows(words, reach)
        columns[f"near.words~{reach}"] = np.log1p(held)
        for short, own in (("links", "links.share"), ("stop", "text.stop")):
            windows = sum_windows(words * own_columns[own], reach)
            columns[f"near.{short}~{reach}"] = windows / np.maximum(held, 1)
    return columns


def shift_blocks(values: Column, by: int) -> Column:
    """Return the value of the block a number of positions before each; -1 past the ends."""
    result = np.full_like(values, -1)
    if by > 0:
        result[by:] = values[:-by]
    else:
        result[:by] = values[-by:]
    return result


def sum_windows(values: npt.NDArray[np.floating], reach: int) -> npt.NDArray[np.float64]:
    """Return sums over each block and a number of blocks on both sides."""
    total = np.concatenate(([0.0], np.cumsum(values, dtype=np.float64)))
    index = np.arange(values.size)
    high = np.minimum(index + reach + 1, values.size)
    return np.asarray(total[high] - total[np.maximum(index - reach, 0)])

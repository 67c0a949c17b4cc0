"""Crunch: careful filters on the tree that take out advertisements and lists of links.

Source: S. Gupta, G. Kaiser, D. Neistadt, P. Grimm, "DOM-based Content Extraction of HTML
Documents", WWW 2003; T. Gottron, dissertation 2008, sections 3.2.1 and 3.2.4, who also gives the
link/text removal ratio of .35 and the 5 characters that count as a word.

What of Crunch bears on text: links and frames to ad servers go; so does the text of a table cell,
list or division whose words in links are more than .35 of its words outside them, text in nested
ones not counted.  Scripts, styles, images and empty table cells have no text to begin with.  Not
done, as they change no text: moving links to the end of the page, rewriting layout; the genre
classifier that sets its parameters is not published in a form that could be followed.

Departures.  Crunch examines table cells mainly, as pages were built with tables; here lists and
divisions too, as a parameter.  Of its list of ad servers the words that name them are used.

Cost: O(n) for n rows.
"""

import re
from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from algorithms.method import Method
from algorithms.params import Params, param
from algorithms.results import Extraction, keep_words
from algorithms.signals.tree_counts import letters, linked, nearest, words_below
from algorithms.trace import Rule, Trace, step
from engine.source import Source
from engine.tree import Bools, Doubles, Longs

_ADDRESSES = ("href", "src", "data")
_SERVERS = (
    r"(?:ads?|adserv(?:er|ice|ing)?s?|adclick|adlog|adtech|adsense|banners?|doubleclick"
    r"|googlesyndication|googleadservices|atdmt|falkag|fastclick|tribalfusion|valueclick|outbrain"
    r"|taboola|sponsor(?:ed|s)?)(?=[/._-]|$)"
)
_AD = re.compile(rf"(?:^|[/._-]){_SERVERS}", re.IGNORECASE)
_AD_IN_TAG = re.compile(rf"[/._-]{_SERVERS}", re.IGNORECASE)  # ten times as fast
_AD_IN_SMALL = re.compile(rf"[/._-]{_SERVERS}")  # and twice again


@dataclass(frozen=True)
class CrunchParams(Params):
    ratio: float = param(
        0.35, "words in links per word outside above which a list is dropped", low=0.0, high=10.0
    )
    letters: int = param(5, "characters that count as a word", low=1, high=20)
    ads: bool = param(True, "drop links and frames to ad servers")
    lists: bool = param(True, "drop lists of links")
    tags: str = param("td th ul ol dl div", "elements examined for lists of links", has_tags=True)


def extract(source: Source, params: CrunchParams) -> Extraction:
    """Return the words no filter takes out."""
    gone = np.zeros(len(source.tree), dtype=bool)
    if params.ads:
        gone |= advertisements(source)
    if params.lists:
        gone |= link_lists(source, params)
    return keep_words(source, ~words_below(source, gone))


def advertisements(source: Source) -> Bools:
    """Return which rows link to, or frame, an ad server, bool (n,)."""
    tree, tokens, html = source.tree, source.tokens, source.html
    result = np.zeros(len(tree), dtype=bool)
    rows = np.flatnonzero(tree.has_tag("a", "iframe", "object", "embed", "ins", "ilayer", "layer"))
    token = tree.token[rows]
    spans = zip(tokens.start[token].tolist(), tokens.end[token].tolist(), strict=True)
    for number in _with_servers([html[start:end] for start, end in spans]):
        row = int(rows[number])
        values = source.attributes(row)
        result[row] = any(_AD.search(values.get(name, "")) for name in _ADDRESSES)
    return result


def _with_servers(tags: list[str]) -> set[int]:
    """Return which tags have the name of an ad server somewhere in them, by number."""
    plain = [tag if tag.isascii() else "" for tag in tags]
    odd = [number for number, tag in enumerate(tags) if tag and not plain[number]]
    result = {number for number in odd if _AD_IN_TAG.search(tags[number])}
    together = "\n".join(plain).lower()  # most pages have none in all of them
    found = [match.start() for match in _AD_IN_SMALL.finditer(together)]
    ends = list(accumulate(len(tag) + 1 for tag in plain)) if found else []
    return result.union(bisect_right(ends, position) for position in found)


def link_lists(source: Source, params: CrunchParams) -> Bools:
    """Return the texts inside an element with too many words in links, bool (n,)."""
    home, inside, outside = _linked_words(source, params)
    result = np.zeros(len(source.tree), dtype=bool)
    # Texts in none of these elements are kept.
    result[source.tree.is_text] = (inside > params.ratio * outside) & (home > 0)
    return result


def _linked_words(source: Source, params: CrunchParams) -> tuple[Longs, Doubles, Doubles]:
    """Return for each text the element checked around it, and the words in links and outside."""
    tree = source.tree
    texts = np.flatnonzero(tree.is_text)
    home = nearest(tree, tree.has_tag(*params.tags.lower().split()))[texts]
    words, in_link = letters(source)[texts] / params.letters, linked(source)[texts]
    inside: Doubles = np.bincount(home, words * in_link, len(tree)).astype(np.float64)
    outside: Doubles = np.bincount(home, words * ~in_link, len(tree)).astype(np.float64)
    return home, inside[home], outside[home]


_RATIO = Rule("linked words per unlinked word", "<=", ("ratio", "letters"), is_share=True)
_AD_SERVER = Rule("links to or embeds an ad server", "", ("ads",))
_STAYS = Rule("no advertisement and in no list of links", "", ("lists", "tags"))


def trace(source: Source, params: CrunchParams) -> Trace:
    """Return for each text the words in links around it, and whether it is an advertisement."""
    tree = source.tree
    texts = np.flatnonzero(tree.is_text)
    spans, size = tree.words[texts], source.tokens.words.size
    steps = [step(_STAYS, spans, True)]
    if params.lists:
        home, inside, outside = _linked_words(source, params)
        asked = home > 0
        ratio = np.divide(inside, outside, out=np.full(home.size, np.inf), where=outside > 0)
        ratio[(inside == 0) & (outside == 0)] = 0.0
        is_kept = ~(inside > params.ratio * outside)
        notes = tuple(f"in <{tree.name_of(row)}>" for row in home[asked].tolist())
        steps.append(step(_RATIO, spans[asked], is_kept[asked], ratio[asked], params.ratio, notes))
    if params.ads:
        ads = tree.below(advertisements(source))[texts]
        steps.append(step(_AD_SERVER, spans[ads], False))
    return Trace(tuple(steps), size)


METHOD = Method(
    key="crunch",
    name="Crunch",
    params=CrunchParams,
    output="extraction",
    cite="Gupta, Kaiser, Neistadt, Grimm 2003",
    on_source=extract,
    trace_source=trace,
    summary="All text but advertisements and lists of links, with care.",
)

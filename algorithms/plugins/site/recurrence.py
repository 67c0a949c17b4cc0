"""Recurrence of a page's content on the other pages of its site: texts, words, subtrees.

Everything is counted in pages, copies of a page left out (`algorithms.templates.site.distinct`),
and kept with the site or its sources.
"""

from collections import Counter

import numpy as np
import scipy  # loads its parts when they are first used

from algorithms.results import Extraction, keep_words
from algorithms.signals.memo import shared
from algorithms.templates.site import Site, distinct, text_pages, texts
from engine.source import Source
from engine.tree import Bools, Doubles, Longs, lock
from engine.word_units import words_in


def pages_of_texts(site: Site) -> Longs:
    """Return the number of the site's pages with each text row of the seed, int64 (n,).

    0 for an element.  A page counts itself.
    """
    known = text_pages(site)
    result = [known.get(text, 1) if text else 0 for text in texts(site.source)]
    return np.array(result, dtype=np.int64)


@shared
def subtree_keys(source: Source) -> Longs:
    """Return a number for each row's markup and all below it, int64 (n,).

    Equal for equal names, attributes, texts and order; white space between tags and comments do
    not count.  Numbers are of this run of the program only.
    """
    tree, tokens, html, row_texts = source.tree, source.tokens, source.html, texts(source)
    parents, token = tree.parent.tolist(), tree.token.tolist()
    starts, ends = tokens.start.tolist(), tokens.end.tolist()
    below: list[list[int]] = [[] for _ in parents]
    keys = [0] * len(parents)
    for row in range(len(parents) - 1, -1, -1):
        if row_texts[row]:
            key = hash(row_texts[row])
        else:
            tag = html[starts[token[row]] : ends[token[row]]] if token[row] >= 0 else ""
            key = hash((" ".join(tag.split()), *below[row]))
        keys[row] = key
        if row:
            below[parents[row]].append(key)
    result = np.array(keys, dtype=np.int64)
    lock(result)
    return result


@shared
def subtree_pages(site: Site) -> dict[int, int]:
    """Return the number of pages of each subtree, by its `subtree_keys`."""
    counts: Counter[int] = Counter()
    for page in distinct(site):
        counts.update(set(subtree_keys(site.sources[page]).tolist()))
    return dict(counts)


@shared
def terms(source: Source) -> tuple[str, ...]:
    """Return the words as features: lower case, signs left out, "" where no letters are left."""
    known = {word: _term(word) for word in set(source.words)}
    return tuple(map(known.__getitem__, source.words))


def _term(word: str) -> str:
    term = "".join(words_in(word.lower(), "clauses"))
    return "" if term.isdigit() else term


@shared
def term_entropies(site: Site) -> dict[str, float]:
    """Return the entropy of each term over the pages: 0 on one page alone, 1 on all alike.

    Lin and Ho's H(F) = - sum over pages of w log_n w, w a page's share of the term's occurrences,
    n the number of pages; 0 where there is but one page.
    """
    pages = distinct(site)
    counts = [Counter(term for term in terms(site.sources[page]) if term) for page in pages]
    number: dict[str, int] = {}
    for page in counts:
        for term in page:
            number.setdefault(term, len(number))
    column = [number[term] for page in counts for term in page]
    weight = np.array([w for page in counts for w in page.values()], dtype=np.float64)
    ends = np.cumsum([0, *map(len, counts)])
    table = scipy.sparse.csr_array((weight, column, ends), shape=(len(pages), len(number)))
    total = np.asarray(table.sum(axis=0)).ravel()
    share = weight / total[column] if weight.size else weight
    parts = np.bincount(column, -share * np.log(share), len(number)) if weight.size else total
    entropy = parts / np.log(len(pages)) if len(pages) > 1 else np.zeros(len(number))
    return dict(zip(number, entropy.tolist(), strict=True))


def word_entropies(site: Site) -> Doubles:
    """Return the entropy of each word of the seed, float64 (w,); nan for one without letters."""
    known = term_entropies(site)
    return np.array([known.get(term, 0.0) if term else np.nan for term in terms(site.source)])


def evenly(pages: tuple[int, ...], most: int) -> tuple[int, ...]:
    """Return at most so many of some pages, evenly spread."""
    if len(pages) <= most:
        return pages
    return tuple(pages[at] for at in np.linspace(0, len(pages) - 1, most).astype(int))


def text_words(source: Source, rows: Bools) -> Bools:
    """Return the words in these text rows, bool (w,). The rows must not hold each other."""
    spans = source.tree.words[rows & source.tree.is_text]
    steps = np.zeros(source.tokens.words.size + 1, dtype=np.int64)
    np.add.at(steps, spans[:, 0], 1)
    np.add.at(steps, spans[:, 1], -1)
    return np.asarray(np.cumsum(steps)[:-1] > 0, dtype=bool)


def without(source: Source, removed: Bools) -> Extraction:
    """Return all text but these words, bool (w,)."""
    return keep_words(source, ~removed)

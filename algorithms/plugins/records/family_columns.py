"""What a family of candidates for records is judged by: a row of numbers each."""

import re
from functools import lru_cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from algorithms.plugins.records.elements import Elements
from algorithms.plugins.records.like_siblings import Family, Paths, likeness
from engine.tree import Indices

NAMES = {
    "menu": "nav|menu|breadcrumb|dropdown",
    "foot": "foot|legal|social|share",
    "head": "header|topbar",
    "filter": "filter|facet|refine|sort|sidebar|toolbar",
    "consent": "cookie|consent|ot-|onetrust|gdpr|modal|dialog|popup",
    "item": "product|result|listing|item|card|row|entry|post",
    "more": "related|recommend|carousel|slider|swiper|trending|popular|sponsor|ad-|ads|promo",
    "main": "main|content|primary",
    "pages": "pagin|pager",
}
"""What a class or an id may have in it, by what it says."""

LANDMARKS = {
    "nav": "nav navigation", "header": "header banner", "footer": "footer contentinfo",
    "main": "main", "aside": "aside", "form": "form fieldset", "select": "select",
    "dialog": "dialog", "table": "table", "article": "article", "list": "ul ol",
    "unseen": "noscript template",
}  # fmt: skip
"""Tags and roles of the elements around."""

COLUMNS = (
    "records", "places", "records_a_place", "most_in_a_place",
    "letters", "letters_middle", "letters_spread",
    "leaves", "leaves_most", "leaves_least", "leaves_spread", "letters_a_leaf",
    "elements", "paths", "likeness", "distinct",
    "link_share", "links", "with_picture", "number_share", "with_number",
    "share", "leaf_share", "of_largest", "richness", "rank", "second", "top_share",
    "rich_families", "other_records", "page_leaves", "position", "in_tbody",
    "outer_each", "outer_share", "outer_leaves", "outer_spread", "outer_likeness",
    "inner_share", "inner_each",
    *(f"{kind}_{where}" for kind in NAMES for where in ("here", "around")),
    *(f"in_{kind}" for kind in LANDMARKS),
)  # fmt: skip
"""Of records: how many and where; their size and how it varies; their form; links, pictures and
numbers.  Of the page: the family's share, its rank by how much text of several fields it holds, and
how much else there is.  Of the family around this one, and of the largest within it: what one of
its records holds of the other.  Of names: whether the class or id of a record or its parent is of a
kind, and of an element around; and the landmarks around."""

_NAMES = [re.compile(words, re.IGNORECASE) for words in NAMES.values()]
_NUMBER = re.compile(r"[0-9$€£¥]")
_COMPARED, _READ, _LONGEST = 60, 100, 100
"""Records whose likeness and whose texts are compared, and letters of such a text."""


def family_columns(
    page: Elements, paths: list[Paths], families: list[Family]
) -> npt.NDArray[np.float32]:
    """Return the columns of families, float32 (f, c)."""
    if not families:
        return np.zeros((0, len(COLUMNS)), np.float32)
    sums = _PageSums(page)
    signs = _Signs(page)
    rows = [_own_columns(page, paths, sums, family) | signs.of(family) for family in families]
    _add_rank(page, rows)
    _add_nesting(page, families, rows)
    return np.array([[row[name] for name in COLUMNS] for row in rows], np.float32)


class _PageSums:
    """Sums over subtrees, each from running totals, (n + 1,)."""

    def __init__(self, page: Elements) -> None:
        letters = [sum(map(len, texts)) for texts in page.own]
        is_link = [name == "a" for name in page.tags]
        in_link: list[bool] = []
        for up, is_one in zip(page.parent, is_link, strict=True):
            in_link.append(is_one or (up >= 0 and in_link[up]))
        self.end = np.array(page.end)
        self.leaves = np.array(page.before)
        self.letters = _running(letters)
        self.linked = _running(np.multiply(letters, in_link))
        self.links = _running(is_link)
        self.pictures = _running([name in ("img", "picture", "svg", "video") for name in page.tags])
        self.numbers = _running([any(map(_NUMBER.search, texts)) for texts in page.own])

    def of(self, totals: npt.NDArray[np.int64], records: Indices) -> npt.NDArray[np.int64]:
        """Return the sum over each record, rows (r, s)."""
        return np.asarray((totals[self.end[records]] - totals[records]).sum(axis=1))


class _Signs:
    """Kinds of names, and landmarks, of each element and of those around it and itself, as bits."""

    def __init__(self, page: Elements) -> None:
        role_bits: dict[str, int] = {}
        for bit, words in enumerate(LANDMARKS.values(), len(NAMES)):
            role_bits |= dict.fromkeys(words.split(), 1 << bit)
        self.own: list[int] = []
        self.around: list[int] = []
        for up, tag, attributes in zip(page.parent, page.tags, page.attributes, strict=True):
            names = f"{attributes.get('class', '')} {attributes.get('id', '')}"
            bits = _name_bits(names) | role_bits.get(tag, 0)
            self.own.append(bits | role_bits.get(attributes.get("role", ""), 0))
            self.around.append(self.own[-1] | (self.around[up] if up >= 0 else 0))

    def of(self, family: Family) -> dict[str, float]:
        parent = family[0].parent
        here = self.own[family[0].records[0][0]] | self.own[parent]
        around = self.around[parent]
        result: dict[str, float] = {}
        for bit, kind in enumerate(NAMES):
            result[f"{kind}_here"], result[f"{kind}_around"] = here >> bit & 1, around >> bit & 1
        for bit, kind in enumerate(LANDMARKS, len(NAMES)):
            result[f"in_{kind}"] = around >> bit & 1
        return result


@lru_cache(maxsize=1 << 12)
def _name_bits(names: str) -> int:
    return sum(bool(sign.search(names)) << bit for bit, sign in enumerate(_NAMES))


def _running(values: npt.ArrayLike) -> npt.NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(values, dtype=np.int64)])


def _own_columns(
    page: Elements, paths: list[Paths], sums: _PageSums, family: Family
) -> dict[str, float]:
    records = np.array([record for siblings in family for record in siblings.records])
    heads = records[:_COMPARED, 0].tolist()
    letters, leaves = sums.of(sums.letters, records), sums.of(sums.leaves, records)
    linked, links = sums.of(sums.linked, records), sums.of(sums.links, records)
    pictures, numbers = sums.of(sums.pictures, records), sums.of(sums.numbers, records)
    text, held = max(int(letters.sum()), 1), int(leaves.sum())
    texts = {
        " ".join(t for row in each for at in _first(page, row) for t in page.own[at])[:_LONGEST]
        for each in records[:_READ].tolist()
    }
    alike = [likeness(paths[a], paths[b]) for a, b in pairwise(heads)]
    return {
        "records": np.log(len(records)),
        "places": len(family),
        "records_a_place": len(records) / len(family),
        "most_in_a_place": max(len(siblings.records) for siblings in family),
        "letters": letters.mean(),
        "letters_middle": float(np.median(letters)),
        "letters_spread": letters.std() / max(letters.mean(), 1),
        "leaves": leaves.mean(),
        "leaves_most": leaves.max(),
        "leaves_least": leaves.min(),
        "leaves_spread": leaves.std() / leaves.mean(),
        "letters_a_leaf": text / held,
        "elements": (sums.end[records] - records).sum(axis=1).mean(),
        "paths": float(np.mean([len(paths[row]) for row in heads])),
        "likeness": float(np.mean(alike or [1.0])),
        "distinct": len(texts) / min(len(records), _READ),
        "link_share": linked.sum() / text,
        "links": links.mean(),
        "with_picture": (pictures > 0).mean(),
        "number_share": numbers.sum() / held,
        "with_number": (numbers > 0).mean(),
        "share": text / max(int(sums.letters[-1]), 1),
        "leaf_share": held / int(sums.leaves[-1]),
        "richness": text * min(1.0, (float(np.median(leaves)) - 1) / 2),
        "position": page.before[heads[0]] / int(sums.leaves[-1]),
        "in_tbody": page.tags[family[0].parent] == "tbody",
    }


def _first(page: Elements, row: int) -> range:
    return range(row, min(page.end[row], row + 30))


def _add_rank(page: Elements, rows: list[dict[str, float]]) -> None:
    richness = np.array([row["richness"] for row in rows])
    order = np.argsort(-richness, kind="stable")
    rank = np.empty(len(rows))
    rank[order] = np.arange(len(rows))
    most = max(float(richness.max()), 1.0)
    largest = max(row["share"] for row in rows)
    every = sum(float(np.exp(row["records"])) for row in rows)
    for row, own_rank in zip(rows, rank.tolist(), strict=True):
        row["richness"] /= most
        row["rank"] = own_rank
        row["second"] = richness[order[1]] / most if len(rows) > 1 else 0.0
        row["top_share"] = rows[order[0]]["share"]
        row["of_largest"] = row["share"] / largest
        row["rich_families"] = sum(
            other["leaves"] >= 2 and other["records"] >= 1.09 for other in rows
        )
        row["other_records"] = every / float(np.exp(row["records"]))
        row["page_leaves"] = float(np.log(page.before[-1] + 1))


def _add_nesting(page: Elements, families: list[Family], rows: list[dict[str, float]]) -> None:
    holder: dict[int, int] = {}
    for number, family in enumerate(families):
        for siblings in family:
            for record in siblings.records:
                for row in record:
                    holder.setdefault(row, number)
    for own in rows:
        own.update(inner_share=0.0, inner_each=0.0)
    for number, (own, family) in enumerate(zip(rows, families, strict=True)):
        row, outer = family[0].parent, None
        while row >= 0 and (outer := holder.get(row)) in (None, number):
            row, outer = page.parent[row], None
        around = rows[outer] if outer is not None else None
        own["outer_each"] = np.exp(own["records"] - around["records"]) if around else 0.0
        own["outer_share"] = own["share"] / around["share"] if around else 0.0
        own["outer_leaves"] = around["leaves"] if around else 0.0
        own["outer_spread"] = around["leaves_spread"] if around else 0.0
        own["outer_likeness"] = around["likeness"] if around else 0.0
        if around and own["outer_share"] > around["inner_share"]:
            around.update(inner_share=own["outer_share"], inner_each=own["outer_each"])

"""Hashed words that hint at a page's type, learned from them."""

import re

import numpy as np

from algorithms.extraction.gleaner.block_columns import measure_columns
from algorithms.extraction.gleaner.linked_data import linked_scripts, property_of, tags_of_head
from algorithms.extraction.gleaner.text_runs import hash_words, text_runs
from algorithms.signals.memo import shared
from engine.source import Source
from engine.tree import Longs
from engine.word_units import words_in

_TELLING = frozenset(["og:type", "generator", "og:site_name", "page-type", "pagetype"])
_PATH = re.compile(r"https?://[^/]+(/[^?#]*)")
_SCHEMA_TYPE = re.compile(r"""["']@type["']\s*:\s*\[?\s*["'](\w{3,40})["']""")


def own_address(source: Source) -> str:
    """Return the address a page declares as its own; "" where it declares none."""
    for tag in tags_of_head(source):
        address = ""
        if "canonical" in tag.get("rel", "").lower():
            address = tag.get("href", "")
        elif property_of(tag) == "og:url":
            address = tag.get("content", "")
        if address.strip().lower().startswith(("http://", "https://")):
            return address.strip()
    return ""


@shared
def page_codes(source: Source) -> Longs:
    """Return hashed words that hint at the page's type, int64 (c,), each once."""
    head = tags_of_head(source)
    result = [f"title:{word}" for word in words_in(source.title.lower())[:30]]
    result += [
        f"meta:{tag.get('content', '')[:80].lower()}"
        for tag in head
        if property_of(tag) in _TELLING
    ]
    for data in linked_scripts(source):
        result += [f"schema:{value.lower()}" for value in set(_SCHEMA_TYPE.findall(data))]
    if match := _PATH.match(own_address(source)):
        parts = [part for part in match[1].lower().split("/") if part]
        result.append(f"depth:{len(parts)}")
        result += [
            f"path:{piece}" for part in parts for piece in re.split(r"[\W_]+", part) if piece
        ][:30]
        if parts:
            result.append(f"last:{min(len(re.split(r'[-_]', parts[-1])), 8)}")
            result += ["last:digits"] * bool(re.search(r"\d{3}", parts[-1]))
            result += [f"under:{part}" for part in parts[:-1]]
    tokens = source.tokens
    for body in np.flatnonzero(tokens.is_named("body") & ~tokens.is_close)[:1].tolist():
        tag = source.html[tokens.start[body] : tokens.end[body]].lower()
        result += [f"body:{word}" for word in words_in(tag)[:60]]
    columns = measure_columns(source)
    for name, column in columns.items():
        if name.startswith("page."):
            value = float(column[0])
            result.append(f"{name}:{round(value * (10 if value <= 1 else 2))}")
    runs = text_runs(source)
    level = columns.get("tag.heading", np.zeros(0))
    for block in np.flatnonzero(level > 0)[:40].tolist():
        result += [f"heading:{word}" for word in words_in(runs.texts[block].lower())[:12]]
    for block in np.flatnonzero((runs.words > 0) & (runs.words <= 4)).tolist()[:600]:
        result.append(f"short:{runs.texts[block].lower()}")
    return np.unique(hash_words(result))

"""Data on a page in its head: ``meta`` and ``link`` tags, and texts of its JSON-LD by role."""

import json
from collections.abc import Mapping

import numpy as np

from algorithms.signals.memo import shared
from engine.source import Source
from engine.tokenise import attributes

_MOST_TAGS = 400
_MOST_TEXTS = 500
_ADDRESSES = frozenset(["@id", "url", "image", "@context"])
_BODY_KEYS = frozenset(["description", "articlebody", "text", "abstract"])
_NAME_KEYS = frozenset(["name", "headline", "alternativeheadline", "title"])
_BY_READERS = frozenset(["review", "reviews", "comment", "comments", "reviewbody"])
_OF_THE_SITE = frozenset(["publisher", "author", "brand", "seller", "organization", "website",
                          "webpage", "breadcrumblist", "person", "ispartof"])  # fmt: skip


@shared
def linked_scripts(source: Source) -> tuple[str, ...]:
    """Return the contents of the JSON-LD scripts."""
    html, result, at = source.html, [], 0
    while (at := html.find("ld+json", at)) >= 0:
        start = html.find(">", at) + 1
        end = html.find("</", start)
        while end > 0 and html[end + 2 : end + 8].lower() != "script":
            end = html.find("</", end + 2)
        if not start or end < 0:
            break
        result.append(html[start:end])
        at = end
    return tuple(result)


@shared
def linked_texts(source: Source) -> dict[str, list[str]]:
    """Return the longer texts of the page's JSON-LD by role.

    ``body`` describes what the page is about, ``name`` names it or its parts, ``readers`` is
    reviews and comments, ``site`` whoever publishes it, ``other`` the rest.
    """
    parts = ("body", "name", "readers", "site", "other")
    result: dict[str, list[str]] = {part: [] for part in parts}
    count = 0
    for data in linked_scripts(source):
        try:
            stack = [(json.loads(data, strict=False), "", "")]
        except (ValueError, RecursionError):
            continue
        while stack and count < _MOST_TEXTS:
            value, key, part = stack.pop()
            if isinstance(value, dict):
                part = part or _part_of(key) or _part_of(str(value.get("@type", "")).lower())
                stack += [
                    (each, own.lower(), part)
                    for own, each in value.items()
                    if own not in _ADDRESSES
                ]
            elif isinstance(value, list):
                stack += [(each, key, part) for each in value]
            elif isinstance(value, str) and len(value) > 15 and " " in value:
                own = "body" if key in _BODY_KEYS else "name" if key in _NAME_KEYS else "other"
                result[part or _part_of(key) or own].append(value)
                count += 1
    return result


def _part_of(name: str) -> str:
    return "readers" if name in _BY_READERS else "site" if name in _OF_THE_SITE else ""


@shared
def tags_of_head(source: Source) -> tuple[Mapping[str, str], ...]:
    """Return the attributes of the ``meta`` and ``link`` tags, wherever they stand."""
    tokens = source.tokens
    at = np.flatnonzero(tokens.is_named("meta", "link") & ~tokens.is_close)[:_MOST_TAGS]
    spans = zip(tokens.start[at].tolist(), tokens.end[at].tolist(), strict=True)
    return tuple(attributes(source.html, start, end) for start, end in spans)


def property_of(tag: Mapping[str, str]) -> str:
    """Return the name of what a ``meta`` tag tells, in lower case."""
    return (tag.get("property") or tag.get("name") or "").lower()

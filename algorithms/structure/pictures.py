"""The address of a picture, wherever a page keeps it until it is needed."""

import re
from collections.abc import Iterable, Mapping

_SETS = re.compile(r"^(?:data-.*)?(?:srcset|src-?set|original-set)$")
_LAZY = re.compile(
    r"^data-(?:.*-)?(?:src|original|actualsrc|lazy|url|image|img|full|large|hi-?res|file|echo|defer|load)"
    r"(?:-.*)?$"
)
_FIRST = ("data-src", "data-original", "data-lazy-src", "data-actualsrc", "data-lazy", "src")
_LOOKS_LIKE_ONE = re.compile(
    r"\.(?:jpe?g|png|gif|webp|avif|svg|bmp|tiff?)(?:[?#!@]|$)|^https?://", re.I
)
_PLACEHOLDER = re.compile(
    r"^(?:#.*|about:blank|data:.*)?$|(?:^|[/_-])(?:blank|spacer|placeholder|transparent|pixel|1x1|lazy"
    r"|loading|grey|clear|empty)(?:[_-]\w+)?\.(?:gif|png|svg|jpe?g|webp)(?:\?|$)",
    re.IGNORECASE | re.DOTALL,
)
_CANDIDATE = re.compile(r"\s*([^\s,]\S*[^\s,])(?:\s+([\d.]+)([wx]))?\s*(?:,|$)")


def addresses_of(given: Mapping[str, str], sources: Iterable[Mapping[str, str]]) -> list[str]:
    """Return the addresses of a picture, the best first.

    Args:
        given: Attributes of the ``img``.
        sources: Those of the ``source`` elements beside it in a ``picture``.

    The largest candidate of a ``srcset``, of whatever name, comes before attributes that a script
    copies into ``src``; placeholders are none.
    """
    found: list[str] = []
    lazy = [
        (name, value) for name, value in given.items()
        if _LAZY.match(name) and not _SETS.match(name) and _LOOKS_LIKE_ONE.search(value)
    ]  # fmt: skip
    for name, value in given.items():
        if _SETS.match(name):
            found += _largest(value)
    found += [given[name] for name in _FIRST[:-1] if given.get(name)]
    src = given.get("src", "")
    if not lazy and not found:
        for each in sources:
            for name, value in each.items():
                if _SETS.match(name):
                    found += _largest(value)
    found += [value for _, value in lazy]
    ordered = [*found, src]
    return [each for each in dict.fromkeys(ordered) if not _PLACEHOLDER.search(each.strip())]


def _largest(srcset: str) -> list[str]:
    """Return the largest candidate of a ``srcset``, as a list of at most one.

    >>> _largest("a.jpg 300w, b.jpg 900w")
    ['b.jpg']
    """
    best, size = [], -1.0
    for match in _CANDIDATE.finditer(srcset):
        address, number = match[1], match[2]
        try:
            own = float(number) if number else 1.0
        except ValueError:
            own = 1.0
        if own > size and not address.startswith("data:"):
            best, size = [address], own
    return best

"""Which elements a document's tags leave open, as long as they are well nested.

Most documents are, to the end or nearly: every end tag ends the innermost open element, and no
start tag silently ends another.  So far depths are sums, and the innermost open element of a depth
is the last that was opened at it; `engine.markup` walks on from the first tag that is different.
"""

from collections.abc import Iterable
from functools import cache
from itertools import chain

import numpy as np
import numpy.typing as npt

from engine.tree import Bools

Numbers = npt.NDArray[np.int64]
Kinds = npt.NDArray[np.int8]

VOID_TAGS = frozenset(
    "area base basefont bgsound br col embed frame hr image img input keygen link meta param "
    "source track wbr".split()
)
"""Elements that hold nothing and have no end tag."""

ENDS_PARAGRAPH = frozenset(
    "address article aside blockquote center details dialog dir div dl dd dt fieldset figcaption "
    "figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr li main menu nav ol p pre section "
    "summary table ul".split()
)
HEADINGS = frozenset("h1 h2 h3 h4 h5 h6".split())
BREAKS_OUT = frozenset(
    "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li "
    "listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul "
    "var".split()
)
"""Start tags that end ``svg`` and ``math`` around them, but where these hold HTML."""
FOREIGN = frozenset(["svg", "math"])
HOLDS_HTML = frozenset("foreignobject desc title mi mo mn ms mtext annotation-xml".split())
_TABLE_PARTS = frozenset("tbody thead tfoot".split())
_TABLE = frozenset("table caption colgroup tbody thead tfoot tr td th".split())

_CELLS = frozenset(["td", "th", "caption", "colgroup"])

# Elements ended by a start tag (``p`` itself), and elements that shield those outside them.
ENDS: dict[str, frozenset[str]] = {
    "li": frozenset(["li"]),
    **dict.fromkeys(("dt", "dd"), frozenset(["dt", "dd"])),
    "option": frozenset(["option"]),
    "optgroup": frozenset(["option", "optgroup"]),
    **dict.fromkeys(("td", "th"), _CELLS),
    "tr": _CELLS | {"tr"},
    **dict.fromkeys(("tbody", "thead", "tfoot"), _TABLE_PARTS | _CELLS | {"tr"}),
    **dict.fromkeys(("body", "frameset"), frozenset(["head"])),
    **dict.fromkeys(("rt", "rp"), frozenset(["rt", "rp"])),
}
_BOUNDS = frozenset(["template", "html"])
_LISTS = _BOUNDS | {"ul", "ol", "menu", "dir", "table", "td", "th", "caption", "object"}
_SHIELDS: dict[str, frozenset[str]] = {
    "li": _LISTS,
    **dict.fromkeys(("dt", "dd"), _LISTS | {"dl"}),
    "option": _BOUNDS | {"select", "datalist"},
    "optgroup": _BOUNDS | {"select"},
    "p": _BOUNDS | {"table", "td", "th", "caption", "button", "object"},
    **dict.fromkeys(("body", "frameset"), frozenset(["html"])),
}
_TABLE_SHIELD = _BOUNDS | {"table"}
_RUBY_SHIELD = _BOUNDS | {"ruby"}

# A void element is never open; the root and the body stay open; "</br>" means "<br>".
_NEVER_ENDED = (VOID_TAGS - {"br"}) | {"html", "body"}
DEEPEST = 10_000
"""Elements nested deeper become siblings: keeps a walk up the stack, and every reader, finite."""


# Effects of a tag: it opens an element, maybe after ending some, or ends one.
PLAIN, BLOCK, LINK, OTHER, RULE, VOID, END, NOTHING = range(8)


@cache
def kind_of(name: str) -> int:
    """Return the kind of a start tag: with simple rules, or one that depends on open elements."""
    if name == "body" or name in ENDS or name in HEADINGS:
        return OTHER
    if name in ENDS_PARAGRAPH:
        return RULE if name in VOID_TAGS else BLOCK
    if name == "html":  # the root is always open
        return NOTHING
    return LINK if name == "a" else VOID if name in VOID_TAGS else PLAIN


def implied_ends(name: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the elements ended by a start tag of this name, and those that shield outer ones."""
    shield = _TABLE_SHIELD if name in _TABLE else _SHIELDS.get(name, _RUBY_SHIELD)
    return ENDS.get(name, frozenset([name])), shield


def kinds_of(names: tuple[str, ...], number: Numbers, is_close: Bools) -> Kinds:
    """Return the kind of each of t tags, (t,); ``number`` is the index of its name in ``names``."""
    opening = np.array([kind_of(name) for name in names], np.int8)
    closing = np.array([NOTHING if name in _NEVER_ENDED else END for name in names], np.int8)
    return np.where(is_close, closing[number], opening[number])


def innermost(names: tuple[str, ...], number: Numbers, kind: Kinds) -> tuple[Numbers, int]:
    """Return the innermost element open before each of t tags and at the end, (t + 1,).

    An element is known by the number of the tag that opens it, the root by -1.  ``number`` has the
    root's name last, (t + 1,).  With it comes how many tags that is right for: results from the
    first one on that ends any other than the innermost element are void.
    """
    own = np.array([_CLASSES.get(name, 0) for name in names], np.int8)[number]
    around, own = own, own[:-1]
    pushes, ends = kind <= OTHER, kind == END
    change = pushes.view(np.int8) - ends.view(np.int8)
    depth = change.cumsum()
    # Levels beyond 16 bits are too deep.
    level = depth if depth.size < 1 << 15 else np.minimum(np.maximum(depth, -1), DEEPEST)
    order = level.astype(np.int16).argsort(kind="stable")
    position = np.where((pushes & (depth > 0))[order], np.arange(order.size), -1)
    inside = np.empty(order.size + 1, dtype=np.int64)
    inside[0] = -1
    inside[1:][order] = np.append(order, -1)[np.maximum.accumulate(position)]

    before = inside[:-1]
    is_own = number[before] == number[:-1]
    is_other = np.where(is_own, kind == LINK, ends)
    if depth.max(initial=0) >= DEEPEST:
        is_other |= depth >= DEEPEST
    in_paragraph = _within(own, change, ["p"]) & (kind <= RULE)
    if in_paragraph.any():
        is_other |= in_paragraph & _are(ENDS_PARAGRAPH)[own]
    in_foreign = _within(own, change, FOREIGN) & (kind <= VOID)
    if in_foreign.any():
        is_other |= in_foreign & _are(BREAKS_OUT)[own]
    second_body = ((own == _CLASSES["body"]) & pushes).nonzero()[0][1:]
    is_other[second_body] = True
    # Upwards from each tag that may end others: is a shield first, or a tag that is ended?
    outcomes = _outcomes()
    tag = (kind == OTHER).nonzero()[0]
    above = before[tag]
    for _ in range(_STEPS):
        if not tag.size:
            break
        outcome = outcomes[own[tag], around[above]]
        is_other[tag[outcome == _ENDED]] = True
        passed = outcome == _PASSED
        tag, above = tag[passed], inside[above[passed]]
    is_other[tag] = True
    return inside, int(is_other.argmax()) if is_other.any() else order.size


_NAMES = {
    *BREAKS_OUT,
    *FOREIGN,
    *ENDS_PARAGRAPH,
    *ENDS,
    *chain(*ENDS.values()),
    *chain(*_SHIELDS.values()),
    "ruby",
}
_CLASSES = {name: number for number, name in enumerate(sorted(_NAMES), start=1)}
"""The names that the rules speak of; all others are 0."""
_PASSED, _SHIELDED, _ENDED = range(3)
_STEPS = 8
"""Levels up to look for either; who is not found there is left to the walk."""


@cache
def _outcomes() -> npt.NDArray[np.int8]:
    """Return the outcomes of a start tag's search at an element above, by the classes of both."""
    outcomes = np.full((len(_CLASSES) + 1,) * 2, _SHIELDED, dtype=np.int8)
    headings = [_CLASSES[name] for name in HEADINGS]
    outcomes[np.ix_(headings, headings)] = _ENDED
    for name in ENDS:
        ends, shield = implied_ends(name)
        outcomes[_CLASSES[name]] = _PASSED
        outcomes[_CLASSES[name], [_CLASSES[own] for own in ends]] = _ENDED
        outcomes[_CLASSES[name], [_CLASSES[own] for own in shield]] = _SHIELDED
    return outcomes


def _within(own: Kinds, change: Kinds, names: Iterable[str]) -> Bools:
    """Return which tags have an element of these names open before them, (t,)."""
    levels = change * _are(frozenset(names))[own]
    return np.asarray(levels.cumsum() > levels, dtype=bool)


@cache
def _are(names: frozenset[str]) -> Bools:
    """Return which classes are these names."""
    return np.array([False, *(name in names for name in _CLASSES)])

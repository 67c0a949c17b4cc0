"""Site style trees: parts that look and read the same on all pages are template.

Source: L. Yi, B. Liu, X. Li, "Eliminating Noisy Information in Web Pages for Data Mining", KDD
2003; T. Gottron, dissertation 2008, section 3.3.4.  The bodies of all pages are laid over each
other: an element node has a style node for each different sequence of children, a style node an
element node for each child.  The importance of an element node with children is the entropy of its
style nodes, attenuated into that of its children (gamma); of a leaf 1 - the mean entropy of its
features.  A node of less importance than a threshold, and all below it, is noise.

Readings.
- Two children are equal if their names and attributes of presentation are: class, style, and the
  ones of older HTML (`ATTRIBUTES`).
- Leaves are elements with no block-level element below them, and texts beside block-level
  elements: the paper takes the parents of texts, to avoid leaves that are too small.
- Features of a leaf are its words, and the addresses of its links and pictures.
- The probabilities of a feature are its occurrences over the pages, as InfoDiscoverer's.
- The threshold was set by hand for each site; .1 to .4 give the same here (word F1 .91, mean of
  seven sites).
- Merging style nodes that look alike and leaving out rare nodes of low entropy are options the
  paper names without saying how; they are left out.

Cost: O(nodes of the site), once a site.
"""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from math import log

import numpy as np

from algorithms.method import Method
from algorithms.params import Params, param
from algorithms.plugins.site.detector_reasons import TEMPLATE, stands_on, text_step, text_trace
from algorithms.plugins.site.recurrence import terms, without
from algorithms.results import Extraction
from algorithms.signals.memo import shared
from algorithms.signals.tree_counts import above, words_below
from algorithms.templates.site import Site, distinct
from algorithms.trace import Rule, Trace
from engine.source import Source
from engine.tree import BLOCK_TAGS, TEXT

ATTRIBUTES = (
    "align", "background", "bgcolor", "border", "class", "color", "face", "height", "size",
    "style", "valign", "width",
)  # fmt: skip

Style = tuple[str, ...]


@dataclass(frozen=True)
class StyleTreeParams(Params):
    gamma: float = param(0.9, "how much less deeper levels count", low=0.0, high=1.0)
    threshold: float = param(0.2, "importance below which a part is template", low=0.0, high=1.0)


@dataclass(eq=False)
class ElementNode:
    """An element of the style tree.

    Attributes:
        rows: The row it is on each page that has it.
        styles: Its style nodes: the children's styles → how many pages have them, and the children.
            The empty style is that of pages on which the node is a leaf.
    """

    rows: dict[int, int]
    styles: dict[Style, tuple[int, tuple["ElementNode", ...]]] = field(default_factory=dict)

    @property
    def children(self) -> list["ElementNode"]:
        """The children in all styles."""
        return [child for _, children in self.styles.values() for child in children]

    @property
    def every(self) -> list["ElementNode"]:
        """This node and all below it, each before those below it."""
        order, last = [], [self]
        while last:
            node = last.pop()
            order.append(node)
            last += node.children
        return order


def extract(site: Site, params: StyleTreeParams) -> Extraction:
    """Return the text outside noise. A seed that repeats another page counts as that."""
    removed = np.zeros(len(site.source.tree), dtype=bool)
    removed[[row for row, (_, is_noise) in _met(site, params).items() if is_noise]] = True
    return without(site.source, words_below(site.source, removed))


def _met(site: Site, params: StyleTreeParams) -> dict[int, tuple[ElementNode, bool]]:
    """Return the nodes that the page meets in its descent, by row, and whether they are noise."""
    page = _counted(site)
    tree, importance = site_tree(site), importances(site, params.gamma)
    noisy = _noise(tree, importance, params.threshold)
    result: dict[int, tuple[ElementNode, bool]] = {}
    last = [tree]
    while last:
        node = last.pop()
        if page not in node.rows:
            continue
        is_noise = id(node) in noisy
        result[node.rows[page]] = node, is_noise
        if not is_noise:
            last += node.children
    return result


def _counted(site: Site) -> int:
    """Return the page that represents the seed: itself, or the first with the same words."""
    pages = distinct(site)
    if site.seed in pages:
        return site.seed
    return next(page for page in pages if site.sources[page].words == site.source.words)


@shared
def site_tree(site: Site) -> ElementNode:
    """Merge the bodies of all pages into a tree; the root is the body."""
    pages = {page: page_styles(site.sources[page]) for page in distinct(site)}
    root = ElementNode({page: body for page, (body, _) in pages.items()})
    last = [root]
    while last:
        node = last.pop()
        groups: defaultdict[Style, dict[int, tuple[int, ...]]] = defaultdict(dict)
        for page, row in node.rows.items():
            style, children = pages[page][1].get(row, ((), ()))
            groups[style][page] = children
        for style, below in groups.items():
            kids = tuple(
                ElementNode({page: children[k] for page, children in below.items()})
                for k in range(len(style))
            )
            node.styles[style] = (len(below), kids)
            if len(below) > 1:  # parts of a single page are important throughout
                last += kids
    return root


@shared
def importances(site: Site, gamma: float) -> dict[int, float]:
    """Return the composite importance of each node, by ``id``; of nodes of one page it is 1."""
    result: dict[int, float] = {}
    for node in reversed(site_tree(site).every):
        result[id(node)] = _importance(site, node, gamma, result)
    return result


def _importance(site: Site, node: ElementNode, gamma: float, known: dict[int, float]) -> float:
    pages = len(node.rows)
    if pages == 1:
        return 1.0
    if all(not style for style in node.styles):
        return leaf_importance(site, node)
    shares = [(count / pages, children) for count, children in node.styles.values()]
    own = -sum(share * log(share, pages) for share, _ in shares)
    below = 0.0
    for share, children in shares:
        if children:
            below += share * sum(known[id(child)] for child in children) / len(children)
        else:  # a leaf on these pages, not on others
            below += share
    decay = gamma ** len(shares)
    return (1 - decay) * own + decay * below


def leaf_importance(site: Site, node: ElementNode) -> float:
    """Return 1 - the mean entropy of the features a leaf has on its pages; 0 without features."""
    pages = len(node.rows)
    counts: defaultdict[str, list[int]] = defaultdict(list)
    for page, row in node.rows.items():
        for feature, count in Counter(features(site.sources[page], row)).items():
            counts[feature].append(count)
    if not counts:
        return 0.0
    total = 0.0
    for own in counts.values():
        whole = sum(own)
        total -= sum(count / whole * log(count / whole, pages) for count in own)
    return 1.0 - total / len(counts)


def features(source: Source, row: int) -> list[str]:
    """Return the words at or below a row, and the addresses of links and pictures."""
    tree = source.tree
    first, last = tree.words[row].tolist()
    result = [term for term in terms(source)[first:last] if term]
    for below in range(row, int(tree.end[row])):
        if tree.name_of(below) in ("a", "img"):
            given = source.attributes(below)
            result += [given[name] for name in ("href", "src") if given.get(name)]
    return result


def _noise(root: ElementNode, importance: dict[int, float], threshold: float) -> frozenset[int]:
    """Return the nodes that are noise, by ``id``: below the threshold with all below them."""
    noisy: set[int] = set()
    for node in reversed(root.every):
        is_low = importance[id(node)] < threshold
        if is_low and all(id(child) in noisy for child in node.children):
            noisy.add(id(node))
    return frozenset(noisy)


@shared
def page_styles(source: Source) -> tuple[int, dict[int, tuple[Style, tuple[int, ...]]]]:
    """Return the row of the body; style and children of each row in it that is no leaf, by row."""
    tree = source.tree
    bodies = np.flatnonzero(tree.has_tag("body"))
    root = int(bodies[0]) if bodies.size else 0
    blocks = tree.subtree_sum(tree.has_tag(*BLOCK_TAGS)) - tree.has_tag(*BLOCK_TAGS)
    result = {}
    for row in range(root, int(tree.end[root])):
        if blocks[row] > 0:
            children = tuple(tree.children(row).tolist())
            result[row] = tuple(_style(source, child) for child in children), children
    return root, result


def _style(source: Source, row: int) -> str:
    name = source.tree.name_of(row)
    if name == TEXT:
        return name
    given = source.attributes(row)
    return " ".join([name, *(f"{key}={given[key]}" for key in ATTRIBUTES if key in given)])


_IMPORTANCE = Rule("importance of its part", ">=", ("threshold", "gamma"), is_share=True)


def trace(site: Site, params: StyleTreeParams) -> Trace:
    """Return for each text the importance of the deepest part of the style tree it falls on."""
    source, total = site.source, len(distinct(site))
    met, known = _met(site, params), importances(site, params.gamma)
    is_met = np.zeros(len(source.tree), dtype=bool)
    value = np.full(len(source.tree), np.nan)
    noise = np.zeros(len(source.tree), dtype=bool)
    for row, (node, is_noise) in met.items():
        is_met[row], noise[row], value[row] = True, is_noise, max(known[id(node)], 0.0)
    outermost = above(source.tree, noise, outermost=True)
    part = np.where(outermost >= 0, outermost, above(source.tree, is_met))

    def note(row: int) -> str:
        at = int(part[row])
        if at < 0:
            return "outside the body"
        phrase = stands_on(len(met[at][0].rows), total)
        name = f"its part <{source.tree.name_of(at)}> {phrase}"
        if noise[at]:
            return f"{name} and is alike on them{TEMPLATE}"
        is_low = value[at] < params.threshold
        return f"{name}, on some with parts that differ" if is_low else name

    result = np.where(part >= 0, value[part], np.nan)
    return text_trace(
        source, text_step(source, _IMPORTANCE, outermost < 0, result, params.threshold, note)
    )


METHOD = Method(
    key="sst",
    name="Site style tree",
    params=StyleTreeParams,
    output="extraction",
    on_site=extract,
    trace_site=trace,
    cite="Yi, Liu, Li 2003",
    summary="Parts that do not look and read the same on all pages of the site.",
)

"""Template hash: subtrees unchanged on a tenth of the pages or more are template.

Source: D. Gibson, K. Punera, A. Tomkins, "The Volume and Evolution of Web Page Templates", WWW
2005; T. Gottron, dissertation 2008, section 3.3.8.  A node's hash is over its name, attributes,
content and all below; it is template if the share of pages it stands on is between two bounds, .1
and 1, and no node above it is template (which changes nothing in what text is left).

Readings.  Texts are nodes.  A node must stand on two pages at least, else the bound would make all
of a small site template.  Joining template nodes across small gaps that rarely change is left out:
the paper says no sizes.
"""

from dataclasses import dataclass

import numpy as np

from algorithms.method import Method
from algorithms.params import Params, param
from algorithms.plugins.site.detector_reasons import recurring, text_step, text_trace
from algorithms.plugins.site.recurrence import subtree_keys, subtree_pages, without
from algorithms.results import Extraction
from algorithms.signals.tree_counts import above, words_below
from algorithms.templates.site import Site, distinct
from algorithms.trace import Rule, Trace
from engine.tree import Bools, Longs


@dataclass(frozen=True)
class TemplateHashParams(Params):
    least: float = param(0.1, "lowest share of pages with a template node", low=0.0, high=1)
    most: float = param(1.0, "highest share of pages with a template node", low=0.0, high=1)


def extract(site: Site, params: TemplateHashParams) -> Extraction:
    """Return the words in no template node."""
    _, is_template = _template(site, params)
    return without(site.source, words_below(site.source, is_template))


def _template(site: Site, params: TemplateHashParams) -> tuple[Longs, Bools]:
    """Return the number of pages with each row and all below it, and the template rows."""
    known = subtree_pages(site)
    pages = np.array([known.get(key, 1) for key in subtree_keys(site.source).tolist()])
    share = pages / len(distinct(site))
    return pages, (pages > 1) & (share >= params.least) & (share <= params.most)


_SHARE = Rule("share of pages it is on unchanged", "<", ("least", "most"), is_share=True)


def trace(site: Site, params: TemplateHashParams) -> Trace:
    """Return for each text the share of pages that have it, or the part that decides."""
    source, total = site.source, len(distinct(site))
    pages, is_template = _template(site, params)
    part = above(source.tree, is_template, outermost=True)
    decides = np.where(part >= 0, part, np.arange(len(source.tree)))
    share = np.where(pages > 1, pages / total, np.nan)[decides]
    too_often = (part < 0) & (share > params.most)

    def note(row: int) -> str:
        at = int(decides[row])
        phrase = recurring(int(pages[at]), total, is_template=part[row] >= 0)
        if too_often[row]:
            return f"{phrase}, more than the {params.most:g} a template may"
        return phrase if at == row else f"its part <{source.tree.name_of(at)}> {phrase}"

    limit = np.where(too_often, np.nan, params.least)
    return text_trace(source, text_step(source, _SHARE, part < 0, share, limit, note))


METHOD = Method(
    key="template-hash",
    name="Template hash",
    params=TemplateHashParams,
    output="extraction",
    on_site=extract,
    trace_site=trace,
    cite="Gibson, Punera, Tomkins 2005",
    summary="Text outside parts that are identical, with their markup, on a tenth of the pages.",
)

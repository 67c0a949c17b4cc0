"""Document frequency filter: texts on many pages are template.

Source: L. Ma, N. Goharian, A. Chowdhury, M. Chung, "Extracting Unstructured Data from Template
Generated Web Documents", CIKM 2003, as T. Gottron uses it, dissertation 2008, section 7.2.2: every
text node is a unit, counted in exactly the same form; it is dropped if it is on more than a third
of the pages.

Readings.  White space is collapsed.  A text on no other page is never template: in a site of two
pages every text is on half of them.  Cost: O(texts of the site), once a site.
"""

from dataclasses import dataclass

import numpy as np

from algorithms.method import Method
from algorithms.params import Params, param
from algorithms.plugins.site.detector_reasons import recurring, text_step, text_trace
from algorithms.plugins.site.recurrence import pages_of_texts, text_words, without
from algorithms.results import Extraction
from algorithms.templates.site import Site, distinct
from algorithms.trace import Rule, Trace


@dataclass(frozen=True)
class DfFilterParams(Params):
    share: float = param(1 / 3, "share of pages above which a text is template", low=0.0, high=1.0)


def extract(site: Site, params: DfFilterParams) -> Extraction:
    """Return the texts that occur on few pages."""
    pages = pages_of_texts(site)
    recurs = (pages > 1) & (pages > params.share * len(distinct(site)))
    return without(site.source, text_words(site.source, recurs))


_SHARE = Rule("share of pages with this text", "<=", ("share",), is_share=True)


def trace(site: Site, params: DfFilterParams) -> Trace:
    """Return for each text its share of pages."""
    pages, total = pages_of_texts(site), len(distinct(site))
    recurs = (pages > 1) & (pages > params.share * total)
    share = np.where(pages > 1, pages / total, np.nan)

    def note(row: int) -> str:
        return recurring(int(pages[row]), total, is_template=bool(recurs[row]))

    return text_trace(
        site.source, text_step(site.source, _SHARE, ~recurs, share, params.share, note)
    )


METHOD = Method(
    key="df-filter",
    name="Document frequency filter",
    params=DfFilterParams,
    output="extraction",
    on_site=extract,
    trace_site=trace,
    cite="Ma et al. 2003; Gottron 2008",
    summary="Texts that do not occur in the same form on many pages of the site.",
)

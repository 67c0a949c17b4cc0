"""The catalogue: every method Pagelet knows, in the order users see them."""

from algorithms.extraction import (
    accb,
    boilerpipe,
    bte,
    ccb,
    cetr,
    cetr_km,
    cetr_tm,
    dsc,
    lqf,
    lsi,
    plain,
    tccb,
)
from algorithms.method import Method
from algorithms.segmentation import (
    block_fusion,
    page_segmenter,
    page_style,
    pagelets,
    webterrain,
)
from algorithms.segmentation.vips import method as vips
from engine.errors import InputError

EXTRACTORS: tuple[Method, ...] = (
    plain.METHOD,
    bte.METHOD,
    dsc.METHOD,
    ccb.METHOD,
    accb.METHOD,
    tccb.METHOD,
    cetr_tm.METHOD,
    cetr_km.METHOD,
    cetr.METHOD,
    *boilerpipe.METHODS,
    lqf.METHOD_25,
    lqf.METHOD,
    lqf.METHOD_75,
    lsi.METHOD,
)

SEGMENTERS: tuple[Method, ...] = (
    webterrain.METHOD,
    vips.METHOD,
    block_fusion.METHOD,
    block_fusion.METHOD_BY_RULES,
    page_segmenter.METHOD,
    pagelets.METHOD,
    page_style.METHOD,
)

METHODS: tuple[Method, ...] = (*EXTRACTORS, *SEGMENTERS)

_BY_KEY = {entry.key: entry for entry in METHODS}


def method(key: str) -> Method:
    """Return the method with this key; `InputError` names those there are."""
    found = _BY_KEY.get(key)
    if found is None:
        raise InputError(f"no method {key!r}; there is: {', '.join(_BY_KEY)}")
    return found

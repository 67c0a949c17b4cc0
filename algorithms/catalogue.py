"""The catalogue: every method Pagelet knows, in the order users see them.

`METHODS` are Pagelet's own; `available` adds those of other makers that are found on this machine.
"""

import logging
from functools import cache

from algorithms.extraction import (
    accb,
    adsc,
    boilerpipe,
    bte,
    ccb,
    cetr,
    cetr_km,
    cetr_tm,
    combine,
    crunch,
    dsc,
    elisa,
    feature_extractor,
    lp,
    lqf,
    lqf_nested,
    lsi,
    plain,
    tccb,
    xwrap,
)
from algorithms.method import Method
from algorithms.segmentation import (
    block_fusion,
    fe_blocks,
    id_blocks,
    page_segmenter,
    page_style,
    pagelets,
    terrain,
    webterrain,
)
from algorithms.segmentation.vips import method as vips
from engine.errors import InputError

log = logging.getLogger(__name__)

_SINGLE: tuple[Method, ...] = (
    plain.METHOD,
    bte.METHOD,
    dsc.METHOD,
    adsc.METHOD,
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
    lqf_nested.METHOD,
    crunch.METHOD,
    lsi.METHOD,
    xwrap.LTC,
    xwrap.HF,
    lp.METHOD,
    feature_extractor.FE,
    feature_extractor.KFE,
    elisa.METHOD,
)

EXTRACTORS: tuple[Method, ...] = (
    *_SINGLE,
    combine.method_of({entry.key: entry for entry in _SINGLE}),
)

SEGMENTERS: tuple[Method, ...] = (
    webterrain.METHOD,
    vips.METHOD,
    terrain.METHOD,
    block_fusion.METHOD,
    block_fusion.METHOD_BY_RULES,
    page_segmenter.METHOD,
    pagelets.METHOD,
    fe_blocks.METHOD,
    id_blocks.METHOD,
    page_style.METHOD,
)

METHODS: tuple[Method, ...] = (*EXTRACTORS, *SEGMENTERS)

_BY_KEY = {entry.key: entry for entry in METHODS}


def available() -> tuple[Method, ...]:
    """Return Pagelet's own methods and those of other makers; finding them takes about 20 ms."""
    return (*METHODS, *_others()[0].values())


def problems() -> tuple[str, ...]:
    """Return a sentence for each method of another maker that cannot be used."""
    return _others()[1]


def method(key: str) -> Method:
    """Return the method with this key; `InputError` names those there are."""
    found = _BY_KEY.get(key) or _others()[0].get(key)
    if found is None:
        raise InputError(f"no method {key!r}; there is: {', '.join(e.key for e in available())}")
    return found


@cache
def _others() -> tuple[dict[str, Method], tuple[str, ...]]:
    from algorithms.external.found import find  # with servers and clients; most runs need none

    entries, said = find(_BY_KEY)
    for problem in said:
        log.warning("%s", problem)
    return {entry.key: entry for entry in entries}, said

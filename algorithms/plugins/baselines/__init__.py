"""Published methods that are seldom used, beside the usual ones of the core."""

from engine.plugin import Plugin

_HERE = "algorithms.plugins.baselines"

PLUGIN = Plugin(
    "baselines",
    methods=(
        f"{_HERE}.lqf_nested:METHOD",
        f"{_HERE}.crunch:METHOD",
        f"{_HERE}.lsi:METHOD",
        f"{_HERE}.xwrap:LTC",
        f"{_HERE}.xwrap:HF",
        f"{_HERE}.lp:METHOD",
        f"{_HERE}.feature_extractor:FE",
        f"{_HERE}.feature_extractor:KFE",
        f"{_HERE}.block_fusion:METHOD",
        f"{_HERE}.block_fusion:METHOD_BY_RULES",
        f"{_HERE}.page_segmenter:METHOD",
        "algorithms.segmentation.pagelets:METHOD",  # in the core, since terrain-learned reads it
        f"{_HERE}.fe_blocks:METHOD",
        f"{_HERE}.id_blocks:METHOD",
        f"{_HERE}.page_style:METHOD",
        f"{_HERE}.apc:METHOD",
    ),
)

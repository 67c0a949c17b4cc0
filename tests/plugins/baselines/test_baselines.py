"""The plug-in as a whole: the positions of its methods in the lists of methods."""

from algorithms.core.catalogue import EXTRACTORS, SEGMENTERS


def test_extractors_are_listed_before_gleaner_and_segmenters_last():
    keys = [entry.key for entry in EXTRACTORS]
    of_ours = "lqf-nested crunch lsi ltc hf lp fe kfe".split()
    first = keys.index("lqf-nested")
    assert keys[first : first + len(of_ours)] == of_ours
    assert keys[-3:] == ["gleaner", "combine", "union"]
    of_ours = (
        "block-fusion block-fusion-rb page-segmenter pagelets fe-blocks id-blocks page-style apc"
    )
    assert [entry.key for entry in SEGMENTERS][-8:] == of_ours.split()

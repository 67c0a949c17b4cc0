"""How each measure is worked out, in words, and where it was published.

What a measure is, in a sentence, stands with it (`algorithms.measures.named`,
`algorithms.measures.named_blocks`); this is the page one turns to when that is not enough.
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Definition:
    """The rest of what there is to say of a measure.

    Attributes:
        formula: How it is worked out, in words.
        corners: What it is where nothing was marked, or nothing found.
        source: Who published it.
    """

    formula: str
    corners: str
    source: str


_GOTTRON = "T. Gottron, dissertation, Mainz 2008, sections 2.2.4 and 5.2.2"
_KREUZER = "R. Kreuzer, thesis, Utrecht 2013, section 5.3"
_KIESEL = "J. Kiesel et al., CIKM 2020; E. Amigó et al., Information Retrieval 12, 2009"
_HUBERT = "L. Hubert, P. Arabie, Journal of Classification 2, 1985"
_STREHL = "A. Strehl, J. Ghosh, JMLR 3, 2002"
_SANOJA = "A. Sanoja, S. Gançarski, Web Page Segmentation Evaluation, SAC 2015"

_F1 = "precision = hits / found, recall = hits / marked, F1 = 2PR / (P + R)"
_NO_TEXT = "Nothing marked: recall 1. Nothing found: precision 1."
_NO_BLOCKS = "Nothing found: precision 0. Nothing marked: recall 0."


def _text(hits: str) -> Definition:
    return Definition(f"Hits: {hits}; {_F1}.", _NO_TEXT, _GOTTRON)


def _blocks(equal: str) -> Definition:
    return Definition(
        "Items are the different block texts without white space; blocks without text are one "
        f"item. Hits: the most pairs, one to one, of texts that {equal}; {_F1}.",
        _NO_BLOCKS,
        _KREUZER,
    )


def _bcubed(each: str) -> tuple[Definition, Definition, Definition]:
    one_way = (
        f"For each of the {each} in a found block: of all that shares a found block with it, the "
        "part that shares a marked block with it too. Precision is the mean; recall is the same "
        "with found and marked exchanged"
    )
    corners = "No block on either side: 1. On one side only: 0."
    return (
        Definition(
            f"{one_way}; F1 = 2PR / (P + R). Over many pages there is F* too, the same of the mean "
            "precision and the mean recall.",
            corners,
            _KIESEL,
        ),
        Definition(
            f"{one_way}; F* = 2PR / (P + R) of the mean precision and the mean recall of all "
            "pages. On one page it is F1.",
            corners,
            _KIESEL,
        ),
        Definition(
            f"{one_way}. The larger of the two: splitting costs no precision, merging no recall, "
            "so it tells agreement apart from how fine the blocks are.",
            corners,
            _KIESEL,
        ),
    )


_PARTITION = (
    "Each of the {atoms} belongs to the smallest block that holds it, and what is in no block to "
    "one cluster more. "
)


def _ari(atoms: str) -> Definition:
    return Definition(
        _PARTITION.format(atoms=atoms)
        + "Of all pairs, count those that are together on both sides: (count - expected) / (most "
        "possible - expected), where expected is what chance gives. 1 if equal, 0 as by chance.",
        "Nothing to count: no value.",
        _HUBERT,
    )


def _nmi(atoms: str, mean: str) -> Definition:
    return Definition(
        _PARTITION.format(atoms=atoms)
        + f"What one side tells of the other, over {mean} of what there is to tell.",
        "Nothing to count: no value.",
        _STREHL,
    )


def _iou(least: str) -> Definition:
    return Definition(
        "IoU of two blocks: the area both cover over the area either covers. Blocks are paired one "
        f"to one so that the sum of IoU is largest. Hits: pairs with an IoU of {least} or more; "
        f"{_F1}.",
        "Nothing found: precision 1. Nothing marked: recall 1. Blocks without area do not count.",
        f"{_SANOJA}; {_KIESEL.partition(';')[0]}",
    )


def _count(what: str) -> Definition:
    return Definition(
        "A block lies in another if 3/4 of its area or more does. Asked in this order, a marked "
        f"block is right, split, merged, off or missed. Counted: {what}.",
        "Blocks without area do not count.",
        _SANOJA,
    )


_PIXELS, _FINE = _bcubed("pixels"), _bcubed("pixels on fine edges of the page's picture")
_COARSE = _bcubed("pixels on coarse edges of the page's picture")
_NODES, _CHARS = _bcubed("visible nodes"), _bcubed("visible characters")
_SUFFIXES = ("", "-star", "-max")

DEFINITIONS: Mapping[str, Definition] = {
    "cs": _text("characters of the longest common subsequence, blanks included"),
    "ws": _text("words of the longest common subsequence, punctuation left out"),
    "bow": _text("words in any order, each as often as it stands in both texts"),
    "sow": _text("different words that stand in both texts"),
    "cleaneval": Definition(
        "1 - (words to insert + words to delete) / (those + words that stay).",
        "Both empty: 1.",
        "M. Baroni et al., CleanEval, LREC 2008",
    ),
    "shingles": Definition(
        f"Items are runs of four words, each as often as it stands in both texts; {_F1}. Of many "
        "pages: F1 of the mean precision and the mean recall.",
        "Nothing found: no precision. Nothing marked: no recall.",
        "Scrapinghub (Zyte), article-extraction-benchmark, 2020",
    ),
    "identical": Definition(
        "1 if both texts have the same words in the same order, else 0.",
        "Both empty: 1.",
        "Scrapinghub (Zyte), article-extraction-benchmark, 2020",
    ),
    "cetr": Definition(
        f"Every place in the page at which a word stands is an item of its own. Hits: places "
        f"that are both found and marked; {_F1}.",
        _NO_TEXT,
        "T. Weninger, W. H. Hsu, J. Han, WWW 2010, section 6.2",
    ),
    "rouge-lsum": Definition(
        "For each line marked, the words in it that are in a longest common subsequence with any "
        f"line found. Hits: these words; {_F1}.",
        _NO_TEXT,
        "C.-Y. Lin, ROUGE, ACL workshop 2004, section 3.2",
    ),
    "snippets": Definition(
        "Hits: phrases that belong to the main content and stand in the text found, white space "
        f"collapsed; found: those and the phrases that do not belong to it but stand there; {_F1}.",
        "No phrase stands in the text: no precision. None belongs to it: no recall.",
        "A. Barbaresi, trafilatura, ACL-IJCNLP 2021",
    ),
    "exact": _blocks("are equal"),
    "fuzzy": _blocks("are alike by more than 0.8 (2 × characters matched / characters of both)"),
    **{f"b3-pixels{end}": found for end, found in zip(_SUFFIXES, _PIXELS, strict=True)},
    **{f"b3-edges-fine{end}": found for end, found in zip(_SUFFIXES, _FINE, strict=True)},
    **{f"b3-edges-coarse{end}": found for end, found in zip(_SUFFIXES, _COARSE, strict=True)},
    **{f"b3-nodes{end}": found for end, found in zip(_SUFFIXES, _NODES, strict=True)},
    **{f"b3-chars{end}": found for end, found in zip(_SUFFIXES, _CHARS, strict=True)},
    "ari-words": _ari("words"),
    "ari-pixels": _ari("pixels"),
    "nmi-words": _nmi("words", "the geometric mean"),
    "nmi-pixels": _nmi("pixels", "the geometric mean"),
    "nmi-words-arithmetic": _nmi("words", "the arithmetic mean"),
    "nmi-pixels-arithmetic": _nmi("pixels", "the arithmetic mean"),
    "iou-50": _iou(".5"),
    "iou-75": _iou(".75"),
    "right": _count("marked blocks that lie in one found block, and it in them"),
    "split": _count("marked blocks, not right, in which several found blocks lie"),
    "merged": _count(
        "marked blocks, neither right nor split, that lie with others in one found block"
    ),
    "missed": _count("marked blocks that lie in no found block, and no found block in them"),
    "false": _count("found blocks that lie in no marked block, and no marked block in them"),
    "types": Definition(
        "Of the pairs of blocks with an IoU of .5 or more and a marked type: the share that was "
        "given this type.",
        "No such pair, or a method without types: no value.",
        "Pagelet",
    ),
}  # fmt: skip
"""By key, of block measures without the level."""


def definition_of(key: str) -> Definition:
    """Return what there is to say of a measure, on whatever level; `KeyError` if nothing."""
    found = DEFINITIONS.get(key)
    return DEFINITIONS[key[:-2]] if found is None else found

"""elISA: rules in XML, compiled into a stylesheet that labels blocks; the content is kept.

Source: F. Vitali, A. Di Iorio, E. V. Campori, "Rule-based Structural Analysis of Web Pages", DAS
2004; T. Gottron, dissertation 2008, section 3.2.6.

Rules have the form of Gottron's Figure 3.2 and are compiled by XSLT into XSLT.  The authors' 19
rules are not published; `resources/elisa/rules.xml` holds rules of our own for the same labels:
content, layout, navigation, form, footer, logo.  Another file of rules can be given.  A label holds
for all below an element until another is given.  Departures: the compiled stylesheet answers with
the labels instead of the page with labels in it; rules may call ``letters`` and ``words`` beside
``lc``.

The stylesheet defines the meaning of rules.  Most are written in a part of XPath that columns of
the tree can evaluate: each becomes a function in Python of the rows it may hold for; a file with
another rule is applied as stylesheet to the page as XML.

Cost: rules times the elements they may hold for: 2 ms for a page of 180 kB, five times as much by
the stylesheet.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

import resources
from algorithms.method import Method
from algorithms.params import FileKind, Params, param, text_of
from algorithms.results import Extraction, keep_words
from algorithms.trace import Rule, Trace, step
from engine.source import Source
from engine.tree import Bools


def read_rules(path: str) -> str:
    """Return the text of a file of rules; `ParameterError` if it cannot be read."""
    return text_of(path) if path else resources.read_text("elisa/rules.xml")


def check_rules(path: str) -> None:
    """Raise `ParameterError` if a file of rules cannot be read or followed."""
    from algorithms.plugins.elisa.rule_sheets import compile_sheet

    compile_sheet(read_rules(path), Path(path).name)


@dataclass(frozen=True)
class ElisaParams(Params):
    rules: str = param(
        "",
        "a file of rules in place of Pagelet's own",
        file=FileKind("Rules", ("*.xml",), check_rules, "Pagelet's own rules"),
    )
    label: str = param("content", "the label whose text is kept")


def _labelled(source: Source, params: ElisaParams) -> tuple[dict[int, str], Bools]:
    """Return row → label, and which rows carry the label that is kept, bool (n,)."""
    from algorithms.plugins.elisa.rule_sheets import labels, rows_labelled

    name = Path(params.rules).name if params.rules else "the rules"
    given = labels(source, read_rules(params.rules), name)
    return given, rows_labelled(source, given, params.label)


def extract(source: Source, params: ElisaParams) -> Extraction:
    """Return the words of texts that carry the label of content."""
    texts = source.tree.is_text
    words = source.tree.words[texts]
    is_labelled = _labelled(source, params)[1][texts]
    return keep_words(source, np.repeat(is_labelled, words[:, 1] - words[:, 0]))


_LABEL = Rule("its label", "", ("label", "rules"))


def trace(source: Source, params: ElisaParams) -> Trace:
    """Return for each text the label that the rules give it, and on which element."""
    tree = source.tree
    given, is_kept = _labelled(source, params)
    of = [-1] * len(tree)
    for row, parent in enumerate(tree.parent.tolist()):
        of[row] = row if row in given else of[parent] if parent >= 0 else -1
    texts = np.flatnonzero(tree.is_text)
    notes = tuple(
        f"its label is '{given[of[row]]}', that of <{tree.name_of(of[row])}> around it"
        if of[row] >= 0
        else "the rules give it no label"
        for row in texts.tolist()
    )
    return Trace(
        (step(_LABEL, tree.words[texts], is_kept[texts], notes=notes),), source.tokens.words.size
    )


METHOD = Method(
    key="elisa",
    name="elISA",
    params=ElisaParams,
    output="extraction",
    cite="Vitali, Di Iorio, Campori 2004",
    on_source=extract,
    trace_source=trace,
    summary="Text in blocks that rules, which can be edited, label as content.",
)

"""elISA: rules in XML, compiled into a stylesheet that labels blocks; the content is kept.

Source: F. Vitali, A. Di Iorio, E. V. Campori, "Rule-based Structural Analysis of Web Pages", DAS
2004; T. Gottron, dissertation 2008, section 3.2.6.

Rules have the form of Gottron's Figure 3.2 and are compiled by XSLT into XSLT.  The authors' 19
rules are not published; `resources/elisa/rules.xml` holds rules of our own for the same labels:
content, layout, navigation, form, footer, logo.  Another file of rules can be given.  A label holds
for all below an element until another is given.  Departures: the compiled stylesheet answers with
the labels instead of the page with labels in it; rules may call ``letters`` and ``words`` beside
``lc``.

Cost: rules times the elements they may hold for, beside writing the page as XML with what they
read: 5 to 10 ms for a page of 180 kB.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

import resources
from algorithms.method import Method
from algorithms.params import FileKind, Params, param, text_of
from algorithms.results import Extraction
from algorithms.spans import keep_words
from engine.source import Source


def read_rules(path: str) -> str:
    """Return the text of a file of rules; `ParameterError` if it cannot be read."""
    return text_of(path) if path else resources.read_text("elisa/rules.xml")


def check_rules(path: str) -> None:
    """Raise `ParameterError` if a file of rules cannot be read or followed."""
    from algorithms.rule_sheets import compiled

    compiled(read_rules(path), Path(path).name)


@dataclass(frozen=True)
class ElisaParams(Params):
    """Parameters of elISA."""

    rules: str = param(
        "",
        "a file of rules in place of Pagelet's own",
        file=FileKind("Rules", ("*.xml",), check_rules, "Pagelet's own rules"),
    )
    label: str = param("content", "the label whose text is kept")


def extract(source: Source, params: ElisaParams) -> Extraction:
    """Return the words of texts that carry the wanted label."""
    from algorithms.rule_sheets import labels, rows_labelled  # lxml; no other method needs it

    name = Path(params.rules).name if params.rules else "the rules"
    given = labels(source, read_rules(params.rules), name)
    tree = source.tree
    texts = np.flatnonzero(tree.is_text)
    wanted = rows_labelled(source, given, params.label)[texts]
    words = tree.words[texts]
    return keep_words(source, np.repeat(wanted, words[:, 1] - words[:, 0]))


METHOD = Method(
    key="elisa",
    name="elISA",
    params=ElisaParams,
    output="extraction",
    cite="Vitali, Di Iorio, Campori 2004",
    on_source=extract,
    summary="Text in blocks that rules, which can be edited, label as content.",
)

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
from algorithms.params import Params, param
from algorithms.results import Extraction
from algorithms.spans import keep_words
from engine.errors import ParameterError
from engine.source import Source


@dataclass(frozen=True)
class ElisaParams(Params):
    """Parameters of elISA."""

    rules: str = param("", "path of a file of rules; empty for Pagelet's own")
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


def read_rules(path: str) -> str:
    """Return the text of a file of rules; `ParameterError` if it cannot be read."""
    if not path:
        return resources.read_text("elisa/rules.xml")
    try:
        return Path(path).read_text("utf-8")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no UTF-8 text"
        raise ParameterError(f"rules {path}: {reason}") from None


METHOD = Method(
    key="elisa",
    name="elISA",
    params=ElisaParams,
    output="extraction",
    cite="Vitali, Di Iorio, Campori 2004",
    on_source=extract,
    summary="Text in blocks that rules, which can be edited, label as content.",
)

"""Options that change words that are not their business.

An option that is for the form of a result (links, formatting, output format) must leave its words
as they are; one that includes a part of pages (tables, comments, alternative texts) may only add
words.  `RULES` declares that by the option's name; an option that no rule is for is not judged.
Words, not signs: where the letters of two passages are the same, only separators differ.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from algorithms.core.batch import Run
from algorithms.measures.text_words import normalise, words_of
from annotate.evaluation.run.plan import Chosen
from annotate.plugins.compare.differences import stretches
from annotate.plugins.compare.runs import ComparedPage
from annotate.plugins.external.sides import chosen_side
from engine.source import Source


class Rule(StrEnum):
    """Permitted effect of an option."""

    NONE = "no word"
    ADDS = "adds words"
    TABLES = "adds words of tables"
    DROPS = "drops words"


RULES = (
    (r"links?|formatting|format|markup|markdown|output|bullets|raw|pretty", Rule.NONE),
    (r"tables?", Rule.TABLES),
    (r"comments?|images?|alt|alts|captions?|footnotes?|forms?", Rule.ADDS),
    (r"dedup\w*|deduplicate|strict|precision", Rule.DROPS),
)
"""Words in the names of options → what these may change; the first that fits."""


@dataclass(frozen=True)
class OptionSwitch:
    """An option at another value.

    Attributes:
        option, value: Its name, and the value as typed.
        is_more: Of an option that adds or drops words, whether this value gives more of them.
        rule: What it may change.
        side: The method with it.
    """

    option: str
    value: str
    is_more: bool
    rule: Rule
    side: Chosen

    @property
    def name(self) -> str:
        """Option and value."""
        return f"{self.option}={self.value}"


@dataclass
class Variance:
    """Forbidden changes by one switch.

    Attributes:
        switch: The switch.
        compared: Number of pages.
        pages: Name of each affected page, and the passages lost and added there, longest first.
        words_lost, words_added: Number of words over all pages.
        failure: Why the method failed on every page with it; "".
    """

    switch: OptionSwitch
    compared: int = 0
    pages: list[tuple[str, tuple[str, ...], tuple[str, ...]]] = field(default_factory=list)
    words_lost: int = 0
    words_added: int = 0
    failure: str = ""


def rule_of(option: str) -> Rule | None:
    """Return what an option with a name may change; None where no rule is for it."""
    words = option.replace("-", "_").split("_")
    fits = (rule for pattern, rule in RULES if any(re.fullmatch(pattern, word) for word in words))
    return next(fits, None)


def switches_of(method: str) -> tuple[list[OptionSwitch], list[str]]:
    """Return the switches of a method that a rule is for, and the names of its other options.

    Raises `InputError` for a text that names no method.
    """
    base = chosen_side(method)
    at = base.params.as_dict()
    made: list[OptionSwitch] = []
    others: list[str] = []
    for name, spec in base.entry.params.specs().items():
        values: Sequence[object] = spec.choices or ()
        if isinstance(at[name], bool):
            values = (False, True)
        rule = rule_of(name)
        if not values or rule is None or (rule is not Rule.NONE and spec.choices):
            others.append(name)
            continue
        for value in values:
            if value != at[name]:
                text = str(value).lower() if isinstance(value, bool) else str(value)
                side = chosen_side(f"{method} {name}={text}")
                made.append(OptionSwitch(name, text, value is not (rule is Rule.DROPS), rule, side))
    return made, others


def variances(
    base: Chosen, switches: Sequence[OptionSwitch], pages: Sequence[ComparedPage]
) -> list[Variance]:
    """Return what each switch changed on pages that all sides were run on, in order."""
    result = [Variance(switch) for switch in switches]
    for page in pages:
        before = page.runs[base.entry.key]
        if before.text is None:
            continue
        for each in result:
            after = page.runs[each.switch.side.entry.key]
            each.compared += 1
            each.failure = after.reason if after.text is None and after.reason else each.failure
            lost, added = _changed(each.switch, before, after, page)
            if lost or added:
                texts = [tuple(" ".join(k) for k in part) for part in (lost, added)]
                each.pages.append((f"{page.dataset}/{page.name}", texts[0], texts[1]))
                each.words_lost += sum(map(len, lost))
                each.words_added += sum(map(len, added))
    return result


def _changed(
    switch: OptionSwitch, before: Run, after: Run, page: ComparedPage
) -> tuple[list[list[str]], list[list[str]]]:
    """Return the passages lost and added against the rule, longest first."""
    mine, theirs = (words_of(normalise(run.text or "")) for run in (before, after))
    if "".join(mine) == "".join(theirs):
        return [], []
    if switch.rule is Rule.NONE:
        return _unlike(mine, theirs)
    more, fewer = (theirs, mine) if switch.is_more else (mine, theirs)
    lacks = [*(Counter(fewer) - Counter(more)).elements()]
    strays: list[str] = []
    if switch.rule is Rule.TABLES:
        strays = [*(Counter(more) - Counter(fewer) - _table_words(page)).elements()]
    lost, added = (lacks, strays) if switch.is_more else (strays, lacks)
    return [lost] if lost else [], [added] if added else []


def _unlike(mine: list[str], theirs: list[str]) -> tuple[list[list[str]], list[list[str]]]:
    """Return the differing parts, longest first, without those of the same letters."""
    lost, added = (
        [each for each in part if len(each) > 1 or not each[0].isdigit()]  # numbers of a list
        for part in stretches(mine, theirs)
    )
    letters = {"".join(each): each for each in added}
    for each in list(lost):
        other = letters.get("".join(each), each)
        if other != each and other in added:
            lost.remove(each)
            added.remove(other)
    return sorted(lost, key=len, reverse=True), sorted(added, key=len, reverse=True)


def _table_words(page: ComparedPage) -> Counter[str]:
    """Return the words in tables of a page's source."""
    source = Source.of(page.files.document().receive())
    tree = source.tree
    rows = tree.is_text & tree.within("table")
    return Counter(words_of(normalise(" ".join(tree.text[k] for k in rows.nonzero()[0]))))

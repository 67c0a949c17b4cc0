"""Whether the reasons that gleaner names are true: each is followed on the page, and counted.

    python -m tests.bench.why_reasons wcxb article-benchmark-sample [--blocks 60] [--seed 1]

Draws blocks of pages, asks why each was kept or dropped, and follows every reason that is named:
the page is edited by lxml, or by hand where the reason is the block's own text, and read anew.  The
reason holds where the decision is then the other one, or what is expected of the block is nearer to
it.  Nothing of the code that finds the reasons is used but the sentence that it prints.
"""

import argparse
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import lxml.html
import numpy as np
from lxml import etree

from algorithms.core.catalogue import method
from algorithms.trace import Decision
from annotate.evaluation.run.triage import pages_of
from engine.errors import PageletError
from engine.source import Source

NEARER = 0.05
"""Log odds that count as weaker."""

_NAMED = re.compile(r"(?:rests on |weaker without |, )([a-z ,]+?) \(([a-z0-9 ]+): ([^()]*?)\)")
_HEADING = re.compile(r"h[1-6]$")
_STRUCTURE = set(
    "article aside nav header footer main section p ul ol li dl dt dd table thead tbody tfoot tr "
    "td th form fieldset figure figcaption blockquote pre address details summary dialog center "
    "menu caption legend".split()
)
_INLINE = set("strong em b i button time code small u s q cite abbr label mark".split())


@dataclass(frozen=True)
class Answer:
    """What is said of a block: the decision, and what it rests on."""

    decision: Decision
    named: tuple[tuple[str, bool], ...]
    """Name of each reason, and whether it is said to turn the decision."""


def answer_of(source: Source, word: int) -> Answer | None:
    """Ask why the block of a word was kept or dropped."""
    entry = method("gleaner")
    trace = entry.trace_on(source, entry.params(), None)
    found = [each for each in trace.decisions(word) if _NAMED.search(each.sentence)]
    if not found or len(found) < len(trace.decisions(word)):
        return None  # another rule decided: it says that itself
    named = tuple(
        (name, then.endswith((", kept", ", dropped")))
        for name, _, then in _NAMED.findall(found[0].sentence)
    )
    return Answer(found[0], named)


def followed(html: str, name: str, words: list[tuple[int, int]]) -> str:
    """Return the page without what a reason names; ``words`` are the spans of the block's."""
    if name == "its words":
        return _replaced(html, words, lambda text: re.sub(r"[^\W\d_]", "x", text))
    if name == "its length":
        return _replaced(html, words[3:], lambda _: "")
    root = lxml.html.document_fromstring(
        html.encode(), parser=lxml.html.HTMLParser(encoding="utf-8")
    )
    for element in root.iter(etree.Element):
        tag = element.tag
        if name == "class, id and role":
            for attribute in ("class", "id", "role"):
                element.attrib.pop(attribute, None)
        elif name == "links" and tag == "a":
            element.text = f" {element.text or ''}"
            element.tail = f" {element.tail or ''}"
        elif name == "headings" and _HEADING.match(tag):
            element.tag = "div"
        elif name == "names of other elements" and tag in _STRUCTURE | _INLINE:
            element.tag = "span" if tag in _INLINE else "div"
    if name == "links":
        etree.strip_tags(root, "a")
    return lxml.html.tostring(root, encoding="unicode", doctype="<!DOCTYPE html>")


def _replaced(html: str, spans: list[tuple[int, int]], change: Callable[[str], str]) -> str:
    for start, end in reversed(spans):
        html = html[:start] + change(html[start:end]) + html[end:]
    return html


def holds(source: Source, answer: Answer, name: str) -> str:
    """Return ``turned``, ``weaker`` or ``no`` of one reason, ``lost`` if the block is gone."""
    before, (first, last) = answer.decision, answer.decision.place
    spans = [tuple(span) for span in source.tokens.spans[first:last].tolist()]
    edited = Source.from_text(followed(source.html, name, spans))
    entry = method("gleaner")
    trace = entry.trace_on(edited, entry.params(), None)
    word = _same_word(source.words, edited.words, first, last, is_own=name.startswith("its"))
    if word < 0:
        return "lost"
    kept = bool(trace.kept[word])
    step = next(each for each in trace.steps if each.rule.asks == "expected share of content")
    index = int(np.flatnonzero((step.places[:, 0] <= word) & (word < step.places[:, 1]))[0])
    if kept != before.kept:
        return "turned"
    moved = _odds(float(step.values[index])) - _odds(before.value)
    return "weaker" if moved * (-1 if before.kept else 1) > NEARER else "no"


def _odds(chance: float) -> float:
    chance = min(max(chance, 1e-9), 1 - 1e-9)
    return float(np.log(chance / (1 - chance)))


def _same_word(
    old: tuple[str, ...], new: tuple[str, ...], first: int, last: int, *, is_own: bool
) -> int:
    """Return where a block's first word is now: the same words nearest to the same place."""
    if is_own:
        return first
    text = list(old[first:last])
    places = [
        k for k in range(len(new)) if new[k] == text[0] and list(new[k : k + len(text)]) == text
    ]
    return min(places, key=lambda k: abs(k - first), default=-1)


def drawn(sources: Iterator[Source], rng: np.random.Generator) -> Iterator[tuple[Source, Answer]]:
    """Yield a block of each source, kept and dropped ones in turn where there are, and its answer.

    Blocks of fewer than three words and such without a reason are passed over.
    """
    entry, wants = method("gleaner"), True
    for source in sources:
        trace = entry.trace_on(source, entry.params(), None)
        steps = [each for each in trace.steps if each.rule.asks == "expected share of content"]
        if not steps:
            continue
        places = steps[0].places
        enough = places[:, 1] - places[:, 0] >= 3
        own = np.flatnonzero(enough & (trace.kept[places[:, 0]] == wants))
        if not own.size:
            continue
        answer = answer_of(source, int(places[rng.choice(own), 0]))
        if answer is not None and answer.named:
            wants = not wants
            yield source, answer


def sources_of(datasets: list[str], rng: np.random.Generator) -> Iterator[Source]:
    """Yield the pages of data sets at random, one set after the other in turn."""
    lists = [pages_of(each).pages for each in datasets]
    orders = [rng.permutation(len(pages)).tolist() for pages in lists]
    for turn in range(max(map(len, orders))):
        for pages, order in zip(lists, orders, strict=True):
            if turn >= len(order):
                continue
            try:
                got = next(iter(pages[order[turn]][1].values())).document().receive()
            except PageletError:
                continue
            yield Source.from_bytes(got.data, got.charset)


def main() -> None:
    """Follow, print each reason that does not hold, and the counts."""
    words = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    words.add_argument("data", nargs="+")
    words.add_argument("--blocks", type=int, default=60)
    words.add_argument("--seed", type=int, default=1)
    options = words.parse_args()
    rng = np.random.default_rng(options.seed)
    every: Counter[str] = Counter()
    first: Counter[str] = Counter()
    said, by_name = Counter[str](), Counter[tuple[str, str]]()
    blocks = drawn(sources_of(options.data, rng), rng)
    for _, (source, answer) in zip(range(options.blocks), blocks, strict=False):
        for number, (name, turns) in enumerate(answer.named):
            outcome = holds(source, answer, name)
            every[outcome] += 1
            by_name[name, outcome] += 1
            first[outcome] += number == 0
            if turns:
                said[outcome] += 1
            if outcome in ("no", "lost") or (turns and outcome != "turned"):
                print(f"{outcome}: {name}, of: {answer.decision.sentence}", flush=True)
    for title, counts in (
        ("reasons named", every),
        ("the first of each block", first),
        ("said to turn it alone", said),
    ):
        print(f"{title}: {counts.total()}: {dict(counts)}")
    for (name, outcome), count in sorted(by_name.items()):
        print(f"  {name}: {outcome} {count}")


if __name__ == "__main__":
    main()

"""Which share of errors planted in gold text lies in the first tenth of what the auditor lists.

    python -m tests.bench.planted_gold DATA [--sample 450] [--each 10] [--seed 1]

Each of ``--each`` pages a kind gets one error, of the twelve kinds in `KINDS`; all other pages keep
their gold.  The auditor then goes through all pages as ``pagelet audit`` does.  An error is found
where a part that is listed is on its page and has half of the words that were planted, or that the
part has; of errors of the whole gold any part of the page counts.
"""

import argparse
import re
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from algorithms.extraction.gleaner.text_runs import TextRuns, text_runs
from annotate.evaluation.run.run_options import PageChoice
from annotate.evaluation.run.triage import pages_of
from annotate.plugins.audit import auditing
from annotate.plugins.audit.auditing import GoldTexts, ReadPage, pages_with_gold, read_page
from engine.web.worker_browser import LateBrowser

say = partial(print, flush=True)

_COMMENTS = re.compile(r"""(?:class|id)\s*=\s*["']?[^"'>]*\b(?:comments?|replies|disqus)\b""", re.I)
_PARAGRAPH, _LIST, _BLOCK, _SECTION = 25, 4, 15, 40


@dataclass(frozen=True)
class Known:
    """A page with its gold as it is."""

    name: str
    gold: GoldTexts
    read: ReadPage

    @property
    def runs(self) -> TextRuns:
        """The page's blocks."""
        return text_runs(self.gold.source)


@dataclass(frozen=True)
class Planted:
    """A gold text with an error, and the words that are wrong; "" where all of it is."""

    gold: str
    words: str = ""


Plant = Callable[[Known, Sequence[Known], np.random.Generator], Planted | None]


def _one(rng: np.random.Generator, values: Sequence[str]) -> str:
    return values[int(rng.integers(len(values)))]


def _paragraphs(known: Known) -> list[str]:
    """Return lines of gold that are long."""
    lines = [" ".join(line.split()) for line in known.gold.text.splitlines()]
    return [line for line in lines if len(line.split()) >= _PARAGRAPH]


def _other(known: Known, every: Sequence[Known], rng: np.random.Generator) -> Known:
    while True:
        other = every[int(rng.integers(len(every)))]
        if other.name != known.name and len(other.gold.text.split()) > 100 and _paragraphs(other):
            return other


def _inserted(gold: str, text: str, rng: np.random.Generator) -> Planted:
    lines = gold.splitlines() or [""]
    at = int(rng.integers(len(lines) + 1))
    return Planted("\n".join((*lines[:at], text, *lines[at:])), text)


def exchanged(known: Known, every: Sequence[Known], rng: np.random.Generator) -> Planted | None:
    """Return the gold of another page."""
    return Planted(_other(known, every, rng).gold.text)


def of_another(known: Known, every: Sequence[Known], rng: np.random.Generator) -> Planted | None:
    """Return gold with a paragraph of another page in it."""
    return _inserted(known.gold.text, _one(rng, _paragraphs(_other(known, every, rng))), rng)


def of_nobody(known: Known, every: Sequence[Known], rng: np.random.Generator) -> Planted | None:
    """Return gold with words in it that stand so on no page."""
    pool = [word for _ in range(5) for word in _other(known, every, rng).gold.text.split()]
    return _inserted(known.gold.text, " ".join(rng.choice(pool, 30).tolist()), rng)


def without_tail(known: Known, every: Sequence[Known], rng: np.random.Generator) -> Planted | None:
    """Return gold without its last third."""
    words = known.gold.text.split(" ")
    if len(words) < 120:
        return None
    cut = int(len(words) * rng.uniform(0.6, 0.8))
    return Planted(" ".join(words[:cut]), " ".join(words[cut:]))


def without_head(known: Known, every: Sequence[Known], rng: np.random.Generator) -> Planted | None:
    """Return gold without its first third."""
    words = known.gold.text.split(" ")
    if len(words) < 120:
        return None
    cut = int(len(words) * rng.uniform(0.2, 0.4))
    return Planted(" ".join(words[cut:]), " ".join(words[:cut]))


def halved(known: Known, every: Sequence[Known], rng: np.random.Generator) -> Planted | None:
    """Return gold with the first or last half of a paragraph only."""
    own = _paragraphs(known)
    if not own:
        return None
    words = _one(rng, own).split()
    half = len(words) // 2
    kept, lost = (
        (words[:half], words[half:]) if rng.random() < 0.5 else (words[half:], words[:half])
    )
    gold = "\n".join(" ".join(line.split()) for line in known.gold.text.splitlines())
    return Planted(gold.replace(" ".join(words), " ".join(kept), 1), " ".join(lost))


def _stretches(known: Known, kinds: np.ndarray, *, marked: bool) -> list[list[int]]:
    """Return neighbouring blocks of one kind, all of which gold has, or has not."""
    is_marked = known.read.gold > 0.5
    result: list[list[int]] = []
    for block in range(kinds.size):
        if kinds[block] < 0 or is_marked[block] != marked:
            continue
        if result and result[-1][-1] == block - 1 and kinds[block - 1] == kinds[block]:
            result[-1].append(block)
        else:
            result.append([block])
    return result


def _left_out(known: Known, blocks: Sequence[int]) -> Planted | None:
    """Return gold without some blocks; None where it has them not word by word."""
    gold, texts = " ".join(known.gold.text.split()), [known.runs.texts[k] for k in blocks]
    found = [text for text in texts if gold.count(text) == 1]
    if len(found) < 0.7 * len(texts):
        return None
    for text in found:
        gold = gold.replace(text, "", 1)
    return Planted(gold, " ".join(found))


def without_list(known: Known, every: Sequence[Known], rng: np.random.Generator) -> Planted | None:
    """Return gold without a list amid the content."""
    tree, runs = known.gold.source.tree, known.runs
    lists = tree.has_tag("ul", "ol", "table")
    at, kinds = tree.parent[runs.row], np.full(len(runs), -1)
    for _ in range(6):
        inside = (at >= 0) & lists[np.maximum(at, 0)]
        kinds = np.where(inside, at, kinds)
        at = np.where(at >= 0, tree.parent[np.maximum(at, 0)], -1)
    fitting = [
        each
        for each in _stretches(known, kinds, marked=True)
        if len(each) >= _LIST
        and _BLOCK <= runs.words[each].sum() < 0.5 * len(known.gold.text.split())
    ]
    if not fitting:
        return None
    return _left_out(known, fitting[int(rng.integers(len(fitting)))])


def with_strange(known: Known, every: Sequence[Known], rng: np.random.Generator) -> Planted | None:
    """Return gold with a menu, a footer or another block that is not content."""
    runs = known.runs
    fitting = [
        each
        for each in _stretches(known, known.read.kinds, marked=False)
        if _BLOCK <= runs.words[each].sum() <= 150
    ]
    if not fitting:
        return None
    text = " ".join(runs.texts[k] for k in fitting[int(rng.integers(len(fitting)))])
    lines = known.gold.text.splitlines()
    parts = (text, *lines) if rng.random() < 0.5 else (*lines, text)
    return Planted("\n".join(parts), text)


def comments(known: Known, every: Sequence[Known], rng: np.random.Generator) -> Planted | None:
    """Return gold with the comments below a text, or without those it has."""
    tree, tokens, runs = known.gold.source.tree, known.gold.source.tokens, known.runs
    html = known.gold.source.html
    for row in np.flatnonzero(tree.token >= 0).tolist():
        token = tree.token[row]
        if not _COMMENTS.search(html[tokens.start[token] : tokens.end[token]]):
            continue
        first, last = tree.words[row].tolist()
        blocks = np.flatnonzero((runs.first >= first) & (runs.last <= last))
        if runs.words[blocks].sum() < _SECTION or blocks.size > 0.7 * len(runs):
            continue
        share = float(
            (known.read.gold[blocks] * runs.words[blocks]).sum() / runs.words[blocks].sum()
        )
        if share < 0.05:
            text = "\n".join(runs.texts[k] for k in blocks)
            return Planted(f"{known.gold.text}\n{text}", text)
        if share > 0.8 and runs.words[blocks].sum() < 0.8 * len(known.gold.text.split()):
            return _left_out(known, blocks.tolist())
    return None


def doubled(known: Known, every: Sequence[Known], rng: np.random.Generator) -> Planted | None:
    """Return gold with a paragraph twice."""
    own = _paragraphs(known)
    return _inserted(known.gold.text, text, rng) if own and (text := _one(rng, own)) else None


def emptied(known: Known, every: Sequence[Known], rng: np.random.Generator) -> Planted | None:
    """Return gold without a word."""
    return Planted("") if len(known.gold.text.split()) > 50 else None


def garbled(known: Known, every: Sequence[Known], rng: np.random.Generator) -> Planted | None:
    """Return gold whose letters were decoded wrongly."""
    strange = re.findall(r"[^\x00-\x7f]", known.gold.text)
    if len(strange) < 5:
        return None
    as_bytes = known.gold.text.encode("utf-8")
    if rng.random() < 0.5:
        return Planted(as_bytes.decode("cp1252", "replace"))
    return Planted(as_bytes.decode("ascii", "replace"))


KINDS: dict[str, Plant] = {
    "gold of another page": exchanged,
    "a paragraph of another page": of_another,
    "text that is on no page": of_nobody,
    "the tail cut off": without_tail,
    "the head cut off": without_head,
    "half a paragraph": halved,
    "a list left out": without_list,
    "a strange block added": with_strange,
    "comments added or left out": comments,
    "a paragraph twice": doubled,
    "no gold at all": emptied,
    "characters decoded wrongly": garbled,
}
_SCARCE = ("comments added or left out", "a list left out", "characters decoded wrongly")
"""Planted first: fewer pages have an example."""


def known_pages(data: str, choice: PageChoice) -> list[Known]:
    """Read all pages with gold text, as the auditor does."""
    with LateBrowser() as browser:
        return [
            Known(name, gold, read_page(data, name, gold))
            for name, _, gold in pages_with_gold(choice.taken_of(pages_of(data)), browser, say)
        ]


def plant(every: Sequence[Known], each: int, seed: int) -> dict[str, tuple[str, Planted]]:
    """Return which pages get which error: page → kind and gold."""
    rng = np.random.default_rng(seed)
    result: dict[str, tuple[str, Planted]] = {}
    for kind in sorted(KINDS, key=lambda kind: kind not in _SCARCE):
        left = each
        for number in rng.permutation(len(every)).tolist():
            known = every[number]
            if left and known.name not in result and len(known.gold.text.split()) >= 60:
                planted = KINDS[kind](known, every, rng)
                if planted is not None and planted.gold != known.gold.text:
                    result[known.name] = kind, planted
                    left -= 1
    return result


def listed(pages: Sequence[ReadPage]) -> Sequence[auditing.AuditedPart]:
    """Return what the auditor lists of these pages, in its order."""
    if hasattr(auditing, "list_parts"):
        return auditing.list_parts(pages)
    parts = [part for page in pages for part in page.parts]  # versions before 1.1
    return sorted(parts, key=lambda each: -each.weight)


def is_of(part: auditing.AuditedPart, planted: Planted) -> bool:
    """Tell whether a listed part is about what was planted."""
    if not planted.words:
        return True
    own, wrong = Counter(_words(part.text)), Counter(_words(planted.words))
    common = (own & wrong).total()
    return common >= 0.5 * min(own.total(), wrong.total()) > 0


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def measure(every: Sequence[Known], each: int, seed: int) -> dict[str, tuple[int, int, int]]:
    """Print the table; return of each kind how many were planted, found, and in the first tenth."""
    before = len(listed([known.read for known in every]))
    planted = plant(every, each, seed)
    pages = []
    for known in every:
        page = known.read
        if known.name in planted:
            gold = replace(known.gold, text=planted[known.name][1].gold)
            page = read_page(page.dataset, page.name, gold)
        pages.append(page)
    start = time.monotonic()
    parts = listed(pages)
    tenth = len(parts) // 10
    say(f"{len(every)} pages, {len(planted)} errors; {before} parts listed before, {len(parts)} "
        f"with them, {tenth} in the first tenth; {time.monotonic() - start:.1f} s")  # fmt: skip
    ranks: dict[str, int] = {}
    for number, part in enumerate(parts):
        if part.page in planted and part.page not in ranks and is_of(part, planted[part.page][1]):
            ranks[part.page] = number
    result = {}
    for kind in KINDS:
        own = [name for name, (other, _) in planted.items() if other == kind]
        found = [ranks[name] for name in own if name in ranks]
        first = sum(rank < tenth for rank in found)
        result[kind] = len(own), len(found), first
        say(f"  {kind:<30} planted {len(own):>3}  listed {len(found):>3}  first tenth {first:>3}")
    return result


def main() -> None:
    """Measure, and print."""
    words = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    words.add_argument("data")
    words.add_argument("--sample", type=int)
    words.add_argument("--each", type=int, default=10)
    words.add_argument("--seed", type=int, default=1)
    options = words.parse_args()
    every = known_pages(options.data, PageChoice(sample=options.sample))
    measure(every, options.each, options.seed)


if __name__ == "__main__":
    main()

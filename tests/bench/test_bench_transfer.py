"""Transfer of marks, measured: gold of one page of a template, transferred to the others.

Run with ``./test tests/bench/test_bench_transfer.py -s``; it prints, by template of the data set
``sites``, for marks transferred from the first page of the template, and from the one nearest
to all others (which the Site view proposes to mark first):

- right: share of the siblings' gold words that are marked with nothing done;
- clean: share of the words so marked that are gold;
- wrong: words the program would have wrong, had it to decide all, as a share of gold words;
- flagged: share of these that stand in what it asks about;
- asked: questions a page.

Marks are made from the data set's own paths of main content, less what these leave out, as a hand
would make them; where the rendered page does not have them, from the gold text.  Words are runs of
letters and digits, and a page's are counted as a bag.  What marks made so get wrong by themselves
(text that scripts add, words of the gold that are not on the page) is not counted.
"""

import json
import re
from collections import Counter
from dataclasses import dataclass

import lxml.html
import numpy as np
import pytest

from algorithms.plugins.site.distances import distance
from annotate.datasets import sites
from annotate.datasets.case_files import align_gold
from annotate.marks import edits
from annotate.marks.gold import Gold, Target
from annotate.marks.page_text import page_text
from annotate.plugins.transfer.transfer import transfer_marks
from engine.nodes import NodeTable
from engine.page_cache import Snapshots, default_folder
from engine.web.headless import Browser
from engine.web.renderer import renderer_name

pytestmark = [pytest.mark.data, pytest.mark.web, pytest.mark.long]

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, eq=False)
class Sibling:
    """A page with its gold, as text and as marks."""

    nodes: NodeTable
    text: str
    gold: Gold
    source: object


def read(page, browser, snapshots, about):
    document = page.document()
    result = snapshots.find(document)
    if result is None:
        result = browser.capture(document)
        snapshots.keep(document, result)
    text = page.text()
    nodes = result.rendered()
    gold = marks_at(result, about["templates"][page.template]) or align_gold(nodes, text).gold
    return Sibling(nodes, text, gold, result.source("original"))


def marks_at(page, template):
    """Return the marks that the data set's paths say; None where the page does not have them."""
    nodes = page.rendered()
    tree = lxml.html.document_fromstring(page.source("dom").html)
    rows = {nodes.path(row): row for row in np.flatnonzero(~nodes.is_text).tolist()}
    main = [rows.get(path_of(each)) for each in tree.xpath(template["main_content"])]
    left_out = [each for path in template["excluded"] for each in tree.xpath(path)]
    cuts = [rows.get(path_of(each)) for each in left_out]
    if not main or None in main or None in cuts:
        return None
    gold = edits.add_main(Gold(), nodes, map(Target, main))
    return edits.remove_main(gold, nodes, map(Target, cuts))


def path_of(element):
    if isinstance(element, str):
        return ""  # a text
    steps = []
    while element is not None:
        position = 1 + sum(1 for _ in element.itersiblings(element.tag, preceding=True))
        steps.append(f"{element.tag}[{position}]")
        element = element.getparent()
    return "/" + "/".join(reversed(steps))


def words(text):
    return Counter(_WORD.findall(text.lower()))


def words_of(nodes, rows):
    result = Counter()
    for row in rows:
        result.update(_WORD.findall(nodes.text[row].lower()))
    return result


def rows_in(nodes, targets):
    inside = np.zeros(len(nodes), dtype=bool)
    for target in targets:
        inside[target.row : int(nodes.end[target.row])] = True
    return {row for row in page_text(nodes).rows.tolist() if inside[row]}


def score(seed, page):
    """Return gold words, those marked right, marked, wrong, wrong once all is answered, asked."""
    nodes, gold = page.nodes, words(page.text)
    result = transfer_marks([(seed.nodes, seed.gold)], nodes)
    sure = rows_in(nodes, [t for each in result.sure for t in each.targets])
    asked = rows_in(nodes, [t for each in result.doubtful for t in each.targets])
    guessed = [t for each in result.doubtful if each.is_marked for t in each.targets]
    answered = rows_in(nodes, [t for mark in page.gold.marks for t in mark.targets]) & asked
    marked = words_of(nodes, sure)

    def wrong(rows):
        text = words_of(nodes, rows)
        return (text - gold).total() + (gold - text).total()

    noise = wrong(rows_in(nodes, [t for mark in page.gold.marks for t in mark.targets]))
    before = max(wrong(sure | rows_in(nodes, guessed)) - noise, 0)
    after = max(wrong((sure - asked) | answered) - noise, 0)
    right = (marked & gold).total()
    return np.array([gold.total(), right, marked.total(), before, after, len(result.doubtful)])


def line(name, total, pages):
    gold, right, marked, before, after, asked = total
    flagged = f"{1 - min(after, before) / before:9.1%}" if before else f"{'-':>9}"
    return (
        f"{name:<28}{pages:>6}{right / max(gold, 1):>9.1%}{right / max(marked, 1):>9.1%}"
        f"{before / max(gold, 1):>9.1%}{flagged}{asked / max(pages, 1):>8.1f}"
    )


@pytest.fixture(scope="module")
def browser():
    with Browser() as browser:
        yield browser


@pytest.fixture(scope="module")
def templates(datasets, browser):
    snapshots = Snapshots(default_folder(), renderer_name())
    result = {}
    for page in sites.pages(datasets / "sites", []):
        if page.has_gold:
            position = f"{page.site.name}/{page.template}"
            about = json.loads((page.site / "site.json").read_text())
            result.setdefault(position, []).append(read(page, browser, snapshots, about))
    return {name: pages for name, pages in result.items() if len(pages) > 1}


def central(pages):
    matrix = distance("cps-class").matrix([page.source for page in pages])
    return int(np.argmin(matrix.sum(axis=0)))


def transfer_all(templates, choose):
    """Print the table; return what `score` does, of all pages."""
    heads = "".join(f"{each:>9}" for each in ("right", "clean", "wrong", "flagged"))
    print(f"\n{'':<28}{'pages':>6}{heads}{'asked':>8}")
    everything, count = np.zeros(6), 0
    for name, pages in sorted(templates.items()):
        seed = choose(pages)
        others = [page for index, page in enumerate(pages) if index != seed]
        total = np.sum([score(pages[seed], page) for page in others], axis=0)
        print(line(name, total, len(others)))
        everything, count = everything + total, count + len(others)
    print(line("all", everything, count))
    return everything


def test_marks_of_the_first_page_transfer_to_its_siblings(templates):
    gold, right, _, before, after, _ = transfer_all(templates, lambda pages: 0)
    assert right / gold >= 0.9
    assert 1 - after / before >= 0.8


def test_marks_of_the_central_page_transfer_almost_without_errors(templates):
    gold, right, _, before, after, _ = transfer_all(templates, central)
    assert right / gold >= 0.98
    assert before / gold <= 0.01
    assert 1 - after / before >= 0.6

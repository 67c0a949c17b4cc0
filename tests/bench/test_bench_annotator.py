"""How many actions rebuild the gold of real pages: from scratch, and from drafts.

    ./test tests/bench/test_bench_annotator.py -s

A scripted annotator (`tests.annotator` says what it may do, and its time model) works by real mouse
and key events in the real window, on 20 of Kreuzer's random pages (drawn with a fixed seed), whose
gold is blocks on two levels, and on the sample pages, which have main content too.  With Terrain's
layer pages begin with its drafts (the one key for that is counted); where they do not help,
dropping them is.  Main content is marked from nothing.  Printed are
actions a block and a page, by kind, with the time they take; goals are 2.0 a block from scratch and
1.0 from a draft.
"""

import random
from functools import partial

import pytest
from PySide6.QtCore import Qt

import resources
from annotate.datasets.opening import open_pages
from annotate.marks.gold import MAIN, Gold, Mark, Target
from gui.state.selection import Mode
from tests.annotator import Annotator
from tests.gestures import Tally
from tests.gui.parts import make_window, press
from tests.hand import Hand

pytestmark = [pytest.mark.web, pytest.mark.data, pytest.mark.long]

PAGES, SEED = 20, 20
WAIT = 60_000


@pytest.fixture
def window(qtbot, tmp_path):
    made = make_window(tmp_path)
    qtbot.addWidget(made)
    made.resize(1300, 850)
    qtbot.waitExposed(made)
    yield made
    made.close_down()


@pytest.fixture
def hand(window, qtbot, tmp_path):
    window.panels.toggle()  # room for the page
    return Hand(window.workbench, qtbot, tmp_path)


def open_bare(hand, documents, files, place) -> Gold:
    """Open a page without its gold; return that."""
    session = hand.session
    with hand.qtbot.waitSignal(session.open.page_changed, timeout=WAIT):
        hand.workbench.navigation.open_document(place)
    hand.wait_for_methods()
    gold, _ = files[place].shown(session.open.page)
    if session.open.gold.sure.marks:
        hand.workbench.marking.change("begin anew", lambda _g, _n: Gold())
    return gold


def begin(window, documents, key=""):
    """List pages without their gold; make one method's layer the only one."""
    session = window.session
    session.selection.suggests_types = True  # as the program has it
    window.workbench.workspace.add_pages(documents)
    session.set_documents(documents)
    session.layers.set_layers(tuple(layer for layer in session.layers.all if layer.is_gold))
    if key:
        session.layers.add_method(key)
        session.layers.set_current_layer(key)


def told(name: str, tally: Tally, pages: int) -> str:
    each = max(tally.blocks, 1)
    kinds = ", ".join(f"{number} {kind}s" for kind, number in sorted(tally.actions.items()))
    stages = ", ".join(f"{stage} {number}" for stage, number in tally.stages.items())
    return (
        f"{name:<46} {tally.count / each:5.2f} a block {tally.count / pages:6.1f} a page "
        f"{tally.seconds / each:5.2f} s a block {tally.seconds / pages:6.1f} s a page | "
        f"{tally.rebuilt} of {tally.blocks} rebuilt, {tally.typed} with type, "
        f"{tally.superfluous} too many | {kinds} | {stages}"
    )


@pytest.mark.parametrize("with_types", [False, True], ids=["places", "types"])
@pytest.mark.parametrize("way", ["scratch", "terrain"])
def test_blocks_of_random_pages(window, hand, datasets, way, with_types):
    opened = open_pages(str(datasets / "kreuzer-random"), "repaired")
    chosen = sorted(random.Random(SEED).sample(range(len(opened.documents)), PAGES))
    begin(window, opened.documents, "" if way == "scratch" else way)
    annotator = Annotator(hand, partial(press, hand), with_types=with_types)
    if way != "scratch":  # pages are to begin with drafts from now on: one action, counted
        annotator.key("A", Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier)
    for position in chosen:
        gold = open_bare(hand, opened.documents, opened.files, position)
        before = annotator.tally.count, annotator.tally.blocks
        (annotator.scratch_at_best if way == "scratch" else annotator.with_draft)(gold)
        done = annotator.tally
        print(f"{position:3} {done.count - before[0]:4} actions {done.blocks - before[1]:3} blocks")
    what = "place, level and type" if with_types else "place and level"
    print("\n" + told(f"random pages, {what}, from {way}", annotator.tally, PAGES))
    assert annotator.tally.rebuilt > 0.8 * annotator.tally.blocks


@pytest.mark.parametrize("least", [0.95, 0.98])
def test_main_content_of_the_sample_pages(window, hand, least):
    """Until the F1 of its words is so high, where a person stops."""
    opened = open_pages(resources.path("corpus"))
    begin(window, opened.documents)
    annotator = Annotator(hand, partial(press, hand))
    pages = 0
    for index, document in enumerate(opened.documents):
        gold = open_bare(hand, opened.documents, opened.files, index)
        if gold.of_level(MAIN):
            before = annotator.tally.count
            annotator.main_content(gold, least)
            did = annotator.tally.count - before
            print(f"{document.path:<30} {did:3} actions: {', '.join(annotator.did)}")
            pages += 1
    print("\n" + told(f"sample pages, main content to F1 {least}", annotator.tally, pages))
    assert annotator.tally.rebuilt == annotator.tally.blocks


def test_pages_that_people_marked_are_rebuilt_from_scratch(window, hand, datasets, tmp_path):
    """A table of actions a finished block, each part of a page from scratch, with types."""
    samples = open_pages(resources.path("corpus"))
    print("\n| page | marked | actions | per block |\n| --- | --- | --- | --- |")
    for name, opened, position in (
        ("a ministry's home page", kreuzer(datasets, "www.finance.gov.tt"), 0),
        *((name, samples, position_of(samples, name)) for name in ("magazine", "blog", "news")),
    ):
        begin(window, opened.documents)
        gold = open_bare(hand, opened.documents, opened.files, position)
        nodes = window.session.open.page.rendered()
        parts = {f"level {level}": Gold(gold.of_level(level)) for level in (1, 2)}
        parts["… of these next siblings"] = siblings(nodes, gold)
        for part, expected in parts.items():
            annotator = Annotator(hand, partial(press, hand))
            row(f"{name}, {part}", annotator.scratch_at_best(expected))
            begin_anew(hand)
        for least in (0.95, 0.98) if gold.of_level(MAIN) else ():
            annotator = Annotator(hand, partial(press, hand))
            row(f"{name}, main content to F1 {least}", annotator.main_content(gold, least))
            begin_anew(hand)
    hand.open(HEADER)
    begin_anew(hand)
    rows = [hand.row("#header"), hand.row("#nav")]
    expected = Mark("header", 1, tuple(Target(row) for row in rows), "Header")
    annotator = Annotator(hand, partial(press, hand))
    annotator.from_scratch(Gold((expected,)))
    row("a header of two neighbours", annotator.tally)
    assert annotator.tally.rebuilt == 1


def begin_anew(hand) -> None:
    """Drop all marks, and have tool and type in hand as the program starts with them."""
    hand.workbench.marking.change("begin anew", lambda _g, _n: Gold())
    selection = hand.session.selection
    selection.set_mode(Mode.SELECT)
    selection.set_keeps_type(False)
    selection.set_next_type("")


def kreuzer(datasets, name):
    return open_pages(str(datasets / "kreuzer-random" / name), "repaired")


def position_of(opened, name: str) -> int:
    return next(k for k, each in enumerate(opened.documents) if name in each.path)


HEADER = (
    "<style>body{margin:0} #header,#nav{height:60px}</style><div><div id=header><div class=inner>"
    "The Courier of the quay</div></div><div id=nav><a href=/>Home</a> <a href=/t>Tides</a></div>"
    "</div><p>The ferry returned this morning, and all of the town was there.</p>"
)


def siblings(nodes, gold: Gold) -> Gold:
    """The level-2 blocks of the parent that has most of them."""
    families: dict[int, list[Mark]] = {}
    for mark in gold.of_level(2):
        families.setdefault(int(nodes.parent[mark.targets[0].row]), []).append(mark)
    return Gold(tuple(max(families.values(), key=len)))


def row(name: str, tally: Tally) -> None:
    each = f"{tally.count / tally.blocks:.1f}" if tally.blocks else "–"
    print(f"| {name} | {tally.rebuilt} of {tally.blocks} | {tally.count} | {each} |")

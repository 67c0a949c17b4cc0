"""Every measure has one complete description, and no other module knows its key."""

import ast
import csv
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from algorithms.core.attempt import BlockGold
from algorithms.core.batch import Setup, measures_of, run_extractor, run_segmenter
from algorithms.core.catalogue import method
from algorithms.measures.all_measures import (
    BLOCK_MEASURES,
    MEASURES,
    TEXT_MEASURES,
    UNMARKED_MEASURES,
)
from algorithms.measures.choice import by_family, groups_of, main_measure, measure_of, on_level
from algorithms.measures.measure import Family, Measure, Need, ShownIn
from algorithms.measures.snippets import Snippets
from algorithms.measures.text_comparison import GoldText
from algorithms.results import Block, Segmentation
from tests.tables import page_of_html

ROOT = Path(__file__).parents[3]

TEXT_KEYS = (
    "cs", "ws", "bow", "sow", "cleaneval", "shingles", "identical", "cetr", "rouge-lsum",
    "snippets",
)  # fmt: skip
BLOCK_KEYS = (
    "exact", "fuzzy",
    *(f"b3-{on}{end}" for on in ("pixels", "edges-fine", "edges-coarse", "nodes", "chars")
      for end in ("", "-star", "-max")),
    *(key for on in ("words", "pixels")
      for key in (f"ari-{on}", f"nmi-{on}", f"nmi-{on}-arithmetic")),
    "iou-50", "iou-75", "right", "split", "merged", "missed", "false", "types",
)  # fmt: skip


def test_measures_keep_their_stored_keys_and_order():
    assert [m.key for m in TEXT_MEASURES if m.key in TEXT_KEYS] == list(TEXT_KEYS)
    known = [key + end for key in BLOCK_KEYS for end in ("", "-1", "-2")]
    assert [m.key for m in BLOCK_MEASURES if m.key in known] == known


@pytest.mark.parametrize("measure", MEASURES, ids=lambda measure: measure.key)
def test_every_entry_is_whole(measure):
    assert measure.label
    assert measure.panel_label
    assert measure.source
    assert len(measure.definition) > 25
    assert not measure.definition.endswith(".")
    for message in (measure.sentence, measure.formula, measure.corners):
        assert (message.endswith(".") and message[:1] != message[:1].lower()) or message[
            :1
        ].isdigit()
    assert measure.needs or measure in UNMARKED_MEASURES
    assert measure.family not in (Family.TIME, Family.UNKNOWN)
    assert (measure.level in ("all", "1", "2")) == (measure.kind == "blocks")
    assert bool(measure.items) == bool(measure.hit)
    if measure.is_shown(ShownIn.COUNTED):
        assert measure.hit
        assert measure.is_f1


def test_keys_and_names_are_different():
    assert len({measure.key for measure in MEASURES}) == len(MEASURES)
    assert len({measure.name for measure in MEASURES}) == len(MEASURES)
    for kind in (TEXT_MEASURES, [m for m in BLOCK_MEASURES if m.level == "all"]):
        for _, members in by_family(kind, ShownIn.PANEL):
            assert len({each.panel_label for each in members}) == len(members)


def test_one_measure_of_each_kind_comes_first():
    assert [main_measure(kind).key for kind in ("text", "blocks")] == ["ws", "fuzzy"]
    assert sum(measure.is_main for measure in MEASURES) == 2


def test_a_level_changes_key_and_name_and_no_word_of_the_definition():
    pixels, first = measure_of("b3-pixels"), measure_of("b3-pixels-1")
    assert on_level(pixels, "1") is first
    assert on_level(first, "all") is pixels
    assert first.explanation == pixels.explanation
    assert (first.name, first.label) == ("B³ pixels, level 1", "B³ pixels")
    assert on_level(measure_of("ws"), "1") is None


def test_an_unknown_measure_has_only_its_key():
    unknown = measure_of("of-another-version")
    assert unknown.key == unknown.name == "of-another-version"
    assert unknown.family is Family.UNKNOWN
    assert not unknown.shown


def test_groups_are_of_measures_there_are_and_the_usual_ones_in_their_order():
    every = tuple(measure.key for measure in TEXT_MEASURES)
    without_gold = tuple(measure.key for measure in UNMARKED_MEASURES)
    structure = tuple(key for key in every if key.startswith("structure-"))
    groups = groups_of("text")
    assert groups == {
        "text": ("cs", "ws", "bow", "sow"),
        "structure": structure,
        "predicted": without_gold,
        "all-text": every,
    }
    assert len(structure) == 6
    blocks = groups_of("blocks")
    assert blocks["b3"] == tuple(
        f"b3-{on}{end}" for on in ("pixels", "nodes", "chars") for end in ("", "-1", "-2")
    )
    assert list(blocks) == ["blocks", "b3", "all-blocks"]


def test_every_key_that_is_computed_has_an_entry_and_every_entry_is_computed():
    page = page_of_html("<html><body><h1>A cat</h1><p>The cat sat on the mat.</p></body></html>")
    expected = measures_of("all")
    gold = GoldText("The cat sat on the mat.", page.original, Snippets(("cat sat",), ("A cat",)))
    setup = Setup("bte", method("bte").params(), "original")
    run = run_extractor(page, gold, setup, expected.text)
    assert {*run.scores} == {measure.key for measure in TEXT_MEASURES}
    row = next(r for r in range(len(page.nodes)) if page.nodes.text[r])
    blocks = Segmentation(page.nodes, (Block((row,), 1, "Header"),))
    setup = Setup("webterrain", method("webterrain").params(), "rendered")
    run = run_segmenter(page, BlockGold([("A cat", 1)], blocks), setup, expected.blocks)
    assert {*run.scores, *run.unscored} == {measure.key for measure in BLOCK_MEASURES}
    on_edges = {measure.key for measure in BLOCK_MEASURES if Need.EDGES in measure.needs}
    assert {*run.unscored} == on_edges
    assert {*run.counts} == {m.key for m in BLOCK_MEASURES if Need.BLOCK_TEXTS in m.needs}


def code_of(*packages):
    for package in packages:
        files = sorted((ROOT / package).rglob("*.py"))
        assert files, f"{package} has no module"
        yield from files


def test_no_other_module_names_a_measure_by_its_key():
    every = {m.key for m in MEASURES} | {m.base for m in MEASURES}
    keys = {key for key in every if "-" in key or key in ("cs", "ws", "bow", "sow", "fuzzy")}
    assert {"ws", "fuzzy", "b3-pixels"} <= keys  # other words may have another sense elsewhere
    known = {
        "algorithms/measures/all_measures.py",
        "algorithms/measures/structure_measures.py",
        # annotators are compared by two of them, whose entries it asks for
        "gui/plugins/team_work/agreement/table.py",
        "gui/plugins/team_work/agreement_command.py",
        "annotate/evaluation/run/triage.py",  # an order of work is made of those without gold
        "annotate/evaluation/tables/prediction_quality.py",  # and compared with what it really is
        "annotate/evaluation/tables/references.py",  # so is the method that is chosen for a page
    }
    named = {
        str(path.relative_to(ROOT)): node.value
        for path in code_of("algorithms/measures", "annotate", "gui")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and node.value in keys
    }
    assert named.keys() - known == set()


SPELLING = re.compile(
    r"(measure|of|m|base|each|line)\.(key|name|base|label)(\[|\.(start|end)swith|\.remove|\.p?artition"
    r"|\.r?split)|[\"'] in (measure|of|m|each|line)\.(key|name|base|label)"
)


def test_no_property_is_read_out_of_a_key_or_name():
    assert SPELLING.search('is_max = "-max" in measure.key')
    assert SPELLING.search("m.key[:-2]")
    for path in code_of("algorithms/measures", "annotate/evaluation", "gui/features", "gui/core"):
        assert not SPELLING.search(path.read_text("utf-8")), path


# A new one ---------------------------------------------------------------------------------

NEW_TEXT = """
    TextMeasure(
        base="throwaway", label="Throw", spelled="thrown away", family=Family.WHOLE,
        definition="one, whatever was extracted", formula="It is always one.",
        corners="None known to anybody.", source="nobody", needs=_ON_TEXT, shown=_PANEL | _LINE,
        score=lambda pair: Score(1.0),
    ),"""
NEW_BLOCKS = """
    BlockMeasure(
        base="throwaway-blocks", label="Throw blocks", family=Family.AREAS,
        definition="a half, whatever was found", formula="It is always a half.",
        corners="None known to anybody.", source="nobody", needs=_ON_PLACE, shown=_PANEL,
        score_on=lambda pair, level: Score(0.5),
    ),"""
VIEWS = """
import json
from algorithms.results import Block, Extraction, Segmentation
from annotate.marks.gold import Gold, Mark, Target
from gui.cli.main import main
from gui.features.layers.measured import explain_score as why, in_words, measure_all
from gui.features.evaluate.measures import MEASURES
from tests.tables import page_of_html

page = page_of_html("<html><body><p>the cat sat on the mat</p></body></html>")
row = next(r for r in range(len(page.nodes)) if page.nodes.text[r])
gold = Gold((Mark("m", 0, (Target(row),)), Mark("n", 1, (Target(row),))))
found = Segmentation(page.nodes, (Block((row,), 1),))
panel = {}
for result in (gold.as_extraction(page), found):
    for family, lines in measure_all(page, gold, result, 0).groups:
        panel |= {line.key: [family, line.name, in_words(line), why(line)] for line in lines}
table = {kind: {m.key: [m.in_words, m.sentence] for m in known} for kind, known in MEASURES.items()}
print(json.dumps([panel, table]))
raise SystemExit(main([
    "evaluate", "resources/corpus/news", "--methods", "bte", "--measures", "throwaway",
    "--report", "tables", "--out", "out", "--no-cache",
]))
"""


@pytest.mark.slow
def test_a_new_catalogue_entry_appears_in_all_views_and_files(tmp_path):
    for package in ("annotate", "gui", "engine", "resources", "tests"):
        (tmp_path / package).symlink_to(ROOT / package)
    shutil.copytree(ROOT / "algorithms", tmp_path / "algorithms")
    catalogue = tmp_path / "algorithms" / "measures" / "all_measures.py"
    text = catalogue.read_text("utf-8")
    for before, new in (("TEXT_MEASURES: tuple[TextMeasure, ...] = (", NEW_TEXT),
                        ("_BOTH_LEVELS: tuple[BlockMeasure, ...] = (", NEW_BLOCKS)):  # fmt: skip
        assert text.count(before) == 1
        text = text.replace(before, before + new)
    catalogue.write_text(text, "utf-8")
    done = subprocess.run(
        [sys.executable, "-c", VIEWS], cwd=tmp_path, capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    first, _, printed = done.stdout.partition("\n")
    panel, table = json.loads(first)
    family, name, value, data = panel["throwaway"]
    assert (family, name, value) == (Family.WHOLE, "Throw", "1.000")
    assert "It is always one." in data
    assert "Source: nobody." in data
    assert panel["throwaway-blocks"][:3] == [Family.AREAS, "Throw blocks", "0.500"]
    assert table["extraction"]["throwaway"][0] == "thrown away (Throw)"
    assert {"throwaway-blocks", "throwaway-blocks-1"} <= table["segmentation"].keys()
    assert "Throw" in printed.split("\n")[1]
    with (tmp_path / "out" / "scores.csv").open(newline="", encoding="utf-8") as file:
        assert {(row["measure"], row["value"]) for row in csv.DictReader(file)} == {
            ("throwaway", "1.0")
        }
    report = (tmp_path / "out" / "report.html").read_text("utf-8")
    assert "Throw" in report
    assert "It is always one." in report


def test_an_entry_of_the_catalogue_cannot_be_changed():
    with pytest.raises(AttributeError):
        measure_of("ws").label = "words"
    assert all(isinstance(measure, Measure) for measure in MEASURES)

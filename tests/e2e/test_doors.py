"""Test that all ways to run a method on a page give the same figures and boxes.

Doors: ``evaluate`` (rendering, from snapshots, without), its report and bundle, ``why``, ``diff``,
``segment``, ``extract``, the library, and the window.
"""

import csv
import json
import re
import shutil
from collections import defaultdict

import pagelet
import pytest
from lxml import html as lxml_html

import resources
from algorithms.measures.all_measures import BLOCK_MEASURES, TEXT_MEASURES
from engine import geometry
from gui.features.layers.measured import measure_all
from tests.gui.parts import make_window
from tests.hand import Hand
from tests.typed_commands import typed

TEXT, BLOCKS = (
    ("ws", "cs", "bow"),
    ("exact", "fuzzy", "b3-pixels", "b3-pixels-1", "b3-pixels-2", "b3-chars"),
)
MEASURES = ",".join((*TEXT, *BLOCKS))


class DoorTable:
    """Answers by question and door: a number, a text, or boxes to the hundredth of a px."""

    def __init__(self):
        self.answers = defaultdict(dict)

    def note(self, door, question, answer):
        assert door not in self.answers[question], f"{door} answers {question} twice"
        self.answers[question][door] = answer

    def compare(self):
        """Return how many answers were compared, and those that differ."""
        compared, different = 0, {}
        for question, answers in self.answers.items():
            first = max(map(_detail, answers.values()), key=lambda each: each[0])[1]
            compared += len(answers) - 1
            if not all(_same(first, each) for each in answers.values()):
                different[question] = answers
        return compared, different


class Rounded(float):
    """A figure as it is printed, to three digits."""


class Pixels(tuple):
    """Boxes in whole pixels."""


def _detail(answer):
    return not isinstance(answer, Rounded | Pixels), answer


def _same(first, other):
    if isinstance(other, Rounded):
        return f"{first:.3f}" == f"{other:.3f}"
    if isinstance(other, Pixels) and not isinstance(first, Pixels):
        return tuple(tuple(round(float(f"{n:.0f}")) for n in box) for box in first) == other
    if isinstance(first, float) and not isinstance(other, str):
        return other == pytest.approx(first, abs=1e-12)
    return first == other


def boxes(found):
    """Return rounded and sorted boxes, without those of hidden blocks."""
    return tuple(sorted(tuple(round(float(n), 2) for n in box) for box in found if box[2] > 0))


# -- doors


def ask_evaluate(table, door, folder, out, methods, inputs, *flags, report="none"):
    done = typed(
        "evaluate", folder, "--out", out, "--methods", ",".join(methods), "--input", inputs,
        "--measures", MEASURES, "--jobs", 1, "--report", report, *flags,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    with (out / "scores.csv").open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            asked = row["method"], row["input"], row["measure"]
            if row["status"] == "ok" and row["value"]:
                table.note(door, asked, float(row["value"]))
            elif row["status"] == "skipped":
                table.note(door, asked, row["reason"])


def ask_library(table, place, methods, forms, variant="html"):
    page = pagelet.open(place, variant=variant)
    for method in methods:
        for form, name in forms(method):
            run = page.run(method, input=form)
            measures = TEXT if not run.blocks else BLOCKS
            for key, score in run.score(measures=",".join(measures)).items():
                table.note("library", (method, name, key), score.value)
            if run.blocks:
                table.note("library", (method, name, "boxes"), boxes(b.box for b in run.blocks))
            else:
                table.note("library", (method, name, "text"), run.text)


def ask_command(table, place, method, form, name, words, *flags):
    """Ask ``why``, ``diff`` and ``extract``, or ``why`` and ``segment``."""
    given = () if form == "rendered" else ("--input", form)
    why = typed("why", method, place, "--text", words, "--json", *given, *flags)
    assert why.returncode == 0, why.stderr
    data = json.loads(why.stdout)
    if form == "rendered":
        measure = {each.name: each.key for each in BLOCK_MEASURES}[data["measure"]]
        table.note("why", (method, name, measure), data["why_no_f1"] or data["f1"])
        done = typed("segment", method, place, *flags)
        assert done.returncode == 0, done.stderr
        result = boxes(block["rect"] for block in json.loads(done.stdout))
        table.note("segment", (method, name, "boxes"), result)
        return
    table.note("why", (method, name, "ws"), data["f1"])
    done = typed("diff", method, place, "--json", *given, *flags)
    assert done.returncode == 0, done.stderr
    table.note("diff", (method, name, "ws"), json.loads(done.stdout)["f1"])
    done = typed("extract", method, place, *given, *flags)
    assert done.returncode == 0, done.stderr
    table.note("extract", (method, name, "text"), done.stdout.removesuffix("\n"))


def ask_report(table, out):
    """Read the tables of means, which equal the values if there is one page."""
    page = lxml_html.parse(out / "report.html")
    keys = {each.name: each.key for each in (*TEXT_MEASURES, *BLOCK_MEASURES)}
    for result in page.xpath("//section[@id='scores']//table[caption]"):
        caption = " ".join(result.xpath("string(caption)").split())
        match = re.fullmatch(r"(.+?) ?\?, [^,]+, (\w+), 1 page", caption)
        if match is None:
            continue
        for name, mean, *_ in [
            [cell.text_content().replace("★", "").strip() for cell in line]
            for line in result.xpath(".//tbody/tr")
        ]:
            if mean != "–":
                table.note("report", (name, match[2], keys[match[1]]), Rounded(mean))


def ask_bundle(table, run, out):
    done = typed("bundle", run, "--out", out)
    assert done.returncode == 0, done.stderr
    for path in sorted((out / "pages").glob("*.html")):
        page = lxml_html.parse(path)
        for layer in page.xpath("//label[@class='layer']"):
            method, name = layer.get("data-method"), layer.get("data-input")
            if method not in METHODS:
                continue  # gold
            score = layer.xpath("string(.//span[@class='score'])")
            table.note("bundle", (method, name, METHODS[method]), Rounded(score))
            if METHODS[method] != "ws":
                group = layer.xpath("string(.//input/@data-layer)")
                drawn = [
                    tuple(float(rect.get(side)) for side in ("x", "y", "width", "height"))
                    for rect in page.xpath(f"//*[@id='{group}']//*[local-name()='rect']")
                ]
                table.note("bundle", (method, name, "boxes"), Pixels(sorted(drawn)))


def ask_window(table, window, hand, place, methods, forms):
    """Ask the layers and the Measures panel."""
    hand.open_path(place)
    session = window.session
    for method in methods:
        if all(layer.key != method for layer in session.layers.all):
            session.layers.add_method(method)
        for form, name in forms(method):
            session.layers.change_layer(method, source=form)
            hand.wait_for_methods()
            result = session.layers.outcomes[method].result
            levels = (0, 1, 2) if form == "rendered" else (0,)
            results = [
                measure_all(session.open.page, session.open.gold, result, each) for each in levels
            ]
            for of_level in results:
                for line in (line for _, lines in of_level.groups for line in lines):
                    if line.measure.key in (*TEXT, *BLOCKS):
                        asked = method, name, line.measure.key
                        table.note("window, panel", asked, line.why_none or line.score.value)
            score = session.layers.scores[method]
            if form == "rendered":
                nodes = session.open.page.rendered()
                results = boxes(geometry.box_of(nodes, block.rows) for block in result.blocks)
                table.note("window", (method, name, "boxes"), results)
                table.note("window", (method, name, "fuzzy"), score.fuzzy["all"].prf.f1)
            else:
                table.note("window", (method, name, "text"), result.text)
                table.note("window", (method, name, "ws"), score.ws.f1)


METHODS = {"bte": "ws", "cetr": "ws", "webterrain": "fuzzy", "block-fusion": "fuzzy"}
"""Methods, and the measure by which a bundle shows each."""


def forms_of(method):
    """Return the inputs a method reads, and their names in an evaluation."""
    return [("original", "original"), ("dom", "dom")] if METHODS[method] == "ws" else [
        ("rendered", "dom")
    ]  # fmt: skip


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
    return Hand(window.workbench, qtbot, tmp_path)


def report_on(table, capsys):
    compared, different = table.compare()
    doors = sorted({door for answers in table.answers.values() for door in answers})
    with capsys.disabled():
        print(f"\n{len(doors)} doors ({', '.join(doors)}), {len(table.answers)} questions: "
              f"{compared} answers compared, {len(different)} different")  # fmt: skip
    return compared, different


@pytest.mark.web
@pytest.mark.slow
def test_all_doors_agree_on_a_page_with_marks(window, hand, tmp_path, capsys):
    folder = tmp_path / "data"
    shutil.copytree(resources.path("corpus") / "news", folder / "news")
    index = folder / "news" / "index.html"
    table, methods = DoorTable(), list(METHODS)
    cache = ("--cache", tmp_path / "cache")
    inputs = "original,dom"
    ask_evaluate(
        table, "evaluate", folder, tmp_path / "a", methods, inputs, *cache, report="tables"
    )
    ask_evaluate(table, "evaluate, cached", folder, tmp_path / "b", methods, inputs, *cache)
    ask_evaluate(table, "evaluate, no cache", folder, tmp_path / "c", methods, inputs, "--no-cache")
    ask_report(table, tmp_path / "a")
    ask_bundle(table, tmp_path / "a", tmp_path / "bundle")
    ask_library(table, index, methods, forms_of)
    for method, form in (("bte", "original"), ("cetr", "dom"), ("webterrain", "rendered"),
                         ("block-fusion", "rendered")):  # fmt: skip
        name = "dom" if form == "rendered" else form
        ask_command(table, index, method, form, name, "Ferry without an engine")
    ask_window(table, window, hand, index, methods, forms_of)
    compared, different = report_on(table, capsys)
    assert different == {}
    assert compared > 100


@pytest.mark.web
@pytest.mark.data
@pytest.mark.slow
def test_all_doors_agree_on_a_page_with_gold_text(window, hand, datasets, tmp_path, capsys):
    folder = tmp_path / "data"
    for name in ("html/0453.html.gz", "ground-truth/0453.json"):
        (folder / name).parent.mkdir(parents=True)
        shutil.copy(datasets / "wcxb" / "dev" / name, folder / name)
    position = folder / "html" / "0453.html.gz"
    table, methods = DoorTable(), ["bte", "cetr"]
    cache = ("--cache", tmp_path / "cache")
    for door, more in (("evaluate", cache), ("evaluate, cached", cache),
                       ("evaluate, no cache", ["--no-cache"])):  # fmt: skip
        out = tmp_path / door
        ask_evaluate(table, door, folder, out, methods, "original,dom", *more, report="tables")
    ask_report(table, tmp_path / "evaluate")
    ask_bundle(table, tmp_path / "evaluate", tmp_path / "bundle")
    ask_library(table, position, methods, forms_of)
    for method, form in (("bte", "original"), ("cetr", "original"), ("cetr", "dom")):
        ask_command(table, position, method, form, form, "it can fetch the")
    ask_window(table, window, hand, position, methods, forms_of)
    compared, different = report_on(table, capsys)
    assert different == {}
    assert compared > 50


@pytest.mark.web
@pytest.mark.data
@pytest.mark.slow
@pytest.mark.parametrize("variant", ["html", "dom", "repaired"])
def test_all_doors_agree_on_a_page_of_kreuzers(variant, window, hand, datasets, tmp_path, capsys):
    site = datasets / "kreuzer-random" / "www.animis.de"
    (index,) = site.rglob("index.html")
    table, methods = DoorTable(), ["webterrain", "block-fusion"]
    cache = ("--cache", tmp_path / "cache")
    for door, more in (("evaluate", cache), ("evaluate, cached", cache),
                       ("evaluate, no cache", ["--no-cache"])):  # fmt: skip
        out = tmp_path / door
        ask_evaluate(table, door, site, out, methods, variant, *more, report="tables")
    ask_report(table, tmp_path / "evaluate")
    ask_bundle(table, tmp_path / "evaluate", tmp_path / "bundle")
    forms = lambda _: [("rendered", variant)]  # noqa: E731
    ask_library(table, index, methods, forms, variant)
    for method in methods:
        ask_command(table, index, method, "rendered", variant, "Impressum", "--variant", variant)
    ending = {"html": ".html", "dom": ".dom.html", "repaired": ".blocks.html"}[variant]
    shown = index.with_name(f"index{ending}")
    ask_window(table, window, hand, shown, methods, forms)
    compared, different = report_on(table, capsys)
    assert different == {}
    assert compared > 20
    of_location = [answers for asked, answers in table.answers.items() if "b3-" in asked[2]]
    assert of_location
    has_locations = variant == "repaired"
    assert all(
        isinstance(answer, str) != has_locations
        for answers in of_location
        for answer in answers.values()
    )

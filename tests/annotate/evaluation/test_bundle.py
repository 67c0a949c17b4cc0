"""A bundle: plain pages that need no Pagelet, run no foreign script, and escape page texts."""

import json
import re
from dataclasses import replace

import cv2
import numpy as np
import pytest

import resources
from algorithms.core.batch import RunStatus
from algorithms.core.catalogue import method
from algorithms.measures.prf import Score
from annotate.datasets.case_files import BesideFiles
from annotate.datasets.opening import open_document
from annotate.evaluation.bundle.bundle import MOST_BYTES, Bundle, shrunk, write_bundle
from annotate.evaluation.bundle.page import BundleLayer, BundlePage
from annotate.evaluation.store.row_files import read_rows
from annotate.evaluation.store.rows import ResultRow, RunFacts
from annotate.library import rendering
from annotate.library.bundle_pages import GOLD_MAIN, BundleOrder, draw_page, draw_pages
from annotate.library.bundling import bundle as write_all
from annotate.library.page_cases import Cases
from annotate.marks.marked_text import TextRun
from engine.errors import InputError
from gui.cli import bundle as bundle_command
from gui.cli.main import main
from tests.method_packages import pages
from tests.typed_commands import typed

HOSTILE = "<script>alert(1)</script>\"'&</title>"
RUNS = [("set", "one.html", "original"), ("set", f"{HOSTILE}.html", "original")]
KEYS = [(dataset, page, "") for dataset, page, _ in RUNS]
ACCB = ("accb", "original")


def _rows():
    return [
        ResultRow(
            RunFacts(*key, method, parameters="{}", ms=1.5),
            measure,
            RunStatus.FAILED if method == "bte" else RunStatus.OK,
            f"it crashed: {HOSTILE}" if method == "bte" else "",
            Score(None) if method == "bte" else Score(value),
        )
        for key in RUNS
        for method in ("accb", "bte")
        for measure, value in (("cs", 0.25), ("ws", 0.75))
    ]


def _jpeg(wide, high):
    noise = np.random.default_rng(1).integers(0, 255, (high, wide, 3), dtype=np.uint8)
    return cv2.imencode(".jpg", noise)[1].tobytes()


@pytest.fixture
def bundle(tmp_path):
    layer = BundleLayer(ACCB, "#0072B2", (((1.0, 2.0, 30.0, 40.0), HOSTILE),))
    pages = [BundlePage(key, HOSTILE, "", (400, 800), _jpeg(40, 80), (layer,)) for key in KEYS]
    return write_bundle(tmp_path / "out", HOSTILE, _rows(), pages).parent


def test_a_bundle_leads_from_methods_to_pages_and_back(bundle):
    index = (bundle / "index.html").read_text("utf-8")
    links = re.findall(r'href="([^"]+)"', index)
    assert {"methods/accb.html", "methods/bte.html"} <= set(links)
    for page in bundle.rglob("*.html"):
        for link in re.findall(r'(?:href|src)="([^"]+)"', page.read_text("utf-8")):
            assert (page.parent / link).resolve().is_file(), f"{page.name} → {link}"


def test_a_method_is_shown_by_the_usual_measure(bundle):
    assert "0.750" in (bundle / "methods" / "accb.html").read_text("utf-8")


def test_page_texts_are_escaped_and_only_the_bundles_script_is_allowed(bundle):
    for page in bundle.rglob("*.html"):
        html = page.read_text("utf-8")
        assert html.count("<script") == 1
        assert "bundle.js" in html
        assert "alert(1)</script>" not in html
        assert "default-src 'none'" in html
        assert " style=" not in html


def test_failures_are_listed_with_their_reason(bundle):
    page = next((bundle / "pages").glob("0000-*.html")).read_text("utf-8")
    assert "failed: it crashed: &lt;script&gt;" in page


def test_a_page_lists_only_the_methods_that_ran_on_it(tmp_path):
    rows = [row for row in _rows() if (row.run.page, row.run.method) != ("one.html", "accb")]
    pages = [BundlePage(key, size=(400, 800)) for key in KEYS]
    write_bundle(tmp_path, "t", rows, pages)
    first, second = sorted((tmp_path / "pages").glob("*.html"))
    assert "accb" not in first.read_text("utf-8")
    assert "accb" in second.read_text("utf-8")


def test_pictures_fit_their_size():
    assert len(shrunk(_jpeg(1400, 3000))) <= MOST_BYTES


def test_a_bundle_without_content_has_no_picture(tmp_path):
    pages = [BundlePage(key, size=(400, 800)) for key in KEYS]
    write_bundle(tmp_path, "t", _rows(), pages)
    assert not list(tmp_path.rglob("*.jpg"))
    assert "<img" not in next((tmp_path / "pages").glob("0000-*.html")).read_text("utf-8")


def test_a_page_without_a_rendering_is_shown_as_text_with_layer_lines(tmp_path):
    layers = (BundleLayer(GOLD_MAIN, "#E69F00", ()), BundleLayer(ACCB, "#0072B2", ()))
    text = ((TextRun("home ", ()), TextRun(HOSTILE, (1, 2))), (TextRun("news", (2,)),))
    pages = [BundlePage(key, "t", layers=layers, text=text) for key in KEYS]
    folder = write_bundle(tmp_path, "t", _rows(), pages).parent
    html = next((folder / "pages").glob("0000-*.html")).read_text("utf-8")
    assert "<img" not in html
    assert '<span class="t1 t2">&lt;script&gt;alert(1)' in html
    assert '<span class="t2">news</span>' in html
    assert html.index('id="layer-2"') < html.index('id="layer-1"') < html.index("home ")


def test_the_index_is_written_first_and_a_stopped_bundle_can_be_resumed(tmp_path):
    pages = [BundlePage(key, f"Title {n}") for n, key in enumerate(KEYS)]
    first = Bundle(tmp_path, "t", _rows())
    assert (tmp_path / "index.html").is_file()
    assert first.missing == KEYS
    first.add(pages[0])
    second = Bundle(tmp_path, "t", _rows(), resumes=True)
    assert second.missing == KEYS[1:]
    for listed in (tmp_path / "index.html", tmp_path / "methods" / "accb.html"):
        html = listed.read_text("utf-8")
        assert re.findall(r'href="(?:../)?(pages/[^"]+)"', html) == ["pages/0000-one.html"]
    assert "1 of 2 pages have been written so far" in (tmp_path / "index.html").read_text("utf-8")
    second.add(pages[1])
    assert "Title 0" in second.write_lists().read_text("utf-8")
    assert "so far" not in (tmp_path / "index.html").read_text("utf-8")
    assert Bundle(tmp_path, "t", _rows(), resumes=True).missing == []
    changed = [replace(row, score=Score(0.5)) for row in _rows()]
    assert Bundle(tmp_path, "t", changed, resumes=True).missing == KEYS
    assert Bundle(tmp_path, "t", _rows(), resumes=False).missing == KEYS


def test_the_index_shows_version_and_parameters_and_all_scores_are_stored(tmp_path):
    rows = [
        replace(row, run=replace(row.run, version="pagelet 9", parameters='{"tag_cost": 2.0}'))
        for row in _rows()
        if row.run.method == "bte"
    ]
    index = write_bundle(tmp_path, "t", rows, []).read_text("utf-8")
    assert "pagelet 9" in index
    assert "tag_cost = 2.0" in index
    assert list(read_rows(tmp_path / "scores.csv")) == rows
    assert "tag_cost" in (tmp_path / "summary.csv").read_text("utf-8")


def test_means_have_an_interval_where_there_are_several_pages(bundle):
    assert "0.750–0.750" in (bundle / "index.html").read_text("utf-8")


def test_an_unreadable_page_is_shown_with_its_problem():
    class Gone:
        def document(self):
            raise InputError("the page is gone")

    rows = {(row.run.method, row.run.input): row for row in _rows()}
    order = BundleOrder(KEYS[0], Gone(), rows, is_variant=False, with_content=True)
    assert draw_page(order) == BundlePage(KEYS[0], problem="the page is gone")


def test_rows_with_unknown_parameters_are_summarized(tmp_path):
    rows = [replace(row, run=replace(row.run, parameters='{"gone": 1}')) for row in _rows()]
    write_bundle(tmp_path, "t", rows, [])
    assert "gone" in (tmp_path / "summary.csv").read_text("utf-8")


def test_a_page_is_drawn_with_the_chance_and_date_it_was_evaluated_with(tmp_path):
    (tmp_path / "page.html").write_text(
        "<title>none</title><p>Tea is hot.<script>document.title = Math.random()</script>"
    )
    files = BesideFiles(open_document(str(tmp_path / "page.html")))
    rows = {
        ("bte", "original"): replace(_rows()[1], run=replace(_rows()[1].run, renderer="Chromium"))
    }
    order = BundleOrder(KEYS[0], files, rows, is_variant=False, with_content=True)
    try:
        fixed, chance = (draw_page(replace(order, repeatable=each)).title for each in (True, False))
        assert fixed == draw_page(order).title != chance
    finally:
        rendering.close()


def test_bundle_renders_with_the_options_of_evaluate(tmp_path, monkeypatch):
    asked = []
    monkeypatch.setattr(bundle_command, "bundle", lambda out, *_, **more: asked.append(more) or out)
    page = str(resources.path("corpus"))
    words = ["evaluate", page, "--methods", "plain", "--limit", "1", "--report", "none"]
    out = tmp_path / "run"
    assert main([*words, "--jobs", "1", "--out", str(out), "--no-repeatable"]) == 0
    assert main(["bundle", str(out), "--out", str(tmp_path / "bundle")]) == 0
    assert [each["repeatable"] for each in asked] == [False]
    noted = json.loads((out / "run.json").read_text())
    (out / "run.json").write_text(json.dumps({"datasets": noted["datasets"]}))  # of older ones
    assert main(["bundle", str(out), "--out", str(tmp_path / "bundle")]) == 0
    assert asked[1]["repeatable"] is None


def test_a_page_has_one_sheet_for_all_inputs_of_its_methods(tmp_path):
    run = replace(_rows()[0].run, page="news/one.html")
    runs = [
        replace(run, method=method, input=form)
        for method, form in (("bte", "dom"), ("accb", "dom"), ("accb", "original"))
    ]
    runs.append(replace(run, method="vips", input="rendered"))
    rows = [ResultRow(run, "cs", RunStatus.OK, "", Score(0.5)) for run in runs]
    write_bundle(tmp_path, "t", rows, [BundlePage(("set", "news/one.html", ""))])
    assert [each.name for each in (tmp_path / "pages").glob("*.html")] == ["0000-news-one.html"]
    listed = re.findall(r'<a href="methods/[^>]+>([^<]+)', (tmp_path / "index.html").read_text())
    assert listed == ["BTE", "ACCB, dom", "ACCB, original", "VIPS"]


def test_each_variant_of_a_page_has_a_sheet(tmp_path):
    run = _rows()[0].run
    rows = [
        ResultRow(replace(run, input=variant), "cs", RunStatus.OK) for variant in ("html", "dom")
    ]
    bundle = Bundle(tmp_path, "t", rows, with_variants={"set"})
    assert bundle.missing == [("set", "one.html", "html"), ("set", "one.html", "dom")]


def test_the_reason_of_a_skipped_measure_is_not_shown_below_a_score(tmp_path):
    missing = "no phrases are known of this page"
    rows = [replace(row, status=RunStatus.OK, reason="") for row in _rows()]
    rows.insert(0, ResultRow(rows[0].run, "with", RunStatus.SKIPPED, missing))
    write_bundle(tmp_path, "t", rows, [BundlePage(key) for key in KEYS])
    assert not [p for p in tmp_path.rglob("*.html") if missing in p.read_text("utf-8")]


def test_a_stopped_bundle_reports_that_it_is_incomplete(tmp_path):
    (tmp_path / "page.html").write_text("<title>one</title><p>Tea is hot.")
    rows = _rows()
    with pytest.raises(InputError, match="stopped after 0 of 2 pages: the folder is not complete"):
        write_all(tmp_path, "t", rows, Cases(()), is_stopped=lambda: True)
    assert "0 of 2 pages" in (tmp_path / "index.html").read_text("utf-8")


def test_a_page_that_is_not_available_is_drawn_with_a_problem():
    rows = {(row.run.method, row.run.input): row for row in _rows()}
    order = BundleOrder(KEYS[0], None, rows, is_variant=False, with_content=True)
    (page,) = draw_pages([order], 1, lambda: False)
    assert page == BundlePage(KEYS[0], problem="The page itself is not at hand here.")


def test_the_index_compares_methods_with_everything_and_the_best_per_page(tmp_path):
    """Each method is good on one of two pages: plain has .9 and .3, BTE .2 and .8."""
    scores = {"plain": (0.9, 0.3), "bte": (0.2, 0.8)}

    def usual(key):
        return json.dumps(method(key).params().as_dict())

    rows = [
        ResultRow(
            RunFacts("set", f"{number}.html", "original", key, parameters=usual(key), ms=1.0),
            "ws", RunStatus.OK, "", Score(values[number]),
        )
        for number in (0, 1) for key, values in scores.items()
    ]  # fmt: skip
    write_bundle(tmp_path, "two", rows, [])
    index = (tmp_path / "index.html").read_text("utf-8")
    found = re.findall(
        r'colspan="4">([^<]+)</td>\s*<td>WS</td>\s*<td class="number">([^<]+)<', index
    )
    assert found == [("everything", "0.600"), ("best method per page", "0.850")]


def test_a_method_file_that_a_table_of_scores_names_does_not_run(tmp_path):
    data = pages(tmp_path / "data")
    evil = tmp_path / "evil.py"
    evil.write_text(f"open({str(tmp_path / 'ran')!r}, 'w').close()\n")
    run = typed("evaluate", data, "--methods", "bte", "--out", tmp_path / "run", "--jobs", "1")
    assert run.returncode == 0, run.stderr
    for table in (tmp_path / "run").glob("*.csv"):
        table.write_text(table.read_text("utf-8").replace("bte", str(evil)), "utf-8")
    out = tmp_path / "bundle"
    done = typed("bundle", tmp_path / "run", "--data", data, "--out", out, "--jobs", "1")
    assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr
    assert not (tmp_path / "ran").exists()

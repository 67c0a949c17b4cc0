"""Whoever has seen the gold is said so wherever a score stands: a model that says it saw a page.

The model is the one that ships; only its card is another.  Each door is asked twice: with a card
that has the gold of the page blog, and with one that has another text.
"""

import pagelet
import pytest
from PySide6.QtCore import Qt

from annotate.evaluation.report.report_parts import sort_out
from gui.cli.main import main
from gui.features.evaluate import cell_text
from gui.features.evaluate.view import EvaluateView
from gui.features.export.page_export import PageExport
from gui.features.layers.details import DetailsDock
from gui.features.layers.panel import LayersDock
from tests.gui.parts import press
from tests.hand import Hand
from tests.oracles.seen_model import KEY, folder, is_seen  # noqa: F401  (fixtures)

# ruff: noqa: F811  (fixtures are arguments)


def test_scores_of_a_page_of_an_evaluation_and_its_site_say_it(folder, tmp_path, is_seen):
    cases = pagelet.dataset(folder)
    for case in cases:
        scores = case.page.run(KEY).score()
        assert scores
        own = is_seen and case.name == "blog.html"
        assert ("gold_seen=True" in repr(scores)) == own == scores.gold_seen
        assert ("It has seen the gold of this page" in scores._repr_html_()) == own
        assert not case.page.run("bte").score().gold_seen
        for form in ("original", "dom"):  # each door names what was read
            assert f"input='{form}'" in repr(case.page.run("bte", input=form).score())
    evaluated = pagelet.evaluate(cases, f"bte,{KEY},plain")
    assert ("gold of 1 page seen" in evaluated._repr_html_()) == is_seen
    (best,) = evaluated.oracle()
    assert (KEY in {*best.wins, *best.choice.values()}) != is_seen
    known = sort_out(evaluated.table).parts[0].references(evaluated.parts[0].main).known
    assert known["best method per page"].value == pytest.approx(best.value)
    evaluated.bundle(tmp_path / "site", with_content=False)
    said = {
        file.name: file.read_text("utf-8").count("has seen the gold of")
        for file in (tmp_path / "site").rglob("*.html")
    }
    assert (said["index.html"] == 1) == is_seen
    assert sum(said.values()) >= 2 if is_seen else not any(said.values())
    assert "<th>Input</th>" in (tmp_path / "site" / "index.html").read_text("utf-8")
    evaluated.report(tmp_path / "report")
    report = (tmp_path / "report" / "report.html").read_text("utf-8")
    assert (f"Without {KEY}: seen gold is no choice" in report) == is_seen


@pytest.mark.slow
@pytest.mark.web
def test_panel_details_and_view_name_seen_gold(new_window, folder, tmp_path, qtbot, is_seen):
    session = new_window.session
    session.layers.set_layers(tuple(layer for layer in session.layers.all if layer.is_gold))
    for key in ("bte", KEY):
        session.layers.add_method(key)
    session.layers.set_current_layer(KEY)
    hand = Hand(new_window.workbench, qtbot, tmp_path)
    hand.open_path(folder)
    hand.wait_for_methods()
    qtbot.waitUntil(lambda: KEY in session.layers.scores, timeout=30_000)
    assert session.layers.gold_seen == ({KEY} if is_seen else frozenset())
    rows = new_window.findChild(LayersDock)
    assert ("seen the gold" in rows.row(KEY).note.text()) == is_seen
    assert "seen the gold" not in rows.row("bte").note.text()
    assert ("seen the gold" in new_window.findChild(DetailsDock)._scores_head.text()) == is_seen
    picture = tmp_path / "page.svg"
    new_window.workbench.findChild(PageExport).save(str(picture))
    qtbot.waitUntil(lambda: session.messages.message == "saved page.svg", timeout=60_000)
    assert (", gold seen" in picture.read_text("utf-8")) == is_seen
    press(hand, Qt.Key.Key_F8)
    view = new_window.main_area.get(EvaluateView)
    view.run_bar.run.click()
    qtbot.waitUntil(lambda: view.running.is_running, timeout=30_000)
    qtbot.waitUntil(lambda: not view.running.is_running, timeout=120_000)
    shown = view.model.shown
    names = {cell_text.title(shown, column) for column in shown.columns}
    assert any(name.endswith("gold seen") for name in names) == is_seen
    assert ("seen the gold of 1 of 2 pages" in cell_text.column_tip(shown, 1)) == is_seen
    assert ("seen the gold of this page" in cell_text.tip(shown, 0, 1)) == is_seen


@pytest.mark.slow
@pytest.mark.web
def test_the_table_of_demo_says_it_of_the_methods_that_ship(folder, tmp_path, capfd):
    assert main(["demo", str(folder), "--out", str(tmp_path / "out")]) == 0
    lines = capfd.readouterr().out.splitlines()
    rows = (tmp_path / "out" / "scores.csv").read_text("utf-8").splitlines()
    assert "gold_seen" in rows[0]
    assert not any("has seen" in line for line in lines)  # the samples are in no card


@pytest.mark.slow
@pytest.mark.web
def test_the_table_of_demo_names_a_method_that_learned_the_page(datasets, tmp_path, capfd):
    if not (datasets / "article-benchmark-sample").is_dir():
        pytest.skip("there is no article-benchmark-sample")
    case = next(
        each
        for each in pagelet.dataset(datasets / "article-benchmark-sample")
        if each.page.run("gleaner").score().gold_seen
    )
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "a.html").write_text(case.page.html, "utf-8")
    (tmp_path / "pages" / "a.txt").write_text(case.gold.text, "utf-8")
    assert main(["demo", str(tmp_path / "pages"), "--out", str(tmp_path / "out")]) == 0
    said = [line for line in capfd.readouterr().out.splitlines() if "has seen" in line]
    assert [line.split()[0] for line in said] == ["gleaner"]
    assert said[0].endswith("has seen the gold of 1 page")

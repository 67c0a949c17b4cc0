"""Export, audit and training leave out marks that are not confirmed."""

from types import SimpleNamespace

from annotate.datasets.case_files import BesideFiles
from annotate.datasets.cases import DataSet
from annotate.library import rendering
from annotate.library.page_cases import Cases
from annotate.marks import gold_file
from annotate.marks.gold import MAIN, Gold, Mark, Target
from annotate.plugins.audit.auditing import pages_with_gold
from annotate.plugins.audit.block_auditing import read_blocks
from annotate.plugins.exchange.all_pages import write_pages
from annotate.plugins.exchange.formats import format_of, losses
from annotate.plugins.exchange.marked_page import MarkedPage
from annotate.plugins.training import training
from annotate.plugins.training.training import block_pages, training_pages
from engine.document import Document, plain_document
from tests.annotate.marks.test_unconfirmed import moved
from tests.annotate.pages import page_of, row_of


def test_exports_leave_out_a_moved_mark_and_report_it(tmp_path):
    page, mark = moved()
    sure = Mark("s", MAIN, (Target(row_of(page.rendered(), "b") - 1),))
    marked = MarkedPage("crews.html", Document("x", "x"), page, Gold((sure, mark)))
    text = format_of("text")
    assert losses(text, marked) == ("1 mark that moved is left out until it is confirmed",)
    result = write_pages(text, [marked], tmp_path)
    assert "1 mark that moved left out until confirmed" in result
    assert "Birch" not in (tmp_path / "crews.txt").read_text()


def test_audit_and_training_report_moved_marks_as_to_be_confirmed(tmp_path, monkeypatch):
    page = page_of("<p id=one>the ferry came back this morning after nine long years</p><p>x</p>")
    changed = page_of(
        "<p id=one>the ferry came back this evening after nine long years</p><p>x</p>"
    )
    row = row_of(page.rendered(), "one")
    marks = (Mark("m", MAIN, (Target(row),)), Mark("b", 1, (Target(row),), "Content"))
    (tmp_path / "story.html").write_text(changed.source("dom").html, "utf-8")
    gold_file.write(tmp_path / "story.gold.json", page, Gold(marks))
    files = BesideFiles(plain_document(tmp_path / "story.html"))
    said = []
    browser = SimpleNamespace(capture=lambda _: changed)
    assert read_blocks("", "story", files, browser, said.append) is None
    dataset = DataSet("d", frozenset(), (("story", {"": files}),))
    list(pages_with_gold(dataset, browser, said.append))
    monkeypatch.setattr(rendering, "render", lambda _: changed)
    monkeypatch.setattr(training, "dataset", lambda _, **__: Cases((dataset,)))
    list(training_pages(["d"], said))
    list(block_pages(["d"], said))
    waiting = [line for line in said if line.endswith("to be confirmed: 2")]
    assert len(waiting) == 4, said  # the audit of blocks and text, and both learners

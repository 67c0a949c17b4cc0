"""Test shares of gold on the page and the word unit in tables, files, report and diff."""

import csv
import json
import shutil

import pytest

from annotate.evaluation.store.predictions import PredictedPage, write_package
from annotate.evaluation.store.row_files import read_rows
from tests.typed_commands import typed

STORY = (
    "The ferry came back this morning after nine long years away from the harbour, and the whole "
    "town stood on the quay to watch it turn into the stream without a sound."
)
NOWHERE = "Nobody had ever thought that anybody would dare to write such things about it. "
FERRY = "渡轮今天早上回来了。全镇的人都站在码头上。"


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """Return pages whose gold is on the page, in part, or hardly; and one in Chinese."""
    golds = {"a": STORY, "b": f"{STORY} {NOWHERE}", "c": f"{NOWHERE * 4}{STORY}", "d": FERRY}
    pages = [
        PredictedPage(name, f"<p>{FERRY if name == 'd' else STORY}".encode(), gold, {})
        for name, gold in golds.items()
    ]
    path = tmp_path_factory.mktemp("ferries") / "ferries.zip"
    write_package(path, "ferries", pages)
    return path


def evaluate(package, out, *words):
    done = typed(
        "evaluate", package, "--methods", "plain", "--measures", "ws,cetr", "--out", out,
        "--jobs", "1", *words,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    with (out / "scores.csv").open(newline="", encoding="utf-8") as file:
        return done.stdout, list(csv.DictReader(file))


@pytest.fixture(scope="module")
def evaluated(package, tmp_path_factory):
    """Return a folder of results, the output of the command, and the rows."""
    out = tmp_path_factory.mktemp("results") / "out"
    return out, *evaluate(package, out, "--report", "tables")


def test_scores_have_the_share_of_gold_that_is_on_the_page(evaluated):
    out, stderr, rows = evaluated
    shares = {row["page"]: float(row["gold_on_page"]) for row in rows}
    assert shares == pytest.approx({"a": 1, "b": 32 / 46, "c": 32 / 88, "d": 1})
    assert {row["extract_on_page"] for row in rows} == {"1.0"}
    head = stderr.splitlines()[1]
    assert head.rstrip().endswith("gold on page  extract on page")
    assert "of the gold is on the page; not all on 2 of 4 pages, less than half on 1" in stderr
    with (out / "summary.csv").open(newline="", encoding="utf-8") as file:
        means = {float(row["gold_on_page"]) for row in csv.DictReader(file)}
    assert sorted(means) == pytest.approx([sum(shares.values()) / 4])
    report = (out / "report.html").read_text("utf-8")
    assert "What is on the page" in report
    assert "pages below 50%" in report
    assert [row.run.gold_on_page for row in read_rows(out)][::2] == list(shares.values())


def test_positional_scores_are_skipped_with_less_than_half_of_the_gold_on_page(evaluated):
    _, _, rows = evaluated
    scores = {(row["page"], row["measure"]): row for row in rows}
    assert scores["b", "cetr"]["value"]
    assert (scores["c", "cetr"]["status"], scores["c", "cetr"]["value"]) == ("skipped", "")
    assert scores["c", "cetr"]["reason"] == "only 36% of the gold's words are on the page"
    assert scores["c", "ws"]["value"]


def test_the_word_unit_is_an_option_and_is_written_beside_the_scores(evaluated, package, tmp_path):
    made, stderr, rows = evaluated
    out = shutil.copytree(made, tmp_path / "out")
    assert "word unit: characters" in stderr
    assert {row["word_unit"] for row in rows} == {"characters"}
    text, others = evaluate(package, out, "--report", "none", "--word-unit", "clauses", "--resume")
    assert "word unit: clauses" in text
    assert {row["word_unit"] for row in others} == {"clauses"}
    assert [row["value"] for row in rows] == [row["value"] for row in others]


def test_scores_written_by_earlier_versions_are_read(evaluated, tmp_path):
    made, _, rows = evaluated
    shutil.copytree(made, tmp_path / "out")
    new = ("gold_on_page", "extract_on_page", "word_unit")
    with (tmp_path / "out" / "scores.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, [name for name in rows[0] if name not in new])
        writer.writeheader()
        writer.writerows({k: v for k, v in row.items() if k not in new} for row in rows)
    result = read_rows(tmp_path / "out")
    assert [row.run.gold_on_page for row in result] == [None] * len(rows)
    assert [row.score.value is None for row in result] == [not row["value"] for row in rows]


def test_diff_lists_gold_words_that_are_not_on_the_page(tmp_path):
    (tmp_path / "page.html").write_text(f"<p>{STORY}", "utf-8")
    (tmp_path / "gold.txt").write_text(f"{NOWHERE}{STORY} Fin.", "utf-8")
    words = ("diff", "plain", tmp_path / "page.html", "--gold", tmp_path / "gold.txt")
    lines = typed(*words).stdout.splitlines()
    assert lines[0] == "Not on the page, of the gold:"
    assert [line.split()[:2] for line in lines[1:3]] == [["-", "14"], ["-", "1"]]
    assert lines[3].startswith("2 errors: 0 words missing, 0 words superfluous, 15 words of the")
    result = json.loads(typed(*words, "--json").stdout)
    assert [run["words"] for run in result["gold_not_on_page"]] == [14, 1]
    assert result["gold_on_page"] == pytest.approx(32 / 47)


def test_why_gives_no_verdict_with_less_than_half_of_the_gold_on_page(tmp_path):
    (tmp_path / "page.html").write_text(f"<p>{STORY}", "utf-8")
    (tmp_path / "gold.txt").write_text(f"{NOWHERE * 4}{STORY}", "utf-8")
    done = typed(
        "why", "bte", tmp_path / "page.html", "--gold", tmp_path / "gold.txt", "--text", "ferry"
    )
    assert "Gold cannot judge this text: less than half of the gold is on the page." in done.stdout


@pytest.mark.data
def test_an_article_that_occurs_twice_has_its_gold_on_the_page(datasets):
    page = datasets / "wcxb" / "dev" / "html" / "1396.html.gz"
    result = json.loads(typed("diff", "bte", page, "--json").stdout)
    assert result["gold_on_page"] > 0.98
    assert sum(error["words"] for error in result["errors"] if error["kind"] == "missing") < 10

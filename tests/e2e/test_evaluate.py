"""Test ``pagelet evaluate`` as a user types it, and its numbers by an independent scorer."""

import csv
import json
import os
import sqlite3
import sys
from contextlib import closing

import pytest

from annotate.evaluation.store.predictions import PredictedPage, write_package
from tests.typed_commands import ROOT, typed

STORY = (
    "The ferry came back this morning after nine long years away from the harbour, and the whole "
    "town stood on the quay to watch it turn into the stream without a sound."
)
MENU = "<ul><li><a href=/>home</a><li><a href=/n>news</a></ul>"


def evaluate(*words, **environment):
    """Evaluate with one worker, which is faster for two pages than several."""
    more = () if "--report" in words else ("--report", "none")
    more += () if "--jobs" in words else ("--jobs", "1")
    return typed("evaluate", *words, *more, **environment)


def rows(path):
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.fixture
def package(tmp_path):
    """Return a package of two pages: a story with a menu, and a page without text."""
    path = tmp_path / "ferries.zip"
    pages = [
        PredictedPage("one", f"{MENU}<p>{STORY}</p>".encode(), STORY, {"encoding": "utf-8"}),
        PredictedPage("two", b"<img src=x.png>", "", {"encoding": "utf-8"}),
    ]
    write_package(path, "ferries", pages)
    return path


def test_scores_have_a_row_for_each_run_and_the_output_a_line_for_each_method(package, tmp_path):
    out = tmp_path / "out"
    done = evaluate(
        package, "--methods", "bte,plain", "--out", out, "--set", "bte.tag_cost=2", "--predictions"
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == "ferries: 2 pages, 1 of them with empty gold"
    assert lines[1].split()[:8] == ["method", "scored", "empty", "failed", "CS", "WS", "BoW", "SoW"]
    assert lines[2].split()[2:7] == ["tag_cost=2.0", "2", "1", "0", "1.000"]
    assert lines[3].split()[:4] == ["plain", "2", "1", "0"]

    result = rows(out / "scores.csv")
    assert len(result) == 2 * 2 * 4
    first = result[0]
    assert first["dataset"] == "ferries"
    assert first["page"] == "one"
    assert len(first["page_hash"]) == 64
    assert (first["method"], first["input"], first["measure"]) == ("bte", "original", "cs")
    assert json.loads(first["parameters"]) == {"tag_cost": 2.0}
    assert first["version"].startswith("pagelet ")
    assert (first["status"], first["value"]) == ("ok", "1.0")
    assert float(first["ms"]) > 0
    plain = next(
        r for r in result if (r["page"], r["method"], r["measure"]) == ("one", "plain", "ws")
    )
    assert float(plain["recall"]) == 1
    assert 0.8 < float(plain["value"]) < 1
    assert {r["status"] for r in result if r["page"] == "two"} == {"empty"}
    assert {r["value"] for r in result if r["page"] == "two"} == {"1.0"}

    summary = rows(out / "summary.csv")
    assert len(summary) == 2 * 4
    assert all(r["pages"] == "2" and r["ok"] == r["empty"] == "1" for r in summary)
    texts = json.loads((out / "predictions" / "ferries" / "bte--original.json").read_text())
    assert texts["output"] == {"one": STORY, "two": ""}
    assert set(texts["seconds"]) == {"one", "two"}


@pytest.mark.slow
def test_failed_runs_have_no_score(package, tmp_path):
    code = "import sys; sys.exit('no model') if 'ferry' in sys.stdin.read() else None"
    (tmp_path / "methods.toml").write_text(
        f"[command.moody]\nrun = [{sys.executable!r}, '-c', {code!r}]\n"
    )
    out = tmp_path / "out"
    done = evaluate(
        package, "--methods", "moody", "--out", out, "--measures", "ws,shingles", "--predictions",
        PAGELET_SETTINGS=str(tmp_path),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    failed, _, empty, _ = rows(out / "scores.csv")
    assert (failed["status"], failed["value"], failed["precision"]) == ("failed", "", "")
    assert failed["reason"] == "ended with status 1: no model"
    assert (empty["status"], empty["value"]) == ("empty", "1.0")
    ws, shingles = rows(out / "summary.csv")
    assert (ws["value"], ws["value_failed_as_empty"]) == ("1.0", "0.5")
    assert (ws["ok"], ws["empty"], ws["failed"]) == ("0", "1", "1")
    assert shingles["value"] == ""
    assert done.stdout.splitlines()[2].split()[:4] == ["moody", "1", "1", "1"]
    assert "Runs without a score:\n  1 failed: ended with status 1: no model\n" in done.stdout
    texts = json.loads((out / "predictions" / "ferries" / "moody--original.json").read_text())
    assert texts["output"] == {"two": ""}


@pytest.mark.slow
def test_two_jobs_write_the_same_rows_as_one(package, tmp_path):
    result = []
    for jobs in (1, 2):
        out = tmp_path / str(jobs)
        done = evaluate(package, "--methods", "bte,dsc", "--out", out, "--jobs", jobs)
        assert done.returncode == 0, done.stderr
        result.append([{**row, "ms": ""} for row in rows(out / "scores.csv")])
    assert result[0] == result[1]


def test_scores_can_be_queried_in_sql(package, tmp_path):
    out = tmp_path / "out"
    done = evaluate(package, "--methods", "bte,plain", "--measures", "ws", "--out", out)
    assert done.returncode == 0, done.stderr
    with closing(sqlite3.connect(out / "scores.sqlite")) as db:
        query = "SELECT page, method, value, unmapped_words, retrieved FROM scores ORDER BY 1, 2"
        result = db.execute(query).fetchall()
        assert [row[:2] for row in result] == [
            ("one", "bte"), ("one", "plain"), ("two", "bte"), ("two", "plain"),
        ]  # fmt: skip
        assert [type(cell) for cell in result[1][2:]] == [float, int, type(None)]
        means = dict(db.execute("SELECT method, mean FROM summary"))
        own = dict(db.execute("SELECT method, avg(value) FROM scores GROUP BY method"))
        assert means == pytest.approx(own)


@pytest.mark.slow
def test_an_interrupted_evaluation_is_resumed(package, tmp_path):
    out = tmp_path / "out"
    words = (package, "--methods", "bte,plain", "--out", out, "--predictions")
    assert evaluate(*words).returncode == 0
    whole = (out / "scores.csv").read_bytes()
    lines = whole.splitlines(keepends=True)
    (out / "scores.csv").write_bytes(b"".join(lines[:9]) + lines[9][:40])
    (out / "predictions" / "ferries" / "bte--original.json").unlink()
    done = evaluate(*words, "--resume")
    assert done.returncode == 0, done.stderr
    result = rows(out / "scores.csv")
    assert [{**row, "ms": ""} for row in result] == [
        {**row, "ms": ""} for row in csv.DictReader(whole.decode().splitlines())
    ]
    assert (out / "scores.csv").read_bytes().startswith(b"".join(lines[:9]))
    texts = json.loads((out / "predictions" / "ferries" / "bte--original.json").read_text())
    assert texts["output"] == {"one": STORY, "two": ""}


@pytest.mark.slow
def test_a_new_evaluation_keeps_the_previous_rows_in_another_file(package, tmp_path):
    out = tmp_path / "out"
    words = (package, "--methods", "plain", "--measures", "ws", "--out", out)
    assert evaluate(*words).returncode == 0
    first = (out / "scores.csv").read_bytes()
    done = evaluate(*words[:1], "--methods", "bte", *words[3:])
    assert done.returncode == 0, done.stderr
    assert (out / "scores.before.csv").read_bytes() == first
    assert f"are now in {out / 'scores.before.csv'}" in done.stderr
    assert {row["method"] for row in rows(out / "scores.csv")} == {"bte"}


@pytest.mark.slow
@pytest.mark.web
def test_both_kinds_of_gold_are_scored_in_one_run(tmp_path):
    out = tmp_path / "out"
    done = evaluate(
        ROOT / "resources" / "corpus", "--methods", "bte,webterrain", "--measures", "ws,fuzzy",
        "--out", out, "--jobs", "2", "--cache", tmp_path / "snapshots",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    result = rows(out / "scores.csv")
    kinds = {(row["method"], row["input"], row["measure"], row["status"]) for row in result}
    assert kinds == {("bte", "original", "ws", "ok"), ("webterrain", "rendered", "fuzzy", "ok")}
    assert len(result) == 15 * 2
    assert "corpus: 15 pages" in done.stdout
    assert "corpus, rendered, fuzzy match: 15 pages" in done.stdout


@pytest.mark.web
@pytest.mark.slow
def test_original_dom_and_repaired_are_evaluated_separately(tmp_path):
    path = tmp_path / "scripted.zip"
    html = "<p id=a></p><script>a.textContent = 'written by a script'</script>"
    write_package(
        path, "scripted", [PredictedPage("one", html.encode(), "written by a script", {})]
    )
    out = tmp_path / "out"
    done = evaluate(
        path,
        "--methods",
        "plain",
        "--input",
        "original,dom,repaired",
        "--measures",
        "ws",
        "--out",
        out,
    )
    assert done.returncode == 0, done.stderr
    original, dom, repaired = rows(out / "scores.csv")
    assert (original["status"], original["value"], original["renderer"]) == ("empty", "0.0", "")
    assert (dom["status"], dom["value"]) == ("ok", "1.0")
    assert dom["renderer"].startswith("QtWebEngine 6.")
    assert dom["viewport"] == "1366x768"
    assert (repaired["status"], repaired["value"]) == ("skipped", "")
    assert repaired["reason"] == "the data set has no repaired pages"


@pytest.mark.parametrize("is_own", [True, False])
def test_old_snapshots_are_removed_unless_the_cache_folder_is_given(package, tmp_path, is_own):
    name = "ab" + "0" * 38
    own = tmp_path / "caches"
    folder = own / "pagelet" / "snapshots" if is_own else tmp_path / "named"
    old = folder / "ab" / f"{name}.page"
    old.parent.mkdir(parents=True)
    old.write_bytes(b"of a version that nobody has any more")
    os.utime(old, (0, 0))
    words = () if is_own else ("--cache", folder)
    done = evaluate(
        package, "--methods", "plain", "--report", "none", "--out", tmp_path / "out", *words,
        XDG_CACHE_HOME=str(own),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert old.exists() is not is_own


@pytest.mark.slow
def test_bad_input_prints_one_line_and_exits_with_status_2(package, tmp_path):
    for words, message in (
        ((tmp_path / "nowhere",), "no such file or folder"),
        ((tmp_path,), "is not a data set"),
        ((package, "--methods", "nonsense"), "unknown method 'nonsense'"),
        ((package, "--methods", "vips"), "there is no gold with blocks to score it"),
        ((package, "--methods", ","), "--methods is empty"),
        (
            (package, "--measures", "ws,nonsense"),
            "unknown measure 'nonsense'; the nearest are",
        ),
        ((package, "--measures", "WS"), "unknown measure 'WS'; did you mean ws?"),
        ((package, "--measures", "b3"), "--measures b3: none of them scores main content"),
        ((package, "--input", "html"), "--input html: none of these methods reads that of ferries"),
        ((package, "--methods", "bte", "--input", "rendered"), "of ferries, but original"),
        ((package, "--input", "paper"), "got 'paper'"),
        ((package, "--set", "tag_cost=2"), "expected METHOD.name=value"),
        ((package, "--methods", "bte", "--set", "dsc.window=2"), "is not among the methods"),
        (
            (package, "--methods", "bte", "--set", "bte.tag_cost=-2"),
            "--set bte: tag_cost must be at least 0, got -2",
        ),
        ((package, "--jobs", "0"), "--jobs must be at least 1, got 0"),
        ((package, package), "two data sets have the name ferries"),
        ((package, "--out", package), "cannot write to"),
    ):
        done = evaluate("--out", tmp_path / "out", *words)
        assert done.returncode == 2, (words, done.stdout, done.stderr)
        assert len(done.stderr.strip().splitlines()) == 1, done.stderr
        assert message in done.stderr, (words, done.stderr)


@pytest.mark.slow
def test_perturbed_pages_are_evaluated_beside_the_original(tmp_path):
    page = f"<title>t</title>{MENU}<div class=story><p>{STORY}<p>{STORY}</div>"
    package = tmp_path / "ferries.zip"
    write_package(
        package, "ferries",
        [PredictedPage("one", page.encode(), f"{STORY}\n{STORY}", {"encoding": "utf-8"})],
    )  # fmt: skip
    out = tmp_path / "out"
    words = ["--perturb", "names,wrapped,narrow", "--out", out, "--report", "tables"]
    done = evaluate(package, "--methods", "bte", *words)
    assert done.returncode == 0, done.stderr
    assert "how far WS changes with changes that leave the content" in done.stdout
    sets = {row["dataset"]: row for row in rows(out / "scores.csv") if row["measure"] == "ws"}
    assert sets["ferries ~ wrapped"]["value"] == sets["ferries"]["value"]
    narrow = sets["ferries ~ narrow"]
    assert (narrow["status"], narrow["reason"]) == (
        "skipped", "the change is one of how the page is rendered"
    )  # fmt: skip
    report = (out / "report.html").read_text(encoding="utf-8")
    assert "blocks wrapped" in report
    assert "ferries ~ names" not in report


@pytest.mark.slow
@pytest.mark.web
def test_perturbations_that_change_the_visible_text_are_skipped(tmp_path):
    page = (
        "<title>t</title><style>.gone{display:none}@media(max-width:500px){#menu{display:none}}"
        f"</style><div id=menu>{MENU}</div><div class=gone>{STORY}</div><p>{STORY}"
    )
    package = tmp_path / "ferries.zip"
    write_package(
        package, "ferries",
        [PredictedPage("one", page.encode(), STORY, {"encoding": "utf-8"})],
    )  # fmt: skip
    out = tmp_path / "out"
    words = ["--perturb", "names,styles,wide,narrow", "--out", out, "--input", "dom", "--no-cache"]
    done = evaluate(package, "--methods", "bte", *words)
    assert done.returncode == 0, done.stderr
    sets = {row["dataset"].partition(" ~ ")[2]: row for row in rows(out / "scores.csv")}
    assert sets["names"]["status"] == sets["wide"]["status"] == "ok"
    assert sets["names"]["value"] == sets[""]["value"]
    assert sets["narrow"]["reason"] == (
        "the change is not harmless here: 2 words are gone and 0 have come"
    )
    assert sets["styles"]["status"] == "skipped"  # what was hidden is read now


def test_since_reports_extracts_that_changed_although_the_text_did_not(tmp_path):
    """Add a long list of comments below the article, which BTE extracts in its place."""
    article = "<p>" + " ".join(f"article{k}" for k in range(40)) + "</p>"
    links = "".join(f"<li><a href=#>link{k}</a></li>" for k in range(60))
    comments = "<p>" + " ".join(f"comment{k}" for k in range(200)) + "</p>"
    for name, more in (("old", ""), ("new", comments)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.html").write_text(f"<body>{article}<ul>{links}</ul>{more}")
    old, new, out = tmp_path / "old", tmp_path / "new", tmp_path / "out"
    done = evaluate(new, "--since", old, "--methods", "bte,plain", "--out", out, "--json")
    assert done.returncode == 0, done.stderr
    by_method = {row["method"]: row for row in json.loads(done.stdout)}
    assert by_method["plain"]["agreement"] == 1.0
    assert by_method["bte"]["lost"] == 40
    assert len(rows(out / "captures.csv")) == 2
    shown = typed("diff", "bte", new / "a.html", "--since", old / "a.html")
    assert "40 words less" in shown.stdout, shown.stderr
    refused = evaluate(new, "--since", old, "--perturb", "all")
    assert refused.returncode == 2
    assert "leave out --perturb" in refused.stderr

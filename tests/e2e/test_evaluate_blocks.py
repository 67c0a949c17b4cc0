"""Test ``pagelet evaluate`` on gold blocks: rows, snapshots, kills and other scorers."""

import csv
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.outside import load_scorer
from tests.typed_commands import ROOT, typed

pytestmark = pytest.mark.web

MENU = "<nav{menu}><ul><li><a href=/>home</a></li><li><a href=/n>news</a></li></ul></nav>"
STORY = "<main{story}><h1>Ferry</h1><p>The ferry number {number} came back this morning.</p></main>"
HANGS = "<p>soon</p><script>for (;;);</script>"


def page(number, *, is_marked=False):
    marks = {
        "menu": ' data-block="1" data-block-type="Menu"',
        "story": ' data-block="1" data-block-type="Content"',
    }
    marks = marks if is_marked else dict.fromkeys(marks, "")
    body = (MENU + STORY).format(number=number, **marks)
    return f"<!doctype html><html><head><title>t</title></head><body>{body}</body></html>"


def write_folder(folder, count, hanging=()):
    """Write pages in Kreuzer's layout; those of ``hanging`` have a script that never ends."""
    lines = ["# a comment"]
    for number in range(count):
        position = folder / f"www.p{number:02}.org" / f"www.p{number:02}.org"
        position.mkdir(parents=True)
        html = HANGS if number in hanging else page(number)
        for ending in (".html", ".html.orig", ".dom.html"):
            (position / f"index{ending}").write_text(html, "utf-8")
        (position / "index.blocks.html").write_text(page(number, is_marked=True), "utf-8")
        path = f"/opt/dataset-random/{position.relative_to(folder).as_posix()}/index.html"
        lines.append(f'"http://www.p{number:02}.org/" : "{path}",')
    (folder / "mapping.txt").write_text("\n".join(lines), "utf-8")
    return folder


def name_of(number):
    return f"www.p{number:02}.org/www.p{number:02}.org/index.html"


def words_of(folder, out, *words):
    cache = () if "--cache" in words or "--no-cache" in words else ("--no-cache",)
    report = () if "--report" in words else ("--report", "none")
    report += () if "--jobs" in words else ("--jobs", "1")
    return [str(word) for word in ("evaluate", folder, "--out", out, *cache, *report, *words)]


def evaluate(folder, out, *words, **environment):
    return typed(*words_of(folder, out, *words), **environment)


def start(folder, out, *words):
    return subprocess.Popen(
        [sys.executable, "-m", "gui.cli.main", *words_of(folder, out, *words)],
        cwd=ROOT, start_new_session=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def children_of(pid):
    """Return Pagelet's child processes of all threads of a process."""
    listed = [path.read_text().split() for path in Path(f"/proc/{pid}/task").glob("*/children")]
    children = [int(child) for one in listed for child in one]
    return [child for child in children if "recv()" in Path(f"/proc/{child}/cmdline").read_text()]


def rows(path):
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def without_time(found):
    return [{name: value for name, value in row.items() if name != "ms"} for row in found]


def wait_until(condition, seconds=120):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.02)


def has_ended(group):
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return True
    return False


@pytest.fixture
def folder(tmp_path):
    return write_folder(tmp_path / "ferries", 3)


@pytest.mark.slow
def test_scores_have_a_row_for_each_run_and_figures_of_the_thesis_beside(folder, tmp_path):
    out = tmp_path / "out"
    done = evaluate(
        folder, out, "--methods", "page-style,webterrain", "--input", "html,repaired",
        "--measures", "exact,fuzzy-2,b3-nodes", "--predictions", "--jobs", 2,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    result = rows(out / "scores.csv")
    assert [row["page"] for row in result[::6]] == [name_of(k // 2) for k in range(6)]
    assert [row["input"] for row in result[:12:6]] == ["html", "repaired"]
    assert len(result) == 3 * 2 * 2 * 3
    by_kind = {(row["page"], row["input"], row["method"], row["measure"]): row for row in result}
    first = by_kind[name_of(0), "repaired", "page-style", "exact"]
    assert (first["status"], first["value"], first["viewport"]) == ("ok", "1.0", "1024x768")
    assert (first["retrieved"], first["hits"], first["relevant"]) == ("2", "2", "2")
    assert len(first["page_hash"]) == 64
    assert first["renderer"].startswith("QtWebEngine 6.")
    assert float(first["ms"]) > 0
    assert by_kind[name_of(0), "html", "page-style", "exact"]["value"] == "1.0"
    assert by_kind[name_of(0), "html", "page-style", "fuzzy-2"]["value"] == "0.0"
    assert by_kind[name_of(0), "repaired", "page-style", "b3-nodes"]["value"] == "1.0"
    elsewhere = by_kind[name_of(0), "html", "page-style", "b3-nodes"]
    assert (elsewhere["status"], elsewhere["value"]) == ("skipped", "")
    assert "known location" in elsewhere["reason"]

    lines = done.stdout.splitlines()
    at = lines.index(
        "ferries, html, exact match: 3 pages; right of the bar, the thesis' table 7.1, "
        "which is of all 82 pages, and these figures of 3 of them"
    )
    table = {line.split()[0]: line.split()[1:] for line in lines[at + 2 : at + 4]}
    assert table["page-style"][:7] == ["3", "1.000", "1.000", "1.000", "2.00", "2.00", "2.00"]
    assert table["webterrain"][-6:] == ["0.25", "0.22", "0.21", "10.90", "2.23", "12.24"]
    assert (
        "ferries, repaired, exact match: 3 pages; right of the bar, the thesis' table 7.3, "
        "which is of all 82 pages, and these figures of 3 of them"
    ) in lines

    summary = rows(out / "summary.csv")
    assert len(summary) == 2 * 2 * 3
    style = next(r for r in summary if (r["method"], r["input"]) == ("page-style", "repaired"))
    assert (style["measure"], style["ok"], style["mean"]) == ("exact", "3", "1.0")
    assert (style["retrieved"], style["relevant"]) == ("2.0", "2.0")
    blocks = json.loads((out / "predictions" / "ferries" / "page-style--html.json").read_text())
    assert list(blocks) == [name_of(number) for number in range(3)]
    assert blocks[name_of(1)][1] == ["FerryThe ferry number 1 came back this morning.", 1]


@pytest.mark.slow
def test_a_page_is_rendered_once(folder, tmp_path):
    words = ("--methods", "webterrain", "--input", "repaired", "--cache", tmp_path / "snapshots")
    done = evaluate(folder, tmp_path / "cold", *words)
    assert done.returncode == 0, done.stderr
    assert len(list((tmp_path / "snapshots").glob("*/*.page"))) == 3
    # No browser starts on a screen that does not exist: this run has none.
    warm = evaluate(folder, tmp_path / "warm", *words, QT_QPA_PLATFORM="no-such-screen")
    assert warm.returncode == 0, warm.stderr
    cold_rows, warm_rows = (rows(tmp_path / name / "scores.csv") for name in ("cold", "warm"))
    assert without_time(cold_rows) == without_time(warm_rows)
    assert {row["status"] for row in warm_rows} == {"ok"}

    changed = folder / "www.p01.org" / "www.p01.org" / "index.blocks.html"
    changed.write_text(changed.read_text().replace("came back", "left again"))
    again = evaluate(folder, tmp_path / "again", *words)
    assert again.returncode == 0, again.stderr
    assert len(list((tmp_path / "snapshots").glob("*/*.page"))) == 4


@pytest.mark.long
@pytest.mark.skipif(not hasattr(os, "killpg"), reason="no process groups here")
def test_an_evaluation_killed_three_times_is_resumed_with_the_same_rows(tmp_path):
    folder = write_folder(tmp_path / "ferries", 12)
    words = ("--methods", "page-style,webterrain,vips", "--input", "html,repaired")
    words += ("--predictions", "--jobs", "2")
    whole, pieces = tmp_path / "whole", tmp_path / "pieces"
    done = evaluate(folder, whole, *words)
    assert done.returncode == 0, done.stderr
    for kill in range(1, 4):
        program = start(folder, pieces, *words, "--resume")
        wait_until(lambda least=4 * kill: pages_in(pieces) >= least)
        program.kill()
        program.communicate()
        wait_until(lambda group=program.pid: has_ended(group), 30)
        assert 4 * kill <= pages_in(pieces) < 24
    last = evaluate(folder, pieces, *words, "--resume")
    assert last.returncode == 0, last.stderr
    assert last.stdout.replace("pieces", "whole").splitlines()[0] == done.stdout.splitlines()[0]
    result = [rows(out / "scores.csv") for out in (whole, pieces)]
    assert len(result[0]) == 24 * 3 * len({row["measure"] for row in result[0]})
    assert without_time(result[0]) == without_time(result[1])
    for path in sorted((whole / "predictions" / "ferries").glob("*.json")):
        assert path.read_text() == (pieces / "predictions" / "ferries" / path.name).read_text()


def pages_in(out):
    path = out / "scores.csv"
    return len({(row["page"], row["input"]) for row in rows(path)}) if path.is_file() else 0


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "killpg"), reason="no process groups here")
def test_ctrl_c_keeps_finished_pages_and_resuming_completes_them(tmp_path):
    folder, out = write_folder(tmp_path / "ferries", 8), tmp_path / "out"
    words = ("--methods", "page-style", "--input", "repaired")
    program = start(folder, out, *words)
    wait_until(lambda: pages_in(out) >= 2)
    os.killpg(program.pid, signal.SIGINT)  # as a terminal does: to all of them
    _, stderr = program.communicate(timeout=60)
    assert program.returncode == 130
    remaining = pages_in(out)
    assert 2 <= remaining < 8
    assert f"stopped; {remaining} of 8 pages are in" in stderr
    assert "Traceback" not in stderr
    wait_until(lambda: has_ended(program.pid), 30)
    done = evaluate(folder, out, *words, "--resume")
    assert done.returncode == 0, done.stderr
    assert "8/8 pages" in done.stderr
    assert pages_in(out) == 8


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "killpg"), reason="no process groups here")
def test_ctrl_c_while_drawing_pictures_keeps_all_rows_and_ends_all_processes(tmp_path):
    folder, out = write_folder(tmp_path / "ferries", 2), tmp_path / "out"
    words = ("--methods", "page-style", "--input", "repaired", "--report", "pictures")
    program = start(folder, out, *words)
    wait_until(lambda: (out / "pictures").is_dir())
    os.killpg(program.pid, signal.SIGINT)
    _, stderr = program.communicate(timeout=60)
    assert program.returncode == 130
    assert f"stopped; all rows are in {out / 'scores.csv'}" in stderr
    assert "Traceback" not in stderr
    wait_until(lambda: has_ended(program.pid), 30)
    assert pages_in(out) == 2


@pytest.mark.long
def test_a_hanging_page_fails_only_its_own_rows(tmp_path):
    folder, out = write_folder(tmp_path / "ferries", 3, hanging=[1]), tmp_path / "out"
    words = ("--methods", "page-style,webterrain", "--input", "html", "--measures", "exact")
    done = evaluate(folder, out, *words, "--timeout", 6)
    assert done.returncode == 0, done.stderr
    result = rows(out / "scores.csv")
    assert [row["status"] for row in result] == ["ok"] * 2 + ["timed out"] * 2 + ["ok"] * 2
    assert {row["reason"] for row in result[2:4]} == {"rendering the page took more than 6 s"}
    assert {row["value"] for row in result[2:4]} == {""}
    summary = {row["method"]: row for row in rows(out / "summary.csv")}["page-style"]
    assert (summary["ok"], summary["timed out"], summary["value"]) == ("2", "1", "1.0")
    assert float(summary["value_failed_as_empty"]) == pytest.approx(2 / 3)


@pytest.mark.long
@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="finds workers by /proc")
def test_a_killed_worker_fails_only_its_own_page(tmp_path):
    folder, out = write_folder(tmp_path / "ferries", 3, hanging=[1]), tmp_path / "out"
    program = start(
        folder, out, "--methods", "page-style", "--input", "html", "--measures", "exact",
        "--timeout", "9",
    )  # fmt: skip
    hangs = f"rendering {name_of(1)} for "
    assert any(hangs in line for line in program.stderr)  # read until it says so
    (worker,) = children_of(program.pid)
    os.kill(worker, signal.SIGKILL)
    _, stderr = program.communicate(timeout=120)
    assert program.returncode == 0, stderr
    result = rows(out / "scores.csv")
    # It is tried once more, by another worker, and hangs there.
    assert [row["status"] for row in result] == ["ok", "timed out", "ok"]
    # Whichever is noticed first: no answer for 8 s, or 9 s in all.
    assert "8 s without an answer" in result[1]["reason"] or "9 s" in result[1]["reason"]


@pytest.mark.slow
def test_bad_input_prints_one_line_and_exits_with_status_2(folder, tmp_path):
    out = tmp_path / "out"
    for words, message in (
        (("--methods", "bte"), "bte gives extraction, and there is no gold with text to score it"),
        (("--input", "rendered"), "got 'rendered'"),
        (("--measures", "ws"), "--measures ws: none of them scores blocks"),
        (("--set", "vips.pdoc=99", "--methods", "vips"), "pdoc must be at most 11, got 99"),
        (("--timeout", "0"), "--timeout must be more than 0 seconds, got 0"),
        (("--jobs", "0"), "--jobs must be at least 1, got 0"),
    ):
        done = evaluate(folder, out, *words)
        assert done.returncode == 2, (words, done.stdout, done.stderr)
        assert len(done.stderr.strip().splitlines()) == 1, done.stderr
        assert message in done.stderr, (words, done.stderr)


@pytest.mark.slow
def test_rows_of_another_evaluation_are_not_overwritten_by_resuming(folder, tmp_path):
    words = ("--input", "repaired", "--measures", "exact")
    out = tmp_path / "out"
    assert evaluate(folder, out, "--methods", "page-style", *words).returncode == 0
    before = (out / "scores.csv").read_bytes()
    done = evaluate(folder, out, "--methods", "webterrain", *words, "--resume")
    assert done.returncode == 2
    assert "is of another evaluation (it has rows of page-style" in done.stderr
    assert (out / "scores.csv").read_bytes() == before
    more = evaluate(folder, out, "--methods", "page-style,webterrain", *words, "--resume")
    assert more.returncode == 0, more.stderr
    assert len(rows(out / "scores.csv")) == 6


@pytest.mark.data
@pytest.mark.long
def test_an_independent_scorer_gives_the_same_numbers(datasets, tmp_path):
    scorer = load_scorer("score_blocks")
    origin, folder, out = datasets / "kreuzer-random", tmp_path / "few", tmp_path / "out"
    folder.mkdir()
    lines = [line for line in (origin / "mapping.txt").read_text().splitlines() if "/opt/" in line]
    lines = [line for line in lines if not line.startswith("#")][:4]
    for line in lines:
        site = line.split("/opt/dataset-random/")[1].split("/")[0]
        shutil.copytree(origin / site, folder / site, dirs_exist_ok=True)
    (folder / "mapping.txt").write_text("\n".join(lines))
    keys = ["webterrain", "vips", "page-segmenter", "block-fusion", "terrain"]
    done = evaluate(
        folder, out, "--methods", ",".join(keys), "--input", "html,dom,repaired", "--jobs", 2,
        "--measures", "blocks", "--predictions",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    compared = 0
    for row in rows(out / "scores.csv"):
        kind, _, level = row["measure"].partition("-")
        file = out / "predictions" / "few" / f"{row['method']}--{row['input']}.json"
        result = json.loads(file.read_text())[row["page"]]
        theirs = {scorer.SPACE.sub("", t) for t, k in result if not level or str(k) == level}
        gold = scorer.gold(folder, row["page"])
        expected = {scorer.SPACE.sub("", t) for t, k in gold if not level or k == [level]}
        hits = len(theirs & expected) if kind == "exact" else scorer.matching(theirs, expected)
        assert [int(row[n]) for n in ("retrieved", "hits", "relevant")] == [
            len(theirs), hits, len(expected),
        ], row  # fmt: skip
        ours = [float(row[name]) for name in ("precision", "recall", "value")]
        assert ours == pytest.approx(scorer.prf(hits, len(theirs), len(expected)), abs=1e-12)
        compared += 1
    assert compared == 4 * 3 * 5 * 6


@pytest.mark.slow
def test_pages_are_rendered_again_after_fonts_change_even_when_resuming(folder, tmp_path):
    liberation = next(Path("/usr/share/fonts").rglob("LiberationSans-Regular.ttf"), None)
    if liberation is None:
        pytest.skip("Liberation Sans is not installed here")
    (tmp_path / "fonts").mkdir()
    (tmp_path / "fonts" / liberation.name).write_bytes(liberation.read_bytes())
    conf = tmp_path / "fonts.conf"
    conf.write_text(f"<fontconfig><dir>{tmp_path / 'fonts'}</dir></fontconfig>")
    out, options = tmp_path / "out", ("--methods", "webterrain", "--measures", "b3-pixels")
    cache = "--cache", tmp_path / "cache"
    assert evaluate(folder, out, *options, *cache).returncode == 0
    before = rows(out / "scores.csv")
    pages = set((tmp_path / "cache").rglob("*.page"))
    again = evaluate(folder, out, *options, *cache, "--resume", FONTCONFIG_FILE=str(conf))
    assert again.returncode == 0, again.stderr
    assert "rendered by another version: run again" in again.stderr
    after = rows(out / "scores.csv")
    assert len(after) == len(before)
    assert {row["renderer"] for row in after}.isdisjoint(row["renderer"] for row in before)
    fresh = evaluate(folder, tmp_path / "fresh", *options, "--no-cache", FONTCONFIG_FILE=str(conf))
    assert fresh.returncode == 0, fresh.stderr
    assert values(after) == values(rows(tmp_path / "fresh" / "scores.csv"))
    assert len(set((tmp_path / "cache").rglob("*.page"))) == 2 * len(pages) > 0


def values(found):
    return [(row["page"], row["input"], row["measure"], row["value"]) for row in found]

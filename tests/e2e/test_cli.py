"""Test the ``pagelet`` command as a user types it."""

import json
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest

from annotate.workspace.workspace import Workspace
from tests.typed_commands import ROOT, typed

ARTICLE = (
    "<title>Ferry</title><ul><li><a href=/>home</a><li><a href=/n>news</a></ul>"
    "<p>The ferry came back this morning after nine long years away from the harbour, and the "
    "whole town stood on the quay to watch it turn into the stream without a sound.</p>"
)


@pytest.fixture
def article(tmp_path):
    file = tmp_path / "article.html"
    file.write_text(ARTICLE, encoding="utf-8")
    return file


def test_methods_lists_every_key_with_parameters_citation_input_and_output():
    done = typed("methods", "--json")
    methods = {m["key"]: m for m in json.loads(done.stdout)}
    asked = {"plain", "bte", "dsc", "accb", "cetr", "bp-numwords", "lqf", "lsi"}
    assert asked | {"webterrain", "vips"} <= set(methods)
    for method in methods.values():
        assert method["cite"]
        assert method["input"]
        assert method["output"] in ("extraction", "segmentation")
        assert all(p["help"] and "default" in p for p in method["parameters"])


def test_extract_prints_the_text_of_a_file(article):
    done = typed("extract", "bte", article)
    assert done.returncode == 0
    assert done.stdout.startswith("The ferry came back")
    assert "news" not in done.stdout


@pytest.mark.parametrize(
    "words",
    [
        ("extract", "--input", "original", "bte", "PAGE"),
        ("extract", "bte", "--input", "original", "PAGE"),
        ("extract", "bte", "--set", "tag_cost=1", "PAGE", "--input", "original"),
        ("why", "bte", "--text", "nine long years", "PAGE"),
        ("diff", "bte", "--gold", "GOLD", "PAGE"),
        ("export", "--format", "gold", "PAGE", "--out", "OUT"),
        ("evaluate", "--methods", "bte", "SITE", "--report", "none", "--out", "OUT"),
    ],
)
def test_options_are_accepted_between_arguments(article, tmp_path, words):
    gold = tmp_path / "gold.txt"
    gold.write_text("The ferry came back this morning")
    given = {"PAGE": article, "GOLD": gold, "SITE": tmp_path, "OUT": tmp_path / "out"}
    done = typed(*(given.get(word, word) for word in words))
    assert "usage:" not in done.stderr
    assert "unrecognized" not in done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("extract", "bte", "PAGE", "--inptu", "dom"), "unrecognized arguments: --inptu dom"),
        (("extract", "bte", "PAGE", "--input", "foo"), "argument --input: invalid choice: 'foo'"),
        (("extract",), "the following arguments are required: METHOD"),
        (("evaluate", "PAGE", "--jobs", "many"), "argument --jobs: invalid int value: 'many'"),
    ],
)
def test_invalid_arguments_are_reported_in_one_line_that_names_the_help(article, words, said):
    done = typed(*(article if word == "PAGE" else word for word in words))
    assert done.returncode == 2
    assert done.stderr.startswith(f"pagelet: {said}")
    assert done.stderr.endswith(f"; see pagelet {words[0]} --help\n")
    assert done.stderr.count("\n") == 1


def test_extract_reads_standard_input():
    done = typed("extract", "plain", "-", stdin=ARTICLE)
    assert done.stdout.split()[:3] == ["home", "news", "The"]


def test_parameters_are_set_by_name(article):
    free = typed("extract", "bte", article, "--set", "tag_cost=0")
    assert "news" in free.stdout  # tags cost nothing, so the menu comes along


def test_a_method_on_source_starts_no_browser():
    code = (
        "import sys; from gui.cli.main import main; status = main(['extract', 'dsc', '-']);"
        "sys.exit(status or any(name.startswith('PySide6') for name in sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], input=ARTICLE, text=True, capture_output=True, cwd=ROOT,
        timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


@pytest.mark.web
def test_segment_prints_blocks_as_json(tmp_path):
    page = tmp_path / "page.html"
    page.write_text("<style>*{margin:0} div{height:200px}</style><div>one</div><div>two</div>")
    done = typed("segment", "webterrain", page)
    assert done.returncode == 0, done.stderr
    blocks = json.loads(done.stdout)
    assert {"level", "text", "rect", "path"} <= set(blocks[0])
    first = [b for b in blocks if b["level"] == 1]
    assert [b["text"] for b in first] == ["one", "two"]
    assert first[1]["rect"] == [0, 200, 1366, 200]
    assert first[0]["path"] == ["/html[1]/body[1]/div[1]"]


@pytest.mark.web
@pytest.mark.slow
def test_segment_prints_the_rounds_of_a_method_that_has_them(tmp_path):
    page = tmp_path / "page.html"
    page.write_text(
        "<style>*{margin:0} div{height:200px} p{height:100px}</style>"
        "<div>one<p>inside</p></div><div style='margin-top:64px'>two<p>more</p></div>"
    )
    done = typed("segment", "vips", page, "--rounds", "--set", "pdoc=10")
    assert done.returncode == 0, done.stderr
    data = json.loads(done.stdout)
    first = data["rounds"][0]
    assert [part["path"] for part in first["divided"]] == [["/html[1]/body[1]"]]
    assert all(part["label"].startswith("DoC ") for part in first["found"])
    (widest,) = [each for each in first["separators"] if each["rect"][3] >= 64]
    assert widest["weight"] >= 6
    assert "px between (+5)" in widest["reason"]
    assert data["blocks"][0]["reason"]
    none = typed("segment", "webterrain", page, "--rounds")
    assert none.returncode == 2
    assert "pagelet: webterrain has no rounds to show; leave out --rounds" in none.stderr


@pytest.mark.web
def test_extract_reads_the_dom_where_asked(tmp_path):
    page = tmp_path / "page.html"
    page.write_text("<div id=a></div><script>a.textContent = 'written by a script'</script>")
    assert typed("extract", "plain", page).stdout.strip() == ""
    assert typed("extract", "plain", page, "--input", "dom").stdout.strip() == (
        "written by a script"
    )


def test_bad_input_prints_one_line_and_exits_with_status_2(article, tmp_path):
    empty, binary = tmp_path / "empty.html", tmp_path / "picture.html"
    empty.write_bytes(b"")
    binary.write_bytes(bytes(range(256)) * 20)
    several = tmp_path / "several"
    several.mkdir()
    for name in ("a", "b"):
        (several / f"{name}.html").write_text(f"<p>page {name}")
    nothing, loop = tmp_path / "nothing", tmp_path / "loop.py"
    nothing.mkdir()
    loop.symlink_to(loop)
    for words, expected in (
        (("extract", "nonsense", article), "nonsense"),
        (("extract", "webterrain", article), "pagelet segment webterrain"),
        (("segment", "bte", article), "pagelet extract bte"),
        (("extract", "bte", article, "--set", "tag_cost=much"), "tag_cost"),
        (("extract", "bte", article, "--set", "tag_cost=-3"), "tag_cost"),
        (("extract", "bte", article, "--set", "colour=3"), "colour"),
        (("extract", "bte", article, "--set", "tag_cost"), "name=value"),
        (("extract", "bte", tmp_path / "nowhere.html"), "nowhere.html"),
        (("extract", "bte", empty), "empty"),
        (("extract", "bte", binary), "picture.html"),
        (("extract", "bte", several), "pages"),
        (("open", tmp_path / "nowhere.html"), "no such file or folder"),
        (("verify", article), "is not a frozen page: pagelet freeze makes one"),
        (("evaluate", nothing), "is an empty folder: not a data set"),
        (("methods", "--method-file", loop), "symbolic links"),
        (("doctor2",), "did you mean doctor?"),
        ((tmp_path / "nowhere.html",), "no such file or folder"),
        (("extract", "acb", article), "did you mean accb?"),
        (("extract", "accb", article, "--input", "rendered"), "it reads: original, dom and seen"),
    ):
        done = typed(*words)
        assert done.returncode == 2, (words, done.stderr)
        assert done.stdout == ""
        assert len(done.stderr.strip().splitlines()) == 1, done.stderr
        assert expected in done.stderr, done.stderr


def test_a_workspace_of_a_newer_pagelet_is_refused(article, tmp_path):
    path = tmp_path / "new.pagelet"
    Workspace.open(path).close()
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA user_version = 99")
    before = path.read_bytes()
    for words in (("open", path), ("open", article, "--workspace", path), ("export", path)):
        done = typed(*words)
        assert done.returncode == 1, (words, done.stderr)
        assert "was written by a newer Pagelet (format 99, this one knows" in done.stderr
    assert path.read_bytes() == before


def test_an_empty_standard_input_prints_one_line_and_exits_with_status_2():
    done = typed("extract", "bte", "-", stdin="")
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.strip().splitlines()) == 1


def test_why_prints_the_decision_its_cost_and_the_parameter_that_flips_it(article, tmp_path):
    gold = tmp_path / "gold.txt"
    gold.write_text("The ferry came back this morning", encoding="utf-8")
    done = typed("why", "lqf", article, "--text", "news", "--gold", gold, "--json")
    assert done.returncode == 0, done.stderr
    data = json.loads(done.stdout)
    assert data["decision"] == "dropped"
    assert data["in_gold"] is False
    assert data["decisions"][-1]["value"] == 1.0
    assert data["flip"]["parameter"] == "threshold"
    turned = typed("extract", "lqf", article, "--set", f"threshold={data['flip']['after']}")
    assert "news" in turned.stdout


@pytest.mark.web
def test_why_of_a_segmenter_prints_the_decision_its_measure_and_f1():
    page = ROOT / "resources" / "corpus" / "news" / "index.html"
    done = typed("why", "page-style", page, "--text", "most read", "--json")
    assert done.returncode == 0, done.stderr
    data = json.loads(done.stdout)
    assert data["decision"] in ("block", "no block")
    assert "most read" in data["text"].lower()
    assert data["measure"] in ("B³ pixels", "B³ pixels, level 1", "B³ pixels, level 2")
    assert 0 <= data["f1"] <= 1


def test_why_of_a_segmenter_refuses_a_gold_text(article, tmp_path):
    gold = tmp_path / "gold.txt"
    gold.write_text("The ferry", encoding="utf-8")
    done = typed("why", "vips", article, "--text", "ferry", "--gold", gold)
    assert done.returncode == 2
    assert "finds blocks" in done.stderr


def test_help_of_why_shows_an_example():
    done = typed("why", "--help")
    assert 'pagelet why vips page.html --text "Most read"' in done.stdout


def test_diff_prints_missing_and_superfluous_words(article, tmp_path):
    gold = tmp_path / "gold.txt"
    gold.write_text("home The ferry came back this morning", encoding="utf-8")
    done = typed("diff", "bte", article, "--gold", gold)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].split() == ["-", "1", "home"]
    assert lines[1].startswith("+")
    assert "1 word missing" in lines[-1]


def test_diff_without_gold_names_the_gold_option(article):
    done = typed("diff", "bte", article)
    assert done.returncode == 2
    assert "--gold FILE" in done.stderr


def test_why_refuses_a_text_that_is_not_on_the_page(article):
    done = typed("why", "bte", article, "--text", "no such words")
    assert done.returncode == 2
    assert "are not in what the method reads" in done.stderr


def test_agreement_needs_two_annotators(tmp_path):
    done = typed("agreement", tmp_path)
    assert done.returncode == 2
    assert "two annotators" in done.stderr


@pytest.mark.slow
@pytest.mark.web
def test_random_numbers_are_fixed_or_real_as_requested(tmp_path):
    page = tmp_path / "dice.html"
    page.write_text("<body><script>document.body.append('Dice say ' + Math.random())</script>")
    words = ("extract", "plain", page, "--input", "dom")
    fixed = [typed(*words, "--repeatable") for _ in range(2)]
    assert fixed[0].returncode == 0, fixed[0].stderr
    assert "Dice say 0." in fixed[0].stdout
    assert fixed[0].stdout == fixed[1].stdout
    assert "the same random numbers and the same date each time" in fixed[0].stderr
    real = typed(*words, "--no-repeatable")
    assert "Dice say 0." in real.stdout
    assert real.stdout != fixed[0].stdout
    assert "real random numbers" in real.stderr

"""The references of tables and report: everything, the best, the choice."""

import json

import pytest

from annotate.evaluation.store.rows import parse_row
from annotate.evaluation.tables.references import BEST, CHOSEN, EVERYTHING, references
from annotate.evaluation.tables.result_table import Results
from gui.cli.main import main

ARTICLE = (
    "<p>The old bridge over the river is closed for repairs until the spring of next year.</p>"
)
MENU = "".join(f"<li><a href=/{n}>Section {n} of many</a></li>" for n in range(40))


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data") / "news"
    folder.mkdir()
    (folder / "package.json").write_text("{}")
    for name, body, gold in (
        (
            "article",
            f"<nav>{MENU}</nav><article><h1>Bridge</h1>{ARTICLE * 9}</article>",
            ARTICLE * 9,
        ),
        ("list", f"<ul>{MENU}</ul>", MENU),
    ):
        (folder / f"{name}.html").write_text(body)
        (folder / f"{name}.txt").write_text("".join(" " + p.split("<")[0] for p in gold.split(">")))
        (folder / f"{name}.json").write_text(json.dumps({"url": f"http://{name}.example/"}))
    return folder


@pytest.fixture(scope="module")
def printed(package, tmp_path_factory):
    out = tmp_path_factory.mktemp("out")
    import contextlib
    import io

    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        status = main(
            ["evaluate", str(package), "--methods", "plain,lqf,gleaner", "--measures",
             "text,predicted", "--jobs", "1", "--no-cache", "--report", "tables", "--out", str(out)]
        )  # fmt: skip
    assert status == 0
    return text.getvalue(), out


def _line(text, first):
    lines = [line for line in text.splitlines() if line.startswith(first + "  ")]
    assert len(lines) == 1, text
    return lines[0].removeprefix(first).split()


def test_the_table_ends_with_the_references(printed):
    text, _ = printed
    head = next(line for line in text.splitlines() if line.startswith("method"))
    assert "over everything" in head
    own = {name: _line(text, name) for name in ("plain", "lqf", "gleaner")}
    assert _line(text, EVERYTHING)[1:6] == own["plain"][3:8], "the same values, and no margin"
    best = float(_line(text, BEST)[2])
    assert best >= max(float(line[4]) for line in own.values())
    assert float(_line(text, CHOSEN)[2]) <= best


@pytest.mark.slow
def test_the_report_shows_the_references_with_the_margin(printed):
    text = (printed[1] / "report.html").read_text("utf-8")
    for name in (EVERYTHING, BEST, CHOSEN):
        assert f"<em>{name}</em>" in text
    assert "over everything" in text


def _results(scores):
    """Return results of ``bow`` and the prediction, by page and method."""

    from annotate.evaluation.store.rows import ROW_COLUMNS

    lines = []
    for page, method, value, predicted in scores:
        for measure, number in (("bow", value), ("predicted-f1", predicted)):
            row = dict.fromkeys(ROW_COLUMNS, "") | {
                "dataset": "d", "page": page, "input": "original", "method": method,
                "parameters": "{}", "status": "ok", "measure": measure, "value": str(number),
            }  # fmt: skip
            lines.append(parse_row(row))
    return Results.of(lines)


def test_the_choice_uses_the_prediction_and_the_best_uses_the_gold():
    import numpy as np

    from algorithms.measures.choice import measure_of

    results = _results(
        [("1", "a", 0.9, 0.8), ("1", "b", 0.5, 0.7), ("2", "a", 0.2, 0.6), ("2", "b", 0.4, 0.5)]
    )
    made = references(results, [0, 1], np.arange(2), measure_of("bow")).known
    assert made[BEST].value == pytest.approx((0.9 + 0.4) / 2)
    assert made[CHOSEN].value == pytest.approx((0.9 + 0.2) / 2)
    assert EVERYTHING not in made, "nobody ran plain"


def test_everything_is_plain_where_a_page_has_a_share_and_no_f1(tmp_path, capsys):
    """A page with empty gold counts in the mean precision of 4-grams, but has no F1."""
    folder = tmp_path / "data"
    folder.mkdir()
    for name, gold in (("filled", "one two three four five"), ("void", "")):
        (folder / f"{name}.html").write_text("<ul><li>menu</ul><p>one two three four five</p>")
        (folder / f"{name}.txt").write_text(gold)
    main(
        ["evaluate", str(folder), "--methods", "plain,bte", "--measures", "shingles", "--jobs", "1",
         "--report", "none", "--out", str(tmp_path / "out")]
    )  # fmt: skip
    text = capsys.readouterr().out
    # Precision of plain: (2/3 + 0) / 2 = 1/3, recall 1, F1 .5.
    assert _line(text, "plain")[3] == _line(text, EVERYTHING)[1] == "0.500"


@pytest.mark.slow
def test_pages_without_content_are_counted_right_and_wrong(tmp_path, capsys):
    folder = tmp_path / "errors"
    folder.mkdir()
    (folder / "package.json").write_text("{}")
    error = "<title>404 Not Found</title><h1>Page not found</h1>"
    for name, body, gold in (("gone", error, ""), ("kept", error, "Page not found"),
                             ("read", ARTICLE * 9, ARTICLE.strip("</p>") * 9)):  # fmt: skip
        (folder / f"{name}.html").write_text(f"{body}<p>{name}")
        (folder / f"{name}.txt").write_text(gold)
        (folder / f"{name}.json").write_text(json.dumps({"url": f"http://{name}.example/"}))
    out = str(tmp_path / "out")
    words = ["--jobs", "1", "--no-cache", "--report", "tables", "--out", out]
    assert main(["evaluate", str(folder), "--methods", "gleaner", *words]) == 0
    assert (
        "gleaner found no main content on 2 pages: right on 1, a false alarm on 1"
        in capsys.readouterr().out
    )

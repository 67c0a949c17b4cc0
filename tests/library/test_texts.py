"""Test scores of texts that were extracted by other tools."""

import csv
import json

import pagelet
import pytest

from gui.cli.main import main


def samples():
    return pagelet.dataset(pagelet.samples())[:3]


def values(results, measure="cs"):
    return [row.score.value for row in results.rows if row.measure == measure]


def test_a_text_made_elsewhere_scores_as_the_method_that_extracted_it():
    cases = samples()
    texts = {case.name: case.page.run("bte").text for case in cases}
    results = pagelet.score_texts(cases, texts, "elsewhere")
    assert values(results) == values(pagelet.evaluate(cases, "bte"))
    assert {row.run.method for row in results.rows} == {"elsewhere"}
    assert {row.run.ms for row in results.rows} == {None}, "nobody knows what they took"


def test_pages_without_a_text_are_failed_rows_with_the_reason():
    cases = samples()
    first = cases[0]
    results = pagelet.score_texts(cases, {f"{first.name}.html": first.gold.text})
    assert [str(row.status) for row in results.rows if row.measure == "cs"] == [
        "ok", "failed", "failed"
    ]  # fmt: skip
    assert results.rows[-1].reason == "there is no text of this page in memory"


def write_pages(folder, names):
    for name in names:
        page = folder / f"{name}.html"
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(f"<p>what {name} says")
        page.with_suffix(".txt").write_text(f"what {name} says")


def test_a_text_is_not_assigned_to_a_page_of_the_same_name_in_a_subfolder(tmp_path):
    write_pages(tmp_path, ["tea", "old/tea", "old/cake"])
    results = pagelet.score_texts(
        pagelet.dataset(tmp_path), {"tea": "what tea says", "cake": "what old/cake says"}
    )
    scored = {row.run.page: row.score.value for row in results.rows if row.measure == "ws"}
    assert scored == {"tea": 1.0, "old/tea": None, "old/cake": 1.0}


def test_score_reports_texts_used_in_several_data_sets(tmp_path, capsys):
    for name in ("one", "two"):
        write_pages(tmp_path / name, ["tea", name])
    texts = tmp_path / "mine.json"
    texts.write_text(json.dumps({"tea": "tea", "one": "one"}))
    command = ["score", texts, tmp_path / "one", tmp_path / "two", "--out", tmp_path / "out"]
    assert main([*map(str, command), "--report", "none"]) == 0
    said = capsys.readouterr().err
    assert "1 text in mine.json scored in several data sets, as each has a page" in said
    assert "of that name: tea" in said


def test_a_folder_of_texts_names_the_file_that_is_not_utf_8(tmp_path):
    (tmp_path / "tea.txt").write_bytes(b"th\xe9")
    with pytest.raises(pagelet.InputError, match=r"tea\.txt is not UTF-8: byte 3"):
        pagelet.score_texts(samples(), tmp_path)


def test_texts_with_words_missing_on_the_page_are_scored():
    cases = samples()[:1]
    results = pagelet.score_texts(cases, {cases[0].name: "Xylophonic quagmires"})
    assert str(results.rows[0].status) == "ok"
    assert results.rows[0].run.unmapped_words == 2


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ({"nowhere": "text"}, "is of a page of these data sets: name each as its page"),
        ({}, "holds no texts"),
        ({"a": 1}, "the value of 'a' must be a string, not a number"),
    ],
)
def test_invalid_texts_are_refused_with_a_sentence(said, sentence):
    with pytest.raises(pagelet.InputError, match=sentence):
        pagelet.score_texts(samples()[:1], said)


def test_score_writes_rows_with_the_given_seconds(tmp_path, capsys):
    cases = samples()
    (tmp_path / "mine.json").write_text(
        json.dumps(
            {
                "name": "mine",
                "output": {case.name: case.gold.text for case in cases},
                "seconds": {case.name: 0.5 for case in cases},
            }
        )
    )
    folder = tmp_path / "bte"
    folder.mkdir()
    for case in cases:
        path = folder / f"{case.name}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(case.page.run("bte").text)
    out = tmp_path / "out"
    words = ["score", str(tmp_path / "mine.json"), str(pagelet.samples()), "--report", "none"]
    assert main([*words, "--beside", str(folder), "--jobs", "1", "--out", str(out)]) == 0
    stderr = capsys.readouterr()
    assert "mine" in stderr.out
    assert "mine.json has no text of 12 pages: failed rows" in stderr.err
    rows = list(csv.DictReader((out / "scores.csv").read_text().splitlines()))
    mine = [row for row in rows if row["method"] == "mine" and row["status"] == "ok"]
    assert {row["value"] for row in mine} == {"1.0"}
    assert {row["ms"] for row in mine} == {"500.0"}
    assert {row["method"] for row in rows} == {"mine", "bte+texts"}, "bte is taken"
    assert all(row["version"].startswith("texts ") for row in rows)


def test_a_file_of_texts_that_is_not_json_is_refused(tmp_path, capsys):
    (tmp_path / "t.json").write_text("{")
    assert main(["score", str(tmp_path / "t.json"), str(pagelet.samples())]) == 2
    assert "is not JSON" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("data", "why"),
    [(b'{"a": "\xff"}', "byte 8 is of another encoding"), (b"{'a': 1}", "line 1, column 2")],
)
def test_a_malformed_file_of_texts_is_refused_with_the_position(data, why, tmp_path):
    path = tmp_path / "texts.json"
    path.write_bytes(data)
    with pytest.raises(pagelet.InputError, match=f"is not JSON in UTF-8: {why}") as raised:
        pagelet.score_texts(samples()[:1], path)
    assert "codec" not in str(raised.value)

"""pagelet extract --predict: the expected F1 of each page, and a warning at the end."""

import json

from annotate.library.extracting import extract
from gui.cli.main import main

ARTICLE = (
    "<p>The old bridge over the river is closed for repairs until the spring of next year.</p>"
)


def _folder(tmp_path):
    folder = tmp_path / "pages"
    folder.mkdir()
    (folder / "good.html").write_text(f"<article><h1>Bridge</h1>{ARTICLE * 9}</article>")
    links = "".join(f"<li><a href=/{n}>Section {n} of many</a></li>" for n in range(60))
    (folder / "links.html").write_text(f"<title>Links</title><ul>{links}</ul>")
    return folder


def test_rows_have_the_prediction_and_the_command_warns_of_bad_pages(tmp_path, capsys):
    out = tmp_path / "out"
    more = ["--out", str(out), "--format", "jsonl", "--jobs", "1", "--predict"]
    assert main(["extract", "plain", "--in", str(_folder(tmp_path)), *more]) == 0
    warned = capsys.readouterr().err
    lines = (out / "shard-00000.jsonl").read_text().splitlines()
    rows = {row["address"]: row for row in map(json.loads, lines)}
    assert rows["good.html"]["predicted_f1"] > rows["links.html"]["predicted_f1"]
    for row in rows.values():
        assert row["predicted_low"] <= row["predicted_f1"] <= row["predicted_high"]
    assert "1 of 2 pages probably below .7: links.html (" in warned
    assert main(["extract", "plain", "--in", str(tmp_path / "pages"), *more, "--resume"]) == 0
    assert "1 of 2 pages probably below .7" in capsys.readouterr().err, "noted with the rows"


def test_pages_without_words_are_counted_as_not_predicted(tmp_path, capsys):
    folder = _folder(tmp_path)
    for name in ("shell", "blank"):
        (folder / f"{name}.html").write_text("<title>App</title><div id=root></div>")
    more = ["--out", str(tmp_path / "out"), "--format", "jsonl", "--jobs", "1", "--predict"]
    assert main(["extract", "plain", "--in", str(folder), *more]) == 0
    warned = capsys.readouterr().err
    assert "1 of 2 pages probably below .7: " in warned
    assert "; 2 pages without words or result: no prediction" in warned


def test_rows_have_no_prediction_without_the_option(tmp_path):
    result = extract(_folder(tmp_path), "plain", out=tmp_path / "out", format="jsonl")
    assert (result.predicted, result.bad, result.worst) == (0, 0, ())
    first = (tmp_path / "out" / "shard-00000.jsonl").read_text().splitlines()[0]
    assert "predicted" not in first

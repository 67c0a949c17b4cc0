"""Test that a model names the pages it learned from, whatever they are called and written in."""

import csv
import hashlib
import json
import unicodedata

import pytest

import resources
from gui.cli.main import main

SENTENCES = "The {0} was late that day.| Nobody in the {0} knew why it took so long, or how far.|"
MENU = "<ul class=menu><li><a href=/>Home</a><li><a href=/a>About the café</a></ul>"


def own_fingerprint(text):
    """As learned methods describe it: letters and digits alone, NFKC, lower case."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    letters = "".join(filter(str.isalnum, folded))
    return hashlib.sha256(letters.encode()).hexdigest()[:12]


def write(folder, word, encoding="utf-8", ends="\n", name="{}"):
    (folder / "html").mkdir(parents=True)
    gold = {}
    for number in range(12):
        body = (SENTENCES * 4).format(f"{word}{number}").strip("|").split("|")
        story = ends.join(f"<p>{text}</p>" for text in body)
        html = f"<meta charset={encoding}>{MENU}<div class=story>{story}</div><p>All rights</p>"
        (folder / f"html/{name.format(number)}.html").write_bytes(html.encode(encoding))
        address = f"http://site{number}.org/"
        gold[name.format(number)] = {"articleBody": "\n".join(body), "url": address}
    (folder / "ground-truth.json").write_text(json.dumps(gold))
    return folder


def seen_in(data, model, out, capsys):
    typed = ["evaluate", str(data), "--method-file", str(model), "--methods", "bte,gleaner-mine"]
    assert main([*typed, "--jobs", "1", "--out", str(out)]) == 0
    with (out / "scores.csv").open(encoding="utf-8-sig") as file:
        rows = [row for row in csv.DictReader(file) if row["measure"] == "ws"]
    printed = capsys.readouterr().out
    assert not any(row["gold_seen"] for row in rows if row["method"] == "bte")
    return [row["gold_seen"] for row in rows if row["method"] == "gleaner-mine"], printed


@pytest.mark.slow
def test_pages_a_model_learned_from_are_flagged_also_as_copies_and_others_are_not(tmp_path, capsys):
    pytest.importorskip("lightgbm", reason="training needs pagelet[train]")
    own, model = write(tmp_path / "own", "ferry"), tmp_path / "mine.npz"
    typed = f"train gleaner {own} --out {model} --rounds 20 --folds 3".split()
    assert main(typed) == 0
    card = json.loads((tmp_path / "mine.card.json").read_text())
    for each in json.loads((own / "ground-truth.json").read_text()).values():
        assert own_fingerprint(each["articleBody"]) in card["seen"].split()
    capsys.readouterr()
    copy = write(tmp_path / "copy", "ferry", "iso-8859-1", "\r\n", name="renamed-{}")
    other = write(tmp_path / "other", "train")
    flags, printed = seen_in(own, model, tmp_path / "one", capsys)
    assert flags == ["yes"] * 12
    assert (
        "gleaner-mine has seen the gold of 12 of 12 pages: it has no rank; bag-of-words" in printed
    )
    table = [line.split()[0] for line in printed.splitlines() if line]
    assert table.index("bte") < table.index("gleaner-mine")
    flags, _ = seen_in(copy, model, tmp_path / "two", capsys)
    assert flags == ["yes"] * 12
    flags, printed = seen_in(other, model, tmp_path / "three", capsys)
    assert flags == [""] * 12
    assert "has seen" not in printed


def test_the_models_that_ship_have_seen_the_gold_their_cards_name_and_no_other(datasets):
    file = datasets / "article-benchmark-sample" / "ground-truth.json"
    if not file.is_file():
        pytest.skip("there is no sample of the article benchmark")
    card = json.loads(resources.path("gleaner/model.card.json").read_text("utf-8"))
    marks = set(card["seen"].split())
    golds = [each["articleBody"] for each in json.loads(file.read_text("utf-8")).values()]
    assert sum(own_fingerprint(gold) in marks for gold in golds) == len(golds) == 20
    assert not any(own_fingerprint(f"{gold} planted") in marks for gold in golds)

"""``pagelet train`` as typed by a user, from data set to extracted text."""

import json
import shutil
import sys
from types import SimpleNamespace

import pytest

from annotate.marks import edits, gold_file
from annotate.marks.gold import Gold, Target
from annotate.marks.guideline import Guideline, GuidelinePage, mixture
from annotate.plugins.training.training import write_model
from gui.cli.main import main
from tests.annotate.pages import page_of, row_of

SENTENCES = "The {0} was late that day.| Nobody in the {0} knew why it took so long, or how far.|"


@pytest.fixture
def data(tmp_path):
    """Twelve pages of an article between a menu and a footer, with gold."""
    (tmp_path / "html").mkdir()
    gold = {}
    for number in range(12):
        body = (SENTENCES * 4).format(f"ferry{number}").strip("|").split("|")
        story = "".join(f"<p>{text}</p>" for text in body)
        (tmp_path / f"html/{number}.html").write_text(
            "<ul class=menu><li><a href=/>Home</a><li><a href=/a>About us</a></ul>"
            f"<div class=story>{story}</div><div class=footer><p>All rights reserved</p></div>"
        )
        address = f"http://site{number}.org/"
        gold[str(number)] = {"articleBody": "\n".join(body), "url": address}
    (tmp_path / "ground-truth.json").write_text(json.dumps(gold))
    return tmp_path


def test_a_model_is_trained_described_in_a_card_and_used_to_extract(data, capsys):
    pytest.importorskip("lightgbm", reason="training needs pagelet[train]")
    out = data / "mine.npz"
    typed = f"train gleaner {data} --out {out} --rounds 40 --folds 3 --json".split()
    assert main([*typed, "--guideline", "body only"]) == 0
    card = json.loads(capsys.readouterr().out)["card"]
    assert card["guideline"] == "body only"
    assert card["pages"] == 12
    assert card["data"] == [{"name": data.name, "pages": 12, "weight": 1.0}]
    scores = card["scores"]["by_data"][data.name]
    assert scores["f1"] > 0.8
    assert len(scores["folds"]) == 3
    assert json.loads((data / "mine.card.json").read_text()) == card
    page = str(data / "html/3.html")
    assert main(["extract", "gleaner", page, "--set", f"model={out}"]) == 0
    text = capsys.readouterr().out
    assert text.count("The ferry3 was late") == 4
    assert "All rights" not in text


@pytest.mark.slow
def test_out_of_fold_texts_score_as_the_card_reports(data, capsys):
    pytest.importorskip("lightgbm", reason="training needs pagelet[train]")
    texts = data.parent / "texts.json"
    typed = f"train gleaner {data} --out {data.parent / 'm.npz'} --rounds 20 --folds 3 --json"
    assert main([*typed.split(), "--texts", str(texts)]) == 0
    card = json.loads(capsys.readouterr().out)["card"]
    written = json.loads(texts.read_text())
    assert sorted(written) == sorted(map(str, range(12)))
    assert main(f"score {texts} {data} --measures bow --jobs 1 --json".split()) == 0
    own = next(row for row in json.loads(capsys.readouterr().out) if row["method"] == "texts")
    assert own["value"] == pytest.approx(card["scores"]["by_data"][data.name]["f1"], abs=1e-3)


def test_data_sets_of_the_same_name_get_distinct_names_and_scores(data, capsys):
    pytest.importorskip("lightgbm", reason="training needs pagelet[train]")
    other = data.parent / "other" / data.name
    shutil.copytree(data, other)
    typed = f"train gleaner {data} {other} {data} --out {data / 'm.npz'} --rounds 5 --folds 2"
    assert main([*typed.split(), "--json"]) == 0
    card = json.loads(capsys.readouterr().out)["card"]
    own = f"{data.parent.name}/{data.name}"
    names = [own, f"other/{data.name}", f"{own} (2)"]
    assert [(each["name"], each["pages"]) for each in card["data"]] == [(n, 12) for n in names]
    assert [*card["scores"]["by_data"]] == names


def test_texts_that_cannot_be_written_are_refused_before_training(data, capsys):
    pytest.importorskip("lightgbm", reason="training needs pagelet[train]")
    out = data / "m.npz"
    for words, says in (
        (f"{data} --texts {data / 'none' / 't.json'}", "none is no folder: make it first"),
        (f"{data} --texts {out}", "--texts and --out name one file"),
        (f"{data} {data} --texts {data / 't.json'}", "two data sets have a page 0"),
    ):
        assert main(f"train gleaner {words} --out {out}".split()) == 2
        error = capsys.readouterr().err
        assert says in error
        assert "without fold" not in error
    assert not out.exists()


@pytest.mark.slow
def test_gold_of_several_guidelines_is_reported_and_recorded_in_the_card(tmp_path, capsys):
    pytest.importorskip("lightgbm", reason="training needs pagelet[train]")
    body = "<div id=m class=story><p>{0} one two three four five six seven</div><p>menu"
    refs = [Guideline(n, (GuidelinePage("Menu", n),)).ref for n in ("harbour", "mill")]
    for number in range(12):
        page = page_of(body.format(number))
        nodes = page.rendered()
        gold = edits.add_main(Gold(), nodes, [Target(row_of(nodes, "m"))])
        (tmp_path / f"{number}.html").write_text(page.dom.html)
        gold_file.write(tmp_path / f"{number}.gold.json", page, gold, guideline=refs[number % 2])
    out = tmp_path / "m.npz"
    assert main(f"train gleaner {tmp_path} --out {out} --rounds 2 --folds 2 --json".split()) == 0
    printed = capsys.readouterr()
    assert f"{tmp_path.name}: {mixture(refs)}" in printed.err
    card = json.loads(printed.out)["card"]
    assert card["data"][0]["guidelines"] == [str(ref) for ref in refs]
    assert card["guideline"] == f"{refs[0]}, {refs[1]}"


def test_a_file_with_another_ending_is_refused_as_a_method(data, capsys):
    (data / "model.txt").write_bytes(b"PK")
    page = str(data / "html/3.html")
    assert main(["extract", str(data / "model.txt"), page]) == 2
    assert "model.txt is a file, but its name ends in none of .py, .npz" in capsys.readouterr().err


def test_one_article_is_refused_by_a_model_trained_on_pages_without_types(data, capsys):
    pytest.importorskip("lightgbm", reason="training needs pagelet[train]")
    out = data / "m.npz"
    assert main(f"train gleaner {data} --out {out} --rounds 2 --folds 2".split()) == 0
    words = ["extract", str(out), str(data / "html/3.html"), "--set", "guideline=one article"]
    assert main(words) == 2
    assert "guideline: this model learned from pages without types" in capsys.readouterr().err


def test_a_model_that_cannot_be_written_leaves_the_old_model_and_its_card(data, monkeypatch):
    old = write_model(SimpleNamespace(card={"a": 1}, data=b"old"), data / "m.npz")

    class Full:
        card, data = {"a": 2}, "no bytes"

    with pytest.raises(TypeError):
        write_model(Full(), data / "m.npz")
    assert json.loads(old.read_text()) == {"a": 1}
    assert (data / "m.npz").read_bytes() == b"old"
    assert not [*data.glob("*tmp*")]


def test_a_source_date_epoch_out_of_range_is_refused_with_a_sentence(data, capsys, monkeypatch):
    pytest.importorskip("lightgbm", reason="training needs pagelet[train]")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "9" * 18)
    assert main(f"train gleaner {data} --out {data / 'm.npz'} --rounds 2 --folds 2".split()) == 2
    assert "SOURCE_DATE_EPOCH must be seconds since 1970, got 999" in capsys.readouterr().err


def test_texts_are_refused_for_a_segmenter(data, capsys):
    typed = f"train terrain-learned {data} --out {data / 'm.npz'} --texts {data / 't.json'}"
    assert main(typed.split()) == 2
    assert "--texts is for gleaner" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("option", "says"),
    [
        ("--threads 0", "--threads must be at least 1, got 0"),
        ("--folds 1", "--folds must be at least 2, got 1"),
        ("--rounds 0", "--rounds must be at least 1, got 0"),
        ("--weights 1,2", "--weights must be 1 of 0.001 to 1000, one for each DATA, got 1,2"),
        ("--weights nan", "--weights must be 1 of 0.001 to 1000, one for each DATA, got nan"),
    ],
)
def test_a_number_out_of_bounds_is_refused(data, capsys, option, says):
    typed = f"train gleaner {data} --out {data / 'm.npz'} {option}".split()
    assert main(typed) == 2
    assert capsys.readouterr().err == f"pagelet: {says}\n"


def test_training_without_lightgbm_names_the_package_to_install(data, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "lightgbm", None)
    assert main(["train", "gleaner", str(data), "--out", str(data / "m.npz")]) == 2
    assert 'pip install "pagelet[train]"' in capsys.readouterr().err


def test_a_file_that_is_no_model_is_refused_by_extract(data, capsys):
    (data / "bad.npz").write_bytes(b"PK no")
    page = str(data / "html/3.html")
    assert main(["extract", "gleaner", page, "--set", f"model={data / 'bad.npz'}"]) == 2
    assert "it holds no model of gleaner, or is damaged" in capsys.readouterr().err


def test_a_folder_as_the_output_is_refused_before_data_is_read(data, capsys):
    pytest.importorskip("lightgbm", reason="training needs pagelet[train]")
    assert main(["train", "gleaner", "no-such-data", "--out", str(data)]) == 2
    says = f"pagelet: cannot write {data}: it is a folder; name a file in it\n"
    assert capsys.readouterr().err == says


def test_data_without_pages_is_refused_with_one_sentence(tmp_path, capsys):
    pytest.importorskip("lightgbm", reason="training needs pagelet[train]")
    empty = tmp_path / "empty"
    empty.mkdir()
    assert main(["train", "gleaner", str(empty), "--out", str(tmp_path / "m.npz")]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert str(empty) in error
    assert not (tmp_path / "m.npz").exists()


@pytest.mark.slow
def test_the_same_pages_and_date_give_the_same_file_for_any_threads(data, monkeypatch, capsys):
    pytest.importorskip("lightgbm", reason="training needs pagelet[train]")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    typed = f"train gleaner {data} {data} --weights 1,.25 --rounds 5 --folds 2".split()
    for threads in "12":
        assert main([*typed, "--threads", threads, "--out", str(data / f"{threads}.npz")]) == 0
    assert (data / "1.npz").read_bytes() == (data / "2.npz").read_bytes()
    assert json.loads((data / "1.card.json").read_text())["date"] == "1970-01-02"

"""Each door reads the same input by default, or names the input beside its figure.

The page is one whose scripts write its text: its score differs from input to input, so that a
figure of another input than the one that is named is found.
"""

import csv
import json
import re
import shutil

import pagelet
import pytest

import resources
from gui.cli.main import main

KEY = "bte"


@pytest.fixture
def scripted(tmp_path):
    shutil.copytree(resources.path("corpus") / "script", tmp_path / "pages" / "script")
    return tmp_path / "pages"


@pytest.fixture
def by_input(scripted):
    (case,) = pagelet.dataset(scripted)
    return {
        form: case.page.run(KEY, input=form).score()["ws"].value for form in ("original", "dom")
    }


def untrue(said: dict[str, tuple[str, float]], by_input: dict[str, float]) -> list[str]:
    """Return the doors whose figure is not that of the input they name."""
    return [door for door, (form, value) in said.items() if abs(value - by_input[form]) > 0.00051]


@pytest.mark.slow
@pytest.mark.web
def test_the_input_that_a_door_names_is_that_of_its_figure(scripted, by_input, tmp_path, capfd):
    assert by_input["dom"] - by_input["original"] > 0.5
    page, out = str(scripted / "script" / "index.html"), str(tmp_path / "run")

    def printed(*words: str) -> str:
        assert main([*words]) == 0
        return capfd.readouterr().out

    said: dict[str, tuple[str, float]] = {}
    (case,) = pagelet.dataset(scripted)
    score = case.page.run(KEY).score()
    said["library"] = score.input, score["ws"].value
    ways = "--methods", KEY, "--measures", "ws", "--out", out
    text = printed("evaluate", str(scripted), *ways, "--report", "none")
    figures = re.search(rf"^{KEY} +1 +\d+ +\d+ +(\S+)", text, re.MULTILINE)
    assert figures is not None
    said["evaluate"] = text.split("\ninput: ")[1].split("\n")[0], float(figures[1])
    text = printed("compare", KEY, "plain", str(scripted), "--out", str(tmp_path / "compare"))
    named = text.split("\ninput: ")[1].split("\n")[0]
    said["compare"] = named, float(text.split("WS: ")[1].split(" ")[0])
    ways = KEY, "plain", str(scripted), "--out", str(tmp_path / "json"), "--json"
    side = json.loads(printed("compare", *ways))["before"]
    said["compare --json"] = side["input"], side["mean"]
    gate = str(tmp_path / "base.gate.json")
    for words in (("gate", gate, "--new", KEY, str(scripted)), ("gate", gate)):
        found = re.search(r"mean (?:\S+ → )?(0\.\d+).*\(input: (\w+)\)", printed(*words))
        assert found is not None
        said[" ".join(words[::2])] = found[2], float(found[1])
    with (tmp_path / "demo.txt").open("w") as file:
        file.write(printed("demo", str(scripted), "--out", str(tmp_path / "demo")))
    with (tmp_path / "demo" / "scores.csv").open(encoding="utf-8") as file:
        (row,) = (each for each in csv.DictReader(file) if each["method"] == KEY)
    said["demo"] = row["input"], float(row["f1"])
    line = re.search(rf"^{KEY} +(\w+) .* (\S+) +\S+$", (tmp_path / "demo.txt").read_text(), re.M)
    assert line is not None
    said["table of demo"] = line[1], float(line[2])
    assert untrue(said, by_input) == []
    assert {form for form, _ in said.values()} == {"original", "dom"}
    planted = said | {"planted": ("dom", by_input["original"])}
    assert untrue(planted, by_input) == ["planted"]

    for form in ("original", "dom"):  # doors of words, which are found on that input
        of = "--input", form
        result = json.loads(printed("extract", KEY, page, *of, "--json"))
        assert result["input"] == form
        words = " ".join(result["text"].split()[:3])
        why = json.loads(printed("why", KEY, page, "--text", words, *of, "--json"))
        assert why["input"] == form
        assert f"\n  input: {form}" in printed("why", KEY, page, "--text", words, *of)
    assert json.loads(printed("extract", KEY, page, "--json"))["input"] == "original"
    table = printed("triage", str(scripted), "--out", str(tmp_path / "triage"))
    assert re.search(r"gleaner +original", table)

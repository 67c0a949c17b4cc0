"""Test the counts of ``diff`` and the F1 predicted by ``why`` against edited texts."""

import json

import pytest

from tests.truth import own_text
from tests.truth.compared import Comparison
from tests.truth.conftest import CORPUS, command


def counted(said: dict, kind: str) -> int:
    for each in said["errors"]:
        assert each["words"] == len(own_text.words(each["text"])), each
    return sum(each["words"] for each in said["errors"] if each["kind"] == kind)


@pytest.mark.parametrize(
    ("page", "method"), [("blog", "bte"), ("forum", "ccb"), ("rtl", "bte"), ("rtl", "ccb")]
)
def test_errors_count_the_words_that_only_text_or_gold_has(evaluated, page, method):
    page = f"{page}/index.html"
    data = json.loads(command("diff", method, CORPUS / page, "--json"))
    gold = own_text.words(evaluated.gold_texts["corpus", page])
    text = own_text.words(evaluated.predictions["corpus", method, page])
    common = own_text.longest_common(gold, text)
    compared = Comparison()
    compared.note(("missing",), counted(data, "missing"), len(gold) - common)
    compared.note(("superfluous",), counted(data, "superfluous"), len(text) - common)
    compared.note(("f1",), data["f1"], 2 * common / (len(gold) + len(text)))
    assert compared.different == []


@pytest.mark.parametrize(
    ("page", "method", "kind"),
    [("blog", "bte", "superfluous"), ("rtl", "bte", "superfluous"), ("rtl", "ccb", "missing")],
)
def test_the_predicted_f1_equals_that_of_the_edited_text(evaluated, page, method, kind):
    page = f"{page}/index.html"
    gold = own_text.words(evaluated.gold_texts["corpus", page])
    before = evaluated.predictions["corpus", method, page].splitlines()
    lines = {
        "superfluous": before,
        "missing": evaluated.gold_texts["corpus", page].splitlines(),
    }[kind]
    others = {"superfluous": evaluated.gold_texts["corpus", page], "missing": "\n".join(before)}
    line = max((each for each in lines if each.strip() not in others[kind]), key=len)
    asked = " ".join(line.split()[:6])
    data = json.loads(command("why", method, CORPUS / page, "--text", asked, "--json"))
    run = data["text"]
    whole = "\n".join(before)
    if kind == "superfluous":
        assert data["decision"] == "kept"
        assert whole.count(run) == 1
        edits = [whole.replace(run, "")]
    else:
        assert data["decision"] == "dropped"
        edits = ["\n".join([*before[:at], run, *before[at:]]) for at in range(len(before) + 1)]

    def f1(text):
        words = own_text.words(text)
        return 2 * own_text.longest_common(gold, words) / (len(gold) + len(words))

    compared = Comparison()
    compared.note(("now",), data["f1"], f1(whole))
    compared.note(("turned",), data["f1_if_turned"], max(map(f1, edits)))
    assert compared.different == []
    assert data["f1"] != data["f1_if_turned"]


def test_an_article_that_occurs_twice_is_located_whole(tmp_path):
    """Long enough for a table of gold words by page words to have more than 16 million cells."""
    lines = [" ".join(f"w{line}x{word % 7}" for word in range(20)) for line in range(150)]
    article = "".join(f"<p>{line}</p>" for line in lines)
    page, gold = tmp_path / "page.html", tmp_path / "gold.txt"
    page.write_text(
        f"<!doctype html><title>t</title><div>{article}</div><div>{article}</div>", "utf-8"
    )
    gold.write_text("\n".join(lines), encoding="utf-8")
    words = len(own_text.words("\n".join(lines)))
    assert words * 2 * words > 16e6
    data = json.loads(command("diff", "plain", page, "--gold", gold, "--json"))
    assert data["gold_on_page"] == 1.0
    assert counted(data, "missing") == 0
    assert counted(data, "superfluous") == words
    assert data["f1"] == pytest.approx(2 / 3)

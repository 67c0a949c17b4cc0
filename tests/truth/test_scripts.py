"""Test scores of texts in scripts that rules for Latin would split wrongly."""

import json

import pytest

from tests.truth import own_text
from tests.truth.conftest import Evaluation, command
from tests.truth.test_evaluation import compare_texts

PAIRS = {
    "hindi": ("का की कु", "के को कं"),
    "thai": ("ที่ดีมาก", "ที่มาดี"),
    "chinese": ("我爱你。他不爱我", "我爱他。abc"),
    "japanese": ("カタカナとひらがな", "ひらがなとカタカナ"),
    "hebrew": ("שָׁלוֹם עוֹלָם", "שלום עוֹלָם"),
    "hyphens": ("soft\u00adhyphen stays whole", "softhyphen stays whole"),
    "persian": ("می\u200cخواهم بروم", "می خواهم بروم"),
    "accents": ("re\u0301sume\u0301 x_1 ½", "résumé x_1 ½ 2"),
}


@pytest.mark.parametrize("unit", ["characters", "clauses"])
def test_words_of_all_scripts_are_counted_alike(tmp_path, unit):
    package = tmp_path / "package"
    package.mkdir()
    for name, (gold, text) in PAIRS.items():
        (package / f"{name}.html").write_text(f"<meta charset=utf-8><p>{text}</p>", "utf-8")
        (package / f"{name}.txt").write_text(gold, encoding="utf-8")
    (package / "package.json").write_text(json.dumps({"name": "scripts"}), encoding="utf-8")
    command(
        "evaluate", package, "--out", tmp_path / "out", "--methods", "plain", "--predictions",
        "--report", "none", "--measures", "all-text", "--word-unit", unit, "--jobs", "1",
    )  # fmt: skip
    evaluation = Evaluation(tmp_path / "out")
    compared = compare_texts(evaluation, *own_text.MEASURES)
    assert compared.figures == len(PAIRS) * len(own_text.MEASURES) * 3
    assert compared.different == []
    values = {
        row["page"]: float(row["value"]) for row in evaluation.rows if row["measure"] == "identical"
    }
    assert [page for page, value in values.items() if value] == ["hyphens"]

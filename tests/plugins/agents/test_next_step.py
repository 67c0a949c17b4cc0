"""What to fix next: the cause that costs most F1, the smallest page with it, a failing test."""

import json
import re
from itertools import islice

import pytest

from algorithms.own import method_files
from annotate.evaluation.run.triage import pages_of
from annotate.library.inputs import samples
from annotate.library.page_cases import Cases
from annotate.plugins.external.sides import chosen_side
from annotate.plugins.reduce.next_step import judge, shared_causes
from gui.cli.main import main
from tests.outside import datasets_folder

WORDS = "the ferry came back to the harbour this morning after nine years of repairs".split()


def write_pages(folder):
    """Write pages with content in short items: most in one of the vault, none in the last."""
    folder.mkdir()
    for name, times in (("three", 9), ("six", 6), ("two", 2), ("one", 0)):
        items = [" ".join(f"{word}{k}" for word in WORDS[:8]) for k in range(times)]
        text = " ".join(f"{word}{name}" for word in WORDS)
        html = f"<title>t</title><div class=x><p>{text}</p><ul><li>{'<li>'.join(items)}</ul></div>"
        (folder / f"{name}.html").write_text(html, "utf-8")
        (folder / f"{name}.txt").write_text("\n".join([text, *items]), "utf-8")
    return folder


@pytest.mark.slow
def test_the_cause_of_most_loss_is_shown_by_a_small_page_and_a_failing_test(tmp_path, capsys):
    data, method, out = (
        write_pages(tmp_path / "data"),
        tmp_path / "long_texts.py",
        tmp_path / "next",
    )
    assert main(["methods", "--template"]) == 0
    template = capsys.readouterr().out
    method.write_text(template, "utf-8")
    asked = ["next", str(method), str(data), "--limit", "3", "--seconds", "5", "--out", str(out)]
    asked.append("--json")
    assert main(asked) == 0
    answer = json.loads(capsys.readouterr().out)
    assert [each["page"] for each in answer["worst"]] == ["six.html", "two.html", "one.html"]
    (cause,) = answer["causes"]
    lost = sum(1 - each["f1"] for each in answer["worst"]) / 3
    assert cause["f1_lost"] == pytest.approx(lost, abs=1e-4)
    assert (cause["kind"], cause["page_count"], cause["words"]) == ("missing", 2, 8 * 8)
    page, test = (out / name for name in ("page.html", "test_next.py"))
    assert answer["files"] == [str(page), str(test)]
    assert answer["next"].endswith(f'pagelet loop {method} {data} --limit 3 --hypothesis "…"')
    assert "words between two tags" in cause["cause"]
    assert repr(page.read_text("utf-8")) in test.read_text("utf-8")
    assert fails(test)
    method.write_text(template.replace("param(12,", "param(5,"), "utf-8")
    method_files.refresh()
    assert not fails(test)


PARAGRAPHS = """
import numpy as np
from algorithms.method import Method
from algorithms.params import Params
from algorithms.results import keep_words

def flags(source):
    tree, result = source.tree, np.zeros(source.tokens.words.size, bool)
    for row in np.flatnonzero(tree.has_tag("p")):
        result[slice(*tree.words[row])] = True
    return result

METHOD = Method("paragraphs", "Paragraphs", Params, "extraction", "me",
                on_source=lambda source, params: keep_words(source, flags(source)))
"""


def test_short_pages_that_lose_all_come_before_a_long_one_that_loses_more_words(tmp_path):
    method = tmp_path / "paragraphs.py"
    method.write_text(PARAGRAPHS, "utf-8")
    sentence = " ".join(WORDS)
    pages = {"long": ("li", 20, 60), "a": ("dd", 1, 0), "b": ("dd", 1, 0)}
    for name, (tag, lost, kept) in pages.items():
        body = f"<{tag}>{sentence}</{tag}>" * lost + f"<p>{sentence}</p>" * kept
        (tmp_path / f"{name}.html").write_text(f"<title>t</title><div>{body}</div>")
        (tmp_path / f"{name}.txt").write_text("\n".join([sentence] * (lost + kept)))
    side = chosen_side(str(method))
    judged = judge(side.entry, side.params, Cases((pages_of(str(tmp_path)),)), lambda _: None)
    first, second = shared_causes(judged)
    assert "<dd>" in first.cause
    assert (sorted(first.pages), first.words) == (["a.html", "b.html"], 2 * len(WORDS))
    assert first.loss == pytest.approx(2)
    assert second.words > first.words
    assert second.loss == pytest.approx(1 - judged[-1].f1)


FAILS_AT_TIMES = """
from algorithms.method import Method
from algorithms.params import Params
from algorithms.results import keep_words

def run(source, params):
    words = source.tokens.words
    if words.size % 3 == 0:
        raise ValueError("a third of all pages")
    return keep_words(source, [bool(k % 5) for k in range(words.size)])

METHOD = Method("often", "Often", Params, "extraction", "me", on_source=run)
"""


@pytest.mark.parametrize(
    "method", ["plain", pytest.param("gleaner", marks=pytest.mark.slow), FAILS_AT_TIMES]
)
@pytest.mark.parametrize("data", ["samples", "article-benchmark-sample"])
def test_costs_of_all_causes_add_up_to_the_lost_f1(method, data, tmp_path):
    """The method that fails at times loses single words everywhere else: errors of one word."""
    if method == FAILS_AT_TIMES:
        (tmp_path / "often.py").write_text(method)
        method = str(tmp_path / "often.py")
    folder = samples() if data == "samples" else datasets_folder() / data
    if not folder.is_dir():
        pytest.skip("no data sets: set PAGELET_DATA")
    side, pages = chosen_side(method), pages_of(str(folder))
    cases = islice(Cases((pages,)), 4)
    judged = judge(side.entry, side.params, cases, lambda _: None)
    mean = sum(page.f1 for page in judged) / len(judged)
    assert mean < 1
    for page in judged:
        assert sum(each.loss for each in page.errors) == pytest.approx(1 - page.f1), page.case
    costs = [cause.loss / len(judged) for cause in shared_causes(judged)]
    assert sum(costs) == pytest.approx(1 - mean)


@pytest.mark.slow
def test_the_place_of_errors_is_the_cause_where_a_method_gives_no_reasons(tmp_path, capsys):
    method, out = tmp_path / "paragraphs.py", tmp_path / "next"
    method.write_text(PARAGRAPHS, "utf-8")
    data = str(write_pages(tmp_path / "data"))
    assert main(["next", str(method), data, "--seconds", "5", "--out", str(out), "--json"]) == 0
    (cause,) = json.loads(capsys.readouterr().out)["causes"]
    assert (cause["cause"], cause["words"]) == ("short text of <li>", 8 * 8)
    page, test = (out / name for name in ("page.html", "test_next.py"))
    assert {"<li>", "<p>"} <= set(re.findall("<[a-z]+>", page.read_text("utf-8")))
    assert fails(test)
    method.write_text(PARAGRAPHS.replace('has_tag("p")', 'has_tag("li")'), "utf-8")
    method_files.refresh()
    assert fails(test)  # what is kept today must be kept then, too
    method.write_text(PARAGRAPHS.replace('has_tag("p")', 'has_tag("p", "li")'), "utf-8")
    method_files.refresh()
    assert not fails(test)


def fails(test):
    """Return whether the written test fails."""
    made: dict[str, object] = {}
    exec(compile(test.read_text("utf-8"), str(test), "exec"), made)
    try:
        next(value for name, value in made.items() if name.startswith("test_"))()
    except AssertionError:
        return True
    return False


def test_the_page_of_skills_is_short_and_names_commands_that_exist(capsys):
    from gui.cli.main import commands

    assert main(["skill"]) == 0
    text = capsys.readouterr().out
    assert len(text.encode()) < 2000
    named = set(re.findall(r"`pagelet (\w+)", text))
    assert named <= {*commands()}

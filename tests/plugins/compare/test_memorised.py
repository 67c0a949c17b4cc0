"""Words spelt backwards: the page has the old ones no more, and only what reads it passes."""

import time

import pytest

from annotate.evaluation.run.run_options import EvaluationOptions
from annotate.evaluation.run.triage import pages_of
from annotate.library.progress import NullProgress
from annotate.plugins.compare.memorised import (
    changed_page,
    known_by_heart,
    tried_in_words,
    why_untried,
)
from annotate.plugins.compare.runs import plan_for, run_versions
from annotate.plugins.external.sides import chosen_side

GOLD = "Verwaltung: die verwaltung wartet, und zwanzig reisende warten am bahnhof."


def tried(folder, method, data="pages"):
    """Run a method on pages, and return of each whether it knows it by heart."""
    side = chosen_side(str(method))
    plan = plan_for([pages_of(str(folder / data))], (side,), "ws", EvaluationOptions(jobs=1))
    pages = run_versions(plan, NullProgress())
    return known_by_heart(plan, pages, 0.05, NullProgress())


def written(folder, *pairs):
    """Write pages and their gold into a folder of a data set."""
    (folder / "pages").mkdir()
    for number, (html, gold) in enumerate(pairs):
        (folder / "pages" / f"{number}.html").write_text(html)
        (folder / "pages" / f"{number}.txt").write_text(gold)
    return folder


SPLIT = [
    "<p>die ver&shy;waltung wartet", "<p>die ver<wbr>waltung wartet", "<p>ver<b>walt</b>ung",
    "<p>ver&#119;altung", "<a title='verwaltung'>wir</a>", "<p>Verwaltung", "<p>verwaltungen",
    "<!-- verwaltung -->", "<a href='ver%77altung?q=verwaltung'>wir</a>", "<p>ver\u200bwaltung",
]  # fmt: skip


@pytest.mark.parametrize("beside", SPLIT)
def test_a_word_found_elsewhere_on_the_page_is_excluded(beside):
    gold = "die verwaltung wartet, und zwanzig reisende warten am bahnhof"
    html = f"<title>x</title><p>{gold}</p>{beside}"
    found = changed_page(html, gold, gold.replace(",", "").split())
    assert set(found.words) <= {"wartet", "zwanzig", "reisende", "warten", "bahnhof"}
    assert "zwanzig" in found.words
    assert "giznawz" in found.html
    assert "zwanzig" not in found.html + found.gold
    alone = changed_page(f"<p>{gold}</p>", gold, gold.split())
    assert "verwaltung" in alone.words


def test_a_word_escaped_in_a_script_is_excluded():
    html = '<script>{"body": "pr\\u00fcfungen"}</script><p>prüfungen warten</p>'
    assert changed_page(html, "prüfungen warten", ["prüfungen", "warten"]).words == ("warten",)


def test_a_long_page_without_tags_takes_time_in_proportion_to_its_length():
    gold = "reisende warten am bahnhof"
    text = " ".join(f"{gold} {n}" for n in range(70_000)) + "<" * 100_000
    began = time.process_time()
    assert changed_page(text, gold, gold.split()).words == ("reisende", "warten", "bahnhof")
    assert time.process_time() - began < 30  # pairs of letters would take hours


@pytest.mark.slow
@pytest.mark.parametrize("method", ["plain", "bte"])
def test_an_honest_method_is_not_taken_for_one_that_knows_the_page(tmp_path, method):
    pages = [(f"<title>x</title><p>{GOLD}</p>{beside}", GOLD) for beside in SPLIT]
    assert tried(written(tmp_path, *pages), method) == [False] * len(SPLIT)


CHEAT = """
import re
import numpy as np
from algorithms.method import Method
from algorithms.params import Params
from algorithms.results import Extraction, keep_words
GOLD = {gold!r}
def run(source, params):
    html = source.html
    here = set(re.findall(r"\\w+", html))
    gold = GOLD[int(re.search("<title>(\\\\d+)", html)[1])]
    every = keep_words(source, np.ones(source.tokens.words.size, bool))
    return Extraction(source, every.spans, given={answer})
METHOD = Method("own", "Own", Params, "extraction", "me", on_source=run)
"""


_HALF = "' '.join(each for each in re.findall(r'\\w+', gold[: len(gold) // 2]) if each in here)"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("answer", "is_known"),
    [
        ("gold", True),
        ("' '.join(each for each in re.findall(r'\\w+', gold) if each in here)", True),
        ("gold if set(re.findall(r'\\w+', gold)) <= here else 1 / 0", True),
        ("gold[: len(gold) // 2] + re.sub('<[^>]+>', ' ', html)[len(gold) // 2 :]", True),
        (f"{_HALF} + re.sub('<[^>]+>', ' ', html)[len(gold) // 2 :]", True),
        ("re.sub('<[^>]+>', ' ', html)", False),
    ],
)
def test_gold_is_noticed_even_if_words_that_the_page_lacks_are_left_out(tmp_path, answer, is_known):
    words = "".join(f"{chr(97 + n % 26)}{chr(97 + n // 26)}rticles " for n in range(200))
    gold = {n: f"{words} and page {n}" for n in range(3)}
    pages = [(f"<title>{n}</title><p>{text}</p>", text) for n, text in gold.items()]
    written(tmp_path, *pages)
    (tmp_path / "own.py").write_text(CHEAT.format(gold=gold, answer=answer))
    assert tried(tmp_path, tmp_path / "own.py") == [is_known] * 3


DENSITY = """
from algorithms.method import Method
from algorithms.params import Params
from algorithms.results import keep_words
def run(source, params):
    flags = source.tokens.words.astype(bool) | True
    flags[len(flags) // 2 :] = "zwanzig" in source.html
    return keep_words(source, flags)
METHOD = Method("own", "Own", Params, "extraction", "me", on_source=run)
"""


@pytest.mark.slow
def test_a_second_trial_replaces_different_words(tmp_path):
    words = ["zwanzig", "reisende", "warten", "morgens", "abends", "bahnhof", "schaffner"]
    text = " ".join(words[:5] * 3 + words[5:])  # the first five are the most frequent
    written(tmp_path, (f"<p>{text}</p>", text))
    (tmp_path / "own.py").write_text(DENSITY)
    assert tried(tmp_path, tmp_path / "own.py") == [False]


@pytest.mark.slow
def test_a_doubtful_page_without_other_words_counts_as_known(tmp_path):
    text = " ".join(["zwanzig", "reisende", "warten", "morgens", "abends"] * 3)
    written(tmp_path, (f"<p>{text}</p>", text))
    (tmp_path / "own.py").write_text(DENSITY)
    assert tried(tmp_path, tmp_path / "own.py") == [True]


@pytest.mark.slow
def test_what_cannot_be_tried_is_so_called(tmp_path):
    chinese = "火车明天早上从北京出发开往上海"
    written(tmp_path, (f"<p>{chinese}", chinese), ("<p>no long word", "no long word"))
    assert tried(tmp_path, "plain") == [None, None]


def test_methods_of_rendered_pages_and_sites_are_untried_with_a_reason():
    for method, why in (("gleaner input=dom", "reads dom"), ("site", "reads sites")):
        side = chosen_side(method)
        plan = plan_for([], (side,), "ws", EvaluationOptions(jobs=1))
        assert known_by_heart(plan, [], 0.05, NullProgress()) == []
        assert tried_in_words(0, 0, 3, why_untried(plan)) == (
            f"known by heart: not tried, as the method {why}"
        )

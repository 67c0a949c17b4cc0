"""A page is reduced to a part that still shows a fault, alike for any number of processes."""

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import resources
from algorithms.core.catalogue import method
from algorithms.extraction.gleaner.removals import REMOVALS
from algorithms.trace import Decision, Rule
from annotate.plugins.reduce.question import ShownProperty, beginning, cause_of, has_cause
from annotate.plugins.reduce.reduce import reduce_page
from annotate.plugins.reduce.report import cause_text
from annotate.plugins.reduce.tree import (
    CuttableTree,
    parse_page,
    parts_of,
    pieces_of,
    write_page,
)  # fmt: skip
from engine.errors import InputError
from engine.source import Source
from resources import path
from tests.method_packages import KEEPS_ALL, LOSES_LISTS, NAV, method_file
from tests.typed_commands import typed


def question(shows, key="bte", **more):
    return ShownProperty(shows, key, {}, **more)


def sample(name):
    return (path("corpus") / name / "index.html").read_text(encoding="utf-8")


@pytest.mark.slow
def test_a_page_is_reduced_to_a_difference_of_two_methods_for_any_jobs():
    asked = question("differs", against="dsc", least=12)
    one = reduce_page(sample("news"), asked, jobs=1)
    two = reduce_page(sample("news"), asked, jobs=2)
    assert one.html == two.html
    assert asked.is_shown(one.html)
    assert one.is_least
    assert len(one.html) < 400 < one.before


def test_lost_words_stay_on_the_reduced_page_and_stay_lost():
    html = "<ul><li><a href=/>Home</a><li><a href=/n>News</a></ul>" + 3 * f"<p>{'word ' * 40}</p>"
    asked = question("lost", words=("News",))
    reduced = reduce_page(html, asked)
    assert "News" in reduced.html
    assert "word" not in reduced.html
    assert "<ul" not in reduced.html
    assert asked.is_shown(reduced.html)


@pytest.mark.slow
def test_a_large_page_becomes_small_in_few_tries_and_keeps_its_cause():
    """Whole kinds go first: 200 scripts, 300 links and 200 comments are not tried one by one."""
    script = f"<script>{'let number = 1;' * 40}</script>"
    links = "".join(
        f'<li class="item n{k}"><a href=/{k}>Item {k} of the menu</a>' for k in range(300)
    )
    talk = "".join(f"<div class=comment id=c{k}><p>{'a word of it ' * 9}</div>" for k in range(200))
    page = (
        f"<title>Bridge</title>{script * 200}<nav><ul>{links}</ul></nav><div><div><article>"
        f"<h1>Bridge</h1><p>{'The council said so. ' * 30}</article>"
        f"<div class=share><a href=/s>Share this with your friends</a></div>{talk}</div></div>"
    )
    asked = question("lost", "lqf", words=("Share", "this", "with", "your", "friends"))
    asked = replace(asked, cause=cause_of(asked.decision(page)))
    reduced = reduce_page(page, asked, jobs=2, seconds=120.0)
    assert reduced.is_least
    assert len(reduced.html) < 1000 < 150_000 < len(page)
    assert reduced.tried < 300
    assert cause_of(asked.decision(reduced.html)) == asked.cause


SHORT = "<p>Only a few words are on this page, and gleaner keeps none of them at all.</p>"
LISTED = (
    "<title>Bridge</title><nav><ul><li><a href=/>Home of news</a><li><a href=/a>Contact the "
    "editors</a></ul></nav><article><h1>Bridge closed</h1>"
    + "<p>The council said that the old bridge over the river would be closed for repairs until "
    "spring, and that nobody had been asked before it was decided on Monday.</p>" * 5 + "</article>"
)


@pytest.mark.slow
@pytest.mark.parametrize("key", ["gleaner", "lqf", "elisa"])
def test_words_can_be_kept_lost_for_the_same_cause(key):
    """A page that became too short loses words as well, for another cause."""
    asked = question("lost", key, words=("Contact", "the", "editors"))
    cause = cause_of(asked.decision(LISTED))
    any_cause, same = (reduce_page(LISTED, each) for each in (asked, replace(asked, cause=cause)))
    assert cause_of(asked.decision(same.html)) == cause
    assert cause_text(asked, LISTED, same.html).startswith("It is dropped for the same cause.")
    changed = cause_of(asked.decision(any_cause.html)) != cause
    text = cause_text(asked, LISTED, any_cause.html)
    assert text.startswith("It is dropped for the same cause.") != changed


def test_the_same_rule_with_another_label_is_another_cause():
    page = "<title>Bridge</title><main><div role=navigation><p>Contact the editors</div></main>"
    asked = question("lost", "elisa", words=("Contact", "the", "editors"))
    text = cause_text(asked, page, "<p>Contact the editors")
    assert text.startswith("The same rule drops it, for another cause.")


def test_a_method_without_reasons_gets_a_note_that_the_cause_may_differ():
    asked = question("lost", "trafilatura", words=("few", "words"))
    assert cause_text(asked, SHORT, SHORT) == (
        "trafilatura gives no reason for it: what is left may lose it for another one."
    )
    assert not cause_text(question("differs", against="dsc"), SHORT, SHORT)


def test_a_page_whose_reasons_cannot_be_had_shows_no_cause(monkeypatch):
    def fail(source, params):
        raise IndexError(params)

    asked = question("kept", "lqf", words=("The", "council", "said", "that"))
    asked = replace(asked, cause=cause_of(asked.decision(LISTED)))
    failing = replace(method("lqf"), trace_source=fail)
    monkeypatch.setattr(ShownProperty, "entry", failing)
    assert not asked.is_shown(LISTED)
    assert asked.decision(LISTED) is None


def test_kept_words_are_kept_for_the_same_cause():
    words = ("The", "council", "said", "that")
    asked = question("kept", "lqf", words=words)
    asked = replace(asked, cause=cause_of(asked.decision(LISTED)))
    assert asked.is_shown(LISTED)
    assert "It is kept for the same cause" in cause_text(
        asked, LISTED, reduce_page(LISTED, asked).html
    )
    assert not replace(asked, cause=f"{asked.cause} and more").is_shown(LISTED)


def decided(sentence):
    return Decision(Rule("expected share"), (0, 1), True, 0.5, 0.4, sentence)


def test_a_cause_is_held_while_all_that_it_rests_on_is_named_in_any_order():
    page = "; the page is probably of type forum (.81)"
    cause = cause_of(
        decided(f"kept: share .5; rests on its words (.1), class, id and role (.2){page}")
    )
    for reasons, holds in (
        ("class, id and role (.3), its words (.1); weaker without links (.4)", True),
        ("class, id and role (.3), its length (.2), its words (.1)", True),
        ("its words (.1)", False),
        ("its words (.4), class, id and role (.4) together: without all of these .1", False),
    ):
        assert has_cause(decided(f"kept: share .7; rests on {reasons}{page}"), cause) == holds
        other = page.replace("forum", "article")
        assert not has_cause(decided(f"kept: share .7; rests on {reasons}{other}"), cause)
    assert not has_cause(decided(f"dropped: share .7; rests on its words (.1){page}"), cause)


def test_the_quick_look_at_a_reason_agrees_with_the_sentence():
    """The named reasons are followed alone; what turns no decision is not one of them."""
    html = (resources.path("corpus") / "shop/index.html").read_text("utf-8")
    source = Source.from_text(html)
    entry = method("gleaner")
    trace = entry.trace_on(source, entry.params(), None)
    seen = set()
    for word in range(0, trace.size, 12):
        found = trace.holding(word)
        if found is None or not found[0].ending:
            continue
        sentence = found[0].sentence(found[1])
        assert sentence.endswith(found[0].ending)
        alone = sentence.partition("; rests on ")[2].partition(";")[0]
        for each in REMOVALS:
            is_named = f"{each.name} (" in alone and " together" not in alone
            may = found[0].may_rest_on(found[1], each.name)
            assert may or not is_named, sentence
            assert is_named or not may or alone.count("), ") == 2, sentence  # three at most
            seen.add(may)
    assert seen == {True, False}


def test_attribute_values_are_emptied_apart_from_their_attributes():
    page = CuttableTree('<p>word <a class="long name" href="/long/address">two</a>')
    (values,) = [each for each in page.kinds() if each and each[0] and len(each[0][0][1]) == 2]
    assert page.size(values) == len("long name/long/address") + 2 * 3
    assert "<a class href>two</a>" in page.html(values)
    page.remove(values)
    assert "<a class href>two</a>" in page.html()
    assert page.size(values) == 0


def test_json_of_a_script_is_cut_by_members_and_stays_json():
    data = {"@type": "Product", "name": "</b> Band", "offers": [{"price": k} for k in range(60)]}
    other = "window.a = {b: 1, c: [2, 3]};\nrun(a);"
    html = f"<p>word</p><script type=application/ld+json>{json.dumps(data)}</script>"
    page = CuttableTree(f"{html}<script>{other}</script>")
    assert other in page.html()
    parts = [part for part in parts_of(parse_page(html)) if part.json]
    assert len(parts) == 1 + 3 + 60 * 2
    for group in page.kinds():
        while group:
            text = page.html(group).partition('ld+json">')[2].partition("</script>")[0]
            if text:
                assert isinstance(json.loads(text), dict)
            group = page.split(group)[0] if page.split(group) else ()


def test_a_page_that_does_not_show_the_fault_is_refused():
    with pytest.raises(
        InputError, match="this page does not show it: BTE loses “nowhere”; change the words"
    ):
        reduce_page("<p>a</p>", question("lost", words=("nowhere",)))


def test_reducing_stops_at_the_time_limit_with_a_page_that_shows_the_fault():
    asked = question("differs", against="dsc", least=12)
    reduced = reduce_page(sample("news"), asked, seconds=0.0)
    assert not reduced.is_least
    assert asked.is_shown(reduced.html)


@pytest.mark.slow
def test_two_versions_of_a_method_file_with_one_key_are_distinguished(tmp_path):
    html = f"{NAV}<p>{'word ' * 40}</p>\n<ul><li>One thing <li>Another thing</ul>\n"
    (tmp_path / "page.html").write_text(html)
    before = method_file(tmp_path, "before.py", KEEPS_ALL)
    after = method_file(tmp_path, "after.py", LOSES_LISTS)
    lost = "--lost", "Another thing", "--against", str(before), "--seconds", "300", "--jobs", "1"
    small = tmp_path / "small.html"
    done = typed("reduce", str(after), tmp_path / "page.html", *lost, "--out", small)
    assert done.returncode == 0, done.stderr
    assert "Another thing" in small.read_text()
    assert "word" not in small.read_text()
    report = (tmp_path / "small.html.md").read_text()
    assert f"pagelet compare {before} {after} page.html" in report
    same = typed("reduce", str(before), tmp_path / "page.html", *lost)
    assert "does not show it" in same.stderr


METHOD_THAT_ENDS_BADLY = """
import os, time
from algorithms.method import Method
from algorithms.params import Params
from algorithms.results import everything

def extract(source, params):
    if "<table" in source.html and "deep" in source.html:
        DOES
    return everything(source)

METHOD = Method("own", "Own", Params, "extraction", "me", on_source=extract)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("does", "words", "says"),
    [
        ("time.sleep(600)", ("--hangs", "1"), "Own takes more than 1 s"),
        ("os.abort()", ("--crashes",), "Own crashes the process it runs in"),
    ],
)
def test_a_hang_and_a_crash_of_a_method_are_reduced(tmp_path, does, words, says):
    method = tmp_path / "own.py"
    method.write_text(METHOD_THAT_ENDS_BADLY.replace("DOES", does))
    page, small = tmp_path / "page.html", tmp_path / "small.html"
    page.write_text("<p>word</p><table><tr><td>deep</table>")
    more = ("--jobs", "1", "--seconds", "600", "--out", small)
    done = typed("reduce", method, page, *words, *more)
    assert done.returncode == 0, done.stderr
    assert "deep" in small.read_text()
    assert "<table" in small.read_text()
    assert "word" not in small.read_text()
    assert says.removeprefix("Own ") in (tmp_path / "small.html.md").read_text().splitlines()[0]
    page.write_text("<p>word</p>")
    done = typed("reduce", method, page, *words, "--jobs", "1")
    assert (done.returncode, done.stdout) == (2, "")
    assert "this page does not show it" in done.stderr


@pytest.mark.slow
def test_the_time_to_load_a_method_does_not_count_as_a_hang(tmp_path):
    method = tmp_path / "own.py"
    method.write_text(
        METHOD_THAT_ENDS_BADLY.replace("import os, time", "import os, time; time.sleep(2)")
    )
    page = tmp_path / "page.html"
    page.write_text("<p>word</p>")
    done = typed("reduce", method, page, "--hangs", "1", "--jobs", "1")
    assert "this page does not show it" in done.stderr


def test_a_failure_is_identified_by_the_words_before_its_values():
    assert beginning('ValueError: no element "x" in line 12') == "ValueError: no element"
    assert beginning("17 is odd") == "17 is odd"


MARKUP = st.lists(
    st.sampled_from(["<p>", "</p>", "<div class=a>", "</div>", "<br>", "one two", "<b>x</b>",
                     "&amp;",
                     "<script>1 < 2</script>", "<a href='/?a=1&b=2'>"]), max_size=14,
).map("".join)  # fmt: skip


@settings(deadline=None)
@given(MARKUP)
def test_a_written_page_is_parsed_to_the_same_tree(html):
    once = write_page(parse_page(f"<p>start{html}"))
    assert write_page(parse_page(once)) == once


@pytest.mark.slow
def test_the_command_writes_the_page_and_a_report_with_a_command(tmp_path):
    page, out = tmp_path / "page.html", tmp_path / "small.html"
    page.write_text(sample("news"), encoding="utf-8")
    done = typed("reduce", "bte", page, "--against", "dsc", "--out", out, "--jobs", "1")
    assert done.returncode == 0, done.stderr
    assert "pages tried" in done.stderr
    text = (tmp_path / "small.html.md").read_text(encoding="utf-8")
    assert out.read_text(encoding="utf-8") in text
    assert "pagelet compare dsc bte page.html" in text
    done = typed("reduce", "bte", page)
    assert (done.returncode, done.stdout) == (2, "")
    assert "--lost, --kept, --against, --fails, --hangs or --crashes" in done.stderr


BROKEN_BY_MARKUP = """
from algorithms.method import Method
from algorithms.params import Params
from algorithms.results import everything

def extract(source, params):
    if source.html.count("</b><i") and source.html.endswith("<!--"):
        raise ZeroDivisionError("by nothing")
    return everything(source)

METHOD = Method("own", "Own", Params, "extraction", "me", on_source=extract)
"""


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_fault_of_broken_markup_is_reduced_as_text(tmp_path, jobs):
    method = tmp_path / "own.py"
    method.write_text(BROKEN_BY_MARKUP)
    page, small = tmp_path / "page.html", tmp_path / "small.html"
    page.write_text(f"{sample('news')}<p>a</p></b><i>word</b></i>{'<li>more ' * 40}<!--")
    done = typed(
        "reduce", method, page, "--fails", "--jobs", jobs, "--seconds", "300", "--out", small
    )
    assert done.returncode == 0, done.stderr
    assert small.read_text() == "</b><i<!--"


@given(st.text(alphabet="<>ab =\"'/!-\n"))
def test_joined_pieces_equal_the_page(html):
    assert "".join(pieces_of(html)) == html

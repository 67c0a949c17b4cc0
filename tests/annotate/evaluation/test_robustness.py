"""Changes that keep the content: they change no word, and their effect on methods is shown."""

import lxml.html
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.measures.text_words import normalise, words_of
from annotate.datasets.case_files import BesideFiles
from annotate.evaluation.report.pictures import Pictures
from annotate.evaluation.report.result_files import all_tables, groups_of
from annotate.evaluation.report.stability import stabilities, stability_table
from annotate.evaluation.robustness.perturbations import (
    PERTURBATIONS,
    choose_perturbations,
    declare,
    lengthen,
    lengthen_texts,
    minify,
    remove_advertisements,
    scramble_names,
    shuffle_attributes,
)
from annotate.evaluation.robustness.perturbed import PerturbedContent, PerturbedFiles, harm
from annotate.evaluation.run.plan import make_plan
from annotate.evaluation.run.run_options import EvaluationOptions
from annotate.evaluation.run.runner import carry_out
from annotate.library.evaluating import NullProgress
from annotate.marks import gold_file
from annotate.marks.gold import MAIN, Gold, Mark, MarkState, Target
from engine.document import plain_document
from engine.errors import InputError
from engine.source import Source
from gui.cli.main import main
from resources import path
from tests.annotate.evaluation.rows import row, scored, table_of
from tests.annotate.pages import page_of, row_of

OF_SOURCE = [each for each in PERTURBATIONS if each.html is not None]
FERRY = "the ferry came back this morning after nine long years at sea"
PAGES = ("blog", "forum", "news", "shop")


def words(html):
    return words_of(normalise(Source.from_text(html).text))


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("change", OF_SOURCE, ids=lambda each: each.key)
def test_changes_keep_the_words_of_the_sample_pages(change, name):
    html = (path("corpus") / name / "index.html").read_text(encoding="utf-8")
    changed = change.html(html)
    if change.text is not None:
        between_tags = " ".join(Source.from_text(html).words)
        assert change.text(between_tags) == " ".join(Source.from_text(changed).words)
    elif not change.takes_words:
        assert words(changed) == words(html)
    assert change.html(html) == changed  # the same each time


@pytest.mark.parametrize("change", OF_SOURCE, ids=lambda each: each.key)
def test_a_changed_page_can_be_read_in_the_encoding_it_is_written_in(change):
    html = '<meta charset="utf-8"><title>t</title><p>Äpfel – 数 &amp; 😀</p>'
    source = received(html, change.key)
    expected = "Äpfel – 数 & 😀"
    assert source.text.strip() == (expected if change.text is None else change.text(expected))


def received(html, key):
    """Return the page after a change, decoded as a browser does."""
    content = PerturbedContent(plain_document(html.encode()), key)
    page = content.receive()
    return Source.from_bytes(page.data, page.charset)


def test_in_another_encoding_the_files_beside_the_page_keep_theirs():
    html = (
        '<meta charset=utf-8><link rel="stylesheet" href="a.css"><link rel="icon" href="b.png">'
        "<link charset=gbk rel=stylesheet href=c.css><script src=d.js></script><script>e</script>"
    )
    assert declare(html, "utf-16") == (
        '<meta charset=utf-16><link charset="utf-8" rel="stylesheet" href="a.css">'
        '<link rel="icon" href="b.png"><link charset=gbk rel=stylesheet href=c.css>'
        '<script charset="utf-8" src=d.js></script><script>e</script>'
    )


def test_lengthened_texts_grow_by_a_third():
    html = (path("corpus") / "news" / "index.html").read_text(encoding="utf-8")
    before, after = words(html), words(lengthen_texts(html))
    assert 1.25 < len(after) / len(before) < 1.42
    assert lengthen_texts("<p>an apple<!-- an apple --><b title='an apple'>&lt; apple") == (
        f"<p>{lengthen('an apple')}<!-- an apple --><b title='an apple'>&lt; {lengthen('apple')}"
    )


def test_advertisements_are_removed_by_name_and_server_and_content_is_kept():
    html = (
        '<body class="ads"><article class="ad"><p>story</p></article>'
        '<div class="box ad-slot-1"><p>Buy!</p></div> after <div id="head">top</div>'
        '<ins class="adsbygoogle">x</ins><a href="//ad.doubleclick.net/x">click</a>'
        '<div class="advertisement"><h1>title</h1></div>'
    )
    assert words(remove_advertisements(html)) == ["story", "after", "top", "title"]
    assert remove_advertisements("<p class=bread>no ads") == "<p class=bread>no ads"


def test_only_words_outside_the_gold_may_be_removed():
    before = "buy now an apple is red buy"
    assert harm(before, "an apple is red", gold="an apple is red") == ""
    assert "1 words are gone" in harm(before, "an apple is", gold="an apple is red")
    assert "1 words are gone" in harm(before, "an apple is red", gold="buy an apple is red")
    assert "1 have come" in harm(before, "an apple is red new", gold="an apple is red")


CLASSED = (
    "<title>Ferry</title><div class=content><p>The ferry returned to the harbour this morning, "
    "after a night at sea, they said, and nobody on board had been hurt or lost.</p></div>"
    "<div class=sidebar><p>More news of the day: the bridge is closed until the spring of next "
    "year, the council said on Monday evening after a long and loud meeting.</p></div>"
)


def test_the_places_where_a_result_changes_are_printed(tmp_path, capsys):
    page = tmp_path / "page.html"
    page.write_text(CLASSED)
    assert main(["diff", "accb", str(page), "--perturb", "names"]) == 0
    first, last = capsys.readouterr().out.splitlines()
    assert first.startswith("-    24  The ferry returned to the harbour")
    assert last == "class and id names scrambled: 24 words less, 0 words more"
    assert main(["diff", "accb", str(page), "--perturb", "minified"]) == 0
    assert capsys.readouterr().out == "minified: 0 words less, 0 words more\n"
    assert main(["diff", "accb", str(page), "--perturb", "latin"]) == 2
    assert "--perturb of diff must be one of names, attributes" in capsys.readouterr().err


TEXTS = st.text(st.sampled_from("ab <>&\"'=/\n"), max_size=12)
VALUES = st.text(st.sampled_from("ab &'=/\n#"), max_size=12)
NAMES = st.sampled_from(["class", "id", "href", "data-x", "style", "title"])
TAGS = st.sampled_from(["p", "div", "a", "b", "li", "img", "script", "style", "pre"])


@st.composite
def documents(draw):
    parts = []
    for _ in range(draw(st.integers(0, 8))):
        tag = draw(TAGS)
        attributes = "".join(
            f' {draw(NAMES)}="{draw(VALUES)}"' for _ in range(draw(st.integers(0, 3)))
        )
        parts.append(draw(st.sampled_from([f"<{tag}{attributes}>", f"</{tag}>", draw(TEXTS)])))
    return "".join(parts)


@given(documents())
def test_other_names_and_orders_change_no_word_of_any_document(html):
    assert words(scramble_names(html)) == words(html)
    assert words(shuffle_attributes(html)) == words(html)


def test_names_are_changed_alike_in_attributes_references_and_style_sheets():
    html = '<style>.menu a,#top{color:red}</style><a href="#top" class="menu x">a</a><p id=top>b'
    changed = scramble_names(html)
    assert "menu" not in changed
    assert "top" not in changed
    (name,) = {
        changed.split('class="')[1].split()[0], changed.split("<style>.")[1].split()[0]
    }  # fmt: skip
    assert changed.split('href="#')[1].split('"')[0] == changed.split("id=")[1].split(">")[0]
    assert name.startswith("n")
    assert "color:red" in changed


def test_attributes_keep_their_values_in_another_order():
    html = '<a href="/x?a=1&b=2" title=\'a "b"\' class="c" id="d">text</a>'
    changed = shuffle_attributes(html)
    assert changed != html
    assert sorted(changed[2:].split(">")[0].split()) == sorted(html[2:].split(">")[0].split())


def test_preformatted_text_is_not_minified():
    html = "<p>a\n\n  b</p><!-- c --><pre>d\n\n  e</pre>\n\n<p>f"
    assert minify(html) == "<p>a b</p><pre>d\n\n  e</pre> <p>f"


def test_changes_are_named_by_key_and_unknown_ones_refused():
    assert [each.key for each in choose_perturbations("wrapped, names,wrapped")] == [
        "wrapped",
        "names",
    ]
    assert choose_perturbations("all") == PERTURBATIONS
    with pytest.raises(InputError, match="--perturb must be all or some of names"):
        choose_perturbations("nmes")
    with pytest.raises(InputError, match="--perturb is empty"):
        choose_perturbations(" ,")


def test_a_change_that_removes_or_adds_words_is_reported():
    assert harm("one two three", "three  one two") == ""
    assert harm("one two", "one three") == (
        "the change is not harmless here: 1 words are gone and 1 have come"
    )
    assert harm("a " * 100, "a " * 99, tolerated=0.02) == ""


@pytest.fixture
def results():
    """Return results of two methods on three pages before and after two changes, one harmful."""
    return table_of(
        scored({"alpha": [0.9, 0.8, 0.7], "beta": [0.6, 0.6, 0.6]})
        + scored({"alpha": [0.9, 0.8, 0.6], "beta": [0.6, 0.6, 0.6]}, dataset="news ~ names")
        + scored({"alpha": [0.5, 0.8, None], "beta": [0.6, 0.63, None]}, dataset="news ~ wrapped")
    )


def test_stability_is_the_mean_difference_of_scores_on_the_same_pages(results):
    (found,) = stabilities(results, groups_of(results))
    assert (found.dataset, found.measure.key, found.changes) == ("news", "ws", ("names", "wrapped"))
    steady, other = found.methods
    assert (steady.method, other.method) == ("beta", "alpha")
    assert other.mean("names") == pytest.approx(0.1 / 3)
    assert (other.mean("wrapped"), other.pages("wrapped")) == (pytest.approx(0.2), 2)
    assert steady.mean("wrapped") == pytest.approx(0.015)
    assert [(each.page, each.change) for each in found.drops] == [
        ("page1", "wrapped"), ("page3", "names")
    ]  # fmt: skip


def test_a_method_with_many_empty_pages_is_not_listed_as_the_steadiest():
    """A method that finds nothing before and after a change is not therefore stable."""

    def rows(dataset, first):
        full = scored({"full": [first, 0.8, 0.7]}, dataset=dataset)
        none = [row(f"page{k}", "none", "ws", 0.0, status="empty", dataset=dataset) for k in (1, 2)]
        return [*full, *none, *scored({"none": [None, None, 0.5]}, dataset=dataset)[2:]]

    found = table_of(rows("news", 0.9) + rows("news ~ names", 0.6))
    (stability,) = stabilities(found, groups_of(found))
    assert [(each.method, each.empty, each.scored) for each in stability.methods] == [
        ("full", 0, 3), ("none", 2, 3)
    ]  # fmt: skip
    text = stability_table(stability)
    assert "changes that leave the content" in text
    assert "no reader sees" not in text
    head, *lines = text.splitlines()[1:5]
    assert head.split()[:3] == ["method", "WS", "empty"]
    assert [line.split()[2] for line in lines[:2]] == ["0", "2"]


def test_the_tables_name_the_changes_that_a_reader_sees():
    rows = scored({"alpha": [0.9, 0.8]})
    for key in ("names", "styles", "longer"):
        rows += scored({"alpha": [0.9, 0.7]}, dataset=f"news ~ {key}")
    found = table_of(rows)
    text = all_tables(found, groups_of(found), {})
    styles = "styles (no layout, and what styles hide)"
    assert f"A reader sees {styles} and longer (every third word twice)." in text


def test_every_change_that_a_reader_sees_describes_it():
    """A reader sees a change if other elements are shown or other words written."""
    hidden = '<p>shown</p><p style="display:none">hidden</p>'
    for change in OF_SOURCE:
        changed = change.html(hidden)
        shows_more = hidden.count("display:none") > changed.count("display:none")
        says_other = words(changed) != words(hidden)
        assert change.seen or not (shows_more or says_other), change.key
    assert all(change.seen for change in PERTURBATIONS if change.html is None)


def test_tables_show_pages_as_they_are_and_one_table_of_changes(results):
    text = all_tables(results, groups_of(results), {})
    assert text.count("3 pages") == 1
    (stability,) = stabilities(results, groups_of(results))
    assert stability_table(stability) in text
    assert "0.900 → 0.500  alpha on page1: blocks wrapped" in text


@pytest.mark.slow
@pytest.mark.web
def test_pages_a_change_makes_worse_are_drawn_after_it_and_linked_in_the_report(tmp_path):
    asked = []

    def draw(requests, folder, _jobs, **_more):
        asked.extend(requests)
        folder.mkdir(parents=True)
        files = {each.picture_key: folder / f"{n}.png" for n, each in enumerate(requests)}
        for file in files.values():
            file.write_bytes(b"a picture")
        return Pictures(files)

    plan = make_plan(
        [str(path("corpus/forum"))], methods="gleaner", inputs="original",
        measures="bow", settings=[], perturb="names",
        options=EvaluationOptions(out=tmp_path, report="pictures"),
    )  # fmt: skip
    carry_out(plan, NullProgress(), draw)
    (after,) = (each for each in asked if each.key[0].endswith(" ~ names"))
    assert "before the change" in after.says
    changed = after.files.document().receive().data.decode()
    assert 'class="post' not in changed
    report = lxml.html.fromstring((tmp_path / "report.html").read_text())
    (link,) = report.xpath("//section[@id='robustness']//a/@href")
    assert link == f"pictures/{asked.index(after)}.png"


def test_marks_are_followed_to_their_place_after_a_change(tmp_path):
    body = f"<p id=one>{FERRY}</p><p>other</p>"
    page = page_of(body)
    path = tmp_path / "story.gold.json"
    (tmp_path / "story.html").write_text(page.source("dom").html, "utf-8")
    mark = Mark("m", 1, (Target(row_of(page.rendered(), "one")),), "Content")
    gold_file.write(path, page, Gold((mark,)))
    longer = page_of(lengthen_texts(body))
    files = BesideFiles(plain_document(tmp_path / "story.html"))
    assert [each.state for each in files.marks(longer).marks] == [MarkState.MOVED]
    followed = PerturbedFiles(files, "longer").marks(longer)
    assert [each.state for each in followed.sure.marks] == [MarkState.EXACT]


def test_a_gold_text_is_lengthened_like_its_page(tmp_path):
    page = page_of(f"<p id=one>{FERRY}</p><p>other</p>")
    (tmp_path / "story.html").write_text(page.source("dom").html, "utf-8")
    mark = Mark("m", MAIN, (Target(row_of(page.rendered(), "one")),))
    gold_file.write(tmp_path / "story.gold.json", page, Gold((mark,)))
    files = BesideFiles(plain_document(tmp_path / "story.html"))
    assert files.text(lambda: page) == FERRY
    assert PerturbedFiles(files, "longer").text(lambda: page) == lengthen(FERRY) != FERRY
    assert PerturbedFiles(files, "names").text(lambda: page) == FERRY

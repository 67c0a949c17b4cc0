"""Test opening pages, running methods, and scoring and drawing results."""

import pickle
from email.message import EmailMessage

import pagelet
import pytest

STORY = "<p>Tea is a drink of hot water and leaves, which people everywhere like to have at five."
PAGE = f"<title>Tea</title><nav><a href=x>Home</a> <a href=y>More</a></nav>{STORY}".encode()


def test_bytes_files_and_mhtml_are_opened_as_the_same_page(tmp_path):
    (tmp_path / "tea.html").write_bytes(PAGE)
    message = EmailMessage()
    message["Subject"] = "Tea"
    message["Snapshot-Content-Location"] = "https://example.org/tea"
    message.set_content(PAGE.decode(), subtype="html", cte="quoted-printable")
    message.make_related()
    message.add_related(b"img", "image", "png", cid="<1>")
    (tmp_path / "tea.mhtml").write_bytes(message.as_bytes())
    pages = [
        pagelet.open(PAGE),
        pagelet.open(tmp_path / "tea.html"),
        pagelet.open(tmp_path / "tea.mhtml"),
        pagelet.open((tmp_path / "tea.mhtml").read_bytes()),
    ]
    assert {page.run("bte").text for page in pages} == {STORY.removeprefix("<p>")}
    assert {page.title for page in pages} == {"Tea"}
    assert pages[2].document.home == "https://example.org/tea"


def test_missing_and_empty_files_are_refused_with_a_sentence(tmp_path):
    with pytest.raises(pagelet.InputError, match="no such file"):
        pagelet.open(tmp_path / "none.html")
    (tmp_path / "empty.mhtml").write_bytes(b"MIME-Version: 1.0\nContent-Type: multipart/related\n")
    with pytest.raises(pagelet.InputError, match="MHTML with 0 pages"):
        pagelet.open(tmp_path / "empty.mhtml")


def test_unknown_methods_parameters_and_inputs_are_refused():
    page = pagelet.open(PAGE)
    with pytest.raises(pagelet.InputError, match="did you mean bte"):
        page.run("bt")
    with pytest.raises(pagelet.InputError, match="tag_cost"):
        page.run("bte", tag_costs=2.0)
    with pytest.raises(pagelet.InputError, match="does not read the rendered page"):
        page.run("bte", input="rendered")


def test_parameters_are_passed_to_the_method():
    page = pagelet.open(PAGE)
    assert "Home" in page.run("bte", tag_cost=0.0).text
    assert "Home" not in page.run("bte", tag_cost=5.0).text


def test_an_extraction_is_scored_against_a_text_and_traced():
    result = pagelet.open(PAGE).run("bte")
    scores = result.score(STORY.removeprefix("<p>"))
    assert scores["cs"].value == 1.0
    assert "cs=1.000" in repr(scores)
    assert result.trace.kept.sum() == len(result.text.split())


def test_scores_of_a_page_without_gold_are_empty_with_the_reason():
    scores = pagelet.open(PAGE).run("bte").score()
    assert not scores
    assert "has no gold text to score by" in scores.why_none
    assert "has no gold text to score by" in repr(scores)


def test_runs_are_pickled_with_their_page():
    result = pagelet.open(PAGE).run("bte", tag_cost=2.0)
    again = pickle.loads(pickle.dumps(result))
    assert again.text == result.text
    assert again.setup == result.setup
    assert again.score("Tea is hot") == result.score("Tea is hot")


@pytest.mark.web
def test_segmentation_runs_are_pickled_with_their_blocks():
    page = pagelet.open(PAGE)
    result = page.run("vips", pdoc=6)
    assert result.blocks
    assert all(block.box[2] > 0 for block in result.blocks)
    again = pickle.loads(pickle.dumps(result))
    assert [block.text for block in again.blocks] == [block.text for block in result.blocks]
    assert again.page.rendered.nodes.names == page.rendered.nodes.names


@pytest.mark.web
def test_blocks_are_scored_against_the_gold_of_a_sample_page():
    case = pagelet.dataset(pagelet.samples())[0]
    scores = case.page.run("webterrain").score()
    assert 0.0 < scores["fuzzy"].value <= 1.0
    assert case.gold.blocks


@pytest.mark.web
def test_notebooks_show_an_inert_picture_with_marks():
    hostile = b"<title><script>alert(1)</script></title><h1>Tea</h1><p>Tea is a hot drink of leaves"
    for shown in (pagelet.open(hostile), pagelet.open(hostile).run("webterrain")):
        html = shown._repr_html_()
        assert "data:image/jpeg;base64," in html
        assert "<script" not in html
    assert "<rect" in html
    extraction = pagelet.open(PAGE).run("bte")._repr_html_()
    assert extraction.count("<rect") == 1


def scored(text, gold):
    page = f"<meta charset=utf-8><p>{text}".encode()
    return pagelet.open(page).run("plain").score(gold, "all")


def test_hindi_words_that_differ_in_their_vowel_signs_are_not_identical():
    scores = scored("का की कु", "के को कं")
    assert [scores[key].value for key in ("ws", "bow", "identical", "shingles")] == [0] * 4
    assert "cetr" not in scores  # by places there is no score: no word of gold is on the page


def test_soft_hyphens_and_combining_accents_do_not_change_words():
    scores = scored("co\u00adoperate e\u0301te\u0301 b c d", "cooperate été b c d")
    # without a list, a table or a link there is nothing to compare in them
    assert {scores[key].value for key in scores} - {None} == {1}
    assert scores["structure-words"].value == 1


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda page: page.run("bte").score("tea", word_unit="letters"), "word_unit must be"),
        (lambda page: page.run("bte").score(5), "gold must be a text or the gold of a page"),
        (lambda page: page.run("bte", tag_cost="x"), "tag_cost must be a number, got 'x'"),
        (lambda page: page.run("bte", tag_cost=True), "tag_cost must be a number, got True"),
        (lambda page: page.run("plain", controls="no"), "controls must be True or False, got 'no'"),
        (lambda page: pagelet.open(""), "the address of the page is empty"),
        (lambda page: pagelet.open(b" "), "the page is empty"),
    ],
)
def test_arguments_of_the_wrong_type_are_refused_with_a_sentence(ask, sentence):
    with pytest.raises(pagelet.InputError, match=sentence):
        ask(pagelet.open(b"<p>tea"))


@pytest.mark.web
def test_zero_bytes_within_words_are_dropped_as_in_the_browser():
    page = pagelet.open(b"<title>t</title><p>at fi\0ve o'clock<p>te\0a")
    for name in ("original", "dom"):
        run = page.run("plain", input=name)
        assert run.text == "at five o'clock\ntea"
        assert run.score("at five o'clock tea")["ws"].value == 1.0
    assert page.run("resiliparse").text.split() == ["at", "five", "o'clock", "tea"]

"""The snippet test: phrases that a text must and must not contain."""

from hypothesis import given
from hypothesis import strategies as st

from algorithms.measures.snippets import SnippetCounts, Snippets, count_snippets, score_page

FERRY = Snippets(("The ferry came back", "at noon"), ("Subscribe now", "Home", "Next story"))


def test_snippets_are_counted_where_they_belong():
    counts = count_snippets("Home. The ferry came back late.", FERRY)
    assert counts == SnippetCounts(present=1, missed=1, leaked=1, avoided=2)
    assert (counts.precision, counts.required_share, counts.f1) == (1 / 2, 1 / 2, 1 / 2)


def test_white_space_does_not_matter_and_letter_case_only_if_asked():
    text = "the ferry\n\u00a0came\tback"
    assert count_snippets(text, FERRY).present == 0
    assert count_snippets(text, FERRY, ignore_case=True).present == 1
    assert count_snippets("The ferry came\n back", FERRY).present == 1


def test_an_empty_text_holds_nothing_and_blank_snippets_do_not_count():
    assert count_snippets("", FERRY) == SnippetCounts(missed=2, avoided=3)
    assert count_snippets("", FERRY).precision is None
    assert count_snippets("any", Snippets((" ",), ("",))) == SnippetCounts()


def test_a_page_without_snippets_has_no_share():
    nothing = count_snippets("any", Snippets((), ()))
    assert (nothing.precision, nothing.required_share, nothing.f1) == (None, None, None)
    assert score_page("any", None).value is None


@given(
    st.lists(st.sampled_from(["a b", "b", "c", "C", " "]), max_size=5),
    st.lists(st.sampled_from(["a b", "d", "c"]), max_size=5),
    st.text("abcd C\n", max_size=20),
)
def test_every_snippet_with_text_is_counted_once(wanted, unwanted, text):
    snippets = Snippets(tuple(wanted), tuple(unwanted))
    counts = count_snippets(text, snippets)
    assert counts.present + counts.missed == sum(bool(each.strip()) for each in wanted)
    assert counts.leaked + counts.avoided == len(unwanted)
    assert count_snippets(text, snippets, ignore_case=True).present >= counts.present
    everything = count_snippets(" | ".join([*wanted, text]), snippets)
    assert everything.missed == 0

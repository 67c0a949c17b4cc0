"""Test names, quotes, counts and lists in messages."""

from pathlib import PurePosixPath

import pytest

from engine.words import (
    MOST_LABEL,
    cut_text,
    join_words,
    no_such,
    plural,
    quote_start,
    sentence,
    shorten,
    told_apart,
)


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (["/a/x", "/b/x", "/c/y", "/a/x"], ["a/x", "b/x", "y", "a/x"]),
        (["/a/x/d", "/b/x/d", "/c/d"], ["a/x/d", "b/x/d", "c/d"]),
        (["/b/a/x", "/a/x"], ["b/a/x", "//a/x"]),
        ([], []),
    ],
)
def test_paths_are_shortened_as_far_as_they_stay_distinct(paths, names):
    assert told_apart([PurePosixPath(path).parts for path in paths]) == names


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Town  council", "“Town council”"),
        ("“That was the day", "“That was the day"),
        ("she said, „nein“", "she said, „nein“"),
        ("'t was late", "'t was late"),
        ("", "“”"),
    ],
)
def test_quoted_text_is_not_quoted_again(text, wanted):
    assert quote_start(text) == wanted


def test_shortened_text_ends_with_an_ellipsis():
    assert shorten("the  ferry came back", 10) == "the ferry…"
    assert shorten("the ferry\ncame", 14) == "the ferry came"
    assert quote_start("the ferry came back", 10) == "“the ferry…”"


def test_a_text_of_millions_of_letters_is_shortened_to_a_label():
    assert len(shorten("T" * 17_000_000)) == MOST_LABEL
    assert shorten(" " * 1_000_000 + "late").endswith("…")
    assert cut_text("two\nlines") == "two\nlines"
    assert cut_text("\U0001f40c" * 9, 4) == "\U0001f40c" * 3 + "…"


def test_nouns_agree_with_their_count():
    assert [plural(count, "page") for count in (0, 1, 2)] == ["0 pages", "1 page", "2 pages"]
    assert plural(12_345, "entry", "entries") == "12,345 entries"


def test_words_are_listed_with_commas_and_a_conjunction():
    assert [join_words(["a", "b", "c"][:count]) for count in range(4)] == [
        "",
        "a",
        "a and b",
        "a, b and c",
    ]
    assert join_words(["a", "b"], "or") == "a or b"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("there is no page here", "There is no page here"),
        ("ben.pagelet: 4 marks added", "ben.pagelet: 4 marks added"),
        ("pages/a: no such folder", "pages/a: no such folder"),
        ("https://example.org/ does not answer", "https://example.org/ does not answer"),
        ("stopped.", "Stopped."),
        ("", ""),
    ],
)
def test_sentences_are_capitalised_but_file_names_are_not(text, wanted):
    assert sentence(text) == wanted


def test_an_unknown_name_suggests_the_close_one_all_or_the_nearest_three():
    few, many = ["plain", "bte"], [f"method-{number}" for number in range(40)]
    assert no_such("method", "BTE", few) == "unknown method 'BTE'; did you mean bte?"
    assert no_such("method", "x", few, "run list") == "unknown method 'x'; choose from plain, bte"
    text = no_such("method", "x", many, "run list")
    assert text.startswith("unknown method 'x'; the nearest are method-")
    assert text.count("method-") == 3
    assert text.endswith("; run list lists all")

"""Gleaner keeps the parts of what it keeps, and leaves out consent texts and other pages."""

import numpy as np
import pytest

from algorithms.extraction.gleaner import gleaner
from algorithms.extraction.gleaner.asides import consent, other_pages
from algorithms.extraction.gleaner.completion import complete_blocks
from algorithms.extraction.gleaner.expected_f1 import KeptBlocks
from algorithms.extraction.gleaner.text_runs import text_runs
from engine.source import Source

TEXT = (("article", 1.0),)
LONG = (
    "The keepers of the gate write down the level of the river twice a day, at noon and in the "
    "evening, and ring the bell when it rises above the mark on the wall of the mill."
)


def completed_texts(html, kept, likely=0.3, types=TEXT):
    """Return the texts of blocks that are kept where the given ones are, and others are likely."""
    source = Source.from_text(f"<!doctype html><title>x</title><body>{html}")
    texts = text_runs(source).texts
    is_kept = np.array([text in kept for text in texts])
    chance = np.where(is_kept, 0.9, likely)
    choice = KeptBlocks(is_kept, 1.0, 0.5, chance, np.zeros(len(texts), dtype=bool))
    return [
        text
        for text, has in zip(texts, complete_blocks(source, choice, chance, types), strict=True)
        if has
    ]


def blocks(html, find):
    source = Source.from_text(html)
    return {text for text, has in zip(text_runs(source).texts, find(source), strict=True) if has}


# Parts ----------------------------------------------------------------------------------------

TABLE = "<table>{}</table>"
PRE = "<pre>npm add gauge</pre>"
FIGURE = "<figure><img src=a.jpg><figcaption>The weir</figcaption></figure>"
ROW = "<tr><td>Sloop<td>X<td>?<td>yes<tr><td>Tug<td>X<td>no<td>X"


@pytest.mark.parametrize(
    "head",
    ["<tr><th>Boat<th>Bay<th>Sound<th>Night", "<thead><tr><td>Boat<td>Bay<td>Sound<td>Night"],
)
def test_a_kept_row_keeps_its_short_cells(head):
    heads = ["Boat", "Bay", "Sound", "Night"]
    html = f"<p>{LONG}</p>{TABLE.format(head + ROW)}"
    kept = completed_texts(html, [LONG, *heads, "Sloop"], 0.2)
    assert kept[:9] == [LONG, *heads, "Sloop", "X", "?", "yes"]
    assert "X" not in completed_texts(html, [LONG, *heads, "Sloop"], 0.1)
    listing = completed_texts(html, [LONG, *heads, "Sloop"], 0.2, (("listing", 1.0),))
    assert "X" not in listing  # beside what gold has of a list, its tables are often left out


@pytest.mark.parametrize(
    "html",
    [
        f"<div>{PRE}<button>Copy</button></div><p>or</p><div><pre>yarn gauge</pre></div>",
        f"<div role=tabpanel>{PRE}</div>or<div role=tabpanel hidden><pre>yarn gauge</pre></div>",
        f"<ol><li>{PRE}<li>or<li><pre>yarn gauge</pre></ol>",
    ],
)  # fmt: skip
def test_code_that_follows_kept_code_is_kept_with_the_word_between(html):
    found = completed_texts(f"<p>{LONG}</p>{html}", [LONG, "npm add gauge"])
    assert found == [LONG, "npm add gauge", "or", "yarn gauge"]
    assert "Copy" not in found


def test_a_list_that_follows_kept_text_in_one_element_is_kept():
    items = "<ul><li>Read the gauge<li>Ring the bell</ul>"
    expected = [LONG, "Read the gauge", "Ring the bell"]
    assert completed_texts(f"<div><p>{LONG}</p>{items}</div>", [LONG]) == expected
    framed = f"<div><p>{LONG}</p><nav>{items}</nav></div>"
    assert completed_texts(framed, [LONG]) == [LONG]
    assert completed_texts(f"<div><p>{LONG}</p>{items}</div>", [LONG], 0.1) == [LONG]


@pytest.mark.parametrize(
    "html",
    [
        f"<p>{{0}}</p>{FIGURE}<p>{{1}}</p>",
        f"{FIGURE}<p>{{0}}</p><p>{{1}}</p>",
        f"<div style='display:none'>A barrier</div>{FIGURE}<p>{{0}}</p><p>{{1}}</p>",
    ],
)  # fmt: skip
def test_the_caption_of_a_picture_beside_kept_text_is_kept(html):
    other = LONG.replace("gate", "ferry")
    found = completed_texts(f"<article>{html.format(LONG, other)}</article>", [LONG, other], 0.1)
    assert "The weir" in found
    apart = f"<article><p>{LONG}</p></article><aside>{html.format('a', 'b')}</aside>"
    assert "The weir" not in completed_texts(apart, [LONG], 0.1)


def test_short_answers_of_a_thread_of_which_most_is_kept_are_kept():
    box = "<div class=comment><a class=author>{}</a><div class=comment-body><p>{}</div></div>"
    html = "".join(
        box.format(*each) for each in (("anna", LONG), ("ben", "Same."), ("cara", "Hemp"))
    )
    assert completed_texts(html, [LONG], 0.2) == [LONG, "Same.", "Hemp"]
    assert completed_texts(html, ["Same."], 0.2) == ["Same."]


# Beside ---------------------------------------------------------------------------------------

ASKS = (
    "We use cookies and ask for your consent to read information on your device, together with "
    "our partners, so that advertising can be measured and the page be made better for you."
)
FRAGT = (
    "Wir und unsere Partner verwenden Cookies und verarbeiten personenbezogene Daten, auch auf "
    "Grundlage berechtigter Interessen; Ihre Einwilligung ist freiwillig und jederzeit widerrufbar."
)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        (ASKS, "<button>Accept all</button><button>Reject</button>"),
        (FRAGT, "<a href=#>Alle akzeptieren</a>"),
        (ASKS, "<div><label>Only necessary</label></div>"),
        (ASKS, "<button>Confirm my choices</button><button>Allow all</button>"),
    ],
)
def test_a_text_that_asks_for_consent_is_found_by_its_words(text, answer):
    page = f"<!doctype html><title>Gate</title><main><h1>Gate</h1><p>{LONG}</p></main>"
    asked = f"<div id=q7><div><p>{text}</p>{answer}</div></div>"
    found = blocks(page + asked, consent)
    assert text in found
    assert LONG not in found
    text_of_page = gleaner.extract(Source.from_text(page + asked), gleaner.GleanerParams()).text
    assert LONG in text_of_page
    assert text not in text_of_page
    assert not blocks(page + f"<div><p>{text}</p></div>", consent)  # nothing answers it
    policy = page.replace("Gate</title>", "Cookie policy</title>")
    assert not blocks(policy + asked, consent)
    assert not blocks(f"<main><h1>a</h1><p>{text}</p>{answer}</main>", consent)


CARDS = "".join(
    f"<div><a href=/p/{k}><h3>How the {name} was built</h3></a><span>{k} min</span></div>"
    for k, name in enumerate(("mole", "lamp", "tower", "ferry"), 2)
)


@pytest.mark.parametrize("heading", ["Related Posts", "You might also like", "Weitere Artikel"])
def test_links_to_other_pages_below_a_heading_that_says_so_are_found(heading):
    def found(html):
        def find(source):
            return other_pages(source, np.ones(len(text_runs(source)), dtype=bool))

        return blocks(f"<p>{LONG}</p><p>{LONG} Then the boats leave.</p>{html}", find)

    cards = {f"How the {name} was built" for name in ("mole", "lamp", "tower", "ferry")}
    minutes = {f"{k} min" for k in (2, 3, 4, 5)}
    assert found(f"<h3>{heading}</h3>{CARDS}") == {heading} | cards | minutes
    assert not found(f"<h3>The harbour</h3>{CARDS}")
    assert not found(f"<h3>{heading}</h3><p>{LONG}</p>{CARDS}")
    assert not found(f"<h3>{heading}</h3><a href=/a>How the mole was built</a>")

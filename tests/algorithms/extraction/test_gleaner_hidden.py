"""Gleaner leaves out what the source itself hides, unless something brings it up."""

import numpy as np
import pytest

from algorithms.extraction.gleaner.gleaner import GleanerParams, extract
from algorithms.extraction.gleaner.hidden import without_hidden
from engine.source import Source

SHOWN = "Small craft stay in the harbour until noon and the ferry sails as usual today"
OTHER = "This paragraph was meant for another newspaper and for none of its readers here"


def left(page):
    source = Source.from_text(page)
    kept = without_hidden(source, np.ones(source.tokens.words.size, dtype=bool))
    return " ".join(word for word, is_kept in zip(source.words, kept, strict=True) if is_kept)


@pytest.mark.parametrize(
    "hides",
    ["hidden", 'hidden=""', "style='display: none'", "style='color:red;visibility:hidden;'",
     "style='display:none !important'"],
)  # fmt: skip
def test_what_the_source_hides_is_left_out(hides):
    assert left(f"<p>{SHOWN}</p><p {hides}>{OTHER}</p>") == SHOWN
    assert left(f"<p>{SHOWN} <span {hides}>70 SAR</span> 5</p>") == f"{SHOWN} 5"


@pytest.mark.parametrize(
    "page",
    [
        "<p>{0}</p><div hidden=until-found>{1}</div>",
        "<p>{0}</p><div style='overflow:hidden;display:block'>{1}</div>",
        "<p>{0} <span style='display:none'><math><mtext>{1}</mtext></math></span></p>",
        "<p>{0}</p><div role=tabpanel hidden>{1}</div>",
        "<p>{0}</p><div class=accordion-body style='display:none'>{1}</div>",
        "<p>{0}</p><h3>When does it sail?</h3><div style='display:none'>{1}</div>",
        "<p>{0}</p><p hidden id=n1>{1}</p><a href='#n1'></a>",
        "<p>{0}</p><p hidden id='n1'>{1}</p><button aria-controls='n1'></button>",
        '<p>{0}</p><p hidden id="S:0">{1}</p><script>move("B:0", "S:0")</script>',
    ],
)
def test_what_a_reader_or_a_script_opens_stays(page):
    assert OTHER in left(page.format(SHOWN, OTHER))


def test_a_page_whose_text_is_all_hidden_keeps_it():
    assert left(f"<body style='visibility:hidden'><p>{SHOWN}") == SHOWN
    assert left(f"<h1>Pier</h1><p hidden>{SHOWN}</p>").endswith(SHOWN)


def test_gleaner_says_nothing_that_the_source_hides():
    shown = "".join(f"<p>{SHOWN}, said keeper number {number}.</p>" for number in range(4))
    page = f"<h1>Pier</h1>{shown}<p hidden>{OTHER}.</p>"
    text = extract(Source.from_text(page), GleanerParams()).text
    assert SHOWN in text
    assert OTHER not in text
    assert OTHER in extract(Source.from_text(page.replace(" hidden", "")), GleanerParams()).text

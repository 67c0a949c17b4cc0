"""Annotations of the W3C and of Hypothesis: selectors, addresses, replies."""

import json

import pytest

from annotate.marks.gold import MAIN, MarkState
from tests.annotate.pages import page_of
from tests.plugins.exchange.mark_files import (
    BODY,
    QUOTE,
    XPATH,
    annotation,
    imported,
    quotes,
    refined,
)


@pytest.fixture(scope="module")
def page():
    return page_of(BODY, url="https://example.org/story.html")


@pytest.mark.parametrize(
    ("selector", "expected"),
    [
        (XPATH, "the ferry came back this morning after nine years"),
        ({"type": "XPathSelector", "value": "//p[@id='menu']"}, "home news about"),
        ({"type": "CssSelector", "value": "#two > b.town"}, "town"),
        ({"type": "FragmentSelector", "value": "title"}, "Ferry and quay"),
        ({"type": "FragmentSelector", "value": ":~:text=nine%20years"}, "nine years"),
        (refined(XPATH, QUOTE), "ferry"),
        (refined(XPATH, {"type": "TextPositionSelector", "start": 4, "end": 9}), "ferry"),
        (refined({"type": "CssSelector", "value": "#two"}, {"type": "CssSelector", "value": "b"}),
         "town"),
        ({"type": "RangeSelector", "startSelector": XPATH, "endSelector":
          refined(XPATH, {"type": "TextPositionSelector", "start": 9, "end": 9})}, "the ferry"),
        ({"type": "RangeSelector", "startContainer": "/div[2]/p[2]", "startOffset": 4,
          "endContainer": "/div[2]/p[2]", "endOffset": 12}, "the town"),
    ],
)  # fmt: skip
def test_selectors_of_the_specification_find_their_text(selector, expected, page, tmp_path):
    marks, account = imported(page, tmp_path, "webannotation", annotation(selector))
    assert quotes(page, marks) == [expected]
    assert marks[0].state is MarkState.EXACT
    assert account.taken == 1


def test_a_text_position_without_a_quote_must_be_confirmed(page, tmp_path):
    position = {"type": "TextPositionSelector", "start": 16, "end": 21}
    marks, account = imported(page, tmp_path, "webannotation", annotation(position))
    assert marks[0].state is MarkState.MOVED
    assert (account.taken, account.moved) == (0, 1)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (annotation({"type": "SvgSelector", "value": "<svg/>"}), "SvgSelector"),
        (annotation({"type": "DataPositionSelector", "start": 1, "end": 2}), "in bytes"),
        (annotation(target="https://example.org/story.html"), "about the whole page"),
        (annotation(target={"id": "https://example.org/story.html"}), "about the whole page"),
        (annotation(target={"type": "List", "items": ["https://example.org/story.html"]}),
         "about the whole page"),
        (annotation(QUOTE, id=["a", "b"]), "one address"),
        (annotation(QUOTE, id="not a uri"), "one address"),
        (annotation(target=[]), "no target"),
        (annotation({"type": "FragmentSelector"}), "no value"),
        (annotation({"type": "FragmentSelector", "value": "xywh=1,2,3,4"}), "no element"),
    ],
)  # fmt: skip
def test_annotations_that_mark_no_text_are_reported(content, reason, page, tmp_path):
    _, account = imported(page, tmp_path, "webannotation", content)
    assert (account.taken, account.found) == (0, 1)
    assert reason in account.sentence()


def test_rows_of_hypothesis_are_read_and_replies_are_passed_over(page, tmp_path):
    target = {"source": "https://example.org/story.html", "selector": [QUOTE]}
    uri = "https://example.org/story.html"
    content = {
        "total": 2,
        "rows": [
            {"id": "a", "uri": uri, "text": "", "target": [target]},
            {"id": "b", "uri": uri, "references": ["a"], "target": [{"source": uri}]},
        ],
    }
    target["selector"][0] = QUOTE | {"prefix": "the "}
    marks, account = imported(page, tmp_path, "webannotation", content)
    assert [mark.level for mark in marks] == [MAIN]
    assert account.passed["a reply to another annotation"] == 1


def test_a_damaged_selector_does_not_hide_the_others(page, tmp_path):
    broken = {"type": "RangeSelector", "startContainer": 3}
    marks, account = imported(page, tmp_path, "webannotation", annotation(broken, QUOTE))
    assert quotes(page, marks) == ["ferry"]
    assert account.taken == 1


def test_a_quote_without_spaces_between_cells_in_its_context_is_exact(tmp_path):
    page = page_of("<p>x</p><table><tr><td>tea is</td><td>hot and green and bitter</td>"
                   "<td>cake</td></tr></table>", url="https://example.org/story.html")  # fmt: skip
    quote = {"type": "TextQuoteSelector", "exact": "hot and green and bitter",
             "prefix": "x\ntea is", "suffix": "cake"}  # fmt: skip
    marks, account = imported(page, tmp_path, "webannotation", annotation(quote))
    assert marks[0].state is MarkState.EXACT
    assert account.taken == 1


def test_a_similar_or_repeated_quote_without_context_must_be_confirmed(page, tmp_path):
    nearly = {"type": "TextQuoteSelector", "exact": "the ferry came back this evening after nine"}
    twice = {"type": "TextQuoteSelector", "exact": "the"}
    gone = {"type": "TextQuoteSelector", "exact": "an airship landed in the market square at noon"}
    items = [annotation(each) for each in (nearly, twice, gone)]
    marks, account = imported(page, tmp_path, "webannotation", items)
    assert (
        account.sentence() == "3 marks found: 0 taken; 2 to be confirmed; 1 lost: not on the page"
    )
    assert quotes(page, marks)[1] == "the"


def test_offsets_of_range_selectors_are_counted_in_utf_16(tmp_path):
    page = page_of("<p>\U0001f6a2 the ferry and the ferry</p>", "https://example.org/story.html")
    ends = {"startContainer": "/p[1]", "startOffset": 7, "endContainer": "/p[1]", "endOffset": 12}
    range_ = {"type": "RangeSelector"} | ends
    marks, _ = imported(page, tmp_path, "webannotation", annotation(range_, QUOTE))
    assert (quotes(page, marks), marks[0].targets[0].start) == (["ferry"], 6)


@pytest.mark.parametrize(
    "source",
    ["http://example.org/story.html", "https://example.org/story.html#top", "file:///a/story.html"],
)
def test_annotations_match_addresses_with_another_scheme_or_a_fragment(source, page, tmp_path):
    target = {"source": source, "selector": QUOTE}
    _, account = imported(page, tmp_path, "webannotation", annotation(target=target))
    assert account.found == account.taken == 1


def test_annotations_in_json_lines_and_a_single_row_of_hypothesis_are_read(page, tmp_path):
    uri = "https://example.org/story.html"
    row = {"id": "a", "uri": uri, "target": [{"source": uri, "selector": [QUOTE]}]}
    _, account = imported(page, tmp_path, "webannotation", row)
    assert account.taken == 1
    lines = f"{json.dumps(row)}\n{{damaged\n{json.dumps(row)}\n"
    _, account = imported(page, tmp_path, "webannotation", lines, "story.jsonl")
    assert (account.taken, account.found) == (2, 3)

"""Gold in a page's own markup: it is read, and removed without another change."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.datasets.labels import Labels, labelled_text, without_labels
from engine.source import Source

MARK = re.compile("data-gold")
LABELS = Labels(
    re.compile("data-gold|gold-", re.IGNORECASE),
    attributes=frozenset(["data-gold"]),
    classes=re.compile("gold-.*"),
    elements=frozenset(["gold-wrap"]),
    wrapper="span",
)


def says(attributes):
    return {"1": True, "0": False}.get(attributes.get("data-gold"))


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p data-gold=1>a <b data-gold=0>b <i data-gold=1>c</i></b> d</p>e", "a c d"),
        ("<div data-gold=1><p>a</p><p>b<br>c</p></div>", "a\nb\nc"),
        ("<p data-gold=1>fe<b>rry</b></p>", "ferry"),
        ("<p data-gold=0>a</p>", ""),
        ("<p data-gold=2>a</p>", None),
        ("<p>data-gold=1</p><!-- <p data-gold=1>a --><script>'<p data-gold=1>'</script>", None),
        ("<p title='<b data-gold=1>'>a</p>", None),
        ("", None),
        ("<P DATA-GOLD='1'>Caf&eacute; &amp; bar</P>", None),  # the hint is case-sensitive here
        ("<p data-gold='1'>Caf&eacute; &amp; bar", "Café & bar"),
    ],
)
def test_the_innermost_label_decides_whether_a_text_is_gold(html, text):
    assert labelled_text(Source.from_text(html), MARK, says) == text


@pytest.mark.parametrize(
    ("html", "clean"),
    [
        ('<p data-gold="1" id=a>x</p>', "<p id=a>x</p>"),
        ("<p id='a' data-gold>x</p>", "<p id='a'>x</p>"),
        ("<p data-gold=1>x", "<p>x"),
        ("<br data-gold=1 />", "<br />"),
        ('<a rel=" x " =" " data-gold=1>x</a>', '<a rel=" x " =" ">x</a>'),
        ("<a b'c data-gold=1 d=>x</a>", "<a b'c d=>x</a>"),
        ("<p title='data-gold=1' DATA-gold=1>x</p>", "<p title='data-gold=1'>x</p>"),
        ('<p class="gold-a lead  gold-b big">x</p>', '<p class="lead big">x</p>'),
        ('<p class="gold-a">x</p>', "<p>x</p>"),
        ('<p class="marigold-a">x</p>', '<p class="marigold-a">x</p>'),
        ("<p><span data-gold=1>x <b>y</b></span></p>", "<p>x <b>y</b></p>"),
        ("<p><span data-gold=1>x</p>y", "<p>x</p>y"),
        ("<span data-gold=1><span data-gold=0>x</span></span>", "x"),
        ("<span id=a data-gold=1>x</span>", "<span id=a>x</span>"),
        ("<span>x</span><b data-gold=1>y</b>", "<span>x</span><b>y</b>"),
        ("<p>a <gold-wrap data-gold=1>x</gold-wrap></p></gold-wrap>", "<p>a x</p>"),
        ("<!-- <p data-gold=1> --><script>'<p data-gold=1>'</script>",
         "<!-- <p data-gold=1> --><script>'<p data-gold=1>'</script>"),
        ("a < b data-gold=1 > c", "a < b data-gold=1 > c"),
        ("", ""),
    ],
)  # fmt: skip
def test_only_labels_are_removed_from_the_markup(html, clean):
    assert without_labels(html, LABELS) == clean


PIECES = st.sampled_from([
    "<p data-gold=1>", "<span data-gold='0'>", "<span>", "</span>", "</p>", '<i class="gold-a b">',
    "</i>", "<gold-wrap>", "</gold-wrap>", "word ", "<br data-gold>", "&amp;", "<", "<!-- x -->",
])  # fmt: skip


@given(st.lists(PIECES, max_size=12).map("".join))
def test_removing_labels_keeps_the_words_and_leaves_no_label(html):
    clean = without_labels(html, LABELS)
    before, after = Source.from_text(html), Source.from_text(clean)
    assert "".join(after.words) == "".join(before.words)
    assert without_labels(clean, LABELS) == clean
    tags = after.tokens
    remaining = [
        clean[a:b] for a, b in zip(tags.start[tags.is_tag], tags.end[tags.is_tag], strict=True)
    ]
    assert not any("gold" in tag for tag in remaining)

"""elISA: rules compiled by stylesheet, labels inherited, broken files reported by line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from algorithms.plugins.elisa.elisa import ElisaParams, extract
from algorithms.plugins.elisa.page_xml import as_xml, build_tree
from algorithms.plugins.elisa.rule_sheets import compile_sheet, labels
from engine.errors import InputError, ParameterError
from engine.source import Source

LOGO = """<RULES>
  <RULE context="IMG">
    <CALL name="Address" select="./@src"/>
    <CHECK>
      <WHENEVER test="contains(lc($Address),'logo') or contains(lc($Address),'home')">
        <SET attr="border">3</SET>
        <SET attr="elISAtype">"logo"</SET>
      </WHENEVER>
      <OTHERWISE><SET attr="elISAtype">"content"</SET></OTHERWISE>
    </CHECK>
  </RULE>
</RULES>"""


def labelled(html, rules):
    source = Source.from_text(html)
    return {source.tree.name_of(row): label for row, label in labels(source, rules).items()}


def rule(context, test, label):
    return (
        f'<RULE context="{context}"><CHECK><WHENEVER test="{test}">'
        f'<SET attr="elISAtype">"{label}"</SET></WHENEVER></CHECK></RULE>'
    )


def test_a_rule_in_the_form_of_the_thesis_labels_logos():
    assert labelled("<img src='/LOGO.png'>", LOGO) == {"img": "logo"}
    assert labelled("<p><img src='/photo.png'>", LOGO) == {"img": "content"}
    assert labelled("<p>no image", LOGO) == {}


def test_later_rules_overrule_earlier_ones():
    both = rule("P", "true()", "content") + rule("*", "@id='x'", "form")
    assert labelled("<p id=x>a", f"<RULES>{both}</RULES>") == {"p": "form"}


@pytest.mark.parametrize(
    ("test", "holds"),
    [
        ("letters(.) = 7", True),
        ("words(.) = 3", True),
        ("@letters = 7 and @words = 3", True),
        ("@links = 1 and @linked = 2", True),
        ("@own = 5 and @ownlinked = 2", True),
        ("@paragraphs = 2", True),
        ("letters(P) = 2 and letters(A) = 2 and letters('a b') = 2", True),
        ("contains(@names, 'side')", True),
        ("lc(@class) = 'side bar'", True),
        ("letters(UL) &gt; 0", False),
    ],
)
def test_rules_test_letters_words_links_and_names_of_an_element(test, holds):
    html = "<div class='Side Bar'>abc <a href=x>de</a><p>fg</p></div>"
    result = labelled(html, f"<RULES>{rule('DIV', test, 'yes')}</RULES>")
    assert result == ({"div": "yes"} if holds else {})


def test_a_label_is_inherited_until_a_descendant_gets_another(tmp_path):
    path = tmp_path / "mine.xml"
    path.write_text(f"<RULES>{rule('DIV', 'true()', 'content')}{rule('UL', '1', 'menu')}</RULES>")
    html = "out<div>in <b>deep</b><ul><li>menu</ul></div>"
    assert extract(Source.from_text(html), ElisaParams(rules=str(path))).text == "in deep"
    assert (
        extract(Source.from_text(html), ElisaParams(rules=str(path), label="menu")).text == "menu"
    )


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ("", "line 1"),
        ("<RULES>\n<RULE>\n</RULES>", "line 3"),
        ("<SHEET/>", "line 1: the root must be RULES, got SHEET"),
        ("<RULES>\n<CHECK/></RULES>", "line 2: CHECK cannot be in RULES"),
        ("<RULES>\n\n<RULE/></RULES>", "line 3: RULE needs context"),
        ('<RULES><RULE context="P">\n<CALL name="x"/></RULE></RULES>', "line 2: CALL needs select"),
        (
            '<RULES><RULE context="P">\n<CALL name="1 x" select="1"/></RULE></RULES>',
            "is not a name",
        ),
        (f"<RULES>\n{rule('P[', '1', 'x')}</RULES>", "line 2: 'P\\[' is not an XPath"),
        (f"<RULES>\n{rule('P', '(1', 'x')}</RULES>", "line 2: '\\(1' is not an XPath"),
        (f"<RULES>{rule('P', '1', 'x')}</RULES>".replace('"x"', ""), "SET needs a value"),
        (f"<RULES>{rule('P', '1 + @x/', 'x')}</RULES>", "is not an XPath"),
        (
            f"<RULES>\n{rule('P', '$Size &gt; 1', 'x')}</RULES>",
            "line 2: no CALL before it gives .Size",
        ),
        (
            f"<RULES>\n{rule('P', 'size(.) &gt; 1', 'x')}</RULES>",
            "line 2: there is no function size",
        ),
    ],
)
def test_broken_rules_are_reported_with_line_and_reason(rules, message):
    with pytest.raises(InputError, match=message):
        compile_sheet(rules, "mine.xml")


def test_rules_that_fail_on_a_page_raise_an_input_error():
    for test in ("lc()", "contains(.)"):
        with pytest.raises(InputError, match="the rules"):
            labels(Source.from_text("<p>a"), f"<RULES>{rule('P', test, 'x')}</RULES>")


def test_a_broken_rules_file_is_reported_with_name_line_and_reason(tmp_path):
    path = tmp_path / "mine.xml"
    path.write_text(f"<RULES>\n{rule('P', '(1', 'content')}</RULES>")
    with pytest.raises(ParameterError, match=r"mine\.xml, line 2: '\(1' is not an XPath"):
        extract(Source.from_text("<p>a"), ElisaParams(rules=str(path)))


@pytest.mark.parametrize(
    ("context", "found"),
    [
        ("P | UL/LI", {"p", "li"}),
        ("LI[@id='a|b'] | P[text() | B]", {"li"}),
        ("/HTML/P", {"p"}),
        ("*[self::P]", {"p"}),
        ("DIV|OL", set()),
    ],
)
def test_a_context_is_an_xslt_pattern_with_alternatives(context, found):
    html = "<html><p></p><ul><li id='a|b'>x</ul>"
    assert set(labelled(html, f"<RULES>{rule(context, '1', 'x')}</RULES>")) == found


def test_rules_read_attributes_of_any_name():
    html = "<p data-x='A &amp; &quot;B&quot;\n<' data-y>word"
    same = "string-length(@data-x) = 9 and not(contains(@data-x, 'B&quot; '))"
    for test in (same, "count(@*[name() = 'data-y']) = 1", "attribute::data-y = ''"):
        assert labelled(html, f"<RULES>{rule('P', test, 'x')}</RULES>")


def test_a_later_rule_with_an_empty_label_removes_it():
    both = rule("P", "1", "content") + rule("P", "@id='x'", "")
    assert labelled("<p id=x>a<p>b", f"<RULES>{both}</RULES>") == {"p": "content"}


def test_rules_cannot_read_files(tmp_path):
    secret = tmp_path / "secret.xml"
    secret.write_text("<secret>word</secret>")
    test = f"document('{secret.as_uri()}')/secret"
    try:
        result = labelled("<p>a", f"<RULES>{rule('P', test, 'read')}</RULES>")
    except InputError:
        result = {}
    assert result == {}


@pytest.mark.parametrize(
    ("content", "message"), [(None, "no such file"), (b"\xff\xfe", "not UTF-8")]
)
def test_a_rules_file_that_cannot_be_read_is_refused_with_the_reason(tmp_path, content, message):
    path = tmp_path / "rules.xml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError, match=message):
        extract(Source.from_text("<p>a"), ElisaParams(rules=str(path)))


STORY = "A paragraph that is long enough to be taken for text of an article by any such rule. " * 2


def test_the_default_rules_keep_the_story_and_label_the_rest():
    html = (
        "<body><div id=header><a href=/><img src=logo.png></a></div>"
        "<ul><li><a href=a>News</a><li><a href=b>Sport</a><li><a href=c>Weather today</a></ul>"
        f"<h1>A headline</h1><p>{STORY}</p><p>Short.</p><p>{STORY}</p>"
        "<form>Search <input></form><div class=footer>© 2009 A paper. All rights reserved.</div>"
    )
    text = extract(Source.from_text(html), ElisaParams()).text
    assert text == f"A headline\n{STORY.strip()}\nShort.\n{STORY.strip()}"
    assert extract(Source.from_text(html), ElisaParams(label="footer")).text.startswith("©")
    assert "Sport" in extract(Source.from_text(html), ElisaParams(label="navigation")).text
    assert extract(Source.from_text(html), ElisaParams(label="form")).text == "Search"


@given(st.text(alphabet="<>/ab:=\"' \n\r\t\x01\ud800&#0;é-", max_size=60))
def test_xml_from_serialising_equals_xml_from_building(html):
    source = Source.from_text(f"<p {html}>{html}<b id='1'>{html}")
    written = as_xml(source)
    assert etree.tostring(written) == etree.tostring(build_tree(source, None))


def test_pages_too_deep_for_the_parser_are_labelled():
    deep = "<div>" * 3000 + "<p id=x>a"
    assert labelled(deep, f"<RULES>{rule('P', '1', 'x')}</RULES>") == {"p": "x"}


@given(st.text(alphabet="<>/ab:1=\"' \x01\x0c\ud800&#;é\0-", max_size=60))
def test_any_page_becomes_xml_with_a_node_for_each_element(html):
    source = Source.from_text(f"<p {html}>{html}")
    page = as_xml(source)
    assert sum(1 for _ in page.iter()) == (~source.tree.is_text).sum()

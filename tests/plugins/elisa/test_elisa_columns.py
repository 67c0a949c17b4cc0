"""Rules evaluated by columns give the labels of the stylesheet for any page and rule."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import resources
from algorithms.plugins.elisa.rule_sheets import compile_sheet, labels, labels_by_sheet
from engine.source import Source

OWN = compile_sheet(resources.read_text("elisa/rules.xml"))

STORY = "A paragraph that is long enough to be taken for text of an article by any such rule. " * 2
PIECES = [
    "<div>", "</div>", "<div class='Logo x'>", "<div id=NAV role=menu>", "<p>", "</p>",
    "<a href=x>", "</a>", "<img src='/LOGO.png'>", "<img alt=logo>", "<ul>", "<li>",
    "</ul>", "<h2>", "</h2>",
    "<table><tr><td>", "</table>", "<form>", "</form>", "<article>", "</article>", "<footer>",
    "<header>", "<nav>", "</nav>", "© 2009 ", "Copyright ", "all &copy; rights <b>reserv</b>ed",
    "word ", "\x01 \x0c\ud800 ", "<div class='a&#10;&amp;b'>",
    "<div class='L&#111;go'>", "<p class='lin\u212a'>", STORY, STORY, "<section class=Menu>",
]  # fmt: skip
PAGES = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)


def by_columns(source, sheet, text):
    """Return the labels, after checking that the rules are evaluated by columns."""
    assert sheet.columns is not None
    return labels(source, text)


@given(PAGES)
def test_the_default_rules_label_alike_by_columns_and_by_stylesheet(html):
    source = Source.from_text(html)
    result = by_columns(source, OWN, resources.read_text("elisa/rules.xml"))
    assert result == labels_by_sheet(source, OWN)


NODES = st.sampled_from(
    "P A LI IMG preceding-sibling::P[1] following-sibling::*[1] following-sibling::*[2][self::P] "
    "preceding-sibling::*[1][self::DIV]".split()
)
NUMBERS = st.sampled_from(
    ["@letters", "@links", "0.5 * @letters", "@own", "@ownlinked", "@paragraphs", "@linked", "3",
     "@words * 2", "@row", "preceding-sibling::*[1]/@letters", "following-sibling::P[2]/@words"]
)  # fmt: skip
STRINGS = st.sampled_from(
    ["'logo'", "@names", "@class", "lc(@class)", "$Own", ".", "lc(.)", "normalize-space(.)",
     "lc(normalize-space(.))", "concat(@names, '|', @class)", "IMG/@src", "lc(A/@href)", "''",
     "preceding-sibling::*[1]/@names", "'x'", "'k'", "' Logo'", "concat(' ', @names, ' ')"]
)  # fmt: skip
SIMPLE = st.one_of(
    st.tuples(NUMBERS, st.sampled_from(["<", "<=", ">", ">=", "="]), NUMBERS).map(" ".join),
    st.tuples(st.sampled_from(["contains", "starts-with"]), STRINGS, STRINGS).map(
        lambda t: f"{t[0]}({t[1]}, {t[2]})"
    ),
    NODES,
    st.sampled_from(["ancestor::ARTICLE", "ancestor::DIV", "true()", "false()", "@class"]),
    st.sampled_from(["contains(., '©')", "contains(., 'reserved')", "contains(lc(.), 'rights')"]),
)
TESTS = st.recursive(
    SIMPLE,
    lambda inner: st.one_of(
        inner.map(lambda test: f"not({test})"),
        st.tuples(inner, st.sampled_from([" and ", " or "]), inner).map("".join),
        inner.map(lambda test: f"({test})"),
    ),
    max_leaves=4,
)
CONTEXTS = st.sampled_from(["P", "DIV | P", "*", "A[IMG]", "DIV[P] | LI", "UL", "P[A] | P"])


def written(test):
    return test.replace("&", "&amp;").replace("<", "&lt;")


@given(PAGES, st.lists(st.tuples(CONTEXTS, TESTS), min_size=1, max_size=3))
def test_any_rule_labels_alike_by_columns_and_by_stylesheet(html, rules):
    text = "".join(
        f'<RULE context="{context}"><CALL name="Own" select="concat(\' \', @names)"/><CHECK>'
        f'<WHENEVER test="{written(test)}"><SET attr="elISAtype">"{number}"</SET></WHENEVER>'
        f'<OTHERWISE><SET attr="elISAtype">"not {number}"</SET></OTHERWISE></CHECK></RULE>'
        for number, (context, test) in enumerate(rules)
    )
    text = f"<RULES>{text}</RULES>"
    sheet = compile_sheet(text)
    assume(sheet.columns is not None)
    source = Source.from_text(html)
    assert labels(source, text) == labels_by_sheet(source, sheet)


def rule(test):
    return (
        f'<RULES><RULE context="P"><CHECK><WHENEVER test="{written(test)}">'
        '<SET attr="elISAtype">"yes"</SET></WHENEVER></CHECK></RULE></RULES>'
    )


@pytest.mark.parametrize(
    "test",
    [
        "letters(.) = 1", "count(A) = 1", "preceding-sibling::P", "@id = 'x'", "following::P", "1",
        "@letters != 1", "//P", "A/B", "position() = 1", "string-length(.) = 1", "@letters + 1 > 2",
        "contains(@letters, '1')",
    ],
)  # fmt: skip
def test_conditions_without_a_column_are_left_to_the_stylesheet(test):
    assert compile_sheet(rule(test)).columns is None
    assert isinstance(labels(Source.from_text("<p id=x>a<a>b</a>"), rule(test)), dict)


def doubled(first, then, last):
    """Return a rule with forty variables, each using the one before, ``$v``, more than once."""
    values = [first, *(then.replace("$v", f"$v{n}") for n in range(40))]
    calls = "".join(
        f'<CALL name="v{n}" select="{written(value)}"/>' for n, value in enumerate(values)
    )
    return rule(last.replace("$v", "$v40")).replace("<CHECK>", f"{calls}<CHECK>")


@pytest.mark.parametrize(
    "then", ["$v and $v", "$v or not($v)", "not($v and true() and not(false() or not($v)))"]
)
def test_conditions_that_double_forty_times_are_left_to_the_stylesheet(then):
    text = doubled("@letters > 2", then, "$v")
    assert compile_sheet(text).columns is None
    assert isinstance(labels(Source.from_text("<p>abcd"), text), dict)
    assert (
        compile_sheet(doubled("@letters", "$v * 2", "$v > 1")).columns is not None
    )  # written once


def test_strings_and_numbers_that_double_forty_times_are_left_to_the_stylesheet():
    assert compile_sheet(doubled("@names", "concat($v, $v)", "contains($v, 'x')")).columns is None
    assert compile_sheet(doubled("@letters", "$v * $v", "$v > 1")).columns is None


def test_a_rule_of_many_long_conditions_is_left_to_the_stylesheet():
    long = " or ".join(f"@letters > {n}" for n in range(500))
    assert compile_sheet(rule(long)).columns is not None
    cases = "".join(
        f'<WHENEVER test="{written(long)}"><SET attr="elISAtype">"{n}"</SET></WHENEVER>'
        for n in range(30)
    )
    text = f'<RULES><RULE context="P"><CHECK>{cases}</CHECK></RULE></RULES>'
    assert compile_sheet(text).columns is None
    assert labels(Source.from_text("<p>" + "a" * 900), text) == {1: "29"}


def test_deeply_nested_brackets_are_left_to_the_stylesheet():
    text = rule("(" * 300 + "@letters" + ")" * 300 + " > 2")
    assert compile_sheet(text).columns is None
    assert labels(Source.from_text("<p>abcd"), text) == {1: "yes"}


def test_a_condition_on_children_holds_if_any_child_fulfils_it():
    text = rule("A/@letters > 2")
    assert compile_sheet(text).columns is not None
    source = Source.from_text("<p><a href=x>a</a><a href=x>longer</a><p><a>longer</a><p>a")
    names = [source.tree.name_of(row) for row in labels(source, text)]
    assert names == ["p", "p"]

"""Generated pages, odd texts and odd nestings, and readers of Markdown."""

import html

from hypothesis import strategies as st
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin

_READER = MarkdownIt("commonmark").enable("table")
_READER.use(dollarmath_plugin, double_inline=True).use(footnote_plugin)

_TAGS = (
    "p div h1 h2 ul ol li blockquote pre a em strong code table tr td th caption figure figcaption "
    "br dl dt dd span b i sub img section thead menu math"
).split()
_ODD = (
    "a b 1. 2) # ## + - * ** _ __ ` `` ``` ~~~ > < & &amp; | || \\ \\| ! [x](y) ![ ] ( ) --- === "
)
_WORDS = [
    *_ODD.split(),
    ":-|-:",
    "<div>",
    "<!--",
    "foo_bar",
    "_x_",
    "é",
    "\u00a0",
    "“q”",
    "a*b*c",
    "¿",
]

texts = st.lists(st.sampled_from(_WORDS), max_size=4).map(
    lambda words: html.escape(" ".join(words), quote=False)
)


def _element(children):
    return st.tuples(
        st.sampled_from(_TAGS), st.lists(children, max_size=4), st.sampled_from(["", " "])
    ).map(_written)


def _written(parts):
    tag, children, space = parts
    attributes = {
        "a": ' href="/a_(b)?c=1&amp;copy=|*"',
        "img": ' src="x.png" alt="a *b*"',
        "ol": ' start="3"',
        "td": " rowspan=2",
        "th": " colspan=2",
    }
    if tag in ("br", "img"):
        return f"<{tag}{attributes.get(tag, '')}>{space}"
    return f"<{tag}{attributes.get(tag, '')}>{space}{''.join(children)}</{tag}>{space}"


pages = st.lists(st.recursive(texts, _element, max_leaves=12), max_size=6).map("".join)


def render_markdown(markdown):
    """Return the HTML that a reader of Markdown makes of a text."""
    return _READER.render(markdown)


def bare(text):
    """Return a text without white space."""
    return "".join(text.split())


def read_markdown(markdown):
    """Return the text of Markdown, without white space and pictures."""
    parts = []
    for token in _READER.parse(markdown):
        if token.type in ("fence", "code_block", "math_block"):
            parts.append(token.content)
        elif token.type == "html_block":
            raise AssertionError(f"markup in a text: {token.content}")
        for child in token.children or ():
            if child.type in ("text", "code_inline", "math_inline", "math_inline_double"):
                parts.append(child.content)
    return bare("".join(parts))

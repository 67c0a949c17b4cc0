"""Test that text, Markdown and HTML have the words that a page shows, written down beside it.

Names of icons, letters of their fonts, numbers of lines of code and what stands inside a frame's
element show no words; readings are in brackets (epub2txt2 PR 32, html-to-markdown PR 43, wakan #22;
material-design-icons #732, testrun PR 1185, scout.rt PR 2031; hexo #3913, hugo-theme-stack #482,
docsy #2633).
"""

import re

import pagelet
import pytest

from algorithms.structure import plain_text
from tests.oracles.gfm_reader import read_gfm

_FONT = "<style>@font-face{font-family:I}.material-icons{font-family:I}</style>"
_ICONS = {
    "a name beside words": (
        (
            '<p><i class="material-icons">home</i> The house, <span class="material-symbol'
            's-outlined">'
            "phone_in_talk</span>call.</p>"
        ),
        "The house, call.",
    ),
    "an element of its own": (
        (
            '<p><mat-icon role="img" class="mat-icon notranslate">arrow_right</mat-icon> Next</p>'
            "<p><md-icon>face</md-icon> Who</p>"
        ),
        "Next Who",
    ),
    "a class of another library": (
        (
            '<p><i class="v-icon notranslate">expand_more</i> More, <i class="q-icon">open'
            "_in_new</i>"
            ' <i class="icon-note">see the note</i></p>'
        ),
        "More, see the note",
    ),
    "letters of a font": (
        "<p>Ring <i class=icon>&#xe88a;</i> twice, <span data-icon>\uf101</span>wait</p>",
        "Ring twice, wait",
    ),
    "a link that says log in": (
        '<p><a href=/l>Log in <i class="material-icons">lock_outline</i></a> now</p>',
        "Log in now",
    ),
}
_NUMBERED = "<span class=ln>{}</span>{}\n"
_LINES = {
    "numbers in a box that keeps white space": (
        '<div class="code">' + _NUMBERED.format(1, "a = 1") + _NUMBERED.format(2, "b") + "</div>",
        "a = 1\nb",
    ),
    "a gutter beside lines": (
        (
            '<div style="font-family: monospace"><div class="gutter" style="white-space:pre">1\n2'
            '</div><div style="white-space: pre"><div>for x in y:</div><div>    go()</div>'
            "</div></div>"
        ),
        "for x in y:\n    go()",
    ),
    "a table of Hexo": (
        (
            '<figure class="highlight python"><table><tr><td class="gutter"><pre><span cla'
            'ss="line">1'
            '</span><br><span class="line">2</span><br></pre></td><td class="code"><pre><span '
            'class="line">a()</span><br><span class="line">b()</span><br></pre></td></tr></table>'
            "</figure>"
        ),
        "a()\nb()",
    ),
    "a table of Hugo": (
        (
            '<div class="highlight"><div class="chroma"><table class="lntable"><tr><td cla'
            'ss="lntd">'
            '<pre class="chroma"><code><span class="lnt">1\n</span><span class="lnt">2\n</'
            "span></code>"
            '</pre></td><td class="lntd"><pre class="chroma"><code class="language-sh"><span class='
            '"line">git add\n</span><span class="line">git push\n</span></code></pre></td>'
            "</tr></table>"
            "</div></div>"
        ),
        "git add\ngit push",
    ),
    "numbers in the lines of Hugo": (
        (
            '<pre class="chroma"><code><span class="line"><span class="ln">1</span><span c'
            'lass="cl">'
            'git add\n</span></span><span class="line"><span class="ln">2</span><span clas'
            's="cl">git '
            "push\n</span></span></code></pre>"
        ),
        "git add\ngit push",
    ),
    "rows of a plug-in of highlight.js, in pre": (
        (
            '<pre><code class="hljs"><table class="hljs-ln"><tr><td class="hljs-ln-line hljs-'
            "ln-numb"
            'ers" data-line-number="1"><div data-line-number="1"></div></td><td class="hljs-l'
            "n-line "
            'hljs-ln-code">def f(x):</td></tr><tr><td class="hljs-ln-line hljs-ln-numbers" da'
            "ta-line"
            '-number="2"></td><td class="hljs-ln-line hljs-ln-code">    return x</td></tr></table>'
            "</code></pre>"
        ),
        "def f(x):\n    return x",
    ),
    "a table of WP-Syntax": (
        (
            '<div class="wp_syntax"><table><tr><td class="line_numbers"><pre>1\n2\n</pre></td><td '
            'class="code"><pre class="bash">cd a\n  ls\n</pre></td></tr></table></div>'
        ),
        "cd a\n  ls",
    ),
    "a file of Gitea": (
        (
            '<table><tr><td class="lines-num"><span data-line-number="1"></span></td><td clas'
            's="lines'
            '-code"><code class="code-inner">package main\n</code></td></tr><tr><td class="li'
            'nes-num">'
            '<span data-line-number="2"></span></td><td class="lines-code"><code class="code-'
            'inner">'
            "  func x\n</code></td></tr></table>"
        ),
        "package main\n  func x",
    ),
    "a change on GitHub": (
        (
            '<table class="diff-table"><tr><td class="blob-num" data-line-number="3"></td><td'
            ' class="'
            'blob-code"><span data-code-marker="-">old line</span></td></tr><tr><td class="bl'
            'ob-num">'
            '</td><td class="blob-code"><span data-code-marker="+">  new line</span></td></tr'
            "></table>"
        ),
        "old line\n  new line",
    ),
}
_READINGS = {
    "readings without brackets": ("<p>表<ruby>示<rt>じ</rt></ruby>された</p>", "表示(じ)された"),
    "readings with brackets": (
        "<p><ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp>字<rp>(</rp><rt>ji</rt><rp>)</rp></ruby></p>",
        "漢(kan)字(ji)",
    ),
    "several in turn": (
        "<p><ruby><rb>漢</rb><rt>kan</rt><rb>字</rb><rt>ji</rt></ruby> end</p>",
        "漢(kan)字(ji) end",
    ),
    "brackets of its own, and none": (
        "<p><ruby>漢<rt>(kan)</rt></ruby>x<ruby>字<rt></rt></ruby></p>", "漢(kan)x字",
    ),
    "a reading of two parts": ("<p><ruby>門<rt>m<b>on</b></rt></ruby></p>", "門(mon)"),
}  # fmt: skip
_OTHERS = {
    "inside a frame": (
        (
            "<p>Shut.</p><iframe src=x><p>Your browser has <a href=y>no</a> frames.</p></iframe>"
            "<p>Open.</p>"
        ),
        "Shut. Open.",
    ),
    "the blank inside a raised part": (
        "<p>twice a day<sup>\n<a href=x>9</a>\n</sup>, and H<sub>2 </sub>O <sup>x </sup> , y</p>",
        "twice a day 9, and H2 O x , y",
    ),
}
_CASES = {**_ICONS, **_READINGS, **_OTHERS}


def _plain(html, method="plain"):
    return pagelet.open(f"<!doctype html><body>{_FONT}{html}".encode()).run(method)


def _words(text):
    return " ".join(text.split())


@pytest.mark.parametrize(("html", "words"), _CASES.values(), ids=_CASES.keys())
def test_text_has_the_words_that_show(html, words):
    assert _words(_plain(html).text) == words


@pytest.mark.parametrize(("html", "words"), _CASES.values(), ids=_CASES.keys())
def test_markdown_has_the_words_that_show(html, words):
    read = re.sub(r"<[^>]*>|\s", "", read_gfm(_plain(html).markdown))
    assert read == re.sub(r"\s", "", words)


@pytest.mark.parametrize(("html", "code"), _LINES.values(), ids=_LINES.keys())
def test_code_has_no_numbers_of_lines(html, code):
    result = _plain(f"<p>The lines read the gauge.</p>{html}<p>End.</p>")
    block = re.search(r"```\w*\n(.*?)\n```", result.markdown, re.DOTALL)
    assert block is not None
    assert block[1] == code
    assert _words(result.text) == _words(f"The lines read the gauge. {code} End.")


def test_a_table_of_ranks_is_no_code():
    rows = "".join(f"<tr><td class=num data-line-number={n}>{n}<td>A rose {n}" for n in (1, 2))
    assert "```" not in _plain(f"<table>{rows}</table>").markdown


def test_numbered_lines_without_a_sign_of_code_stay_lines_of_text():
    lines = "".join(f"<div><span class=lineno>{n}</span>A rose</div>" for n in (1, 2))
    assert "```" not in _plain(f"<div>{lines}</div>").markdown


@pytest.mark.parametrize("cases", [_ICONS, {"frame": _OTHERS["inside a frame"]}])
def test_the_oracle_finds_words_that_are_not_left_out(cases, monkeypatch):
    monkeypatch.setattr(plain_text, "unread_rows", lambda source: ())
    assert all(_words(_plain(html).text) != words for html, words in cases.values())

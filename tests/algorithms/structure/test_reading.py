"""Elements recognized beyond their tags: formulas, notes, code, callouts, pictures, noise."""

import pytest

from algorithms.results import everything
from algorithms.structure.html import html_of
from algorithms.structure.markdown import markdown_of
from algorithms.structure.tree import tree_of, tree_of_html
from engine.source import Source
from tests.algorithms.structure.pages import render_markdown

LOADER = "<script src=https://cdn.test/mathjax@3/tex-chtml.js></script>"


def markdown(page):
    return markdown_of(tree_of_html(page))


def text(page):
    return everything(Source.from_text(page)).text


# Formulas ----------------------------------------------------------------------------------

SQUARE = "<msup><mi>x</mi><mn>2</mn></msup>"
ANNOTATED = (
    f"<math><semantics><mrow>{SQUARE}</mrow>"
    '<annotation encoding="application/x-tex">x^2</annotation></semantics></math>'
)


@pytest.mark.parametrize(
    ("page", "said"),
    [
        (f"<p>so <math>{SQUARE}</math> is", "so $x^{2}$ is"),
        (f"<p>so ({ANNOTATED}), is", "so ($x^2$), is"),
        ((f'<p>a<span class="katex-display"><span class=katex><span class=katex-mathml>{ANNOTATED}'
         '</span><span class=katex-html aria-hidden=true>x2</span></span></span>b'),
         "a\n\n$$\nx^2\n$$\n\nb"),
        (('<p>a <span class="MathJax_Preview">x2</span><span class="MathJax" id=M-1><span>x2</span>'
         '</span><script type="math/tex">x^2</script> b'), "a $x^2$ b"),
        ('<p>a <script type="math/tex; mode=display">x^2</script>', "a\n\n$$\nx^2\n$$"),
        (('<p>a <mjx-container jax="SVG"><svg><g data-mml-node="math"><g data-mml-node="msup">'
         '<g data-mml-node="mi"><use data-c="1D465"></use></g><g data-mml-node="mn">'
         '<use data-c="32"></use></g></g></g></svg></mjx-container> b'), "a $x^{2}$ b"),
        (('<p>a <span class="mwe-math-element"><span class="mwe-math-mathml-inline" style="display:'
         f'none">{ANNOTATED}</span><img src=s.svg class="mwe-math-fallback-image-inline" '
         'alt="{\\displaystyle x^2}"></span>, b'), "a $x^2$, b"),
        ('<p>a <img src="https://s0.wp.com/latex.php?latex=x%5E2&bg=fff" alt="x^2" class=latex> b',
         "a $x^2$ b"),
        ('<p>a<p><img src=e.png alt="\\frac{a}{b} = \\sqrt{c}"><p>b',
         "a\n\n$$\n\\frac{a}{b} = \\sqrt{c}\n$$\n\nb"),
        (('<table><tr class="ltx_equation ltx_eqn_row"><td class=ltx_eqn_cell><math display=block '
         'alttext="\\displaystyle x^{2}"><mi>x</mi></math><td class=ltx_eqn_eqno>'
         '<span class="ltx_tag ltx_tag_equation">(3)</span></table>'),
         "$$\nx^{2} \\tag{3}\n$$"),
        (f"{LOADER}<p>so \\(a_1 * b_2\\) and $c_3$ cost $5 or $6 each",
         "so $a_1 * b_2$ and $c_3$ cost \\$5 or \\$6 each"),
        (f"{LOADER}<p>a \\[a<em>1 + b</em>2\\] b", "a\n\n$$\na1 + b2\n$$\n\nb"),
        ("<p>so \\(a_1\\) is", "so \\\\(a_1\\\\) is"),
        ("<p>It costs $100 per unit, not $90.", "It costs \\$100 per unit, not \\$90."),
        ("<p>It costs $100 per unit.", "It costs $100 per unit."),
        ('<p>a <span class="math inline">\\(x_1\\)</span> b', "a $x_1$ b"),
        ('<p>a <span class="math-container">$x_1$</span> b', "a $x_1$ b"),
        ('<p>a <span class="math inline">x_1</span> b', "a $x_1$ b"),
        ('<p>a <span class="math inline"><em>x</em><sub>1</sub></span> b',
         "a *x*<sub>1</sub> b"),
        (('<p>a<div class="math notranslate"><span class=eqno>(3)</span>\\[x_1\\]</div>'),
         "a\n\n$$\nx_1 \\tag{3}\n$$"),
        ("<p>a <d-math>x_1</d-math> b", "a $x_1$ b"),
        ('<pre class="code math js-render-math" data-math-style=display><code>x_1</code></pre>',
         "$$\nx_1\n$$"),
        (('<p>a<div class=latex-rendered data-attrs="{&quot;persistentExpression&quot;:'
         '&quot;x_1&quot;}"></div>'), "a\n\n$$\nx_1\n$$"),
        ('<p>a <img src=f.png data-mathml="«math»«mi»x«/mi»«/math»" alt="the letter x"> b',
         "a $x$ b"),
        ('<p>a <script type="math/mml"><math><mi>x</mi></math></script> b', "a $x$ b"),
        ('<p>a <img src=img1.gif alt="$x_1$"> b <img src=p.gif alt="$5"> c',
         "a $x_1$ b ![\\$5](p.gif) c"),
        (f"<table><tr><th>a<th>b<tr><td>|x| {ANNOTATED}<td><math><mo>|</mo></math></table>",
         "| a | b |\n| --- | --- |\n| \\|x\\| $x^2$ | $\\|$ |"),
    ],
)  # fmt: skip
def test_a_formula_is_written_once_as_tex(page, said):
    assert markdown(page) == said


@pytest.mark.parametrize(
    ("mathml", "tex"),
    [
        ("<mfrac><mn>1</mn><msqrt><mi>π</mi></msqrt></mfrac>", "\\frac{1}{\\sqrt{\\pi}}"),
        ("<munderover><mo>∑</mo><mi>i</mi><mi>n</mi></munderover><msub><mi>a</mi><mi>i</mi></msub>",
         "\\sum_{i}^{n} a_{i}"),
        (("<mo>(</mo><mtable><mtr><mtd><mi>a</mi></mtd><mtd><mi>b</mi></mtd></mtr></mtable>"
         "<mo>)</mo>"), "\\begin{pmatrix} a & b \\end{pmatrix}"),
        ("<mover><mi>v</mi><mo>→</mo></mover><mo>∈</mo><mi mathvariant=double-struck>R</mi>",
         "\\vec{v} \\in \\mathbb{R}"),
        ("<mi>sin</mi><mo>&#8289;</mo><mi>ℝ</mi>", "\\sin \\mathbb{R}"),
        (("<mo>{</mo><mtable><mtr><mtd><mi>a</mi></mtd></mtr><mtr><mtd><mi>b</mi></mtd></mtr>"
         "</mtable>"), "\\begin{cases} a \\\\ b \\end{cases}"),
        ("<mroot><mi>x</mi><mn>3</mn></mroot><mo>≤</mo><mtext>if ok</mtext>",
         "\\sqrt[3]{x} \\leq \\text{if ok}"),
        (("<mmultiscripts><mi>C</mi><mn>6</mn><none/><mprescripts/><none/><mn>14</mn>"
         "</mmultiscripts>"), "{}^{14}C_{6}"),
    ],
)  # fmt: skip
def test_mathml_without_tex_is_converted(mathml, tex):
    assert markdown(f"<p>a <math>{mathml}</math>") == f"a ${tex}$"


def test_other_scripts_are_not_taken_for_formulas():
    script = (
        '<script type="application/ld+json" class=katex-data data-tex=x>{"a": "\\frac"}</script>'
    )
    page = f"<p>a {script} b <math><mi>x</mi></math>"
    assert markdown(page) == "a b $x$"
    assert text(page) == "a b x"


def test_html_keeps_mathml_and_plain_text_has_the_tex_once():
    page = f"<p>so {ANNOTATED} and <span class=katex data-latex='y_1'><i>y1</i></span> hold"
    assert text(page) == "so x^2 and y_1 hold"
    out = html_of(tree_of_html(page))
    assert "<math" in out
    assert "<msup><mi>x</mi><mn>2</mn></msup>" in out
    assert '<span class="math inline">\\(y_1\\)</span>' in out


def test_a_formula_without_words_is_in_the_text_where_its_surroundings_are_kept():
    page = "<p>so <img class=latex alt='x^2' src=/latex.php?latex=x^2>, then"
    assert text(page) == "so x^2, then"


# Notes -------------------------------------------------------------------------------------

LIST = '<ol><li id="{0}1"><p>First note. <a href="#{1}1">↩︎</a></p></li></ol>'


@pytest.mark.parametrize(
    "page",
    [
        # markdown-it, kramdown, Hugo
        ('<p>Word<sup id="fnref:1"><a href="#fn:1">1</a></sup> on.</p>'
        f'<div class=footnotes>{LIST.format("fn:", "fnref:")}</div>'),
        # Wikipedia
        ('<p>Word<sup id="cite_ref-1" class=reference><a href="#cite_note-1">[1]</a></sup> on.</p>'
        '<ol class=references><li id="cite_note-1"><span class=mw-cite-backlink><b>'
        '<a href="#cite_ref-1">^</a></b></span> <span>First note.</span></ol>'),
        # Word
        ('<p>Word<a href="#_ftn1" name="_ftnref1"><span>[1]</span></a> on.</p><hr>'
        '<div id=ftn1><p><a href="#_ftnref1" name="_ftn1"><span>[1]</span></a> First note.</div>'),
        # Google Docs
        ('<p>Word<sup><a href="#ftnt1" id="ftnt_ref1">[1]</a></sup> on.</p><hr><div><p>'
        '<a href="#ftnt_ref1" id="ftnt1">[1]</a><span>&nbsp;First note.</span></p></div>'),
        # Substack
        ('<p>Word<a class="footnote-anchor" id="footnote-anchor-1" href="#footnote-1">1</a> on.</p>'
        '<div class=footnote><a id="footnote-1" href="#footnote-anchor-1" class="footnote-number">'
        "1</a><div class=footnote-content><p>First note.</p></div></div>"),
        # WordPress
        ('<p>Word<sup data-fn=ab class=fn><a href="#ab" id="ab-link">1</a></sup> on.</p>'
        '<ol class=wp-block-footnotes><li id=ab>First note. <a href="#ab-link">↩︎</a></li></ol>'),
        # pulldown-cmark
        ('<p>Word<sup class="footnote-reference"><a href="#1">1</a></sup> on.</p>'
        '<div class="footnote-definition" id="1"><sup class="footnote-definition-label">1</sup>'
        "<p>First note.</p></div>"),
        # texinfo
        ('<p>Word<a class=footnote id=DOCF1 href="#FOOT1"><sup>1</sup></a> on.</p>'
        '<h5><a id=FOOT1 href="#DOCF1">(1)</a></h5><p>First note.</p>'),
        # Tufte
        ("<p>Word<label for=sn-1 class='sidenote-number'></label><input type=checkbox "
        "id=sn-1><span class=sidenote>First note.</span> on.</p>"),
        # a number without a link
        "<p>Word<sup>1</sup> on.</p><h2>Notes</h2><p><sup>1</sup> First note.</p>",
        # Sphinx, AsciiDoc, DocBook: a rule above the notes
        ('<p>Word<sup class=footnote>[<a id=r1 class=footnote href="#d1">1</a>]</sup> on.</p>'
        '<div id=footnotes><hr><div class=footnote id=d1><a href="#r1">1</a>. First note.'
        "</div></div>"),
        # between brackets, by name, in one paragraph
        ('<p>Word[<a href="#f1n"><font>1</font></a>] on.<br><br><b>Notes</b><br><br>'
        '[<a name=f1n><font>1</font></a>] First note.'),
        # a tip
        ('<p>Word<sup data-mfn=1><a href="javascript:void(0)">1</a></sup>'
        "<span class=modern-footnotes-footnote__note>First note.</span> on.</p>"),
        # in an attribute
        '<p>Word<sup class=footnote data-footnote-content="First note.">1</sup> on.</p>',
    ],
)  # fmt: skip
def test_a_note_is_written_once_with_its_mark_and_without_back_links(page):
    said = markdown(page)
    assert "Word[^1] on." in said
    assert said.endswith("[^1]: First note.")
    assert said.count("First note.") == 1
    assert "footnote-ref" in render_markdown(said)
    assert '<li id="fn-1">' in html_of(tree_of_html(page))


def test_a_note_comes_along_with_its_mark_and_stays_in_the_text_without_it():
    page = (
        '<p>Word<sup><a id=r1 href="#n1">1</a></sup> on.</p><p>Else.</p>'
        '<ol class=footnotes><li id=n1>First note. <a href="#r1">↩</a></ol>'
    )
    source = Source.from_text(page)
    spans = [(page.index(word), page.index(word) + len(word)) for word in (("Word<sup><a id=r1 "
             'href="#n1">1'),)]  # fmt: skip
    from algorithms.results import Extraction

    assert markdown_of(tree_of(Extraction(source, spans))) == "Word[^1]\n\n[^1]: First note."
    start = page.index("Else")
    rest = Extraction(source, [(start, len(page))])
    assert markdown_of(tree_of(rest)) == "Else.\n\n1. First note."


def test_references_to_theorems_and_powers_are_no_notes():
    page = (
        '<p>By (<a href="#thm">1</a>) 10<sup>2</sup> holds.</p><h3><a name=thm></a>Theorem 1</h3>'
        "<p>It is so.</p><h2>Notes</h2><p><sup>2</sup> A note that nothing marks.</p>"
    )
    assert "[^" not in markdown(page)


# Code --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "page",
    [
        ("<pre><code class=language-py><span class=lineno>1</span>a = 1\n"
        "<span class=lineno>2</span>  b = 2</code></pre>"),
        ("<div class=highlight data-lang=py><table class=lntable><tr><td class=lntd><pre>"
        "<span class=lnt>1\n</span><span class=lnt>2\n</span></pre><td class=lntd><pre>a = 1\n"
        "  b = 2\n</pre></table></div>"),
        ("<pre class=language-py><code><span style='display:flex'><span style='user-select:none'>1"
        "</span><span>a = 1\n</span></span><span style='display:flex'>"
        "<span style='user-select:none'>2</span><span>  b = 2\n</span></span></code></pre>"),
        ("<pre data-language=py><code><span class=line>a = 1</span><span class=line>  b = 2</span>"
        "</code><button>Copy</button></pre>"),
        ("<pre data-language=py><code><span class=line>a = 1</span>\n"
         "<span class=line>  b = 2</span>"
        "</code></pre>"),
        "<pre class=lang-py>a = 1<br>  b = 2<br></pre>",
        ("<div class=code-block data-lang=py><div class=code-header><span>py</span>"
        "<button>Copy</button></div><pre><code>a = 1\n  b = 2\n</code></pre></div>"),
        ("<div data-lang=py><div class=cm-scroller><div class=cm-gutters aria-hidden=true><div>1"
        "</div><div>2</div></div><div class=cm-content data-language=py><div class=cm-line>a = 1"
        "</div><div class=cm-line>  b = 2</div></div></div></div>"),
        ("<div class=enlighter data-lang=py><div><div><span class=enlighter-text>a = 1</span></div>"
        "</div><div><div><span class=enlighter-text>  b = 2</span></div></div></div>"),
        ("<div class=CodeMirror-code data-lang=py><div><div class=CodeMirror-linenumber>1</div>"
        "<pre class=CodeMirror-line>a = 1</pre></div><div><div class=CodeMirror-linenumber>2</div>"
        "<pre class=CodeMirror-line>  b = 2</pre></div></div>"),
        ("<pre><div><div>py</div><div><button>Copy code</button></div></div>"
        "<div><code class=language-py>a = 1\n  b = 2\n</code></div></pre>"),
        ("<pre class=language-py><code><span style='display:block'>a = 1</span>"
        "<span style='display:block'>  b = 2</span></code></pre>"),
        ("<pre class=language-py><table class=hljs-ln><tr><td class=hljs-ln-numbers "
        "data-line-number=1>1<td class=hljs-ln-code>a = 1<tr><td class=hljs-ln-numbers "
        "data-line-number=2>2<td class=hljs-ln-code>  b = 2</table></pre>"),
    ],
)  # fmt: skip
def test_code_is_its_lines_without_their_numbers(page):
    assert markdown(f"<p>x</p>{page}<p>y</p>") == "x\n\n```py\na = 1\n  b = 2\n```\n\ny"


# Callouts, lists, tables and the rest --------------------------------------------------------


@pytest.mark.parametrize(
    "page",
    [
        ('<div class="markdown-alert markdown-alert-tip"><p class="markdown-alert-title">'
        "<svg></svg>Tip</p><p>Do it.</p></div>"),
        ('<div data-callout=tip class=callout><div class=callout-title><div class=callout-icon>'
        "</div><div class=callout-title-inner>Tip</div></div><div class=callout-content>"
        "<p>Do it.</p></div></div>"),
        '<div class="admonition tip"><p class="admonition-title">Tip</p><p>Do it.</p></div>',
        '<details class="tip admonition"><summary>Tip</summary><p>Do it.</p></details>',
        ('<aside class="starlight-aside starlight-aside--tip"><p class=starlight-aside__title>Tip'
        "</p><p>Do it.</p></aside>"),
        '<div class="tip custom-block"><p class=custom-block-title>Tip</p><p>Do it.</p></div>',
        ('<div class="theme-admonition theme-admonition-tip alert alert--success"><div '
        'class="admonitionHeading_x1">Tip</div><div class="admonitionContent_y">'
        "<p>Do it.</p></div></div>"),
        '<blockquote class="book-hint tip"><p>Do it.</p></blockquote>',
        '<details class=tip><summary>Tip</summary><p>Do it.</p></details>',
        '<div class="TIP"><p>Tip</p><p>Do it.</p></div>',
        '<div class="hint hint--tip"><p>Do it.</p></div>',
        ('<div class="callout callout-tip"><div class=callout-title-container><span '
        'class="screen-reader-only">Tip</span>Tip</div><p>Do it.</p></div>'),
    ],
)  # fmt: skip
def test_a_callout_is_a_quote_with_its_kind(page):
    assert markdown(f"<p>x</p>{page}") == "x\n\n> [!tip] Tip\n>\n> Do it."


@pytest.mark.parametrize(
    ("page", "said"),
    [
        ("<p>a<hr><p>b", "a\n\n---\n\nb"),
        ("<p>H<sub>2</sub>O and 10<sup>2</sup>", "H<sub>2</sub>O and 10<sup>2</sup>"),
        ("<p><ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>字", "漢(kan)字"),
        ("<dl><dt>Tea<dd>a drink<dd>a plant<dt>Cup<dd>holds it</dl>",
         "Tea\n:   a drink\n:   a plant\n\nCup\n:   holds it"),
        ("<div role=heading aria-level=3>Tea</div><p>a", "### Tea\n\na"),
        ("<ul><li><input type=checkbox checked disabled> done<li><input type=checkbox> not</ul>",
         "- [x] done\n- [ ] not"),
        ("<h2>Tea <a class=headerlink href='#tea'>¶</a></h2>", "## Tea"),
        ("<h2><a class=anchor href='#tea' aria-label=Permalink></a>Tea</h2>", "## Tea"),
        ("<h2>Tea<span class=mw-editsection>[<a href=/e>edit</a>]</span></h2>", "## Tea"),
        ("<p><i class=material-icons>arrow_forward</i> Go on", "Go on"),
        ("<p>Price <span class=visually-hidden>Price: 5</span><span aria-hidden=true>5</span>",
         "Price 5"),
        ("<h2><a href='#tea'>Tea</a></h2>", "## Tea"),
        ("<p><span class=a-offscreen>$1.50</span><span aria-hidden=true>$<span>1</span><sup>50",
         "$1.50"),
        ("<h2 class=sr-only>She said:</h2><p>Tea", "**She said:**\n\nTea"),
        ("<ul><li><input type=checkbox checked><p>done</ul>", "- [x] done"),
        ("<p>a <a href=/t title='A \"big\" pot'>pot</a>", 'a [pot](/t "A \\"big\\" pot")'),
        ("<p><a href=/t title=''>pot</a> <img src=p.png alt=b title=Pot>",
         '[pot](/t) ![b](p.png "Pot")'),
        ("<details><summary>More</summary><p>tea</details>", "More\n\ntea"),
        ("<h3><button>What is tea?</button></h3><p>a", "### What is tea?\n\na"),
    ],
)  # fmt: skip
def test_small_structure_is_kept_and_noise_is_not(page, said):
    assert markdown(page) == said


def test_spans_end_with_their_group_of_rows():
    page = (
        "<table><thead><tr><th>a<th>b</thead><tbody><tr><td rowspan=0>c<td>d<tr><td>e</tbody>"
        "<tbody><tr><td>f<td rowspan=9>g</tbody><tfoot><tr><td>h<td>i</tfoot></table>"
    )
    assert markdown(page) == ("| a | b |\n| --- | --- |\n| c | d |\n|  | e |\n| f | g |\n| h | i |")


@pytest.mark.parametrize(
    "page",
    [
        "<img src='data:image/gif;base64,R0' data-src=l.jpg alt=a>",
        "<img src='#' data-original=l.jpg alt=a>",
        "<img data-srcset='s.jpg 300w, l.jpg 900w' alt=a>",
        "<img src=s.jpg srcset='s.jpg 1x, l.jpg 2x' alt=a>",
        "<picture><source srcset='s.jpg 1x, l.jpg 2x'><img src=placeholder.gif alt=a></picture>",
        "<img src='data:,' alt=a><noscript><img src=l.jpg alt=a></noscript>",
        "<noscript><img src=l.jpg alt=a></noscript><img data-lazy-src=l.jpg alt=a>",
        "<img data-actualsrc=l.jpg alt=a>",
        "<amp-img src=l.jpg alt=a></amp-img>",
        "<span><img src=s.jpg alt=a><noscript><img src=l.jpg alt=a></noscript></span>",
    ],
)
def test_a_lazy_picture_is_written_once_in_its_largest_size(page):
    assert markdown(f"<p>x</p><figure>{page}</figure><p>y") == "x\n\n![a](l.jpg)\n\ny"


COMMENT = (
    "<div class=comment><div class=meta><a class=author href=/u/{0}>{0}</a> "
    "<a href=/c/{0}><time datetime=2026-04-0{1}T10:00>yesterday</time></a> <button>Reply</button>"
    "</div><div class=comment-body><p>{2}</p></div>{3}</div>"
)


def test_comments_are_quotes_with_their_author_and_day_and_answers_in_them():
    answer = COMMENT.format("bo", 2, "Yes.", "")
    page = (
        f"<p>x</p>{COMMENT.format('al', 1, 'Is it?', answer)}{COMMENT.format('cy', 3, 'No.', '')}"
    )
    assert markdown(page) == (
        "x\n\n> **al** · [2026-04-01](/c/al)\n>\n> Is it?\n>\n"
        "> > **bo** · [2026-04-02](/c/bo)\n> >\n> > Yes.\n\n"
        "> **cy** · [2026-04-03](/c/cy)\n>\n> No."
    )


def test_answers_are_nested_in_the_comment_they_answer():
    answer = f"<div class=child>{COMMENT.format('bo', 2, 'Yes.', '')}</div>"
    page = COMMENT.format("al", 1, "Is it?", answer) + COMMENT.format("cy", 3, "No.", "")
    assert "\n> > Yes.\n" in markdown(page)


def test_a_table_of_ranks_is_a_numbered_list_with_all_rows_of_each_entry():
    entry = "<tr><td>{0}.<td><a href=/{0}>Tea {0}</a><tr><td><td>by <a class=author href=/u>al</a>"
    page = f"<table>{'<tr>'.join(entry.format(number) for number in (1, 2, 3))}</table>"
    assert markdown(page) == "\n\n".join(
        f"{number}. [Tea {number}](/{number})\n\n   by al" for number in (1, 2, 3)
    )
    assert markdown(page.replace("3.", "5.")).startswith("|")


def test_the_title_of_notes_is_removed_and_that_of_references_is_kept():
    notes = (
        '<p>Word<sup><a id=r1 href="#n1">1</a></sup>.</p><h2>{}</h2>'
        '<ol class=footnotes><li id=n1>First note. <a href="#r1">↩</a></ol>'
    )
    assert markdown(notes.format("Notes")) == "Word[^1].\n\n[^1]: First note."
    assert "## References" in markdown(notes.format("References"))


def test_a_single_comment_is_not_a_quote():
    assert markdown(COMMENT.format("al", 1, "It is.", "")).endswith("It is.")
    assert ">" not in markdown(COMMENT.format("al", 1, "It is.", ""))


def test_fragments_of_code_and_their_output_are_one_block():
    page = (
        "<div><code class='hl lean block'>#check Nat</code>"
        "<pre class='hl lean lean-output'>Nat : Type</pre></div>"
    )
    assert markdown(page).splitlines()[1:-1] == ["#check Nat", "Nat : Type"]


def test_cells_without_a_row_are_one():
    page = "<table><thead><th>a<th>b</thead><tbody><tr><td>c<td>d</tbody></table>"
    assert markdown(page) == "| a | b |\n| --- | --- |\n| c | d |"


def test_a_link_that_cites_behind_a_sentence_is_a_note():
    cited = '<span data-testid="webpage-citation-pill"><a href="{}">{}</a></span>'
    first = cited.format("https://www.a.org/tea?x=1#:~:text=hot", "A ORG+1")
    again = cited.format("https://www.a.org/tea?x=1", "A ORG")
    written = markdown(f"<p>Tea is hot. {first}</p><p>Milk is not.{again}</p><p>{first}</p>")
    assert "Tea is hot. [^1]" in written
    assert "Milk is not.[^1]" in written
    assert "[^1]: [a.org](https://www.a.org/tea?x=1)" in written
    assert "[A ORG+1](" in written  # alone in its paragraph, it is the content


def test_a_citation_within_the_page_or_of_many_words_stays_a_link():
    for link in (
        "<a href='#b'>Tea</a>",
        "<a href=https://a.org/>The history of tea in ten cups</a>",
    ):
        assert "[^" not in markdown(f"<p>Hot. <span class=citation>{link}</span></p>")


def test_the_hidden_scheme_of_an_address_in_a_link_is_left_out():
    page = "<p>See <a href=https://a.org/b><span class=invisible>https://</span>a.org/b</a></p>"
    assert markdown(page).strip() == "See [a.org/b](https://a.org/b)"


def test_the_quoted_history_of_a_message_is_left_out():
    box = "<div class=comment><a class=author>{0}</a><div class=comment-body>{1}{2}</div></div>"
    history = "<blockquote type=cite><p>Who comes?</p></blockquote>"
    own = "<blockquote><p>To be.</p></blockquote>"
    written = markdown(box.format("Ann", "First one.", own) + box.format("Bo", "I do.", history))
    assert "To be." in written
    assert "I do." in written
    assert "Who comes?" not in written


@pytest.mark.parametrize(
    ("body", "notes"),
    [
        (
            "<p><b><sup>1</sup> Of 1891:</b> Icy.</p><p><b><sup>2</sup> Of 1893:</b> Two.</p>",
            "[^1]: **Of 1891:** Icy.\n\n[^2]: **Of 1893:** Two.",
        ),
        (
            "<p class=footnote><sup>1</sup>Icy.</p><p class=footnote><sup>2</sup>Two.</p>",
            "[^1]: Icy.\n\n[^2]: Two.",
        ),
    ],
)
def test_paragraphs_that_begin_with_raised_numbers_are_the_notes_of_these_numbers(body, notes):
    page = "<p>Dusk.<sup>1</sup></p><p>Lit.<sup>2</sup></p><p>Bell.</p>"
    assert (
        markdown(f"{page}{body}<p><b>Later:</b> Horn.</p>")
        == f"Dusk.[^1]\n\nLit.[^2]\n\nBell.\n\n**Later:** Horn.\n\n{notes}"
    )


def test_a_single_paragraph_that_begins_with_a_raised_number_is_no_note():
    page = "<p>The nucleus<sup>1</sup> of</p><p><sup>1</sup>H spins.</p>"
    assert "[^1]" not in markdown(page)


def test_a_box_that_names_a_programming_language_and_has_lines_is_code():
    page = '<p>So:</p><div class="code-block" data-lang="http">GET /x\n\n  body\n</div><p>End.</p>'
    assert markdown(page) == "So:\n\n```http\nGET /x\n\n  body\n```\n\nEnd."
    assert "```go\na\n  b\n```" in markdown("<div data-language=go>a<br>  b</div>")
    lines = "<div class=line>make</div><div class=line>test</div>"
    assert markdown(f"<div data-lang=sh>{lines}</div>") == "```sh\nmake\ntest\n```"


@pytest.mark.parametrize(
    "page",
    [
        "<div data-lang=it>una\nriga</div>",
        "<div class=code data-lang=go><p>a</p>\n<p>b</p></div>",
        "<div class=code data-lang=go>one line</div>",
    ],
)
def test_a_box_of_a_language_that_people_speak_or_with_blocks_is_no_code(page):
    assert "```" not in markdown(page)


def test_controls_and_labels_of_a_drawing_part_words():
    page = "<p><button>Save</button><button>Cancel</button><label>Level<input></label><i>cm</i>"
    assert text(page) == markdown(f"{page}").replace("*", "") == "Save Cancel Level cm"
    drawn = "<svg><desc>falls</desc><text>1 May</text><text>8 <tspan>M</tspan>ay</text></svg>"
    assert markdown(f"<p>a {drawn}") == "a 1 May 8 May"
    assert text("<p>Press <button>OK</button>, (<button>go</button>)") == "Press OK, (go)"


def test_a_button_with_a_common_label_stays_beside_one_that_says_more():
    buttons = "<button>Save</button> <button>Cancel</button>"
    assert markdown(f"<form>{buttons}</form>") == "Save Cancel"
    assert markdown("<p>a <button>Copy</button> <button>Share</button>") == "a"
    assert markdown(f"<p>a<div>{buttons}</div>") == "a\n\nCancel"

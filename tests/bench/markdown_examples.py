"""Examples of CommonMark, or of another writer, through Pagelet's Markdown and back.

    python -m tests.bench.markdown_examples SPEC.txt

``SPEC.txt`` is the specification (npm: commonmark-spec), or a file of its form: examples between
fences of 32 backticks, Markdown, a line of a full stop, HTML.  The HTML of each is made a clean
tree and Markdown, which a reader of CommonMark makes HTML again: the two have to say the same.
Examples with raw markup, titles of links, or elements that a clean tree has not, are not counted.
What it has by design in another form does not come back: emphasis in emphasis of its kind, items
of a list apart from each other, empty blocks, empty lines around code, addresses of other schemes.
"""

import re
import sys
from pathlib import Path

import lxml.html
from markdown_it import MarkdownIt

from algorithms.structure.markdown import markdown_of
from algorithms.structure.tree import tree_of_html

_EXAMPLE = re.compile(r"^`{32} example\n(.*?)^\.\n(.*?)^`{32}$", re.DOTALL | re.MULTILINE)
_KNOWN = frozenset(
    "body div p h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code em strong a img hr br i b "
    "span".split()
)
_WITHOUT_MARKUP = MarkdownIt("commonmark", {"html": False})
_READER = MarkdownIt("commonmark")
_SAME = {"i": "em", "b": "strong"}
_KEPT = ("href", "src", "alt", "start")


def said(html: str) -> list[str]:
    """Return what HTML says: tags, attributes and texts, white space as it is shown."""
    pieces: list[str] = []
    _say(_body(html), pieces, is_raw=False)
    text = "".join(pieces)
    text = re.sub(r"\s*(</?(?:p|h\d|ul|ol|li|blockquote|hr|br|pre)\b[^>]*>)\s*", r"\1", text)
    text = re.sub(r"<p></p>|</?(?:div|body)>|(?<=<li>)<p>|</p>(?=</li>)", "", text)
    return re.split(r"(?=<)", text.strip())


def _say(element: lxml.html.HtmlElement, pieces: list[str], *, is_raw: bool) -> None:
    tag = _SAME.get(str(element.tag), str(element.tag))
    is_raw = is_raw or tag == "pre"
    given = "".join(f' {name}="{element.get(name)}"' for name in _KEPT if element.get(name))
    if tag != "span":
        pieces.append(f"<{tag}{given}>")
    pieces.append(_shown(element.text, is_raw))
    for child in element:
        _say(child, pieces, is_raw=is_raw)
        pieces.append(_shown(child.tail, is_raw))
    if tag == "pre":
        pieces[-1] = pieces[-1].rstrip("\n")
    if tag not in ("span", "hr", "br", "img"):
        pieces.append(f"</{tag}>")


def _shown(text: str | None, is_raw: bool) -> str:
    text = (text or "").replace("<", "&lt;")
    return text.replace("\n", "\N{SYMBOL FOR NEWLINE}") if is_raw else re.sub(r"\s+", " ", text)


def is_counted(html: str) -> bool:
    """Return whether a clean tree has all elements of an example."""
    return all(each.tag in _KNOWN and "title" not in each.attrib for each in _body(html).iter())


def _body(html: str) -> lxml.html.HtmlElement:
    body = lxml.html.document_fromstring(f"<body><div>{html}</div>").body
    assert body is not None
    return body


def main() -> None:
    """Print how many examples come back, and those that do not."""
    same, lost = 0, []
    examples = _EXAMPLE.findall(Path(sys.argv[1]).read_text("utf-8"))
    for number, (given, html) in enumerate(examples, 1):
        html = html.replace("→", "\t")
        if _WITHOUT_MARKUP.render(given.replace("→", "\t")) != html or not is_counted(html):
            continue
        again: str = _READER.render(markdown_of(tree_of_html(html)))
        if said(again) == said(html):
            same += 1
        else:
            lost.append((number, html, again))
    for number, html, again in lost:
        print(f"{number}\n  was  {html!r}\n  is   {again!r}")
    print(f"{same} of {same + len(lost)} examples come back the same, of {len(examples)} in all")


if __name__ == "__main__":
    main()

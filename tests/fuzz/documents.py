"""Documents nobody would write: by a grammar, by mutation of sample pages, by repetition.

The same seed gives the same document.
"""

import random
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import resources

LARGE = 120_000
"""Bytes; only a few documents are larger."""

BLOCKS = (
    "div p section article main nav header footer aside ul ol li table tr td th tbody dl dt dd "
    "blockquote pre form fieldset h1 h2 h3 address center details summary figure figcaption dialog"
).split()
INLINE = "a b i em span font small sub sup code label button q mark time ruby rt rp bdo u s".split()
VOID = "br hr img input wbr meta link base area col embed source track param".split()
RARE = (
    "svg math template slot iframe object noscript select option optgroup textarea xmp plaintext "
    "frameset frame noframes marquee canvas video audio picture map body html head title style "
    "custom-element foreignObject desc mi annotation-xml image isindex keygen fencedframe portal "
    "listing nobr menu meter progress output caption colgroup datalist"
).split()
WORDS = (
    "harbour ferry engine the of and a in town Fähre Größe naïve 漢字 かな اللغة עברית हिन्दी 🏴‍☠️ "
    "e\u0301 \u200b \u202e \ufeff \x0b \x1b[2J 1,234.5 50% =SUM(A1) 'quoted' \"double\" & < > "
    "&amp; &lt &#0; &#x110000; &nbsp; &NotEqualTilde; &#xD800; ]]> --> <!-- © copyright contact"
).split(" ")
NAMES = (
    "id class style title href src alt name value onclick hidden align width height colspan "
    "rowspan dir lang data-block data-block-type type rel content http-equiv charset srcdoc "
    "shadowrootmode contenteditable popover inert is slot xmlns tabindex ping download target"
).split()
VALUES = (
    "content main nav menu footer sidebar x 0 -1 100% 1e9 99999 rtl ltr auto # #top ? / // http: "
    "javascript:void(0) data:text/html,<p>x about:blank pagelet:x file:///etc/passwd ../.. . index "
    "nodes pagelet attributes parentNode childNodes __proto__ constructor length body 'a b' &quot;"
).split(" ")
STYLES = (
    "display:none", "display:contents", "display:flex", "display:grid", "display:table-cell",
    "position:absolute;left:-9999px", "position:fixed;top:0", "position:sticky", "float:left",
    "visibility:hidden", "opacity:0", "overflow:hidden;height:0", "overflow:scroll;height:50px",
    "transform:rotate(45deg)", "transform:scale(0)", "width:1e7px", "height:30000px",
    "font-size:0", "font-size:900px", "columns:3", "writing-mode:vertical-rl", "zoom:5",
    "margin:-500px", "clip-path:inset(50%)", "background:#eee", "color:red;background:blue",
    "border:9px solid", "z-index:99999;position:relative", "content-visibility:auto",
    "text-indent:-9999px", "direction:rtl", "line-height:0", "white-space:pre", "filter:blur(9px)",
)  # fmt: skip
RULES = (
    "p::before{content:'made of style'}", "*{all:unset}", "div{display:inline}", "body{width:0}",
    "@media print{p{display:none}}", "p:hover{display:none}", "li{display:block;float:right}",
    "@import 'none.css';", "html{overflow:hidden}", "*{float:left}", "table{display:grid}",
    "a{position:absolute}", "body{zoom:.1}", "@keyframes k{to{left:9px}}*{animation:k 1s infinite}",
    "p{content-visibility:hidden}", "::first-letter{font-size:5em}", "body{columns:4;height:90px}",
)  # fmt: skip
SCRIPTS = tuple(Path(__file__).with_name("scripts.js").read_text("utf-8").splitlines()[1:])
ENDLESS = ("for (;;);", "while (true) document.body.append('x')", "(function f() { f(); f() })()")
CHARSETS = (
    "utf-8 utf-16 utf-7 hz-gb-2312 iso-2022-kr replacement shift_jis euc-jp gb18030 big5 koi8-r "
    "windows-1252 x-user-defined none \u00fc"
).split()


@dataclass(frozen=True)
class FuzzDocument:
    """A document.

    Attributes:
        data: Its bytes.
        is_tame: Nothing in it runs or is fetched: a browser reads it, however odd it is.
        is_endless: A script in it never ends.
        is_deep: It may be nested deeper than a browser can lay out.
    """

    data: bytes
    is_tame: bool
    is_endless: bool = False
    is_deep: bool = False


def document(seed: int) -> FuzzDocument:
    """Return the document of a seed."""
    dice = random.Random(f"document {seed}")
    authors = ((_grown, 5), (_mutated, 4), (_repeated, 1), (_noise, 1))
    (author,) = dice.choices([m for m, _ in authors], [w for _, w in authors])
    markup = author(dice)
    is_tame = dice.random() < 0.5
    is_endless = False
    if not is_tame and author is not _noise:
        scripts = dice.choices(SCRIPTS, k=dice.choice((1, 1, 2, 4)))
        if dice.random() < 0.01:
            scripts.append(dice.choice(ENDLESS))
            is_endless = True
        for script in scripts:
            at = dice.randrange(len(markup) + 1)
            markup = f"{markup[:at]}<script>{script}</script>{markup[at:]}"
    elif is_tame:
        markup = _tamed(markup)
    charset = dice.choice(CHARSETS) if dice.random() < 0.3 else "utf-8"
    if dice.random() < 0.5:
        markup = f"<!doctype html><meta charset={charset}>{markup}"
    try:
        data = markup.encode(charset, "xmlcharrefreplace")
    except (LookupError, UnicodeError):
        data = markup.encode("utf-8", "replace")
    return FuzzDocument(data, is_tame, is_endless, author is _repeated)


def _tamed(markup: str) -> str:
    """Take out what runs, fetches or leads elsewhere."""
    for word in ("script", "http-equiv", "iframe", "frame", "object", "embed", "src", "portal"):
        markup = markup.replace(word, "x-tame").replace(word.upper(), "x-tame")
    return markup


def _text(dice: random.Random) -> str:
    return " ".join(dice.choices(WORDS, k=dice.choice((1, 3, 8, 40))))


def _attributes(dice: random.Random) -> str:
    result = []
    for _ in range(dice.choice((0, 0, 0, 1, 2, 5))):
        name = dice.choice(NAMES)
        value = dice.choice(STYLES) if name == "style" else dice.choice(VALUES)
        quote = dice.choice(('"', "'", "", '"', '"'))
        result.append(f" {name}={quote}{value}{quote}" if dice.random() < 0.9 else f" {name}")
    return "".join(result)


def _grown(dice: random.Random) -> str:
    """A tree of elements, some of them left open or closed in the wrong order."""
    room = [dice.choice((10, 60, 300, 1_500))]
    deepest = dice.choice((4, 10, 60, 600))
    parts: list[str] = []
    open_: list[str] = []
    if dice.random() < 0.4:
        parts.append(f"<style>{''.join(dice.choices(RULES, k=2))}</style>")
    while room[0] > 0:
        room[0] -= 1
        chance = dice.random()
        if chance < 0.35:
            parts.append(_text(dice))
        elif chance < 0.75 and len(open_) < deepest:
            tag = dice.choice(dice.choices((BLOCKS, INLINE, RARE), (6, 3, 1))[0])
            parts.append(f"<{tag}{_attributes(dice)}>")
            open_.append(tag)
        elif chance < 0.80:
            parts.append(f"<{dice.choice(VOID)}{_attributes(dice)}>")
        elif chance < 0.82:
            parts.append(
                dice.choice(("<!-- ", "-->", "<![CDATA[", "<?xml", "</", "<!", "<3", "\0"))
            )
        elif open_:
            at = -1 if dice.random() < 0.9 else dice.randrange(len(open_))
            tag = open_.pop(at)
            parts.append(f"</{tag}>" if dice.random() < 0.95 else "")
    return "".join(parts)


@cache
def _samples() -> tuple[str, ...]:
    paths = sorted(resources.path("corpus").rglob("index.html"))
    return tuple(path.read_bytes().decode("utf-8", "replace") for path in paths)


def _mutated(dice: random.Random) -> str:
    """A sample page, or a grown one, changed in a few places."""
    markup = dice.choice(_samples()) if dice.random() < 0.7 else _grown(dice)
    for _ in range(dice.choice((1, 3, 10, 50))):
        start = dice.randrange(len(markup) + 1)
        end = min(len(markup), start + dice.choice((1, 5, 50, 2_000)))
        part = markup[start:end]
        change = dice.randrange(7)
        if change == 0:
            part = ""
        elif change == 1:
            part *= dice.choice((2, 2, 10))
        elif change == 2:
            part += f"<{dice.choice(RARE)}{_attributes(dice)}>"
        elif change == 3:
            part = part.replace(dice.choice('<>"= '), dice.choice("<>\"=' "))
        elif change == 4:
            part += dice.choice(("</div>", "<table>", "<p", '"', "'", "<!--", "<svg>", "</body>"))
        elif change == 5:
            part = "".join(
                chr(dice.choice((0, 9, 60, 62, 0x202E, 0xD800, 0x1F600))) for _ in part[:9]
            )
        else:
            part += _text(dice)
        markup = markup[:start] + part + markup[end:]
        if len(markup) > LARGE:
            break
    return markup


def _repeated(dice: random.Random) -> str:
    """A few pieces over and over: what takes more than linear time shows."""
    pieces = [
        dice.choice((
            f"<{dice.choice(BLOCKS + INLINE + RARE)}{_attributes(dice)}>", _text(dice), "</",
            "<!--",
            '<a b=">"', "<a href=x>link</a> ", "<td>", "<p>words of it</p>", "&nbsp", "<script>",
            "</div>", "<b><p>", "<table><tr><td>", "<a b='", "<li><a href=x>a</a>", "<br>", "<i ",
        ))
        for _ in range(dice.choice((1, 1, 2, 3)))
    ]  # fmt: skip
    unit = "".join(pieces)
    size = dice.choice((1_000, 5_000, 20_000, 20_000, LARGE))
    return (unit * (size // len(unit) + 1))[:size]


def _noise(dice: random.Random) -> str:
    data = dice.randbytes(dice.choice((0, 1, 50, 3_000)))
    if dice.random() < 0.5:
        data = bytes(b"<>/=\"' ab&;!-\0"[each % 14] for each in data)
    return data.decode("latin-1")

"""Changes to a page that leave its content: what a method makes of them is its fragility.

Most change nothing visible; `Perturbation.seen` describes the visible changes of the others.

Each is a pure function of the page's HTML, the same each time.  Those of the source are made by
regular expressions on tags, scripts and comments left alone, so that the rest stays identical;
wrappers need the tree.  Width, fonts and scripts are how a page is rendered, and change what reads
the rendering only.
"""

import hashlib
import html as html_module
import random
import re
import zlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import lxml.html
from lxml import etree

from engine.document import Document
from engine.errors import InputError
from engine.mask import visible_ranges
from engine.words import join_words

_MARKUP = re.compile(r"""(</?[a-zA-Z](?:[^>"']|"[^"]*"|'[^']*')*>)""")
_WORD = re.compile(r"\w+")
_AD_NAME = re.compile(
    r"""ads? | adv | advert\w* | ads(bygoogle|ense\w*)
      | ad[-_]?(slot|unit|container|wrap(per)?|banner|box|block|space|zone|placeholder|
                leaderboard|sidebar|label)([-_\d].*)?
      | (google|dfp|gpt|div-gpt|banner)[-_]?ads?([-_\d].*)?
      | .*[-_](ads?|advert(isement)?s?)([-_]?\d+)?
      | (taboola|outbrain)([-_].*)? | sponsored([-_].*)?""",
    re.IGNORECASE | re.VERBOSE,
)
_AD_SERVER = re.compile(
    r"doubleclick\.net|googlesyndication|adservice\.|/adserver|adnxs\.com|taboola\.com|"
    r"outbrain\.com|amazon-adsystem",
    re.IGNORECASE,
)
_NEVER_ADS = frozenset("html head body main article header footer nav form h1 table tbody".split())
_HOLDS_CONTENT = frozenset({"main", "article", "h1"})


def lengthen(text: str) -> str:
    """Write every third word twice.

    Which ones follows from the words alone, so that gold and page grow alike.
    """

    def longer(word: re.Match[str]) -> str:
        return f"{word[0]} {word[0]}" if zlib.crc32(word[0].encode()) % 3 == 0 else word[0]

    return _WORD.sub(longer, text)


def lengthen_texts(html: str) -> str:
    """Make all texts of a page a third longer."""

    def longer(text: str) -> str:
        if text.isspace() or not text:
            return text
        return html_module.escape(lengthen(html_module.unescape(text)), quote=False)

    def changed(text: str) -> str:
        pieces = _MARKUP.split(text)  # text, tag, text, …
        return "".join(each if k % 2 else longer(each) for k, each in enumerate(pieces))

    return _each_range(html, changed)


def _is_advertisement(element: lxml.html.HtmlElement) -> bool:
    """Return whether an element is an advertisement by name or server."""
    if not isinstance(element.tag, str) or element.tag in _NEVER_ADS:
        return False
    names = [*(element.get("class") or "").split(), element.get("id") or ""]
    is_named = any(map(_AD_NAME.fullmatch, names))
    address = f"{element.get('src') or ''} {element.get('href') or ''}"
    if not (is_named or _AD_SERVER.search(address)):
        return False
    return not any(inner.tag in _HOLDS_CONTENT for inner in element.iter())


_TAG = re.compile(r"""<([a-zA-Z][^\s/>"']*)((?:[^>"']|"[^"]*"|'[^']*')*)>""")
_ATTRIBUTE = re.compile(
    r"""(?P<space>\s+)(?P<name>[^\s=>"'/]+)(?:\s*=\s*(?P<value>"[^"]*"|'[^']*'|[^\s"'>]+))?"""
)
_STYLE = re.compile(r"(<style\b[^>]*>)(.*?)(</style\s*>)", re.IGNORECASE | re.DOTALL)
_STYLE_SHEET = re.compile(r"""<link\b[^>]*\brel\s*=\s*["']?stylesheet\b[^>]*>""", re.IGNORECASE)
_BESIDE = re.compile(
    r"""<link\b[^>]*\brel\s*=\s*["']?stylesheet\b|<script\b[^>]*\bsrc\s*=""", re.IGNORECASE
)
_SCRIPT = re.compile(r"<script\b[^>]*>.*?</script\s*>", re.IGNORECASE | re.DOTALL)
_COMMENT = re.compile(r"<!--(?!\[if).*?-->", re.DOTALL)
_AS_WRITTEN = re.compile(r"(<(pre|textarea|script|style|xmp)\b.*?</\2\s*>)", re.I | re.DOTALL)
_SPACE = re.compile(r"[ \t\r\n\f]+")
_CHARSET = re.compile(r"""(charset\s*=\s*["']?)[\w-]+""", re.IGNORECASE)
_NAMES = frozenset("class id for aria-labelledby aria-describedby aria-controls headers".split())
"""Attributes whose words are names of classes and elements."""

_WRAPPED = frozenset(
    "p ul ol dl table h1 h2 h3 h4 h5 h6 blockquote pre figure section article".split()
)
_HOLDS_ROWS = frozenset("table thead tbody tfoot tr ul ol dl select colgroup p".split())
_FONTS = (
    "<style>*{font-family:'DejaVu Serif',Georgia,serif !important;"
    "letter-spacing:.02em !important}</style>"
)
NARROW, WIDE = (360, 640), (2560, 1440)
_OTHER_LAYOUT = "the layout for another width"


@dataclass(frozen=True)
class Perturbation:
    """Change that is applied to pages.

    Attributes:
        key: As the command line names it.
        name: In tables.
        html: From the page's HTML to the changed; None where only the document changes.
        document: Change of the document's rendering.
        text: Change of the texts, those of the gold too; None where they stay.
        encoding: Encoding of the changed page.
        takes_words: Whether it takes words away that are not of the gold.
        seen: Visible effect; "" for none.
        is_of_rendering: Whether the source stays as it is.
    """

    key: str
    name: str
    html: Callable[[str], str] | None = None
    document: Callable[[Document], Document] | None = None
    text: Callable[[str], str] | None = None
    encoding: str = "utf-8"
    takes_words: bool = False
    seen: str = ""

    @property
    def is_of_rendering(self) -> bool:
        return self.html is None


def scramble_names(html: str) -> str:
    """Rename classes and ids, in attributes and in the page's own style sheets."""
    known: dict[str, str] = {}

    def scrambled(name: str) -> str:
        return known.setdefault(name, "n" + hashlib.sha256(name.encode()).hexdigest()[:9])

    def of_attribute(attribute: re.Match[str]) -> str:
        name, value = attribute["name"].lower(), attribute["value"] or ""
        quote = value[:1] if value.startswith(('"', "'")) else ""
        inner = new = value[1:-1] if quote else value
        if name in _NAMES:
            new = " ".join(map(scrambled, inner.split()))
        elif name == "href" and inner.startswith("#") and len(inner) > 1:
            new = "#" + scrambled(inner[1:])
        if new == inner:
            return attribute[0]
        start = attribute.start("value") - attribute.start()
        return f"{attribute[0][:start]}{quote}{new}{quote}"

    changed = _each_attribute(html, of_attribute)

    def selectors(match: re.Match[str]) -> str:
        def name(found: re.Match[str]) -> str:
            return found[1] + known.get(found[2], found[2])

        return match[1] + re.sub(r"([.#])(-?[A-Za-z_][\w-]*)", name, match[2]) + match[3]

    return _STYLE.sub(selectors, changed)


def shuffle_attributes(html: str) -> str:

    def shuffled(match: re.Match[str]) -> str:
        found = [each[0] for each in _ATTRIBUTE.finditer(match[2])]
        rest = _ATTRIBUTE.sub("", match[2])
        if len(found) < 2 or rest.strip(" /\t\r\n\f"):
            return match[0]  # quotes that do not match: its attributes are unknown
        # Of two attributes of one name the first counts, so these keep their order.
        names = [each.split("=", 1)[0].strip().lower() for each in found]
        if len(set(names)) < len(names):
            return match[0]
        if not all(each.endswith(('"', "'")) for each in found if "=" in each):
            return match[0]  # an unquoted value may take a "/" with it
        random.Random(match.start()).shuffle(found)
        return f"<{match[1]}{''.join(found)}{rest}>"

    return _each_tag(html, shuffled)


def drop_styles(html: str) -> str:
    """Leave out style sheets and style attributes."""
    without = _STYLE_SHEET.sub("", _STYLE.sub("", html))
    return _each_attribute(without, lambda a: "" if a["name"].lower() == "style" else a[0])


def minify(html: str) -> str:
    """Leave out comments, and write one blank for each run of white space."""
    pieces = _AS_WRITTEN.split(html)
    # split() gives text, the whole element, its name, text, …
    return "".join(
        _SPACE.sub(" ", _COMMENT.sub("", piece)) if index % 3 == 0 else piece
        for index, piece in enumerate(pieces)
        if index % 3 != 2
    )


def load_lazily(html: str) -> str:
    """Make pictures load when they are scrolled to, as scripts for lazy loading do."""

    def lazy(match: re.Match[str]) -> str:
        if match[1].lower() not in ("img", "iframe", "source"):
            return match[0]
        attributes = re.sub(r"(?i)(\s)(src|srcset)(\s*=)", r"\1data-\2\3", match[2].rstrip("/ "))
        return f'<{match[1]}{attributes} loading="lazy">'

    return _each_tag(html, lazy)


def rewrite(html: str) -> str:
    """Write the page as a parser understood it: closed elements, quoted attributes."""
    return _written(_parsed(html))


def wrap_blocks(html: str) -> str:
    """Wrap each paragraph, list, table and heading in a ``div``."""
    root = _parsed(html)
    for element in list(root.iter(*_WRAPPED)):
        parent = element.getparent()
        if parent is None or parent.tag in _HOLDS_ROWS:
            continue
        wrapper = root.makeelement("div", {})
        wrapper.tail, element.tail = element.tail, None
        parent.replace(element, wrapper)
        wrapper.append(element)
    return _written(root)


def deepen(html: str) -> str:
    """Wrap the whole content of the body in one more level."""
    root = _parsed(html)
    body = root.find("body")
    if body is None:
        return html
    wrapper = root.makeelement("div", {})
    wrapper.text, body.text = body.text, None
    wrapper.extend(list(body))
    body.append(wrapper)
    return _written(root)


def change_fonts(html: str) -> str:
    """Draw everything in another font."""
    head = re.search(r"(?=</head\s*>)", html, re.IGNORECASE)
    begin = head or re.match(r"\s*<!doctype[^>]*>", html, re.IGNORECASE)
    position = begin.end() if begin else 0
    return html[:position] + _FONTS + html[position:]


def remove_advertisements(html: str) -> str:
    """Remove advertisements; a page without any stays unchanged."""
    root = _parsed(html)
    ads = [element for element in root.iter() if _is_advertisement(element)]
    for element in ads:
        if element.getparent() is not None:
            element.drop_tree()
    return _written(root) if ads else html


def declare(html: str, encoding: str) -> str:
    """Set the encoding in the page's own declaration, if it has one.

    Style sheets and scripts beside the page are read in its encoding unless an attribute names
    theirs: in UTF-16 none would count.
    """

    def of_tag(match: re.Match[str]) -> str:
        if match[1].lower() == "meta":
            return _CHARSET.sub(lambda own: own[1] + encoding, match[0])
        if _BESIDE.match(match[0]) and not _CHARSET.search(match[0]):
            return f'<{match[1]} charset="utf-8"{match[2]}>'
        return match[0]

    return _each_tag(html, of_tag)


def _each_range(html: str, changed: Callable[[str], str]) -> str:
    """Change a page, but for its scripts, styles and comments."""
    parts, at = [], 0
    for start, end in visible_ranges(html):
        parts += [html[at:start], changed(html[start:end])]
        at = end
    return "".join([*parts, html[at:]])


def _each_tag(html: str, changed: Callable[[re.Match[str]], str]) -> str:
    return _each_range(html, partial(_TAG.sub, changed))


def _each_attribute(html: str, changed: Callable[[re.Match[str]], str]) -> str:
    return _each_tag(html, lambda tag: f"<{tag[1]}{_ATTRIBUTE.sub(changed, tag[2])}>")


def _parsed(html: str) -> lxml.html.HtmlElement:
    parser = lxml.html.HTMLParser(encoding="utf-8", huge_tree=True)
    try:
        return lxml.html.document_fromstring(html.encode("utf-8", "replace"), parser=parser)
    except (etree.LxmlError, ValueError) as error:
        raise InputError(f"the page cannot be parsed to be changed: {error}") from None


def _written(root: lxml.html.HtmlElement) -> str:
    text: str = lxml.html.tostring(root, encoding="unicode", doctype="<!DOCTYPE html>")
    return text


def _viewport(size: tuple[int, int]) -> Callable[[Document], Document]:
    return lambda document: replace(document, viewport=size)


PERTURBATIONS: tuple[Perturbation, ...] = (
    Perturbation("names", "class and id names scrambled", scramble_names),
    Perturbation("attributes", "attributes in another order", shuffle_attributes),
    Perturbation("styles", "no style sheets", drop_styles,
                 seen="no layout, and what styles hide"),
    Perturbation("scripts", "no scripts", partial(_SCRIPT.sub, ""),
                 lambda document: replace(document, scripts=False),
                 seen="nothing that scripts would have made"),
    Perturbation("minified", "minified", minify),
    Perturbation("rewritten", "written as parsed", rewrite),
    Perturbation("wrapped", "blocks wrapped", wrap_blocks),
    Perturbation("deeper", "one level deeper", deepen),
    Perturbation("lazy", "pictures come late", load_lazily),
    Perturbation("fonts", "another font", change_fonts, seen="other letters"),
    Perturbation("ads", "no advertisements", remove_advertisements, takes_words=True,
                 seen="no advertisements"),
    Perturbation("longer", "texts a third longer", lengthen_texts, text=lengthen,
                 seen="every third word twice"),
    Perturbation("latin", "written in windows-1252", partial(declare, encoding="windows-1252"),
                 encoding="windows-1252"),
    Perturbation("utf16", "written in UTF-16", partial(declare, encoding="utf-16"),
                 encoding="utf-16"),
    Perturbation("narrow", "360 px wide", None, _viewport(NARROW), seen=_OTHER_LAYOUT),
    Perturbation("768px", "768 px wide", None, _viewport((768, 1024)), seen=_OTHER_LAYOUT),
    Perturbation("1024px", "1024 px wide", None, _viewport((1024, 768)), seen=_OTHER_LAYOUT),
    Perturbation("1920px", "1920 px wide", None, _viewport((1920, 1080)), seen=_OTHER_LAYOUT),
    Perturbation("wide", "2560 px wide", None, _viewport(WIDE), seen=_OTHER_LAYOUT),
)  # fmt: skip


def choose_perturbations(keys: str) -> tuple[Perturbation, ...]:
    """Return perturbations by keys separated by commas, or ``all``; raises `InputError`."""
    if keys.strip() == "all":
        return PERTURBATIONS
    known = {each.key: each for each in PERTURBATIONS}
    words = dict.fromkeys(word.strip() for word in keys.split(",") if word.strip())
    if not words:
        raise InputError("--perturb is empty: name at least one change, or all")
    for word in words:
        if word not in known:
            choices = f"all or some of {join_words(list(known))}"
            raise InputError(f"--perturb must be {choices}, got {word!r}")
    return tuple(map(known.__getitem__, words))

"""TeX of formulas: without its delimiters, between them in a text, and commands for MathML."""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from algorithms.structure.rows import PageRows
from engine.source import Source

COMMAND = re.compile(r"\\[a-zA-Z]{2,}|\\[,;!{}\\]|[\^_]\{")
_WRAPPED = (("\\(", "\\)"), ("\\[", "\\]"), ("$$", "$$"), ("$", "$"),
            ("\\begin{displaymath}", "\\end{displaymath}"),
            ("\\begin{math}", "\\end{math}"))  # fmt: skip
_STYLE = re.compile(r"\s*\\(?:displaystyle|textstyle)(?![a-zA-Z])\s*")


class Formula(NamedTuple):
    """A formula.

    Attributes:
        tex: Its TeX, without delimiters.
        is_display: Whether it is on a separate line.
        mathml: Its MathML, cleaned; "" where the page has none.
    """

    tex: str
    is_display: bool
    mathml: str = ""


def is_wrapped(text: str) -> bool:
    return any(text.startswith(a) and text.endswith(b) and len(text) > len(a + b)
               for a, b in _WRAPPED)  # fmt: skip


def unwrap(tex: str) -> str:
    """Return TeX without its delimiters and enclosing style.

    >>> unwrapped(r"{\\displaystyle B=-B^{T}}")
    'B=-B^{T}'
    """
    tex = _trimmed(tex)
    for opening, closing in _WRAPPED:
        if tex.startswith(opening) and tex.endswith(closing) and len(tex) > len(opening + closing):
            tex = _trimmed(tex[len(opening) : -len(closing)])
            break
    match = re.match(r"\{\s*\\(?:displaystyle|textstyle)(?![a-zA-Z])\s*", tex)
    if match and tex.endswith("}") and _balanced(tex[match.end() : -1]):
        tex = _trimmed(tex[match.end() : -1])
    return _trimmed(_STYLE.sub("", tex, count=1) if _STYLE.match(tex) else tex)


def _trimmed(tex: str) -> str:
    r"""Return TeX without white space around it, but for a control space at its end (``\ ``)."""
    return re.sub(r"\n\s*\n", "\n", tex.strip() + (" " if re.search(r"(?<!\\)\\\s+$", tex) else ""))


def _balanced(tex: str) -> bool:
    depth = 0
    for brace in re.findall(r"(?<!\\)[{}]", tex):
        depth += 1 if brace == "{" else -1
        if depth < 0:
            return False
    return depth == 0


# Raw delimiters ----------------------------------------------------------------------------

_RENDERS = re.compile(
    r"<script[^>]*(?:mathjax|katex)[^>]*>|MathJax\.Hub|MathJax\s*=|renderMathInElement|tex2jax"
    r"|window\.MathJax|katex\.render|mathjax-tex|jsmath",
    re.IGNORECASE,
)
_LOADED = ("athJax", "athjax", "atex", "enderMathInElement", "tex2jax", "jsmath")
_RAW = re.compile(
    r"\\\((?P<round>.+?)\\\)|\\\[(?P<square>.+?)\\\]|(?<![\\$])\$\$(?P<double>[^$]+?)\$\$"
    r"|(?P<env>\\begin\{(?P<name>equation|align|gather|multline|eqnarray|aligned)(?P<star>\*?)\}"
    r".+?\\end\{(?P=name)(?P=star)\})"
    r"|(?<![\\$\w])\$(?P<single>(?![\s$])(?:[^$\\]|\\.){1,400}?(?<![\s\\]))\$(?![\d$])",
    re.DOTALL,
)
IS_MATH = re.compile(
    r"[\\^_={}<>+*/|~]|^[A-Za-z]['′]?$|^[A-Za-z]\(|^[A-Za-z](?:,\s?[A-Za-z])+$|-[a-z]"
)
IS_MONEY = re.compile(r"^\d[\d,.]*(?:\s?[kKmMbB]\b)?(?:\s|$|[-–—]|/[^\W\d_]{2})")


def renders_raw(rows: PageRows) -> bool:
    """Return whether a page loads a script that draws TeX between delimiters in its text."""
    page = rows.page
    if isinstance(page, Source) and not any(word in page.html for word in _LOADED):
        return False
    return any(
        _RENDERS.search(f"<script {rows.get(row, 'src')} {rows.get(row, 'id')}>")
        or _RENDERS.search(rows.raw(row))
        for row in rows.named("script")
    )


def raw_formulas(text: str) -> Iterator[tuple[str, Formula | None]]:
    r"""Yield the pieces of a text: other text, and formulas between delimiters, unchanged.

    >>> [piece for piece, formula in raw_formulas(r"costs $5, \(x\) costs $6") if formula]
    ['\\(x\\)']
    """
    past = 0
    for match in _RAW.finditer(text):
        kind = "env" if match["env"] else match.lastgroup
        tex = match[kind] if kind else ""
        if kind == "single" and (
            not IS_MATH.search(tex) or (IS_MONEY.match(tex) and not COMMAND.search(tex))
        ):
            continue
        if match.start() > past:
            yield text[past : match.start()], None
        yield match[0], Formula(_trimmed(tex), kind in ("square", "double", "env"))
        past = match.end()
    if past < len(text):
        yield text[past:], None


TEX_CHARACTERS: Mapping[str, str] = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ϵ": "epsilon", "ε": "varepsilon",
    "ζ": "zeta", "η": "eta", "θ": "theta", "ϑ": "vartheta", "ι": "iota", "κ": "kappa",
    "λ": "lambda", "μ": "mu", "ν": "nu", "ξ": "xi", "π": "pi", "ϖ": "varpi", "ρ": "rho",
    "ϱ": "varrho", "σ": "sigma", "ς": "varsigma", "τ": "tau", "υ": "upsilon", "φ": "varphi",
    "ϕ": "phi", "χ": "chi", "ψ": "psi", "ω": "omega", "Γ": "Gamma", "Δ": "Delta", "Θ": "Theta",
    "Λ": "Lambda", "Ξ": "Xi", "Π": "Pi", "Σ": "Sigma", "Υ": "Upsilon", "Φ": "Phi", "Ψ": "Psi",
    "Ω": "Omega", "∑": "sum", "∏": "prod", "∐": "coprod", "∫": "int", "∬": "iint", "∭": "iiint",
    "∮": "oint", "⋃": "bigcup", "⋂": "bigcap", "⨁": "bigoplus", "⨂": "bigotimes", "⋁": "bigvee",
    "⋀": "bigwedge", "±": "pm", "∓": "mp", "×": "times", "÷": "div", "⋅": "cdot", "·": "cdot",
    "∗": "ast", "⋆": "star", "∘": "circ", "∙": "bullet", "⊕": "oplus", "⊖": "ominus",
    "⊗": "otimes", "⊙": "odot", "∧": "land", "∨": "lor", "∩": "cap", "∪": "cup", "∖": "setminus",
    "≤": "leq", "≥": "geq", "≪": "ll", "≫": "gg", "≠": "neq", "≡": "equiv", "≈": "approx",
    "∼": "sim", "≃": "simeq", "≅": "cong", "∝": "propto", "≺": "prec", "≻": "succ", "⪯": "preceq",
    "⪰": "succeq", "≐": "doteq", "≜": "triangleq", "≔": "coloneqq", "⊂": "subset", "⊃": "supset",
    "⊆": "subseteq", "⊇": "supseteq", "⊊": "subsetneq", "∈": "in", "∉": "notin", "∋": "ni",
    "∅": "emptyset", "∀": "forall", "∃": "exists", "∄": "nexists", "¬": "neg", "⊢": "vdash",
    "⊨": "models", "⊥": "bot", "⊤": "top", "∥": "parallel", "∣": "mid", "∠": "angle",
    "→": "rightarrow", "←": "leftarrow", "↔": "leftrightarrow", "⇒": "Rightarrow",
    "⇐": "Leftarrow", "⇔": "Leftrightarrow", "⟶": "longrightarrow", "⟵": "longleftarrow",
    "⟹": "Longrightarrow", "⟺": "iff", "↦": "mapsto", "⟼": "longmapsto", "↑": "uparrow",
    "↓": "downarrow", "⇀": "rightharpoonup", "⇌": "rightleftharpoons", "↪": "hookrightarrow",
    "↠": "twoheadrightarrow", "⊸": "multimap", "∞": "infty", "∂": "partial", "∇": "nabla",
    "ℏ": "hbar", "ℓ": "ell", "ℜ": "Re", "ℑ": "Im", "ℵ": "aleph", "℘": "wp", "…": "ldots",
    "⋯": "cdots", "⋮": "vdots", "⋱": "ddots", "′": "'", "″": "''", "‴": "'''", "√": "surd",
    "⟨": "langle", "⟩": "rangle", "〈": "langle", "〉": "rangle", "⌊": "lfloor", "⌋": "rfloor",
    "⌈": "lceil", "⌉": "rceil", "‖": "|", "△": "triangle", "□": "square", "◻": "square",
    "■": "blacksquare", "◊": "lozenge", "♢": "diamond", "⋄": "diamond", "♯": "sharp",
    "♭": "flat", "†": "dagger", "‡": "ddagger", "§": "S", "∴": "therefore", "∵": "because",
    "⊔": "sqcup", "⊓": "sqcap", "⊑": "sqsubseteq", "⊒": "sqsupseteq", "⋉": "ltimes",
    "⋊": "rtimes", "ı": "imath", "ȷ": "jmath", "ð": "eth", "°": "degree",
    "{": "{", "}": "}", "%": "%", "$": "$", "#": "#", "&": "&", "_": "_", "\\": "backslash",
}  # fmt: skip
"""Character → its command, without the backslash."""

PLAIN = {"−": "-", "′": "'", "″": "''", "‴": "'''", "∶": ":", "\u00a0": "~", "⁄": "/", "ˉ": "¯"}
UNSEEN = re.compile("[\u200b\u2060-\u2064\ufeff]")

ACCENTS: Mapping[str, str] = {
    "→": "vec", "⃗": "vec", "⇀": "vec", "~": "tilde", "˜": "tilde", "∼": "tilde", "^": "hat",
    "ˆ": "hat", "˙": "dot", "¨": "ddot", "⃛": "dddot", "¯": "bar", "‾": "overline",
    "―": "overline", "_": "bar", "ˇ": "check", "˘": "breve", "`": "grave", "´": "acute",
    "˚": "mathring", "⏞": "overbrace", "⏜": "overparen", "‿": "underparen",
}  # fmt: skip
UNDER = {"⏟": "underbrace", "_": "underline", "¯": "underline", "‾": "underline", "―": "underline"}
WIDE = {"tilde": "widetilde", "hat": "widehat", "bar": "overline", "vec": "overrightarrow"}

FUNCTIONS = frozenset(
    "arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim liminf "
    "limsup ln log max min Pr sec sin sinh sup tan tanh".split()
)
LARGE = frozenset(
    r"\sum \prod \coprod \int \iint \iiint \oint \bigcup \bigcap \lim \max \min \sup \inf \liminf "
    r"\limsup \bigoplus \bigotimes \bigvee \bigwedge \det \gcd \Pr".split()
)
VARIANTS: Mapping[str, str] = {
    "bold": "mathbf", "double-struck": "mathbb", "script": "mathcal", "fraktur": "mathfrak",
    "sans-serif": "mathsf", "monospace": "mathtt", "bold-italic": "boldsymbol",
    "-tex-calligraphic": "mathcal", "bold-script": "mathcal", "bold-fraktur": "mathfrak",
    "sans-serif-bold": "mathsf",
}  # fmt: skip
FENCES = {"(": ")", "[": "]", "{": "}", "|": "|", "‖": "‖", "⟨": "⟩", "⌊": "⌋", "⌈": "⌉"}
CLOSE = {")": "pmatrix", "]": "bmatrix", "|": "vmatrix", "‖": "Vmatrix", "}": "Bmatrix"}
"""Closing fence of a matrix → its environment."""

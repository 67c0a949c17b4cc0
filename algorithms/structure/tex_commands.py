"""TeX commands of MathML's characters, accents, fences and styles."""

import re
from collections.abc import Mapping

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

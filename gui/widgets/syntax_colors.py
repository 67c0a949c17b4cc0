"""Colours of code by theme, and which of Pygments' kinds of token has which."""

from collections.abc import Mapping

INKS = {
    "light": {
        "tag": "#0a58a6", "attribute": "#7d4a00", "value": "#1a6e41", "entity": "#96208f",
        "comment": "#626775", "keyword": "#6f3bc4", "number": "#0b5f7a",
    },
    "dark": {
        "tag": "#7cc0ff", "attribute": "#f0b860", "value": "#8fd6a8", "entity": "#e6a3ea",
        "comment": "#9aa0ad", "keyword": "#c8abff", "number": "#83d3e8",
    },
}  # fmt: skip
"""Colours of syntax by theme: 4.5:1 or more on a panel."""


def kind_of(token: tuple[str, ...], kinds: Mapping[str, str]) -> str:
    """Return the entry of ``kinds`` for a Pygments type or its nearest ancestor; "" for none."""
    for size in range(len(token), 0, -1):
        kind = kinds.get(".".join(token[:size]))
        if kind is not None:
            return kind
    return ""

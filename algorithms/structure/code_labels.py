"""Labels of blocks of code: names of languages and buttons; other text beside code is content."""

import re
from functools import cache

_BUTTONS = frozenset(
    "copy|copied|copied!|copy code|copy snippet|copy text|copy link|copy command|copy page"
    "|copy to clipboard|click to copy|code copied|wrap|wrap lines|wrap text|unwrap|word wrap"
    "|toggle word wrap|toggle wrap|line wrap|expand|collapse|expand code|collapse code|show more"
    "|show less|show all|run|run code|run ▶|▶|edit|edit code|download|download code|raw|view raw"
    "|view source|print|fullscreen|full screen|enter fullscreen mode|exit fullscreen mode"
    "|toggle line numbers|line numbers|open in new window|open in playground|open in codepen"
    "|open in stackblitz|explain|explain code|ask ai|try it|light|dark|toggle theme".split("|")
)
_SHOWN = frozenset(
    "c++|c#|f#|objective-c|plain text|plaintext|text|txt|none|code|terminal|shell script"
    "|shell session|bash session|console session|command line|cmd|powershell session|jsonc|json5"
    "|markdown|md|mdx|html5|xhtml|vue|svelte|astro|dockerfile|docker|curl|http|graphql|solidity"
    "|visual basic|vb.net|assembly|wasm|regex|csv|env|dotenv|git|vbnet|node.js|react|jsx".split("|")
)
_NO_LANGUAGE = frozenset(["output", "ring", "gate", "debsources", "pan", "tea"])
"""Names of lexers that are words of other meaning beside code."""


@cache
def _languages() -> frozenset[str]:
    from pygments.lexers import get_all_lexers

    every = (name for long, short, *_ in get_all_lexers(plugins=False) for name in (long, *short))
    return frozenset(map(str.casefold, every)) - _NO_LANGUAGE | _SHOWN


def is_language(text: str) -> bool:
    """Return whether a text is the name of a programming language, and nothing else.

    >>> [is_language(each) for each in ("C++", "yaml", "Output", "gauge.rs")]
    [True, True, False, False]
    """
    return _plain(text) in _languages()


def is_button(text: str) -> bool:
    """Return whether a text is that of a button beside code, and nothing else.

    >>> [is_button(each) for each in (" Copy code ", "Copied!", "Copy of a letter")]
    [True, True, False]
    """
    return _plain(text) in _BUTTONS


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip(" :·•|⧉📋⎘").casefold()

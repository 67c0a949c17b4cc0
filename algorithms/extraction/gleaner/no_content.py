"""Pages without main content: none of their blocks is likely, or their own words tell it.

The words are those of an error, a check for robots or an empty shell.  Each such rule needs a page
on which little text would be kept anyway, and a text of a known kind: no content is a claim about
the whole page, and a wrong one costs all of it.
"""

import re

import numpy as np

from algorithms.extraction.gleaner.asides import consent
from algorithms.extraction.gleaner.text_runs import TextRuns, text_runs
from algorithms.signals.tree_counts import linked
from engine.source import Source
from engine.tree import Bools, Doubles

UNLIKELY = 0.1
"""Where no block has this chance, there is no content.

By models that had not seen the page's site, seven of WCXB's 1,358 pages with gold are so: gold is
empty on six, and the file of the seventh has none of gold's words.  Of 434 other pages (Kreuzer's,
Defuddle's, hostile ones) one is, whose text scripts write.  Chances mean the same in a model that
was trained on other gold.
"""

_MOST_KEPT, _MOST_PROSE = 40, 60
"""Most words that are kept, and most words without links on the page, where a page is none."""

_SHELL = re.compile(
    r"(?:enable|turn on|activate|activer|aktivieren|requires?|without|habilit\w+|attiv\w+)"
    r" (?:your |the )?java ?script|java ?script (?:is |must be |to be )?(?:required|disabled"
    r"|enabled|not enabled|aktivier\w+)|JavaScript を有効",
    re.IGNORECASE,
)
_ROBOT = re.compile(
    r"verify(?:ing)? (?:that )?you(?: are|'re) (?:a |not a )?(?:human|robot)"
    r"|checking (?:your browser|if the site connection)|unusual traffic"
    r"|(?:complete|solve) (?:the|this) captcha|are you (?:a robot|human)"
    r"|press (?:and|&) hold|performing security verification|slide to verify",
    re.IGNORECASE,
)
_ERROR = re.compile(
    r"(?:^|\W)(?:(?:error|http) ?)?(?:40[0134]|410|429|50[0234])(?:$|\W)|(?:page|file|site|url)"
    r" (?:(?:was|is|could|can) ?)?(?:not|n't|n’t|cannot)(?: be)? (?:be )?(?:found|exist|available)"
    r"|access denied|forbidden|bad gateway|internal server error|service unavailable"
    r"|seite (?:wurde )?nicht gefunden|page (?:introuvable|non trouvée)|página no encontrada"
    r"|pagina non trovata|pagina niet gevonden",
    re.IGNORECASE,
)
_LOGIN = re.compile(
    r"\b(?:log ?in|sign ?in|anmelden|einloggen|connexion|se connecter|iniciar sesión|accedi"
    r"|inloggen)\b",
    re.IGNORECASE,
)


def no_content(source: Source, kept: Bools, chance: Doubles) -> str:
    """Return why a page holds no main content, "" where it may.

    Args:
        source: The page.
        kept: bool (b,). The blocks that would be taken.
        chance: float64 (b,). Which share of each block is expected to be content.
    """
    read = text_runs(source).words > 0
    if not (reason := _by_its_words(source, kept)) and read.any() and chance[read].max() < UNLIKELY:
        return "no part of the page is likely to be content"
    return reason


def _by_its_words(source: Source, kept: Bools) -> str:
    runs = text_runs(source)
    words = runs.words
    if not (~source.tree.within("title")[runs.row]).any():
        return "the page has no text without its scripts"
    if int(words[kept].sum()) > _MOST_KEPT:
        return ""
    asks = consent(source)
    prose = ~linked(source)[runs.row] & (words > 0) & ~asks
    if int(words[prose].sum()) > _MOST_PROSE:
        return ""
    if asks.any() and not (kept & ~asks).any():
        return "the page holds only a question for consent"
    for reason, pattern in (
        ("the page asks for JavaScript", _SHELL),
        ("the page asks whether a person reads it", _ROBOT),
    ):
        if _says(runs, prose, pattern):
            return reason
    heads = source.tree.within("title", "h1", "h2", "h3")[runs.row]
    if _says(runs, heads, _ERROR):
        return "the page reports an error"
    if _asks_password(source) and _says(runs, words > 0, _LOGIN):
        return "the page asks to log in"
    return ""


def _says(runs: TextRuns, chosen: Bools, pattern: re.Pattern[str]) -> bool:
    return any(pattern.search(runs.texts[block]) for block in np.flatnonzero(chosen).tolist())


_PASSWORD = re.compile(r"<input\b[^>]*\btype\s*=\s*[\"']?password", re.IGNORECASE)


def _asks_password(source: Source) -> bool:
    return _PASSWORD.search(source.html) is not None

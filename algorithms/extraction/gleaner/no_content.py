"""Pages without main content, by their own words: an error, a check for robots, an empty shell.

Each rule needs a page on which little text would be kept anyway, and a text of a known kind: no
content is a claim about the whole page, and a wrong one costs all of it.
"""

import re

import numpy as np

from algorithms.extraction.gleaner.asides import consent
from algorithms.extraction.gleaner.text_runs import TextRuns, text_runs
from algorithms.signals.tree_counts import linked
from engine.source import Source
from engine.tree import Bools

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


def no_content(source: Source, kept: Bools) -> str:
    """Return why a page holds no main content, "" where it may; ``kept``, bool (b,), are the
    blocks that would be taken.
    """
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

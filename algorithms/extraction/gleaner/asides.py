"""Texts beside the content that no class gives away: requests for consent, links to other pages.

Both are recognised by their words and their position.
"""

import re

import numpy as np

from algorithms.extraction.gleaner.text_runs import TextRuns, text_runs
from algorithms.signals.tree_counts import linked, words_below
from engine.source import Source
from engine.tree import Bools, Tree

_CONSENT = re.compile(
    r"\b(?:cookies?|consent|legitimate interests?|vendors?|partners?n?|personal data|identifiers"
    r"|privacy"
    r"|tracking|advertising|analytics|einwilligung|berechtigte\w? interesse\w*|datenschutz\w*"
    r"|drittanbieter|personenbezogen\w*|werbung|consentement|traceurs|partenaires|intérêt légitime"
    r"|données personnelles|publicités?|consentimiento|socios|interés legítimo|datos personales"
    r"|publicidad|consenso|dati personali|legittimo interesse|pubblicità|toestemming"
    r"|persoonsgegevens"
    r"|advertenties|consentimento|dados pessoais|parceiros|zgod\w+|dan\w+ osobow\w+)\b"
    r"|クッキー|쿠키",
    re.IGNORECASE,
)
_ANSWER = re.compile(
    r"\b(?:(?:accept|agree|allow|consent|reject|decline|deny|refuse|got it)"
    r"|(?:manage|cookie|privacy|your|confirm my) (?:cookies?|settings|preferences|choices|options)"
    r"|only necessary"
    r"|akzeptieren|zustimmen|ablehnen|alle? (?:cookies )?(?:akzeptieren|ablehnen|zulassen)|annehmen"
    r"|tout (?:accepter|refuser)|accepter|refuser|aceptar|rechazar|accett\w+|rifiut\w+|accepteren"
    r"|weigeren|aceitar|rejeitar|akceptuj\w*|zgadzam|odrzuć|同意|принять|отклонить)\b",
    re.IGNORECASE,
)
_FEWEST_TERMS, _FEWEST_WORDS, _LONGEST_ANSWER = 3, 15, 6
"""Different terms of a consent text, its words, and words of a control that answers it."""

_BESIDE = 0.3
"""Most words of what may stand in one box with a consent text, such as a list of purposes."""

_OTHERS = re.compile(
    r"\W*(?:(?:\w+ )?(?:related|similar|recommended|suggested) (?:\w+ )?(?:posts?|articles?"
    r"|stories|news"
    r"|reading|content|pages|topics|blogs?|resources|products|items)"
    r"|related$|recommended(?: for you)?$|more (?:from|like this|stories|articles|posts|news"
    r"|on this)"
    r"|you (?:may|might|could|will|'ll) (?:also )?(?:like|enjoy|love|be interested)"
    r"|read (?:next|more|also)|(?:up )?next up|keep reading|what to read next|don't miss|also on"
    r"|(?:latest|recent|popular|trending|other|more|most read|most popular) (?:\w+ )?(?:posts?"
    r"|articles?"
    r"|stories|news|blogs?)|trending now|most (?:read|viewed|popular)"
    r"|ähnliche |verwandte |weitere (?:artikel|beiträge|themen|meldungen)|das könnte (?:sie|dich"
    r"|ihnen)"
    r"|mehr zum thema|auch interessant|lesen sie auch|à lire (?:aussi|également)|lire aussi"
    r"|articles? (?:similaires|liés|connexes|récents)|sur le même (?:thème|sujet)"
    r"|(?:artículos|noticias|entradas) relacionad[ao]s|te puede interesar|lee también"
    r"|articoli correlati|potrebbe(?:ro)? interessarti|leggi anche|gerelateerde|lees ook"
    r"|artigos relacionados|leia também|powiązane|関連記事|相关文章|похожие|читайте также)",
    re.IGNORECASE,
)
_LONGEST_HEADING, _FEWEST_LINKS, _LONGEST_BESIDE = 8, 3, 6
"""Most words of a heading above links to other pages, fewest links below it, and most words beside
a link, such as a date."""

_LEAST_PROSE = 50
"""Words of text that is no link, to which such links are beside."""


def consent(source: Source) -> Bools:
    """Return the blocks of texts that ask for consent, bool (b,).

    A box outside the content that names cookies, partners and their like and has a control that
    answers; none where the page's title speaks of them, as that of a policy does.
    """
    runs, tree = text_runs(source), source.tree
    found = np.zeros(len(runs), dtype=bool)
    is_control = tree.within("button", "a", "label")[runs.row]
    short = np.flatnonzero((runs.words > 0) & (runs.words <= _LONGEST_ANSWER) & is_control)
    answers = [number for number in short.tolist() if _ANSWER.search(runs.texts[number])]
    if not answers or _CONSENT.search(source.title):
        return found
    is_content = tree.within("main", "article")[runs.row]
    total = np.concatenate(([0], np.cumsum(runs.words)))
    for number in answers:
        if not found[number] and not is_content[number]:
            found[_consent_around(tree, runs, total, number)] = True
    return found


def _consent_around(tree: Tree, runs: TextRuns, total: np.ndarray, number: int) -> slice:
    """Return the blocks of the box that a control answers; none where it is no consent text."""
    best, row = slice(0, 0), int(tree.parent[runs.row[number]])
    while row > 0 and tree.name_of(row) not in ("body", "html", "main", "article"):
        inside = slice(row, int(tree.end[row]))
        if tree.has_tag("h1", "main", "article", "nav", rows=inside).any():
            break
        part = slice(*runs.row.searchsorted([row, int(tree.end[row])]).tolist())
        words = int(total[part.stop] - total[part.start])
        if best.stop:
            before = int(total[best.stop] - total[best.start])
            if words - before > _BESIDE * before:
                break
            best = part
        elif words >= _FEWEST_WORDS:
            said = {each.lower() for each in _CONSENT.findall(" ".join(runs.texts[part]))}
            if len(said) < _FEWEST_TERMS:
                break
            best = part
        row = int(tree.parent[row])
    return best


def other_pages(source: Source, kept: Bools) -> Bools:
    """Return the blocks of lists of other pages, with their headings, bool (b,).

    Below a heading that says so are links alone, with short words beside them, and the page has
    other text that is kept, bool (b,).
    """
    runs = text_runs(source)
    found = np.zeros(len(runs), dtype=bool)
    is_short = (runs.words > 0) & (runs.words <= _LONGEST_HEADING)
    headings = [k for k in np.flatnonzero(is_short).tolist() if _OTHERS.match(runs.texts[k])]
    if not headings:
        return found
    share = _linked_share(source, runs)
    worded = np.flatnonzero(runs.words > 0)
    is_link = share[worded] >= 0.5
    prose = float((runs.words * kept * (1 - share)).sum())
    for number in headings:
        place = int(worded.searchsorted(number))
        if found[number] or is_link[place]:
            continue
        past = last = place + 1
        while past < worded.size and (is_link[past] or runs.words[worded[past]] <= _LONGEST_BESIDE):
            past += 1
            last = past if is_link[past - 1] or past - last <= 1 else last
        part = worded[place:last]
        links = int(is_link[place + 1 : last].sum())
        if links >= _FEWEST_LINKS and 2 * links >= part.size - 1:
            own = float((runs.words[part] * kept[part] * (1 - share[part])).sum())
            found[part] = prose - own >= _LEAST_PROSE
    return found


def _linked_share(source: Source, runs: TextRuns) -> np.ndarray:
    words = words_below(source, linked(source) & ~source.tree.is_text)
    total = np.concatenate(([0.0], np.cumsum(words, dtype=np.float64)))
    return np.asarray((total[runs.last] - total[runs.first]) / (runs.last - runs.first))

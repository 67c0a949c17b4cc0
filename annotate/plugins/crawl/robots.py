"""What a host asks of crawlers: its robots.txt, read by Protego (RFC 9309), and its pages' robots.

Readings (RFC 9309, 2.3.1): a robots.txt that is not there allows everything; one that the server
fails to give allows nothing.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from annotate.plugins.crawl.fetcher import ServerAnswer
from engine.errors import InputError
from engine.source import Source

AGENT = "Pagelet"
"""The name that rules are looked up by."""

MOST_BYTES = 500 * 1024
"""Of a robots.txt no more is read (RFC 9309, 2.5)."""

_LONGEST_DELAY = 600.0


@dataclass(frozen=True)
class Rules:
    """Rules of a host.

    Attributes:
        delay: Seconds it wants between two requests; 0 if not given.
        refusal: Why requests are forbidden, in words; "" if some are allowed.
    """

    delay: float = 0.0
    refusal: str = ""
    _parsed: Any = None

    def allow(self, address: str) -> bool:
        """Return whether an address may be requested."""
        if self._parsed is None:
            return not self.refusal
        return bool(self._parsed.can_fetch(address, AGENT))


def rules_of(answer: ServerAnswer) -> Rules:
    """Return the rules a host answered with."""
    if answer.status >= 500:
        return Rules(refusal=f"{answer.address} was answered with {answer.status}")
    if answer.status != 200:
        return Rules()
    try:
        from protego import Protego
    except ImportError:
        raise InputError("a crawl needs Protego: pip install 'pagelet[web]'") from None
    parsed = Protego.parse(answer.data[:MOST_BYTES].decode("utf-8", "replace"))
    delay = float(parsed.crawl_delay(AGENT) or 0.0)
    if delay > _LONGEST_DELAY:
        return Rules(
            refusal=f"{answer.address} asks for {delay:g} s between two requests, "
            f"more than the {_LONGEST_DELAY:g} s a crawl waits"
        )
    return Rules(delay, _parsed=parsed)


def may_follow(answer: ServerAnswer, source: Source) -> bool:
    """Return whether a page lets its links be followed, by its head and its answer's headers."""
    asked = [answer.headers.get("x-robots-tag", "")]
    for row in np.flatnonzero(source.tree.has_tag("meta")).tolist():
        values = source.attributes(row)
        if values.get("name", "").strip().lower() in ("robots", AGENT.lower()):
            asked.append(values.get("content", ""))
    words = {word.strip().lower() for each in asked for word in each.split(",")}
    return not words & {"nofollow", "none"}

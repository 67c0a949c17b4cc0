"""Crawler that follows the links of a site, breadth first, and stores the responses.

It reads and obeys robots.txt, sends one request at a time on one connection, waits between two,
longer if the host wants that, and stops if a host fails repeatedly.  A killed crawl resumes from
its archive: it requests only missing pages, so the same pages result.

Robots.txt is read by Protego (RFC 9309; of 2.3.1: one that is not there allows everything, one that
the server fails to give allows nothing), and so are the robots that pages name.
"""

import http.client
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from email.message import Message
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any
from urllib.parse import urldefrag, urljoin, urlsplit

import numpy as np

from algorithms.templates.site import normal
from annotate.plugins.crawl.exchanges import Exchanges
from annotate.plugins.crawl.fetcher import (
    Fetcher,
    IsAccepted,
    Limits,
    NoAnswer,
    ServerAnswer,
    request_parts,
)
from annotate.plugins.crawl.site_folder import SiteFolder
from engine.errors import InputError, Unreachable
from engine.hosts import HostPolicy, PrivateAddress
from engine.options import Options, option
from engine.source import Source
from engine.words import plural

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
        is_passing: Whether it may be another one later, as the server gave no answer.
    """

    delay: float = 0.0
    refusal: str = ""
    is_passing: bool = False
    _parsed: Any = None

    def allow(self, address: str) -> bool:
        """Return whether an address may be requested."""
        if self._parsed is None:
            return not self.refusal
        return bool(self._parsed.can_fetch(address, AGENT))


def rules_of(answer: ServerAnswer) -> Rules:
    """Return the rules a host answered with."""
    if answer.status >= 500:
        refusal = f"{answer.address} was answered with {answer.status}"
        return Rules(refusal=refusal, is_passing=True)
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


_PAGES = ("text/html", "application/xhtml+xml")
_HOPS = 5
_REQUESTS_A_PAGE = 10
_FAILURES = 5
_LONGEST_WAIT = 60.0
_ROBOTS_LAST = 24 * 3600.0
_LONGEST_ADDRESS = 2000
_BUSY = (http.client.TOO_MANY_REQUESTS, http.client.SERVICE_UNAVAILABLE)


@dataclass(frozen=True)
class CrawlPlan(Options):
    """Plan of a crawl from an address on."""

    address: str
    depth: int = option(1, "links to follow from there", metavar="N", low=0)
    limit: int = option(50, "most pages to fetch", metavar="N", low=1)
    delay: float = option(
        1.0, "time between two requests; more where robots.txt asks for it", metavar="SECONDS",
        low=0,
    )  # fmt: skip
    minutes: float = option(0.0, "longest time for all; 0: no limit", metavar="N", low=0)
    limits: Limits = field(default_factory=Limits)


@dataclass(frozen=True)
class Crawled:
    """Results of a crawl.

    Attributes:
        pages: In the folder now.
        asked: Requests sent this time.
        left_out: Address → why it is not among the pages.
        stopped: Why the crawl ended early; "" if it did not.
    """

    pages: int
    asked: int
    left_out: dict[str, str] = field(default_factory=dict)
    stopped: str = ""


def crawl(plan: CrawlPlan, out: Path, say: Callable[[str], None] = lambda _line: None) -> Crawled:
    """Crawl into a folder, or resume there; ``say`` gets a line for each page.

    Raises:
        InputError: The first page cannot be had, or the folder not be used.
    """
    request_parts(plan.address)
    folder = SiteFolder(out, plan.address)
    about = {"software": AGENT, "format": "WARC File Format 1.0", "robots": "obey"}
    exchanges = Exchanges(folder.archive, plan.limits.most_bytes, about)
    with closing(_SiteCrawl(plan, folder, exchanges, say)) as run:
        return run.all()


class _Stopped(Exception):
    """The crawl is over before its end."""


class _NotFollowed(Exception):
    """An address that is not among the pages, and why."""


class _SiteCrawl:
    def __init__(
        self, plan: CrawlPlan, folder: SiteFolder, exchanges: Exchanges, say: Callable[[str], None]
    ) -> None:
        self._plan, self._folder, self._exchanges, self._say = plan, folder, exchanges, say
        headers = {
            "User-Agent": AGENT,
            "Accept": "text/html,application/xhtml+xml;q=0.9,*/*;q=0.1",
            "Accept-Encoding": "gzip",
        }
        self._reach = HostPolicy(plan.address)
        self._fetcher = Fetcher(headers, plan.limits, self._reach)
        self._rules: dict[str, Rules] = {}
        self._until = time.monotonic() + 60 * plan.minutes if plan.minutes else float("inf")
        self._next = 0.0
        self._asked = self._failed = 0
        self._site = ""
        self._seen: set[str] = set()
        self._linked: set[str] = set()
        self._left_out: dict[str, str] = {}

    def close(self) -> None:
        self._fetcher.close()

    def all(self) -> Crawled:
        queue: deque[tuple[str, int]] = deque([(urldefrag(self._plan.address).url, 0)])
        self._site = _site_of(queue[0][0])
        stopped = ""
        try:
            while queue and len(self._folder) < self._plan.limit:
                address, depth = queue.popleft()
                queue.extend((link, depth + 1) for link in self._visited(address, depth))
        except _Stopped as error:
            stopped = str(error)
        self._folder.write(self._left_out)
        return Crawled(len(self._folder), self._asked, self._left_out, stopped)

    def _visited(self, address: str, depth: int) -> Iterator[str]:
        """Store the page of an address; yield its links."""
        if normal(address) in self._seen:
            return
        try:
            answer = self._page(address, is_first=depth == 0)
        except (_NotFollowed, NoAnswer) as error:
            if depth == 0:
                is_passing = isinstance(error, NoAnswer)
                raise (Unreachable if is_passing else InputError)(str(error)) from None
            self._left_out[address] = str(error)
            return
        if answer is None:
            return
        kind, message = answer.headers.get("content-type", ""), Message()
        message["content-type"] = kind
        source = Source.from_bytes(answer.data, message.get_content_charset() or "")
        if self._folder.add(answer.address, answer.data, kind, depth):
            self._folder.write(self._left_out)
            self._say(f"{len(self._folder)}/{self._plan.limit} {answer.address}")
        if depth < self._plan.depth and may_follow(answer, source):
            yield from self._links(answer.address, source)

    def _page(self, address: str, *, is_first: bool) -> ServerAnswer | None:
        """Return the page that an address leads to; None if it was seen before."""
        way: list[str] = []
        while len(way) <= _HOPS:
            # "/a" may redirect to "/a/", which counts as the same address
            if normal(address) in self._seen and normal(address) not in map(normal, way):
                return None
            self._seen.add(normal(address))
            way.append(address)
            answer = self._answer(address)
            if 300 <= answer.status < 400 and "location" in answer.headers:
                address = urldefrag(_joined(address, answer.headers["location"])).url
                if not _site_of(address):
                    what = "something that is not a web address"
                    raise _NotFollowed(f"{way[-1]} is redirected to {what}")
                if address in way:
                    raise _NotFollowed(f"{way[0]} is redirected in a circle")
                self._check_reach(way[-1], address)
                if is_first:
                    self._site = _site_of(address)  # such as from http to www
                elif _site_of(address) != self._site:
                    raise _NotFollowed(f"it leaves the site for {address}")
                continue
            if answer.status != 200:
                why = f"{address} was answered with {answer.status}"
                raise NoAnswer(why) if _is_passing(answer) else _NotFollowed(why)
            if answer.kind not in _PAGES:
                kind = answer.kind or "of unknown type"
                raise _NotFollowed(f"{address} is not a page: it is {kind}")
            if answer.cut:
                size = f"{self._plan.limits.most_bytes / 2**20:g} MB"
                raise _NotFollowed(f"{address} is larger than {size}")
            return answer
        raise _NotFollowed(f"{way[0]} is redirected more than {_HOPS} times")

    def _check_reach(self, source: str, address: str) -> None:
        """Raise `_NotFollowed` if a redirect leads from the web to a private address."""
        parts = urlsplit(address)
        seconds = self._plan.limits.seconds
        try:
            self._reach.connectable(parts.hostname or "", parts.port or 80, seconds)
        except PrivateAddress as error:
            raise _NotFollowed(f"{source} is redirected to {address}: {error}") from None
        except OSError:
            return  # reported when it is requested

    def _answer(self, address: str) -> ServerAnswer:
        """Return the response in the archive, else the server's response now."""
        known = self._exchanges.answer(address)
        if known is not None and not _is_passing(known):
            return known
        rules = self._rules_of(address)
        if rules.refusal:
            why = f"{address} is not read: {rules.refusal}"
            raise NoAnswer(why) if rules.is_passing else _NotFollowed(why)
        if not rules.allow(address):
            file = f"robots.txt of {urlsplit(address).netloc}"
            raise _NotFollowed(f"{file} asks not to read {address}")
        answer = self._ask(address, rules.delay, _is_accepted)
        if answer.status in _BUSY:
            wait = _seconds(answer.headers.get("retry-after", ""))
            if wait is not None and wait <= _LONGEST_WAIT:
                self._next = max(self._next, time.monotonic() + wait)
                answer = self._ask(address, rules.delay, _is_accepted)
        return answer

    def _ask(self, address: str, delay: float, is_accepted: IsAccepted) -> ServerAnswer:
        if len(self._exchanges) > _REQUESTS_A_PAGE * (self._plan.limit + 2):
            raise _Stopped(f"after {plural(len(self._exchanges), 'answer')} most are not pages")
        now = time.monotonic()
        if max(now, self._next) >= self._until:
            raise _Stopped(f"the limit of {self._plan.minutes:g} min is reached")
        if self._next > now:
            time.sleep(self._next - now)
        self._asked += 1
        try:
            answer = self._exchanges.add(self._fetcher.fetch(address, is_accepted))
        except NoAnswer:
            self._failed += 1
            if self._failed >= _FAILURES:
                raise _Stopped(f"{plural(_FAILURES, 'request')} in a row got no answer") from None
            raise
        finally:
            self._next = time.monotonic() + max(self._plan.delay, delay)
        self._failed = self._failed + 1 if answer.status >= 500 else 0
        if self._failed >= _FAILURES:
            raise _Stopped(f"{plural(_FAILURES, 'request')} in a row failed on the server")
        return answer

    def _rules_of(self, address: str) -> Rules:
        parts = urlsplit(address)
        origin = f"{parts.scheme}://{parts.netloc}"
        if origin not in self._rules:
            result = self._rules[origin] = self._robots(f"{origin}/robots.txt")
            if result.delay > self._plan.delay and not result.refusal:
                self._say(f"{parts.netloc} asks for {result.delay:g} s between two requests")
        return self._rules[origin]

    def _robots(self, address: str) -> Rules:
        for _ in range(_HOPS + 1):
            known = self._exchanges.answer(address)
            is_old = (self._exchanges.age(address) or 0.0) > _ROBOTS_LAST
            try:
                if known is None or is_old or _is_passing(known):
                    known = self._ask(address, 0.0, lambda _status, _headers: True)
            except (NoAnswer, InputError) as error:
                return Rules(refusal=str(error), is_passing=isinstance(error, NoAnswer))
            if not (300 <= known.status < 400 and "location" in known.headers):
                return rules_of(known)
            address = _joined(address, known.headers["location"])
        return Rules(refusal=f"{address} is redirected more than {_HOPS} times")

    def _links(self, address: str, source: Source) -> Iterator[str]:
        """Yield the pages of the same site that a page links to, each once, in its order."""
        tree = source.tree
        base = address
        for row in np.flatnonzero(tree.has_tag("base", "a", "area")).tolist():
            href = source.attributes(row).get("href", "").strip()
            target = urldefrag(_joined(base, href)).url if href else ""
            if tree.name_of(row) == "base":
                base = target or base
                continue
            if len(target) <= _LONGEST_ADDRESS and _site_of(target) == self._site:
                if target not in self._linked:
                    yield target
                self._linked.add(target)


def _is_accepted(status: int, headers: Message) -> bool:
    return status == 200 and headers.get_content_type() in _PAGES


def _is_passing(answer: ServerAnswer) -> bool:
    """Return whether a server may answer differently another time."""
    return answer.status in _BUSY or answer.status >= 500


def _site_of(address: str) -> str:
    """Return the site of an address: host, and port if it is not the default one."""
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        return ""
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return ""
    own = 443 if parts.scheme == "https" else 80
    return parts.hostname if port in (None, own) else f"{parts.hostname}:{port}"


def _joined(base: str, href: str) -> str:
    try:
        return urljoin(base, href)
    except ValueError:
        return ""


def _seconds(retry_after: str) -> float | None:
    """Return how long a busy server asks to wait; None if it gives no time."""
    if retry_after.strip().isdecimal():
        return float(retry_after)
    try:
        return max(0.0, parsedate_to_datetime(retry_after).timestamp() - time.time())
    except (TypeError, ValueError, OverflowError):
        return None

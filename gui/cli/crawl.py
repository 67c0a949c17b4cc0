"""``pagelet crawl``: a site from the web, into a folder that data sets and the window open."""

import argparse
from collections import Counter
from pathlib import Path

from engine.errors import InputError
from engine.words import plural
from gui.cli.arguments import progress

_EPILOG = """Example:
  pagelet crawl https://example.org/ --depth 1 --limit 50 --out site

A crawl that was stopped goes on where it was if the same line is given again. Then:
  pagelet site
  pagelet evaluate site --methods sites
"""


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Take an address, a folder, and how far to go."""
    command.epilog = _EPILOG
    command.add_argument("address", metavar="ADDRESS", help="the page to begin with")
    command.add_argument(
        "--out", type=Path, required=True, metavar="SITE", help="folder to write to"
    )
    command.add_argument(
        "--depth", type=int, default=1, metavar="N", help="links to follow from there (default: 1)"
    )
    command.add_argument(
        "--limit", type=int, default=50, metavar="N", help="most pages to fetch (default: 50)"
    )
    command.add_argument(
        "--delay",
        type=float,
        default=1.0,
        metavar="SECONDS",
        help="time between two requests; more where robots.txt asks for it (default: 1)",
    )
    command.add_argument(
        "--timeout",
        type=float,
        default=20.0,
        metavar="SECONDS",
        help="longest time for one answer (default: 20)",
    )
    command.add_argument(
        "--largest", type=float, default=8.0, metavar="MB", help="largest answer (default: 8)"
    )
    command.add_argument(
        "--minutes",
        type=float,
        default=0.0,
        metavar="N",
        help="longest time for all (default: no limit)",
    )


def run(options: argparse.Namespace) -> int:
    """Crawl; say what is there now and what was left out."""
    from annotate.crawl.crawl import CrawlPlan, crawl
    from annotate.crawl.fetcher import Limits

    for name, least in (("depth", 0), ("limit", 1), ("delay", 0), ("minutes", 0)):
        if not getattr(options, name) >= least:  # NaN, too
            raise InputError(f"--{name} must be at least {least}, got {getattr(options, name):g}")
    for name in ("timeout", "largest"):
        if not getattr(options, name) > 0:
            raise InputError(f"--{name} must be more than 0, got {getattr(options, name):g}")
    limits = Limits(options.timeout, int(options.largest * 2**20))
    plan = CrawlPlan(
        options.address, options.depth, options.limit, options.delay, limits, options.minutes
    )
    found = crawl(plan, options.out, progress)
    for why, count in Counter(found.left_out.values()).items():
        progress(f"left out: {why}" + (f" ({plural(count, 'link')})" if count > 1 else ""))
    print(f"{plural(found.pages, 'page')} in {options.out}, {plural(found.asked, 'request')}")
    if found.stopped:
        progress(f"pagelet: stopped early: {found.stopped}; the same line goes on")
        return 1
    return 0

"""``pagelet crawl``: a site from the web, into a folder that data sets and the window open."""

import argparse
from collections import Counter
from pathlib import Path

from annotate.crawl.crawl import CrawlPlan, crawl
from annotate.crawl.fetcher import Limits
from engine.words import plural
from gui.cli.arguments import add_options, options_of, progress

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
    add_options(command, CrawlPlan)
    add_options(command, Limits)


def run(options: argparse.Namespace) -> int:
    """Crawl; say what is there now and what was left out."""
    plan = options_of(CrawlPlan, options, limits=options_of(Limits, options))
    result = crawl(plan, options.out, progress)
    for why, count in Counter(result.left_out.values()).items():
        progress(f"left out: {why}" + (f" ({plural(count, 'link')})" if count > 1 else ""))
    print(f"{plural(result.pages, 'page')} in {options.out}, {plural(result.asked, 'request')}")
    if result.stopped:
        progress(f"pagelet: stopped early: {result.stopped}; the same line goes on")
        return 1
    return 0

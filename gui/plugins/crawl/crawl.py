"""``pagelet crawl``: a site from the web, into a folder that data sets and the window open."""

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

from annotate.datasets.looking.found import NoPages
from annotate.datasets.looking.inspection import look_into
from annotate.datasets.looking.text_forms import addresses_in
from annotate.plugins.crawl.crawl import CrawlPlan, crawl
from annotate.plugins.crawl.fetcher import Limits
from engine.account import Account
from engine.errors import InputError
from engine.words import plural
from gui.cli.terminal import note, progress


def run(address: str, *, out: Path, plan: CrawlPlan, limits: Limits) -> int:
    """Crawl, and print the saved and skipped pages.

    Args:
        address (ADDRESS): the page to begin with, or a list of such: a file, table or site map
        out (SITE): folder to write to

    Example:
      pagelet crawl https://example.org/ --depth 1 --limit 50 --out site

    To continue a stopped crawl, repeat the same line. Then:
      pagelet site
      pagelet evaluate site --methods sites
    """
    plan = replace(plan, limits=limits)
    file = Path(address).expanduser()
    if "://" not in address and file.is_file():
        return _crawl_list(plan, file, out)
    return _crawl(plan, out)


def _crawl(plan: CrawlPlan, out: Path) -> int:
    result = crawl(plan, out, progress)
    for why, count in Counter(result.left_out.values()).items():
        progress(f"left out: {why}" + (f" ({plural(count, 'link')})" if count > 1 else ""))
    print(f"{plural(result.pages, 'page')} in {out}, {plural(result.asked, 'request')}")
    if result.stopped:
        note(f"stopped early: {result.stopped}; the same line goes on")
        return 1
    return 0


def _crawl_list(plan: CrawlPlan, file: Path, folder: Path) -> int:
    """Crawl from each address of a list into a folder named after its host, numbered if needed.

    An unreachable address is printed, and the others continue.
    """
    found = look_into(file)
    if found.kind != "addresses":
        raise NoPages(found)
    account, hosts = Account("start page"), Counter[str]()
    status = 0
    for address in addresses_in(file):
        host = re.sub(r"[^\w.-]", "_", urlsplit(address).netloc)[:100]
        hosts[host] += 1
        out = folder / (host if hosts[host] == 1 else f"{host}-{hosts[host]}")
        with account.item(address):
            try:
                status = max(status, _crawl(replace(plan, address=address), out))
            except InputError as error:
                note(f"{address}: {error}")
                raise
            account.take()
    print(account.sentence())
    return status if account.taken else 1

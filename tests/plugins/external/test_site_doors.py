"""External extractors that read further pages of the site, which Pagelet serves as a proxy."""

import base64
import http.client
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from algorithms.core import catalogue
from algorithms.core.attempt import OutcomeStatus, attempt
from algorithms.plugins.external.declared import read_declared
from algorithms.plugins.external.page_servers import SiteServer
from algorithms.templates.site import Site
from engine.page import Page
from engine.processes.foreign import close_workers
from engine.source import Source

EXAMPLES = Path(__file__).with_name("examples")
HOME = "https://town.example"


def html(number, *links):
    result = "".join(f'<a href="{link}">more</a>' for link in links)
    return f"{result}<p>Town of Nowhere</p><p>story {number} is new</p>"


def town(seed=0):
    pages = (
        (f"{HOME}/a/0.html", html(0, "1.html", "../b?x=1&y=2", "gone.html", "http://else.where/")),
        (f"{HOME}/a/1.html", html(1, "0.html")),
        (f"{HOME}/b?x=1&y=2", html(2, "/a/0.html")),
        (f"{HOME}/", html(3)),
    )
    return Site.of(((address, Source.from_text(text)) for address, text in pages), seed)


@pytest.fixture(autouse=True)
def _end_workers():
    yield
    close_workers()


@pytest.fixture
def settings(tmp_path, monkeypatch):
    """Return a function that writes methods.toml and returns its methods by key and problems."""
    monkeypatch.setenv("PAGELET_SETTINGS", str(tmp_path))
    catalogue._others.cache_clear()

    def write(text):
        (tmp_path / "methods.toml").write_text(text, "utf-8")
        methods, problems = read_declared()
        return {entry.key: entry for entry in methods}, problems

    yield write
    catalogue._others.cache_clear()


@pytest.fixture
def crawler():
    """Run the example of a crawling proxy."""
    server = subprocess.Popen(
        [sys.executable, EXAMPLES / "crawling_proxy.py", "0"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    yield server
    server.kill()
    server.wait(60)
    server.stdout.close()


def run(entry, site):
    page = Page(site.pages[site.seed].address, site.source)
    return attempt(entry, page, entry.params(), "original", site)


def test_a_crawling_proxy_reads_the_site_through_pagelet(settings, crawler):
    port = crawler.stdout.readline().strip()
    methods, problems = settings(f"[proxy.mine]\naddress = '127.0.0.1:{port}'\nsite = true\n")
    assert not problems
    assert methods["mine"].reads_site
    for seed in (0, 1, 2):
        outcome = run(methods["mine"], town(seed))
        assert outcome.status is OutcomeStatus.OK, outcome.error
        assert outcome.result.text == f"story {seed} is new"
    gone = [crawler.stdout.readline().split() for _ in range(2)]
    assert gone == [["404", "http://town.example/a/gone.html"], ["404", "http://else.where/"]]


def test_a_command_finds_the_site_in_its_environment(settings, tmp_path):
    code = (
        "import os, re, sys, urllib.request as u, urllib.parse as p\n"
        "html = sys.stdin.read(); here = os.environ['PAGELET_ADDRESS']\n"
        "other = u.urlopen(p.urljoin(here, re.search('href=\"(.*?)\"', html)[1])).read().decode()\n"
        "print(*(x for x in re.findall('<p>(.*?)</p>', html) if x not in other))\n"
    )
    (tmp_path / "mine.py").write_text(code)
    methods, problems = settings(
        f"[command.mine]\nrun = [{sys.executable!r}, 'mine.py']\nsite = true\n"
    )
    assert not problems
    outcome = run(methods["mine"], town())
    assert outcome.status is OutcomeStatus.OK, outcome.error
    assert outcome.result.text == "story 0 is new"


def ask(server, address, method="GET", **headers):
    """Send the proxy a request with its token."""
    parts = urlsplit(server.proxy)
    result = http.client.HTTPConnection("127.0.0.1", parts.port, timeout=20)
    shown = base64.b64encode(f"{parts.username}:{parts.password}".encode()).decode()
    result.request(
        method, address, headers={"Host": "x", "Proxy-Authorization": f"Basic {shown}", **headers}
    )
    answer = result.getresponse()
    body = answer.read()
    result.close()
    return answer.status, body


def test_only_pages_of_the_site_are_served():
    site = town(1)
    with SiteServer(site) as server:
        assert server.address == "http://town.example/a/1.html"
        assert ask(server, "http://town.example/b?x=1&y=2")[1] == site.sources[2].html.encode()
        assert ask(server, "https://town.example/b?x=1&y=2")[0] == 200  # as some clients ask
        assert ask(server, "http://TOWN.example:80/a/0.html#top")[0] == 200
        assert ask(server, "http://town.example")[1] == site.sources[3].html.encode()
        assert ask(server, "http://town.example/a/0.html", "HEAD") == (200, b"")
        for address in (
            "http://town.example/robots.txt",
            "http://town.example/b?x=1",
            "http://other.example/a/0.html",
            "/a/0.html",
            "http://[",
            "*",
        ):
            assert ask(server, address) == (404, b"There is no such page.\n")
        assert ask(server, "town.example:443", "CONNECT")[0] == 404
        assert server.ended is None  # the page itself was not requested
        assert ask(server, server.address)[0] == 200
        assert server.ended is not None
        assert server.served == 5


def test_requests_without_the_token_are_refused():
    with SiteServer(town()) as server:
        for shown in ("", "Basic cGFnZWxldDp4", "Basic", "\xe4"):
            status, body = ask(server, server.address, **{"Proxy-Authorization": shown})
            assert (status, body) == (407, b"The token is missing.\n")
        assert server.served == 0
        other = SiteServer(town())
        assert urlsplit(other.proxy).password != urlsplit(server.proxy).password
        other._server.server_close()


def test_the_site_server_closes_at_the_end_of_the_run():
    with SiteServer(town()) as server:
        pass
    with pytest.raises(OSError, match="refused"):
        ask(server, server.address)


def test_port_and_token_can_be_fixed_in_the_settings(settings, crawler):
    with SiteServer(town()) as free:
        own = urlsplit(free.proxy).port
    port = crawler.stdout.readline().strip()
    text = f"[proxy.mine]\naddress = '127.0.0.1:{port}'\nsite = true\nport = {own}\ntoken = 'abc'\n"
    entry = settings(text)[0]["mine"]
    assert run(entry, town()).result.text == "story 0 is new"
    with SiteServer(town(), own, "abc") as server:
        assert server.proxy == f"http://pagelet:abc@127.0.0.1:{own}"
        assert f"port {own} cannot be used" in run(entry, town()).error


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("site = 1", "site must be true or false, got 1"),
        ("site = true\nport = 70000", "port must be a number up to 65535, got 70000"),
        ("site = true\ntoken = 'a b'", "token must be letters, digits, - and _, got 'a b'"),
        ("port = 4002", "add site = true"),
    ],
)
def test_an_invalid_entry_is_refused_with_one_sentence(settings, lines, said):
    methods, problems = settings(f"[proxy.mine]\naddress = '127.0.0.1:4001'\n{lines}\n")
    assert not methods
    assert len(problems) == 1
    assert said in problems[0]


def test_proxies_with_site_are_listed_only_among_methods_on_sites(settings):
    settings("[proxy.mine]\naddress = '127.0.0.1:4001'\nsite = true\n")
    catalogue._others.cache_clear()
    assert "mine" in [entry.key for entry in catalogue.on_sites()]
    assert "mine" not in [entry.key for entry in catalogue.available()]
    assert catalogue.method("mine").reads_site

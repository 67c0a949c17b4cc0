"""Servers with endless responses, and redirects to private addresses."""

import socket
import time
import tracemalloc

import pytest

from annotate.plugins.crawl.crawl import CrawlPlan, crawl
from annotate.plugins.crawl.fetcher import Limits
from engine import fetch, hosts
from engine.errors import InputError
from tests.town import Town, story

MOST = 300_000
PUBLIC = "127.0.0.2"
"""An address used as a public one: no test sends anything beyond this machine."""


def pour(ask, start, part):
    """Send a part repeatedly until the client closes the connection."""
    ask.close_connection = True
    try:
        ask.wfile.write(start)
        for _ in range(60_000):
            ask.wfile.write(part * 500)
    except OSError:
        pass


OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"
ENDLESS = {
    "interim answers": (b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    "interim answers with heads": (b"", b"HTTP/1.1 100 Continue\r\nX: y\r\n\r\n"),
    "early hints": (b"", b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"),
    "a head": (OK, b"X: y\r\n"),
    "a line of the head": (OK + b"X: ", b"y" * 20),
    "a status line": (b"HTTP/1.1 200 ", b"OK" * 20),
    "trailers": (CHUNKED + b"2\r\n<p\r\n0\r\n", b"X: y\r\n"),
    "extensions of chunks": (CHUNKED + b"2;", b"x=y;" * 9),
    "empty chunks": (CHUNKED, b"1\r\n \r\n"),
    "a body without length": (OK + b"\r\n", b"<p>story "),
    "a body of a claimed terabyte": (OK + b"Content-Length: 1099511627776\r\n\r\n", b"<p>more "),
}


@pytest.mark.parametrize("kind", ENDLESS)
def test_an_endless_response_is_cut_off_within_time_and_memory_limits(town, tmp_path, kind):
    town.pages = {"/": story(0, "1", "2"), "/1": lambda ask: pour(ask, *ENDLESS[kind])}
    town.pages["/2"] = story(2)
    tracemalloc.start()
    try:
        start = time.monotonic()
        plan = CrawlPlan(f"{town.address}/", delay=0.0, limits=Limits(10.0, MOST / 2**20))
        result = crawl(plan, tmp_path / "town")
        with pytest.raises(
            InputError, match=r"never ends|larger than|cannot get|in time"
        ) as raised:
            fetch.exchanges(f"{town.address}/1", 10.0, most=MOST)
        taken = time.monotonic() - start
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert result.pages == 2
    assert str(raised.value).isprintable()
    assert list(result.left_out) == [f"{town.address}/1"]
    assert taken < 15
    assert peak < 30 * MOST


def test_interim_responses_are_skipped(town, tmp_path):
    interim = b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"

    def hinted(ask):
        ask.wfile.write(interim)
        ask.say(story(1))

    town.pages = {"/": hinted}
    assert crawl(CrawlPlan(f"{town.address}/", delay=0.0), tmp_path / "town").pages == 1
    assert (tmp_path / "town" / "pages" / "index.html").read_bytes() == story(1)
    (last,) = fetch.exchanges(f"{town.address}/", 5.0)
    assert (last.status, last.body) == (200, story(1))


def test_a_fetch_times_out_though_data_keeps_arriving(town):
    def drip(ask):
        try:
            while True:
                ask.wfile.write(b"HTTP/1.1 100 Continue\r\n\r\n")
                time.sleep(0.02)
        except OSError:
            ask.close_connection = True

    town.pages = {"/": drip}
    start = time.monotonic()
    with pytest.raises(InputError, match="did not answer in time"):
        fetch.exchanges(f"{town.address}/", 1.0)
    assert time.monotonic() - start < 5


@pytest.fixture
def internet(monkeypatch):
    """Serve at an address that counts as public; its ``names`` maps host names to addresses."""
    names = {}
    real, own = hosts.is_public, socket.getaddrinfo

    def resolve(host, port, *more, **named):
        answer = names.get(host)
        if answer is None:
            return own(host, port, *more, **named)
        now = answer.pop(0) if len(answer) > 1 else answer[0]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (now, port))]

    monkeypatch.setattr(hosts, "is_public", lambda address: address == PUBLIC or real(address))
    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    result = Town(PUBLIC)
    result.names = names
    names["news.example"] = [PUBLIC]
    yield result
    result.end()


def crawled(address, out):
    return crawl(CrawlPlan(address, delay=0.0, limits=Limits(5.0)), out)


PRIVATE = [
    "127.0.0.1", "localhost", "2130706433", "0x7f.1", "0177.0.0.1", "127.1", "0.0.0.0", "[::1]",
    "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "10.0.0.7",
    "172.16.9.9", "192.168.1.1", "169.254.169.254", "[fe80::1]", "[fd00::1]", "[::]", "100.64.0.1",
    "inside.example",
]  # fmt: skip


@pytest.mark.parametrize("host", PRIVATE)
def test_redirects_of_public_pages_to_a_private_host_are_refused(internet, town, tmp_path, host):
    internet.names["inside.example"] = ["127.0.0.1"]
    port = town.address.rpartition(":")[2]
    goal = f"http://{host}:{port}/secret"
    home = f"http://news.example:{internet.port}"
    internet.pages = {
        "/": story(0, "1"),
        "/1": (302, {"Location": goal}),
        "/first": (302, {"Location": goal}),
    }
    town.pages = {"/secret": story(9)}
    with pytest.raises(InputError, match="on this machine or a private network"):
        crawled(f"{home}/first", tmp_path / "first")
    result = crawled(f"{home}/", tmp_path / "later")
    assert "on this machine or a private network" in result.left_out[f"{home}/1"]
    with pytest.raises(InputError, match="on this machine or a private network"):
        fetch.exchanges(f"{home}/first", 5.0)
    assert not town.asked


def test_a_redirect_of_robots_txt_to_a_private_address_is_refused(internet, town, tmp_path):
    home = f"http://news.example:{internet.port}"
    internet.pages = {
        "/robots.txt": (302, {"Location": f"{town.address}/robots.txt"}),
        "/": story(0),
    }
    with pytest.raises(InputError, match="private network"):
        crawled(f"{home}/", tmp_path / "site")
    assert not town.asked


def test_a_host_name_that_moves_to_a_private_address_is_refused(internet, town, tmp_path):
    """The connection uses the address that was checked."""
    home = f"http://moving.example:{internet.port}"
    internet.names["moving.example"] = [PUBLIC, "127.0.0.1"]
    internet.pages = {
        "/robots.txt": lambda ask: ask.say(b"", 404, Connection="close"),
        "/": story(0),
    }
    with pytest.raises(InputError, match="private network"):
        crawled(f"{home}/", tmp_path / "site")
    assert internet.asked == ["/robots.txt"]
    internet.names["moving.example"] = [PUBLIC, "127.0.0.1"]
    internet.pages["/"] = (302, {"Location": f"{home}/again"})
    with pytest.raises(InputError, match="private network"):
        fetch.exchanges(f"{home}/", 5.0)


def test_files_of_a_public_page_are_not_fetched_from_a_private_address(internet, town):
    town.pages = {"/a.png": b"x"}
    reach = hosts.HostPolicy(f"http://news.example:{internet.port}/")
    with pytest.raises(InputError, match="private network"):
        fetch.exchanges(f"{town.address}/a.png", 5.0, reach=reach)
    assert not town.asked


def test_redirects_from_a_local_address_stay_on_its_host(town, tmp_path):
    named = town.address.replace("127.0.0.1", "localhost")
    town.pages = {
        "/old": (302, {"Location": "/"}),
        "/other": (302, {"Location": f"{named}/"}),
        "/": story(0),
    }
    assert crawled(f"{town.address}/old", tmp_path / "a").pages == 1
    assert crawled(f"{town.address}/other", tmp_path / "b").pages == 1
    assert fetch.exchanges(f"{named}/old", 5.0)[-1].body == story(0)
    town.pages["/old"] = (302, {"Location": "http://10.0.0.1/"})
    with pytest.raises(InputError, match="private network"):
        fetch.exchanges(f"{named}/old", 5.0)


def test_public_and_private_addresses_are_distinguished():
    public = [
        "1.1.1.1",
        "93.184.216.34",
        "2606:2800:220:1::1",
        "::ffff:1.1.1.1",
        "64:ff9b::101:101",
    ]
    assert all(map(hosts.is_public, public))
    private = [
        "0.0.0.0", "255.255.255.255", "224.0.0.1", "240.0.0.1", "192.0.2.1", "198.18.0.1",
        "ff02::1", "::127.0.0.1", "fe80::1%eth0", "2001:db8::1", "rubbish",
    ]  # fmt: skip
    assert not any(map(hosts.is_public, private))


def test_the_system_proxy_is_used_only_for_public_pages(internet, town, monkeypatch):
    monkeypatch.setenv("http_proxy", town.address.replace("http://", "http://user:word@"))
    internet.names["far.example"] = ["93.184.216.34"]
    asked = []
    town.pages = {
        "http://far.example:80/story": lambda ask: (
            asked.append(ask.headers["Proxy-Authorization"]), ask.say(b"<p>story")
        ),
    }  # fmt: skip
    assert fetch.exchanges("http://far.example/story", 5.0)[-1].body == b"<p>story"
    assert asked == ["Basic dXNlcjp3b3Jk"]
    town.pages["/near"] = b"<p>near"
    assert fetch.exchanges(f"{town.address}/near", 5.0)[-1].body == b"<p>near"
    internet.names["inside.example"] = ["10.0.0.1"]
    town.pages["http://far.example:80/moved"] = (302, {"Location": "http://inside.example/"})
    with pytest.raises(InputError, match="private network"):
        fetch.exchanges("http://far.example/moved", 5.0)

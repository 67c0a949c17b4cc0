"""Crawl: links that it follows, pages that it leaves out, and how it resumes."""

import gzip
import itertools
import json
import re
import threading
import time

import pytest
from warcio.archiveiterator import ArchiveIterator

from annotate.archives.page_ranges import all_pages
from annotate.datasets.readers import read_dataset
from annotate.datasets.site_pages import site_of
from annotate.plugins.crawl.crawl import CrawlPlan, crawl
from annotate.plugins.crawl.fetcher import Limits
from engine.errors import InputError
from gui.cli.main import main
from tests.town import page, story


def crawled(town, out, path="/", **more):
    return crawl(CrawlPlan(f"{town.address}{path}", **{"delay": 0.0, **more}), out)


def paths(out):
    return [each["path"] for each in json.loads((out / "site.json").read_text())["pages"]]


def test_a_crawl_follows_links_of_the_site_breadth_first_to_a_depth(town, tmp_path):
    town.pages = {
        "/": story(0, "a.html", "/b/", "https://elsewhere.example/", "mailto:x@y", "a.html#top"),
        "/a.html": story(1, "deep.html", "/"),
        "/b/": story(2, "c.html"),
        "/deep.html": story(3),
        "/b/c.html": story(4),
    }
    result = crawled(town, tmp_path / "one")
    assert paths(tmp_path / "one") == ["index.html", "a.html", "b/index.html"]
    assert (result.pages, result.stopped, result.left_out) == (3, "", {})
    assert town.asked == ["/robots.txt", "/", "/a.html", "/b/"]
    crawled(town, tmp_path / "two", depth=2)
    assert paths(tmp_path / "two")[3:] == ["deep.html", "b/c.html"]
    assert (tmp_path / "two" / "pages" / "b" / "c.html").read_bytes() == story(4)


def test_a_crawled_site_is_read_as_a_site_with_its_addresses_and_charsets(town, tmp_path):
    latin = "<p>Übermäßig</p><a href=a?x=1&amp;y=2>a</a>".encode("latin-1")
    town.pages = {
        "/": lambda ask: ask.say(latin, Content_Type="text/html; charset=iso-8859-1"),
        "/a?x=1&y=2": story(1, "/"),
    }
    crawled(town, tmp_path / "town")
    assert paths(tmp_path / "town") == ["index.html", "a_q_x=1_a_y=2.html"]
    dataset = read_dataset(tmp_path / "town")
    assert dataset.has_sites
    assert not dataset.problems
    (name, by_variant), _ = dataset.pages
    assert name == "index.html"
    documents = by_variant[""].site_documents()
    site = site_of(documents)
    assert site.sources[0].words[0] == "Übermäßig"
    assert [each.address for each in site.pages] == [
        f"{town.address}/",
        f"{town.address}/a?x=1&y=2",
    ]


def test_requests_and_responses_are_archived_byte_for_byte(town, tmp_path):
    def packed(ask):
        ask.say(gzip.compress(story(1)), Content_Encoding="gzip")

    def in_parts(ask):
        ask.send_response(200)
        ask.send_header("Content-Type", "text/html")
        ask.send_header("Transfer-Encoding", "chunked")
        ask.end_headers()
        for part in (story(2)[:30], story(2)[30:], b""):
            ask.wfile.write(b"%x\r\n%b\r\n" % (len(part), part))

    stories = [story(0, "1", "2"), story(1), story(2)]
    town.pages = {"/": stories[0], "/1": packed, "/2": in_parts}
    crawled(town, tmp_path / "town")
    for number in range(3):
        path = paths(tmp_path / "town")[number]
        assert (tmp_path / "town" / "pages" / path).read_bytes() == stories[number]
    archive = tmp_path / "town" / "archive" / "crawl.warc.gz"
    assert [each.data for each in all_pages(archive)] == stories  # robots.txt was "not found"
    with archive.open("rb") as file:
        kinds = [(each.rec_type, each.rec_headers["WARC-Target-URI"]) for each in
                 ArchiveIterator(file, check_digests="raise")]  # fmt: skip
    assert kinds[0][0] == "warcinfo"
    assert kinds[1:3] == [(kind, f"{town.address}/robots.txt") for kind in ("response", "request")]
    assert len(kinds) == 1 + 2 * 4


def test_robots_txt_is_obeyed(town, tmp_path):
    town.pages = {
        "/robots.txt": b"User-agent: other\nDisallow: /\n\n"
        b"User-agent: pagelet\nDisallow: /private\nAllow: /private/open.html\n",
        "/": story(0, "/private/a.html", "/private/open.html", "/b.html"),
        "/private/a.html": story(1),
        "/private/open.html": story(2),
        "/b.html": story(3),
    }
    result = crawled(town, tmp_path / "town")
    assert paths(tmp_path / "town") == ["index.html", "private/open.html", "b.html"]
    assert "/private/a.html" not in town.asked
    assert "robots.txt" in result.left_out[f"{town.address}/private/a.html"]
    assert town.agents == {"Pagelet"}


@pytest.mark.parametrize(
    ("robots", "why"),
    [
        ((503, {}), "robots.txt was answered with 503"),
        (lambda ask: setattr(ask, "close_connection", True), "robots.txt is incomplete"),
        ((302, {"Location": "/robots.txt"}), "redirected more than 5 times"),
        (b"User-agent: *\nCrawl-delay: 1e308\n", r"asks for 1e\+308 s between two requests"),
    ],
)
def test_a_site_without_usable_robots_txt_is_refused_with_the_reason(town, tmp_path, robots, why):
    town.pages = {"/robots.txt": robots, "/": story(0)}
    with pytest.raises(InputError, match=f"/ is not read: .*{why}") as raised:
        crawled(town, tmp_path / "town")
    assert "asks not to read" not in str(raised.value)
    assert set(town.asked) == {"/robots.txt"}


def test_links_of_nofollow_pages_are_not_followed(town, tmp_path):
    head = b'<meta name="ROBOTS" content="noindex, NoFollow">'
    town.pages = {
        "/": story(0, "1", "2"),
        "/1": head + story(1, "3"),
        "/2": lambda ask: ask.say(story(2, "4"), X_Robots_Tag="nofollow"),
        "/3": story(3),
        "/4": story(4),
    }
    crawled(town, tmp_path / "town", depth=2)
    assert paths(tmp_path / "town") == ["index.html", "1.html", "2.html"]


def test_requests_obey_the_crawl_delay_and_share_one_connection(town, tmp_path):
    town.pages = {
        "/robots.txt": b"User-agent: *\nCrawl-delay: 0.3\n",
        "/": story(0, "1", "2"),
        "/1": story(1),
        "/2": story(2),
    }
    messages = []
    crawl(CrawlPlan(f"{town.address}/", delay=0.05), tmp_path / "town", messages.append)
    gaps = [later - sooner for sooner, later in itertools.pairwise(town.times)]
    assert len(gaps) == 3
    assert gaps[0] >= 0.05
    assert min(gaps[1:]) >= 0.3
    assert (town.connections, town.most_open) == (1, 1)
    assert "asks for 0.3 s" in messages[0]


def test_redirects_are_followed_only_within_the_site_and_not_in_circles(town, tmp_path):
    town.pages = {
        "/": story(0, "old", "round", "away", "folder", "five"),
        "/old": (301, {"Location": "/new"}),
        "/new": story(1),
        "/round": (302, {"Location": "/about"}),
        "/about": (302, {"Location": "/round"}),
        "/away": (302, {"Location": "http://elsewhere.example/"}),
        "/folder": (301, {"Location": "/folder/"}),
        "/folder/": story(2),
        "/five": (302, {"Location": "/five?0"}),
        **{f"/five?{k}": (302, {"Location": f"/five?{k + 1}"}) for k in range(9)},
    }
    result = crawled(town, tmp_path / "town")
    assert paths(tmp_path / "town") == ["index.html", "new.html", "folder/index.html"]
    assert "in a circle" in result.left_out[f"{town.address}/round"]
    assert "it leaves the site" in result.left_out[f"{town.address}/away"]
    assert "more than 5 times" in result.left_out[f"{town.address}/five"]


def test_a_crawl_of_an_endless_site_stops_at_the_limit(town, tmp_path):
    class Endless(dict):
        def get(self, path, _otherwise=None):
            number = int(path.strip("/") or 0) if path != "/robots.txt" else None
            return None if number is None else story(number, f"/{number + 1}", f"/{number + 2}")

    town.pages = Endless()
    result = crawled(town, tmp_path / "town", depth=1000, limit=7)
    assert result.pages == len(paths(tmp_path / "town")) == 7
    assert len(town.asked) == 8


@pytest.mark.slow
def test_copies_are_one_page_and_a_trap_of_copies_stops_the_crawl(town, tmp_path):
    class Trap(dict):
        def get(self, path, _otherwise=None):
            return None if path == "/robots.txt" else page("always the same", "x/")

    town.pages = Trap()
    result = crawled(town, tmp_path / "town", depth=10_000, limit=3)
    assert result.pages == 1
    assert "most are not pages" in result.stopped
    assert len(town.asked) < 60


def test_non_pages_and_large_or_missing_pages_are_left_out_with_reasons(town, tmp_path):
    def large(ask):
        ask.say(b"<p>" + b"x" * 3_000_000)

    def film(ask):
        ask.say(b"x" * 3_000_000, Content_Type="video/mp4")

    def bomb(ask):
        ask.say(gzip.compress(b"<p>" + bytes(30_000_000)), Content_Encoding="gzip")

    town.pages = {
        "/": story(0, "large", "film", "bomb", "gone", "good"),
        "/large": large,
        "/film": film,
        "/bomb": bomb,
        "/good": story(1),
    }
    result = crawled(town, tmp_path / "town", limits=Limits(30.0, 1_000_000 / 2**20))
    assert paths(tmp_path / "town") == ["index.html", "good.html"]
    why = {address.rpartition("/")[2]: why for address, why in result.left_out.items()}
    assert "larger than" in why["large"]
    assert "it is video/mp4" in why["film"]
    assert "unpacks to more than" in why["bomb"]
    assert "answered with 404" in why["gone"]
    assert (tmp_path / "town" / "archive" / "crawl.warc.gz").stat().st_size < 200_000


def drip(ask):
    """Send a byte now and then, so that no single wait is long."""
    ask.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
    try:
        for _ in range(200):
            ask.wfile.write(b"x")
            time.sleep(0.1)
    except OSError:
        pass
    ask.close_connection = True


def drip_the_head(ask):
    try:
        for letter in b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n" + b"X: y\r\n" * 50:
            ask.wfile.write(bytes([letter]))
            time.sleep(0.1)
    except OSError:
        pass
    ask.close_connection = True


def cut_short(ask):
    ask.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 99\r\n\r\nhalf")
    ask.close_connection = True


def rubbish(ask):
    ask.wfile.write(b"\x00\x01\x02 this is not HTTP\r\n\r\n")
    ask.close_connection = True


def silence(ask):
    ask.close_connection = True


@pytest.mark.parametrize("broken", [drip, drip_the_head, cut_short, rubbish, silence])
def test_slow_or_broken_responses_are_left_out_and_requested_again(town, tmp_path, broken):
    town.pages = {"/": story(0, "1", "2"), "/1": broken, "/2": story(2)}
    start = time.monotonic()
    result = crawled(town, tmp_path / "town", limits=Limits(1.0))
    assert time.monotonic() - start < 15
    assert paths(tmp_path / "town") == ["index.html", "2.html"]
    assert "complete" in result.left_out[f"{town.address}/1"]
    town.pages["/1"] = story(1)
    asked = len(town.asked)
    assert not crawled(town, tmp_path / "town").left_out
    assert paths(tmp_path / "town") == ["index.html", "2.html", "1.html"]
    assert town.asked[asked:] == ["/1"]


def test_five_failed_requests_in_a_row_stop_the_crawl(town, tmp_path):
    town.pages = {"/": story(0, *map(str, range(20)))}
    town.pages |= {f"/{k}": (500, {}) for k in range(20)}
    result = crawled(town, tmp_path / "town")
    assert "5 requests in a row failed" in result.stopped
    assert len(town.asked) == 2 + 5


def test_retry_after_of_a_busy_host_is_obeyed(town, tmp_path):
    town.pages = {"/": story(0, "1"), "/1": lambda ask: busy(ask)}

    def busy(ask):
        town.pages["/1"] = story(1)
        ask.say(b"", 429, Retry_After="1")

    crawled(town, tmp_path / "town")
    assert paths(tmp_path / "town") == ["index.html", "1.html"]
    assert town.times[-1] - town.times[-2] >= 1


def test_a_finished_crawl_sends_no_requests_unless_it_goes_deeper(town, tmp_path):
    town.pages = {"/": story(0, "1", "2"), "/1": story(1), "/2": story(2, "3"), "/3": story(3)}
    crawled(town, tmp_path / "town")
    before = {p: p.read_bytes() for p in (tmp_path / "town").rglob("*") if p.is_file()}
    town.pages = {path: page("the site has changed", "/9") for path in town.pages}
    asked = len(town.asked)
    assert crawled(town, tmp_path / "town").asked == 0
    assert len(town.asked) == asked
    assert before == {p: p.read_bytes() for p in (tmp_path / "town").rglob("*") if p.is_file()}
    crawled(town, tmp_path / "town", depth=2)  # a greater depth resumes it
    assert town.asked[asked:] == ["/3"]


def test_a_crawl_resumes_from_an_archive_truncated_anywhere(town, tmp_path):
    town.pages = {"/": story(0, "1", "2"), "/1": story(1), "/2": story(2)}
    crawled(town, tmp_path / "whole")
    whole = (tmp_path / "whole" / "archive" / "crawl.warc.gz").read_bytes()
    out = tmp_path / "town"
    for end in range(0, len(whole), 211):
        out.mkdir(exist_ok=True)
        (out / "pages").mkdir(exist_ok=True)
        (out / "archive").mkdir(exist_ok=True)
        about = {"crawl": {"address": f"{town.address}/"}, "pages": []}
        (out / "site.json").write_text(json.dumps(about))
        for path in (out / "pages").glob("*"):
            path.unlink()
        (out / "archive" / "crawl.warc.gz").write_bytes(whole[:end])
        crawled(town, out)
        assert paths(out) == ["index.html", "1.html", "2.html"]
        with (out / "archive" / "crawl.warc.gz").open("rb") as file:
            records = [each.rec_type for each in ArchiveIterator(file, check_digests="raise")]
        assert records.count("response") in (4, 5)  # the response of a truncated pair may be kept


def test_an_unpacked_archive_is_refused_and_left_unchanged(town, tmp_path):
    town.pages = {"/": story(0, "1"), "/1": story(1)}
    out = tmp_path / "town"
    crawled(town, out)
    archive = out / "archive" / "crawl.warc.gz"
    unpacked = gzip.decompress(archive.read_bytes())
    archive.write_bytes(unpacked)
    with pytest.raises(InputError, match="is no archive of a crawl"):
        crawled(town, out)
    assert archive.read_bytes() == unpacked


@pytest.mark.parametrize("date", [b"", b"WARC-Date: yesterday\r\n"])
def test_a_crawl_resumes_from_an_archive_without_dates(town, tmp_path, date):
    town.pages = {"/": story(0, "1"), "/1": story(1)}
    out = tmp_path / "town"
    crawled(town, out)
    archive = out / "archive" / "crawl.warc.gz"
    whole, requested = archive.read_bytes(), len(town.asked)
    starts = [match.start() for match in re.finditer(rb"\x1f\x8b\x08", whole)]
    records = [whole[a:b] for a, b in itertools.pairwise([*starts, len(whole)])]
    undated = [re.sub(rb"WARC-Date: [^\r]+\r\n", date, gzip.decompress(each)) for each in records]
    archive.write_bytes(b"".join(map(gzip.compress, undated)))
    crawled(town, out)
    assert len(town.asked) - requested <= 1  # robots.txt, whose age is unknown


def test_a_folder_that_is_not_of_this_crawl_is_refused(town, tmp_path):
    town.pages = {"/": story(0)}
    out = tmp_path / "town"
    crawled(town, out)
    with pytest.raises(InputError, match="holds the crawl of"):
        crawled(town, out, "/other")
    (out / "site.json").write_text('{"pages": []}')
    with pytest.raises(InputError, match="was not crawled"):
        crawled(town, out)
    (out / "site.json").unlink()
    with pytest.raises(InputError, match="something else"):
        crawled(town, out)
    file = tmp_path / "file"
    file.write_text("x")
    with pytest.raises(InputError, match="a file is in the way, name a folder"):
        crawled(town, file)


@pytest.mark.parametrize("address", ["ftp://x/", "http://", "http://[", "x", "http://x:99999/"])
def test_an_invalid_address_is_refused_before_a_folder_is_made(tmp_path, address):
    with pytest.raises(InputError, match=r"is not an? .*(address|host)"):
        crawl(CrawlPlan(address), tmp_path / "town")
    assert not (tmp_path / "town").exists()


def test_an_unreachable_server_is_refused(town, tmp_path):
    town.end()
    with pytest.raises(InputError, match=r"robots.txt|is incomplete"):
        crawled(town, tmp_path / "town")


def test_a_crawl_stops_at_its_time_limit(town, tmp_path):
    town.pages = {"/": story(0, "1", "2"), "/1": story(1), "/2": story(2)}
    result = crawled(town, tmp_path / "town", delay=0.5, minutes=0.012)
    assert "is reached" in result.stopped
    assert 1 <= result.pages < 3


def test_files_of_pages_stay_in_the_folder_and_have_unique_names(town, tmp_path):
    odd = [
        "/a",
        "/a/",
        "/a/b",
        "/%2e%2e/%2e%2e/etc",
        "/..%2fx",
        "/ü/é?q=/../x",
        "/A:b",
        "/" + "n" * 900,
    ]
    town.pages = {"/": story(0, *odd)}

    class Any(dict):
        def get(self, path, _otherwise=None):
            if path in ("/", "/robots.txt"):
                return super().get(path)
            return story(abs(hash(path)))

    town.pages = Any(town.pages)
    crawled(town, tmp_path / "town")
    result = paths(tmp_path / "town")
    pages = tmp_path / "town" / "pages"
    assert len(result) == len(set(result)) == 1 + 7  # "/a" and "/a/" are compared as one
    assert all((pages / each).resolve().is_relative_to(pages) for each in result)
    assert {p.relative_to(pages).as_posix() for p in pages.rglob("*.html")} == set(result)
    assert threading.active_count() < 20


def test_a_list_of_addresses_is_crawled_and_skipped_ones_are_counted(town, tmp_path, capsys):
    town.pages = {"/a.html": story(0), "/b.html": story(1)}
    file, out = tmp_path / "list.txt", tmp_path / "out"
    file.write_text("".join(f"{town.address}/{name}.html\n" for name in ("a", "none", "b")))
    assert main(["crawl", str(file), "--out", str(out), "--delay", "0"]) == 0
    said = capsys.readouterr().out.splitlines()[-1]
    assert said.startswith("3 start pages found: 2 taken; 1 passed over: ")
    host = town.address.partition("//")[2].replace(":", "_")
    assert paths(out / host) == ["a.html"]
    assert paths(out / f"{host}-3") == ["b.html"]
    file.write_text("Tea is hot.")
    assert main(["crawl", str(file), "--out", str(out)]) == 2
    assert "list.txt is text without markup" in capsys.readouterr().err

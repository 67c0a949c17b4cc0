"""Test which file answers a request, and that none outside the folder does."""

from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.web.files import find, media_type


@pytest.fixture
def site(tmp_path):
    root = tmp_path / "site"
    for name in (
        "a.org/index.html", "a.org/style.css?v=1", "a.org/plain.css", "a.org/sub/index.html",
        "cdn.net/x.png", "cdn.net/css?family=Schoolbell.css", "a.org/umläut ä.png",
        "a.org/get.php?id=7&b=c d",
    ):  # fmt: skip
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(name)
    (tmp_path / "secret.txt").write_text("secret")
    (root / "leak").symlink_to(tmp_path / "secret.txt")
    (root / "loop").symlink_to(root / "loop")
    return root.resolve()


@pytest.mark.parametrize(
    ("host", "path", "query", "found"),
    [
        ("a.org", "/index.html", "", "a.org/index.html"),
        ("a.org", "/", "", "a.org/index.html"),
        ("a.org", "/sub/", "", "a.org/sub/index.html"),
        ("a.org", "/style.css", "v=1", "a.org/style.css?v=1"),
        ("a.org", "/style.css%3Fv=1", "", "a.org/style.css?v=1"),
        ("a.org", "/style.css", "v=2", None),
        ("a.org", "/plain.css", "v=2", "a.org/plain.css"),
        ("a.org", "/get.php", "id=7&b=c%20d", "a.org/get.php?id=7&b=c d"),
        ("a.org", "/uml%C3%A4ut%20%C3%A4.png", "", "a.org/umläut ä.png"),
        ("cdn.net", "/x.png", "", "cdn.net/x.png"),
        ("cdn.net", "/css", "family=Schoolbell", "cdn.net/css?family=Schoolbell.css"),
        ("a.org", "/cdn.net/x.png", "", "cdn.net/x.png"),  # what "../cdn.net/x.png" becomes
        ("a.org", "/../../secret.txt", "", None),
        ("..", "/secret.txt", "", None),
        ("a.org", "/%2e%2e/%2e%2e/secret.txt", "", None),
        ("a.org", "//etc/passwd", "", None),
        ("a.org", "/leak", "", None),
        ("a.org", "/loop", "", None),
        ("a.org", "/%00", "", None),
        ("a.org", "/" + "x" * 5000, "", None),
    ],
)
def test_a_request_finds_its_file(site, host, path, query, found):
    answer = find(site, host, path, query)
    assert answer == (None if found is None else site / found)


@given(
    st.lists(
        st.sampled_from(["..", ".", "/", "a.org", "leak", "secret.txt", "%2e%2e", "%2F", "?"])
    ),
    st.sampled_from(["a.org", "..", ".", "", "etc"]),
    st.text(max_size=5).map(quote),
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_nothing_outside_the_folder_is_ever_served(site, parts, host, query):
    answer = find(site, host, "/" + "/".join(parts), query)
    assert answer is None or answer.is_relative_to(site)


@pytest.mark.parametrize(
    ("name", "head", "accept", "kind"),
    [
        ("a.css", b"", "text/css,*/*;q=0.1", "text/css"),
        ("a.css?v=1", b"", "*/*", "text/css"),
        ("style.php", b"body{}", "text/css,*/*;q=0.1", "text/css"),
        ("get.php?id=3", b"GIF89a", "image/*", "image/gif"),
        ("noname", b"\x89PNG\r\n", "*/*", "image/png"),
        ("wrong.jpg", b"\x89PNG\r\n", "*/*", "image/png"),
        ("a.svg", b"<?xml version='1.0'?><svg", "*/*", "image/svg+xml"),
        ("a.xml", b"<?xml version='1.0'?><rss", "*/*", "text/xml"),
        ("page", b"  <html>", "*/*", "text/html"),
        ("a.js", b"x", "*/*", "text/javascript"),
        ("a.woff2", b"wOF2", "*/*", "font/woff2"),
        ("noname", b"data", "*/*", "application/octet-stream"),
    ],
)
def test_media_types_are_told_from_name_content_or_request(tmp_path, name, head, accept, kind):
    assert media_type(tmp_path / name, head, accept) == kind

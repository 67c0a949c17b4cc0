"""Test that bytes become the letters that they are to the browser, in each encoding."""

import html
import random
import re
import tarfile
from itertools import product

import pytest
from webencodings.labels import LABELS

from engine import decoding
from engine.decoding import decode_as
from engine.encoding import decode, name_of
from tests.oracles.browser_decoder import BrowserDecoder
from tests.reader import read_in_browser

pytestmark = pytest.mark.web

NAMES = sorted(set(LABELS.values()) - {"replacement"})
WIDE = ("gbk", "gb18030", "big5", "euc-jp", "shift_jis", "euc-kr", "iso-2022-jp")
_FEWER = re.compile("\ufffd+")
_WEB_PLATFORM = "wpt/encoding.tar.xz"


@pytest.fixture
def decoder(tmp_path, qtbot):
    """The decoder of the browser."""
    (tmp_path / "blank.html").write_text("<p>blank")
    with read_in_browser(tmp_path / "blank.html", qtbot) as reader:
        yield BrowserDecoder(reader)


def differences(decoder, sequences, name):
    """Return ``(bytes, ours, the browser's)`` where they differ."""
    theirs = decoder.decode(sequences, name)
    ours = [decode_as(sequence, name) for sequence in sequences]
    return [row for row in zip(sequences, ours, theirs, strict=True) if row[1] != row[2]]


def _sequences(name):
    """Return all sequences up to two bytes, and those of three that begin a table of their own."""
    heads = {"euc-jp": (b"", b"\x8f"), "iso-2022-jp": (b"", b"\x1b$B", b"\x1b(I", b"\x1b(J")}
    singles = [bytes([byte]) for byte in range(256)]
    if name not in WIDE:
        return singles
    pairs = [bytes(pair) for pair in product(range(256), range(256))]
    return [head + tail for head in heads.get(name, (b"",)) for tail in [*singles, *pairs]]


def _is_chromiums_own(name, row):
    """Return whether Chromium departs from the standard: how many U+FFFD, or at a cut escape."""
    sequence, ours, theirs = row
    if name == "big5":  # WPT's big5_errors has one U+FFFD for such a pair
        return set(ours) == set(theirs) == {"\ufffd"}
    return name == "iso-2022-jp" and sequence.endswith((b"\x1b$", b"\x1b("))


def test_each_label_means_what_it_means_to_the_browser(decoder):
    odd = [" utf8\t", "UTF-8", "\xa0utf-8", "utf-8\v", "latin-1", "utf-7", "", "hz-gb-2312", "big6"]
    labels = (
        [label for label, name in LABELS.items() if name != "replacement"] + odd[:-3] + ["big6"]
    )
    assert decoder.names(labels) == [name_of(label) for label in labels]


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_each_sequence_is_the_letter_that_it_is_to_the_browser(decoder, name):
    found = differences(decoder, _sequences(name), name)
    assert [row for row in found if not _is_chromiums_own(name, row)] == []


def test_the_oracle_finds_a_letter_that_is_another_one(decoder, monkeypatch):
    monkeypatch.setitem(decoding._OTHER_PAIRS, "euc-jp", "")
    decoding._others.cache_clear()
    decoding._swaps.cache_clear()
    try:
        found = differences(decoder, [b"\xa1\xc1", b"\xa1\xdd", b"\xad\xa1"], "euc-jp")
    finally:
        monkeypatch.undo()
        decoding._others.cache_clear()
        decoding._swaps.cache_clear()
    assert [row[1] for row in found] == ["〜", "−"]


@pytest.mark.long
def test_all_letters_of_four_bytes_are_those_of_the_browser(decoder):
    digits = range(0x30, 0x3A)
    for lead in range(0x81, 0xFF):
        found = differences(
            decoder,
            [bytes([lead, *rest]) for rest in product(digits, range(0x80, 0x100), digits)],
            "gb18030",
        )
        assert found == []


@pytest.mark.slow
@pytest.mark.parametrize("name", [*(name for name in WIDE if name != "big5"), "utf-8", "utf-16le"])
def test_wrong_bytes_are_taken_together_as_in_the_browser(decoder, name):
    chance = random.Random(name)
    # Chromium reads three bytes of EUC-JP after an error, and a cut escape, in its own way.
    pool = b"$B(JI@09A~<"
    pool += (
        b"\x1b"
        if name == "iso-2022-jp"
        else b"\x81\x8e\xa1\xa2\xb7\xc0\xd8\xdc\xe0\xf0\xf4\xfe\xff"
    )
    end = b"\x1b(BA" if name == "iso-2022-jp" else b""
    sequences = [bytes(chance.choices(pool, k=chance.randrange(1, 9))) + end for _ in range(20_000)]
    found = differences(decoder, sequences, name)
    if name == "iso-2022-jp":
        found = [row for row in found if _FEWER.sub("", row[1]) != _FEWER.sub("", row[2])]
    assert found == []


@pytest.mark.slow
def test_pages_of_letters_of_web_platform_tests_are_read(decoder, suites):
    if not (suites / _WEB_PLATFORM).is_file():
        pytest.skip(f"no {_WEB_PLATFORM} among the suites")
    span = re.compile(r'<span data-cp="[^"]*" data-bytes="([^"]*)">(.*?)</span>', re.DOTALL)
    pages, compared, wrong = 0, 0, []
    with tarfile.open(suites / _WEB_PLATFORM) as archive:
        for member in archive:
            if not re.search(r"legacy-mb-.*_chars[^/]*\.html$", member.name):
                continue
            content = archive.extractfile(member)
            assert content is not None
            text, name, _ = decode(content.read())
            found = span.findall(text)
            sequences = [bytes.fromhex(given.replace("%", " ")) for given, _ in found]
            expected = decoder.decode(sequences, name)
            letters = [html.unescape(shown) for _, shown in found]
            pages, compared = pages + 1, compared + len(found)
            wrong += [
                (member.name, *row)
                for row in zip(sequences, letters, expected, strict=True)
                if row[1] != row[2]
            ]
    print(f"{pages} pages, {compared} letters, {len(wrong)} differ")
    assert pages > 10
    assert wrong == []

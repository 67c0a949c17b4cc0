"""Two captures of one address: only changes in the text that both have count."""

from pathlib import Path

import numpy as np
import pytest

from algorithms.results import Extraction, keep_words
from annotate.plugins.compare.over_time import (
    CaptureChange,
    as_before,
    captures,
    change_of,
    in_both,
    shared_words,
)
from annotate.plugins.compare.over_time_tables import (
    methods_over_time,
    table_over_time,
    worst_pages,
)
from engine.errors import InputError
from engine.source import Source
from tests.typed_commands import typed

OLD = "<p>one two three four five six<p>old news of today<p>seven eight nine ten"
NEW = "<p>one two three four five six<p>fresh news, quite other things<p>seven eight nine ten"


def kept(source: Source, words: str) -> Extraction:
    return keep_words(source, np.array([word in words.split() for word in source.words]))


def sources() -> tuple[Source, Source]:
    return Source.from_text(OLD), Source.from_text(NEW)


def test_shared_words_are_runs_of_three_or_more() -> None:
    old, new = sources()
    pairs = shared_words(old, new)
    assert [
        old.words[i] for i in pairs[:, 0]
    ] == "one two three four five six seven eight nine ten".split()
    assert [old.words[i] for i in pairs[:, 0]] == [new.words[j] for j in pairs[:, 1]]


def test_pages_that_share_nothing_have_no_shared_words() -> None:
    assert shared_words(Source.from_text("<p>a b c d"), Source.from_text("<p>e f g h")).size == 0


def test_extracting_new_text_of_the_page_is_no_change() -> None:
    old, new = sources()
    change = change_of(
        "page", "m", kept(old, "one two three old today"), kept(new, "one two three fresh other")
    )
    assert (change.stayed, change.lost, change.gained) == (3, 0, 0)
    assert change.agreement == 1.0
    assert change.excerpt == ""


def test_shared_text_that_is_lost_or_gained_counts() -> None:
    old, new = sources()
    change = change_of("page", "m", kept(old, "one two three four"), kept(new, "one seven eight"))
    assert (change.stayed, change.lost, change.gained) == (1, 3, 2)
    assert change.agreement == pytest.approx(2 / 7)
    assert change.excerpt == "- two three four"


def test_the_page_change_is_the_share_of_words_not_shared() -> None:
    old, new = sources()
    change = change_of("page", "m", kept(old, ""), kept(new, ""))
    assert change.shared == 10
    assert change.page_change == pytest.approx(1 - 2 * 10 / (14 + 15))
    assert change.agreement == 1.0


def test_text_of_only_the_later_page_is_kept_as_extracted_now() -> None:
    old, new = sources()
    result = as_before(kept(old, "one two three"), kept(new, "seven fresh"))
    assert result.text.split() == ["one", "two", "three", "fresh"]


def write(folder: Path, **pages: str) -> str:
    folder.mkdir()
    for name, html in pages.items():
        (folder / f"{name}.html").write_text(html)
    return str(folder)


def test_pages_of_two_folders_are_paired_by_name(tmp_path: Path) -> None:
    old = write(tmp_path / "old", a=OLD, gone=OLD)
    new = write(tmp_path / "new", new=NEW, a=NEW)
    earlier, later = in_both(captures(old), captures(new))
    assert [name for name, _ in later.pages] == ["a.html"]
    assert [earlier.name, later.name] == ["earlier", "later"]
    documents = [each.pages[0][1][""].document() for each in (earlier, later)]
    assert [each.receive().data.decode() for each in documents] == [OLD, NEW]


def test_captures_without_a_common_page_are_refused(tmp_path: Path) -> None:
    old, new = write(tmp_path / "old", a=OLD), write(tmp_path / "new", b=NEW)
    with pytest.raises(InputError, match="no page of one address or name in common"):
        in_both(captures(old), captures(new))


def record(address: str, html: str) -> bytes:
    http = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{html}".encode()
    head = (
        "WARC/1.0\r\nWARC-Type: response\r\n"
        f"WARC-Target-URI: {address}\r\nWARC-Date: 2020-01-01T00:00:00Z\r\n"
        "WARC-Record-ID: <urn:uuid:12345678-1234-1234-1234-123456789abc>\r\n"
        "Content-Type: application/http; msgtype=response\r\n"
        f"Content-Length: {len(http)}\r\n\r\n"
    )
    return head.encode() + http + b"\r\n\r\n"


def test_pages_of_two_archives_are_paired_by_address(tmp_path: Path) -> None:
    old, new = tmp_path / "old.warc", tmp_path / "new.warc"
    old.write_bytes(record("http://x.org/a", OLD) + record("http://x.org/gone", OLD))
    new.write_bytes(record("http://x.org/b", NEW) + record("http://x.org/a", NEW))
    earlier, later = in_both(captures(str(old)), captures(str(new)))
    assert [name for name, _ in earlier.pages] == ["http://x.org/a"]
    documents = [each.pages[0][1][""].document() for each in (earlier, later)]
    assert [each.receive().data.decode() for each in documents] == [OLD, NEW]


@pytest.mark.slow
@pytest.mark.web
def test_frozen_files_of_a_local_page_are_paired_by_its_address(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    for name, html in (("monday", OLD), ("friday", NEW)):
        page.write_text(html)
        done = typed(
            "freeze", page, "--out", tmp_path / f"{name}.wacz", QT_QPA_PLATFORM="offscreen"
        )
        assert done.returncode == 0, done.stderr
    pair = [captures(str(tmp_path / f"{name}.wacz")) for name in ("monday", "friday")]
    earlier, later = in_both(pair[0], pair[1])
    documents = [each.pages[0][1][""].document() for each in (earlier, later)]
    assert [each.receive().data.decode() for each in documents] == [OLD, NEW]


def changes() -> list[CaptureChange]:
    return [
        CaptureChange("p", "wild", 100, 0.2, stayed=10, lost=30, gained=10, excerpt="- some text"),
        CaptureChange("p", "calm", 100, 0.2, stayed=40),
        CaptureChange("q", "wild", 100, 0.4, stayed=10),
        CaptureChange("q", "calm", 100, 0.4, trouble="it broke"),
    ]


def test_methods_are_listed_by_shift_the_steadiest_first() -> None:
    calm, wild = methods_over_time(changes())
    assert (calm.method, calm.shift, calm.failed, calm.same) == ("calm", 0.0, 1, 1)
    assert wild.shift == pytest.approx((1 - 20 / 60) / 2)
    assert wild.share(lost=True) == pytest.approx((30 / 40 + 0) / 2)
    assert wild.share(lost=False) == pytest.approx((10 / 20 + 0) / 2)


def test_a_method_that_extracts_nothing_is_listed_last() -> None:
    none = [CaptureChange(page, "none", 100, 0.2) for page in "pqr"]
    some = [CaptureChange(page, "some", 100, 0.2, stayed=10, lost=1) for page in "pqr"]
    assert [each.method for each in methods_over_time([*none, *some])] == ["some", "none"]
    head, *lines = table_over_time([*none, *some]).splitlines()[1:4]
    assert head.split() == ["method", "shift", "lost", "gained", "same", "empty", "pages"]
    assert [line.split()[-2:] for line in lines] == [["0", "3"], ["3", "3"]]


def test_the_table_names_the_worst_page_and_failed_methods() -> None:
    text = table_over_time(changes())
    assert [each.page for each in worst_pages(changes())] == ["p"]
    assert "changed by 0.300" in text
    assert "0.333  wild on p: 30 words lost, 10 gained: - some text" in text
    assert "calm gave no result: it broke" in text

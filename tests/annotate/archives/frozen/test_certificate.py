"""The sentences of a certificate."""

import pytest

from annotate.archives.frozen.certificate import Certificate


@pytest.mark.parametrize(
    ("lost", "words"),
    [
        ((), ""),
        (("http://a/1.png is not there",), "1 file was missing when the page was opened"),
        (
            (
                "http://a/1.png is not there",
                "http://a/2.png is not there",
                "canvas: no file can hold it",
            ),
            "2 files were missing when the page was opened, 1 part of the page could not be stored",
        ),
    ],
)
def test_the_summary_counts_missing_and_unstored_files_separately(lost, words):
    certificate = Certificate("identical", "2026-11-01T10:00:00", "Chromium", "Pagelet", lost=lost)
    assert certificate.lost_in_words == words
    assert certificate.summary.endswith(f"; {words}" if words else "")

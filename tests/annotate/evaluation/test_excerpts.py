"""Excerpts in a report of pages without a rendering."""

from pathlib import Path

from algorithms.core.batch import Setup
from algorithms.core.catalogue import method
from annotate.datasets.case_files import TextFiles
from annotate.evaluation.report.pictures import ErrorText, Excerpt, excerpt
from engine.document import plain_document

PAGE = b"<ul><li>home</ul><p>The ferry came back on Monday morning.<p>Buy two maps."


class Beside:
    """A page with gold text."""

    def __init__(self, gold):
        self._gold = gold

    def document(self):
        return plain_document(PAGE)

    def text(self):
        return self._gold


def of(gold, key="plain"):
    setup = Setup(key, method(key).params(), "original")
    return excerpt(TextFiles(Beside(gold)), setup)


def test_it_names_the_longest_passage_too_much_and_counts_the_words_of_all():
    result = of("The ferry came back on Monday morning.")
    assert result == Excerpt(None, ErrorText(4, "Buy two maps."))


def test_a_page_without_gold_text_has_none(tmp_path: Path):
    assert of(None) is None

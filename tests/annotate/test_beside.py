"""Gold that comes with a page is found, whatever form it has."""

import zipfile

from annotate import edits, goldfile
from annotate.beside import gold_beside
from annotate.gold import Gold, Target
from engine.document import list_documents, open_document
from tests.annotate.pages import page_of, row_of

BODY = "<h1>A headline</h1><p id=p>Some words of it.</p><p>And more words.</p>"


def test_a_gold_file_beside_the_page_is_read(tmp_path):
    file = tmp_path / "page.html"
    file.write_text(BODY)
    page = page_of(BODY)
    document = open_document(file)
    assert gold_beside(document, page) == (Gold(), ())
    gold = edits.add_block(Gold(), page.rendered(), [Target(row_of(page.rendered(), "p"))], 1)
    goldfile.write(goldfile.gold_path(file), page, gold)
    assert gold_beside(document, page) == (gold, ())


def test_the_text_in_a_package_becomes_main_content_and_what_is_missing_is_said(tmp_path):
    with zipfile.ZipFile(tmp_path / "pages.zip", "w") as made:
        made.writestr("one.html", BODY)
        made.writestr("one.txt", "A headline Some words of it.")
        made.writestr("two.html", BODY)
        made.writestr("two.txt", "Some words of it. Never said")
    one, two = list_documents(tmp_path / "pages.zip")
    page = page_of(BODY)
    gold, notes = gold_beside(one, page)
    assert gold.as_extraction(page).text == "A headline\nSome words of it."
    assert notes == ()
    _, notes = gold_beside(two, page)
    assert notes == ('33.3% of the gold text\'s words are not on this page: "Never said"',)


def test_blocks_of_kreuzers_layout_are_read(tmp_path):
    (tmp_path / "mapping.txt").write_text("")
    (tmp_path / "site").mkdir()
    file = tmp_path / "site" / "index.html"
    file.write_text(BODY)
    file.with_name("index.blocks.html").write_text(
        BODY.replace("<p id", '<p data-block="2" data-block-type="Article" id')
    )
    page = page_of(BODY)
    gold, notes = gold_beside(open_document(file), page)
    assert [(m.level, m.type, m.quote) for m in gold.marks] == [(2, "Article", "Some words of it.")]
    assert notes == ()

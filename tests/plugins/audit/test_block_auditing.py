"""Auditor of gold blocks: missing blocks, blocks that are none, and blocks of another type."""

import json
from dataclasses import replace

import pytest

from annotate.plugins.audit.block_auditing import list_contradicted, measure_blocks, out_of_fold
from engine.errors import InputError
from gui.cli.main import main
from tests.algorithms.learning.made import made_page

PAGES = 14


def read(number, change=lambda gold: gold, typed=()):
    page, gold = made_page(number)
    return measure_blocks(
        page.rendered(), change(gold), typed, dataset="made", name=f"page{number}",
        site=f"site{number}",
    )  # fmt: skip


def row_of(number, tag, index=0):
    nodes = made_page(number)[0].rendered()
    return [row for row in range(len(nodes)) if nodes.name_of(row) == tag][index]


def listed(pages):
    return list_contradicted(out_of_fold(pages, 7, 1, lambda _line: None))


def test_a_block_missing_in_gold_is_listed_first_with_reasons():
    story = made_page(3)[1][-1][0]
    pages = [read(k, (lambda gold: gold[:-1]) if k == 3 else lambda gold: gold)
             for k in range(PAGES)]  # fmt: skip
    first = listed(pages)[0]
    assert (first.page, first.says) == ("page3", "probably a missing block")
    assert "".join(first.text.split()) == "".join(story.split())
    assert first.element.startswith("/html")
    reasons = "; ".join(first.finding.reasons)
    assert "terrain-learned gives it a chance of" in reasons
    assert "others of its kind on the page 100% are marked" in reasons


def test_a_marked_menu_entry_is_listed_as_probably_no_block():
    pages = [read(k) for k in range(PAGES)]
    link = made_page(5)[0].rendered().text[row_of(5, "a") + 1]
    pages[5] = read(5, lambda gold: [*gold, (link, 2)])
    first = listed(pages)[0]
    assert (first.page, first.says, first.text) == ("page5", "probably no block", link)


def test_correct_gold_has_few_findings():
    assert len(listed([read(k) for k in range(PAGES)])) <= PAGES / 4


def typed_pages(menu):
    """Return pages with types of menus and titles; ``menu`` gives the menu's type by page."""
    return [
        read(k, typed=((row_of(k, "ul"), 2, menu(k)), (row_of(k, "h1"), 2, "Title")))
        for k in range(PAGES)
    ]


def test_a_block_of_an_unusual_type_is_listed_with_the_usual_one():
    assert not [part for part in list_contradicted(typed_pages(lambda _: "Menu")) if part.suggested]
    pages = typed_pages(lambda k: "Title" if k == 4 else "Menu")
    (part,) = [part for part in list_contradicted(pages) if part.suggested]
    assert (part.page, part.says) == ("page4", "probably of type Menu")
    assert part.finding.reasons[0].startswith("marked as Title, as 0 of 13 blocks like it")
    assert part.finding.reasons[1] == "Menu is right for 100% of them"


def test_types_are_judged_only_by_other_sites():
    pages = typed_pages(lambda k: "Title" if k == 4 else "Menu")
    of_one_site = [replace(page, blocks=replace(page.blocks, site="one")) for page in pages]
    assert [part for part in list_contradicted(pages) if part.suggested]
    assert not [part for part in list_contradicted(of_one_site) if part.suggested]


def test_gold_of_another_page_is_refused():
    with pytest.raises(InputError, match="only 0% of its gold blocks are on the page"):
        read(1, lambda gold: made_page(2)[1])


def test_folds_of_a_single_site_are_refused():
    with pytest.raises(InputError, match="--folds needs pages of two sites"):
        out_of_fold([read(1)], 2, 1, print)


@pytest.mark.web
def test_the_command_audits_the_blocks_of_a_data_set(tmp_path, capsys):
    site = tmp_path / "news.example"
    site.mkdir()
    story = "<p>The council said on Monday that the bridge stays closed until spring.</p>"
    page = f'<div class="head"><h1>Paper</h1></div><div class="main">{story * 3}</div><p>End</p>'
    marked = page.replace('<div class="main">', '<div class="main" data-block="1">')
    for ending, html in ((".html", page), (".html.orig", page), (".dom.html", page),
                         (".blocks.html", marked)):  # fmt: skip
        (site / f"index{ending}").write_text(f"<html><body>{html}</body></html>")
    line = '"http://news.example/": "/opt/dataset-random/news.example/index.html",\n'
    (tmp_path / "mapping.txt").write_text(line)
    assert main(["audit", str(tmp_path), "--json"]) == 0
    printed = capsys.readouterr()
    assert "terrain-learned has seen the gold of Kreuzer's random pages" in printed.err
    rows = json.loads(printed.out)
    assert {row["page"] for row in rows} <= {"news.example/index.html"}
    assert main(["audit", str(tmp_path), "--blocks", "--model", "m.npz"]) == 2
    assert "--model is for gold text" in capsys.readouterr().err

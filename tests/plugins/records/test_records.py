"""``pagelet records``: tables of a page's lists, and NEXT-EVAL's score of a folder."""

import csv
import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.plugins.records.depta import LEAST, DeptaSearch, depta
from algorithms.plugins.records.elements import Elements
from algorithms.plugins.records.fields import table_of
from algorithms.plugins.records.mdr import mdr
from algorithms.plugins.records.record_scores import record_score
from algorithms.plugins.records.tag_paths import tag_paths
from annotate.plugins.records.next_eval import record_pages, row_at, score_of
from engine.csv_cells import unguard_cell
from engine.errors import InputError
from engine.source import Source
from tests.typed_commands import typed

SHOP = [("Teapot", "12.50", "=1+1"), ('Kettle, "small"', "-20", "'tis\nlate"), ("Cup", "3", "")]


def page_of(html: str) -> Elements:
    return Elements.of(Source.from_text(html))


def shop(rows=SHOP, around="") -> str:
    items = "".join(
        f"<li class=item><h3>{name.replace(chr(34), '&quot;')}</h3><a href=/p{at}><b>Buy</b></a>"
        f"<div class=stock><span class=price>{price}</span></div>"
        + (f"<p class=note>{note.replace(chr(10), '<br>')}</p>" if note else "")
        + "</li>"
        for at, (name, price, note) in enumerate(rows)
    )
    return f"<!doctype html><title>Shop</title><body>{around}<main><ul>{items}</ul></main>"


def texts_of(page: Elements, sets) -> list[list[str]]:
    return [
        sorted(" ".join(page.text(row) for row in record) for record in records) for records in sets
    ]


def test_the_worked_example_of_the_library_gets_its_score():
    def record(number, *names):
        return {f"/body/section[1]/div[{number}]/{name}[1]" for name in names}

    found = [record(4, "p", "q", "a"), record(2, "p", "q", "a"), record(3, "p", "q", "a")]
    true = [record(3, "p", "a", "button"), record(2, "p", "a", "r"), record(5, "p", "q", "a")]
    assert record_score(found, true) == pytest.approx((1 / 3, 1 / 3, 1 / 3))


def test_records_match_one_to_one_with_the_greatest_sum():
    # the first would take the first true record, and leave nothing for the second
    found, true = [set("bcde"), set("ab")], [set("abcd"), set("cdef")]
    assert record_score(found, true).precision == pytest.approx((3 / 5 + 2 / 4) / 2)
    assert record_score(found[:1] * 3, true).recall == pytest.approx(3 / 5)
    assert record_score(found[:1] * 3, true).precision == pytest.approx(2 * 3 / 5 / 3)


def test_nothing_found_is_right_only_where_nothing_is_there():
    assert record_score([], []) == (1, 1, 1)
    assert record_score([], [{1}]) == record_score([{1}], []) == (0, 0, 0)


@pytest.mark.parametrize("find", [mdr, depta, tag_paths])
def test_a_published_method_finds_the_items_of_a_shop(find):
    page = page_of(shop([(f"Thing {n}", f"{n}.50", "") for n in range(6)]))
    found = [one for one in texts_of(page, find(page)) if len(one) == 6]
    assert [text.split("\n")[0] for text in found[0]] == [f"Thing {n}" for n in range(6)]


def test_mdr_finds_records_of_two_rows_and_records_in_two_rows():
    pairs = "".join(
        f"<tr><td><b>Name {n}</b></td></tr><tr><td><i>a</i><i>b</i><i>c</i><u>d {n}</u></td></tr>"
        for n in range(4)
    )
    page = page_of(f"<table>{pairs}</table>")
    (records,) = mdr(page)
    assert [len(record) for record in records] == [2, 2, 2, 2]
    assert page.text(records[1][0]) == "Name 1"
    assert page.text(records[1][1]).endswith("d 1")


def test_depta_tells_trees_apart_that_have_the_same_tags_in_order():
    flat = "<article><p><b>x</b></p><i>y</i><u>z</u><s>t</s><q>v</q></article>"
    deep = "<article><p><b><i><u><s><q>v</q></s></u></i></b></p></article>"
    page = page_of(f"<main>{(flat + deep) * 3}</main>")
    (records,) = mdr(page)
    assert [len(record) for record in records] == [1] * 6
    (pairs,) = depta(page)
    assert [len(record) for record in pairs] == [2, 2, 2]


TREES = st.recursive(
    st.tuples(st.sampled_from(["div", "ul"]), st.just(())),
    lambda inner: st.tuples(st.sampled_from(["div", "ul"]), st.lists(inner, max_size=3).map(tuple)),
    max_leaves=5,
)


def html_of(tree) -> str:
    name, inner = tree
    return f"<{name}>{''.join(map(html_of, inner))}</{name}>"


def most_shared(one, other) -> int:
    if not one or not other:
        return 0
    (name, inner), *rest = one
    (name_too, inner_too), *rest_too = other
    skipped = max(most_shared(rest, other), most_shared(one, rest_too))
    if name != name_too:
        return skipped
    return max(skipped, 1 + most_shared(inner, inner_too) + most_shared(rest, rest_too))


@given(st.lists(TREES, min_size=1, max_size=4), st.lists(TREES, min_size=1, max_size=4))
def test_trees_that_depta_matches_share_as_many_elements_as_the_papers_recursion_says(one, other):
    page = page_of(
        f"<nav>{''.join(map(html_of, one))}</nav><main>{''.join(map(html_of, other))}</main>"
    )
    left, right = (page.children[page.tags.index(name)] for name in ("nav", "main"))
    count = sum(page.end[row] - row for row in (*left, *right))
    shared = most_shared(one, other)
    assert DeptaSearch(page).are_alike(left, right) == (2 * shared >= LEAST * count)


def test_a_row_of_xpaths_names_the_same_element_with_and_without_html():
    page = page_of(shop())
    row = page.tags.index("h3")
    assert row_at(page, page.xpath(row)) == row_at(page, "/html" + page.xpath(row)) == row
    assert row_at(page, "/body/main/ul/li[4]") is None
    assert row_at(page, "/body/main/ul/li/h3") == row


def folder_of(tmp_path: Path) -> Path:
    for name in ("html", "ground-truth"):
        (tmp_path / name).mkdir()
    (tmp_path / "html" / "shop.html").write_text(shop())
    paths = [[f"/body[1]/main[1]/ul[1]/li[{n}]"] for n in (1, 2, 3)]
    (tmp_path / "ground-truth" / "shop.json").write_text(json.dumps(paths))
    return tmp_path


def test_the_elements_that_name_a_record_do_not_matter(tmp_path):
    (each,) = record_pages(folder_of(tmp_path))
    page = each.elements()
    items = [row for row, name in enumerate(page.tags) if name == "li"]
    true = each.true_records(page)
    assert score_of(page, [[(row,) for row in items]], true).f1 == 1
    inner = [[tuple(page.children[row]) for row in items]]
    assert score_of(page, inner, true).f1 == 1
    assert score_of(page, [[(page.parent[items[0]],)]], true).recall == pytest.approx(
        1 / 9, abs=0.1
    )


def test_a_path_that_leads_nowhere_is_a_record_that_nothing_finds(tmp_path):
    folder = folder_of(tmp_path)
    (folder / "ground-truth" / "shop.json").write_text('[["/body/main/ul/li"], ["/body/table"]]')
    (each,) = record_pages(folder)
    page = each.elements()
    assert score_of(page, [[(page.tags.index("li"),)]], each.true_records(page)).recall == 0.5


@pytest.mark.parametrize("truth", ["{", "{}", '["/body"]', "[[1]]"])
def test_a_faulty_list_of_records_is_refused(tmp_path, truth):
    folder = folder_of(tmp_path)
    (folder / "ground-truth" / "shop.json").write_text(truth)
    (each,) = record_pages(folder)
    with pytest.raises(InputError, match=r"shop\.json is no (JSON|list of records)"):
        each.true_records(each.elements())


def test_values_of_the_same_field_are_in_one_column():
    page = page_of(shop())
    table = table_of(page, [(row,) for row, name in enumerate(page.tags) if name == "li"])
    assert table.names == ["item", "item href", "item 2", "price", "note"]
    assert [row[3] for row in table.rows] == ["12.50", "-20", "3"]
    assert [row[4] for row in table.rows] == ["=1+1", "'tis\nlate", None]


def test_the_columns_of_a_table_have_its_headings():
    html = "<table><tr><th>Name<th>Age</tr><tr><td>Ann<td>7</tr><tr><td>Bob<td>8</tr></table>"
    page = page_of(html)
    rows = [row for row, name in enumerate(page.tags) if name == "tr"]
    table = table_of(page, [(row,) for row in rows[1:]])
    assert (table.names, table.rows) == (["Name", "Age"], [["Ann", "7"], ["Bob", "8"]])


@pytest.mark.slow
def test_exports_are_alone_on_stdout_and_come_back_as_they_were(tmp_path):
    rows = [(*row, f"{n}") for n, row in enumerate(SHOP)]
    html = "".join(
        f"<div class=row><h3 class=name>{name.replace(chr(34), '&quot;')}</h3>"
        f"<p class=price>{price}</p><div class=note>{note.replace(chr(10), '<br>')}</div>"
        f"<p class=number>{number}</p></div>"
        for name, price, note, number in rows
    )
    (tmp_path / "page.html").write_text(f"<!doctype html><body><main>{html}</main>")
    command = ("records", "mdr", tmp_path / "page.html")
    head, *lines = csv.reader(io.StringIO(typed(*command, "--csv").stdout))
    assert head == ["name", "price", "note", "number"]
    assert [tuple(map(unguard_cell, line)) for line in lines] == rows
    (found,) = json.loads(typed(*command, "--json").stdout)
    assert [
        tuple(each["fields"].get(name, "") for name in head) for each in found["records"]
    ] == rows
    assert found["records"][1]["xpaths"] == ["/body[1]/main[1]/div[2]"]


def test_a_folder_of_pages_is_scored(tmp_path):
    done = typed("records", "mdr", folder_of(tmp_path))
    assert done.stdout.splitlines()[-1].startswith("mean      1.000      1.000   1.000")
    (row,) = json.loads(typed("records", "mdr", tmp_path, "--json").stdout)
    assert (row["page"], row["f1"], row["true"]) == ("shop", 1, 3)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("mdrr", "PAGE"), "no method on records is named mdrr; use"),
        (("mdr", "PAGE", "--list", "9"), "there is no list 9: the page has 1 list"),
        (("mdr", "PAGE", "--csv", "--json"), "name one of --csv and --json"),
        (("mdr", "FOLDER", "--csv"), "--csv and --list are of one page"),
    ],
)
def test_a_wrong_request_is_refused_in_one_sentence(tmp_path, words, says):
    folder = folder_of(tmp_path)
    names = {"PAGE": folder / "html" / "shop.html", "FOLDER": folder}
    done = typed("records", *(names.get(word, word) for word in words))
    assert done.returncode == 2
    assert says in done.stderr


def test_depta_reads_two_deep_chains_of_elements():
    chains = "".join("<div>" * 340 + f"{text}" + "</div>" * 340 for text in ("one", "<p>two<p>too"))
    page = page_of(f"<!doctype html><body><main>{chains}</main>")
    (records,) = depta(page)
    assert texts_of(page, [records]) == [["one", "two\ntoo"]]

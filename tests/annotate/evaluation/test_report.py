"""The report shows the rows, needs no other files, and accepts any rows."""

import re
import subprocess
import sys
from collections import Counter

import cv2
import lxml.html
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from algorithms.measures.significance import compare_pairs
from annotate.evaluation.report.comparisons import is_distinct
from annotate.evaluation.report.html_report import write_report
from annotate.evaluation.report.report_parts import setup_labels, sort_out, worst_runs
from annotate.evaluation.tables.method_colors import COLORS
from engine.errors import InputError
from gui.widgets.theme import contrast
from resources import read_text
from tests.annotate.evaluation.rows import failed, row, scored, table_of

THREE = {
    "bte": [0.9, 0.8, 0.7, 0.95, 0.85, 0.9],
    "dsc": [0.5, 0.6, 0.4, 0.55, 0.0, None],
    "plain": [0.5, 0.5, 0.45, 0.5, 0.0, 0.4],
}


def report(folder, rows, pictures=None, **more):
    """Return the report's page, without figure files, which take longest to write."""
    path = write_report(folder, table_of(rows), pictures, formats=(), **more)
    return lxml.html.fromstring(path.read_text(encoding="utf-8"))


def lines(table):
    """Return a table as lists of texts, without stars."""
    return [
        [" ".join(cell.text_content().replace("★", "").split()) for cell in line.xpath("./th|./td")]
        for line in table.iter("tr")
    ]


def table(page, chapter, place=0):
    return page.xpath(f"//section[@id='{chapter}']//table")[place]


def text_of(page):
    for script in page.xpath("//script|//style"):
        script.drop_tree()
    return page.text_content()


# What it says ------------------------------------------------------------------------------


def test_pages_of_several_sites_are_compared_site_by_site(tmp_path):
    values = {"bte": [1.0, 0.5, 0.6, 0.8], "dsc": [0.5, 0.4, 0.1, 0.2]}
    positions = ["north/a", "north/b", "north/c", "south/a"]
    rows = [
        row(position, method, "ws", value)
        for method, column in values.items()
        for position, value in zip(positions, column, strict=True)
    ]
    sites = {("news", position): position.partition("/")[0] for position in positions}
    page = report(tmp_path, rows, sites=sites)
    matrix = table(page, "differences")
    assert matrix.findtext("caption").endswith(", 2 sites")
    # Means of the sites: .7 and .8 against .333 and .2.
    assert lines(matrix)[1][2].startswith("+0.483")
    assert "on 4 pages of 2 sites" in " ".join(text_of(page).split())
    by_page = table(report(tmp_path, rows), "differences")
    assert by_page.findtext("caption").endswith(", 4 pages")
    assert lines(by_page)[1][2].startswith("+0.425")


def test_a_summary_holds_the_numbers_of_scored_pages_and_counts_failures_apart(tmp_path):
    page = report(tmp_path, scored(THREE))
    head, *body = lines(table(page, "scores"))
    result = {line[0]: dict(zip(head, line, strict=True)) for line in body}
    dsc = result["dsc"]  # 0.5 0.6 0.4 0.55 0
    assert (dsc["mean"], dsc["median"], dsc["σ"]) == ("0.410", "0.500", "0.241")
    assert (dsc["lower quartile"], dsc["upper quartile"]) == ("0.400", "0.550")
    assert (dsc["zeros"], dsc["scored"], dsc["failed"]) == ("1", "5", "1 !")
    assert dsc["failed as empty"] == "0.342 (6)"  # 2.05 / 6, of more pages than the mean
    assert (result["bte"]["mean"], result["bte"]["failed"]) == ("0.850", "0")
    assert [line[0] for line in body] == [
        *("bte", "plain", "dsc"),  # best first, the run that failed as empty
        "best method per page",  # below them
    ]


def test_the_best_value_is_marked_by_more_than_colour(tmp_path):
    page = report(tmp_path, scored(THREE))
    [best] = table(page, "scores").xpath(".//tr[th[.='bte']]/td[1]")
    assert best.xpath("string(./b)") == "0.850"
    assert best.text_content() == "★0.850"
    others = table(page, "scores").xpath(".//tr[th[.!='bte']]/td[1]")
    assert not any("★" in cell.text_content() for cell in others)


def test_methods_with_fewer_faults_are_listed_first_without_a_star(tmp_path):
    rows = scored({"terrain": [1.0, 3.0], "vips": [4.0, 4.0]}, "missed")
    page = report(tmp_path, rows)
    assert lines(table(page, "scores"))[1][:2] == ["terrain", "2.0"]
    assert not page.xpath("//section[@id='scores']//td[@class='best']")


def test_a_method_that_never_ran_is_listed_only_in_the_table_of_endings(tmp_path):
    why = "the method does not read the dom page"
    rows = scored({"bte": [0.5, 0.6]})
    rows += [failed(f"page{k}", "vips", "ws", "skipped", why, if_empty="") for k in (1, 2)]
    page = report(tmp_path, rows)
    assert [line[0] for line in lines(table(page, "scores"))[1:]] == ["bte"]
    assert lines(table(page, "endings"))[2] == ["vips", "0", "0", "0", "0", "2"]
    assert lines(table(page, "endings", 1))[1][:3] == [why, "skipped", "vips"]


def test_the_counts_of_the_thesis_tables_are_means_over_scored_pages(tmp_path):
    rows = [
        row("p", "vips", "fuzzy", 0.5, retrieved="10", hits="4", relevant="6"),
        row("q", "vips", "fuzzy", 0.5, retrieved="5", hits="3", relevant="6"),
        failed("r", "vips", "fuzzy"),
    ]
    head, body = lines(table(report(tmp_path, rows), "scores"))
    result = dict(zip(head, body, strict=True))
    assert [result[name] for name in ("retrieved", "hits", "relevant")] == ["7.50", "3.50", "6.00"]


def test_every_measure_is_in_the_values_table_with_its_definition(tmp_path):
    rows = scored(THREE, "ws") + scored(THREE, "bow") + scored(THREE, "sow")
    page = report(tmp_path, rows)
    names = table(page, "scores", 1).xpath(".//th//span[@class='name']/text()")
    assert names == ["WS", "BoW", "SoW"]
    for button in page.xpath("//button[@popovertarget]"):
        [text] = page.xpath(f"//*[@id='{button.get('popovertarget')}']")
        assert text.get("popover") == "auto"
        assert "words" in text.text_content()


def test_pairs_have_difference_interval_and_corrected_p(tmp_path):
    values = {"one": [0.5 + k / 100 for k in range(12)], "two": [0.3 + k / 50 for k in range(12)]}
    page = report(tmp_path, scored(values))
    _, first, second = table(page, "differences").iter("tr")
    cell = first[2].text_content()
    assert cell.startswith("+0.145 ●")  # 0.2 - 0.01 k
    assert "p < .001" in cell  # 2 / 2 ** 12
    assert second[1].text_content() == "r −1.00"
    help_text = page.xpath("//section[@id='differences']")[0].text_content()
    assert "signed-rank" in help_text
    assert "bootstrap" in help_text
    assert "Holm" in help_text


def test_the_lead_over_the_next_counts_a_failed_run_as_empty(tmp_path):
    # Worse on the one page both were scored on; the other failed on three.
    page = report(
        tmp_path, scored({"lucky": [0.3, 0.9, 0.9, 0.9], "fair": [0.4, None, None, None]})
    )
    text = page.xpath("string(//section[@id='summary']//li)")
    assert text.startswith("news, domlucky: WS? 0.750 (95 % interval of the mean ")
    assert "on 4 pages, +0.650 to the next, fair. One page of both does not tell" in text


def test_a_single_page_has_no_interval_and_distinguishes_no_methods(tmp_path):
    page = report(tmp_path, scored({"bte": [0.9], "dsc": [0.5]}))
    text = page.xpath("string(//section[@id='summary']//li)")
    assert text.endswith("0.900 on 1 page, +0.400 to the next, dsc. "
                         "One page of both does not tell which is better.")  # fmt: skip
    assert [line[2] for line in lines(table(page, "scores"))][1:] == ["–"] * 3


def test_methods_that_do_not_differ_are_named(tmp_path):
    page = report(tmp_path, scored({"bte": [0.9, 0.5], "dsc": [0.5, 0.8]}))
    text = page.xpath("string(//section[@id='summary']//li)")
    assert text.endswith("It does not differ significantly from dsc.")


def _sentence(folder, values):
    page = report(folder, scored(values))
    text = page.xpath("string(//section[@id='summary']//li)")
    return text, table(page, "differences").xpath(".//tbody/tr[1]/td[2]")[0]


def test_a_rank_difference_is_not_significant_if_the_interval_holds_0(tmp_path):
    """One method is a little better on most pages and much worse on a few: only ranks differ."""
    ahead = [0.8 + 0.001 * k for k in range(20)]
    little = [value - 0.02 - 0.0005 * k for k, value in enumerate(ahead)]
    little[3] = little[11] = 1.0
    text, cell = _sentence(tmp_path, {"bte": ahead, "dsc": little})
    low, high = re.search(r"([+−][\d.]+) to ([+−][\d.]+)", cell.text_content()).groups()
    assert (low[0], high[0]) == ("−", "+"), "the interval holds 0"
    assert "●" not in cell.text_content()
    assert "It does not differ significantly from dsc. By ranks it does from dsc, but the" in text
    assert f"interval of the mean difference, {low} to {high}, holds 0." in text


@given(st.data())
def test_the_interval_of_a_significant_difference_does_not_hold_0(data):
    shares = st.integers(0, 20).map(lambda n: n / 20)
    one = data.draw(st.lists(shares, min_size=6, max_size=14))
    other = [max(0.0, v - data.draw(st.sampled_from([-0.5, 0, 0.05, 0.1]))) for v in one]
    (pair,) = compare_pairs(np.array([one, other]), resamples=300)
    if is_distinct(pair):
        assert pair.difference.low > 0 or pair.difference.high < 0
        assert pair.p_holm < 0.05


def test_shared_best_pages_are_counted_for_each_method(tmp_path):
    page = report(tmp_path, scored({"bte": [0.9, 0.5, 0.4], "dsc": [0.9, 0.5, 0.6]}))
    note = page.xpath("string(//p[contains(@class, 'oracle')])")
    assert "over 3 pages" in note
    assert "dsc on 3, bte on 2 (2 of them shared)" in note


def test_pages_out_of_a_pair_are_counted(tmp_path):
    page = report(tmp_path, scored(THREE))
    assert "5 pages, 1 out" in table(page, "differences").text_content()


@pytest.mark.slow
def test_variance_is_analysed_by_the_factors_that_vary(tmp_path):
    rows = scored(THREE, "ws") + scored(THREE, "bow")
    rows += [{**each, "input": "original", "value": each["value"] and "0.5"} for each in rows]
    page = report(tmp_path, rows)
    head, *body = lines(table(page, "variance"))
    assert head[1:6] == ["Df", "Sum Sq", "Mean Sq", "F value", "Pr(>F)"]
    assert [(line[0], line[1]) for line in body] == [
        ("method", "2"),
        ("Residuals", "14"),  # 17 pages of methods, each its mean over inputs
    ]
    assert "Analysis of variance of WS" in table(page, "variance").findtext("caption")
    note = page.xpath("string(//section[@id='variance']//p[@class='note'])")
    assert "17 scores" in note
    assert "A page's score is its mean over the inputs" in note
    assert "2 scores left out" in note
    assert "only one: data set" in note


def test_endings_are_listed_with_their_reasons_and_pages(tmp_path):
    rows = scored({"bte": [0.5, None], "dsc": [0.4, None]})
    rows += [failed("page3", "bte", "ws", "timed out", "it took more than 2 seconds")]
    page = report(tmp_path, rows)
    body = {line[0]: line[1:] for line in lines(table(page, "endings"))}
    assert body["bte"] == ["1", "0", "1 !", "1 !", "0"]  # ok, empty, failed, timed out, skipped
    reasons = [line[:3] for line in lines(table(page, "endings", 1))[1:]]
    assert reasons == [
        ["it crashed", "failed", "all methods"],
        ["it took more than 2 seconds", "timed out", "bte"],
    ]
    assert table(page, "endings", 1).xpath(".//details//li/text()") == ["page2", "page3"]


def test_a_measure_that_is_skipped_does_not_skip_the_run(tmp_path):
    why = "only on the repaired page do the gold blocks have a known location"
    rows = scored({"vips": [0.5, 0.6]}, "fuzzy")
    rows += [failed(f"page{k}", "vips", "iou-50", "skipped", why, if_empty="") for k in (1, 2)]
    page = report(tmp_path, rows)
    assert lines(table(page, "endings"))[1] == ["vips", "2", "0", "0", "0", "0"]
    ends = page.xpath("//section[@id='endings']")[0]
    assert ends.xpath("string(.//ul[@class='note']/li)") == f"Not scored: {why}. 1 measureIoU .5"
    ends.drop_tree()
    assert "IoU" not in text_of(page)


def test_setups_of_a_method_are_labelled_with_the_parameters_that_differ(tmp_path):
    sets = ('{"ratio": 0.25, "deep": true}', '{"ratio": 0.5, "deep": true}')
    rows = [row("p", "lqf", "ws", 0.5, parameters=each) for each in sets]
    rows += [row("p", "bte", "ws", 0.5, parameters='{"tag_cost": 1}')]
    assert list(setup_labels(table_of(rows)).values()) == ["lqf ratio=0.25", "lqf ratio=0.5", "bte"]
    page = report(tmp_path, rows)
    assert [line[0] for line in lines(table(page, "setups"))[1:]] == [
        "lqf ratio=0.25", "lqf ratio=0.5", "bte",
    ]  # fmt: skip
    assert "ratio = 0.25, deep = true" in text_of(page)


def test_text_and_blocks_are_never_compared_with_each_other(tmp_path):
    rows = scored({"bte": [0.5, 0.6], "dsc": [0.4, 0.3]}, "ws")
    rows += scored({"vips": [0.5, 0.6], "terrain": [0.4, 0.3]}, "fuzzy")
    page = report(tmp_path, rows)
    titles = page.xpath("//section[@id='scores']//h3/text()")
    assert titles == ["news, dom: text", "news, dom: blocks"]
    assert [len(part.setups) for part in sort_out(table_of(rows)).parts] == [2, 2]


# What it needs -----------------------------------------------------------------------------


@pytest.mark.slow
def test_the_report_has_no_outside_links_and_all_linked_files_exist(tmp_path):
    path = write_report(tmp_path, table_of(scored(THREE, "ws") + scored(THREE, "bow")))
    text = path.read_text(encoding="utf-8")
    page = lxml.html.fromstring(text)
    ids = Counter(page.xpath("//@id"))
    assert not [name for name, count in ids.items() if count > 1]
    files = []
    for address in page.xpath("//@href|//@src"):
        if address.startswith("#"):
            assert address[1:] in ids
        elif not address.startswith("data:"):
            assert (tmp_path / address).is_file()
            files.append(tmp_path / address)
    for name in re.findall(r"url\(([^)]*)\)", text):
        assert name.strip("\"'#") in ids
    assert "@import" not in text
    assert not re.search(r"https?://", text)
    assert {file.suffix for file in files} == {".png", ".svg", ".pdf"}
    kinds = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}
    assert all(file.read_bytes().startswith(kinds[file.suffix]) for file in files)
    assert len(files) == 3 * len(page.xpath("//figure")) == 3 * 5


@pytest.mark.slow
def test_the_same_rows_give_the_same_bytes(tmp_path):
    for name in ("one", "two"):
        write_report(tmp_path / name, table_of(scored(THREE)))
    ones = sorted((tmp_path / "one").rglob("*.*"))
    twos = sorted((tmp_path / "two").rglob("*.*"))
    assert [each.name for each in ones] == [each.name for each in twos]
    assert all(a.read_bytes() == b.read_bytes() for a, b in zip(ones, twos, strict=True))


def test_figures_take_their_colours_from_the_page_and_keep_their_texts(tmp_path):
    rows = [row for name in ("dom", "html") for row in scored(THREE, input=name)]
    page = report(tmp_path, rows + scored(THREE, "bow"))
    svg = page.xpath("//figure//svg")
    assert all("bte" in each.text_content() for each in svg)
    for each in svg:
        text = lxml.html.tostring(each, encoding="unicode")
        assert not re.search(r"#[0-9a-f]{6}\b", text.replace("#ffffff", ""))
        assert "var(--ink)" in text
        texts = each.xpath(".//*[local-name()='text']")
        assert texts
        assert all("fill: var(--" in label.get("style") for label in texts)
    labels = page.xpath("//figure/div[@role='img']/@aria-label")
    assert len(labels) == len(svg)
    assert all(labels)


def test_colours_can_be_seen_on_light_and_on_dark_ground():
    light, dark = read_text("report/report.css").split("prefers-color-scheme: dark", 1)
    for sheet in (light, dark.split("}", 1)[0]):
        colors = dict(re.findall(r"--(\w+): (#[0-9a-f]{6})", sheet))
        for name in ("ink", "muted", "accent", "bad"):
            assert contrast(colors[name], colors["ground"]) >= 4.5, name
            assert contrast(colors[name], colors["panel"]) >= 4.5, name
        for k in range(len(COLORS)):
            assert contrast(colors[f"s{k}"], colors["ground"]) >= 3, k


def test_drawing_is_not_loaded_before_a_report_is_made():
    code = (
        "import sys, annotate.evaluation.report.html_report;"
        "import annotate.evaluation.report.report_parts as w;"
        "from annotate.evaluation.tables.result_table import Results;"
        "w.worst_runs(Results());"
        "assert not {'matplotlib', 'PySide6', 'scipy.special'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_names_cannot_become_markup(tmp_path):
    evil = '<script>alert(1)</script> $title & "q"'
    rows = [row(evil, "bte", "ws", 0.5, dataset=evil), row("b", "bte", "ws", 0.1, dataset=evil)]
    rows += [failed(evil, "dsc", "ws", reason=evil, dataset=evil)]
    page = report(tmp_path, rows, title=evil)
    assert len(page.xpath("//script")) == 1
    assert page.xpath("string(//h1)") == evil
    worst = page.xpath("//section[@id='worst']//span[@class='page']")
    assert [each.text_content() for each in worst] == ["b", evil, evil]


def test_a_folder_that_cannot_be_written_to_is_one_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot write"):
        write_report(tmp_path / "file" / "out", table_of(scored(THREE)))


# Any rows ----------------------------------------------------------------------------------

SPARSE = {
    "nothing": [],
    "one page, one method": scored({"bte": [0.5]}),
    "one method": scored({"bte": [0.5, 0.6, 0.7]}),
    "one page": scored({"bte": [0.5], "dsc": [0.7]}),
    "all failed": scored({"bte": [None, None], "dsc": [None, None]}),
    "all empty": [row("p", "bte", "ws", 0.0, status="empty"), row("q", "bte", "ws", 0.0)],
    "no gold": [failed("p", "bte", "ws", "skipped", "the page has no gold text", if_empty="")],
    "undefined": [row("p", "vips", "types"), row("q", "vips", "types")],
    "no page in common": scored({"bte": [0.5, None], "dsc": [None, 0.4]}),
    "alike": scored({"bte": [0.5, 0.5, 0.5], "dsc": [0.5, 0.5, 0.5]}),
    "counts alone": scored({"vips": [3.0, 40.0]}, "split"),
    "unknown": scored({"their method": [0.5, 0.6], "bte": [0.1, 0.2]}, "their measure"),
    "below zero": scored({"vips": [-0.2, 0.6], "bte": [-0.1, 0.2]}, "ari-words"),
    "beyond one": scored({"vips": [-0.2, 7.0], "bte": [-3.0, 0.2]}, "their measure"),
    "long names": scored({"a-method-of-" + 60 * "x": [0.1, 0.2], "b" * 90: [0.1, 0.3]}),
    "no time": [{**each, "ms": ""} for each in scored({"bte": [0.5, 0.6]})],
    "no clock": [{**each, "ms": "0.0"} for each in scored({"bte": [0.5, 0.6]})],
}


@pytest.mark.parametrize("rows", SPARSE.values(), ids=SPARSE)
def test_sparse_results_give_a_valid_report(tmp_path, rows):
    page = report(tmp_path, rows)
    for link in page.xpath("//nav/a/@href"):
        [section] = page.xpath(f"//section[@id='{link[1:]}']")
        assert len(section) > 1, link
    assert page.xpath("//section")
    assert not re.search(r"\b(nan|None|inf)\b", text_of(page))


statuses = st.sampled_from(["ok", "ok", "ok", "empty", "failed", "timed out", "skipped"])
values = st.sampled_from([None, 0.0, 0.25, 1 / 3, 1.0])


@pytest.mark.slow
@settings(max_examples=8)
@given(
    st.dictionaries(
        st.tuples(
            st.sampled_from(["p", "q", "r"]), st.sampled_from(["bte", "vips"]),
            st.sampled_from(["fuzzy", "exact-1", "ws", "split"]), st.sampled_from(["dom", "html"]),
        ),
        st.tuples(statuses, values), max_size=14,
    )
)  # fmt: skip
def test_any_rows_give_a_report(tmp_path_factory, found):
    rows = [
        row(page, method, measure, value, status=status, input=name)
        if status in ("ok", "empty")
        else failed(page, method, measure, status, input=name)
        for (page, method, measure, name), (status, value) in found.items()
    ]
    page = report(tmp_path_factory.mktemp("any"), rows)
    assert not re.search(r"\b(nan|None)\b", text_of(page))


# The worst ---------------------------------------------------------------------------------


def test_the_worst_are_failures_then_low_scores_in_the_order_of_pages():
    rows = scored({"bte": [0.3, None, 0.1, 0.3, 0.0, 0.0]})
    rows += [failed("page7", "bte", "ws", "timed out", "too slow")]
    rows += [failed("page8", "bte", "ws", "skipped", "no gold"), row("page9", "bte", "ws")]
    result = worst_runs(table_of(rows), 6)
    assert [run.key[1] for run in result] == [f"page{k}" for k in (2, 7, 5, 6, 3, 1)]
    assert [run.status for run in result[:3]] == ["failed", "timed out", "ok"]
    assert (result[1].value, result[1].reason) == (None, "too slow")
    assert (result[0].key, result[0].setup, result[0].measure) == (
        ("news", "page2", "dom"),
        "bte",
        "ws",
    )


def test_the_worst_of_blocks_are_judged_by_the_fuzzy_match():
    rows = scored({"vips": [0.1, 0.9]}, "exact") + scored({"vips": [0.8, 0.2]}, "fuzzy")
    assert [run.key[1] for run in worst_runs(table_of(rows), 1)] == ["page2"]


@given(st.lists(st.one_of(st.none(), st.sampled_from([0.0, 0.2, 0.5, 1.0])), max_size=14))
def test_no_run_outside_the_worst_is_worse_than_one_inside(column):
    result = worst_runs(table_of(scored({"bte": column})), 5) if column else ()
    assert len(result) == min(5, len(column))
    inside = [-1.0 if run.value is None else run.value for run in result]
    assert inside == sorted(-1.0 if value is None else value for value in column)[:5]


def test_pictures_are_shown_small_and_linked_large(tmp_path):
    out, other = tmp_path / "out", tmp_path / "elsewhere"
    other.mkdir()
    (out / "pictures").mkdir(parents=True)
    inside, outside = out / "pictures" / "a #1.png", other / "b.jpg"
    for path, height in ((inside, 3000), (outside, 100)):
        cv2.imwrite(str(path), np.full((height, 1024, 3), 200, np.uint8))
    rows = scored({"bte": [0.1, 0.2, 0.3]})
    keys = [(("news", f"page{k}", "dom"), "bte") for k in (1, 2, 3)]
    page = report(
        out,
        rows,
        {keys[0]: inside, keys[1]: outside},
        problems={keys[2]: "the page did not load"},
    )
    first, second, third = page.xpath("//section[@id='worst']//li")
    assert first.xpath("./a/@href") == ["pictures/a%20%231.png"]
    [copied] = second.xpath("./a/@href")
    assert (out / copied).read_bytes() == outside.read_bytes()
    for card in (first, second):
        [small] = card.xpath(".//img/@src")
        assert small.startswith("data:image/jpeg;base64,")
        assert len(small) < 40_000
    assert not third.xpath(".//a|.//img")
    assert "no picture: the page did not load" in third.text_content()


def test_a_page_a_change_makes_worse_is_a_link_to_its_picture_after_that_change(tmp_path):
    out = tmp_path / "out"
    (out / "pictures").mkdir(parents=True)
    pictures = {
        ((dataset, page, "dom"), method): out / "pictures" / f"{method} {page}{dataset[4:]}.png"
        for dataset in ("news", "news ~ names", "news ~ wrapped")
        for page in ("page1", "page2")
        for method in ("alpha", "beta")
        if (dataset, page, method) != ("news ~ names", "page2", "alpha")  # it did not load
    }
    for path in pictures.values():
        cv2.imwrite(str(path), np.full((30, 40, 3), 200, np.uint8))
    rows = scored({"alpha": [0.9, 0.8], "beta": [0.7, 0.7]})
    rows += scored({"alpha": [0.9, 0.5], "beta": [0.7, 0.7]}, dataset="news ~ names")
    rows += scored({"alpha": [0.9, 0.7], "beta": [0.1, 0.7]}, dataset="news ~ wrapped")
    worst = table(report(out, rows, pictures), "robustness", 1)
    assert [each[:2] for each in lines(worst)[1:]] == [
        ["page1", "beta"], ["page2", "alpha"], ["page2", "alpha"]
    ]  # fmt: skip
    assert [line.xpath(".//a/@href") for line in worst.iter("tr")][1:] == [
        ["pictures/beta%20page1%20~%20wrapped.png"],
        [],
        ["pictures/alpha%20page2%20~%20wrapped.png"],
    ]


def test_a_picture_that_cannot_be_read_is_left_out(tmp_path):
    torn = tmp_path / "torn.jpg"
    torn.write_bytes(b"not a picture")
    key = ("news", "page1", "dom"), "bte"
    page = report(tmp_path / "out", scored({"bte": [0.1]}), {key: torn})
    assert not page.xpath("//section[@id='worst']//img")


def starred(page):
    rows = table(page, "scores").xpath(".//tr[.//span[.='★']]")
    return {row.xpath("string(th)") for row in rows}


def test_a_method_that_failed_on_hard_pages_has_neither_rank_nor_star_by_the_rest(tmp_path):
    page = report(tmp_path, scored({"picky": [0.9, 0.9, None], "bte": [0.8, 0.8, 0.7]}))
    body = lines(table(page, "scores"))[1:]
    assert [line[:2] for line in body][:2] == [["bte", "0.767"], ["picky", "0.900"]]
    assert starred(page) == {"bte"}
    assert page.xpath("string(//section[@id='summary']//li)").startswith("news, dombte: WS")


def test_a_run_that_timed_out_is_an_empty_text_and_no_method_with_one_is_fastest(tmp_path):
    rows = scored({"late": [0.9, 0.9], "bte": [0.8, 0.8]}, ms="9")
    rows = [each | {"ms": "1"} if each["method"] == "late" else each for each in rows]
    late = failed("page3", "late", "ws", status="timed out", reason="took too long")
    page = report(tmp_path, [*rows, row("page3", "bte", "ws", 0.8, ms="9"), late])
    head, *body = lines(table(page, "scores"))
    assert {line[0]: line[head.index("failed as empty")] for line in body}["late"] == "0.600 (3)"
    fastest = page.xpath("//table[contains(caption, 'Time per page')]//tr[td//*[@class='star']]")
    assert [line.xpath("string(*[1])") for line in fastest] == ["bte"]
    # Without the run that timed out it is first by both.
    page = report(tmp_path / "whole", rows)
    fastest = page.xpath("//table[contains(caption, 'Time per page')]//tr[td//*[@class='star']]")
    assert [line.xpath("string(*[1])") for line in fastest] == ["late"]


def test_a_method_that_has_seen_the_gold_is_named_and_has_no_star_and_no_rank(tmp_path):
    values = [0.5 + k / 100 for k in range(20)]
    rows = scored({"bte": values, "plain": [v - 0.2 for v in values]})
    rows += scored({"gleaner": [v + 0.3 for v in values]}, gold_seen="yes")
    page = report(tmp_path, rows)
    body = lines(table(page, "scores"))[1:]
    names = [line[0] for line in body]
    assert names[:2] == ["bte", "plain"]
    assert names[2] == "gleaner has seen the gold of 20 of 20 pages"
    assert starred(page) == {"bte"}
    text = page.xpath("string(//section[@id='summary']//li)")
    assert "gleaner has seen the gold of 20 of 20 pages. bte: WS" in text
    assert "differs significantly from every other method" in text  # from plain
    assert "gleaner" not in text.partition("to the next")[2]
    marked = page.xpath("//section[@id='differences']//td[contains(., '●')]")
    assert len(marked) == len(page.xpath("//section[@id='differences']//table"))  # bte − plain


def test_a_page_on_three_inputs_is_one_witness_in_the_analysis_of_variance(tmp_path):
    one, other = [0.2, 0.5, 0.9, 0.6, 0.4], [0.3, 0.7, 0.8, 0.9, 0.5]
    rows = [
        row
        for shift, form in ((0.0, "html"), (0.05, "dom"), (-0.05, "repaired"))
        for row in scored(
            {"bte": [v + shift for v in one], "dsc": [v + shift for v in other]}, input=form
        )
    ]
    page = report(tmp_path, rows)
    cells = {line[0]: line[1:] for line in lines(table(page, "variance"))}
    # By hand: means over inputs are those above; one factor of two levels, ten scores.
    means = sum(one) / 5, sum(other) / 5
    between = 5 * sum((m - sum(means) / 2) ** 2 for m in means)
    within = sum((v - m) ** 2 for own, m in zip((one, other), means, strict=True) for v in own)
    assert cells["method"][0] == "1"
    assert cells["Residuals"][0] == "8"  # 28 were the inputs so many pages
    assert float(cells["method"][3]) == pytest.approx(between / (within / 8), abs=0.001)

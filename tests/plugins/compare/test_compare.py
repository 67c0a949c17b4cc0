"""Two versions of anything on the same pages: what changed, worst first."""

import json
import re
import shutil

import pytest

from algorithms.plugins.external import environments
from annotate.plugins.external.sides import chosen_side, chosen_sides
from engine.errors import InputError
from tests.method_packages import (
    BREAKS,
    KEEPS_ALL,
    LOSES_LISTS,
    NAV,
    checkout,
    commit,
    git_status,
    index,
    pages,
    wheel,
)
from tests.typed_commands import typed

METHOD_FILE = """
import numpy as np
from algorithms.method import Method
from algorithms.params import Params
from algorithms.results import Extraction

def extract(source, params):
    size = len(source.html)
    return Extraction(source, np.array([[START, size]], dtype=np.int32))

METHOD = Method("own", "Own", Params, "extraction", "me", on_source=extract)
"""


def compared(*words, **variables):
    done = typed("compare", *words, "--json", "--jobs", "1", **variables)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.slow
def test_a_mean_over_two_data_sets_warns_that_it_mixes_guidelines(tmp_path):
    data = pages(tmp_path / "one"), pages(tmp_path / "two")
    done = typed("compare", "bte", "plain", *data, "--jobs", "1")
    assert "the mean mixes gold of 2 guidelines: that of one, that of two" in done.stdout
    result = compared("bte", "plain", *data)
    assert {name: each["pages"] for name, each in result["by_guideline"].items()} == {
        "that of one": 3, "that of two": 3,
    }  # fmt: skip
    assert not compared("bte", "plain", data[0])["by_guideline"]


@pytest.mark.slow
def test_two_versions_of_a_package_are_installed_separately_and_compared(tmp_path):
    variables = index(tmp_path, {"9.1": KEEPS_ALL, "9.2": LOSES_LISTS})
    data = pages(tmp_path / "pages")
    result = compared("trafilatura==9.1", "trafilatura==9.2", data, **variables)
    assert result["before"]["version"] == "trafilatura 9.1"
    assert (result["pages"], result["changed"], result["lost"], result["gained"]) == (3, 1, 1, 0)
    [change] = result["changes"]
    assert (change["page"], change["lost"]) == ("2", ["One thing Another thing"])
    assert change["before"] == 1.0
    assert change["difference"] < -0.2
    assert result["mean_difference"] == pytest.approx(change["difference"] / 3)
    assert result["by_type"]["article"]["changed"] == 0
    assert result["by_type"]["listing"]["worse"] == 1
    # a second time neither index nor network is needed
    shutil.rmtree(variables["PIP_FIND_LINKS"])
    assert compared("trafilatura==9.1", "trafilatura==9.2", data, **variables) == result


@pytest.mark.slow
def test_a_version_missing_in_the_index_is_refused(tmp_path):
    variables = index(tmp_path, {"9.1": KEEPS_ALL})
    done = typed("compare", "trafilatura==9.1", "trafilatura==9.7", tmp_path, **variables)
    assert done.returncode == 2
    assert "trafilatura==9.7 cannot be installed: the package index" in done.stderr
    assert not [*(tmp_path / "cache" / "pagelet" / "environments").glob("tmp*")]


@pytest.mark.slow
def test_a_version_that_fails_on_every_page_is_named(tmp_path):
    variables = index(tmp_path, {"9.1": KEEPS_ALL, "9.2": BREAKS})
    data = pages(tmp_path / "pages")
    done = typed("compare", "trafilatura==9.1", "trafilatura==9.2", data, **variables)
    assert done.returncode == 1
    assert "trafilatura==9.2 failed on every page; the first: ValueError: out of order" in (
        done.stderr
    )
    assert done.stdout.count("ValueError: out of order") == 3


@pytest.mark.slow
def test_two_commits_of_a_checkout_are_compared_by_a_named_function(tmp_path):
    here = checkout(tmp_path / "checkout", KEEPS_ALL, LOSES_LISTS)
    data = pages(tmp_path / "pages")
    variables = {"XDG_CACHE_HOME": str(tmp_path / "cache"), "PIP_NO_INDEX": "1"}
    sides = (f"{here}@v0 mine:extract", f"{here}@v1 mine:extract")
    result = compared(*sides, data, **variables)
    assert [change["page"] for change in result["changes"]] == ["2"]


@pytest.mark.slow
def test_a_checkout_is_compared_as_it_is_with_its_last_commit(tmp_path):
    here = checkout(tmp_path / "checkout", KEEPS_ALL)
    (here / "mine.py").write_text("from rules import extract\n")
    (here / "rules.py").write_text(LOSES_LISTS)  # a new file belongs to it
    build = (here / "build.py").read_text()
    (here / "build.py").write_text(build.replace(
        'wheel.write("mine.py")', 'wheel.write("mine.py"); wheel.write("rules.py")'
    ))  # fmt: skip
    variables = {"XDG_CACHE_HOME": str(tmp_path / "cache"), "PIP_NO_INDEX": "1"}
    sides = (f"{here}@HEAD mine:extract", f"{here} mine:extract")
    result = compared(*sides, pages(tmp_path / "pages"), **variables)
    assert [change["page"] for change in result["changes"]] == ["2"]
    assert git_status(here) == " M build.py\n M mine.py\n?? rules.py\n"  # nothing was staged


@pytest.mark.slow
def test_a_method_file_is_compared_with_its_committed_version(tmp_path):
    here = checkout(tmp_path / "checkout")
    file = here / "own.py"
    file.write_text(METHOD_FILE.replace("START", "0"))
    commit(here, "Begin")
    file.write_text(METHOD_FILE.replace("START", "source.html.index('<p>')"))
    data = pages(tmp_path / "pages")
    result = compared(f"{file}@HEAD", file, data, XDG_CACHE_HOME=str(tmp_path / "cache"))
    assert result["changed"] == 3
    assert {change["lost"][0] for change in result["changes"]} == {"Home News"}
    assert {change["change"] for change in result["changes"]} == {"text lost"}


@pytest.mark.slow
def test_two_parameter_sets_are_compared_with_their_reasons(tmp_path):
    result = compared("lqf", "lqf threshold=1.0", pages(tmp_path))
    worst = result["changes"][0]
    assert worst["difference"] <= result["changes"][-1]["difference"]
    assert "lqf: " in worst["reason"]
    assert "lqf threshold=1.0: " in worst["reason"]


@pytest.mark.slow
def test_pages_without_gold_are_grouped_by_kind_of_change(tmp_path):
    for name, end in (("a", ""), ("b", "<ul><li><a href=x>One link</a></ul>")):
        (tmp_path / f"{name}.html").write_text(f"<p>{'word ' * 60}{end}")
    result = compared("plain", "lqf", tmp_path)
    assert result["mean_difference"] is None
    assert result["by_kind"] == {"text lost": {"pages": 1, "words": 2}}
    done = typed("compare", "plain", "lqf", tmp_path, "--markdown")
    assert "| text lost | 1 | 2 |" in done.stdout


@pytest.mark.slow
def test_the_output_folder_gets_rows_report_and_bundle(tmp_path):
    out = tmp_path / "out"
    data = pages(tmp_path / "pages")
    words = ("compare", "plain", "lqf threshold=0.5", data, "--out", out)
    done = typed(*words, "--report", "pictures", "--bundle", "--jobs", "1")
    assert done.returncode == 0, done.stderr
    files = {each.relative_to(out).as_posix() for each in out.rglob("*") if each.is_file()}
    assert {"scores.csv", "comparison.json", "comparison.md", "report.html"} <= files
    assert "bundle/index.html" in files
    page = next(iter((out / "bundle" / "pages").glob("*.html"))).read_text("utf-8")
    assert "lqf threshold=0.5" in page
    assert re.findall(r'<div id="layer-1" class="slot1 color-(\w+)">', page) == ["c24a00"]
    links = re.sub(r"<[^>]*>", " ", NAV).split()
    assert re.findall(r"<span>((?:Lost|Gained): \d+)", page) == [f"Lost: {len(links)}"]
    assert lost_text(page).split() == links


@pytest.mark.slow
@pytest.mark.web
def test_pictures_of_a_bundle_mark_lost_and_gained_text(tmp_path):
    (tmp_path / "a.html").write_text(
        "<p style='position:absolute;top:100px'>A long text without any link at all.</p>"
        "<p style='position:absolute;top:300px'><a href=x>One</a> <a href=y>Two</a></p>"
    )
    lqf, plain, out = "lqf threshold=0.5 input=dom", "plain input=dom", tmp_path / "out"
    for words, changed, color in (
        ((plain, lqf), "Lost: 2 words", "#C24A00"),
        ((lqf, plain), "Gained: 2 words", "#0067A6"),
    ):
        done = typed("compare", *words, tmp_path / "a.html", "--out", out, "--bundle")
        assert done.returncode == 0, done.stderr
        page = next((out / "bundle" / "pages").glob("*.html")).read_text("utf-8")
        assert re.findall(r"<span>((?:Lost|Gained): \d+ words)", page) == [changed]
        assert re.findall(r'data-layer="([^"]*)" checked', page) == ["layer-1"]
        layer = re.search(rf'<g id="layer-1" fill="{color}".*?</g>', page, re.DOTALL)[0]
        tops = [float(top) for top in re.findall(r' y="(\d+)"', layer)]
        assert len(tops) == 2
        assert all(300 <= top < 340 for top in tops)


@pytest.mark.slow
def test_a_bundle_begins_with_the_page_that_lost_most(tmp_path):
    for name, links in (("a", 1), ("b", 3), ("c", 2)):
        nav = "".join(f"<li><a href=/{k}>link {k}</a>" for k in range(links))
        (tmp_path / f"{name}.html").write_text(f"<title>{name}</title><p>words</p><ul>{nav}</ul>")
    done = typed("compare", "plain", "lqf", tmp_path, "--out", tmp_path / "out", "--bundle")
    assert done.returncode == 0, done.stderr
    names = sorted(each.stem for each in (tmp_path / "out" / "bundle" / "pages").glob("*.html"))
    assert [name[5:] for name in names] == ["b", "c", "a"]
    page = (tmp_path / "out" / "bundle" / "pages" / f"{names[0]}.html").read_text("utf-8")
    assert re.findall(r'data-layer="([^"]*)" checked', page) == ["layer-1"]


def lost_text(page):
    return " ".join(re.findall(r'<span class="t1[^"]*">([^<]*)</span>', page))


@pytest.mark.slow
def test_markup_of_a_page_is_escaped_in_markdown(tmp_path):
    (tmp_path / "a.html").write_text("<p>word</p><nav><a>@all &lt;img&gt; ](http://x.y)</a></nav>")
    done = typed("compare", "plain", "lqf", tmp_path, "--markdown")
    assert done.returncode == 0, done.stderr
    assert "@all" not in done.stdout
    assert "<img" not in done.stdout


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("no-such-method", "unknown method 'no-such-method'"),
        ("bte tag_cost=x", "tag_cost"),
        ("bte input=paper", "input must be one of original, dom, seen, rendered, got 'paper'"),
        ("bte some", "bte some: some is neither NAME=VALUE nor module:function"),
        ("vips", "vips gives blocks"),
        ("", "names nothing to compare"),
        ("'", "names nothing to compare"),
    ],
)
def test_a_text_that_names_no_version_is_refused(text, says):
    with pytest.raises(InputError, match=says):
        chosen_side(text)


def test_comparing_a_version_with_itself_is_refused():
    with pytest.raises(InputError, match="bte tag_cost=2 is compared with itself"):
        chosen_sides(("bte tag_cost=2", " bte  tag_cost=2"))


def test_an_unknown_commit_is_refused(tmp_path):
    here = checkout(tmp_path / "checkout", KEEPS_ALL)
    with pytest.raises(InputError, match="has no commit v7 that git knows"):
        chosen_side(f"{here}@v7 mine:extract")


@pytest.mark.slow
def test_an_unknown_wheel_is_refused_without_a_named_function(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    made = wheel(tmp_path / "dist", "mine", "1.0", KEEPS_ALL)
    with pytest.raises(InputError, match="how mine extracts is not known"):
        chosen_side(str(made))
    entry = chosen_side(f"{made} mine:extract").entry
    assert entry.version == "mine 1.0"
    assert environments.of_wheel(made).version == "1.0"

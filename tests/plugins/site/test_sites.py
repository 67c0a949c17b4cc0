"""Methods on sites on the command line."""

import csv
import json

import pytest

from tests.typed_commands import typed

STORIES = (
    "rain fell over the hills all night and the river rose by a metre",
    "the minister opened a new bridge that joins both banks at last",
    "scores of runners finished early in spite of heat and dust",
    "a lost dog found its way home after seven years at sea",
)
MENU = "".join(f"<li><a href={k}.html>story {k}</a>" for k in range(4))


@pytest.fixture
def site(tmp_path):
    """Write four stories with one menu; the last has no gold."""
    return made(tmp_path / "town")


def made(folder):
    (folder / "pages").mkdir(parents=True)
    (folder / "gold").mkdir()
    pages = []
    for k, story in enumerate(STORIES):
        html = f"<html><body><ul>{MENU}</ul><p>{story}</p></body></html>"
        (folder / "pages" / f"{k}.html").write_text(html, encoding="utf-8")
        if k < 3:
            (folder / "gold" / f"{k}.html.txt").write_text(story, encoding="utf-8")
        url = f"http://town.example/{k}.html"
        pages.append({"path": f"{k}.html", "url": url, "template": "story", "gold": k < 3})
    (folder / "site.json").write_text(json.dumps({"pages": pages}), encoding="utf-8")
    return folder


def test_extract_reads_a_page_with_its_site(site):
    for index in (site, site / "pages"):  # with its index, or any folder of pages
        done = typed("extract", "df-filter", site / "pages" / "1.html", "--site", index)
        assert done.returncode == 0, done.stderr
        assert done.stdout.strip() == STORIES[1]
        assert not done.stderr


def test_a_page_outside_the_folder_is_extracted_with_the_site(site, tmp_path):
    page = tmp_path / "new.html"
    page.write_text(f"<body><ul>{MENU}</ul><p>a cat came by</p></body>", encoding="utf-8")
    done = typed("extract", "df-filter", page, "--site", site)
    assert done.stdout.strip() == "a cat came by"


def test_extract_without_the_site_of_a_method_names_the_option(site):
    done = typed("extract", "sst", site / "pages" / "1.html")
    assert done.returncode == 2
    assert done.stderr == ("pagelet: sst reads a page together with its site: add --site FOLDER\n")


def test_extract_reports_that_accb_replaced_a_method_with_too_few_pages(site, tmp_path):
    page = tmp_path / "alone.html"
    page.write_text(f"<p>{STORIES[0]}", encoding="utf-8")
    done = typed("extract", "df-filter-boot", page, "--site", site)
    assert done.stdout.strip() == STORIES[0]
    assert "ACCB was run instead" in done.stderr


def test_why_names_the_number_of_pages_of_the_site_with_a_text(site):
    page = site / "pages" / "1.html"
    done = typed("why", "df-filter", page, "--site", site, "--text", "story 2", "--json")
    assert done.returncode == 0, done.stderr
    data = json.loads(done.stdout)
    assert data["decision"] == "dropped"
    assert data["sentence"].endswith("occurs on 4 of 4 pages: template")
    assert data["flip"]["parameter"] == "share"
    assert data["f1"] == 1.0
    asked = typed("why", "df-filter", page, "--text", "story 2")
    assert asked.stderr == (
        "pagelet: df-filter reads a page together with its site: add --site FOLDER\n"
    )


def test_evaluate_scores_pages_with_gold_using_their_siblings(site, tmp_path):
    out = tmp_path / "out"
    done = typed(
        "evaluate", site, "--methods", "df-filter,plain,df-filter-boot", "--measures", "ws",
        "--report", "none", "--out", out, "--jobs", "1",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    with (out / "scores.csv").open(newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["status"] == "ok"]
    result = {(row["method"], row["page"]): float(row["value"]) for row in rows}
    assert {
        result[key, f"{k}.html"] for key in ("df-filter", "df-filter-boot") for k in range(3)
    } == {1}
    assert result["plain", "0.html"] < 0.8
    assert not any(page == "3.html" for _, page in result)


@pytest.mark.slow
def test_evaluate_prints_the_scores_of_each_site(tmp_path):
    for name in ("north", "south"):
        made(tmp_path / "towns" / name)
    done = typed(
        "evaluate", tmp_path / "towns", "--methods", "plain,site", "--measures", "ws",
        "--report", "none", "--out", tmp_path / "out", "--jobs", "1",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    lines = done.stdout[done.stdout.index("towns: WS by site, 2 sites") :].splitlines()
    assert lines[1].split() == ["method", "mean", "north", "(3)", "south", "(3)"]
    assert lines[2].split() == ["site", "1.000", "1.000", "1.000"]
    plain = lines[3].split()
    assert plain[0] == "plain"
    assert plain[1] == plain[2] == plain[3] != "1.000"


@pytest.mark.slow
def test_the_group_sites_evaluates_all_methods_on_sites(site, tmp_path):
    done = typed("evaluate", site, "--methods", "sites", "--report", "none", "--measures", "ws",
                   "--out", tmp_path / "out")  # fmt: skip
    assert done.returncode == 0, done.stderr
    for key in ("site", "sst-boot", "template-hash", "wisdom"):
        assert f"\n{key} " in done.stdout
    assert "\nplain " not in done.stdout


def test_methods_on_sites_are_listed_in_a_separate_section():
    listed = {entry["key"]: entry for entry in json.loads(typed("methods", "--json").stdout)}
    assert listed["site"]["site"]
    assert listed["site"]["input"] == ["original", "dom", "seen"]
    assert not listed["accb"]["site"]
    assert "Extraction from a page and its site (24)" in typed("methods").stdout

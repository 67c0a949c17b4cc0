"""Test links, citations in the code, tables and names in the documentation."""

import csv
import json
import re
import subprocess
from hashlib import blake2b
from pathlib import Path

import pytest

from algorithms.core.catalogue import METHODS
from gui.cli.docs import README, find_outdated
from gui.cli.main import main
from resources import path
from resources.documentation import PAGES, SITE, build_site, read_page, sections

ROOT = README.parent
OUTSIDE = ROOT / "tests" / "outside.py"
"""The one place that looks beside the clone, for what its pages may not hold."""
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
_CITATION = re.compile(r"\b([a-z_]+\.md)(?:#([\w-]+))?")
_CODE = re.compile(r"^ {4}.*$|`[^`\n]*`|<!--.*?-->", re.MULTILINE)


def tracked(*patterns: str) -> list[Path]:
    if not (ROOT / ".git").exists():
        pytest.skip("not a clone")
    listed = subprocess.run(
        ["git", "ls-files", "-z", *patterns], cwd=ROOT, capture_output=True, check=True
    )
    files = [ROOT / name for name in listed.stdout.decode().split("\0") if name]
    return [file for file in files if file.is_file()]


def anchors(page: str) -> set[str]:
    return {section.anchor for section in sections(read_page(page))}


def written() -> list[Path]:
    return [README, *PAGES.values()]


def built_site(folder: Path) -> Path:
    """Return the site that ./test has just built, else build one."""
    made = SITE / ".built"
    pages = (*path("docs").rglob("*"), *path("pictures").rglob("*"))
    if made.is_file() and all(file.stat().st_mtime < made.stat().st_mtime for file in pages):
        return SITE
    assert build_site(folder / "site") == ""
    return folder / "site"


@pytest.mark.slow
def test_the_site_builds_without_dead_links_and_loads_nothing_external(tmp_path):
    pytest.importorskip("furo")
    site = built_site(tmp_path)
    made = list(site.rglob("*.html"))
    assert len(made) > len(PAGES)  # and the search
    loads = re.compile(r"<(?:script|img|link|iframe)\b[^>]*(?:src|href)=\"(?:https?:)?//")
    for page in made:
        assert not loads.search(page.read_text("utf-8")), page.name
    assert sum(file.stat().st_size for file in site.rglob("*")) < 7_300_000


def test_documentation_pages_have_unique_names_and_begin_with_a_title():
    files = list(path("docs").rglob("*.md"))
    assert sorted(file.name for file in files) == sorted(PAGES)
    for page in PAGES:
        first = next(sections(read_page(page)))
        assert first.level == 1


def test_anchors_of_headings_are_unique_in_each_page():
    for page in PAGES:
        if page != "changelog.md":  # each version has the same ones
            result = [section.anchor for section in sections(read_page(page))]
            assert len(result) == len(set(result)), page


@pytest.mark.parametrize("file", written(), ids=lambda file: file.name)
def test_every_link_leads_to_an_existing_file_and_heading(file):
    text = _CODE.sub("", file.read_text(encoding="utf-8"))
    for target in _LINK.findall(text):
        if target.startswith("https:"):
            continue
        name, _, anchor = target.partition("#")
        there = (file.parent / name).resolve() if name else file
        assert there.is_relative_to(ROOT), target
        assert there.is_file(), target
        if anchor:
            assert anchor in anchors(there.name), target


@pytest.mark.parametrize("file", written(), ids=lambda file: file.name)
def test_every_test_command_in_the_documentation_exists(file):
    text = file.read_text(encoding="utf-8")
    for module in re.findall(r"python -m ((?:tests|resources)(?:\.\w+)+)", text):
        there = ROOT / module.replace(".", "/")
        assert there.with_suffix(".py").is_file() or (there / "__main__.py").is_file(), module
    for test in re.findall(r"\./test (tests/[\w/]+(?:\.py)?)", text):
        assert (ROOT / test).exists() or f"`{test}" in text, test  # a recipe writes it


def test_every_citation_in_the_code_names_a_heading():
    for file in tracked("*.py", "*.js", "*.sql", "*.xsl", "*.xml", "*.qss", "*.toml"):
        for page, anchor in _CITATION.findall(file.read_text(encoding="utf-8")):
            if page in PAGES and anchor:
                assert anchor in anchors(page), f"{file.relative_to(ROOT)}: {page}#{anchor}"


def test_the_contributing_guide_lists_every_package():
    text = read_page("contributing.md").partition("## Where things are")[2].partition("\n## ")[0]
    message: dict[str, set[str]] = {}
    for indent, name in re.findall(r"^( {4}| {6})(\w+) +\S", text, re.MULTILINE):
        if len(indent) == 4:
            message[package := name] = set()
        else:
            message[package].add(name)
    for package in ("gui", "annotate", "algorithms", "engine"):
        there = {file.relative_to(ROOT).parts[1] for file in tracked(f"{package}/*/*.py")}
        assert message[package] == there, package
    assert message.keys() == {"gui", "annotate", "algorithms", "engine", "resources", "tests"}


def test_generated_tables_are_up_to_date():
    stale = [file.name for file in find_outdated()]
    assert not stale, "run: ./run docs"


_OF_GLEANER = re.compile(r"\|\s*\*?gleaner\b[^|]*\|.*\d")
"""A row of a table with figures of gleaner."""


def _tables(file: Path) -> list[tuple[str, list[str]]]:
    """Return the tables of a page, each with the line above it."""
    lines, made = file.read_text(encoding="utf-8").splitlines(), []
    for number, line in enumerate(lines):
        if not line.startswith("|"):
            continue
        if number and lines[number - 1].startswith("|"):
            made[-1][1].append(line)
        else:
            made.append((lines[number - 1] if number else "", [line]))
    return made


@pytest.mark.parametrize("file", written(), ids=lambda file: file.name)
def test_tables_with_figures_of_gleaner_name_the_shipped_model(file):
    """Measure a table again after training the model, and write the model's digest above it."""
    if file.name == "changelog.md":
        return
    model = blake2b(path("gleaner/model.npz").read_bytes(), digest_size=4).hexdigest()
    for above, rows in _tables(file):
        if any(map(_OF_GLEANER.match, rows)):
            assert above == f"<!-- of gleaner {model} -->", rows[0]


@pytest.mark.slow
def test_documented_figures_of_gleaner_by_structure_are_current(tmp_path, capsys):
    words = "--methods gleaner --measures structure,ws --input original --report none --jobs 1"
    where = str(path("corpus"))
    assert main(["evaluate", where, *words.split(), "--json", "--out", str(tmp_path)]) == 0
    found = {row["measure"]: row for row in json.loads(capsys.readouterr().out)}
    names = ("words", "headings", "lists", "tables", "code", "links")
    own = [found[key] for key in ("ws", *(f"structure-{name}" for name in names))]
    written_down = next(rows for _, rows in _tables(PAGES["measures.md"]) if "TEDS" in rows[0])
    cells = next(row for row in written_down if row.startswith("| gleaner |")).split("|")[2:-1]
    assert [float(cell) for cell in cells] == [pytest.approx(e["value"], abs=0.0051) for e in own]
    heads = [int(re.search(r"\((\d+)\)", head)[1]) for head in written_down[0].split("|")[2:-1]]
    assert heads == [each["value_pages"] for each in own]


def test_the_table_of_judged_gold_counts_the_verdicts():
    named = {"WCXB": "wcxb", "Kreuzer": "kreuzer-random", "article": "article-benchmark-sample"}
    (rows,) = [r for _, r in _tables(PAGES["audit.md"]) if r[0].startswith("| data set | command")]
    for row in rows[2:]:
        first, *cells = (cell.strip() for cell in row.strip("|").split("|"))
        name = next(file for word, file in named.items() if first.startswith(word))
        with path(f"audited/{name}.csv").open(encoding="utf-8", newline="") as file:
            verdicts = [line["verdict"] for line in csv.DictReader(file)]
        counts = [verdicts.count(each) for each in ("error", "guideline", "false alarm")]
        assert [int(cell) for cell in cells[1:]] == [len(verdicts), *counts]


def test_every_method_is_described():
    text = re.sub(r"<!-- table.*?<!-- end -->", "", read_page("methods.md"), flags=re.DOTALL)
    keys = {entry.key for entry in METHODS if "+" not in entry.key}
    assert {key for key in keys if f"`{key}`" not in text} == set()


def test_every_method_shows_its_figure():
    page = read_page("figures.md")
    assert not [
        entry.key for entry in METHODS if f"figures/{entry.key.replace('+', '-')}.webp" not in page
    ]


def test_the_documented_licence_has_every_line_of_the_licence():
    shown = [line.removeprefix("    ") for line in read_page("licence.md").splitlines()]
    for line in (ROOT / "LICENSE").read_text(encoding="utf-8").splitlines():
        assert line.rstrip() in shown


def test_no_path_outside_the_clone_is_named():
    outside = re.compile(r"(?<![\w/.-])(?:\.\./)*shared/|[\"']shared[\"'/]|/(?:work|home)/\w")
    for file in [*written(), *tracked("*.py", "*.toml", ".setup", "run", "test")]:
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            if file not in (Path(__file__), OUTSIDE):
                assert not outside.search(line), f"{file.relative_to(ROOT)}:{number}: {line}"


def test_comments_cite_only_papers_and_files_of_the_clone():
    papers = re.compile(r"\b(?:FORMATS [A-C]\d|SYSTEMS (?:section|\d)|WEBENGINE (?:section|\d))")
    named = re.compile(
        r"(?<![\w/.~-])((?:gui|annotate|algorithms|engine|resources|tests)/[\w./-]+"
        r"\.(?:py|js|json|md|xml|xsl|png|sql))\b"
    )
    for file in tracked("*.py", "*.js", "*.sql", "*.xsl", "*.qss", "*.md", "*.toml"):
        text = file.read_text(encoding="utf-8")
        where = file.relative_to(ROOT)
        if file != Path(__file__):
            assert not papers.search(text), f"{where}: {papers.search(text)}"
        for name in named.findall(text):
            is_written = "NAME" in name or re.search(rf"Write\s`{name}`", text)  # by a recipe
            assert is_written or (ROOT / name).is_file(), f"{where} names {name}"


def test_every_name_in_the_contributing_guide_exists_in_the_code():
    releases = {"bookworm", "trixie", "sid", "noble"}
    others = {"test_a_page_without_words_has_no_blocks", "QTWEBENGINE_REMOTE_DEBUGGING"}
    files = tracked("*.py", "*.toml", "test", "run", ".setup", "tests/bare_system")
    code = "\n".join(
        f"{file.relative_to(ROOT)}\n{file.read_text(encoding='utf-8')}"
        for file in files
        if file != Path(__file__)
    )
    known = {*re.findall(r"[A-Za-z_]\w*", code), Path(__file__).stem, *releases, *others}
    guide = read_page("contributing.md")
    for quoted in re.findall(r"`([^`\n]+)`", guide):
        for name in re.findall(r"(?<![\w])[A-Za-z_]\w*", quoted):
            assert name in known or "NAME" in name, f"{name} in `{quoted}`"

"""A page that stands in a data set more than once is one witness, and is named.

The independent truth is the same data set without its copies.
"""

import re

import lxml.html
import pagelet
import pytest

from annotate.datasets import cases
from gui.cli.main import main
from tests.oracles.copied import folders  # noqa: F401  (a fixture)

# ruff: noqa: F811  (fixtures are arguments)


def evaluated(folder, capsys) -> tuple[str, str, dict[str, list[str]]]:
    """Return what is printed, and of the report its sentence, and tests with their numbers."""
    out = folder.with_suffix(".run")
    typed = "--methods", "bte,plain,lqf", "--measures", "ws", "--no-cache", "--out", str(out)
    assert main(["evaluate", str(folder), *typed, "--report", "tables"]) == 0
    root = lxml.html.parse(str(out / "report.html")).getroot()
    chapters = {
        name: [
            " ".join(cell.text_content().split())
            for cell in root.xpath(f"//section[@id='{name}']//table//*[self::td or self::caption]")
        ]
        for name in ("differences", "variance")
    }
    # Intervals and means of all pages differ; p, r, the number of witnesses and F do not.
    tests = re.findall(r"[pr] [=<≤] \S+|\d+ pages?|r [−+]?\S+", " ".join(chapters["differences"]))
    short = root.get_element_by_id("summary").text_content()
    return capsys.readouterr().out, short, {"pairs": tests, "variance": chapters["variance"]}


@pytest.mark.slow
def test_tests_are_those_of_the_data_set_without_its_copies(folders, capsys, monkeypatch):
    once, more = (evaluated(folder, capsys) for folder in folders)
    assert "copies" not in once[0] + once[1]
    assert "6 pages are copies of others (0b of 0a, 0c of 0a, " in more[0]
    assert "6 of 15 are copies of others" in more[1]
    assert once[2]["pairs"]
    assert once[2]["variance"][1:]
    without_names = [
        {k: [x for x in v if "once" not in x and "more" not in x] for k, v in each.items()}
        for each in (once[2], more[2])
    ]
    assert without_names[0] == without_names[1]
    monkeypatch.setattr(cases, "copies_in", lambda _: {})  # planted: each copy a witness
    planted = evaluated(folders[1], capsys)
    assert "copies" not in planted[0]
    assert planted[2]["pairs"] != more[2]["pairs"]
    assert planted[2]["variance"] != more[2]["variance"]


@pytest.mark.slow
def test_python_and_bundles_count_a_page_and_its_copies_once(folders, tmp_path, monkeypatch):
    def answers(folder, name: str) -> tuple[float, str, bool]:
        found = pagelet.evaluate(pagelet.dataset(folder), ["lqf", "plain"], measures="ws", jobs=1)
        (difference,) = found.compare("lqf", "plain")
        found.bundle(tmp_path / name, with_content=False)
        shown = lxml.html.parse(str(tmp_path / name / "index.html")).getroot().text_content()
        report = lxml.html.parse(str(found.report(tmp_path / f"{name} report"))).getroot()
        said = "of others" in report.get_element_by_id("summary").text_content()
        return difference.p, " ".join(shown.split()), said

    once, more = (answers(folder, folder.name) for folder in folders)
    monkeypatch.setattr(cases, "copies_in", lambda _: {})  # planted: each copy a witness
    planted = answers(folders[1], "planted")
    assert once[0] == more[0] != planted[0]
    assert more[1] != planted[1]
    assert (once[2], more[2], planted[2]) == (False, True, False)

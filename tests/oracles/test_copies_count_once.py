"""A page that stands in a data set more than once is one witness, and is named.

The independent truth is the same data set without its copies.
"""

import re

import lxml.html
import pytest

from annotate.datasets import cases
from gui.cli.main import main

WORDS = "harbour ferry council letter mooring lantern cable tide slip crew ticket timetable".split()
GOOD, MENU = "p", "li"


def page_and_gold(number: int) -> tuple[str, str]:
    """Return a page with a menu, and its main content; each number gives others."""
    rows = [f"{WORDS[(number + k) % 12]} {WORDS[(number * k + 5) % 12]} {number}" for k in range(9)]
    menu = "".join(f"<li><a href=/{k}>{row}</a>" for k, row in enumerate(rows[: number % 7 + 1]))
    text = "".join(f"<p>{row}, and {row} again.\n" for row in rows[number % 4 :])
    return f"<title>n</title><ul>{menu}</ul>{text}", re.sub("<[^>]+>", " ", text)


@pytest.fixture
def folders(tmp_path):
    """Return a data set of nine pages, and one with six copies of two of them beside."""
    for name in ("once", "more"):
        (tmp_path / name).mkdir()
    for number in range(9):
        html, gold = page_and_gold(number)
        forms = [html, html, html.replace("\n", "\r\n\r\n"), html.replace("and", "an&#100;")]
        for copy, form in enumerate(forms if number < 2 else forms[:1]):
            for folder in ("once", "more") if copy == 0 else ("more",):
                file = tmp_path / folder / f"{number}{'abcd'[copy]}.html"
                file.write_text(form, encoding="utf-8", newline="")
                file.with_suffix(".txt").write_text(gold, encoding="utf-8")
    return tmp_path / "once", tmp_path / "more"


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

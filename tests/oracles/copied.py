"""Write a data set with and without copies of its pages."""

import re

import pytest

WORDS = "harbour ferry council letter mooring lantern cable tide slip crew ticket timetable".split()


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

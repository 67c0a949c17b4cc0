"""What to mend next: the cause that costs most words, the smallest page with it, a failing test."""

import json

from gui.cli.main import main

WORDS = "the ferry came back to the harbour this morning after nine years of repairs".split()
METHOD = '''"""Drop paragraphs in a box called aside."""

import re


def extract(html):
    """Return the text outside of boxes called aside."""
    html = re.sub(r"(?s)<aside>.*?</aside>", "", html)
    return re.sub(r"<[^>]+>", " ", html)
'''


def write_pages(folder):
    """Write three pages, of which two have content in an aside; one has most of it there."""
    folder.mkdir()
    for name, times in (("one", 3), ("two", 1), ("three", 0)):
        aside = " ".join(f"{word}{k}" for k in range(times) for word in WORDS)
        text = " ".join(f"{word}{name}" for word in WORDS)
        html = f"<title>t</title><div class=x><p>{text}</p><aside><p>{aside}</p></aside></div>"
        (folder / f"{name}.html").write_text(html, "utf-8")
        (folder / f"{name}.txt").write_text(f"{text}\n{aside}\n", "utf-8")
    return folder


def test_the_cause_of_most_words_is_shown_by_a_small_page_and_a_failing_test(tmp_path, capsys):
    data, method, out = write_pages(tmp_path / "data"), tmp_path / "no_asides.py", tmp_path / "next"
    method.write_text(METHOD, "utf-8")
    asked = ["next", str(method), str(data), "--seconds", "5", "--out", str(out), "--json"]
    assert main(asked) == 0
    answer = json.loads(capsys.readouterr().out)
    assert [each["page"] for each in answer["worst"]] == ["one", "two", "three"]
    (cause,) = answer["causes"]
    assert (cause["kind"], cause["page_count"], cause["words"]) == ("missing", 2, 4 * len(WORDS))
    page, test = (out / name for name in ("page.html", "test_next.py"))
    assert answer["files"] == [str(page), str(test)]
    assert "<aside" in page.read_text("utf-8")
    assert len(page.read_bytes()) < 200
    assert fails(test)
    method.write_text(METHOD.replace("<aside>.*?</aside>", "<nav>.*?</nav>"), "utf-8")
    assert not fails(test)


def fails(test):
    """Return whether the written test fails."""
    made: dict[str, object] = {}
    exec(compile(test.read_text("utf-8"), str(test), "exec"), made)
    try:
        next(value for name, value in made.items() if name.startswith("test_"))()
    except AssertionError:
        return True
    return False


def test_the_page_of_skills_is_short_and_names_commands_that_exist(capsys):
    from gui.cli.main import commands

    assert main(["skill"]) == 0
    text = capsys.readouterr().out
    assert len(text.encode()) < 2000
    named = {
        line.split("`pagelet ")[1].split()[0] for line in text.split("\n") if "`pagelet " in line
    }
    assert named <= {*commands()}

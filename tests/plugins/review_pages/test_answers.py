"""Answers of a review are one more annotator's work; false ones change nothing."""

import itertools
import json
import shutil
from contextlib import closing

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as some

import resources
from annotate.plugins.review_pages.answers import read_answers, take_answers
from annotate.plugins.review_pages.review_folder import PAGE_BYTES, read_key, write_review
from annotate.plugins.team_work.comments import threads
from annotate.workspace.store import Store
from annotate.workspace.workspace import Workspace
from engine.errors import InputError
from gui.cli.main import main
from tests.annotate.pages import nodes_of
from tests.outside import datasets_folder
from tests.plugins.review_pages.reviewed import (
    FERRY,
    HTML,
    SESSION,
    TIME,
    answers_file,
    page_of_anna,
    review_of_anna,
    with_check,
)

ROWS = "SELECT * FROM marks ORDER BY page, id", "SELECT * FROM changes ORDER BY page, revision"


@pytest.fixture
def anna(tmp_path):
    return review_of_anna(tmp_path)


def merged(path, text, name="answers.json"):
    file = path.with_name(name)
    file.write_text(text)
    return main(["merge", str(file), "--out", str(path)])


def golds(path):
    with Workspace.reading(path) as workspace:
        found = workspace.golds(FERRY, nodes_of(HTML))
    return {who.shown: [(m.level, m.type, m.targets) for m in gold.marks]
            for who, gold in found.items()}  # fmt: skip


def rows(path):
    """Return marks and changes, for comparison: what an annotator loses is missing here."""
    with closing(Store.reading(path)) as store:
        return [set(store.all(sql)) for sql in ROWS]


def test_answers_are_the_marks_of_one_more_annotator(anna, capsys):
    path, written, page, (title, content) = anna
    before, hers = rows(path), golds(path)["Anna"]
    log = [(title, "right", -1, ""), (content, "instead", 2, ""), (content, "comment", -1, "Here")]
    assert merged(path, answers_file(written, page, log)) == 0
    assert "marks of Ben: 1 page, 2 marks and 1 comment added" in capsys.readouterr().out
    found = golds(path)
    assert found["Anna"] == hers
    assert found["Ben"][0] == hers[0]
    assert found["Ben"][1][:2] == hers[1][:2]
    assert found["Ben"][1][2] != hers[1][2]
    assert all(old <= new for old, new in zip(before, rows(path), strict=True))
    with Workspace.reading(path) as workspace:
        ((comment,),) = threads(workspace, FERRY)
    assert (comment.owner, comment.author, comment.mark, comment.text) == (
        "Anna", "Ben", content, "Here",
    )  # fmt: skip


def test_a_later_file_goes_on_and_the_same_one_adds_nothing(anna, capsys):
    path, written, page, (title, content) = anna
    log = [(title, "right", -1, ""), (title, "comment", -1, "Good")]
    assert merged(path, answers_file(written, page, log)) == 0
    assert "has not answered for 1 mark yet" in capsys.readouterr().err
    log += [(content, "right", -1, ""), (title, "wrong", -1, "")]
    assert merged(path, answers_file(written, page, log)) == 0
    after = rows(path)
    assert [kind for _, kind, _ in golds(path)["Ben"]] == ["Content"]
    capsys.readouterr()
    for text in (answers_file(written, page, log), answers_file(written, page, log[:2])):
        assert merged(path, text) == 0
        assert "nothing new" in capsys.readouterr().out
        assert rows(path) == after


def test_comments_alone_are_the_work_of_an_annotator_too(anna, capsys):
    path, written, page, (title, _) = anna
    assert merged(path, answers_file(written, page, [(title, "comment", -1, "Why?")])) == 0
    assert "1 comment added" in capsys.readouterr().out
    with Workspace.reading(path) as workspace:
        ((comment,),) = threads(workspace, FERRY)
    assert (comment.author, comment.text) == ("Ben", "Why?")


def test_two_of_one_name_stay_two(anna):
    path, written, page, (title, _) = anna
    assert merged(path, answers_file(written, page, [(title, "right", -1, "")])) == 0
    other = answers_file(written, page, [(title, "right", -1, "")], session="f" * 32, who="Anna")
    assert merged(path, other) == 0
    assert sorted(golds(path)) == ["Anna", "Anna 2", "Ben"]


def test_answers_on_a_page_that_has_changed_are_refused(anna, capsys):
    path, written, page, (title, _) = anna
    text = answers_file(written, page, [(title, "right", -1, "")])
    with Workspace.open(path) as workspace:
        workspace.visit(FERRY, title="", digest="e" * 64, viewport=(1280, 800))
    before = path.read_bytes()
    assert merged(path, text) == 2
    assert "has changed since the review was written" in capsys.readouterr().err
    assert path.read_bytes() == before


def test_answers_without_the_key_of_their_review_say_what_to_give(anna, tmp_path, capsys):
    path, written, page, (title, _) = anna
    text = answers_file(written, page, [(title, "right", -1, "")])
    key = written.key.rename(tmp_path / "elsewhere")
    assert merged(path, text) == 2
    assert "give the file NAME.review-key" in capsys.readouterr().err
    assert key.exists()


ODD = some.one_of(
    some.none(), some.booleans(), some.integers(-3, 9), some.floats(), some.text(max_size=40),
    some.sampled_from(["right", "wrong", "instead", "comment", "0" * 32, "0" * 64, "\ud800", "\0",
                       "2026-11-28", "2026-11-28T10:00:00.000Z", "9999-12-31T23:59:59.999-23:59"]),
    some.lists(some.integers(), max_size=2), some.just({"more": None}),
)  # fmt: skip


@some.composite
def forgeries(draw, content):
    """Return an answers file with fields changed, dropped or added, cut, or with bytes flipped."""
    content = json.loads(json.dumps(content))
    for _ in range(draw(some.integers(1, 3))):
        place = draw(some.sampled_from([content, *content["log"]]))
        name = draw(some.sampled_from([*place, "more"]))
        if name == "log":
            continue
        if draw(some.booleans()):
            place[name] = draw(ODD)
        else:
            place.pop(name, None)
    is_signed = draw(some.booleans()) and {"bundle", "session", "who"} <= content.keys()
    data = json.dumps(with_check(content) if is_signed else content).encode()
    how = draw(some.sampled_from(["whole", "whole", "cut", "flipped"]))
    at = draw(some.integers(0, len(data) - 1))
    if how == "cut":
        return data[:at]
    if how == "flipped":
        return data[:at] + bytes([data[at] ^ (1 << draw(some.integers(0, 7)))]) + data[at + 1 :]
    return data


def without_what_one_types(content):
    """Return the parts of answers that are not up to the person who gives them."""
    own = ("words", "verdict", "block", "time")
    log = [[each for each in entry.items() if each[0] not in own] for entry in content["log"]]
    own = ("who", "session", "check", "log")
    return [log, *(each for each in content.items() if each[0] not in own)]


@pytest.mark.slow
@pytest.mark.parametrize("is_later", [False, True])
def test_250_forged_answers_lose_and_move_no_mark(tmp_path_factory, is_later):
    """Forge a first file of Ben's, and a later one; what is taken a browser could have written."""
    folder = tmp_path_factory.mktemp("forged")
    path, written, page, (title, content) = review_of_anna(folder)
    log = [(title, "right", -1, ""), (content, "instead", 2, ""), (title, "comment", -1, "Yes")]
    true = json.loads(answers_file(written, page, log))
    if is_later:
        assert merged(path, json.dumps(true)) == 0
    before, file = rows(path), folder / "answers.json"
    counts = {"refused": 0, "taken": 0}

    @settings(max_examples=250)
    @given(forgeries(true))
    @example(json.dumps(true).encode())
    def forge(data):
        file.write_bytes(data)
        with closing(Store.rehearsing(path)) as store:
            try:
                take_answers(store, read_answers(file, [written.key]))
                counts["taken"] += 1
                forged = json.loads(data)
                assert without_what_one_types(forged) == without_what_one_types(true)
            except InputError as error:
                counts["refused"] += "\n" not in str(error)
            after = [set(store.all(sql)) for sql in ROWS]
            assert not lost(before, after)
            assert not store.fault()

    forge()
    assert counts["refused"] > 200
    assert counts["taken"] >= 1
    assert sum(counts.values()) == 251, "each is refused with one sentence, or taken"
    assert lost(before, [before[0] - {min(before[0])}, before[1]]), "a planted loss is found"


def lost(before, after):
    return [old - new for old, new in zip(before, after, strict=True) if old - new]


def test_a_page_takes_at_most_200_kb_in_a_file_and_in_a_folder(tmp_path):
    import cv2
    import numpy as np

    noise = np.random.default_rng(1).integers(0, 255, (3000, 1000, 3), dtype=np.uint8)
    review_of_anna(tmp_path)
    _, jpeg = cv2.imencode(".jpg", noise)
    page = page_of_anna(tmp_path / "work.pagelet", picture=jpeg.tobytes())
    for out in (tmp_path / "big.html", tmp_path / "big"):
        written = write_review(out, "Noise", [page])
        files = [out] if out.is_file() else [f for f in out.rglob("*") if f.is_file()]
        assert PAGE_BYTES / 2 < sum(file.stat().st_size for file in files) <= PAGE_BYTES
        assert written.size <= PAGE_BYTES
    with pytest.raises(InputError, match="at most 50 pages"):
        write_review(tmp_path / "many.html", "Noise", [page] * 51)


def answered_in_turn(key, who):
    """Return the text of answers to each mark of a review, and the marks that they lead to.

    They are those of a browser: the marks in order, the verdicts in turn, and a comment a page.
    """
    verdicts = itertools.cycle(["right", "wrong", "instead"])
    log, wanted = [], {}
    for name, page in key.pages.items():
        held = wanted.setdefault(page["key"], {})
        for mark, record in page["marks"].items():
            verdict = next(verdicts)
            block = len(held) % len(page["blocks"]) if verdict == "instead" else -1
            log.append((name, mark, verdict, block, ""))
            if verdict != "wrong":
                where = page["blocks"][block] if verdict == "instead" else record
                held[mark] = (record["level"], record["type"], where["targets"])
        log.append((name, "", "comment", -1, f"Read by {who}"))
    entries = [dict(zip(("page", "mark", "verdict", "block", "words"), each, strict=True),
                    time=TIME) for each in log]  # fmt: skip
    content = {"format": "pagelet-answers", "version": 1, "bundle": key.digest, "who": who,
               "session": SESSION, "log": entries}  # fmt: skip
    return json.dumps(with_check(content)), wanted


def marks_of(path, name):
    """Return the marks of an annotator by the keys of his pages, and the texts of his comments."""
    of = " JOIN annotators ON annotators.id = annotator WHERE name = ?"
    with closing(Store.reading(path)) as store:
        found = {key: {} for (key,) in store.all(f"SELECT key FROM pages{of}", name)}
        joined = "SELECT key, record FROM marks JOIN pages ON pages.id = marks.page"
        for key, text in store.all(joined + of, name):
            mark = json.loads(text)
            found[key][mark["id"]] = (mark["level"], mark["type"], mark["targets"])
        return found, [text for (text,) in store.all("SELECT text FROM comments")]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("data", "count"), [("own", 2), pytest.param("kreuzer-random", 20, marks=pytest.mark.long)]
)
def test_answers_to_a_review_of_a_data_set_come_into_a_new_and_a_known_workspace(
    anna, data, count, tmp_path, capsys
):
    """Nothing is lost: each page has each mark that the answers lead to, and the comment."""
    folder = tmp_path / "pages"
    if data == "own":
        for name in ("cookie", "news"):
            shutil.copytree(resources.path("corpus") / name, folder / name)
    else:
        if not (datasets_folder() / data).is_dir():
            pytest.skip("no data sets: set PAGELET_DATA")
        pages = sorted(each for each in (datasets_folder() / data).iterdir() if each.is_dir())
        for page in pages[: count + 1]:  # one of them is not in the mapping
            shutil.copytree(page, folder / page.name)
        shutil.copy(datasets_folder() / data / "mapping.txt", folder)
    words = ["--method", "terrain"] if data == "own" else []
    out = tmp_path / "data.html"
    assert main(["bundle", str(folder), "--review", *words, "--out", str(out), "--jobs", "2"]) == 0
    key = read_key(tmp_path / "data.review-key")
    assert len(key.pages) == count
    text, wanted = answered_in_turn(key, "Ben")
    assert sum(map(len, wanted.values())) > count
    known = anna[0]
    before = rows(known)
    for path in (tmp_path / "new.pagelet", known):
        capsys.readouterr()
        assert merged(path, text) == 0
        printed = capsys.readouterr()
        assert f"{count} pages of the review added that {path.name} did not have" in printed.err
        assert f"marks of Ben: {count} pages" in printed.out
        assert marks_of(path, "Ben") == (wanted, ["Read by Ben"] * count)
        after = rows(path)
        assert merged(path, text) == 0
        assert "nothing new" in capsys.readouterr().out
        assert rows(path) == after
    assert not lost(before, rows(known))


@pytest.mark.slow
def test_a_page_named_by_a_relative_path_has_the_key_of_workspaces(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name in ("cookie", "news"):
        shutil.copytree(resources.path("corpus") / name, tmp_path / "pages" / name)
    words = ["bundle", "pages", "--review", "--method", "plain", "--out"]
    assert main([*words, "review", "--jobs", "2"]) == 0
    out = capsys.readouterr().out
    assert "Inside: 2 pages with their addresses" in out
    key = read_key(tmp_path / "review.review-key")
    assert [page["key"] for page in key.pages.values()] == [
        str(tmp_path / "pages" / name / "index.html") for name in ("cookie", "news")
    ]
    assert (tmp_path / "review" / "pages" / "2.jpg").is_file()
    assert main([*words, "review", "--resume"]) == 2
    assert "leave it out" in capsys.readouterr().err
    assert main(["bundle", "pages", "--review", "--method", "terain", "--out", "review"]) == 2
    assert capsys.readouterr().err.count("did you mean terrain?") == 1

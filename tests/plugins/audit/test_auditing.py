"""Auditor: findings that contradict gold are listed with reasons, the strongest first."""

import csv
import json
import re
from dataclasses import replace

import numpy as np
import pytest

from algorithms.plugins.audit.audit import Contradiction, evidence, findings
from annotate.evaluation.run.triage import pages_of
from annotate.plugins.audit.auditing import (
    AuditedPart,
    GoldTexts,
    gold_texts,
    list_parts,
    order_parts,
    read_page,
    with_crowd,
)
from annotate.workspace.workspace import page_key
from engine.source import Source
from engine.web.worker_browser import LateBrowser
from gui.cli.main import main
from tests.gui.annotated import gold_of, mark_as
from tests.hand import Hand

SENTENCES = [
    f"On day {n} the council said that the old bridge over the river would be closed for repairs "
    f"until the spring, and that report number {n} would say who pays."
    for n in range(12)
]
ARTICLE = "".join(f"<p class=text>{sentence}</p>" for sentence in SENTENCES)
MENU = "".join(f"<li class=entry><a href=/{n}>Section {n}</a></li>" for n in range(40))
PAGE = (
    f"<title>Bridge</title><nav><ul>{MENU}</ul></nav><article>{ARTICLE}"
    "</article><footer><p>All rights reserved by the paper.</p></footer>"
)
GOLD = "\n".join(SENTENCES)


def _found(gold):
    source = Source.from_text(PAGE)
    return [(each.text, each.finding) for each in read_page("", "", GoldTexts(source, gold)).parts]


def test_correct_gold_has_no_findings():
    assert _found(GOLD) == []


def test_a_missing_paragraph_is_found_with_its_reasons():
    ((text, part),) = _found(GOLD.replace(SENTENCES[5], ""))
    assert text == SENTENCES[5]
    assert not part.is_marked
    assert part.suspicion > 0.8
    reasons = "; ".join(part.reasons)
    assert "gleaner expects" in reasons
    assert re.search("of 11 others of its kind on the page (99|100)% are marked", reasons)
    assert "what stands around it is marked" in reasons


def test_a_marked_entry_of_the_menu_is_found():
    ((text, part),) = _found(f"Section 7\nSection 8\nSection 9\n{GOLD}")
    assert "Section 8" in text
    assert part.is_marked
    assert "are marked" in "; ".join(part.reasons)


def _said(gold, page=PAGE, **others):
    """Return the findings on the gold of a page, given other pages by name."""
    pages = {"": (page, gold), **others}
    read = [
        read_page("", name, GoldTexts(Source.from_text(html), text))
        for name, (html, text) in pages.items()
    ]
    return [(each.says, each) for each in list_parts(read) if each.page == ""]


STORY = " ".join(
    f"The ferry {k} left harbour number {k} for the islands at dawn." for k in range(9)
)
OTHER = (f"<title>Ferry</title><article><h1>Ferries</h1><p>{STORY}</p></article>", STORY)
LISTED = "".join(
    f"<li class=step>Take part number {n} and tighten screw {n + 1}</li>" for n in range(8)
)
STEPS = " ".join(f"Take part number {n} and tighten screw {n + 1}" for n in range(8))
WITH_LIST = PAGE.replace(
    f"<p class=text>{SENTENCES[6]}", f"<ul class=steps>{LISTED}</ul><p class=text>{SENTENCES[6]}"
)
GOLD_WITH_LIST = GOLD.replace(SENTENCES[6], f"{STEPS}\n{SENTENCES[6]}")


def test_gold_of_another_page_is_the_only_finding_and_names_that_page():
    ((says, part),) = _said(STORY, ferry=OTHER)
    assert says == "gold of another page"
    assert part.finding.reasons[-1] == "it stands on ferry"
    assert (part.span, part.element) == (None, "")
    ((says, _),) = _said(STORY)
    assert says == "not on the page", "no page of the data set has it"


def test_a_passage_of_another_page_is_listed_with_the_name_of_that_page():
    ((says, part),) = _said(f"{GOLD}\n{STORY}", ferry=OTHER)
    assert (says, part.finding.reasons[-1]) == ("a passage of another page", "it stands on ferry")
    assert part.text.startswith("The ferry 0 left")


def test_words_that_are_on_no_page_are_listed():
    ((says, part),) = _said(
        f"{GOLD}\nNobody ever wrote such purple words about elephants", ferry=OTHER
    )
    assert (says, part.finding.words) == ("not on the page", 8)


def test_text_that_only_the_rendered_page_shows_counts_as_on_the_page():
    source, more = Source.from_text(PAGE), "A script has written these nine words on it"
    for shown, expected in (("", ["not on the page"]), (more, [])):
        page = read_page("", "", GoldTexts(source, f"{GOLD}\n{more}", shown=shown))
        assert [each.says for each in page.parts] == expected


@pytest.mark.parametrize("cut", [slice(7), slice(3, None)], ids=["tail", "head"])
def test_the_missing_end_or_beginning_of_gold_is_listed(cut):
    (_, part), *_ = _said("\n".join(SENTENCES[cut]))
    assert part.says == "probably missing"
    assert (SENTENCES[8] if cut.stop else SENTENCES[1]) in part.text


@pytest.mark.parametrize("half", ["first", "last", "both"])
def test_a_partly_marked_paragraph_is_listed_with_the_words_in_gold(half):
    whole = (
        "Engineers who climbed below its arches last week found cracks in three pillars, and "
        "asked for steel cables that hold the middle one until masons arrive from the valley."
    )
    page, words = PAGE.replace(SENTENCES[4], whole), whole.split()
    kept = {"first": words[:16], "last": words[-16:], "both": words[:9] + words[-9:]}[half]
    ((says, part),) = _said(GOLD.replace(SENTENCES[4], " ".join(kept)), page)
    assert says == "only in part in gold"
    had = f"all but {len(words) - 18} amid" if half == "both" else f"the {half} 16"
    assert part.finding.reasons == (f"gold has {had} of {len(words)} words of it",)
    first, last = part.span
    assert page[first:last] == whole


def test_a_missing_list_is_found_though_its_entries_confirm_each_other():
    assert _said(GOLD_WITH_LIST, WITH_LIST) == []
    ((says, part),) = _said(GOLD, WITH_LIST)
    assert says == "probably missing"
    assert part.finding.words > 40


def _of_a_list(entry_chance, entries=4, after=5, entry_kinds=(1,)):
    """Return findings of a page whose gold leaves out a list amid paragraphs."""
    kinds = np.array([0] * 5 + [*entry_kinds] * (entries // len(entry_kinds)) + [0] * after)
    is_entry = kinds > 0
    gold, chance = np.where(is_entry, 0.0, 1.0), np.where(is_entry, entry_chance, 0.95)
    known = evidence(gold, chance, chance, kinds)
    return findings(gold, known, np.where(is_entry, 4, 40))


def test_a_missing_short_list_is_more_suspicious_amid_marked_text():
    (unsure,) = _of_a_list(0.65)
    assert (unsure.first, unsure.last, unsure.words) == (5, 9, 16)
    assert unsure.suspicion > 0.85
    (at_the_end,) = _of_a_list(0.65, after=0)
    assert 0.65 < at_the_end.suspicion < 0.8


def test_a_missing_list_is_named_and_ranks_first_among_equally_suspicious_parts():
    (whole,) = _of_a_list(0.9)
    assert whole.is_list
    assert whole.reasons[-1] == "it is a list, and what stands around it is marked"
    for other in (*_of_a_list(0.9, entries=3), *_of_a_list(0.9, entry_kinds=(1, 2, 3, 4))):
        assert not other.is_list
    weights = [
        AuditedPart("", "", replace(whole, is_list=is_list), (0, 1), "").weight
        for is_list in (True, False)
    ]
    assert weights[0] > weights[1]


def test_a_marked_menu_is_found_though_its_entries_confirm_each_other():
    menu = " ".join(f"Section {n}" for n in range(40))
    (_, part), *_ = _said(f"{menu}\n{GOLD}")
    assert part.says == "probably too much"
    assert part.finding.words > 40


def test_a_paragraph_that_gold_has_twice_is_listed():
    ((says, part),) = _said(f"{GOLD}\n{SENTENCES[3]}")
    assert says == "twice in gold"
    assert "report number 3 would say who pays" in part.text


def test_empty_gold_is_listed_only_where_content_is_expected():
    ((says, part),) = _said("")
    assert says == "gold is empty"
    assert part.finding.words > 200
    assert _said("", "<title>App</title><div id=root></div>") == []


@pytest.mark.parametrize("wrong", ["cafÃ© cannot pay â€œnowâ€\x9d", "caf\ufffd\ufffd cannot pay"])
def test_characters_that_were_decoded_wrongly_are_listed(wrong):
    page = PAGE.replace(SENTENCES[2], "The old café cannot pay “now” for it, says everybody there.")
    ((_, part),) = [
        each
        for each in _said(
            GOLD.replace(SENTENCES[2], f"The old {wrong} for it, says everybody there."), page
        )
        if each[0] == "damaged words"
    ]
    assert "broken character" in part.finding.reasons[0]


def test_findings_of_one_page_do_not_outrank_all_of_another():
    crowded, alone = ("many", 0.9), ("one", 0.7)
    parts = [
        AuditedPart("", page, Contradiction(k, k + 1, True, suspicion, 50, ()), (k, k + 1), "")
        for page, suspicion, count in ((*crowded, 30), (*alone, 1))
        for k in range(count)
    ]
    pages = [each.page for each in order_parts(parts)]
    assert pages[0] == "many"
    assert pages.index("one") < 20


def test_the_command_names_the_page_that_gold_belongs_to(package, tmp_path, capsys):
    (package / "ferry.html").write_text(OTHER[0])
    (package / "ferry.txt").write_text(STORY)
    (package / "ferry.json").write_text(json.dumps({"url": "http://ferry.example/"}))
    (package / "good.txt").write_text(STORY)
    assert main(["audit", str(package), "--out", str(tmp_path / "suspects.csv")]) == 0
    assert "gold of another page" in capsys.readouterr().out
    first, *_ = csv.DictReader((tmp_path / "suspects.csv").read_text().splitlines())
    assert (first["page"], first["finding"]) == ("good.html", "gold of another page")
    assert first["reason"].endswith("it stands on ferry.html")
    assert (first["start"], first["end"]) == ("", "")


def test_a_copy_of_a_marked_paragraph_elsewhere_is_not_listed():
    once_more = f"<li class=entry>{SENTENCES[3]}</li>"
    source = Source.from_text(PAGE.replace(MENU, f"{MENU}{once_more}{MENU}"))
    page = read_page("", "", GoldTexts(source, GOLD))
    twice = [k for k, text in enumerate(page.texts) if text == SENTENCES[3]]
    assert page.elsewhere[twice].tolist() == [True, False]
    assert abs(page.gold - page.evidence.expected)[twice[0]] > 0.5, "it would be listed"
    assert page.parts == []


def test_the_evidence_on_a_block_ignores_its_own_gold():
    gold, chance, kinds = np.array([1.0, 0, 1]), np.full(3, 0.5), np.zeros(3, dtype=np.int64)
    other = np.array([1.0, 1, 1])
    one, two = (evidence(each, chance, chance, kinds).matrix[1] for each in (gold, other))
    assert one.tolist() == two.tolist()


def test_a_page_of_one_block_or_none_is_read():
    none = np.zeros(0)
    assert findings(none, evidence(none, none, none, np.zeros(0, np.int64)), np.zeros(0)) == ()
    one = evidence(np.ones(1), np.full(1, 0.001), np.zeros(1), np.zeros(1, np.int64))
    ((first, last),) = [(f.first, f.last) for f in findings(np.ones(1), one, np.array([5]))]
    assert (first, last) == (0, 1)


@pytest.fixture
def package(tmp_path):
    folder = tmp_path / "news"
    folder.mkdir()
    (folder / "package.json").write_text("{}")
    for name, gold in (("good", GOLD), ("short", GOLD.replace(SENTENCES[5], ""))):
        (folder / f"{name}.html").write_text(PAGE)
        (folder / f"{name}.txt").write_text(gold)
        (folder / f"{name}.json").write_text(json.dumps({"url": f"http://{name}.example/"}))
    return folder


def test_the_command_lists_parts_and_writes_their_positions(package, tmp_path, capsys):
    assert main(["audit", str(package), "--out", str(tmp_path / "suspects.csv")]) == 0
    printed = capsys.readouterr()
    assert "Check these first, of 1 part of 2 pages" in printed.out
    assert "gleaner has seen the gold of WCXB" in printed.err
    (row,) = csv.DictReader((tmp_path / "suspects.csv").read_text().splitlines())
    assert (row["page"], row["finding"]) == ("short.html", "probably missing")
    assert PAGE[int(row["start"]) : int(row["end"])] == SENTENCES[5] == row["text"]


def test_the_command_refuses_pages_without_gold(tmp_path, capsys):
    (tmp_path / "page.html").write_text(PAGE)
    assert main(["audit", str(tmp_path)]) == 2
    assert capsys.readouterr().err == "pagelet: none of these pages has gold text\n"


@pytest.mark.slow
def test_folds_predict_each_page_by_trees_not_trained_on_it(tmp_path, capsys):
    folder = tmp_path / "news"
    folder.mkdir()
    (folder / "package.json").write_text("{}")
    for number in range(12):
        name = f"page{number}"
        (folder / f"{name}.html").write_text(PAGE.replace("council", f"council {number}"))
        gold = GOLD.replace("council", f"council {number}")
        if number == 3:
            gold = gold.replace(SENTENCES[5].replace("council", "council 3"), "")
        (folder / f"{name}.txt").write_text(gold)
        (folder / f"{name}.json").write_text(json.dumps({"url": f"http://{name}.example/"}))
    assert main(["audit", str(folder), "--folds", "3", "--json"]) == 0
    printed = capsys.readouterr()
    first = json.loads(printed.out)[0]
    assert (first["page"], first["finding"]) == ("page3.html", "probably missing")
    assert "trees without fold 3 of 3" in printed.err
    assert "gleaner has seen" not in printed.err


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["--folds", "1"], "--folds must be at least 2, got 1"),
        (["--folds", "2"], "--folds needs at least 10 pages with text and gold"),
        (["--folds", "2", "--model", "m.npz"], "--folds and --model exclude each other"),
        (["--threads", "0"], "--threads must be at least 1, got 0"),
    ],
)
def test_invalid_training_options_are_refused_with_a_sentence(package, options, problem, capsys):
    assert main(["audit", str(package), *options]) == 2
    error = capsys.readouterr().err
    assert problem in error
    assert "Traceback" not in error


def test_other_annotators_are_weighted_by_their_trust():
    doubtful = "<p class=other>A word of thanks to all readers who wrote to us about it.</p>"
    source = Source.from_text(PAGE.replace("</article>", f"{doubtful}</article>"))
    thanks = "A word of thanks to all readers who wrote to us about it."
    gold, without = f"{GOLD}\n{thanks}", GOLD
    careless = "\n".join(SENTENCES[:4])

    def parts(**others):
        page = read_page("", "", GoldTexts(source, gold, others))
        return {each.text: each.finding for each in with_crowd([page])[0].parts}

    assert thanks not in parts(Ann=gold, Ben=gold)
    (finding,) = parts(Ann=without, Ben=without, Cy=careless).values()
    assert finding.is_marked
    assert "3 of 3 other annotators leave it out" in finding.reasons
    assert SENTENCES[9] not in parts(Ann=gold, Ben=gold, Cy=careless), "Cy is not trusted"


@pytest.mark.web
def test_gold_texts_of_a_workspace_include_those_of_other_annotators(tmp_path, window, qtbot):
    hand = Hand(window.workbench, qtbot, tmp_path)
    hand.open(PAGE, "bridge.html")
    paragraphs = [f"p:nth-of-type({n})" for n in range(1, 13)]
    for name in ("Ann", "Ben"):
        mark_as(window, name, gold_of(hand, [], [f"article {each}" for each in paragraphs]))
    own = gold_of(hand, [], [f"article {each}" for each in paragraphs[:11]])
    page, key = window.session.open.page, page_key(window.session.open.document)
    window.workbench.workspace.save_gold(key, own, page.rendered(), "mark")
    (files,) = pages_of(str(window.workbench.workspace.path)).pages[0][1].values()
    with LateBrowser() as browser:
        gold = gold_texts(files, browser)
    assert set(gold.others) == {"Ann", "Ben"}
    assert SENTENCES[11] in gold.others["Ann"]
    assert SENTENCES[11] not in gold.text

"""Test ``pagelet agreement`` against recomputed figures, on marks imported as Web Annotations."""

import json
from random import Random

import pytest

from tests.truth import own_agreement
from tests.truth.compared import Comparison
from tests.truth.conftest import command

TEXTS = [
    "the ferry came back after nine long years away here",
    "nobody on the quay had heard an engine all morning",
    "का की कु और के को कं",
]
PAGE = "<!doctype html><meta charset=utf-8><title>t</title>" + "".join(f"<p>{t}</p>" for t in TEXTS)


def annotation(paragraph: int, first: int, last: int) -> dict:
    """Main content from one character of a paragraph to before another."""
    path = f"/html[1]/body[1]/p[{paragraph + 1}]/text()[1]"

    def offset(at):
        refined = {"type": "TextPositionSelector", "start": at, "end": at}
        return {"type": "XPathSelector", "value": path, "refinedBy": refined}

    selectors = [
        {"type": "XPathSelector", "value": path},
        {"type": "TextQuoteSelector", "exact": TEXTS[paragraph][first:last]},
        {"type": "RangeSelector", "startSelector": offset(first), "endSelector": offset(last)},
    ]
    return {
        "@context": "http://www.w3.org/ns/anno.jsonld",
        "type": "Annotation",
        "id": f"urn:test:{paragraph}-{first}-{last}",
        "body": [{"type": "TextualBody", "purpose": "tagging", "value": "level:main"}],
        "target": {"source": "page.html", "selector": selectors},
    }


def agree(folder, *annotators) -> dict:
    """What `agreement` says of a page; each marked ranges of it: (paragraph, first, last)."""
    pages = folder / "pages"
    pages.mkdir()
    (pages / "page.html").write_text(PAGE, encoding="utf-8")
    workspaces = []
    for number, ranges in enumerate(annotators):
        marks = folder / f"{number}.json"
        marks.write_text(json.dumps([annotation(*each) for each in ranges]), encoding="utf-8")
        workspaces.append(folder / f"annotator{number}.pagelet")
        command(
            "import", marks, "--format", "webannotation", "--onto", pages,
            "--workspace", workspaces[-1],
        )  # fmt: skip
    (result,) = json.loads(command("agreement", *workspaces, "--json"))
    return result


def ratings(*annotators) -> list[list[int]]:
    """For each character that is no white space whether each annotator marked it."""
    return [
        [
            int(any(paragraph == p and first <= at < last for p, first, last in ranges))
            for ranges in annotators
        ]
        for paragraph, text in enumerate(TEXTS)
        for at, character in enumerate(text)
        if not character.isspace()
    ]


def compare(said: dict, rated: list[list[int]]) -> Comparison:
    compared = Comparison()
    of_two = ("cohen",) if len(rated[0]) == 2 else ()
    for name in (*of_two, "fleiss", "alpha"):
        own = getattr(own_agreement, name)(rated)
        compared.note((name,), said["main"]["chars"][name], own)
    return compared


@pytest.mark.slow
def test_annotators_of_disjoint_halves_have_negative_agreement(tmp_path):
    halves = [(0, 0, 19)], [(0, 19, 51)]
    data = agree(tmp_path, *halves)
    assert data["main"]["chars"]["cohen"] < 0
    compared = compare(data, ratings(*halves))
    assert (compared.figures, compared.different) == (3, [])
    assert len(compare(data, ratings([(0, 0, 18)], halves[1])).different) == 3


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_agreement_on_parts_of_texts_equals_the_recomputed_one(tmp_path, seed):
    random = Random(seed)
    chosen = []
    for _ in range(1 + seed):
        ranges = []
        for paragraph, text in enumerate(TEXTS):
            starts = [at for at in range(len(text)) if text[at - 1 : at] in ("", " ")]
            ends = [at for at in range(1, len(text) + 1) if text[at : at + 1] in ("", " ")]
            first = random.choice(starts)
            last = random.choice([at for at in ends if at > first])
            ranges.append((paragraph, first, last))
        chosen.append(ranges)
    compared = compare(agree(tmp_path, *chosen), ratings(*chosen))
    assert compared.figures >= 2
    assert compared.different == []


def test_figures_of_blocks_are_empty_without_marked_blocks(tmp_path):
    data = agree(tmp_path, [(0, 0, 51)], [(0, 0, 51)])
    assert data["main"]["chars"] == {"cohen": 1.0, "fleiss": 1.0, "alpha": 1.0, "ac1": 1.0}
    figures = [data["b3_f1"], data["b3_max"], *data["blocks"].values()]
    assert {value for each in figures for value in each.values()} == {None}
    dials = [value for row in data["dial"] for name, value in row.items() if name != "share"]
    assert dials
    assert set(dials) == {None}

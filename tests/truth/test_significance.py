"""Test intervals and significance tests of the report, recomputed from scores.csv."""

import re
from collections.abc import Sequence
from itertools import combinations

import pytest
from lxml import html

from tests.truth import own_statistics
from tests.truth.compared import Comparison

KEYS = {
    "WS": "ws", "CS": "cs", "BoW": "bow", "SoW": "sow", "fuzzy": "fuzzy", "exact": "exact",
    "B³ pixels": "b3-pixels",
}  # fmt: skip
NUMBER = re.compile(r"[+−]?[0-9]*\.[0-9]+")


def numbers(text: str) -> list[float]:
    return [float(each.replace("−", "-")) for each in NUMBER.findall(text)]


def as_printed(value: float) -> float:
    return round(value, 3)


@pytest.fixture(scope="module")
def report(evaluated):
    return html.parse(evaluated.folder / "report.html")


@pytest.fixture(scope="module")
def bootstrap(report) -> tuple[int, int]:
    """Resamples and seed, as the report says them."""
    (text, *_) = report.xpath("//th[starts-with(., '95')]/@title")
    result = re.search(r"percentile bootstrap, ([0-9,]+) resamples .*default_rng\(([0-9]+)\)", text)
    resamples, seed = result[1].replace(",", ""), result[2]
    (help_text,) = report.xpath("//dl[@class='help']/dt[.='Interval']/following-sibling::dd[1]")
    assert f"default_rng({seed})" in help_text.text_content()
    return int(resamples), int(seed)


def tables(report, pattern: str):
    """Measure and table of each caption that fits."""
    for table in report.xpath("//table[caption]"):
        caption = " ".join(table.xpath("string(caption)").split())
        result = re.fullmatch(pattern, caption)
        if result and result[1] in KEYS:
            yield KEYS[result[1]], table


def scores(evaluated, method: str, measure: str, others: Sequence[str] = ()) -> list[float]:
    """Of the pages in the order of the table, one row being the best of its other methods."""
    if method == "best method per page":
        every = [scores(evaluated, each, measure) for each in others]
        return [max(of_page) for of_page in zip(*every, strict=True)]
    rows = (r for r in evaluated.rows if (r["method"], r["measure"]) == (method, measure))
    return [float(row["value"]) for row in rows]


def cells(line) -> list:
    return [each for each in line if each.tag in ("td", "th")]


def test_intervals_of_means_equal_the_recomputed_bootstrap(report, evaluated, bootstrap):
    compared = Comparison()
    for measure, table in tables(report, r"(.+?) ?\?, corpus, \w+, 15 pages"):
        heads, *lines = [cells(line) for line in table.iter("tr")]
        if "95 % interval" not in [head.text_content() for head in heads]:
            continue
        read = [[each.text_content() for each in line] for line in lines]
        methods = {row["method"] for row in evaluated.rows} & {method for method, *_ in read}
        for method, mean, between, *_ in read:
            values = scores(evaluated, method, measure, sorted(methods))
            low, high = own_statistics.interval(values, *bootstrap)
            own = sum(values) / len(values), low, high
            text = numbers(mean) + numbers(between)
            names = ("mean", "low", "high") if method in methods else ("mean",)  # as it is there
            assert len(text) == len(names)
            for name, mine, theirs in zip(names, own, text, strict=False):
                compared.note((measure, method, name), theirs, as_printed(mine))
    # of the main measures: three extractors and the best of each page, two segmenters
    assert compared.figures == 3 * (3 + 2) + 1
    assert compared.different == []


def test_p_values_of_pairs_are_those_of_wilcoxon_corrected_by_holm(report, evaluated, bootstrap):
    compared = Comparison()
    for measure, table in tables(report, r"Differences in (.+), corpus, \w+, 15 pages"):
        lines = [cells(line) for line in table.iter("tr")][1:]
        methods = [line[0].text_content() for line in lines]
        pairs = list(combinations(range(len(methods)), 2))
        values = [scores(evaluated, method, measure) for method in methods]
        differences = [
            [a - b for a, b in zip(values[one], values[other], strict=True)] for one, other in pairs
        ]
        tested = [own_statistics.signed_rank(each) for each in differences]
        corrected = own_statistics.holm([p for p, _ in tested])
        for (one, other), each, (p, effect), p_holm in zip(
            pairs, differences, tested, corrected, strict=True
        ):
            cell, below = lines[one][other + 1], lines[other][one + 1]
            mean, (low, high), (stated_holm,) = (numbers(part.text_content()) for part in cell)
            (stated_p,) = numbers(cell.get("title"))
            own = [sum(each) / len(each), *own_statistics.interval(each, *bootstrap), p, p_holm]
            text = [*mean, low, high, stated_p, stated_holm]
            for name, mine, theirs in zip("mean low high p holm".split(), own, text, strict=True):
                compared.note(
                    (measure, methods[one], methods[other], name), theirs, as_printed(mine)
                )
            compared.note((measure, "r"), numbers(below.text_content())[0], round(-effect, 2))
    assert compared.figures >= 4 * 3 * 6 + 3 * 6
    assert compared.different == []

"""Agreement beyond chance, written again from Cohen 1960, Fleiss 1971 and Krippendorff 2004.

Ratings are a list an atom, of one category for each annotator; every atom counts once.
"""

from collections import Counter
from itertools import permutations


def _beyond(observed: float, by_chance: float) -> float:
    return 1.0 if by_chance == 1 else (observed - by_chance) / (1 - by_chance)


def cohen(ratings: list[list[int]]) -> float:
    n = len(ratings)
    first, second = (Counter(each[side] for each in ratings) for side in (0, 1))
    observed = sum(one == other for one, other in ratings) / n
    return _beyond(observed, sum(first[key] / n * second[key] / n for key in first))


def fleiss(ratings: list[list[int]]) -> float:
    n, raters = len(ratings), len(ratings[0])
    shares = Counter(each for atom in ratings for each in atom)
    observed = sum(
        sum(one == other for one, other in permutations(atom, 2)) / (raters * (raters - 1))
        for atom in ratings
    )
    return _beyond(observed / n, sum((count / (n * raters)) ** 2 for count in shares.values()))


def alpha(ratings: list[list[int]]) -> float:
    """By the coincidence matrix of nominal data."""
    coincidences: Counter = Counter()
    for atom in ratings:
        for pair in permutations(atom, 2):
            coincidences[pair] += 1 / (len(atom) - 1)
    totals: Counter = Counter()
    for (category, _), count in coincidences.items():
        totals[category] += count
    n = totals.total()
    observed = sum(count for (one, other), count in coincidences.items() if one != other) / n
    expected = sum(
        totals[one] * totals[other] for one, other in permutations(totals, 2)
    ) / (n * (n - 1))  # fmt: skip
    return 1.0 if not expected else 1 - observed / expected

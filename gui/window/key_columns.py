"""Headings with their lines in columns, evenly filled."""


def split(weights: list[int], parts: int) -> list[list[int]]:
    """Return consecutive groups of places, at most ``parts``, whose heaviest is lightest."""
    best = max(weights)
    while True:
        groups: list[list[int]] = [[]]
        load = 0
        for index, weight in enumerate(weights):
            if load + weight > best and groups[-1]:
                groups.append([])
                load = 0
            groups[-1].append(index)
            load += weight
        if len(groups) <= parts:
            return groups
        best += 1

"""Candidates for records: like siblings, and those of like places of the page together.

*Like siblings* are children of one element with the same tag whose subtrees share tag paths, or
with the same classes; or runs of two or three siblings, as in lists of ``dt`` and ``dd``, if tags
alternate through all children.  A *family* is all like siblings at one tag path that are alike:
the items of several columns, or the cells of all rows.  What is a record in one place is one in
all, so families are judged and not siblings.
"""

from dataclasses import dataclass

from algorithms.plugins.records.elements import Elements, RecordSet

LEVELS = 4
"""Tag paths below an element are as long as this."""

LIKE_SIBLINGS, LIKE_PLACES = 0.3, 0.4
"""The least share of tag paths in common of siblings, and of records in other places."""

MOST_IN_RUN = 3
"""The longest run of siblings that is one record."""

Paths = frozenset[int]


@dataclass(frozen=True)
class Siblings:
    """Records next to each other.

    Attributes:
        parent: The row they are children of.
        records: One or more.
    """

    parent: int
    records: RecordSet

    @property
    def is_runs(self) -> bool:
        return len(self.records[0]) > 1


Family = list[Siblings]


def tag_paths_below(page: Elements) -> list[Paths]:
    """Return the distinct tag paths from each element down, as numbers; n sets."""
    known: dict[tuple[str, int], int] = {}
    by_length: list[list[set[int]]] = [[] for _ in range(len(page))]
    for row in range(len(page) - 1, -1, -1):
        name, below = page.tags[row], [by_length[child] for child in page.children[row]]
        paths = [{known.setdefault((name, -1), len(known))}]
        for length in range(LEVELS - 1):
            ends = {path for each in below for path in each[length]}
            paths.append({known.setdefault((name, end), len(known)) for end in ends})
        by_length[row] = paths
    return [frozenset().union(*paths) for paths in by_length]


def likeness(one: Paths, other: Paths) -> float:
    """Return the share of tag paths that two elements have in common; from 0 to 1."""
    return len(one & other) / len(one | other)


def siblings_of(page: Elements, paths: list[Paths]) -> list[Siblings]:
    """Return like siblings with a text, one alone too, of the whole page."""
    result: list[Siblings] = []
    stack = [0]
    while stack:
        # Wrappers of one element are no level of their own: the inmost one's children count.
        row = stack.pop()
        children = [child for child in page.children[row] if page.leaves(child)]
        while len(children) == 1 and not page.own[row]:
            row = children[0]
            children = [child for child in page.children[row] if page.leaves(child)]
        stack += children
        groups: list[list[int]] = []
        for child in children:
            scores = [_sibling_score(page, paths, child, group) for group in groups]
            best = max(scores, default=0.0)
            if best > LIKE_SIBLINGS:
                groups[scores.index(best)].append(child)
            else:
                groups.append([child])
        result += [Siblings(row, [(each,) for each in group]) for group in groups]
        names = [page.tags[child] for child in children]
        for size in range(2, MOST_IN_RUN + 1):
            count, rest = divmod(len(children), size)
            is_run = len(set(names[:size])) == size and count > 1 and not rest
            if is_run and names == names[:size] * count:
                runs = [tuple(children[at : at + size]) for at in range(0, len(children), size)]
                result.append(Siblings(row, runs))
    return result


def _sibling_score(page: Elements, paths: list[Paths], row: int, group: list[int]) -> float:
    first, last = group[0], group[-1]
    if page.tags[row] != page.tags[first]:
        return 0.0
    if (classes := page.classes(row)) and classes == page.classes(last):
        return 0.9 if paths[row] != paths[last] else 1.0
    return max(likeness(paths[row], paths[first]), likeness(paths[row], paths[last]))


def families_of(page: Elements, paths: list[Paths]) -> list[Family]:
    """Return the families of a page; one has two records next to each other somewhere."""
    place: list[int] = []
    known: dict[tuple[int, str], int] = {}
    for up, name in zip(page.parent, page.tags, strict=True):
        place.append(known.setdefault((place[up] if up >= 0 else -1, name), len(known)))
    at: dict[tuple[int, int, str], list[Family]] = {}
    for siblings in siblings_of(page, paths):
        head = siblings.records[0][0]
        key = place[siblings.parent], len(siblings.records[0]), page.tags[head]
        families = at.setdefault(key, [])
        for family in families:
            other = family[0].records[0][0]
            has_classes = page.classes(head) and page.classes(head) == page.classes(other)
            if has_classes or likeness(paths[head], paths[other]) >= LIKE_PLACES:
                family.append(siblings)
                break
        else:
            families.append([siblings])
    return [
        family
        for families in at.values()
        for family in families
        if any(len(siblings.records) > 1 for siblings in family)
    ]

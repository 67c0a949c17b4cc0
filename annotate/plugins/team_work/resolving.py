"""What a reviewer takes of a difference: his gold with a version, or a decision without a mark."""

from collections.abc import Collection, Iterable, Sequence

from algorithms.levels import LEVELS
from annotate.marks.gold import MAIN, Gold, Mark
from annotate.plugins.team_work.review import Disagreement, Version
from annotate.plugins.team_work.reviewed_marks import (
    ALIKE,
    Held,
    PageMarks,
    covered_texts,
    is_taken_over,
    targets_of,
    text_marks,
)
from annotate.workspace.workspace import Workspace
from engine.nodes import NodeTable


def find_taken(difference: Disagreement, gold: Gold) -> tuple[Version, ...]:
    """Return which versions are in a gold, mark by mark."""
    return tuple(
        version
        for version in difference.versions
        if version.marks and all(gold.find(mark.id) for mark in version.marks)
    )


def text_taken(
    differences: Iterable[Disagreement], gold: Gold, nodes: NodeTable
) -> dict[str, Version]:
    """Return whose main content a gold has, by item, however it was cut into marks."""
    covered = covered_texts(nodes, gold.sure)
    result: dict[str, Version] = {}
    for difference in differences:
        if difference.level != MAIN:
            continue
        there = [covered.get(row, ()) for row in difference.rows]
        for version in difference.versions:
            theirs = covered_texts(nodes, Gold(version.marks))
            if any(there) and there == [theirs.get(row, ()) for row in difference.rows]:
                result[difference.item] = version
    return result


def marked_again(
    differences: Sequence[Disagreement], gold: Gold, nodes: NodeTable, theirs: Collection[str]
) -> frozenset[str]:
    """Return the items of differences that a gold replaces by a new mark at their position.

    A block belongs to the most similar difference of its level, if they are similar enough
    (`ALIKE`): differences around or inside it stay open.  Blocks that belong to none replace one
    that they are parts of and half of which they make up.  Of main content any text in common
    counts.

    Args:
        differences: All differences of the page.
        gold: The reviewer's.
        nodes: Of the page.
        theirs: Ids of the marks that are not of his own making, wherever they were taken over.
    """
    on_page = PageMarks(nodes)
    own = [mark for mark in gold.sure.marks
           if mark.targets and mark.id not in theirs and not is_taken_over(mark)]  # fmt: skip
    main = covered_texts(nodes, Gold(tuple(mark for mark in own if mark.level == MAIN)))
    result = {
        each.item
        for each in differences
        if each.level == MAIN and any(main.get(row) for row in each.rows)
    }
    for level in LEVELS:
        items = [(each.item, _versions_held(on_page, each)) for each in differences
                  if each.level == level]  # fmt: skip
        left: list[Held] = []
        for mark in own:
            if mark.level != level:
                continue
            held = on_page.held(mark)
            likeness = {item: max(on_page.likeness(held, each) for each in versions)
                        for item, versions in items}  # fmt: skip
            most = max(likeness.values(), default=0.0)
            if most < ALIKE:
                left.append(held)
            else:
                result.update(item for item, likely in likeness.items() if likely == most)
        for item, versions in items:
            for whole in versions:
                parts = [held for held in left if held < whole]
                together = on_page.weight(frozenset().union(*parts))
                if len(parts) > 1 and together >= ALIKE * on_page.weight(whole):
                    result.add(item)
    return frozenset(result)


def _versions_held(on_page: PageMarks, difference: Disagreement) -> list[Held]:
    """Return the content of each version of a difference, of all its marks together."""
    return [
        frozenset().union(*(on_page.held(mark) for mark in version.marks))
        for version in difference.versions
        if version.marks
    ]


def decide_versions(
    gold: Gold, nodes: NodeTable, difference: Disagreement, chosen: Sequence[Version]
) -> Gold:
    """Return a gold with these versions of a difference and none of its others.

    Marks of the gold's own on the same level that hold the very same are replaced, too.  Main
    content taken over elsewhere, as of the majority, gives up the texts of this place.
    """
    on_page = PageMarks(nodes)
    mine = {mark.id: _sure(mark) for version in chosen for mark in version.marks}
    here = {mark.id for version in difference.versions for mark in version.marks}
    held = {on_page.held(mark) for mark in mine.values()}
    remaining = tuple(
        mark
        for mark in gold.marks
        if mark.id in mine
        or not (mark.id in here or (mark.level == difference.level and on_page.held(mark) in held))
    )
    if difference.level == MAIN:
        cut = {mark.id for mark in remaining if is_taken_over(mark) and mark.id not in mine}
        remaining = _without_texts(remaining, nodes, difference.rows, cut)
    there = {mark.id for mark in remaining}
    new = tuple(mark for mark_id, mark in mine.items() if mark_id not in there)
    return Gold((*remaining, *new))


def _without_texts(
    marks: Iterable[Mark], nodes: NodeTable, rows: Iterable[int], ids: Collection[str]
) -> tuple[Mark, ...]:
    """Return marks; those with these ids, of main content, without their content in some rows."""
    result: dict[str, Mark] = {}
    gone = set(rows)
    for mark in marks:
        covered = covered_texts(nodes, Gold((mark,))) if mark.id in ids else {}
        if not gone & covered.keys():
            result.setdefault(mark.id, mark)
            continue
        left = [
            target
            for row in sorted(covered.keys() - gone)
            if nodes.visible[row]
            for target in targets_of(row, covered[row], nodes)
        ]
        for part in text_marks(nodes, left):
            result.setdefault(part.id, part)
    return tuple(result.values())


def _sure(mark: Mark) -> Mark:
    """Return a mark as accepted by the reviewer: uncertainty is resolved by that."""
    return mark.with_(is_unsure=False) if mark.is_unsure else mark


def with_marks(gold: Gold, nodes: NodeTable, marks: Iterable[Mark]) -> Gold:
    """Return a gold with more marks; those it has already on their level are left out."""
    on_page = PageMarks(nodes)
    held = {(mark.level, on_page.held(mark)) for mark in gold.marks if mark.targets}
    ids = {mark.id for mark in gold.marks}
    new = [
        _sure(mark)
        for mark in marks
        if mark.id not in ids and (mark.level, on_page.held(mark)) not in held
    ]
    return Gold((*gold.marks, *new))


def decisions(workspace: Workspace, key: str) -> dict[str, str]:
    """Return what the present annotator decided on a page: item of a difference → choice."""
    rows = workspace.store.all(
        "SELECT item, choice FROM decisions JOIN pages ON pages.id = decisions.page"
        " WHERE key = ? AND annotator = ?",
        *(key, workspace.annotator.number),
    )
    return dict(rows)


def decide(workspace: Workspace, key: str, item: str, choice: str) -> None:
    """Write a decision down; "" takes it back."""
    with workspace.store.saving():
        page = workspace.page_id(key)
        if not choice:
            workspace.store.run("DELETE FROM decisions WHERE page = ? AND item = ?", page, item)
            return
        workspace.store.run(
            "INSERT INTO decisions (page, item, choice) VALUES (?, ?, ?)"
            " ON CONFLICT (page, item) DO UPDATE SET choice = excluded.choice",
            *(page, item, choice),
        )

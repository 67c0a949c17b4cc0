"""Review → layers of resources/js/overlay.js; each side has its colour and line."""

from annotate.plugins.team_work.review import Version
from gui.core.findings import frame_box
from gui.page.overlay.pieces import PageNumberings
from gui.page.overlay.specs import LayerSpec
from gui.plugins.team_work.review.state import LEFT, OTHER, RIGHT, ReviewState

_DASHES = {LEFT: "solid", RIGHT: "dashed", OTHER: "dotted"}
_CHOSEN = "#111318"


def review_specs(review: ReviewState, pieces: PageNumberings) -> list[LayerSpec]:
    """Return a layer per side with its undecided differences, and the frame of the current one."""
    specs = {color: _layer(f"review-{number}", color) for number, color in enumerate(_DASHES)}
    sides = {review.left: LEFT, review.right: RIGHT}
    for index, difference in enumerate(review.items):
        is_current = index == review.index
        if difference.item in review.verdicts and not is_current:
            continue
        for version in difference.versions:
            if version.marks and review.own not in version.who:
                color = next((sides[name] for name in sides if name in version.who), OTHER)
                _put(specs[color], version, pieces, is_current)
    current = review.current
    result = [spec for spec in specs.values() if spec["boxes"] or spec["ranges"]]
    if current is not None:
        box = frame_box(current.rows, review.status, pieces)
        result.append({**_layer("review-chosen", _CHOSEN), "boxes": [box], "yields": False})
    return result


def _put(spec: LayerSpec, version: Version, pieces: PageNumberings, is_current: bool) -> None:
    who = ", ".join(version.who)
    for mark in version.marks:
        whole = [target.row for target in mark.targets if target.is_whole]
        if whole:
            spec["boxes"].append(
                {
                    "pieces": [pieces.piece(row) for row in whole],
                    "label": f"{who}: {mark.type or 'no type'}" if mark.level else who,
                    "fill": 0.12 if is_current else 0.04,
                    "weight": 2.5 if is_current else 1.5,
                    "dash": spec["dash"],
                }
            )
        spec["ranges"] += [
            pieces.range(target.row, target.start, target.end)
            for target in mark.targets
            if not target.is_whole
        ]


def _layer(key: str, color: str) -> LayerSpec:
    return {
        "id": key,
        "color": color,
        "dash": _DASHES.get(color, "solid"),
        "opacity": 1.0,
        "boxes": [],
        "ranges": [],
        "yields": True,
    }

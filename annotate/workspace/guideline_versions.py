"""Versions of a workspace's guideline, and the pages that were marked under an older one.

Each time another guideline is stored, the time is noted with its name and digest.  A page was
marked under the version in use when its marks were changed last, or under the one it was
confirmed under since.  A type renamed everywhere makes no version.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from annotate.marks.guideline import Guideline, GuidelineRef, default
from annotate.marks.journal import CAME_WITH_PAGE
from annotate.workspace.retyping import is_everywhere
from annotate.workspace.stored_guideline import of_workspace, store_in
from annotate.workspace.workspace import Workspace

_VERSIONS, _CONFIRMED = "guideline versions", "guideline confirmed"

_CHANGES = """
SELECT key, what, max(made) FROM changes JOIN pages ON pages.id = page
WHERE annotator = ? AND what <> ? AND EXISTS (SELECT 1 FROM marks WHERE page = pages.id)
GROUP BY key, what
"""


@dataclass(frozen=True)
class OlderPage:
    """A page whose marks follow an older version.

    Attributes:
        version: Of the guideline.
        made: When its marks were changed last, UTC in ISO 8601.
    """

    version: GuidelineRef
    made: str

    def __str__(self) -> str:
        return f"marked under {self.version}, {self.made[:10]}"


def use_guideline(workspace: Workspace, guideline: Guideline | None) -> None:
    """Store a guideline, or none, and note from when on it holds."""
    before, after = ref_in_use(workspace), (guideline or default()).ref
    store_in(workspace, guideline)
    if after.digest != before.digest:
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        known = _versions(workspace) or [("", before)]
        rows = [[when, ref.name, ref.digest] for when, ref in [*known, (now, after)]]
        workspace.set_setting(_VERSIONS, rows)


def ref_in_use(workspace: Workspace) -> GuidelineRef:
    """Return the present version: the workspace's own, or Pagelet's."""
    return (of_workspace(workspace) or default()).ref


def older_pages(workspace: Workspace) -> dict[str, OlderPage]:
    """Return the annotator's pages that were marked under another version, by key, as listed."""
    versions = _versions(workspace)
    if len(versions) < 2:
        return {}
    last: dict[str, str] = {}
    who = workspace.annotator
    for key, what, made in workspace.rows(_CHANGES, who.number, CAME_WITH_PAGE):
        if not is_everywhere(what):
            last[key] = max(made, last.get(key, ""))
    present, confirmed = versions[-1][1], confirmed_pages(workspace)
    result = {}
    for page in workspace.pages():
        made = last.get(page.key)
        if made is None or confirmed.get(page.key) == present.digest:
            continue
        version = [ref for when, ref in versions if when <= made][-1]
        if version.digest != present.digest:
            result[page.key] = OlderPage(version, made)
    return result


def confirm(workspace: Workspace, keys: Collection[str]) -> None:
    """State that the marks of pages follow the present version."""
    versions = _versions(workspace)
    if versions:
        fresh = dict.fromkeys(keys, versions[-1][1].digest)
        put_confirmed(workspace, {**confirmed_pages(workspace), **fresh})


def confirmed_pages(workspace: Workspace) -> dict[str, str]:
    """Return the digest each page of the annotator was confirmed under last."""
    stored = workspace.setting(f"{_CONFIRMED} {workspace.annotator.uid}", {})
    return dict(stored) if isinstance(stored, dict) else {}


def put_confirmed(workspace: Workspace, confirmed: Mapping[str, str]) -> None:
    """Store what `confirmed_pages` returns, as undo does."""
    workspace.set_setting(f"{_CONFIRMED} {workspace.annotator.uid}", dict(confirmed))


def _versions(workspace: Workspace) -> list[tuple[str, GuidelineRef]]:
    """Return the versions and from when on each held, the first from the beginning."""
    stored = workspace.setting(_VERSIONS, [])
    result = []
    for row in stored if isinstance(stored, list) else []:
        match row:
            case [str(when), str(name), str(digest)]:
                result.append((when, GuidelineRef(name, digest)))
    return result

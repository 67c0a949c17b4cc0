"""Versions of a workspace's guideline, and the marks that follow an older one.

Each time another guideline is stored, the time is noted with its name and digest.  A mark follows
the version in use when it was made or changed last, or the one that its page was confirmed under
since.  A type renamed everywhere makes no version.
"""

from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime

from annotate.marks.guideline import Guideline, GuidelineRef, default
from annotate.marks.journal import CAME_WITH_PAGE, GAPS, dump
from annotate.marks.records import read_json
from annotate.workspace.mark_rows import marks_of
from annotate.workspace.retyping import is_everywhere
from annotate.workspace.stored_guideline import of_workspace, store_in
from annotate.workspace.workspace import Workspace
from engine.words import plural

_VERSIONS, _CONFIRMED = "guideline versions", "guideline confirmed"

_PAGES = """
SELECT key, min(made), max(made), max(what <> ?) FROM changes JOIN pages ON pages.id = page
WHERE annotator = ? GROUP BY key
"""
_CHANGES = """
SELECT what, made, delta FROM changes JOIN pages ON pages.id = page
WHERE annotator = ? AND key = ? ORDER BY changes.revision
"""


@dataclass(frozen=True)
class OlderPage:
    """A page with marks that follow an older version.

    Attributes:
        version: Of the guideline; of several the oldest.
        made: When the last of these marks was made or changed, UTC in ISO 8601.
        marks: How many they are.
        of: Number of the page's marks.
    """

    version: GuidelineRef
    made: str
    marks: int
    of: int

    def __str__(self) -> str:
        some = "" if self.marks == self.of else f"{self.marks} of {plural(self.of, 'mark')} "
        return f"{some}marked under {self.version}, {self.made[:10]}"


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
    """Return the annotator's pages with marks of another version, by key, as listed."""
    versions = _versions(workspace)
    if len(versions) < 2:
        return {}
    who, since = workspace.annotator.number, versions[-1][0]
    rows = workspace.rows(_PAGES, CAME_WITH_PAGE, who)
    before = {key for key, first, _, is_own in rows if first < since and is_own}
    pages = [page.key for page in workspace.pages() if page.key in before]
    found = ((key, older_page(workspace, key)) for key in pages)
    return {key: older for key, older in found if older is not None}


def older_page(workspace: Workspace, key: str) -> OlderPage | None:
    """Return what marks of a page follow another version than the present; None if none does."""
    versions, numbers = _versions(workspace), _numbers(workspace, key)
    old = [each for each in numbers.values() if versions[each[0]][1] != versions[-1][1]]
    if not old:
        return None
    oldest, made = min(number for number, _ in old), max(made for _, made in old)
    return OlderPage(versions[oldest][1], made, len(old), len(numbers))


def mark_versions(workspace: Workspace, key: str) -> dict[str, GuidelineRef]:
    """Return id of a mark → the version that it follows, of a page of the annotator.

    It is the one in use when the mark was made or changed last, or the one that its page was
    confirmed under since.  Nothing while the workspace has had one guideline, and for marks that
    came with the page.
    """
    versions = _versions(workspace)
    return {mark: versions[k][1] for mark, (k, _) in _numbers(workspace, key).items()}


def _numbers(workspace: Workspace, key: str) -> dict[str, tuple[int, str]]:
    """Return id of a mark → number of its version, and when it got its present form.

    An undone change leads back to the form before, and so to its version; a type renamed
    everywhere keeps it.
    """
    versions = _versions(workspace)
    if len(versions) < 2:
        return {}
    forms: dict[str, dict[str, str]] = {}  # id → record → when it was first
    last: dict[str, str] = {}
    for what, made, change in workspace.store.all(_CHANGES, workspace.annotator.number, key):
        with suppress(*GAPS):
            for record in read_json(change)["set"]:
                mark, form = str(record["id"]), dump(record)
                known = forms.setdefault(mark, {})
                since = "" if what == CAME_WITH_PAGE else made
                if is_everywhere(what):
                    since = known.get(last.get(mark, ""), since)
                known.setdefault(form, since)
                last[mark] = form
    digest = confirmed_pages(workspace).get(key)
    confirmed = max((k for k, (_, ref) in enumerate(versions) if ref.digest == digest), default=0)
    result = {}
    present = marks_of(workspace.store, workspace.page_id(key))
    for mark, form in present.items():
        known = forms.get(mark, {})
        if made := known.get(form, known.get(last.get(mark, ""), "")):
            by_time = max(k for k, (when, _) in enumerate(versions) if when <= made)
            result[mark] = max(by_time, confirmed), made
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

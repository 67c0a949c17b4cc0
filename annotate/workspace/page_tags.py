"""Tags of pages: words of the user's own, for all who work in a workspace; kept as a setting."""

from collections.abc import Collection, Mapping

from annotate.workspace.late_saves import LateSaves
from annotate.workspace.store import Store
from annotate.workspace.stored_guideline import put_setting, stored_setting

SETTING = "page tags"
"""Workspace setting: key of a page → its tags, sorted.  Pages that move keep theirs."""

Tags = dict[str, tuple[str, ...]]
"""Key of a page → its tags, sorted; without pages that have none."""


def tags_of(workspace: LateSaves) -> Tags:
    """Return the tags of all pages."""
    return _parsed(workspace.setting(SETTING))


def put_tags(workspace: LateSaves, changed: Mapping[str, Collection[str]]) -> None:
    """Set the tags of these pages; waits as settings do, and is read at once.

    Raises `WorkspaceError` where the file can only be read.
    """
    workspace.set_setting(SETTING, _cleaned({**tags_of(workspace), **changed}))


def merge_tags(target: Store, source: Store, keys: Mapping[str, str]) -> None:
    """Add the tags of one workspace to another, within a transaction; both keep theirs.

    ``keys`` gives the key in the target of pages that have another one there.
    """
    result: dict[str, Collection[str]] = {**_parsed(stored_setting(target, SETTING))}
    theirs = _parsed(stored_setting(source, SETTING))
    for key, tags in theirs.items():
        here = keys.get(key, key)
        result[here] = {*result.get(here, ()), *tags}
    if theirs:
        put_setting(target, SETTING, _cleaned(result))


def _cleaned(tags: Mapping[str, Collection[str]]) -> Tags:
    return {key: tuple(sorted(set(those))) for key, those in tags.items() if those}


def _parsed(stored: object) -> Tags:
    """Return stored tags, without damaged ones."""
    if not isinstance(stored, dict):
        return {}
    lists = {key: those for key, those in stored.items() if isinstance(those, list)}
    return _cleaned({k: [each for each in v if isinstance(each, str)] for k, v in lists.items()})

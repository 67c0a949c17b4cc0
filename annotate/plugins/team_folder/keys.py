"""Keys of pages in logs: the same for everybody, wherever the shared folder is on each machine.

A page in the team folder is named from there (``team:pages/a.html``), one on the web by its
address.  A file elsewhere keeps the key it has where it was marked; another machine knows it by
its name and SHA-256, as `annotate.plugins.team_work.merging` does.
"""

from collections.abc import Sequence
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath

from annotate.plugins.team_folder.record import TEAM
from annotate.workspace.page_rows import KnownFiles
from annotate.workspace.store import Store


class PageKeys:
    """Keys of logs, and those of one workspace."""

    def __init__(self, folder: Path) -> None:
        self._bases = list(dict.fromkeys([folder.absolute(), folder.resolve()]))
        self._known = KnownFiles()

    def learn(self, store: Store, own: Sequence[str]) -> None:
        """Note which pages those have who work here."""
        rows = store.all(
            "SELECT key, digest FROM pages JOIN annotators ON annotators.id = annotator"
            f" WHERE uid IN ({', '.join('?' * len(own))})",
            *own,
        )
        self._known = KnownFiles(rows)

    def shared(self, key: str) -> str:
        """Return how logs call a page of this workspace."""
        if not _is_path(key):
            return key
        path = PurePath(key)
        for base in self._bases:
            if path.is_relative_to(base):
                return TEAM + path.relative_to(base).as_posix()
        return key

    def local(self, key: str, digest: str = "") -> str:
        """Return how this workspace calls a page of the logs, of which ``digest`` was marked."""
        if key.startswith(TEAM):
            inside = PurePosixPath(key.removeprefix(TEAM))
            if inside.is_absolute() or ".." in inside.parts:
                return key
            paths = [str(base / inside) for base in self._bases]
            return next((path for path in paths if path in self._known.keys), paths[-1])
        if key in self._known.keys or not _is_path(key):
            return key
        return self._known.same_file(key, digest) or key

    def shared_url(self, key: str, url: str) -> str:
        """Return the address of a page as logs have it: a path only of files outside the folder."""
        shared = self.shared(key)
        return shared if shared.startswith(TEAM) else url

    def local_url(self, key: str, url: str) -> str:
        """Return the address of a page of the logs: of one in the team folder its path here."""
        return self.local(key) if key.startswith(TEAM) else url


def _is_path(key: str) -> bool:
    return PurePosixPath(key).is_absolute() or PureWindowsPath(key).is_absolute()

"""Pages of WARC files and WACZ packages, with all that their archive has of them."""

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from annotate.archives.frozen import warc
from annotate.archives.members import member_names, read_member
from engine.document import Document
from engine.errors import InputError
from engine.fetch import Received
from engine.file_stamp import stamp_of
from engine.saved import FrozenFrame, Stored, key_of, shown_address
from engine.strict_json import read_object
from engine.words import plural

SUFFIXES = (".warc", ".warc.gz", ".wacz")
_PAGES = ("text/html", "application/xhtml+xml")
_LIST = "pages/pages.jsonl"


def is_archive(path: Path) -> bool:
    """Tell whether a path is a file called WARC or WACZ."""
    return path.is_file() and path.name.lower().endswith(SUFFIXES)


def kind_of(path: Path) -> str:
    return "WACZ" if path.suffix.lower() == ".wacz" else "WARC"


@dataclass(frozen=True)
class WarcFile:
    """An archive; a store of resources."""

    path: Path

    def documents(self) -> Iterator[Document]:
        """Yield its pages: those a WACZ lists, of others every HTML that was sent."""
        index = warc.index_of(self.path)
        listed = self._listed()
        for key, record in index.positions.items():
            kind = record.kind.partition(";")[0].strip().lower()
            if record.status == 200 and kind in _PAGES and (not listed or key in listed):
                yield Document(
                    address=f"{self.path}!/{record.url}",
                    url=shown_address(record.url),
                    content=ArchivedHtml(self, record.url),
                    title=record.url,
                    home=record.url,
                    repeatable=True,
                    store=self,
                )

    def find(self, url: str) -> Stored | None:
        """Return what was sent for an address."""
        try:
            return warc.find(self.path, warc.index_of(self.path), url)
        except (InputError, ValueError):
            return None

    def frames(self) -> tuple[FrozenFrame, ...]:
        """None: its pages are loaded as they were sent."""
        return ()

    def digest(self) -> str:
        """What tells it from the archive after a change."""
        stamp = f"{self.path} {stamp_of(self.path)}"
        return sha256(stamp.encode("utf-8", "surrogatepass")).hexdigest()

    def summary(self) -> str:
        """What was found, in words."""
        return plural(len(warc.index_of(self.path).positions), "address", "addresses")

    def problems(self) -> tuple[str, ...]:
        """What is wrong with it, in words."""
        return warc.index_of(self.path).problems

    def _listed(self) -> frozenset[str]:
        if self.path.suffix.lower() != ".wacz" or _LIST not in member_names(self.path):
            return frozenset()
        result = set()
        for line in read_member(self.path, _LIST).splitlines():
            try:
                url = read_object(line, _LIST).get("url")
                if isinstance(url, str):
                    result.add(key_of(url))
            except (InputError, ValueError):
                continue
        return frozenset(result)


@dataclass(frozen=True)
class ArchivedHtml:
    """The bytes of one page in an archive."""

    file: WarcFile
    url: str

    def receive(self) -> Received:
        """Return them; raises `InputError` if the archive has been cut off since."""
        result = self.file.find(self.url)
        if result is None:
            raise InputError(f"{self.url} in {self.file.path} cannot be read")
        charset = result.kind.lower().partition("charset=")[2].strip("\"' ;")
        return Received(result.data, charset)

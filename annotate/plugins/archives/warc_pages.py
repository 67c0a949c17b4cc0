"""Pages of WARC files and WACZ packages, with all that their archive has of them."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from annotate.datasets.saved_pages import SavedKind, SavedPage
from annotate.plugins.archives import archive_files, warc_index
from annotate.plugins.archives.page_parts import frames_in
from engine.account import Account
from engine.bounded_file import stamp_of
from engine.document import Document
from engine.errors import InputError
from engine.fetch import Received
from engine.media_types import media_type
from engine.saved import FrozenFrame, Stored, key_of, shown_address
from engine.words import plural
from engine.xhtml import is_xml_kind

_LISTS = re.compile(r"pages/[^/]+\.jsonl", re.IGNORECASE)


@dataclass(frozen=True)
class WarcFile:
    """An archive; a store of resources."""

    path: Path

    def documents(self) -> Iterator[Document]:
        """Yield its pages: those that a WACZ lists, then every other HTML but frames."""
        for record in self._pages():
            is_web = record.url.lower().startswith(("http:", "https:"))
            yield Document(
                address=f"{self.path}!/{record.url}",
                url=shown_address(record.url),
                content=ArchivedHtml(self, record.url),
                title=record.url,
                home=record.url if is_web else "",
                repeatable=True,
                store=self,
            )

    def account(self) -> Account:
        index = warc_index.index_of(self.path)
        result = Account("record")
        result.add(index.account)
        parts = result.taken - len(self._pages())
        result.taken -= parts
        result.pass_over("HTML in another page (frame or script)", count=parts)
        return result

    def _pages(self) -> list[warc_index.IndexedRecord]:
        index = warc_index.index_of(self.path)
        listed, _ = self._listed()
        first = [index.positions[key] for key in listed if key in index.positions]
        result = {key_of(each.url): each for each in first if each.is_page}
        others = {
            key: record
            for key, record in index.positions.items()
            if record.is_page and key not in result and key not in index.parts_of_pages
        }
        if result and others:
            for page in [*result.values(), *others.values()]:
                if (stored := warc_index.read(self.path, page)) is not None:
                    for key in frames_in(stored.data, page.url):
                        others.pop(key, None)
        return [*result.values(), *others.values()]

    def find(self, url: str) -> Stored | None:
        """Return the stored response for an address."""
        try:
            return warc_index.find(self.path, url)
        except (InputError, ValueError):
            return None

    def frames(self) -> tuple[FrozenFrame, ...]:
        """None: its pages are loaded as they were sent."""
        return ()

    def digest(self) -> str:
        """Digest of the archive, different after a change."""
        stamp = f"{self.path} {stamp_of(self.path)}"
        return sha256(stamp.encode("utf-8", "surrogatepass")).hexdigest()

    def summary(self) -> str:
        return plural(len(warc_index.index_of(self.path).positions), "address", "addresses")

    def problems(self) -> tuple[str, ...]:
        index = warc_index.index_of(self.path)
        listed, problems = self._listed()
        missing = [url for key, url in listed.items() if key not in index.positions]
        if missing:
            pages = plural(len(missing), "page")
            problems.append(f"{pages} of its lists not in the archive, the first {missing[0]}")
        for name in archive_files.missing_packages(self.path):
            problems.append(f"{name} is named in {self.path.name} and does not lie beside it")
        return (*index.problems, *problems)

    def _listed(self) -> tuple[dict[str, str], list[str]]:
        """Return the addresses in all lists of pages, by key and in order, and the problems."""
        result: dict[str, str] = {}
        odd: list[str] = []
        if archive_files.warc_members(self.path) in ((), ("",)):
            return result, odd
        for package in archive_files.packages_of(self.path):
            names = filter(_LISTS.fullmatch, archive_files.package_members(self.path, package))
            for name in sorted(names, key=lambda each: (each.lower() != "pages/pages.jsonl", each)):
                try:
                    data = archive_files.read_package_member(self.path, package, name)
                except InputError as error:
                    odd.append(str(error))
                    continue
                count = 0
                for line in data.splitlines():
                    try:
                        about = json.loads(line)
                        if "url" in about:
                            result.setdefault(key_of(about["url"]), about["url"])
                    except (ValueError, TypeError, AttributeError, RecursionError):
                        count += bool(line.strip())
                if count:
                    odd.append(f"{plural(count, 'line')} of {name} cannot be read")
        return result, odd


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
        kind, charset = media_type(result.kind)
        return Received(result.data, charset, is_xml=is_xml_kind(kind))


def _pages(path: Path, account: Account) -> Iterator[SavedPage]:
    file = WarcFile(path)
    counted = file.account()
    account.unit = counted.unit
    account.add(counted)
    result, problems = file.summary(), file.problems()
    if not account.found:
        for problem in problems:
            account.pass_over(problem)
    kind = archive_files.archive_kind(path)
    for document in file.documents():
        name = key_of(document.home or document.url)
        yield SavedPage(kind, document, name, result, problems)


KIND = SavedKind(
    "WARC or WACZ",
    lambda path: bool(archive_files.archive_kind(path)),
    _pages,
    is_container=True,
    is_archive=True,
)

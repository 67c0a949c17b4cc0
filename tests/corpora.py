"""The real pages with gold text that tests and benchmarks read, from the folder of data sets."""

import gzip
import hashlib
import json
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from engine.source import Source

CORPORA = ("readability-pages", "article-sample")


@dataclass(frozen=True)
class Document:
    """One page: its name, its bytes and charset as received, its gold text."""

    name: str
    data: bytes
    gold: str
    charset: str = ""

    @property
    def source(self) -> Source:
        """The page as methods read it."""
        return Source.from_bytes(self.data, self.charset)


def documents(datasets: Path, corpus: str) -> Iterator[Document]:
    """Yield the documents of one of `CORPORA`."""
    if corpus == "readability-pages":
        package = zipfile.ZipFile(datasets / "packages" / "readability-pages.zip")
        for name in json.loads(package.read("package.json"))["documents"]:
            about = json.loads(package.read(f"{name}.json"))
            gold = package.read(f"{name}.txt").decode()
            yield Document(name, package.read(f"{name}.html"), gold, about["encoding"])
        return
    folder = datasets / "article-benchmark-sample"
    truth = json.loads((folder / "ground-truth.json").read_text("utf-8"))
    for name, entry in truth.items():
        data = gzip.decompress((folder / "html" / f"{name}.html.gz").read_bytes())
        yield Document(name, data, entry["articleBody"])


def digest(pages: list[Document]) -> str:
    """Return one SHA-256 of all names, bytes and gold texts."""
    total = hashlib.sha256()
    for page in pages:
        for part in (page.name.encode(), page.data, page.gold.encode()):
            total.update(hashlib.sha256(part).digest())
    return total.hexdigest()

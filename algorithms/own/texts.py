"""Texts that were extracted elsewhere, as a method: results are read, not computed.

A file is JSON, ``{page: text}`` or ``{"name": …, "output": {page: text}, "seconds": {page: s}}``; a
folder has a file ``NAME.txt`` for each page.  A page is named as in its data set, with or without
endings, and without folder where no two pages have that name.
"""

import hashlib
import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path, PurePosixPath
from unicodedata import normalize

from algorithms.method import Method, MethodRecipe
from algorithms.own.answers import GivenExtraction
from algorithms.params import Params
from algorithms.results import Extraction
from engine import bounded_file
from engine.errors import InputError, MethodError
from engine.source import Source

_MOST_BYTES = 2**31
_ENDINGS = (".gz", ".html", ".htm", ".xhtml", ".txt")


@dataclass(frozen=True)
class GivenText(MethodRecipe):
    """The text of one page, as it travels.

    Attributes:
        text: None where there is none of this page.
        seconds: What it took whoever extracted it; NaN if unknown.
        version: As a row of results has it.
        origin: Where the texts are from, for messages.
    """

    text: str | None
    seconds: float
    version: str
    origin: str

    def entry(self, key: str) -> Method:
        """Return it as a method that always gives this text."""
        return Method(
            key,
            key,
            Params,
            "extraction",
            "made elsewhere",
            on_source=partial(_run, self),
            summary=f"Texts in {self.origin}.",
            version=self.version,
            recipe=self,
        )


@dataclass(frozen=True, eq=False)
class GivenTexts:
    """Texts by page.

    Attributes:
        name: Their name in tables.
        texts: Page → text.
        seconds: Page → what it took; pages may be missing.
        origin: The name of the file or folder.
        shared: Names, without their folders, that several pages have: they tell no page.
    """

    name: str
    texts: Mapping[str, str]
    seconds: Mapping[str, float] = field(default_factory=dict)
    origin: str = "memory"
    shared: frozenset[str] = frozenset()

    def among(self, pages: Iterable[str]) -> "GivenTexts":
        """Return them for these pages alone: none is taken for another page of the same name."""
        bare = Counter(PurePosixPath(name).name for name in {_bare(page) for page in pages})
        shared = frozenset(name for name, count in bare.items() if count > 1)
        return replace(self, shared=shared)

    def entry(self, key: str) -> Method:
        """Return them as a method, which plans have for each page in turn (`for_page`)."""
        made = GivenText(None, math.nan, self.version, self.origin).entry(key)
        return Method(**{**vars(made), "recipe": self})

    def for_page(self, name: str) -> GivenText:
        """Return the text of one page."""
        result = self._named(name)
        text = None if result is None else self.texts[result]
        seconds = self.seconds.get(result, math.nan) if result is not None else math.nan
        return GivenText(text, seconds, self.version, self.origin)

    def has(self, page: str) -> bool:
        """Whether there is a text of a page."""
        return self._named(page) is not None

    @cached_property
    def version(self) -> str:
        """A digest of all texts."""
        digest = hashlib.blake2b(digest_size=4)
        for name in sorted(self.texts):
            for part in (name, self.texts[name]):
                digest.update(part.encode("utf-8", "surrogatepass") + b"\0")
        return f"texts {digest.hexdigest()}"

    def without_page(self, pages: Iterable[str]) -> list[str]:
        """Return the names of texts that are of none of these pages."""
        used = {self._named(page) for page in pages}
        return [name for name in self.texts if name not in used]

    def _named(self, page: str) -> str | None:
        if page in self.texts:
            return page
        bare = _bare(page)
        result = self._by_bare.get(bare)
        alone = PurePosixPath(bare).name
        if result is None and alone not in self.shared:
            result = self._by_bare.get(alone)
        return self._composed.get(normalize("NFC", bare)) if result is None else result

    @cached_property
    def _by_bare(self) -> Mapping[str, str]:
        return {_bare(name): name for name in self.texts}

    @cached_property
    def _composed(self) -> Mapping[str, str]:
        """The texts by their names as most systems write them; macOS keeps accents apart."""
        return {normalize("NFC", bare): name for bare, name in self._by_bare.items()}


def read_texts(path: Path, name: str = "") -> GivenTexts:
    """Return the texts in a file or folder; raises `InputError`."""
    try:
        if path.is_dir():
            files = sorted(path.glob("**/*.txt"))
            if not files:
                raise InputError(f"{path} holds no texts: a page's text is a file NAME.txt")
            texts = {
                file.relative_to(path).as_posix().removesuffix(".txt"): _read_page(file)
                for file in files
            }
            return GivenTexts(name or path.resolve().name, texts, origin=path.name)
        content = json.loads(_read(path))
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from None
    except RecursionError:
        raise InputError(f"{path} is nested too deep") from None
    except ValueError as error:  # no JSON, no UTF-8
        raise InputError(f"{path} is not JSON in UTF-8{_where(error)}") from None
    seconds: object = {}
    if isinstance(content, dict) and isinstance(content.get("output"), dict):
        name, seconds = name or str(content.get("name") or ""), content.get("seconds")
        content = content["output"]
    return GivenTexts(name or path.stem, _checked(content, path), _numbers(seconds), path.name)


_KINDS = {
    int: "a number", float: "a number", bool: "true or false", list: "a list", dict: "an object",
}  # fmt: skip


def _where(error: ValueError) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f": line {error.lineno}, column {error.colno} cannot be read"
    if isinstance(error, UnicodeDecodeError):
        return f": byte {error.start + 1} is of another encoding"
    return ""


def texts_of(pages: object, name: str) -> GivenTexts:
    """Return texts that are at hand; raises `InputError`."""
    return GivenTexts(name or "texts", _checked(pages, Path("texts")))


def _checked(content: object, path: Path) -> dict[str, str]:
    if not isinstance(content, dict) or not content:
        raise InputError(f'{path} holds no texts: write {{"page": "text", …}}')
    texts = {}
    for page, text in content.items():
        if not isinstance(page, str) or not isinstance(text, str | None):
            kind = _KINDS.get(type(text), "null")
            raise InputError(f"{path}: the value of {page!r} must be a string, not {kind}")
        texts[page] = text or ""
    return texts


def _numbers(values: object) -> dict[str, float]:
    if not isinstance(values, dict):
        return {}
    return {
        page: float(value)
        for page, value in values.items()
        if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < math.inf
    }


def _read_page(path: Path) -> str:
    try:
        return _read(path)
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8{_where(error)}") from None


def _read(path: Path) -> str:
    return bounded_file.read_bytes(path, _MOST_BYTES).decode("utf-8-sig")


def _bare(name: str) -> str:
    while name.lower().endswith(_ENDINGS):
        name = name[: name.rindex(".")]
    return name


def _run(page: GivenText, source: Source, _params: Params) -> Extraction:
    if page.text is None:
        raise MethodError(f"there is no text of this page in {page.origin}")
    return GivenExtraction(source, page.text, page.seconds)

"""What a folder of rows is of: archives, method and options, and where each shard begins.

It is noted before the first row is written.  Rows of another extraction are never mixed with these:
a folder that holds some is refused, or emptied of them if the user asks for it.  Nothing in it
names a folder of this machine.
"""

import hashlib
import json
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import asdict, dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

from annotate.archives.disk_names import OrderedNames
from annotate.archives.page_ranges import (
    ArchiveContents,
    ArchivedPage,
    PageRanges,
    Place,
    RecordRange,
    Resolved,
    names_read,
    pages,
)
from annotate.evaluation.run.run_options import PageChoice
from annotate.evaluation.store.rows import parameters_of, version_of
from annotate.extract.extracted_rows import read_manifest, write_manifest, written_in
from annotate.extract.work import ExtractionJob
from engine import bounded_file
from engine.errors import InputError, convert_os_error
from engine.version import own_version
from engine.words import told_apart

MOST_RECORDS = 1000
"""Records of one shard: a few megabytes of text, half a minute of work."""

_FORMAT = 2

_END = 4096
"""Bytes at both ends of an archive that tell whether it is the same file."""

_ENDS = "content of the archives"

ShardPart = tuple[RecordRange, frozenset[int] | None]
"""Records, and the numbers of those to extract; None takes all."""


@dataclass(frozen=True)
class Manifest:
    """Manifest of a folder.

    Attributes:
        asked: The user's settings; another extraction differs in them.
        contents: Content of each archive.
        parts: The shards.
        passed: How many records are in no shard, as no page among them is to be extracted:
            ``left_out``, ``not_html`` and ``not_chosen`` as in `ShardSummary`.
    """

    asked: Mapping[str, Any]
    contents: tuple[ArchiveContents, ...]
    parts: tuple[ShardPart, ...]
    passed: Mapping[str, int] = field(default_factory=dict)

    @property
    def digest(self) -> str:
        text = json.dumps(self.asked, sort_keys=True)
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()

    @property
    def troubles(self) -> tuple[str, ...]:
        """Return a sentence for each archive that is damaged."""
        return tuple(each.trouble for each in self.contents if each.trouble)


def manifest_of(
    sources: Sequence[Path], job: ExtractionJob, most: int, choice: PageChoice, *, replaces: bool
) -> Manifest:
    """Return the manifest of a folder, stored there or newly computed and stored.

    Raises:
        InputError: A source is no archive, the folder cannot be written to, or it holds rows of
            another extraction and ``replaces`` is not set.
    """
    with convert_os_error(f"write to {job.out}"):
        job.out.mkdir(parents=True, exist_ok=True)
    names = _names(sources)
    asked = _asked(sources, names, job, most, choice)
    noted = read_manifest(job.out)
    before = (noted or {}).get("asked")
    # Older ones lack the ends of archives.
    if noted and isinstance(before, dict) and {_ENDS: asked[_ENDS], **before} == asked:
        for torn in job.out.glob("_*.part"):  # from a killed process
            torn.unlink(missing_ok=True)
        with suppress(KeyError, TypeError, ValueError, IndexError):
            return _noted(noted, asked, sources)  # else worked out again, and the same
    else:
        _make_way(job.out, before, asked, replaces=replaces)
    contents: list[ArchiveContents] = []
    parts, passed = _parts(sources, names, job, most, choice, contents)
    result = Manifest(asked, tuple(contents), tuple(parts), passed)
    if not parts and result.troubles:
        raise InputError(result.troubles[0])
    write_manifest(job.out, job.kind, _as_json(result, sources))
    return result


def _asked(
    sources: Sequence[Path], names: Sequence[str], job: ExtractionJob, most: int, choice: PageChoice
) -> dict[str, Any]:
    setup = job.setup
    archives = zip(sources, names, strict=True)
    return {
        "archives": [[name or path.absolute().name, *_state_of(path)] for path, name in archives],
        _ENDS: _digest([_ends_of(source) for source in sources]),
        "method": setup.method,
        "version of the method": version_of(setup),
        "parameters": parameters_of(setup),
        "input": setup.input,
        "methods beside": [[b.method, version_of(b), parameters_of(b)] for b in job.beside],
        "addresses": None if job.only is None else _digest(sorted(job.only)),
        "limit": choice.limit,
        "sample": choice.sample,
        "seed": None if choice.sample is None else choice.seed,
        "records of a shard": most,
        "format": job.kind,
        "columns": _digest([_FORMAT, job.columns]),
        "Pagelet": own_version(),
    }


def _state_of(source: Path) -> list[object]:
    """Return what changes with a source: size and time of a file, in a folder of all it reads."""
    with convert_os_error(f"read {source}"):
        if not source.is_dir():
            return list(_stamp(source))
        with closing(OrderedNames((0, name) for name in names_read(source))) as names:
            digest = hashlib.blake2b(digest_size=16)
            for name in names:
                state = repr((name, _stamp(source / name)))
                digest.update(state.encode("utf-8", "replace"))
            return [names.count, digest.hexdigest()]


def _ends_of(source: Path) -> str:
    """Return a digest of the first and last bytes of each archive of a source.

    What replaces an archive under the same size and time differs there.  The file's number and the
    time of its last change do not help here: a copy of the archives has others.
    """
    digest = hashlib.blake2b(digest_size=16)
    with convert_os_error(f"read {source}"):
        for path in filter(Path.is_file, _files_of(source)):  # a pipe can be read once
            with bounded_file.open_bounded(path) as file:
                digest.update(file.read(_END))
                file.seek(max(0, path.stat().st_size - _END))
                digest.update(file.read(_END))
    return digest.hexdigest()


def _files_of(source: Path) -> Iterator[Path]:
    """Yield the archives that are read of a source, in their order."""
    if not source.is_dir():
        yield source
        return
    with closing(OrderedNames((0, name) for name in names_read(source))) as names:
        yield from (source / name for name in names)


def _stamp(path: Path) -> tuple[int, int]:
    state = path.stat()
    return state.st_size, state.st_mtime_ns


def _digest(value: object) -> str:
    return hashlib.blake2b(repr(value).encode("utf-8", "replace"), digest_size=16).hexdigest()


def _names(sources: Sequence[Path]) -> list[str]:
    """Return what rows call each source; "" of the only one if it is a folder.

    With so many of the folders above as it takes to tell two of the same name apart.
    """
    if len(sources) == 1:
        return ["" if sources[0].is_dir() else sources[0].name]
    return told_apart([source.absolute().parts for source in sources])


def _make_way(out: Path, before: object, asked: Mapping[str, Any], *, replaces: bool) -> None:
    """See to it that nothing of another extraction is in a folder; raises `InputError`."""
    there = written_in(out)
    if there and not replaces:
        differs = ["what it was is not noted"]
        if isinstance(before, dict):
            differs = [name for name in asked if before.get(name) != asked[name]]
        if "archives" in differs:
            differs = [name for name in differs if name != _ENDS]
        raise InputError(
            f"{out} holds rows of another extraction ({', '.join(differs)}): "
            "choose another folder, or add --replace to remove them"
        )
    with convert_os_error(f"write to {out}"):
        for path in there:  # the manifest last: it lists the remaining files until then
            path.unlink(missing_ok=True)


def _parts(
    sources: Sequence[Path],
    names: Sequence[str],
    job: ExtractionJob,
    most: int,
    choice: PageChoice,
    contents: list[ArchiveContents],
) -> tuple[list[ShardPart], Counter[str]]:
    ranges = PageRanges(most, contents)
    of_sources = (ranges.ranges(s, name) for s, name in zip(sources, names, strict=True))
    # Revisits last, once all their records are known.
    result = chain(chain.from_iterable(of_sources), ranges.revisits())
    if choice.is_all:
        return [(records, None) for records in result], Counter()
    known: list[RecordRange] = []
    counts: list[Counter[str]] = []
    stretch_of, number_of = array("q"), array("q")  # of each page that may be taken
    for records in result:
        known.append(records)
        counts.append(Counter())
        for number, page in enumerate(pages(records)):
            if not isinstance(page, ArchivedPage):
                counts[-1]["not_html" if page is None else "left_out"] += 1
                continue
            counts[-1]["not_chosen"] += 1
            if job.only is None or page.address in job.only:
                stretch_of.append(len(known) - 1)
                number_of.append(number)
        if choice.limit is not None and len(number_of) >= choice.limit:
            break
    chosen: dict[RecordRange, set[int]] = {}
    for position in choice.numbers(len(number_of)):
        chosen.setdefault(known[stretch_of[position]], set()).add(number_of[position])
    others = (count for records, count in zip(known, counts, strict=True) if records not in chosen)
    passed = sum(others, start=Counter[str]())
    return [(records, frozenset(numbers)) for records, numbers in chosen.items()], passed


# As JSON -----------------------------------------------------------------------------------


def _as_json(manifest: Manifest, sources: Sequence[Path]) -> dict[str, object]:
    def inside(path: Path) -> list[object]:
        number = next(k for k, s in enumerate(sources) if path.is_relative_to(s))
        return [number, path.relative_to(sources[number]).as_posix()]

    shards = []
    for records, chosen in manifest.parts:
        numbers = None if chosen is None else sorted(chosen)
        where = [records.member, records.offset, records.count, records.name]
        others = [[e.address, e.record, e.date, e.offset, e.length, *inside(e.place.path),
                   *e.place[1:]] for e in records.resolved]  # fmt: skip
        shards.append([*inside(records.path), *where, numbers, others])
    return {
        "format": _FORMAT,
        "asked": dict(manifest.asked),
        "contents": [asdict(each) for each in manifest.contents],
        "passed": dict(manifest.passed),
        "shards": shards,
    }


def _noted(noted: Mapping[str, Any], asked: Mapping[str, Any], sources: Sequence[Path]) -> Manifest:
    def path_of(number: int, inside: str) -> Path:
        return sources[number] if inside == "." else sources[number] / inside

    parts = []
    for number, inside, member, offset, count, name, numbers, *rest in noted["shards"]:
        chosen = None if numbers is None else frozenset(numbers)
        others = tuple(
            Resolved(address, record, date, at, size, Place(path_of(n, i), *place))
            for address, record, date, at, size, n, i, *place in (rest[0] if rest else ())
        )
        records = RecordRange(path_of(number, inside), member, offset, count, name, others)
        parts.append((records, chosen))
    contents = tuple(ArchiveContents(**each) for each in noted["contents"])
    return Manifest(asked, contents, tuple(parts), dict(noted["passed"]))

"""What of a frozen page's file is not as it was written, member by member.

A frozen page is its sources, what they became, and lists of both that must agree: the manifest and
``datapackage.json`` have the SHA-256 of the members, ``datapackage-digest.json`` that of
``datapackage.json``, the index has where each record of the archive lies.
"""

from collections.abc import Iterator
from hashlib import sha256

from annotate.archives.frozen import warc
from annotate.archives.frozen.frozen_file import FrozenFile
from annotate.archives.frozen.manifest import (
    DIGEST,
    INDEX,
    PACKAGE,
    PAGES,
    PICTURE,
    WARC,
    reference_member,
)
from annotate.archives.members import member_names, quote_member, read_member
from engine.bounds import read_object
from engine.errors import InputError

_LARGEST = 512 * 2**20
_LARGEST_LIST = 64 * 2**20
_MOST_SENTENCES = 20


def damage_of(file: FrozenFile) -> tuple[str, ...]:
    """Read all of the file; return a sentence a fault, at most `_MOST_SENTENCES`."""
    result: list[str] = []
    for check in (_members, _package, _digest, _pages, _archive, _certificate):
        try:
            result += check(file)
        except InputError as error:
            result.append(str(error))
    return tuple(dict.fromkeys(result))[:_MOST_SENTENCES]


def _members(file: FrozenFile) -> Iterator[str]:
    listed = file.manifest["members"]
    reference = reference_member(file.manifest["version"], "page.json")
    for name in sorted({WARC, INDEX, PAGES, PICTURE, reference} - listed.keys()):
        yield f"{name} in {file.path} is not among the members that the manifest lists"
    for name, digest in listed.items():
        yield from _same(file, name, digest)


def _package(file: FrozenFile) -> Iterator[str]:
    where = f"{PACKAGE} in {file.path}"
    package = read_object(read_member(file.path, PACKAGE, _LARGEST_LIST), where)
    if package.get("profile") != "data-package" or not isinstance(package.get("wacz_version"), str):
        yield f"{where} is not the description of a WACZ"
    if package.get("mainPageUrl") != file.manifest["address"]:
        yield f"{where} is of another page"
    resources = package.get("resources")
    if not isinstance(resources, list):
        raise InputError(f"{where} lists no members")
    listed: set[str] = set()
    for each in resources:
        if not _is_resource(each):
            raise InputError(f"{where} lists a member without path, name, size or SHA-256")
        path, digest = each["path"], each["hash"].removeprefix("sha256:")
        if path in listed:
            yield f"{where} lists {quote_member(path)} twice"
        listed.add(path)
        if file.manifest["members"].get(path) not in (None, digest):
            yield f"{where} has another SHA-256 of {quote_member(path)} than the manifest"
        yield from _same(file, path, digest, each["bytes"])
    for name in sorted(member_names(file.path) - listed - {PACKAGE, DIGEST}):
        yield f"{quote_member(name)} in {file.path} is not listed in {PACKAGE}"
    for name in sorted(file.manifest["members"].keys() - listed):
        yield f"{where} does not list {quote_member(name)}"


def _is_resource(value: object) -> bool:
    return (
        isinstance(value, dict)
        and all(isinstance(value.get(key), str) for key in ("path", "name", "hash"))
        and type(value.get("bytes")) is int
    )


def _same(file: FrozenFile, name: str, digest: str, size: int = -1) -> Iterator[str]:
    try:
        data = read_member(file.path, name, _LARGEST)
    except InputError as error:
        yield str(error)
        return
    if sha256(data).hexdigest() != digest or size not in (-1, len(data)):
        yield f"{quote_member(name)} in {file.path} was changed after it was written"


def _digest(file: FrozenFile) -> Iterator[str]:
    where = f"{DIGEST} in {file.path}"
    digest = read_object(read_member(file.path, DIGEST, _LARGEST_LIST), where)
    data = read_member(file.path, PACKAGE, _LARGEST_LIST)
    if digest.get("path") != PACKAGE or digest.get("hash") != f"sha256:{sha256(data).hexdigest()}":
        yield f"{where} is not of the {PACKAGE} beside it"


def _pages(file: FrozenFile) -> Iterator[str]:
    where = f"{PAGES} in {file.path}"
    lines = read_member(file.path, PAGES, _LARGEST_LIST).splitlines()
    every = [read_object(line, where) for line in lines if line.strip()]
    if not every or every[0].get("format") != "json-pages-1.0":
        yield f"{where} does not begin as a list of pages"
    address = file.manifest["address"]
    if not any(x.get("url") == address and isinstance(x.get("ts"), str) for x in every[1:]):
        yield f"{where} does not list {address}"


def _archive(file: FrozenFile) -> Iterator[str]:
    records = {each.offset: each for each in warc.records_of(file.path)}
    where = f"{INDEX} in {file.path}"
    seen: set[int] = set()
    for line in read_member(file.path, INDEX, _LARGEST_LIST).splitlines():
        entry = read_object(line.partition(b" ")[2].partition(b" ")[2], where)
        offset = entry.get("offset")
        at = int(offset) if isinstance(offset, str) and offset.isdecimal() else -1
        record = records.get(at)
        if record is None or not record.answers(entry):
            yield f"{where} does not say where {WARC} has what it lists"
            return
        seen.add(at)
    if len(seen) < len(records):
        yield f"{where} does not list all of {WARC}"


def _certificate(file: FrozenFile) -> tuple[str, ...]:
    file.certificate()
    return ()

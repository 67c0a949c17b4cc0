"""`look_into` identifies a file or folder by its content, within limits; it never raises.

At most `MOST_BYTES` of a file are read, and `MOST_ENTRIES` names of a folder.  Pipes and devices
are named and not opened.  Files packed with gzip are unpacked first.
"""

import os
import re
import stat
import zipfile
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import FunctionType

from annotate.archives import magic, zip_directory
from annotate.archives.frozen.frozen_file import is_frozen
from annotate.archives.members import BROKEN
from annotate.archives.page_ranges import ARCHIVE_SUFFIXES
from annotate.archives.text_kinds import text_in
from annotate.datasets import own_pages
from annotate.datasets.looking.found import Found, Kind, NextStep, quoted_path
from annotate.datasets.looking.json_forms import annotations, archive, read_json_page
from annotate.datasets.looking.text_forms import look_into_text
from annotate.datasets.no_pages import takes_none, without_errors
from annotate.datasets.readers import reader_of, readers
from annotate.datasets.saved_pages import HoldsNoPage, container_kind, kinds, read_saved
from annotate.workspace.workspace_file import is_workspace
from engine import held_files, plugin
from engine.document import HTML_SUFFIXES
from engine.errors import InputError, PageletError
from engine.words import cut_text, join_words, plural

MOST_BYTES = 16 * 2**20
"""Of a file that are read."""

MOST_ENTRIES = 5_000
"""Files and folders that are counted below a folder, and members of a zip that are named."""

_MOST_SAMPLED = 12
"""Files of a folder that are looked into to tell whose annotations they are."""

_RESPONSE = re.compile(rb"\nHTTP/[\d.]+ (\d{3})[^\r\n]*\r?\n((?:[^\r\n]+\r?\n)*)")
_HTML_TYPE = re.compile(rb"^content-type:\s*(?:text/html|application/xhtml)", re.I | re.M)
_RESOURCE = re.compile(rb"^WARC-Type: *resource\r?$", re.I | re.M)
_SAVED = (".mhtml", ".mht", ".webarchive", ".har", ".maff")
_FOREIGN = (*ARCHIVE_SUFFIXES, *_SAVED)
_ODD = (OSError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError,
        RuntimeError, MemoryError, *BROKEN)  # fmt: skip


def look_into(path: str | Path, *, is_counted: bool = True) -> Found:
    """Return kind and content of a path, and the possible next steps.

    Marks of other tools are counted as the import counts them, unless ``is_counted`` is False.
    """
    here = Path(path)
    try:
        here = here.expanduser()
        found = _possible(_look_into(here))
        is_whole = found.kind == "annotations" and found.key and not found.at_least
        return _with_marks(found) if is_counted and is_whole else found
    except PageletError as error:
        return _unknown(here, f"something that cannot be read ({cut_text(str(error), 120)})")
    except _ODD as error:
        why = getattr(error, "strerror", None) or cut_text(str(error), 120) or type(error).__name__
        return _unknown(here, f"something that cannot be read ({why})")


def _possible(found: Found) -> Found:
    """Return what a path is without steps of missing plug-ins, named where no step is left."""
    steps = tuple(each for each in found.steps if not each.plugin or plugin.has(each.plugin))
    names = dict.fromkeys(each.plugin for each in found.steps) if not steps else ()
    needed = (f"it {plugin.needs(name)}" for name in names)
    return replace(found, steps=steps, loses=(*found.loses, *needed))


def _look_into(path: Path) -> Found:
    mode = path.stat().st_mode
    if stat.S_ISDIR(mode):
        return _folder(path)
    if not stat.S_ISREG(mode):
        odd = {stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket"}
        return _unknown(path, f"{odd.get(stat.S_IFMT(mode), 'a device')}, not a file")
    if held_files.is_held(path):
        return _workspace(path)  # the one that is open: reading its bytes would drop its locks
    with held_files.open_held(path) as file:
        data = file.read(MOST_BYTES + 1)
    is_cut, data = len(data) > MOST_BYTES, data[:MOST_BYTES]
    found = _file(path, data, is_cut=is_cut)
    if found.kind not in ("web archive", "saved page"):
        return found
    if not any(kind.is_container for kind in kinds()):
        return replace(found, steps=(), loses=(f"it {plugin.needs('archives')}",))
    return found if is_cut else _counted(found)


def _with_marks(found: Found) -> Found:
    """Return annotations with how many marks the plug-in that reads them finds, if there is one."""
    for account_of in plugin.objects("marks", FunctionType):
        try:
            account = account_of(found.path, found.key)
        except InputError as error:
            return replace(found, loses=(*found.loses, str(error)))
        others = {unit: n for unit, n in found.counts.items() if unit in _HOLD_MARKS}
        return replace(found, counts={**others, account.unit: account.found})
    return found


_HOLD_MARKS = ("picture", "page", "text", "task", "file")


def _counted(found: Found) -> Found:
    """Return an archive or saved pages with what its reader finds in it."""
    try:
        saved = read_saved(found.path)
    except HoldsNoPage as error:
        counts = {"page": 0}
        return replace(found, steps=(), counts=counts, loses=(error.account.sentence(),))
    except InputError:
        return found  # opening it reports the error
    counts = {"page": len(saved.pages), saved.account.unit: saved.account.found}
    return replace(found, counts=counts, at_least=False)


def _file(path: Path, data: bytes, *, is_cut: bool) -> Found:
    if data.startswith(magic.SQLITE):
        if is_workspace(path):
            return _workspace(path)
        return _unknown(path, "an SQLite database, not a workspace")
    if data.startswith((b"WARC/", b"filedesc://")):
        return _archive(path, data, is_cut=is_cut)
    if zipfile.is_zipfile(path):
        return _zip(path, data)
    if data.startswith(magic.ZIP):
        return _unknown(path, "a zip without its end: it is cut short or damaged")
    if data.startswith(magic.GZIP):
        inner, is_part, is_damaged = _unpacked(data)
        if inner.startswith((b"WARC/", b"filedesc://")):
            return _archive(path, inner, is_cut=is_cut or is_part)
        is_cut = is_cut or is_part
        text = text_in(inner)
        found = _data_set(path) or look_into_text(path, text or "", is_cut=is_cut)
        if found.kind == "page" and not path.name.lower().endswith(HTML_SUFFIXES):
            return _unknown(path, "a page packed with gzip: unpack it, or call it .html.gz")
        if found.kind == "unknown":
            inside = magic.kind_of(inner[:4096]) or (found.title if inner and text else "")
            packed = f"a file packed with gzip{f', in it {inside}' if inside else ''}"
            packed += "; it is cut short or damaged" * (is_damaged and not is_cut)
            return _unknown(path, packed)
        return found
    name = path.name.lower()
    for start, ending in ((magic.ZSTD, ".zst"), (magic.LZ4, ".lz4")):
        if data.startswith(start) and name.endswith((f".warc{ending}", f".arc{ending}")):
            return _archive(path, b"", is_cut=True)
    if data.startswith(magic.BPLIST) and b"WebMainResource" in data:
        return read_json_page(
            path, "a page saved by Safari (.webarchive)", "webarchive", {"page": 1}
        )
    if kind := magic.kind_of(data[:4096]):
        return _unknown(path, magic.with_step(kind))
    text = text_in(data)
    if text is None:
        size = plural(path.stat().st_size, "byte")
        return _unknown(path, f"a binary file of an unknown kind ({size})")
    found = look_into_text(path, text, is_cut=is_cut)
    if found.kind in ("unknown", "annotations"):
        return _data_set(path) or found
    return found


def _unpacked(data: bytes) -> tuple[bytes, bool, bool]:
    """Return what gzip members hold, up to the limit, whether there is more, and any damage."""
    parts, size, is_damaged = [], 0, False
    while data.startswith(magic.GZIP) and size < MOST_BYTES:
        unpacker = zlib.decompressobj(wbits=31)
        try:
            part = unpacker.decompress(data, MOST_BYTES - size)
        except zlib.error:
            is_damaged = True
            break
        parts.append(part)
        size += len(part)
        is_damaged = not unpacker.eof
        data = unpacker.unused_data
    return b"".join(parts), size >= MOST_BYTES, is_damaged


# archives -------------------------------------------------------------------------------------
def _archive(path: Path, data: bytes, *, is_cut: bool) -> Found:
    """Return a web archive, with the number of pages in the part that was read."""
    form, begins = "WARC", rb"^(?i:WARC-Type:)"
    if data.startswith(b"filedesc:"):
        form, begins = "ARC", rb"^\S+:\S* \d[\d.]* \d{8,17} "
    answers = (match[2] for match in _RESPONSE.finditer(data) if match[1] == b"200")
    pages = sum(_HTML_TYPE.search(head) is not None for head in answers)
    records = len(re.findall(begins, data, re.MULTILINE))
    counts = {"page": pages, "record": records} if data else {}
    is_both = re.search(rb"^WARC-Type: *conversion\r?$", data, re.I | re.M)
    if is_both and _RESOURCE.search(data) and any(e.name == "L3S-GN1" for e in readers()):
        return _of_reader(path, "L3S-GN1")  # each page is beside its annotated copy
    return archive(path, f"a web archive ({form})", form.lower(), counts, at_least=is_cut)


def _zip(path: Path, data: bytes) -> Found:
    if zip_directory.count_of(path) > 50 * MOST_ENTRIES:
        return _unknown(path, f"a zip with more than {plural(50 * MOST_ENTRIES, 'file')}")
    if is_frozen(path):
        return _frozen(path)
    with zipfile.ZipFile(path) as package:
        names = [each.filename for each in package.infolist() if not each.is_dir()]
    known = set(names)
    lists = [each for each in names if each.startswith("archive/")]
    if "datapackage.json" in known and lists:
        return archive(path, "a web archive (WACZ)", "wacz", {"WARC file": len(lists)})
    count = sum(each.lower().endswith(".wacz") for each in names)
    kind = container_kind(path) if count else None
    if kind is not None and kind.is_archive:
        return archive(path, "a zip of WACZ packages", "multi-wacz", {"WACZ": count})
    if "head.npy" in known:
        step = NextStep(
            "Add it as a method", f"pagelet --method-file {quoted_path(path)}", "method"
        )
        return Found(path, "model", "a model of pagelet train", "npz", (step,))
    if other := magic.kind_of_zip(known):
        return _unknown(path, magic.with_step(other))
    html = [each for each in names if each.lower().endswith(HTML_SUFFIXES)]
    if re.match(rb"\s*<", data[:200]) or ("index.html" in known and "manifest.json" in known):
        return read_json_page(
            path, "a page saved by SingleFile (zip)", "singlefile-zip", {"page": 1}
        )
    has_gold = any(each.lower().endswith((".txt", ".json")) for each in names)
    if html and has_gold and (found := _data_set(path)):
        return found
    if html:
        unpack = NextStep(
            "Unpack it", f"unzip {quoted_path(path)} -d FOLDER && pagelet open FOLDER"
        )
        step = NextStep("Open its page", f"pagelet open {quoted_path(path)}", "open")
        return Found(path, "saved page", "a zip", "zip", (step, unpack), {"page": len(html)})
    if not names:
        return _unknown(path, "an empty zip")
    kinds = _endings(names)
    return _unknown(path, f"a zip with {plural(len(names), 'file')}, none a page{kinds}")


def _frozen(path: Path) -> Found:
    step = NextStep("Open it", f"pagelet open {quoted_path(path)}", "open")
    verify = NextStep("Verify it", f"pagelet verify {quoted_path(path)}")
    return Found(path, "page", "a frozen page (WACZ)", "frozen", (step, verify), {"page": 1})


# data sets and workspaces -----------------------------------------------------------------------
def _workspace(path: Path) -> Found:
    step = NextStep("Open it as workspace", f"pagelet --workspace {quoted_path(path)}", "workspace")
    return Found(path, "workspace", "a workspace of Pagelet", "pagelet", (step,))


def _data_set(path: Path) -> Found | None:
    try:
        reader = reader_of(path)
    except InputError as error:
        return _unknown(path, f"a data set in several layouts ({cut_text(str(error), 200)})")
    if reader is None or reader.name in ("gold files", "workspace"):
        return None
    if path.is_file() and (
        reader.name == "L3S-GN1" or (reader.name == "package" and not zipfile.is_zipfile(path))
    ):  # only by its name
        return None
    if reader.name == "L3S-GN1" and not (path / "annotated").is_dir():
        first = next((each for each in sorted(_names_in(path)) if _is_archive(each)), "")
        if not first or look_into(path / first).kind != "data set":
            return None
    return _of_reader(path, reader.name)


def _of_reader(path: Path, name: str) -> Found:
    step = NextStep("Open it", f"pagelet open {quoted_path(path)}", "open")
    score = NextStep("Evaluate methods on it", f"pagelet evaluate {quoted_path(path)}")
    return Found(path, "data set", f"a data set with gold ({name})", name, (step, score))


# folders --------------------------------------------------------------------------------------
def _folder(path: Path) -> Found:
    names = _names_in(path)
    if any(name.endswith(".pagelet-log") for name in names):
        command = f"pagelet team join {quoted_path(path)} --workspace FILE"
        step = NextStep("Join it", command, plugin="team_folder")
        return Found(path, "team folder", "a team folder", "team", (step,))
    if {"scores.csv", "scores.sqlite"} & names:
        step = NextStep("Show the results", f"pagelet open {quoted_path(path)}")
        return Found(path, "results", "a folder of an evaluation", "evaluation", (step,))
    if {"index.html", "methods", "pages"} <= names and (path / "pages" / "done.jsonl").is_file():
        step = NextStep("Open it in a browser", f"xdg-open {quoted_path(path / 'index.html')}")
        return Found(path, "bundle", "a bundle of pagelet bundle, for browsers", "bundle", (step,))
    if found := _data_set(path):
        return found
    files, is_cut = _files_below(path)
    if found := _annotations_in(path, files):
        return found
    problems: list[str] = []
    listed_pages = list(own_pages.documents(path, problems))
    archives = [each for each in files if _is_archive(each)]
    messages = [each for each in files if each.lower().endswith(_SAVED)]
    if listed_pages:
        pages, no_pages, _ = without_errors(listed_pages, path, takes_none)
        left_out = tuple((each.path, reason) for each, reason in no_pages)
        if left_out:
            problems.append(f"{plural(len(left_out), 'file')} called pages are left out")
        counts = {"page": len(pages), **({"archive": len(archives)} if archives else {})}
        step = NextStep("Open its pages", f"pagelet open {quoted_path(path)}", "open")
        every = NextStep("With what is left out", f"{step.command} --all")
        steps, loses = (step, every) if left_out else (step,), tuple(problems)
        kind: Kind = "folder of pages"
        more = steps, counts, loses, is_cut, left_out
        return Found(path, kind, f"a {kind}", "folder", *more)
    if archives:
        first = quoted_path(path / archives[0])
        step = NextStep("Open the first", f"pagelet open {first}")
        extract = NextStep("Extract all", f"pagelet extract gleaner {quoted_path(path)}")
        title, counts = "a folder of web archives", {"archive": len(archives)}
        return Found(path, "web archive", title, "folder", (step, extract), counts)
    if messages:
        step = NextStep("Open the first", f"pagelet open {quoted_path(path / messages[0])}")
        title, counts = "a folder of saved pages", {"saved page": len(messages)}
        return Found(path, "saved page", title, "folder", (step,), counts)
    if not files:
        return _unknown(path, "a folder that holds no pages and no other files")
    count = plural(len(files), "file")
    name = "a git repository" if ".git" in names else "a folder"
    return _unknown(path, f"{name} with {count}{' or more' * is_cut}, none a page{_endings(files)}")


def foreign_in(folder: Path) -> list[Found]:
    """Return the archives and saved pages that lie right in a folder, the first few of them."""
    names = [each for each in sorted(_names_in(folder)) if each.lower().endswith(_FOREIGN)]
    found = [look_into(folder / each) for each in names[:_MOST_SAMPLED]]
    return [each for each in found if each.kind in ("web archive", "saved page")]


def _is_archive(name: str) -> bool:
    return name.lower().endswith(ARCHIVE_SUFFIXES)


def _names_in(path: Path) -> set[str]:
    with os.scandir(path) as entries:
        return {entry.name for entry, _ in zip(entries, range(MOST_ENTRIES), strict=False)}


def _files_below(path: Path) -> tuple[list[str], bool]:
    """Return the files below a folder by their relative paths, and whether there are more."""
    files: list[str] = []
    for seen, (parent, folders, names) in enumerate(os.walk(path)):
        folders[:] = sorted(each for each in folders if not each.startswith("."))
        below = Path(parent).relative_to(path)
        files += [(below / name).as_posix() for name in sorted(names)]
        if len(files) > MOST_ENTRIES or seen > MOST_ENTRIES:
            return files[:MOST_ENTRIES], True
    return files, False


def _annotations_in(path: Path, files: Sequence[str]) -> Found | None:
    """Return the kind of annotations that most files of one suffix in a folder have."""
    for ending in (".json", ".ann", ".tsv", ".xmi", ".xml", ".txt"):
        named = [each for each in files if each.lower().endswith(ending)]
        if not named or any(each.lower().endswith(HTML_SUFFIXES) for each in files):
            continue
        step = max(1, len(named) // _MOST_SAMPLED)
        sample = [look_into(path / x, is_counted=False) for x in named[::step][:_MOST_SAMPLED]]
        marked = Counter((f.title, f.key) for f in sample if f.kind == "annotations")
        has_list = bool({"classes.txt", "obj.names", "data.yaml"} & set(files))
        if marked and marked.most_common(1)[0][1] * 2 > len(sample) - has_list:
            (title, key), _ = marked.most_common(1)[0]
            found = annotations(path, title.removeprefix("annotations of "), key)
            return replace(found, title=f"a folder of {title}", counts={"file": len(named)})
    return None


def _endings(names: Sequence[str]) -> str:
    counts = Counter(Path(each).suffix.lower() for each in names)
    counts.pop("", None)
    words = [f"{count} {ending[:12]}" for ending, count in counts.most_common(3)]
    return f" ({join_words(words)})" if words else ""


def _unknown(path: Path, title: str) -> Found:
    return Found(path, "unknown", title)

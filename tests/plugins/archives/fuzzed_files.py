"""Files of saved pages with one part removed, doubled or renamed: none refused, losses reported.

    python -m tests.plugins.archives.fuzzed_files [COUNT [SEED]]

Each valid file holds two pages or a page and a frame, so that one of them stays whatever is done to
the other.
"""

import json
import plistlib
import random
import sys
import tempfile
import zipfile
from collections import Counter
from pathlib import Path

from annotate.archives.page_ranges import PageRanges, pages
from annotate.datasets.opening import open_pages
from annotate.datasets.saved_pages import read_saved
from engine.account import Account
from engine.errors import InputError
from tests.annotate.datasets import test_folders
from tests.plugins.archives import test_har
from tests.plugins.archives import test_packed_pages as packed
from tests.plugins.archives import test_warc_pages as archives

HARMS = ("taken out", "doubled", "renamed")


def harmed(value, dice, harm, depth=0):
    """Return a tree of JSON or of a property list with one part changed."""
    if isinstance(value, dict) and value and ((depth > 1 and dice.random() < 0.5) or depth > 5):
        key = dice.choice(sorted(value))
        changed = dict(value)
        part = changed.pop(key)
        if harm == "renamed":
            changed[f"x{key}"] = part
        elif harm == "doubled":
            changed[key] = [part, part]
        return changed
    if isinstance(value, dict) and value:
        key = dice.choice([k for k in sorted(value) if isinstance(value[k], (dict, list))]
                          or sorted(value))  # fmt: skip
        return {**value, key: harmed(value[key], dice, harm, depth + 1)}
    if isinstance(value, list) and value:
        at = dice.randrange(len(value))
        rest = value[:at], value[at + 1 :]
        if harm == "renamed" or len(value) < 3:
            return [*rest[0], harmed(value[at], dice, harm, depth + 1), *rest[1]]
        return [*rest[0], *([value[at]] * (0 if harm == "taken out" else 2)), *rest[1]]
    return value


def in_lines(data, dice, harm, first):
    """Return bytes with one line changed, behind the first ones."""
    lines = data.splitlines(keepends=True)
    at = dice.randrange(first, len(lines))
    line = lines[at]
    new = {"taken out": [], "doubled": [line, line], "renamed": [b"X-" + line]}[harm]
    return b"".join([*lines[:at], *new, *lines[at + 1 :]])


def zipped(path, members, dice, harm):
    """Write a zip with one member changed."""
    chosen = dice.choice(sorted(members))
    with zipfile.ZipFile(path, "w") as package:
        for name, data in in_names(members, chosen, harm).items():
            package.writestr(name, data)


def in_names(members, chosen, harm):
    """Return files by their names with one changed."""
    result = dict(members)
    if harm != "doubled":
        del result[chosen]
    if harm == "renamed":
        folder, _, name = chosen.rpartition("/")
        result[f"{folder}/x-{name}".lstrip("/")] = members[chosen]
    elif harm == "doubled":
        result[f"{chosen}.copy"] = members[chosen]
    return result


def of_har(folder, path, dice, harm):
    entries = [test_har.entry(f"/{n}", test_har.page(n)) for n in ("a", "b")]
    entries += [test_har.entry(*test_har.CSS), test_har.entry("/x", status=404)]
    whole = test_har.har(*entries, pages=test_har.PAGES, creator={"name": "x"})
    path.write_text(json.dumps(harmed(whole, dice, harm)))


def of_playwright(folder, path, dice, harm):
    entries = [test_har.entry(f"/{n}", text=None, _file=f"{n}.html") for n in ("a", "b")]
    members = {f"{n}.html": test_har.page(n) for n in ("a", "b")}
    zipped(path, {**members, "har.har": json.dumps(test_har.har(*entries))}, dice, harm)


def of_safari(folder, path, dice, harm):
    frame = dict(packed.safari()["WebMainResource"], WebResourceURL="https://news.example/f")
    path.write_bytes(plistlib.dumps(harmed(packed.safari(frame), dice, harm)))


def of_mhtml(folder, path, dice, harm):
    parts = [(packed.PART, packed.HTML), (f"{packed.PART}/frame", packed.HTML)]
    style = (f"{packed.STYLE}https://news.example/look.css", packed.CSS)
    path.write_bytes(in_lines(packed.mhtml(*parts, style), dice, harm, 5))


def of_arc(folder, path, dice, harm):
    pages = [(b"http://news.example/%d" % n, b"text/html", archives.PAGE) for n in range(3)]
    path.write_bytes(in_lines(archives.arc(*pages), dice, harm, 4))


def of_warc(folder, path, dice, harm):
    digest = {"WARC-Payload-Digest": "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"}
    pages = [archives.page(str(n), **digest) for n in range(3)]
    again = archives.page("again", b"", kind="revisit", **digest)
    data = archives.warc(*pages, again, packed=False, version=dice.choice(("1.0", "1.1")))
    path.write_bytes(in_lines(data, dice, harm, 1))


def of_wacz(folder, path, dice, harm):
    lists = [("pages", [f"{archives.HOME}1"]), ("extraPages", [f"{archives.HOME}2"])]
    parts = (archives.warc(archives.page(str(n))) for n in (1, 2))
    with zipfile.ZipFile(archives.wacz(folder, lists, *parts)) as whole:
        zipped(path, {name: whole.read(name) for name in whole.namelist()}, dice, harm)


def of_zip(folder, path, dice, harm):
    about = json.dumps({"originalUrl": packed.HOME})
    zipped(path, {"index.html": packed.HTML, "look.css": packed.CSS, "manifest.json": about,
                  "frame/a.html": "<p>in a frame", "a.png": b"\x89PNG"}, dice, harm)  # fmt: skip


def of_mirror(folder, path, dice, harm):
    page = packed.HTML + "<img src='a.png'>"
    files = {"tea.example/index.html": page, "tea.example/b/c.html": page, "hts-log.txt": "x",
             "tea.example/a.png": "<html><title>404 Not Found</title>",
             "tea.example/d?id=1": page}  # fmt: skip
    test_folders.write(path, in_names(files, dice.choice(sorted(files)), harm))


def of_complete(folder, path, dice, harm):
    whole = test_folders.complete(folder / f"{path.name}-whole")
    names = (each for each in sorted(whole.rglob("*")) if each.is_file())
    files = {each.relative_to(whole).as_posix(): each.read_bytes() for each in names}
    files["Green.html"] = packed.HTML
    test_folders.write(path, in_names(files, dice.choice(sorted(files)), harm))


FORMS = {"har": of_har, "har.zip": of_playwright, "webarchive": of_safari, "mhtml": of_mhtml,
         "arc": of_arc, "warc": of_warc, "wacz": of_wacz, "zip": of_zip, "mirror": of_mirror,
         "complete": of_complete}  # fmt: skip


def trial(seed, folder):
    """Write one file and read it; return its form and what went wrong, "" if nothing did."""
    dice = random.Random(seed)
    harm, form = dice.choice(HARMS), dice.choice(sorted(FORMS))
    path = folder / f"{seed}.{form}"
    FORMS[form](folder, path, dice, harm)
    try:
        try:
            found = read_saved(path)
            account, documents = found.account, found.documents
        except InputError:  # the door takes more: a zip of pages is a data set without gold
            documents = open_pages(path).documents
            account = Account("page", taken=len(documents))
        texts = [document.receive().data for document in documents]
        counts = extracted(path) if form in ("arc", "warc", "wacz") else (0, 0)
    except InputError as error:
        return form, f"refused ({harm}): {error}"
    except Exception as error:  # noqa: BLE001  that is what is looked for
        return form, f"traceback ({harm}): {type(error).__name__}: {error}"
    if not account.found or not all(texts):
        return form, f"unreported ({harm})"
    if account.found < len(texts) or counts[0] != counts[1]:
        return form, f"the account does not add up ({harm}): {counts}"
    return form, ""


def extracted(path):
    """Return how many records ``extract --in`` finds, and how many it gives or counts."""
    contents = []
    ranges = PageRanges(100, contents)
    parts = [*ranges.ranges(path, path.name), *ranges.revisits()]
    rows = sum(1 for part in parts for _ in pages(part))
    damaged = sum(each.damaged for each in contents)
    records = sum(each.records for each in contents)
    said = rows + sum(sum(each.kinds.values()) for each in contents)
    return (records, said) if not damaged else (0, 0)


def run(count, seed=0):
    """Return how many files there were of each form, and what went wrong."""
    counts, findings = Counter(), []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(seed, seed + count):
            form, finding = trial(number, Path(folder))
            counts[form] += 1
            if finding:
                findings.append(f"{number} {form}: {finding}")
    return counts, findings


if __name__ == "__main__":
    numbers = [int(each) for each in sys.argv[1:]]
    counts, findings = run(*numbers or [300])
    print("\n".join(findings))
    print(f"{dict(counts)}, {len(findings)} findings")

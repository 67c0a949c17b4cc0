"""Files of saved pages with one part taken out, doubled or renamed: none refused, none unsaid.

    python -m tests.fuzz.saved_files [COUNT [SEED]]

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

from annotate.datasets.saved_pages.kinds import read_saved
from engine.errors import InputError
from tests.annotate.datasets.saved_pages import test_archives as archives
from tests.annotate.datasets.saved_pages import test_packed_pages as packed

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


def trial(seed, folder):
    """Write one file and read it; return its form and what went wrong, "" if nothing did."""
    dice = random.Random(seed)
    harm, form = dice.choice(HARMS), dice.choice(("warc", "arc", "wacz", "mhtml", "har", "safari"))
    path = folder / f"{seed}.{form}"
    if form == "har":
        whole = packed.har()
        whole["log"]["entries"] *= 2
        path.write_text(json.dumps(harmed(whole, dice, harm)))
    elif form == "safari":
        frame = dict(packed.safari()["WebMainResource"], WebResourceURL="https://news.example/f")
        path = path.with_suffix(".webarchive")
        path.write_bytes(plistlib.dumps(harmed(packed.safari(frame), dice, harm)))
    elif form == "mhtml":
        other = packed.PART + "/frame"
        data = packed.mhtml((packed.PART, packed.HTML), (other, packed.HTML))
        path.write_bytes(in_lines(data, dice, harm, 5))
    elif form == "arc":
        pages = [(b"http://news.example/%d" % n, b"text/html", archives.PAGE) for n in range(3)]
        path.write_bytes(in_lines(archives.arc(*pages), dice, harm, 4))
    elif form == "warc":
        data = archives.warc(*(archives.page(str(n)) for n in range(3)), packed=False)
        path.write_bytes(in_lines(data, dice, harm, 1))
    else:
        lists = [("pages", [f"{archives.HOME}1"]), ("extraPages", [f"{archives.HOME}2"])]
        whole = archives.wacz(
            folder, lists, *(archives.warc(archives.page(str(n))) for n in (1, 2))
        )
        with zipfile.ZipFile(whole) as old, zipfile.ZipFile(path, "w") as new:
            names = old.namelist()
            chosen = dice.choice(names)
            for name in names:
                if name != chosen:
                    new.writestr(name, old.read(name))
                elif harm != "taken out":
                    new.writestr(f"x-{name}" if harm == "renamed" else name, old.read(name))
                    if harm == "doubled":
                        new.writestr(f"{name}.copy", old.read(name))
    try:
        found = read_saved(path)
    except InputError as error:
        return form, f"refused ({harm}): {error}"
    except Exception as error:  # noqa: BLE001  that is what is looked for
        return form, f"traceback ({harm}): {type(error).__name__}: {error}"
    return form, "" if found.account.found else f"unsaid ({harm})"


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

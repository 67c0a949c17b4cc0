"""Models nobody would train: whole ones damaged in every part, and some made to do harm.

    python -m tests.fuzz.models [COUNT [SEED]]

prints how many were refused in a sentence and how many were read, what went wrong, and the largest
memory that all of it took.
"""

import io
import json
import random
import resource
import sys
import tempfile
import time
import warnings
import zipfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

import resources
from algorithms.core.attempt import attempt
from algorithms.own.model_files import method_of
from engine.errors import PageletError
from engine.page import Page
from engine.source import Source
from tests.annotate.pages import nodes_of
from tests.fuzz.files import ODD

SECONDS = 10.0
HTML = "<title>Late</title><ul><li><a href=/>Home</a></ul><article><h1>The ferry</h1>" + (
    "<p>The ferry was late that day, and nobody in the harbour knew why.</p>" * 5
)
HEADS = (
    "{'descr': '<f4', 'fortran_order': False, 'shape': (1<<40,), }",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }",
    "{'descr': '|O', 'fortran_order': False, 'shape': (1,), }",
    "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }",
    "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 2), }",
    "{'descr': '<U0', 'fortran_order': False, 'shape': (9999999999,), }",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (L,), }",
    "{" * 300, "(" * 5000, "'''", "0x", "\x00", "{'descr': }", "[" * 9000 + "]" * 9000, "\\", "1L",
)  # fmt: skip

Members = dict[str, bytes]


@dataclass(frozen=True)
class Trial:
    """What came of one file.

    Attributes:
        harm: What was done to it.
        said: The sentence that refuses it; "" where it was read.
        finding: What is wrong with Pagelet's answer; "" where nothing is.
    """

    harm: str
    said: str
    finding: str = ""


@cache
def _whole(name: str) -> Members:
    """Return the members of a model that ships; hashed weights cut short, so that it is quick."""
    with np.load(resources.path(name)) as stored:
        arrays = {key: stored[key] for key in stored.files}
    cut = {key: array[:1024] if key.endswith("_values") else array for key, array in arrays.items()}
    return {f"{key}.npy": _npy(array) for key, array in cut.items()}


def _npy(array: np.ndarray) -> bytes:
    file = io.BytesIO()
    np.save(file, array, allow_pickle=False)
    return file.getvalue()


def _zip(members: Members, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return file.getvalue()


def _array_of(members: Members, name: str) -> np.ndarray:
    return np.load(io.BytesIO(members[name]))


def _head(chance: random.Random, members: Members) -> bytes:
    name = chance.choice([*members])
    text = chance.choice(HEADS).encode("latin-1")[:65_000]
    head = b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text
    return _zip(members | {name: head + members[name][128:]})


def _shape(chance: random.Random, members: Members) -> bytes:
    name = chance.choice([*members])
    array = _array_of(members, name)
    shapes = ((array.size, 1), (1, array.size), (0,), (), (1,) * 30, (array.size // 2,))
    kinds = ("<f2", ">f4", "<i8", "<c16", "?", "<M8[s]", "<U4", "<f8", "u1")
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        made = np.resize(array, chance.choice(shapes))
        made = made.astype(chance.choice(kinds)) if chance.random() < 0.5 else made
    return _zip(members | {name: _npy(made)})


def _values(chance: random.Random, members: Members) -> bytes:
    name = chance.choice([each for each in members if each != "head.npy"])
    array = _array_of(members, name).copy()
    flat = array.reshape(-1)
    odd = [0, 1, -1, 127] + ([np.nan, np.inf, 3e38, -3e38] if array.dtype.kind == "f" else [])
    if array.dtype.kind == "i":
        odd += [np.iinfo(array.dtype).max, np.iinfo(array.dtype).min]
    for _ in range(chance.choice((1, 5, flat.size))):
        flat[chance.randrange(flat.size)] = chance.choice(odd)
    return _zip(members | {name: _npy(array)})


def _names(chance: random.Random, members: Members) -> bytes:
    name, other = chance.sample([*members], 2)
    what = chance.randrange(4)
    if what == 0:
        return _zip({key: data for key, data in members.items() if key != name})
    if what == 1:
        return _zip(members | {name: members[other]})
    if what == 2:
        return _zip(members | {"../../x.npy": members[name], "net7_weight0.npy": members[other]})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        file = io.BytesIO(_zip(members))
        with zipfile.ZipFile(file, "a") as archive:
            archive.writestr(name, members[other])
        return file.getvalue()


def _card(chance: random.Random, members: Members) -> bytes:
    head = json.loads(_array_of(members, "head.npy").tobytes())
    where = chance.choice((head, head["card"]))
    where[chance.choice([*where])] = chance.choice([each for each in ODD if each == each])
    text = json.dumps(head)
    if chance.random() < 0.2:
        text = chance.choice(("[" * 50_000, "9" * 5_000, "{}", "null", '"', text[:-5], "\x00"))
    return _zip(members | {"head.npy": _npy(np.frombuffer(text.encode(), np.uint8))})


def _bytes(chance: random.Random, members: Members) -> bytes:
    data = bytearray(_zip(members))
    what = chance.randrange(4)
    if what == 0:
        return bytes(data[: chance.randrange(len(data))])
    if what == 1:
        at = chance.randrange(len(data))
        return bytes(data[:at] + bytes(chance.randrange(999)) + data[at:])
    first = len(data) - 3_000 if what == 2 else 0  # the directory, or anywhere
    for _ in range(chance.choice((1, 9, 99))):
        data[chance.randrange(max(first, 0), len(data))] = chance.randrange(256)
    return bytes(data)


def _bomb(chance: random.Random, members: Members) -> bytes:
    roots = next(key for key in members if key.endswith("_roots.npy"))
    part = roots.removesuffix("roots.npy")
    what = chance.randrange(5)
    if what == 0:
        return _zip(members | {roots: _npy(np.zeros(4_000_000, np.int32))})
    if what == 1:
        size = 900_000
        along = np.minimum(np.arange(size) + 1, size - 1).astype(np.int32)
        trees = {"left": along, "right": along, "roots": np.zeros(300, np.int32)}
        trees["column"] = np.where(np.arange(size) < size - 1, 0, -1).astype(np.int16)
        trees |= {"limit": np.zeros(size, np.float32), "value": np.zeros(size, np.float32)}
        return _zip(members | {f"{part}{key}.npy": _npy(each) for key, each in trees.items()})
    if what == 2:
        return _zip({f"a{k}.npy": b"" for k in range(20_000)} | members)
    if what == 3:
        packer = chance.choice((zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA, zipfile.ZIP_DEFLATED))
        return _zip(members | {"more.npy": bytes(200_000_000)}, packer)
    wide = {"types_scale.npy": _npy(np.ones((1, 8_000_000), np.float32))}
    return _zip(members | wide | {"types_values.npy": _npy(np.ones((8_192, 1), np.int8))})


HARMS: dict[str, Callable[[random.Random, Members], bytes]] = {
    "head of an array": _head, "shape": _shape, "values": _values, "names": _names,
    "card": _card, "bytes": _bytes, "bomb": _bomb,
}  # fmt: skip


def damaged(seed: int) -> tuple[str, bytes]:
    """Return what is done to the model of a seed, and the file."""
    chance = random.Random(seed)
    members = _whole(chance.choice(("gleaner/model.npz", "terrain-learned/model.npz")))
    rare = seed % 25 == 0  # bombs take some seconds to make
    harm = "bomb" if rare else chance.choice([each for each in HARMS if each != "bomb"])
    return harm, HARMS[harm](chance, members)


def tried(seed: int, folder: Path) -> Trial:
    """Read the model of a seed, and let it read a page if it can."""
    harm, data = damaged(seed)
    path = folder / "gleaner-damaged.npz"
    path.write_bytes(data)
    page = Page("x", original=Source.from_text(HTML), nodes=nodes_of(HTML))
    start, said, finding = time.monotonic(), "", ""
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            entry = method_of(path)
            attempt(entry, page, entry.params(), entry.inputs[0])
            if not entry.summary.isprintable():
                finding = "its summary has control characters"
        except PageletError as error:
            said = str(error)
            if "\n" in said or len(said) > 400 + len(str(path)):
                finding = f"not a sentence: {said[:80]!r}"
        except BaseException as error:  # noqa: BLE001  (this is what is looked for)
            finding = f"{type(error).__name__}: {error}"[:200]
    if warned and not finding:
        finding = f"warns: {warned[0].message}"
    if time.monotonic() - start > SECONDS:
        finding = f"took {time.monotonic() - start:.1f} s"
    return Trial(harm, said, finding)


def main(count: int = 600, first: int = 0) -> int:
    """Try models and print what came of them."""
    refused: Counter[str] = Counter()
    every: Counter[str] = Counter()
    findings = []
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(first, first + count):
            trial = tried(seed, Path(folder))
            every[trial.harm] += 1
            refused[trial.harm] += bool(trial.said)
            if trial.finding:
                findings.append(f"seed {seed}, {trial.harm}: {trial.finding}")
    for harm in every:
        print(f"{harm:18} {every[harm]:4} tried, {refused[harm]:4} refused in a sentence")
    print(*findings, sep="\n")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(f"{len(findings)} findings in {count}; at most {peak:.2f} GB of memory")
    return bool(findings)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))

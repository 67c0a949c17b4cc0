"""Memory does not grow with the pages of a data set, but for the numbers of a summary."""

import gc
import tracemalloc
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.core.batch import RunStatus
from algorithms.measures.prf import Score
from annotate.archives import zip_directory
from annotate.archives.disk_names import DiskNames, OrderedNames, order_key
from annotate.archives.page_files import in_order
from annotate.archives.page_ranges import PageRanges, pages
from annotate.datasets.key_numbers import KeyNumbers
from annotate.datasets.readers import read_dataset
from annotate.datasets.stored_listing import StoredListing
from annotate.evaluation.store.predictions import PredictedPage, write_package
from annotate.evaluation.store.rows import ResultRow, RunFacts
from annotate.evaluation.store.run_store import PlannedRuns, RunStore
from annotate.evaluation.tables.result_table import Results
from engine.errors import InputError

FEW, MANY = 400, 1200
MEASURES = ("cs", "ws", "bow", "sow")


def bytes_a_page(work):
    """Return by how many bytes the peak of memory rises with each page more.

    It is the lower of two: what other threads of the process take meanwhile only adds.
    """
    work(10)  # modules, caches
    return min(peak(work, MANY) - peak(work, FEW) for _ in range(2)) / (MANY - FEW)


def peak(work, count):
    gc.collect()
    tracemalloc.start()
    try:
        work(count)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.fixture(scope="module")
def packages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("packages")
    for count in (10, FEW, MANY):
        some = (PredictedPage(f"page-{k}", b"<p>a", "a", {"title": f"{k}"}) for k in range(count))
        write_package(folder / f"{count}.zip", "many", some)
        (folder / str(count)).mkdir()
        for k in range(count):
            (folder / str(count) / f"page-{k}.html").write_bytes(b"<p>a")
    return folder


@pytest.mark.slow
def test_listing_a_package_takes_under_150_bytes_a_page(packages):
    def listed(count):
        dataset = read_dataset(packages / f"{count}.zip")
        assert sum(1 for _ in dataset.cases(["original"])) == len(dataset.pages) == count

    assert bytes_a_page(listed) < 150  # the names in its index, for a moment


@pytest.mark.slow
def test_listing_a_folder_for_extraction_takes_under_20_bytes_a_page(packages):
    def listed(count):
        parts = list(PageRanges(100, []).ranges(packages / str(count), ""))
        assert sum(1 for part in parts for _ in pages(part)) == count

    assert bytes_a_page(listed) < 20


@pytest.mark.slow
def test_an_evaluated_page_takes_under_450_bytes(tmp_path):
    kinds = frozenset(("bte", "1", "{}", measure) for measure in MEASURES)

    def evaluated(count):
        keys = lambda: ((("set", f"page-{k}", "original"), kinds) for k in range(count))  # noqa: E731
        with RunStore(tmp_path / f"{count}.csv", PlannedRuns(keys)) as store:
            for number, (key, _) in enumerate(keys()):
                run = RunFacts(*key, "bte", "1", ms=1.5, page_hash=f"{number:064x}")
                store.add(key, [ResultRow(run, m, RunStatus.OK, "", Score(0.5)) for m in MEASURES])
            store.finish()
            results = Results.of(store, store.pages())
        assert len(results.pages) == count
        assert results.facts[count - 1, 0].run.page_hash == f"{count - 1:064x}"

    # 25 bytes a measure, 140 a run, 60 for name and place
    assert bytes_a_page(evaluated) < 450


@given(
    st.lists(st.text(st.characters(exclude_characters="\0"), min_size=1), max_size=6, unique=True)
)
def test_names_on_disk_are_in_natural_order(names):
    names = [name for name in names if Path(name).as_posix() == name]
    expected = sorted(
        names, key=lambda name: (in_order(Path(name)), name.encode("utf-8", "surrogatepass"))
    )
    assert list(OrderedNames((0, name) for name in names)) == expected
    assert sorted(names, key=order_key) == sorted(names, key=lambda name: in_order(Path(name)))


def test_names_on_disk_are_counted_once():
    names = DiskNames([("a", 1), ("\udcff", 2), ("a", 3)])
    assert (names.count, names.number("a"), names.number("\udcff"), names.number("b")) == (
        2,
        1,
        2,
        None,
    )


def test_equal_keys_share_the_number_of_the_first():
    numbers = KeyNumbers(lambda: [("a", "b"), ("c",), ("a", "b"), ("d",)])
    assert [numbers.get(key) for key in [("a", "b"), ("c",), ("d",), ("e",)]] == [0, 1, 2, -1]
    assert list(numbers) == [("a", "b"), ("c",), ("d",)]


def test_a_stored_listing_returns_its_pages_and_the_first_of_each_name():
    listing = StoredListing((f"page {k % 600}", {"": k}) for k in range(700))
    assert listing[650] == ("page 50", {"": 650}) == listing[-50]
    assert list(listing[10:12]) == [("page 10", {"": 10}), ("page 11", {"": 11})]
    firsts, more = listing.first_of_each()
    assert list(firsts) == [(f"page {k}", {"": k}) for k in range(600)]
    assert more == {f"page {k}": 1 for k in range(100)}


@pytest.mark.parametrize("before", [b"", b"#!/bin/sh\n"])
@pytest.mark.parametrize("comment", [b"", b"PK said so"])
def test_a_zip_directory_read_in_parts_lists_the_same_entries(tmp_path, before, comment):
    path = tmp_path / "some.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        for number in range(2500):
            package.writestr(f"ä/{number}.html", f"page {number}")
        package.comment = comment
    path.write_bytes(before + path.read_bytes())
    entries = list(zip_directory.entries(path))
    with zipfile.ZipFile(path) as package, path.open("rb") as file:
        assert [name for name, _ in entries] == package.namelist()
        for name, at in entries[::500]:
            with zip_directory.open_entry(file, at) as part:
                assert part.namelist() == [name]
                assert part.read(name) == package.read(name)


def test_a_package_changed_after_listing_is_read_in_its_present_state(tmp_path):
    path = tmp_path / "many.zip"
    write_package(path, "many", [PredictedPage(n, b"<p>old", "old", {}) for n in ("a", "b")])
    (case, other) = read_dataset(path).cases(["original"])
    write_package(path, "many", [PredictedPage("b", b"<p>other and longer", "new", {})])
    assert other.files.document().receive().data == b"<p>other and longer"
    assert other.files.text(None) == "new"
    with pytest.raises(InputError, match="is missing"):
        case.files.document().receive()

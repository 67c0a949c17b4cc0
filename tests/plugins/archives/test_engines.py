"""Test that every engine gives exactly the same scores."""

import json
from concurrent.futures import ThreadPoolExecutor

import pagelet
import pytest

from tests.library.test_engines import METHODS
from tests.plugins.archives.warc_files import records, write_warc
from tests.without_times import without_times


@pytest.fixture(scope="module")
def cases():
    return pagelet.dataset(pagelet.samples())


@pytest.fixture(scope="module")
def alone(cases, tmp_path_factory):
    out = tmp_path_factory.mktemp("alone")
    pagelet.evaluate(cases, METHODS, out=out)
    return without_times(out / "scores.csv")


@pytest.mark.parametrize("jobs", [0, 2])
def test_jobs_are_refused_beside_an_executor(cases, tmp_path, jobs):
    why = "jobs must be at least 1, got 0" if jobs == 0 else "leave out jobs=2: ThreadPoolExecutor"
    archive = write_warc(tmp_path / "a.warc.gz", records(1))
    with ThreadPoolExecutor(1) as executor:
        how = {"executor": executor, "jobs": jobs}
        with pytest.raises(pagelet.InputError, match=why):
            pagelet.evaluate(cases, "plain", **how)
        with pytest.raises(pagelet.InputError, match=why):
            list(pagelet.stream(cases, "plain", **how))
        with pytest.raises(pagelet.InputError, match=why):
            pagelet.extract(archive, out=tmp_path / "out", **how)


@pytest.mark.slow
def test_archives_are_extracted_with_an_executor(tmp_path):
    archive = write_warc(tmp_path / "a.warc.gz", records(6))
    alone = pagelet.extract(archive, out=tmp_path / "alone", format="jsonl", shard_records=3)
    with ThreadPoolExecutor(2) as executor:
        there = pagelet.extract(
            [archive], out=tmp_path / "there", format="jsonl", shard_records=3, executor=executor
        )
    assert (there.pages, there.counts, there.shards) == (alone.pages, alone.counts, alone.shards)
    rows = [
        [json.loads(line) | {"ms": 0} for file in sorted((tmp_path / name).glob("*.jsonl"))
         for line in file.read_text("utf-8").splitlines()]
        for name in ("alone", "there")
    ]  # fmt: skip
    assert rows[0] == rows[1]
    with pytest.raises(pagelet.InputError, match="is not a method that extracts"):
        pagelet.extract(archive, "vips", out=tmp_path / "no")

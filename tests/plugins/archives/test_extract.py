"""Archives are extracted into rows: complete, typed, resumable, and safe from pages that crash."""

import gzip
import json
import os
import signal
import sys
import time
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from algorithms.core.batch import Setup
from algorithms.core.catalogue import method
from annotate.evaluation.run.run_options import PageChoice
from annotate.extract.extracted_rows import ExtractedPage, FinishedRows, columns_with
from annotate.extract.run import extract, setups_beside, shards_of, usual_beside
from annotate.extract.work import ExtractionJob
from engine.errors import InputError
from engine.word_units import words_in
from engine.words import UNICODE
from tests.plugins.archives.warc_files import (
    STORIES,
    answer,
    page,
    record,
    records,
    write_warc,
)


def crawl(out, key="bte", kind="jsonl", beside=None, **options):
    setup = Setup(key, method(key).params(), method(key).inputs[0])
    beside = setups_beside(setup, usual_beside(setup) if beside is None else beside)
    return ExtractionJob(setup, beside, out, kind, **options)


def rows(out):
    texts = [file.read_text("utf-8") for file in sorted(out.glob("[!_]*.jsonl"))]
    result = [json.loads(line) for text in texts for line in text.splitlines()]
    for row in result:
        assert list(row) == list(columns_with())
    return result


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    return write_warc(tmp_path_factory.mktemp("crawl") / "tea.warc.gz", records(6))


@pytest.fixture(scope="module")
def found(archive, tmp_path_factory):
    out = tmp_path_factory.mktemp("out")
    extract(shards_of([archive], crawl(out), most=3), 2)
    return rows(out)


def test_every_page_is_a_row_with_its_text_and_language(found):
    assert len(found) == 7
    assert [row["language"] for row in found] == ["en", "de", "fr", "en", "de", "fr", "de"]
    for row in found:
        assert row["status"] == "ok"
        assert row["text"] in STORIES.values()
        assert row["words"] == len(words_in(row["text"]))
        assert row["archive"] == "tea.warc.gz"
        assert row["date"] == "2024-05-06T07:08:09Z"
        assert 0.0 <= row["confidence"] <= 1.0
        assert row["linked"] == 0.0
        assert row["page_words"] == row["words"] + 16  # links
    assert found[6]["encoding"] == "windows-1252"
    assert found[1]["title"] == "Tea 1"


@pytest.mark.slow
def test_pandas_polars_and_pyarrow_read_the_same_parquet_rows(archive, found, tmp_path):
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    dataset = pytest.importorskip("pyarrow.dataset")
    extract(shards_of([archive], crawl(tmp_path, kind="parquet"), most=3), 1)
    one, other = pandas.read_parquet(tmp_path), polars.read_parquet(tmp_path)
    assert dataset.dataset(tmp_path).to_table().num_rows == 7
    assert [each.isoformat() for each in one["date"]] == 7 * ["2024-05-06T07:08:09+00:00"]
    assert str(other.schema["date"]) == "Datetime(time_unit='us', time_zone='UTC')"
    assert set(one.columns) == set(other.columns) == set(columns_with())
    for name in columns_with():
        if name not in ("ms", "date"):
            expected = [row[name] for row in found]
            assert one[name].tolist() == expected
            assert other[name].to_list() == expected
    assert str(other.schema["words"]) == "Int64"
    assert str(other.schema["confidence"]) == "Float64"


@pytest.mark.slow
def test_confidence_is_computed_only_with_a_second_method(archive, tmp_path):
    extract(shards_of([archive], crawl(tmp_path / "none", beside=())), 1)
    assert {row["confidence"] for row in rows(tmp_path / "none")} == {None}
    extract(shards_of([archive], crawl(tmp_path / "self", beside=("bte",))), 1)
    assert {row["confidence"] for row in rows(tmp_path / "self")} == {1.0}


def test_only_the_chosen_addresses_are_extracted(archive, tmp_path):
    expected = frozenset({"https://example.org/3"})
    done = extract(shards_of([archive], crawl(tmp_path, only=expected)), 1)
    assert done.counts == {"ok": 1}
    assert [row["address"] for row in rows(tmp_path)] == ["https://example.org/3"]


@pytest.mark.slow
def test_resuming_rewrites_only_missing_or_incomplete_shards(archive, tmp_path):
    shards = shards_of([archive], crawl(tmp_path), most=2)
    whole = extract(shards, 2)
    shards = shards.shards
    assert len(shards) == 4
    before = {shard.file: shard.file.stat().st_mtime_ns for shard in shards}
    shards[1].file.write_text("")
    (tmp_path / "_shard-00002.json").unlink()
    again = extract(shards_of([archive], crawl(tmp_path), most=2), 1, resumes=True)
    assert (again.pages, again.counts) == (whole.pages, whole.counts)
    after = {shard.file: shard.file.stat().st_mtime_ns for shard in shards}
    assert [after[s.file] == before[s.file] for s in shards] == [True, False, False, True]


@pytest.mark.slow
def test_rows_of_another_extraction_are_never_mixed_with_new_ones(archive, tmp_path):
    extract(shards_of([archive], crawl(tmp_path), most=2), 1)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    other = write_warc(tmp_path.parent / "other.warc.gz", records(6))
    for sources, key, most, kind, why in (
        ([archive], "bte", 100, "jsonl", "records of a shard"),
        ([archive], "plain", 2, "jsonl", "method"),
        ([archive, other], "bte", 2, "jsonl", "archives"),
        ([archive], "bte", 2, "parquet", "format"),
    ):
        with pytest.raises(InputError, match=f"rows of another extraction .*{why}.*--replace"):
            shards_of(sources, crawl(tmp_path, key, kind), most=most)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
    extract(shards_of([archive], crawl(tmp_path), most=100, replaces=True), 1)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "_manifest.json", "_shard-00000.json", "shard-00000.jsonl",
    ]  # fmt: skip
    assert len(rows(tmp_path)) == 7


def test_resuming_ignores_new_files_that_are_not_pages(archive, tmp_path):
    folder, out = tmp_path / "in", tmp_path / "out"
    folder.mkdir()
    (folder / "a.warc.gz").write_bytes(archive.read_bytes())
    (folder / "b.html").write_text("<p>one")
    whole = extract(shards_of([folder], crawl(out)), 1)
    (folder / "README").write_text("where it is from")
    (folder / "crawl.log").write_text("done")
    again = extract(shards_of([folder], crawl(out)), 1, resumes=True)
    assert (again.pages, again.counts) == (whole.pages, whole.counts)
    (folder / "c.html").write_text("<p>two")
    with pytest.raises(InputError, match=r"rows of another extraction \(archives\)"):
        shards_of([folder], crawl(out))


def test_a_replaced_archive_of_the_same_size_and_time_is_detected(tmp_path):
    archive = write_warc(tmp_path / "tea.warc.gz", records(3))
    extract(shards_of([archive], crawl(tmp_path / "out")), 1)
    manifest = tmp_path / "out" / "_manifest.json"
    noted, before, state = manifest.read_text(), archive.read_bytes(), archive.stat()
    assert shards_of([archive], crawl(tmp_path / "out")).shards
    archive.write_bytes(before[:-3] + bytes(3))
    os.utime(archive, ns=(state.st_atime_ns, state.st_mtime_ns))
    with pytest.raises(InputError, match=r"rows of another extraction \(content of the archives\)"):
        shards_of([archive], crawl(tmp_path / "out"))
    old = json.loads(noted)
    del old["asked"]["content of the archives"]
    manifest.write_text(json.dumps(old))  # as written by Pagelet 1.0.0
    assert shards_of([archive], crawl(tmp_path / "out")).shards


def test_shards_without_a_manifest_are_not_mixed_with_new_rows(archive, tmp_path):
    (tmp_path / "shard-00007.jsonl").write_text("{}\n")
    with pytest.raises(InputError, match="not noted"):
        shards_of([archive], crawl(tmp_path))


def test_no_written_file_contains_a_local_path(archive, tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.html.gz").write_bytes(b"no gzip")
    out = tmp_path / "out"
    done = extract(shards_of([archive, tmp_path / "in"], crawl(out)), 1)
    assert done.counts == {"ok": 7, "failed": 1}
    for path in out.iterdir():
        assert str(tmp_path) not in path.read_text("utf-8")


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="names are Unicode")
def test_file_names_that_are_not_utf_8_stay_different(tmp_path):
    for name in (b"caf\xe9.html", b"caf\xe8.html"):
        (tmp_path / os.fsdecode(name)).write_bytes(b"<p>tea")
    extract(shards_of([tmp_path], crawl(tmp_path / "out", beside=())), 1)
    assert {UNICODE.read(row["record"]) for row in rows(tmp_path / "out")} == {
        os.fsdecode(name) for name in (b"caf\xe9.html", b"caf\xe8.html")
    }


def test_archives_with_the_same_name_are_listed_with_their_folder(tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        write_warc(tmp_path / name / "x.warc.gz", records(1))
    both = [tmp_path / "a" / "x.warc.gz", tmp_path / "b" / "x.warc.gz"]
    extract(shards_of(both, crawl(tmp_path / "out")), 1)
    assert {row["archive"] for row in rows(tmp_path / "out")} == {"a/x.warc.gz", "b/x.warc.gz"}


def test_offset_and_length_are_those_of_the_record(archive, found):
    data = archive.read_bytes()
    for row in found:
        member = data[row["offset"] : row["offset"] + row["length"]]
        assert f"<urn:uuid:{row['record']}>".encode() in gzip.decompress(member)


@pytest.mark.slow
def test_a_limit_takes_the_first_pages_and_a_sample_the_same_ones_again(archive, tmp_path):
    every = [f"https://example.org/{k}" for k in (0, 1, 2, 3, 4, 5, 801)]

    def taken(name, **choice):
        out = tmp_path / name
        plan = shards_of([archive], crawl(out, beside=()), most=3, choice=PageChoice(**choice))
        done = extract(plan, 1)
        assert done.pages + done.not_chosen + done.not_html <= 8
        return [row["address"] for row in rows(out)]

    assert taken("first", limit=4) == every[:4]
    some = taken("some", sample=4)
    assert len(some) == 4
    assert some == taken("again", sample=4)
    assert some == [address for address in every if address in some]
    assert taken("all", sample=40) == every


class Treacherous(frozenset):
    """A set of addresses: asking for one kills the process, and for another hangs."""

    def __contains__(self, address):
        if address.endswith("/1"):
            os.kill(os.getpid(), signal.SIGKILL)
        if address.endswith("/2"):
            time.sleep(60)
        return True


@pytest.mark.slow
@pytest.mark.parametrize("choice", [{}, {"limit": 1}, {"limit": 4}, {"sample": 2}, {"limit": 99}])
def test_counts_add_up_to_the_records_for_every_limit_and_sample(tmp_path, choice):
    gone = record(700, answer(page("en").encode(), status="404 Not Found"))
    found = [*records(3), gone, *records(5), gone]
    path = write_warc(tmp_path / "a.warc.gz", found)
    plan = shards_of([path], crawl(tmp_path / "out"), 2, choice=PageChoice(**choice))
    done = extract(plan, 1)
    also = extract(shards_of([path], crawl(tmp_path / "out"), 2, choice=PageChoice(**choice)), 1)
    assert (
        done.pages + done.left_out + done.not_html + done.not_chosen + done.others == done.records
    )
    assert done.records <= len(found)
    assert (done.records == len(found)) == (choice not in ({"limit": 1}, {"limit": 4}))
    assert also == done, "as it was noted"


def test_an_archive_named_twice_is_read_once(archive, tmp_path):
    (tmp_path / "link.warc.gz").symlink_to(archive)
    other = write_warc(tmp_path / "b.warc", records(1))
    sources = [archive, other, archive, tmp_path / "link.warc.gz"]
    done = extract(shards_of(sources, crawl(tmp_path / "out", beside=())), 1)
    assert done.records == len(records(6)) + len(records(1))
    assert {row["archive"] for row in rows(tmp_path / "out")} == {"b.warc", archive.name}


@pytest.mark.slow
def test_a_page_that_hangs_or_crashes_affects_no_other_page(archive, tmp_path):
    odd = crawl(tmp_path, beside=(), seconds=2.0, only=Treacherous())
    done = extract(shards_of([archive], odd, most=4), 1)
    assert done.counts == {"ok": 5, "failed": 1, "timed out": 1}
    ends = {row["address"][-1]: (row["status"], row["reason"]) for row in rows(tmp_path)[:4]}
    assert ends["1"] == ("failed", "the page crashed the process it ran in (signal 9)")
    assert ends["2"] == ("timed out", "the page took more than 2 s")


class FatalAtFour(frozenset):
    """A set of addresses: asking for the fourth kills the process."""

    def __contains__(self, address):
        if address.endswith("/4"):
            os.kill(os.getpid(), signal.SIGKILL)
        return True


@pytest.mark.slow
def test_behind_a_page_that_ends_its_process_finished_rows_are_taken_as_they_are(tmp_path):
    archive = write_warc(tmp_path / "a.warc", records(6))
    plain, bad = crawl(tmp_path / "one", beside=()), crawl(tmp_path / "two", beside=())
    extract(shards_of([archive], plain), 1)
    bad = replace(bad, only=FatalAtFour())
    done = extract(shards_of([archive], bad), 1)
    assert done.counts["failed"] == 1
    first, second = rows(tmp_path / "one"), rows(tmp_path / "two")
    for row in (*first, *second):
        row.pop("ms")
    assert [row for row in second if row["status"] == "ok"] == [
        row for row in first if not row["address"].endswith("/4")
    ]
    assert not list((tmp_path / "two").glob(".*.rows"))


@pytest.mark.slow
def test_rows_that_a_lost_worker_had_finished_come_back_the_same(archive, tmp_path):
    extract(shards_of([archive], crawl(tmp_path, beside=())), 1)
    names = ExtractedPage.__dataclass_fields__
    row = ExtractedPage(**{name: rows(tmp_path)[0].get(name) for name in names})
    row = replace(row, date=datetime(2024, 5, 6, tzinfo=UTC), text="a\nb \ud800")
    path = tmp_path / "shard-9.jsonl"
    with FinishedRows(path, goes_on=False) as finished:
        finished.add(3, row)
        kept = (tmp_path / ".shard-9.jsonl.rows").read_bytes()
    (tmp_path / ".shard-9.jsonl.rows").write_bytes(kept + kept[:-9])  # cut as the worker died
    with FinishedRows(path, goes_on=True) as finished:
        assert finished.get(3) == row
        assert finished.get(4) is None


@pytest.mark.slow
@pytest.mark.web
def test_methods_that_read_the_dom_get_it_rendered(tmp_path):
    scripted = (
        "<p>Old text.</p><script>document.body.innerHTML = '<p>New text of the page.'</script>"
    )
    archive = write_warc(tmp_path / "a.warc", [record(1, answer(scripted.encode()))])
    setup = Setup("plain", method("plain").params(), "dom")
    extract(shards_of([archive], ExtractionJob(setup, (), tmp_path, "jsonl")), 1)
    assert [row["text"] for row in rows(tmp_path)] == ["New text of the page."]


def test_unusable_methods_and_an_empty_shard_size_are_refused(archive, tmp_path):
    with pytest.raises(InputError, match="does not extract from the original page"):
        crawl(tmp_path, beside=("vips",))
    with pytest.raises(InputError, match="must have at least 1"):
        shards_of([archive], crawl(tmp_path), most=0)


def test_error_responses_are_counted_and_left_out_when_resuming_too(tmp_path):
    missing = [record(k, answer(b"<p>gone", status="404 Not Found")) for k in range(50, 53)]
    path = write_warc(tmp_path / "tea.warc.gz", [*records(2), *missing])
    shards = shards_of([path], crawl(tmp_path / "out", beside=()), most=3)
    for _ in range(2):
        result = extract(shards, 1, resumes=True)
        assert (result.pages, result.left_out) == (3, 3)
    assert {row["address"].rsplit("/")[-1] for row in rows(tmp_path / "out")} == {"0", "1", "801"}

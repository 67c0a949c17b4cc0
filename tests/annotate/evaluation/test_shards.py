"""An evaluation in shards equals that of one process, also after kills, losses and mix-ups."""

import csv
import re

import pytest

from annotate.evaluation.run.plan import make_plan
from annotate.evaluation.run.run_options import EvaluationOptions
from annotate.evaluation.run.shards import (
    do_part,
    do_shard,
    merge,
    merge_shards,
    part_of,
    read_shard,
    shards_of,
    write_shard,
)
from annotate.evaluation.store.row_files import RunOrigin, read_origin, write_origin
from engine.errors import InputError
from resources import path
from tests.without_times import without_times


def plan(out, methods="plain,bte", resumes=False, **options):
    words = {"inputs": None, "measures": None, "settings": [], **options}
    settings = EvaluationOptions(out=out, resumes=resumes)
    return make_plan([str(path("corpus"))], methods=methods, options=settings, **words)


def test_shards_are_alike_in_size_and_each_part_has_as_many(tmp_path):
    shards = shards_of(plan(tmp_path), parts=2, most=4)
    assert [len(shard.tasks) for shard in shards] == [3, 4, 4, 4]
    assert [shard.number for shard in shards] == [1, 2, 3, 4]
    assert len({shard.plan for shard in shards}) == 1
    names = [task.case.key for shard in shards for task in shard.tasks]
    assert names == [case.key for _, case, _ in plan(tmp_path).cases()]


def test_the_number_of_shards_is_limited_to_the_number_of_pages(tmp_path):
    assert len(shards_of(plan(tmp_path), parts=40)) == 15


def test_other_methods_parameters_or_shards_make_another_plan(tmp_path):
    one = plan(tmp_path)
    others = [
        shards_of(one, 2, 4),
        shards_of(one, 3, 4),
        shards_of(plan(tmp_path, "bte"), 2, 4),
        shards_of(plan(tmp_path, settings=["bte.tag_cost=2"]), 2, 4),
        shards_of(plan(tmp_path, measures="cs"), 2, 4),
    ]
    assert len({shards[0].plan for shards in others}) == len(others)
    assert shards_of(plan(tmp_path / "x"), 2, 4)[0].plan == others[0][0].plan


@pytest.fixture(scope="module")
def in_parts(tmp_path_factory):
    """Return two folders, as two machines fill them."""
    folders = [tmp_path_factory.mktemp("part") for _ in range(2)]
    for number, folder in enumerate(folders, 1):
        do_part(plan(folder), number, 2, 4, lambda _: None)
    return folders


@pytest.mark.slow
def test_merged_shards_equal_the_evaluation_of_one_process(in_parts, tmp_path):
    from annotate.evaluation.run.runner import carry_out
    from annotate.library.evaluating import NullProgress

    text = merge(in_parts, tmp_path / "merged", has_report=True).tables()
    whole = carry_out(plan(tmp_path / "whole"), NullProgress())
    for name in ("scores.csv", "summary.csv"):
        assert without_times(tmp_path / "merged" / name) == without_times(tmp_path / "whole" / name)
    assert text.splitlines()[0] == whole.tables().splitlines()[0]
    assert (tmp_path / "merged" / "report.html").is_file()


@pytest.mark.slow
def test_a_missing_shard_is_named(in_parts, tmp_path):
    with pytest.raises(InputError, match="2 of 4 shards are missing: 2, 4"):
        merge(in_parts[:1], tmp_path, has_report=False)


@pytest.mark.slow
def test_shards_of_two_evaluations_do_not_mix(in_parts, tmp_path):
    do_part(plan(tmp_path, "bte"), 2, 2, 4, lambda _: None)
    with pytest.raises(InputError, match="is of another evaluation"):
        merge_shards([in_parts[0], tmp_path])


def test_a_shard_that_was_changed_is_noticed(tmp_path):
    (shard,) = shards_of(plan(tmp_path))
    file = write_shard(tmp_path, do_shard(shard))
    assert read_shard(tmp_path, shard) is not None
    with file.open(newline="") as stream:
        rows = list(csv.reader(stream))
    rows[1][-6] = "1.0"
    file.write_text("\n".join(",".join(row) for row in rows))
    with pytest.raises(InputError, match=r"was changed: remove shard-0001-of-0001\.done"):
        merge_shards([tmp_path])


def test_merging_a_folder_without_shards_names_the_command_to_make_some(tmp_path):
    with pytest.raises(InputError, match="holds no shards: run pagelet evaluate --shard"):
        merge_shards([tmp_path])


def test_resuming_does_not_rewrite_finished_shards(tmp_path):
    do_part(plan(tmp_path), 1, 2, 4, lambda _: None)
    before = {file: file.stat().st_mtime_ns for file in (tmp_path / "shards").iterdir()}
    text = do_part(plan(tmp_path, resumes=True), 1, 2, 4, lambda _: None)
    assert text.startswith("0 shards of 4 done, 2 shards done before")
    assert {file: file.stat().st_mtime_ns for file in (tmp_path / "shards").iterdir()} == before


@pytest.mark.parametrize("text", ["", "1", "0/2", "3/2", "a/b", "1/2/3"])
def test_a_part_that_is_not_two_numbers_is_refused(text):
    with pytest.raises(InputError, match="must be one such as 2/5"):
        part_of(text)


@pytest.mark.slow
def test_merged_shards_note_their_data_sets_and_how_pages_were_rendered(tmp_path, capsys):
    from gui.cli.main import main

    corpus, parts = path("corpus"), [tmp_path / "one", tmp_path / "two"]
    for number, part in enumerate(parts, 1):
        words = ["--methods", "plain", "--limit", "2", "--no-repeatable", "--jobs", "1"]
        words += ["--shard", f"{number}/2", "--out", str(part)]
        assert main(["evaluate", str(corpus), *words]) == 0
    out = tmp_path / "merged"
    assert main(["merge", str(parts[0]), str(parts[1] / "shards"), "--out", str(out)]) == 0
    assert read_origin(out) == RunOrigin((corpus,), repeatable=False)


def test_the_origin_is_known_by_the_folder_and_by_a_file_of_rows_in_it(tmp_path):
    write_origin(tmp_path, [tmp_path])
    (tmp_path / "scores.csv").write_text("")
    for where in (tmp_path, tmp_path / "scores.csv"):
        assert read_origin(where).datasets == (tmp_path,)
    assert read_origin(tmp_path / "nowhere") == RunOrigin()


def test_merging_reports_a_method_that_failed_on_every_page(tmp_path, capsys):
    from gui.cli.main import main

    data = tmp_path / "news"
    data.mkdir()
    (data / "tea.html").write_text("<p>tea")
    (data / "tea.txt").write_bytes(b"th\xe9")
    out = tmp_path / "parts"
    words = ["evaluate", str(data), "--methods", "bte", "--shard", "1/1", "--out", str(out)]
    assert main(words) == 0
    assert main(["merge", str(out), "--out", str(tmp_path / "all")]) == 1
    assert "bte failed on every page; the first: tea.txt" in capsys.readouterr().err


@pytest.mark.slow
def test_names_that_look_like_formulas_are_escaped_in_shards_and_restored(tmp_path):
    import pagelet

    from gui.cli.main import main

    data, out, whole = tmp_path / "=data", tmp_path / "parts", tmp_path / "whole"
    data.mkdir()
    names = {"=x", "'=x", "''@y", "tea"}
    for name in names:
        (data / f"{name}.html").write_text("<p>tea")
        (data / f"{name}.txt").write_text("tea")
    words = ["evaluate", str(data), "--methods", "bte", "--measures", "ws"]
    assert main([*words, "--shard", "1/1", "--out", str(out)]) == 0
    assert main(["merge", str(out), "--out", str(tmp_path / "all")]) == 0
    assert main([*words, "--report", "none", "--out", str(whole)]) == 0
    for file in ("scores.csv", "summary.csv"):
        assert without_times(tmp_path / "all" / file) == without_times(whole / file)
        assert not re.search(r"^=|,=", (whole / file).read_text("utf-8"), re.MULTILINE)
    for folder in (tmp_path / "all", whole):
        assert {row.run.page for row in pagelet.read(folder).rows} == names

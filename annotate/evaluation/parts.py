"""An evaluation done in parts, on several machines or one after the other, and put together."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from annotate.evaluation.plan import Plan
from annotate.evaluation.provenance import FILE, read_origin, write_origin
from annotate.evaluation.results import Results
from annotate.evaluation.run import StatusCounts
from annotate.evaluation.shards import do_shard, merged, read_shard, shards_of, write_shard
from annotate.evaluation.writing import all_tables, groups_of, write_results, write_rows
from engine.errors import InputError
from engine.words import plural

FOLDER = "shards"


def do_part(plan: Plan, part: int, parts: int, most: int, say: Callable[[str], None]) -> str:
    """Run every shard of one part of a plan, into ``OUT/shards``; return the results.

    Args:
        plan: The plan; with ``resumes`` finished shards are kept.
        part, parts: Number of the part, from 1, and of all parts.
        most: Pages of one shard at most.
        say: Called with each line of progress.

    Raises:
        InputError: The folder cannot be written to.
        KeyboardInterrupt: Ctrl-C; the shards that are done are kept.
    """
    assert plan.options.out is not None, "shards need a folder"
    folder = plan.options.out / FOLDER
    every = shards_of(plan, parts, most)
    mine = every[part - 1 :: parts]
    done = 0
    for shard in mine:
        if plan.options.resumes and read_shard(folder, shard) is not None:
            continue
        result = do_shard(shard, plan.options.jobs)
        for note in result.notes:
            say(note)
        write_shard(folder, result)
        done += 1
        say(f"{shard.name} is done")
    done_before = f", {plural(len(mine) - done, 'shard')} done before" if done < len(mine) else ""
    return f"{plural(done, 'shard')} of {len(every)} done{done_before}; they are in {folder}"


@dataclass(frozen=True)
class MergedShards:
    """Result of merging an evaluation in parts.

    Attributes:
        tables: For the reader.
        failures: A sentence for each method that gave nothing to score on any page.
        has_failed: Whether none gave anything.
    """

    tables: str
    failures: Sequence[str]
    has_failed: bool


def merge(folders: Sequence[Path], out: Path, *, has_report: bool, title: str = "") -> MergedShards:
    """Merge shards into ``scores.csv``, the summary and the report.

    Raises `InputError` where shards are missing, damaged or of different evaluations.
    """
    rows, facts = merged(folders)
    renderers = dict.fromkeys(row.run.renderer for row in rows if row.run.renderer)
    endings = StatusCounts()
    results = Results.of(endings.noted(rows))
    groups = groups_of(results)
    write_rows(out / "scores.csv", rows)
    write_results(out, rows, groups)
    origins = [read_origin(each if (each / FILE).exists() else each.parent) for each in folders]
    datasets = dict.fromkeys(path for each in origins for path in each.datasets)
    write_origin(out, list(datasets), origins[0].repeatable)
    if has_report:
        from annotate.evaluation.report.write import write_report  # with matplotlib

        write_report(out, results, title=title or ", ".join(groups))
    text = all_tables(results, groups, facts)
    if len(renderers) > 1:
        text += f"\n\nPages were rendered by different browsers: {', '.join(renderers)}"
    return MergedShards(text, endings.failures, endings.has_failed)


def part_of(text: str) -> tuple[int, int]:
    """Return the two numbers of ``i/n``; raises `InputError`."""
    one, _, many = text.partition("/")
    if not (one.isdecimal() and many.isdecimal() and 1 <= int(one) <= int(many)):
        raise InputError(f"--shard must be one such as 2/5: the second of five parts, got {text!r}")
    return int(one), int(many)

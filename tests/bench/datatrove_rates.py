"""CPU time of datatrove's pipeline with Pagelet's block, beside a bare loop: WARC in, Parquet out.

Run from the repository's folder by a Python that has ``pagelet[datatrove,web]``:
``python -m tests.bench.datatrove_rates FOLDER RECORDS METHOD …``, with what `archive_rates` takes.
The bare loop is the one of `archive_rates`.  The bare block is what datatrove itself costs: its
reader, its sandbox, its writer, and a block that calls the method and no more.  Each runs in a
process of its own; starts (a run on one record) are left out of the ratios.
"""

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.bench.archive_rates import bare, make_archive, say

WAYS = ("text", "columns")


def main() -> None:
    """Print a line for each way, and what it takes beside the bare ones."""
    folder = sys.argv[1] if len(sys.argv) > 1 else "resources/corpus"
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    keys = sys.argv[3:] or ["gleaner", "bte"]
    with tempfile.TemporaryDirectory() as position:
        for name, records in (("many", count), ("one", 1)):
            (Path(position) / name).mkdir()
            make_archive(Path(position) / name / "pages.warc.gz", Path(folder), records)
        print(f"{'way':34} {'pages':>6} {'wall s':>7} {'CPU s':>7} {'a CPU s':>8} {'MB':>6}")
        for key in keys:
            taken = {way: _taken(way, key, count, position) for way in ("loop", "bare", *WAYS)}
            for way, beside in (("text", "loop"), ("text", "bare"), ("columns", "loop")):
                print(f"  {way} / {beside}: {taken[way] / taken[beside]:.2f}")


def _taken(way: str, key: str, count: int, position: str) -> float:
    """Return the CPU seconds of a way, without its start."""
    words = [sys.executable, "-m", "tests.bench.datatrove_rates", f"--{way}", key]
    whole = say(f"{key}, {way}", count, [*words, f"{position}/many", f"{position}/{way}{key}"])
    start = say("  start of it", 1, [*words, f"{position}/one", f"{position}/{way}{key}1"])
    return whole - start


def pipeline(way: str, key: str, folder: str, out: str) -> None:
    """Run datatrove on the archives of a folder."""
    from datatrove.executor import LocalPipelineExecutor
    from datatrove.pipeline.extractors.base import BaseExtractor
    from datatrove.pipeline.readers import WarcReader
    from datatrove.pipeline.writers import ParquetWriter
    from pagelet.datatrove import PageletExtractor

    from algorithms.core.catalogue import method
    from engine.page import Page
    from engine.source import Source

    class Bare(BaseExtractor):  # type: ignore[misc]  # datatrove has no types
        """Has a method extract, and no more."""

        name = "bare"

        def __init__(self) -> None:
            super().__init__(30.0)

        def extract(self, text: str) -> str:
            entry = method(key)
            page = Page("", Source.from_text(text))
            return str(entry.run(page, entry.params(), "original").text)

    blocks: dict[str, Any] = {
        "bare": Bare,
        "text": lambda: PageletExtractor(key, predict=False),
        "columns": lambda: PageletExtractor(key, also=["markdown"]),
    }
    steps = [WarcReader(folder), blocks[way](), ParquetWriter(f"{out}/texts", compression="zstd")]
    LocalPipelineExecutor(steps, logging_dir=f"{out}/logs").run()
    rows = sum(_rows(f"{out}/texts"))
    assert rows, "nothing was written"
    print(f"{rows} rows")


def _rows(folder: str) -> Iterator[int]:
    import pyarrow.parquet as pq

    for file in Path(folder).glob("*.parquet"):
        yield pq.read_metadata(file).num_rows


if __name__ == "__main__":
    if sys.argv[1:2] == ["--loop"]:
        bare(sys.argv[2], Path(sys.argv[3]) / "pages.warc.gz")
    elif sys.argv[1:2] and sys.argv[1].startswith("--"):
        pipeline(sys.argv[1].removeprefix("--"), *sys.argv[2:])
    else:
        main()

"""How ``pagelet extract`` grows with the records of a web archive.

Run from the repository's folder: ``python -m tests.bench.archive_growth FOLDER METHOD RECORDS …``,
as in ``python -m tests.bench.archive_growth resources/corpus bte 1000 10000 50000``.  Records are
made as for `archive_rates`; what was written is read back by two libraries, PyArrow and Polars, and
their rows and words are compared.
"""

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import polars
from pyarrow import dataset

from tests.bench.archive_rates import make_archive


def main() -> None:
    """Print a line for each number of records."""
    folder, method, *counts = sys.argv[1:]
    print(f"{'records':>8} {'wall s':>8} {'CPU s':>8} {'ms/page':>8} {'MB':>6}  rows, words (both)")
    with tempfile.TemporaryDirectory() as position:
        for count in map(int, counts):
            archive = make_archive(Path(position) / f"{count}.warc.gz", Path(folder), count)
            out = Path(position) / str(count)
            words = [sys.executable, "-m", "gui.cli.main", "extract", method, "--in", str(archive)]
            before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
            words += ["--out", str(out), "--jobs", "1", "--beside", "none"]
            done = subprocess.run(words, capture_output=True, text=True)
            if done.returncode:
                sys.exit(f"{' '.join(words)} ended with {done.returncode}:\n{done.stderr}")
            wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
            cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            print(
                f"{count:8} {wall:8.1f} {cpu:8.1f} {1000 * cpu / count:8.2f} "
                f"{after.ru_maxrss / 1024:6.0f}  {_read_back(out)}",
                flush=True,
            )


def _read_back(folder: Path) -> str:
    """Return rows and words of what was written; ends the program where two readers differ."""
    table = dataset.dataset(sorted(map(str, folder.glob("*.parquet")))).to_table()
    frame = polars.read_parquet(folder / "*.parquet")
    one = (
        table.num_rows,
        sum(table["words"].to_pylist()),
        sum(map(len, table["text"].to_pylist())),
    )
    other = (frame.height, frame["words"].sum(), frame["text"].str.len_chars().sum())
    if one != other:
        raise SystemExit(f"PyArrow reads {one}, Polars {other}")
    return f"{one[0]:,}, {one[1]:,}"


if __name__ == "__main__":
    main()

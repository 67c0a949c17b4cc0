"""How pages come back from frozen files: identical, different, failed; MB and seconds a page.

    python -m tests.bench.freeze_rates resources/corpus FOLDER --out DIR

Writes ``pages.csv`` and ``summary.md`` there, a row as soon as a page is done; run it again and it
goes on where it was, with those that failed once more.
"""

import argparse
import csv
import time
from collections import Counter
from pathlib import Path

from annotate.archives.frozen.capturing import write_verified
from annotate.datasets.cases import page_name
from annotate.datasets.opening import open_pages
from engine.errors import PageletError
from engine.web.freezing import freeze
from engine.web.headless import Browser
from engine.web.qt_log import silence_qt_log
from engine.web.renderer import renderer_name

COLUMNS = ("set", "page", "verdict", "nodes", "frames", "files", "lost", "MB",
           "freeze s", "verify s", "why")  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    table = options.out / "pages.csv"
    done = [row for row in read(table) if row["verdict"] != "failed"]
    silence_qt_log()
    with Browser() as browser, table.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(done)
        file.flush()
        for folder in options.folders:
            for document in open_pages(folder).documents:
                if any((r["set"], r["page"]) == (folder.name, page_name(document)) for r in done):
                    continue
                row = {"set": folder.name, "page": page_name(document)}
                row |= measure(browser, document, options.out / "page.wacz")
                done.append(row)
                writer.writerow(row)
                file.flush()
                print(row["set"], row["page"], row["verdict"], row["why"], flush=True)
    summary = "\n".join(lines(read(table))) + "\n"
    (options.out / "summary.md").write_text(summary, encoding="utf-8")
    print(summary)


def measure(browser: Browser, document, out: Path) -> dict[str, object]:
    """Freeze one page; return its row."""
    start = time.monotonic()
    try:
        frozen = freeze(browser, document)
        seconds = time.monotonic() - start
        result = write_verified(frozen, out, renderer_name())
    except PageletError as error:
        return {"verdict": "failed", "why": str(error)}
    wrong = "; ".join(f"{check.name}: {check.said}" for check in result.failed)
    return {
        "verdict": result.verdict, "nodes": len(frozen.page.rendered()),
        "frames": len(frozen.frames) - 1, "files": len(frozen.exchanges), "lost": len(result.lost),
        "MB": round(out.stat().st_size / 1e6, 2), "freeze s": round(seconds, 1),
        "verify s": result.seconds, "why": " ".join((wrong or "; ".join(result.notes)).split()),
    }  # fmt: skip


def read(table: Path) -> list[dict[str, object]]:
    """Return the rows that were written before."""
    if not table.is_file():
        return []
    with table.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def lines(rows: list[dict[str, object]]) -> list[str]:
    """Return the summary as Markdown."""
    heads = "set", "pages", "identical", "different", "failed", "MB", "s to freeze", "s to verify"
    result = [f"| {' | '.join(heads)} |", f"|{' --- |' * len(heads)}"]
    for name in dict.fromkeys(str(row["set"]) for row in rows):
        own = [row for row in rows if row["set"] == name]
        verdicts = Counter(row["verdict"] for row in own)
        means = [mean(own, column) for column in ("MB", "freeze s", "verify s")]
        counts = [verdicts[each] for each in ("identical", "different", "failed")]
        result.append(f"| {name} | {len(own)} | {' | '.join(map(str, counts + means))} |")
    result += ["", *(f"- {row['page']}: {row['verdict']}: {row['why']}" for row in rows
                    if row["verdict"] != "identical")]  # fmt: skip
    return result


def mean(rows: list[dict[str, object]], column: str) -> str:
    """Return the mean of a column where it is filled."""
    values = [float(str(row[column])) for row in rows if row[column] not in ("", None)]
    return f"{sum(values) / len(values):.2f}" if values else "–"


if __name__ == "__main__":
    main()

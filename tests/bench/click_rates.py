"""Click → saved and click → scores, of two versions of Pagelet in the same run.

    python tests/bench/click_rates.py BEFORE AFTER [ROUNDS]

BEFORE and AFTER are folders with a working copy each.  Both are measured by turns, each time in a
process of its own, by the same clicks on the same page of the samples.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

CLICKS = 40


def measured(folder: Path) -> dict[str, list[float]]:
    """Click in a window of the Pagelet that is imported; return milliseconds."""
    from PySide6.QtWidgets import QApplication

    from engine.web import profile
    from gui.state.selection import Mode
    from gui.window import app
    from resources import path

    profile.prepare(headless=True)
    application = QApplication(sys.argv[:1])
    window = app.build(folder / "marks.pagelet")
    window.show()
    session, workbench = window.session, window.workbench
    saves: list[float] = []
    save = workbench.saving.save

    def timed(*arguments: object) -> None:
        start = time.perf_counter()
        save(*arguments)
        assert workbench.saving.is_all_saved
        saves.append(1000 * (time.perf_counter() - start))

    session.open.keep = timed
    workbench.navigation.open_path(str(path("corpus")))
    until = time.monotonic() + 120
    while session.open.page is None or workbench.runner.is_running:
        application.processEvents()
        assert time.monotonic() < until, "the page was not opened"
    workbench.session.selection.set_mode(Mode.LEVEL_2)
    nodes = session.open.page.rendered()
    rows = [r for r in range(3, len(nodes)) if nodes.visible[r] and not nodes.is_text[r]]
    scores = []
    for row in rows[:: max(1, len(rows) // CLICKS)][:CLICKS]:
        session.selection.set_candidate(row)
        start = time.perf_counter()
        workbench.marking.take()
        scores.append(1000 * (time.perf_counter() - start))
        application.processEvents()
    window.close_down()
    return {"click → saved": saves, "click → scores": scores}


def main(before: str, after: str, rounds: str = "3") -> None:
    """Measure both by turns and print medians and 95 %."""
    result: dict[tuple[str, str], list[float]] = {}
    for _ in range(int(rounds)):
        for name, root in (("before", before), ("after", after)):
            with tempfile.TemporaryDirectory() as folder:
                words = [sys.executable, __file__, "--child", folder]
                env = os.environ | {"PYTHONPATH": root, "XDG_CONFIG_HOME": folder}
                done = subprocess.run(words, capture_output=True, text=True, check=True, env=env)
            for what, values in json.loads(done.stdout.splitlines()[-1]).items():
                result.setdefault((what, name), []).extend(values)
    print(f"{'':16}{'':8}{'median ms':>10}{'95 % ms':>10}{'clicks':>8}")
    for (what, name), values in sorted(result.items()):
        high = sorted(values)[round(0.95 * len(values)) - 1]
        print(f"{what:16}{name:8}{statistics.median(values):10.2f}{high:10.2f}{len(values):8}")


if __name__ == "__main__":
    if sys.argv[1] == "--child":
        print(json.dumps(measured(Path(sys.argv[2]))), flush=True)
        os._exit(0)
    main(*sys.argv[1:])

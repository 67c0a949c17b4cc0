"""Work of a comparison, in another thread: two versions are prepared, run and compared."""

from collections.abc import Sequence

from algorithms.plugins.external import environments
from annotate.datasets.cases import DataSet
from annotate.evaluation.options import EvaluationOptions
from annotate.plugins.compare.compare import compare
from annotate.plugins.compare.runs import failures_of, plan_for, run_versions
from annotate.plugins.external.sides import chosen_sides
from gui.core.background_run import BackgroundWork, SignalWatcher, jobs
from gui.plugins.compare.state import ComparedVersions


def comparison(dataset: DataSet, texts: Sequence[str], names: Sequence[str]) -> BackgroundWork:
    """Return the work that computes `ComparedVersions`; None if stopped before the first page."""

    def work(watcher: SignalWatcher) -> ComparedVersions | None:
        watcher.say("Preparing both versions")
        try:
            with environments.stopped_by(watcher.is_stopped):
                sides = chosen_sides(texts, names)
        except environments.InstallingStopped:
            return None
        options = EvaluationOptions(jobs=jobs(len(dataset.pages)))
        plan = plan_for((dataset,), sides, None, options)
        pages = run_versions(plan, watcher)
        if not pages:
            return None
        result = compare((sides[0], sides[1]), pages, plan.measures.text[0])
        return ComparedVersions(plan, result, failures_of(pages, sides))

    return work

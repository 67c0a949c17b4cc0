"""Progress of a run on the command line: a line every few seconds."""

from annotate.evaluation.robustness.perturbed import names_as_they_are
from annotate.evaluation.run.plan import Plan
from annotate.library.progress import LineProgress
from gui.cli.terminal import progress


class ProgressPrinter(LineProgress):
    """Watcher of a run that prints its progress and notes on stderr."""

    def __init__(self, plan: Plan) -> None:
        name = "+".join(names_as_they_are(plan.datasets))
        super().__init__(lambda line: progress(f"{name}: {line}"), every_s=5.0)

    def say(self, line: str) -> None:
        """Print it."""
        progress(line)

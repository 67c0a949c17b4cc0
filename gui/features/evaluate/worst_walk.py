"""Steps through losses by harmless changes in results of ``pagelet evaluate --perturb``."""

from collections.abc import Sequence

from annotate.evaluation.results import Results
from annotate.evaluation.robustness.changed_page import OF_SOURCE
from annotate.evaluation.stability import Drop, change_name, stabilities
from annotate.evaluation.writing import groups_of
from gui.features.evaluate.view import EvaluateView
from gui.state.session import Session

NONE = "no page here was made worse: open the folder of pagelet evaluate --perturb"


def worst_drops(table: Results) -> tuple[Drop, ...]:
    """Return the largest losses of methods after a change, of all data sets, worst first."""
    every = (drop for each in stabilities(table, groups_of(table)) for drop in each.drops)
    return tuple(sorted(every, key=lambda drop: drop.after - drop.before))


class WorstWalk:
    """Opens the losses one by one in place of the table; after the last comes the first."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._shown: Drop | None = None

    def show_next(self, view: EvaluateView) -> None:
        """Open the next page with its method, and describe the drop."""
        table = view.model.shown.table
        worst = worst_drops(table)
        if not worst:
            self._session.messages.say(NONE)
            return
        index = (worst.index(self._shown) + 1) % len(worst) if self._shown in worst else 0
        self._shown = worst[index]
        if view.show_cell(*_cell_of(table, worst[index])):
            self._session.messages.say(_words(worst, index))


def _cell_of(table: Results, drop: Drop) -> tuple[int, int]:
    return table.row_of(drop.dataset, drop.page), table.column(drop.column)


def _words(worst: Sequence[Drop], index: int) -> str:
    drop = worst[index]
    is_drawn = any(each.key == drop.change for each in OF_SOURCE)
    drawn = "" if is_drawn else "; it cannot be drawn: these are errors against gold"
    return (
        f"{index + 1} of {len(worst)}: {drop.method} falls from {drop.before:.2f} to "
        f"{drop.after:.2f}: {change_name(drop.change)}{drawn}"
    )

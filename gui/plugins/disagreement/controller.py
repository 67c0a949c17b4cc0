"""Disagreement of methods on the texts of the open page: shown or hidden."""

from collections.abc import Mapping, Sequence

import numpy as np
from PySide6.QtCore import QObject

from algorithms.results import Extraction
from engine.page import Page
from engine.words import plural
from gui.core.workbench import Workbench
from gui.state.describe import letter_counts
from gui.state.session import Session
from gui.state.walk import Shown

LEAST = 0.1
"""Least disagreement of drawn texts."""


class DisagreementMap(Shown):
    """State of the heat map."""


def extractions(session: Session) -> list[Extraction]:
    """Return the results of the visible methods of main content."""
    outcomes = (
        session.layers.outcomes.get(layer.key)
        for layer in session.layers.all
        if not layer.is_gold and session.layers.is_drawn(layer)
    )
    results = (outcome.result for outcome in outcomes if outcome is not None)
    return [result for result in results if isinstance(result, Extraction)]


def disagreement(page: Page, results: Sequence[Extraction]) -> Mapping[int, float]:
    """Return the disagreement of methods on each text, 0 to 1 (half of them keep it)."""
    counts = np.array([letter_counts(page, result) for result in results])
    most = counts.max(axis=0, initial=0)
    rows = np.flatnonzero(most)
    share = (counts[:, rows] / most[rows]).mean(axis=0)
    heat = 1 - np.abs(2 * share - 1)
    chosen = heat >= LEAST
    return dict(zip(rows[chosen].tolist(), heat[chosen].tolist(), strict=True))


class Disagreements(QObject):
    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._session = workbench.session
        self._state = self._session.get(DisagreementMap)

    def toggle(self) -> None:
        """Show or hide the disagreement of the visible methods of main content."""
        session, page = self._session, self._session.open.page
        results = extractions(session)
        if self._state.is_shown:
            self._state.show(False)
        elif page is None or len(results) < 2:
            session.messages.say(
                "show two methods of main content first, by the eye before their names"
            )
        else:
            count = len(disagreement(page, results))
            session.messages.say(f"{len(results)} methods disagree on {plural(count, 'text')}")
            self._state.show(True)

"""Process that trains: reads the marked pages of a workspace and writes a model."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np

from algorithms.extraction.gleaner.gleaner_model import model_of
from algorithms.plugins.training.gleaner_fit import f1_of
from annotate.library import rendering
from annotate.library.page_cases import dataset
from annotate.plugins.training.training import LEARNERS, Training, write_model
from engine.errors import convert_os_error
from engine.processes.worker_process import Handler, Send


@dataclass(frozen=True)
class LearningOrder:
    """Request to train a model.

    Attributes:
        learner: Key of the method that learns.
        workspace: Workspace with the marks.
        out: File of the model.
        pages: Number of marked pages.
    """

    learner: str
    workspace: Path
    out: Path
    pages: int


@dataclass(frozen=True)
class Learned:
    """Result of training.

    Attributes:
        pages, left_out: Number of pages learned from, and of pages skipped.
        f1: Cross-validated by site, in words of main content or blocks; None of a single site.
        shipped: F1 of Pagelet's own model on the same pages; None if not computed.
        notes: Problems of the marks as a whole, such as different guidelines.
    """

    pages: int
    left_out: int
    f1: float | None
    shipped: float | None
    notes: tuple[str, ...] = ()


@contextmanager
def learning_worker(send: Send) -> Iterator[Handler]:
    """Answer a `LearningOrder` with `Learned` once its model is in the file."""
    with suppress(OSError, AttributeError):  # none on Windows
        os.nice(10)
    try:
        yield partial(_learn, send)
    finally:
        rendering.close()


def _learn(send: Send, order: LearningOrder) -> Learned:
    return replace(_trained(send, order), notes=dataset(order.workspace).problems)


def _trained(send: Send, order: LearningOrder) -> Learned:
    learner, problems = LEARNERS[order.learner], list[str]()
    training = Training(
        order.learner, (str(order.workspace),), (1.0,), 1, learner.folds, learner.rounds
    )
    pages = training.read(problems, lambda count: send(f"page {count} of {order.pages}"))
    model, scores = training.train(pages, send)
    with convert_os_error(f"make {order.out.parent}"):
        order.out.parent.mkdir(parents=True, exist_ok=True)
    write_model(model, order.out)
    left_out = max(0, order.pages - len({page.name for page in pages}))
    if order.learner != "gleaner":
        values = [] if scores is None else list(scores.f.values())
        return Learned(len(pages), left_out, float(np.mean(values)) if values else None, None)
    values = [value for own in scores.values() for value in own.f1]
    if not values:
        return Learned(len(pages), left_out, None, None)
    shipped = model_of("")
    known = float(np.mean([f1_of(shipped, page) for page in pages]))
    return Learned(len(pages), left_out, float(np.mean(values)), known)

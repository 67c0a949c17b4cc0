"""Shared state of the Site view: overview, threshold, hovered and selected pages."""

from collections.abc import Collection, Iterable

import numpy as np
from PySide6.QtCore import QObject, Signal

from algorithms.plugins.site.overview import Overview
from engine.tree import Longs


class SiteState(QObject):
    """State of the site overview; pages are their indices in the list.

    Attributes:
        names: Names of the pages, as shown.
        overview: None until it is computed.
        threshold: Largest distance within a cluster.
        labels: The cluster of each page, the largest being 0.
        hovered: The page under the mouse, or both of a cell; none: ().
        selected: Pages.
    """

    overview_changed = Signal()
    clusters_changed = Signal()
    hovered_changed = Signal()
    selected_changed = Signal()
    opened = Signal(int)  # a page was requested

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.names: tuple[str, ...] = ()
        self.overview: Overview | None = None
        self.threshold = 0.0
        self.labels: Longs = np.zeros(0, dtype=np.int64)
        self._sizes = self.labels
        self.hovered: tuple[int, ...] = ()
        self.selected: frozenset[int] = frozenset()

    def set_names(self, names: Iterable[str]) -> None:
        """Reset to other pages, without an overview."""
        self.names = tuple(names)
        self.hovered, self.selected = (), frozenset()
        self.set_overview(None)
        self.selected_changed.emit()

    def rename(self, names: Iterable[str]) -> None:
        """Rename the pages; their overview stays."""
        self.names = tuple(names)
        self.clusters_changed.emit()

    def set_overview(self, overview: Overview | None) -> None:
        """Show another overview of the same pages, with its threshold."""
        self.overview = overview
        self.threshold = 0.0 if overview is None else overview.threshold
        self._cut()
        self.overview_changed.emit()
        self.clusters_changed.emit()

    def set_threshold(self, threshold: float) -> None:
        """Cluster pages by a distance; signals only a change."""
        if self.overview is None:
            return
        before, self.threshold = self.threshold, min(max(threshold, 0.0), self.overview.highest)
        if self.threshold != before:
            self._cut()
            self.clusters_changed.emit()

    def set_hovered(self, *pages: int) -> None:
        """Set the pages under the mouse."""
        if pages != self.hovered:
            self.hovered = pages
            self.hovered_changed.emit()

    def set_selected(self, pages: Collection[int]) -> None:
        if frozenset(pages) != self.selected:
            self.selected = frozenset(pages)
            self.selected_changed.emit()

    def toggle(self, page: int) -> None:
        """Add a page to the selection, or remove it."""
        self.set_selected(self.selected ^ {page})

    def clusters(self) -> list[list[int]]:
        """Return the pages of each cluster, the largest first, in the order of the dendrogram."""
        if self.overview is None:
            return [list(range(len(self.names)))] if self.names else []
        result: list[list[int]] = [[] for _ in range(int(self.labels.max(initial=-1)) + 1)]
        for page in self.overview.order.tolist():
            result[int(self.labels[page])].append(page)
        return result

    def groups(self) -> list[list[int]]:
        """Return the clusters of two pages or more; a page alone is none."""
        return [pages for pages in self.clusters() if len(pages) > 1]

    @property
    def alone(self) -> int:
        """Number of pages alone in their clusters."""
        return int(np.count_nonzero(self._sizes == 1))

    @property
    def highest(self) -> float:
        """The largest distance; 0 before there is one."""
        return self.overview.highest if self.overview is not None else 0.0

    @property
    def is_apart(self) -> bool:
        """Whether pages were compared, and no two are in one cluster."""
        return self.overview is not None and self.alone == len(self.names) > 1

    def cluster_of(self, page: int) -> int:
        """Return the number of a page's cluster, -1 for a page alone."""
        label = int(self.labels[page])
        return label if self._sizes[label] > 1 else -1

    def members(self, page: int) -> list[int]:
        """Return the pages of a page's cluster, itself included, ascending."""
        if self.overview is None:
            return [page]
        return [int(each) for each in np.flatnonzero(self.labels == self.labels[page])]

    def most_like(self, page: int) -> int:
        """Return the page nearest to another; the next one if distances are not known yet."""
        if self.overview is None:
            return (page + 1) % len(self.names)
        away = self.overview.matrix[page].copy()
        away[page] = np.inf
        return int(np.argmin(away))

    def _cut(self) -> None:
        empty = np.zeros(len(self.names), dtype=np.int64)
        self.labels = empty if self.overview is None else self.overview.clusters(self.threshold)
        self._sizes = np.bincount(self.labels)

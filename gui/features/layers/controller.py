"""Visible layers, their stored arrangement, and how often blocks occur on the site."""

from functools import partial
from typing import Any

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication

from algorithms.core.catalogue import has_method
from algorithms.results import Extraction
from algorithms.templates.site import Site, distinct, shares_on_page
from engine.nodes import NodeTable
from engine.page import Page
from engine.words import plural
from gui.core.workbench import Workbench
from gui.state.layers import GOLD_LAYERS, from_records, to_records
from gui.state.session import Session
from gui.state.undo import reset_params
from gui.widgets.events import debounce
from gui.widgets.jobs import Task

KEEP_MS = 500
"""Delay before a changed arrangement of layers is stored."""


class ShownLayers(QObject):
    """Shows and hides layers; begins with the last arrangement.

    Keeps `Layers.occurrence` up to date, too, while it is shown.
    """

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        session = self._session = workbench.session
        self._sight, self._reader = workbench.sight, workbench.runner.site_reader
        self._workspace = workbench.workspace
        self._task = Task(self, in_line=True)
        occurrence, opened = session.layers.occurrence, session.open
        for signal in (occurrence.shown_changed, opened.page_changed, opened.site_changed):
            signal.connect(self._find_occurrences)
        opened.document_changed.connect(self._forget_occurrences)
        self._keep_timer = debounce(self, KEEP_MS, self.keep)
        stored = self._workspace.setting("layers")
        self._absent: list[tuple[int, dict[str, Any]]] = []  # place → layer of an unknown method
        if stored and isinstance(stored, list):
            session.layers.set_layers(from_records(stored))
            self._absent = [
                (place, each) for place, each in enumerate(stored)
                if isinstance(each, dict) and isinstance(key := each.get("key"), str)
                and key not in GOLD_LAYERS and not has_method(key)
            ]  # fmt: skip
        session.layers.layers_changed.connect(self._keep_timer.start)

    def stop(self) -> None:
        """Save a pending change at once."""
        if self._keep_timer.isActive():
            self.keep()
        self._keep_timer.stop()

    def toggle_layer(self, key: str) -> None:
        """Show or hide a layer; a method hidden only by "gold only" is shown."""
        layers = self._session.layers
        layers.layers_asked.emit()
        layer = layers.layer(key)
        is_left_out = layers.is_gold_only and not layer.is_gold
        is_drawn = layer.visible or key == layers.guest_layer
        layers.change_layer(key, visible=is_left_out or not is_drawn)

    def solo_layer(self, key: str) -> None:
        """Show only this layer; a second call restores all."""
        self._session.layers.layers_asked.emit()
        self._session.layers.set_solo("" if self._session.layers.solo == key else key)

    def toggle_occurrence(self) -> None:
        """Show or hide how often blocks occur on the site's pages."""
        session, state = self._session, self._session.layers.occurrence
        if state.is_shown or session.open.siblings:
            state.show(not state.is_shown)
        else:
            session.messages.say("no other page of its site is open")

    def _forget_occurrences(self) -> None:
        self._task.cancel()
        self._session.layers.occurrence.set_shares({}, 0)

    def _find_occurrences(self) -> None:
        session, opened = self._session, self._session.open
        page, site = opened.page, opened.site
        if not session.layers.occurrence.is_shown or page is None or not opened.siblings:
            return
        if site is not None:
            work = partial(_shares, site, page.rendered())
            self._task.start(work, partial(self._show_occurrences, page))
        elif opened.site_problem:
            session.messages.say(opened.site_problem)
        else:
            self._reader.want()

    def _show_occurrences(self, page: Page, result: tuple[dict[int, float], int]) -> None:
        if page is self._session.open.page:
            self._session.layers.occurrence.set_shares(*result)

    def toggle_at(self, index: int) -> None:
        """Show or hide a layer by its index in the panel."""
        if index < len(self._session.layers.all):
            self._toggle(self._session.layers.all[index].key)

    def toggle_current(self) -> None:
        """Show or hide the current layer."""
        self._toggle(self._session.layers.current_layer)

    def _toggle(self, key: str) -> None:
        self.toggle_layer(key)
        is_drawn = self._session.layers.is_drawn(self._session.layers.layer(key))
        self._sight.tell_layer(key, "shown" if is_drawn else "hidden")

    def solo_current(self) -> None:
        """Show only the current layer, or all again."""
        key = self._session.layers.current_layer
        self.solo_layer(key)
        is_alone = self._session.layers.solo == key
        self._sight.tell_layer(key, "drawn alone" if is_alone else "drawn with the others again")

    def toggle_gold_only(self) -> None:
        """Show only gold, or the methods again as before."""
        self._session.layers.layers_asked.emit()
        self._session.layers.set_gold_only(not self._session.layers.is_gold_only)
        self._session.layers.sees_methods = not self._session.layers.is_gold_only

    def toggle_labels(self) -> None:
        """Show or hide names on marks and blocks."""
        self._session.layers.set_labels(not self._session.layers.has_labels)

    def copy_current_extract(self) -> None:
        """Copy the current layer's text."""
        session, key = self._session, self._session.layers.current_layer
        page, outcome = session.open.page, session.layers.outcomes.get(key)
        if page is not None and key in GOLD_LAYERS:
            text = session.open.gold.as_extraction(page).text
        elif outcome is not None and isinstance(outcome.result, Extraction):
            text = outcome.result.text
        else:
            session.messages.say(
                "this layer has no text to copy; choose main content or an extractor"
            )
            return
        QGuiApplication.clipboard().setText(text)
        session.messages.say(f"copied {plural(len(text.split()), 'word')}")

    def return_own(self) -> None:
        """Restore the user's layers, after those that a score was shown with."""
        self._session.layers.return_layers()

    def move_current(self, by: int) -> None:
        """Move the current method's row down by some rows, or up."""
        layers, key = self._session.layers, self._session.layers.current_layer
        methods = [layer.key for layer in layers.all if not layer.is_gold]
        if key in methods:
            index = methods.index(key) + by
            move_layer(self._session, key, min(max(index, 0), len(methods) - 1))

    def remove_current(self) -> None:
        """Remove the current method's layer."""
        if (key := self._session.layers.current_layer) not in GOLD_LAYERS:
            self._sight.tell_layer(key, "layer removed")
            self._session.layers.remove_layer(key)

    def reset_methods(self) -> None:
        """Reset all methods to their published parameters."""
        if not any(layer.is_changed for layer in self._session.layers.all):
            self._session.messages.say("all methods are as published")
        reset_params(self._session)

    def keep(self) -> None:
        """Store the arrangement and settings of the layers."""
        layers = self._session.layers
        with self._session.messages.errors("not saved: "):
            records = to_records(layers.own_layers or layers.all)
            self._workspace.set_setting("layers", self._with(records, self._absent))

    def revive(self) -> None:
        """Show the stored layers of methods that are known only now, such as one's own file's."""
        layers = self._session.layers
        there = {layer.key for layer in layers.all}
        known = [each for each in self._absent if has_method(each[1]["key"])]
        self._absent = [each for each in self._absent if each not in known]
        if news := [each for each in known if each[1]["key"] not in there]:
            layers.set_layers(from_records(self._with(to_records(layers.all), news)))

    @staticmethod
    def _with(
        records: list[dict[str, Any]], others: list[tuple[int, dict[str, Any]]]
    ) -> list[dict[str, Any]]:
        for place, record in others:
            records.insert(place, record)
        return records


def _shares(site: Site, nodes: NodeTable) -> tuple[dict[int, float], int]:
    return shares_on_page(site, nodes), len(distinct(site))


def move_layer(session: Session, key: str, index: int) -> None:
    """Move a method's layer to an index among the methods."""
    gold = tuple(layer for layer in session.layers.all if layer.is_gold)
    methods = [layer for layer in session.layers.all if not layer.is_gold and layer.key != key]
    methods.insert(index, session.layers.layer(key))
    session.layers.set_layers((*gold, *methods))

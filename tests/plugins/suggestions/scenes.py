"""The picture of suggestions."""

from gui.plugins.suggestions.controller import SuggestionsController
from gui.plugins.suggestions.state import SuggestionWalk
from gui.state.selection import Mode
from gui.window.window import Window
from tests.gui.scenes import Scene, use, wait


def suggestions(window: Window) -> None:
    for key in ("webterrain", "vips", "terrain"):
        use(window, key)
    session = window.session
    for layer in session.layers.all:
        if not layer.is_gold:
            is_asked = layer.key in ("webterrain", "vips", "terrain")
            session.layers.change_layer(layer.key, visible=is_asked)
    window.workbench.session.selection.set_mode(Mode.LEVEL_2)
    window.workbench.get(SuggestionsController).step(1)
    wait(lambda: bool(session.get(SuggestionWalk).items))
    window.workbench.get(SuggestionsController).step(1)


SCENES = {"suggestions-dark": Scene(suggestions, (1100, 700), "dark", of_corpus=False)}

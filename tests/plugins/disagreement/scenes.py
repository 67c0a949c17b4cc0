"""The picture of where methods disagree."""

from gui.plugins.disagreement.controller import Disagreements
from gui.window.window import Window
from tests.gui.scenes import Scene, use


def heat(window: Window) -> None:
    """Show where the methods of the layers disagree on the news page."""
    for key in ("gleaner", "bte", "accb", "dsc"):
        use(window, key)
    for layer in window.session.layers.all:
        window.session.layers.change_layer(layer.key, visible=not layer.is_gold)
    window.workbench.get(Disagreements).toggle()


SCENES = {"disagreement-dark": Scene(heat, (1100, 700), "dark")}

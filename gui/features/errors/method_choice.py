"""Choice of the method whose errors are shown."""

from PySide6.QtWidgets import QWidget

from gui.core.workbench import Workbench
from gui.widgets.elided_combo import ElidedCombo


class MethodChoice(ElidedCombo):
    """Makes the layer of a method current."""

    def __init__(self, workbench: Workbench, parent: QWidget) -> None:
        super().__init__("The method that is looked at", 16, parent)
        self.setPlaceholderText("Choose a method")
        self._layers = workbench.session.layers
        self.activated.connect(lambda index: self._layers.set_current_layer(self.itemData(index)))
        self._layers.layers_changed.connect(self._refresh)
        self._refresh()

    def _refresh(self) -> None:
        layers = self._layers
        self.offer([(each.title, each.key) for each in layers.all if not each.is_gold])
        self.setCurrentIndex(self.findData(layers.current_layer))

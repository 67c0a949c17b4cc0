"""Note on methods with changed parameters, with a link that resets them."""

from PySide6.QtWidgets import QPushButton, QWidget

from engine.words import join_words
from gui.state.session import Session
from gui.state.undo import reset_params
from gui.widgets.texts import plain


class ChangedNote(QPushButton):
    """Is seen while a layer's method has other parameters than those it was published with."""

    def __init__(self, session: Session, parent: QWidget) -> None:
        super().__init__(parent)
        self._session = session
        self.setProperty("link", True)
        self.clicked.connect(lambda: reset_params(session))
        session.layers.layers_changed.connect(self._refresh)
        self._refresh()

    def _refresh(self) -> None:
        changed = [layer for layer in self._session.layers.all if layer.is_changed]
        is_or_are = "method is" if len(changed) == 1 else "methods are"
        self.setText(f"{len(changed)} {is_or_are} not as published · Reset")
        names = (
            f"{layer.name}: {join_words([f'{name} {value}' for name, value in values.items()])}"
            for layer in changed
            if layer.params is not None and (values := layer.params.changed())
        )
        self.setToolTip(plain("\n".join([*names, "Ctrl+Z brings them back"])))
        self.setVisible(bool(changed))

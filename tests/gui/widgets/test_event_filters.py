"""Event filters of windows that are garbage collected while Qt still sends them events."""

import gc

from PySide6.QtWidgets import QLineEdit, QWidget

from gui.widgets.quick_pick import Choice, QuickPick


def abandon_open_field(qtbot):
    """Leave a window with an open field in a reference cycle."""
    ground = QWidget()
    ground.resize(600, 500)
    ground.other = QLineEdit(ground)
    ground.show()
    qtbot.waitExposed(ground)
    ground.other.setFocus()
    ground.field = QuickPick(ground)
    ground.field.ask("Type", "name", lambda _text: None, [Choice("Title")])
    qtbot.waitUntil(ground.field.line.hasFocus)


def test_a_window_with_an_open_field_is_garbage_collected_without_an_error(qtbot, capfd):
    gc.collect()
    gc.disable()
    try:
        abandon_open_field(qtbot)
        with qtbot.captureExceptions() as raised:
            assert gc.collect() > 0
    finally:
        gc.enable()
    assert raised == []
    assert "Error" not in capfd.readouterr().err

"""Messages lie above each other, also after one of them is gone."""

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QWidget

from gui.widgets.toasts import Toast, question_over


def test_a_message_is_shown_after_the_question_below_it_is_deleted(qtbot):
    ground = QWidget()
    qtbot.addWidget(ground)
    ground.resize(800, 600)
    toast = Toast(ground)
    question = question_over(ground)
    ground.show()
    question.show_text("Is it so?")
    toast.show_text("Saved")
    assert toast.geometry().bottom() < question.y()
    at = toast.y()
    question.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    toast.show_text("Saved again")
    assert toast.y() > at

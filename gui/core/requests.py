"""Requests: what one feature asks of another, which it does not know."""

from PySide6.QtCore import QObject, Signal


class Requests(QObject):
    """Receivers connect to the signals; who asks needs nobody to listen."""

    # Show the errors of the current layer, from the first on: against gold, or against the layer
    # itself after the harmless change of this key.
    errors = Signal(str)
    review = Signal()  # show where annotators differ on the page that is opened next
    pair = Signal(int, int)  # show two pages of the list side by side
    transfer = Signal(list, list)  # transfer marks of some pages of the list to others
    question = Signal(str)  # put this question on the open page
    assigned = Signal()  # list only the pages that who works is to mark
    enable = Signal()  # which actions can be had may have changed
    others_marked = Signal()  # what others did came into the workspace
    compare = Signal(str, str, object)  # two versions on all pages, by what names; None: the same
    draw = Signal(object)  # these methods (a sequence of Column) in place of the usual layers

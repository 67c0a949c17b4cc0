"""What views hand on as the index of an item."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex

ItemIndex = QModelIndex | QPersistentModelIndex

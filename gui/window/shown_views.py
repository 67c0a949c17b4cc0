"""Which view the window shows, as conditions of actions ask."""

from gui.window.central import Central
from gui.window.page_views import Views


class ShownViews:
    """Answers `gui.core.when.Shown` from those who show views."""

    def __init__(self, central: Central, views: Views) -> None:
        self.is_view = central.widget is None
        self.is_pair = self.is_view and bool(views.pair)
        self.is_page = self.is_view and not views.pair
        self.is_table = central.is_table
        self.is_3d = views.is_3d
        self.is_side_by_side = views.is_side
        self.is_presentation = views.is_presentation

"""Site: all open pages by template, with the pictures of their distances."""

from gui.core.action import Action
from gui.core.feature import Feature, ViewRow
from gui.core.main_area import MainArea
from gui.core.when import WITH_DOCUMENT
from gui.features.site.view import SiteView

FEATURE = Feature(
    "site",
    guide="sites.md",
    views=(ViewRow(SiteView, SiteView),),
    actions=(
        Action("site", "All pages by template", "View", MainArea.toggle, (SiteView,), ("F12",),
               icon="site", help="Distances, clusters and a map of the open pages; again: back",
               order=10,
               words=("clusters", "template overview", "page map", "similar pages")),
        Action("siblings", "Two pages side by side", "View", SiteView.show_pair,
               keys=("Shift+F12",), icon="siblings", when=WITH_DOCUMENT, section="Two pages",
               help="The two selected in the Site view, else this page and the one most like it: "
               "their template, and what differs", order=70,
               words=("compare two pages", "page diff", "template difference")),
    ),
)  # fmt: skip

"""Site: all open pages by template, with the pictures of their distances."""

from gui.core.action import Action, Context
from gui.core.feature import Feature, TaskView, ViewRow
from gui.core.main_area import MainArea
from gui.core.when import WITH_DOCUMENT, When
from gui.core.workbench import Workbench
from gui.plugins.site.view import SiteView


def _has_tile(now: Workbench) -> bool:
    area = now.main_area
    return area.shows(SiteView) and bool(area.get(SiteView).state.selected)


CHOSEN = When("select a page in the Site view first (F12)", _has_tile)

FEATURE = Feature(
    "site",
    after="museum",
    guide="sites.md",
    views=(ViewRow(SiteView, SiteView),),
    tasks=(
        TaskView(
            "site", "Site", "All open pages, by template",
            ("website overview", "template view"),
            "Open the folder of a site: its pages are grouped by template.", view=SiteView,
            before="evaluate",
        ),
    ),
    actions=(
        Action("site", "All pages by template", "View", MainArea.toggle, (SiteView,), ("F12",),
               icon="site", help="Distances, clusters and a map of the open pages; again: back",
               order=10,
               words=("clusters", "template overview", "page map", "similar pages")),
        Action("site-open", "Open the selected page", "View ▸ Selected page",
               SiteView.open_selected,
               when=CHOSEN, help="As Enter and a double click do", order=12,
               context=(Context.TILE,),
               words=("open tile", "show selected page")),
        Action("site-cluster", "Select its cluster", "View ▸ Selected page",
               SiteView.select_clusters,
               when=CHOSEN, order=14, context=(Context.TILE,),
               words=("select template", "whole cluster")),
        Action("site-transfer", "Transfer its marks to its cluster", "View ▸ Selected page",
               SiteView.transfer,
               when=CHOSEN, help="As drafts on the other pages, each with a certainty", order=16,
               context=(Context.TILE,),
               words=("propagate marks to cluster", "marks to the same template")),
        Action("siblings", "Two pages side by side", "View ▸ Side by side", SiteView.show_pair,
               keys=("Shift+F12",), icon="siblings", when=WITH_DOCUMENT, section="Two pages",
               help="The two selected in the Site view, else this page and the one most like it: "
               "their template, and what differs", order=70,
               words=("compare two pages", "page diff", "template difference"),
               context=(Context.TILE,)),
    ),
)  # fmt: skip

"""Pages: the list of open pages and their status."""

from PySide6.QtWidgets import QWidget

from gui.core.action import SUB, Action, Context
from gui.core.feature import Feature, Panel, Side
from gui.core.navigation import Navigation
from gui.core.new_window import Restoring
from gui.core.page_session import PageSession
from gui.core.when import ON_PAGE, WITH_DOCUMENT, When
from gui.core.workbench import Workbench
from gui.features.pages.controller import PageMenu
from gui.features.pages.panel import PagesDock

__all__ = ["FEATURE", "OTHER", "PageMenu"]

DAMAGED = When(
    "the workspace is whole, or has no backup", lambda now: now.restoring.backup is not None
)
REPLACED = When("the workspace file has not moved", lambda now: now.saving.is_moved)
HANGING = When("the page answers", lambda now: now.canvas.hangs)
CHOSEN = When("choose a page in the list first", lambda now: now.get(PageMenu).is_chosen)
NO_PAGE = When(
    "choose a file in the list that is no page", lambda now: now.get(PageMenu).is_no_page
)
OTHER = When("choose another page than the open one", lambda now: now.get(PageMenu).is_other)


def _panel(workbench: Workbench, window: QWidget) -> PagesDock:
    pages = PagesDock(workbench.session, workbench.navigation, window)
    main_area = workbench.main_area
    pages.search_in_view = lambda: main_area.current.start_search()
    pages.opened.connect(main_area.show_page)
    pages.chosen.connect(workbench.get(PageMenu).choose)
    main_area.returned.connect(pages.end_search)
    workbench.requests.assigned.connect(pages.list_assigned)
    return pages


FEATURE = Feature(
    "pages",
    guide="pages.md",
    controllers=(PageMenu,),
    panels=(
        Panel("pages", _panel, Side.LEFT),
    ),
    actions=(
        Action("page-open", "Open", "", PageMenu.open, when=CHOSEN, section="Pages", order=-30,
               help="The page right-clicked in the list; Enter and a click open one, too",
               context=(Context.PAGES,),
               words=("open listed page", "go to this page")),
        *(
            Action(f"page-is-{status.replace(' ', '-')}", text, SUB + "Status",
                   PageMenu.set_status, (status,), when=CHOSEN, section="Pages",
                   context=(Context.PAGES,),
                   help="The page right-clicked in the list, without opening it",
                   words=(f"listed page {status}", f"mark page {status}"))
            for status, text in (
                ("open", "Not done"), ("in progress", "In progress"), ("done", "Done"),
            )
        ),
        Action("page-tag", "Tag…", "", PageMenu.tag, when=CHOSEN, section="Pages",
               context=(Context.PAGES,),
               help="Adds a word of your own to the page right-clicked in the list, or removes it",
               words=("add tag to listed page", "label this page", "remove tag")),
        Action("page-tag-listed", "Tag all listed pages…", "File ▸ Status", PageMenu.tag_listed,
               when=WITH_DOCUMENT, section="Pages", context=(Context.PAGES,), order=160,
               help="Those that the list shows, such as after a search",
               words=("add tag to many pages", "label several pages")),
        Action("page-tag-open", "Tag the page…", "File ▸ Status", PageMenu.tag_open,
               when=ON_PAGE, section="Pages", order=155,
               help="Adds a word of your own to the open page, or removes it",
               words=("add tag", "label page", "keyword of page")),
        Action("page-listed", "List it as a page", "", PageMenu.switch_no_page, when=NO_PAGE,
               is_on=lambda workbench: workbench.get(PageMenu).is_listed_no_page,
               section="Pages", context=(Context.PAGES,),
               help="An error page, redirect or fragment of a folder: ticked, it is a page",
               words=("tick a file that is no page", "list an error page", "leave page out")),
        Action("page-address", "Copy address", "", PageMenu.copy_address, when=CHOSEN,
               icon="copy", section="Pages", context=(Context.PAGES,),
               words=("copy link", "copy page path")),
        Action("next", "Next page", "File", Navigation.next_page, keys=(".", "Ctrl+PgDown"),
               icon="next", when=WITH_DOCUMENT, section="Pages", line=True, in_presentation=True,
               order=60,
               words=("go forward a page", "following document"),
               context=(Context.PAGE,)),
        Action("previous", "Previous page", "File", Navigation.previous_page,
               keys=(",", "Ctrl+PgUp"), icon="previous", when=WITH_DOCUMENT, section="Pages",
               in_presentation=True, order=70,
               words=("go back a page", "document before"),
               context=(Context.PAGE,)),
        Action("find-page", "Find a page", "File", PagesDock.find_page, keys=("Ctrl+F", "/"),
               icon="search", section="Pages", order=80,
               words=("search pages", "filter page list", "go to page")),
        Action("reload", "Load again", "File", Navigation.reload, keys=("Ctrl+R", "F5"),
               icon="reload", when=WITH_DOCUMENT, section="Pages", order=90,
               words=("refresh page", "render again"),
               context=(Context.PAGE,)),
        Action("chance", "Reload with real or fixed randomness", "File ▸ Page",
               Navigation.switch_repeatable,
               when=WITH_DOCUMENT, section="Pages",
               help="Give the page's scripts real ones, or the same each time", order=100,
               words=("random seed", "fixed date and random numbers", "determinism")),
        Action("status-progress", "Page is in progress", "File ▸ Status", PageSession.set_status,
               ("in progress",), ("Ctrl+Shift+D",), "status-progress", when=ON_PAGE,
               group="status", value="in progress", section="Pages", order=140,
               words=("page in work", "started page")),
        Action("status-open", "Page is not done", "File ▸ Status", PageSession.set_status,
               ("open",), ("Ctrl+D",), "status-open", when=ON_PAGE, group="status", value="open",
               section="Pages",
               order=150,
               words=("reopen page", "page not done", "reset status")),
        Action("take-backup", "Take the backup", "File ▸ Recover", Restoring.take, icon="open",
               when=DAMAGED, section="Pages",
               help="If the workspace is damaged: opens its last backup in a new window; "
                    "the damaged file is kept beside it", order=240,
               words=("restore backup", "recover workspace", "damaged file")),
        Action("reopen-workspace", "Open the new file", "File ▸ Recover", Restoring.reopen,
               icon="open",
               when=REPLACED, section="Pages",
               help="Where another program has replaced the workspace's file: opens the file of "
                    "that name with your marks in a new window; the former contents are copied "
                    "beside it", order=245,
               words=("reload workspace", "workspace replaced")),
        Action("wait", "Wait", "Edit ▸ Page hangs", PageSession.wait, when=HANGING,
               help="Goes on waiting for a page that does not answer", order=50,
               words=("keep waiting", "page does not respond")),
        Action("stop-page", "Stop", "Edit ▸ Page hangs", PageSession.end_hanging, when=HANGING,
               help="Ends a page that does not answer; one that was open is loaded again",
               order=60,
               words=("kill page", "end hanging page")),
    ),
)  # fmt: skip

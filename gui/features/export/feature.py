"""Export of the view as a picture, of the page with its layers, and of its marks."""

from gui.core.action import Action, Context
from gui.core.feature import Feature
from gui.core.when import ON_PAGE, When
from gui.features.export.page_export import PageExport

WITH_PICTURE = When(
    ON_PAGE.reason, lambda now: bool(now.main_area.current.picture_kinds), ON_PAGE.step
)

FEATURE = Feature(
    "export",
    guide="exchange.md",
    controllers=(PageExport,),
    actions=(
        Action("export-picture", "Save picture of the page…", "File ▸ Export",
               PageExport.ask_picture,
               keys=("Ctrl+E",), icon="picture", when=WITH_PICTURE, section="Pages", line=True,
               in_presentation=True, order=180,
               words=("screenshot", "save as png", "image of page"),
               context=(Context.PAGE,)),
        Action("export-page", "Save the page with its layers…", "File ▸ Export",
               PageExport.ask_page,
               keys=("Ctrl+P",), icon="export", when=ON_PAGE, section="Pages",
               help="All of it, as HTML, PNG, SVG or PDF, for those without Pagelet", order=190,
               words=("print page", "save pdf", "export svg", "export html"),
               context=(Context.PAGE,)),
        Action("export-gold", "Save marks to a file…", "File ▸ Export", PageExport.ask_gold,
               keys=("Ctrl+Shift+E",), icon="saved", when=ON_PAGE, section="Pages",
               help="Saved beside the page as PAGE.gold.json, they open with it next time",
               order=200,
               words=("save annotations", "export gold standard", "save ground truth")),
    ),
)  # fmt: skip

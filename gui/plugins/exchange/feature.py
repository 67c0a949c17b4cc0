"""Exchange: marks to and from the formats of other tools."""

from annotate.datasets.looking.found import Found
from gui.core.action import Action, Context
from gui.core.feature import Feature, FileStep, Panel, dock_with
from gui.core.when import ON_PAGE
from gui.core.workbench import Workbench
from gui.plugins.exchange.controller import ExchangeController
from gui.plugins.exchange.panel import ExchangeDock


def _preview(workbench: Workbench, found: Found) -> list[str]:
    """Return the result of an import on the open page, without importing."""
    exchanging = workbench.get(ExchangeController)
    exchanging.show_preview(found.key, str(found.path))
    counts, *rest = exchanging.import_lines() or ("",)
    return list(rest[:1] or filter(None, [counts]))


FEATURE = Feature(
    "exchange",
    after="team_folder",
    guide="exchange.md",
    controllers=(ExchangeController,),
    panels=(
        Panel("exchange", dock_with(ExchangeDock, ExchangeController), "details"),
    ),
    file_steps=(
        FileStep(
            ("annotations",),
            "import",
            lambda workbench, _found: workbench.get(ExchangeController).take_in(),
            _preview,
        ),
    ),
    actions=(
        Action("export-marks", "Export marks…", "File ▸ Export", ExchangeDock.start, ("out",),
               ("Ctrl+Shift+X",), icon="export", when=ON_PAGE, section="Pages", line=True,
               help="In the formats of other tools; lists the losses of each first", order=210,
               words=("export coco", "export annotations", "label studio export", "labelme"),
               context=(Context.OUTLINE,)),
        Action("import-marks", "Import marks…", "File ▸ Import", ExchangeDock.start, ("in",),
               ("Ctrl+I",),
               when=ON_PAGE, section="Pages", help="From other tools, onto this page",
               order=220,
               words=("import annotations", "load coco", "load label studio"),
               context=(Context.OUTLINE,)),
    ),
)  # fmt: skip

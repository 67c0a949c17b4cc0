"""Exchange: marks to and from the formats of other tools."""

from annotate.datasets.looking.found import Found
from gui.core.action import Action, Context
from gui.core.feature import Feature, FileStep, Panel, dock_with
from gui.core.when import ON_PAGE, When
from gui.core.workbench import Workbench
from gui.plugins.exchange.controller import ExchangeController
from gui.plugins.exchange.mirror import Mirror
from gui.plugins.exchange.panel import ExchangeDock


def _preview(workbench: Workbench, found: Found) -> list[str]:
    """Return the result of an import on the open page, without importing."""
    exchanging = workbench.get(ExchangeController)
    exchanging.show_preview(found.key, str(found.path))
    counts, *rest = exchanging.import_lines() or ("",)
    return list(rest[:1] or filter(None, [counts]))


CHANGED = When(
    "no file of marks beside this page was changed outside",
    lambda now: now.get(Mirror).changed_file is not None,
)

FEATURE = Feature(
    "exchange",
    after="team_folder",
    guide="exchange.md",
    controllers=(ExchangeController, Mirror),
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
        Action("mirror-marks", "Keep marks in files beside the pages", "File ▸ Export",
               Mirror.toggle, is_on=lambda now: now.get(Mirror).is_on, order=225, line=True,
               help="After each save, one file a page and one mark a line; for this workspace",
               words=("mirror as json", "marks in git", "gold files beside pages")),
        Action("take-file-marks", "Take the marks of the changed file", "Edit ▸ Conflict",
               Mirror.take, when=CHANGED, line=True, order=50,
               help="Of the file beside the page; undo brings back those that were here",
               words=("reload gold file", "use edited json", "accept changed file")),
        Action("keep-over-file", "Write my marks over the changed file", "Edit ▸ Conflict",
               Mirror.keep, when=CHANGED, order=60,
               help="The file beside the page gets the marks that are here",
               words=("overwrite gold file", "discard edited json", "refuse changed file")),
    ),
)  # fmt: skip

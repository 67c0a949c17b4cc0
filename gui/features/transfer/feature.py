"""Transfer: marks brought to other pages of the same template."""

from gui.core.action import Action
from gui.core.feature import Feature
from gui.core.when import ON_PAGE
from gui.core.workbench import Workbench
from gui.features.drafts.feature import Drafting
from gui.features.transfer.controller import Carrying
from gui.features.transfer.copying import Copying


def _carrying(workbench: Workbench) -> Carrying:
    drafting = workbench.get(Drafting)
    return Carrying(workbench.session, workbench.workspace, workbench.marking, drafting, workbench)


def _copying(workbench: Workbench) -> Copying:
    copying = Copying(workbench.session, workbench.marking, workbench.get(Drafting), workbench)
    copying.next_asked.connect(workbench.next_page)
    return copying


FEATURE = Feature(
    "transfer",
    controllers=(_carrying, _copying,),
    actions=(
        Action("bring", "Bring marks from pages like this", "Drafts", Carrying.bring,
               keys=("Ctrl+Shift+J",), when=ON_PAGE, line=True,
               help="What is marked on other pages of the site, found on this one as drafts",
               order=170),
        Action("copy-next", "Copy the marks to the next page", "Drafts", Copying.copy_on,
               keys=("Ctrl+Shift+PgDown",), when=ON_PAGE,
               help="Opens it; where the same nodes are found, the marks become drafts", order=180),
    ),
)  # fmt: skip

"""Transfer: marks transferred to other pages of the same template."""

from gui.core.action import Action, Context
from gui.core.feature import Feature
from gui.core.when import ON_PAGE
from gui.features.pages.feature import OTHER
from gui.plugins.transfer.controller import Transfer
from gui.plugins.transfer.copy_to_next import CopyToNext

FEATURE = Feature(
    "transfer",
    after="drafts",
    guide="drafts.md",
    controllers=(Transfer, CopyToNext),
    actions=(
        Action("page-transfer", "Transfer the open page's marks to it", "",
               Transfer.transfer_to_listed, when=OTHER, section="Pages", order=-10,
               help="As drafts, each with a certainty",
               context=(Context.PAGES,),
               words=("propagate marks to a page", "copy marks to a page")),
        Action("bring", "Transfer marks from similar pages", "Mark ▸ Other pages",
               Transfer.transfer_here, keys=("Ctrl+Shift+J",), when=ON_PAGE, line=True, order=170,
               help="What is marked on other pages of the site, found on this one as drafts",
               words=("propagate annotations", "carry over marks", "apply to same template")),
        Action("copy-next", "Copy the marks to the next page", "Mark ▸ Other pages",
               CopyToNext.copy, keys=("Ctrl+Shift+PgDown",), when=ON_PAGE,
               help="Opens it; where the same nodes are found, the marks become drafts", order=180,
               words=("duplicate annotations forward", "repeat marks on next page")),
    ),
)  # fmt: skip

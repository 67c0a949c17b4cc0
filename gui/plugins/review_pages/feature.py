"""Review pages: answers given in a browser, merged into the workspace."""

from gui.core.action import Action
from gui.core.feature import Feature
from gui.plugins.review_pages.controller import ReviewPagesController

FEATURE = Feature(
    "review_pages",
    after="team",
    guide="review_pages.md",
    controllers=(ReviewPagesController,),
    actions=(
        Action("merge-answers", "Merge answers of a review…", "File ▸ Import",
               ReviewPagesController.ask, section="Pages", order=231,
               help="Puts what a colleague answered in a browser beside the marks here",
               words=("import review", "collect answers", "reviewer without install")),
    ),
)  # fmt: skip

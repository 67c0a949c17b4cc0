"""Agreement of annotators on all pages marked by at least two."""

from annotate.workspace.workspace import page_key
from gui.core.action import Action
from gui.core.feature import Feature, ViewRow
from gui.core.main_area import MainArea
from gui.core.workbench import Workbench
from gui.plugins.team_work.agreement.view import AgreementView


def _agreement(workbench: Workbench) -> AgreementView:
    main_area, session = workbench.main_area, workbench.session
    view = AgreementView(workbench.workspace, main_area.stack, workbench.pages.title_of)

    def review(key: str) -> None:
        """Open a page and show where its annotators differ."""
        if key not in map(page_key, session.documents):
            session.messages.say("that page is not open: open its folder first")
            return
        workbench.requests.review.emit()
        main_area.show_page()
        workbench.navigation.open_key(key)

    view.left.connect(main_area.show_page)
    view.opened.connect(review)
    view.asked.connect(main_area.asked)
    workbench.requests.others_marked.connect(view.show_outdated)
    return view


FEATURE = Feature(
    "agreement",
    after="compare",
    guide="agreement.md",
    views=(ViewRow(AgreementView, _agreement),),
    actions=(
        Action("agreement", "How far annotators agree", "Review", MainArea.toggle,
               (AgreementView,), ("Ctrl+F10",), icon="evaluate", order=100,
               help="A table over all pages, with granularity and types; again: back to the page",
               words=("inter-annotator agreement", "kappa", "krippendorff alpha")),
    ),
)  # fmt: skip

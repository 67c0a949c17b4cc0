"""Suggestions: blocks that methods agree on, to accept or reject."""

from gui.core.action import Action
from gui.core.feature import Feature, Panel, dock_with
from gui.core.main_area import Where
from gui.core.when import ON_PAGE
from gui.plugins.suggestions.controller import SuggestionsController
from gui.plugins.suggestions.panel import SuggestionsDock
from gui.plugins.suggestions.state import SuggestionWalk

FEATURE = Feature(
    "suggestions",
    after="disagreement",
    guide="drafts.md",
    controllers=(SuggestionsController,),
    panels=(
        Panel("suggestions", dock_with(SuggestionsDock, SuggestionsController), "outline",
              SuggestionWalk, toggle=Action("suggestions", "Suggestions of the methods shown",
               "Mark ▸ Suggestions", keys=("Ctrl+J",), icon="select", when=ON_PAGE, line=True,
               help="One list of their proposals, and of agreement", order=190,
               words=("proposals", "show predictions", "recommended blocks"))),
    ),
    actions=(
        Action("suggestion-next", "Next suggestion", "Mark ▸ Suggestions",
               SuggestionsController.step, (1,), ("Shift+Down",), where=Where.PAGE,
               when=ON_PAGE, order=200, words=("next proposal", "following recommendation")),
        Action("suggestion-previous", "Previous suggestion", "Mark ▸ Suggestions",
               SuggestionsController.step, (-1,), ("Shift+Up",), where=Where.PAGE,
               when=ON_PAGE, order=210, words=("previous proposal", "preceding recommendation")),
        Action("suggestion-accept", "Accept the suggestion", "Mark ▸ Suggestions",
               SuggestionsController.accept, keys=("Shift+Return",), where=Where.PAGE,
               when=ON_PAGE, help="Marks it; it is gold at once", order=220,
               words=("take proposal", "approve recommendation")),
        Action("suggestion-reject", "Reject the suggestion", "Mark ▸ Suggestions",
               SuggestionsController.reject, keys=("Shift+Backspace",), where=Where.PAGE,
               when=ON_PAGE, help="It is not suggested here again", order=230,
               words=("dismiss proposal", "refuse recommendation")),
    ),
)  # fmt: skip

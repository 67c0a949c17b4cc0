"""Learning: models trained on the workspace's marks in the background."""

from gui.core.action import Action, Context
from gui.core.feature import Feature
from gui.plugins.training.controller import TrainingController

FEATURE = Feature(
    "training",
    after="layers",
    guide="train.md",
    controllers=(TrainingController,),
    actions=(
        Action("learn", "Learn from my marks", "Methods", TrainingController.learn,
               help="Trains Gleaner on main content and terrain-learned on blocks, from ten marked "
                    "pages on; each model becomes a layer", order=91,
               words=("train a model", "machine learning", "fit to my gold", "custom extractor"),
               context=(Context.PAGES,)),
    ),
)  # fmt: skip

"""Presentation: the page with one method after the other."""

from gui.core.action import Action, Context, ViewActions
from gui.core.feature import Feature, TaskView, ViewRow
from gui.core.main_area import MainArea, Where
from gui.core.when import ON_PAGE, showing
from gui.plugins.presentation.stage import Presentation

PRESENTING = showing(Presentation, "present the page first (F11)", "present")
_HERE = Where("talk", is_alone=True)
_slides = ViewActions("talk", _HERE, PRESENTING, "Presentation", in_presentation=True)

FEATURE = Feature(
    "presentation",
    after="view_3d",
    guide="views.md",
    views=(ViewRow(Presentation, Presentation),),
    tasks=(
        TaskView(
            "present", "Present", "The page alone, layer by layer, for an audience",
            ("slide show view", "audience view"),
            "Open a page: its layers are shown one by one.", view=Presentation,
            before="evaluate",
        ),
    ),
    actions=(
        Action("present", "Present the page", "View", MainArea.toggle, (Presentation,), ("F11",),
               icon="present", when=ON_PAGE, in_presentation=True, section="Presentation",
               help="The layers drawn, one by one, in large type and nothing else; Esc: back",
               order=20,
               words=("slides", "full screen", "lecture", "slideshow"),
               context=(Context.PAGE,)),
        _slides("next", "Next slide", Presentation.step, (1,), ("Right", "Space", "PgDown", "N"),
                words=("advance slide", "forward in talk")),
        _slides("previous", "Previous slide", Presentation.step, (-1,), ("Left", "PgUp", "P"),
                words=("back a slide", "backward in talk")),
        _slides("first", "First slide", Presentation.go, (0,), ("Home",),
                words=("start of slides", "beginning of talk")),
        _slides("last", "Last slide", Presentation.go_last, (), ("End",),
                words=("end of slides", "final slide")),
        _slides("notes", "Notes to this slide", Presentation.toggle_notes, (), ("Alt+N",),
              "Written and read here; kept with the page",
                words=("speaker notes", "presenter notes")),
        _slides("speaker", "Window for the speaker", Presentation.toggle_speaker, (), ("S",),
                "This slide and the next, notes and clock; on the other screen if there are two",
                words=("presenter view", "speaker view", "next slide and notes")),
        _slides("swap", "Exchange the screens", Presentation.swap_screens, (), ("Alt+S",),
                "The audience's screen and the speaker's",
                words=("swap displays", "other monitor")),
        _slides("black", "Black screen", Presentation.toggle_black, (), ("B",),
                "Make the screen black; any step shows the slide again",
                words=("blank screen", "hide the slide")),
        _slides("clock", "Pause the clock, or continue it", Presentation.toggle_clock, (),
        ("Alt+T",),
                words=("pause timer", "stopwatch")),
    ),
)  # fmt: skip

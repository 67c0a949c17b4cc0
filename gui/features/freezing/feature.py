"""Freezing: a page as a file that restores it exactly, with its certificate."""

from gui.core.action import Action
from gui.core.feature import Feature
from gui.core.when import ON_PAGE
from gui.features.freezing.certificate import CertificatePart
from gui.features.freezing.controller import FreezingController

__all__ = ["FEATURE", "CertificatePart", "FreezingController"]

FEATURE = Feature(
    "freezing",
    guide="freeze.md",
    controllers=(FreezingController,),
    actions=(
        Action("click-first", "Click the framed element before freezing", "File ▸ Page",
               FreezingController.click_first, keys=("Ctrl+Alt+B",), when=ON_PAGE, section="Pages",
               line=True,
               help="Closes a banner or opens a folded part; the certificate lists the click",
               order=160,
               words=("close cookie banner", "dismiss popup", "expand folded content")),
        Action("freeze", "Freeze the page", "File ▸ Page",
               FreezingController.freeze, keys=("Ctrl+Alt+F",),
               when=ON_PAGE, section="Pages",
               help="Writes one file that restores the page exactly, with its marks; Details shows "
                    "its certificate", order=170,
               words=("archive page", "snapshot", "capture page", "save offline copy")),
    ),
)  # fmt: skip

"""Audit panel: probable errors in gold, with reasons; fixed, kept or asked by key; their style."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtWidgets import QWidget

from annotate.plugins.audit.auditing import AuditedPart
from engine.words import plural
from gui.core.findings import FindingsDock, Row, frame_box
from gui.page.overlay.pieces import PageNumberings
from gui.page.overlay.specs import LayerSpec
from gui.plugins.audit.controller import AuditController, none_text
from gui.plugins.audit.state import AuditWalk
from gui.state.session import Session
from gui.widgets.entry_delegate import Entry


@dataclass(frozen=True)
class PartStyle:
    """Sign for the effect of *Fix*, colour, ``#rrggbb``, and line on the page."""

    sign: str
    color: str
    line: str


_MISSING = PartStyle("+", "#C24A00", "underline")
_MUCH = PartStyle("−", "#0067A6", "line-through")
_OTHER_TYPE = PartStyle("≠", "#7A3F9D", "underline")


def style_of(part: AuditedPart) -> PartStyle:
    if part.suggested:
        return _OTHER_TYPE
    return _MUCH if part.finding.is_marked else _MISSING


def audit_specs(
    part: AuditedPart,
    rows: Sequence[int],
    ranges: Sequence[tuple[int, int, int]],
    pieces: PageNumberings,
) -> list[LayerSpec]:
    """Return the layers of a part: its texts, and around them a frame with the first reason.

    A block has a row and no texts.
    """
    if not rows:
        return []
    style = style_of(part)
    box = frame_box(rows, f"{part.says}: {part.finding.reasons[0]}", pieces)
    drawn = {"boxes": [box], "ranges": [pieces.range(*each) for each in ranges]}
    look = {"color": style.color, "dash": "solid", "opacity": 1.0, "line": style.line}
    return [{"id": "audit", **look, **drawn}]


_OF_TEXT = ("Too much", "Missing")
_OF_BLOCKS = ("No block", "Missing block")


class AuditDock(FindingsDock[AuditWalk]):
    """Parts of all pages, the most suspicious first, with the reasons of the current one."""

    def __init__(
        self, session: Session, host: AuditController, parent: QWidget | None = None
    ) -> None:
        super().__init__("Audit", "AuditDock", session.get(AuditWalk), parent)
        self._title_of = host.title_of
        self.again = self.title_button("reload", "Read the gold of all pages again", host.start)
        self.halt = self.title_button("stop", "Stop reading", host.stop)
        self.add_close("Close  (Ctrl+Shift+G)", self.hide_findings)
        self.make_bar(
            "Previous part  (Ctrl+Alt+G)", "Next part  (Ctrl+G)", "Ctrl+G: to the first",
            ("check", "Fix: mark it, or take it out  (Shift+F)", host.fix),
            ("lock", "Keep: gold is right here  (Shift+K)", host.keep),
            ("status-question", "Ask about it  (Shift+H)", host.ask),
        )  # fmt: skip
        self.reasons = self.make_text("Reasons")
        self.make_list("Parts of gold to check", enter=host.fix, delete=host.keep, lines=2)
        self.arrange(self.bar, self.reasons)

    def row(self, part: AuditedPart) -> Row:
        style, name, title = style_of(part), self._title_of(part.page), _title(part)
        line = " ".join(part.text[:300].split())
        entry = Entry(style.sign, style.color, "#ffffff", title, name, line)
        tip = f"{title}\n{name}\n{_why(part)}\n{line}"
        return Row(lambda _theme: entry, f"{title}, {name}: {line}", tip)

    def refresh(self) -> None:
        walk, none = self._walk, none_text(self._walk)
        self.show_none(f"{none[:1].upper()}{none[1:]}." if none else "")
        self.halt.setVisible(walk.is_running)
        self.again.setVisible(not walk.is_running)
        self.set_remark(_remark(walk))
        super().refresh()

    def position(self) -> str:
        walk = self._walk
        return "" if walk.current is None else f"{walk.index + 1} of {walk.open_count}"

    def show_current(self) -> None:
        super().show_current()
        part = self._walk.current
        self.reasons.setText("" if part is None else _why(part))
        self.reasons.setVisible(part is not None)


def _title(part: AuditedPart) -> str:
    if part.suggested:
        title = f"{part.type} → {part.suggested}"
    elif part.flaw is not None:
        title = f"{part.says[:1].upper()}{part.says[1:]}"
    else:
        titles = _OF_BLOCKS if part.is_block else _OF_TEXT
        title = titles[not part.finding.is_marked]
    return f"{title} · {plural(part.finding.words, 'word')}"


def _why(part: AuditedPart) -> str:
    """Return the reasons, one per line."""
    return "\n".join(f"· {reason}" for reason in part.finding.reasons)


def _remark(walk: AuditWalk) -> str:
    if walk.is_running:
        return f"{walk.done} of {plural(walk.total, 'page')} read"
    text = f"{plural(walk.open_count, 'part')} of {plural(walk.with_gold, 'page')}"
    return text if walk.total else ""

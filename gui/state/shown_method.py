"""Which method a view speaks of that shows one."""

from gui.state.session import Session


def method_shown(session: Session) -> str:
    """Return the key of the current layer's method, else of the first method drawn, else ""."""
    if not session.layers.layer(session.layers.current_layer).is_gold:
        return session.layers.current_layer
    drawn = [x.key for x in session.layers.all if not x.is_gold and session.layers.is_drawn(x)]
    return drawn[0] if drawn else ""

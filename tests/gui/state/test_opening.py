"""Opening a page: any order of events leads to a legal phase, and stale events are dropped."""

from functools import partial

from hypothesis import given
from hypothesis import strategies as st

from gui.state.opening import TRANSITIONS, Event, Opening, Phase

LATER = (Event.RENDERED, Event.MARKS_READ, Event.DRAWN, Event.RELOADED, Event.GIVEN_UP)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(["ask", "wait for"]), st.sampled_from("ab")),
        st.tuples(st.just("crash"), st.floats(0, 1e6)),
        st.tuples(st.just("use"), st.none()),
        st.tuples(st.just("close"), st.none()),
        st.tuples(st.sampled_from(LATER), st.integers(0, 2)),  # of how many loads before
    ),
    max_size=40,
)


def shown(key: str = "a") -> Opening:
    opening = Opening()
    opening.ask(key)
    for event in (Event.RENDERED, Event.MARKS_READ, Event.DRAWN):
        assert opening.take(event, opening.number)
    return opening


@given(STEPS)
def test_any_order_of_events_follows_the_table_of_transitions(steps):
    opening, asked, calls, begun = Opening(), "", [], set()
    for step, value in steps:
        before, number, position = opening.phase, opening.number, opening.position
        if step == "ask":
            opening.ask(value)
            asked = value
            assert opening.phase is Phase.RENDERING
        elif step == "wait for":
            opening.when_shown(value, partial(calls.append, value))
        elif step == "crash":
            comes_back = opening.crash(value)
            assert comes_back == (position is None and (before, Event.CRASHED) in TRANSITIONS)
        elif step == "use":
            opening.use()
        elif step == "close":
            assert opening.take(Event.CLOSED)
        elif opening.take(step, number - value):
            assert value == 0, "an answer to an earlier load was taken"
            assert TRANSITIONS[before, step] is opening.phase
            if step is Event.DRAWN:
                assert opening.number not in begun, "methods begin once a load"
                begun.add(opening.number)
            if step is Event.MARKS_READ and (then := opening.due()) is not None:
                then()
                assert calls.pop() == asked, "a call waits for its page alone"
        else:
            assert (opening.phase, opening.number) == (before, number)
        if opening.phase is not before:
            assert opening.phase in {TRANSITIONS.get((before, event)) for event in Event}
    assert not calls


def test_every_phase_can_be_reached_and_left():
    assert set(TRANSITIONS.values()) == set(Phase)
    assert {phase for phase, _ in TRANSITIONS} == set(Phase)


def test_a_page_that_crashes_twice_unused_is_not_reloaded():
    opening = shown()
    assert opening.crash(120.0)
    assert opening.take(Event.RELOADED, opening.number)
    assert opening.position == 120.0
    assert not opening.crash(0.0)
    assert opening.take(Event.GIVEN_UP)
    assert opening.phase is Phase.FAILED


def test_a_page_used_after_a_crash_is_reloaded_after_another():
    opening = shown()
    assert opening.crash(120.0)
    opening.take(Event.RELOADED)
    for event in (Event.RENDERED, Event.MARKS_READ):
        opening.take(event)
    opening.use()
    assert opening.crash(7.0)


def test_marks_of_a_page_opened_before_are_dropped():
    opening = Opening()
    opening.ask("a")
    opening.take(Event.RENDERED)
    first = opening.number
    opening.ask("b")
    opening.take(Event.RENDERED)
    assert not opening.take(Event.MARKS_READ, first)
    assert opening.phase is Phase.READING


def test_a_reload_after_a_crash_is_dropped_when_another_page_is_opened():
    opening = shown()
    opening.crash(0.0)
    crashed = opening.number
    opening.ask("b")
    assert not opening.take(Event.RELOADED, crashed)
    assert opening.phase is Phase.RENDERING


def test_a_call_for_a_page_that_is_not_loading_is_dropped():
    opening, calls = shown("a"), []
    opening.when_shown("b", lambda: calls.append("b"))
    opening.when_shown("a", lambda: calls.append("a"))  # it is shown already
    opening.ask("b")
    opening.take(Event.RENDERED)
    opening.take(Event.MARKS_READ)
    assert opening.due() is None

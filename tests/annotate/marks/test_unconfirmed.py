"""Test marks at a probable position, which are not gold until confirmed."""

from annotate.marks import edits
from annotate.marks.anchor import describe, find, likely_places
from annotate.marks.gold import MAIN, Gold, Mark, MarkState, Target
from tests.annotate.pages import page_of, row_of

LIKE = "reported that the new pump lowered the water by eleven centimetres in every chamber"
OLD = (
    f"<h1>Crews</h1><p>What the crews wrote this Friday.</p><p id=a>Crew Alder {LIKE}.</p>"
    f"<p id=b>Crew Birch {LIKE}.</p><p>Crew Cedar reported that the gate is shut.</p>"
)
NEW = OLD.replace(f"<p id=a>Crew Alder {LIKE}.</p>", "")


def moved():
    """Return the new page, and the mark of the paragraph that is gone from it."""
    old = page_of(OLD).rendered()
    record = describe(old, Mark("m", MAIN, (Target(row_of(old, "a")),)))
    page = page_of(NEW)
    return page, find(page.rendered(), record)


def test_a_mark_on_a_similar_text_is_not_gold_until_confirmed():
    page, mark = moved()
    assert mark.state is MarkState.MOVED
    gold = Gold((mark,))
    assert (gold.sure.marks, gold.has_main) == ((), False)
    assert gold.as_results(page).text is None
    done = edits.confirm(gold, page.rendered(), ["m"])
    assert done.has_main
    assert "Birch" in done.as_results(page).text.text


def test_a_moved_mark_stays_moved_after_repeated_saving():
    page, mark = moved()
    nodes = page.rendered()
    # A place that says just what was marked, elsewhere: nothing but the record tells.
    exact = mark.with_(quote=f"Crew Birch {LIKE}.")
    for _ in range(3):
        exact = find(nodes, describe(nodes, exact))
        assert exact.state is MarkState.MOVED
    confirmed = edits.confirm(Gold((exact,)), nodes, ["m"]).marks[0]
    assert find(nodes, describe(nodes, confirmed)).state is MarkState.EXACT


def test_moved_blocks_of_a_data_set_are_gold():
    page, mark = moved()
    block = mark.with_(level=1, type="Content")
    gold = Gold((block,), block_texts=(("Crew Alder", 1),))
    assert gold.sure.marks == (block,)
    assert page is not None


def test_likely_positions_have_similar_text_with_the_best_first():
    page = page_of(OLD + (f"<p id=c>Crew Cedar {LIKE}.</p>"))
    nodes = page.rendered()
    mark = Mark("m", MAIN, (Target(row_of(nodes, "b")),), "", MarkState.MOVED,
                f"Crew Cedar {LIKE}.")  # fmt: skip
    places = likely_places(nodes, mark)
    assert places[0] == ((Target(row_of(nodes, "c")),), 1.0)
    assert {targets[0].row for targets, _ in places} == {row_of(nodes, name) for name in "abc"}
    gold = edits.move_to(Gold((mark,)), "m", *places[0])
    assert gold.marks[0].state is MarkState.MOVED
    lost = mark.with_(targets=(), state=MarkState.LOST)
    assert likely_places(nodes, lost)

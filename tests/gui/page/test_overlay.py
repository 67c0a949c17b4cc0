"""The overlay drawn over the page, checked in the pixels of the window."""

from itertools import count

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QColor

from annotate.marks import edits
from annotate.marks.gold import MAIN, Target
from gui.features.layers.controller import ShownLayers
from gui.state.layers import GOLD_1, GOLD_2, GOLD_MAIN
from gui.state.selection import Mode

pytestmark = pytest.mark.web

BOXES = "<style>body{margin:0} div{width:300px;height:120px;margin:40px}</style><div id=a></div>"
HOSTILE = """<style>*{opacity:.95!important} div,svg,canvas{display:block!important}
html>*:not(body){display:none!important} *{border:0!important;color:red!important}</style>"""


def has_color_at(hand, place, color, reach=4):
    """Return whether a color is on screen within some pixels of a place."""
    image = hand.workbench.canvas.view.grab().toImage()
    expected = QColor(color)
    for dx in range(-reach, reach + 1):
        for dy in range(-reach, reach + 1):
            at = place + QPoint(dx, dy)
            if image.valid(at):
                seen = image.pixelColor(at)
                near = (
                    abs(seen.red() - expected.red())
                    + abs(seen.green() - expected.green())
                    + abs(seen.blue() - expected.blue())
                )
                if near < 40:
                    return True
    return False


def only(hand, key):
    for layer in hand.session.layers.all:
        hand.session.layers.change_layer(layer.key, visible=layer.key == key)


def corner(hand, selector):
    zoom = hand.workbench.canvas.view.zoomFactor()
    x, y = hand.ask(
        f"((e) => [e.getBoundingClientRect().x, e.getBoundingClientRect().bottom])"
        f"(document.querySelector('{selector}'))"
    )
    return QPoint(round(x * zoom), round(y * zoom))


def take(hand, selector, mode):
    hand.workbench.session.selection.set_mode(mode)
    hand.session.selection.set_candidate(hand.row(selector))
    hand.workbench.marking.take()
    hand.workbench.clear_selection()


def test_the_box_of_a_block_is_drawn_on_its_element_at_any_zoom(hand):
    hand.open(BOXES)
    only(hand, GOLD_1)
    take(hand, "#a", Mode.LEVEL_1)
    color = hand.session.layers.layer(GOLD_1).color
    for zoom in (None, 1.0, 1.5):
        hand.workbench.canvas.set_zoom(zoom)
        hand.qtbot.waitUntil(lambda: has_color_at(hand, corner(hand, "#a"), color), timeout=60_000)


def test_the_css_of_a_page_cannot_hide_the_boxes(hand):
    hand.open(HOSTILE + BOXES)
    only(hand, GOLD_1)
    take(hand, "#a", Mode.LEVEL_1)
    color = hand.session.layers.layer(GOLD_1).color
    hand.qtbot.waitUntil(lambda: has_color_at(hand, corner(hand, "#a"), color), timeout=60_000)


def test_the_box_stays_on_its_element_when_the_page_is_scrolled(hand):
    hand.open(f"{BOXES}<p style='height:3000px'>long")
    only(hand, GOLD_1)
    take(hand, "#a", Mode.LEVEL_1)
    hand.ask("(scrollTo(0, 60), 1)")
    color = hand.session.layers.layer(GOLD_1).color
    hand.qtbot.waitUntil(lambda: has_color_at(hand, corner(hand, "#a"), color), timeout=60_000)


def test_a_hidden_layer_is_not_drawn_and_solo_draws_it_again(hand):
    hand.open(BOXES)
    only(hand, GOLD_1)
    take(hand, "#a", Mode.LEVEL_1)
    color = hand.session.layers.layer(GOLD_1).color
    hand.qtbot.waitUntil(lambda: has_color_at(hand, corner(hand, "#a"), color), timeout=60_000)
    hand.workbench.get(ShownLayers).toggle_layer(GOLD_1)
    hand.qtbot.waitUntil(lambda: not has_color_at(hand, corner(hand, "#a"), color), timeout=60_000)
    hand.workbench.get(ShownLayers).solo_layer(GOLD_1)
    hand.qtbot.waitUntil(lambda: has_color_at(hand, corner(hand, "#a"), color), timeout=60_000)


def test_the_overlay_adds_one_element_and_does_not_change_the_nodes_of_the_page(hand):
    hand.open(BOXES)
    before = hand.ask("document.querySelectorAll('*').length")
    take(hand, "#a", Mode.MAIN)
    assert hand.ask("document.querySelectorAll('*').length") == before
    assert hand.ask("document.querySelectorAll('pagelet-overlay').length") == 1
    assert not hand.session.open.page.nodes.has_tag("pagelet-overlay").any()


def test_marked_text_is_highlighted_without_changing_the_page(hand):
    hand.open("<p id=p>some words of which a part is marked</p>")
    only(hand, GOLD_MAIN)
    nodes = hand.session.open.page.rendered()
    row = next(r for r in range(len(nodes)) if nodes.text[r].startswith("some words"))

    def edit(gold, table):
        return edits.add_main(gold, table, [Target(row, 0, 10)])

    hand.workbench.marking.change("mark", edit)
    hand.qtbot.waitUntil(
        lambda: hand.ask("[...CSS.highlights.keys()].includes('pagelet-gold-main')"), timeout=60_000
    )
    assert hand.ask("[...CSS.highlights.get('pagelet-gold-main')][0].endOffset") == 10
    assert hand.ask("document.querySelector('#p').childNodes.length") == 1


def test_a_click_inside_a_frame_marks_the_element_under_it(hand):
    frame = "<body style='margin:0'><h2 style='height:80px;margin:0'>in</h2><p>the frame</p>"
    hand.open(f'<iframe id=f srcdoc="{frame}" style="width:400px;height:200px;border:0"></iframe>')
    nodes = hand.session.open.page.rendered()
    inner = next(r for r in range(len(nodes)) if nodes.name_of(r) == "h2")
    hand.workbench.session.selection.set_mode(Mode.LEVEL_1)
    zoom = hand.workbench.canvas.view.zoomFactor()
    x, y = hand.ask("((r) => [r.x, r.y])(document.querySelector('#f').getBoundingClientRect())")
    position = QPoint(round((x + 60) * zoom), round((y + 40) * zoom))
    hand.qtbot.mouseMove(hand.target, position)
    hand.qtbot.mouseClick(hand.target, hand.left, pos=position)
    hand.qtbot.waitUntil(lambda: hand.marked(1) == [[inner]], timeout=60_000)


def test_an_element_in_an_open_shadow_root_can_be_marked(hand):
    hand.open(
        "<x-card id=host></x-card><script>const r = host.attachShadow({mode: 'open'});"
        "r.innerHTML = '<p id=in style=\"height:60px\">in the shadow</p>'</script>"
    )
    nodes = hand.session.open.page.rendered()
    inner = next(r for r in range(len(nodes)) if nodes.attributes[r].get("id") == "in")
    hand.workbench.session.selection.set_mode(Mode.MAIN)
    zoom = hand.workbench.canvas.view.zoomFactor()
    x, y = hand.ask(
        "((r) => [r.x, r.y])(document.querySelector('#host').shadowRoot"
        ".querySelector('#in').getBoundingClientRect())"
    )
    position = QPoint(round((x + 30) * zoom), round((y + 30) * zoom))
    hand.qtbot.mouseMove(hand.target, position)
    hand.qtbot.mouseClick(hand.target, hand.left, pos=position)
    hand.qtbot.waitUntil(lambda: hand.marked(MAIN) == [[inner]], timeout=60_000)


def drawn_at(hand, place, color):
    """Return whether a place in page px shows exactly the colour of a layer."""
    zoom = hand.workbench.canvas.view.zoomFactor()
    return has_color_at(hand, QPoint(*(round(each * zoom) for each in place)), color, reach=0)


def test_lines_are_drawn_outside_of_an_element(hand):
    hand.open(BOXES)
    only(hand, GOLD_1)
    hand.workbench.canvas.set_zoom(1.0)
    take(hand, "#a", Mode.LEVEL_1)
    color = hand.session.layers.layer(GOLD_1).color
    hand.qtbot.waitUntil(lambda: drawn_at(hand, (38, 100), color), timeout=60_000)
    assert not any(drawn_at(hand, (x, 100), color) for x in range(40, 44))


def test_lines_of_an_element_as_wide_as_the_page_are_drawn_inside_the_page(hand):
    hand.open("<style>body{margin:0}</style><div id=a style='height:200px'></div>")
    only(hand, GOLD_1)
    hand.workbench.canvas.set_zoom(1.0)
    take(hand, "#a", Mode.LEVEL_1)
    color = hand.session.layers.layer(GOLD_1).color
    hand.qtbot.waitUntil(lambda: drawn_at(hand, (1, 100), color), timeout=60_000)
    assert hand.ask("document.documentElement.scrollWidth") == 1366


SLIDES = """<style>body{margin:0} #frame{margin:40px;width:300px;height:100px;overflow:hidden}
#strip{width:900px;height:100px} .slide{float:left;width:300px;height:100px}
#over{position:absolute;left:500px;top:60px;width:50px;height:50px}</style>
<div id=frame><div id=strip><div class=slide id=one></div><div class=slide id=two></div></div>
<div id=over></div></div>"""


def test_boxes_are_clipped_where_the_page_clips_their_elements(hand):
    hand.open(SLIDES)
    only(hand, GOLD_1)
    hand.workbench.canvas.set_zoom(1.0)
    for selector in ("#strip", "#two", "#over"):
        take(hand, selector, Mode.LEVEL_1)
    color = hand.session.layers.layer(GOLD_1).color
    # Not cut off: an element in the frame that is positioned on the page itself.
    hand.qtbot.waitUntil(lambda: drawn_at(hand, (498, 85), color), timeout=60_000)
    assert drawn_at(hand, (38, 90), color)
    assert drawn_at(hand, (341, 90), color)
    assert not any(drawn_at(hand, (x, 138), color) for x in range(400, 480, 7))
    assert not any(drawn_at(hand, (x, 90), color) for x in range(635, 645))


def test_selecting_a_mark_scrolls_it_into_view_inside_a_scrolled_element(hand):
    hand.open(SLIDES)
    only(hand, GOLD_1)
    take(hand, "#two", Mode.LEVEL_1)
    hand.workbench.cycle_marks(1)
    hand.qtbot.waitUntil(lambda: hand.ask("document.querySelector('#frame').scrollLeft") > 200)


def test_a_name_fades_under_the_mouse(hand):
    hand.open(BOXES)
    only(hand, GOLD_1)
    hand.workbench.canvas.set_zoom(1.0)
    take(hand, "#a", Mode.LEVEL_1)
    hand.workbench.session.selection.set_mode(Mode.SELECT)
    color = hand.session.layers.layer(GOLD_1).color
    chip = (42, 29)  # left of its letter, above the box
    hand.qtbot.waitUntil(lambda: drawn_at(hand, chip, color), timeout=60_000)
    hand.qtbot.mouseMove(hand.target, QPoint(60, 60))
    hand.qtbot.mouseMove(hand.target, QPoint(46, 33))
    hand.qtbot.waitUntil(lambda: not drawn_at(hand, chip, color), timeout=60_000)
    steps = count(120)

    def is_back_while_the_mouse_moves_on():
        hand.qtbot.mouseMove(hand.target, QPoint(150, min(next(steps), 400)))
        return drawn_at(hand, chip, color)

    hand.qtbot.waitUntil(is_back_while_the_mouse_moves_on, timeout=60_000)


def test_a_page_is_covered_while_it_loads(hand):
    canvas = hand.workbench.canvas
    assert not canvas.cover.isVisible()
    states = []
    canvas.progressed.connect(lambda _: states.append(canvas.cover.isVisible()))
    hand.open(BOXES)
    assert states
    assert all(states)
    assert not canvas.cover.isVisible()
    hand.workbench.navigation.reload()
    assert canvas.cover.geometry() == canvas.rect()
    hand.workbench.stop()
    assert not canvas.cover.isVisible()


def test_the_label_of_the_frame_shows_whether_a_click_adds_or_removes(hand, monkeypatch):
    hand.open(BOXES)
    drawn = []
    monkeypatch.setattr(hand.workbench.canvas, "draw_candidate", drawn.append)
    hand.workbench.session.selection.set_mode(Mode.MAIN)
    hand.session.selection.set_candidate(hand.row("#a"))
    assert drawn[-1]["boxes"][0]["label"] == "add: div#a"
    hand.workbench.marking.take()
    assert drawn[-1]["boxes"][0]["label"] == "remove: div#a"
    hand.workbench.page_session.undo()
    assert drawn[-1]["boxes"][0]["label"] == "add: div#a"


def test_lines_of_other_layers_are_not_drawn_through_a_name(hand):
    hand.open(
        "<style>body{margin:0} div{width:300px;height:60px} #b{margin-top:6px}</style>"
        "<div id=a></div><div id=b></div>"
    )
    hand.workbench.canvas.set_zoom(1.0)
    take(hand, "#b", Mode.LEVEL_2)
    take(hand, "#a", Mode.LEVEL_1)  # its lower line runs through the name of b
    line = hand.session.layers.layer(GOLD_1).color
    chip = hand.session.layers.layer(GOLD_2).color
    hand.qtbot.waitUntil(lambda: drawn_at(hand, (150, 61), line), timeout=60_000)
    hand.qtbot.waitUntil(lambda: drawn_at(hand, (3, 57), chip), timeout=60_000)
    crossed = lambda: any(drawn_at(hand, (x, 61), line) for x in range(3, 14))  # noqa: E731
    hand.qtbot.waitUntil(lambda: not crossed(), timeout=60_000)


def test_names_stay_on_the_page_and_crowded_ones_become_dots(hand):
    hand.open(BOXES)
    points = hand.ask(
        "(() => { const taken = []; const put = (x) => pagelet.overlay.parts.chipSpot("
        "'Link list', x, 100, taken, 1, 1000); return [40, 40, 40, 40, 40, 990].map(put); })()"
    )
    assert all(point["x"] >= 0 and point["x"] + point["width"] <= 1000 for point in points)
    assert [point["isDot"] for point in points] == [False, False, True, True, True, False]
    named = [point for point in points[:5] if not point["isDot"]]
    dots = [point for point in points if point["isDot"]]
    assert all(point["y"] < 100 for point in named)
    assert all(point["y"] > 100 for point in dots)
    assert len({(point["x"], point["y"]) for point in points}) == len(points)


DENSE = (
    "<style>body{margin:0;font:16px/18px sans-serif} p{margin:0} h2{margin:24px 0 0;font:20px/22px"
    " sans-serif;text-align:right} #far{margin-left:1330px;width:36px;white-space:nowrap}</style>"
    + "".join(
        f"<section id=s{k}><p id=p{k}>{'The ferry went back to the island this morning. ' * 7}</p>"
        "</section>"
        for k in range(4)
    )
    + "<h2 id=head>Tides</h2><p id=last>Noon</p><p id=far>Quay</p>"
)

CHIPS = """(() => {
  const scale = Number(getComputedStyle(pagelet.overlay.host).getPropertyValue("--s")) || 1;
  const origin = pagelet.overlay.host.getBoundingClientRect(), range = document.createRange();
  const lines = pagelet.nodes.filter((n) => n.nodeType === 3 && n.data.trim()).flatMap((n) => {
    range.selectNodeContents(n);
    return [...range.getClientRects()];
  });
  return pagelet.overlay.parts.chips().map(({ chip, x, y, width, isDot }) => {
    const left = x + origin.left, top = y + origin.top;
    const high = (isDot ? 8 : 14) * scale;
    const right = left + width;
    const over = lines.map((r) => Math.max(0, Math.min(r.right, right) - Math.max(r.left, left))
      * Math.max(0, Math.min(r.bottom - 2, top + high) - Math.max(r.top + 2, top)));
    return { text: chip.textContent, isDot, left, top, right,
      isDotDrawn: chip.classList.contains("dot"), covers: Math.max(...over) };
  });
})()"""


def marked_dense(hand):
    hand.open(DENSE)
    hand.workbench.canvas.set_zoom(1.0)
    for layer in hand.session.layers.all:
        hand.session.layers.change_layer(layer.key, visible=layer.is_gold)
    for k in range(4):
        take(hand, f"#s{k}", Mode.LEVEL_1)
        take(hand, f"#p{k}", Mode.LEVEL_2)
    for selector in ("#head", "#last", "#far"):
        take(hand, selector, Mode.LEVEL_1)
    hand.session.selection.set_mode(Mode.SELECT)
    hand.session.selection.set_candidate(-1)
    hand.qtbot.waitUntil(lambda: len(hand.ask(CHIPS)) == 11, timeout=60_000)
    return hand.ask(CHIPS)


def test_names_cover_no_text_and_become_dots_where_there_is_no_room(hand):
    chips = marked_dense(hand)
    assert [each["text"] for each in chips if not each["isDot"] and each["covers"]] == []
    assert all(each["left"] >= 0 and each["right"] <= 1366 for each in chips)
    assert sum(each["isDot"] for each in chips) >= 4  # of the dense paragraphs
    assert sum(not each["isDot"] for each in chips) >= 3  # of elements with free space around them
    spots = {(round(each["left"]), round(each["top"])) for each in chips}
    assert len(spots) == len(chips)


def test_a_dot_becomes_a_name_while_the_mouse_is_near(hand):
    chips = marked_dense(hand)
    dot = next(each for each in chips if each["isDot"] and each["top"] > 40)
    assert dot["isDotDrawn"]
    zoom = hand.workbench.canvas.zoom
    near = QPoint(round((dot["left"] + 14) * zoom), round((dot["top"] + 12) * zoom))

    def names_drawn():
        return [each for each in hand.ask(CHIPS) if each["isDot"] and not each["isDotDrawn"]]

    hand.qtbot.mouseMove(hand.target, near + QPoint(3, 0))
    hand.qtbot.mouseMove(hand.target, near)
    hand.qtbot.waitUntil(lambda: len(names_drawn()) == 1, timeout=60_000)
    assert names_drawn()[0]["right"] <= 1366
    hand.qtbot.mouseMove(hand.target, QPoint(600, 500))
    hand.qtbot.waitUntil(lambda: not names_drawn(), timeout=60_000)


def test_a_selected_mark_shows_its_name_even_over_text(hand):
    before = marked_dense(hand)
    session = hand.session
    first = next(m.id for m in session.open.gold.marks if m.targets[0].row == hand.row("#p0"))
    assert next(each for each in before if each["text"] == "2")["isDot"]
    session.selection.set_selected([first])
    hand.qtbot.waitUntil(
        lambda: not next(each for each in hand.ask(CHIPS) if each["text"] == "2")["isDot"],
    )

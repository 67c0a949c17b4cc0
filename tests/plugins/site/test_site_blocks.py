"""Site, slots and bootstrapping on small sites with obvious content."""

import numpy as np
import pytest

from algorithms.extraction.ccb import CcbParams, extract_accb
from algorithms.plugins.site import df_filter, site_blocks
from algorithms.plugins.site.bootstrapping import bootstrap, bootstrap_detector, training_set
from algorithms.plugins.site.methods import BOOTSTRAPPED, DETECTORS
from algorithms.plugins.site.slots import add_pages, page_slots
from algorithms.templates.site import Site
from engine.source import Source

SIDE = "<ul><li><a href=/1>home</a><li><a href=/2>news</a><li><a href=/3>sport</a></ul>"
STORIES = (
    "rain fell over the hills all night and the river rose by a metre",
    "the minister opened a new bridge that joins both banks at last",
    "scores of runners finished early in spite of heat and dust",
    "a lost dog found its way home after seven years at sea",
)


def story(text, *, number=0, extra=""):
    return (
        f"<html><body><nav>{SIDE}</nav><main id=post-{number}><h1>Report</h1><p>{text}</p>{extra}"
        f"</main><footer><p>all rights reserved by the house</p></footer></body></html>"
    )


def site_of(*pages, seed=0):
    return Site.of(
        ((f"http://x.org/{k}", Source.from_text(html)) for k, html in enumerate(pages, 1)), seed
    )


def kept(site, **values):
    result = site_blocks.extract(site, site_blocks.SiteBlocksParams(**values))
    return " ".join(result.text.split())


def test_menus_and_footers_are_removed_and_shared_headings_are_kept():
    site = site_of(*(story(text, number=k) for k, text in enumerate(STORIES)))
    for seed, text in enumerate(STORIES):
        assert kept(site.at(seed)) == f"Report {text}"


def test_a_list_of_new_links_is_not_content():
    def related(number):
        links = "".join(f"<li><a href=/{number}{k}>other tale {number}{k}</a>" for k in range(4))
        return f"</main><aside><ul>{links}</ul></aside><main>"

    site = site_of(*(story(text, extra=related(k)) for k, text in enumerate(STORIES)))
    assert kept(site) == f"Report {STORIES[0]}"


def test_recurring_text_between_new_texts_is_content_but_a_side_bar_is_not():
    def page(text, after):
        middle = "<div>methods inherited from the class of all objects</div>"
        return f"<body><div>{SIDE}</div><p>{text}</p>{middle}<p>{after}</p></body>"

    site = site_of(*(page(text, text[::-1]) for text in STORIES))
    inherited = "methods inherited from the class of all objects"
    assert kept(site) == f"{STORIES[0]} {inherited} {STORIES[0][::-1]}"


def test_siblings_are_the_nearest_pages_without_copies():
    other = "<table><tr><td>x<td>y</table>"
    site = site_of(story(STORIES[0]), other, story(STORIES[1]), story(STORIES[0]), other + "<p>z")
    near = site_blocks.nearest_pages(site, 2)
    assert near[0] == (0, 2, 1)
    assert near[3] == (3, 2, 1)
    assert near[1] == (1, 4, 0)


def test_a_page_without_siblings_is_extracted_by_accb_with_a_note():
    site = site_of(story(STORIES[0]))
    result = site_blocks.extract(site, site_blocks.SiteBlocksParams())
    assert result.text == extract_accb(site.source, CcbParams()).text
    assert result.notes == ("no other page of the site is known: ACCB was run instead",)


def test_slots_ignore_numbers_in_ids_and_the_order_of_classes():
    first, second = (
        page_slots(Source.from_text(f"<body><p id=post-{k} class='b a'>x</p><p class='a b'>y</p>"))
        for k in (1, 2)
    )
    assert first.keys == second.keys
    assert first.tag == ("html", "body", "p", "#text")
    assert first.of.tolist() == [0, 1, 2, 3, 2, 3]
    table = add_pages([(first, np.array([0.0, 0, 0, 2]), np.zeros(4))] * 2)
    assert table.new.tolist() == [0, 0, 0, 4]
    assert table.parent.tolist() == [-1, 0, 1, 2]
    assert table.pages.tolist() == [2, 2, 2, 2]


def test_verdicts_are_computed_from_the_leaves_up():
    html = "<body><div class=menu>m</div><div class=text><h2>t</h2><p>x</p></div></body>"
    slots = page_slots(Source.from_text(html))
    names = dict(zip(slots.tag, range(len(slots.tag)), strict=True))
    new, recurring = np.zeros(len(slots.keys)), np.zeros(len(slots.keys))
    menu, heading, paragraph = (index for index, tag in enumerate(slots.tag) if tag == "#text")
    recurring[menu], recurring[heading], new[paragraph] = 20, 1, 50
    result = site_blocks.verdicts(add_pages([(slots, new, recurring)]), 0.1)
    assert result[names["body"]] is site_blocks.SlotContent.OPENED
    assert result[heading] is site_blocks.SlotContent.SMALL
    assert result[paragraph] is site_blocks.SlotContent.WHOLE
    assert result[menu - 1] is site_blocks.SlotContent.NONE
    # Nothing is gained by opening a part for a heading alone: it loses a tenth of a word.
    text = names["h2"] - 1
    assert result[text] is site_blocks.SlotContent.WHOLE


def table_page(text):
    cells = "".join(f"<td><b>{word}</b><i>{word}</i></td>" for word in text.split())
    return f"<html><body><center><table><tr>{cells}</table></center>{SIDE}</body></html>"


def test_a_training_set_has_the_linked_pages_of_the_same_template():
    site = site_of(
        story(STORIES[0]), story(STORIES[1]), table_page("a b c"), story(STORIES[2])
    )  # with links to the first three
    assert [page.address for page in training_set(site).pages] == [
        "http://x.org/1",
        "http://x.org/2",
    ]
    result = training_set(site.at(3))
    assert [page.address[-1] for page in result.pages] == ["1", "2", "4"]
    assert result.source is site.sources[3]


@pytest.mark.parametrize("key", ["tv", "lcts", "rtdm"])
def test_a_distance_without_a_threshold_is_cut_at_the_widest_gap(key):
    site = site_of(story(STORIES[0]), story(STORIES[1]), table_page("a b c"), story(STORIES[2]))
    assert len(training_set(site.at(3), key)) == 3


def test_bootstrapping_learns_from_the_training_set_or_runs_accb_if_it_is_small():
    site = site_of(story(STORIES[0]), story(STORIES[1]), table_page("a b c"), story(STORIES[2]))
    detector, params = df_filter.METHOD, df_filter.DfFilterParams()
    result = bootstrap(detector, site.at(3), params)
    assert " ".join(result.text.split()) == STORIES[2]
    assert result.source is site.sources[3]
    assert not result.notes
    small = bootstrap(detector, site, params)
    assert small.text == extract_accb(site.source, CcbParams()).text
    (note,) = small.notes
    assert note.startswith("only 2 pages alike of those it links to, itself included")
    assert note.endswith("(at least 3 needed): ACCB was run instead")


def test_every_detector_has_a_bootstrapped_variant_with_the_same_parameters():
    site = site_of(*(story(text) for text in STORIES))
    assert [entry.key for entry in BOOTSTRAPPED] == [f"{entry.key}-boot" for entry in DETECTORS]
    for detector, entry in zip(DETECTORS, BOOTSTRAPPED, strict=True):
        assert entry.params is detector.params
        result = entry.on_site(site.at(3), entry.params())
        learnt = detector.on_site(training_set(site.at(3)), detector.params())
        assert result.text == learnt.text
    assert bootstrap_detector(df_filter.METHOD).name == "Document frequency filter, bootstrapped"

"""Tables of segmenters that are compared with the figures of the thesis."""

import pytest

from annotate.evaluation.tables.segmentation_tables import block_tables
from annotate.evaluation.tables.summaries import groups_in
from tests.annotate.evaluation.rows import scored, table_of

BAR = "right of the bar, the thesis' table 7.1"


@pytest.mark.parametrize(
    ("complete", "said"),
    [(2, ""), (78, ", which is of all 78 pages, and these figures of 2 of them")],
)
def test_the_title_states_when_figures_cover_only_part_of_a_data_set(complete, said):
    results = table_of(
        scored({"page-style": [0.5, 0.25]}, "exact", input="html", parameters='{"articles": true}')
    )
    title, head, line = block_tables(
        "news", "random", groups_in(results, "news"), complete
    ).splitlines()[:3]
    assert title == f"news, html, exact match: 2 pages; {BAR}{said}"
    assert head.split()[-6:] == ["P", "R", "F", "retrieved", "hits", "relevant"]
    assert line.split()[:5] == ["page-style", "2", "0.375", "0.375", "0.375"]

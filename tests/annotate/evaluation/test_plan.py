"""The methods that ``--methods`` selects."""

import pytest

from algorithms.core.catalogue import EXTRACTORS
from annotate.datasets.cases import TEXT, DataSet
from annotate.datasets.stored_listing import StoredListing
from annotate.evaluation.run.plan import chosen_of
from engine.errors import InputError

PAGES = DataSet("pages", frozenset({TEXT}), StoredListing([]))


def keys(words):
    return [chosen.entry.key for chosen in chosen_of(words, (), (PAGES,))]


def test_a_minus_leaves_one_method_of_a_group_out():
    own = [entry.key for entry in EXTRACTORS if entry.is_own]
    assert keys("native") == own
    assert keys("native,-gleaner") == [key for key in own if key != "gleaner"]
    assert keys("-bte,bte,ccb") == ["ccb"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("bte,-gleaner", "gleaner is not among these methods, so -gleaner leaves out none"),
        ("bte,-bte", "--methods leaves out all its methods: name another one"),
        ("native,-nonsense", "unknown method 'nonsense'"),
        ("-bte", "bte is not among these methods"),
    ],
)
def test_leaving_out_no_method_or_all_methods_is_refused(words, says):
    with pytest.raises(InputError, match=says):
        keys(words)

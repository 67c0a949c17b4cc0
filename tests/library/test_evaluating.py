"""Test data sets as sequences, evaluations and their results."""

import csv
import pickle

import numpy as np
import pagelet
import pytest


@pytest.fixture(scope="module")
def cases():
    return pagelet.dataset(pagelet.samples())


@pytest.fixture(scope="module")
def found(cases):
    return pagelet.evaluate(cases[:4], ["plain", ("bte", {"tag_cost": 2.0}), "dsc"])


def test_cases_are_a_sequence_with_names_and_filters(cases):
    assert len(cases) == 15
    assert [case.name for case in cases[2:4]] == [cases[2].name, cases[3].name]
    assert cases[cases[3].name].name == cases[3].name
    only = cases.filter(lambda case: case.name == cases[5].name)
    assert [case.name for case in only] == [cases[5].name]
    assert cases[0].page.run("plain").score()["cs"].recall > 0.9


def test_the_frame_has_a_row_for_each_measure_of_each_run(found):
    frame = found.frame("numpy")
    assert len(frame) == 4 * 3 * 4
    assert set(frame["method"]) == {"plain", "bte", "dsc"}
    assert set(frame["status"]) == {"ok"}
    assert frame["value"].dtype == np.float64
    assert all(len(digest) == 64 for digest in frame["page_hash"])


def test_a_frame_of_an_unknown_library_is_refused(found):
    with pytest.raises(pagelet.InputError, match="is one of pandas, polars, pyarrow, numpy"):
        found.frame("excel")


def test_pandas_and_polars_frames_have_the_same_rows(found):
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    here = found.frame("numpy")
    assert isinstance(found.frame("pandas"), pandas.DataFrame)
    assert isinstance(found.frame("polars"), polars.DataFrame)
    assert found.frame("pandas")["value"].tolist() == here["value"].tolist()
    assert found.frame("polars")["value"].to_list() == here["value"].tolist()


def test_the_summary_equals_the_written_file(found, cases, tmp_path):
    again = pagelet.evaluate(cases[:4], ["plain", ("bte", {"tag_cost": 2.0}), "dsc"], out=tmp_path)
    with (tmp_path / "summary.csv").open(newline="") as file:
        written = [row["value"] for row in csv.DictReader(file)]
    assert [repr(value) for value in found.summary("numpy")["value"].tolist()] == written
    assert pagelet.read(tmp_path).frame("numpy")["value"].tolist() == (
        again.frame("numpy")["value"].tolist()
    )


def test_the_oracle_is_at_least_as_good_as_the_best_method(found):
    (best,) = found.oracle("bow")
    values = {}
    for row in found.rows:
        if row.measure == "bow":
            values.setdefault(row.run.page, {})[row.run.method] = row.score.value
    keys = {page: setup.partition(" ")[0] for page, setup in best.choice.items()}
    assert keys == {page: max(of, key=of.get) for page, of in values.items()}
    equal = {
        key: sum(of[key] == max(of.values()) for of in values.values())
        for key in values[next(iter(values))]
    }
    assert {each.partition(" ")[0]: n for each, n in best.wins.items()} == {
        key: count for key, count in equal.items() if count
    }
    assert sum(best.wins.values()) >= 4
    assert bool(best.ties) == (sum(best.wins.values()) > 4)


def test_methods_are_compared_and_the_worst_pages_listed(found):
    (difference,) = found.compare("bte", "plain", "cs")
    assert difference.pages == 4
    assert difference.low <= difference.mean <= difference.high
    worst = found.worst(2, "bte")
    assert len(worst) == 2
    assert worst[0].value <= worst[1].value
    with pytest.raises(pagelet.InputError, match=r"there are plain, bte \* tag_cost=2.0 and dsc"):
        found.compare("bte", "vips")


def test_evaluations_are_pickled_and_shown_as_html(found):
    again = pickle.loads(pickle.dumps(found))
    assert again.frame("numpy").tolist() == found.frame("numpy").tolist()
    assert "best of each page" in found._repr_html_()


@pytest.mark.slow
def test_the_report_shows_the_oracle(found, tmp_path):
    path = found.report(tmp_path)
    (best,) = found.oracle()
    text = path.read_text("utf-8")
    assert "(the oracle)" in text
    assert f"{best.value:.3f}".lstrip("0") in text


def test_invalid_arguments_of_evaluate_are_refused(cases):
    with pytest.raises(pagelet.InputError, match=r"what pagelet\.dataset returns"):
        pagelet.evaluate("resources/corpus", "bte")
    with pytest.raises(pagelet.InputError, match="there are no cases"):
        pagelet.evaluate(cases[:0], "bte")
    with pytest.raises(pagelet.InputError, match="name the folder"):
        pagelet.evaluate(cases, "bte", resume=True)

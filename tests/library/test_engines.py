"""Test that every engine gives exactly the same scores."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pagelet
import pytest

from tests.without_times import without_times

METHODS = ["plain", "bte", "dsc"]


@pytest.fixture(scope="module")
def cases():
    return pagelet.dataset(pagelet.samples())


@pytest.fixture(scope="module")
def alone(cases, tmp_path_factory):
    out = tmp_path_factory.mktemp("alone")
    pagelet.evaluate(cases, METHODS, out=out)
    return without_times(out / "scores.csv")


@pytest.mark.slow
def test_a_thread_pool_gives_the_same_scores(cases, alone, tmp_path):
    with ThreadPoolExecutor(2) as executor:
        pagelet.evaluate(cases, METHODS, executor=executor, shard_pages=4, out=tmp_path)
    assert without_times(tmp_path / "scores.csv") == alone
    assert len(list((tmp_path / "shards").glob("*.done"))) == 4


@pytest.mark.slow
def test_joblib_gives_the_same_scores(cases, alone, tmp_path):
    pytest.importorskip("joblib")
    pagelet.evaluate(cases, METHODS, executor="joblib", jobs=2, shard_pages=8, out=tmp_path)
    assert without_times(tmp_path / "scores.csv") == alone


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_dask_gives_the_same_scores_directly_and_through_joblib(cases, alone, tmp_path):
    distributed, joblib = pytest.importorskip("distributed"), pytest.importorskip("joblib")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        pagelet.evaluate(cases, METHODS, executor=client, shard_pages=8, out=tmp_path / "dask")
        with joblib.parallel_config(backend="dask"):
            pagelet.evaluate(cases, METHODS, shard_pages=8, out=tmp_path / "joblib")
    for name in ("dask", "joblib"):
        assert (tmp_path / name / "shards").is_dir()
        assert without_times(tmp_path / name / "scores.csv") == alone


@pytest.mark.long
@pytest.mark.filterwarnings("default")
def test_ray_gives_the_same_scores(cases, alone, tmp_path):
    ray = pytest.importorskip("ray")
    try:
        pagelet.evaluate(cases, METHODS, executor="ray", jobs=2, shard_pages=8, out=tmp_path)
    finally:
        ray.shutdown()
    assert without_times(tmp_path / "scores.csv") == alone


@pytest.mark.slow
def test_results_are_streamed_shard_by_shard(cases):
    sizes = [len(each.table.pages) for each in pagelet.stream(cases, "plain", shard_pages=5)]
    assert sizes == [5, 5, 5]


class Unlucky(ThreadPoolExecutor):
    """An executor that fails for one shard each time, and for another once."""

    def __init__(self):
        super().__init__(1)
        self.handed = Counter()

    def submit(self, do, numbered):
        number, _ = numbered
        self.handed[number] += 1
        if number == 0 or (number == 1 and self.handed[1] == 1):
            return super().submit(lambda: (_ for _ in ()).throw(OSError("no space left")))
        return super().submit(do, numbered)


@pytest.mark.slow
def test_a_failing_shard_does_not_affect_the_others(cases):
    with Unlucky() as executor:
        result = pagelet.evaluate(cases, "plain", executor=executor, shard_pages=5)
    ends = Counter(row.status for row in result.rows if row.measure == "ws")
    assert ends == {"ok": 10, "failed": 5}
    assert {row.reason for row in result.rows if row.status == "failed"} == {
        "its shard could not be done (OSError: no space left)"
    }
    assert executor.handed[2] == 1


def test_an_unknown_executor_is_refused(cases):
    with pytest.raises(pagelet.InputError, match="give 'joblib', 'ray', a Dask client"):
        pagelet.evaluate(cases, "plain", executor="slurm")


def test_jobs_beside_a_backend_of_joblib_are_refused(cases):
    joblib = pytest.importorskip("joblib")
    with (
        joblib.parallel_config(backend="threading"),
        pytest.raises(pagelet.InputError, match="leave out jobs=3: the backend of joblib in force"),
    ):
        pagelet.evaluate(cases, "plain", jobs=3)


@pytest.mark.long
@pytest.mark.filterwarnings("default")
def test_more_jobs_than_ray_has_processors_are_refused(cases):
    ray = pytest.importorskip("ray")
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
    try:
        with pytest.raises(pagelet.InputError, match="jobs must be at most 1, the processors of"):
            pagelet.evaluate(cases, "plain", executor="ray", jobs=2)
        result = pagelet.evaluate(cases[:2], "plain", executor="ray")
    finally:
        ray.shutdown()
    assert {row.status for row in result.rows} == {"ok"}

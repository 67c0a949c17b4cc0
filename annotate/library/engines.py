"""Runs shards with joblib and its backends, Dask, Ray, and executors of the standard library.

Each is asked to call one plain function for each shard, and hands results back as they come.  No
engine uses a browser: the function starts processes for it.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import as_completed
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from engine.errors import InputError

Do = Callable[[Any], Any]
"""What is called for each shard with its number: a function of a module; see `run_shards`."""

_ATTEMPTS = 2

Engine = Callable[[Do, Sequence[Any], int], Iterator[Any]]
"""Runs a function on each shard and yields results as they arrive; an engine without its own limit
runs at most ``jobs`` at once."""


@dataclass(frozen=True)
class ShardLost:
    """A shard that an engine could not do, not even the second time, and the error in words."""

    shard: Any
    why: str


def run_shards(engine: Engine, do: Do, shards: Sequence[Any], jobs: int) -> Iterator[Any]:
    """Yield what ``do`` gives for each shard as it comes, `ShardLost` where it raises twice.

    An engine's error for one shard, or for a process that died, costs no other shard: unfinished
    shards are then submitted once more.

    Raises:
        InputError: Not one shard could be done.
    """
    left = dict(enumerate(shards))
    why: dict[int, str] = {}
    broken = ""
    for _ in range(_ATTEMPTS):
        try:
            for number, given, error in engine(_Safe(do), tuple(left.items()), jobs):
                if error:
                    why[number] = error
                    continue
                del left[number]
                yield given
        except Exception as error:  # noqa: BLE001  (engines may raise anything)
            broken = _in_words(error)
        if not left:
            return
    if len(left) == len(shards):
        raise InputError(f"no shard could be done: {next(iter(why.values()), broken)}")
    for number, shard in left.items():
        yield ShardLost(shard, why.get(number) or broken)


class _Safe:
    """Calls a function with a shard that has a number; returns what it raises in words."""

    def __init__(self, do: Do) -> None:
        self._do = do

    def __call__(self, numbered: tuple[int, Any]) -> tuple[int, Any, str]:
        number, shard = numbered
        try:
            return number, self._do(shard), ""
        except Exception as error:  # noqa: BLE001  (as above)
            return number, None, _in_words(error)


def _in_words(error: Exception) -> str:
    text = " ".join(str(error).split())[:300]
    if isinstance(error, InputError) and text:
        return text
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def engine_of(executor: object, jobs: int) -> Engine | None:
    """Return what does shards; None where Pagelet's own worker processes do the pages.

    Args:
        executor: ``"joblib"`` or ``"ray"``, a client of Dask, or anything with ``submit`` as
            `concurrent.futures` has it.  None looks for a backend of joblib that is in force
            (``with joblib.parallel_config(backend="dask")``).
        jobs: Number of workers requested; 1 by default.

    Raises:
        InputError: It is none of these, or cannot have so many workers.
    """
    if jobs < 1:
        raise InputError(f"jobs must be at least 1, got {jobs}")
    if executor is None and not _has_backend():
        return None
    if executor is None or executor == "joblib":
        if _has_backend():
            _refuse_jobs(jobs, "the backend of joblib in force")
        return _on_joblib
    if executor == "ray":
        _check_ray(jobs)
        return _on_ray
    if type(executor).__module__.partition(".")[0] == "distributed":
        _refuse_jobs(jobs, "the Dask client")
        return lambda do, shards, _: _on_dask(executor, do, shards)
    if hasattr(executor, "submit"):
        _refuse_jobs(jobs, type(executor).__name__)
        return lambda do, shards, _: _on_executor(executor, do, shards)
    raise InputError(
        f"cannot run shards on {executor!r}: give 'joblib', 'ray', a Dask client, or an executor "
        "of concurrent.futures"
    )


def _refuse_jobs(jobs: int, executor: str) -> None:
    if jobs != 1:
        raise InputError(f"leave out jobs={jobs}: {executor} has its own number of workers")


def _check_ray(jobs: int) -> None:
    ray = _needed("ray", "ray")
    if not ray.is_initialized():
        return
    # An actor without a processor would wait for one for ever, and its shard with it.
    processors = int(ray.cluster_resources().get("CPU", 0))
    if processors < 1:
        raise InputError("the Ray cluster has no processors: start it with some, num_cpus=2")
    if jobs > processors:
        most = f"at most {processors}, the processors of the Ray cluster"
        raise InputError(f"jobs must be {most}, got {jobs}")


def workers_of(executor: object, jobs: int) -> int:
    """Return how many shards are done at once, as far as that is known."""
    if type(executor).__module__.partition(".")[0] == "distributed":
        workers: Any = executor
        return max(1, int(sum(workers.nthreads().values())))
    many = getattr(executor, "_max_workers", None)
    return many if isinstance(many, int) else jobs


def _has_backend() -> bool:
    """Whether a backend of joblib was chosen that is not its own way of starting processes."""
    joblib = sys.modules.get("joblib")
    if joblib is None:
        return False
    backend, _ = joblib.parallel.get_active_backend()
    return type(backend).__name__ not in ("LokyBackend", "SequentialBackend")


def _on_joblib(do: Do, shards: Sequence[Any], jobs: int) -> Iterator[Any]:
    joblib = _needed("joblib", "joblib")
    # One task a shard: by default joblib batches several, which would be lost together.
    inside = None if _has_backend() else jobs
    parallel = joblib.Parallel(n_jobs=inside, batch_size=1, return_as="generator_unordered")
    yield from parallel(joblib.delayed(do)(shard) for shard in shards)


def _on_dask(client: Any, do: Do, shards: Sequence[Any]) -> Iterator[Any]:  # noqa: ANN401
    distributed = _needed("distributed", "dask")
    # Not pure: the same shard may have to be done again, after a page or a method has changed.
    futures = client.map(do, shards, pure=False)
    numbers = {future.key: number for future, (number, _) in zip(futures, shards, strict=True)}
    for future in distributed.as_completed(futures):
        try:
            done = future.result()
        except Exception as error:  # noqa: BLE001  (such as KilledWorker)
            done = numbers[future.key], None, _in_words(error)
        # Results still held would be computed again if their worker dies.
        future.release()
        yield done


def _on_ray(do: Do, shards: Sequence[Any], jobs: int) -> Iterator[Any]:
    ray = _needed("ray", "ray")
    if not ray.is_initialized():
        ray.init(num_cpus=jobs, include_dashboard=False, log_to_driver=False)
    elif jobs == 1:  # an existing cluster is used in full
        jobs = max(1, int(ray.cluster_resources().get("CPU", 1)))
    # Actors, which Ray does not start again of itself: an hour's work is worth three attempts.
    kind = ray.remote(num_cpus=1, max_restarts=3, max_task_retries=3)(_Actor)
    free = [kind.remote() for _ in range(min(jobs, len(shards)))]
    waiting = list(reversed(shards))
    busy: dict[Any, tuple[Any, int]] = {}  # task → its actor, and the number of its shard
    while waiting or busy:
        while waiting and free:
            actor, shard = free.pop(0), waiting.pop()
            busy[actor.call.remote(do, shard)] = actor, shard[0]
        (ready, *_), _ = ray.wait(list(busy), num_returns=1)
        actor, number = busy.pop(ready)
        free.append(actor)
        try:
            yield ray.get(ready)
        except Exception as error:  # noqa: BLE001  (such as RayActorError)
            yield number, None, _in_words(error)


class _Actor:
    def call(self, do: Do, shard: object) -> object:
        return do(shard)


def _on_executor(executor: Any, do: Do, shards: Sequence[Any]) -> Iterator[Any]:  # noqa: ANN401
    numbers = {executor.submit(do, shard): shard[0] for shard in shards}
    for future in as_completed(numbers):
        try:
            yield future.result()
        except Exception as error:  # noqa: BLE001  (such as BrokenProcessPool)
            yield numbers[future], None, _in_words(error)


def _needed(module: str, extra: str) -> Any:  # noqa: ANN401
    try:
        return import_module(module)
    except ImportError:
        raise InputError(f"{module} is not installed: pip install 'pagelet[{extra}]'") from None

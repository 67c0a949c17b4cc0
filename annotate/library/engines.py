"""Shards on whatever runs functions: joblib and its backends, Dask, Ray, executors of the standard
library.

Each is asked to call one plain function for each shard, and hands results back as they come.  No
engine ever sees a browser: the function starts processes of its own.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import as_completed
from typing import Any

from engine.errors import InputError

Do = Callable[[Any], Any]
"""What is called for each shard: a function of a module."""

Engine = Callable[[Do, Sequence[Any], int], Iterator[Any]]
"""Calls a function for each of some shards, at most so many at once where that is its own to say;
yields what they give as it comes."""


def engine_of(executor: object) -> Engine | None:
    """Return what does shards; None where Pagelet's own worker processes do the pages.

    Args:
        executor: ``"joblib"`` or ``"ray"``, a client of Dask, or anything with ``submit`` as
            `concurrent.futures` has it.  None looks for a backend of joblib that is in force
            (``with joblib.parallel_config(backend="dask")``).

    Raises:
        InputError: It is none of these.
    """
    if executor is None:
        return _on_joblib if _has_backend() else None
    if executor == "joblib":
        return _on_joblib
    if executor == "ray":
        return _on_ray
    if type(executor).__module__.partition(".")[0] == "distributed":
        return lambda do, shards, _: _on_dask(executor, do, shards)
    if hasattr(executor, "submit"):
        return lambda do, shards, _: _on_executor(executor, do, shards)
    raise InputError(
        f"cannot run shards on {executor!r}: want 'joblib', 'ray', a Dask client, or an executor "
        "of concurrent.futures"
    )


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
    # One task a shard: left to itself joblib puts several into one, which are lost together.
    inside = None if _has_backend() else jobs
    parallel = joblib.Parallel(n_jobs=inside, batch_size=1, return_as="generator_unordered")
    yield from parallel(joblib.delayed(do)(shard) for shard in shards)


def _on_dask(client: Any, do: Do, shards: Sequence[Any]) -> Iterator[Any]:  # noqa: ANN401
    distributed = _needed("distributed", "dask")
    # Not pure: the same shard may have to be done again, after a page or a method has changed.
    waiting = distributed.as_completed(client.map(do, shards, pure=False), with_results=True)
    for future, done in waiting:
        # What is still held would be done again where the worker that has it dies.
        future.release()
        yield done


def _on_ray(do: Do, shards: Sequence[Any], jobs: int) -> Iterator[Any]:
    ray = _needed("ray", "ray")
    if not ray.is_initialized():
        ray.init(num_cpus=jobs, include_dashboard=False, log_to_driver=False)
    # Actors, which Ray does not start again of itself: an hour's work is worth three attempts.
    actor = ray.remote(num_cpus=1, max_restarts=3, max_task_retries=3)(_Actor)
    actors = [actor.remote() for _ in range(min(jobs, len(shards)))]
    waiting = list(reversed(shards))
    busy: dict[Any, Any] = {}
    while waiting or busy:
        for each in actors:
            if waiting and each not in busy.values():
                busy[each.call.remote(do, waiting.pop())] = each
        (ready, *_), _ = ray.wait(list(busy), num_returns=1)
        del busy[ready]
        yield ray.get(ready)


class _Actor:
    """A worker of Ray's."""

    def call(self, do: Do, shard: object) -> object:
        """Do a shard."""
        return do(shard)


def _on_executor(executor: Any, do: Do, shards: Sequence[Any]) -> Iterator[Any]:  # noqa: ANN401
    futures = [executor.submit(do, shard) for shard in shards]
    for future in as_completed(futures):
        yield future.result()


def _needed(module: str, extra: str) -> Any:  # noqa: ANN401
    from importlib import import_module

    try:
        return import_module(module)
    except ImportError:
        raise InputError(f"{module} is not installed: pip install 'pagelet[{extra}]'") from None

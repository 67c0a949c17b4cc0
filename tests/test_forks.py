"""Forked processes of tests: what their sockets need, and messages that a stream cuts."""

import os
import socket
from contextlib import contextmanager

import pytest

from engine.processes.worker_process import WorkerProcess
from tests import forks, typed_commands


def test_the_process_that_forks_needs_no_socket_of_linux_alone(monkeypatch):
    monkeypatch.delattr(socket, "SOCK_SEQPACKET", raising=False)
    monkeypatch.setattr(typed_commands, "_KEEPER", "")
    keeper = typed_commands._Keeper(typed_commands._Start())
    assert keeper.process.wait(20) == 0
    for each in (keeper.workers, keeper.asks, keeper.answers):
        each.close()


@contextmanager
def variables(_send):
    """Answer with variables of a worker's environment."""
    yield os.environ.get


@pytest.mark.skipif(not forks.IS_POSSIBLE, reason="workers are forked on Linux alone")
def test_a_worker_is_forked_with_an_environment_longer_than_one_message(monkeypatch):
    typed_commands.door_of_workers()  # its process starts anew, which takes no long variables
    values = {f"LONG_{n}": str(n) * forks._MOST_BYTES for n in range(3)}
    for name, value in values.items():
        monkeypatch.setenv(name, value)
    with WorkerProcess(variables) as worker:
        assert worker.ask("LONG_2", 60) == values["LONG_2"]

"""Test messages between two processes, of any size."""

import socket
import sys
import threading
from multiprocessing import Pipe, connection

import pytest

from engine.processes.messages import MessagePipe, NoMessage

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="sockets")


@pytest.fixture
def ends():
    one, other = Pipe()
    yield one, other
    one.close()
    other.close()


def arrived(ends, sent):
    """Send messages from a thread, and return what arrives."""
    one, other = (MessagePipe(end) for end in ends)
    thread = threading.Thread(target=lambda: [one.send(*message) for message in sent])
    thread.start()
    received = []
    for _ in sent:
        head, text = other.receive()
        received.append((bytes(head), None if text is None else bytes(text)))
    thread.join()
    return received


@pytest.mark.parametrize("size", [0, 1, 16, 70_000, 2**20, 2**20 + 1, 5_000_000])
def test_heads_and_texts_of_any_size_are_received_unchanged(ends, size):
    some = bytes(range(256)) * (size // 256) + b"x" * (size % 256)
    sent = [(b"head", some), (some, None), (some, b"text"), (b"", b""), (some, some)]
    assert arrived(ends, sent) == sent


def test_a_missing_text_differs_from_an_empty_one(ends):
    assert arrived(ends, [(b"a",), (b"a", b"")]) == [(b"a", None), (b"a", b"")]


def test_a_small_message_after_a_large_one_is_received_unchanged(ends):
    assert arrived(ends, [(b"x" * 99, b"y" * 9999), (b"a", b"b")])[1] == (b"a", b"b")


def test_a_message_sent_in_many_pieces_is_received_whole():
    one, other = Pipe()
    with one, other:
        with socket.socket(fileno=one.fileno()) as narrow:
            narrow.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
            narrow.detach()
        sent = [(b"head" * 9999, b"text" * 99999)]
        assert arrived((one, other), sent) == sent


def test_receiving_after_the_last_message_raises_eof_error(ends):
    one, other = ends
    MessagePipe(one).send(b"last", b"text")
    one.close()
    messages = MessagePipe(other)
    messages.receive()
    with pytest.raises(EOFError):
        messages.receive()


def test_an_incomplete_message_raises_eof_error():
    one, other = socket.socketpair()
    MessagePipe(connection.Connection(one.detach())).send(b"head", b"text")
    whole = other.recv(100)
    one, reader = socket.socketpair()
    with other, one:
        one.sendall(whole[:-1])
        one.shutdown(socket.SHUT_WR)
        with pytest.raises(EOFError):
            MessagePipe(connection.Connection(reader.detach())).receive()


@pytest.mark.parametrize("junk", [b"printed by a library\n", b"\xff" * 16, b"\x40" + b"\0" * 15])
def test_foreign_bytes_in_the_pipe_raise_no_message(junk):
    one, other = socket.socketpair()
    with one:
        one.sendall(junk)
        with pytest.raises(NoMessage):
            MessagePipe(connection.Connection(other.detach())).receive()

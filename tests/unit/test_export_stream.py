"""The export over HTTP: written no faster than it is read, and not at all when nothing reads it any longer."""

from __future__ import annotations

import threading
from typing import BinaryIO

import pytest

from jotsam import NotFound
from jotsam.surfaces.http.requests.pieces import PIECE, WAITING, pieces_of


def test_what_is_written_is_read_in_pieces() -> None:
    def write(out: BinaryIO) -> None:
        for number in range(3_000):
            out.write(b"%d\n" % number * 100)

    found = list(pieces_of(write))
    assert b"".join(found) == b"".join(b"%d\n" % number * 100 for number in range(3_000))
    assert len(found) > 5


def test_an_error_before_the_first_piece_is_raised_at_once_and_a_later_one_ends_the_stream() -> None:
    def fail(out: BinaryIO) -> None:
        raise NotFound("there is no such document")

    def fail_later(out: BinaryIO) -> None:
        out.write(b"x" * PIECE)
        raise NotFound("gone")

    with pytest.raises(NotFound, match="no such document"):
        pieces_of(fail)
    pieces = pieces_of(fail_later)
    assert len(next(pieces)) == PIECE
    with pytest.raises(NotFound, match="gone"):
        next(pieces)


def test_a_reader_that_leaves_ends_the_writer_which_was_never_far_ahead() -> None:
    written, ended = [0], threading.Event()

    def write_for_ever(out: BinaryIO) -> None:
        try:
            while True:
                out.write(b"x" * PIECE)
                written[0] += 1
        finally:
            ended.set()

    pieces = pieces_of(write_for_ever)
    next(pieces)
    pieces.close()  # type: ignore[attr-defined]
    assert ended.wait(60)
    assert written[0] <= WAITING + 3

"""What a function writes, read piece by piece while it writes."""

from __future__ import annotations

import threading

import pytest

from jotsam.surfaces.http.requests.pieces import PIECE, WAITING, pieces_of

LINE = b"x" * 1_000
PATIENCE_S = 30


def test_the_pieces_are_what_was_written_in_order():
    lines = [b"%d\n" % number for number in range(50_000)]
    pieces = list(pieces_of(lambda out: [out.write(line) for line in lines]))
    assert b"".join(pieces) == b"".join(lines)
    assert all(PIECE <= len(piece) < PIECE + 10 for piece in pieces[:-1])
    assert list(pieces_of(lambda out: None)) == []


def test_an_error_before_the_first_piece_is_raised_at_once_and_a_later_one_when_it_is_reached():
    def fails(after: int):
        def write(out):
            for _ in range(after):
                out.write(LINE)
            raise ValueError("disk")

        return write

    with pytest.raises(ValueError, match="disk"):
        pieces_of(fails(1))
    pieces = pieces_of(fails(1_000))
    with pytest.raises(ValueError, match="disk"):
        list(pieces)
    assert list(pieces) == []


@pytest.mark.parametrize("read", [0, 1, WAITING + 3])
def test_the_writer_ends_when_the_reader_has_gone(read):
    ended = threading.Event()

    def write(out):
        try:
            while True:
                out.write(LINE)
        except BrokenPipeError:
            ended.set()
            raise

    pieces = pieces_of(write)
    for _ in range(read):
        assert len(next(pieces)) >= PIECE
    if read:
        pieces.close()
    else:
        del pieces
    assert ended.wait(PATIENCE_S)

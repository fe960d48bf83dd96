"""What is kept of a turn."""

from __future__ import annotations

from jotsam.ingest.capture import MAX_TURN, cut_turn


def test_a_long_turn_is_cut_at_white_space_with_a_note_and_only_once() -> None:
    key = "AKIA" + "X" * 50
    for text in (key + " ", "x", f"{'y' * 700} {'z' * 400}\n"):
        long = text * (3 * MAX_TURN // len(text))
        cut = cut_turn(long)
        body, _, note = cut.rpartition("\n")
        assert MAX_TURN - 1_200 < len(cut) <= MAX_TURN
        assert long.startswith(body)
        assert note == f"[{len(long) - len(body):,} more characters were not stored]"
        assert cut_turn(cut) == cut
        if key in text:
            assert body.endswith(key)
    assert cut_turn("a" * MAX_TURN) == "a" * MAX_TURN

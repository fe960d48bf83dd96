"""Turns from a program that has no hooks: stored as a hook stores them."""

from __future__ import annotations

import pytest

from jotsam import InvalidInput
from jotsam.ingest.capture import LONG_TURN, MAX_TURN
from row_counts import row_counts


def test_a_turn_is_a_memory_with_its_place_in_the_conversation(jot, clock):
    receipt = jot.add_turn("We use tabs.", session="s", actor="Ana", position=3, said_at="2026-03-01", project="shop")
    found = jot.get(receipt.id)
    assert (found.actor, found.session, found.position, found.project, found.source) == ("Ana", "s", 3, "shop", "turns")
    assert found.said_at == 1_772_323_200_000
    now = jot.get(jot.add_turn("Yes.", session="s").id)
    assert (now.actor, now.said_at, now.position) == ("user", clock.now, None)
    assert jot.get(jot.scoped(actor="bot").add_turn("No.", session="s").id).actor == "bot"


def test_a_place_or_a_key_is_stored_once_and_a_turn_without_one_each_time(jot):
    first = jot.add_turn("Yes.", session="s", position=1)
    assert jot.add_turn("Yes.", session="s", position=1).duplicate
    assert jot.add_turn("Another text.", session="s", position=1).id == first.id
    assert not jot.add_turn("Yes.", session="s", position=2).duplicate
    assert not jot.add_turn("Yes.", session="t", position=1).duplicate
    long = "s" * 400
    assert not jot.add_turn("Yes.", session=long + "a", position=1).duplicate
    assert not jot.add_turn("Yes.", session=long + "b", position=1).duplicate
    assert not jot.add_turn("Yes.", session="s").duplicate
    assert not jot.add_turn("Yes.", session="s").duplicate
    keyed = jot.add_turn("Yes.", session="s", key="k")
    assert jot.add_turn("Yes.", session="s", key="k", position=9).id == keyed.id
    assert not jot.scoped(tenant="other").add_turn("Yes.", session="s", key="k").duplicate


def test_it_is_cleaned_as_the_turn_of_a_hook(jot):
    def stored(text):
        details = jot.show(jot.add_turn(text, session="s").id)
        return details.document or details.memory

    answer = str(jot.recall(""))
    jot.add_turn("Tabs it is.", session="s")
    assert stored(f"{jot.recall('tabs')}\nWhy tabs?").text.strip() == "Why tabs?", answer
    assert "AKIA" not in stored("The key is AKIAQ3EGRIZ7XT5NVLWB.").text
    assert "section" not in stored("word " * LONG_TURN).as_dict(), "a long one is a document"
    assert stored("word " * MAX_TURN).text.endswith("more characters were not stored]")


def test_what_is_invalid_is_refused_and_nothing_is_stored(jot):
    before = row_counts(jot)
    wrong = [
        ({"session": ""}, "session is missing"),
        ({"session": 7}, "session"),
        ({"session": "s", "position": -1}, "position"),
        ({"session": "s", "said_at": "soon"}, "said_at"),
        ({"session": "s", "colour": "red"}, "colour"),
        ({"session": "AKIAQ3EGRIZ7XT5NVLWB"}, "session: it contains what looks like a secret"),
        ({"session": "s", "key": "AKIAQ3EGRIZ7XT5NVLWB"}, "key: it contains what looks like a secret"),
    ]
    for options, message in wrong:
        with pytest.raises(InvalidInput, match=message):
            jot.add_turn("Yes.", **options)
    for text in ("", "  ", 7, None):
        with pytest.raises(InvalidInput, match="text"):
            jot.add_turn(text, session="s")
    assert row_counts(jot) == before


def test_with_a_transaction_it_is_stored_with_the_rest_or_not_at_all(jot):
    with pytest.raises(RuntimeError), jot.database.transaction() as tx:
        jot.add_turn("Yes.", session="s", tx=tx)
        raise RuntimeError
    assert jot.status().memories == 0

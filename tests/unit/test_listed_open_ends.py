"""Open ends in lists, and behind words that say until when they are open."""

from __future__ import annotations

from jotsam.core.note_records import Turn
from jotsam.pipeline.notes.open_ends import closes, open_ends_of

LISTED = "Noted, both open:\n\n- Move the pump to the new well. It needs a crane.\n- Ask Petra about Sundays."
OPEN = (
    (LISTED, "new well"),
    (LISTED, "Petra"),
    ("Noch offen:\n1. das Tor am Nordfeld streichen\n2. Salz bestellen", "Nordfeld"),
    ("Noted as an open question for Dr Moss: one herd or two.", "one herd"),
    ("Noted for after the harvest: a second silo by the road.", "second silo"),
    ("Left open until he answers: the price of the hay.", "price of the hay"),
    ("The bull stays out of the barn until Imke has answered.", "bull"),
)
NONE = (
    "Changed:\n\n- the pump is at the new well\n- the gate is blue",
    "I remember that the old gate was blue.",
    "The three that are missing are sock needles.",
)


def found(text: str) -> list[str]:
    return [one.text for one in open_ends_of(Turn(ref=1, text=text, by_user=False, at=0))]


def test_what_a_list_or_a_later_date_leaves_open_is_open() -> None:
    assert [(text, word) for text, word in OPEN if word not in " | ".join(found(text))] == []
    assert [text for text, _ in OPEN if len(found(text)) != len(set(found(text)))] == []
    assert "crane" not in " ".join(found(LISTED))


def test_a_list_of_what_changed_and_a_memory_leave_nothing_open() -> None:
    assert [ends for text in NONE if (ends := found(text))] == []


def test_what_is_put_on_the_list_closes_nothing() -> None:
    assert not closes("On the list, with the fair in May as the limit: the blue gate.", by_user=False)
    assert closes("I took the blue gate off the list.", by_user=False)

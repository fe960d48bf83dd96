"""Decisions in turns that say little: what they answer and what the answer repeats says what was decided."""

from __future__ import annotations

from itertools import count

import pytest

from jotsam.core.note_records import FoundNote, Turn
from jotsam.pipeline.notes.choices import options
from jotsam.pipeline.notes.describe import described
from jotsam.pipeline.notes.read_session import read_session
from jotsam.pipeline.notes.resolve import ends
from jotsam.pipeline.notes.sentences import split

DAY_MS = 86_400_000
SHOWN = 0.5
_refs = count(1)

THREE_PLACES = (
    "Three places are possible. In the barn, dry but far. In the cellar, near but damp. On the roof, sunny but steep."
)
TWO_LISTS = (
    "For the fence:\n1. oak posts\n2. steel posts\n\nFor the gate:\na. a chain\nb. a latch\n\nI would take 1 and b."
)
DECIDED = (
    ((THREE_PLACES, "the cellar then, its near", "The racks stand in the cellar."), "cellar"),
    ((TWO_LISTS, "2 and a"), "steel"),
    ((TWO_LISTS, "2 and a"), "chain"),
    (("(a) hay, (b) straw, (c) moss. Which one?", "c.. no, wait, it rots. b"), "straw"),
    (("", "the ducks get up late. feed them at 7:30", "Ducks are fed at 7:30 now."), "7:30"),
    (("", "take clover, that grows by itself, no?", "Yes, Clover grows in the north field now."), "Clover"),
    (("", "how many sheep per pen? ten? too tight. six", "Six sheep per pen it is."), "Six"),
    (("", "i bought a shed in Ulm, its dry. put all the hay there", "All the hay is in Ulm now."), "Ulm"),
    (("I used Quux for the pellets.", "yes, quux.", "Noted."), "pellets"),
    (("", "so the traps hid it. kill them, all of them", "All traps are removed from the orchard."), "traps"),
)
NOTHING = (
    ("", "thanks!", "The ducks are fed at 7:30."),
    ("", "the gate is done, that's off the list", "Then that point is settled."),
    ("", "cut the last row and leave the rest", "The rest is untouched."),
    ("", "what would you do about the moles?", "(a) traps, (b) a dog, (c) nothing. I would take b."),
)
REPLACED = (
    (
        ("", "let's use leaflet for the map", "Leaflet draws the map."),
        ("", "get us off it, maplibre", "MapLibre draws it now."),
    ),
    (
        ("", "let's keep the herd in Zorro-2", "The herd is in Zorro-2."),
        ("", "Zorro crashed again. so Quiltbase then", "The herd is in Quiltbase now, the old store is deleted."),
    ),
    (
        ("", "let's use Farro and Spelt", "Farro and Spelt are sown."),
        ("", "rye is better, so let's sow rye", "Rye is sown, Farro and Spelt are removed."),
    ),
)


def notes(*texts: str, day: int = 0) -> list[FoundNote]:
    """The notes of a session that begins with a text of the assistant, "" if there is none, before the user's."""
    by = (False, True, False)
    turns = [
        Turn(ref=next(_refs), text=text, by_user=by_user, at=day * DAY_MS + place * 1_000)
        for place, (text, by_user) in enumerate(zip(texts, by, strict=False))
        if text
    ]
    return [described(one) for one in read_session(turns)]


def decisions(*texts: str, day: int = 0) -> list[FoundNote]:
    return [one for one in notes(*texts, day=day) if one.kind == "decision" and one.sure >= SHOWN]


def test_a_terse_turn_decides_by_what_it_answers_and_what_the_answer_repeats() -> None:
    missed = [(texts, word) for texts, word in DECIDED if word not in " ".join(one.text for one in decisions(*texts))]
    assert missed == []


def test_what_settles_nothing_is_no_decision() -> None:
    assert [[one.text for one in found] for texts in NOTHING if (found := decisions(*texts))] == []


def test_a_choice_that_was_taken_back_in_the_same_breath_is_none() -> None:
    found = decisions("(a) hay, (b) straw, (c) moss. Which one?", "c.. no, wait, it rots. b")
    assert "moss" not in " ".join(one.text for one in found)


@pytest.mark.parametrize(("earlier", "later"), REPLACED)
def test_a_decision_ends_what_it_takes_the_place_of(earlier: tuple[str, ...], later: tuple[str, ...]) -> None:
    before, after = decisions(*earlier), decisions(*later, day=1)
    assert before
    assert after
    ended = [found.how for one in before for other in after if (found := ends(one, other))]
    assert "replaced" in ended


def test_a_complaint_ends_nothing_of_a_known_kind_by_the_name_alone() -> None:
    """It crashed in Qt: that is where, and not what was replaced."""
    before = decisions("", "let's use Qt for the window", "The window is drawn with Qt.")
    answer = "Quux checks it now, the old header is gone."
    after = decisions("", "a wrong length crashed somewhere in Qt. so Quux then", answer, day=1)
    assert before
    assert after
    assert [found.how for one in before for other in after if (found := ends(one, other))] == []


def test_a_part_of_a_text_that_says_what_something_is_ends_another() -> None:
    texts = ("The shop is open, and the plan is `small_9`.", "The plan is `large_20`, for a year.")
    one, other = (
        described(FoundNote(kind="decision", text=text, ref=number, at=number)) for number, text in enumerate(texts)
    )
    found = ends(one, other)
    assert found is not None
    assert (found.how, found.names) == ("replaced", {"small_9"})


def test_an_alternative_is_known_by_its_first_name() -> None:
    """What only goes with an alternative is not decided against."""
    offer = "Two ways:\n1. Feast with Redis beside it\n2. Iceberg on the disk\n\nI would take 2."
    (before, *_) = decisions(offer, "2", "The tables are Iceberg on the disk.")
    assert "feast" in before.against
    assert "redis" not in before.against


def test_a_sentence_that_says_how_many_ways_there_are_announces_them() -> None:
    assert [one.split(",")[0] for one in options(THREE_PLACES)] == ["In the barn", "In the cellar", "On the roof"]
    assert options("Three places are possible. In the barn.") == ()


def test_no_ends_a_sentence_but_not_before_a_number() -> None:
    assert split("no. a hedge") == ("no.", "a hedge")
    assert split("see no. 5 of it") == ("see no. 5 of it",)

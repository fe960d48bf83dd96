"""Which texts say the same: the words must be equal, and what they mean must not depend on who says them and when."""

from __future__ import annotations

from jotsam.pipeline.likeness.repetition import Saying, says_the_same

DAY_MS = 86_400_000

SAME = [
    ("The gate of the allotment is locked at dusk.", "the gate of the allotment is locked at dusk"),
    ("At dusk the gate of the allotment is locked.", "The gate of the allotment is locked at dusk."),
    ("We don't water the beans at noon.", "We do not water the beans at noon."),
    ("Note: the beans need water at 5pm", "The beans need water at 5 pm."),
    ("水は毎朝六時に撒きます。", "水は毎朝六時に撒きます"),
]
APART = [
    ("The gate of the allotment is locked at dusk.", "The gate of the allotment is locked at dawn."),
    ("The beans need 5 litres of water.", "The beans need 15 litres of water."),
    ("The beans need 1.5 litres of water.", "The beans need 15 litres of water."),
    ("The freezer is kept at -8 degrees.", "The freezer is kept at 8 degrees."),
    ("We water the beans at noon.", "We don't water the beans at noon."),
    ("Ines waters the beans for Otto.", "Otto waters the beans for Ines."),
    ("If it rains we stay, otherwise we go.", "We go if it rains, otherwise we stay."),
    ("The plough is written in C++ by us.", "The plough is written in C by us."),
    ("Is the gate of the allotment locked?", "Is the gate of the allotment locked?"),
    ("This gate of the allotment is locked.", "This gate of the allotment is locked."),
    ("## How the gate is locked", "## How the gate is locked"),
    ("The gate is locked by:", "The gate is locked by:"),
    ("run(lock, ['--', 'gate', 'now'])", "run(lock, ['gate', 'now'])"),
    ("Thanks a lot!", "Thanks a lot!"),
    ("The plan ✅ water the beans", "The plan: water the beans"),
    ("The party meets the WHO in May.", "The party meets the who in May."),
]


def test_texts_that_differ_in_form_only_say_the_same() -> None:
    for one, other in SAME:
        assert says_the_same(Saying(text=one), Saying(text=other)), (one, other)


def test_texts_that_differ_in_a_number_name_negation_order_or_word_do_not() -> None:
    for one, other in APART:
        assert not says_the_same(Saying(text=one), Saying(text=other)), (one, other)


def test_who_said_it_and_when_matters_where_the_text_depends_on_it() -> None:
    mine = Saying(text="I water all of the beans in the greenhouse.", actor="ines", session="one")
    assert not says_the_same(mine, mine.replace(actor="otto", session="two"))
    assert says_the_same(mine, mine.replace(session="two"))
    plain = Saying(text="The beans in the greenhouse need water at noon.", actor="ines", session="one")
    assert says_the_same(plain, plain.replace(actor="otto", session="two"))
    assert not says_the_same(plain, plain.replace(actor="otto")), "it may be the answer"
    late = Saying(text="The gate of the allotment was locked yesterday.")
    assert not says_the_same(late, late.replace(at=3 * DAY_MS))
    assert says_the_same(plain, plain.replace(at=3 * DAY_MS))

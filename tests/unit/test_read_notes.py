"""What notes are read out of the turns of a session, and what ends them."""

from __future__ import annotations

import time
from itertools import count

import pytest

from jotsam.core.note_records import FoundNote, Turn
from jotsam.pipeline.notes.choices import options
from jotsam.pipeline.notes.describe import described
from jotsam.pipeline.notes.match import read_prompt, relevant
from jotsam.pipeline.notes.names import names
from jotsam.pipeline.notes.read_session import read_session
from jotsam.pipeline.notes.resolve import ends
from jotsam.pipeline.notes.words import terms

HOUR_MS = 3_600_000
_refs = count(1)

RULES = (
    ("en", "never feed the goats before the cows"),
    ("en", "From now on every label gets the name of the field."),
    ("en", "always weigh the apples twice"),
    ("en", "please don't touch the beehives without asking me"),
    ("en", "we use litres here, not gallons"),
    ("en", "Each gate must have a lock."),
    ("en", "no emojis in the weather report"),
    ("en", "commit messages are in the imperative"),
    ("en", "ask me before you sell a tractor"),
    ("en", "keep your answers short"),
    ("en", "how often have I told you: never feed the goats at noon?"),
    ("de", "Die Waage wird immer vor dem Wiegen geeicht."),
    ("de", "ab jetzt nur noch mit Handschuhen arbeiten"),
    ("de", "bitte keine Abkürzungen in den Etiketten"),
    ("fr", "Il faut toujours fermer la barrière du pré."),
    ("fr", "ne lave jamais les filtres à l'eau froide"),
    ("es", "nunca abras las válvulas desde una prueba"),
    ("es", "a partir de ahora los precios van en céntimos"),
    ("pt", "a partir de agora cada lote tem que ter uma etiqueta"),
    ("it", "d'ora in poi usa solo unità metriche"),
    ("nl", "gebruik altijd handschoenen in de kas"),
    ("pl", "nigdy nie otwieraj zaworów z testu"),
    ("en", "Nobody may open the north sluice, whatever the level is."),
    ("en", "Sacks above 50 kilos need two people."),
    ("en", "the barn doors stay shut, no exceptions"),
    ("en", "no wet hay in the barn, ever"),
    ("de", "Niemand darf das Silo allein betreten."),
    ("de", "Ladungen über 20 Tonnen brauchen eine Freigabe."),
    ("fr", "Les sacs de plus de 50 kilos doivent passer par le quai."),
    ("es", "Los pedidos de más de 200 kilos necesitan dos firmas."),
    ("it", "I carichi oltre 20 quintali richiedono una firma."),
    ("zh", "以后不要在夜里打开水泵"),
    ("ja", "今後は必ず秤を二回確認してください"),
)
NO_RULES = (
    "don't open the valves yet",  # for once
    "leave the tractor alone until I am back",
    "don't paint the shed today",
    "for now never mind the fence",
    "mach die Pumpe heute noch nicht an",
    "n'ouvre pas la vanne pour l'instant",
    "no toques la bomba por ahora",
    "今天不要打开水泵",
    "the pump always stops when it rains",  # descriptions
    "it always crashes when I open the second tank",
    "I never understood why the scale drifts",
    "the cows never eat the hay from the south field",
    "why does nobody ever close the gate?",  # questions
    "do we always wash the filters with warm water?",
    "why do you never run the pump of the north field",
    "are all messages in english?",
    "does each box need a label?",
    "could you please add another gate",
    "never mind",
    "no idea what the meter shows",
    "nobody ever saw the north sluice open",
    "no more errors in the log of the pump",
    "the field book says 'never sow before the ice saints'",
    "We chose oats over barley for the north field, because of the frost.",
    "We no longer dry the hay in the barn, from now on it stays in the field.",
    "no problem, thanks",
)
TWO = "Two ways:\n\n- a wooden fence: cheap, rots after years\n- a steel fence: dear, lasts\n\nI recommend the second."
CHOICES = (
    (TWO, "2", "steel"),
    (TWO, "the first one please", "wooden"),
    (TWO, "ok", "steel"),
    (TWO, "wooden", "wooden"),
    (TWO, "let's take the steel one, it lasts", "steel"),
    ("(a) Postgres, we have it, or (b) ClickHouse, made for it. Which one?", "b", "ClickHouse"),
    ("(a) Postgres, we have it, or (b) ClickHouse, made for it. Which one?", "ok go with Postgres", "Postgres"),
    ("We could keep the readings in CSV files or move them to SQLite. I would move them.", "ok do it", "SQLite"),
    ("1. keep the old pump as is\n2. buy a Grundfos pump", "let it be", "keep the old pump"),
    ("Soll ich die Etiketten mit Zebra drucken?", "ja mach das", "Zebra"),
    ("¿Uso Valencia o Navelina para el injerto?", "usa Navelina", "Navelina"),
)
NO_CHOICES = (
    "thanks",
    "thank you so much!",
    "what is the difference?",
    "how much does it cost?",
    "got it, bye",
    "gracias",
)
OPTIONS = (
    ("Either Redis or Memcached would do.", ("Redis", "Memcached would do")),
    ("(a) sell the hay, (b) store it in the barn.", ("sell the hay", "store it in the barn")),
    ("1) plums 2) pears 3) quinces", ("plums", "pears", "quinces")),
    ("Entweder Holz oder Stahl.", ("Holz", "Stahl")),
    ("The fence is ready.", ()),
)
OPEN_ENDS = (
    ("Open: the barn needs a second door.", "barn"),
    ("TODO: count the lambs in May", "lambs"),
    ("The lock of the north gate is still missing.", "gate"),
    ("Noch offen: die Rechnung des Tierarztes.", "Tierarztes"),
    ("Reste à faire: peindre la grange.", "grange"),
    ("pendiente: revisar el pozo", "pozo"),
)
NOT_OPEN = (
    "Still open: nothing.",
    "Is the barn still open?",
    "Everything is done, nothing is left.",
    "The gate stands at the road.",
)


def turns(*texts: str, at: int = 0) -> list[Turn]:
    """A session that the user begins."""
    return [Turn(ref=next(_refs), text=text, by_user=n % 2 == 0, at=at + n * 1_000) for n, text in enumerate(texts)]


def notes(kind: str, *texts: str, at: int = 0, sure: float = 0.5) -> list[FoundNote]:
    return [described(one) for one in read_session(turns(*texts, at=at)) if one.kind == kind and one.sure >= sure]


@pytest.mark.parametrize(("language", "order"), RULES)
def test_a_standing_order_is_a_rule(language: str, order: str) -> None:
    (found,) = notes("rule", order, "Understood.")
    assert found.text.rstrip(".")[-10:] in order


@pytest.mark.parametrize("text", NO_RULES)
def test_an_order_for_once_a_description_and_a_question_are_none(text: str) -> None:
    assert notes("rule", text, "OK, I leave it.") == []


def test_a_rule_reaches_as_far_as_it_says() -> None:
    def scope(text: str) -> str:
        return notes("rule", text, "Noted.")[0].scope

    assert scope("never round the weights, in all my projects") == "person"
    assert scope("always write short answers") == "person"
    assert scope("always be brief with me") == "person", "no word of it says so"
    assert scope("never round the weights") == "project"
    assert scope("never round the weights. that goes for everything") == "person"
    assert scope("never round the weights. this repo, every repo i own.") == "person"


def test_an_order_is_surer_if_the_answer_holds_to_it() -> None:
    order = "the seed goes into the north barn only"
    refused = "The script refuses any other barn for the seed now."
    for answer, number in (("Done.", 0), (refused, 1), ("Understood: the north barn.", 1), ("Understood, a fence.", 0)):
        assert len(notes("rule", order, answer)) == number, answer
    gates = "gates: one latch each, the sheep open anything else"
    (first,), (taken,) = (notes("rule", gates, answer) for answer in ("Done.", "Sorry. Each gate has one latch."))
    assert taken.sure > first.sure


def test_what_is_said_after_an_order_tells_how_far_it_goes() -> None:
    order = "you never oil a gate."
    (alone,) = notes("rule", f"the hinge is dirty. {order}")
    (stressed,) = notes("rule", f"the hinge is dirty. {order} none. not the small one either")
    (everywhere,) = notes("rule", f"the hinge is dirty. {order} in everything you do for me")
    assert {alone.text, stressed.text, everywhere.text} == {order}
    assert stressed.sure > alone.sure
    assert [one.scope for one in (alone, stressed, everywhere)] == ["project", "project", "person"]
    (other,) = notes("rule", "never sell a cow, not here and not in any other of mine")
    assert other.scope == "person"
    assert notes("rule", "you never listen") == []


def test_an_idiom_of_time_is_no_time() -> None:
    (rule,) = notes("rule", "and while we're at it, any change of the herd goes through the register", "Built.")
    assert rule.text == "any change of the herd goes through the register"
    assert notes("rule", "while we're in town, any change of the herd goes through the register", "Built.") == []


def test_what_is_quoted_or_pasted_is_no_rule() -> None:
    assert notes("rule", 'he wrote "you must never ever open the valves of the tank" to me', "OK.") == []
    assert notes("rule", "```\nnever open the valves\n```\nwhat is this?", "A log.") == []
    assert notes("rule", "never open the valves. " * 100, "OK.") == []


def test_a_long_note_is_cut_at_a_word() -> None:
    long = f"always write the unit into the names of {' and '.join(f'field{number}' for number in range(25))}"
    (rule,) = notes("rule", long, "OK.")
    (task,) = notes("open", "how far are you?", f"Open: the barn needs a sign, {long}.")
    for note, most, mark in ((rule, 221, "…"), (task, 184, " ...")):
        assert most - 10 < len(note.text) <= most
        assert note.text.endswith(mark)
        assert note.text.removesuffix(mark).split()[-1] in long.split()


@pytest.mark.parametrize(("proposal", "said", "chosen"), CHOICES)
def test_a_choice_decides_for_what_was_chosen(proposal: str, said: str, chosen: str) -> None:
    (found, *_) = notes("decision", "what shall we do about it?", proposal, said)
    assert chosen in found.text
    assert found.text.lower() != said


@pytest.mark.parametrize("said", NO_CHOICES)
def test_thanks_and_questions_decide_nothing(said: str) -> None:
    assert notes("decision", "what shall we do about it?", TWO, said, "You are welcome.") == []


@pytest.mark.parametrize(("text", "offered"), OPTIONS)
def test_alternatives_are_found_in_prose_and_lists(text: str, offered: tuple[str, ...]) -> None:
    assert options(text) == offered


@pytest.mark.parametrize(
    ("earlier", "later", "gone"),
    [
        (
            ("close the gate at 18:00", "Done. The gate closes at 18:00 now."),
            ("make it 20:00", "Changed: the gate closes at 20:00 now."),
            "18:00",
        ),
        (
            ("set MAX_RETRIES to 5", "Done, MAX_RETRIES is 5 now."),
            ("raise it, too many fail", "I raised it: MAX_RETRIES is 8 now."),
            "MAX_RETRIES is 5",
        ),
        (
            ("upgrade to kubernetes 1.31", "Upgraded, the farm runs on kubernetes 1.31 now."),
            ("we moved to kubernetes 1.33", "Yes, the farm runs on kubernetes 1.33 now."),
            "kubernetes 1.31",
        ),
        (
            ("which version of Node?", "The images and the check run on Node 20 now."),
            ("make it Node 22", "Changed: the images and the check run on Node 22.0 now."),
            "node 20",
        ),
        (
            ("set up the search", "Done. Search runs on Meilisearch now."),
            ("that is too much for 180 products", "Agreed. Search is Postgres full text now, one service less."),
            "meilisearch",
        ),
        (
            ("let's use Redis for the cache", "The cache is in Redis now."),
            ("switch the cache to Memcached", "Done, the cache is in Memcached now, Redis is removed."),
            "redis",
        ),
    ],
)
def test_a_later_value_replaces_an_earlier_one(earlier: tuple[str, ...], later: tuple[str, ...], gone: str) -> None:
    (before, *_), after = notes("decision", *earlier), notes("decision", *later, at=HOUR_MS, sure=0)
    ended = [found for one in after if (found := ends(before, one))]
    assert ("replaced", True) in {(one.how, one.is_earlier) for one in ended}
    assert gone.lower() in {name.lower() for one in ended for name in one.names}
    assert not any(ends(one, before) for one in after), "the earlier one ends nothing"


def test_values_of_two_matters_both_hold() -> None:
    (one, *_), (other, *_) = (
        notes("decision", "set MAX_RETRIES to 5", "Done, MAX_RETRIES is 5 now."),
        notes("decision", "set MAX_TABLES to 8", "Done, MAX_TABLES is 8 now.", at=HOUR_MS),
    )
    assert ends(one, other) is None
    pause, alarm = (
        FoundNote(kind="decision", text=text, ref=at, at=at, names=terms(text), is_change=True)
        for at, text in enumerate(("PUMP_OFF is 90 s now, after a stop.", "The horn sounds after 600 s, ALARM_OFF."))
    )
    assert ends(pause, alarm) is None
    assert ends(pause, alarm.replace(text=alarm.text.replace("ALARM_OFF", "PUMP_OFF"), names=pause.names)) is not None


def test_an_everyday_word_is_no_product() -> None:
    assert names("the valves go like a woodpecker, make it stop") & {"go", "make"} == set()
    assert names("we write it in go") | names("rewritten with Go") | names("`make`") >= {"go", "make"}


def test_what_is_said_of_one_thing_in_two_respects_both_holds() -> None:
    said = ("The export is in Parquet now.", "The export is readable for the auditors.", "The export is in `/srv/out`.")
    again = FoundNote(kind="decision", text="The export is in Zstandard, within Parquet.", ref=9, at=9)
    one, other, third = (
        described(FoundNote(kind="decision", text=text, ref=number, at=number)) for number, text in enumerate(said)
    )
    assert (ends(one, other), ends(other, third), ends(one, third)) == (None, None, None)
    assert ends(one, described(again)) is None


@pytest.mark.parametrize(("text", "about"), OPEN_ENDS)
def test_an_open_end_names_what_is_open(text: str, about: str) -> None:
    (found,) = notes("open", "how far are you?", text)
    assert about.lower() in found.text.lower()


@pytest.mark.parametrize("text", NOT_OPEN)
def test_nothing_is_open_where_nothing_is_said_to_be(text: str) -> None:
    assert notes("open", "how far are you?", text) == []


def test_what_was_done_closes_what_is_open() -> None:
    (opened,) = notes("open", "how far are you?", "Open: the barn needs a second door.")
    (done, *_) = notes("done", "please build the second door of the barn", "Done. The door is in place.", at=HOUR_MS)
    (other, *_) = notes("done", "please shear the sheep", "Done. They are shorn.", at=HOUR_MS)
    found = ends(opened, done)
    assert found is not None
    assert found.how == "closed"
    assert ends(opened, other) is None
    assert notes("done", "is the barn done?", "Not yet, the door is not done.") == []


def test_what_a_user_says_happened_closes_what_is_open() -> None:
    (opened,) = notes("open", "how far are you?", "Open: the invoice of the vet.")
    for said in ("paid the vet's invoice last night", "oh and the invoice of the vet came in"):
        (happened,) = notes("done", said, "Good.", at=HOUR_MS)
        assert ends(opened, happened) is not None
    for said in ("the invoice of the vet is still not paid", "did the invoice of the vet come?"):
        assert notes("done", said, "No.", at=HOUR_MS) == []


def test_two_matters_of_a_list_are_open_by_themselves() -> None:
    said = "Open: the invoice of the vet, and the second door of the barn."
    assert [one.text for one in notes("open", "how far are you?", said)] == [
        "the invoice of the vet",
        "the second door of the barn",
    ]
    (one,) = notes("open", "how far are you?", "Open: the barn, and the door.")
    assert one.text == "the barn, and the door"


def test_a_polite_question_may_be_an_order() -> None:
    (rule,) = notes("rule", "could you please keep every text a customer can read in the language files?", "Yes.")
    assert "language files" in rule.text
    (rule,) = notes("rule", "could you please never edit the generated files?", "Yes.")
    assert "generated files" in rule.text


def test_the_same_again_is_repeated() -> None:
    (first,), (again,) = (
        notes("rule", "never feed the goats before the cows", "OK."),
        notes("rule", "again: never feed the goats before the cows!", "Sorry.", at=HOUR_MS),
    )
    found = ends(first, again)
    assert found is not None
    assert (found.how, found.is_earlier) == ("repeated", False)


def test_a_problem_gets_what_helped() -> None:
    (found,) = notes(
        "fix",
        "the milk meter shows negative litres, it is broken",
        "The cause was a flipped sign in the driver. I inverted it.",
    )
    assert "flipped sign" in found.text
    assert "negative litres" in found.problem


def test_a_problem_gets_what_helped_after_the_assistant_asked_back() -> None:
    told = ("the pump stops at noon", "I cannot see it from here. Please send me the log.", "valve 2: open")
    helped = "Valve 2 was never closed, so the tank ran dry. I set a timer for it."
    (fix,) = notes("fix", *told, helped)
    assert fix.problem == told[0]
    assert fix.text == helped, "the cause comes first"
    assert terms("pump valve") <= fix.names
    assert notes("fix", "paint the pump", "Which colour?", "green", "The pump is green now.") == []


def test_the_words_of_a_person_name_a_problem_before_those_of_a_log() -> None:
    (fix,) = notes(
        "fix", "```\npump: error 7 in valve\n```\nthe pump is broken", "The cause was a stone. I removed it."
    )
    assert fix.problem == "the pump is broken"


def test_a_prompt_gets_the_notes_that_it_needs() -> None:
    stored = [
        *notes("rule", "never log the name of a customer", "OK."),
        *notes(
            "decision", "which database for the invoices?", "I suggest PostgreSQL or MongoDB.", "let's use PostgreSQL"
        ),
    ]

    def needed(prompt: str) -> list[str]:
        return [stored[at].kind for _, at in relevant(read_prompt(prompt), stored)]

    assert needed("write each customer to the log") == ["rule"]
    assert needed("in which database are the invoices?") == ["decision"]
    assert needed("what is the difference between a database and a spreadsheet?") == []
    assert needed("sing a song") == []


def test_a_note_needs_no_word_of_the_prompt_if_it_names_what_the_subject_uses() -> None:
    texts = (
        "Stripe takes them all, nothing else.",
        "The barn is red.",
        "the door of the checkout",
        "the door of the barn",
    )
    stored = [
        described(FoundNote(kind="decision", text=text, ref=number, at=number, names=terms(text)))
        for number, text in enumerate(texts)
    ]
    assert [at for _, at in relevant(read_prompt("the refund failed"), stored[:2])] == [0]
    fits = {at: fit for fit, at in relevant(read_prompt("our refund at the door"), stored)}
    assert fits[2] > fits[3], "a word of the subject adds to it"


HOSTILE = (
    *(
        "1",
        "1.",
        "12:30 ",
        "(",
        "[",
        "```\n",
        "`",
        "`a` ",
        '"',
        "“",
        "**",
        "__",
        " ",
        "\t",
        "\n ",
        " \n",
        "- a\n",
        "1. a\n",
        "a) b\n",
    ),
    *(
        "a_",
        "aB",
        "w-",
        "a.",
        "., ",
        " — ",
        "; ",
        "never ",
        "always use ",
        "every a must ",
        "either a or ",
        "open: ",
        "still ",
    ),
    *(
        "moved a to ",
        "because ",
        "还是",
        "以后",
        "e\u0301",
        "\u202e",
        "\x00",
        "\U0001f4a9",
        "ok, ",
        "option a) x ",
        "switch a ",
    ),
    "we use a 1.2.3.4. instead of ",
)


def test_no_text_raises() -> None:
    odd = ("", " ", "\n", "\x00", "\ud7ff", "\ufeff", "?", "。", "不要", "ok", "\U0001f4a9" * 3, "a" * 300)
    for one in (*odd, *HOSTILE, *(unit * 50 for unit in HOSTILE)):
        for other in ("", "\u202e", TWO):
            for note in read_session(turns(one, other, one, one, other, one)):
                assert described(note).text


def test_the_time_is_linear_in_the_length() -> None:
    """Sizes are compared. Of a user only short turns are read, of an assistant long ones."""

    def seconds(unit: str, length: int) -> float:
        text = (unit * length)[:length]
        began = time.process_time()
        for note in read_session(turns(text[: length // 12], text, "ok the second", text)):
            described(note)
        return time.process_time() - began

    def is_slow(unit: str, length: int) -> bool:
        return seconds(unit, 4 * length) > 7 * seconds(unit, length) + 0.02  # The square is 16 times as much.

    sizes = [(unit, 2_000) for unit in HOSTILE] + [(unit, 25_000) for unit in (" ", "\n ", "open: ", "".join(HOSTILE))]
    assert [one for one in sizes if all(is_slow(*one) for _ in range(3))] == []


@pytest.mark.parametrize(
    "announced",
    [
        "Let me check how the pump decides that the tank is empty.",
        "Now let me look at the valves, the north one is still missing.",
        "I'll replace the seal first, it was the wrong one.",
        "Here's what is still open in the barn: the second door.",
    ],
)
def test_what_an_assistant_only_announces_is_no_note(announced: str) -> None:
    assert not [
        one for one in read_session(turns("the pump is broken again, it stops", announced)) if one.kind != "done"
    ]


def test_a_pasted_change_is_no_problem() -> None:
    pasted = "diff --git a/pump.py b/pump.py\n@@ -1,4 +1,6 @@ def failed():\n+var pumpErr error\n-func broken() error {"
    assert not notes("fix", pasted, "The cause was the seal, which was the wrong one. It is replaced now.")
    assert notes("fix", "the pump fails again", "The cause was the seal, which was the wrong one. It is replaced now.")


def test_of_a_long_answer_the_end_proposes() -> None:
    report = "The north tank has two valves and a meter. " * 60
    offered = "I would (a) weld the tank or (b) buy a new one. Which one?"
    assert [one for one in notes("decision", "what now?", report + offered, "b") if "buy a new one" in one.text]
    early = "I would (a) weld the tank or (b) buy a new one. "
    assert not [one for one in notes("decision", "what now?", early + report, "b") if "buy a new one" in one.text]


def test_what_leads_to_an_order_is_not_its_text() -> None:
    said = "one small request which isn't about this repository at all. Please always answer me in two sentences."
    (rule,) = notes("rule", said, "Yes.")
    assert (rule.text, rule.scope) == ("always answer me in two sentences.", "person")
    order = "never feed the goats before the cows"
    for lead, scope in (("a small request, not only this project", "person"), ("a small request", "project")):
        (rule,) = notes("rule", f"{lead}. {order}", "Yes.")
        assert (rule.text, rule.scope) == (order, scope)
    (rule,) = notes(
        "rule", "never feed the goats at night. that's for whatever you do for me, not just this farm", "Yes."
    )
    assert ("goats" in rule.text, rule.scope) == (True, "person")


def test_the_parts_of_a_report_are_no_alternatives() -> None:
    report = "The pump runs again.\n- the filter of the tank\n- a valve of the well that leaked"
    assert options(report) == ()
    assert options(f"{report}\nWhich one goes to the workshop?") == (
        "the filter of the tank",
        "a valve of the well that leaked",
    )
    assert options("Option A: **keep** the tank\nOption B: sell the tank, then?")[0] == "keep the tank"


def test_what_an_assistant_found_is_not_what_a_user_confirms() -> None:
    found = "The watch process held exactly seven files there. The relay at 230 V was open in all three runs."
    assert not notes("decision", "how does the pump do?", found, "ok do so", sure=0)
    offered = notes("decision", "how does the pump do?", f"{found} I suggest a Finder relay for 24 V.", "ok")
    assert [one.text for one in offered] == ["a Finder relay for 24 V."]


@pytest.mark.parametrize("said", ["make that 3 line change", "1 sec", "31 Dec 31"])
def test_a_request_that_points_at_the_talk_is_not_shown_as_a_decision(said: str) -> None:
    assert not [one for one in notes("decision", "and now?", "The label has a typo.", said) if one.sure >= 0.5]


@pytest.mark.parametrize(
    "said",
    [
        "It is left-aligned, and the not-blocking path handles an open-file error.",
        "While the tank is open, the pump blocks waiting for the valve.",
        "The two points that are left open:",
    ],
)
def test_a_hyphen_a_description_and_a_heading_leave_nothing_open(said: str) -> None:
    assert not notes("open", "how is it?", said)


@pytest.mark.parametrize(
    "said",
    [
        "The alert for a late start has not been connected yet.",
        "The path over the south field is untested.",
        "Left to decide is where the new well goes.",
        "Still open - the invoice of the carpenter",
    ],
)
def test_what_was_not_tried_or_decided_is_open(said: str) -> None:
    assert notes("open", "how is it?", said)


def test_work_that_is_agreed_to_is_no_decision() -> None:
    assert not notes(
        "decision", "how about the fence?", "The posts are rotten. Shall I replace the rotten ones now?", "yes please"
    )
    assert notes("decision", "how about the fence?", "Shall I move the posts to `north.csv`?", "yes please")


DECISIONS = (
    "We chose oats over barley for the north field, because of the frost.",
    "We no longer dry the hay in the barn, from now on it stays in the field.",
    "Wir haben uns für Hafer und gegen Gerste entschieden.",
    "Wir trocknen das Heu nicht mehr in der Scheune, ab sofort bleibt es auf dem Feld.",
    "Nous avons choisi la ferme de Lutz pour le foin.",
    "Hemos elegido avena para el campo del norte.",
    "Abbiamo scelto l'avena per il campo a nord.",
    "Escolhemos aveia para o campo do norte.",
    "We hebben voor haver op het noordveld gekozen.",
    "Wybraliśmy owies na pole północne.",
)


@pytest.mark.parametrize("said", DECISIONS)
def test_what_is_said_to_be_decided_is_a_decision_in_these_words(said: str) -> None:
    found = notes("decision", said, "Done: the plan of the fields has it.")
    assert [note.text for note in found if note.sure >= 0.5] == [said.rstrip(".")]


def test_an_assistant_tells_a_decision_only_if_it_is_asked() -> None:
    told = "Not for twelve cows. We decided to stay with the old milking parlour until there are thirty."
    asked = notes("decision", "Should we buy a milking robot?", told)
    assert [note.text for note in asked] == [told.partition(". ")[2].rstrip(".")]
    assert notes("decision", "Write the page about milking.", told) == []


def test_a_decision_has_the_names_that_the_user_chose() -> None:
    proposal = "I recommend Flutter with SQLite: one code base, and SQLite is a file on the phone."
    report = "The project is set up. Visits are written to SQLite first."
    found = notes("decision", "We begin the app.", proposal, "ok, let's go with Flutter and SQLite", report)
    assert any("Flutter" in note.text for note in found)


def test_a_refused_alternative_is_not_chosen() -> None:
    proposal = "1. Fence of wire, cheap. 2. Hedge of hawthorn, slow. Which one?"
    found = notes("decision", "We need a border.", proposal, "1 no wire please", "Then I plan the hedge.")
    assert not any("cheap" in note.text for note in found)


@pytest.mark.parametrize(("said", "chosen"), [("the middle one", "hedge"), ("die mittlere", "hedge")])
def test_the_middle_of_three_is_chosen(said: str, chosen: str) -> None:
    proposal = "Three ways:\n1. a wire fence\n2. a hedge of hawthorn\n3. a dry wall\nWhich one?"
    found = notes("decision", "We need a border.", proposal, said, "I order it.", sure=0.4)
    assert any(chosen in note.text for note in found)


def test_what_an_answer_begins_with_as_settled_was_decided() -> None:
    said, answer = "I had Lutz four years on the old farm, we take Lutz", "Lutz then. I wrote him a contract."
    found = notes("decision", "We need hands for the harvest.", "I recommend the agency.", said, answer)
    assert any("we take Lutz" in note.text for note in found)


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        (
            "And a request that is not about this farm but about how we two work: when you have finished, would you "
            "please always begin with what is left to do?",
            "when you have finished, always begin with what is left to do.",
        ),
        ("Could you please always show me the plan before you sow?", "always show me the plan before you sow."),
        ("from now on every sack gets a label, please.", "from now on every sack gets a label."),
        ("you never open the well yourself. full stop, no exceptions", "you never open the well yourself."),
        ("every sack always gets a label, period.", "every sack always gets a label"),
        ("ask me first before you buy any seed, i want to know what is in it", "ask me first before you buy any seed"),
        (
            "never touch the old well, here and on the other farm",
            "never touch the old well, here and on the other farm",
        ),
    ],
)
def test_a_rule_is_shown_as_an_order(said: str, shown: str) -> None:
    assert [note.text for note in notes("rule", said, "Understood.")] == [shown]


def test_a_reach_is_of_the_order_and_not_of_what_was_said_after_it() -> None:
    said = "never say that a pump runs if you did not look. I can live with a stopped one. Counts for all my projects."
    found = notes("rule", said, "Understood.")
    assert [(note.text.startswith("never say"), note.scope) for note in found] == [(True, "person")]


def test_a_value_decides_if_the_answer_says_that_it_is_so_now() -> None:
    told = "The scale was read each second, which empties it. With a reading every 15 seconds it lasts a week."
    found = notes("decision", "The scale is empty by noon.", told, "ok, 15 seconds", "The interval is 15 seconds.")
    assert [note.text for note in found] == ["The interval is 15 seconds."]


def test_an_answer_that_only_repeats_a_choice_is_not_all_that_is_kept() -> None:
    proposal = "The dairy runs PostgreSQL 16, so I would take that and not add another server."
    report = "PostgreSQL 16 it is; the address is in COW_DSN, on port 6001 here."
    (found, *_) = notes("decision", "We need a place for the milk records.", proposal, "ok take that", report)
    assert "dairy runs" in found.text

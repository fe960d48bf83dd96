"""Which notes and which sentences of earlier turns a prompt needs, and which prompts need nothing."""

from __future__ import annotations

from pathlib import Path

from jotsam.core.answers import BriefLine, Hit
from jotsam.core.names import DECISION
from jotsam.core.note_records import FoundNote
from jotsam.pipeline.notes import lexicon
from jotsam.pipeline.notes.describe import described
from jotsam.pipeline.notes.match import read_prompt, relevant
from jotsam.pipeline.notes.words import terms
from jotsam.retrieval.noted import line_id
from jotsam.retrieval.said import MAX_SAID, said_about

WORLD = (
    "what does a semaphore actually do",
    "explain in simple words what a monad is",
    "awk command that adds up the second column",
    "how do i undo a git rebase",
    "how many bits has an IPv6 address",
    "cómo se dice: was bedeutet idempotent",
    "thanks, thats me for today",
    "run the formatter over lib",
    "regex for a phone number",
)
# Of such no phrase is known.
UNTAUGHT_WORLD = (
    "which came first, lisp or cobol",
    "when would somebody pick a trie over a hash table",
    "how much is 14 stone in kilograms",
    "swap the two imports",
    "that is enough for me, early start",
    "show me what i have staged, names only",
    "explica qué es un semáforo",
)
PROJECT = (
    "how many backups do we keep",
    "how many workers does the queue have now?",
    "add a column for the tax to the invoice",
    "where is the key of the runner",
    "css of the header is broken again",
)
DECIDED = (
    "Payments go through Mollie.",
    "MapLibre draws everything, in both apps.",
    "GRDB it is, behind a repository class.",
    "We moved to Kamal last week.",
    "The barn is painted green.",
)


def test_two_notes_of_one_memory_are_given_by_themselves() -> None:
    note, other, part = (BriefLine(id="m", label="rule", text="x", date=0, note=place) for place in (0, 1, None))
    assert [*map(line_id, (note, other, part))] == ["m#0", "m#1", "m"]


def decisions(*texts: str) -> list[FoundNote]:
    return [described(FoundNote(kind=DECISION, text=text, ref=0, at=0, names=terms(text))) for text in texts]


def best(prompt: str) -> str | None:
    found = relevant(read_prompt(prompt), decisions(*DECIDED))
    return DECIDED[found[0][1]] if found else None


def test_a_prompt_about_the_world_an_edit_or_a_farewell_needs_nothing() -> None:
    assert [prompt for prompt in WORLD if not read_prompt(prompt).needs_nothing] == []
    assert [prompt for prompt in PROJECT if read_prompt(prompt).needs_nothing] == []
    known = [prompt for prompt in UNTAUGHT_WORLD if read_prompt(prompt).needs_nothing]
    assert len(known) >= len(UNTAUGHT_WORLD) - 2


def test_a_prompt_that_perhaps_needs_nothing_must_fit_better() -> None:
    notes = decisions("The shed has one candle.")
    sure, doubtful = (read_prompt(text) for text in ("we need a lamp for the barn", "bring a lamp"))
    assert sure.more == 0 < doubtful.more
    assert not doubtful.needs_nothing
    assert [at for _, at in relevant(sure, notes)] == [0]
    assert relevant(doubtful, notes) == []


def test_words_that_are_used_alike_find_each_other() -> None:
    notes = decisions("The quantity of each fleece is counted at night.", "The barn is painted green.")
    assert [at for _, at in relevant(read_prompt("our inventory is off by four"), notes)] == [0]


def test_a_word_that_is_usual_in_prompts_says_less() -> None:
    assert 0 < lexicon.says("file") < 0.5
    assert lexicon.says("fleec") == 1.0
    assert lexicon.alike("inventory") == ("quantity",)
    assert lexicon.alike("zzz") == ()


def test_a_prompt_finds_by_its_subject_a_note_that_shares_no_word_with_it() -> None:
    assert best("take a card at the checkout") == DECIDED[0]
    assert best("show the stations as pins with a second layer") == DECIDED[1]
    assert best("persist the drafts on the device") == DECIDED[2]
    assert best("ship the release candidate") == DECIDED[3]
    assert best("sing about a goose") is None


def test_each_subject_has_words_and_what_is_used_for_it() -> None:
    lines = (Path(lexicon.__file__).parent / "kinds.txt").read_text(encoding="utf-8").splitlines()
    wrong = [line for line in lines if line.count(" : ") != 1 or line != line.lower() or "  " in line]
    assert wrong == []


def turn(id: str, text: str) -> Hit:
    return Hit(kind="memory", id=id, text=text, whole=True, score=1.0, scores={}, actor="user")


def test_of_a_long_turn_the_sentence_that_fits_is_given() -> None:
    long = "The barn is dry now. " * 8 + "By the way, the milk meter listens on port 4711. Nothing else is new."
    turns = [
        turn("one", long),
        turn("two", "On which port is the milk meter?"),
        turn("three", "The cows are in the barn."),
    ]
    found = said_about("connect to the milk meter", turns, is_known=lambda _: False)
    assert [line.id for line in found] == ["one"]
    assert found[0].text.startswith("By the way, the milk meter listens on port 4711.")
    assert said_about("connect to the milk meter", turns, is_known=lambda text: "4711" in text) == []


def test_few_sentences_are_given_and_none_of_code() -> None:
    many = [turn(str(number), f"The milk meter has the part number {number} now.") for number in range(9)]
    assert len(said_about("order parts of the milk meter", many, is_known=lambda _: False)) <= MAX_SAID
    code = turn("code", "```\nthe milk meter is here = 1; the milk meter again\n```")
    assert said_about("connect to the milk meter", [code], is_known=lambda _: False) == []


def test_one_common_word_gives_no_sentence() -> None:
    turns = [turn(str(number), f"Load test {number} reached {number} requests per second.") for number in range(3)]
    assert said_about("write unit tests for the parser of the milk meter", turns, is_known=lambda _: False) == []


def test_each_product_has_its_kind_and_the_last_line_of_the_list_too() -> None:
    content = Path(lexicon.__file__).with_name("products.txt").read_text(encoding="utf-8")
    assert content.endswith("\n"), "a product of the last line would fail"
    lines = [line.partition(" : ") for line in content.splitlines()]
    assert [one for _, _, listed in lines for one in listed.split() if not lexicon.kind_of(one)] == []

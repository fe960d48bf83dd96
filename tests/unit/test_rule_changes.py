"""What a later rule makes of an earlier one: it replaces it, repeats it, or holds beside it."""

from __future__ import annotations

import time
from itertools import count

from jotsam.core.note_records import FoundNote, Turn
from jotsam.pipeline.notes.read_session import read_turn
from jotsam.pipeline.notes.resolve import ends
from jotsam.pipeline.notes.rule_changes import contradicts, replaces, takes_back
from jotsam.pipeline.notes.words import terms

REPLACED = (
    ("pnpm, never npm", "use npm"),
    ("indent with spaces", "tabs now"),
    ("ask before each deploy", "don't ask before deploys any more"),
    ("No emojis in commit messages, please.", "forget the thing about emojis"),
    ("never push to main", "Pushing to main is allowed again."),
    ("Labels are printed on the Zebra.", "from now on labels are printed on the Brother"),
    ("always squash before merging", "We merge with merge commits, don't squash any more."),
    ("Lines have at most 80 characters.", "lines may have up to 100 characters from now on"),
    ("answer me in German", "please answer in English from now on"),
    ("keep answers short", "I prefer long answers with the reasoning"),
    ("We take Stripe for payments, not Adyen.", "we take Adyen for payments, not Stripe"),
    ("don't use default exports", "default exports are fine from now on, use them"),
    ("Always ask me before you install packages.", "you don't have to ask before installing packages any more"),
    ("single quotes in all strings", "we went over to double quotes"),
    ("Please write docstrings for every function.", "no docstrings any more"),
    ("Only deploy in the evening.", "you may deploy during the day again"),
    ("wir nutzen Yarn, nicht npm", "wir nutzen npm, nicht Yarn"),
    ("Retry failed requests 3 times.", "retry failed requests 5 times, always"),
    ("name branches with snake_case", "branch names in kebab-case please, always"),
    ("never merge without a review", "small changes may be merged without a review from now on"),
    (
        "put feature flags in config.yaml, not in the database",
        "feature flags live in the database now, not in config.yaml",
    ),
    ("no CSS frameworks", "we use a CSS framework after all"),
    ("Build with make, never with ninja.", "build with ninja from now on, make is dead"),
    ("always start the container before the tests", "no need to start the container before tests any more"),
    ("please use British spelling", "american spelling from now on please"),
    ("keep functions under 20 lines", "functions can have up to 40 lines, keep them under 40 lines"),
    ("No inline styles.", "scrap that rule about inline styles"),
    ("we use Zebra, not Dymo", "we use Dymo, not Zebra"),
    ("run the full tests of the ui each time", "stop running it, unit tests of the ui only"),
)
REPEATED = (
    ("we use pytest, not unittest", "again: pytest, never unittest"),
    ("never commit to main", "don't commit to main, ever"),
    ("always run the linter before you commit", "Run the linter before each commit."),
    ("comments in English only", "all comments have to be in English"),
    ("no new dependencies without asking", "ask before you add a new dependency"),
    ("prices are integers in cents, never floats", "I said prices are in cents, never floats!"),
    ("don't touch the generated files", "hands off the generated files"),
    ("tabs, not spaces", "as I said: tabs, no spaces"),
    ("always show me the plan first", "show me a plan before you start, always"),
    ("use ruff for linting", "linting is done with ruff, always"),
    ("use the logger, never console.log", "never console.log! use the logger"),
    ("don't rename database columns without asking me", "ask me before you rename a database column"),
    ("every endpoint needs a rate limit", "all endpoints must have a rate limit"),
    ("never edit old migrations", "I told you: old migrations are never edited"),
    ("keep the README in sync with the CLI", "the README must always be in sync with the CLI"),
)
BESIDE = (
    ("never commit .env files", "commit often and in small steps"),
    ("ask before each deploy", "never deploy on Fridays"),
    ("commit messages in English", "answer me in German"),
    ("use pnpm, never npm", "in the docs folder use npm"),
    ("always write tests for the parser", "never touch the tests of the billing module"),
    ("no print statements in library code", "use print in the scripts for progress"),
    ("always use metric units in the drawings", "never use units in the file names"),
    ("Tests run with vitest.", "E2E tests run with Playwright."),
    ("never use any in TypeScript", "use strict mode in TypeScript"),
    ("don't mock the database in tests", "always reset the database before tests"),
    ("no raw SQL in controllers", "write raw SQL for the reports, always"),
    ("don't use moment", "always use date-fns for time zones"),
    ("commit in small steps", "never commit generated files"),
    ("always ask before deleting data", "never delete data of customers"),
    ("errors are logged in English", "error messages for users are in Portuguese"),
)


def rule(text: str, at: int, scope: str = "project") -> FoundNote:
    return FoundNote(kind="rule", text=text, ref=at, at=at, scope=scope, names=terms(text), sure=0.9)


def how(earlier: str, later: str, *, was: str = "project", now: str = "project") -> str | None:
    """How a rule ends, by a later one or by what the same words take back."""
    said = Turn(ref=2, text=later, by_user=True, at=2)
    taken_back = (one for one in read_turn([said], 0) if one.kind == "done")
    found = [ends(rule(earlier, 1, was), one) for one in (rule(later, 2, now), *taken_back)]
    ways = {one.how for one in found if one}
    return "replaced" if "replaced" in ways else next(iter(ways), None)


def test_a_rule_that_says_otherwise_of_the_same_replaces_the_earlier_one() -> None:
    assert [pair for pair in REPLACED if how(*pair) != "replaced"] == []


def test_a_rule_that_says_the_same_repeats_the_earlier_one() -> None:
    assert [pair for pair in REPEATED if how(*pair) != "repeated"] == []


def test_a_rule_of_something_else_or_for_a_case_holds_beside_the_earlier_one() -> None:
    assert [pair for pair in BESIDE if how(*pair) is not None] == []


def test_a_rule_that_names_two_values_wants_neither_alone() -> None:
    both = "use tabs or spaces for indentation"
    assert [replaces(f"use {one} for indentation", both) for one in ("tabs", "spaces")] == [False, False]


def test_the_least_and_the_most_of_one_thing_hold_beside_each_other() -> None:
    least, most = "at least two retries", "at most five retries"
    assert [replaces(least, most), replaces(most, least), replaces("five retries", "two retries")] == [
        False,
        False,
        True,
    ]


def test_rules_of_other_subjects_replace_nothing() -> None:
    pairs = [*REPLACED, *REPEATED, *BESIDE]
    texts = {text for pair in pairs[::2] for text in pair}
    wrong = [(one, other) for one in texts for other in texts if one != other and replaces(other, one)]
    known = {frozenset(pair) for pair in pairs}
    assert [pair for pair in wrong if frozenset(pair) not in known and not all("npm" in text for text in pair)] == []


def test_a_rule_of_a_project_and_one_of_the_person_end_each_other_nowhere_else() -> None:
    pair = ("we use Zebra, not Dymo", "we use Dymo, not Zebra")
    assert how(*pair, was="person") is None
    assert how(*pair, now="person") is None
    again = ends(rule("never commit to main", 1), rule("don't commit to main", 2, "person"))
    assert again is not None
    assert (again.how, again.is_earlier) == ("repeated", True), "the person's holds elsewhere too"
    assert how("never use emojis", "forget the rule about emojis", was="person") == "replaced"


def test_what_is_not_about_rules_takes_nothing_back() -> None:
    texts = ("Done, the tests pass again.", "forget it", "the build works again now")
    assert [text for text in texts if takes_back(text)] == []


def test_the_time_is_linear_in_the_length_of_rules() -> None:
    units = ("never without ", "no need to ", "rules about ", "you can ", " in", "stop a ", "a is ", "1 x ", "don't ")

    number = count()

    def seconds(unit: str, length: int) -> float:
        text = (unit * length)[:length]
        other = f"{text} {next(number)}"  # What was read is kept.
        began = time.process_time()
        replaces(other, f"{other}.")
        contradicts(f"{other}!", other)
        return time.process_time() - began

    def is_slow(unit: str) -> bool:
        return seconds(unit, 2_000) > 7 * seconds(unit, 500) + 0.02

    assert [unit for unit in units if all(is_slow(unit) for _ in range(3))] == []

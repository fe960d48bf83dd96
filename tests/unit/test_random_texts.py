"""No short text, however strange, makes a rule fail."""

from __future__ import annotations

import random
import traceback
from collections.abc import Callable

import pytest
from test_hostile_texts import DATES, MARKDOWN, NAMES, SENTENCES, WEDNESDAY, WORDS, Capitalised

from jotsam.pipeline.extraction.chunk import chunk
from jotsam.pipeline.extraction.estimate_importance import estimate_importance
from jotsam.pipeline.extraction.extract import extract
from jotsam.pipeline.lifecycle.agreement import key_of, problem_with, title_of
from jotsam.pipeline.lifecycle.session_commands import commands_in, instructions_in
from jotsam.pipeline.lifecycle.triage import asked_about, claims, judge
from jotsam.pipeline.likeness.pattern_detection import frequent_terms
from jotsam.pipeline.likeness.repetition import words_of_saying
from jotsam.pipeline.redaction.redact import redact
from jotsam.pipeline.statements.find_changes import find_changes
from jotsam.pipeline.statements.read import read_statements
from jotsam.pipeline.statements.search_words import keys_of_text
from jotsam.pipeline.text.blocks import split_blocks
from jotsam.pipeline.text.slugs import title_slugs
from jotsam.pipeline.text.words import index_terms

COMMON = (
    "```|``|the|the,|e|`e|,`|and|not |'s|n't|was |has |replaced |with |to |from |moved |instead of |"
    "no longer |every |all |my |our |I |we |it |she |i'd |let's |who |which |if |because |by |of |"
    "decided |prefers |likes |named |port |version |5|0|-1|1e9|99999999999999999999|ß|İ|ı|ﬁ|²|½|٣|א|月|日|"
    "年|用|了|是|的|改|へ|から|に|変更|。|、|「|」|password: |key=|Ⅷ"
)
PIECES = [*COMMON.split("|"), *MARKDOWN, *WORDS, *NAMES, *SENTENCES, *DATES]
PIECES += [*"`,.;:-_/|()[]{}<>'\"\\#*~=+&%$@!?\n\t "]
PIECES += ["\u0301", "\x00", "\u200b", "\ufeff", "\U000e0041", "\U0001f600"]


def _extract(text: str) -> object:
    found = extract(text, said_at=WEDNESDAY, actor="Ana", tagger=Capitalised())
    assert found.failed_rules == (), found.failed_rules
    return found


def _session(text: str) -> object:
    return [*commands_in(text)], [*instructions_in(text)]


def _crystal(text: str) -> object:
    return problem_with(text, is_quote=False, sources=2), title_of(text), key_of(text), words_of_saying(text)


def _words(text: str) -> object:
    titles = title_slugs(text, text, text)
    return titles, keys_of_text(text, actor=text), index_terms(text), estimate_importance(text), frequent_terms(text)


def _triage(text: str) -> object:
    return judge(text, actor="Ana"), claims(text, actor="Ana"), asked_about(text, actor="Ana")


READERS: tuple[Callable[[str], object], ...] = (
    _extract,
    find_changes,
    read_statements,
    lambda text: chunk(text, limit=4),
    split_blocks,
    redact,
    _session,
    _crystal,
    _words,
    _triage,
)


def failures(texts: int, *, seed: int) -> list[str]:
    """One line for each place where a rule failed, with the first text."""
    generator = random.Random(seed)
    found: dict[str, str] = {}
    for _ in range(texts):
        text = "".join(generator.choices(PIECES, k=generator.randint(1, 9)))
        for read in READERS:
            try:
                read(text)
            except Exception as error:
                place = traceback.extract_tb(error.__traceback__)[-1]
                found.setdefault(f"{place.filename}:{place.lineno} {error!r}", text)
    return [f"{place}: {text!r}" for place, text in found.items()]


def test_no_short_random_text_makes_a_rule_fail() -> None:
    assert failures(1_000, seed=1) == []


@pytest.mark.long
@pytest.mark.timeout(1_800)
def test_none_of_200_000_short_random_texts_makes_a_rule_fail() -> None:
    assert failures(200_000, seed=2) == []

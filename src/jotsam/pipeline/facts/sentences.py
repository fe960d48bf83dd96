"""Sentences with a verb that is known: "we chose PostgreSQL", "the importer depends on Redis and Kafka".

It must not know what a subject or an object looks like, and must not read tables and lists.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from jotsam.core.records import Fact
from jotsam.pipeline.facts.annotated_text import Page, is_statement, validity
from jotsam.pipeline.facts.objects import POINTING, objects, title
from jotsam.pipeline.facts.predicates import FUNCTIONAL
from jotsam.pipeline.facts.replacements import REPLACES, puts_something
from jotsam.pipeline.facts.subjects import WE, Subject, speaker, subjects
from jotsam.pipeline.facts.verb_table import BY_FIRST_WORD, NAMED, PHRASE, STATE, Verb
from jotsam.pipeline.text.tokens import Span

SURE, LESS_SURE = 0.8, 0.6
"""How sure a fact is whose subject is a name, or only described."""

_PLACES = frozenset(("born_in", "lives_in", "located_in", "moved_to", "from", "works_at"))
"""What follows a comma there is where the first lies: "Mysen, Norway"."""

_OF_ONE = frozenset(("created", "started", "finished"))
"""What "we" do in a manual is an example: "we've just created a task"."""

_PARTS = re.compile(r"[\s.'’-]+")
_KNOWN_TO_ALL = frozenset(("owns", "plays", "responsible_for", "works_on"))
"""Of these "the" tells enough: "plays the violin"."""


def sentences(page: Page) -> Iterator[Fact]:
    prose = page.prose
    for at, word in enumerate(prose.lower):
        for verb in BY_FIRST_WORD.get(word, ()):
            end = at + len(verb.words)
            if prose.lower[at:end] != verb.words or any(gap != " " for gap in prose.gaps[at + 1 : end]):
                continue
            if (
                any(prose.titled[at:end])
                or any(prose.ticked[at:end])
                or not (verb.is_whole or prose.words[at].islower())
            ):
                break
            facts = tuple(_around(page, verb, (at, end)))
            yield from facts
            if facts or verb.takes != NAMED:
                break


def _around(page: Page, verb: Verb, span: Span) -> Iterator[Fact]:
    start, end = span
    found = speaker(page, start) if verb.is_whole else subjects(page, start, is_plural=verb.is_plural)
    if not found or not is_statement(page, start):
        return
    if not all(_may(page, verb, subject, is_alone=len(found) == 1) for subject in found):
        return
    if verb.takes == STATE:
        told: tuple[str, ...] = (" ".join(verb.words[1:]),) if _is_last(page, end) else ()
    elif _points(page, verb, end) or (verb.predicate == REPLACES and puts_something(page, end, found)):
        return
    else:
        told = tuple(title(page, end) if verb.is_people else ()) or tuple(objects(page, end, takes=verb.takes))
        if verb.predicate == "provides" and "with" in page.prose.lower[end : end + 4]:
            told = ()
        if verb.predicate in _PLACES:
            told = told[:1]
        if verb.words[-1] == "the":
            told = tuple(each for each in told if " " in each)
    for subject in found:
        for object in told:
            if object.lower().split()[-1] != subject.name.lower().split()[-1]:
                yield _fact(page, verb, subject, object, span)


def _may(page: Page, verb: Verb, subject: Subject, *, is_alone: bool) -> bool:
    """Whether this verb may be said of this subject: people's verbs of people, and "use" only of several.

    "SQLite store holds" has no verb there. What ends earlier facts is only said of what has a name of its own.
    """
    if subject.is_somebody:
        return page.actor is not None or subject.name != WE or verb.predicate not in _OF_ONE
    if verb.is_plural and is_alone and not subject.name.endswith("s"):
        return False
    if verb.is_turned and not subject.is_named and not subject.name[0].isupper():
        return False
    if verb.is_people:
        return subject.is_named and subject.name[0].isupper() and all(map(str.isalpha, _PARTS.split(subject.name)))
    is_own = subject.is_named and not (subject.name.isalpha() and subject.name.islower())
    return is_own or verb.predicate not in FUNCTIONAL


def _points(page: Page, verb: Verb, at: int) -> bool:
    """ "I love your idea", "we went to the place": known only to those who talk."""
    is_personal = verb.is_people or verb.predicate in ("decided", "rejected")
    words = page.prose.lower[at : at + 1]
    return verb.takes == PHRASE and is_personal and verb.predicate not in _KNOWN_TO_ALL and set(words) <= POINTING


def _is_last(page: Page, end: int) -> bool:
    """Whether the clause ends here: "is required to" says something else."""
    return end >= len(page.prose.words) or page.prose.gaps[end] != " "


def _fact(page: Page, verb: Verb, subject: Subject, object: str, span: Span) -> Fact:
    since, until = validity(page, span)
    predicate = verb.predicate
    if predicate == "uses_no_more":
        predicate, since, until = "uses", None, page.said_at
    name = page.actor if page.actor and subject.name == WE and verb.is_people else subject.name
    told = (object, name) if verb.is_turned else (name, object)
    return Fact(
        subject=told[0],
        predicate=predicate,
        object=told[1],
        confidence=SURE if subject.is_named else LESS_SURE,
        valid_from=since,
        valid_until=until,
    )

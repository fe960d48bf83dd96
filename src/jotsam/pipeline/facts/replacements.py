"""What took the place of what: "we replaced MySQL with PostgreSQL", "we moved from Jenkins to GitHub Actions".

Two names belong to one verb there, and which is which hangs on the small words between them. It must not read what has
but one object.
"""

from __future__ import annotations

from collections.abc import Iterator

from jotsam.core.records import Fact
from jotsam.pipeline.entities.name_spans import GIVEN
from jotsam.pipeline.facts.annotated_text import Page, is_statement, said, validity
from jotsam.pipeline.facts.objects import name_at
from jotsam.pipeline.facts.subjects import Subject, subjects
from jotsam.pipeline.text.slugs import slug
from jotsam.pipeline.text.tokens import Span

REPLACES = "replaces"
SURE = 0.8
_REPLACING = frozenset(("replaced", "superseded"))
_GOING = frozenset(("moved", "migrated", "switched", "ported"))


def changes(page: Page) -> Iterator[Fact]:
    prose = page.prose
    for at, word in enumerate(prose.words):
        if word in _REPLACING and not (prose.titled[at] or prose.ticked[at]):
            found = _pair(page, at + 1, ("with", "by"))
            if found and _says(page, at):
                yield _fact(page, at, said(page, found[0]), "replaced_by", found[1])
        elif word in _GOING and prose.lower[at + 1 : at + 2] == ("from",) and prose.gaps[at + 1] == " ":
            found = _pair(page, at + 2, ("to",))
            if found:
                for subject in _says(page, at):
                    yield _fact(page, at, subject.name, _went(word, subject), found[1])


def puts_something(page: Page, start: int, found: tuple[Subject, ...]) -> bool:
    """Whether a subject does not take the place of what stands here itself, but puts something else there."""
    is_pair = _pair(page, start, ("with", "by")) is not None
    return is_pair or any(subject.is_somebody for subject in found)


def _pair(page: Page, start: int, joints: tuple[str, ...]) -> tuple[Span, Span] | None:
    """Two names with a small word between them."""
    one = name_at(page, start)
    if one is None or page.prose.lower[one[1] : one[1] + 1] not in {(joint,) for joint in joints}:
        return None
    other = name_at(page, one[1] + 1) if page.prose.gaps[one[1]] == " " else None
    return None if other is None else (one, other)


def _says(page: Page, verb: int) -> tuple[Subject, ...]:
    return subjects(page, verb, is_plural=True) if is_statement(page, verb) else ()


def _went(word: str, subject: Subject) -> str:
    """People move house, and what they build moves too."""
    is_person = subject.is_somebody and subject.name != "we"
    return "moved_to" if word == "moved" and (is_person or slug(subject.name.split()[0]) in GIVEN) else "migrated_to"


def _fact(page: Page, verb: int, subject: str, predicate: str, object: Span) -> Fact:
    since, until = validity(page, (verb, object[1]))
    told = said(page, object)
    return Fact(subject=subject, predicate=predicate, object=told, confidence=SURE, valid_from=since, valid_until=until)

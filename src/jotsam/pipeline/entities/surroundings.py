"""What the words, marks and addresses around a proposed name show about it."""

from __future__ import annotations

from collections.abc import Iterator

from jotsam.core.patterns import lazy_pattern
from jotsam.pipeline.entities import gazetteer
from jotsam.pipeline.entities.candidates import Marked, Proposal
from jotsam.pipeline.entities.contexts import AFTER_A_TOOL, BEFORE_A_TOOL, USE_VERBS
from jotsam.pipeline.entities.known_names import COMMON, GIVEN, ORGANIZATION, PLACE, TOOL, WORDS, known
from jotsam.pipeline.entities.name_spans import word_after, word_before
from jotsam.pipeline.text.slugs import slug
from jotsam.pipeline.text.tokens import CLAUSE, POSSESSIVE, SENTENCE, Span

_PATRONYMIC = lazy_pattern(r"(?:Mc|Mac|O['’])[A-Z]")
_VERSION = lazy_pattern(r"v?\d+(?:\.\d+)+|v\d+")
_BEFORE_A_TOOL = BEFORE_A_TOOL | gazetteer.word_set(
    """
    bump bumped drop dropped replace replaced replaces replacing upgrade upgraded run runs running ran into on through
    tried try evaluate evaluated prefer prefers preferred written package library module plugin framework tool between
    """
)
_IN_A_TOOL = gazetteer.word_set("in into inside under to from for of by against and or as")
_AFTER_A_USE = gazetteer.word_set("and or with for to instead because in on") | {""}
_UI_VERBS = gazetteer.word_set("choose select click press pick open tap hit see check")
_AFTER_A_TOOL = AFTER_A_TOOL | gazetteer.word_set(
    """
    project projects cluster server client api apis cli extension integration tests users user instance container image
    config configuration documentation docs release releases version versions database support community export
    """
)
_HUMAN_VERBS = gazetteer.word_set(
    """
    says said thinks thought wants wanted asks asked told tells suggested suggests prefers preferred agreed agrees
    presented presents wrote writes reviewed reviews reported reports fixed found noticed mentioned recommended
    recommends explained promised wondered joined joins left met knows knew likes loves hates hired proposed
    volunteered complained called emailed pinged takes took owns split moved booked organises organised will shared
    """
)
_BEFORE_A_PERSON = gazetteer.word_set(
    """
    ask asked tell told wife husband sister brother friend colleague boss met meet thank thanks hi hello hey dear ping
    hired
    """
)
_BEFORE_A_PLACE = gazetteer.word_set("in to from near at visit visited around via outside across")
_BEFORE_AN_ORGANIZATION = gazetteer.word_set("at joined by customer client company supplier vendor bank acquired")
_GREETINGS = gazetteer.word_set(
    """
    hey hi hello dear thanks thank you yo wow yeah yes yep no sure cheers great nice awesome cool ok okay congrats bye
    morning
    """
)


def surroundings(marked: Marked, span: Span) -> Iterator[Proposal]:
    """What the words, marks and addresses around a span show."""
    prose, (start, end) = marked.prose, span
    before, after = word_before(prose, start), word_after(prose, end)
    found = known(prose.words[start])
    tools = sum(_tool_evidence(marked, span, found))
    stop = prose.offsets[end - 1] + len(prose.words[end - 1])
    is_reference = marked.text[max(0, prose.offsets[start] - 2) : prose.offsets[start]] == "]["
    is_account = (
        marked.text[max(0, prose.offsets[start] - 1) : prose.offsets[start]] in ("@", "#") and prose.offsets[start]
    )
    if is_account and slug(prose.words[start]) not in marked.addresses:
        yield Proposal(span=span, weight=-2.0)
    if is_reference or marked.text[stop : stop + 2] == "]:":
        yield Proposal(span=span, weight=-2.0)
    if tools:
        yield Proposal(span=span, weight=tools, category="tools")
    if start and before in _UI_VERBS and marked.opens[start - 1] and found & COMMON:
        yield Proposal(span=span, weight=-1.5)
    is_cut = after == "of" and any(word[0].isupper() for word in prose.words[end + 1 : end + 3]) and found & COMMON
    is_owner = end < len(prose.words) and prose.gaps[end] == POSSESSIVE and prose.words[end][0].isupper()
    if (is_cut or (is_owner and found & WORDS)) and end == start + 1:
        yield Proposal(span=span, weight=-1.0)
    if prose.words[start][0].isupper() and _is_addressed(marked, span):
        yield Proposal(span=span, weight=0.5 if not found & WORDS else 0.2, category="people", vote=0.3)
    if prose.words[start][0].isupper():
        is_by = before == "by" and word_before(prose, start - 1).endswith(("ed", "ten", "wn"))
        if after in _HUMAN_VERBS or before in _BEFORE_A_PERSON or is_by:
            is_doubtful = found & WORDS and not found & GIVEN
            yield Proposal(span=span, weight=0.3 if is_doubtful else 0.6, category="people")
        if _PATRONYMIC.match(prose.words[start]):
            yield Proposal(span=span, weight=0.0, category="people", vote=0.7)
        if before in _BEFORE_A_PLACE and found & PLACE:
            yield Proposal(span=span, weight=0.3, category="concepts")
        if before in _BEFORE_AN_ORGANIZATION and found & ORGANIZATION:
            yield Proposal(span=span, weight=0.3, category="organizations")


def _is_addressed(marked: Marked, span: Span) -> bool:
    """Whether it addresses a person: "Hey Nate", "Thanks, Nate!", "Great idea, Nate."."""
    prose, (start, end) = marked.prose, span
    ends = end == len(prose.words) or prose.gaps[end] in (SENTENCE, ",")
    if not start or not ends or end > start + 2 or prose.gaps[start] not in (" ", ","):
        return False
    is_greeting = prose.lower[start - 1] in _GREETINGS and prose.gaps[start - 1] in (SENTENCE, ",", CLAUSE)
    is_last = prose.gaps[start] == "," and bool(known(prose.words[start]) & GIVEN)
    return is_greeting or (is_last and (end == len(prose.words) or prose.gaps[end] == SENTENCE))


def _tool_evidence(marked: Marked, span: Span, found: int) -> Iterator[float]:
    prose, (start, end) = marked.prose, span
    before, after = word_before(prose, start), word_after(prose, end)
    if before in _BEFORE_A_TOOL:
        yield 0.35
    elif before in _IN_A_TOOL and found & TOOL and not found & WORDS:
        yield 0.25
    if found & TOOL and found & WORDS and before in USE_VERBS and after in _AFTER_A_USE:
        yield 0.45
    if after in _AFTER_A_TOOL:
        yield 0.3
    at = end + (after in ("to", "from"))
    if at < len(prose.words) and prose.gaps[at] == " " and _VERSION.fullmatch(prose.words[at]):
        yield 0.6
    if after == "with" and before.startswith("replac"):
        yield 0.4
    if before == "with" and any(word.startswith("replac") for word in prose.lower[max(0, start - 4) : start]):
        yield 0.4
    if end == start + 1:
        if marked.lone[start]:
            yield 0.35
        if slug(prose.words[start]) in marked.addresses:
            yield 0.5

"""Rules for people: a title, a common given name, a verb of meeting, or a verb of opinion.

A capital letter alone is not evidence of a person: companies, months and headings have one too.
"""

from __future__ import annotations

from collections.abc import Iterator

from jotsam.pipeline.entities import gazetteer
from jotsam.pipeline.entities.name_spans import (
    GIVEN_NAMES,
    TITLES,
    end_of_name,
    gap_before,
    is_ambiguous_given_name,
    is_han_name,
    is_name,
    word_after,
    word_before,
)
from jotsam.pipeline.text.slugs import slug
from jotsam.pipeline.text.tokens import POSSESSIVE, SENTENCE, Prose, Span

_MEETING_VERBS = frozenset(
    gazetteer.comma_separated(
        """
        met, meet, meeting, spoke, speak, speaking, talked, talk, talking, chatted, chat, call, discussed,
        interviewed, paired, pairing, lunch, worked, working, synced, emailed, asked
        """
    )
)
_DIRECT_VERBS = frozenset(("interviewed", "emailed", "asked"))
_OPINION_VERBS = frozenset(
    gazetteer.comma_separated(
        """
        said, says, prefers, preferred, thinks, thought, asked, suggested, suggests, told, believes, mentioned,
        recommended, recommends, agreed, argued, complained, likes, hates, loves
        """
    )
)


def find_people(prose: Prose, taken: set[int]) -> Iterator[tuple[str, Span]]:
    """Category and span of each person. Words in `taken` already belong to another entity."""
    for at in range(len(prose.words)):
        if prose.words[at].islower() or prose.in_heading[at] or prose.in_backticks[at] or at in taken:
            continue
        for find in (_person_met, _person_with_title, _person_by_given_name, _person_with_opinion):
            span = find(prose, at)
            if span is not None:
                yield "people", span
                break


def _person_met(prose: Prose, at: int) -> Span | None:
    """Matches "met with X", "spoke to X", "interviewed X" for any capitalised X that is not known as something else."""
    if prose.gaps[at] != " " or at == 0:
        return None
    before, verb = prose.lower[at - 1], word_before(prose, at - 1)
    is_met = before in ("with", "to") and verb in _MEETING_VERBS and verb not in _DIRECT_VERBS
    if not is_met and before not in _DIRECT_VERBS:
        return None
    if is_met and is_han_name(prose.words[at]):
        return at, at + 1
    end = end_of_name(prose, at)
    return (at, end) if end > at else None


def _person_with_title(prose: Prose, at: int) -> Span | None:
    """Matches "Dr. Jane O'Neill". The title is not part of the name."""
    is_title = at > 0 and prose.lower[at - 1] in TITLES and prose.words[at - 1][0].isupper()
    end = end_of_name(prose, at) if is_title and prose.gaps[at] in (" ", SENTENCE) else at
    return (at, end) if end > at else None


def _person_by_given_name(prose: Prose, at: int) -> Span | None:
    given = slug(prose.words[at])
    if given not in GIVEN_NAMES or not is_name(prose.words[at]):
        return None
    end = max(at + 1, end_of_name(prose, at))
    is_opening = prose.gaps[at] not in (" ", ",", "/")
    if is_ambiguous_given_name(prose.words[at]) or given in gazetteer.NOT_NAMES:
        has_opinion = word_after(prose, end) in _OPINION_VERBS
        is_trusted = has_opinion or (not is_opening and (end > at + 1 or word_before(prose, at) in ("because", "with")))
        return (at, end) if is_trusted and (end > at + 1 or given not in gazetteer.NOT_NAMES) else None
    follows = word_after(prose, end)
    is_phrase = end == at + 1 and end < len(prose.words) and prose.gaps[end] == " " and prose.words[end][0].isupper()
    is_subject = (
        end > at + 1 or gap_before(prose, end) in (POSSESSIVE, ",") or (follows.isalpha() and follows.islower())
    )
    return (at, end) if not is_phrase and (is_subject or not is_opening) else None


def _person_with_opinion(prose: Prose, at: int) -> Span | None:
    """Matches "because Marvin prefers it": a capitalised word before a verb of opinion inside a sentence."""
    end = end_of_name(prose, at) if prose.gaps[at] == " " else at
    before = word_before(prose, at)
    has_opinion = end > at and word_after(prose, end) in _OPINION_VERBS
    is_free = before in ("because", "that", "since", "but", "when", "as", "and", "so", "what")
    return (at, end) if has_opinion and is_free else None

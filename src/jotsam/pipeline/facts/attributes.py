"""What belongs to somebody or something: "my dog Max", "my favorite book is Dune", "the port of Flask is 5000".

It must not know verbs other than "is".
"""

from __future__ import annotations

from collections.abc import Iterator

from jotsam.core.records import Fact
from jotsam.pipeline.entities import gazetteer
from jotsam.pipeline.facts.annotated_text import Page, is_named, is_statement, opens, said, validity
from jotsam.pipeline.facts.objects import clause, value
from jotsam.pipeline.facts.sentences import SURE
from jotsam.pipeline.text.tokens import POSSESSIVE, Span

_RELATIVES = gazetteer.words(
    """
    wife husband son daughter brother sister mom mother dad father grandma grandpa grandmother grandfather friend dog
    cat puppy kitten boss manager colleague coworker partner girlfriend boyfriend fiance fiancee aunt uncle cousin niece
    nephew mentor roommate teammate teacher coach pet turtle horse neighbor neighbour
    """
)
_OF_KIN = gazetteer.words(
    "best old close little younger older big youngest oldest eldest late first good dear new former"
)
_TRAITS = {
    "owner": "owner",
    "maintainer": "maintainer",
    "lead": "lead",
    "port": "port",
    "version": "version",
    "birthday": "birthday",
    "license": "license",
    "licence": "license",
    "deadline": "deadline",
    "language": "language",
    "capital": "capital",
    "budget": "budget",
    "address": "address",
    "timezone": "timezone",
    "hometown": "hometown",
    "job": "job",
    "profession": "job",
    "hobby": "hobby",
    "limit": "limit",
    "timeout": "timeout",
    "branch": "branch",
}
"""Words for what a thing or a person has one of, and the predicate that they become."""

_TURNED = {"owner": "owns", "maintainer": "responsible_for", "lead": "responsible_for"}
"""Who owns a thing is a fact about who owns it."""

_NUMBERED = frozenset(("version", "deadline", "port", "dimensions", "limit", "timeout", "budget"))
"""A value without a digit is none: "the version is new". Some of these end earlier ones, so they must be right."""

_HAVING = {"i": ("i", "have"), "i've": ("i've", "got")}
_COUNTED = gazetteer.words("a an one two three four five six seven eight nine ten twin")
_HELD = gazetteer.words(
    """
    dog dogs cat cats turtle turtles pet pets puppy kid kids child children son sons daughter daughters brother brothers
    sister sisters nephew niece car bike motorcycle house apartment studio store shop business blog guitar piano violin
    garden tattoo tattoos degree job allergy collection podcast channel
    """
)
_BEHIND = gazetteer.words("and but who named called at in with from now too")
_POINTING = gazetteer.words("this that his her its their default same only new old current my i")
_AIMS = frozenset(("goal", "dream"))
_FAVORITE = frozenset(("favorite", "favourite", "fave"))


def traits(page: Page) -> Iterator[Fact]:
    prose = page.prose
    for at, word in enumerate(prose.lower):
        if word == "my":
            found = _mine(page, at)
        elif word in _HAVING:
            found = _having(page, at)
        elif word in _TRAITS:
            found = _trait(page, at)
        else:
            continue
        if found is not None and not prose.titled[at] and is_statement(page, at):
            yield found


def trait(subject: str, name: str, told: str, *, confidence: float = SURE) -> Fact:
    """A subject's trait as a fact; its owner owns it."""
    if name in _TURNED:
        return Fact(subject=told, predicate=_TURNED[name], object=subject, confidence=confidence)
    return Fact(subject=subject, predicate=name, object=told, confidence=confidence)


def may_be(name: str, told: str) -> bool:
    """Whether a value can be that of a trait."""
    return name not in _NUMBERED or any(map(str.isdigit, told))


def _mine(page: Page, at: int) -> Fact | None:
    """ "my dog Max", "my sister's name is Eva", "my favorite book is Dune"."""
    prose = page.prose
    if page.actor is None:
        return None
    if prose.lower[at + 2 : at + 4] == ("is", "to") and prose.lower[at + 1] in _AIMS and opens(page, at):
        told = next(clause(page, at + 4), None) if len(prose.words) > at + 4 else None
        return Fact(subject=page.actor, predicate="goal", object=told, confidence=SURE) if told else None
    if prose.lower[at + 1 : at + 2] and prose.lower[at + 1] in _FAVORITE and opens(page, at):
        return _favorite(page, at + 2)
    noun = at + 1 + (prose.lower[at + 1 : at + 2] != () and prose.lower[at + 1] in _OF_KIN)
    if noun >= len(prose.words) or prose.lower[noun] not in _RELATIVES or prose.gaps[noun] != " ":
        return None
    name = noun + 1
    for words in (("name", "is"), ("is", "named"), ("is", "called"), ("named",), ("called",)):
        if prose.lower[name : name + len(words)] == words:
            name += len(words)
            break
    if name >= len(prose.words) or prose.gaps[name] not in (" ", ",") or not _is_somebody(page, name):
        return None
    if name == noun + 1 and prose.gaps[name] == "," and prose.gaps[name + 1 : name + 2] not in ((",",), (".",)):
        return None
    relative = said(page, (at + 1, noun + 1)).removesuffix("'s").removesuffix("’s")
    return Fact(
        subject=said(page, (name, name + 1)), predicate="is", object=f"{page.actor}'s {relative}", confidence=SURE
    )


def _having(page: Page, at: int) -> Fact | None:
    """ "I have two kids", "I've got a studio": somebody has what one has for long."""
    prose = page.prose
    start = at + len(_HAVING[prose.lower[at]])
    if page.actor is None or not opens(page, at) or prose.lower[at:start] != _HAVING[prose.lower[at]]:
        return None
    end = start
    while end < len(prose.words) and end - start < 4 and prose.gaps[end] == " " and prose.lower[end] not in _HELD:
        end += 1
    is_counted = prose.lower[start : start + 1] != () and prose.lower[start] in _COUNTED
    if not is_counted or end >= len(prose.words) or prose.lower[end] not in _HELD or prose.gaps[end] != " ":
        return None
    if end + 1 < len(prose.words) and prose.gaps[end + 1] == " " and prose.lower[end + 1] not in _BEHIND:
        return None
    begin = start + (prose.lower[start] in ("a", "an"))
    return Fact(subject=page.actor, predicate="has", object=said(page, (begin, end + 1)), confidence=SURE)


def _is_somebody(page: Page, at: int) -> bool:
    word = page.prose.words[at]
    return word[0].isupper() and word[1:].islower() and is_named(page, at)


def _favorite(page: Page, start: int) -> Fact | None:
    """ "my favorite book is Dune": somebody likes Dune."""
    prose = page.prose
    for verb in range(start + 1, min(start + 5, len(prose.words))):
        if prose.gaps[verb] != " ":
            return None
        if prose.lower[verb] in ("is", "are"):
            told = value(page, verb + 1) if prose.gaps[verb + 1 : verb + 2] == (" ",) else None
            if told is None or prose.lower[verb + 1] in ("when", "how", "definitely", "by", "probably"):
                return None
            assert page.actor is not None
            return Fact(subject=page.actor, predicate="prefers", object=told[0], confidence=SURE)
    return None


def _trait(page: Page, at: int) -> Fact | None:
    prose, name = page.prose, _TRAITS[page.prose.lower[at]]
    subject, verb = _of(page, at) if prose.lower[at + 1 : at + 2] == ("of",) else (_before(page, at), at + 1)
    is_joined = prose.gaps[verb : verb + 2] == (" ", " ") and prose.gaps[at] in (" ", POSSESSIVE)
    if subject is None or not is_joined or prose.lower[verb] != "is":
        return None
    told = value(page, verb + 1)
    if told is None or not may_be(name, told[0]):
        return None
    if name in _TURNED and not is_named(page, told[1][0]):
        return None
    since, until = validity(page, (at, verb + 1))
    fact = trait(subject, name, told[0])
    return fact if name in ("deadline", "birthday") else fact.replace(valid_from=since, valid_until=until)


def _of(page: Page, at: int) -> tuple[str | None, int]:
    """The name in "the port of NAME is", and where "is" stands."""
    start = at + 2 + (page.prose.lower[at + 2 : at + 3] in (("the",), ("our",)))
    end = start
    while end < len(page.prose.words) and end - start < 3 and page.prose.lower[end] != "is":
        if end > start and page.prose.gaps[end] != " ":
            return None, at
        end += 1
    is_whole = end > start and at > 0 and page.prose.lower[at - 1] == "the" and opens(page, at - 1)
    return (said(page, (start, end)) if is_whole and _is_plain(page, (start, end)) else None), end


def _before(page: Page, at: int) -> str | None:
    """The name in "NAME's port is" and "the staging port is"."""
    prose, start = page.prose, at
    if prose.gaps[at] == POSSESSIVE or (at > 0 and prose.gaps[at] == " " and is_named(page, at - 1)):
        while start > 0 and at - start < 3 and (start == at or prose.gaps[start] == " ") and _is_part(page, start - 1):
            start -= 1
    elif at > 1 and prose.lower[at - 2] in ("the", "our") and prose.gaps[at - 1] == prose.gaps[at] == " ":
        start = at - 1
    has_determiner = start > 0 and prose.gaps[start] == " " and prose.lower[start - 1] in ("the", "our")
    if start == at or not opens(page, start - has_determiner) or not _is_plain(page, (start, at)):
        return None
    return said(page, (start, at)).removesuffix("'s").removesuffix("’s")


def _is_part(page: Page, at: int) -> bool:
    return is_named(page, at) or (page.prose.words[at][0].isupper() and opens(page, at))


def _is_plain(page: Page, span: Span) -> bool:
    """Nothing in it points at something else, and it is no number."""
    return not set(page.prose.lower[span[0] : span[1]]) & _POINTING and not page.prose.words[span[0]].isdigit()

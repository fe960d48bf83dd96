"""Facts about attributes: "my dog Max", "my favorite book is Dune", "the port of Flask is 5000"."""

from __future__ import annotations

from collections.abc import Iterator

from jotsam.core.records import Fact
from jotsam.pipeline.entities import gazetteer
from jotsam.pipeline.facts.annotated_text import AnnotatedText, is_named, is_statement, opens, source_text, validity
from jotsam.pipeline.facts.objects import clause, short_value
from jotsam.pipeline.facts.sentences import NAMED_CONFIDENCE
from jotsam.pipeline.text.tokens import POSSESSIVE, Span

RELATIVES = gazetteer.word_set(
    """
    wife husband son daughter brother sister mom mother dad father grandma grandpa grandmother grandfather friend dog
    cat puppy kitten boss manager colleague coworker partner girlfriend boyfriend fiance fiancee aunt uncle cousin niece
    nephew mentor roommate teammate teacher coach pet turtle horse neighbor neighbour
    """
)
_RELATIVE_ADJECTIVES = gazetteer.word_set(
    "best old close little younger older big youngest oldest eldest late first good dear new former"
)
# Nouns for attributes with a single value, to their predicate.
_ATTRIBUTES = {
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
# Predicates with subject and object exchanged: "the owner of X is Y" becomes "Y owns X".
_INVERTED = {"owner": "owns", "maintainer": "responsible_for", "lead": "responsible_for"}
# The value needs a digit: "the version is new" is not a fact, and a wrong one would end earlier facts.
_NUMERIC = frozenset(("version", "deadline", "port", "dimensions", "limit", "timeout", "budget"))
_HAVE = {"i": ("i", "have"), "i've": ("i've", "got")}
_COUNTED = gazetteer.word_set("a an one two three four five six seven eight nine ten twin")
_POSSESSIONS = gazetteer.word_set(
    """
    dog dogs cat cats turtle turtles pet pets puppy kid kids child children son sons daughter daughters brother brothers
    sister sisters nephew niece car bike motorcycle house apartment studio store shop business blog guitar piano violin
    garden tattoo tattoos degree job allergy collection podcast channel
    """
)
_WORDS_AFTER = gazetteer.word_set("and but who named called at in with from now too")
_VAGUE_WORDS = gazetteer.word_set("this that his her its their default same only new old current my i")
_GOALS = frozenset(("goal", "dream"))
_FAVORITE = frozenset(("favorite", "favourite", "fave"))


def attribute_facts(annotated: AnnotatedText) -> Iterator[Fact]:
    """The facts of attributes, relatives and possessions."""
    prose = annotated.prose
    for at, word in enumerate(prose.lower):
        if word == "my":
            found = _of_the_speaker(annotated, at)
        elif word in _HAVE:
            found = _possession(annotated, at)
        elif word in _ATTRIBUTES:
            found = _attribute(annotated, at)
        else:
            continue
        if found is not None and not prose.in_heading[at] and is_statement(annotated, at):
            yield found


def attribute_fact(subject: str, name: str, text: str, *, confidence: float = NAMED_CONFIDENCE) -> Fact:
    """The fact that `subject` has an attribute with the value `text`."""
    if name in _INVERTED:
        return Fact(subject=text, predicate=_INVERTED[name], object=subject, confidence=confidence)
    return Fact(subject=subject, predicate=name, object=text, confidence=confidence)


def is_plausible_value(name: str, text: str) -> bool:
    """Whether `text` can be the value of an attribute."""
    return name not in _NUMERIC or any(map(str.isdigit, text))


def _of_the_speaker(annotated: AnnotatedText, at: int) -> Fact | None:
    """Matches "my dog Max", "my sister's name is Eva", "my favorite book is Dune", "my goal is to ..."."""
    prose = annotated.prose
    if annotated.actor is None:
        return None
    if prose.lower[at + 2 : at + 4] == ("is", "to") and prose.lower[at + 1] in _GOALS and opens(annotated, at):
        text = next(clause(annotated, at + 4), None) if len(prose.words) > at + 4 else None
        return (
            Fact(subject=annotated.actor, predicate="goal", object=text, confidence=NAMED_CONFIDENCE) if text else None
        )
    if prose.lower[at + 1 : at + 2] and prose.lower[at + 1] in _FAVORITE and opens(annotated, at):
        return _favorite(annotated, at + 2)
    noun = at + 1 + (prose.lower[at + 1 : at + 2] != () and prose.lower[at + 1] in _RELATIVE_ADJECTIVES)
    if noun >= len(prose.words) or prose.lower[noun] not in RELATIVES or prose.gaps[noun] != " ":
        return None
    name = noun + 1
    for words in (("name", "is"), ("is", "named"), ("is", "called"), ("named",), ("called",)):
        if prose.lower[name : name + len(words)] == words:
            name += len(words)
            break
    if name >= len(prose.words) or prose.gaps[name] not in (" ", ",") or not _is_person_name(annotated, name):
        return None
    if name == noun + 1 and prose.gaps[name] == "," and prose.gaps[name + 1 : name + 2] not in ((",",), (".",)):
        return None
    relative = source_text(annotated, (at + 1, noun + 1)).removesuffix("'s").removesuffix("’s")
    return Fact(
        subject=source_text(annotated, (name, name + 1)),
        predicate="is",
        object=f"{annotated.actor}'s {relative}",
        confidence=NAMED_CONFIDENCE,
    )


def _possession(annotated: AnnotatedText, at: int) -> Fact | None:
    """Matches "I have two kids", "I've got a studio": possessions that last."""
    prose = annotated.prose
    start = at + len(_HAVE[prose.lower[at]])
    if annotated.actor is None or not opens(annotated, at) or prose.lower[at:start] != _HAVE[prose.lower[at]]:
        return None
    end = start
    while (
        end < len(prose.words) and end - start < 4 and prose.gaps[end] == " " and prose.lower[end] not in _POSSESSIONS
    ):
        end += 1
    is_counted = prose.lower[start : start + 1] != () and prose.lower[start] in _COUNTED
    if not is_counted or end >= len(prose.words) or prose.lower[end] not in _POSSESSIONS or prose.gaps[end] != " ":
        return None
    if end + 1 < len(prose.words) and prose.gaps[end + 1] == " " and prose.lower[end + 1] not in _WORDS_AFTER:
        return None
    begin = start + (prose.lower[start] in ("a", "an"))
    return Fact(
        subject=annotated.actor,
        predicate="has",
        object=source_text(annotated, (begin, end + 1)),
        confidence=NAMED_CONFIDENCE,
    )


def _is_person_name(annotated: AnnotatedText, at: int) -> bool:
    word = annotated.prose.words[at]
    return word[0].isupper() and word[1:].islower() and is_named(annotated, at)


def _favorite(annotated: AnnotatedText, start: int) -> Fact | None:
    """Matches "my favorite book is Dune": the actor prefers Dune."""
    prose = annotated.prose
    for verb in range(start + 1, min(start + 5, len(prose.words))):
        if prose.gaps[verb] != " ":
            return None
        if prose.lower[verb] in ("is", "are"):
            text = short_value(annotated, verb + 1) if prose.gaps[verb + 1 : verb + 2] == (" ",) else None
            if text is None or prose.lower[verb + 1] in ("when", "how", "definitely", "by", "probably"):
                return None
            assert annotated.actor is not None
            return Fact(subject=annotated.actor, predicate="prefers", object=text[0], confidence=NAMED_CONFIDENCE)
    return None


def _attribute(annotated: AnnotatedText, at: int) -> Fact | None:
    prose, name = annotated.prose, _ATTRIBUTES[annotated.prose.lower[at]]
    subject, verb = (
        _name_after_of(annotated, at)
        if prose.lower[at + 1 : at + 2] == ("of",)
        else (_name_before(annotated, at), at + 1)
    )
    is_joined = prose.gaps[verb : verb + 2] == (" ", " ") and prose.gaps[at] in (" ", POSSESSIVE)
    if subject is None or not is_joined or prose.lower[verb] != "is":
        return None
    text = short_value(annotated, verb + 1)
    if text is None or not is_plausible_value(name, text[0]):
        return None
    if name in _INVERTED and not is_named(annotated, text[1][0]):
        return None
    valid_from, valid_until = validity(annotated, (at, verb + 1))
    fact = attribute_fact(subject, name, text[0])
    return fact if name in ("deadline", "birthday") else fact.replace(valid_from=valid_from, valid_until=valid_until)


def _name_after_of(annotated: AnnotatedText, at: int) -> tuple[str | None, int]:
    """The name in "the port of NAME is", and the index of "is"."""
    start = at + 2 + (annotated.prose.lower[at + 2 : at + 3] in (("the",), ("our",)))
    end = start
    while end < len(annotated.prose.words) and end - start < 3 and annotated.prose.lower[end] != "is":
        if end > start and annotated.prose.gaps[end] != " ":
            return None, at
        end += 1
    is_whole = end > start and at > 0 and annotated.prose.lower[at - 1] == "the" and opens(annotated, at - 1)
    return (source_text(annotated, (start, end)) if is_whole and _is_specific(annotated, (start, end)) else None), end


def _name_before(annotated: AnnotatedText, at: int) -> str | None:
    """The name in "NAME's port is" or "the NAME port is"."""
    prose, start = annotated.prose, at
    if prose.gaps[at] == POSSESSIVE or (at > 0 and prose.gaps[at] == " " and is_named(annotated, at - 1)):
        while (
            start > 0
            and at - start < 3
            and (start == at or prose.gaps[start] == " ")
            and _is_part_of_name(annotated, start - 1)
        ):
            start -= 1
    elif at > 1 and prose.lower[at - 2] in ("the", "our") and prose.gaps[at - 1] == prose.gaps[at] == " ":
        start = at - 1
    has_determiner = start > 0 and prose.gaps[start] == " " and prose.lower[start - 1] in ("the", "our")
    if start == at or not opens(annotated, start - has_determiner) or not _is_specific(annotated, (start, at)):
        return None
    return source_text(annotated, (start, at)).removesuffix("'s").removesuffix("’s")


def _is_part_of_name(annotated: AnnotatedText, at: int) -> bool:
    return is_named(annotated, at) or (annotated.prose.words[at][0].isupper() and opens(annotated, at))


def _is_specific(annotated: AnnotatedText, span: Span) -> bool:
    """Whether the span has no demonstrative or pronoun and is not a number."""
    return (
        not set(annotated.prose.lower[span[0] : span[1]]) & _VAGUE_WORDS
        and not annotated.prose.words[span[0]].isdigit()
    )

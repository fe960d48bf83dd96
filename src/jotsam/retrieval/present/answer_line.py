"""The one line that answers a question, from facts.

Pure. A fact answers only if the question names its subject and its predicate, in this order, and nothing that the fact
does not have: no line is better than a wrong one. Two facts that cannot both hold answer nothing.
"""

from __future__ import annotations

from jotsam.core.patterns import lazy_pattern
from jotsam.core.predicates import FUNCTIONAL, is_free
from jotsam.core.records import Record
from jotsam.pipeline.facts.predicates import PRONOUNS, SYNONYMS, competing_predicates
from jotsam.retrieval.question.hyponyms import kinds_of
from jotsam.retrieval.question.stems import stems

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from jotsam.core.answers import Answer, Hit
    from jotsam.core.records import Fact

    Span = tuple[int, int]

MIN_CONFIDENCE = 0.6  # of a fact whose verb is known, and whose sentence is not in doubt
MAX_WORDS, MAX_OBJECT_WORDS, MAX_VALUES, MAX_PHRASE = 24, 8, 3, 4

_WORD = lazy_pattern(r"[^\W_]+(?:[.&+#-][^\W_]+)*[+#]*")
_SENTENCE_END = lazy_pattern(r"(?<=[.!?])\s+|\n+")
# Words that ask for nothing by themselves. Any other word of a question must be in the fact: "not", "when", "first".
_LITTLE = frozenset(
    """
    what which where who whom is are am be does do the a an of in at on to for from with by s re currently today now
    please me tell right
    """.split()  # noqa: SIM905 - quoted words are harder to read than their text
)
_PAST = frozenset(("did", "was", "were", "has", "have", "had"))
_PREPOSITIONS = ("in", "at", "on", "to")
# What happened once, so a question in the past asks for it. "Where did Ana live" asks for what was before.
_EVENTS = frozenset(
    """
    adopted attended born_in bought caused_by created created_by decided finished fixes joined met_with migrated_from
    migrated_to moved_to named organized rejected released_in replaced_by replaces started visited volunteered_at
    watched went_to won written_in
    """.split()  # noqa: SIM905
)
_PLACES = frozenset(
    """
    address attended born_in from hometown lives_in located_in migrated_from migrated_to moved_to runs_on stores_in
    studies visited volunteered_at volunteers_at went_to works_at
    """.split()  # noqa: SIM905
)
_NAMED_PLACES = frozenset(("born_in", "from", "hometown", "lives_in", "located_in", "moved_to"))
_PEOPLE = frozenset(("created_by", "knows", "married_to", "met_with", "named", "replaced_by", "works_with"))
# Nouns: "the port of billing". A verb before its subject asks for another subject: "what uses PostgreSQL".
_ATTRIBUTES = frozenset(
    """
    address birthday branch budget capital costs deadline dimensions goal hometown license limit port status timeout
    timezone version
    """.split()  # noqa: SIM905
)
_WITH_IS = frozenset(
    """
    allergic_to caused_by configured_by from located_in married_to named part_of planned_for replaced_by responsible_for
    written_in
    """.split()  # noqa: SIM905
)
_WITH_WAS = frozenset(("born_in", "created_by", "released_in"))
_VAGUE = PRONOUNS | {
    "them",
    "him",
    "her",
    "us",
    "me",
    "these",
    "those",
    "one",
    "something",
    "there",
    "here",
    "my",
    "our",
}


class AnswerLine(Record):
    """What facts say to a question, and where that is from."""

    text: str  # "Ana Lima lives in Porto"
    facts: tuple[Fact, ...]  # each with another object
    hit: Hit  # that states the first of them

    @property
    def memory(self) -> str:
        """UUID of the memory that states the first fact."""
        return self.facts[0].memory

    @property
    def said(self) -> str:
        """The sentence of the hit that has the first object, or the beginning of the hit."""
        object = " ".join(self.facts[0].object.casefold().split())
        sentences = [" ".join(one.split()) for one in _SENTENCE_END.split(self.hit.text)]
        return next((one for one in sentences if object in one.casefold()), " ".join(self.hit.text.split()))


def answer_line(answer: Answer, *, at: int) -> AnswerLine | None:
    """The line at a time in milliseconds, or none if there is doubt about it."""
    words = _words(answer.question)
    if not 2 <= len(words) <= MAX_WORDS:
        return None
    kinds = {word: frozenset(things) for word, things in kinds_of(answer.question).items()}
    asked = [fact for fact in answer.facts if _holds(fact, at) and _is_asked(fact, words, kinds)]
    if not asked:
        return None
    subject = max((fact.subject.casefold() for fact in asked), key=lambda one: len(one.split()))
    asked = _distinct(fact for fact in asked if fact.subject.casefold() == subject)
    if len(asked) > 1 and any(fact.predicate in FUNCTIONAL for fact in asked):
        return None
    sources = {_memory(hit): hit for hit in answer.hits if _is_sure(hit)}
    sure = [fact for fact in asked if fact.memory in sources and fact.confidence >= MIN_CONFIDENCE]
    if not sure or len(sure) < len(asked):
        return None
    return AnswerLine(text=_sentence(sure, words), facts=tuple(sure), hit=sources[sure[0].memory])


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold().replace("’", "'").replace("'s", " "))


def _holds(fact: Fact, at: int) -> bool:
    """Whether it holds at a time, and is not of a subject or an object that its sentence alone does not tell."""
    ends = [end for end in (fact.superseded_at, fact.valid_until) if end is not None]
    words = _words(fact.object)
    is_vague = not words or words[0] in _VAGUE or len(words) > MAX_OBJECT_WORDS
    return not is_vague and all(end > at for end in ends) and (fact.valid_from is None or fact.valid_from <= at)


def _is_asked(fact: Fact, words: Sequence[str], kinds: dict[str, frozenset[str]]) -> bool:
    subject = _span_of(_words(fact.subject), words)
    if subject is None:
        return False
    verbs = [span for span in _spans(words, fact.predicate) if span[1] <= subject[0] or span[0] >= subject[1]]
    if not verbs or not _is_of_subject(fact, words, subject, verbs):
        return False
    used = {at for start, end in (subject, *verbs) for at in range(start, end)}
    rest = [word for at, word in enumerate(words) if at not in used and word not in _LITTLE]
    if fact.predicate in _EVENTS:
        rest = [word for word in rest if word not in _PAST]
    return _fits(fact, words) and _explains(fact, rest, words, kinds)


def _span_of(part: Sequence[object], words: Sequence[object]) -> Span | None:
    """Where the items of a sequence follow each other in another."""
    for start in range(len(words) - len(part) + 1 if part else 0):
        if [*words[start : start + len(part)]] == [*part]:
            return start, start + len(part)
    return None


def _spans(words: Sequence[str], predicate: str) -> list[Span]:
    """Where a question says a predicate, with or without its preposition; a free one in its own words."""
    meant = competing_predicates(predicate)
    found = []
    if is_free(predicate):
        own = [stems([word]) for word in predicate.split("_") if word not in _PREPOSITIONS]
        asked = [stems([word]) for word in words]
        span = _span_of(own, asked)
        return [span] if span else []
    for start, word in enumerate(words):
        ends = range(start + 1, min(len(words), start + MAX_PHRASE) + 1)
        found += [(start, end) for end in ends if SYNONYMS.get(" ".join(words[start:end])) in meant]
        if any(SYNONYMS.get(f"{word} {preposition}") in meant for preposition in _PREPOSITIONS):
            found.append((start, start + 1))
    return found


def _is_of_subject(fact: Fact, words: Sequence[str], subject: Span, verbs: Sequence[Span]) -> bool:
    """Whether the subject is what the verb is said of: "what does Ana use", and not "who uses Ana"."""
    if fact.predicate in _ATTRIBUTES:
        return True
    is_passive = any(end < len(words) and words[end] == "by" for _, end in verbs) and not fact.predicate.endswith("_by")
    return not is_passive and all(start >= subject[1] for start, _ in verbs)


def _fits(fact: Fact, words: Sequence[str]) -> bool:
    """Whether the object is of what the question asks for: a place, a person."""
    asks_who = "who" in words or "whom" in words
    is_named = fact.object != fact.object.lower() or fact.object == fact.object.upper()  # and not "middle of a novel"
    if "where" in words and not (fact.predicate in _PLACES or (fact.free and fact.predicate.endswith(("_in", "_at")))):
        return False
    if asks_who and fact.predicate not in _PEOPLE:
        return False
    return is_named or not (asks_who or fact.predicate in _NAMED_PLACES)


def _explains(fact: Fact, rest: Sequence[str], words: Sequence[str], kinds: dict[str, frozenset[str]]) -> bool:
    """Whether the object has the other words of the question, or is of their kind, and is not in the question whole."""
    names = _words(fact.object)
    own, asked = {*stems(names)}, {*stems(words)}
    if {"what", "which", "where", "who", "whom"} & {*words} and own <= asked:
        return False
    return all(not own.isdisjoint(stems([word])) or not kinds.get(word, frozenset()).isdisjoint(names) for word in rest)


def _distinct(facts: Iterable[Fact]) -> list[Fact]:
    """The facts with different objects, the surest first of those with one."""
    found: dict[tuple[str, ...], Fact] = {}
    for fact in facts:
        key = tuple(_words(fact.object))
        if key not in found or fact.confidence > found[key].confidence:
            found[key] = fact
    return [*found.values()]


def _memory(hit: Hit) -> str:
    return hit.facts[0].memory if hit.kind == "fact" else hit.id


def _is_sure(hit: Hit) -> bool:
    """Whether nothing is known that speaks against a hit."""
    return hit.superseded_at is None and hit.archived_at is None and not hit.conflicts and hit.newer_text is None


def _sentence(facts: Sequence[Fact], asked: Sequence[str]) -> str:
    first = facts[0]
    words = first.predicate.replace("_", " ")
    if words == "prefers" and not any(word.startswith("prefer") for word in asked):
        words = "likes"  # one predicate for both
    values = [" ".join(fact.object.split()).rstrip(".,;:!") for fact in facts[:MAX_VALUES]]
    if len(facts) > MAX_VALUES:
        values.append(f"{len(facts) - MAX_VALUES} more")
    listed = " and ".join([", ".join(values[:-1]), values[-1]] if len(values) > 1 else values)
    subject = first.subject[:1].upper() + first.subject[1:]
    if first.predicate in _ATTRIBUTES:
        return f"{subject}: {words} {listed}"
    verb = "is " if first.predicate in _WITH_IS else "was " if first.predicate in _WITH_WAS else ""
    return f"{subject} {verb}{words} {listed}"

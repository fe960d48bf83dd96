"""Facts of clauses with any verb: "Ines presented the new form", "the importer keeps its index in Tantivy".

The verb is found by its form, not by a list of predicates: see `verb_forms`. So these facts never end another: one with
a functional predicate needs a subject with a proper name and is less certain than what may end a fact.
"""

from __future__ import annotations

from collections.abc import Iterator

from jotsam.core.records import Fact, Record
from jotsam.pipeline.entities import gazetteer
from jotsam.pipeline.facts.annotated_text import AnnotatedText, is_named, is_statement, opens, source_text, validity
from jotsam.pipeline.facts.attributes import RELATIVES
from jotsam.pipeline.facts.clause_verbs import (
    COMPLEMENTED,
    FINITE_AUXILIARIES,
    IS,
    NEGATIONS,
    POSSIBLE,
    PREPOSITIONS,
    VerbGroup,
    after_adverbs,
    verb_group,
)
from jotsam.pipeline.facts.objects import CONTEXT_DEPENDENT
from jotsam.pipeline.facts.phrases import ObjectPhrase, begins_complement, is_finite, object_phrase
from jotsam.pipeline.facts.predicates import FUNCTIONAL, normalise_predicate
from jotsam.pipeline.facts.replacements import REPLACES
from jotsam.pipeline.facts.subjects import GENERIC_NOUNS, WE, Subject, is_specific
from jotsam.pipeline.facts.verb_forms import FORMS, PARTICIPLE, PAST, PLAIN, REPORTING, SINGULAR, uses_of
from jotsam.pipeline.text.tokens import CLAUSE, POSSESSIVE, SENTENCE
from jotsam.pipeline.text.words import STOP_WORDS

NAMED_CONFIDENCE, DESCRIBED_CONFIDENCE = 0.7, 0.6
GUESSED_CONFIDENCE = 0.5  # an unknown verb, or a pronoun for the subject of the previous sentence
UNCERTAIN_CONFIDENCE = 0.45  # below `predicates.MIN_CONFIDENCE`: ends no other fact

MAX_SUBJECT_WORDS = 8
_SPEAKERS = {
    "i": ("I", ""),
    "we": (WE, ""),
    "i've": ("I", "have"),
    "we've": (WE, "have"),
    "i'm": ("I", "am"),
    "we're": (WE, "are"),
    "i'll": ("I", "will"),
    "we'll": (WE, "will"),
    "i'd": ("I", "rather"),
    "we'd": (WE, "rather"),
    "let's": (WE, "will"),
}
_OWN_NOUNS = frozenset(("project", "library", "package", "tool", "framework"))  # "the library": the one just told of
_QUANTIFIERS = frozenset(("every", "each", "all"))
_PRONOUNS = {"it": "", "it's": "is", "he": "", "she": "", "he's": "is", "she's": "is"}
_DETERMINERS = frozenset(("the", "our", "my", "every", "each", "all"))
_SUBJECT_PREPOSITIONS = frozenset(("of", "for", "from", "in", "on", "to", "between", "with"))
_NOT_IN_SUBJECT = gazetteer.word_set(
    """
    you it they he she i we this that these those which who whom what there here where when why how none both some any
    one something anything everything your his her their if or but because so as than then also please let's let do does did
    """
)
_NO_BEGINNING = (_NOT_IN_SUBJECT | PREPOSITIONS | {"and", "not", "no"}) - {*_SPEAKERS, *_PRONOUNS, "this", "all", "let's"}
_HEDGES = gazetteer.word_set(
    "maybe perhaps probably possibly presumably hopefully seemingly supposedly allegedly apparently think guess wish hope"
)
# What refers to another sentence.
_REFERRING = gazetteer.word_set(
    """
    following above below former latter same first second third next last other rest corresponding remaining resulting
    only real actual whole total best worst main trick catch problem idea reason question answer point difference
    """
)
_NO_PREDICATES = frozenset((REPLACES, "replaced_by", "named", "has_to", "is_by"))
# The first word of a fact of someone who speaks, whose object "the idea" is known to the listener only.
_OWN = frozenset(("the",))


class _Found(Record):
    """The subjects of a clause, and the index of its verb."""

    subjects: tuple[Subject, ...]
    verb: int
    auxiliary: str = ""
    is_guess: bool = False


def clause_facts(annotated: AnnotatedText) -> Iterator[Fact]:
    """The facts of the clauses of a text."""
    prose = annotated.prose
    previous: Subject | None = None  # of the previous sentence
    current: Subject | None = None
    for at in range(len(prose.words)):
        gap = prose.gaps[at]
        if gap == SENTENCE:
            previous, current = current, None
        if prose.in_heading[at] or gap in (POSSESSIVE, "/") or prose.lower[at] in _NO_BEGINNING:
            continue
        if gap == " " and at and _is_plain(annotated, at):
            continue
        if not (opens(annotated, at) or _is_introduced(annotated, at)) or (gap == " " and _is_relative(annotated, at)):
            continue
        found = _subject(annotated, at, previous=previous if gap == SENTENCE else None)
        if found is None or found.verb >= len(prose.words) or not is_statement(annotated, found.verb) or not _is_asserted(annotated, at, found.verb):
            continue
        subject = found.subjects[0]
        facts = tuple(_predications(annotated, found))
        if current is None and len(found.subjects) == 1 and subject.is_named and not subject.is_speaker:
            is_alone = not any(fact.object[:1].isupper() for fact in facts if fact.predicate != IS)
            current = subject if is_alone else None
        yield from facts


def _is_plain(annotated: AnnotatedText, at: int) -> bool:
    """Whether the word before it opens no clause, by a look that is cheaper than `opens`."""
    return annotated.prose.lower[at - 1] not in _OPENERS and annotated.prose.lower[at] not in _AFTER_INTRODUCTION


_OPENERS = gazetteer.word_set(
    """
    and but because that since so says said as where why then therefore fyi btw yesterday today recently lately week
    month year monday tuesday wednesday thursday friday saturday sunday ago
    """
)
# Third persons that are plural nouns as often, so that a bare noun behind them proves nothing.
_NOUNS_TOO = gazetteer.word_set(
    """
    notes tests results builds files links logs runs lists names ranges types uses values updates requests reports sources
    changes checks copies costs counts covers dates demands displays documents escapes estimates exports features fields
    filters fits flags focuses forms formats functions groups guides handles hooks hosts images imports indexes issues
    jobs keys labels levels limits loads locks maps marks matches models modules moves needs numbers objects offers orders
    packages pages parts patches paths patterns places plans points ports posts prices prints processes programs projects
    questions queries queues records references releases replies returns reviews rules sales samples schedules scores
    searches sets shapes shows signs sites sizes sorts stages starts states steps stores structures studies supports
    switches tables tags talks targets terms tools tracks trades triggers turns users versions views visits votes works
    """
) - {"needs", "costs", "covers"}


_AFTER_INTRODUCTION = frozenset(("i", "we", "the", "our"))


def _is_introduced(annotated: AnnotatedText, at: int) -> bool:
    """Whether only a short addition precedes it in its sentence: "For the survey we ...", "Since May the ..."."""
    prose = annotated.prose
    if prose.lower[at] not in _AFTER_INTRODUCTION or prose.gaps[at] != " ":
        return False
    start = at
    while start > 0 and at - start <= 4 and prose.gaps[start] == " ":
        start -= 1
    is_long_enough = at - start >= 2 and prose.lower[at - 1] not in PREPOSITIONS
    return is_long_enough and prose.gaps[start] == SENTENCE and prose.lower[start] in ("in", "at", "on", "for", "since")


def _is_relative(annotated: AnnotatedText, at: int) -> bool:
    """Whether the "that" before it follows a noun: "the book that Ann wrote"."""
    lower = annotated.prose.lower
    return lower[at - 1] in ("that", "where", "as") and (
        at < 2 or (lower[at - 2] != "out" and REPORTING.isdisjoint(uses_of(lower[at - 2]).values()))
    )


def _is_asserted(annotated: AnnotatedText, start: int, verb: int) -> bool:
    prose = annotated.prose
    first = start
    while first > 0 and start - first < 8 and prose.gaps[first] not in (SENTENCE, CLAUSE):
        first -= 1
    return _HEDGES.isdisjoint(prose.lower[first : verb + 3])


def _subject(annotated: AnnotatedText, at: int, *, previous: Subject | None) -> _Found | None:
    prose = annotated.prose
    lower = prose.lower[at]
    if lower in _SPEAKERS:
        name, auxiliary = _SPEAKERS[lower]
        shown = annotated.actor or name if name == "I" else name
        verb = at + 1
        if auxiliary == "rather":
            if prose.lower[verb : verb + 1] != ("rather",):
                return None
            verb += 1
        subject = Subject(name=shown, is_named=True, is_speaker=True)
        return _Found(subjects=(subject,), verb=verb, auxiliary=auxiliary)
    if lower in _PRONOUNS:
        is_person = lower[0] in "hs"
        if previous is None or (is_person and not previous.name[0].isupper()):
            return None
        return _Found(subjects=(previous,), verb=at + 1, auxiliary=_PRONOUNS[lower], is_guess=True)
    if previous is not None and lower in ("the", "this") and prose.lower[at + 1 : at + 2] != ():
        if prose.lower[at + 1] in _OWN_NOUNS and prose.gaps[at + 1] == " ":
            return _Found(subjects=(previous,), verb=at + 2, is_guess=True)
    return _described(annotated, at)


def _described(annotated: AnnotatedText, at: int) -> _Found | None:
    """A name or a noun phrase that begins with word `at`, up to its finite verb."""
    prose = annotated.prose
    has_determiner = prose.lower[at] in _DETERMINERS
    first = at + has_determiner
    end, is_plural = first, False
    while True:
        if end >= len(prose.words) or end - first > MAX_SUBJECT_WORDS or prose.in_heading[end]:
            return None
        if end > at and prose.gaps[end] not in (" ", POSSESSIVE):
            verb = _after_apposition(annotated, end) if is_named(annotated, end - 1) else None
            if verb is None or not _is_verb(annotated, first, end, verb, is_plural=False):
                return None
            break
        lower = prose.lower[end]
        if end > first:
            verb = after_adverbs(annotated, end)
            if verb < len(prose.words) and _may_be_verb(prose.lower[verb]) and _is_verb(annotated, first, end, verb, is_plural=is_plural):
                break
        if lower.endswith("n't") or lower in _NOT_IN_SUBJECT or lower in NEGATIONS or lower in POSSIBLE or lower in FINITE_AUXILIARIES:
            return None
        if lower == "and":
            is_plural = True
        elif end > first and lower.islower() and not lower.endswith("ed") and _is_only_past(lower):
            return None  # "Ana and Bo got married": a verb that is not understood
        elif lower in STOP_WORDS and not (end > first and _continues_subject(prose.lower[end - 1], lower)):
            return None
        end += 1
    subjects = _named_subjects(annotated, first, end, has_determiner=has_determiner)
    return _Found(subjects=subjects, verb=verb) if subjects else None


def _may_be_verb(word: str) -> bool:
    return word in FORMS or word in FINITE_AUXILIARIES or word.endswith(("ed", "es")) or word.startswith("re-")


def _is_only_past(word: str) -> bool:
    uses = uses_of(word)
    return PAST in uses and SINGULAR not in uses and PLAIN not in uses


def _after_apposition(annotated: AnnotatedText, at: int) -> int | None:
    """The index of the word after an apposition that begins with `at`: "Petra, our CTO, ..."; None if there is none."""
    prose = annotated.prose
    if prose.gaps[at] != "," or prose.lower[at] not in ("our", "the", "a", "an", "who", "which"):
        return None
    for end in range(at + 1, min(at + 8, len(prose.words))):
        if prose.gaps[end] == ",":
            return after_adverbs(annotated, end)
        if prose.gaps[end] != " ":
            return None
    return None


def _continues_subject(before: str, word: str) -> bool:
    """Whether a stop word is inside a noun phrase: "the owner of the server"."""
    return word in _SUBJECT_PREPOSITIONS or (word in ("the", "a") and before in _SUBJECT_PREPOSITIONS)


def _is_verb(annotated: AnnotatedText, first: int, end: int, verb: int, *, is_plural: bool) -> bool:
    """Whether word `verb` is the finite verb of the phrase from `first` to `end`."""
    prose = annotated.prose
    lower, head = prose.lower[verb], _head(annotated, first, end)
    if prose.gaps[verb] not in (" ", ",") or prose.in_backticks[verb] or prose.lower[end - 1] in PREPOSITIONS | {"and", "the", "a"}:
        return False
    if lower in FINITE_AUXILIARIES:
        return True
    if not prose.words[verb].islower():
        return False
    is_name = is_named(annotated, end - 1)
    has_complement = begins_complement(annotated, verb + 1)
    if has_complement and not is_name and lower in _NOUNS_TOO and prose.lower[verb + 1][0].isdigit():
        has_complement = False  # "General knowledge questions 5" is no clause.
    is_full = is_name or (first > 0 and prose.gaps[first] == " " and prose.lower[first - 1] in _DETERMINERS)
    is_sure = is_name or lower not in _NOUNS_TOO
    is_followed = has_complement or (is_full and is_sure and _is_noun_ahead(annotated, verb + 1))
    plural = is_plural or (head.endswith("s") and not head.endswith(("ss", "us", "is")) and not is_name)
    uses = uses_of(lower)
    if _lower(annotated, verb + 1) == "of" and lower not in ("consists", "consist", "consisted"):
        return False
    if not uses:
        return is_name and lower.endswith(("ed", "es")) and _lower(annotated, verb + 1) in ("the", "a", "an")
    if _is_reduced(annotated, verb):
        return False
    if SINGULAR in uses and not plural:
        return is_followed
    is_opening = end - first == 1 and prose.words[first][0].isupper()
    if PAST in uses and (PLAIN not in uses or ((is_name or is_opening) and not plural)):
        return is_followed
    return PLAIN in uses and plural and (has_complement or (is_full and is_sure and _is_noun_ahead(annotated, verb + 1)))


def _head(annotated: AnnotatedText, first: int, end: int) -> str:
    """The last word before the first preposition of the phrase."""
    words = annotated.prose.lower[first:end]
    for at, word in enumerate(words):
        if at > 0 and word in PREPOSITIONS:
            return words[at - 1]
    return words[-1]


def _lower(annotated: AnnotatedText, at: int) -> str:
    prose = annotated.prose
    return prose.lower[at] if at < len(prose.words) and prose.gaps[at] == " " else ""


def _is_noun_ahead(annotated: AnnotatedText, at: int) -> bool:
    prose = annotated.prose
    if at >= len(prose.words) or prose.gaps[at] != " ":
        return False
    lower = prose.lower[at]
    return lower not in STOP_WORDS and not is_finite(annotated, at) and lower not in FINITE_AUXILIARIES


def _is_reduced(annotated: AnnotatedText, verb: int) -> bool:
    """Whether it is a participle and the verb of the clause follows: "the data stored in X is ..."."""
    prose = annotated.prose
    uses = uses_of(prose.lower[verb])
    if prose.lower[verb + 1 : verb + 2] == () or prose.lower[verb + 1] not in PREPOSITIONS:
        return False
    if PARTICIPLE not in uses and SINGULAR not in uses:
        return False
    at = verb + 2
    while at < len(prose.words) and prose.gaps[at] in (" ", ",") and at < verb + 12:
        if prose.lower[at] in ("and", "because", "but", "so", "that", "which", "when"):
            return False
        is_plural_verb = SINGULAR in uses and PLAIN in uses_of(prose.lower[at]) and prose.lower[at - 1] != "to"
        if is_finite(annotated, at) or (is_plural_verb and begins_complement(annotated, at + 1)):
            return True
        at += 1
    return False


def _named_subjects(
    annotated: AnnotatedText, first: int, end: int, *, has_determiner: bool
) -> tuple[Subject, ...]:
    """The subjects of a phrase; () for one that cannot be understood alone."""
    prose = annotated.prose
    words = prose.lower[first:end]
    is_capital = prose.words[first][0].isupper()
    known = {at for at in range(first, end) if is_named(annotated, at)}
    if not has_determiner and first not in known:
        is_opening = is_capital and prose.gaps[first] in (SENTENCE, CLAUSE, ":")
        verb = prose.lower[end]
        is_by = PAST in uses_of(verb) and prose.lower[end + 1 : end + 2] == ("by",)
        is_command = bool(uses_of(words[0])) and verb not in FINITE_AUXILIARIES and not is_by
        if not is_opening or is_command or words[0].endswith(("ing", "ly")) or words[0] in STOP_WORDS:
            return ()
        if words[0] in gazetteer.NOT_NAMES and len(words) == 1:
            return ()
    if first not in known and (words[0] in _REFERRING or (words[0] in GENERIC_NOUNS and len(words) == 1)):
        return ()
    if has_determiner and prose.lower[first - 1] in _QUANTIFIERS:
        return (Subject(name=source_text(annotated, (first - 1, end)), is_named=False),)
    if has_determiner and prose.lower[first - 1] == "my":
        named = [at for at in range(first, end) if is_named(annotated, at)]
        if words[-1] in RELATIVES and len(words) < 3:
            owner = f"{annotated.actor}'s" if annotated.actor else "my"
            return (Subject(name=f"{owner} {source_text(annotated, (first, end))}", is_named=True),)
        if not named or named[-1] != end - 1:
            return ()
        first = named[0]
    if "and" in words:
        at = first + words.index("and")
        pieces = ((first, at), (at + 1, end))
        if not all(piece[1] > piece[0] and set(range(*piece)) <= known | {first} for piece in pieces):
            return ()
    else:
        pieces = ((first, end),)
    is_name = set(range(first, end)) <= known | ({first} if len(words) == 1 and is_capital else set())
    found = tuple(Subject(name=source_text(annotated, piece), is_named=is_name) for piece in pieces)
    return found if all(is_specific(subject) for subject in found) else ()


def _predications(annotated: AnnotatedText, found: _Found) -> Iterator[Fact]:
    """The facts of the verbs of one subject: of the first, of those after "and", and of a relative clause."""
    prose = annotated.prose
    subjects, at, auxiliary = found.subjects, found.verb, found.auxiliary
    is_person = subjects[0].is_speaker
    for count in range(3):
        group = verb_group(annotated, at, auxiliary=auxiliary, is_person=is_person)
        phrase = _phrase(annotated, group) if group is not None else None
        if group is None or phrase is None:
            return
        if _is_clear(annotated, subjects, group, phrase):
            yield from _facts(annotated, subjects, group, phrase, (at, phrase.end), is_guess=found.is_guess or count > 0)
        end = phrase.end
        following = prose.lower[end : end + 1]
        if following in (("that",), ("which",)) and prose.gaps[end] == " " and not group.is_intention:
            if not group.is_copula:
                subjects = (Subject(name=phrase.texts[-1], is_named=phrase.is_named),)
            if len(phrase.texts) > 1 or not is_specific(subjects[0]):
                return
            at, auxiliary, is_person = end + 1, "", False
        elif following == ("and",) and prose.gaps[end] in (" ", ",") and _is_second_verb(annotated, end + 1, group):
            at = end + 1
            is_participle = SINGULAR not in uses_of(prose.lower[at]) and (group.is_passive or group.is_copula)
            auxiliary = "is" if is_participle and PARTICIPLE in uses_of(prose.lower[at]) else ""
        else:
            return


def _is_second_verb(annotated: AnnotatedText, at: int, group: VerbGroup) -> bool:
    at = after_adverbs(annotated, at)
    if at >= len(annotated.prose.words) or annotated.prose.gaps[at] != " ":
        return False
    uses = uses_of(annotated.prose.lower[at])
    return annotated.prose.lower[at] in FINITE_AUXILIARIES or SINGULAR in uses or PAST in uses


def _phrase(annotated: AnnotatedText, group: VerbGroup) -> ObjectPhrase | None:
    """The object of a verb group; of an intention, with its verb: "move to Aarhus"."""
    if not group.is_intention:
        return object_phrase(annotated, group.start, is_copula=group.is_copula)
    inner = verb_group(annotated, group.start, is_person=True)
    phrase = object_phrase(annotated, inner.start) if inner is not None and not inner.is_copula else None
    if phrase is None or len(phrase.texts) != 1:
        return None
    if phrase.texts[0].split()[0].endswith("ing") or PLAIN in uses_of(phrase.texts[0].split()[0].lower()):
        return None
    last = phrase.end
    return phrase.replace(texts=(source_text(annotated, (group.start, last)),), has_article=False)


def _is_clear(
    annotated: AnnotatedText, subjects: tuple[Subject, ...], group: VerbGroup, phrase: ObjectPhrase
) -> bool:
    """Whether a reader who knows only this fact understands it."""
    words = phrase.texts[0].lower().split()
    is_definite = phrase.has_article and annotated.prose.lower[group.start] in CONTEXT_DEPENDENT
    is_number = words[0][0].isdigit()
    if group.is_copula and len(words) == 1 and not (phrase.is_named or group.is_state or is_number):
        return False
    if group.is_copula and is_number and not (subjects[0].is_named or " " in subjects[0].name):
        return False
    if subjects[0].is_speaker and is_definite and len(words) < 3 and not phrase.is_named:
        return False
    if subjects[0].is_speaker:
        if len(words) == 1 and (words[0].endswith(("ing", "ed")) or not phrase.is_named):
            return False
    elif not {"my", "our", "me", "us"}.isdisjoint(words):
        return False
    if group.predicate in COMPLEMENTED and annotated.prose.lower[phrase.end : phrase.end + 1] == ("to",):
        return False
    return not (group.is_by and not phrase.is_named)


def _facts(
    annotated: AnnotatedText,
    subjects: tuple[Subject, ...],
    group: VerbGroup,
    phrase: ObjectPhrase,
    span: tuple[int, int],
    *,
    is_guess: bool,
) -> Iterator[Fact]:
    predicate = normalise_predicate(group.predicate)
    if not predicate or predicate in _NO_PREDICATES:
        return
    valid_from, valid_until = validity(annotated, span)
    for subject in subjects:
        confidence = NAMED_CONFIDENCE if subject.is_named else DESCRIBED_CONFIDENCE
        if is_guess or not group.is_known:
            confidence = GUESSED_CONFIDENCE
        if predicate in FUNCTIONAL:
            if not subject.is_named or not (subject.name[0].isupper() or subject.name.startswith("my ")):
                continue
            confidence = UNCERTAIN_CONFIDENCE
        for text in phrase.texts:
            ends = (text, subject.name) if group.is_by else (subject.name, text)
            yield Fact(
                subject=ends[0],
                predicate=predicate,
                object=ends[1],
                confidence=confidence,
                valid_from=valid_from,
                valid_until=valid_until,
            )

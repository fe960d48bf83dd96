"""Find the subject of a clause and its finite verb, reading forwards from the word that begins the clause."""

from __future__ import annotations

from jotsam.core.records import Record
from jotsam.pipeline.entities import gazetteer
from jotsam.pipeline.facts.annotated_text import AnnotatedText, is_named, source_text
from jotsam.pipeline.facts.attributes import RELATIVES
from jotsam.pipeline.facts.clause_verbs import (
    FINITE_AUXILIARIES,
    NEGATIONS,
    POSSIBLE,
    PREPOSITIONS,
    after_adverbs,
    is_adverb,
    joined_word,
)
from jotsam.pipeline.facts.phrases import begins_complement, is_finite
from jotsam.pipeline.facts.subjects import GENERIC_NOUNS, WE, Subject, is_specific
from jotsam.pipeline.facts.verb_forms import FORMS, PARTICIPLE, PAST, PLAIN, SINGULAR, uses_of
from jotsam.pipeline.languages.en import STOP_WORDS
from jotsam.pipeline.text.tokens import CLAUSE, POSSESSIVE, SENTENCE, Span

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
# "the library" may be the subject of the previous sentence.
_OWN_NOUNS = frozenset(("project", "library", "package", "tool", "framework"))
_QUANTIFIERS = frozenset(("every", "each", "all"))
_PRONOUNS = {"it": "", "it's": "is", "he": "", "she": "", "he's": "is", "she's": "is"}
_DETERMINERS = frozenset(("the", "our", "my", "every", "each", "all"))
_SUBJECT_PREPOSITIONS = frozenset(("of", "for", "from", "in", "on", "to", "between", "with"))
_NOT_IN_SUBJECT = gazetteer.word_set(
    """
    you it they he she i we this that these those which who whom what there here where when why how none both some any
    one something anything everything your his her their if or but because so as than then also please let's let do
    does did
    """
)
NO_BEGINNING = (_NOT_IN_SUBJECT | PREPOSITIONS | {"and", "not", "no"}) - {
    *_SPEAKERS,
    *_PRONOUNS,
    "this",
    "all",
    "let's",
}
# What refers to another sentence.
_REFERRING = gazetteer.word_set(
    """
    following above below former latter same first second third next last other rest corresponding remaining resulting
    only real actual whole total best worst main trick catch problem idea reason question answer point difference
    """
)
# Third persons that are plural nouns as often, so that a bare noun behind them proves nothing.
_NOUNS_TOO = gazetteer.word_set(
    """
    notes tests results builds files links logs runs lists names ranges types uses values updates requests reports
    sources changes checks copies costs counts covers dates demands displays documents escapes estimates exports
    features fields filters fits flags focuses forms formats functions groups guides handles hooks hosts images
    imports indexes issues jobs keys labels levels limits loads locks maps marks matches models modules moves needs
    numbers objects offers orders packages pages parts patches paths patterns places plans points ports posts prices
    prints processes programs projects questions queries queues records references releases replies returns reviews
    rules sales samples schedules scores searches sets shapes shows signs sites sizes sorts stages starts states steps
    stores structures studies supports switches tables tags talks targets terms tools tracks trades triggers turns
    users versions views visits votes works
    """
) - {"needs", "costs", "covers"}


class ClauseSubject(Record):
    """The subjects of a clause, and the index of its verb."""

    subjects: tuple[Subject, ...]
    verb: int
    auxiliary: str = ""
    is_guess: bool = False


def clause_subject(annotated: AnnotatedText, at: int, *, previous: Subject | None) -> ClauseSubject | None:
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
        return ClauseSubject(subjects=(subject,), verb=verb, auxiliary=auxiliary)
    if lower in _PRONOUNS:
        is_person = lower[0] in "hs"
        if previous is None or (is_person and not previous.name[0].isupper()):
            return None
        return ClauseSubject(subjects=(previous,), verb=at + 1, auxiliary=_PRONOUNS[lower], is_guess=True)
    if previous is not None and lower in ("the", "this") and joined_word(annotated, at + 1) in _OWN_NOUNS:
        return ClauseSubject(subjects=(previous,), verb=at + 2, is_guess=True)
    return _described(annotated, at)


def _described(annotated: AnnotatedText, at: int) -> ClauseSubject | None:
    """A name or a noun phrase that begins with word `at`, up to its finite verb."""
    prose = annotated.prose
    has_determiner = prose.lower[at] in _DETERMINERS
    first = at + has_determiner
    end, is_plural = first, False
    while True:
        if end >= len(prose.words) or end - first > MAX_SUBJECT_WORDS or prose.in_heading[end]:
            return None
        if end > at and prose.gaps[end] not in (" ", POSSESSIVE):
            has_name = end > first and is_named(annotated, end - 1)  # A determiner alone is no name.
            verb = _after_apposition(annotated, end) if has_name else None
            if verb is None or not _is_verb(annotated, first, end, verb, is_plural=False):
                return None
            break
        lower = prose.lower[end]
        if end > first:
            verb = after_adverbs(annotated, end)
            if (
                verb < len(prose.words)
                and _may_be_verb(prose.lower[verb])
                and _is_verb(annotated, first, end, verb, is_plural=is_plural)
            ):
                break
        if (
            lower.endswith("n't")
            or lower in _NOT_IN_SUBJECT
            or lower in NEGATIONS
            or lower in POSSIBLE
            or lower in FINITE_AUXILIARIES
        ):
            return None
        if lower == "and":
            is_plural = True
        elif end > first and lower.islower() and not lower.endswith("ed") and _is_only_past(lower):
            return None  # "Ana and Bo got married": an unknown verb
        elif lower in STOP_WORDS and not (end > first and _continues_subject(prose.lower[end - 1], lower)):
            return None
        end += 1
    subjects = _named_subjects(annotated, first, end, has_determiner=has_determiner)
    return ClauseSubject(subjects=subjects, verb=verb) if subjects else None


def _may_be_verb(word: str) -> bool:
    return word in FORMS or word in FINITE_AUXILIARIES or word.endswith(("ed", "es")) or word.startswith("re-")


def _is_only_past(word: str) -> bool:
    uses = uses_of(word)
    return PAST in uses and SINGULAR not in uses and PLAIN not in uses


def _after_apposition(annotated: AnnotatedText, at: int) -> int | None:
    """The index of the word after an apposition that begins with `at`: "Petra, our CTO, ..."; None without one."""
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
    if (
        prose.gaps[verb] not in (" ", ",")
        or prose.in_backticks[verb]
        or prose.lower[end - 1] in PREPOSITIONS | {"and", "the", "a"}
    ):
        return False
    if lower in FINITE_AUXILIARIES:
        return True
    if not prose.words[verb].islower():
        return False
    is_name = is_named(annotated, end - 1)
    has_complement = begins_complement(annotated, verb + 1)
    if has_complement and not is_name and lower in _NOUNS_TOO and prose.lower[verb + 1][0].isdigit():
        has_complement = False  # "General knowledge questions 5" is not a clause.
    is_full = is_name or (first > 0 and prose.gaps[first] == " " and prose.lower[first - 1] in _DETERMINERS)
    is_sure = is_name or lower not in _NOUNS_TOO
    is_followed = has_complement or (is_full and is_sure and _is_noun_ahead(annotated, verb + 1))
    plural = is_plural or (head.endswith("s") and not head.endswith(("ss", "us", "is")) and not is_name)
    uses = uses_of(lower)
    if joined_word(annotated, verb + 1) == "of" and lower not in ("consists", "consist", "consisted"):
        return False
    if not uses:
        return is_name and lower.endswith(("ed", "es")) and joined_word(annotated, verb + 1) in ("the", "a", "an")
    if _is_reduced(annotated, verb):
        return False
    if SINGULAR in uses and not plural:
        return is_followed
    is_opening = end - first == 1 and prose.words[first][0].isupper()
    if PAST in uses and (PLAIN not in uses or ((is_name or is_opening) and not plural)):
        return is_followed
    return (
        PLAIN in uses and plural and (has_complement or (is_full and is_sure and _is_noun_ahead(annotated, verb + 1)))
    )


def _head(annotated: AnnotatedText, first: int, end: int) -> str:
    """The last word before the first preposition of the phrase."""
    words = annotated.prose.lower[first:end]
    for at, word in enumerate(words):
        if at > 0 and word in PREPOSITIONS:
            return words[at - 1]
    return words[-1]


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


def _named_subjects(annotated: AnnotatedText, first: int, end: int, *, has_determiner: bool) -> tuple[Subject, ...]:
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
        if not is_opening or is_command or words[0].endswith("ing") or words[0] in STOP_WORDS:
            return ()
        if is_adverb(words[0]) or (words[0] in gazetteer.NOT_NAMES and len(words) == 1):
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
        pieces: tuple[Span, ...] = ((first, at), (at + 1, end))
        if not all(piece[1] > piece[0] and set(range(*piece)) <= known | {first} for piece in pieces):
            return ()
    else:
        pieces = ((first, end),)
    is_name = set(range(first, end)) <= known | ({first} if len(words) == 1 and is_capital else set())
    found = tuple(Subject(name=source_text(annotated, piece), is_named=is_name) for piece in pieces)
    return found if all(is_specific(subject) for subject in found) else ()

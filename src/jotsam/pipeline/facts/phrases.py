"""Find the noun phrases of a clause: where the object after any verb ends.

In doubt there is no object: a phrase cut in two states something that the text does not.
"""

from __future__ import annotations

from jotsam.core.records import Record
from jotsam.pipeline.entities import gazetteer
from jotsam.pipeline.facts.annotated_text import DETERMINERS, AnnotatedText, is_named, source_text
from jotsam.pipeline.facts.clause_verbs import (
    FINITE_AUXILIARIES,
    NEGATIONS,
    PARTICLES,
    POSSIBLE,
    PREPOSITIONS,
    QUANTITIES,
    after_adverbs,
    is_adverb,
)
from jotsam.pipeline.facts.objects import is_cut, is_meaningful, objects_after
from jotsam.pipeline.facts.verb_forms import PARTICIPLE, PAST, PLAIN, SINGULAR, uses_of
from jotsam.pipeline.languages.en import STOP_WORDS

MAX_WORDS = 10
_ARTICLES = frozenset(("a", "an", "the", "its", "their", "our", "my", "his", "her"))
_PRONOUNS = gazetteer.word_set(
    "i we they he she you it i'm i've we've we're they're he's she's it's you're i'd i'll we'll"
)
_OBJECT_PRONOUNS = frozenset(("us", "me", "them", "him", "it", "you"))
_CLAUSE_END = gazetteer.word_set(
    """
    because since but when after before while which that who whose where if so though although unless until whereas
    than whether once during instead rather
    """
)
_VAGUE = gazetteer.word_set(
    """
    it this that them these those one something anything everything nothing such same what how me us him you your
    yours yourself lot bit way none following above below neither anyone someone everyone here there mine ours myself
    others other thing things
    """
)
_VAGUE_FIRST = gazetteer.word_set(
    "some all few any most more less lots plenty ton first just well hard together somewhere"
)
_TIME_TAILS = gazetteer.word_set(
    "now today yesterday tomorrow tonight still too yet again already soon anymore lately first"
)
_TIMES = gazetteer.word_set(
    """
    day night morning evening week weekend month quarter year sprint monday tuesday wednesday thursday friday saturday
    sunday summer winter spring autumn fall
    """
)
_NEW_CLAUSE = _PRONOUNS | FINITE_AUXILIARIES | POSSIBLE | NEGATIONS | {"then", "there", "this", "that", "these", "let"}
_ADJECTIVE_ENDINGS = ("able", "ible", "al", "ful", "ic", "ive", "less", "ous", "ed", "ant", "ent", "ing")
_ADJECTIVES = gazetteer.word_set(
    """
    fast simple small tiny open free modern high easy lightweight light new old robust secure safe pure large big good
    great short long minimal pluggable clean powerful rich full cross-platform multi-platform open-source source
    python
    """
)


class ObjectPhrase(Record):
    """The texts of the objects of a verb, and the index of the word after them."""

    texts: tuple[str, ...]
    end: int
    has_article: bool = False
    is_named: bool = False


def object_phrase(annotated: AnnotatedText, start: int, *, is_copula: bool = False) -> ObjectPhrase | None:
    """The object that begins with word `start`: several names, or one phrase; None if it is vague or uncertain."""
    prose = annotated.prose
    if start >= len(prose.words) or prose.gaps[start] != " " or prose.in_heading[start]:
        return None
    first = start + (prose.lower[start] in _ARTICLES)
    if first >= len(prose.words) or (first > start and prose.gaps[first] != " "):
        return None
    end = _end(annotated, start, is_copula=is_copula and first > start)
    if end is None:
        return None
    end = _trimmed(annotated, first, end)
    words = prose.lower[first:end]
    if (
        not words
        or words[0] in _VAGUE_FIRST
        or words[0] in PREPOSITIONS
        or not _VAGUE.isdisjoint(words)
        or is_cut(annotated, end)
    ):
        return None
    is_common = len(words) == 1 and not is_named(annotated, first)
    if is_common and first > start and prose.gaps[end : end + 1] == (",",) and prose.lower[end] not in STOP_WORDS:
        return None  # "an elegant, type-checked API"
    if not is_meaningful(words) and not (len(words) == 2 and (words[0] in QUANTITIES or words[0].isdigit())):
        return None
    if len(words) == 1 and (
        words[0] == "own" or words[0] in DETERMINERS or words[0] in QUANTITIES or words[0] in PREPOSITIONS
    ):
        return None
    is_list = is_named(annotated, first) and not (
        prose.gaps[end : end + 1] == (",",) and _begins_clause(annotated, end)
    )
    names = tuple(objects_after(annotated, start, takes="named")) if is_list else ()
    texts = names if len(names) > 1 else (source_text(annotated, (first, end)),)
    return ObjectPhrase(texts=texts, end=end, has_article=first > start, is_named=is_named(annotated, first))


def begins_complement(annotated: AnnotatedText, at: int) -> bool:
    """Whether a word begins an object or an addition, so that the word before it can be a verb."""
    prose = annotated.prose
    if at >= len(prose.words) or prose.gaps[at] != " ":
        return False
    lower = prose.lower[at]
    return (
        lower in DETERMINERS
        or lower in PREPOSITIONS
        or lower in QUANTITIES
        or lower in PARTICLES
        or lower[0].isdigit()
        or prose.in_backticks[at]
        or is_named(annotated, at)
    )


def is_finite(annotated: AnnotatedText, at: int) -> bool:
    """Whether a word inside a phrase is a finite verb after all: an auxiliary, or a verb form with its complement."""
    prose = annotated.prose
    lower = prose.lower[at]
    if lower in FINITE_AUXILIARIES or lower in POSSIBLE or lower.endswith("n't"):
        return prose.words[at].islower() and not prose.in_backticks[at]
    if not prose.words[at].islower() or prose.in_backticks[at]:
        return False
    uses = uses_of(lower)
    is_verb = SINGULAR in uses or (PAST in uses and PLAIN not in uses)
    following = _word(annotated, at + 1)
    return is_verb and following != "of" and (following in _OBJECT_PRONOUNS or begins_complement(annotated, at + 1))


def _end(annotated: AnnotatedText, start: int, *, is_copula: bool) -> int | None:
    """The end of the phrase; None if it is the subject of a clause of its own, or a list that is not understood."""
    prose, end = annotated.prose, start
    while end < len(prose.words) and not prose.in_heading[end]:
        gap, lower = prose.gaps[end], prose.lower[end]
        if end > start and gap in (",", ":") and _is_one_number(annotated, end):
            end += 1
            continue
        if end > start and gap == ",":
            if is_copula and prose.words[end][0].isupper() and end - start < 3:
                return None
            if is_copula and _is_adjective(prose.lower[end - 1]) and lower not in _CLAUSE_END:
                end += 1
                continue
            return end if _ends_at_comma(annotated, end) else None
        if end > start and gap not in (" ", "'"):
            return None if gap == "/" else end
        if end > start and lower in ("every", "last", "next", "this") and _word(annotated, end + 1) in _TIMES:
            return end
        if lower in _CLAUSE_END or (lower == "to" and end > start and PLAIN in uses_of(_word(annotated, end + 1))):
            return end
        if is_copula and end > start + 2 and _is_reduced_relative(annotated, end):
            return end
        if lower in ("and", "or"):
            if _begins_clause(annotated, end + 1):
                return end
        elif lower in _PRONOUNS or lower in NEGATIONS or (end > start and _is_clause_verb(annotated, end)):
            return None
        end += 1
    return end


def _is_reduced_relative(annotated: AnnotatedText, at: int) -> bool:
    """Whether a participle with its addition begins: "a library (written in Go)"."""
    lower = annotated.prose.lower[at]
    return (
        lower.endswith(("ed", "t", "n")) and PARTICIPLE in uses_of(lower) and _word(annotated, at + 1) in PREPOSITIONS
    )


def _is_clause_verb(annotated: AnnotatedText, at: int) -> bool:
    lower = annotated.prose.lower[at]
    if lower in FINITE_AUXILIARIES or lower in POSSIBLE or lower.endswith("n't"):
        return annotated.prose.words[at].islower() and not annotated.prose.in_backticks[at]
    return SINGULAR in uses_of(lower) and is_finite(annotated, at) and annotated.prose.lower[at + 1] in DETERMINERS


def _is_one_number(annotated: AnnotatedText, at: int) -> bool:
    """Whether the words on both sides of a mark are one number or time: "1,450", "18:40"."""
    prose = annotated.prose
    last = prose.offsets[at - 1] + len(prose.words[at - 1])
    return prose.offsets[at] == last + 1 and prose.words[at - 1][-1].isdigit() and prose.words[at][0].isdigit()


def _is_adjective(word: str) -> bool:
    return word in _ADJECTIVES or word.endswith(_ADJECTIVE_ENDINGS) or "-" in word


def _ends_at_comma(annotated: AnnotatedText, at: int) -> bool:
    """Whether the phrase ends at the comma before `at`: a name, a clause or an addition follows, and not a list."""
    prose, lower = annotated.prose, annotated.prose.lower[at]
    if (
        lower in _CLAUSE_END
        or lower in _PRONOUNS
        or lower in NEGATIONS
        or lower in ("and", "with", "as", "then", "for")
    ):
        return not (lower == "and" and prose.gaps[at + 1 : at + 2] == (",",))
    if is_named(annotated, at) or is_adverb(lower) or lower in DETERMINERS or lower.endswith("ing"):
        return True
    return lower in PREPOSITIONS or _begins_clause(annotated, at) or not _is_list(annotated, at)


def _is_list(annotated: AnnotatedText, at: int) -> bool:
    """Whether a further comma or an "and" follows in the sentence: "logs, metrics and traces"."""
    prose = annotated.prose
    for after in range(at + 1, min(at + 10, len(prose.words))):
        if prose.gaps[after] not in (" ", ",", "'"):
            return False
        if prose.gaps[after] == "," or prose.lower[after] in ("and", "or"):
            return True
    return False


def _begins_clause(annotated: AnnotatedText, at: int) -> bool:
    """Whether "and" before word `at` joins a verb or a clause, and not a noun."""
    prose = annotated.prose
    at = after_adverbs(annotated, at)
    if at >= len(prose.words) or prose.gaps[at] != " " or prose.lower[at] in _NEW_CLAUSE:
        return True
    following, uses = _word(annotated, at + 1), uses_of(prose.lower[at])
    is_bare_verb = (SINGULAR in uses and following.endswith("ly")) or (
        PAST in uses and PLAIN not in uses and following == ""
    )
    if is_finite(annotated, at) or is_bare_verb:
        return True
    end = at + 1
    while end < len(prose.words) and end < at + 8 and prose.gaps[end] == " ":
        if prose.lower[end] in _CLAUSE_END:
            return False
        if is_finite(annotated, end) and prose.lower[end] not in ("based", "written", "used", "made"):
            return True
        end += 1
    return False


def _trimmed(annotated: AnnotatedText, start: int, end: int) -> int:
    """The end without words of time at the end, and at most ten words, cut before a preposition."""
    prose = annotated.prose
    if end - start > MAX_WORDS:
        cuts = [at for at in range(start + 1, start + MAX_WORDS + 1) if prose.lower[at] in PREPOSITIONS - {"of"}]
        end = cuts[-1] if cuts else start
    while end > start and (
        prose.lower[end - 1] in _TIME_TAILS or prose.lower[end - 1] in PREPOSITIONS or is_adverb(prose.lower[end - 1])
    ):
        end -= 1
    return end


def _word(annotated: AnnotatedText, at: int) -> str:
    prose = annotated.prose
    return prose.lower[at] if at < len(prose.words) and prose.gaps[at] == " " else ""

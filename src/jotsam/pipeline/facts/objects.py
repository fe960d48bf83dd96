"""Find the complete object after a verb: names, a short phrase or a clause.

Independent of the verb: `verb_table` states what each verb takes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from jotsam.core.patterns import lazy_pattern
from jotsam.pipeline.entities import gazetteer
from jotsam.pipeline.facts.annotated_text import DETERMINERS, AnnotatedText, is_named, source_text
from jotsam.pipeline.languages.en import STOP_WORDS
from jotsam.pipeline.text.tokens import POSSESSIVE, SENTENCE, Prose, Span

MAX_PHRASE_WORDS, MAX_ACTIVITY_WORDS, MAX_CLAUSE_WORDS = 7, 9, 14

# A preferred object with one of these is clear only within the conversation.
CONTEXT_DEPENDENT = frozenset(("the", "this", "these", "those", "that", "your", "its", "their", "his", "her"))
# Text in brackets at the end of a clause.
_BRACKETS = lazy_pattern(r"[`*_\s]*\([^()\n]*\)[`*_]*(?:[.,;:!?)]|\s*$|\s*\n|\s+[—–-])")
_QUOTED_TITLE = lazy_pattern(r"\s+[\"“]([A-Z][^\"”\n]{1,60})[\"”]")
# The remainder of "two weeks ago".
_AGO = lazy_pattern(
    r" (?:(?:about|over|almost|nearly|around) )?(?:an? )?(?:\S+ )?(?:day|week|month|year)s?(?: ago)?$", re.IGNORECASE
)
# A period after one of these does not end the sentence.
_ABBREVIATION = lazy_pattern(r"(?:[A-Z]\.)*[A-Z]|St|Dr|Mr|Mrs|Inc|vs|approx|Mt")
_INITIAL = lazy_pattern(r" [A-Z]\.")  # The name continues: "Minnie T. Heard".
_ADJECTIVE_ENDINGS = ("ous", "able", "ible", "ical")

_EMPHASIS = frozenset(("own", "really", "very", "super", "pretty", "so"))
_DEMONSTRATIVES = frozenset(("this", "these", "those", "that", "its", "their", "his", "her", "your"))

_PHRASE_END = gazetteer.word_set(
    """
    and or but because since so if when while which that who where as for to from in on at by with without into over
    via after before until unless last next today yesterday tomorrow tonight every again back now soon already much more
    too really than instead rather is are was were be been has have had will would can could should
    may might must does do did not it they we i you he she there then also only per between through under during using
    lately recently anymore here together ago though although however whenever once both like about around against
    across inside
    """
)
_PREPOSITIONS = gazetteer.word_set(
    "of for to from in on at by with without into over via per between through under during using about around against"
)
_CLAUSE_END = frozenset(
    ("because", "since", "but", "when", "after", "while", "which", "unless", "until", "where", "if", "so", "though")
)
_ACTIVITY_END = _CLAUSE_END | frozenset(
    ("that", "who", "too", "it", "they", "lately", "recently", "every", "these", "here", "together")
)
_NEW_CLAUSE = gazetteer.word_set(
    """
    i i'm i've we we're we've it it's they they're he he's she she's you you're there there's then also now have had am
    is are was were has will would can could should must may this that these those our my your his her their its not
    don't doesn't didn't can't won't never let let's just still
    """
)
_VAGUE_WORDS = gazetteer.word_set(
    """
    i it this that them these those one something anything everything nothing both each all more most many several few
    some any other others same such what how way much lot bit no not never none neither nobody only itself
    me us him her you your trying either called whatever whichever its their his everyone anyone just
    """
)
_NOT_IN_CLAUSE = frozenset(
    ("it", "this", "these", "those", "not", "you", "your", "me", "my", "us", "i", "how", "what", "whether")
)
_CONTINUING_WORDS = frozenset(("to", "than", "that", "who", "whose"))

# Meaningless without context.
_VAGUE_NOUNS = gazetteer.word_set(
    """
    thing things stuff place places time times day days blast lot bit book books movie movies film films song songs game
    games pic pics photo photos picture pictures event events way one ones idea ideas break feeling difference part
    parts step steps journey progress fun look chance chances success love news point points side sense fact
    kind kinds sort sorts while good great goal goals mind mistake mistakes decision call change changes start
    end top deal team set fan ton tons project projects man woman guy id ids wish
    wishes memories experience experiences work stories story meal time outing item items some connections influence
    data lists first second third fourth fifth sixth seventh eighth ninth tenth
    """
)


def objects_after(annotated: AnnotatedText, start: int, *, takes: str) -> Iterator[str]:
    """The objects that begin at word `start`: one or more names, or one phrase, or one clause, as the verb `takes`."""
    prose = annotated.prose
    if start >= len(prose.words) or prose.gaps[start] != " " or prose.in_heading[start]:
        return
    if prose.lower[start] in _DEMONSTRATIVES:
        return
    if takes == "clause":
        yield from clause(annotated, start)
        return
    at = start + (prose.lower[start] in DETERMINERS)
    end = _end_of_name(annotated, at)
    if takes == "phrase" and end == at:
        yield from phrase(annotated, start)
        return
    while end > at:
        if is_cut(annotated, end):
            return
        yield source_text(annotated, (at, end))
        at = end + (prose.lower[end : end + 1] in (("and",), ("or",)))
        follows = at < len(prose.words) and (prose.gaps[end] == "," or at > end) and prose.gaps[at] in (" ", ",")
        end = _end_of_name(annotated, at) if follows else at


def _end_of_name(annotated: AnnotatedText, start: int) -> int:
    """End of a name with its nouns: "Docker", "PostgreSQL advisory locks"; `start` if not found."""
    prose, end = annotated.prose, start
    while end < len(prose.words) and end - start < 4 and is_named(annotated, end) and _continues(prose, start, end):
        end += 1
    if end == start or (prose.in_backticks[start] and end > start + 1 and prose.in_backticks[start + 1]):
        return start
    end = _end_of_continuation(annotated, end)
    nouns = end
    while nouns < len(prose.words) and nouns - end < 3 and _continues(prose, start, nouns) and _is_noun(prose, nouns):
        nouns += 1
    is_owner = nouns < len(prose.gaps) and prose.gaps[nouns] == POSSESSIVE
    return start if is_owner or nouns - end >= 3 else nouns


def name_at(annotated: AnnotatedText, start: int) -> Span | None:
    """The span of the complete name at word `start`, without its article."""
    prose = annotated.prose
    if start >= len(prose.words) or prose.gaps[start] != " " or prose.lower[start] in _DEMONSTRATIVES:
        return None
    at = start + (prose.lower[start] in DETERMINERS)
    end = _end_of_name(annotated, at)
    return (at, end) if end > at and not is_cut(annotated, end) else None


def _end_of_continuation(annotated: AnnotatedText, end: int) -> int:
    """End of a continuation such as "of the Rings"; `end` if not found."""
    prose = annotated.prose
    if prose.lower[end : end + 1] != ("of",) or prose.gaps[end] != " ":
        return end
    at = end + 1 + (prose.lower[end + 1 : end + 2] == ("the",))
    follows = at < len(prose.words) and prose.gaps[end + 1] == prose.gaps[at] == " " and is_named(annotated, at)
    return at + 1 if follows else end


def _is_noun(prose: Prose, at: int) -> bool:
    lower = prose.lower[at]
    return lower not in _PHRASE_END and lower not in STOP_WORDS and not lower.endswith("ly")


def _continues(prose: Prose, start: int, at: int) -> bool:
    return at == start or prose.gaps[at] == " "


def quoted_title(annotated: AnnotatedText, start: int) -> Iterator[str]:
    """The quoted title before word `start`, directly after the verb: a book, a film, a song."""
    prose = annotated.prose
    last = prose.offsets[start - 1] + len(prose.words[start - 1])
    match = _QUOTED_TITLE.match(annotated.text, last, last + 80)
    if match is not None:
        yield match[1].rstrip(",.!")


def phrase(annotated: AnnotatedText, start: int) -> Iterator[str]:
    """A few words up to the end of the clause or to an addition: "a job queue (in PostgreSQL)"."""
    prose = annotated.prose
    at = start + (prose.lower[start] in DETERMINERS)
    while prose.lower[at : at + 1] and prose.lower[at] in _EMPHASIS:
        at += 1
    if at >= len(prose.words) or not _continues(prose, start, at):
        return
    is_activity = prose.lower[at].endswith("ing") and at == start
    if not is_activity and "my" in prose.lower[at : at + MAX_PHRASE_WORDS]:
        return
    end = _end_of_phrase(prose, at, ending=_ACTIVITY_END if is_activity else _PHRASE_END, has_determiner=at > start)
    words = prose.lower[at:end]
    following = prose.lower[end : end + 1]
    is_short = 0 < len(words) <= (MAX_ACTIVITY_WORDS if is_activity else MAX_PHRASE_WORDS)
    is_adjective = len(words) == 1 and prose.gaps[end : end + 1] == (",",) and prose.lower[end] not in STOP_WORDS
    is_complete = end >= len(prose.gaps) or (
        not is_adjective  # "an elegant, type-checked API"
        and prose.gaps[end] != POSSESSIVE
        and not (following[0] in _CONTINUING_WORDS and _is_joined(prose, end))
    )
    if (
        is_short
        and is_complete
        and not set(words) & _VAGUE_WORDS
        and is_meaningful(words)
        and not is_cut(annotated, end)
    ):
        yield _AGO.sub("", source_text(annotated, (at, end)))


def is_meaningful(words: tuple[str, ...]) -> bool:
    """Whether the words are meaningful without context, unlike "book" and "great time"."""
    is_vague = words[-1] in _VAGUE_NOUNS and len(words) <= 2
    return not is_vague and words[-1] not in _PREPOSITIONS and not words[-1].endswith(_ADJECTIVE_ENDINGS)


def is_cut(annotated: AnnotatedText, end: int) -> bool:
    """Whether the following text belongs to the last word: "LGBTQ+", "CS:GO", "graph + words", a quoted title."""
    last = annotated.prose.offsets[end - 1] + len(annotated.prose.words[end - 1])
    following = annotated.text[last : last + 8]
    if _INITIAL.match(following):
        return True
    if following[:1] in ("–", "(") or _ABBREVIATION.fullmatch(annotated.prose.words[end - 1]):
        return True
    return (following[:1] in set(":@=#$%") and following[1:2].strip() != "") or following.strip(" `*_")[:1] in set(
        '+&/"“→='
    )


def _is_joined(prose: Prose, at: int) -> bool:
    return at < len(prose.gaps) and prose.gaps[at] == " "


def _end_of_phrase(prose: Prose, start: int, *, ending: frozenset[str], has_determiner: bool) -> int:
    """End of the phrase; `start` if that is uncertain.

    "and" continues the phrase if both sides belong together.
    """
    end = start
    while end < len(prose.words) and _continues(prose, start, end):
        if prose.lower[end] in ("and", "or", "&") and end > start:
            if has_determiner or prose.lower[end + 1 : end + 2] == () or prose.lower[end + 1] in _NEW_CLAUSE:
                return end
            if _is_verb_again(prose, end + 1):
                return end
            whole = _end_of_pair(prose, end + 1)
            is_pair = whole - start <= MAX_PHRASE_WORDS and not _is_joined(prose, whole)
            return whole if is_pair else end if ending is _ACTIVITY_END else start
        if prose.lower[end] in ending and end > start:
            return end
        if prose.lower[end] in ending:
            return start
        end += 1
    return end


def _is_verb_again(prose: Prose, at: int) -> bool:
    """Whether it is another verb of the same subject: "uses a pool and returns the ..."."""
    return prose.lower[at].endswith(("s", "ed")) and (
        prose.lower[at + 1 : at + 2] == () or prose.lower[at + 1] in STOP_WORDS or not prose.lower[at].endswith("s")
    )


def _end_of_pair(prose: Prose, start: int) -> int:
    end = start
    while end < len(prose.words) and prose.gaps[end] == " " and prose.lower[end] not in _PHRASE_END:
        end += 1
    return end


def clause(annotated: AnnotatedText, start: int) -> Iterator[str]:
    """The words up to the end of the clause, at most 14: what was decided, or what something is."""
    prose, end = annotated.prose, start
    while end < len(prose.words) and (end == start or prose.gaps[end] in (" ", "/")):
        lower = prose.lower[end]
        if lower in _CLAUSE_END or (
            lower == "and" and prose.lower[end + 1 : end + 2] != () and _begins_new_clause(prose, end)
        ):
            break
        end += 1
    words = prose.lower[start:end]
    if not 1 <= len(words) <= MAX_CLAUSE_WORDS or words[-1] in _PHRASE_END or not _ends_clause(annotated, end, words):
        return
    if not set(words) & _NOT_IN_CLAUSE and is_meaningful(words) and not is_cut(annotated, end):
        yield source_text(annotated, (start, end))


def _begins_new_clause(prose: Prose, at: int) -> bool:
    return prose.lower[at + 1] in _NEW_CLAUSE


def _ends_clause(annotated: AnnotatedText, end: int, words: tuple[str, ...] = ()) -> bool:
    """Whether the clause ends here, and not within a list, brackets or a word such as "3.10+"."""
    prose = annotated.prose
    if end >= len(prose.words) or prose.gaps[end] == SENTENCE or prose.lower[end] in _CLAUSE_END | {"and"}:
        return True
    if prose.gaps[end] == ",":
        return prose.lower[end] in _CLAUSE_END | {"not", "so", "with", "and"} and "and" not in words
    last = prose.offsets[end - 1] + len(prose.words[end - 1])
    mark = annotated.text[last : prose.offsets[end]].lstrip("`*_\"' ")[:1]
    if mark == "-" and annotated.text[last] == " ":
        return False
    return mark in set(";:—–.-") or (mark == "(" and _BRACKETS.match(annotated.text, last, last + 120) is not None)


def short_value(annotated: AnnotatedText, start: int) -> tuple[str, Span] | None:
    """Text and span of a value of at most 5 words that ends its clause: "5432", "May 7", "Ana Lopez"."""
    prose, end = annotated.prose, start
    while end < len(prose.words) and (end == start or prose.gaps[end] == " ") and end - start < 6:
        if prose.lower[end] in _CLAUSE_END | {"and", "or"}:
            break
        end += 1
    words = tuple(word.lower() for word in prose.words[start:end] if word != "May")
    if (
        start == end
        or end - start > 5
        or set(words) & (_VAGUE_WORDS | _PHRASE_END)
        or not _ends_clause(annotated, end, words)
    ):
        return None
    at = start + (prose.lower[start] in DETERMINERS)
    return (source_text(annotated, (at, end)), (at, end)) if end > at else None

"""The input of the fact rules: a tokenized text, and tests for names, clause beginnings and statements.

Independent of verbs and of the form of facts.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from jotsam.core.patterns import lazy_pattern
from jotsam.core.records import Record
from jotsam.pipeline.dates.parse_dates import find_dates
from jotsam.pipeline.dates.periods import AS_OF, IN, SINCE, UNTIL
from jotsam.pipeline.entities import gazetteer
from jotsam.pipeline.entities.name_spans import GIVEN_NAMES, is_camel, is_han_name, is_known_thing
from jotsam.pipeline.languages.en import STOP_WORDS
from jotsam.pipeline.text.slugs import slug
from jotsam.pipeline.text.tokens import CLAUSE, POSSESSIVE, SENTENCE, Prose, Span, tokenize

SENTENCE_WINDOW = 400  # characters examined on each side of a verb

DETERMINERS = frozenset(("the", "our", "my", "this", "a", "an", "its", "their", "your", "his", "her", "these", "those"))

_OPENING = frozenset(
    (
        "and",
        "but",
        "because",
        "that",
        "since",
        "so",
        "says",
        "said",
        "as",
        "where",
        "why",
        "then",
        "therefore",
        "fyi",
        "btw",
    )
)
_NOT_TIME_OPENINGS = frozenset(
    ("if", "when", "unless", "once", "while", "for", "with", "without", "otherwise", "assuming", "suppose", "imagine")
)
_TIME_WORDS = gazetteer.word_set(
    """
    last this past the other a two three few couple of week weeks weekend month months year years day days night morning
    evening summer winter spring fall autumn monday tuesday wednesday thursday friday saturday sunday yesterday today
    recently lately ago just earlier
    """
)
_CLEAR_TIME_WORDS = frozenset(("last", "this", "past", "yesterday", "today", "recently", "lately", "ago", "earlier"))
_MARKUP = lazy_pattern(r"[`*\"“”]+|\[|\]\([^)]*\)|\]|(?<!\w)_+|_+(?!\w)")
_LINK_MARK = lazy_pattern(
    r"\]\([^()\n]{0,300}\)|\]\[[^\]\n]{0,100}\]|\s?<https?:[^<>\n]{0,300}>`?_*|`_*|[*\[\]]|(?<=\w)_+"
)
_PLAIN_GAPS = {"": " ", ",": ",", ".": SENTENCE}
_SENTENCE_END = lazy_pattern(r"[.!?](?=[\s*_`\"”)]|$)|\n\s*\n|[。！？]")
_CONDITIONAL = frozenset(("if", "when", "whenever", "unless", "without", "otherwise", "assuming", "suppose", "imagine"))
_FIRST_WORD = lazy_pattern(r"[\s*_`>(•-]*(\w+)")
_EXAMPLE = lazy_pattern(
    r"\b(?:e\.g\.|i\.e\.|for example|for instance|examples?\b|such as|imagine|suppose|assume)", re.I
)
_CONDITION = lazy_pattern(r"\b(?:if|unless|when|whenever|once(?! an? ))\b", re.I)
_NOT_PROSE_LINE = lazy_pattern(r"^(?: {4}|\t)|^\s*(?:\||>>>|\$|//|#!)")
_BY = lazy_pattern(r"\bby\s+(?:the\s+)?$", re.I)  # "done by Friday" still holds after Friday.
_BULLET = lazy_pattern(r"\s*(?:[-*+]|\d+[.)])\s")


class AnnotatedText(Record):
    """A text with its tokens."""

    text: str
    prose: Prose
    proper: frozenset[str]  # words capitalised inside a sentence, in lower case
    names: frozenset[str]  # words that are names or parts of one, as written
    said_at: int
    actor: str | None

    @classmethod
    def of(cls, text: str, *, said_at: int, actor: str | None = None, names: Collection[str] = ()) -> AnnotatedText:
        prose = tokenize(text)
        if "’" in text:
            prose = prose.replace(lower=tuple(word.replace("’", "'") for word in prose.lower))
        if "](" in text or "`" in text or "][" in text:
            prose = prose.replace(gaps=_gaps_without_links(text, prose))
        known = frozenset((*_words_of_names(names), *_code_names(prose)))
        return cls(text=text, prose=prose, proper=_proper_nouns(prose), names=known, said_at=said_at, actor=actor)


def _words_of_names(names: Collection[str]) -> Iterator[str]:
    """The words of names, without those in lower case within a longer name: "of"."""
    for name in names:
        words = name.split()
        yield from (word for word in words if len(words) == 1 or word[0].isupper())


def _code_names(prose: Prose) -> Iterator[str]:
    """The single words in backticks, with which a sentence may begin in lower case."""
    ticks = prose.in_backticks
    for at, is_code in enumerate(ticks):
        if (
            is_code
            and not any(ticks[max(at - 1, 0) : at])
            and not any(ticks[at + 1 : at + 2])
            and len(prose.words[at]) > 2
        ):
            yield prose.words[at]


def _gaps_without_links(text: str, prose: Prose) -> tuple[str, ...]:
    """The gaps as they are without the markup of links: "an [importer](url) of [Acme](url)" is one phrase."""
    gaps = list(prose.gaps)
    for at in range(1, len(gaps)):
        if gaps[at] != CLAUSE:
            continue
        last = prose.offsets[at - 1] + len(prose.words[at - 1])
        between = text[last : prose.offsets[at]]
        if len(between) > 1 and (between.isspace() or _LINK_MARK.search(between)) and "\n\n" not in between:
            gaps[at] = _PLAIN_GAPS.get(_LINK_MARK.sub("", between).strip(" \n"), CLAUSE)
    return tuple(gaps)


def _proper_nouns(prose: Prose) -> frozenset[str]:
    inside = {
        prose.lower[at]
        for at, word in enumerate(prose.words)
        if word[0].isupper() and prose.gaps[at] == " " and not prose.in_heading[at]
    }
    small = {word for word in prose.words if word.islower()}
    return frozenset(inside - small)


def is_statement(annotated: AnnotatedText, at: int) -> bool:
    """Whether the sentence is a statement: not a question, condition, example, quotation, table row or code."""
    offset = annotated.prose.offsets[at]
    line = annotated.text.rfind("\n", max(0, offset - SENTENCE_WINDOW), offset) + 1
    begin, end = _sentence(annotated, offset, offset)
    not_prose = _NOT_PROSE_LINE.match(annotated.text, line, line + 12)
    if not_prose is not None and not _BULLET.match(annotated.text, line, line + 16):
        return False
    before = annotated.text[begin:offset]
    is_quoted = before.count('"') % 2 == 1 or before.count("“") > before.count("”")
    opening = _FIRST_WORD.match(before, before.rfind("\n") + 1)
    if opening is not None and opening[1].lower() in _CONDITIONAL:
        return False
    is_hypothetical = _EXAMPLE.search(before) or _CONDITION.search(annotated.text, offset, end)
    return annotated.text[end : end + 1] != "?" and not is_quoted and is_hypothetical is None


def _sentence(annotated: AnnotatedText, first: int, last: int) -> Span:
    """Offsets of the beginning and the final mark of the sentence around two offsets."""
    start = max(0, first - SENTENCE_WINDOW)
    begin = max((match.end() for match in _SENTENCE_END.finditer(annotated.text, start, first)), default=start)
    final_mark = _SENTENCE_END.search(annotated.text, last, last + SENTENCE_WINDOW)
    return begin, final_mark.start() if final_mark else min(len(annotated.text), last + SENTENCE_WINDOW)


def validity(annotated: AnnotatedText, span: Span) -> tuple[int | None, int | None]:
    """Start and end of validity in milliseconds, from the first date in the sentence around a span of words."""
    begin, end = _sentence(annotated, annotated.prose.offsets[span[0]], annotated.prose.offsets[span[1] - 1])
    sentence = annotated.text[begin:end]
    for period in find_dates(sentence, said_at=annotated.said_at, limit=1):
        is_end = period.sense == UNTIL and _BY.search(sentence, 0, period.start) is None
        is_begin = period.sense in (IN, SINCE, AS_OF) and period.first <= annotated.said_at
        return period.first if is_begin else None, period.until if is_end else None
    return None, None


def opens(annotated: AnnotatedText, at: int) -> bool:
    """Whether a main clause begins with this word."""
    prose = annotated.prose
    if at == 0 or prose.gaps[at] in (SENTENCE, ":"):
        return True
    before = prose.lower[at - 1]
    if prose.gaps[at] == ",":
        return _sentence_opens_with_time(annotated, at) and not _is_in_list(annotated, at)
    if prose.gaps[at] == CLAUSE:
        return prose.offsets[at] == 0 or annotated.text[: prose.offsets[at]].rstrip(" *_`")[-1:] in "\n-•;(—–"
    if prose.gaps[at] != " ":
        return False
    if prose.words[at - 1][0].isupper() and before in ("so", "as", "that", "since", "where"):
        return False
    return _follows_time(annotated, at) or (
        before in _OPENING and not (before == "and" and is_named(annotated, at - 2))
    )


def _follows_time(annotated: AnnotatedText, at: int) -> bool:
    """Whether a time expression without a comma precedes it: "Last week I ...", "Yesterday we ..."."""
    prose, start = annotated.prose, at
    while start > 0 and at - start < 5 and prose.gaps[start] == " ":
        start -= 1
    words = set(prose.lower[start:at])
    return prose.gaps[start] in (SENTENCE, CLAUSE) and words <= _TIME_WORDS and not words.isdisjoint(_CLEAR_TIME_WORDS)


def _is_in_list(annotated: AnnotatedText, at: int) -> bool:
    """Whether capitalised words are on both sides of the comma: "Garden Township, Michigan", "Ann, Bob"."""
    prose = annotated.prose
    is_day = prose.lower[at - 1] in gazetteer.NOT_NAMES or begins_sentence(annotated, at - 1)
    is_speaker = prose.lower[at].startswith(("i'", "we'")) or prose.lower[at] in ("i", "we", "my", "our", "the")
    return prose.words[at][0].isupper() and prose.words[at - 1][0].isupper() and not (is_day or is_speaker)


def _sentence_opens_with_time(annotated: AnnotatedText, at: int) -> bool:
    """Whether a short introduction precedes it: "In March, we ...", "Yesterday, we ...", "Thanks, Ann, I ..."."""
    prose, start = annotated.prose, at
    while start > 0 and at - start <= 4 and prose.gaps[start] not in (SENTENCE, CLAUSE):
        start -= 1
    words = prose.lower[start:at]
    return len(words) <= 4 and not _NOT_TIME_OPENINGS & set(words)


def begins_sentence(annotated: AnnotatedText, at: int) -> bool:
    """Whether a sentence begins with this word, unless it is a word such as "Monday" that only looks like a name."""
    return at == 0 or (annotated.prose.gaps[at] == SENTENCE and annotated.prose.lower[at] not in gazetteer.NOT_NAMES)


def is_named(annotated: AnnotatedText, at: int) -> bool:
    """Whether the word is a name or part of one."""
    prose = annotated.prose
    if not 0 <= at < len(prose.words):
        return False
    word, lower = prose.words[at], prose.lower[at]
    if lower.startswith(("i'", "we'")):
        return False
    if prose.in_backticks[at]:
        return "(" not in annotated.text[prose.offsets[at] : prose.offsets[at] + len(word) + 1] and len(word) > 1
    if lower in STOP_WORDS or lower in gazetteer.NOT_NAMES or prose.gaps[at] == POSSESSIVE:
        return False
    if is_han_name(word) or is_known_thing(word) or word in annotated.names:
        return True
    if not word[0].isupper():
        return False
    return prose.gaps[at] == " " or lower in annotated.proper or is_camel(word) or slug(word) in GIVEN_NAMES


def source_text(annotated: AnnotatedText, span: Span) -> str:
    """The words of a span as written, without Markdown markup."""
    last = span[1] - 1
    written = annotated.text[
        annotated.prose.offsets[span[0]] : annotated.prose.offsets[last] + len(annotated.prose.words[last])
    ]
    return strip_markup(written)


def strip_markup(written: str) -> str:
    """The text without Markdown markup, with single spaces."""
    return " ".join(_MARKUP.sub("", written[:SENTENCE_WINDOW]).split())

"""Facts by patterns: who does what to whom, where a sentence says so in plain words. Few and right.

A pattern is a verb between two things. What stands on its left must be the whole subject of its sentence (a name, "we",
"the importer"), what stands on its right must be named or short; a condition, a question, a negation, a heading, a
table and code say nothing. It must not resolve "it" and "they", and it must not combine sentences: that takes a model.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from jotsam.pipeline import known
from jotsam.pipeline.dates import AS_OF, IN, SINCE, UNTIL, dates
from jotsam.pipeline.names import GIVEN, KNOWN, is_camel, is_han_name
from jotsam.pipeline.prose import CLAUSE, POSSESSIVE, SENTENCE, Prose, Span, read
from jotsam.pipeline.slugs import slug
from jotsam.pipeline.verbs import BY_FIRST_WORD, CLAUSE_OBJECT, PHRASE, Verb
from jotsam.pipeline.words import STOP_WORDS
from jotsam.records import Fact, Record

MOST_FACTS = 16
LONGEST = 20_000
"""Further than this into a text nobody looks for facts."""

LONGEST_PHRASE, LONGEST_CLAUSE = 5, 14
NEARBY = 400
"""A sentence is looked at this far to both sides of its verb."""


_PEOPLES = frozenset(("lives_in", "works_at", "married_to", "born_in", "moved_to", "prefers", "dislikes", "owns"))
_TASTES = frozenset(("prefers", "dislikes", "decided"))
_POINTING = frozenset(("the", "this", "these", "those", "your", "its", "their", "his", "her"))
"""What is liked here is known to those who talk, and to nobody who reads it later."""
_ADVERBS = known.words(
    """
    also already currently now still always really has have had just recently finally internally usually mainly all
    primarily mostly therefore then both
    """
)
_DETERMINERS = frozenset(
    ("the", "our", "my", "this", "a", "an", "its", "their", "your", "his", "her", "these", "those")
)
_OPENING = frozenset(
    ("and", "but", "because", "that", "since", "so", "says", "said", "as", "where", "then", "therefore")
)
_LINKING = frozenset(("and", "or"))
_ENDING = known.words(
    """
    and or but because since so if when while which that who where as for to from in on at by with without into over
    via after before until unless last next today yesterday tomorrow tonight every again back now soon already much more
    too really than instead rather is are was were be been has have had will would can could should
    may might must does do did not it they we i you he she there then also only per between through under during using
    """
)
_MODALS = frozenset(("may", "might", "must", "could", "would", "shall", "cannot"))
_CLAUSE_ENDING = frozenset(("because", "since", "but", "when", "after", "while", "which", "unless", "until", "where"))
_WORDLESS = known.words(
    """
    it this that them these those one something anything everything nothing both each all more most many several few
    two three some any other others same such what how way much lot bit
    """
)
_NO_SUBJECTS = known.words("you it they he she this that which who there what each both none all some one")
_QUOTED = re.compile(r"[`*\"“”]+|\[|\]\([^)]*\)|\]|(?<!\w)_+|_+(?!\w)")
_SENTENCE_END = re.compile(r"[.!?](?=\s|$)|\n\s*\n|[。！？]")
_CHINESE = (
    (
        re.compile(r"(我们|我|[\u4e00-\u9fff]{2,4}|[A-Za-z][\w.+-]*)\s*(?:决定|決定)(?:要)?([^，。；！？,;\n]{2,40})"),
        "decided",
    ),
    (re.compile(r"(我们|我|[A-Za-z][\w.+-]*)\s*(?:使用|采用了?)\s*([A-Za-z][\w.+#-]*)"), "uses"),
    (re.compile(r"([A-Za-z][\w.+-]*)\s*(?:依赖于?)\s*([A-Za-z][\w.+#-]*)"), "depends_on"),
    (re.compile(r"(我们|我|[\u4e00-\u9fff]{2,3})(?:更)?(?:喜欢|偏好)([^，。；！？,;\n]{1,20})"), "prefers"),
    (re.compile(r"(我|[\u4e00-\u9fff]{2,3})(?:现在)?住在([\u4e00-\u9fff]{2,8})"), "lives_in"),
)
_MODAL = re.compile(r"[不没沒别如果吗？]")


def facts(text: str, *, said_at: int, actor: str | None = None) -> tuple[Fact, ...]:
    """What a text says in plain words, in its order, at most 16. "I" is the `actor`, where there is one.

    A fact is valid from the day that its sentence names, else from no known day; lines must end in LF.
    """
    text = text[:LONGEST]
    prose = read(text)
    page = _Page(text=text, prose=prose, proper=_proper(prose), said_at=said_at, actor=actor)
    found: dict[tuple[str, str, str], Fact] = {}
    for fact in (*_english(page), *_chinese(page)):
        found.setdefault((fact.subject.lower(), fact.predicate, fact.object.lower()), fact)
    return tuple(found.values())[:MOST_FACTS]


class _Page(Record):
    """A text under the eye of the patterns."""

    text: str
    prose: Prose
    proper: frozenset[str]  # words that stand with a capital inside a sentence
    said_at: int
    actor: str | None


def _proper(prose: Prose) -> frozenset[str]:
    inside = {
        prose.lower[at]
        for at, word in enumerate(prose.words)
        if word[0].isupper() and prose.gaps[at] == " " and not prose.titled[at]
    }
    small = {word for word in prose.words if word.islower()}
    return frozenset(inside - small)


def _english(page: _Page) -> Iterator[Fact]:
    prose = page.prose
    for at, word in enumerate(prose.lower):
        for verb in BY_FIRST_WORD.get(word, ()):
            end = at + len(verb.words)
            if prose.lower[at:end] != verb.words or any(gap != " " for gap in prose.gaps[at + 1 : end]):
                continue
            if not any(prose.titled[at:end]) and not any(prose.ticked[at:end]) and _is_statement(page, at):
                yield from _around(page, verb, (at, end))
            break


def _is_statement(page: _Page, at: int) -> bool:
    """Neither a question, nor a row of a table, nor what a line of code says."""
    place = page.prose.places[at]
    start = page.text.rfind("\n", max(0, place - NEARBY), place) + 1
    line = page.text[start : start + 8]
    behind = _SENTENCE_END.search(page.text, place, place + NEARBY)
    is_question = behind is not None and behind.group().startswith("?")
    return not line.startswith("    ") and not line.lstrip().startswith(("|", ">>>", "$")) and not is_question


def _around(page: _Page, verb: Verb, span: Span) -> Iterator[Fact]:
    subject = _speaker(page, span[0]) if "'" in verb.words[0].replace("’", "'") else _subject(page, span[0])
    if subject is None:
        return
    name, is_named = subject
    if verb.predicate in _PEOPLES and not is_named:
        return
    predicate, confidence = verb.predicate, 0.8 if is_named else 0.6
    for object in _objects(page, verb, span[1]):
        if object.lower() == name.lower():
            continue
        if predicate == "uses_no_more":
            yield _fact(page, (name, "uses", object), span, confidence).replace(
                valid_from=None, valid_until=page.said_at
            )
        else:
            yield _fact(page, (name, predicate, object), span, confidence)


def _fact(page: _Page, triple: tuple[str, str, str], span: Span, confidence: float) -> Fact:
    subject, predicate, object = triple
    start, end = page.prose.places[span[0]], page.prose.places[span[1] - 1]
    before = page.text[max(0, start - NEARBY) : start]
    begin = max((match.end() for match in _SENTENCE_END.finditer(before)), default=0)
    behind = _SENTENCE_END.search(page.text, end, end + NEARBY)
    stop = behind.start() if behind else end + NEARBY
    since, until = None, None
    for period in dates(before[begin:] + page.text[start:stop], said_at=page.said_at, most=1):
        since = period.first if period.sense in (IN, SINCE, AS_OF) else None
        until = period.until if period.sense == UNTIL else None
    return Fact(
        subject=subject,
        predicate=predicate,
        object=object,
        confidence=confidence,
        valid_from=since,
        valid_until=until,
    )


def _speaker(page: _Page, at: int) -> tuple[str, bool] | None:
    """ "I", or the actor, where a clause opens with it."""
    return (page.actor or "I", True) if _opens(page, at) else None


def _subject(page: _Page, verb: int) -> tuple[str, bool] | None:
    """The subject that ends right before the verb, and whether it is a name; `None` when it is not surely whole."""
    prose, at = page.prose, verb - 1
    if prose.gaps[verb] != " ":
        return None
    while at > 0 and prose.lower[at] in _ADVERBS and prose.gaps[at] == " ":
        at -= 1
    if at < 0 or prose.titled[at]:
        return None
    if prose.lower[at] == "i":
        return _speaker(page, at)
    if prose.lower[at] == "we":
        return ("we", True) if _opens(page, at) else None
    if prose.lower[at] in _NO_SUBJECTS:
        return None
    start = at + 1
    while start > 0 and at - start < 3 and _is_named(page, start - 1) and (start > at or prose.gaps[start] == " "):
        start -= 1
    if start > 0 and start <= at and prose.gaps[start] == " " and _begins_sentence(page, start - 1):
        start -= 1
    if start <= at:
        before = start - 1
        has_determiner = start > 0 and prose.gaps[start] == " " and prose.lower[before] in _DETERMINERS
        return (_said(page, (start, at + 1)), True) if _opens(page, before if has_determiner else start) else None
    if _begins_sentence(page, at):
        return _said(page, (at, at + 1)), False
    return _plain_subject(page, at)


def _begins_sentence(page: _Page, at: int) -> bool:
    """A capitalised word at the beginning of a sentence: a name perhaps, and surely a whole subject."""
    prose = page.prose
    word, lower = prose.words[at], prose.lower[at]
    is_plain = word[0].isupper() and "'" not in word.replace("’", "'") and lower not in STOP_WORDS
    return is_plain and lower not in _WORDLESS and _is_first(page, at)


def _is_first(page: _Page, at: int) -> bool:
    return at == 0 or (page.prose.gaps[at] == SENTENCE and page.prose.lower[at] not in known.NO_NAMES)


def _plain_subject(page: _Page, last: int) -> tuple[str, bool] | None:
    """ "the importer", "our nightly job": at most three small words behind a determiner that opens a clause."""
    prose = page.prose
    for start in range(last, max(last - 3, -1), -1):
        if prose.lower[start] in STOP_WORDS or prose.lower[start] in _MODALS or prose.gaps[start] != " " or start == 0:
            return None
        if prose.lower[start - 1] in ("the", "our", "my"):
            return (_said(page, (start, last + 1)), False) if _opens(page, start - 1) else None
    return None


def _opens(page: _Page, at: int) -> bool:
    """Whether a clause that states something begins with this word."""
    prose = page.prose
    if at == 0 or prose.gaps[at] in (SENTENCE, ":"):
        return True
    before = prose.lower[at - 1]
    if prose.gaps[at] == ",":
        return _sentence_opens_with_time(page, at)
    if prose.gaps[at] == CLAUSE:
        return page.text[: prose.places[at]].rstrip(" *_`")[-1:] in "\n-•;(" or prose.places[at] == 0
    return prose.gaps[at] == " " and before in _OPENING and not (before == "and" and _is_named(page, at - 2))


def _sentence_opens_with_time(page: _Page, at: int) -> bool:
    """ "In March, we ...", "Yesterday, we ...": a short beginning without a verb of its own."""
    prose, start = page.prose, at
    while start > 0 and at - start <= 4 and prose.gaps[start] not in (SENTENCE, CLAUSE):
        start -= 1
    words = prose.lower[start:at]
    return len(words) <= 4 and not {"if", "when", "unless", "once", "while", "for", "with"} & set(words)


def _is_named(page: _Page, at: int) -> bool:
    prose = page.prose
    if at < 0:
        return False
    word, lower = prose.words[at], prose.lower[at]
    if prose.ticked[at]:
        return "(" not in page.text[prose.places[at] : prose.places[at] + len(word) + 1] and len(word) > 1
    if lower in STOP_WORDS or lower in known.NO_NAMES or prose.gaps[at] == POSSESSIVE:
        return False
    if is_han_name(word) or any(len(phrase) == 1 and kind == "tools" for phrase, kind in KNOWN.get(lower, ())):
        return word[0].isupper() or lower not in known.CAPITALISED
    if not word[0].isupper():
        return False
    return prose.gaps[at] == " " or lower in page.proper or is_camel(word) or slug(word) in GIVEN


def _objects(page: _Page, verb: Verb, start: int) -> Iterator[str]:
    prose = page.prose
    if start >= len(prose.words) or prose.gaps[start] != " " or prose.titled[start]:
        return
    if verb.takes == CLAUSE_OBJECT:
        yield from _clause(page, start, alone=verb.predicate != "is")
        return
    at = start + (prose.lower[start] in _DETERMINERS)
    if verb.takes == PHRASE and at > start and prose.lower[start] in _POINTING and verb.predicate in _TASTES:
        return
    end = _end_of_object(page, at)
    if verb.takes == PHRASE and end == at:
        end = _end_of_phrase(page, at)
    while end > at:
        yield _said(page, (at, end))
        at = end + (prose.lower[end : end + 1] in (("and",), ("or",)))
        follows = at < len(prose.words) and (prose.gaps[end] == "," or at > end) and prose.gaps[at] in (" ", ",")
        end = _end_of_object(page, at) if follows else at


def _end_of_object(page: _Page, start: int) -> int:
    """Behind a name and the small nouns that belong to it: "Docker", "PostgreSQL advisory locks"."""
    prose, end = page.prose, start
    while end < len(prose.words) and end - start < 4 and _is_named(page, end) and _goes_on(prose, start, end):
        end += 1
    if end == start or (prose.ticked[start] and end > start + 1 and prose.ticked[start + 1]):
        return start
    nouns = end
    while nouns < len(prose.words) and nouns - end < 3 and _goes_on(prose, start, nouns) and _is_noun(prose, nouns):
        nouns += 1
    return nouns if nouns - end < 3 else start


def _end_of_phrase(page: _Page, start: int) -> int:
    prose, end = page.prose, start
    is_doing = prose.lower[start : start + 1] != () and prose.lower[start].endswith("ing")
    ending = _CLAUSE_ENDING | {"and", "or", "so", "too", "that", "it", "they"} if is_doing else _ENDING
    while end < len(prose.words) and _goes_on(prose, start, end) and prose.lower[end] not in ending:
        end += 1
    words = prose.lower[start:end]
    is_whole = 0 < len(words) <= LONGEST_PHRASE + 2 * is_doing and not set(words) & _WORDLESS
    return end if is_whole and prose.lower[end : end + 1] != ("to",) else start


def _goes_on(prose: Prose, start: int, at: int) -> bool:
    return at == start or prose.gaps[at] == " "


def _is_noun(prose: Prose, at: int) -> bool:
    lower = prose.lower[at]
    return lower not in _ENDING and lower not in STOP_WORDS and not lower.endswith("ly")


def _clause(page: _Page, start: int, *, alone: bool) -> Iterator[str]:
    """What was decided, or what something is: up to the end of the clause, if that is near."""
    prose, end = page.prose, start
    while end < len(prose.words) and (end == start or prose.gaps[end] in (" ", "/")):
        if alone and (prose.lower[end] in _CLAUSE_ENDING or (prose.lower[end] == "so" and end > start)):
            break
        end += 1
    if 2 - alone <= end - start <= LONGEST_CLAUSE and prose.lower[end - 1] not in _ENDING and _is_over(page, end):
        yield _said(page, (start, end))


def _is_over(page: _Page, end: int) -> bool:
    """Whether the clause really ends here: not in the middle of a list, a bracket or a word like "3.10+"."""
    prose = page.prose
    if end >= len(prose.words) or prose.gaps[end] == SENTENCE or prose.lower[end] in _CLAUSE_ENDING | {"so"}:
        return True
    if prose.gaps[end] == ",":
        return prose.lower[end] in _CLAUSE_ENDING | {"not", "so", "with", "and"} and prose.gaps[end + 1 : end + 3] != ()
    last = prose.places[end - 1] + len(prose.words[end - 1])
    return page.text[last : prose.places[end]].lstrip("`*_\"' ")[:1] in set(";:—–(.")


def _said(page: _Page, span: Span) -> str:
    """The words as written, without Markdown's marks."""
    last = span[1] - 1
    written = page.text[page.prose.places[span[0]] : page.prose.places[last] + len(page.prose.words[last])]
    return " ".join(_QUOTED.sub("", written).split())


def _chinese(page: _Page) -> Iterator[Fact]:
    if page.text.isascii():
        return
    for pattern, predicate in _CHINESE:
        for match in pattern.finditer(page.text):
            if _MODAL.search(page.text[max(0, match.start() - 4) : match.end() + 1]):
                continue
            subject = page.actor if page.actor and match[1] == "我" else match[1]
            yield Fact(subject=subject, predicate=predicate, object=match[2].strip(), confidence=0.6)

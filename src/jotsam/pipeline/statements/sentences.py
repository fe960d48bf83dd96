"""Sentences as lists of words that can be compared across languages. Pure; never raises."""

from __future__ import annotations

import re
from functools import cache

from jotsam.core.records import Record
from jotsam.pipeline.languages import UNSPACED, by_code, detect, either, spaced, united
from jotsam.pipeline.languages.language import names_of_days, numbered, table, words
from jotsam.pipeline.statements.words import HAN, WORD, compiled, is_cjk, is_japanese, plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.pipeline.languages.language import Language

MAX_SENTENCE = 240  # characters; a longer one is too long to be compared

_SPLIT = r"(?<=[.!?])\s+|(?<=[。！？])|\n+|;\s|；"
_ABBREVIATED = rf"\b(?:{'|'.join(map(re.escape, united('abbreviations')))})\.$"
_LEADING = r"^(?:[-*+•]\s+|\d+[.)]\s+|#{1,6}\s.*$)"
_ELISION = rf"\b({either('elisions')})'(?=\w)"
_CONTRACTIONS = tuple(found for one in spaced() for found in one.contractions)
_CHINESE, _JAPANESE = by_code("zh"), by_code("ja")
_ZH_CLASSES = table(_CHINESE.states)
_COUNTED = "年月日号點点時时分秒元円天个個人楼层階室台本週周回"
_UNIT = rf"[0-9][0-9.:]*(?:[{_COUNTED}]+[0-9]*)*(?<=[0-9{_COUNTED}])"
_ZH = (
    f"(?P<keep>{_CHINESE.kept})|"
    + "|".join(f"(?P<{name}>{forms})" for name, forms in _ZH_CLASSES.items())
    + rf"|(?P<function>{_CHINESE.function})|(?P<number>{_UNIT}|[a-z0-9][a-z0-9.:/_@+\-]*)|(?P<mark>[^\w])"
)
_JA = rf"{_UNIT}|[a-z0-9][a-z0-9.:/_@+\-]*|[\u30a1-\u30faー]+|[{HAN}]+|[\u3041-\u3096]+"
_JA_FUNCTION = words(_JAPANESE.function)
_ZH_DAY = r"(?:星期|礼拜|周)[一二三四五六日天]|[一二三四五六七八九十\d]+(?:月|日|号|点|點)|[月火水木金土日]曜"
_HAN_NUMBER = r"^[一二三四五六七八九十两]|^[百千万]+$"


_CLOSED = (*("function", "first_person", "group", "pronouns", "prepositions", "places", "negations", "indefinite"),)
FUNCTIONAL = frozenset(table(by_code("en").states)) - {"have"}  # verbs of states of which a subject has one at a time


@cache
def _closed(code: str) -> tuple[frozenset[str], ...]:
    """The closed classes of words of a language."""
    return tuple(words(getattr(by_code(code), field)) for field in _CLOSED)


@cache
def _classes(code: str) -> dict[str, str]:
    """The classes of its verbs of state."""
    return {verb: name for name, verbs in table(by_code(code).states).items() for verb in verbs.split()}


class Token(Record):
    """A content word of a sentence, or a verb of state."""

    word: str
    slot: int  # the number of prepositions before it
    before: str  # the preposition before it, or ""
    at: int  # where it begins
    is_name: bool = False  # written with a capital inside a sentence
    is_place: bool = False  # the preposition is one of places and times


class Sentence(Record):
    """A sentence as it is compared."""

    text: str
    tokens: tuple[Token, ...] = ()  # content words
    classes: frozenset[str] = frozenset()  # of its verbs of state
    verb_at: int = -1  # where its first verb of state begins, -1 without one
    person: str = ""  # "i", "we", "it" (any pronoun) or ""
    is_negative: bool = False
    code: str = "en"  # of its language

    def before_verb(self) -> tuple[Token, ...]:
        return tuple(token for token in self.tokens if token.at < self.verb_at) if self.verb_at >= 0 else ()


def split(text: str) -> list[str]:
    """The sentences of a text, without headings, code, quoted blocks and table rows."""
    found, is_code = [], False
    for line in text.split("\n"):
        stripped = line.strip()
        if stripped.startswith(("```", "~~~")):
            is_code = not is_code
        elif not is_code and stripped and stripped[0] not in ">|#" and not line.startswith(("    ", "\t")):
            for part in _parts(compiled(_LEADING).sub("", stripped)):
                sentence = part.strip(" *_.。!！")
                if 3 < len(sentence) <= MAX_SENTENCE:
                    found.append(sentence + ("?" if part.rstrip().endswith("?") else ""))
    return found


def _parts(line: str) -> list[str]:
    """The sentences of a line. The stop of an abbreviation ends none."""
    found: list[str] = []
    for part in compiled(_SPLIT).split(line):
        if found and found[-1].endswith(".") and compiled(_ABBREVIATED).search(found[-1]):
            found[-1] += f" {part}"
        else:
            found.append(part)
    return found


def code_of(sentence: str) -> str:
    """The language of a sentence."""
    if is_cjk(sentence):
        return "ja" if is_japanese(sentence) else "zh"
    return detect(WORD.findall(spell_out(plain(sentence)))).code


def read_sentence(text: str, code: str) -> Sentence:
    """The content words of a sentence, or of a part of one, its verbs of state and its person."""
    low = plain(text)
    if code in UNSPACED:
        return _japanese(text, low) if code == "ja" else _chinese(text, low)
    return _spaced(text, low, code)


def spell_out(low: str) -> str:
    """A sentence in its plain form, with contractions and elisions spelled out."""
    if "'" in low:
        low = compiled(_ELISION).sub(lambda match: match[1] + " ", low)
        for pattern, spelled in _CONTRACTIONS:
            low = compiled(pattern).sub(spelled, low)
    return low


def _spaced(text: str, low: str, code: str) -> Sentence:
    low = spell_out(low)
    original = text if len(low) == len(text) else low
    matches = list(WORD.finditer(low))
    function, first, group, pronouns, prepositions, places, negations, indefinite = _closed(code)
    states = _classes(code)
    tokens: list[Token] = []
    classes, verb_at, person, is_negative, slot, before = set(), -1, "", False, 0, ""
    for count, match in enumerate(matches):
        word = match[0]
        if word in first:
            person = person or "i"
        elif word in group or (word.endswith("mos") and len(word) > 5):
            person = person or "we"
        elif word in pronouns and not tokens:
            person = person or "it"
        if word in prepositions:
            slot, before = slot + 1, word
        is_negative = is_negative or word in negations
        if word in states:
            classes.add(states[word])
            verb_at = match.start() if verb_at < 0 else verb_at
        elif word not in function:
            is_vague = count > 0 and matches[count - 1][0] in indefinite
            is_name = count > 0 and original[match.start() : match.start() + 1].isupper()
            tokens.append(
                Token(
                    word=word,
                    slot=slot,
                    before=before,
                    at=match.start(),
                    is_name=is_name,
                    is_place=before in places and not is_vague,
                )
            )
    return Sentence(
        text=text,
        tokens=tuple(tokens),
        classes=frozenset(classes),
        verb_at=verb_at,
        person=person,
        is_negative=is_negative,
        code=code,
    )


def _chinese(text: str, low: str) -> Sentence:
    tokens: list[Token] = []
    classes, verb_at, start = set(), -1, 0

    def add(begin: int, end: int) -> None:
        word = low[begin:end]
        if word.strip():
            tokens.append(Token(word=word, slot=0, before="", at=begin))

    for match in compiled(_ZH).finditer(low):
        if match.lastgroup == "keep":
            continue
        add(start, match.start())
        start = match.end()
        if match.lastgroup == "number":
            add(match.start(), match.end())
        elif match.lastgroup in _ZH_CLASSES:
            classes.add(match.lastgroup)
            verb_at = match.start() if verb_at < 0 else verb_at
        elif match[0] == "在":
            verb_at = match.start() if verb_at < 0 else verb_at
            classes.add("be")
    add(start, len(low))
    return _unspaced(text, low, tokens, classes, verb_at, _CHINESE)


def _japanese(text: str, low: str) -> Sentence:
    tokens: list[Token] = []
    classes, verb_at = {"be"}, -1
    for match in compiled(_JA).finditer(low):
        word = match[0]
        if word in _classes("ja"):
            classes.add(_classes("ja")[word])
        elif "\u3041" <= word[0] <= "\u3096":
            if verb_at < 0 and tokens and word[0] in "はがを":
                verb_at = match.start()
        elif word not in _JA_FUNCTION:
            tokens.append(Token(word=word, slot=0, before="", at=match.start()))
    if len(classes) > 1:
        classes.discard("be")
    return _unspaced(text, low, tokens, classes, verb_at, _JAPANESE)


def _unspaced(text: str, low: str, tokens: list[Token], classes: set[str], verb_at: int, own: Language) -> Sentence:
    return Sentence(
        text=text,
        tokens=tuple(tokens),
        classes=frozenset(classes),
        verb_at=verb_at,
        person=_person(low, own),
        is_negative=re.search(own.negations, low) is not None,
        code=own.code,
    )


def _person(low: str, own: Language) -> str:
    if any(word in low for word in own.group.split()):
        return "we"
    if any(word in low for word in own.first_person.split()):
        return "i"
    return "it" if low.startswith((*own.pronouns.split(),)) else ""


@cache
def _days() -> frozenset[str]:
    """The names of days, months and times of a day, without abbreviations, which may be other words."""
    found = united("day_parts")
    for one in spaced():
        found = found.union(map(plain, names_of_days(one)), (f"{plain(day)}s" for day in numbered(one.weekdays)))
    return found


@cache
def _numbers() -> frozenset[str]:
    named = {plain(word) for one in spaced() for word in numbered(one.numbers) if word not in one.articles.split()}
    return united("more_numbers").union(named)


def kind(word: str) -> str:
    """The sort of a value: number, day or word."""
    if word in _days() or compiled(_ZH_DAY).search(word):
        return "day"
    if any(map(str.isdigit, word)) or word in _numbers() or compiled(_HAN_NUMBER).match(word) or word in "€$£":
        return "number"
    return "word"

"""Sentences as lists of words that can be compared across languages. Pure; never raises."""

from __future__ import annotations

import re
import unicodedata

from jotsam.core.records import Record
from jotsam.pipeline.changes.languages import language_of, words
from jotsam.pipeline.changes.vocabulary import DAYS, NUMBERS

MAX_CHARACTERS_KEPT = 4_096
MAX_SENTENCE = 240  # characters; a longer one is too long to be compared

_HAN = "々\u3400-\u4dbf\u4e00-\u9fff"
_KANA = "\u3041-\u30ff"
_IS_CJK = re.compile(f"[{_HAN}{_KANA}]")
_IS_KANA = re.compile(f"[{_KANA}]")
_ABBREVIATIONS = (
    *("Dr", "Mr", "Ms", "St", "No", "Nr", "vs", "ca", "cf", "Sr", "Av", "Jr", "Mrs", "Sra", "Dra", "Mme", "bzw"),
    *("Prof", "approx", "e.g", "i.e", "z.B", "p.ej", "d.h"),
)
_SPLIT = re.compile(
    r"(?<=[.!?])"  # first, because the rest takes longer
    + "".join(rf"(?<!\b{re.escape(word)}\.)" for word in _ABBREVIATIONS)
    + r"\s+|(?<=[。！？])|\n+|;\s|；"
)
_LEADING = re.compile(r"^(?:[-*+•]\s+|\d+[.)]\s+|#{1,6}\s.*$)")
_WORD = re.compile(r"[^\W_]+(?:[.:/@_+\-][^\W_]+)*\+*|[€$£]")
_ELISION = re.compile(r"\b(l|d|qu|n|j|s|c|m|t|jusqu)'(?=\w)")
_CONTRACTIONS = (
    (re.compile(r"\bcan't\b"), "cannot"),
    (re.compile(r"n't\b"), " not"),
    (re.compile(r"'(?:re|m)\b"), " is"),
    (re.compile(r"\b(it|he|she|that|there)'s\b"), r"\1 is"),
    (re.compile(r"'(?:ve|d)\b"), " have"),
    (re.compile(r"'ll\b"), " will"),
    (re.compile(r"'s?(?=\s|$)"), ""),
)
_INDEFINITE = frozenset(("a", "an", "ein", "eine", "einem", "einer", "einen", "un", "une", "una"))
_ENDINGS = frozenset(("", "s", "es", "e", "en", "n", "ern", "ed", "d", "ing", "nen"))
_VERB_ENDINGS = frozenset(("e", "es", "ed", "ing"))
_ZH_KEEP = "用户|费用|应用|作用|信用|备用|通用|专用|在线|工作日|工作区|为主"
_ZH_CLASSES = {
    "use": "使用|采用|选用|用", "live": "居住|住", "work": "工作|任职|就职|上班",
    "run": "运行|部署|托管|存放|存储|保存",
    "cost": "售价|价格是|花费", "time": "开始|结束|举行|召开|开门|关门|营业", "lead": "负责|领导|管理|主管|带领",
    "name": "叫做|名叫|称为|叫", "be": "是|为", "have": "拥有|具有|有",
}  # fmt: skip
_ZH_FUNCTION = (
    "我们的|我们|我的|我|他们的?|她们的?|它们的?|他的?|她的?|它的?|现在|目前|如今|已经|已|今天起|即日起|从今天|从|到|在|于|的|了|把|被|将|和|与"
    "|每个|这个|那个|不再|不|没有|着|里|上|由|给|对|向|其实|实际上|而是|而非|都|之|至"
)
_COUNTED = "年月日号點点時时分秒元円天个個人楼层階室台本週周回"
_UNIT = rf"[0-9][0-9.:]*(?:[{_COUNTED}]+[0-9]*)*(?<=[0-9{_COUNTED}])"
_ZH = re.compile(
    f"(?P<keep>{_ZH_KEEP})|"
    + "|".join(f"(?P<{name}>{forms})" for name, forms in _ZH_CLASSES.items())
    + rf"|(?P<function>{_ZH_FUNCTION})|(?P<number>{_UNIT}|[a-z0-9][a-z0-9.:/_@+\-]*)|(?P<mark>[^\w])"
)
_JA = re.compile(rf"{_UNIT}|[a-z0-9][a-z0-9.:/_@+\-]*|[\u30a1-\u30faー]+|[{_HAN}]+|[\u3041-\u3096]+")
_JA_CLASSES = {
    "使用": "use", "利用": "use", "使": "use", "採用": "use", "住": "live", "在住": "live", "勤務": "work",
    "働": "work",
    "稼働": "run", "動作": "run", "動": "run", "保存": "run", "開始": "time", "始": "time",
    "終了": "time", "開催": "time", "行": "time", "担当": "lead", "管理": "lead", "責任者": "lead", "呼": "name",
}  # fmt: skip
_JA_FUNCTION = words("私 私達 私達 我々 弊社 今 現在 本日 今日 以降 僕 俺 彼 彼女 皆 変更 実際 方 様 毎")
_ZH_DAY = re.compile(
    r"(?:星期|礼拜|周)[一二三四五六日天]|[一二三四五六七八九十\d]+(?:月|日|号|点|點)|[月火水木金土日]曜"
)
_HAN_NUMBER = re.compile(r"^[一二三四五六七八九十百千万两]+")


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

    def before_verb(self) -> tuple[Token, ...]:
        return tuple(token for token in self.tokens if token.at < self.verb_at) if self.verb_at >= 0 else ()


def plain(text: str) -> str:
    """Lower case without diacritics, of the same length."""
    if text.isascii():
        return text.lower()
    return text.translate(_PLAIN_CHARACTERS)


def _plain_character(character: str) -> str:
    if character < "\x80":
        return character.lower()
    if character == "’":
        return "'"
    if character in "àÀ":
        return "à"  # a preposition, unlike "a"
    base = character if _IS_KANA.match(character) else unicodedata.normalize("NFKD", character)[:1]
    lower = (base or character).lower()
    return lower if len(lower) == 1 else character


class _PlainCharacters(dict[int, str]):
    """The plain form of each character that was met."""

    def __missing__(self, point: int) -> str:
        if len(self) >= MAX_CHARACTERS_KEPT:
            self.clear()
        plain = self[point] = _plain_character(chr(point))
        return plain


_PLAIN_CHARACTERS = _PlainCharacters()


def is_cjk(text: str) -> bool:
    return not text.isascii() and _IS_CJK.search(text) is not None


def split(text: str) -> list[str]:
    """The sentences of a text, without headings, code, quoted blocks and table rows."""
    found, is_code = [], False
    for line in text.split("\n"):
        stripped = line.strip()
        if stripped.startswith(("```", "~~~")):
            is_code = not is_code
        elif not is_code and stripped and stripped[0] not in ">|#" and not line.startswith(("    ", "\t")):
            for part in _SPLIT.split(_LEADING.sub("", stripped)):
                sentence = part.strip(" *_.。!！")
                if 3 < len(sentence) <= MAX_SENTENCE:
                    found.append(sentence + ("?" if part.rstrip().endswith("?") else ""))
    return found


def read(text: str, *, whole: str = "") -> Sentence:
    """The content words of a sentence, its verbs of state and its person. `whole` is what it is a part of."""
    low = plain(text)
    if is_cjk(whole or text):
        return _japanese(text, low) if is_japanese(whole or text) else _chinese(text, low)
    return _spaced(text, low, plain(whole))


def is_japanese(text: str) -> bool:
    return _IS_KANA.search(text) is not None


def spell_out(low: str) -> str:
    """A sentence in its plain form, with contractions and elisions spelled out."""
    if "'" in low:
        low = _ELISION.sub(lambda match: match[1] + " ", low)
        for pattern, spelled in _CONTRACTIONS:
            low = pattern.sub(spelled, low)
    return low


def _spaced(text: str, low: str, whole: str) -> Sentence:
    low = spell_out(low)
    original = text if len(low) == len(text) else low
    matches = list(_WORD.finditer(low))
    language = language_of(_WORD.findall(whole) if whole else [match[0] for match in matches])
    tokens: list[Token] = []
    classes, verb_at, person, is_negative, slot, before = set(), -1, "", False, 0, ""
    for count, match in enumerate(matches):
        word = match[0]
        if word in language.first:
            person = person or "i"
        elif word in language.plural or (word.endswith("mos") and len(word) > 5):
            person = person or "we"
        elif word in language.pronouns and not tokens:
            person = person or "it"
        if word in language.prepositions:
            slot, before = slot + 1, word
        is_negative = is_negative or word in language.negations
        if word in language.classes:
            classes.add(language.classes[word])
            verb_at = match.start() if verb_at < 0 else verb_at
        elif word not in language.function:
            is_vague = count > 0 and matches[count - 1][0] in _INDEFINITE
            is_name = count > 0 and original[match.start() : match.start() + 1].isupper()
            tokens.append(
                Token(
                    word=word,
                    slot=slot,
                    before=before,
                    at=match.start(),
                    is_name=is_name,
                    is_place=before in language.places and not is_vague,
                )
            )
    return Sentence(
        text=text,
        tokens=tuple(tokens),
        classes=frozenset(classes),
        verb_at=verb_at,
        person=person,
        is_negative=is_negative,
    )


def _chinese(text: str, low: str) -> Sentence:
    tokens: list[Token] = []
    classes, verb_at, start = set(), -1, 0

    def add(begin: int, end: int) -> None:
        word = low[begin:end]
        if word.strip():
            tokens.append(Token(word=word, slot=0, before="", at=begin))

    for match in _ZH.finditer(low):
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
    person = "we" if "我们" in low else "i" if "我" in low else "it" if re.match("[他她它]", low) else ""
    is_negative = re.search("不|没有", low) is not None
    return Sentence(
        text=text,
        tokens=tuple(tokens),
        classes=frozenset(classes),
        verb_at=verb_at,
        person=person,
        is_negative=is_negative,
    )


def _japanese(text: str, low: str) -> Sentence:
    tokens: list[Token] = []
    classes, verb_at = {"be"}, -1
    for match in _JA.finditer(low):
        word = match[0]
        if word in _JA_CLASSES:
            classes.add(_JA_CLASSES[word])
        elif "\u3041" <= word[0] <= "\u3096":
            if verb_at < 0 and tokens and word[0] in "はがを":
                verb_at = match.start()
        elif word not in _JA_FUNCTION:
            tokens.append(Token(word=word, slot=0, before="", at=match.start()))
    person = (
        "we"
        if re.search("私たち|我々|弊社", low)
        else "i"
        if re.match("私|僕|俺", low)
        else "it"
        if re.match("彼", low)
        else ""
    )
    is_negative = re.search("ない|ません|なかった", low) is not None
    if len(classes) > 1:
        classes.discard("be")
    return Sentence(
        text=text,
        tokens=tuple(tokens),
        classes=frozenset(classes),
        verb_at=verb_at,
        person=person,
        is_negative=is_negative,
    )


def same(one: str, other: str) -> bool:
    """Whether two words are forms of one word."""
    if one == other:
        return True
    if one[:3] != other[:3] or min(len(one), len(other)) < 4 or any(map(str.isdigit, one + other)):
        return False
    return _same_stem(one, other)


def _same_stem(one: str, other: str) -> bool:
    common = 0
    for mine, theirs in zip(one, other, strict=False):
        if mine != theirs:
            break
        common += 1
    endings = one[common:], other[common:]
    return (common >= 4 and _ENDINGS.issuperset(endings)) or (common == 3 and _VERB_ENDINGS.issuperset(endings))


def kind(word: str) -> str:
    """The sort of a value: number, day or word."""
    if word in DAYS or _ZH_DAY.search(word):
        return "day"
    if any(map(str.isdigit, word)) or word in NUMBERS or _HAN_NUMBER.match(word) or word in "€$£":
        return "number"
    return "word"

"""Whether two texts say the same: the same words in the same order, apart from case, punctuation and a few fillers.

Pure. In doubt they do not: texts that differ in one word may mean the opposite, and no rule can tell. So a number, a
name, a date or a negation that differs keeps them apart, and so does a word that no list knows.
"""

from __future__ import annotations

import re
import unicodedata

from jotsam.core.records import Record
from jotsam.pipeline.statements.compare import differ
from jotsam.pipeline.statements.read import read_statements

MIN_WORDS, MIN_TURN_WORDS = 4, 6  # "Sounds good, thanks!" is said again and again
MAX_CHARACTERS = 8_000
DAY_MS = 86_400_000

_TOKEN = re.compile(
    r"(?<![\w.])[-+](?=\d)|[\u2190-\u2bff\U0001f300-\U0001faff]|\d+(?:[.,:/-]\d+)*|[^\W\d_]+(?:\+\+|#)?|[<>=!]=|[<>=%$€£@&|~^\\/+]|(?<=\s)--?(?=\w)"
)
_CONTRACTIONS = (
    (re.compile(r"\bcan(?:no|'|no')t\b"), "can not"),
    (re.compile(r"\bwon't\b"), "will not"),
    (re.compile(r"n't\b"), " not"),
    (re.compile(r"\b(it|that|there|what|where|who|he|she|here)'s\b"), r"\1 is"),
    (re.compile(r"\b(i)'m\b"), r"\1 am"),
    (re.compile(r"\b(\w+)'re\b"), r"\1 are"),
    (re.compile(r"\b(\w+)'ve\b"), r"\1 have"),
    (re.compile(r"\b(\w+)'ll\b"), r"\1 will"),
)
_LABEL = re.compile(r"^\W*(?:note|remember|reminder|fyi|info|btw)(?:\s+that)?\s*[:,]\s*|^remember that\s+")
_FILLERS = frozenset(("a", "an", "the", "please", "also"))
# Words whose place decides what they deny or limit, so that the order of the parts matters.
_PLACED = frozenset(
    """
    not no never none without if unless else otherwise but than except only nicht kein keine nie wenn sonst aber ne
    pas jamais si sinon mais nunca sin sino pero
    """.split()  # noqa: SIM905 - a list of quoted words is harder to read
)
_PERSONAL = frozenset(
    """
    i me my mine myself you your yours yourself ich mich mir mein meine du dich dir dein deine sie ihr je moi mon ma
    mes tu toi ton ta tes vous votre yo mi mis usted tus
    """.split()  # noqa: SIM905 - a list of quoted words is harder to read
)
# A text that begins so speaks of what was said before it, and one that ends with a colon of what follows.
_POINTING = frozenset(
    """
    this that these those it they he she here there such dies diese dieser dieses das es er ce cette cela ceci il elle
    ils esto esta este eso ese esa
    """.split()  # noqa: SIM905 - a list of quoted words is harder to read
)
_HEADING = re.compile(r"\s*(?:#{1,6} [^\n]*|[^\n]*\n([-=~^*])\1{2,})\s*$")
_RELATIVE = frozenset(
    """
    today yesterday tomorrow tonight now currently ago last next this just recently soon already still again earlier
    later morning afternoon evening monday tuesday wednesday thursday friday saturday sunday heute gestern morgen
    jetzt gerade letzte letzten letzter naechste diese dieser bald schon hier demain maintenant hui dernier
    prochaine hoy ayer manana ahora pasado proximo
    """.split()  # noqa: SIM905 - a list of quoted words is harder to read
)
_RELATIVE_UNSPACED = ("今", "昨", "明日", "明天", "刚", "先週", "来週", "上周", "下周", "上个", "下个", "现在")
_PERSONAL_UNSPACED = ("我", "你", "您", "私", "僕", "俺", "あなた")
# In code, a command or a table each sign counts.
_CODE = re.compile(r"```|[{}\\;=<>|\[\]]|\w\(|(?:^|[\s'\"`])--?\w?")
_CAPITAL_WORDS = frozenset(("US", "IT", "WHO", "AM"))  # other words than in lower case
_WORD = re.compile(r"[^\W_]+")


class Saying(Record):
    """A text, who said it, and when."""

    text: str
    actor: str | None = None
    session: str | None = None
    at: int = 0  # milliseconds


def words_of_saying(text: str) -> tuple[str, ...]:
    """The words of a text that must be equal in another one. A character of a script without spaces is one."""
    folded = " ".join(
        word if word.strip(".,;:!?()\"'") in _CAPITAL_WORDS else word.lower()
        for word in unicodedata.normalize("NFKC", text[: MAX_CHARACTERS + 1]).replace("’", "'").split()
    )
    folded = _LABEL.sub("", folded)
    for pattern, whole in _CONTRACTIONS:
        folded = pattern.sub(whole, folded)
    found: list[str] = []
    for token in _TOKEN.findall(folded):
        if not token.isascii() and token[0] >= "\u0e01" and token.isalpha():
            found += token
        elif token not in _FILLERS:
            found.append(token)
    return tuple(found)


def says_the_same(one: Saying, other: Saying) -> bool:
    """Whether one of two texts is enough. Questions, turns of two people in one session, and short ones are not."""
    if max(len(one.text), len(other.text)) > MAX_CHARACTERS or "?" in one.text + other.text:
        return False
    if "？" in one.text + other.text or (one.session is not None and _is_answer(one, other)):
        return False
    is_code = _CODE.search(one.text) or _CODE.search(other.text)
    if is_code and one.text.split() != other.text.split():
        return False
    mine, theirs = words_of_saying(one.text), words_of_saying(other.text)
    least = MIN_WORDS if one.session is None and other.session is None else MIN_TURN_WORDS
    if len(mine) < least or not _are_equal(mine, theirs) or _needs_its_place(one.text, mine):
        return False
    if one.actor != other.actor and _speaks_of(one.text, _PERSONAL, _PERSONAL_UNSPACED):
        return False
    if one.at // DAY_MS != other.at // DAY_MS and _is_of_its_day(one.text):
        return False
    return not _contradict(one.text, other.text)


def _is_answer(one: Saying, other: Saying) -> bool:
    """Whether two people said them in one session."""
    return one.session == other.session and one.actor != other.actor


def _needs_its_place(text: str, words: tuple[str, ...]) -> bool:
    """Whether what it speaks of is in the texts beside it."""
    return words[0] in _POINTING or text.rstrip().endswith((":", "：")) or _HEADING.match(text) is not None


def _are_equal(mine: tuple[str, ...], theirs: tuple[str, ...]) -> bool:
    """Whether the words are equal, or one part of the sentence was moved: "On Fridays we deploy."."""
    if mine == theirs:
        return True
    if len(mine) != len(theirs) or not _PLACED.isdisjoint(mine):
        return False
    twice = mine + mine
    return any(twice[at : at + len(mine)] == theirs for at in range(1, len(mine)) if mine[at] == theirs[0])


def _speaks_of(text: str, words: frozenset[str], unspaced: tuple[str, ...]) -> bool:
    plain = unicodedata.normalize("NFKD", text.lower())
    plain = "".join(sign for sign in plain if not unicodedata.combining(sign))
    return not words.isdisjoint(_WORD.findall(plain)) or any(sign in text for sign in unspaced)


def _is_of_its_day(text: str) -> bool:
    """Whether it means another time when it is said on another day, or is a reading of a moment."""
    if _speaks_of(text, _RELATIVE, _RELATIVE_UNSPACED):
        return True
    return any(one.measured for one in read_statements(text))


def _contradict(one: str, other: str) -> bool:
    theirs = read_statements(other)
    return any(differ(mine, their) for mine in read_statements(one) for their in theirs)

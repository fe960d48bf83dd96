"""From a question to what the index is asked: words, phrases, pairs of characters, and perhaps an id.

Pure. A term is letters, digits and spaces, so nothing that somebody types is ever an operator of an index: what can be
asked is a matter of this room, and not of the question. It must not know what is stored, which database stores it, nor
how good a match is.

Two kinds of script are asked differently. Words between spaces are asked as they are. Scripts without spaces are asked
by pairs of characters, as `pipeline.words.bigrams` makes them for the index. Of many pairs one is shared by accident:
see `_shares` for how many must be there.
"""

from __future__ import annotations

import re
from itertools import groupby

from jotsam.core.answers import Terms
from jotsam.core.records import Record
from jotsam.pipeline.text.words import STOP_WORDS, bigrams
from jotsam.retrieval.question.inflections import forms
from jotsam.retrieval.question.intent import content

MOST_TERMS = 64
LONGEST_WORD = 40
LONGEST_PHRASE = 12
MOST_PHRASES = 4
SHORTEST_ID = 8
ENOUGH = 100
FEW_GRAMS = 3
GRAMS_PER_SHARE = 5

_QUOTED = re.compile(r"\"([^\"]{2,400})\"|“([^”]{2,400})”|「([^」]{2,400})」|«([^»]{2,400})»")
_HEX = re.compile(r"[0-9a-f]{4,8}(?:-?[0-9a-f]{1,4}){0,8}")
_UUID_DIGITS = 32

# The first alternatives are words that only look as if they held a function word, and stay.
_FUNCTION_WORDS = re.compile(
    "(目的|现在|存在|在线|在内|有效|有限|所有|拥有|只有|具有|有关|了解|就绪|成就|参与|其他|自我|和平|也许|很多|的确|是非|他人|在庫|在宅|有料|有名)"
    "|为什么|什么时候|是什么|什么|怎么样|怎么|怎样|如何|哪里|哪个|哪些|哪儿|哪|多少|是不是|有没有|没有|是否|可以|应该|能否"
    "|我们|你们|他们|她们|它们|咱们|大家|一个|一些|这个|那个|这些|那些|这里|那里|关于|以及|还是|或者|因为|所以|请问|告诉"
    "|[的了吗呢吧啊呀嘛我你您他她它们是在和与或这那有就都也很被把谁]"
    "|について|どのように|どうして|どうやって|どこ|どれ|どの|なぜ|なに|何を|何が|ですか|ますか|ました|ません|でした|です|ます|ください"
    "|から|まで|より|など|という|とは|ある|あり|いる|した|して|する|これ|それ|この|その|[はがをにのでともかへや]"
)


class Parsed(Record):
    """A question as the index understands it. With an empty `text` nothing is asked."""

    text: str  # the question; "" when nothing is asked
    terms: Terms
    words: tuple[str, ...]  # what an excerpt should show: lower-cased words and pairs of characters
    quoted: tuple[Terms, ...]  # what stands in quotes, and is wanted as it stands there
    ids: tuple[str, ...]  # UUIDs, or beginnings of UUIDs, in canonical form


def parse(question: str) -> Parsed:
    """Read a question of any length in any script. Never raises.

    Nothing is asked with words that carry grammar alone, unless they stand in quotes, nor with those that only ask for
    the latest.
    """
    text = question.strip()
    meant = content(text)
    unspaced = frozenset() if meant.isascii() else frozenset(c for c in set(meant) if bigrams(c))
    phrases = [next(filter(None, found)) for found in _QUOTED.findall(meant)]
    spaced = "".join([" " if c in unspaced else c for c in meant]) if unspaced else meant
    terms, words = _terms(spaced, phrases, unspaced)
    runs = "".join([c if c in unspaced else " " for c in meant]) if unspaced else ""
    grams = _grams(runs)
    return Parsed(
        text=text if terms or grams else "",
        terms=Terms(words=tuple(terms), grams=tuple(grams), shares=_shares(grams, runs.split())),
        words=(*words, *grams),
        quoted=tuple(filter(None, map(_quoted, phrases[:MOST_PHRASES]))),
        ids=_ids(text),
    )


def as_uuid(text: str) -> str | None:
    """A UUID or the beginning of one, at least 4 digits, in canonical form; None for anything else."""
    text = text.strip().lower()
    digits = text.replace("-", "")
    if len(digits) > _UUID_DIGITS or not _HEX.fullmatch(text):
        return None
    parts = (digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:])
    return "-".join(part for part in parts if part)


def _terms(text: str, phrases: list[str], unspaced: frozenset[str]) -> tuple[list[str], list[str]]:
    """Words and phrases for the index, and the words alone.

    What is written as one piece, as `foo_bar.py` or a path, is asked as a phrase and by its parts; of its parts those
    of one letter say nothing alone.
    """
    words: list[str] = []
    compounds: list[str] = []
    for piece in text.lower().split():
        parts = split(piece)
        meant = [part for part in parts if part not in STOP_WORDS]
        words += [part for part in meant if len(part) > 1 or len(meant) == 1]
        if len(meant) > 1:
            compounds.append(" ".join(parts[:LONGEST_PHRASE]))
    words = _most_useful(words)
    asked = [" ".join(split(phrase.lower())) for phrase in phrases if not unspaced.intersection(phrase)]
    several = [phrase for phrase in asked if " " in phrase or phrase in STOP_WORDS]
    words = list(dict.fromkeys(form for word in words for form in (word, *forms(word))))
    return list(dict.fromkeys([*words, *several, *compounds]))[:MOST_TERMS], words


def _quoted(phrase: str) -> Terms | None:
    """A phrase whole: its words one after the other, or all of its pairs of characters; None for one of both."""
    pairs = bigrams(phrase).split()[: ENOUGH // 2]
    words = split("".join(" " if bigrams(c) else c for c in phrase).lower())
    if pairs and words:
        return None
    if words:
        return Terms(words=(" ".join(words),))
    return Terms(grams=tuple(pairs), shares=(-(-ENOUGH // len(pairs)),) * len(pairs)) if pairs else None


def split(text: str) -> list[str]:
    """Runs of letters and digits of any script, as the index cuts them; `_` is no letter there.

    A mark that the index takes for a border can only turn a word into a phrase there.
    """
    return ["".join(run) for is_word, run in groupby(text, _is_word) if is_word]


def _is_word(character: str) -> bool:
    return character.isalnum() or "\u0300" <= character <= "\u036f"


def _most_useful(words: list[str]) -> list[str]:
    """At most 64, in the order they were asked.

    A question stands at the beginning of what is pasted below it; of the rest the long words tell most, up to the
    length where they are no words any more.
    """
    distinct = list(dict.fromkeys(words))
    if len(distinct) <= MOST_TERMS:
        return distinct
    first, rest = distinct[: MOST_TERMS // 2], distinct[MOST_TERMS // 2 :]
    rest.sort(key=lambda word: -len(word) if len(word) <= LONGEST_WORD else 0)
    kept = {*first, *rest[: MOST_TERMS // 2]}
    return [word for word in distinct if word in kept]


def _grams(text: str) -> list[str]:
    """Distinct pairs of the question without its function words."""
    pairs = bigrams(_FUNCTION_WORDS.sub(lambda found: found[1] or " ", text)).split()
    return list(dict.fromkeys(pairs))[:MOST_TERMS]


def _shares(grams: list[str], apart: list[str]) -> tuple[int, ...]:
    """How much each pair weighs towards a match, in percent; none where any one will do.

    Of up to three pairs any one will do, of more at least two, and one in five: a memory that shares a single pair
    with a long question shares it by accident. What the asker set apart is a match by itself: two characters between
    spaces, as a word in a script with spaces is.
    """
    if len(grams) <= FEW_GRAMS:
        return ()
    least = max(2, -(-len(grams) // GRAMS_PER_SHARE))
    share = -(-ENOUGH // least)
    return tuple(ENOUGH if gram in apart else share for gram in grams)


def _ids(text: str) -> tuple[str, ...]:
    """What may be a UUID, or as much of one as an answer shows: eight digits or more."""
    found = (as_uuid(word.strip(".,;:!?()[]'\"`")) for word in text.split()[:MOST_TERMS])
    return tuple(dict.fromkeys(id for id in found if id and len(id) >= SHORTEST_ID))

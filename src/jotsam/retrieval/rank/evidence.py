"""Evidence: which part of what a question asks for a result contains, from 0 to 1, and what no result speaks of.

The score of a result is relative: some result is always the best. Evidence is absolute: the sum of the rarity of those
words of the question that the result contains, divided by the sum for all words. A word that no candidate contains
counts by what it is. A name counts double, because nothing else can replace it. A common word counts little, because
the answer may use another one for it.

Pure, but for the list of common words.
"""

from __future__ import annotations

from math import log

from jotsam.core.records import Record
from jotsam.pipeline.languages.en import LANGUAGE, STOP_WORDS
from jotsam.pipeline.languages.language import numbered, table, words
from jotsam.pipeline.text.words import spell_out
from jotsam.retrieval.question.stems import ENDINGS, fold, irregular_forms, stems
from jotsam.retrieval.question.trivial_prompt import fillers
from jotsam.retrieval.rank.common_words import is_common

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

NAME, UNUSUAL, COMMON, OTHER = "name", "unusual", "common", "other"  # other: of another language than English
UNKNOWN = {NAME: 2.0, UNUSUAL: 1.5, COMMON: 0.3, OTHER: 0.3}  # weight of a word that no candidate contains
FILLER = 0.3  # weight of a word that carries no subject
ENOUGH = 0.5  # evidence with which an unknown name does not matter
MUCH = 0.7  # evidence with which unknown common words do not matter
MOST_UNKNOWN = 0.35  # of the rarity of the words; with more, and without a name, nothing is found
MANY_TEXTS = 100  # in fewer a single common word is missing by coincidence
MIN_ENGLISH = 4  # letters of a word that shows the language
DERIVED = ("ship", "hood", "ness", "ial", "ism", "ist", "ful", "al")  # endings of words made of others
MIN_ROOT = 5  # letters before such an ending
MIN_SINGLE = 4  # letters of a stem whose last letter is double
MIN_SHORT, CUT_OFF = 6, 2  # letters of a short form of a name, and those it may lack: "Postgres"
BETWEEN = "\x00"  # texts that are searched together; in no word
MAX_BODY = 8_000  # characters of a text in which words are looked for
ENGLISH = words(LANGUAGE.unambiguous)
ASKING = words("is are does did how what which who whose why when where")  # at the start of a question
_UNITS = table(LANGUAGE.units)
# Words that name a time, or a part of its name.
TIMES = words(f"past quarter early late {LANGUAGE.times} {LANGUAGE.day_parts}")
TIMES |= {*numbered(LANGUAGE.months), *numbered(LANGUAGE.weekdays)}
TIMES |= words(" ".join(_UNITS[name] for name in ("day", "week", "month", "year")))


class Word(Record):
    """A word of a question."""

    text: str  # folded
    written: str  # as in the question
    stems: tuple[str, ...]  # its stem, and those of its irregular forms
    texts: int  # that contain it
    number: int  # of all texts
    rarity: float
    kind: str = COMMON
    is_known: bool = True  # some candidate contains it
    is_filler: bool = False  # it carries no subject
    beginning: str = ""  # of all its forms: a text without these letters does not contain it

    @property
    def weight(self) -> float:
        return self.rarity * (1 if self.is_known else UNKNOWN[self.kind])


def question_words(text: str, words: Iterable[str], counts: Mapping[str, int], number: int) -> tuple[Word, ...]:
    """The words of a question with what they are, given how many of a number of texts contain each."""
    found: dict[frozenset[str], Word] = {}
    english = is_english(text)
    lower, without_subject = text.lower(), fillers(text)
    for word in words:
        forms = frozenset((word, *irregular_forms(word)))
        if word in STOP_WORDS or forms in found:
            continue
        texts = min(number, max(counts.get(form, 0) for form in forms))
        rarity = log(1 + (number - texts + 0.5) / (texts + 0.5))
        at = lower.find(word) if len(lower) == len(text) else -1
        kind = COMMON if word in without_subject else _kind(text, word, at, english)
        folded, of_forms = fold(spell_out(word)), _with_single((*stems(sorted(forms)), *_roots(word)))
        found[forms] = Word(
            text=folded,
            written=text[at : at + len(word)] if at >= 0 else word,
            stems=of_forms,
            texts=texts,
            number=number,
            rarity=rarity * (FILLER if word in without_subject else 1),
            is_filler=word in without_subject,
            kind=kind,
            beginning=_short(folded) if kind == NAME else _beginning((folded, *of_forms)),
        )
    return tuple(found.values())


def is_english(text: str) -> bool:
    """Whether a text asks in English, has an English function word, or half of its words on the list.

    In another language neither a capital nor the list shows what a word is.
    """
    words = [word for word in "".join(c if c.isalnum() else " " for c in text.lower()).split() if word.isalpha()]
    long = [word for word in words if len(word) >= MIN_ENGLISH]
    if words and (words[0] in ASKING or not ENGLISH.isdisjoint(words)):
        return True
    return 2 * sum(map(is_common, long)) >= len(long) > 0


def _kind(text: str, word: str, at: int, english: bool) -> str:
    """Whether a word of the question, by its place there, is a name, a common word, or an unusual one."""
    if at < 0 or not word.isascii():
        return OTHER
    if word in TIMES or word.isdigit():
        return COMMON
    written = text[at : at + len(word)]
    if written[1:] != word[1:]:
        return NAME
    if not english:
        return OTHER
    if written != word and at and text[:at].rstrip()[-1:] not in ".!?:":
        return NAME
    return COMMON if is_common(word) else UNUSUAL


def contained(words: Iterable[Word], text: str, *, most: int | None = MAX_BODY) -> frozenset[str]:
    """The words in the first `most` characters of a text: names as they are written, others in any inflection."""
    return contained_in(words, letters(text, most=most))


def letters(text: str, *, most: int | None = MAX_BODY) -> str:
    """A text as words are looked for in it. Letters are spelled out as in the text index: "Straße" has "strasse"."""
    return fold(spell_out(text[:most]))


def contained_in(words: Iterable[Word], text: str) -> frozenset[str]:
    """The same of the `letters` of a text, or of several with `BETWEEN` between them."""
    return frozenset([word.text for word in words if word.beginning in text and _is_in(text, word)])


def contained_in_each(words: Iterable[Word], texts: Mapping[int, str]) -> dict[int, frozenset[str]]:
    """The same of many."""
    found: dict[int, list[str]] = {ref: [] for ref in texts}
    for word in words:
        beginning = word.beginning
        for ref, text in texts.items():
            if beginning in text and _is_in(text, word):
                found[ref].append(word.text)
    return {ref: frozenset(own) for ref, own in found.items()}


def known(words: Iterable[Word], have: Collection[str]) -> tuple[Word, ...]:
    """The words, each with whether it is among those that the candidates contain."""
    return tuple(word.replace(is_known=word.text in have) for word in words)


def share(words: Iterable[Word], have: Collection[str]) -> float:
    """The part of the words that is among some others, weighted by rarity; 1 without words."""
    total, found = 0.0, 0.0
    for word in words:
        weight = word.weight
        total += weight
        found += weight if word.text in have else 0.0
    return found / total if total > 0 else 1.0


def says_nothing(words: Sequence[Word], have: Collection[str]) -> bool:
    """Whether the best results, which together contain `have`, are about something else than what is asked.

    They are if they contain none of its words, or too little of a question with an unknown name; or, if they contain no
    name or unusual word of the question, with an unknown unusual word, or with many unknown words. In another language
    than English an unknown word counts little, because it may be a compound or an inflection.
    """
    if not have:
        return bool(words)
    unknown = [word for word in words if not word.is_known and word.kind != OTHER]
    kinds = {word.kind for word in unknown}
    found = share(words, have)
    if NAME in kinds and found < ENOUGH:
        return True
    if any(word.kind in (NAME, UNUSUAL) for word in words if word.text in have):
        return False
    if UNUSUAL in kinds and found < ENOUGH:
        return True
    rarity = sum(word.rarity for word in words)
    is_unknown = (
        len(unknown) >= (1 if words[0].number >= MANY_TEXTS else 2)
        and sum(word.rarity for word in unknown) >= MOST_UNKNOWN * rarity
    )
    return is_unknown and found < MUCH


def _roots(word: str) -> tuple[str, ...]:
    """What a noun or an adjective is made of: "mentor" of "mentorship". The text index does not relate them."""
    for ending in DERIVED:
        if word.endswith(ending) and len(word) - len(ending) >= MIN_ROOT:
            return (fold(word.removesuffix(ending)),)
    return ()


def _with_single(found: Sequence[str]) -> tuple[str, ...]:
    """Stems, and those that end with a double letter also with a single one: "travelled" is of "travel"."""
    single = [stem[:-1] for stem in found if len(stem) > MIN_SINGLE and stem[-1] == stem[-2] and stem.isalpha()]
    return (*found, *single)


def _is_in(text: str, word: Word) -> bool:
    if word.kind == NAME:
        short = _short(word.text)
        return short in text and (_contains(text, word.text, ("s",)) or _contains(text, short, word.text[len(short) :]))
    for stem in (word.text, *word.stems):  # noqa: SIM110 - takes half the time of `any`
        if stem in text and _contains(text, stem, ENDINGS):
            return True
    return False


def _beginning(forms: Collection[str]) -> str:
    """The letters with which all of them begin."""
    first, last = min(forms), max(forms)
    same = 0
    for one, other in zip(first, last, strict=False):
        if one != other:
            break
        same += 1
    return first[:same]


def _short(name: str) -> str:
    return name[: max(MIN_SHORT, len(name) - CUT_OFF)]


def _contains(text: str, stem: str, endings: Collection[str]) -> bool:
    """Whether a word of the text is a stem alone or with one of some endings: "Helm" is not in "helmet".

    Scripts without spaces have no words, and other languages than English have other endings.
    """
    at = text.find(stem)
    while at >= 0:
        if not stem.isascii():
            return True
        if not at or not _is_letter(text[at - 1]):
            end = at + len(stem)
            while end < len(text) and _is_letter(text[end]):
                end += 1
            ending = text[at + len(stem) : end]
            if not ending or ending in endings or (ending[0] == stem[-1] and ending[1:] in endings):
                return True
        at = text.find(stem, at + 1)
    return False


def _is_letter(character: str) -> bool:
    return character.isalnum() and character.isascii()

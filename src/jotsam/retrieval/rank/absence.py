"""Absence: whether any candidate speaks of what a question asks of the people it names.

A question has subjects, which are the speakers it names, and other words, which it asks of them. A text is about a
subject if the subject said it, if it names the subject, or if it says "you" to somebody. A word that only other texts
contain is not known of the subject. An answer repeats most words of its question, but not those of its form ("what
kind of"), and a time need not be in the text.

Pure.
"""

from __future__ import annotations

import re

from jotsam.core.records import Record
from jotsam.pipeline.languages.en import LANGUAGE
from jotsam.pipeline.languages.language import words as listed
from jotsam.retrieval.question.stems import fold
from jotsam.retrieval.rank.common_words import is_common
from jotsam.retrieval.rank.evidence import COMMON, MANY_TEXTS, MAX_BODY, NAME, OTHER, contained

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from jotsam.retrieval.rank.context import Context, Row
    from jotsam.retrieval.rank.evidence import Word

MOST_UNKNOWN = 0.55  # of the rarity of the words asked; with more in no text about the subject, nothing is known
MOST_OF_MANY = 0.65  # the same of `MANY_WORDS` and more, because an answer repeats fewer of them
MOST_OF_FEW = 0.7  # the same among fewer than `MANY_TEXTS`
MANY_WORDS = 3  # beside those of the form
LITTLE = 0.33  # of the rarity of the words asked, in the best text
SOME_UNKNOWN = 0.35  # with at least this unknown, little in the best text is not enough
MUCH = 4  # words asked, beside those of the form, in one text: it is not about something else
PARTLY = 0.25  # of the rarity of the words asked, in a text that is shown although nothing is known of the rest
FORM = 0.3  # weight of a word of the form of a question
ACTION = 0.5  # weight of a word of what somebody did, in a question that does not ask whether: others may tell it. And
# of the kind of the answer: "which state did"
# Words by which a question says what kind of answer it wants, and verbs without content. The answer has others.
FORMS = listed(
    "kind kinds type types sort sorts many much mention mentioned mentioning mentions according main specific"
    " particular particularly different various certain exactly recently currently one two thing things way ways"
    " reason reasons example examples name names long ever anything something item items event events area areas"
    " support supports own owns use uses used have get got give gave make makes made do done go goes take takes happen"
    " say says said tell told mean means think know keep come see find look speak spoke talk talked"
)
_WORD = re.compile(r"[^\W_]+")
_COMPOUND = re.compile(r"([^\W_]{3,})-([^\W_]{3,})")
_OPEN = re.compile(r"\b(?:what|which|who|whom|whose|where|when|why|how)\b")
_ACTION_OF = r"\b(?:do|does|did) {}\s+(\w+)"
_KIND = re.compile(r"\b(?:what|which)\s+(\w+)\s+(?:do|does|did|has|have|had|will)\b")
MIN_ACTION = 4  # letters
_GUESS = re.compile(r"\b(?:would|might|likely|probably|perhaps)\b")  # asks for a judgement, of what nothing need speak
_YOU = listed(LANGUAGE.second_person)


class Asked(Record):
    """What a question asks, and what the candidates about its subjects contain of it."""

    subjects: tuple[Word, ...]
    words: tuple[Word, ...]  # without the subjects; with them if there are no others
    weights: Mapping[str, float]  # of those words that an answer repeats, by their text
    about: Mapping[int, frozenset[str]]  # by reference of the candidates about a subject: the words they contain
    own: Mapping[int, frozenset[str]]  # by reference of all candidates: the words in their text

    def part(self, ref: int) -> float:
        """The part of what is asked that a candidate contains, weighted by rarity."""
        total = sum(self.weights.values())
        return self._weight(self.own.get(ref, ())) / total if total > 0 else 0.0

    def not_contained(self) -> tuple[Word, ...]:
        """The words that no candidate about a subject contains."""
        have = frozenset().union(*self.about.values())
        return tuple(word for word in self.words if word.text not in have)

    def unknown(self) -> tuple[Word, ...]:
        """The words that no text about a subject contains: those of no text, and those that only others contain.

        A word that is in a text, but in that of no candidate, is in a title or a tag. One in many texts is not told,
        because not all of them are candidates.
        """
        missing = [word for word in self.not_contained() if word.texts < MANY_TEXTS]
        return tuple(word for word in missing if not word.texts or word.is_known)

    def is_absent(self) -> bool:
        """Whether nothing is known of what is asked. Not told in other languages than English, which have compounds."""
        total = sum(self.weights.values())
        if total <= 0 or any(word.kind == OTHER for word in self.words):
            return False
        if any(len(have) >= MUCH and len(have - FORMS) >= MUCH for have in self.about.values()):
            return False
        unknown = self._weight(word.text for word in self.unknown()) / total
        most = MOST_UNKNOWN if len(self.weights.keys() - FORMS) < MANY_WORDS else MOST_OF_MANY
        if unknown >= (most if self.words[0].number >= MANY_TEXTS else MOST_OF_FEW):
            return True
        best = max(map(self._weight, self.about.values()), default=0.0)
        return best / total < LITTLE and unknown >= SOME_UNKNOWN

    def _weight(self, words: Iterable[str]) -> float:
        return sum([self.weights.get(word, 0.0) for word in words])


def asked_of(question: str, words: Sequence[Word], context: Context) -> Asked:
    """Split the words of a question by the speakers among the candidates, and look for them in the candidates."""
    speakers = {name for row in context.rows.values() if row["actor"] for name in _words(row["actor"])}
    subjects = tuple(word for word in words if word.text in speakers and _is_name(word))
    others = tuple(word for word in words if word not in subjects) or tuple(words)
    names = frozenset(word.text for word in subjects)
    compounds = _compounds(question, others)
    before = _turns_before(context)
    have = {ref: _contained(others, row["body"], compounds) for ref, row in context.rows.items() if row["body"]}
    near = {ref for ref in have if not names or _is_about(context.rows[ref], names)}
    about = {ref: have[ref] | _of_turn(before.get(ref, 0), near, have, context) for ref in near}
    is_guess = bool(_GUESS.search(fold(question)))
    return Asked(
        subjects=subjects,
        words=others,
        weights={} if is_guess or others == subjects else _weights(fold(question), others, subjects),
        about=about,
        own=have,
    )


def _weights(question: str, words: Sequence[Word], subjects: Sequence[Word]) -> dict[str, float]:
    """What each word counts for: its rarity, or 1 among few texts, and less if an answer may leave it out."""
    named = [word for word in words if not word.is_filler] or words
    weights = {word.text: word.rarity if word.number >= MANY_TEXTS else 1.0 for word in named}
    actions: frozenset[str] = frozenset()
    if _OPEN.search(question):
        after = [_ACTION_OF.format(re.escape(subject.text)) for subject in subjects]
        actions = frozenset(found[1] for one in after for found in re.finditer(one, question))
        actions |= {found[1] for found in _KIND.finditer(question)}
        actions |= {word for word in weights if len(word) > MIN_ACTION and word.endswith(("ed", "ing"))}
    parts = {word: FORM if word in FORMS else ACTION if word in actions else 1.0 for word in weights}
    return {word: weight * parts[word] for word, weight in weights.items()}


def _contained(words: Sequence[Word], text: str, compounds: Sequence[Sequence[Word]]) -> frozenset[str]:
    """The words in a text. Those of a compound only where they follow each other."""
    found = contained(words, text, most=MAX_BODY)
    for first, last in compounds:
        if first.text in found or last.text in found:
            pairs = (f"{one}{gap}{other}" for one in first.stems for other in last.stems for gap in "- ")
            folded = fold(text)
            if not any(pair in folded for pair in pairs):
                found -= {first.text, last.text}
    return found


def _compounds(question: str, words: Sequence[Word]) -> list[tuple[Word, Word]]:
    """Compounds of two common words, such as "left-handed", if it is asked whether: each alone means something else."""
    if _OPEN.search(fold(question)):
        return []
    by_text = {word.text: word for word in words if word.kind == COMMON}
    pairs = (found.groups() for found in _COMPOUND.finditer(fold(question)))
    return [(by_text[first], by_text[last]) for first, last in pairs if first in by_text and last in by_text]


def _of_turn(ref: int, near: Collection[int], have: Mapping[int, frozenset[str]], context: Context) -> frozenset[str]:
    """What the turn before adds: a question that is answered, or what is about the subject as well."""
    return have.get(ref, frozenset()) if ref in near or ref in context.questions else frozenset()


def _is_name(word: Word) -> bool:
    """Whether a word that is a speaker's name is meant as one: "user" is one only with a capital."""
    return word.kind == NAME or word.written[:1].isupper() or not is_common(word.text)


def _is_about(row: Row, names: Collection[str]) -> bool:
    """Whether a text is about one of some people. A text without a speaker may be about anyone."""
    if not row["actor"] or not _words(row["actor"]).isdisjoint(names):
        return True
    said = _words(row["body"])
    return not said.isdisjoint(names) or not said.isdisjoint(_YOU)


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(fold(text)))


def _turns_before(context: Context) -> dict[int, int]:
    """The turn before each turn, as far as both were read."""
    before = {steps[1]: ref for ref, steps in context.neighbours.items() if 1 in steps}
    before |= {ref: steps[-1] for ref, steps in context.neighbours.items() if -1 in steps}
    return {ref: turn for ref, turn in before.items() if turn in context.rows}

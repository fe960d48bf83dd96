"""Absence: whether any candidate speaks of what a question asks of the people it names.

A question has subjects, which are the speakers it names, and other words, which it asks of them. If it names none, the
name that starts a question among few texts ("does Ana have") is its subject, if a text contains it. A text is about a
subject if the subject said it, if it names the subject, or if it says "you" to somebody. A word that only other texts
contain is not known of the subject. An answer repeats most words of its question, but not those of its form ("what
kind of"), and a time need not be in the text.

Pure.
"""

from __future__ import annotations

import re
from functools import cached_property
from types import MappingProxyType

from jotsam.core.patterns import lazy_pattern
from jotsam.pipeline.languages.en import LANGUAGE
from jotsam.pipeline.languages.language import words as listed
from jotsam.retrieval.question.stems import fold
from jotsam.retrieval.rank.common_words import is_common
from jotsam.retrieval.rank.context import turns_before
from jotsam.retrieval.rank.evidence import (
    BETWEEN,
    COMMON,
    MANY_TEXTS,
    MAX_BODY,
    NAME,
    OTHER,
    contained_in,
    contained_in_each,
    known,
    letters,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from jotsam.retrieval.rank.context import Context, Row
    from jotsam.retrieval.rank.evidence import Word

MOST_UNKNOWN = 0.6  # of the rarity of the words asked; with more in no text about the subject, nothing is known
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
    " general overall sentiment opinion impression attitude compare compared"
)
# The same directly after "what" or "which" only: elsewhere a subject is that of a mail.
_GENERIC = lazy_pattern(
    r"\b(?:what|which)\s+(?:(?:kind|type|sort)s?\s+of\s+)?(?:(?:main|common|other|new|same)\s+)?"
    r"(subjects?|topics?|themes?|categor(?:y|ies)|class(?:es)?|aspects?|matters?|varie(?:ty|ties)|forms?|styles?|genres?)\b"
)
_WORD = lazy_pattern(r"[^\W_]+")
_COMPOUND = lazy_pattern(r"([^\W_]{3,})-([^\W_]{3,})")
_OPEN = lazy_pattern(r"\b(?:what|which|who|whom|whose|where|when|why|how)\b")
_ACTION_OF = r"\b(?:do|does|did) {}(?: and (?:(?:his|her|their) )?\w+)?\s+(\w+)"
_WHETHER = r"(?:^|[.,;:!?]\s)\s*(?:and )?(?:do|does|did|is|are|was|were|has|have|had|can|will) {}\b"
_KIND = lazy_pattern(r"\b(?:what|which)\s+(\w+)\s+(?:do|does|did|has|have|had|will)\b")
MIN_ACTION = 4  # letters
_GUESS = lazy_pattern(r"\b(?:would|might|likely|probably|perhaps)\b")  # asks for a judgement
_YOU = listed(LANGUAGE.second_person)


class Asked:
    """What a question asks, and what the candidates about its subjects contain of it, which is read when it is needed.

    `subjects` are whom it asks about, `words` the other words; also the subjects if there are no others. `of_kind`
    are, by reference, words that name a kind of which a text has something: "instrument", of a text about a violin.
    """

    def __init__(
        self,
        question: str,
        words: Sequence[Word],
        context: Context,
        of_kind: Mapping[int, Collection[str]] = MappingProxyType({}),
    ) -> None:
        self._question = question
        self._context = context
        self.of_kind = of_kind
        self._every = words
        actors = {row["actor"] for row in context.rows.values() if row["actor"]}
        self._texts = {ref: letters(row["body"]) for ref, row in context.rows.items() if row["body"]}
        have = contained_in(words, BETWEEN.join((*self._texts.values(), letters(" ".join(actors), most=None))))
        words = known(words, have.union(*of_kind.values()))
        speakers = frozenset().union(*map(_words, actors))
        named = tuple(word for word in words if word.text in speakers and _is_name(word))
        self.subjects = named or _asked_whether(fold(question), words)
        self.words = tuple(word for word in words if word not in self.subjects) or words

    @cached_property
    def forms(self) -> frozenset[str]:
        """The words of its form: none of them is a thing that a text must name."""
        return FORMS.union(_GENERIC.findall(fold(self._question)))

    @cached_property
    def is_guess(self) -> bool:
        """Whether the question asks for a judgement, of which no text need speak."""
        return bool(_GUESS.search(fold(self._question)))

    @cached_property
    def weights(self) -> Mapping[str, float]:
        """Of the words that an answer repeats, by their text."""
        if self.is_guess or self.words == self.subjects:
            return {}
        return _weights(fold(self._question), self.words, self.subjects, self.forms)

    @cached_property
    def _own(self) -> Mapping[int, frozenset[str]]:
        """By reference of all candidates: the words in their text."""
        rows, words = self._context.rows, self._every
        compounds = _compounds(self._question, words)
        found = contained_in_each(words, self._texts)
        for ref, kinds in self.of_kind.items():
            found[ref] = found.get(ref, frozenset()).union(kinds)
        if compounds:
            found = {ref: _without_parts(own, rows[ref]["body"], compounds) for ref, own in found.items()}
        return found

    @cached_property
    def about(self) -> Mapping[int, frozenset[str]]:
        """By reference of the candidates about a subject: the words they contain."""
        names, have, before = frozenset(word.text for word in self.subjects), self._own, turns_before(self._context)
        near = _about(have, self._context.rows, names) if names else {*have}
        return {ref: have[ref] | _of_turn(before.get(ref, 0), near, have, self._context) for ref in near}

    def part(self, ref: int) -> float:
        """The part of what is asked that a candidate contains, weighted by rarity."""
        total = sum(self.weights.values())
        return self._weight(self._own.get(ref, ())) / total if total > 0 else 0.0

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
        if any(len(have) >= MUCH and len(have - self.forms) >= MUCH for have in self.about.values()):
            return False
        words = {word.text for word in self.unknown()}
        unknown = self._weight(words) / total if words - self.forms else 0.0
        most = MOST_UNKNOWN if len(self.weights.keys() - self.forms) < MANY_WORDS else MOST_OF_MANY
        if unknown >= (most if self.words[0].number >= MANY_TEXTS else MOST_OF_FEW):
            return True
        best = max(map(self._weight, self.about.values()), default=0.0)
        return best / total < LITTLE and unknown >= SOME_UNKNOWN

    def _weight(self, words: Iterable[str]) -> float:
        return sum([self.weights.get(word, 0.0) for word in words])


def _weights(question: str, words: Sequence[Word], subjects: Sequence[Word], forms: frozenset[str]) -> dict[str, float]:
    """What each word counts for: its rarity, or 1 among few texts, and less if an answer may leave it out."""
    named = [word for word in words if not word.is_filler] or words
    weights = {word.text: word.rarity if word.number >= MANY_TEXTS else 1.0 for word in named}
    actions: frozenset[str] = frozenset()
    if _OPEN.search(question):
        after = [_ACTION_OF.format(re.escape(subject.text)) for subject in subjects]
        actions = frozenset(found[1] for one in after for found in re.finditer(one, question))
        actions |= {found[1] for found in _KIND.finditer(question)}
        actions |= {word for word in weights if len(word) > MIN_ACTION and word.endswith(("ed", "ing"))}
    parts = {word: FORM if word in forms else ACTION if word in actions else 1.0 for word in weights}
    return {word: weight * parts[word] for word, weight in weights.items()}


def _without_parts(found: frozenset[str], text: str, compounds: Sequence[Sequence[Word]]) -> frozenset[str]:
    """The words in a text. Those of a compound only where they follow each other."""
    for first, last in compounds:
        if first.text in found or last.text in found:
            pairs = (f"{one}{gap}{other}" for one in first.stems for other in last.stems for gap in "- ")
            folded = fold(text[:MAX_BODY])
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


def _asked_whether(question: str, words: Sequence[Word]) -> tuple[Word, ...]:
    """The name of no speaker of which a question asks whether, if there are few texts and one of them has the name.

    Among many texts such a name is rare, so evidence shows whether a text is about it.
    """
    if not words or words[0].number >= MANY_TEXTS:
        return ()
    names = (word for word in words if word.kind == NAME and word.is_known)
    return tuple(word for word in names if re.search(_WHETHER.format(re.escape(word.text)), question))


def _is_name(word: Word) -> bool:
    """Whether a word that is a speaker's name is meant as one: "user" is one only with a capital."""
    return word.kind == NAME or word.written[:1].isupper() or not is_common(word.text)


def _about(refs: Iterable[int], rows: Mapping[int, Row], names: frozenset[str]) -> set[int]:
    """The texts that are about one of some people. A text without a speaker may be about anyone."""
    refs = [*refs]
    actors = {rows[ref]["actor"] for ref in refs}
    speaking = {actor for actor in actors if not actor or not _words(actor).isdisjoint(names)}
    naming = names | _YOU
    return {ref for ref in refs if rows[ref]["actor"] in speaking or _has_one(rows[ref]["body"], naming)}


def _has_one(text: str, words: Collection[str]) -> bool:
    """Whether one of some words is in a text. Most texts contain their letters nowhere, so they are not split."""
    folded = fold(text)
    for word in words:
        if word in folded:
            return not _words(text).isdisjoint(words)
    return False


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(fold(text)))

"""Which claims of several sessions say the same, and which contradict each other.

Pure. Two claims agree if they share most of their content words, and neither their numbers nor a "not" differ. Where
the words agree and these differ, or the statements give one thing two values, they are a conflict: it is reported, and
never resolved here.

Why a claim must not become a crystal, although enough speaks for it.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict

from jotsam.core.patterns import lazy_pattern
from jotsam.core.records import Record
from jotsam.pipeline.languages.en import STOP_WORDS
from jotsam.pipeline.statements.compare import contradict
from jotsam.pipeline.statements.read import read_statements
from jotsam.pipeline.statements.words import WORD, is_cjk, stem
from jotsam.pipeline.text.words import bigrams

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


ALIKE = 0.6  # of the words of both are in each
MIN_WORDS, MIN_BIGRAMS = 2, 4  # content words of a claim that can be compared
MAX_SHARED = 200  # claims with a word beyond which it is not used to find others

_NEGATIONS = frozenset(
    (
        *("not", "no", "never", "don't", "doesn't", "didn't", "isn't", "aren't", "won't", "can't", "cannot"),
        *("shouldn't", "mustn't", "without", "avoid", "instead", "rather"),
    )
)
_HAN_NEGATION = lazy_pattern(r"不要|不得|禁止|不能|不用|没有|别")
_HAN_MARKS = lazy_pattern(r"记住|请|必须|一律|务必|规则|决定|先|再|要")
_NUMBER = lazy_pattern(r"\d+(?:[.:]\d+)*")
# Words that say how it is said, not what.
_MARKS = frozenset(
    (
        *("remember", "rule", "decision", "decided", "decide", "note", "fact", "important", "lesson", "please"),
        *("always", "must", "should", "use", "used", "using", "uses", "also", "really", "now", "just", "going"),
        *("from", "every", "each", "ok", "okay", "thanks", "thank", "yes", "no", "hi", "hello", "everyone"),
    )
)
MAX_CHARACTERS = 1_500
MAX_TITLE = 80

_PATH = lazy_pattern(r"(?<![\w:/.<~])/(?:[\w.@+-]+/)+[\w.@+-]+")


class Said(Record):
    """A claim and where it was made."""

    memory: int
    session: str | None
    text: str
    kind: str
    confidence: float
    at: int  # when it was said
    is_assistant: bool = False
    title: str | None = None  # the claim in other words, by which it is compared
    copy_of: str | None = None  # the same for whole texts that are the same: one template, used in many sessions


class Key(Record):
    """What two claims are compared by."""

    words: frozenset[str]
    numbers: frozenset[str]
    is_negative: bool


class Agreement(Record):
    """Claims that say the same, in the order in which they were said."""

    said: tuple[Said, ...]
    key: Key

    def sessions(self) -> int:
        """How many sessions say it independently of each other."""
        by_session = {one.session: one.copy_of for one in self.said if one.session is not None}
        copies = {copy for copy in by_session.values() if copy is not None}
        return sum(copy is None for copy in by_session.values()) + len(copies)


def key_of(text: str) -> Key:
    """What a claim is compared by."""
    numbers = frozenset(_NUMBER.findall(text))
    if is_cjk(text):
        pairs = frozenset(bigrams(_HAN_MARKS.sub(" ", text)).split()) | {
            stem(word) for word in WORD.findall(text) if word.isascii()
        }
        return Key(words=pairs, numbers=numbers, is_negative=_HAN_NEGATION.search(text) is not None)
    lower = [word.lower().replace("’", "'") for word in re.findall(r"[\w'’./:@+#-]+", text)]
    kept = {
        stem(word.strip(".'-:/"))
        for word in lower
        if word not in STOP_WORDS and word not in _MARKS and word not in _NEGATIONS
    }
    return Key(words=frozenset(kept - {""}), numbers=numbers, is_negative=not _NEGATIONS.isdisjoint(lower))


def is_comparable(key: Key) -> bool:
    """Whether a claim has enough words to be compared. One with fewer is vague."""
    return len(key.words) >= (MIN_WORDS if all(word.isascii() for word in key.words) else MIN_BIGRAMS)


def likeness(one: Key, other: Key) -> float:
    """The share of the words of both that are in each, from 0 to 1."""
    return len(one.words & other.words) / max(1, len(one.words | other.words))


def agree(one: Key, other: Key) -> bool:
    if one.is_negative != other.is_negative or one.numbers != other.numbers:
        return False
    is_short = min(len(one.words), len(other.words)) <= MIN_WORDS
    return one.words == other.words if is_short else likeness(one, other) >= ALIKE


def is_conflict(one: Agreement, other: Agreement) -> bool:
    """Whether two agreements cannot both be true."""
    if likeness(one.key, other.key) >= ALIKE:
        return not agree(one.key, other.key)
    first, second = read_statements(one.said[-1].text), read_statements(other.said[-1].text)
    return any(contradict(mine, theirs) for mine in first for theirs in second)


def group(said: Iterable[Said]) -> list[Agreement]:
    """Put claims that agree together. A claim joins the first agreement whose first claim it agrees with."""
    found: list[list[Said]] = []
    keys: list[Key] = []
    by_word: defaultdict[str, list[int]] = defaultdict(list)
    for one in said:
        key = key_of(one.title or one.text)
        if not is_comparable(key):
            continue
        for number in _likely(by_word, key):
            if agree(keys[number], key):
                found[number].append(one)
                break
        else:
            for word in key.words:
                by_word[word].append(len(found))
            found.append([one])
            keys.append(key)
    return [Agreement(said=tuple(some), key=key) for some, key in zip(found, keys, strict=True)]


def conflicts_of(wanted: Sequence[Agreement], others: Sequence[Agreement]) -> dict[int, Agreement]:
    """By the place of each wanted agreement, another one that contradicts it."""
    by_word: defaultdict[str, list[int]] = defaultdict(list)
    for number, one in enumerate(others):
        for word in one.key.words:
            by_word[word].append(number)
    found: dict[int, Agreement] = {}
    for place, one in enumerate(wanted):
        for number in _likely(by_word, one.key, least=2):
            if others[number] is not one and is_conflict(one, others[number]):
                found[place] = others[number]
                break
    return found


def _likely(by_word: dict[str, list[int]], key: Key, *, least: int = 2) -> list[int]:
    """The numbers of those that share enough words, the ones with most first."""
    shared = Counter(
        number for word in key.words if len(by_word.get(word, ())) <= MAX_SHARED for number in by_word.get(word, ())
    )
    return [number for number, count in sorted(shared.items(), key=lambda item: (-item[1], item[0])) if count >= least]


def problem_with(text: str, *, is_quote: bool, sources: int) -> str | None:
    """Why it is refused; None: it is not. Pure: paths and titles are checked elsewhere."""
    if len(text) > MAX_CHARACTERS:
        return f"too long: {len(text):,} characters, the maximum is {MAX_CHARACTERS:,}"
    if not is_comparable(key_of(text)):
        return "vague: it has too few words of its own"
    if not is_quote and sources < 2:
        return "no quote: its only source does not contain it word by word"
    return None


def paths(text: str) -> list[str]:
    """The absolute paths in a text."""
    return [path.rstrip(".") for path in _PATH.findall(text)]


def title_of(text: str) -> str:
    """The beginning of a claim, as one line."""
    line = " ".join(text.split())
    if len(line) <= MAX_TITLE:
        return line
    return line[: MAX_TITLE - 3].rpartition(" ")[0].rstrip(",;:") + "..."

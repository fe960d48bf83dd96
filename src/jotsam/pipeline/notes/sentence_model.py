"""What a sentence is, by linear models of its words, of its form and of the vectors of its words. Pure.

Cues know the usual words; a model knows how sentences are built that have none of them: "again a print in the worker,
use the logger" is a standing order. `tools/train_sentences.py` makes the weights of the examples in `tools/sentences`.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from operator import mul
from struct import unpack

from jotsam.core.patterns import lazy_pattern
from jotsam.core.records import Record
from jotsam.pipeline.notes.decision_cues import ECHO, PROPOSES
from jotsam.pipeline.notes.model_weights import STEP, number_of, weights
from jotsam.pipeline.notes.names import names
from jotsam.pipeline.notes.rule_cues import (
    DESCRIBES,
    FOR_EVER,
    FOR_ONCE,
    PERSONAL,
    STATED_RULE,
    STRONG_RULE,
    TAKEN_BACK,
    WEAK_RULE,
)
from jotsam.pipeline.notes.word_vectors import SIZE as NUMBERS
from jotsam.pipeline.notes.word_vectors import vector
from jotsam.pipeline.notes.words import plain, terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

ORDERS = "orders.bin"  # of a user: standing orders
PERSONS = "persons.bin"  # of standing orders: those of a person, in all projects
DECIDES = "decides.bin"  # of a user: what settles how the product is, as an answer to what was said before
HOLDS = "holds.bin"  # of an assistant: what is so from then on, and not what it did, found, proposes or asks
OFFERS = "offers.bin"  # of an assistant: what it proposes or asks, which a user can confirm
VECTOR_FORMAT = f"<{NUMBERS}f"  # of the weights behind them, one a number of a vector
MAX_TOKENS = 60
ALWAYS = "always"  # a feature of each sentence
_TOKEN = lazy_pattern(r"[a-z]+(?:'[a-z]+)?|\d+(?:[.:]\d+)*|\S")
_LENGTHS = (2, 4, 8, 15, 30)
_ANSWERS = (2, 4, 8, 15)
MAX_BEFORE, MAX_AFTER = 600, 500  # characters
MOST_SHARED = 5  # terms: more say no more
_OFFERED = lazy_pattern(r" or |\(a\)|\b1[.)]")
_CUES = {
    "strong": STRONG_RULE,
    "weak": WEAK_RULE,
    "stated": STATED_RULE,
    "once": FOR_ONCE,
    "ever": FOR_EVER,
    "personal": PERSONAL,
    "describes": DESCRIBES,
    "back": TAKEN_BACK,
}
# Words that make the form of a sentence. Of others the form has only how they end.
_FORM = frozenset(
    """
    a an the this that these those it its it's they them their there here we our us i my me you your he she his her who
    what which how why when where whether if then else than so as at by for from in into of off on onto out over to
    under up with without via per between through before after until till since during while because not no never none
    nothing nobody nor neither always ever every each all any both some most more less least only just even also too
    again still yet already now today tomorrow tonight later once first last next time times instead rather or and but
    is are was were be been being am isn't aren't wasn't do does did don't dont doesn't didn't done have has had can
    can't cannot could should shouldn't would will won't must mustn't may might shall need needs let let's lets please
    pls make sure keep stop use using used go goes going get gets got put want like prefer ask tell show say said new
    old same other another one two three yes ok okay yeah right fine good hold wait moment forget remember remind todo
    everything anything everywhere anywhere whenever anyone someone everyone everybody ours
    """.split()  # noqa: SIM905 - words read better
)


class Setting(Record):
    """Where a sentence was said."""

    before: str  # the message that it answers, "" if there is none
    is_first: bool = True  # of its message
    after: str | None = None  # the answer to its message, "" if there is none; None if that is not known


@lru_cache(maxsize=1_024)  # A sentence of a report is weighed against others, and again when it was chosen.
def score(sentence: str, model: str, *, said: Setting | None = None) -> float:
    """How likely a sentence is of a kind, on a scale on which 0 is as likely as not among the examples.

    `said` is where it was said; None if that is not known, or if the model does not ask.
    """
    (of_features, _), of_vector = weights(model), _of_vector(model)
    found = _numbers(sentence) if said is None else _numbers(sentence).union(map(number_of, around(sentence, said)))
    known = sum(map(of_features.__getitem__, found)) / STEP
    about: float = sum(map(mul, of_vector, vector(plain(sentence))))
    return known + about


@lru_cache(maxsize=1_024)  # A sentence is read by several models.
def _numbers(sentence: str) -> frozenset[int]:
    return frozenset(map(number_of, features(sentence)))


def features(sentence: str) -> Iterator[str]:
    text = plain(sentence)
    yield ALWAYS
    tokens = ["<", *_TOKEN.findall(text)[:MAX_TOKENS], ">"]
    for number, token in enumerate(tokens):
        yield f"w {token}"
        if number:
            yield f"b {tokens[number - 1]} {token}"
        if len(token) > 5 and token.isalpha():
            yield f"p {token[:5]}"
    form = [*map(_form, tokens)]
    small = [one for one in form if one not in ("W", "Ws")]
    for name, line in (("s", form), ("f", small)):
        for length in (2, 3):
            for at in range(len(line) - length + 1):
                yield f"{name} {' '.join(line[at : at + length])}"
    yield f"first {tokens[1]}"
    yield f"begins {' '.join(form[1:3])}"
    yield f"last {form[-2]}"
    yield f"length {sum(len(tokens) - 2 >= length for length in _LENGTHS)}"
    if "?" in text:
        yield "asks"
    for name, cue in _CUES.items():
        if cue.search(text):
            yield f"cue {name}"


def around(sentence: str, at: Setting) -> Iterator[str]:
    """What a sentence answers, and what was answered to it.

    "2" and "cheap one" decide after alternatives, and not after a report. What the answer says again was decided.
    """
    before, text = at.before[-MAX_BEFORE:], plain(sentence)
    kind, has_offer = _before(before)
    place = "first" if at.is_first else "later"
    length = sum(len(text.split()) >= one for one in _ANSWERS)
    yield f"place {place}"
    yield f"before {kind}"
    yield f"before {kind} {place}"
    yield f"before {kind} {place} {length}"
    yield f"before {kind} {text.split(maxsplit=1)[0] if text.split() else ''}"
    if has_offer:
        yield "before or"
        yield f"before or {place} {length}"
    if terms(before) & terms(sentence):
        yield "shares"
        yield f"shares {kind}"
        yield f"shares {length}"
    yield from _shared("said", sentence, before)
    if at.after is not None:
        after = at.after[:MAX_AFTER]
        yield from _shared("answer", sentence, after)
        yield from _answer(after)


@lru_cache(maxsize=64)  # Each sentence of a message answers the same one.
def _before(text: str) -> tuple[str, bool]:
    """Of which kind the message is that a sentence answers, and whether it names alternatives."""
    said = plain(text)
    kind = "none" if not said else "asks" if said.endswith("?") else "offers" if PROPOSES.search(said) else "tells"
    return kind, _OFFERED.search(said) is not None


def _shared(where: str, sentence: str, other: str) -> Iterator[str]:
    """How much of a sentence another text says too."""
    own, others = terms(sentence), terms(other)
    shared = own & others
    yield f"{where} shares {min(len(shared), MOST_SHARED)}"
    if own and 2 * len(shared) >= len(own):
        yield f"{where} shares {'all' if shared == own else 'most'}"
    if any(one.isdigit() for one in shared):
        yield f"{where} shares a number"
    if names(sentence) & others or names(other) & own:
        yield f"{where} shares a name"


@lru_cache(maxsize=64)  # It answers each sentence of a message.
def _answer(answer: str) -> tuple[str, ...]:
    """How an answer begins."""
    text = plain(answer)
    tokens = ["<", *_TOKEN.findall(text)[:MAX_TOKENS], ">"]
    found = [f"answer {tokens[1]}", f"answer {' '.join(map(_form, tokens[1:3]))}"]
    if text.endswith("?"):
        found.append("answer asks")
    if "now" in tokens or "jetzt" in tokens:
        found.append("answer now")
    if ECHO.search(re.split(r"(?<=[.!])\s", text, maxsplit=1)[0]):
        found.append("answer echoes")
    return tuple(found)


def _form(token: str) -> str:
    if token in _FORM or token in "<>":
        return token
    if token[0].isdigit():
        return "#"
    if not token[0].isalpha():
        return token
    if len(token) > 4 and token.endswith("ing"):
        return "Wing"
    if len(token) > 3 and token.endswith(("ed", "ly")):
        return f"W{token[-2:]}"
    return "Ws" if len(token) > 3 and token.endswith("s") and not token.endswith("ss") else "W"


@cache
def _of_vector(model: str) -> tuple[float, ...]:
    """The weights of the numbers of a vector."""
    return unpack(VECTOR_FORMAT, weights(model)[1])

"""Which notes a prompt needs: those that share its rare words, or words that mean the same. Pure.

A rule is needed if the prompt asks for something that the rule is about. A question about the world in general needs
nothing of a project.
"""

from __future__ import annotations

from math import log

from jotsam.core.names import DECISION, FIX, OPEN, RULE
from jotsam.core.records import Record
from jotsam.pipeline.notes.lexicon import concepts_of, kinds_asked
from jotsam.pipeline.notes.words import plain, stem, words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from jotsam.core.note_records import FoundNote

MOST_WORDS = 10  # of a prompt that count: the rarest
SAME_CONCEPT, SAME_KIND, SAME_STEM = 0.55, 0.8, 0.9
ENOUGH = {RULE: 0.17, DECISION: 0.5, OPEN: 0.5, FIX: 0.45}
OF_KIND = 0.2
MIN_PREFIX = 5

# Phrases of prompts in the form of `words.plain`, between blanks. A hook compiles no patterns: that would take longer.
_GENERAL = (
    *("difference between", "differences between", "in general", "usually", "internally", "in theory", "haiku", "poem"),
    *("joke", "limerick", "regex", "translate", "uebersetze", "who invented", "history of", "pros and cons", "curious"),
    *("imagine", "what does it mean", "explain to me", "explain what", "explain how", "tell me about", "are there"),
    *("exist", "best practice", "was ist ein", "was ist eine", "der unterschied", "qu'est-ce qu", "que es un"),
    *("que es una", "diferencia entre", "difference entre", "what means", "to me in"),
)
_GENERAL_STARTS = ("what is a ", "what is an ", "what's a ", "what's an ", "what are ", "how does a ", "how do ")
_OURS = frozenset(
    """
    we our us here i my this wir unser unsere hier ich nous notre ici nosotros nuestro aqui nos
    """.split()  # noqa: SIM905 - words read better
)
_MECHANICAL = (
    *("rename", "sort", "format", "reformat", "indent", "translate", "spell", "undo", "benenne", "sortiere"),
    *("git", "show me", "show the", "print the", "open the", "list the", "remove the trailing", "remove unused"),
    *("add a license", "add a licence", "add a favicon", "add a newline", "fix the typo", "fix a typo", "fix typo"),
)
_COURTESY = ("please ", "pls ", "can you ", "could you ", "and ", "now ", "ok ", "so ", "hey ")
_ASKS = frozenset(
    """
    what which where when who why how is are was were do does did can could should has have until since whom wie wer wo
    wann welche welcher welches ist sind hat haben kann comment ou quand quel quelle qui que como donde cuando cual
    quien onde quando qual
    """.split()  # noqa: SIM905 - words read better
)
_MAY = frozenset(["may", "can", "should", "must", "allowed", "which", "how", "darf", "soll", "welche", "wie"])
_OPEN = (
    *(
        "what is open",
        "what's open",
        "still open",
        "is open",
        "what is left",
        "what's left",
        "left to do",
        "is missing",
    ),
    *(
        "still to do",
        "to be done",
        "todo",
        "to-do",
        "what's next",
        "what is next",
        "next steps",
        "next step",
        "unfinished",
    ),
    *("open points", "open ends", "open tasks", "open questions", "did we stop", "did we leave", "did i stop"),
    *("outstanding", "not delivered", "noch offen", "ist offen", "was fehlt", "steht noch", "que falta", "que queda"),
    *("qui reste", "o que falta", "cosa manca", "co zostalo", "to do yet", "remaining", "still do", "pending"),
)
# What a question asks for in words that are left out otherwise.
_ASKED_FOR = (
    *(("until when", "deadline"), ("bis wann", "deadline"), ("how often", "interval"), ("wie oft", "interval")),
    *(("how fast", "speed"), ("which version", "version"), ("what version", "version")),
)
_MARKS = str.maketrans(dict.fromkeys('?!.,;:()"`', " "))


class Asked(Record):
    """A prompt as it is compared with notes."""

    words: tuple[str, ...]
    is_general: bool
    is_question: bool
    may_break: bool  # it asks for something to be done, or how
    wants_open: bool


def read_prompt(text: str) -> Asked:
    lower = f" {' '.join(plain(text).translate(_MARKS).split())} "
    said = lower.split()
    begins = lower.lstrip()
    while (courtesy := next((one for one in _COURTESY if begins.startswith(one)), "")) and len(begins) > len(courtesy):
        begins = begins[len(courtesy) :]
    is_question = text.rstrip().endswith("?") or (begins.split()[:1] != [] and begins.split()[0] in _ASKS)
    is_general = begins.startswith(_GENERAL_STARTS) or _has(lower, _GENERAL)
    is_general = (is_general and _OURS.isdisjoint(said)) or _has(f" {begins[:40]}", _MECHANICAL, first=True)
    return Asked(
        words=tuple(dict.fromkeys((*words(text), *(word for asked, word in _ASKED_FOR if f" {asked} " in lower)))),
        is_general=is_general,
        is_question=is_question,
        may_break=not is_general and (not is_question or not _MAY.isdisjoint(said)),
        wants_open=_has(lower, _OPEN),
    )


def _has(text: str, phrases: Iterable[str], *, first: bool = False) -> bool:
    """Whether a text between blanks has a phrase, perhaps as its first words."""
    return any(text.startswith(f" {one} ") if first else f" {one} " in text for one in phrases)


def relevant(asked: Asked, notes: Sequence[FoundNote]) -> list[tuple[float, int]]:
    """The notes that a prompt needs: how well each fits, 0 to 1, and its index. The best first."""
    if asked.is_general or not asked.words:
        return []
    weights = {word: _weight(word, notes) for word in asked.words}
    chosen = sorted(weights, key=lambda word: -weights[word])[:MOST_WORDS]
    total = sum(weights[word] for word in chosen)
    found: list[tuple[float, int]] = []
    for at, note in enumerate(notes):
        matched = [(word, _match(word, note)) for word in chosen]
        share = sum(weights[word] * part for word, part in matched) / total
        parts = [part for _, part in matched if part]
        is_sure = any(part >= SAME_KIND for part in parts) or len(parts) > 1 or (note.kind == RULE and bool(parts))
        enough = ENOUGH.get(note.kind, 1.0)
        if note.kind == DECISION and any(not note.kinds.isdisjoint(kinds_asked(word)) for word in chosen):
            enough = OF_KIND  # It is done with what was decided for such things.
        if is_sure and share >= enough and (note.kind != RULE or asked.may_break):
            found.append((share, at))
    return sorted(found, key=lambda one: (-one[0], -notes[one[1]].at))


def _weight(word: str, notes: Sequence[FoundNote]) -> float:
    own = stem(word)
    holding = sum(own in note.names or own in note.stems for note in notes)
    return log(1 + (len(notes) + 3) / (holding + 1))


def _match(word: str, note: FoundNote) -> float:
    own = stem(word)
    if own in note.names or own in note.stems:
        return 1.0
    if len(own) >= MIN_PREFIX and any(
        other.startswith(own) or (len(other) >= MIN_PREFIX and own.startswith(other))
        for other in (*note.names, *note.stems)
    ):
        return SAME_STEM
    if not note.kinds.isdisjoint((*kinds_asked(word), *kinds_asked(own))):
        return SAME_KIND
    return SAME_CONCEPT if not note.concepts.isdisjoint(concepts_of(word)) else 0.0

"""Which notes a prompt needs: those that share its rare words, or words that mean the same. Pure.

A rule is needed if the prompt asks for something that the rule is about. A question about the world in general needs
nothing of a project.
"""

from __future__ import annotations

import re
from math import log

from jotsam.core.note_records import DECISION, FIX, OPEN, RULE, Note
from jotsam.core.records import Record
from jotsam.pipeline.notes.lexicon import CONCEPTS, KINDS
from jotsam.pipeline.notes.words import plain, products, stem, words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_WORDS = 10  # of a prompt that count: the rarest
SAME_CONCEPT, SAME_KIND, SAME_STEM = 0.55, 0.8, 0.9
ENOUGH = {RULE: 0.2, DECISION: 0.5, OPEN: 0.5, FIX: 0.45}
OF_KIND = 0.25
MIN_PREFIX = 5

_GENERAL = re.compile(
    r"\b(?:what|which) (?:is|are) (?:the )?(?:differences?|meaning|point|advantages?|benefits?"
    r"|best way|usual)\b|\bwhat (?:is|are|does) (?:an? )?\w+(?: \w+)?(?: mean)?\s*\??$"
    r"|\bwhat'?s an? \w+|\bin general\b|\busually\b|\binternally\b|\bin theory\b|\b(?:which"
    r"|what) .{2,50} (?:exist|are there)\b"
    r"|\bhow (?:does|do|is|are) (?:an? )?(?!we\b|our\b|i\b|the\b|this\b)[\w-]+(?: [\w-]+)? (?:work"
    r"|store|handle|compare|differ|implemented|calculated)\b|\b(?:explain"
    r"|tell me about) (?:to me )?(?:what|how|why|the (?:difference|concept))\b|\b(?:haiku|poem|joke"
    r"|limerick|gedicht|witz)\b|\bregex\b|\btranslate\b|\buebersetze?\b|\bwho invented\b"
    r"|\bhistory of\b|\bpros and cons\b|\bcurious\b|\bimagine\b"
    r"|\bwas ist (?:ein|eine|der unterschied)\b|\bqu'est-ce qu\b|\bque es (?:un|una)\b"
    r"|\bdiferencia entre\b|\bdifference entre\b"
)
_MECHANICAL = re.compile(
    r"^(?:please |pls |can you |could you |and |now )*(?:rename|sort|format|reformat|indent|translate"
    r"|spell|git (?:status|diff|log)|(?:show|print|list|open) (?:me )?(?:the )?(?:git|last|diff|log"
    r"|file|current|content)|remove (?:the )?(?:trailing|unused|blank|extra)"
    r"|add (?:a |the )?(?:licen[cs]e|favicon|newline|semicolon|blank line)|fix (?:the |a )?typo|undo\b"
    r"|benenne|sortiere|formatiere)\b"
)
_OURS = re.compile(
    r"\b(?:we|our|us|here|i|my|this (?:repo|project)|wir|unser\w*|hier|ich|nous|notre|ici|nosotros"
    r"|nuestr\w+|aqui|nos|nosso)\b"
)
_ASKS = re.compile(
    r"^(?:and |so |ok |hey )*(?:what|which|where|when|who|why|how|is|are|was|were|do|does|did|can|could"
    r"|should|has|have|until|since|in which|at what|on which|von wem|wie|was|wer|wo|wann|welche\w*|ist"
    r"|sind|hat|haben|kann|bis wann|comment|ou|quand|quel\w*|qui|que|como|donde|cuando|cual\w*|quien|onde"
    r"|quando|qual)\b"
)
_MAY = re.compile(r"\b(?:may|can|should|must|allowed|in which|which|how do (?:i|we)|darf|soll|welche\w*|wie)\b")
_OPEN = re.compile(
    r"\b(?:what(?:'?s| is)?|anything|something|is there|was|gibt es|what do (?:we|i)|list"
    r"|show) .{0,40}\b(?:open|left|missing|todo|to do|pending|unfinished|remaining|outstanding|offen"
    r"|fehlt|uebrig|noch zu tun)\b|\b(?:todo|to-do) ?(?:list|s)?\b|\bwhat'?s next\b|\bnext steps?\b"
    r"|\bopen (?:points?|items?|tasks?|ends?|questions?)\b|\bwhere (?:were|did) we (?:stop|left?"
    r"|leave)\b|\bwhat (?:were we|was i) (?:doing|at)\b"
    r"|\b(?:noch|was ist) offen\b|\bwas fehlt\b|\bwas steht noch\b|\bque (?:falta|queda)\b"
    r"|\bqu'est-ce qui reste\b|\bo que falta\b|\bcosa manca\b|\bco zostalo\b|\bstill to (?:do"
    r"|be done)\b"
)


class Asked(Record):
    """A prompt as it is compared with notes."""

    words: tuple[str, ...]
    is_general: bool
    is_question: bool
    may_break: bool  # it asks for something to be done, or how
    wants_open: bool


def read_prompt(text: str) -> Asked:
    lower = plain(text)
    found = [*dict.fromkeys(words(text))]
    is_question = lower.rstrip().endswith("?") or _ASKS.match(lower) is not None
    is_general = _GENERAL.search(lower) is not None and not _OURS.search(lower)
    return Asked(
        words=tuple(found),
        is_general=is_general or _MECHANICAL.match(lower) is not None,
        is_question=is_question,
        may_break=not is_general and (not is_question or _MAY.search(lower) is not None),
        wants_open=_OPEN.search(lower) is not None,
    )


class Known(Record):
    """The words of a note."""

    stems: frozenset[str]
    concepts: frozenset[str]
    kinds: frozenset[str]


def known(note: Note) -> Known:
    found = words(f"{note.text} {note.problem}")
    parts = [part for word in found for part in (word, *re.split(r"[^a-z0-9]+", word)) if part]
    return Known(
        stems=note.names | {stem(part) for part in parts},
        concepts=frozenset(concept for part in parts for concept in CONCEPTS.get(part, ())),
        kinds=frozenset(kind for _, kind in products(note.text)),
    )


def relevant(asked: Asked, notes: Sequence[Note]) -> list[tuple[float, int]]:
    """The notes that a prompt needs: how well each fits, 0 to 1, and its index. The best first."""
    if asked.is_general or not asked.words:
        return []
    each = [known(note) for note in notes]
    weights = {word: _weight(word, each) for word in asked.words}
    chosen = sorted(weights, key=lambda word: -weights[word])[:MOST_WORDS]
    total = sum(weights[word] for word in chosen)
    found: list[tuple[float, int]] = []
    for at, (note, one) in enumerate(zip(notes, each, strict=True)):
        matched = [(word, _match(word, one)) for word in chosen]
        share = sum(weights[word] * part for word, part in matched) / total
        parts = [part for _, part in matched if part]
        is_sure = any(part >= SAME_KIND for part in parts) or len(parts) > 1 or (note.kind == RULE and bool(parts))
        enough = ENOUGH.get(note.kind, 1.0)
        if note.kind == DECISION and SAME_KIND in parts:
            enough = OF_KIND  # It is done with what was decided for such things.
        if is_sure and share >= enough and (note.kind != RULE or asked.may_break):
            found.append((share, at))
    return sorted(found, key=lambda one: (-one[0], -notes[one[1]].at))


def _weight(word: str, each: Sequence[Known]) -> float:
    own = stem(word)
    holding = sum(own in one.stems for one in each)
    return log(1 + (len(each) + 3) / (holding + 1))


def _match(word: str, one: Known) -> float:
    own = stem(word)
    if own in one.stems:
        return 1.0
    if len(own) >= MIN_PREFIX and any(
        other.startswith(own) or (len(other) >= MIN_PREFIX and own.startswith(other)) for other in one.stems
    ):
        return SAME_STEM
    if not one.kinds.isdisjoint(KINDS.get(word, ())):
        return SAME_KIND
    return SAME_CONCEPT if not one.concepts.isdisjoint(CONCEPTS.get(word, ())) else 0.0

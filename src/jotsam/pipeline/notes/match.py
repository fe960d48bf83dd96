"""Which notes a prompt needs: those that share its rare words, or words that mean the same. Pure.

A rule is needed if the prompt asks for something that the rule is about. A question about the world in general needs
nothing of a project.
"""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from math import fsum, log, sqrt

from jotsam.core.names import DECISION, FIX, RULE
from jotsam.core.records import Record
from jotsam.pipeline.notes.lexicon import alike, concepts_of, kin_of, kinds_asked, says
from jotsam.pipeline.notes.prompt_model import needs_nothing
from jotsam.pipeline.notes.words import plain, stem, words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from jotsam.core.note_records import FoundNote

FEW = 20  # with fewer notes, a word in one of them is no less rare
MOST_WORDS = 10  # of a prompt that count: the rarest
SAME_CONCEPT, ALIKE, SAME_KIND, SAME_STEM, BESIDE = 0.4, 0.5, 0.7, 0.9, 0.15
MAX_NOTES, MIN_SURE = 400, 0.4  # the most of a project that are compared, and the least sure one
ENOUGH = 0.5  # of a rule, a decision or a fix
ENOUGH_BESIDE = 1.25  # of what is open or done
# On the scale of `prompt_model`: with more a prompt needs nothing; from where on it must fit better, for each point.
NOTHING, DOUBTFUL, PER_POINT = 0.0, -2.5, 0.8
ENOUGH_SAID = 1.5  # of a sentence
USUAL_TERMS = 20  # of a note; a longer one needs more in common

MIN_PREFIX = 5

# Phrases of prompts in the form of `words.plain`, between blanks, beside the model in `prompt_model.py`. A hook
# compiles no patterns: that would take longer.
# A question about the world, unless it also speaks of what is ours.
_GENERAL = (
    *("in general", "generally", "usually", "internally", "in theory", "pros and cons", "best practice", "curious"),
    *("haiku", "poem", "joke", "limerick", "birthday", "translate", "uebersetze", "who invented", "history of"),
    *("explain to me", "explain what", "explain how", "tell me about", "are there", "exist", "imagine", "to me in"),
    *("que es un", "que es una", "qu'est-ce qu", "was ist ein", "was ist eine", "what means", "one liner", "one-liner"),
)
# The same, also if it speaks of what is ours: it asks what something means.
_MEANING = (
    *("difference between", "differences between", "der unterschied", "diferencia entre", "difference entre"),
    *("what does it mean", "stand for", "stands for", "really do", "actually do", "in simple words", "simply put"),
    *("in one sentence", "one sentence", "differs from", "differ from", "was bedeutet", "was heisst", "que significa"),
    *("compared to", "how would one", "how does one", "how do you say", "wie sagt man", "roughly", "regex", "regexp"),
    *("in spanish", "in german", "in french", "in english", "auf englisch", "auf deutsch", "cheat sheet"),
)
_GENERAL_STARTS = (
    *("what is a ", "what is an ", "what's a ", "what's an ", "whats a ", "whats an ", "what are ", "how does a "),
    *("which letter ", "remind me what is the ", "who was ", "convert "),
)
# Tools and languages whose name begins a request for a line of them, and what follows it then.
_TOOLS = frozenset(
    """
    jq sed awk grep find css html sql bash shell zsh git vim regex excel latex python rust kotlin swift java go golang
    typescript javascript js ts ruby php perl docker kubectl curl tar rsync ffmpeg cron crontab make c c++ r julia
    """.split()  # noqa: SIM905 - words read better
)
_LINE_OF = frozenset(
    """
    for to filter that befehl command commande comando snippet expression one-liner selector
    """.split()  # noqa: SIM905 - words read better
)
_GIT = frozenset(
    """
    add stash commit rebase reset checkout merge cherry-pick tag pop revert branch push remote blame log
    """.split()  # noqa: SIM905 - words read better
)
_HOW_TO = ("how do i ", "how do you ", "how can i ", "how to ")
_OURS = frozenset(
    """
    we our ours us here i my i'm i've we've this wir unser unsere hier ich nous notre ici nosotros nuestro aqui nos
    """.split()  # noqa: SIM905 - words read better
)
_DEFINITE = frozenset(["the", "that", "still", "again", "der", "die", "das", "el", "la", "le", "les", "o"])
_MECHANICAL = (
    *("reformat", "indent", "undo", "benenne", "sortiere", "show me", "show the git", "show the diff", "show the log"),
    *("print the", "open the", "list the"),
    *("remove the trailing", "remove unused"),
    *("add a license", "add a licence", "add a favicon", "add a newline", "fix the typo", "fix a typo", "fix typo"),
    "typo",
    *("run the formatter", "run the linter", "run prettier", "organise the imports", "organize the imports"),
)
# A prompt of a few words that has one of these ends a session or a part of it.
_FAREWELL = (
    *("thanks", "thank you", "thx", "ta", "cheers", "danke", "gracias", "merci", "obrigado", "obrigada", "grazie"),
    *("good night", "night night", "tonight", "tomorrow", "lunch", "bye", "see you", "for today", "back at", "back in"),
    *("bis morgen", "bis spaeter", "feierabend", "hasta luego", "hasta manana", "a demain", "ate amanha", "thats me"),
    *("that's me", "signing off", "coffee", "break", "nice one", "well done", "good job", "weekend"),
)
_MOST_OF_FAREWELL = 8  # words
_COURTESY = (
    *("please ", "pls ", "can you ", "could you ", "would you ", "and ", "now ", "ok ", "so ", "hey ", "quick ", "hi "),
    *("just ", "quick question ", "then "),
)
_ASKS = frozenset(
    """
    what whats what's which where when who whos why how hows is are was were do does did can could should has have until
    since whom wie wer wo wann welche welcher welches ist sind hat haben kann comment ou quand quel quelle qui que como
    donde cuando cual quien onde quando qual
    """.split()  # noqa: SIM905 - words read better
)
_OPEN = (
    *("what is open", "what's open", "still open", "is open", "what is left", "what's left", "left to do"),
    "is missing",
    *("still to do", "to be done", "todo", "to-do", "what's next", "what is next", "next steps", "next step"),
    "unfinished",
    *("open points", "open ends", "open tasks", "open questions", "did we stop", "did we leave", "did i stop"),
    *("outstanding", "not delivered", "noch offen", "ist offen", "was fehlt", "steht noch", "que falta", "que queda"),
    *("qui reste", "o que falta", "cosa manca", "co zostalo", "to do yet", "remaining", "still do", "pending"),
    *("on the list", "do still", "there yet", "done yet", "whats left", "whats open", "comes next", "still waiting"),
    *("owe", "owes", "owing", "did i promise", "did we promise", "have to do", "not done", "whats next"),
    "whats missing",
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
    is_general: bool  # by its phrases
    wants_open: bool
    world: float  # how likely it needs nothing, on the scale of `prompt_model`

    @property
    def needs_nothing(self) -> bool:
        return self.is_general or (self.world >= NOTHING and not self.wants_open)

    @property
    def is_work(self) -> bool:
        """Whether it certainly asks for work on the project, so that also a note without its words may be needed."""
        return not (self.is_general or self.wants_open or self.more)

    @property
    def more(self) -> float:
        """How much better than usual a note must fit, because the prompt perhaps needs none."""
        return PER_POINT * max(0.0, self.world - DOUBTFUL)


@lru_cache(maxsize=16)
def read_prompt(text: str) -> Asked:
    lower = f" {' '.join(plain(text).translate(_MARKS).split())} "
    said = lower.split()
    begins = lower.lstrip()
    while (courtesy := next((one for one in _COURTESY if begins.startswith(one)), "")) and len(begins) > len(courtesy):
        begins = begins[len(courtesy) :]
    first, second, *_ = (*begins.split()[:2], "", "")
    is_question = text.rstrip().endswith("?") or first in _ASKS
    is_ours = not _OURS.isdisjoint(said)
    names_one = is_ours or not _DEFINITE.isdisjoint(said)
    is_general = bool(
        (not is_ours and (begins.startswith(_GENERAL_STARTS) or _has(lower, _GENERAL)))
        or (begins.startswith("how many ") and not names_one)
        or _has(lower, _MEANING)
        or (first in _TOOLS and (second in _LINE_OF or text.lstrip()[len(first) :].startswith(":")))
        or (
            begins.startswith(_HOW_TO)
            and not _TOOLS.isdisjoint(said)
            and ("git" not in said or not _GIT.isdisjoint(said))
        )
        or _has(f" {begins[:40]}", _MECHANICAL, first=True)
        or (len(said) <= _MOST_OF_FAREWELL and not is_question and _has(lower, _FAREWELL))
        or first.startswith("#")
        or (first == "is" and second.startswith("#"))
    )
    return Asked(
        words=tuple(dict.fromkeys((*words(text), *(word for asked, word in _ASKED_FOR if f" {asked} " in lower)))),
        is_general=is_general,
        wants_open=_has(lower, _OPEN),
        world=needs_nothing(text),
    )


def _has(text: str, phrases: Iterable[str], *, first: bool = False) -> bool:
    """Whether a text between blanks has a phrase, perhaps as its first words."""
    return any(text.startswith(f" {one} ") if first else f" {one} " in text for one in phrases)


def relevant(asked: Asked, notes: Sequence[FoundNote]) -> list[tuple[float, int]]:
    """The notes that a prompt needs: how well each fits, and its index. The best first."""
    found: list[tuple[float, int]] = []
    for at, (fit, note) in enumerate(zip(_fits(asked, notes), notes, strict=True)):
        if fit >= asked.more + (ENOUGH if note.kind in (RULE, DECISION, FIX) else ENOUGH_BESIDE):
            found.append((fit, at))
    return sorted(found, key=lambda one: (-one[0], -notes[one[1]].at))


def best_of(asked: Asked, sentences: Sequence[FoundNote], parts: Sequence[FoundNote]) -> list[int]:
    """The sentences that a prompt needs, by index, the best first; each with the part of a turn that it begins."""
    both = zip(_fits(asked, sentences), _fits(asked, parts), strict=True)
    found = [
        (fit, at)
        for at, (own, part) in enumerate(both)
        if own and (fit := (own + part) / 2) >= ENOUGH_SAID + asked.more
    ]
    return [at for _, at in sorted(found, key=lambda one: (-one[0], -parts[one[1]].at))]


def _fits(asked: Asked, notes: Sequence[FoundNote]) -> list[float]:
    """How well each note fits: the rarity of the words that it shares, less for a long one."""
    if asked.is_general or not notes:
        return [0.0] * len(notes)
    places = _Places(notes)
    matched: list[tuple[float, dict[int, float]]] = []
    for word in asked.words:
        parts = places.of(word)
        # `fsum`, because the order of a set differs from process to process.
        rarity = log(1 + max(len(notes), FEW) / (fsum(parts.values()) + 1))
        matched.append((rarity * says(stem(word)), parts))
    fits = [0.0] * len(notes)
    for weight, parts in sorted(matched, key=lambda one: -one[0])[:MOST_WORDS]:
        for at, part in parts.items():
            fits[at] += weight * part
    return [fit / sqrt(1 + size / USUAL_TERMS) for fit, size in zip(fits, places.sizes, strict=True)]


class _Places:
    """In which notes each term, concept and kind is, by index. `sizes` are their numbers of terms."""

    def __init__(self, notes: Iterable[FoundNote]) -> None:
        self.sizes: list[int] = []
        self._terms: defaultdict[str, list[int]] = defaultdict(list)
        self._concepts: defaultdict[str, list[int]] = defaultdict(list)
        self._kinds: defaultdict[str, list[int]] = defaultdict(list)
        for at, note in enumerate(notes):
            terms = note.names | note.stems
            self.sizes.append(len(terms))
            for found, names in ((self._terms, terms), (self._concepts, note.concepts), (self._kinds, note.kinds)):
                for name in names:
                    found[name].append(at)
        self._every = "\n".join(self._terms)

    def of(self, word: str) -> dict[int, float]:
        """How well each note has a word of a prompt, above 0: the best of the ways in which it has it."""
        own, used, beside = stem(word), *_kin(word)
        ways = (
            (BESIDE, self._terms, beside),
            (SAME_CONCEPT, self._concepts, concepts_of(word)),
            (ALIKE, self._terms, alike(own)),
            (SAME_KIND, self._kinds, (*kinds_asked(word), *kinds_asked(own))),
            (SAME_KIND, self._terms, used),
            (SAME_STEM, self._terms, self._similar(own)),
            (1.0, self._terms, (own,)),
        )
        found: dict[int, float] = {}
        for part, places, names in ways:
            for name in names:
                if name in places:
                    found |= dict.fromkeys(places[name], part)
        return found

    def _similar(self, own: str) -> Iterator[str]:
        """The terms that contain a stem or are contained in it, if both are long enough."""
        if len(own) < MIN_PREFIX:
            return
        if own in self._every:
            yield from (term for term in self._terms if own in term)
        for first in range(len(own) - MIN_PREFIX + 1):
            for last in range(first + MIN_PREFIX, len(own) + 1):
                yield own[first:last]


@lru_cache(maxsize=1_024)
def _kin(word: str) -> tuple[frozenset[str], frozenset[str]]:
    """The stems of what is used for the subject of a word, and of the words of that subject."""
    used, beside = kin_of(word)
    return frozenset(map(stem, used)), frozenset(map(stem, beside))

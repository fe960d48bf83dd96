"""A turn of a user with what was said around it, and which of its sentences can decide something. Pure."""

from __future__ import annotations

from jotsam.core.note_records import Turn
from jotsam.core.patterns import lazy_pattern
from jotsam.core.records import Record
from jotsam.pipeline.notes.choices import options
from jotsam.pipeline.notes.decision_cues import ASKS, FILLER, PROPOSES, THANKS_ONLY
from jotsam.pipeline.notes.names import names
from jotsam.pipeline.notes.open_ends import is_open
from jotsam.pipeline.notes.reports import MAY, Report, is_settled, report_of
from jotsam.pipeline.notes.rule_cues import DESCRIBES
from jotsam.pipeline.notes.sentence_model import DECIDES, MAX_AFTER, Setting, score
from jotsam.pipeline.notes.sentences import prose, split, without_quotes
from jotsam.pipeline.notes.words import plain, terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MAX_CHOICE, MAX_PROPOSAL = 160, 1_500  # characters; a proposal is at the end of a long answer
_TAG = lazy_pattern(  # "take cxx, no?"
    r"\S[, ]+(?:no|right|ok(?:ay)?|yes|oder|ne|gell|nicht wahr|non|si|verdad|vale)\?$"
)
_YES = lazy_pattern(r"(?:ok(?:ay)?|yes|yep|yeah|yup|ja+|jo|oui|si|sim|tak|vale|sure|no|nope|nein|non|nao|nie)\b")
DATA = lazy_pattern(r"\d[\da-f]*[:.][\da-f:. ]+|[\W\d]{6,}$")  # a line of a log
_HESITATES = lazy_pattern(r"(?:h+m+|uh+m*|ehm*|aeh+m*|euh)\b")
_POINTS_BACK = lazy_pattern(
    r"\b(?:there|that one|this one|those|these|them|it|dort|dahin|alli|ahi)\b[.!]*$|\bthat one\b"
)
POINTED = 3  # sentences before it
_ENDED = lazy_pattern(r"[.!?:]\s+|\n")
MAX_READ = 10  # sentences of a turn
MIN_SAME = 40  # characters


class Exchange(Record):
    """A turn of a user with what was said around it."""

    turn: Turn
    sentences: tuple[str, ...]
    scores: tuple[float, ...]  # how likely each decides
    may: frozenset[int]  # the places of those that can
    proposal: str  # the end of what the assistant said before, "" if nothing
    offers: bool  # whether it offers or asks something
    asked: str  # what the user said before that
    leaves_open: bool  # whether the answer offers something itself, or begins with what is open
    report: Report

    def topic(self) -> frozenset[str]:
        """The terms of the message and of what it answers, if that offers something."""
        return terms(self.turn.text) | terms(self.proposal) if self.offers else frozenset()


def exchange(
    turn: Turn, before: Turn | None, after: Turn | None, asked: Turn | None, ordered: Sequence[str]
) -> Exchange:
    proposal = _end(before.text) if before is not None else ""
    answer = "" if after is None else after.text[:MAX_AFTER]
    sentences = split(without_quotes(prose(turn.text)))[:MAX_READ]
    at = [Setting(before=proposal, is_first=number == 0, after=answer) for number in range(len(sentences))]
    return Exchange(
        turn=turn,
        sentences=tuple(sentences),
        scores=tuple(score(one, DECIDES, said=said) for one, said in zip(sentences, at, strict=True)),
        may=frozenset(
            number for number, one in enumerate(sentences) if can_decide(one) and not _is_ordered(one, ordered)
        ),
        proposal=proposal,
        offers=bool(PROPOSES.search(plain(proposal)) or MAY.search(plain(proposal)) or options(proposal)),
        asked="" if asked is None else asked.text,
        leaves_open=bool(options(answer) or PROPOSES.search(plain(answer)) or any(map(is_open, split(answer)[:1]))),
        report=report_of(turn, after, ordered=ordered),
    )


def can_decide(sentence: str) -> bool:
    text = plain(sentence)
    if (
        is_question(sentence)
        or _HESITATES.match(text)
        or len(text) > 2 * MAX_CHOICE
        or is_open(sentence)
        or is_settled(sentence)
    ):
        return False
    return not DESCRIBES.search(text) and not DATA.match(text)


def is_question(sentence: str) -> bool:
    is_asked = sentence.endswith(("?", "？")) and not _TAG.search(plain(sentence))
    return is_asked or ASKS.match(plain(sentence)) is not None


def _is_ordered(sentence: str, ordered: Iterable[str]) -> bool:
    """Whether a sentence is one of the rules, or part of one."""
    own = terms(sentence)
    return any(
        sentence[:MIN_SAME] in one or one in sentence or 0 < len(own) <= len(own & terms(one)) for one in ordered
    )


def says_something(sentence: str) -> bool:
    """Whether a sentence is more than thanks or a "good"."""
    text = plain(sentence)
    return _YES.match(text) is not None or bool(terms(FILLER.sub("", text)) and not THANKS_ONLY.match(text))


def with_what_it_points_at(sentence: str, earlier: Sequence[str]) -> str:
    """A sentence that points at what was said before it, behind that: "I rented a server, bobbin; put it there"."""
    if names(sentence) or not _POINTS_BACK.search(plain(sentence)):
        return sentence
    found = next((one for one in reversed(earlier[-POINTED:]) if names(one) and not is_question(one)), "")
    return f"{found.rstrip(' .')}; {sentence}" if found and len(found) <= MAX_CHOICE else sentence


def _end(answer: str) -> str:
    """The end of an answer, from the beginning of a sentence on."""
    return answer if len(answer) <= MAX_PROPOSAL else [*_ENDED.split(answer[-MAX_PROPOSAL:], maxsplit=1), ""][1]

"""Decisions as people make them: an assistant proposes, the user confirms or chooses; or the user states one; or the
assistant reports that something is different now. Pure.

A decision is told by what was decided, not by the word "ok".
"""

from __future__ import annotations

import re

from jotsam.core.names import DECISION
from jotsam.core.note_records import FoundNote, Turn
from jotsam.core.patterns import lazy_pattern
from jotsam.pipeline.notes.choices import Choice, choice, options
from jotsam.pipeline.notes.decision_cues import (
    DECIDED,
    ECHO,
    FILLER,
    REFUSES,
    STARTS,
    TELLS_CHANGE,
    TELLS_CHOICE,
)
from jotsam.pipeline.notes.exchanges import (
    DATA,
    MAX_CHOICE,
    MAX_READ,
    MIN_SAME,
    Exchange,
    exchange,
    is_question,
    says_something,
    with_what_it_points_at,
)
from jotsam.pipeline.notes.fixes import is_problem
from jotsam.pipeline.notes.lexicon import kind_of, rivals_of
from jotsam.pipeline.notes.names import may_be_product, names, products
from jotsam.pipeline.notes.open_ends import is_open
from jotsam.pipeline.notes.reports import (
    FEW,
    LEAD,
    NUMBERS,
    SWITCHES,
    TOLD,
    best_of,
    gives_value,
    is_change,
    is_settled,
    removed,
    repeats,
    report_of,
    says_removal,
    says_what_holds,
    told_of,
)
from jotsam.pipeline.notes.resolve import measures
from jotsam.pipeline.notes.rule_cues import DESCRIBES, FOR_ONCE
from jotsam.pipeline.notes.sentences import answered, cut, prose, split, without_quotes
from jotsam.pipeline.notes.words import plain, terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MAX_TEXT = 200
# On the scale of `sentence_model.score`: what a sentence needs that chooses of what was proposed, and one that decides
# by itself; and how sure that makes it.
CHOOSES, LEAST, SURELY, LIKELY, SURE = -2.5, 0.5, 1.5, 0.6, 0.8
TOGETHER = -2.5  # of the likeliest sentence of a turn with the sentence of the answer that most likely says what holds
NAMED = 0.0  # of one that says that something changed, with a name that the sentence has too
CHANGES = -1.5  # of one that says that something is otherwise now
NOTHING, ENOUGH = -9.0, 3.0  # without an answer; of the answer, for more says no more
LONGEST = 1_500  # characters
_WHEN = lazy_pattern(r"\b(?:when|if|after|since|because|before|whenever|wenn|als|quand|cuando) (?:i|we|ich|wir)\b")
_NO = lazy_pattern(r"^(?:(?:no|nope|nein|non|nah|nie|nao|nee)[\s]*[,.:!-]\s*)+", re.IGNORECASE)
# What was done or may be: an alternative says neither.
_TELLS = lazy_pattern(
    r"^if\b|\b(?:you already|i (?:already|did|didn'?t|have|had|verified|checked|added|left|ran|found))\b"
)
_POINTING = lazy_pattern(r"\b(?:that|this|these|those) (?:\d+ )?\w+")  # what was said before it, and not told again
_NOW = lazy_pattern(r"\b(?:now|jetzt|ahora|maintenant|agora|teraz|adesso)\b")
_POINTS = lazy_pattern(r"^(?:it|that|this|yes|both|they|es|das)\b", re.IGNORECASE)
_PROPOSING = lazy_pattern(
    r"^(?:then |so |for \w+ |here |therefore )*(?:i(?:'d| would| could)?|my|we could|one could"
    r"|you could|how about|what about|shall i|should i|want me to|do you want me to|ich wuerde"
    r"|ich schlage|ich würde|je propose|yo usaría|propongo)"
    r"(?: (?:recommend|suggest|suggestion|recommendation|propose|go with|go for|take|use|prefer|pick"
    r"|keep|is|vor|also|would|be))*\b[\s:,]*",
    re.IGNORECASE,
)
MAX_ECHO = 10  # words
_OWN = lazy_pattern(r".{0,20}\bi(?:'ve)?\b")  # what an assistant decided by itself
_FOR_NOW = lazy_pattern(
    r"\b(?:for now|for the moment|for the time being|vorerst|por ahora|pour l'instant|per ora|na razie)\b"
)
MAX_HEAD = 90
DETAIL = 0.4  # of a report: it answers a prompt, and is not shown in a brief
SHOWN = 0.5  # with less, a decision is in no brief
REMOVAL = 0.45  # sure enough to end what was, not to be shown


def decisions_of(
    turn: Turn, before: Turn | None, after: Turn | None, asked: Turn | None, ordered: Sequence[str] = ()
) -> list[FoundNote]:
    """The decisions in a turn of a user, with the assistant's turns around it, and the user's turn before that.

    `ordered` are the texts of the rules in it, which decide nothing else.
    """
    if len(turn.text) > LONGEST:
        return []
    all_said = exchange(turn, before, after, asked, ordered)
    told = [_said(turn, one, sure=SURE) for one in all_said.sentences if _tells(one)]
    # What was told in words that say so covers what was read out of the same turn about it.
    found = [
        *told,
        *(
            one
            for one in _read(all_said, told, is_begin=before is None)
            if not any(one.heads & other.names or one.heads & other.heads for other in told)
        ),
    ]
    found += _echoed(turn, all_said.sentences, after, known=[one for one in found if one.sure >= SHOWN])
    if not found and before is None and asked is None:
        found = _of_start(turn, after)
    return found or _changed(all_said)


def _read(said: Exchange, told: Sequence[FoundNote], *, is_begin: bool) -> list[FoundNote]:
    """What sentences of a turn decide that do not say so in words."""
    found: list[FoundNote] = []
    picked, topic = _picked(said.sentences, said.proposal), said.topic()
    pointing = [with_what_it_points_at(one, said.sentences[:at]) for at, one in enumerate(said.sentences)]
    answers = [
        _answer_to(said, one, topic | (terms(said.sentences[at - 1]) if at and not said.leaves_open else frozenset()))
        for at, one in enumerate(pointing)
    ]
    together = [
        likely + _uptake(said.report, answer, one)
        for likely, answer, one in zip(said.scores, answers, pointing, strict=True)
    ]
    telling = [at for at in sorted(said.may) if said.offers or says_something(pointing[at])]
    likeliest = max((at for at in telling if not is_problem(said.sentences[at])), key=together.__getitem__, default=-1)
    for at, (sentence, likely) in enumerate(zip(said.sentences, said.scores, strict=True)):
        text = plain(sentence)
        if at < picked or any(one.text.startswith(sentence[:MIN_SAME].strip(" .")) for one in told):
            continue
        if (FOR_ONCE.search(text) and not _NOW.search(text)) or DESCRIBES.search(text) or DATA.match(text):
            continue
        may_choose = at == picked if picked else at == 0 and likely >= CHOOSES
        made = choice(sentence, said.proposal, said.asked) if may_choose else None
        if made is not None:
            found += _new(_chosen(said, made, sentence), found)
            continue
        if not terms(sentence) and any(
            said.scores[other] >= LEAST and terms(said.sentences[other]) for other in said.may
        ):
            continue  # "No." is told by what follows it.
        begins = is_begin and at == 0 and STARTS.search(text) is not None
        settles = likely >= LEAST or (at == likeliest and together[at] >= TOGETHER)
        tells = DECIDED.search(text) is not None and not _WHEN.search(text)
        if at in said.may and ((settles and not begins) or tells):
            sure = SURE if likely >= SURELY else LIKELY
            found += _new(_stated(said, pointing[at], answers[at], sure=sure), found)
    return found


def _of_start(turn: Turn, after: Turn | None) -> list[FoundNote]:
    """What the answer to the first request of a project says that holds."""
    if after is None or not STARTS.search(plain(turn.text)) or is_problem(turn.text):
        return []
    known = terms(turn.text)
    named = [
        one
        for one, likely in report_of(turn, after, most=8).items()
        if terms(one) & known - NUMBERS and names(one) and likely > 0
    ]
    return [_reported(turn, one, sure=0.6) for one in named[:2]]


def _uptake(report: Mapping[str, float], answer: str, sentence: str) -> float:
    """How far an answer takes up what a sentence decides, on the scale of the model."""
    likely = min(report.get(answer, NOTHING), ENOUGH)
    if answer in report and is_change(answer) and names(answer) & terms(sentence):
        return max(likely, NAMED)
    return likely


def _answer_to(said: Exchange, sentence: str, topic: frozenset[str]) -> str:
    """The sentence of the answer about what a sentence decides, or the one before it that the user approves of."""
    own = terms(sentence)
    told = told_of(said.report, own, topic)
    if not own - NUMBERS or len(own) > FEW or terms(told) & own:
        return told
    return next((one for one in answered(said.proposal) if own <= terms(one) and not one.endswith("?")), told)


def _changed(said: Exchange) -> list[FoundNote]:
    """What the answer to a request reports that is different now."""
    turn, report = said.turn, said.report
    if _is_once(turn.text):
        return []
    changed = [one for one in report if is_change(one) and (names(one) or any(map(str.isdigit, one)))]
    told = changed[0] if changed else ""
    asking = next((one for one in split(prose(turn.text)) if _same_matter(one, told) and not one.endswith("?")), None)
    if asking is not None and len(asking) <= MAX_CHOICE:
        return _stated(said, asking, told_of(report, terms(asking), frozenset()), sure=0.7)
    changed = changed if not is_problem(turn.text) else [*filter(gives_value, changed)]
    if not changed:
        return []
    told = max(changed, key=lambda one: (_NOW.search(plain(one)) is not None, report[one]))
    is_now = _NOW.search(plain(told)) is not None and report[told] > CHANGES
    is_sure = not is_problem(turn.text) and (gives_value(told) or (is_now and not _POINTS.match(told)))
    return [_reported(turn, told, sure=LIKELY if is_sure else DETAIL)]


def told_by_assistant(turn: Turn, asked: str) -> list[FoundNote]:
    """The decisions that an assistant's answer to a question states in words that say so: "we decided to stay"."""
    if not asked.rstrip().endswith(("?", "？")):
        return []
    return [_said(turn, one, sure=LIKELY) for one in answered(turn.text) if _tells(one) and not _OWN.match(plain(one))]


def _tells(sentence: str) -> bool:
    """Whether a sentence says by itself that something was decided, or is otherwise from then on, and what."""
    text = plain(sentence)
    if text.endswith(("?", "？")) or len(text) > 2 * MAX_CHOICE or len(terms(sentence)) <= FEW:
        return False
    return TELLS_CHANGE.search(text) is not None or (
        TELLS_CHOICE.search(text) is not None and not _FOR_NOW.search(text)
    )


def _said(turn: Turn, sentence: str, *, sure: float) -> FoundNote:
    """A decision in the words in which it was said."""
    against = removed(sentence)
    return FoundNote(
        kind=DECISION,
        text=_short(FILLER.sub("", sentence).strip(" .") or sentence, MAX_TEXT),
        ref=turn.ref,
        at=turn.at,
        names=terms(sentence),
        heads=names(sentence) - against,
        against=against,
        sure=sure,
        is_change=True,
    )


def _echoed(turn: Turn, sentences: Sequence[str], after: Turn | None, known: Sequence[FoundNote]) -> list[FoundNote]:
    """What a user said that the answer begins with as settled: "Nomad then", "40 a day it is"."""
    first = LEAD.sub("", next(iter(answered(after.text)), "")) if after is not None else ""
    if not first or len(first.split()) > MAX_ECHO or not ECHO.search(plain(first)):
        return []
    own = terms(first)
    if any(own & one.names for one in known):
        return []
    said = [one for one in sentences if terms(one) & own and not is_question(one)]
    is_none = not said or FOR_ONCE.search(plain(said[-1])) or is_settled(said[-1])
    return [] if is_none else [_said(turn, said[-1], sure=SURE)]


def _picked(sentences: Sequence[str], proposal: str) -> int:
    """The place of a later sentence of one or two words that chooses of alternatives: "c.. no, wait. b"; 0 if none."""
    if not options(proposal):
        return 0
    short = [at for at, one in enumerate(sentences) if at and len(one.split()) <= FEW and not is_question(one)]
    made = ((at, choice(sentences[at], proposal, "")) for at in reversed(short))
    return next((at for at, one in made if one is not None and one.is_option), 0)


def _same_matter(asked: str, told: str) -> bool:
    """Whether a report gives a value of the kind that was asked for: "until eight in the evening", "20:00"."""
    if gives_value(told) and names(asked) & names(told):
        return True
    return bool({kind for kind, _, _ in measures(asked)} & {kind for kind, _, _ in measures(told)})


def _new(given: list[FoundNote], found: list[FoundNote]) -> list[FoundNote]:
    """Those whose text does not begin as an earlier one: two sentences can be answered by one."""
    return [one for one in given if not any(_begins_as(one, other) and other.sure >= one.sure for other in found)]


def _begins_as(one: FoundNote, other: FoundNote) -> bool:
    return one.text.startswith(other.text[:MIN_SAME]) or other.text.startswith(one.text[:MIN_SAME])


def _is_once(text: str) -> bool:
    found = (one for sentence in split(prose(text)) for one in FOR_ONCE.finditer(plain(sentence)))
    return any(not _NOW.fullmatch(one[0]) for one in found)


def _replaced(said: Exchange, text: str) -> frozenset[str]:
    """What a decision takes the place of, if the user or the answer says that something was removed or replaced.

    Those are what the first product in its text is used instead of, and the names in what the user complained of; not
    those of a known kind, which only another of that kind replaces.
    """
    if not says_removal(said.report) and not any(SWITCHES.search(plain(one)) for one in said.sentences):
        return frozenset()
    told = (*said.sentences, *split(without_quotes(prose(said.asked)))[:MAX_READ])
    complained = frozenset[str]().union(*(names(one) for one in told if is_problem(one)))
    words = (word.strip("`.,:;()") for word in plain(text).split())
    rivals = next(filter(None, (rivals_of(one) for one in words if may_be_product(one, text))), frozenset[str]())
    return rivals | frozenset(one for one in complained if not kind_of(one))


def _chosen(said: Exchange, made: Choice, sentence: str) -> list[FoundNote]:
    turn, report = said.turn, said.report
    chosen = _PROPOSING.sub("", made.chosen).strip() or made.chosen
    head = _head(chosen)
    changed = [one for one in report if is_change(one)]
    told = best_of(report, own=terms(head), topic=said.topic())
    holds = report.get(told, NOTHING) > (TOLD if len(terms(told) & terms(chosen) - NUMBERS) >= FEW else CHANGES)
    first = next(iter(_first_name(head) & names(head)), "")
    wanted = frozenset[str]() if REFUSES.search(plain(sentence)) else terms(sentence)
    lost = any(terms(one) and terms(one) <= wanted for one in names(head) - names(told))
    is_named = not (made.is_option and first) or first in names(told)
    is_told = (
        bool(told)
        and not lost
        and is_named
        and (
            (not made.is_option and holds and repeats(told, chosen))
            or _POINTS.match(chosen) is not None
            or chosen.endswith("?")
            or first in names(told)
            or (holds and bool(terms(told) & terms(head) - NUMBERS))
        )
    )
    text = told if is_told else f"{head}; {told}" if holds else chosen
    heads = names(told) if is_told else (names(head) or terms(head)) | names(told)
    against = frozenset().union(*(_first_name(_head(one)) for one in made.others))
    against |= removed(" ".join(report)) | _replaced(said, text)
    note = FoundNote(
        kind=DECISION,
        text=_short(text, MAX_TEXT),
        ref=turn.ref,
        at=turn.at,
        names=terms(head) | terms(text),
        heads=heads - against,
        against=against - heads,
        sure=_sure_of_choice(made, chosen, told if is_told else "", holds=holds),
        is_change=bool(changed),
    )
    more = [one for one in [*report][:3] if one != told and names(one) - names(told) and not is_open(one)]
    return [note, *(_reported(turn, one, sure=DETAIL) for one in more[:1])]


def _first_name(text: str) -> frozenset[str]:
    """The first name in a text, which is what it is about; all terms if it has none."""
    found = names(text)
    first = next((word.strip(",.:;()`") for word in plain(text).split() if word.strip(",.:;()`") in found), "")
    return frozenset((first,)) if first else terms(text)


def _sure_of_choice(made: Choice, chosen: str, told: str, *, holds: bool) -> float:
    if told and not holds:
        return LIKELY if names(told) else DETAIL
    if not told and _is_work(made, chosen):
        return DETAIL
    return 0.9 if made.is_explicit else 0.6


def _is_work(made: Choice, chosen: str) -> bool:
    """Whether what was chosen is work that is agreed to, and says nothing about the product: "Shall I implement it?",
    "I can drop the long form"."""
    if _TELLS.search(plain(chosen)):
        return True
    if made.is_option:
        return False
    if chosen.endswith("?"):
        return not names(chosen)
    return not (products(chosen) or measures(chosen) or says_what_holds(chosen))


def _head(text: str) -> str:
    """What an alternative is called, without its description."""
    head = re.split(r"(?<=\w)(?:: | [-–—] | \(|\. |; )|, (?!and )", text.lstrip("*- "), maxsplit=1)[0]
    return _short(head.strip("*"), MAX_HEAD)


def _stated(said: Exchange, sentence: str, told: str, *, sure: float) -> list[FoundNote]:
    """What a sentence decides, as `told` in the answer if that says it; nothing if neither says what."""
    own = terms(sentence)
    if not told and (sum(not one.isdigit() for one in own) < FEW or is_problem(sentence)):
        return []
    if not told and _POINTING.search(plain(sentence)):
        sure = REMOVAL
    short = _NO.sub("", sentence).strip(" .") or sentence
    is_lost = bool({name for name, _ in products(sentence)} - names(told) - terms(told)) and not REFUSES.search(
        plain(sentence)
    )
    has_room = len(own) >= FEW and len(told) + len(short) <= MAX_TEXT
    text = short if not told or is_lost else f"{told} ({short})" if has_room else told
    against = removed(sentence) | removed(" ".join([*said.report][:3])) | _replaced(said, text)
    now = measures(told)
    old = frozenset(
        written for kind, _, written in measures(sentence) if told and any(kind == other for other, _, _ in now)
    ) - {written for _, _, written in now}
    heads = (names(sentence) | names(told)) - against
    note = FoundNote(
        kind=DECISION,
        text=_short(text, MAX_TEXT),
        ref=said.turn.ref,
        at=said.turn.at,
        names=terms(text),
        heads=heads,
        against=against - heads,
        old=old,
        sure=sure if heads or measures(text) or told else min(sure, REMOVAL),
        is_change=True,
    )
    return [note]


def _reported(turn: Turn, sentence: str, *, sure: float) -> FoundNote:
    return FoundNote(
        kind=DECISION,
        text=_short(sentence, MAX_TEXT),
        ref=turn.ref,
        at=turn.at,
        names=terms(sentence),
        heads=names(sentence) - removed(sentence),
        against=removed(sentence),
        sure=sure,
        is_change=sure < 0.5,
    )


def _short(text: str, limit: int) -> str:
    return cut(" ".join(text.split()), limit)

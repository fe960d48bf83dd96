"""What the answer of an assistant says: what holds from then on, what changed, and what was removed. Pure."""

from __future__ import annotations

import re

from jotsam.core.patterns import lazy_pattern
from jotsam.pipeline.notes.choices import options
from jotsam.pipeline.notes.decision_cues import CHANGED, ECHO, REMOVES
from jotsam.pipeline.notes.names import names
from jotsam.pipeline.notes.open_ends import is_open
from jotsam.pipeline.notes.resolve import measures
from jotsam.pipeline.notes.rule_cues import FOR_ONCE
from jotsam.pipeline.notes.sentence_model import HOLDS, MAX_BEFORE, MOST_SHARED, Setting, score
from jotsam.pipeline.notes.sentences import answered
from jotsam.pipeline.notes.words import EMPTY, has_words, plain, terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from jotsam.core.note_records import Turn

Report = dict[str, float]  # the first sentences of an answer, and how likely each says what holds
LEAD = lazy_pattern(
    r"^(?:ok(?:ay)?|fine|done|understood|noted|sure|yes|good|great|agreed|alright|perfect|got it|verstanden"
    r"|gut|erledigt|klar|hecho|listo|fait|d'accord|vale|claro|feito|pronto|fatto|zrobione|jasne)[,.!:;]*\s*",
    re.IGNORECASE,
)
_FRAGMENT = lazy_pattern(r"(?:on|in|at|with|as|for|by|and|but|so|to)\b")  # what stays of "Done, on the branch x"
_HEADING = lazy_pattern(
    r"^(?:summary|what (?:i did|changed|is there|i see)|changes?|for you|tests|plan|done|notes?"
    r"|next(?: steps?)?)\b.{0,25}$|.*:$",
    re.IGNORECASE,
)
_EMPTY_REPORT = lazy_pattern(
    r"^(?:works?|all|both|tests?|\d+ (?:tests?|of)|migrated|moved|ported|everything|the (?:tests|build|old))\b",
    re.IGNORECASE,
)
MAY = lazy_pattern(r"\b(?:would|could|might|wuerde|koennte|pourrait|podria|poderia)\b")
# What an answer says that decides nothing: an open end is closed, or nothing changed.
_SETTLED = lazy_pattern(
    r"\b(?:settled|struck|crossed off|off the list|erledigt|as (?:before|it was)|unchanged|untouched|wie zuvor"
    r"|unveraendert)\b"
)
_WAS = lazy_pattern(r"(?:it|that|this|they|those|es|das) (?:was|were|war|waren)\b", re.IGNORECASE)
_UNTIL = lazy_pattern(r"\b(?:until|till|for now|for the moment|bis|vorerst|por ahora|pour l'instant)\b")
_REMOVAL = lazy_pattern(
    r"\b(?:the old|die alten?|das alte|der alte|removed|replaced|deleted|uninstalled|retired|instead of|no longer"
    r"|geloescht|entfernt|ersetzt|supprime|remplace|eliminado|reemplazado|removido|substituido|rimosso|usuniet\w*)\b"
)
_PLAIN_THINGS = frozenset(
    """
    the old file files code test tests things config package packages container volume line lines row rows column job
    jobs one ones cells env vars patch
    """.split()  # noqa: SIM905 - words read better
)
FEW = 2  # terms: a sentence that has fewer does not say what it decides
TOLD = -3.0  # of the sentence of the answer that says what was decided
NUMBERS = frozenset(map(str, range(100)))


def report_of(turn: Turn, after: Turn | None, *, ordered: Sequence[str] = (), most: int = 6) -> dict[str, float]:
    """The first sentences of what an assistant answers to a turn, and how likely each says what holds.

    `ordered` are the texts of rules in the turn: what is done to follow one is left out.
    """
    if after is None:
        return {}
    rules = [terms(one) for one in ordered]
    offered = options(after.text)
    good = [
        one
        for one in (LEAD.sub("", one).strip() for one in answered(after.text))
        if _is_told(one)
        and not any(part in one or one in part for part in offered)
        and not any(len(terms(one) & rule) >= FEW for rule in rules)
    ]
    asked = turn.text[-MAX_BEFORE:]
    return {
        one: score(one, HOLDS, said=Setting(before=asked, is_first=place == 0)) for place, one in enumerate(good[:most])
    }


def _is_told(sentence: str) -> bool:
    """Whether a sentence of an answer may tell something: it is no question, no heading and no proposal."""
    if sentence.endswith(("?", "？")) or _HEADING.match(sentence) or _FRAGMENT.match(sentence):
        return False
    text = plain(sentence)
    if ECHO.search(text):
        return not FOR_ONCE.search(text)
    return has_words(sentence, 3) and not MAY.search(text)


def is_change(sentence: str) -> bool:
    text = plain(sentence)
    if is_settled(sentence):
        return False
    return CHANGED.search(text) is not None and not is_open(sentence) and not _UNTIL.search(text)


def says_more(told: str) -> bool:
    """Whether a report says more than that it works, or what is gone."""
    if (_EMPTY_REPORT.match(told) and not names(told)) or _WAS.match(told) or is_settled(told):
        return False
    return not (removed(told) and names(told) <= removed(told))


def is_settled(told: str) -> bool:
    """Whether a sentence says that an open end is closed, or that nothing changed."""
    return _SETTLED.search(plain(told)) is not None and not gives_value(told)


def says_what_holds(sentence: str) -> bool:
    """Whether a sentence of an assistant says how it is from then on, and not what was done, found or proposed."""
    return score(sentence, HOLDS) > 0


def gives_value(told: str) -> bool:
    """Whether a text gives the value of an identifier, or a version: an earlier one no longer holds, also in a fix."""
    return any(kind.startswith(("= ", "v ")) for kind, _, _ in measures(told))


def told_of(report: Report, own: frozenset[str], topic: frozenset[str]) -> str:
    """The sentence of a report that says what holds now of what was decided; "" if there is none.

    `own` are the terms of the sentence that decides, `topic` those of what it is about.
    """
    found = [one for one, likely in report.items() if says_more(one) and (likely > TOLD or is_change(one))]
    found = found or [one for one in report if _REMOVAL.search(plain(one))]
    shared = {one: (len(terms(one) & own), len(terms(one) & topic)) for one in found}

    def worth(one: str) -> float:
        of_own, of_topic = (min(number, MOST_SHARED) for number in shared[one])
        return of_own + of_topic / 2 + report[one] / 2

    good = (one for one, (of_own, of_topic) in shared.items() if of_own or of_topic)
    return max(good, key=worth, default="")


def best_of(report: Report, *, own: frozenset[str], topic: frozenset[str]) -> str:
    """The sentence of a report that says most of what was chosen, and not only what is gone or that it works.

    `own` are the terms of what was chosen, `topic` those of the whole proposal.
    """
    good = [one for one in report if says_more(one) and not (ECHO.search(plain(one)) and terms(one) <= own)]
    shared = {one: len(terms(one) & own - NUMBERS) for one in good or [*report][:1]}

    def worth(one: str) -> tuple[bool, bool, bool, int]:
        is_about = bool(shared[one] or topic & names(one))
        return is_about and not removed(one), bool(shared[one]), report[one] > 0, shared[one]

    return max(shared, key=worth, default="")


def repeats(told: str, chosen: str) -> bool:
    """Whether an answer says again what was chosen: "Redis it is", or with more."""
    return ECHO.search(plain(told)) is not None or bool(terms(told) & terms(chosen) - NUMBERS)


SWITCHES = lazy_pattern(
    r"\b(?:(?:switch\w*|mov(?:e|ed|ing)|migrat\w+|chang(?:e|ing)|back) (?:over |all )?to"
    r"|(?:get|take|bring) (?:us|it|them) off|(?:rip|throw|kick) .{1,30} out|out with|off (?:of )?it|instead|replace"
    r"|raus|weg von|umsteigen|passe a|cambia\w* a)\b"
)  # what a user says who wants another thing in the place of one


def says_removal(report: Report) -> bool:
    """Whether an answer says that something was removed or replaced, perhaps without its name: "the old one"."""
    return any(_REMOVAL.search(plain(one)) for one in report)


def removed(text: str) -> frozenset[str]:
    """What a text says was removed, replaced or left: its names."""
    found: set[str] = set()
    lower = plain(text)
    for match in REMOVES.finditer(lower):
        part = match["a"] or match["b"] or ""
        found |= {
            word
            for word in (one.strip(".") for one in re.findall(r"[\w.+/-]+", part))
            if word not in EMPTY and len(word) > 2 and word not in _PLAIN_THINGS
        }
    return frozenset(found)

"""Standing orders: sentences of a user that say how things are to be done for good, and not only this time. Pure."""

from __future__ import annotations

import re

from jotsam.core.names import PERSON_SCOPE, PROJECT_SCOPE, RULE
from jotsam.core.note_records import FoundNote, Turn
from jotsam.core.patterns import lazy_pattern
from jotsam.pipeline.notes.decision_cues import TELLS_CHANGE, TELLS_CHOICE
from jotsam.pipeline.notes.rule_cues import (
    ACKNOWLEDGED,
    DEMANDED,
    DESCRIBES,
    ELSEWHERE,
    ENFORCED,
    EXPLICIT,
    FOR_EVER,
    FOR_ONCE,
    LEADS,
    PERSONAL,
    REACHES,
    STRONG_RULE,
    TAKEN_BACK,
    WEAK_RULE,
)
from jotsam.pipeline.notes.sentence_model import ORDERS, PERSONS, score
from jotsam.pipeline.notes.sentences import cut, prose, split, without_quotes
from jotsam.pipeline.notes.words import has_words, plain, terms

LONGEST = 1_200  # characters of a turn of a user: a longer one is pasted text
MAX_RULE, MAX_JOINED, MIN_TERMS = 220, 120, 1
SURE, LIKELY = 0.9, 0.6
# On the scale of `sentence_model.score`: what a cue adds, and how much a rule and a question need.
STRONG, WEAK, LEAST, ASKED, EXPLICIT_LEAST = 2.5, 1.5, 0.75, 1.5, 6.0
TAKEN, CORRECTS = 2.0, 0.75  # that the assistant takes it for good, and that the user says what was done wrong
DEMANDED_LEAST = 3.0  # of what may never be, or is needed from a limit on
PER_POINT = 0.04  # surer for each point above that
PERSONAL_LEAST = -0.5  # of the model of persons
_LEAD = lazy_pattern(
    r"^(?:(?:and|also|but|so|ah|oh|ok|okay|please|pls|plz|btw|by the way|hey|well|und|bitte|noch was"
    r"|one (?:more )?thing|one thing for all times|while (?:we|you|i)(?:['’]?re|['’]?m| are| am) at it|"
    r"important|note|wichtig|attention|good|gut|super|thanks|thx|danke|great|nice|y|et|e)\b[\s,:!.-]*)+",
    re.IGNORECASE,
)
_DECIDES = lazy_pattern(r"\b(?:let'?s|lass uns|vamos a|on va)\b")
_CORRECTED = lazy_pattern(
    r"^(?:you are right|you're right|right|true|sorry|my (?:bad|mistake)|good point|fair|stimmt|entschuldigung|desole"
    r"|perdon|scusa)\b"
)
# A user who says what the assistant did wrong says how it is done.
_ACCUSES = lazy_pattern(
    r"\b(?:you|u) (?:also |just |again )?(?:put|changed|used|did|wrote|renamed|added|keep|kept|forgot|removed|touched"
    r"|edited|made|broke|left|imported|hard-?coded|named|mocked|skipped)\b|\bwhy (?:is|are|did|do|does|you|have|has)\b"
    r"|\bwhere'?s the\b|\bagain\b|\byours? (?:has|have|is)\b|\b(?:second|third) time\b|\bhas (?:neither|no)\b"
    r"|\bschon wieder\b|\bwarum\b|\bpourquoi\b|\bencore\b|\bpor que\b|\botra vez\b|\bancora\b"
)
_HAS_VERB = lazy_pattern(r"\b(?:is|are|was|were|has|does|doesn'?t|shows?)\b")
_POLITE = lazy_pattern(r"\b(?:could|can|would|will) (?:you|u|we)\b|\bwould it be possible\b")
_REMINDS = lazy_pattern(r"\b(?:again|already|said|told)\b")
MAX_ANSWER = 600  # characters of an answer
MAX_BACK = 2  # sentences before the one that says how far an order reaches
MAX_APPENDED = 10  # words of an order that completes the one before it
MIN_SHOWN, MIN_REASONED = 15, 30  # characters
_REACH_FIRST = lazy_pattern(
    r"^[^:]{0,60}\b(?:all|every|everywhere|only this|todos|toutes?|tous|alle[nrs]?|tutti|wszystkich)\b[^:]{0,40}:\s+",
    re.IGNORECASE,
)
_COLON = lazy_pattern(r"(?:\S+ ){2,30}\S+:\s+(?=\S+ \S+ \S)")
_ASKED = lazy_pattern(r"\b(?:could|would|can|will) you (?:(?:please|kindly|pls|plz) )*", re.IGNORECASE)
_POLITE_LEAD = lazy_pattern(
    r"^(?:(?:i would like|i'd like) you to |(?:please|kindly|pls|bitte|por favor|s'il (?:te|vous) pla[iî]t"
    r"|per favore),? )+(?=\S+ \S)",
    re.IGNORECASE,
)
_PLEASE = lazy_pattern(
    r",? (?:please|pls|plz|bitte|por favor|s'il (?:te|vous) pla[iî]t|per favore)(?=[.?!]*$)", re.IGNORECASE
)
# Words that say only that an order is meant: "period", "no exceptions".
_STRESSED = (
    r"(?:period|full stop|end of story|(?:no|without|sans|sin|senza|ohne|keine|sem) (?:any |jede )?"
    r"(?:exceptions?|ausnahmen?|excepci\w+|eccezion\w+|excec\w+|discussions?|diskussion(?:en)?)"
    r"|not (?:up for discussion|discussing (?:it|that|this))|i mean it"
    r"|(?:i )?(?:don'?t|do not) care (?:how|what|who|why)\b[^.!]*"
    r"|none|not (?:a single |even )?one|not the [\w-]+ either|keep to (?:that|it|this)"
    r"|not (?:just|only) (?:today|now|this time|this once)(?: hey| eh| ok)?"
    r"|(?:(?:this|that|it) )?(?:applies|goes|holds|counts) (?:to|for) (?:each|every|all)(?: [\w']+){0,5}"
    r"|always|ever|punkt|basta|point final|y punto|punto final|punto e basta|ponto final)"
)
_STRESS = lazy_pattern(rf"{_STRESSED}(?:[,.;! ]+{_STRESSED})*[.! ]*")
_TRAILING = lazy_pattern(rf"(?:[,.;] ?{_STRESSED})+[.! ]*$", re.IGNORECASE)
_REASON = lazy_pattern(
    r",?\s+(?:because|since|cause|as (?:it|we|they)|otherwise|or else|weil|denn|sonst|parce que|car"
    r"|sinon|porque|sino|perche|bo)\b.*$"
    r"|, (?:i want to know|i(?:'?m| am)|(?:we|they)(?:'re| are)|(?:it|he|she|that|there)(?:'s| is))"
    r" (?!no\b|not\b|never\b).*$"
    r"|, (?:i|it|he|she|they|half|last time|in my last|that|this|the customer|ich|es|je|yo"
    r"|eu) (?!prefer|want|use|need)\w.*$",
    re.IGNORECASE,
)
_QUESTION = lazy_pattern(
    r"(?:what|why|how|who|is it|are there|do i|do we|does|did|wie|warum|wer|comment|pourquoi|como|por que"
    r"|porque)\b"
)


def rules_of(turn: Turn, before: Turn | None, after: Turn | None) -> list[FoundNote]:
    """The rules in a turn of a user. `before` and `after` are the turns of the assistant around it."""
    if len(turn.text) > LONGEST:
        return []
    answer = after.text[:MAX_ANSWER] if after is not None else ""
    taken = terms(answer) if _is_taken(plain(answer)) else frozenset()
    answers_question = before is not None and before.text.rstrip().endswith(("?", "？"))
    found: list[FoundNote] = []
    sentences = split(without_quotes(prose(turn.text)))
    corrects = _ACCUSES.search(plain(turn.text)) is not None
    is_everywhere = False  # said of the orders that follow
    for number, sentence in enumerate(sentences):
        text = plain(sentence)
        if number and REACHES.search(text):
            order = max(sentences[max(0, number - MAX_BACK) : number], key=_likely)
            if found and found[-1].text.endswith((_shown(order), _shown(sentences[number - 1]))):
                found[-1] = found[-1].replace(scope=PERSON_SCOPE, sure=SURE)
            elif not order.endswith("?"):
                found.append(_note(turn, order, SURE).replace(scope=PERSON_SCOPE))
            continue
        if LEADS.match(text) and number + 1 < len(sentences) and ":" not in sentence:
            is_everywhere = ELSEWHERE.search(text) is not None
            continue
        if number and _STRESS.fullmatch(text):  # It only says that the sentence before it is an order.
            order = sentences[number - 1]
            if found and found[-1].text.endswith(_shown(order)):
                found[-1] = found[-1].replace(sure=SURE)
            elif sure := _sure(order, STRONG, is_answer=False):
                found.append(_note(turn, order, sure))
            continue
        answers = answers_question if number == 0 else sentences[number - 1].endswith(("?", "？"))
        said_with = TAKEN * bool(terms(sentence) & taken) + CORRECTS * corrects
        sure = _sure(sentence, said_with, is_answer=answers)
        if sure and found and found[-1].kind == RULE and found[-1].sure and _continues(sentence, found[-1], number):
            if len(sentence.split()) > MAX_APPENDED and not _sure(sentence, 0.0, is_answer=answers):
                continue  # By itself it is no order, and explains the one before it.
            last = found.pop()
            found.append(
                last.replace(
                    text=f"{last.text} {_shown(sentence)}",
                    sure=max(last.sure, sure),
                    names=last.names | terms(sentence),
                )
            )
        elif sure:
            note = _note(turn, sentence, sure)
            found.append(note.replace(scope=PERSON_SCOPE) if is_everywhere else note)
        elif found and _is_appended(sentence) and number:
            last = found.pop()
            found.append(last.replace(text=f"{last.text} {_shown(sentence)}", names=last.names | terms(sentence)))
    return [one for one in found if len(one.names) >= MIN_TERMS]


def _likely(sentence: str) -> float:
    """How likely a sentence by itself is an order."""
    text = plain(sentence)
    return score(sentence, ORDERS) + (STRONG if STRONG_RULE.search(text) else WEAK if WEAK_RULE.search(text) else 0.0)


def _note(turn: Turn, sentence: str, sure: float) -> FoundNote:
    is_personal = PERSONAL.search(plain(sentence)) is not None or score(sentence, PERSONS) >= PERSONAL_LEAST
    scope = PERSON_SCOPE if is_personal else PROJECT_SCOPE
    return FoundNote(
        kind=RULE, text=_shown(sentence), ref=turn.ref, at=turn.at, scope=scope, names=terms(sentence), sure=sure
    )


def _is_taken(answer: str) -> bool:
    """Whether an assistant takes what was said for good, or admits that it was wrong."""
    return bool(ACKNOWLEDGED.search(answer) or _CORRECTED.search(answer) or ENFORCED.search(answer))


def _sure(sentence: str, said_with: float, *, is_answer: bool) -> float:
    """How sure it is that a sentence is an order for good; 0 if it is none. `said_with` is what its context adds."""
    text = plain(sentence)
    if len(text) > 2 * MAX_RULE or not has_words(text, 2) or TAKEN_BACK.search(text) or _DECIDES.search(text):
        return 0.0
    order = _LEAD.sub("", text)
    if FOR_ONCE.search(order) and not FOR_EVER.search(text):
        return 0.0
    if TELLS_CHANGE.search(text) or (TELLS_CHOICE.search(text) and not FOR_EVER.search(text)):
        return 0.0
    if (_QUESTION.match(text) or text.endswith("?")) and not _REMINDS.search(text):
        # An order that is asked for; any other question orders nothing.
        if not _POLITE.search(text):
            return 0.0
        likely, least = score(sentence, ORDERS) + (STRONG if STRONG_RULE.search(text) else 0.0), ASKED
    else:
        likely, least = score(sentence, ORDERS) + _cue(text, said_with, is_answer=is_answer), LEAST
        if EXPLICIT.match(order):
            likely = max(likely, EXPLICIT_LEAST)
        elif DEMANDED.search(text) and not DESCRIBES.search(text):
            likely = max(likely, DEMANDED_LEAST)
    if likely < least:
        return 0.0
    return min(SURE, LIKELY + (likely - LEAST) * PER_POINT)


def _cue(text: str, said_with: float, *, is_answer: bool) -> float:
    """What words add that say that something is to be done in a way, and what is said around them."""
    if DESCRIBES.search(text):
        return 0.0
    if text.startswith("no ") and (is_answer or _HAS_VERB.search(text)):
        return 0.0
    cue = STRONG if STRONG_RULE.search(text) else WEAK if WEAK_RULE.search(text) else 0.0
    return cue + (0.0 if _ACCUSES.search(text) else said_with)


def _continues(sentence: str, last: FoundNote, number: int) -> bool:
    """Whether a second order says the same as the one before: they are one rule."""
    own = terms(sentence)
    short = len(sentence.split()) <= MAX_APPENDED
    return len(last.text) + len(sentence) <= MAX_JOINED and (bool(own & last.names) or short)


def _is_appended(sentence: str) -> bool:
    """Whether a sentence only completes the one before: "not millimeter!"."""
    return (
        len(sentence.split()) <= 4
        and re.match(r"(?:not|no|never|only|nicht|kein\w*|pas|non|nie)\b", plain(sentence)) is not None
    )


def _announces(text: str) -> re.Match[str] | None:
    """The part before a colon, if it only says that an order follows: "something that matters to me: ..."."""
    lead = _COLON.match(text)
    if lead is None or score(text[lead.end() :], ORDERS) <= max(LEAST, score(lead[0], ORDERS)):
        return None
    return lead


def _shown(sentence: str) -> str:
    """An order without what leads to it and the reason for it; the turn has both."""
    text = _LEAD.sub("", sentence).strip() or sentence
    if text.endswith("?") and _ASKED.search(text):  # An order in the form of a question is shown as one.
        text = f"{_ASKED.sub('', text, count=1)[:-1].rstrip()}."
    lead = _REACH_FIRST.match(text) or _announces(text)
    text = text[lead.end() :] if lead and len(text) - lead.end() >= MIN_SHOWN else text
    text = _PLEASE.sub("", _POLITE_LEAD.sub("", text)) or text
    reason = _REASON.search(text, MIN_REASONED)
    text = text[: reason.start()] if reason else text
    bare = _TRAILING.sub("", text)
    text = bare if len(bare) >= MIN_SHOWN else text
    return cut(text, MAX_RULE, "…")

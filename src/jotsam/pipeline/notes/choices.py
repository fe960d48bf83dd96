"""What a user chose of what an assistant proposed: one of several, or the one that it recommends. Pure."""

from __future__ import annotations

import re

from jotsam.core.patterns import lazy_pattern
from jotsam.core.records import Record
from jotsam.pipeline.notes.decision_cues import (
    ASKS,
    CONFIRMS,
    FILLER,
    MIDDLE,
    ORDINALS,
    PROPOSES,
    RECOMMENDS,
    REFUSES,
    THANKS_ONLY,
)
from jotsam.pipeline.notes.names import products
from jotsam.pipeline.notes.sentence_model import OFFERS, score
from jotsam.pipeline.notes.sentences import answered, prose, split
from jotsam.pipeline.notes.words import plain, terms

MAX_CONFIRMING = 90  # characters of the sentence of a user that confirms
_INLINE = lazy_pattern(
    r"(?:(?<=\s)|^)\(?(?:option |variant |variante )?(?P<n>[1-5]|[a-eA-E])[).:]\s+(?=\S)", re.IGNORECASE
)
_ITEM = lazy_pattern(
    r"\s*(?:(?:\*\*)?\(?(?:option |variant )?(?P<mark>[1-5A-Ea-e])[).:]|[-*•])(?:\*\*)?\s+(?P<text>.+)", re.IGNORECASE
)
_EITHER = lazy_pattern(r"\beither\s+(?P<a>[^.;?!]{3,150}?)(?:,)?\s+or\s+(?P<b>[^.;?!]{3,150})", re.IGNORECASE)
_GERMAN = lazy_pattern(r"\bentweder\s+(?P<a>[^.;?!]{3,150}?)(?:,)?\s+oder\s+(?P<b>[^.;?!]{3,150})", re.IGNORECASE)
_LIST = lazy_pattern(
    r"\b(?:options?|alternatives?|ways|choices|moeglichkeiten|optionen|opciones"
    r"|opcoes)(?: are)?:\s+(?P<a>[^.;?!\n]{3,150}?),? (?:or|oder|ou|o) (?P<b>[^;?!\n]{3,150}?)(?:[.?!](?:\s|$)"
    r"|$)",
    re.IGNORECASE,
)
_OR = lazy_pattern(
    r"(?:^|[:,]\s+)(?P<a>[^:,.;?!]{3,120}?)(?:,)?\s+(?:or|oder|ou|o|czy|albo)\s+(?P<b>[^:,.;?!]{3,120})\?",
    re.IGNORECASE,
)
_LEAD = lazy_pattern(
    r"^(?:either|or|and|entweder|oder|und|then|so|i (?:would |'d )?(?:suggest|recommend|propose|go with|take"
    r"|use)(?: to)?|for the \w+ i (?:would )?suggest(?: either)?)\b[\s,:]*",
    re.IGNORECASE,
)
_KEEP = lazy_pattern(r"^(?:let it(?: be)?|leave|keep|stay|no change|lass|bleib|laisse|deja|deixa)\b")
_OTHER = lazy_pattern(
    r"\b(?:the )?other(?: one)?\b|\b(?:die|das|der) andere\b|\bl'autre\b"
    r"|\b(?:la otra|el otro|a outra|o outro|l'altr[oa])\b"
)
_NUMBERS = ("two", "three", "four")
_NUMBER_OF_WAYS = lazy_pattern(
    r"\b(?P<number>two|three|four)(?: \w+)? "
    r"(?:ways|places|options|possibilities|choices|approaches|routes|candidates)\b"
)
_OWN_WORK = lazy_pattern(  # what a user does decides nothing yet
    r"^(?:ok,? )?i(?:'ll| will|'m| am)? (?:going to )?(?:order|buy|ask|call|send|mail|write|check|phone)(?:ing)?\b"
)
_PAIR = lazy_pattern(r"(?P<a>[1-5a-e]) ?(?:,|\+|&|and|und|y|et|e|i|plus) ?(?P<b>[1-5a-e])\b")
_IF = lazy_pattern(r"\bonly if\b|\bif you\b|\bunless\b")
_CHOICE = lazy_pattern(  # Without one, the items of a list are parts of one thing, and no alternatives.
    r"\b(?:options?|alternatives?|variants?|approach(?:es)?|choices?|ways|either|which|choose|pick|prefer|recommend\w*"
    r"|suggest\w*|opciones|opcoes|opzioni|optionen|moeglichkeiten|varianten?|welche\w*|laquelle|lequel|cual|qual|quale"
    r"|ktor\w+)\b|\?\s*$"
)
_WOULD = lazy_pattern(r"\b(?:would|could|wuerde|koennte|pourrait|podria|poderia|i can|ich kann|go ahead)\b")
_REPORTS = lazy_pattern(
    r"\b(?:what (?:i did|changed|is there)|summary|changes|done|finished|added|created|moved|ported|migrated)\b",
    re.IGNORECASE,
)


class Choice(Record):
    """What a user chose of a proposal: the text that was chosen, and the texts that were not."""

    chosen: str
    others: tuple[str, ...] = ()
    is_explicit: bool = True
    is_option: bool = False  # one of several that were offered


def options(text: str) -> tuple[str, ...]:
    """The alternatives that a text offers: "(a) ... (b) ...", a list, "either X or Y"; () if it offers none."""
    is_choice = _CHOICE.search(plain(text)) is not None
    is_report = not is_choice and _REPORTS.search(text) is not None
    for found in (() if is_report else _listed(text, numbered=not is_choice), _in_line(text)):
        if len(found) > 1:
            return found
    for pattern in (_EITHER, _GERMAN, _LIST, _OR):
        if match := pattern.search(text):
            return (_clean(match["a"]), _clean(match["b"]))
    return _announced(text)


def _announced(text: str) -> tuple[str, ...]:
    """The sentences after one that says how many ways there are: "Three places are possible. In the file ..."."""
    sentences = split(prose(text))
    for at, sentence in enumerate(sentences):
        if match := _NUMBER_OF_WAYS.search(plain(sentence)):
            number = _NUMBERS.index(match["number"]) + 2
            found = [one for one in sentences[at + 1 : at + 1 + number] if not one.endswith("?")]
            return tuple(map(_clean, found)) if len(found) == number else ()
    return ()


def _listed(text: str, *, numbered: bool) -> tuple[str, ...]:
    """The items of a list, if it has few; only of one with numbers or letters if `numbered`."""
    items = [match for line in text.splitlines() if (match := _ITEM.match(line)) and (match["mark"] or not numbered)]
    return tuple(_clean(item["text"]) for item in items) if 2 <= len(items) <= 6 else ()


def _in_line(text: str) -> tuple[str, ...]:
    for paragraph in text.splitlines():
        marks = [*_INLINE.finditer(paragraph)]
        names = [mark["n"].lower() for mark in marks]
        if len(marks) > 1 and names[:2] in (["1", "2"], ["a", "b"]):
            ends = [mark.start() for mark in marks[1:]] + [len(paragraph)]
            parts = [paragraph[mark.end() : end] for mark, end in zip(marks, ends, strict=True)]
            parts[-1] = re.split(r"(?<=[.?!])\s", parts[-1])[0]
            return tuple(map(_clean, parts))
    return ()


def _clean(text: str) -> str:
    text = _LEAD.sub("", text.replace("**", "").strip().strip("*").strip())
    text = re.sub(r"\s+(?:or|and|oder|und|ou|o)$|[,;:.?!\s]+$", "", text, flags=re.IGNORECASE)
    return text.strip()


def choice(said: str, proposal: str, asked: str) -> Choice | None:
    """What a user chose with a sentence, of what an assistant proposed to a question or request; None if nothing."""
    text = plain(said)
    if text.endswith("?") or len(text) > MAX_CONFIRMING or THANKS_ONLY.match(text) or ASKS.match(text):
        return None
    if _OWN_WORK.match(text):
        return None
    rest = FILLER.sub("", text).strip(" .!,")
    named = rest.split(",")[0]
    confirms = not rest or CONFIRMS.match(rest) is not None
    if (pair := _PAIR.match(rest)) and (two := _of_two_lists(proposal, pair["a"], pair["b"])) is not None:
        return two
    offered = options(proposal)
    if offered:
        at = _selected(named, offered)
        if (
            at is None
            and _OTHER.search(rest)
            and len(offered) == 2
            and (kept := _recommended(proposal, offered)) is not None
        ):
            at = 1 - kept
        if at is None and confirms:
            at = _kept(offered) if _KEEP.match(rest) else _recommended(proposal, offered)
        if at is not None and REFUSES.search(named) and _shared(named, offered[at]):
            return None  # "1 no QML" answers the first question, and takes nothing.
        if at is not None:
            others = tuple(one for n, one in enumerate(offered) if n != at)
            return Choice(chosen=offered[at], others=others, is_option=True)
    sentences = [one for one in answered(proposal) if any(map(str.isalpha, one)) and _offers(one)]
    counts = [len(_shared(named, one)) for one in sentences]
    most = max(counts, default=0)
    if most and (confirms or len(named.split()) <= 4):
        best = counts.index(most)
        others = tuple(one for n, one in enumerate(sentences) if n != best and _IF.search(plain(one)))
        return Choice(chosen=sentences[best], others=others)
    if not confirms or not sentences:
        return None
    proposing = [one for one in sentences if PROPOSES.search(plain(one))]
    if proposing:
        best_one = next((one for one in proposing if RECOMMENDS.search(plain(one))), proposing[0])
        if len(terms(best_one)) < 2:  # "Shall I?" asks about what was said before it.
            best_one = _named([one for one in answered(proposal) if _WOULD.search(plain(one))] or sentences)
        return Choice(chosen=best_one)
    if proposal.rstrip().endswith("?"):
        is_asked = len(sentences) > 1 and len(terms(sentences[-1])) < 3
        return Choice(chosen=_named(sentences) if is_asked else sentences[-1], is_explicit=False)
    # An answer to a question, confirmed by more than thanks: "ok do so".
    if rest and (asked.rstrip().endswith("?") or _WOULD.search(plain(proposal))):
        return Choice(chosen=next((one for one in sentences if _WOULD.search(plain(one))), sentences[0]))
    return None


def _of_two_lists(proposal: str, first: str, second: str) -> Choice | None:
    """What was chosen of two lists by their marks: "1 and b"."""
    items = [match for line in proposal.splitlines() if (match := _ITEM.match(line)) and match["mark"]]
    marked = {item["mark"].lower(): _clean(item["text"]) for item in items}
    if first not in marked or second not in marked or first.isdigit() == second.isdigit():
        return None
    others = tuple(text for mark, text in marked.items() if mark not in (first, second))
    return Choice(chosen=f"{marked[first]}; {marked[second]}", others=others, is_option=True)


def _offers(sentence: str) -> bool:
    """Whether a sentence of an assistant proposes or asks, and does not tell what it did or found."""
    return PROPOSES.search(plain(sentence)) is not None or score(sentence, OFFERS) > 0


def _named(sentences: list[str]) -> str:
    """The sentence that names what is proposed: the first with a product, or the first."""
    return next((one for one in sentences if products(one)), sentences[0])


def _shared(said: str, text: str) -> frozenset[str]:
    """The names of what was said that a text has too, perhaps longer: "lifepo" and "LiFePO4"."""
    known = terms(text)
    return frozenset(
        one
        for one in terms(said)
        if not one.isdigit() and (one in known or any(len(one) > 3 and other.startswith(one) for other in known))
    ) | frozenset(one for one in terms(said) & known if one.isdigit())


def _kept(offered: tuple[str, ...]) -> int | None:
    """The alternative that changes nothing."""
    found = [
        n
        for n, one in enumerate(offered)
        if re.search(r"\b(?:keep|stay|leave|as is|current|bleiben|behalten|garder|dejar|manter)\b", plain(one))
    ]
    return found[0] if len(found) == 1 else None


def _selected(rest: str, offered: tuple[str, ...]) -> int | None:
    for pattern, at in ORDINALS:
        if re.search(pattern, rest) and -len(offered) <= at < len(offered):
            return at % len(offered)
    if len(offered) % 2 and MIDDLE.search(rest):
        return len(offered) // 2
    known = [_shared(rest, one) for one in offered]
    shared = [
        len(one - frozenset().union(*(other for m, other in enumerate(known) if m != n))) for n, one in enumerate(known)
    ]
    best = max(shared)
    if best and shared.count(best) == 1 and not re.search(r"\bnot\b|\bnicht\b|\bno\b", rest):
        return shared.index(best)
    return None


def _recommended(proposal: str, offered: tuple[str, ...]) -> int | None:
    for sentence in split(prose(proposal)):
        text = plain(sentence)
        if match := RECOMMENDS.search(text):
            after = text[match.end() :].strip(" .:")
            if (at := _selected(after, offered)) is not None:
                return at
            own = [n for n, one in enumerate(offered) if one in sentence]
            if len(own) == 1:
                return own[0]
    return None

"""Whether a later rule takes the place of an earlier one. Pure.

A rule wants something, refuses something, or both: "Zebra, not Dymo". A later rule replaces an earlier one if it
refuses what that wants, wants what that refuses, wants another value of the same thing, or says that it no longer
holds. It must be about the same: a rule for a case that the earlier one does not name ("in the docs use npm") holds
beside it.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from jotsam.core.patterns import lazy_pattern
from jotsam.core.records import Record
from jotsam.pipeline.notes.names import names, products
from jotsam.pipeline.notes.words import plain, terms, words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_EXTRA = 2  # words with which a rule wants what another one refuses altogether
MOST_OTHER = 2  # words in which two rules differ that give one thing two values
MIN_SHARED = 2  # words of a rule that refuses "it"

# Values of which one holds at a time.
_VALUES = """
    tabs spaces
    single double backtick
    snake camel,camelcase kebab pascal,pascalcase
    metric imperial
    dark light
    squash rebase
    short,brief,concise,terse long,detailed,verbose
    english,englisch german,deutsch french,franzoesisch spanish,spanisch italian portuguese dutch polish
    utc local
    uppercase lowercase
    relative absolute
    british american
    singular plural
    inline separate
"""
_NOBODY = ("", "we", "i", "you", "they", "it", "wir", "on")
_MARKERS = frozenset(
    """
    prefer rule allow allowed longer ever future instead rather thing again anymore more actual switch went over moved
    all everything whole time place commonly ok fine may have switched
    """.split()  # noqa: SIM905 - words read better
)
_TOPIC = lazy_pattern(
    r"\b(?:forget|drop|scrap|ignore|lift|never ?mind|vergiss|oublie|olvida)\b.{0,12}?\b(?:rules?|thing|stuff|bit|part"
    r"|orders?|ban|what (?:i|we) said|regel|sache|regle|regla|lo)\b(?: (?:about|on|with|of|for|mit|de|sur))?"
    r"(?P<a>.{0,120})"
    r"|\brules? (?:about|on|for|with|of) (?P<b>.{2,80}?)(?: is| are| does| do)?(?: (?:gone|off|void|over|dropped)|n't"
    r" (?:hold|apply|count)| not (?:hold|apply|count)| no longer)"
)
_ALLOWED = lazy_pattern(
    r"\b(?:allowed|permitted|ok|okay|fine|welcome|possible|erlaubt) (?:again|now|after all|from now on)\b"
    r"|\b(?:is|are) (?:now )?(?:allowed|permitted)\b(?! (?:in|for|on|only|if|when))|\bwieder erlaubt\b"
    r"|\b(?:you|we|u) (?:can|may|could) .{2,60}\b(?:again|after all)\b|\bdarfst .{2,60}\bwieder\b"
    r"|\b(?:puedes|podemos) .{2,60}\b(?:otra vez|de nuevo)\b|\btu peux .{2,60}\b(?:a|de) nouveau\b"
)
_NEEDLESS = lazy_pattern(
    r"\b(?:no need (?:to|for)|(?:don'?t|dont|do not|doesn'?t|does not) (?:have|need) to|needn'?t)\b"
    r"(?=.{2,60}(?:any ?more|now\b|again))|\bnicht mehr noetig\b"
)
_CHANGE = lazy_pattern(
    r"\b(?:now|from now on|from here on|any ?more|no longer|instead|after all|again|switch(?:ed)?|went over|moved to"
    r"|changed|going forward|in future|jetzt|ab sofort|nicht mehr|doch|wieder|ahora|ya no|desormais|maintenant)\b"
)
_WITHOUT = lazy_pattern(
    r"\b(?:never|no|don'?t|do not|nie|kein\w*)\b(?P<when>[^,.;!]{0,120})\b(?:without|ohne)\b(?P<what>.{0,120})"
)
_REFUSED_BEFORE = lazy_pattern(
    r"(?P<what>[^,.;!]{2,120})\b(?:is|are|sind|ist) (?:forbidden|banned|taboo|off[- ]limits|verboten|tabu)"
)
_ENDS = lazy_pattern(r"[,.;:!?()]+(?:\s|$)|\b(?:and|but|und|aber|mais|pero)\b|\s[–—-]\s")
_REFUSES = lazy_pattern(
    r"\b(?:not|never|no|don'?t|dont|do not|does ?n[o']t|stop|avoid|skip|without|instead of|rather than|hands off"
    r"|no more|nicht|nie|niemals|kein\w*|statt|ohne|pas|jamais|sans|nunca|sin|non|mai|nao|nooit|geen)\b"
)
_REFUSES_IT = lazy_pattern(
    r"\b(?:stop|don'?t|dont|do not|quit|no longer) (?:\w+ ){0,2}(?:it|that)(?: any ?more)?(?:[.,;!]|$)"
)
_ONLY = lazy_pattern(r"\b(?:only|exclusively|nur|solo|seulement|uniquement)\b")
_WHERE = lazy_pattern(
    r"\b(?P<when>before|after|when(?:ever)?|if|while|during|until|unless|on|bevor|vor|nach|wenn|antes|avant)\b"
    r"|\b(?P<place>in|into|for|at|within|inside|under|to|from|except|im|fuer|dans|pour|en|para)\b"
    r"|\b(?:with|by|via|through|mit|avec|con)\b"
)
_AMOUNT = lazy_pattern(r"\b(?P<n>\d+|one|two|three|four|five|six|seven|eight|nine|ten) (?P<of>[a-z]{2,20})")
_AT_LEAST, _AT_MOST = (
    lazy_pattern(r"\b(?:at least|min(?:imum)?|mindestens)\b"),
    lazy_pattern(r"\b(?:at most|up to|max)"),
)


class _Part(Record):
    """What a clause wants or refuses, in what case, and where."""

    core: frozenset[str]
    when: frozenset[str] = frozenset()
    place: frozenset[str] = frozenset()

    @property
    def scope(self) -> frozenset[str]:
        return self.when | self.place

    @property
    def every(self) -> frozenset[str]:
        return self.core | self.when | self.place


class _Order(Record):
    """All that is compared of a rule, because one is compared with many."""

    wants: tuple[_Part, ...]
    refuses: tuple[_Part, ...]
    every: frozenset[str]
    wanted: frozenset[str]  # the words of `wants`
    values: Mapping[int, frozenset[str]]  # by the row of `_VALUES`, of which it wants one
    amounts: Mapping[str, str]  # numbers by what they count
    products: tuple[tuple[frozenset[str], str, str], ...]  # the words, name and kind of each
    is_at_least: bool
    is_at_most: bool
    subject: str  # its first word
    topic: frozenset[str]  # of an earlier order that no longer holds
    is_change: bool
    refuses_it: bool  # "stop doing it": what it speaks of
    is_only: bool  # it allows nothing else
    is_lifted: bool  # it only says that something is allowed or needless from now on


def takes_back(text: str) -> bool:
    """Whether a sentence only says that an earlier rule no longer holds."""
    order = _read(text)
    return bool(order.topic) or order.is_lifted


def replaces(new: str, old: str) -> bool:
    """Whether a rule with one text takes the place of an earlier one with another."""
    later, earlier = _read(new), _read(old)
    if later.topic:
        return later.topic <= earlier.every
    return (
        any(_opposed(want, no, later, earlier) for want in later.wants for no in earlier.refuses)
        or any(_opposed(want, no, later, earlier) for want in earlier.wants for no in later.refuses)
        or (not later.is_lifted and (_is_rival(later, earlier) or _is_product(later, earlier)))
        or _is_amount(later, earlier)
        or _is_value(later, earlier)
        or (earlier.is_only and later.is_lifted and any(_is_widened(w, e) for w in later.wants for e in earlier.wants))
        or (later.refuses_it and not earlier.refuses and len(later.every & earlier.every) >= MIN_SHARED)
    )


def contradicts(new: str, old: str) -> bool:
    """Whether one rule wants what the other refuses, perhaps in a case of its own: neither repeats the other."""
    later, earlier = _read(new), _read(old)
    if later.topic or later.is_lifted or _wanted_rivals(later, earlier):
        return True
    pairs = [(want, no) for want in later.wants for no in earlier.refuses]
    pairs += [(want, no) for want in earlier.wants for no in later.refuses]
    if any(no.core <= want.every for want, no in pairs):
        return True
    common = later.every & earlier.every
    turned = sum((word in later.wanted) != (word in earlier.wanted) for word in common)
    if 2 * turned > len(common):
        return True
    return later.amounts != earlier.amounts or _is_apart(names(new), names(old))


def same_words(new: str, old: str) -> tuple[int, int]:
    """How many words two rules share, and how many the shorter one has."""
    ours, theirs = _stems(new), _stems(old)
    return len(ours & theirs), min(len(ours), len(theirs))


def refused_names(new: str, old: str) -> frozenset[str]:
    """The names of an earlier rule that a later one refuses, as they are written."""
    refused = frozenset().union(*(part.core for part in _read(new).refuses))
    return frozenset(name for name in names(old) if _stems(name) and _stems(name) <= refused)


def _opposed(want: _Part, no: _Part, later: _Order, earlier: _Order) -> bool:
    """Whether one of two orders wants what the other refuses, of the same thing and in the same case."""
    if not no.core or not no.core <= want.core | want.place:
        return False
    is_wanted_now = want in later.wants
    new, old = (want, no) if is_wanted_now else (no, want)
    if not new.scope - no.core <= earlier.every:
        return False  # An exception, or a stricter rule for a case.
    if is_wanted_now and not old.scope <= later.every and not later.is_change:
        return False  # A rule for a case beside a general one.
    ours, theirs = later.every - no.core, earlier.every - no.core
    if ours and theirs:
        return bool(ours & theirs)
    return len(ours) <= MOST_EXTRA


def _is_widened(want: _Part, only: _Part) -> bool:
    """Whether something that was wanted in one case only is allowed in another."""
    return want.core == only.core and bool(only.scope) and not only.scope <= want.scope


def _wanted_rivals(later: _Order, earlier: _Order) -> frozenset[str]:
    """The values that two orders want of which only one holds at a time; empty if they want the same one."""
    for row, value in later.values.items():
        if value != earlier.values.get(row, value):
            return frozenset().union(*_rivals()[row])
    return frozenset()


def _chosen(wanted: frozenset[str]) -> dict[int, frozenset[str]]:
    """By the row of the table, the value that is wanted, if it is one of them."""
    found = ((row, [one for one in values if one & wanted]) for row, values in enumerate(_rivals()))
    return {row: some[0] for row, some in found if len(some) == 1}


@cache
def _rivals() -> tuple[tuple[frozenset[str], ...], ...]:
    """The table of values: each is some words that mean the same."""
    return tuple(tuple(_stems(one.replace(",", " ")) for one in line.split()) for line in _VALUES.strip().splitlines())


def _is_rival(later: _Order, earlier: _Order) -> bool:
    group = _wanted_rivals(later, earlier)
    if not group:
        return False
    return _is_same_subject(_without(later.every, group), _without(earlier.every, group), later)


def _without(found: frozenset[str], values: frozenset[str]) -> frozenset[str]:
    """The words that have no value in them: "snake_case" has one."""
    return frozenset(word for word in found if not any(value in word for value in values))


def _is_same_subject(ours: frozenset[str], theirs: frozenset[str], later: _Order) -> bool:
    if not ours:
        return later.is_change or not theirs
    return bool(theirs) and (ours <= theirs or (theirs <= ours and _is_covered(later, theirs)))


def _is_covered(later: _Order, theirs: frozenset[str]) -> bool:
    """Whether a later order holds in no narrower case than words of an earlier one."""
    values = frozenset().union(*(one for group in _rivals() for one in group))
    return all(not any(map(str.isalpha, part.scope - values - theirs)) for part in later.wants)


def _is_product(later: _Order, earlier: _Order) -> bool:
    """Whether two orders want products of one kind, of which a project has one."""
    if not later.products or not earlier.products:
        return False
    refused = frozenset().union(*(part.core for part in (*later.refuses, *earlier.refuses)))
    ours = [one for one in later.products if not one[0] <= refused]
    theirs = [one for one in earlier.products if not one[0] <= refused]
    if len(ours) != 1 or len(theirs) != 1 or ours[0][2] != theirs[0][2] or ours[0][1] == theirs[0][1]:
        return False
    both = ours[0][0] | theirs[0][0]
    return _is_same_subject(later.every - both, earlier.every - both, later)


def _is_value(later: _Order, earlier: _Order) -> bool:
    """Whether an order says of the same thing, with a word such as "now", another value."""
    is_plain = not later.refuses and not earlier.refuses and not later.is_lifted
    if not later.is_change or not is_plain or later.subject != earlier.subject:
        return False
    ours, theirs = later.wanted, earlier.wanted
    common = ours & theirs
    new, old = ours - common, theirs - common
    return bool(new and old) and len(common) >= max(len(new), len(old)) and max(len(new), len(old)) <= MOST_OTHER


def _is_amount(later: _Order, earlier: _Order) -> bool:
    """Whether two orders give one limit two numbers."""
    ours, theirs = later.amounts, earlier.amounts
    if not any(ours[of] != theirs[of] for of in ours.keys() & theirs.keys()):
        return False
    if (later.is_at_least and earlier.is_at_most) or (later.is_at_most and earlier.is_at_least):
        return False
    numbers = {*ours.values(), *theirs.values()}
    mine, its = later.every - numbers, earlier.every - numbers
    return bool(mine and its) and (mine <= its or its <= mine) and _is_covered(later, its)


def _amounts(lower: str) -> dict[str, str]:
    return {match["of"].rstrip("s"): match["n"] for match in _AMOUNT.finditer(lower)}


def _is_apart(ours: frozenset[str], theirs: frozenset[str]) -> bool:
    """Whether two texts have names, and none in common. "Always" at the beginning is none."""
    ours, theirs = (frozenset(name for name in some if _stems(name)) for some in (ours, theirs))
    return bool(ours and theirs) and not ours & theirs


@lru_cache(maxsize=4_096)
def _read(text: str) -> _Order:
    lower = whole = plain(text)
    topic = _TOPIC.search(lower)
    is_lifted = _ALLOWED.search(lower) is not None or _NEEDLESS.search(lower) is not None
    is_change = is_lifted or _CHANGE.search(lower) is not None
    wants: list[_Part] = []
    refuses: list[_Part] = []
    double = _WITHOUT.search(lower)
    before = _REFUSED_BEFORE.search(lower)
    if double:
        wants.append(_Part(core=_stems(double["what"]), when=_stems(double["when"])))
    elif before:
        refuses.append(_part(before["what"]))
    else:
        lower = _NEEDLESS.sub("never ", _CHANGE.sub(" ", lower) if not is_lifted else lower)
        for clause in _ENDS.split(lower):
            _read_clause(clause, wants, refuses)
    every = frozenset().union(*(part.every for part in (*wants, *refuses)))
    wants = [part for part in wants if part.core]
    wanted = frozenset().union(*(part.every for part in wants))
    return _Order(
        wants=tuple(wants),
        refuses=tuple(part for part in refuses if part.core),
        every=every,
        wanted=wanted,
        values=_chosen(wanted),
        amounts=_amounts(whole),
        products=tuple((_stems(name), name, kind) for name, kind in products(text)),
        is_at_least=_AT_LEAST.search(whole) is not None,
        is_at_most=_AT_MOST.search(whole) is not None,
        subject=next((one for word in words(lower) for one in _stems(word)), ""),
        topic=_stems(topic["a"] or topic["b"] or "") if topic else frozenset(),
        is_change=is_change,
        refuses_it=_REFUSES_IT.search(lower) is not None,
        is_only=_ONLY.search(lower) is not None,
        is_lifted=is_lifted,
    )


def _read_clause(clause: str, wants: list[_Part], refuses: list[_Part]) -> None:
    wanted, *refused = _REFUSES.split(clause)
    wants.append(_part(wanted))
    refuses.extend(map(_part, refused))


def _part(text: str) -> _Part:
    """What a clause is about: before a word such as "in" or "before", and after it."""
    found = dict.fromkeys(("core", "when", "place"), frozenset[str]())
    at, kind = 0, "core"
    first = _WHERE.search(text)
    is_bare = first is not None and text[: first.start()].strip() in _NOBODY
    for match in [*_WHERE.finditer(text), None]:
        found[kind] |= _stems(text[at : match.start() if match else len(text)])
        if match:
            at, kind = match.end(), match.lastgroup or "core"
    if not found["core"] and is_bare:  # "never in German", and not "use any in TypeScript"
        return _Part(core=found["place"], when=found["when"])
    return _Part(**found)


@lru_cache(maxsize=8_192)
def _stems(text: str) -> frozenset[str]:
    """The content words of a text as they are compared here: "commits" and "committing" are one."""
    short = (re.sub(r"(?<=[a-z]{3})(?:ing|ed|s)$", "", word) for word in terms(text))
    found = {re.sub(r"(?:([a-z])\1|y)$", r"\1", word) for word in short}
    return frozenset(word for word in found if word not in _MARKERS)

"""Whether two values can be of one attribute, so that the newer one replaces the older. Pure."""

from __future__ import annotations

from jotsam.core.patterns import lazy_pattern
from jotsam.pipeline.languages import united
from jotsam.pipeline.languages.units import measure
from jotsam.pipeline.statements.cues import cue
from jotsam.pipeline.statements.find_changes import REPLACES, STATES
from jotsam.pipeline.statements.sentences import FUNCTIONAL, kind
from jotsam.pipeline.statements.words import is_cjk, plain, same

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.pipeline.statements.find_changes import Change
    from jotsam.pipeline.statements.sentences import Sentence, Token

RETIRE, MARK = "retire", "mark"

_OWNED = frozenset(("lead", "own", "maintain"))
_CAPITAL = lazy_pattern(r"(?<=\s)[^\W\d_][^\W_]*")


def compatible(
    change: Change, about: tuple[Token, ...], new: tuple[Token, ...], value: tuple[Token, ...], old: Sentence
) -> str | None:
    """What a new value does to a statement with an older one: RETIRE, MARK or None. `about` is what both speak of."""
    stated, held = change.frame.classes - {"be", "have"}, old.classes - {"be", "have"}
    if not about and change.frame.person != "i":
        return None
    if stated and held and not stated & held:
        return None
    kinds, old_kinds = {kind(token.word) for token in new}, {kind(token.word) for token in value}
    if (kinds | old_kinds) - {"word"}:
        return _typed(new, value, kinds, old_kinds) if about else None
    if not old.classes & FUNCTIONAL:
        return RETIRE if new[0].before == value[0].before and new[0].is_place and len(about) > 1 else None
    return _untyped(change, about, new, value, old, stated & held if stated else held)


def _typed(new: tuple[Token, ...], value: tuple[Token, ...], kinds: set[str], old_kinds: set[str]) -> str | None:
    """Numbers, days and times. What else the newer statement names makes it one of a part: "14 in print"."""
    typed, old_typed = kinds - {"word"}, old_kinds - {"word"}
    if not typed & old_typed or ("day" in typed and "day" not in old_typed):
        return None
    units, old_units = _words_of(new), _words_of(value)
    if any(token.slot != _first_typed(new).slot for token in units):
        return None
    if units and old_units and not _same_measure(units[0].word, old_units[0].word):
        return None
    if units and not old_units and not measure(units[0].word):
        return None
    return RETIRE if len(old_units) <= 1 + len(units) else MARK


def _words_of(tokens: tuple[Token, ...]) -> list[Token]:
    return [token for token in tokens if kind(token.word) == "word"]


def _first_typed(tokens: tuple[Token, ...]) -> Token:
    return next(token for token in tokens if kind(token.word) != "word")


def _same_measure(one: str, other: str) -> bool:
    return same(one, other) or measure(one) == measure(other) != ""


def _untyped(
    change: Change,
    about: tuple[Token, ...],
    new: tuple[Token, ...],
    value: tuple[Token, ...],
    old: Sentence,
    verbs: frozenset[str],
) -> str | None:
    first = [token for token in value if token.slot == value[0].slot]
    place, old_place = new[0].is_place, value[0].is_place
    if (len(first) < len(value) and (verbs or old_place)) or len({token.slot for token in new}) > 1:
        return None
    if change.kind == STATES and place != old_place:
        return None
    are_names = (
        cue("definite", old.code).search(plain(old.text)) is not None
        and _is_named(first, old.text)
        and _is_named(new, change.sentence)
    )
    if "i" in (change.frame.person, old.person):
        return _of_speaker(about, verbs, are_names=are_names, old_place=old_place or is_cjk(old.text))
    if is_cjk(old.text):
        return RETIRE
    if cue("moved", change.frame.code).search(plain(change.sentence)) and change.kind == REPLACES and not old_place:
        return None
    if "use" in verbs:
        return RETIRE
    if verbs & _OWNED:
        return RETIRE if "be" in old.classes and value[0].before not in united("of") | united("employers") else None
    if "work" in verbs and not united("employers").issuperset((new[0].before, value[0].before)):
        return None
    if "run" in verbs and new[0].before != value[0].before and change.kind == STATES:
        return None
    if verbs:
        return RETIRE
    return _of_attribute(change, about, are_names=are_names, is_place=old_place and (change.kind == REPLACES or place))


def _of_speaker(about: tuple[Token, ...], verbs: frozenset[str], *, are_names: bool, old_place: bool) -> str | None:
    if about and not verbs:
        return RETIRE if are_names else None
    return RETIRE if verbs & {"live", "work", "name"} and (old_place or "name" in verbs) else None


def _of_attribute(change: Change, about: tuple[Token, ...], *, are_names: bool, is_place: bool) -> str | None:
    """Of "X is Y". Two adjectives may both hold, two places or the values of a named attribute do not."""
    if is_place or are_names or any(is_attribute(token.word) for token in about):
        return RETIRE
    return MARK if change.kind == REPLACES else None


def is_attribute(word: str) -> bool:
    known = united("attributes")
    return word in known or any(same(word, one) for one in known if one[:4] == word[:4])


def _is_named(tokens: list[Token] | tuple[Token, ...], text: str) -> bool:
    """Whether one of the words is written with a capital, and not because it begins the text."""
    capitals = {plain(word) for word in _CAPITAL.findall(text) if word[0].isupper()}
    return any(token.word in capitals for token in tokens)

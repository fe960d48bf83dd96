"""Tell facts that a reader understands from pieces of sentences that only look like facts.

Pure. It judges the words of one finished fact, not the sentence, and not the rule that found it.
"""

from __future__ import annotations

import re

from jotsam.core.patterns import lazy_pattern
from jotsam.pipeline.entities import gazetteer
from jotsam.pipeline.facts.clause_verbs import is_adverb
from jotsam.pipeline.facts.verb_forms import PARTICIPLE, PLAIN, uses_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from jotsam.core.records import Fact

_STATES = frozenset(("is", "was", "became", "becomes", "remains", "stays", "status", "required"))
# Names of kinds, which tell nothing about what is of the kind.
_KINDS = gazetteer.word_set("library package module tool framework project program application service software")
_NO_SUBJECTS = gazetteer.word_set("alternatives alternative notes currently note see come both")
_QUANTIFIERS = frozenset(("all", "each", "every"))
MAX_GUESS = 0.5  # confidence
_SPEAKERS = frozenset(("i", "we"))
_SPECIFIC = lazy_pattern(r"[A-Z0-9_./@#$€%-]|[^\x00-\x7f]")  # of a name, a number, a piece of code
_ADJECTIVE = lazy_pattern(r".{2,}(?:ible|ful|less|ous)")
_ADVERB = lazy_pattern(r".{4,}ally", re.IGNORECASE)
_LETTER = lazy_pattern(r"[b-z]")


def is_clear(fact: Fact, names: Collection[str]) -> bool:
    """Whether the subject is a whole name or description, and the object more than one verb or adjective.

    A guess about a subject in lower case, and what is said of all of a kind, needs an object with a name or a number.
    """
    if not (_is_whole_subject(fact.subject, names) and _is_whole_object(fact)):
        return False
    first = fact.subject.split()[0].lower()
    is_vague = first in _QUANTIFIERS or (first == fact.subject.split()[0] and fact.confidence <= MAX_GUESS)
    return not is_vague or any(_is_specific(text, names) for text in (fact.subject[1:], fact.object))


def _is_specific(text: str, names: Collection[str]) -> bool:
    return _SPECIFIC.search(text) is not None or any(name in text for name in names)


def _is_whole_subject(subject: str, names: Collection[str]) -> bool:
    if subject in names or subject.lower() in _SPEAKERS:
        return True
    words = subject.split()
    if is_adverb(words[-1]) or _ADVERB.fullmatch(words[-1]):
        return False
    return len(words) > 1 or subject.lower() not in _NO_SUBJECTS


def _is_whole_object(fact: Fact) -> bool:
    words = fact.object.split()
    if not words:
        return False
    last = words[-1]
    if _LETTER.fullmatch(last) or "been" in words:
        return False
    if fact.predicate in _STATES:
        return len(words) > 1 or last not in _KINDS
    uses = uses_of(last)
    if len(words) == 1:
        return _ADJECTIVE.fullmatch(last) is None and (PARTICIPLE not in uses or PLAIN in uses)
    return not (last.endswith("ed") and PARTICIPLE in uses)

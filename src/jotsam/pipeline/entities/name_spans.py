"""Name spans: what names look like and where they end. Shared by the rules for people, tools and organizations.

Whether a span is a name depends on its context and is decided by these rules.
"""

from __future__ import annotations

from itertools import pairwise

from jotsam.pipeline.entities import gazetteer, known_names
from jotsam.pipeline.entities.known_names import FREQUENT, GIVEN, NAMES, WORDS, known
from jotsam.pipeline.languages.en import STOP_WORDS
from jotsam.pipeline.text.memoize import memoize_short
from jotsam.pipeline.text.slugs import slug
from jotsam.pipeline.text.tokens import CLAUSE, SENTENCE, Prose

_PARTICLES = frozenset(("van", "von", "der", "den", "de", "da", "di", "del", "la", "bin", "ibn", "al", "dos", "du"))
TITLES = frozenset(("dr", "mr", "mrs", "ms", "prof", "professor", "doctor", "herr", "frau"))


SHORT = 3  # letters of a word that may be a form of another one
GIVEN_NAMES = known_names.Having(known_names.GIVEN)  # slugs


def is_ambiguous_given_name(word: str) -> bool:
    """Whether a given name is short, an English word, or rarely a given name and often something else."""
    found = known(word)
    others = WORDS | (0 if found & FREQUENT else NAMES)
    return bool(found & GIVEN) and (bool(found & others) or len(word) <= SHORT)


def is_known_thing(word: str) -> bool:
    """Whether the word is the name of a tool, an organization or a place, and neither English nor a given name."""
    found = known(word)
    return bool(found & NAMES and not found & (WORDS | GIVEN))


@memoize_short
def is_camel(word: str) -> bool:
    """Whether the word is in camel case: SuperWhisper, FastAPI, iTerm; not HTTP or McDonald."""
    has_hump = any(one.islower() and two.isupper() for one, two in pairwise(word))
    return has_hump and word.isalnum() and not word.startswith(("Mc", "Mac", "De", "Di", "La", "Le", "Van", "O"))


@memoize_short
def is_name(word: str) -> bool:
    """Whether the word is capitalised like a name: Alice, O'Neill, Jean-Luc, McDonald, or an initial."""
    parts = word.replace("’", "'").replace("'", "-").split("-")
    return all(_is_capitalised(part) for part in parts)


def _is_capitalised(part: str) -> bool:
    rest = part.removeprefix("Mc").removeprefix("Mac")
    return rest[:1].isupper() and (rest[1:].islower() or not rest[1:]) and part.isalpha()


def is_han_name(word: str) -> bool:
    return 2 <= len(word) <= 4 and all("\u4e00" <= character <= "\u9fff" for character in word)


def end_of_name(prose: Prose, start: int) -> int:
    """End of a run of at most three capitalised words with initials and particles; `start` if not found."""
    end, words = start, 0
    while end < len(prose.words) and words < 3:
        if end > start and not _continues(prose, end):
            break
        if _can_be_name(prose, end, is_first=end == start):
            end, words = end + 1, words + 1
        elif end > start and prose.lower[end] in _PARTICLES and _can_follow_particle(prose, end + 1):
            end += 1
        else:
            break
    return end


def _continues(prose: Prose, at: int) -> bool:
    return prose.gaps[at] == " " or (prose.gaps[at] == SENTENCE and len(prose.words[at - 1]) == 1)


def _can_be_name(prose: Prose, at: int, *, is_first: bool) -> bool:
    lower = prose.lower[at]
    if (
        not is_name(prose.words[at])
        or (is_first and is_known_thing(lower))
        or prose.in_backticks[at]
        or lower in TITLES
    ):
        return False
    if is_first and (is_ambiguous_given_name(lower) or (slug(lower) in GIVEN_NAMES and lower in gazetteer.NOT_NAMES)):
        return lower not in gazetteer.NOT_NAMES or (
            gap_before(prose, at + 1) == " " and _can_be_name(prose, at + 1, is_first=False)
        )
    return lower not in STOP_WORDS and lower not in gazetteer.NOT_NAMES


def _can_follow_particle(prose: Prose, at: int) -> bool:
    if at >= len(prose.words) or prose.gaps[at] != " ":
        return False
    return prose.lower[at] in _PARTICLES or _can_be_name(prose, at, is_first=False)


def gap_before(prose: Prose, at: int) -> str:
    """The gap before a word, or after the last one."""
    return prose.gaps[at] if at < len(prose.gaps) else CLAUSE


def word_before(prose: Prose, at: int) -> str:
    return prose.lower[at - 1] if at > 0 and prose.gaps[at] == " " else ""


def word_after(prose: Prose, end: int) -> str:
    return prose.lower[end] if gap_before(prose, end) == " " else ""

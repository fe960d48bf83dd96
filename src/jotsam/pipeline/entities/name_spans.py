"""Name spans: what names look like and where they end. Shared by the rules for people, tools and organizations.

Whether a span is a name depends on its context and is decided by these rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

from jotsam.pipeline.entities import gazetteer
from jotsam.pipeline.text.slugs import slug
from jotsam.pipeline.text.tokens import CLAUSE, SENTENCE, Prose, tokenize
from jotsam.pipeline.text.words import STOP_WORDS

_PARTICLES = frozenset(("van", "von", "der", "den", "de", "da", "di", "del", "la", "bin", "ibn", "al", "dos", "du"))
TITLES = frozenset(("dr", "mr", "mrs", "ms", "prof", "professor", "doctor", "herr", "frau"))


def _phrases(category: str, names: Iterable[str]) -> Iterator[tuple[str, tuple[str, ...], str]]:
    for name in names:
        words = tokenize(name).lower
        yield words[0], words, category


def _phrase_table() -> dict[str, list[tuple[tuple[str, ...], str]]]:
    """The known phrases with their category, by first word, longest first."""
    table: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    phrases = [
        *_phrases("tools", gazetteer.TECHNOLOGIES + gazetteer.AMBIGUOUS_TECHNOLOGIES),
        *_phrases("organizations", gazetteer.ORGANIZATIONS),
        *_phrases("concepts", gazetteer.CONCEPTS),
    ]
    for first, words, category in sorted(phrases, key=lambda phrase: -len(phrase[1])):
        table.setdefault(first, []).append((words, category))
    return table


KNOWN_PHRASES = _phrase_table()
AMBIGUOUS_TOOLS = frozenset(name.lower() for name in gazetteer.AMBIGUOUS_TECHNOLOGIES)
AMBIGUOUS_GIVEN_NAMES = frozenset(slug(name) for name in gazetteer.AMBIGUOUS_GIVEN_NAMES)
GIVEN_NAMES = frozenset(slug(name) for name in gazetteer.GIVEN_NAMES) | AMBIGUOUS_GIVEN_NAMES


def is_camel(word: str) -> bool:
    """Whether the word is in camel case: SuperWhisper, FastAPI, iTerm; not HTTP or McDonald."""
    has_hump = any(one.islower() and two.isupper() for one, two in pairwise(word))
    return has_hump and word.isalnum() and not word.startswith(("Mc", "Mac", "De", "Di", "La", "Le", "Van", "O"))


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
    if not is_name(prose.words[at]) or lower in KNOWN_PHRASES or prose.in_backticks[at] or lower in TITLES:
        return False
    if is_first and lower in AMBIGUOUS_GIVEN_NAMES:
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

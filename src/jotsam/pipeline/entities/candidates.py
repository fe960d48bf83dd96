"""Proposes names of a text: spans of words, each with the weight of one piece of evidence and its category.

A word of the gazetteer, a capital inside a sentence, the subject of a text and a code span are evidence of their own;
what all the evidence for a span amounts to is decided by the caller.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import pairwise

from jotsam.core.patterns import lazy_pattern
from jotsam.core.records import Record
from jotsam.pipeline.entities import gazetteer
from jotsam.pipeline.entities.contexts import is_class
from jotsam.pipeline.entities.known_names import (
    COMMON,
    ENGLISH,
    FREQUENT,
    GIVEN,
    NAMES,
    ORGANIZATION,
    PHRASE,
    PLACE,
    TOOL,
    WORDS,
    flags,
    known,
)
from jotsam.pipeline.entities.name_spans import TITLES, gap_before, is_camel
from jotsam.pipeline.languages.en import STOP_WORDS
from jotsam.pipeline.text.memoize import memoize_short
from jotsam.pipeline.text.slugs import slug
from jotsam.pipeline.text.tokens import POSSESSIVE, SENTENCE, Prose, Span

MAX_WORDS = 4
_INNER_CAPITALS = lazy_pattern(r"[a-z][A-Z]{2,}|[A-Z]{3,}[a-z]{2,}")
_CONTRACTION = lazy_pattern(r"^(?:i|you|we|they|he|she|it|that|there|what|who|let)['’](?:m|s|d|re|ve|ll)$|n['’]t$")
_URL = lazy_pattern(r"https?://([^\s/<>\])\"']{1,100})([^\s<>\])\"']{0,200})")
_FORGES = ("github.", "gitlab.", "codeberg.", "bitbucket.", "raw.githubusercontent.")
_REGISTRIES = gazetteer.word_set("project package packages crates gems v pypi npm p r github")
_GENERIC_HOSTS = gazetteer.word_set("www com org net io dev github gitlab readthedocs docs blog api img pypi npmjs en")
_IN_TITLES = gazetteer.word_set("a an the of and or in on to for by at with is vs from as")
_BEGINNINGS = gazetteer.word_set("open new old north south east west")
_SUBJECT_VERBS = gazetteer.word_set(
    """
    uses needs stores reads keeps provides implements offers aims makes helps lets allows supports adds contains enables
    works runs gives brings
    """
)
_NUMBERS = gazetteer.word_set("one two three four five six seven eight nine ten eleven twelve first second third")
_NAMED = NAMES | GIVEN | PHRASE


class Proposal(Record):
    """Evidence for a name: how much it weighs, and the category it supports, "" for none."""

    span: Span
    weight: float
    category: str = ""
    vote: float = 0.0  # for the category, in addition to the weight


class Marked(Record):
    """The tokens of a text with what surrounds them."""

    text: str
    prose: Prose
    opens: tuple[bool, ...]  # whether a capital of this word is due to its position
    in_title: tuple[bool, ...]
    lone: tuple[bool, ...]  # whether the word is alone in a code span, a link or emphasis
    counts: Mapping[str, int]  # how often each word in lower case occurs
    addresses: frozenset[str]  # slugs of the parts of addresses


def mark(text: str, prose: Prose) -> Marked:
    """The tokens with their surroundings."""
    ends = [start + len(word) for start, word in zip(prose.offsets, prose.words, strict=True)]
    opens, titles = _openings(text, prose)
    return Marked(
        text=text,
        prose=prose,
        opens=opens,
        in_title=titles,
        lone=tuple(_is_lone(text, start, end) for start, end in zip(prose.offsets, ends, strict=True)),
        counts=Counter(prose.lower),
        addresses=frozenset(_addresses(text)),
    )


def _addresses(text: str) -> Iterator[str]:
    """Slugs of what addresses are about: parts of the host, a repository, a package of a registry."""
    for host, path in _URL.findall(text):
        yield from (slug(part) for part in host.split(".") if part not in _GENERIC_HOSTS)
        parts = path.partition("?")[0].strip("/").split("/")
        for before, part in pairwise(parts):
            if before in _REGISTRIES or (part == parts[1] and host.startswith(_FORGES)):
                yield slug(part.removesuffix(".svg").removesuffix(".git"))


def _is_lone(text: str, start: int, end: int) -> bool:
    """Whether the word is alone in a code span, a link or emphasis."""
    if text[end - 1] == "_" and text[start] != "_":  # a reference
        return True
    before = text[start - 1 : start]
    if before not in "`[*":
        return False
    after = text[end : end + 1]
    is_span = before in ("`", "[") and (after in ("`", "]") or text[end : end + 2] == " <")
    return is_span or before == "*" == after


def _openings(text: str, prose: Prose) -> tuple[tuple[bool, ...], tuple[bool, ...]]:
    """Whether a capital of each word is due to its position, and whether its sentence is a title."""
    start, end = 0, 0
    is_title = False
    opens, titles = [], []
    for at, gap in enumerate(prose.gaps):
        if at >= end:
            start, end = at, at + 1
            while end < len(prose.words) and prose.gaps[end] != SENTENCE:
                end += 1
            is_title = _is_title(prose.words[start:end])
        titles.append(is_title)
        offset = prose.offsets[at]
        follows_word = gap == " " and text[offset - 1] == " " and text[offset - 2].isalnum()
        opens.append(
            is_title or not (follows_word or (gap in (" ", ",", POSSESSIVE, "/") and not _follows_bullet(text, offset)))
        )
    return tuple(opens), tuple(titles)


def _is_title(words: tuple[str, ...]) -> bool:
    plain = []
    for word in words:
        if word[0].isalpha() and word not in _IN_TITLES:
            if not word[0].isupper():
                return False
            plain.append(word)
    return len(plain) > 2 and any(known(word) & WORDS for word in plain[1:])


def _follows_bullet(text: str, offset: int) -> bool:
    before = text[max(0, offset - 6) : offset].rpartition("\n")[2].strip(" \t*_`>[")
    is_first_line = "\n" not in text[max(0, offset - 6) : offset] and offset > 6
    return (not is_first_line and before in ("", "-", "+", "•", "#", "##", "###", "|")) or before in (
        "|",
        "(",
        '"',
        "“",
    )


@memoize_short
def is_excluded(lower: str) -> bool:
    """Whether the word is never a name by itself."""
    return (
        lower in STOP_WORDS
        or lower in gazetteer.NOT_NAMES
        or lower in gazetteer.JARGON
        or lower in TITLES
        or lower in _NUMBERS
        or _CONTRACTION.search(lower) is not None
        or (lower.split("-")[0] in gazetteer.NOT_NAMES and any(character.isdigit() for character in lower))
    )


def known_names(marked: Marked) -> Iterator[Proposal]:
    """Names of the gazetteer, the longest at each word."""
    prose = marked.prose
    for at, word in enumerate(prose.words):
        found = known(word)
        if not found & _NAMED:
            continue
        if found & PHRASE and prose.lower[at] not in STOP_WORDS:
            yield from _known_phrase(marked, at)
        if is_excluded(prose.lower[at]):
            continue
        if found & GIVEN and word[0].isupper():
            yield _given_name(marked, at, found)
        if not found & NAMES or "_" in word.strip("_"):
            continue
        category = _category(found)
        weight = _known_weight(marked, at, found)
        if weight:
            yield Proposal(span=(at, at + 1), weight=weight, category=category)


def _known_phrase(marked: Marked, at: int) -> Iterator[Proposal]:
    prose = marked.prose
    for end in range(min(at + MAX_WORDS, len(prose.words)), at + 1, -1):
        words = prose.words[at:end]
        if (
            any(gap != " " for gap in prose.gaps[at + 1 : end])
            or not words[-1][0].isupper()
            or not words[0][0].isupper()
        ):
            continue
        found = flags("-".join(map(slug, words)))
        if found & NAMES:
            yield Proposal(span=(at, end), weight=1.3 if not found & WORDS else 0.8, category=_category(found))
            return


def _given_name(marked: Marked, at: int, found: int) -> Proposal:
    """Most given names are found by their position; here they count above all for the category."""
    weight = 0.0
    if found & FREQUENT and found & WORDS:
        weight = 0.3 if marked.opens[at] else 0.35
    vote = 0.0 if found & WORDS else 1.0 if found & FREQUENT else 0.45
    return Proposal(span=(at, at + 1), weight=weight, category="people", vote=vote)


def _category(found: int) -> str:
    if found & PLACE and not found & (TOOL | ORGANIZATION):
        return "concepts"
    return "organizations" if found & ORGANIZATION else "tools"


def _known_weight(marked: Marked, at: int, found: int) -> float:
    word = marked.prose.words[at]
    is_english, is_given = bool(found & WORDS), bool(found & GIVEN)
    if word[0].islower():
        if not found & TOOL or len(word) < 2:
            return 0.0
        return 0.2 if is_english else 0.3 if is_given or len(word) < 3 else 0.75
    if is_english:
        return 0.1 if marked.opens[at] else 0.5 if found & COMMON else 0.7
    if len(word) < 3:
        return 0.4
    return 0.4 if is_given and marked.opens[at] else 0.8 if is_given else 1.1


def unknown_words(marked: Marked) -> Iterator[Proposal]:
    """Words in lower case that no dictionary has, in a place for a tool, and compounds with one: date-fns."""
    prose = marked.prose
    for at, word in enumerate(prose.words):
        parts = _unknown_parts(word)
        if not parts or ("_" in word.strip("_") and not marked.lone[at]) or _is_code(marked, at):
            continue
        yield Proposal(span=(at, at + 1), weight=0.35 if parts == 1 else 0.4, category="tools")


@memoize_short
def _unknown_parts(word: str) -> int:
    """How many parts a word has that may be an unknown tool; 0 if it cannot be one."""
    if not word[0].islower() or len(word) < 3 or not word.isascii() or "'" in word or "." in word:
        return 0
    parts = [part for part in word.replace("_", "-").split("-") if part]
    is_unknown = any(not known(part) & WORDS and part not in gazetteer.JARGON for part in parts)
    if not is_unknown or len(parts) > 3 or is_class(word) or known(word) & NAMES or is_excluded(word.lower()):
        return 0
    return len(parts)


def _is_code(marked: Marked, at: int) -> bool:
    """Whether the word is called or assigned to."""
    end = marked.prose.offsets[at] + len(marked.prose.words[at])
    return marked.text[end : end + 1] in ("(", "=") or marked.text[end : end + 2] == "::"


def capitals(marked: Marked) -> Iterator[Proposal]:
    """Runs of capitalised words, by how little English they are and by their position."""
    at, prose = 0, marked.prose
    while at < len(prose.words):
        end = _run(marked, at) if prose.words[at][0].isupper() else at
        if end > at:
            yield from _capital(marked, (at, end))
        at = max(end, at + 1)


def _run(marked: Marked, start: int) -> int:
    """The end of the capitalised words from `start`."""
    prose, end = marked.prose, start
    while end < len(prose.words) and end < start + MAX_WORDS:
        is_new_line = (
            end > start and marked.opens[end] and "\n" in marked.text[prose.offsets[end - 1] : prose.offsets[end]]
        )
        if end > start and (prose.gaps[end] != " " or is_new_line):
            break
        if not prose.words[end][0].isupper() or (is_excluded(prose.lower[end]) and not _is_part(marked, end)):
            break
        end += 1
    return end


def _is_part(marked: Marked, at: int) -> bool:
    """Whether a word that is not a name by itself can begin one: "Open Collective", "HTTP Core"."""
    prose, lower = marked.prose, marked.prose.lower[at]
    is_beginning = lower in _BEGINNINGS or (lower in gazetteer.JARGON and prose.words[at].isupper())
    if not is_beginning or marked.opens[at] or gap_before(prose, at + 1) != " ":
        return False
    return prose.words[at + 1][0].isupper() and not is_excluded(prose.lower[at + 1])


def _capital(marked: Marked, span: Span) -> Iterator[Proposal]:
    prose, (start, end) = marked.prose, span
    opens = marked.opens[start]
    is_plain = [bool(_english(word) & WORDS and not known(word) & GIVEN) for word in prose.words[start:end]]
    if opens and is_plain[0] and not all(is_plain):
        # "Ask Priya": the first word is capitalised for its position only.
        start, opens = start + 1, marked.opens[start + 1]
    weight = max(_strangeness(marked, at, opens=opens and at == start) for at in range(start, end))
    if end > start + 1:
        weight += 0.15
        if all(known(prose.words[at]) & COMMON for at in range(start, end)):
            weight -= 0.25
    yield Proposal(span=(start, end), weight=weight)


def _strangeness(marked: Marked, at: int, *, opens: bool) -> float:
    """How unlikely the word is anything but a name."""
    prose, word = marked.prose, marked.prose.words[at]
    found, offset = _english(word), prose.offsets[at]
    if "_" in word.strip("_") or is_class(word):
        return 0.0
    if word.isupper() or (len(word) > 2 and word[:-1].isupper()):
        is_short_form = (
            marked.text[offset - 1 : offset] == "(" and marked.text[offset + len(word) : offset + len(word) + 1] == ")"
        )
        return (
            0.0
            if is_short_form or word[-1] == "s" or len(word) < 2
            else 0.2
            if found & WORDS or prose.in_heading[at]
            else 0.45
        )
    if not found & WORDS:
        return (0.5 if opens else 0.9) - (0.2 if prose.in_heading[at] else 0)
    if opens:
        return 0.0
    if found & COMMON:
        return 0.25 if word.endswith("s") and not word.endswith("ss") else 0.5
    return 0.6


@memoize_short
def _english(word: str) -> int:
    """The flags of a word; a compound of English words and "goin'" count as English."""
    found = known(word)
    if found & WORDS:
        return found
    if word[:2].lower() in ("re", "un") and known(word[2:]) & WORDS:
        return found | ENGLISH
    parts = [known(part) & WORDS or (COMMON if part.lower() in gazetteer.JARGON else 0) for part in word.split("-")]
    if len(parts) > 1 and all(parts):
        return found | min(parts)
    return found | (known(word + "g") & WORDS if word.endswith("in") else 0)


def inner_capitals(marked: Marked) -> Iterator[Proposal]:
    """Words with a capital, a digit or a plus inside: TinyDB, gRPC-Web, k8s; not getName or ErrorHandler."""
    prose = marked.prose
    for at, word in enumerate(prose.words):
        if not _has_inner_capital(word) or is_excluded(prose.lower[at]):
            continue
        bare = word.strip("_")
        is_code = _is_code(marked, at) or "." in bare
        if is_camel(bare.replace("-", "")) and not is_code:
            is_method = bare[0].islower() and (prose.in_backticks[at] or len(re.findall(r"[A-Z]", bare)) == 1)
            yield Proposal(span=(at, at + 1), weight=0.0 if is_method else 0.7, category="tools")
        elif bare[0].isupper() and _INNER_CAPITALS.search(bare) and not is_code:
            yield Proposal(span=(at, at + 1), weight=0.6, category="tools")


@memoize_short
def _has_inner_capital(word: str) -> bool:
    bare = word.strip("_")
    if not bare or "_" in bare or is_class(bare):
        return False
    return is_camel(bare.replace("-", "")) or (bare[0].isupper() and _INNER_CAPITALS.search(bare) is not None)


def subjects(marked: Marked) -> Iterator[Proposal]:
    """What the text is about: its title, and X of "X is a ..." at the beginning of a paragraph."""
    prose = marked.prose
    for at in range(len(prose.words)):
        if prose.gaps[at] != SENTENCE:
            continue
        if prose.in_heading[at]:
            yield from _title(marked, at)
        else:
            yield from _defined(marked, at)


def _title(marked: Marked, at: int) -> Iterator[Proposal]:
    """One or two words of a heading, or of it before a colon, that the text or an address repeats."""
    prose, end = marked.prose, at + 1
    while end < len(prose.words) and prose.in_heading[end] and prose.gaps[end] == " ":
        end += 1
    if end - at > 2:
        return
    name = prose.lower[at:end]
    recurs = all(marked.counts[word] > 1 for word in name)
    is_english = all(known(word) & WORDS for word in name)
    is_repeated = recurs or "-".join(name) in marked.addresses
    if not any(map(_is_no_subject, name)) and (is_repeated or not is_english):
        yield Proposal(span=(at, end), weight=0.4 if is_english else 0.7, category="tools")


def _is_no_subject(lower: str) -> bool:
    return lower in STOP_WORDS or lower in gazetteer.NOT_NAMES or lower in gazetteer.NOT_PROJECTS


def _defined(marked: Marked, at: int) -> Iterator[Proposal]:
    """The name before the first verb: "X is a ...", "X provides ..."."""
    prose = marked.prose
    for end in range(at + 1, min(at + 4, len(prose.words) - 1)):
        if prose.gaps[end] != " ":
            return
        is_said = prose.lower[end] == "is" and prose.lower[end + 1] in ("a", "an", "the", "our")
        if not is_said and prose.lower[end] not in _SUBJECT_VERBS:
            continue
        words = prose.words[at:end]
        if not any(map(_is_no_subject, prose.lower[at:end])):
            is_english = any(word[0].islower() and known(word) & WORDS for word in words) or (
                len(words) == 1 and known(words[0]) & COMMON
            )
            weight = (0.3 if is_english else 0.8) if is_said else (0.1 if is_english else 0.4)
            recurs = marked.counts[prose.lower[at]] > 1
            yield Proposal(span=(at, end), weight=weight + (0.25 if recurs else 0), category="tools")
        return

"""Filter the names that an NER tagger finds, and map them to entity categories.

A tagger trained on news, encyclopedias and chat mistakes "Phase", "CLI" and list bullets for names in technical
documents. So its names are trusted in plain prose, hardly at all in Markdown, and less at the beginning of a sentence,
where every word is capitalised. This module does not search for names itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Protocol

from jotsam.pipeline.entities import gazetteer
from jotsam.pipeline.entities.name_spans import AMBIGUOUS_GIVEN_NAMES, GIVEN_NAMES, TITLES
from jotsam.pipeline.entities.tagger import TaggedName
from jotsam.pipeline.text.slugs import slug
from jotsam.pipeline.text.tokens import Span
from jotsam.pipeline.text.words import STOP_WORDS

# Tagger kinds to entity categories. Places and works become concepts.
CATEGORIES = {
    "person": "people",
    "organization": "organizations",
    "place": "concepts",
    "product": "tools",
    "other": "concepts",
}


class NameTagger(Protocol):
    """Finds names in a sentence or paragraph. The built-in tagger and spaCy implement it."""

    @property
    def name(self) -> str:
        """Recorded as the extractor of its entities: `tagger/1`, `spacy:en_core_web_sm`."""
        ...

    def __call__(self, text: str) -> Iterable[TaggedName]: ...


MAX_NAME_CHARACTERS = 60
_SENTENCE = re.compile(r"[^\n]+?(?:(?<=[.!?])[\"'”’)\]]?(?=\s+[A-Z\"'“‘(])|(?=\n)|\Z)")
_MARKUP = re.compile(
    r"`|\*\*|\]\(|\|\s|\{|\}|=>|->|\w\(\)|^[ \t]*(?:[-*+]\s|\d+[.)]\s|#{1,6}\s\w|>)"
    r"|(?<!\S)--?[a-z]|\w/\w+/|\w_\w|\.\w+\.\w",
    re.MULTILINE,
)
_PUNCTUATION = " \t\n.,;:!?\"'“”‘’()[]{}<>|*_~#@&/-–—…`"
_LABEL = re.compile(r"[A-Z]{1,2}-?\d{1,2}")
_TWO_CAPITALS = re.compile(r"[A-Z][\w'’-]+ (?:[a-z]{1,3} )?[A-Z]")
_CAPITALS = re.compile(r"\b[A-Z]{2,}\b")
_MIN_FULL_NAME_SCORE = 0.8
_ADDRESSING = re.compile(
    r"(?:^|[.!?]\s+)(?:hey|hi|hello|dear|thanks|thank you|wow|yeah|yes|yep|nope|no|sure(?: thing)?|cheers|go|great|nice"
    r"|awesome|cool|ok|okay|congrats|bye|morning|aww|oh)(?:\s+there)?,?\s+$",
    re.IGNORECASE,
)
_MIN_SCORE_INSIDE = 0.5  # of a name inside a sentence
_MIN_SCORE_OPENING = 0.52  # of a name of several words at the beginning of a sentence
_MIN_SCORE_FIRST_WORD = 0.59  # of one word at the beginning of a sentence
_MIN_KIND_SCORE = 0.6  # to use the kind of a name of several words
_MIN_KIND_SCORE_ONE_WORD = 0.69

_OPENING = re.compile(r"(?:^|[.!?:;\n–—])[\s\"'“”‘(*_-]*$")
_VERB_FORM = re.compile(r"[A-Z][a-z]+(?:ing|in'|in’|ed|ly)")
_ROMAN = re.compile(r"[IVXLCDM]{2,5}")
_NAME_CONTINUES = re.compile(
    r"(?:['’]s)?[ ](?:\"|“)?(?:of[ ](?:the[ ])?)?(?:[^\W\d_a-zß-öø-ÿ]\w|[A-Z]\.)|\.?[A-Z]?\.[ ][^\W\d_a-z]"
)
_RUN_BEFORE = re.compile(r"(?P<word>\w[\w'’.-]*)[ ](?P<joint>(?:of|the)[ ](?:the[ ])?)?$")
_NOT_FIRST_WORDS = gazetteer.word_set(
    """
    bye absolutely totally exactly definitely surely glad remember wow yeah yep yup nope nah hey hi hello hiya woah whoa
    woohoo yay aww awww ah oh ooh ugh haha lol congrats cheers thanks thx sorry please great nice awesome cool sweet
    good fine sure ok okay right well anyway however maybe perhaps guess look listen try use see check make take let
    fix fixed add added run running using update updated remove removed move moved ship shipped deploy deployed set keep
    get got put go going went come came ask asked tell told call called meet met talk talked read write wrote build
    built test tested drop dropped replace replaced switch switched pick picked choose chose start started stop stopped
    happy excited stoked proud welcome enjoy appreciate understand imagine believe hope wish love like need want
    everyone everybody someone nobody nothing something everything
    """
)
_CREATOR = re.compile(r"(?<=\w)['’]s\s+(?=[\"“])")
_POSSESSIVE = re.compile(r"\s?['’]s$")


def sentence_spans(text: str) -> Iterator[tuple[int, int, bool]]:
    """Start, end and trust of the sentences that a tagger should read.

    In a document with headings, lists, code or tables, only plain sentences with several capitalised words in a row are
    read, and only names of several words are kept from them.
    """
    is_document = _MARKUP.search(text) is not None
    for match in _SENTENCE.finditer(text):
        start, end = match.span()
        if not is_document:
            yield start, end, not _is_shouted(match.group())
        elif _TWO_CAPITALS.search(text, start, end) and not _MARKUP.search(text, start, end):
            yield start, end, False


def _is_shouted(sentence: str) -> bool:
    return len(_CAPITALS.findall(sentence)) > 4


def keep_names(
    text: str, start: int, tagged: Iterable[TaggedName], *, is_trusted: bool
) -> Iterator[tuple[str, int, int]]:
    """Category, start and end of the names to keep. `tagged` are the names in the sentence at offset `start`."""
    for name in tagged:
        begin, stop = _trim(text, start + name.start, start + name.end)
        word = text[begin:stop]
        is_person = _is_person(text, begin, stop)
        if not _is_name(word) or not (is_trusted or _is_full_name(name, word)):
            continue
        if is_person or (_is_likely(text, name, (begin, stop)) and not _is_part(text, begin, stop)):
            yield "people" if is_person else _category(name, word), begin, stop


def _category(name: TaggedName, word: str) -> str:
    """The entity category. A name of uncertain kind is a concept; a single word needs a higher kind score."""
    least = _MIN_KIND_SCORE_ONE_WORD if " " not in word else _MIN_KIND_SCORE
    return CATEGORIES[name.kind if name.kind_score >= least else "other"]


def _is_likely(text: str, name: TaggedName, span: Span) -> bool:
    """Whether the score is high enough. At the beginning of a sentence it must be higher: "Running", "Glad Max"."""
    begin, stop = span
    if not _OPENING.search(text[max(0, begin - 20) : begin]):
        return name.score >= _MIN_SCORE_INSIDE
    first, _, rest = text[begin:stop].partition(" ")
    is_cut = not rest and text[stop : stop + 2] in ("' ", "’ ")
    if first.lower() in _NOT_FIRST_WORDS or _VERB_FORM.fullmatch(first) or is_cut:
        return False
    return name.score >= (_MIN_SCORE_OPENING if rest else _MIN_SCORE_FIRST_WORD)


def _is_part(text: str, start: int, end: int) -> bool:
    """Whether it is only part of a longer name: "Văn" of "Nguyễn Văn An", "Lord" of "Lord of the Rings"."""
    if _NAME_CONTINUES.match(text, end):
        return True
    before = _RUN_BEFORE.search(text[max(0, start - 60) : start])
    if before is None or not before["word"][0].isupper():
        return False
    word = before["word"]
    opens = _OPENING.search(text[max(0, start - 60) : start - len(before[0])]) is not None
    is_common = opens and word.isascii() and slug(word) not in GIVEN_NAMES and not before["joint"]
    return not is_common and word.lower() not in STOP_WORDS | TITLES and word.lower() not in gazetteer.NOT_NAMES


def _is_person(text: str, start: int, end: int) -> bool:
    """Whether it is a given name, or one word used to address a person: "Thanks, Gina!"."""
    word = text[start:end]
    if slug(word) in GIVEN_NAMES:
        return not _NAME_CONTINUES.match(text, end) and (
            slug(word) not in AMBIGUOUS_GIVEN_NAMES or not _OPENING.search(text[max(0, start - 20) : start])
        )
    is_addressed = _ADDRESSING.search(text[max(0, start - 20) : start]) is not None
    return is_addressed and " " not in word and text[end : end + 1] in ("!", ",", ".", "?", "")


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    word = _CREATOR.split(text[start:end], maxsplit=1)[0]
    word = _POSSESSIVE.sub("", word.rstrip(_PUNCTUATION.replace(".", "")))
    if word.endswith(".") and word.count(".") == 1:
        word = word[:-1].rstrip()
    bare = word.lstrip(_PUNCTUATION)
    return start + len(word) - len(bare), start + len(word)


def _is_name(word: str) -> bool:
    lower = word.lower()
    if not 1 < len(word) <= MAX_NAME_CHARACTERS or not any(character.isalpha() for character in word) or "_" in word:
        return False
    if (
        lower in STOP_WORDS | TITLES
        or lower in gazetteer.NOT_NAMES
        or gazetteer.JARGON.issuperset(lower.split())
        or "\n" in word
        or _LABEL.fullmatch(word)
        or _ROMAN.fullmatch(word)
    ):
        return False
    return word[0].isupper() or word[0].isdigit() or any(character.isupper() for character in word)


def _is_full_name(name: TaggedName, word: str) -> bool:
    """Whether it has several capitalised words and, for a person, begins with a known given name."""
    parts = word.split()
    is_written = len(parts) > 1 and all(part[0].isupper() and not part.isupper() for part in parts)
    if name.kind == "person":
        return is_written and slug(parts[0]) in GIVEN_NAMES
    return is_written and name.kind in ("organization", "place") and name.score >= _MIN_FULL_NAME_SCORE

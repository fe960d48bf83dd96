"""Summarise a text by its first sentence of prose that states something, without a model.

Headings, front matter, code, tables, commands and images are skipped, and so are thanks, greetings, dates, licences,
status lines, references to other pages and lines that lead into a list. The summary contains only words of the text,
and an ellipsis if it was cut. A text without a sentence of content has none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from jotsam.core.patterns import lazy_pattern
from jotsam.pipeline.text.markdown import Outline, outline, without_comments

DEFAULT_LIMIT = 240
MAX_CHARACTERS = 20_000  # Prose that begins later does not describe the text.

MAX_SENTENCES = 30  # looked at
SENTENCES_AFTER_PHRASE = 4  # looked at for a statement, after a phrase was found
MIN_PHRASE_WORDS, MIN_LEAD_IN_WORDS, LONG_LEAD_IN_WORDS, MAX_WORD = 4, 5, 10, 40

_WORDS = lazy_pattern(r"\w+(?:['’]\w+)?")
_POLITE = frozenset(
    """
    thanks thank you thx cheers hello hi hey dear all everybody everyone team folks good morning afternoon evening
    night bye goodbye see later soon welcome please sorry yes no yep nope yeah ok okay sure right great nice cool
    perfect fine awesome wonderful amazing lovely super done haha lol wow oh ah hm hmm well one that's it's so very
    much again too for this a lot works sounds got it will do no problem worries agreed exactly indeed absolutely same
    here added fixed changed removed updated deprecated to and the of regards best kind greetings wip
    """.split()  # noqa: SIM905 - a hundred quoted words are harder to read than their text
)
_TIMES = frozenset(
    """
    monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun january february march april
    may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec today
    yesterday tomorrow am pm utc on at date time week day year
    """.split()  # noqa: SIM905 - fifty quoted words are harder to read than their text
)
_LEAD_IN = frozenset(("following", "follows", "below"))
_LEAD_IN_AT_END = frozenset(("these", "this", "here", "features", "include", "includes", "like"))
_STATUS = lazy_pattern(
    r"(?:[\w-]+ )?(?:status|date|authors?|owners?|deciders?|versions?|priority|due|tags?|type|reviewers?|assignees?|cc|"
    r"reviewed-by|signed-off-by|co-authored-by|reported-by|(?:last )?updated|created|refs?|labels?)"
    r"\s*:(?:\s+\S+){0,5}\s*$"
    r"|(?:closes|fixes|refs|resolves|see)\s+#?\S*\d\S*\.?$"
    r"|(?:todo|fixme|note|wip|tbd)\s*:(?:\s+\S+){0,2}$",
    re.IGNORECASE,
)
_COMMAND = lazy_pattern(
    r"(?:[$%>] |sudo |(?:pip3?|pipx?|npm|npx|yarn|pnpm|git|docker|kubectl|cargo|go|uv|make|apt(?:-get)?|brew|curl|wget|"
    r"cd|pytest|tox|python3?|node|poetry|conda)\s+"
    r"(?:-|[a-z]+\s+-|install|run|add|build|clone|push|pull|test)(?:[^.]|\.\S)*$"
    r"|import \w|from \S+ import |[a-z][\w./-]*(?: [\w./=:-]+){0,4} --?[a-z][^.]*$)"
)
_PAGE = (
    r"\b(?:docs?|documentation|guides?|readme|wiki|tutorials?|manual|licen[cs]e|changelog|instructions|reference|"
    r"web ?site|site|repository|book)\b"
)
_PART = r"\b(?:pages?|files?|sections?|lists?|examples?|documents?|issues?|module)\b"
# What only says where to read on.
_POINTER = lazy_pattern(
    rf"(?:please |also )*(?:see|check(?: out)?|refer to|read|visit|consult|(?:take|have) a look at|go to) "
    rf"(?:the|our|its|my|https?://)\b.{{0,80}}{_PAGE}"
    rf"|(?:please |also )*(?:see|check out|refer to|visit|consult|(?:take|have) a look at) (?!this\b)"
    rf".*(?:{_PAGE}|{_PART})"
    r"|(?:please |also )*see (?:(?:also|details|more|above|below)\b|.{1,60} for (?:more|further|details|examples)\b)"
    r"|(?:for|to (?:learn|find out|get|see|read)) (?:(?:more|further|additional|detailed|full|complete|other) )+"
    r"(?:info|details?|documentation|examples?|help|instructions|options|about\b|on\b"
    r"|.*\b(?:see|refer to|visit|consult)\b)"
    rf"|(?:if|when) you\b.*\b(?:see|check out|refer to|read|visit|consult)\b.*{_PAGE}",
    re.IGNORECASE,
)
_LICENCE = lazy_pattern(
    r"(?:(?:the|new|modified|revised) )*(?:mit|bsd|apache|isc|mpl|l?gpl|agpl|unlicense|cc0)\b"
    r"(?:[ ,.-]*(?:licen[cs]ed?|clause|version|v?\d[\d.]*|or|and|later))*[.]?$"
    r"|licen[cs]e: \S.{0,60}$|copyright:? (?:\(c\) |© )?\d|©|\(c\) \d|.{0,40}all rights reserved",
    re.IGNORECASE,
)
# Replies to another person.
MAX_REACTION_WORDS = 9
_REACTION = lazy_pattern(
    r"(?:wow|aww?|yeah|yes|hey|hi|congrats\w*|that['’]s|that (?:is|was|must|sounds)|sounds|looks|way to go|good|great|"
    r"glad|proud|nice|cool|thanks|thank you|i (?:totally |completely )?agree|you['’]re|you got|absolutely|"
    r"definitely)\b",
    re.IGNORECASE,
)
_REQUEST = lazy_pattern(r"(?:can|could|would|will) (?:someone|somebody|anyone|you|we)\b", re.IGNORECASE)
_SUBSTITUTIONS = lazy_pattern(r"(?:\|[^|]+\|\s*)+$")  # of reStructuredText: badges
_NO_CONTENT = (_COMMAND, _STATUS, _POINTER, _LICENCE, _SUBSTITUTIONS)
_NOT_PROSE = lazy_pattern(
    r"\s+:[a-z][\w-]*:(?:\s|$)|\s*(?:\||:{3}|\(\S+\)=|\[[^\]\n]+\]:\s|(?:[-*_=] ?){3,}\s*$|import\s|@|\.\. |\{%)"
)
_UNDERLINE = lazy_pattern(r"([!-/:-@\[-`{-~])\1{3,}")  # of a title of reStructuredText
_LIST_MARK = lazy_pattern(r"\s*(?:>\s?)*\s*(?:(?:[-*+•]|\d{1,3}[.)])\s+)?(?:\[[ xX]\]\s+)?(?:>\s?)*(?:\[![A-Z]+\]\s*)?")
_NEXT_ITEM = lazy_pattern(r"\s*(?:[-*+•]|\d{1,3}[.)])\s")
_IMAGE = lazy_pattern(r"!\[[^\[\]\n]*\](?:\([^()\n]*\)|\[[^\[\]\n]*\])")
_LINK = lazy_pattern(r"\[([^\[\]\n]*)\](?:\([^()\n]*\)|\[[^\[\]\n]*\])")
# Of reStructuredText: "`name <address>`_", "`name`_", ":code:`name`".
_REFERENCE = lazy_pattern(
    r"(?<![\w/`])(?::[a-z:]{1,30}:|\{[a-z:]{1,30}\})`([^`<\s][^`<\n]*?)(?: <[^<>\n]+>)?`"
    r"|(?<![\w`])`([^`<\s][^`<\n]*?)(?: <[^<>\n]+>)?`__?(?!\w)"
)
_TAG = lazy_pattern(r"</?(?:a|p|div|span|img|br|b|i|em|strong|h[1-6]|center|picture|source|kbd|sub|sup|code)\b[^<>]*>")
_STRONG = lazy_pattern(r"(\*{1,3})(?=\S)([^*\n]+)(?<=\S)\1")
_EMPHASIS = lazy_pattern(r"(?<!\w)(_{1,2})(?=\S)([^_\n]* [^_\n]*)(?<=\S)\1(?!\w)")
_WORD = lazy_pattern(r"\w")
_SENTENCE_END = lazy_pattern(r"(?<![.!?…])[.!?…]++[\"'”’)\]]*+(?=\s|$)|[。！？]++[\"'”’」』）]*+")
_LAST_WORD = lazy_pattern(r"[^\s(\[\"'“‘]*$")

# In German a period after a number marks an ordinal.
_ORDINAL = lazy_pattern(
    r"(?:\b(?:vom|zum|beim|im|der|die|das|dem|den|des|bis|ab|seit|nach|vor|über|unter|jede[rsmn]?)"
    r"|(?<!\bi )\bam) \d{1,2}$",
    re.IGNORECASE,
)
_TITLES = frozenset(("dr", "mr", "mrs", "ms", "prof", "st", "sen", "gen", "rev", "hon", "capt", "lt", "col", "sgt"))
_ABBREVIATIONS = frozenset(
    ("e.g", "eg", "i.e", "ie", "cf", "vs", "approx", "ca", "fig", "figs", "eq", "eqs", "resp", "incl", "z.b", "bzw")
)
_ABBREVIATIONS_BEFORE_NUMBERS = frozenset(
    ("no", "nos", "nr", "vol", "vols", "p", "pp", "art", "sec", "ch", "jan", "feb", "aug", "sept", "oct")
)
_ABBREVIATIONS_AT_THE_END = frozenset(
    ("etc", "inc", "ltd", "corp", "co", "jr", "sr", "al", "u.s", "u.k", "a.m", "p.m", "usw")
)


def summarise(text: str, *, limit: int = DEFAULT_LIMIT) -> str:
    """The first sentence that states something, cut at a word to at most `limit` characters.

    A statement comes before a short phrase, a quotation, a question and a line that leads into something, if one is
    near. Returns "" for a text without content. Lines must end in LF.
    """
    beginning = without_comments(text[:MAX_CHARACTERS])
    second, left = "", MAX_SENTENCES
    for sentence, is_quoted in _sentences(beginning):
        if left <= 0:
            break
        left -= 1
        if says_something(sentence):
            if _is_statement(sentence, is_quoted=is_quoted):
                return _shorten(sentence, limit)
            left = left if second else min(left, SENTENCES_AFTER_PHRASE)
            second = second or sentence
    return _shorten(second, limit)


def says_something(sentence: str) -> bool:
    """Whether a sentence is more than thanks, a date, a status, a command, a licence, a reference or a lead-in."""
    words = _WORDS.findall(sentence.lower())
    if not words or any(kind.match(sentence) for kind in _NO_CONTENT) or _is_encoded(sentence):
        return False
    if sentence.isascii() and len(words) < 2:
        return False
    if all(word in _POLITE or word in _TIMES or word.isdigit() for word in words):
        return False
    if not sentence.endswith((":", "：")):
        return True
    last = words if len(words) < LONG_LEAD_IN_WORDS else words[-4:]
    return len(words) >= MIN_LEAD_IN_WORDS and _LEAD_IN.isdisjoint(words) and _LEAD_IN_AT_END.isdisjoint(last)


def _is_statement(sentence: str, *, is_quoted: bool) -> bool:
    words = len(sentence.split())
    if (sentence.isascii() and words < MIN_PHRASE_WORDS) or (words <= MAX_REACTION_WORDS and _REACTION.match(sentence)):
        return False
    if sentence.endswith((",", " or", " and")):
        return False
    if sentence.rstrip("\"'”’)]」』）").endswith((".", "!", "。", "！", "…")) or _REQUEST.match(sentence):
        return True
    return not is_quoted and not sentence.endswith(("?", "？", ":", "："))


def _is_encoded(sentence: str) -> bool:
    """Whether most of it is one word too long to be a word, or no letters: base64, a hash, a line of a table."""
    longest = max(map(len, sentence.split()), default=0)
    letters = sum(map(str.isalpha, sentence))
    is_latin = sentence.isascii()
    return is_latin and (
        (longest > MAX_WORD and 2 * longest > len(sentence)) or 6 * letters < len(sentence.replace(" ", ""))
    )


def _sentences(text: str) -> Iterator[tuple[str, bool]]:
    """The sentences of the prose, each with whether it is in a quotation."""
    for paragraph, is_quoted in _paragraphs(text, outline(text)):
        rest = _without_markup(paragraph)
        while rest:
            sentence = _first_sentence(rest)
            rest = rest[len(sentence) :].strip()
            yield sentence, is_quoted


def _paragraphs(text: str, structure: Outline) -> Iterator[tuple[str, bool]]:
    """The paragraphs of prose, each with whether it is a quotation. Each list item is a paragraph."""
    lines: list[str] = []
    is_quoted = False
    for line in chain(_lines_of_prose(text, structure), ("",)):
        if lines and (not line or _NEXT_ITEM.match(line)):
            yield " ".join(lines), is_quoted
            lines = []
        if line:
            is_quoted = line.lstrip().startswith(">") if not lines else is_quoted
            lines.append(_LIST_MARK.sub("", line, count=1).strip())


def _lines_of_prose(text: str, structure: Outline) -> Iterator[str]:
    """The lines outside headings and fences; "" for a line that ends a paragraph."""
    apart = sorted([*structure.fences, *((heading.start, heading.end) for heading in structure.headings)])
    place = 0
    for start, end in [*apart, (len(text), len(text))]:
        lines = text[place:start].splitlines()
        for number, line in enumerate(lines):
            is_title = number + 1 < len(lines) and _UNDERLINE.fullmatch(lines[number + 1].rstrip()) is not None
            yield "" if is_title or _NOT_PROSE.match(line) or _UNDERLINE.fullmatch(line) else line.rstrip()
        yield ""
        place = end


def _without_markup(text: str) -> str:
    """The text without markup of Markdown, reStructuredText and HTML, on one line."""
    text = _TAG.sub("", _LINK.sub(r"\1", _IMAGE.sub("", text)))
    if "`" in text:
        text = _REFERENCE.sub(r"\1\2", text)
    text = _EMPHASIS.sub(r"\2", _STRONG.sub(r"\2", text))
    text = " ".join(text.replace("`", "").split())
    return text[:-1] if text.endswith("::") else text


def _first_sentence(text: str) -> str:
    word = _WORD.search(text)
    for end in _SENTENCE_END.finditer(text, word.start() if word else 0):
        if _ends_sentence(text, end):
            return text[: end.end()]
    return text


def _ends_sentence(text: str, end: re.Match[str]) -> bool:
    """Whether the punctuation mark `end` ends a sentence."""
    mark, following = end.group(), text[end.end() : end.end() + 2].strip()[:1]
    if mark.startswith(("..", "…")):
        return not following.islower()
    if mark != ".":
        return True
    last = _LAST_WORD.search(text, max(0, end.start() - 20), end.start())
    word = last.group().lower() if last else ""
    is_number_of_item = word.isdigit() and len(word) == end.start()
    goes_on = word[-1:].isdigit() and (following.islower() or _ORDINAL.search(text, 0, end.start()) is not None)
    return not is_number_of_item and not goes_on and not _is_abbreviation(word, following)


def _is_abbreviation(word: str, following: str) -> bool:
    """Whether the period belongs to the word: "Dr." always, "No." before a number, "Inc." before lower case."""
    is_initial = len(word) == 1 and word.isalpha() and following.isupper()
    if is_initial or word in _TITLES or word in _ABBREVIATIONS:
        return True
    if word in _ABBREVIATIONS_BEFORE_NUMBERS:
        return following.isdigit()
    return word in _ABBREVIATIONS_AT_THE_END and following.islower()


def _shorten(sentence: str, limit: int) -> str:
    if len(sentence) <= limit:
        return sentence
    length = max(limit - 1, 0)
    cut = sentence[:length]
    space = len(cut) if sentence[length : length + 1].isspace() else cut.rfind(" ")
    kept = cut[:space] if space > length // 2 else cut
    return kept.rstrip(" ,;:-–—(") + "…" if limit > 0 else ""

"""Statements of sentences in Chinese and Japanese."""

from __future__ import annotations

import re
from functools import cache

from jotsam.pipeline.languages import by_code
from jotsam.pipeline.languages.language import table
from jotsam.pipeline.statements.statement import Statement
from jotsam.pipeline.statements.values import NAME, NUMBER, Value, typed_values
from jotsam.pipeline.statements.words import compiled, is_japanese

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from jotsam.pipeline.languages.language import Language

MAX_SUBJECT, MAX_VALUE = 30, 24  # characters
CHANGE = "change"

_SENTENCE = r"(?<=[。！？!?])|\n+|[；;]"

_LATIN_NAME = r"^[A-Za-z][\w.+#/-]*(?:\s[\w.+#/-]+){0,3}"


def read_sentences(text: str) -> Iterator[Statement]:
    """What the sentences of a text state."""
    language = by_code("ja" if is_japanese(text) else "zh")
    for sentence in compiled(_SENTENCE).split(text):
        if sentence and sentence.strip():
            found = _read(sentence.strip(), language)
            if found:
                yield found


def _read(sentence: str, language: Language) -> Statement | None:
    """What a sentence states. The statement of a guess leaves out the words of doubt."""
    read = _japanese if language.code == "ja" else _chinese
    if not compiled(language.hedges).search(sentence):
        return read(sentence, language)
    plain = compiled(language.hearsay).sub("", sentence)
    found = read(compiled(language.doubts).sub("です", plain) if language.doubts else plain, language)
    return found.replace(text=sentence, hedged=True) if found else None


@cache
def _classes(code: str) -> dict[str, str]:
    """The attributes of verbs, by their forms."""
    one = by_code(code)
    classes = {form.strip(): name for name, forms in table(one.verbs).items() for form in forms.split("|")}
    return dict.fromkeys(one.copula.split("|"), "") | classes | dict.fromkeys(one.changed.split("|"), CHANGE)


@cache
def _pattern(code: str) -> str:
    """A sentence with its thing, its verb and its value, in the order of the language."""
    forms = "|".join(sorted(map(re.escape, _classes(code)), key=len, reverse=True))
    ignored = by_code(code).ignored
    if code == "ja":
        return rf"^(.{{1,{MAX_SUBJECT}}}?)は、?(?:{ignored})?、?(.+?)({forms})?。?$"
    return rf"^(.{{1,{MAX_SUBJECT}}}?)(?:{ignored})*({forms})\s*(.+)$"


def _chinese(sentence: str, language: Language) -> Statement | None:
    found = compiled(_pattern("zh")).match(_clause(sentence, language))
    if found is None:
        return None
    attribute, value = _classes("zh")[found[2]], found[3]
    if attribute == "lead":
        by = re.match(rf"(.{{1,12}}?)(?:{language.led})", value)
        if by is None:
            return None
        value = by[1]
    return _statement(sentence, found[1], attribute, value, language)


def _japanese(sentence: str, language: Language) -> Statement | None:
    found = compiled(_pattern("ja")).match(sentence)
    if found is None or (not found[3] and not any(True for _ in typed_values(found[2], is_han=True))):
        return None
    attribute, value = _classes("ja").get(found[3] or "", ""), found[2]
    before = re.match(r"^(.{1,16}?)から(.+)$", value) if attribute == CHANGE else None
    statement = _statement(sentence, found[1], attribute, before[2] if before else value, language)
    return statement.replace(old_value=before[1]) if statement and before else statement


def _clause(sentence: str, language: Language) -> str:
    """The sentence without its end, and without a reason after a comma."""
    whole = sentence.rstrip("。！!？? ")
    first, comma, _ = whole.partition("，")
    if not comma:
        return whole
    return whole if re.search(rf"^(?:{language.label}|{language.since})|[起始]$", first) else first


def _statement(sentence: str, subject: str, attribute: str, value: str, language: Language) -> Statement | None:
    name = compiled(language.dropped).sub("", subject).strip("：:は ")
    values = _values(value, language)
    if not name or values is None:
        return None
    flags = {
        "hedged": language.hedges,
        "plan": language.plans,
        "past": language.past,
        "negated": language.denied,
        "measured": language.today,
        "vague": language.vague,
    }
    found = {
        flag: bool(compiled(pattern).search(subject if flag == "vague" else sentence))
        for flag, pattern in flags.items()
    }
    is_first = any(word in subject for word in language.first_person.split())
    is_first = is_first and not any(word in subject for word in language.group.split())
    kind = "" if attribute in ("", CHANGE) else attribute
    statement = Statement(
        text=sentence,
        about=frozenset((name, kind)) if kind else frozenset((name,)),
        attribute=kind,
        value=value,
        kind=values[0].kind,
        values=values,
        speaker="i" if is_first else "",
        changes=attribute == CHANGE,
        question=sentence.rstrip().endswith(("?", "？", *language.question_ends.split())),
        quotation=bool(compiled(rf"{language.quotes}|^[“「\"]|^\s*>").search(sentence)),
        listed=bool(compiled(language.joins).search(value)) and values[0].kind == NAME,
    )
    return statement.replace(**found)


def _values(written: str, language: Language) -> tuple[Value, ...] | None:
    """The typed values of what follows the verb; a short name if it has no values."""
    written = written.strip(" 。「」“”'\"`")
    typed = [*typed_values(written, is_han=True)]
    latin = compiled(_LATIN_NAME).match(written)
    if latin and (not typed or typed[0].start > 0 or typed[0].kind == NAME):
        return (Value(kind=NAME, form=latin[0].lower().strip()),)
    if typed:
        kinds: dict[str, Value] = {}
        for value in typed:
            kinds.setdefault(value.kind, value)
        number = kinds.get(NUMBER)
        return (number,) if number and typed[0].kind == NUMBER else tuple(kinds.values())
    if len(written) > MAX_VALUE // 2 or compiled(language.not_values).search(written):
        return None
    return (Value(kind=NAME, form=written),)

"""Statements of sentences in English, German, French and Spanish."""

from __future__ import annotations

import re
from functools import cache

from jotsam.core.records import Record
from jotsam.pipeline.languages import by_code, either, spaced, united
from jotsam.pipeline.languages.language import table, words
from jotsam.pipeline.statements.statement import UNKNOWN_VERB, Statement
from jotsam.pipeline.statements.values import NAME, NUMBER, STATE, Value, may_hold_values, typed_values
from jotsam.pipeline.statements.words import WORD, compiled, plain, stem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from jotsam.pipeline.languages.language import Language

MAX_SUBJECT_WORDS = 12
MAX_LABEL_WORDS = 5
MAX_WORD_VALUE = 3  # words
# Attributes whose value is a name even where a number follows: "uses PostgreSQL 16".
NAMED = frozenset(("use", "run", "write", "store", "live", "work", "lead", "owner", "name", "report", "drive", "place"))
MIN_ABOUT = 2  # words that a sentence with an unknown verb must be about
QUOTATION_MARKS = tuple('"“«„>')
IS, LABEL, CHANGE, HAS = "=", ":", "change", "has"
PLAIN = (IS, LABEL, CHANGE)

_CLAUSE_END = r",\s|;|\s?\(|\s[–—-]+\s|:\s"
_TOKEN = r"[^\s,.;:!?()\"]+"
_LABEL = rf"(?i)^[\s>*#•\-]*(?:\d+[.)]\s)?(?:(?:{either('label')})\s*[:!-]\s*)?"
_COLON = r"^([^:=]{2,60}?)\s?(?::|=)\s+(?=\S)"
_NAME = r"[`'\"“«]?((?:[A-ZÀ-Þ][\w.+#&'/-]*)(?:\s(?:[A-ZÀ-Þ\d][\w.+#&/-]*|de|van|von|of))*)"
_QUOTED = r"[`\"“«„]([^`\"”»“]{1,60})[`\"”»“]"
_AND = rf"(?i)\s*(?:,\s|/\s?|(?:{either('joins')}|&|\+)\s)"
_REPORTED = rf"(?i)^(?:{either('reported')})"
_NOUN = r"[`'\"]?\s([a-zà-ÿ]{3,})\b"  # "uses the Redis queue"
_LIMIT = rf"(?i)\b(?:{'|'.join(united('limits'))})\s.*"
_THAT = rf"(?i)^[\s,.:]*(?:{either('that')})?\s*"
_FROM = rf"(?i)\b(?:{'|'.join(united('from_words'))})\s+(.{{1,40}}?)\s+(?:{'|'.join(united('to_words'))})\s+"
_HEAD_WORD = r"(?i)\s*([^\W\d_]+'?)(?=\s|$|[\"`'“])|\s*(l'|d')"
_LOWER = r"(?<![\w])[a-zà-ÿ]{3,}"


class Rules(Record):
    """The compiled words of a language."""

    language: Language
    verbs: dict[str, tuple[str, ...]]  # by their first word, longest first
    classes: dict[str, str]  # by verb
    ignored: frozenset[str]
    articles: frozenset[str]
    indefinite: frozenset[str]
    parts: frozenset[str]
    prepositions: frozenset[str]
    first_person: frozenset[str]
    group: frozenset[str]
    pronouns: frozenset[str]
    negating: frozenset[str]
    vague: frozenset[str]
    relative: frozenset[str]
    stop: str
    events: str
    flags: dict[str, str]
    said: str
    condition: str


@cache
def rules_of(code: str) -> Rules:
    one = by_code(code)
    classes = dict.fromkeys(one.copula.split("|"), IS) | dict.fromkeys(one.has.split("|"), HAS)
    for name, forms in table(one.verbs).items():
        classes |= {form.strip(): name for form in forms.split("|")}
    classes |= dict.fromkeys(one.changed.split("|"), CHANGE)
    verbs: dict[str, tuple[str, ...]] = {}
    for form in sorted(classes, key=len, reverse=True):
        first = form.partition(" ")[0]
        verbs[first] = (*verbs.get(first, ()), form)
    return Rules(
        language=one,
        verbs=verbs,
        classes=classes,
        ignored=frozenset(map(plain, one.ignored.split())),
        articles=words(one.articles),
        indefinite=words(one.indefinite),
        parts=words(one.parts),
        prepositions=words(one.value_prepositions),
        first_person=words(one.first_person),
        group=words(one.group),
        pronouns=words(one.pronouns),
        negating=words(one.negating),
        vague=words(one.vague),
        relative=words(one.relative_pronouns),
        stop=f"(?i){one.stop}",
        events=f"(?i){one.events}",
        flags={
            "hedged": f"(?i){one.hedges}",
            "plan": f"(?i){one.plans}",
            "past": f"(?i){one.past}",
            "negated": f"(?i){one.denied}",
            "measured": f"(?i){one.today}",
        },
        said=rf"(?i)\b(?:{one.quotes.replace(' ', '|')})\b\s*[,:]?\s*[\"“«„']|^\s*>",
        condition=rf"(?i)^\s*(?:{one.condition.replace(' ', '|')})\b|\bif\b|\bfalls\b",
    )


@cache
def _synonyms() -> dict[str, str]:
    """One name for words of one meaning, by their stem."""
    return {
        stem(word): name for one in spaced() for name, found in table(one.synonyms).items() for word in found.split()
    }


def _name_of(word: str) -> str:
    return _synonyms().get(stem(word), stem(word))


@cache
def _things(field: str) -> frozenset[str]:
    return frozenset(map(_name_of, united(field)))


class Found(Record):
    """A value in a sentence, and the words around it."""

    values: tuple[Value, ...]
    value: str  # as written
    span: tuple[int, int]  # in the text that follows the verb
    prepositions: tuple[str, ...] = ()


def read_sentence(sentence: str, language: Language, *, has_labels: bool = True) -> Statement | None:
    """What one sentence states, or None. `has_labels`: "Retry limit: 3" is read too."""
    rules = rules_of(language.code)
    text = compiled(_LABEL).sub("", sentence, count=1).replace("’", "'")
    text = compiled(_REPORTED).sub("", text)
    if _is_pronoun(text, rules) or not _may_state(text, rules):
        return None
    if compiled(rules.flags["hedged"]).search(text):
        text = compiled(_THAT).sub("", compiled(rules.flags["hedged"]).sub(" ", text))
    subject, verb, rest = _split(text, rules) or ("", UNKNOWN_VERB, text)
    if verb == LABEL and not has_labels:
        return None
    found = _value(rest, verb, subject, rules) if verb != UNKNOWN_VERB else _any_value(text, rules)
    if found is None or len(subject.split()) > MAX_SUBJECT_WORDS:
        return None
    attribute = "" if verb in (*PLAIN, HAS) else verb
    left = f"{rest[: found.span[0]]} | {_beside(_clause(rest[found.span[1] :], rules), found)}"
    about, qualifiers = _about(subject, left, rules)
    words = [word.lower() for word in WORD.findall(subject if verb != UNKNOWN_VERB else text)]
    speaker = _speaker(words, rules)
    is_of_something = len(about) >= MIN_ABOUT if verb == UNKNOWN_VERB else bool(about or (speaker and attribute))
    if not is_of_something or not (rules.pronouns - rules.articles).isdisjoint(words):
        return None
    old = compiled(_FROM).search(text) if verb == CHANGE else None
    statement = Statement(
        text=sentence.strip(),
        about=about | ({attribute} if attribute else frozenset()),
        attribute=attribute,
        value=found.value,
        kind=found.values[0].kind,
        values=found.values,
        prepositions=found.prepositions,
        qualifiers=qualifiers,
        speaker=speaker,
        old_value=old[1] if old else "",
        changes=verb == CHANGE,
        listed=_is_listed(rest, found.span),
        vague=bool(rules.vague.intersection(words[:2])),
    )
    tail = text[len(text) - len(rest) :][found.span[1] :]
    main = text[: len(text) - len(tail)] + _clause(tail, rules)
    is_reading = found.values[0].kind == NUMBER and (bool(about & _things("measured")) or _is_log_entry(verb, about))
    flags = _flags(sentence, text, main, found, rules)
    return statement.replace(
        **flags | {"past": flags["past"] and verb != CHANGE, "measured": flags["measured"] or is_reading}
    )


def _beside(after: str, found: Found) -> str:
    """What follows a value and belongs to the thing. A place beside a name describes it: "Ann on Quay Road"."""
    if found.values[0].kind != NAME:
        return after
    noun, limits = compiled(_NOUN).match(after), compiled(_LIMIT).search(after)
    return f"{noun[1] if noun else ''} {limits[0] if limits else ''}"


def _is_pronoun(text: str, rules: Rules) -> bool:
    """Whether a sentence begins with a word for something that another sentence names: "It is 4711"."""
    first = text.partition(" ")[0].lower().partition("'")[0]
    return first in rules.pronouns and first not in rules.articles


def _may_state(text: str, rules: Rules) -> bool:
    """A quick check that only leaves out sentences without a known verb, a colon and a typed value."""
    return ":" in text or "=" in text or next(_verbs(text, rules), None) is not None or may_hold_values(text)


def _flags(sentence: str, text: str, main: str, found: Found, rules: Rules) -> dict[str, bool]:
    """How certain the sentence is: doubt and conditions by all of it, the rest by its main clause.

    A value may be a word of these lists itself, so it is left out.
    """
    plain = main.replace(found.value, " ", 1) if found.values[0].kind == NAME else main
    flags = {name: bool(compiled(pattern).search(plain)) for name, pattern in rules.flags.items()}
    return flags | {
        "hedged": bool(compiled(rules.flags["hedged"]).search(sentence.replace("’", "'"))),
        "question": sentence.rstrip().endswith(("?", "？")),
        "plan": flags["plan"] or bool(compiled(rules.condition).search(text)),
        "quotation": bool(compiled(rules.said).search(sentence)) or sentence.lstrip()[:1] in QUOTATION_MARKS,
    }


def _is_log_entry(verb: str, about: frozenset[str]) -> bool:
    """Whether "X: 64 litres" is one entry of many, and not a setting such as "limit: 64"."""
    return verb == LABEL and about.isdisjoint(_things("settings"))


def _split(text: str, rules: Rules) -> tuple[str, str, str] | None:
    """What precedes the verb, the class of the verb, and what follows it."""
    for start, form in _verbs(text, rules):
        before = text[:start].rstrip().lower()
        last = before.rpartition(" ")[2]
        end = start + len(form)
        if not before or last in united("determined") or text[end : end + 4].lower() == " of ":
            continue
        if rules.relative.intersection(before.replace(",", " ").split()):
            return None
        subject = text[:start].rpartition(", ")[2]
        colon = compiled(_COLON).match(subject)
        if colon and len(colon[1].split()) <= MAX_LABEL_WORDS:
            subject = subject[colon.end() :] or subject
        last = form.rpartition(" ")[2]
        is_kept = last == "from" or (last in rules.prepositions and rules.classes[form] != CHANGE)
        return subject, rules.classes[form], text[end - len(last) - 1 if is_kept else end :]
    colon = None if "(" in text else compiled(_COLON).match(text)
    if colon and len(colon[1].split()) <= MAX_LABEL_WORDS:
        return colon[1], LABEL, text[colon.end() :]
    return None


def _verbs(text: str, rules: Rules) -> Iterator[tuple[int, str]]:
    """The places and forms of all known verbs."""
    lower = text.lower()
    for word in compiled(_TOKEN).finditer(lower):
        for form in rules.verbs.get(word[0], ()):
            end = word.start() + len(form)
            if lower.startswith(form, word.start()) and not lower[end : end + 1].isalnum():
                yield word.start(), form
                break


def _any_value(text: str, rules: Rules) -> Found | None:
    """The only typed value of a sentence with an unknown verb: "Deploys happen every Friday". A sentence about
    something that happened once has none.
    """
    clause = _clause(text, rules)
    typed = [*typed_values(clause)]
    if not typed or typed[0].start == 0 or typed[0].kind == NAME or compiled(rules.events).search(clause):
        return None
    found = _typed(typed, text, ())
    value, before = found.values[0], WORD.findall(text[: found.span[0]])
    is_counted = (
        value.kind != NUMBER or bool(value.unit) or (bool(before) and _name_of(before[-1]) in _things("settings"))
    )
    return found if is_counted and len(found.values) == len(typed) else None


def _clause(text: str, rules: Rules) -> str:
    """The text up to a comma, a reason or a contrast."""
    ends = [found.start() for found in (compiled(_CLAUSE_END).search(text), compiled(rules.stop).search(text)) if found]
    return text[: min(ends, default=len(text))]


def _value(rest: str, verb: str, subject: str, rules: Rules) -> Found | None:
    """The value after the verb."""
    moved = compiled(_FROM).match(rest.lstrip()) if verb == CHANGE else None
    skip = len(rest) - len(rest.lstrip()) + moved.end() if moved else 0
    head, prepositions, is_indefinite = _head(rest, skip, rules)
    clause = rest[:skip] + _clause(rest[skip:], rules)
    typed = [value for value in typed_values(clause) if value.start >= skip]
    starts_typed = bool(typed) and typed[0].start <= head
    if verb == HAS:
        is_count = starts_typed and typed[0].kind == NUMBER and bool(typed[0].unit)
        return _typed(typed[:1], rest, ()) if is_count else None
    quoted = compiled(_QUOTED).match(rest, head)
    if quoted:
        return _named(quoted[1], quoted.span(), prepositions)
    if starts_typed or (typed and verb not in NAMED and (verb not in (IS, LABEL) or _is_inverted(subject, rules))):
        return _typed(typed, rest, prepositions)
    name = compiled(_NAME).match(rest, head)
    if name and _is_value(name[1], verb, subject, prepositions, rules, is_indefinite=is_indefinite):
        return _named(name[1], name.span(1), prepositions)
    if is_indefinite or verb not in PLAIN:
        return None
    return _typed(typed, rest, prepositions) if typed else _word(clause, head, subject, prepositions, rules)


def _is_value(
    name: str, verb: str, subject: str, prepositions: tuple[str, ...], rules: Rules, *, is_indefinite: bool
) -> bool:
    """Whether a name after the verb is a value. "Ann is German" and "das ist ein Problem" state none."""
    if is_indefinite:
        return rules.language.code == "en" and verb not in PLAIN
    return verb not in PLAIN or bool(prepositions) or _is_attribute(subject)


def _is_inverted(subject: str, rules: Rules) -> bool:
    """Whether the verb comes before its subject: "Seit März ist der Preis 20 €"."""
    words = subject.split()
    return not _about(subject, "", rules)[0] or words[0].lower() in rules.prepositions - rules.articles


def _head(rest: str, skip: int, rules: Rules) -> tuple[int, tuple[str, ...], bool]:
    """Where the value begins: after prepositions, articles and words such as "now"."""
    at, prepositions, is_indefinite = skip, [], False
    for found in compiled(_HEAD_WORD).finditer(rest, skip):
        word = (found[1] or found[2]).lower()
        if found.start() != at:
            break
        if word in rules.prepositions:
            prepositions.append(word)
        elif not (word.rstrip("'") in rules.articles or plain(word) in rules.ignored or word in rules.negating):
            break
        is_indefinite = is_indefinite or word in rules.indefinite
        at = found.end()
    at += len(rest[at:]) - len(rest[at:].lstrip())
    return at, tuple(prepositions), is_indefinite


def _typed(typed: list[Value], rest: str, prepositions: tuple[str, ...]) -> Found:
    """The first value, and those of other kinds that follow it closely: "on Monday at 10"."""
    values = [typed[0]]
    for value in typed[1:]:
        is_close = value.start - values[-1].end <= len(" um wöchentlich ")
        if value.kind != NUMBER and is_close and value.kind not in {one.kind for one in values}:
            values.append(value)
    span = values[0].start, values[-1].end
    return Found(values=tuple(values), value=rest[span[0] : span[1]], span=span, prepositions=prepositions)


def _named(name: str, span: tuple[int, int], prepositions: tuple[str, ...]) -> Found:
    value = Value(kind=NAME, form=" ".join(plain(name).strip(" .'").split()), start=span[0], end=span[1])
    return Found(values=(value,), value=name, span=span, prepositions=prepositions)


def _word(clause: str, head: int, subject: str, prepositions: tuple[str, ...], rules: Rules) -> Found | None:
    """A plain word as value, if the thing is of a kind that has such values: a colour, a mode."""
    words = WORD.findall(clause[head:])
    if not words or len(words) > MAX_WORD_VALUE or plain(words[0]) in rules.ignored:
        return None
    singular = " ".join(word for word in WORD.findall(subject) if not word.endswith("s"))
    if not _about(singular, "", rules)[0] & _things("word_valued"):
        state = Value(kind=STATE, form=plain(" ".join(words)), start=head, end=len(clause))
        return Found(values=(state,), value=clause[head:].strip(), span=(head, len(clause)), prepositions=prepositions)
    return _named(clause[head:].strip(" .!\"'`*"), (head, len(clause)), prepositions)


def _is_attribute(subject: str) -> bool:
    """Whether the subject is more than a bare name: "the lead", "Ann's team". "Ann is German" states no value."""
    return bool(compiled(_LOWER).search(subject))


def _is_listed(rest: str, span: tuple[int, int]) -> bool:
    """Whether another value follows the first: "PostgreSQL and Redis", "5 or 6"."""
    found = compiled(_AND).match(rest, span[1])
    return bool(found) and bool(re.match(r"[A-ZÀ-Þ\d`\"]", rest[found.end() :])) if found else False


def _speaker(words: Sequence[str], rules: Rules) -> str:
    lower = {*words}
    if lower & rules.first_person:
        return "i"
    return "we" if lower & rules.group else ""


def _about(subject: str, left: str, rules: Rules) -> tuple[frozenset[str], frozenset[str]]:
    """The stems of all words except function words, and those of them that name a part."""
    about: set[str] = set()
    qualifiers: set[str] = set()
    is_part = False
    skipped = rules.first_person | rules.group | rules.negating
    for word in WORD.findall(subject.replace("'s ", " ").replace("'", " ") + " | " + left.replace("'", " ")):
        lower = word.lower()
        if lower in rules.parts:
            is_part = True
            continue
        if lower in skipped or lower in rules.articles or plain(lower) in rules.ignored:
            continue
        name = _name_of(lower)
        about.add(name)
        if is_part or name in united("environments"):
            qualifiers.add(name)
    return frozenset(about), frozenset(qualifiers)


def sentences(text: str) -> Iterator[str]:
    """The sentences and lines of a text, and the clauses that begin with their own article."""
    for part in compiled(_SENTENCE).split(text):
        if part.strip():
            yield part


_SENTENCE = (
    rf"(?<=[.!?])\s+(?=[\"“„«¿¡]?[A-ZÀ-Þ\d])|\n+|;\s|,?\s(?:{either('conjunction')})\s(?=(?:{either('definite')})\s)"
)

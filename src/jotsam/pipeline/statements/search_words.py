"""The words by which the candidates of a change are searched. Pure."""

from __future__ import annotations

import re

from jotsam.core.patterns import lazy_pattern
from jotsam.pipeline.languages import spaced, unspaced
from jotsam.pipeline.languages.language import table
from jotsam.pipeline.statements.find_changes import ENDS, STATES, Change
from jotsam.pipeline.statements.sentences import code_of, read_sentence, split
from jotsam.pipeline.statements.words import is_cjk, plain

MAX_PARTS, MAX_KEYS, MAX_SENTENCES = 4, 6, 12
KEY_CHARACTERS = 5  # inflected forms begin alike

_SEARCHED_CLASSES = ("live", "work", "name")
_STATES = tuple(table(one.states) for one in spaced())
_FORMS = {
    name: tuple(sorted({word for one in _STATES for word in one.get(name, "").split()})) for name in _SEARCHED_CLASSES
}
_UNSPACED_FORMS = {
    name: tuple(sorted({form[:2] for one in unspaced() for form in re.split(r"[ |]", table(one.states)[name])}))
    for name in _SEARCHED_CLASSES
}
_PART = lazy_pattern(r"[^\W_]+")

Part = tuple[tuple[str, ...], tuple[str, ...]]  # words and character pairs, one of which is enough


def parts_of_change(change: Change, *, actor: str | None) -> list[Part]:
    """What an older text must hold, all of these, to be changed."""
    words = _required(change)
    if words:
        return [_part(word) for word in words[:MAX_PARTS]]
    classes = _class_of(change)
    if classes is None:
        return []
    forms = (_FORMS[classes], _UNSPACED_FORMS[classes])
    name = [] if is_cjk(actor or "") else _PART.findall(plain(actor or ""))[:1]
    return [forms, *(_part(word) for word in name)]


def keys_of_change(change: Change) -> list[str]:
    """Under what a change is found by an older text that arrives later."""
    words = _required(change)
    if words:
        return [_key(word) for word in words[:MAX_KEYS]]
    found = _class_of(change)
    return [] if found is None else [f"={found}"]


def keys_of_text(text: str, *, actor: str | None) -> set[str]:
    """Under what changes of a text may be found."""
    keys: set[str] = set()
    for sentence in split(text)[:MAX_SENTENCES]:
        told = read_sentence(sentence, code_of(sentence))
        keys.update(_key(token.word) for token in told.tokens)
        keys.update(f"={name}" for name in told.classes if name in _SEARCHED_CLASSES)
        if told.person == "i" and actor:
            keys.update(_key(word) for word in _PART.findall(plain(actor))[:1])
    return keys


def _required(change: Change) -> list[str]:
    """Words that an older text must hold."""
    old = [] if change.old is None else [token.word for token in change.old.tokens]
    tokens = change.frame.tokens
    if change.kind == STATES:
        tokens = tuple(token for token in tokens if token.at < change.pivot)
    elif change.kind != ENDS and change.new is None:
        tokens = change.frame.before_verb()
    return list(dict.fromkeys([*old, *(token.word for token in tokens)]))


def _class_of(change: Change) -> str | None:
    """The verb of a statement of a speaker about themselves: "I live", "I moved to"."""
    if change.frame.person != "i":
        return None
    return next((name for name in _SEARCHED_CLASSES if name in change.frame.classes), "live")


def _part(word: str) -> Part:
    if is_cjk(word):
        return (), (word[:2],)
    return (" ".join(_PART.findall(word.replace("ß", "ss"))),), ()


def _key(word: str) -> str:
    if is_cjk(word):
        return word[:2]
    return word if any(map(str.isdigit, word)) else word[:KEY_CHARACTERS]

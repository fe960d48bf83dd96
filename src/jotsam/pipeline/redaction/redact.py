"""Redact secrets before anything is stored or sent.

`redact` runs for each accepted text, often in a process that has just started. So this module imports nothing heavy,
and a text without a marker of a secret is settled by substring search, without loading `re`. Secrets are never logged.

In doubt, prose is left alone ("the secret: never give up") and configuration is redacted. Patterns begin at a fixed
marker and use possessive quantifiers, so that matching is linear for hostile input.
"""

from __future__ import annotations

from jotsam.pipeline.redaction.cheap_check import may_hold_blocks, may_hold_columns, may_hold_structures
from jotsam.pipeline.redaction.cheap_check import may_hold_secrets as _may_hold_secrets
from jotsam.pipeline.redaction.text_view import TextView

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from re import Match

    FoundSecret = tuple[str, int, str | None]
    Span = tuple[str, int, int]

_MAX_ROUNDS = 8
_MIN_FINGERPRINT_CHARACTERS = 20
# A fingerprint of these, or of a short secret, could be reversed by trying values.
_GUESSABLE_KINDS = ("password", "basic-login")


def redact(text: str, *, allowed: frozenset[str] = frozenset()) -> tuple[str, int]:
    """The text without secrets, and the number of secrets.

    A secret is replaced by `[redacted:<kind>]`; variable names, user names and host names are kept. Text from
    `<private>` to `</private>` (or the end of the text) is removed and counts as a secret. Recalled text from
    `<jotsam-memory>` to `</jotsam-memory>` is removed and does not count. Values whose fingerprint is in `allowed` are
    kept. Redaction is idempotent: redacting again changes nothing and returns 0.
    """
    text, secrets = redact_and_list(text, allowed=allowed)
    return text, len(secrets)


def redact_and_list(text: str, *, allowed: frozenset[str] = frozenset()) -> tuple[str, list[FoundSecret]]:
    """Like `redact`, with the kind, the line in the redacted text (from 1) and the fingerprint of each secret.

    The fingerprint is `None` for passwords, short secrets and private blocks, because it could be reversed.
    """
    return _redact(text, allowed, decodes=True)


def _holds_secret(text: str) -> bool:
    """Whether a decoded text has a secret. What is encoded in it again is not decoded."""
    return bool(_redact(text, frozenset(), decodes=False)[1])


def _redact(text: str, allowed: frozenset[str], *, decodes: bool) -> tuple[str, list[FoundSecret]]:
    view = TextView(text)
    if not _may_hold_secrets(view):
        return text, []
    text, lines = _without_blocks(text) if may_hold_blocks(view) else (text, [])
    secrets: list[FoundSecret] = [("private", line, None) for line in lines]
    # A replacement can uncover a match for another pattern, so repeat until a round finds nothing.
    for _ in range(_MAX_ROUNDS):
        before = len(secrets)
        for search in _searches(view, decodes=decodes):
            if text != view.text:
                view = TextView(text)
            text = _without(search(view), text, allowed, secrets)
        if len(secrets) == before:
            break
    return text, secrets


def _searches(view: TextView, *, decodes: bool) -> Iterator[Callable[[TextView], Iterable[Span]]]:
    """Each returns the kind, start and end of the secrets that it finds in a text, in order."""
    from jotsam.pipeline.redaction.patterns import searches

    yield _columns
    yield lambda view: _structures(view, decodes=decodes)
    yield from searches(view)


def _columns(view: TextView) -> Iterable[Span]:
    if not may_hold_columns(view):
        return ()
    from jotsam.pipeline.redaction.table_columns import column_secrets

    return column_secrets(view.text)


def _structures(view: TextView, *, decodes: bool) -> Iterable[Span]:
    if not may_hold_structures(view):
        return ()
    from jotsam.pipeline.redaction.structures import structure_secrets

    return structure_secrets(view.text, _holds_secret if decodes else None)


def fingerprint(secret: str) -> str:
    """SHA-256 of a secret in hexadecimal, without surrounding white space and trailing punctuation."""
    from hashlib import sha256

    return sha256(secret.strip().rstrip(".,:;!?").encode(errors="replace")).hexdigest()


def _without(spans: Iterable[Span], text: str, allowed: frozenset[str], secrets: list[FoundSecret]) -> str:
    """The text without the secrets at these places, which are appended to `secrets`."""
    pieces: list[str] = []
    at, line = 0, 1
    for kind, start, end in spans:
        if start < at or (allowed and fingerprint(text[start:end]) in allowed):
            continue
        line += text.count("\n", at, start)
        pieces += (text[at:start], f"[redacted:{kind}]")
        secrets.append((kind, line, _fingerprint_unless_guessable(kind, text[start:end])))
        at = end
    return "".join((*pieces, text[at:])) if pieces else text


def _fingerprint_unless_guessable(kind: str, secret: str) -> str | None:
    is_guessable = kind in _GUESSABLE_KINDS or len(secret.strip()) < _MIN_FINGERPRINT_CHARACTERS
    return None if is_guessable else fingerprint(secret)


def may_hold_secrets(text: str) -> bool:
    """Cheap check by substring search. False means the text has no secrets."""
    return _may_hold_secrets(TextView(text))


_BLOCK_TAG = r"(?i:(?<!`)<(?P<closing>/?)(?P<name>private|jotsam-memory)\b[^<>]{0,300}>)"


def _without_blocks(text: str) -> tuple[str, list[int]]:
    """The text without private and recalled blocks, and the lines where private blocks began.

    A removal can join text into a new tag, so it is repeated up to three times. If tags still remain, the input is
    hostile, and the text is cut off at the first of them: nothing private is kept and the cost stays linear.
    """
    from re import finditer, search

    lines: list[int] = []
    for _ in range(3):
        spans = _block_spans(list(finditer(_BLOCK_TAG, text)))
        if not spans:
            return text, lines
        pieces, at, line = [], 0, 1
        for name, start, end in spans:
            pieces.append(text[at:start])
            line += pieces[-1].count("\n")
            if name == "private":
                lines.append(line)
            at = len(text) if end is None else end
        text = "".join((*pieces, text[at:]))
    opening = search(_BLOCK_TAG.replace("/?", "(?!/)"), text)
    if opening is None:
        return text, lines
    kept = text[: opening.start()]
    return kept, [*lines, kept.count("\n") + 1]


def _block_spans(tags: list[Match[str]]) -> list[tuple[str, int, int | None]]:
    """Name, start and end of each outermost block. A private block without an end extends to the end of the text."""
    last_closing = {_tag_name(tag): tag.start() for tag in tags if tag["closing"]}
    spans: list[tuple[str, int, int | None]] = []
    opening, depth = None, 0
    for tag in tags:
        name = _tag_name(tag)
        if opening is None:
            if not tag["closing"] and (name == "private" or tag.start() < last_closing.get(name, 0)):
                opening, depth = tag, 1
        elif name == _tag_name(opening):
            depth += -1 if tag["closing"] else 1
            if depth == 0 or (name != "private" and tag.start() == last_closing[name]):
                spans.append((name, opening.start(), tag.end()))
                opening = None
    if opening is not None:
        spans.append((_tag_name(opening), opening.start(), None))
    return spans


def _tag_name(tag: Match[str]) -> str:
    return tag["name"].lower()

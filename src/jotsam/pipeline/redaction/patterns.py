"""All patterns of secrets, and whether a match is one. `redact` imports this module when a text may have a secret."""

from __future__ import annotations

import re
from functools import partial

from jotsam.pipeline.redaction.assignments import ASSIGNMENT, assigned_secret
from jotsam.pipeline.redaction.cheap_check import BEGINNINGS, KEY_OWNERS, key_markers
from jotsam.pipeline.redaction.commands import COMMAND_PATTERNS
from jotsam.pipeline.redaction.passwords import is_placeholder, is_said_secret, looks_random
from jotsam.pipeline.redaction.provider_keys import KEY_PATTERNS
from jotsam.pipeline.redaction.sentences import SENTENCE_PATTERNS, is_phrase, word_before
from jotsam.pipeline.redaction.text_view import ANY_CASE, BEGINNING, LONG_WORDS, TEXT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from re import Match, Pattern

    from jotsam.pipeline.redaction.text_view import TextView

    Span = tuple[str, int, int]

# A key begins a word, or follows an escaped line break in JSON, or an encoded "=" or space in a URL.
_BEFORE = r"(?:(?<![A-Za-z0-9_-])|(?<=\\[nrt])|(?<=%3D)|(?<=%20))"
_PRIVATE_KEY_LABEL = r"[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
# Where the markers of a pattern are, the markers, one of which a matching text has there, and the regular expression.
PATTERNS: tuple[tuple[str, tuple[str, ...], str], ...] = (
    (
        TEXT,
        ("PRIVATE KEY",),
        rf"(?P<private_key>-----BEGIN {_PRIVATE_KEY_LABEL}"
        rf"(?:[^-]*+(?:-(?!----)[^-]*+)*+-----END {_PRIVATE_KEY_LABEL}|(?:(?:\s|\\n)*+[A-Za-z0-9+/=]{{20,}}+)++))",
    ),
    (BEGINNING, ("://",), r"://[^\s/:@\"'`<>,\[]*+:(?P<login>[^\s/\"'`<>,]+)@"),
    (BEGINNING, ("://",), r"://(?P<sentry_dsn>[0-9a-f]{32})@"),
    (BEGINNING, ("://",), r"://(?P<told>[A-Za-z0-9_-]{20,}+)@"),
    (
        LONG_WORDS,
        ("eyJ",),
        rf"{_BEFORE}(?P<jwt>eyJ[A-Za-z0-9_-]{{12,}}+\.[A-Za-z0-9_-]{{8,}}+(?:\.[A-Za-z0-9_-]++){{0,3}}+)",
    ),
    *((LONG_WORDS, markers, rf"{_BEFORE}(?P<{kind}>{form})") for kind, markers, form in KEY_PATTERNS),
    (
        LONG_WORDS,
        ("hooks.slack.com/",),
        r"hooks\.slack\.com/(?:services|workflows|triggers)/(?P<slack_webhook>[TE][A-Z0-9]{6,}+/[A-Za-z0-9/]{20,}+)",
    ),
    (
        LONG_WORDS,
        ("/webhooks/",),
        r"discord(?:app)?\.com/api/(?:v[0-9]{1,2}/)?webhooks/(?P<discord_webhook>[0-9]{17,20}/[A-Za-z0-9_-]{40,}+)",
    ),
    (LONG_WORDS, ("/IncomingWebhook/",), r"/IncomingWebhook/(?P<teams_webhook>[0-9a-f]{32}/[0-9a-f-]{36})"),
    (LONG_WORDS, ("AccountKey=",), r"\bAccountKey=(?P<azure_key>[A-Za-z0-9+/=]{40,}+)"),
    (LONG_WORDS, ("sig=",), r"[?&]sig=(?P<azure_signature>[A-Za-z0-9%+/=]{40,}+)"),
    (
        BEGINNING,
        ("authorization",),
        r"(?i:authorization\\?[\"']?[ \t]{0,4}:[ \t]{0,4}\\?[\"']?basic)"
        r"[ \t]{1,8}(?P<basic_login>[A-Za-z0-9+/=]{8,}+)",
    ),
    (
        BEGINNING,
        ("authorization",),
        r"(?i:authorization\\?[\"']?[ \t]{0,4}[:=][ \t]{0,4}\\?[\"']?(?:[a-z][a-z-]{2,20}[ \t]{1,4})?)(?!AWS4-)"
        r"(?P<bearer_token>[A-Za-z0-9._~+/=-]{16,}+)",
    ),
    (
        ANY_CASE,
        ("cookie:",),
        r"(?im:^[ \t]{0,8}(?:set-)?cookie):[ \t]{0,8}(?P<cookie>[^\s;=]{1,80}+=[^\s]{8,}+[^\n]{0,4000}+)",
    ),
    (BEGINNING, ("bearer",), r"(?i:\bbearer)[ \t]{1,8}(?P<bearer_token>[A-Za-z0-9._~+/=-]{8,}+)"),
    *COMMAND_PATTERNS,
    *SENTENCE_PATTERNS,
    (BEGINNING, BEGINNINGS, ASSIGNMENT),
)
# Runs of one character occur in documentation, not in keys.
_FILLER_RUNS = ("xxxxxxxx", "********", "00000000", "........")

_compiled: dict[str, Pattern[str]] = {}


def searches(view: TextView) -> list[Callable[[TextView], Iterator[Span]]]:
    """One for each pattern that a text may match. Most patterns are of keys, and most texts have none."""
    present = key_markers(view)
    return [partial(_found, one) for one in PATTERNS if one[0] != LONG_WORDS or not present.isdisjoint(one[1])]


def _found(pattern: tuple[str, tuple[str, ...], str], view: TextView) -> Iterator[Span]:
    """Kind, start and end of the secrets among the matches of a pattern."""
    for match in matches(view, *pattern):
        if (secret := _secret(match)) is not None:
            kind, (start, end) = secret
            yield kind, start, end


def matches(view: TextView, where: str, markers: tuple[str, ...], source: str) -> Iterable[Match[str]]:
    """The matches of a pattern in a text, which must have one of its markers there."""
    if where == LONG_WORDS:
        is_named = not key_markers(view).isdisjoint(markers)
        is_possible = is_named and _compiled_once(source).search(view.long_words) is not None
    elif where == TEXT:
        is_possible = any(marker in view.text for marker in markers)
    elif where == BEGINNING and view.may_have(markers):
        return view.matches(_compiled_once(source), beginnings=markers, keys=KEY_OWNERS)
    else:
        is_possible = where == ANY_CASE and view.may_have(markers)
    return _compiled_once(source).finditer(view.text) if is_possible else ()


def _compiled_once(source: str) -> Pattern[str]:
    """Patterns are compiled on first use: compiling all costs more than accepting a text."""
    if source not in _compiled:
        _compiled[source] = re.compile(source)
    return _compiled[source]


def _secret(match: Match[str]) -> tuple[str, tuple[int, int]] | None:
    """The kind and span of the secret, or `None` if the match is not a secret."""
    if "name" in match.re.groupindex:
        return assigned_secret(match)
    ((group, secret),) = ((group, value) for group, value in match.groupdict().items() if value is not None)
    if group == "behind":
        return _secret_before(match)
    if group == "phrase":
        return ("password", match.span(group)) if is_phrase(secret) and not is_placeholder(secret) else None
    if group in ("login", "login_single", "option"):
        is_word = group == "option" and not looks_random(secret)
        return None if is_word or is_placeholder(secret) else ("password", match.span(group))
    if group in ("said", "told"):
        end = match.start(group) + len(secret.rstrip(".,;:)"))
        kind = "password" if group == "said" else "secret"
        return (kind, (match.start(group), end)) if is_said_secret(secret) else None
    if group in ("bearer_token", "api_key") and (is_placeholder(secret) or not looks_random(secret)):
        return None
    if group != "private_key" and any(run in secret.lower() for run in _FILLER_RUNS):
        return None
    return group.replace("_", "-"), match.span(group)


def _secret_before(match: Match[str]) -> tuple[str, tuple[int, int]] | None:
    """The word before "is the password", if it is one."""
    start, end = word_before(match.string, match.start())
    word = match.string[start:end]
    return ("password", (start, end)) if len(word) >= 6 and is_said_secret(word) else None

"""Redact secrets before anything is stored or sent.

`redact` runs for each accepted text, often in a process that has just started. So this module imports nothing heavy,
and a text without a marker of a secret is settled by substring search, without loading `re`. Secrets are never logged.

In doubt, prose is left alone ("the secret: never give up") and configuration is redacted. Patterns begin at a fixed
marker and use possessive quantifiers, so that matching is linear for hostile input.
"""

from __future__ import annotations

from jotsam.pipeline.redaction.passwords import (
    PASSWORD_PATTERNS,
    is_ordinary_word,
    is_password_name,
    is_placeholder,
    is_said_secret,
    is_short_secret,
    looks_random,
    may_hold_password,
)
from jotsam.pipeline.redaction.provider_keys import KEY_PATTERNS, MARKERS, PREFIX_MARKERS, SHORT_MARKERS
from jotsam.pipeline.redaction.text_view import ANY_CASE, BEGINNING, LONG_WORDS, TEXT, TextView

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from re import Match, Pattern

    FoundSecret = tuple[str, int, str | None]

_MARKERS = (
    *MARKERS,
    "eyJ",
    "hooks.slack.com/",
    "/webhooks/",
    "AccountKey=",
    "sig=",
)
_BLOCKS = ("<private", "</private", "<jotsam-memory", "</jotsam-memory")
_MARKERS_OF_ANY_CASE = ("<private", "<jotsam-memory", "bearer", "authorization", "cookie:", "--pass", "</pass")
_HEADINGS = ("passw", "kennwort", "secret", "token", "key")  # of columns
_NAMES = (
    "passw",
    "_pass",
    "-pass",
    "passphrase",
    "pwd",
    "pw",
    "kennwort",
    "secret",
    "token",
    "credential",
    "_key",
    "-key",
    "apikey",
    "esskey",
    "tekey",
)
_MAX_NAME_CHARACTERS = 60
_MAX_LOGIN_CHARACTERS = 400
_MAX_ROUNDS = 8
_MIN_FINGERPRINT_CHARACTERS = 20
_MIN_SECRET_CHARACTERS = 8  # A shorter value counts only in an unambiguous context.
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
    view = TextView(text)
    if not _may_hold_secrets(view):
        return text, []
    text, lines = _without_blocks(text) if view.may_have(_BLOCKS) else (text, [])
    secrets: list[FoundSecret] = [("private", line, None) for line in lines]
    if text != view.text:
        view = TextView(text)
    if "|" in text and view.may_have(_HEADINGS):
        text = _without_cells(text, allowed, secrets)
    for _ in range(_MAX_ROUNDS):
        before = len(secrets)
        if text != view.text:
            view = TextView(text)
        # Most patterns are of keys, and most texts have none.
        for where, markers, source in _PATTERN_SOURCES if _key_markers(view) else _OTHER_SOURCES:
            if text != view.text:
                view = TextView(text)
            if matches := _matches(view, where, markers, source):
                text = _without(matches, text, allowed, secrets)
        # A replacement can uncover a match for another pattern, so repeat until a round finds nothing.
        if len(secrets) == before:
            break
    return text, secrets


def fingerprint(secret: str) -> str:
    """SHA-256 of a secret in hexadecimal, without surrounding white space and trailing punctuation."""
    from hashlib import sha256

    return sha256(secret.strip().rstrip(".,:;!?").encode(errors="replace")).hexdigest()


def _without(matches: Iterable[Match[str]], text: str, allowed: frozenset[str], secrets: list[FoundSecret]) -> str:
    """The text without the secrets among the matches of a pattern, which are appended to `secrets`."""
    pieces: list[str] = []
    at, line = 0, 1
    for match in matches:
        found = None if allowed and _is_allowed(match, allowed) else _secret(match)
        if found is None:
            continue
        kind, (start, end) = found
        line += text.count("\n", at, start)
        pieces += (text[at:start], f"[redacted:{kind}]")
        secrets.append((kind, line, _fingerprint_unless_guessable(kind, text[start:end])))
        at = end
    return "".join((*pieces, text[at:]))


def _without_cells(text: str, allowed: frozenset[str], secrets: list[FoundSecret]) -> str:
    """The text without the secrets in columns of tables. Found secrets are appended to `secrets`."""
    from jotsam.pipeline.redaction.table_columns import column_secrets

    pieces: list[str] = []
    at, line = 0, 1
    for kind, start, end in column_secrets(text):
        if allowed and fingerprint(text[start:end]) in allowed:
            continue
        line += text.count("\n", at, start)
        pieces += (text[at:start], f"[redacted:{kind}]")
        secrets.append((kind, line, _fingerprint_unless_guessable(kind, text[start:end])))
        at = end
    return "".join((*pieces, text[at:]))


def _fingerprint_unless_guessable(kind: str, secret: str) -> str | None:
    is_guessable = kind in _GUESSABLE_KINDS or len(secret.strip()) < _MIN_FINGERPRINT_CHARACTERS
    return None if is_guessable else fingerprint(secret)


def _is_allowed(match: Match[str], allowed: frozenset[str]) -> bool:
    groups = {name: value for name, value in match.groupdict().items() if name not in ("name", "sign")}
    return any(value is not None and fingerprint(value) in allowed for value in groups.values())


def _by_sign(markers: Iterable[str]) -> dict[str, list[str]]:
    """Group markers by a rare character in them, so that a text without the character needs no search for them."""
    found: dict[str, list[str]] = {}
    for marker in markers:
        sign = next((one for one in "_-./:=~<" if one in marker), "")
        found.setdefault(sign, []).append(marker)
    return found


def _markers_in(text: str) -> Iterator[str]:
    for sign, group in _MARKERS_BY_SIGN.items():
        if sign in text:
            for marker in group:
                if marker in text:
                    yield marker


_LOOSE = SHORT_MARKERS | PREFIX_MARKERS.keys()
_MARKERS_BY_SIGN = _by_sign((*_MARKERS, *_LOOSE))


def may_hold_secrets(text: str) -> bool:
    """Cheap check by substring search. False means the text has no secrets."""
    return _may_hold_secrets(TextView(text))


def _may_hold_secrets(view: TextView) -> bool:
    if "PRIVATE KEY" in view.text:
        return True
    if any(marker not in _LOOSE or _is_followed_by_key(view.long_words, marker) for marker in _key_markers(view)):
        return True
    text = view.text
    if any(map(view.has, _MARKERS_OF_ANY_CASE)) or _has_login(text) or may_hold_password(view):
        return True
    return ("=" in text or ":" in text) and any(_is_assigned(view, name) for name in _NAMES)


def _is_followed_by_key(text: str, marker: str) -> bool:
    """Whether the marker begins a word and enough letters and digits follow: "sk-1", not "task-1"."""
    run = PREFIX_MARKERS.get(marker, 20)
    at = text.find(marker)
    while at >= 0:
        begins = at == 0 or not text[at - 1].isalnum() or text[at - 2 : at - 1] == "\\" or text[at - 3 : at - 2] == "%"
        behind = text[at + len(marker) : at + len(marker) + run]
        if begins and (not run or (len(behind) == run and behind.isalnum() and (run < 10 or not behind.isalpha()))):
            return True
        at = text.find(marker, at + 1)
    return False


def _has_login(text: str) -> bool:
    """Whether a URL contains "@" before its first white space."""
    at = text.find("://")
    while at >= 0 and "@" not in text[at : at + _MAX_LOGIN_CHARACTERS].split(None, 1)[0]:
        at = text.find("://", at + 1)
    return at >= 0


def _is_assigned(view: TextView, name: str) -> bool:
    """Whether "=" or ":" follows the name within 60 characters, anywhere in the text."""
    nearby = (view.lower[at : at + _MAX_NAME_CHARACTERS] for at in view.places(name))
    return any("=" in behind or ":" in behind for behind in nearby)


_compiled: dict[str, Pattern[str]] = {}


def _matches(view: TextView, where: str, markers: tuple[str, ...], source: str) -> Iterable[Match[str]]:
    """The matches of a pattern in a text, which must have one of its markers there."""
    if where == LONG_WORDS:
        is_named = not _key_markers(view).isdisjoint(markers)
        is_possible = is_named and _compiled_once(source).search(view.long_words) is not None
    elif where == TEXT:
        is_possible = any(marker in view.text for marker in markers)
    elif where == BEGINNING and view.may_have(markers):
        return view.matches(_compiled_once(source), beginnings=markers, keys=_KEYS)
    else:
        is_possible = where == ANY_CASE and view.may_have(markers)
    return _compiled_once(source).finditer(view.text) if is_possible else ()


def _key_markers(view: TextView) -> frozenset[str]:
    """The markers of keys that are in the long words."""
    if view.key_markers is None:
        view.key_markers = frozenset(_markers_in(view.long_words))
    return view.key_markers


def _compiled_once(source: str) -> Pattern[str]:
    """Patterns are compiled on first use: compiling all costs more than accepting a text."""
    if source not in _compiled:
        import re  # here, because importing it costs start-up time

        _compiled[source] = re.compile(source)
    return _compiled[source]


# A key begins a word, or follows an escaped line break in JSON, or an encoded "=" or space in a URL.
_BEFORE = r"(?:(?<![A-Za-z0-9_-])|(?<=\\[nrt])|(?<=%3D)|(?<=%20))"
_PRIVATE_KEY_LABEL = r"[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
_NAME = (
    r"(?P<name>(?i:passw(?:or)?d|passwort|passphrase|kennwort|(?<=[_-])pass(?![a-z])|pwd|(?<![A-Za-z0-9])pw(?![A-Za-z])|secret|token|credential"
    r"|(?:api|access|private|auth|signing|encryption|account|master|service|subscription)[_-]?key)"
    r"s?(?:[_\-0-9A-Z][A-Za-z0-9_-]{0,40}+)?)"
)
_EQUALS = r"\\?[\"'`]?(?P<sign>[ \t]{0,8}(?::[ \t]{0,4}[A-Za-z_][\w.|]{0,30}+[ \t]{0,4}=|:=|=>|=|:)[ \t]{0,8})"
_VALUE = (
    r"(?:\\\"(?P<escaped>[^\"\\\n]{4,}+)\\\""
    r"|\"(?P<double>(?:[^\"\\\n]|\\[^\n]){4,}+)\""
    r"|'(?P<single>(?:[^'\\\n]|\\[^\n]){4,}+)'"
    r"|`(?P<tick>[^`\n]{4,}+)`"
    r"|(?P<bare>[^\s\"'`,;<>(){}\[\]&|\\=][^\s\"'`,;<>(){}\[\]&|\\]{3,}+))"
)
_KEYS = (
    *("api", "access", "private", "auth", "signing", "encryption", "account", "master", "service", "subscription"),
    "secret",
)
# Where the markers of a pattern are, the markers, one of which a matching text has there, and the regular expression.
_PATTERN_SOURCES: tuple[tuple[str, tuple[str, ...], str], ...] = (
    (
        TEXT,
        ("PRIVATE KEY",),
        rf"(?P<private_key>-----BEGIN {_PRIVATE_KEY_LABEL}"
        rf"(?:[^-]*+(?:-(?!----)[^-]*+)*+-----END {_PRIVATE_KEY_LABEL}|(?:(?:\s|\\n)*+[A-Za-z0-9+/=]{{20,}}+)++))",
    ),
    (BEGINNING, ("://",), r"://[^\s/:@\"'`<>,\[]*+:(?P<login>[^\s/\"'`<>,]+)@"),
    (BEGINNING, ("://",), r"://(?P<sentry_dsn>[0-9a-f]{32})@"),
    (
        LONG_WORDS,
        ("eyJ",),
        rf"{_BEFORE}(?P<jwt>eyJ[A-Za-z0-9_-]{{8,}}+\.[A-Za-z0-9_-]{{8,}}+(?:\.[A-Za-z0-9_-]++){{0,3}}+)",
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
    (LONG_WORDS, ("AccountKey=",), r"\bAccountKey=(?P<azure_key>[A-Za-z0-9+/=]{40,}+)"),
    (LONG_WORDS, ("sig=",), r"[?&]sig=(?P<azure_signature>[A-Za-z0-9%+/=]{40,}+)"),
    (
        BEGINNING,
        ("authorization",),
        r"(?i:authorization\\?[\"']?[ \t]{0,4}:[ \t]{0,4}\\?[\"']?basic)"
        r"[ \t]{1,8}(?P<basic_login>[A-Za-z0-9+/=]{8,}+)",
    ),
    (
        ANY_CASE,
        ("cookie:",),
        r"(?im:^[ \t]{0,8}(?:set-)?cookie):[ \t]{0,8}(?P<cookie>[^\s;=]{1,80}+=[^\s]{8,}+[^\n]{0,4000}+)",
    ),
    (BEGINNING, ("bearer",), r"(?i:\bbearer)[ \t]{1,8}(?P<bearer_token>[A-Za-z0-9._~+/=-]{8,}+)"),
    *PASSWORD_PATTERNS,
    (BEGINNING, ("pass", "kennwort", "pwd", "pw", "secret", "token", "credential", "key"), _NAME + _EQUALS + _VALUE),
)
_OTHER_SOURCES = tuple(one for one in _PATTERN_SOURCES if one[0] != LONG_WORDS)
# Runs of one character occur in documentation, not in keys.
_FILLER_RUNS = ("xxxxxxxx", "********", "00000000", "........")

_BLOCK_TAG = r"(?i:(?<!`)<(?P<closing>/?)(?P<name>private|jotsam-memory)\b[^<>]{0,300}>)"
_NOT_SECRET_NAMES: tuple[str, ...] = (
    "budget",
    "count",
    "dir",
    "endpoint",
    "expir",
    "field",
    "file",
    "format",
    "length",
    "limit",
)
_NOT_SECRET_NAMES += ("manager", "name", "path", "policy", "provider", "size", "ttl", "type", "uri", "url", "usage")
_CODE_ROOTS = (
    "self",
    "this",
    "os",
    "process",
    "settings",
    "config",
    "env",
    "args",
    "ctx",
    "context",
    "request",
    "import",
)


def _secret(match: Match[str]) -> tuple[str, tuple[int, int]] | None:
    """The kind and span of the secret, or `None` if the match is not a secret."""
    if "name" in match.re.groupindex:
        return _assigned_secret(match)
    ((group, secret),) = match.groupdict().items()
    if group in ("login", "option"):
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


def _assigned_secret(match: Match[str]) -> tuple[str, tuple[int, int]] | None:
    """Kind and span of an assigned value, or `None` if it is a placeholder, code, a number or prose."""
    group = match.lastgroup or "bare"
    name, value = match["name"].lower(), match[group]
    is_password = name.startswith(("p", "kennwort")) and not name.startswith("private")
    if any(word in name for word in _NOT_SECRET_NAMES) or is_placeholder(value):
        return None
    if not is_password and not any(character.isalpha() for character in value):
        return None
    if not is_password_name(match) or (len(value) < _MIN_SECRET_CHARACTERS and not is_short_secret(match, value)):
        return None
    if group == "bare":
        if not is_password and match["sign"] == ":" and match.string[match.start() - 1 : match.start()] == ":":
            return None  # a part of a path such as an ARN: "secretsmanager:eu-west-1:123:secret:app-a1b2c3"
        is_whole_value = _is_environment(match) or (is_password and _fills_its_line(match))
        is_secret = not _is_code(match) and (is_whole_value or looks_random(value.rstrip(".!?:")))
    else:
        is_secret = is_password or not (any(character.isspace() for character in value) or is_ordinary_word(value))
    return ("password" if is_password else "secret", match.span(group)) if is_secret else None


def _is_environment(match: Match[str]) -> bool:
    """Whether it has the form of an environment file, `API_KEY=anything`: there any value is taken as a secret."""
    return match["name"].isupper() and match["sign"] == "="


def _is_code(match: Match[str]) -> bool:
    """Whether the value is code that produces the secret: a call, an index, a type or an attribute path."""
    value, after = match["bare"], match.string[match.end() : match.end() + 5]
    if after.startswith(("(", "[", "{")) or after.lstrip(" \t").startswith("="):
        return True
    parts = value.split(".")
    if len(parts) == 1 or not all(part.isidentifier() for part in parts):
        return False
    return parts[0] in _CODE_ROOTS or not _is_environment(match)


def _fills_its_line(match: Match[str]) -> bool:
    """Whether the assignment is alone on its line, as in configuration: `password: swordfish`."""
    text, start, end = match.string, match.start(), match.end()
    nearby = text[max(0, start - _MAX_NAME_CHARACTERS) : start]
    if start > _MAX_NAME_CHARACTERS and "\n" not in nearby:
        return False
    before = nearby.rpartition("\n")[2]
    return not before.strip(" \t-_\"'") and text[end : end + 1] in ("", "\n", "\r")


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

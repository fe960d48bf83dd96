"""Secrets are taken out before anything is stored: what was never kept can never leak.

`redact` stands on the way of every accepted text, in a process that has just started. So importing this room imports
nothing, and a text without a marker of a secret never pays for regular expressions: a plain search settles it.
It must not decide what becomes of a text, and it must not log what it found.

A pattern errs on the side of silence in prose ("the secret: never give up") and of redaction in configuration.
Every pattern is anchored at a fixed marker and its long runs cannot be read twice, so hostile input costs linear time.
"""

from __future__ import annotations

from jotsam.pipeline.redaction.passwords import (
    PASSWORD_PATTERNS,
    is_password_name,
    is_placeholder,
    is_short_secret,
    looks_random,
    may_hold_password,
)
from jotsam.pipeline.redaction.provider_keys import KEY_PATTERNS, MARKERS, PREFIX_MARKERS, SHORT_MARKERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from re import Match, Pattern

    FoundSecret = tuple[str, int, str | None]

_MARKERS = (
    *MARKERS,
    "PRIVATE KEY",
    "eyJ",
    "hooks.slack.com/",
    "/webhooks/",
    "AccountKey=",
    "sig=",
)
_ANY_CASE = ("<private", "<jotsam-memory", "bearer", "authorization", "cookie:", "--pass", "</pass")
_NAMES = (
    "passw",
    "_pass",
    "-pass",
    "passphrase",
    "pwd",
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
_MIN_SECRET_CHARACTERS = 8
"""What is shorter is a secret only where nothing else can stand."""
_GUESSABLE_KINDS = ("password", "basic-login")
"""What people think up, and what is shorter, could be found by trying until the fingerprint fits."""


def redact(text: str, *, allowed: frozenset[str] = frozenset()) -> tuple[str, int]:
    """The text without its secrets, and how many there were.

    `allowed` are the fingerprints of what looks like a secret and is none: it stays.

    A secret becomes `[redacted:<kind>]`; the name of a variable, the user and the host of an address stay. Blocks
    between `<private>` and `</private>` (or the end of the text) are removed and count as secrets; what Jotsam itself
    recalled, between `<jotsam-memory>` and `</jotsam-memory>`, is removed and does not count.
    Redacting a redacted text changes nothing and counts 0.
    """
    text, secrets = redact_and_list(text, allowed=allowed)
    return text, len(secrets)


def redact_and_list(text: str, *, allowed: frozenset[str] = frozenset()) -> tuple[str, list[FoundSecret]]:
    """As `redact`, and of each secret its kind, its line in the text that is left, and its fingerprint.

    No fingerprint is given of what could be guessed by it: of passwords, of what is short, and of private blocks.
    """
    if not may_hold_secrets(text):
        return text, []
    text, lines = _without_blocks(text)
    secrets: list[FoundSecret] = [("private", line, None) for line in lines]
    for _ in range(_MAX_ROUNDS):
        before = len(secrets)
        for pattern in _patterns(text):
            text = _without(pattern, text, allowed, secrets)
        # What one pattern replaces can uncover what another was blind to, so a round that finds has a next.
        if len(secrets) == before:
            break
    return text, secrets


def fingerprint(secret: str) -> str:
    """By which a secret is known without being kept: SHA-256 in hexadecimal, without what ends a sentence."""
    from hashlib import sha256

    return sha256(secret.strip().rstrip(".,:;!?").encode(errors="replace")).hexdigest()


def _without(pattern: Pattern[str], text: str, allowed: frozenset[str], secrets: list[FoundSecret]) -> str:
    """The text without what a pattern finds, which is added to `taken`."""
    pieces: list[str] = []
    at, line = 0, 1
    for match in pattern.finditer(text):
        found = None if allowed and _is_allowed(match, allowed) else _secret(match)
        if found is None:
            continue
        kind, (start, end) = found
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
    """Markers by the first of the rare signs in them: in a text without the sign none of them need be looked for."""
    found: dict[str, list[str]] = {}
    for marker in markers:
        sign = next((one for one in "_-./:=~<" if one in marker), "")
        found.setdefault(sign, []).append(marker)
    return found


def _markers_in(text: str, markers: Mapping[str, list[str]]) -> Iterator[str]:
    for sign, group in markers.items():
        if sign in text:
            for marker in group:
                if marker in text:
                    yield marker


_MARKERS_BY_SIGN, _LOOSE_MARKERS_BY_SIGN, _WORDS_BY_SIGN = (
    _by_sign(_MARKERS),
    _by_sign((*SHORT_MARKERS, *PREFIX_MARKERS)),
    _by_sign(_ANY_CASE),
)


def may_hold_secrets(text: str) -> bool:
    """A cheap look, by plain search: where it says no, there is none."""
    for _ in _markers_in(text, _MARKERS_BY_SIGN):
        return True
    if any(_is_followed_by_key(text, marker) for marker in _markers_in(text, _LOOSE_MARKERS_BY_SIGN)):
        return True
    lower = text.lower()
    for _ in _markers_in(lower, _WORDS_BY_SIGN):
        return True
    if _has_login(text) or may_hold_password(text):
        return True
    return ("=" in text or ":" in text) and any(_is_assigned(lower, name) for name in _NAMES)


def _is_followed_by_key(text: str, marker: str) -> bool:
    """Whether a marker that stands in many a word has somewhere a key behind it: "sk-1" and not "task-1"."""
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
    """Whether some address has an "@" within its first word."""
    at = text.find("://")
    while at >= 0 and "@" not in text[at : at + _MAX_LOGIN_CHARACTERS].split(None, 1)[0]:
        at = text.find("://", at + 1)
    return at >= 0


def _is_assigned(text: str, name: str) -> bool:
    """Whether "=" or ":" comes soon after the name somewhere."""
    at = text.find(name)
    while at >= 0:
        nearby = text[at : at + _MAX_NAME_CHARACTERS]
        if "=" in nearby or ":" in nearby:
            return True
        at = text.find(name, at + 1)
    return False


_compiled: dict[str, Pattern[str]] = {}


def _patterns(text: str) -> Iterator[Pattern[str]]:
    """Those that may find something, each compiled when it is first needed, for that costs more than accepting a text.

    The import stands here because `re` does too.
    """
    import re

    for markers, source in _PATTERN_SOURCES:
        if not markers or any(marker in text for marker in markers):
            if source not in _compiled:
                _compiled[source] = re.compile(source)
            yield _compiled[source]


# A key begins a word, or follows what is written for a line's end in JSON, or for "=" and a space in an address.
_BEFORE = r"(?:(?<![A-Za-z0-9_-])|(?<=\\[nrt])|(?<=%3D)|(?<=%20))"
_PRIVATE_KEY_LABEL = r"[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
_NAME = (
    r"(?P<name>(?i:passw(?:or)?d|passphrase|(?<=[_-])pass(?![a-z])|pwd|secret|token|credential"
    r"|(?:api|access|private|auth|signing|encryption|account|master|service)[_-]?key)"
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
_PATTERN_SOURCES: tuple[tuple[tuple[str, ...], str], ...] = (
    (
        ("PRIVATE KEY",),
        rf"(?P<private_key>-----BEGIN {_PRIVATE_KEY_LABEL}"
        rf"(?:[^-]*+(?:-(?!----)[^-]*+)*+-----END {_PRIVATE_KEY_LABEL}|(?:(?:\s|\\n)*+[A-Za-z0-9+/=]{{20,}}+)++))",
    ),
    (("://",), r"://[^\s/:@\"'`<>,\[]*+:(?P<login>[^\s/\"'`<>,]+)@"),
    (("://",), r"://(?P<sentry_dsn>[0-9a-f]{32})@"),
    (
        ("eyJ",),
        rf"{_BEFORE}(?P<jwt>eyJ[A-Za-z0-9_-]{{8,}}+\.[A-Za-z0-9_-]{{8,}}+(?:\.[A-Za-z0-9_-]++){{0,3}}+)",
    ),
    *((markers, rf"{_BEFORE}(?P<{kind}>{form})") for kind, markers, form in KEY_PATTERNS),
    (
        ("hooks.slack.com/",),
        r"hooks\.slack\.com/(?:services|workflows|triggers)/(?P<slack_webhook>[TE][A-Z0-9]{6,}+/[A-Za-z0-9/]{20,}+)",
    ),
    (
        ("/webhooks/",),
        r"discord(?:app)?\.com/api/(?:v[0-9]{1,2}/)?webhooks/(?P<discord_webhook>[0-9]{17,20}/[A-Za-z0-9_-]{40,}+)",
    ),
    (("AccountKey=",), r"\bAccountKey=(?P<azure_key>[A-Za-z0-9+/=]{40,}+)"),
    (("sig=",), r"[?&]sig=(?P<azure_signature>[A-Za-z0-9%+/=]{40,}+)"),
    (
        (),
        r"(?i:authorization\\?[\"']?[ \t]{0,4}:[ \t]{0,4}\\?[\"']?basic)"
        r"[ \t]{1,8}(?P<basic_login>[A-Za-z0-9+/=]{8,}+)",
    ),
    ((), r"(?im:^[ \t]{0,8}(?:set-)?cookie):[ \t]{0,8}(?P<cookie>[^\s;=]{1,80}+=[^\s]{8,}+[^\n]{0,4000}+)"),
    ((), r"(?i:\bbearer)[ \t]{1,8}(?P<bearer_token>[A-Za-z0-9._~+/=-]{8,}+)"),
    *PASSWORD_PATTERNS,
    ((), _NAME + _EQUALS + _VALUE),
)
"""Each pattern with what a text must hold for it to find something; with nothing where letter case does not matter."""

_FILLER_RUNS = ("xxxxxxxx", "********", "00000000", "........")
"""Runs of one sign stand for a key in a manual; in a key there are none."""

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
    """The kind of the secret and its place in the text, or `None` when it is no secret after all."""
    if "name" in match.re.groupindex:
        return _assigned_secret(match)
    ((group, secret),) = match.groupdict().items()
    if group in ("login", "option"):
        is_word = group == "option" and not looks_random(secret)
        return None if is_word or is_placeholder(secret) else ("password", match.span(group))
    if group in ("bearer_token", "api_key") and (is_placeholder(secret) or not looks_random(secret)):
        return None
    if group != "private_key" and any(run in secret.lower() for run in _FILLER_RUNS):
        return None
    return group.replace("_", "-"), match.span(group)


def _assigned_secret(match: Match[str]) -> tuple[str, tuple[int, int]] | None:
    """The value that a name is given, or `None` when it is a placeholder, code, a number or prose."""
    group = match.lastgroup or "bare"
    name, value = match["name"].lower(), match[group]
    is_password = name.startswith("p") and not name.startswith("private")
    if any(word in name for word in _NOT_SECRET_NAMES) or is_placeholder(value):
        return None
    if not is_password and not any(character.isalpha() for character in value):
        return None
    if not is_password_name(match) or (len(value) < _MIN_SECRET_CHARACTERS and not is_short_secret(match, value)):
        return None
    if group == "bare":
        is_whole_value = _is_environment(match) or (is_password and _fills_its_line(match))
        is_secret = not _is_code(match) and (is_whole_value or looks_random(value.rstrip(".!?:")))
    else:
        is_secret = is_password or not any(character.isspace() for character in value)
    return ("password" if is_password else "secret", match.span(group)) if is_secret else None


def _is_environment(match: Match[str]) -> bool:
    """`API_KEY=anything`: the form of an environment file, where whatever follows is the value."""
    return match["name"].isupper() and match["sign"] == "="


def _is_code(match: Match[str]) -> bool:
    """A call, an index, a type or a path of attributes: where the secret comes from, and not the secret."""
    value, after = match["bare"], match.string[match.end() : match.end() + 5]
    if after.startswith(("(", "[", "{")) or after.lstrip(" \t").startswith("="):
        return True
    parts = value.split(".")
    if len(parts) == 1 or not all(part.isidentifier() for part in parts):
        return False
    return parts[0] in _CODE_ROOTS or not _is_environment(match)


def _fills_its_line(match: Match[str]) -> bool:
    """`password: swordfish` alone on its line, as configuration has it and prose has not."""
    text, start, end = match.string, match.start(), match.end()
    nearby = text[max(0, start - _MAX_NAME_CHARACTERS) : start]
    if start > _MAX_NAME_CHARACTERS and "\n" not in nearby:
        return False
    before = nearby.rpartition("\n")[2]
    return not before.strip(" \t-_\"'") and text[end : end + 1] in ("", "\n", "\r")


def _without_blocks(text: str) -> tuple[str, list[int]]:
    """The text without private and recalled blocks, and the lines where private ones began.

    What a removal joins can read as a new tag. Three rounds settle everything but an attack on this rule; a text that
    is still not settled is cut off where a block begins, so that nothing private is kept and the cost stays linear.
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
    """Name, start and end of every outermost block. A private block without an end reaches to the end of the text."""
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

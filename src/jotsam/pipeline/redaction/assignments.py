"""Assignments of secrets: a name such as `DB_PASSWORD` or `api-key`, a sign, and a value.

They are read as what they are in: environment and INI files, YAML, JSON, connection strings, query strings, options of
commands, and code. It is imported with the patterns.
"""

from __future__ import annotations

from jotsam.pipeline.redaction.cheap_check import KEY_OWNERS
from jotsam.pipeline.redaction.passwords import (
    is_ordinary_word,
    is_password_name,
    is_placeholder,
    is_short_secret,
    looks_random,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import Match

_NAME = (
    r"(?P<name>(?i:passw(?:or)?d|passwort|passphrase|kennwort|(?<![A-Za-z0-9])pass(?![a-z])|pwd"
    r"|(?<![A-Za-z0-9])pw(?![A-Za-z])|(?<![A-Za-z0-9])psk(?![A-Za-z])|secret|token|cred(?:ential)?"
    rf"|(?:{'|'.join(KEY_OWNERS)})[_-]?key)"
    r"s?(?:[_\-0-9A-Z][A-Za-z0-9_-]{0,40}+)?)"
)
_EQUALS = (
    r"\\?[\"'`]?(?:\]|\[\d{0,4}\])?"
    r"(?P<sign>[ \t]{0,8}(?::[ \t]{0,4}[A-Za-z_][\w.|]{0,30}+[ \t]{0,4}=|:=|=>|=|:)[ \t]{0,8})(?:base64:|@(?=\"))?"
)
_VALUE = (
    r"(?:\\\"(?P<escaped>[^\"\\\n]{4,}+)\\\""
    r"|\"(?P<double>(?:[^\"\\\n]|\\[^\n]){4,}+)\""
    r"|'(?P<single>(?:[^'\\\n]|\\[^\n]){4,}+)'"
    r"|`(?P<tick>[^`\n]{4,}+)`"
    r"|(?P<bare>[^\s\"'`,;<>(){}\[\]&|\\=][^\s\"'`,;<>(){}\[\]&|\\]{3,}+))"
)
ASSIGNMENT = _NAME + _EQUALS + _VALUE

_MAX_CONTEXT = 300  # characters before a name
_MIN_SECRET_CHARACTERS = 8  # A shorter value counts only in an unambiguous context.
_NOT_SECRET_NAMES = (
    *("budget", "count", "dir", "endpoint", "expir", "field", "file", "format", "length", "limit"),
    *("manager", "name", "path", "policy", "provider", "size", "ttl", "type", "uri", "url", "usage"),
    *("public", "prompt", "label", "message", "_arn", "-arn", "column", "debugtoken", "_time"),
)
# A quoted text with one of these is a translation or a label: `"password": "Mot de passe"`.
_PASSWORD_WORDS = ("password", "passwort", "kennwort", "mot de passe", "contrase")
_CODE_ROOTS = frozenset(
    "self this os process settings config env args ctx context request import".split()  # noqa: SIM905
)
# Where a name is in a connection string, a query, the arguments of a command, or behind another assignment.
_IN_STRING = (
    r"(?i)(?:server|data source|host|addr|address|u(?:ser)?[ _]?id|user(?:name)?|database|dbname|initial catalog"
    r"|provider|driver|dsn|port|endpoint)[ \t]*=[^;\n]*;[ \t]*$"
    r"|[?&](?:amp;)?[\w.-]*$"
    r"|(?:^|[\s\"'(])[\w.-]+=[^\s\"'()&?]+[ \t]+[\w.-]*$"
    r"|--from-literal[= ][\w.-]*$|\b(?:vault(?:[ \t]+kv)?[ \t]+(?:put|write|patch)|config:set)[ \t][^\n]*$"
)
_USER_BEFORE = r"(?i)(?:user|login|uname|benutzer|usuario|account)(?:[ _]?name|[ _]?id)?[\"']?[ \t]{0,8}[=:]"


def assigned_secret(match: Match[str]) -> tuple[str, tuple[int, int]] | None:
    """Kind and span of an assigned value, or `None` if it is a placeholder, code, a number or prose."""
    group = match.lastgroup or "bare"
    name, value = match["name"].lower(), match[group]
    is_password = name.startswith(("p", "kennwort")) and not name.startswith(("private", "preshared"))
    if is_placeholder(value) or any(word in _whole_name(match) for word in _NOT_SECRET_NAMES):
        return None
    if not is_password and not any(character.isalpha() for character in value):
        return None
    if not (is_password_name(match) or _has_user_before(match)):
        return None
    if len(value) < _MIN_SECRET_CHARACTERS and not is_short_secret(match, value) and not _is_in_string(match, value):
        return None
    if group == "bare":
        is_secret = _is_bare_secret(match, is_password=is_password)
    elif is_password:
        is_secret = not (" " in value and any(word in value.lower() for word in _PASSWORD_WORDS))
    else:
        is_secret = not (any(character.isspace() for character in value) or is_ordinary_word(value))
    return ("password" if is_password else "secret", match.span(group)) if is_secret else None


def _is_bare_secret(match: Match[str], *, is_password: bool) -> bool:
    if not is_password and match["sign"] == ":" and match.string[match.start() - 1 : match.start()] == ":":
        return False  # a part of a path such as an ARN: "secretsmanager:eu-west-1:123:secret:app-a1b2c3"
    if _is_code(match):
        return False
    if _is_environment(match) or looks_random(match["bare"].rstrip(".!?:")):
        return True
    return is_password and (_fills_its_line(match) or _is_in_string(match, match["bare"]))


def _whole_name(match: Match[str]) -> str:
    """The name in lower case, with what is before it: `publicKeyToken`, not only `Token`."""
    before = match.string[max(0, match.start() - 20) : match.start()]
    return (before[len(before.rstrip(_NAME_CHARACTERS)) :] + match["name"]).lower()


_NAME_CHARACTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"


def _line_before(match: Match[str]) -> str:
    text, start = match.string, match.start()
    return text[max(0, start - _MAX_CONTEXT, text.rfind("\n", 0, start) + 1) : start]


def _has_user_before(match: Match[str]) -> bool:
    """Whether "pass" without a prefix is the password of a user: `user: bob pass: ...`, or a line below it."""
    import re

    before = match.string[max(0, match.start() - _MAX_CONTEXT) : match.start()]
    return match.end("name") - match.start("name") == len("pass") and re.search(_USER_BEFORE, before) is not None


def _is_in_string(match: Match[str], value: str) -> bool:
    """Whether it is a part of a connection string, a query or a command, where any value is one."""
    import re

    before = _line_before(match)
    is_password = match["name"].lower().startswith(("p", "kennwort"))
    return is_password and "=" in match["sign"] and len(value) > 3 and re.search(_IN_STRING, before) is not None


def _is_environment(match: Match[str]) -> bool:
    """Whether it has the form of an environment file, `API_KEY=anything`: there any value is taken as a secret."""
    return match["name"].isupper() and match["sign"] == "="


def _is_code(match: Match[str]) -> bool:
    """Whether the value is code that produces the secret: a call, an index, a type or an attribute path."""
    value, after = match["bare"], match.string[match.end() : match.end() + 5]
    is_union = match["sign"][0] == ":" and after.startswith(" | ")
    if is_union or after.startswith(("(", "[", "{")) or after.lstrip(" \t").startswith("="):
        return True
    parts = value.split(".")
    if len(parts) == 1 or not all(part.isidentifier() for part in parts):
        return False
    return parts[0] in _CODE_ROOTS or not _is_environment(match)


def _fills_its_line(match: Match[str]) -> bool:
    """Whether the assignment is alone on its line, as in configuration: `  db.password: swordfish`."""
    if match.string[match.end() : match.end() + 1] not in ("", "\n", "\r"):
        return False
    before, value = _line_before(match).lstrip(" \t-_\"'").removeprefix("export "), match["bare"]
    if not before:
        return not (value[0].isupper() and not value.istitle() and value.isalpha() and ":" in match["sign"])
    is_name = len(before) < 60 and all(one.isalnum() or one in "_.-/:" for one in before)
    # With spaces around the sign it may be code that assigns a variable.
    return is_name and not (match["sign"] != "=" and match["sign"][:1] != ":" and value.isidentifier())

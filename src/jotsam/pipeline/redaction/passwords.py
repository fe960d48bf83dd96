"""Passwords in command options, XML elements and `.netrc` files, and placeholders in place of a password.

Data and cheap checks for `redact`. The accept path imports this module, so it imports nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import Match

# Each marker alone is common; a password is possible only if both occur.
_MARKER_PAIRS = (
    ("curl", " -u"),
    ("curl", " --user"),
    ("mysql", " -p"),
    ("mariadb", " -p"),
    ("sshpass", " -p"),
    ("machine ", "password "),
)
_CHINESE_MARKERS = ("密码", "密碼", "口令")

# The search for the option of a command ends where the command occurs again, so that many of them take linear time.
_CURL = r"\bcurl\b"
_MYSQL = r"\b(?:mysql[a-z]{0,10}|mariadb[a-z-]{0,10})\b"

# Markers, one of which a matching text contains, and the regular expression. Same form as the patterns in `redact`.
PASSWORD_PATTERNS: tuple[tuple[tuple[str, ...], str], ...] = (
    (
        (" -u", "--user"),
        rf"{_CURL}(?:(?!{_CURL})[^\n]){{0,300}}?\s(?:-u|--user)"
        r"[ =]?[\"']?[^\s:\"'=]{1,60}:(?P<login>[^\s\"']{3,}+)",
    ),
    (
        (" -p",),
        rf"{_MYSQL}(?:(?!{_MYSQL})[^\n]){{0,300}}?"
        r"\s-p[\"']?(?P<login>[^\s\"'$<]{4,}+)",
    ),
    ((" -p",), r"\bsshpass\s+-p\s?[\"']?(?P<login>[^\s\"']{4,}+)"),
    (
        ("--pass",),
        r"--pass(?:word|wd|phrase)?\s+[\"']?(?P<option>[^\s\"'`<>\[\]-][^\s\"'`<>\[\]]{3,}+)",
    ),
    (
        ("</pass", "</Pass", "</PASS"),
        r"(?i:<pass(?:word|wd|phrase)>)(?P<login>[^<>\s]{4,200}+)</",
    ),
    (
        ("password ",),
        r"\bmachine\s+[^\s]{1,200}\s+login\s+[^\s]{1,200}\s+password\s+(?P<login>[^\s]{3,}+)",
    ),
    (
        _CHINESE_MARKERS,
        r"(?:密码|密碼|口令)[ \t]{0,4}(?:是|为|為|=|:|：)[ \t]{0,4}[\"'`]?(?P<login>[!-&(-_a-~]{4,}+)",
    ),
)
# Words that may precede "_pass" in lower case: "first_pass" is not a password.
_PASSWORD_OWNERS = frozenset(
    """
    db database mysql mariadb pg postgres postgresql redis mongo rabbitmq smtp imap mail email ftp sftp ssh ldap proxy
    http basic auth admin root user login app service backup
    """.split()  # noqa: SIM905 - thirty quoted words are harder to read than their text
)
# Words used in place of a secret in documentation and tests.
_DUMMY_WORDS = (
    r"passwords?|passwd|pass|secrets?|tokens?|admin|users?|username|test(?:ing)?|examples?|sample|demo|dummy|fake|foo|bar"
    r"|change|me|placeholder|here|keys?|api|some|local|dev(?:elopment)?|default|postgres|root|my|the|value|xxx|redacted"
)
_PLACEHOLDER = (
    r"[$%{<(]|\.\.\.|(?:.{0,40}[_-])?your[_-]|[xX.*_#-]+$|(?:none|null|true|false|undefined|required|optional|string)$"
    r"|https?://|[~.]+/"
    rf"|(?:{_DUMMY_WORDS})(?:[-_ .]?(?:{_DUMMY_WORDS}))*+$"
)


def may_hold_password(text: str) -> bool:
    """Cheap check whether the text may contain a password in a command, a `.netrc` or a Chinese sentence."""
    for one, other in _MARKER_PAIRS:
        if one in text and other in text:
            return True
    return not text.isascii() and any(word in text for word in _CHINESE_MARKERS)


def is_password_name(match: Match[str]) -> bool:
    """Whether the matched name is a password name. "pass" needs a prefix such as in `DB_PASS`; other names qualify."""
    if match["name"].lower() != "pass":
        return True
    before = match.string[max(0, match.start() - 40) : match.start() - 1]
    word = before[len(before.rstrip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")) :]
    value = match[match.lastgroup or "bare"]
    is_of_something = match["name"].isupper() and word.isupper() and any(map(str.isalpha, value))
    return is_of_something or word.lower() in _PASSWORD_OWNERS


def is_short_secret(match: Match[str], value: str) -> bool:
    """Whether a value below 8 characters can be a secret: `PASSWORD=hunter2`, not "token: v1.2"."""
    is_environment = match["name"].isupper() and match["sign"].strip() in ("=", ":")
    is_password = match["name"].lower().startswith("pass") or match["name"].lower().startswith("pwd")
    is_mixed = any(map(str.isdigit, value)) and any(map(str.isalpha, value))
    if value.startswith("/"):
        return False
    return (is_mixed and (is_password or is_environment)) or (is_environment and is_password)


def is_placeholder(value: str) -> bool:
    """Whether it is a placeholder: `<your key>`, `$VAR`, `xxx`, `sk-...`, or already redacted."""
    import re

    ends_open = value.endswith(("...", "\u2026"))
    return ends_open or "[redacted:" in value or re.match(_PLACEHOLDER, value, re.IGNORECASE) is not None


def looks_random(value: str) -> bool:
    """Whether it looks generated: it has a digit or special character, or a run of at least 16 letters of one case."""
    if any(character.isdigit() or character in "!#$%^*+?~@" for character in value):
        return True
    runs = value.replace("-", " ").replace("_", " ").replace(".", " ").split()
    return any(len(run) >= 16 and (run.islower() or run.isupper()) for run in runs)

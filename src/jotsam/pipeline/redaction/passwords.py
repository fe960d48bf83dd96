"""Passwords in sentences, command options, XML, Terraform, `.netrc` and `.pgpass`, and placeholders in their place.

Data and cheap checks for `redact`. The accept path imports this module, so it imports no other.
"""

from __future__ import annotations

from jotsam.pipeline.redaction.text_view import ANY_CASE, BEGINNING, TEXT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from re import Match

    from jotsam.pipeline.redaction.text_view import TextView

# Each marker alone is common; a password is possible only if both occur, in a text in lower case.
_MARKER_PAIRS = (
    *(("curl", " -u"), ("curl", " --user"), (" -p", "mysql"), (" -p", "mariadb"), (" -p", "sshpass")),
    ("password ", "machine "),
    *(("passw", " is "), ("passw", " was "), ("passphrase", " is "), ("passcode", " is ")),
    *(("passwort", " ist "), ("passwort", " lautet "), ("kennwort", " ist "), ("kennwort", " lautet ")),
    *(("token is ", ""), ("secret is ", ""), ("key is ", ""), ("secret>", "</"), ("token>", "</"), ("key>", "</")),
    *((" value=", "passw"), (" value=", "secret"), (" value=", "token"), (" value=", "apikey")),
    *((":543", ""), (":6432:", ""), (":*:", "")),
    # The rule below the headings of a table.
    *(
        (rule, name)
        for rule in ("|-", "| -", "|:")
        for name in ("passw", "secret", "token", "kennwort", "api", "access")
    ),
)
_CHINESE_MARKERS = ("密码", "密碼", "口令")


def _by_first(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Group pairs, because a text is searched for each first part once."""
    found: dict[str, list[str]] = {}
    for one, other in pairs:
        found.setdefault(one, []).append(other)
    return found


_MARKERS_BY_FIRST = _by_first(_MARKER_PAIRS)

# The search for the option of a command ends where the command occurs again, so that many of them take linear time.
_CURL = r"\bcurl\b"
_MYSQL = r"\b(?:mysql[a-z]{0,10}|mariadb[a-z-]{0,10})\b"

# Where a marker is, the markers, and the regular expression, as in `redact`.
PASSWORD_PATTERNS: tuple[tuple[str, tuple[str, ...], str], ...] = (
    (
        BEGINNING,
        ("curl",),
        rf"{_CURL}(?:(?!{_CURL})[^\n]){{0,300}}?\s(?:-u|--user)"
        r"[ =]?[\"']?[^\s:\"'=]{1,60}:(?P<login>[^\s\"']{3,}+)",
    ),
    (
        BEGINNING,
        ("mysql", "mariadb"),
        rf"{_MYSQL}(?:(?!{_MYSQL})[^\n]){{0,300}}?"
        r"\s-p[\"']?(?P<login>[^\s\"'$<]{4,}+)",
    ),
    (BEGINNING, ("sshpass",), r"\bsshpass\s+-p\s?[\"']?(?P<login>[^\s\"']{4,}+)"),
    (
        BEGINNING,
        ("--pass",),
        r"--pass(?:word|wd|phrase)?\s+[\"']?(?P<option>[^\s\"'`<>\[\]-][^\s\"'`<>\[\]]{3,}+)",
    ),
    (
        BEGINNING,
        ("<pass",),
        r"(?i:<pass(?:word|wd|phrase)>)(?P<login>[^<>\s]{4,200}+)</",
    ),
    (
        ANY_CASE,
        ("password ",),
        r"\bmachine\s+[^\s]{1,200}\s+login\s+[^\s]{1,200}\s+password\s+(?P<login>[^\s]{3,}+)",
    ),
    (
        BEGINNING,
        ("passw", "passphrase", "passcode", "kennwort"),
        r"(?i:\b(?:passw(?:or)?[dt]|passphrase|passcode|kennwort)(?:[ \xa0][\w-]{1,20}){0,3}?[ \xa0]"
        r"(?:is|was|ist|war|lautet)[ \xa0:]{1,3})[\"'`„“]?(?P<said>[^\s\"'`„“”]{6,}+)",
    ),
    (
        BEGINNING,
        ("token is", "secret is", "key is"),
        r"(?i:\b(?:token|secret|(?:api|access|private|secret)[ _-]?key)) is:? {1,2}"
        r"[\"'`]?(?P<told>[A-Za-z0-9_/+=.-]{12,}+)",
    ),
    (
        ANY_CASE,
        ("secret>", "token>", "key>"),
        r"(?i:<(?:[\w.:-]{0,20}[._:-])?(?:client[_-]?secret|secret|(?:access|auth|api)?[_-]?token"
        r"|(?:api|secret|access|private)[_-]?key)>)"
        r"\s{0,8}(?P<told>[A-Za-z0-9_/+=.~-]{8,200}+)\s{0,8}</",
    ),
    (
        ANY_CASE,
        (" value=",),
        r"(?i:[\"'][\w.:-]{0,40}(?:passw(?:or)?d|secret|token|api-?_?key)[\"']\s{1,8}value=)[\"'](?P<option>[^\"'\s]{6,200}+)[\"']",
    ),
    (
        BEGINNING,
        ("variable",),
        r"\bvariable\s{1,4}\"[^\"\n]{0,60}(?i:passw(?:or)?d|secret|token|_key)[^\"\n]{0,30}\"\s{0,8}\{[^}]{0,400}?"
        r"\bdefault\s{0,12}=\s{0,4}\"(?P<option>[^\"\n]{6,200}+)\"",
    ),
    (
        ANY_CASE,
        (":543", ":6432:", ":*:"),
        r"(?m:^)[\w.*-]{1,200}:(?:543[0-9]|6432|\*):[\w*.-]{1,63}:[\w*.-]{1,63}:(?P<login>[^\s:]{4,200}+)(?m:$)",
    ),
    (
        TEXT,
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
_ALGORITHM = (
    r"(?:base|sha|md|utf|bcrypt|scrypt|argon|pbkdf|aes|rsa|x509|http|oauth|ipv|v)-?[0-9]"
    r"|[a-z]+[0-9]{0,4}(?:-[a-z]+)+(?:-[0-9][a-z]?)?$|[0-9]+-?[a-z]+$|[A-Za-z]+[?!]*$|[A-Z]{2,6}-[0-9]+$"
)
_PLACEHOLDER = (
    r"[$%{<(]|\.\.\.|(?:.{0,40}[_-])?your[_-]|[xX.*_#-]+$|(?:none|null|true|false|undefined|required|optional|string)$"
    r"|https?://|[~.]+/"
    rf"|(?:{_DUMMY_WORDS})(?:[-_ .]?(?:{_DUMMY_WORDS}))*+$"
)


def may_hold_password(view: TextView) -> bool:
    """Cheap check whether the text may match one of the patterns above."""
    for one, others in _MARKERS_BY_FIRST.items():
        if view.has(one) and any(map(view.has, others)):
            return True
    return not view.text.isascii() and any(word in view.text for word in _CHINESE_MARKERS)


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


def is_said_secret(value: str) -> bool:
    """Whether a word of a sentence, "the password is WORD", is a secret: not "base64-encoded" or "12-digit"."""
    import re

    word = value.rstrip(".,;:)")
    is_mixed = any(map(str.isalpha, word)) and (
        any(map(str.isdigit, word)) or any(one in "!#$%^*+?~@&" for one in word)
    )
    return is_mixed and not is_placeholder(word) and re.match(_ALGORITHM, word, re.IGNORECASE) is None


def is_ordinary_word(value: str) -> bool:
    """Whether it is made of words, such as the name of a field: `NextMarker`, `access_token`, `SECRET-STRING`.

    Generated letters have no vowels for long, and change their case more often.
    """
    import re

    if not re.fullmatch(r"[A-Za-z]+(?:[-_.:/][A-Za-z]+)*", value):
        return False
    words = re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", value)
    vowels = re.compile("[aeiouyAEIOUY]")
    is_spoken = all(vowels.search(word) for word in words if len(word) > 3)
    return is_spoken and len(value) >= 4 * len(words) - 2 and max(map(len, words)) <= 15


def looks_random(value: str) -> bool:
    """Whether it looks generated: it has a digit or special character, or a run of at least 16 letters of one case."""
    if any(character.isdigit() or character in "!#$%^*+?~@" for character in value):
        return True
    runs = value.replace("-", " ").replace("_", " ").replace(".", " ").split()
    return any(len(run) >= 16 and (run.islower() or run.isupper()) for run in runs)

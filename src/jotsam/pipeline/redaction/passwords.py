"""Whether a value in the place of a secret is one: placeholders, words, versions and names of fields are not.

The accept path imports this module, so it imports no other at the start.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import Match

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
    r"|(?-i:[A-Za-z]?[a-z]*[0-9]{0,4}(?:-[a-z]+)+(?:-[0-9][a-z]?)?$)|[0-9]+-?[a-z]+$|[A-Za-z]+[?!]*$|[A-Z]{2,6}-[0-9]+$"
)
_PLACEHOLDER = (
    r"[$%{<(]|.{0,60}\.\.\.|/\^|#[0-9a-fA-F]{3,8}$"
    r"|(?:op|vault|ssm|keychain|secretsmanager|awssm|gcpsm|ref\+[a-z]{2,10}):|arn:|put your "
    r"|/(?:etc|var|run|home|usr|opt|tmp|root|mnt|app|path|secrets|dev|srv|Users)\b"
    r"|[\w./~-]*\.(?:pem|key|crt|json|ya?ml|txt|jks|p12|pfx|conf|ini|py|env)$"
    r"|(?:.{0,40}[_-])?your[_-]|[xX.*_#-]+$|(?:none|null|true|false|undefined|required|optional|string)$"
    r"|https?://|[~.]+/"
    rf"|(?:{_DUMMY_WORDS})(?:[-_ .]?(?:{_DUMMY_WORDS}))*+$"
)


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
    is_code = re.search(r"\w[(\[][^\s]*[)\]]", word) is not None
    return is_mixed and not is_code and not is_placeholder(word) and re.match(_ALGORITHM, word, re.IGNORECASE) is None


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

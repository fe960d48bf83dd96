"""Whether a text may have a secret, by substring search. It settles most texts without regular expressions.

False is certain. The accept path imports this module, so it imports nothing at the start. Each check looks at the few
characters around a word such as "token", because the word alone is in every second text of programmers.
"""

from __future__ import annotations

from jotsam.pipeline.redaction.provider_keys import MARKERS, PREFIX_MARKERS, SHORT_MARKERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from jotsam.pipeline.redaction.text_view import TextView

# Words before "key" in the name of a secret.
KEY_OWNERS = (
    *("api", "access", "private", "auth", "signing", "encryption", "account", "master", "service", "subscription"),
    *("secret", "validation", "decryption", "preshared", "shared", "client", "app"),
)
BEGINNINGS = ("pass", "kennwort", "pwd", "pw", "psk", "secret", "token", "cred", "key")
FOREIGN_WORDS = ("密码", "密碼", "口令", "contraseña")  # in texts that are not ASCII
_BLOCKS = ("<private", "</private", "<jotsam-memory", "</jotsam-memory")
_HEADINGS = ("passw", "kennwort", "secret", "token", "key")  # of columns
_WEBHOOKS = ("eyJ", "hooks.slack.com/", "/webhooks/", "/IncomingWebhook/", "AccountKey=", "sig=")
# By the beginning of its option behind " -", the commands whose password it has.
_COMMANDS = {
    "p": ("mysql", "mariadb", "mongo", " login", "plink", "pscp"),
    "u": ("curl",),
    "-user": ("curl", "smb", "rpcclient"),
    "a": ("redis-cli", "http"),
    "-auth": ("http",),
    "P": ("sqlcmd", "ipmitool", "zip "),
    "w": ("ldap",),
    "U": ("smb", "rpcclient"),
}
_ORACLE = ("sqlplus", "sqlldr", "expdp", "impdp", "oracle:thin:")
_IDENTIFIED = ("by '", 'by "', "as '", "password '")
# What alone makes a text suspicious, in lower case: a command and lines of `.pgpass`.
_RARE = ("net user ", ":*:", ":6432:")
_SAYS = ("is", "was", "to", "be", "now", "ist", "war", "lautet", "auf", "est", "es", ":")
_SAYS_QUOTED = tuple(f"{word} {quote}" for word in _SAYS for quote in ('"', "\u201c", "\u201e"))
_NAME_CHARACTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"
_QUOTES = "\\\"'`"
_ROOTS = tuple(root for root in BEGINNINGS if root != "pwd")  # that has "pw"
_PASSWORDS = ("pass", "pw", "psk", "kennwort")
_MIXED = frozenset("0123456789!#$%^*+?~@&")
_BASE64_HEADS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdef")  # of four characters that encode ASCII
_MAX_LOGIN_CHARACTERS = 400
_CSV = frozenset(_NAME_CHARACTERS + ' "-,;\t')


def may_hold_secrets(view: TextView) -> bool:
    """False means the text has no secrets."""
    text = view.text
    if view.has_unusual_case or "PRIVATE KEY" in text or "Private-Lines:" in text or _has_login(text):
        return True
    if any(marker not in _LOOSE or _is_followed_by_key(view.long_words, marker) for marker in key_markers(view)):
        return True
    if _has_encoded(view) or ("<" in text and any(map(view.has, _BLOCKS))):
        return True
    if any(_is_named(view, root, at) for root in _ROOTS for at in view.places(root)):
        return True
    if _has_header(view) or _has_command(view):
        return True
    return not text.isascii() and any(map(view.has, FOREIGN_WORDS))


def may_hold_blocks(view: TextView) -> bool:
    """Whether a private or a recalled block may begin or end."""
    return view.may_have(_BLOCKS)


def may_hold_columns(view: TextView) -> bool:
    """Whether the column of a table may be of secrets."""
    return "|" in view.text and view.may_have(_HEADINGS)


def may_hold_structures(view: TextView) -> bool:
    """Whether a secret may be encoded, or its name be on another line or in another field."""
    return (
        _has_encoded(view)
        or "auth" in view.lower
        or any(
            _is_beside(view, root, at)
            for root in ("pass", "pwd", "kennwort", "secret", "token", "cred", "key")
            for at in view.places(root)
        )
    )


def key_markers(view: TextView) -> frozenset[str]:
    """The markers of keys that are in the long words."""
    if view.key_markers is None:
        view.key_markers = frozenset(_markers_in(view.long_words))
    return view.key_markers


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
_MARKERS_BY_SIGN = _by_sign((*MARKERS, *_WEBHOOKS, *_LOOSE))


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


def _has_encoded(view: TextView) -> bool:
    """Whether there may be text in base64, or a secret key of AWS."""
    for run in view.base64_runs:
        if not (run.islower() or run.isupper()) and (len(run) == 40 or is_encoded_text(run)):
            return True
    return False


def is_encoded_text(run: str) -> bool:
    """Whether a run may be ASCII in base64: each fourth character is one of half the alphabet. A name has no digits."""
    return _BASE64_HEADS.issuperset(run[::4]) and (len(run) >= 40 or any(map(str.isdigit, run)))


def _has_login(text: str) -> bool:
    """Whether a URL has a password or a long token before "@"."""
    at = text.find("://") if "@" in text else -1
    while at >= 0:
        login, sign, _ = text[at + 3 : at + _MAX_LOGIN_CHARACTERS].split("/", 1)[0].rpartition("@")
        user, colon, password = login.partition(":")
        if sign and (colon or len(user) >= 20) and password[:1] not in ("<", "$", "{") and len(login.split()) == 1:
            return True
        at = text.find("://", at + 1)
    return False


def _has_command(view: TextView) -> bool:
    """Whether a command and the option of its password are in the text, or a line of `.pgpass`."""
    lower, text = view.lower, view.text
    options = {piece[:5] if piece[:1] == "-" else piece[:1] for piece in text.split(" -")[1:]}
    if any(command in lower for option in options for command in _COMMANDS.get(option, ())):
        return True
    if "@" in text and any(command in lower for command in _ORACLE):
        return True
    if any(one in lower[at : at + 80] for at in view.places("identified ") for one in _IDENTIFIED):
        return True
    if any(word in lower for word in _RARE) or ("auth" in lower and _has_auth(view)):
        return True
    at = text.find(":543")
    while at >= 0 and text[at + 5 : at + 6] != ":":
        at = text.find(":543", at + 1)
    return at >= 0


def _has_auth(view: TextView) -> bool:
    """Whether "auth" is the name of a login: `"auth": "BASE64"`, `_auth=...`, `auth=(USER, PASSWORD)`."""
    lower = view.lower
    for at in view.places("auth"):
        rest = lower[at + 4 : at + 30].lstrip("\"' \t")
        if rest[:1] in (":", "=") and (rest[1:].lstrip()[:1] == "(" or lower[at - 1 : at] in ("_", '"', "'")):
            return True
    return False


def _has_header(view: TextView) -> bool:
    """Whether a token or a cookie follows the name of its header."""
    lower = view.lower
    for at in view.places("bearer"):
        if lower[at + 6 : at + 7] in (" ", "\t") and _is_random(lower[at + 6 : at + 90]):
            return True
    for at in view.places("authorization"):
        rest = lower[at + 13 : at + 160].lstrip(_QUOTES + " \t")
        if rest[:1] in (":", "=") and any(map(_is_random, rest[1:].split()[:2])):
            return True
    return any("=" in lower[at : at + 100] for at in view.places("cookie:"))


def _is_random(text: str) -> bool:
    word = (text.split(None, 1) or ("",))[0].strip(_QUOTES + ",;")
    return len(word) >= 8 and word[0] not in "<$%{[(" and "..." not in word and (len(word) >= 16 or not word.isalpha())


def _is_named(view: TextView, root: str, at: int) -> bool:
    """Whether a secret may follow its name, which contains the root."""
    text, lower = view.text, view.lower
    if root == "key" and not _is_owned(lower, at):
        return False
    if root in ("pw", "psk") and text[at - 1 : at].isalnum():
        return False
    behind = text[at + len(root) : at + len(root) + 200]
    rest = behind.lstrip(_NAME_CHARACTERS)
    value = rest.lstrip(_QUOTES + "[]0123456789").lstrip(" \t")
    if value[:1] in ("=", ":") and _is_value(view, root, at, value):
        return True
    if view.has("|") and _is_heading(lower, at):
        return True
    return _is_said(view, root, at) or _is_beside(view, root, at) or _is_argument(view, root, at, rest)


def _is_heading(lower: str, at: int) -> bool:
    """Whether the line below is the rule of a table: `|---|:--|`."""
    end = lower.find("\n", at)
    if end < 0 or lower[end + 1 : end + 5].lstrip(" \t")[:1] not in ("|", ":", "-"):
        return False
    below = lower[end + 1 : end + 5_000].split("\n", 1)[0]
    return "|" in below and not below.strip("|:- \t\r")


def _is_owned(lower: str, at: int) -> bool:
    end = at - 1 if lower[at - 1 : at] in ("-", "_", " ") else at
    return lower.endswith(KEY_OWNERS, max(0, end - 14), end)


def _is_value(view: TextView, root: str, at: int, rest: str) -> bool:
    """Whether a value follows the sign with which `rest` begins."""
    sign, value = rest[0], rest.lstrip(":=> \t")
    annotated = value.partition("=")[2] if sign == ":" and "=" in value[:60] else ""
    if annotated and _is_value(view, root, at, "=" + annotated):
        return True
    inner = value.lstrip(_QUOTES + "@")
    word = (inner.split(None, 1) or ("",))[0]
    if len(inner) < 4 or inner[0] in "$%{<(\r\n" or value[0] in "|>" or "..." in word:
        return False
    for end in ",;)&|`\"'":
        word = word.partition(end)[0]
    if root not in _PASSWORDS and not any(map(str.isalpha, word)):
        return False
    has_sign = not _MIXED.isdisjoint(word)
    if value[0] in _QUOTES or value[0] == "@":
        return root in _PASSWORDS or has_sign or len(word) >= 8
    if len(word) < 4:
        return False
    if has_sign or len(word) >= 16 or (sign == "=" and (root in _PASSWORDS or view.text[at].isupper())):
        return True
    return root in _PASSWORDS and inner[len(word) : len(word) + 1] in ("", "\n", "\r")


def _is_said(view: TextView, root: str, at: int) -> bool:
    """Whether a sentence around the name may have its value."""
    lower = view.lower
    if lower.startswith(" is", at + len(root)):
        words = lower[at + len(root) + 3 : at + len(root) + 100].split(None, 1)
        return bool(words) and not words[0].strip(_QUOTES + ".,:").isalpha()
    if root not in _PASSWORDS:
        return root == "cred" and "/" in lower[at : at + 90] and _is_mixed(lower[at : at + 150])
    if root == "pass" and not lower.startswith(("passw", "passph", "passc"), at):
        return lower.startswith("mot de ", at - 7) and at > 6
    nearby = lower[max(0, at - 90) : at + 150]
    return _is_mixed(nearby) or any(one in nearby for one in _SAYS_QUOTED)


def _is_mixed(text: str) -> bool:
    """Whether there is a word of letters, and digits or signs, or three words with hyphens."""
    for one in text.split():
        word = one.strip(".,;:()[]*`\"'|")
        if len(word) < 6 or word.isalpha() or word.startswith(("--", "~/", "./", "/")) or "](" in word or "://" in word:
            continue
        if not _MIXED.isdisjoint(word) or (word.count("-") > 1 and word.replace("-", "").isalpha()):
            return True
    return False


def _is_beside(view: TextView, root: str, at: int) -> bool:
    """Whether the value may be in another field, on another line or in a column."""
    lower = view.lower
    behind = lower[at + len(root) : at + len(root) + 120]
    if (
        "<string>" in behind
        or (root == "secret" and lower[max(0, at - 9) : at].rstrip("\"' ").endswith("kind:"))
        or any(_is_field(behind, name) for name in ("value", "default"))
    ):
        return True
    rest = behind.lstrip(_NAME_CHARACTERS).lstrip(_QUOTES + " \t")
    if rest[:1] in (":", "="):
        block = rest[1:].lstrip(" \t")
        return block[:1] in ("|", ">") or block.startswith(('"""', "'''"))
    if rest[:1] not in ("", "\n", "\r", ",", ";"):
        return False
    line, _, below = lower[lower.rfind("\n", 0, at) + 1 :][:500].partition("\n")
    below = below.partition("\n")[0]
    return any(0 < line.count(sign) == below.count(sign) for sign in ",;\t") and _CSV.issuperset(line.rstrip("\r"))


def _is_field(text: str, name: str) -> bool:
    at = text.find(name)
    return at >= 0 and text[at + len(name) :].lstrip(_QUOTES + " \t")[:1] in (":", "=", ">")


def _is_argument(view: TextView, root: str, at: int, rest: str) -> bool:
    """Whether it is the option of a command, an element of XML, or a word of SQL or PHP, and its value follows."""
    lower = view.lower
    if rest[:1] == ">":
        return len(rest) > 4 and rest[1] != "<" and "</" in rest
    before = lower[max(0, at - 250) : at]
    if rest.startswith(("',", '",')):
        return "define" in before
    if root != "pass":
        return False
    value = rest.lstrip(" \t=")
    if before.endswith(("ssh", "ht", "ch")) or ("machine " in before and "login " in before):
        return True
    if before.endswith(("--", "-store", "-key")) or (before.endswith(" -") and rest[:1] == " "):
        word = (value.lstrip(_QUOTES).split(None, 1) or ("",))[0]
        is_plain = word.isalpha() and len(word) < 16 and before.endswith("--")
        return "pass:" in value or (len(word) >= 4 and not is_plain and word[0] not in "<[$-")
    return value[:1] == "'" and any(word in before for word in ("role ", "user ", "login "))

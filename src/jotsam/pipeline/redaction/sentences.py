"""Passwords and keys in sentences: a table of patterns for `redact`, in English, German, French, Spanish and Chinese.

A sentence is more often about passwords than it contains one. So a value counts only if it has letters and either
digits or signs, is quoted, or consists of three words with hyphens.
"""

from __future__ import annotations

from jotsam.pipeline.redaction.cheap_check import FOREIGN_WORDS
from jotsam.pipeline.redaction.text_view import BEGINNING, TEXT

PASSWORD_WORDS = (
    *("passw", "passphrase", "passcode", "kennwort"),
    *("mot de passe", "contraseña"),
)
# Before a password: "X is the root password".
POINTERS = (
    *(" is the ", " is my ", " is our ", " is your ", " was the ", " as the ", " as my ", " as your ", " as password"),
    *("that's the ", "that's my ", "that's our ", "that is the ", " ist das ", " als passwort", " als kennwort"),
)
_PASSWORD = r"\b(?:passw(?:or)?[dt]|passphrase|passcode|kennwort|mot de passe|contraseña)"
_WORDS = r"(?:[ \xa0][\w'’.-]{1,20}){0,5}?"
_SAYS = r"(?:[ \xa0](?:is|was|to|be|now|ist|war|lautet|auf|est|es)[ \xa0:]{1,3}|:[ \xa0]{1,3})"
_MIXED = r"(?=[^\s\"'`„“”]{0,60}[0-9!#$%^*+?~@&])(?P<said>[^\s\"'`„“”]{6,}+)"

# Where a marker is, the markers, and the regular expression, as in `redact`.
SENTENCE_PATTERNS: tuple[tuple[str, tuple[str, ...], str], ...] = (
    (BEGINNING, PASSWORD_WORDS, rf"(?i:{_PASSWORD}{_WORDS}{_SAYS})[\"'`„“]?{_MIXED}"),
    (
        BEGINNING,
        PASSWORD_WORDS,
        rf"(?i:{_PASSWORD}{_WORDS}{_SAYS})[\"„“](?P<phrase>[^\s\"„“”][^\"„“”\n]{{5,80}}+)[\"“”]",
    ),
    (
        BEGINNING,
        PASSWORD_WORDS,
        rf"(?i:{_PASSWORD}{_WORDS}{_SAYS})(?P<phrase>[A-Za-z]{{4,20}}(?:-[A-Za-z]{{4,20}}){{2,5}})(?![\w-])",
    ),
    (
        BEGINNING,
        (*PASSWORD_WORDS, "pw "),
        rf"(?i:{_PASSWORD}|\bpwd?)[ \xa0][\"'`„“]?(?![^\s]*[()\[\]\\|])(?![^\s]*@\s){_MIXED}",
    ),
    (
        BEGINNING,
        POINTERS,
        r"(?i:[ \xa0]?(?:that'?s|that is|is|was|as|ist|als)(?:[ \xa0][\w'’-]{1,20}){0,4}?[ \xa0])"
        rf"(?P<behind>(?i:{_PASSWORD}))"
        r"(?![ -](?i:hash|manag|polic|field|file|prompt|length|reset|stor|check|encr|gener))",
    ),
    (
        BEGINNING,
        ("credentials", "creds"),
        r"(?i:\b(?:credentials|creds)[^\n:]{0,30}:[ \xa0]{0,3})"
        rf"[\w.@-]{{2,40}}[ ]?/[ ]?{_MIXED}",
    ),
    (
        BEGINNING,
        ("token is", "secret is", "key is"),
        r"(?i:\b(?:token|secret|(?:api|access|private|secret)[ _-]?key)) is:? {1,2}"
        r"[\"'`]?(?P<told>[A-Za-z0-9_/+=.-]{12,}+)",
    ),
    (
        BEGINNING,
        ("aws", "akia", "asia", "secret access key", "secret key", "secret_access_key"),
        r"(?i:aws|akia|asia|secret)[^\n]{0,120}?(?<![\w+/=.:-])(?!(?:[^/\s]*/){4})"
        r"(?P<aws_key>(?=[^\s]{0,37}[0-9][^\s]{0,37}[0-9])(?=[^\s]{0,39}[a-z])(?=[^\s]{0,39}[A-Z])[A-Za-z0-9+/]{40})(?![\w+/=-])",
    ),
    (
        TEXT,
        FOREIGN_WORDS[:3],
        r"(?:密码|密碼|口令)[ \t]{0,4}(?:是|为|為|=|:|：)[ \t]{0,4}[\"'`]?(?P<login>[!-&(-_a-~]{4,}+)",
    ),
)
# Words of a sentence about a password in quotes, and words that alone say how a password is.
_PROSE = frozenset(
    """a an and are be been can cannot does for has in is it may must no not of on only or see set should so the then
    this to too when will with you your""".split()  # noqa: SIM905
)
_STATES = frozenset(
    """correct empty expired hidden incorrect invalid missing optional required strong unknown wrong weak
    encrypted hashed""".split()  # noqa: SIM905
)


def is_phrase(value: str) -> bool:
    """Whether a quoted text after "the password is" is a password, not a part of the sentence."""
    words = value.lower().strip(".,;:!?").split()
    is_state = len(words) < 3 and not _STATES.isdisjoint(words)
    return (
        len(words) <= 6 and _PROSE.isdisjoint(words) and not is_state and not any(one in value for one in "<>{}()[]=\\")
    )


def word_before(text: str, at: int) -> tuple[int, int]:
    """Start and end of the word that ends before a place, without quotes, dashes and commas."""
    before = text[max(0, at - 80) : at].rstrip(" \xa0-\u2013\u2014,;:.")
    end = max(0, at - 80) + len(before)
    word = before.split()[-1] if before.split() else ""
    inner = word.lstrip("\"'`„“(")
    start = end - len(inner)
    return start, start + len(inner.rstrip("\"'`“”)"))

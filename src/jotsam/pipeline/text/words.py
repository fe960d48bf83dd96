"""Words for full-text search: bigrams for scripts without spaces, token estimates.

Used for documents and for queries, so that both are split the same way. The accept path imports this module, so it
imports nothing and builds no tables. The script of a character is looked up once per distinct character, which is
faster than a regular expression.
"""

from __future__ import annotations

CHARACTERS_PER_TOKEN = 4

_IDEOGRAPHS_AND_KANA = (
    (0x3005, 0x3007),
    (0x3041, 0x3096),
    (0x309D, 0x309F),
    (0x30A1, 0x30FA),
    (0x30FC, 0x30FF),
    (0x31F0, 0x31FF),
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0xFF66, 0xFF9F),
    (0x20000, 0x3FFFD),
)
_HANGUL = ((0x1100, 0x11FF), (0x3131, 0x318E), (0xA960, 0xA97C), (0xAC00, 0xD7FB))
_THAI_TO_KHMER = ((0x0E01, 0x0E3A), (0x0E40, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF))

_FIRST_UNSPACED = "\u0e01"

_ONE_TOKEN_EACH = _IDEOGRAPHS_AND_KANA + _HANGUL
# Korean has spaces, but appends particles to words: "서울에서" is "in Seoul".
_WITHOUT_SPACES = (*_IDEOGRAPHS_AND_KANA, *_THAI_TO_KHMER, (0xAC00, 0xD7A3))
# The letters of a Korean syllable, and the marks of kana, which macOS and some input methods write one by one.
_DECOMPOSED = ((0x1100, 0x11FF), (0x3099, 0x309A))


def normalise_newlines(text: str) -> str:
    """The text with CRLF and CR replaced by LF."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def estimate_tokens(text: str) -> int:
    """Estimated language model tokens: one per Han, kana or Hangul character, one per four other characters."""
    dense = sum(map(dense_characters(text).__contains__, text)) if not text.isascii() else 0
    return dense + -(-(len(text) - dense) // CHARACTERS_PER_TOKEN)


def dense_characters(text: str) -> frozenset[str]:
    """The distinct characters of the text that are estimated as one token each."""
    return frozenset() if text.isascii() else _characters_in(text, _ONE_TOKEN_EACH)


def index_terms(text: str) -> tuple[str, str]:
    """The text to index: the text without runs of scripts that use no spaces, and the bigrams of those runs.

    Splitting the two makes "SQLite" in "用SQLite数据库" searchable. The bigrams of a run are followed by its last
    character, so that each character begins an indexed token and a prefix query finds it.
    """
    text = spell_out(text)
    unspaced = frozenset() if text.isascii() else _characters_in(text, _WITHOUT_SPACES)
    if not unspaced:
        return text, ""
    words = "".join([" " if character in unspaced else character for character in text])
    runs = "".join([character if character in unspaced else " " for character in text]).split()
    return words, " ".join([" ".join([*map(str.__add__, run, run[1:]), run[-1]]) for run in runs])


_SPELLED_OUT = (
    *(("ß", "ss"), ("ẞ", "SS"), ("ﬀ", "ff"), ("ﬁ", "fi"), ("ﬂ", "fl"), ("ﬃ", "ffi"), ("ﬄ", "ffl")),
    *(("ﬅ", "st"), ("ﬆ", "st"), ("ŉ", "'n")),
)


def spell_out(text: str) -> str:
    """The text with "ß" as "ss", ligatures as their letters, and syllables composed, which no text index does."""
    if text.isascii():
        return text
    if _characters_in(text, _DECOMPOSED):
        from unicodedata import normalize  # only for such a text

        text = normalize("NFC", text)
    for character, letters in _SPELLED_OUT:
        if character in text:
            text = text.replace(character, letters)
    return text


def bigrams(text: str) -> str:
    """The overlapping character pairs of each run of a script without spaces: "数据库" gives "数据 据库".

    These scripts are Han, Hiragana, Katakana, Hangul, Thai, Lao, Khmer and Myanmar. A run of one character gives that
    character. Returns "" if the text has none of these scripts.
    """
    if text.isascii():
        return ""
    unspaced = _characters_in(text, _WITHOUT_SPACES)
    if not unspaced:
        return ""
    runs = "".join([character if character in unspaced else " " for character in text]).split()
    return " ".join([" ".join(map(str.__add__, run, run[1:])) or run for run in runs])


def _characters_in(text: str, ranges: tuple[tuple[int, int], ...]) -> frozenset[str]:
    """The distinct characters of the text that are in one of the code point ranges."""
    candidates = [character for character in set(text) if character >= _FIRST_UNSPACED]
    return frozenset(c for c in candidates if any(first <= ord(c) <= last for first, last in ranges))

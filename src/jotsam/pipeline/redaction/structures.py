"""Secrets in structures that spread over lines or are encoded: pairs of name and value, blocks, columns, base64.

`redact` imports this module when a text may have one.
"""

from __future__ import annotations

import re
from binascii import Error, a2b_base64

from jotsam.pipeline.redaction.cheap_check import is_encoded_text
from jotsam.pipeline.redaction.passwords import is_ordinary_word, is_placeholder, looks_random

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Span = tuple[str, int, int]

_NAME = (
    r"(?P<name>[\w.-]{0,40}?(?:passw(?:or)?d|passphrase|(?<![a-z])pwd|kennwort|secret|token|credential"
    r"|(?:api|private|access|auth|signing|encryption)[_-]?key)[\w.-]{0,20}+)"
)
_ONE = r"(?:\\?[\"'](?P<quoted>[^\"'\n\\]{4,400}+)\\?[\"']|(?P<bare>[^\s\"'`,;<>(){}\[\]&|]{4,400}+))"
_PAIRS = (
    rf"(?i:\b(?:name|key|parameterkey|variable)\\?[\"']?\s{{0,4}}[:=]\s{{0,4}}\\?[\"']?{_NAME}\\?[\"']?\s{{0,20}},?\s{{0,40}}"
    rf"\\?[\"']?(?:parameter)?value\\?[\"']?\s{{0,4}}[:=]\s{{0,4}}){_ONE}",
    rf"(?i:<(?:key|name)>{_NAME}</(?:key|name)>\s{{0,40}}<(?:string|value)>)(?P<bare>[^<>\s]{{4,400}}+)</",
    rf"(?im:^[ \t-]{{0,40}}[\"']?{_NAME}[\"']?[ \t]{{0,2}}[:=][ \t]{{0,2}}(?:[|>][+-]?|\"\"\"|'''))[ \t]{{0,4}}\n"
    r"[ \t]{0,40}(?P<bare>[^\s]{4,400}+)[ \t]{0,4}(?m:$)",
    rf"(?im:^[ \t-]{{0,40}}[\"']?{_NAME}[\"']?:[ \t]{{0,4}}\n[ \t]{{1,40}}(?:value|default):[ \t]{{1,4}}){_ONE}(?m:$)",
)
_NOT_NAMES = ("name", "file", "path", "type", "url", "public", "expir", "length", "count", "policy", "ref")
_BASE64 = (
    r"(?<![A-Za-z0-9+/_-])(?P<run>(?:[A-Zabcdef][A-Za-z0-9+/]{3}){4,}"
    r"(?:[A-Zabcdef][A-Za-z0-9+/]{1,2}={1,2})?)(?![A-Za-z0-9+/=_-])"
)
_DATA = r"(?m:^(?P<indent>[ \t]{0,20})(?:data|stringData):[ \t]{0,4}$)(?:\n(?P=indent)[ \t]+[^\n]*+)++"
_DATUM = (
    r"(?m:^)[ \t]+[\"']?[\w.-]{1,80}[\"']?:[ \t]{1,4}(?:[|>][+-]?[ \t]{0,4}\n[ \t]+)?"
    r"[\"']?(?P<value>[^\s\"'|>]{4,}+)[\"']?[ \t]*(?m:$)"
)
_LOGIN = r"(?i:(?:\"auth|\b_auth|'auth)[\"']?\s{0,4}[:=]\s{0,4})[\"']?(?P<run>[A-Za-z0-9+/]{8,400}+={0,2})"
_MOST_RUNS, _MOST_DECODED = 200, 64_000  # of one text, so that decoding is bounded
_HEADINGS = (
    r"(?im:^(?=[^\n]{0,200}(?:passw(?:or)?[dt]|kennwort|secret|token|api[ _-]?key))"
    r"[\w \"-]{1,40}(?P<sign>[,;\t])[\w \"-]{1,40}(?:(?P=sign)[\w \"-]{1,40}){0,20}$)"
)
_SECRET_HEADING = r"(?i)(?:[\w-]*[ _-])?(?:passw(?:or)?[dt]|kennwort|secret|token|api[ _-]?key)"


def structure_secrets(text: str, holds_secret: Callable[[str], bool] | None) -> Iterator[Span]:
    """Kind, start and end of each secret, in order and apart. Encoded text is decoded if `holds_secret` is given."""
    found = sorted(
        [*_pairs(text), *_columns(text), *_manifests(text), *(_encoded(text, holds_secret) if holds_secret else ())],
        key=_place,
    )
    end = 0
    for kind, start, stop in found:
        if start >= end:
            yield kind, start, stop
            end = stop


def _place(span: Span) -> tuple[int, int]:
    return span[1], -span[2]


def _pairs(text: str) -> Iterator[Span]:
    """Names and values side by side: environments of containers, plists, blocks of YAML and TOML."""
    for pattern in _PAIRS:
        for match in re.finditer(pattern, text):
            name, group = match["name"].lower(), match.lastgroup or "bare"
            value = match[group]
            is_password = any(word in name for word in ("passw", "passphrase", "pwd", "kennwort"))
            if any(word in name for word in _NOT_NAMES) or is_placeholder(value):
                continue
            if is_password or (len(value) >= 8 and looks_random(value) and not is_ordinary_word(value)):
                yield "password" if is_password else "secret", *match.span(group)


def _manifests(text: str) -> Iterator[Span]:
    """All values of a Kubernetes secret but certificates, whatever their names."""
    if not re.search(r"(?im:^[ \t-]{0,20}[\"']?kind[\"']?:[ \t]{0,4}[\"']?secret\b)", text):
        return
    for block in re.finditer(_DATA, text):
        for line in re.finditer(_DATUM, block[0]):
            value = line["value"]
            if not is_placeholder(value) and not (_decoded(value) or "").startswith("-----BEGIN CERT"):
                yield "secret", block.start() + line.start("value"), block.start() + line.end("value")


def _columns(text: str) -> Iterator[Span]:
    """Values below a heading such as "password" in CSV."""
    read = 0  # end of the last table: what looks like a heading inside it is a row
    for heading in re.finditer(_HEADINGS, text):
        sign, names = heading["sign"], heading[0].split(heading["sign"])
        columns = [i for i, name in enumerate(names) if re.fullmatch(_SECRET_HEADING, name.strip(' "'))]
        if not columns or heading.start() < read:
            continue
        read = heading.end() + 1
        while read < len(text):
            end = text.find("\n", read)
            row = text[read : end if end >= 0 else len(text)]
            cells = row.split(sign)
            if len(cells) != len(names):
                break
            for column in columns:
                value = cells[column].strip(' "\r')
                start = read + sum(len(cell) + 1 for cell in cells[:column]) + cells[column].find(value)
                if _is_cell(value):
                    yield "password", start, start + len(value)
            read += len(row) + 1


def _is_cell(value: str) -> bool:
    return len(value) >= 6 and not any(map(str.isspace, value)) and looks_random(value) and not is_placeholder(value)


def _encoded(text: str, holds_secret: Callable[[str], bool]) -> Iterator[Span]:
    """Base64 of a login, a key, or a text with a secret. It is decoded once."""
    for match in re.finditer(_LOGIN, text):
        decoded = _decoded(match["run"])
        user, sign, password = (decoded or "").partition(":")
        if sign and user and len(password) > 3 and not any(map(str.isspace, decoded or "")):
            yield "basic-login", *match.span("run")
    for count, match in enumerate(re.finditer(_BASE64, text)):
        if count >= _MOST_RUNS:
            break
        decoded = _decoded(match["run"][:_MOST_DECODED]) if is_encoded_text(match["run"].rstrip("=")) else None
        if decoded and holds_secret(decoded):
            yield "secret", *match.span("run")


def _decoded(run: str) -> str | None:
    """The text that is encoded, or `None` if it is no plain text."""
    try:
        decoded = a2b_base64(run + "=" * (-len(run) % 4)).decode("ascii")
    except (Error, UnicodeDecodeError):
        return None
    return decoded if decoded.translate(_LINE_ENDS).isprintable() else None


_LINE_ENDS = {ord(one): " " for one in "\r\n\t"}

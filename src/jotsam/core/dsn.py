"""Addresses of databases, model servers and our own: server or file, schema, and secrets hidden in messages.

`mask_address` is the only way in which an address is shown or stored, and a message of a driver or an HTTP library goes
through `hide_secrets` first, because it may quote a piece of the address.

Addresses are parsed as libpq does: everything before the first `@` is user and password, unless a `/` comes first, so
a password may contain `#` and `?`. This module imports no driver and nothing heavy, because hooks use it.
"""

from __future__ import annotations

from jotsam.core.errors import InvalidInput
from jotsam.core.validate import shown

SERVER_PREFIXES = ("postgresql://", "postgres://")
DEFAULT_SCHEMA = "jotsam"
REPLICAS = "read"  # the parameter that names replicas
OF_ONE_HOST = ("host", "hostaddr", "port", "target_session_attrs", "load_balance_hosts")  # not those of a replica
MAX_SCHEMA_LENGTH, SCHEMA_LETTERS = 48, "abcdefghijklmnopqrstuvwxyz_"

# Parameters whose values are shown. Any other, also one of a newer libpq, may hold a secret.
PUBLIC_PARAMETERS = """
host hostaddr port dbname user schema service servicefile passfile application_name fallback_application_name
client_encoding connect_timeout tcp_user_timeout target_session_attrs load_balance_hosts keepalives
keepalives_idle keepalives_interval keepalives_count sslmode sslnegotiation sslrootcert sslcert sslkey sslcrl sslcrldir
sslsni requiressl ssl_min_protocol_version ssl_max_protocol_version gssencmode krbsrvname channel_binding require_auth
"""


MODEL_PREFIXES = ("https://", "http://")
# A part of a path after one of these names, or with a run like that of a key, may be secret.
SECRET_NAMES = ("key", "keys", "apikey", "api-key", "token", "tokens", "secret", "password", "auth")
MIXED_RUN, LONG_RUN = 8, 24  # characters of a run that has letters and digits, and of any other
PUBLIC_MODEL_PARAMETERS = ("api-version", "api_version", "version", "region", "deployment")

# libpq's other form of an address. As a file name it would put its password into the name of the database.
KEYWORDS = [
    "host",
    "hostaddr",
    "port",
    "dbname",
    "user",
    "password",
    "passfile",
    "service",
    "sslmode",
    "sslpassword",
    "options",
]
# URLs, absolute paths of two parts and more, hosts with a port, and workers in errors of the queue.
ADDRESS = (
    r"[a-zA-Z][a-zA-Z0-9+.-]*://[^\s'\"<>]*[^\s'\"<>.,:;)]"
    r"|(?<![\w./])(?:/[\w.@+-]+){2,}/?"
    r"|\b(?:\d{1,3}(?:\.\d{1,3}){3}|(?=[\w.-]*[a-zA-Z])[\w-]+(?:\.[\w-]+)*):\d{2,7}\b"
    r"|(?<=\bworker )\d+ on \S+|(?<=\bthe lease of )\S+"
)
HIDDEN = "(address of the server)"
DELIMITERS = "@#?/:&=%+;, "
MIN_PIECE = 3  # shorter pieces of a secret are part of ordinary words


def is_server(url: str) -> bool:
    """True for the address of a server, False for the path of a file. Raises `InvalidInput` for any other URL."""
    if url.startswith(SERVER_PREFIXES):
        return True
    name, mark, _ = url.partition("=")
    if "://" not in url and ((mark and name.strip().lower() in KEYWORDS) or "password=" in url):
        raise InvalidInput(
            "invalid db: it looks like libpq's keyword form (host=... dbname=...); write it as"
            " postgresql://USER:PASSWORD@HOST:PORT/DATABASE"
        )
    name, mark, rest = url.partition(":")
    if mark and rest.startswith("//"):
        raise InvalidInput(f"unsupported database {name}://: must be a file or postgresql://...")
    if mark and f"{name.lower()}://" in SERVER_PREFIXES:
        raise InvalidInput(f"invalid db {url[: len(name) + 2]!r}: the address of a server begins with postgresql://")
    return False


def split_schema(url: str) -> tuple[str, str]:
    """The address for the driver, and the schema that `?schema=` names. Raises `InvalidInput`."""
    scheme, credentials, place, query = _split(without_replicas(url))
    pairs = [pair for pair in query.split("&") if pair]
    schemas = [_unquoted(value) for name, _, value in (pair.partition("=") for pair in pairs) if name == "schema"]
    schema = schemas[0] if schemas else DEFAULT_SCHEMA
    allowed = set(SCHEMA_LETTERS + "0123456789")
    if not 0 < len(schema) <= MAX_SCHEMA_LENGTH or schema[0].isdigit() or not set(schema) <= allowed:
        raise InvalidInput(
            f"invalid schema {schema!r}: must be at most {MAX_SCHEMA_LENGTH} lower-case letters, digits and _"
        )
    rest = "&".join(pair for pair in pairs if pair.partition("=")[0] != "schema")
    return f"{scheme}{credentials}{place}{'?' if rest else ''}{rest}", schema


def replicas(url: str) -> tuple[tuple[str, str], ...]:
    """Name and address of each replica that `?read=` names. Raises `InvalidInput`.

    Each is HOST or HOST:PORT, which has everything else of the primary's address, or a percent-encoded address.
    """
    given = _replica_values(url)
    if len(given) > 1:
        raise InvalidInput("invalid db: `read` is given twice; separate the replicas by commas")
    return tuple(_replica(url, _unquoted(one)) for value in given for one in value.split(","))


def without_replicas(url: str) -> str:
    """The address of the primary alone."""
    if f"{REPLICAS}=" not in url:
        return url
    scheme, credentials, place, query = _split(url)
    rest = "&".join(pair for pair in query.split("&") if pair and pair.partition("=")[0] != REPLICAS)
    return f"{scheme}{credentials}{place}{'?' if rest else ''}{rest}"


def mask_with_replicas(url: str) -> str:
    """The address and its replicas without passwords and keys."""
    masked = mask_address(url)
    try:
        names = ",".join(name for name, _ in replicas(url)) if is_server(url) else ""
    except InvalidInput:
        names = "..."
    return f"{masked}{'&' if '?' in masked else '?'}{REPLICAS}={names}" if names else masked


def mask_address(url: str) -> str:
    """The address without passwords and keys, for messages. Of a malformed address less is shown rather than more.

    Its replicas are left out: with them and without, it is the same database.
    """
    if url.lower().startswith(MODEL_PREFIXES):
        return mask_model_url(url)
    if not url.startswith(SERVER_PREFIXES):
        try:
            is_server(url)
        except InvalidInput:
            return "(invalid address)"
        return url
    scheme, credentials, place, query = _split_at_last(without_replicas(url))
    user = credentials.removesuffix("@").partition(":")[0]
    shown = "&".join(_masked(pair) for pair in query.split("&") if pair and not _is_password(pair))
    return f"{scheme}{user}{'@' if user else ''}{place}{'?' if shown else ''}{shown}"


def user(url: str) -> str:
    """The user in the address of a server; empty if it names none."""
    return _unquoted(_split(url)[1].removesuffix("@").partition(":")[0])


def hide_secrets(text: str, url: str) -> str:
    """A message about an address without the pieces of the address that may be secret."""
    secrets = sorted(_secrets(url), key=len, reverse=True)
    for secret in secrets:
        text = text.replace(secret, "...")
    return text


def without_addresses(text: str) -> str:
    """An error without URLs, paths, hosts and workers, for who may not know where the server and its parts are."""
    import re  # slow to import, and rarely needed

    return re.sub(ADDRESS, HIDDEN, text)


def _secrets(url: str) -> set[str]:
    """Every run of the address that could be a secret, or a piece of one that a library misread."""
    own: list[str] = []  # addresses of replicas
    if url.lower().startswith(MODEL_PREFIXES):
        rest = url.partition("://")[2]
        credentials, _, place = rest.rpartition("@")
        path, _, query = place.partition("#")[0].partition("?")
        values = [credentials, *(pair.partition("=")[2] for pair in place.partition("?")[2].split("&"))]
        values += [
            part for part, shown in zip(path.split("/"), _masked_path(path).split("/"), strict=True) if part != shown
        ]
    elif url.startswith(SERVER_PREFIXES):
        _, credentials, _, query = _split_at_last(without_replicas(url))
        pairs = (pair for pair in query.split("&") if not _is_public(pair.partition("=")[0]))
        values = [credentials.removesuffix("@").partition(":")[2], *(pair.partition("=")[2] for pair in pairs)]
        parts = [_unquoted(part) for value in _replica_values(url) for part in value.split(",")]
        own = [part for part in parts if part.startswith(SERVER_PREFIXES)]
        values += [part for part in parts if "@" in part and part not in own]
    else:
        return set()
    found: set[str] = {secret for one in own for secret in _secrets(one)}
    for value in {*values, *map(_unquoted, values)}:
        starts = [0, *(at + 1 for at, letter in enumerate(value) if letter in DELIMITERS)]
        ends = [*(at for at, letter in enumerate(value) if letter in DELIMITERS), len(value)]
        found |= {value[start:end] for start in starts for end in ends if end - start >= MIN_PIECE}
    return found


def check_http_url(name: str, value: object) -> str:
    """The address of a server of Jotsam, without a slash at its end. Raises `InvalidInput`."""
    from urllib.parse import urlsplit  # slow to import, and rarely needed

    text = value if isinstance(value, str) else ""
    try:
        parts = urlsplit(text)
        is_right = parts.scheme in ("http", "https") and bool(parts.hostname) and "@" not in parts.netloc
    except ValueError:
        is_right = False
    if not is_right:
        told = shown(value) if "@" not in str(value) else "with a user name"
        raise InvalidInput(f"invalid {name} {told}: must be as http://127.0.0.1:8787, or https://memory.example.org")
    return text.rstrip("/")


def mask_model_url(url: str) -> str:
    """Scheme, host and path; of the parameters the names, and the values of those that are public."""
    scheme, separator, rest = url.rpartition("://") if url.count("://") == 1 else ("", "", url)
    place, mark, query = rest.rpartition("@")[2].partition("#")[0].partition("?")
    shown = "&".join(map(_masked_parameter, query.split("&")))
    return f"{scheme}{separator}{_masked_path(place)}{mark}{shown if mark else ''}"


def _masked_path(place: str) -> str:
    """Host and path, with `...` for each part of the path that may be secret."""
    host, *parts = place.split("/")
    before = ["", *parts]
    shown = ["..." if _may_be_secret(part, after=name) else part for part, name in zip(parts, before, strict=False)]
    return "/".join((host, *shown))


def _may_be_secret(part: str, *, after: str) -> bool:
    if not part or after.lower() in SECRET_NAMES:
        return bool(part)
    runs = "".join(letter if letter.isalnum() else " " for letter in _unquoted(part)).split()
    return any(len(run) >= LONG_RUN or (len(run) >= MIXED_RUN and _is_mixed(run)) for run in runs)


def _is_mixed(run: str) -> bool:
    return any(letter.isdigit() for letter in run) and any(letter.isalpha() for letter in run)


def _masked_parameter(pair: str) -> str:
    name, equals, _ = pair.partition("=")
    return pair if name.lower() in PUBLIC_MODEL_PARAMETERS else f"{name}=..." if equals else "..."


def _split_at_last(url: str) -> tuple[str, str, str, str]:
    """As `_split`, but of a malformed address everything before the last `@` belongs to user and password."""
    scheme, credentials, place, query = _split(url)
    if "@" in place or ("@" in query and not _is_well_formed(query)):
        credentials, at, place = f"{credentials}{place}?{query}".rpartition("@")
        credentials += at
        place, _, query = place.partition("?")
    return scheme, credentials, place, query


def _split(url: str) -> tuple[str, str, str, str]:
    """Scheme, user and password with their `@`, host and path, parameters."""
    scheme, mark, rest = url.partition("://")
    before, at, after = rest.partition("@")
    if not at or "/" in before:
        before, at, after = "", "", rest
    place, _, query = after.partition("?")
    return scheme + mark, before + at, place, query


def _replica_values(url: str) -> list[str]:
    pairs = (pair.partition("=") for pair in _split(url)[3].split("&"))
    return [value for name, _, value in pairs if name == REPLICAS]


def _replica(url: str, text: str) -> tuple[str, str]:
    """Name and address of one replica."""
    if text.startswith(SERVER_PREFIXES):
        place = _split_at_last(text)[2].partition("/")[0]
        return place or mask_address(text), text
    host, port = _host_and_port(text)
    if not host or (port and not (port.isdecimal() and port.isascii() and 0 < int(port) < 65_536)) or "@" in text:
        named = "" if "@" in text else f" {text!r}"
        raise InvalidInput(
            f"invalid replica{named} in the address of the database: must be HOST:PORT, or an address of its own that"
            " is percent-encoded; several are separated by commas"
        )
    scheme, credentials, place, query = _split(without_replicas(url))
    kept = [pair for pair in query.split("&") if pair and pair.partition("=")[0] not in OF_ONE_HOST]
    from urllib.parse import quote  # slow to import, and rarely needed

    pairs = [f"host={quote(host, safe='')}", *([f"port={port}"] if port else []), *kept]
    return text, f"{scheme}{credentials}/{place.partition('/')[2]}?{'&'.join(pairs)}"


def _host_and_port(text: str) -> tuple[str, str]:
    if text.startswith("["):
        host, end, rest = text[1:].partition("]")
        return (host, rest[1:]) if end and (not rest or (rest[0] == ":" and rest[1:])) else ("", "")
    host, mark, port = text.rpartition(":")
    return (host, port or "0") if mark and ":" not in host else (text, "")


def _is_well_formed(query: str) -> bool:
    return all(_is_public(pair.partition("=")[0]) or _is_password(pair) for pair in query.split("&"))


def _is_public(name: str) -> bool:
    return _unquoted(name) in PUBLIC_PARAMETERS.split()


def _is_password(pair: str) -> bool:
    return _unquoted(pair.partition("=")[0]) in ("password", "sslpassword")


def _masked(pair: str) -> str:
    name, equals, _ = pair.partition("=")
    return pair if _is_public(name) else f"{name}=..." if equals else "..."


def _unquoted(text: str) -> str:
    if "%" not in text:
        return text
    from urllib.parse import unquote  # slow to import, and rarely needed

    return unquote(text)

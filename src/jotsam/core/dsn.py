"""The address of a database: whether it is a server's, where its password stands, and how messages show it.

It stands on the ground, for settings are shown as well. It reads an address as the server's own library (libpq) does:
whatever stands before the first `@` is a user and a password, unless a `/` comes first, so `#` and `?` may be part of a
password. It must not import a driver, and nothing heavy: a hook asks it.
"""

from __future__ import annotations

from jotsam.core.errors import InvalidInput

SERVERS = ("postgresql://", "postgres://")
SCHEMA = "jotsam"
LONGEST, LETTERS = 48, "abcdefghijklmnopqrstuvwxyz_"

OPEN = """
host hostaddr port dbname user schema service servicefile passfile application_name fallback_application_name
client_encoding options connect_timeout tcp_user_timeout target_session_attrs load_balance_hosts keepalives
keepalives_idle keepalives_interval keepalives_count sslmode sslnegotiation sslrootcert sslcert sslkey sslcrl sslcrldir
sslsni requiressl ssl_min_protocol_version ssl_max_protocol_version gssencmode krbsrvname channel_binding require_auth
"""
"""Parameters that may be shown with their values. Whatever else there is, or a newer library knows, may be a secret."""


def is_server(url: str) -> bool:
    """Whether it is the address of a server; else it is the path of a file. Raises `InvalidInput` for neither."""
    if url.startswith(SERVERS):
        return True
    name, mark, rest = url.partition(":")
    if mark and rest.startswith("//"):
        raise InvalidInput(f"{name}:// is no database of this program: give a file or postgresql://...")
    if mark and f"{name.lower()}://" in SERVERS:
        raise InvalidInput(f"db begins with {url[: len(name) + 2]!r}: an address of a server begins with postgresql://")
    return False


def parsed(url: str) -> tuple[str, str]:
    """The address for the driver, and the schema, which `?schema=` names. Raises `InvalidInput`."""
    scheme, credentials, place, query = _cut(url)
    pairs = [pair for pair in query.split("&") if pair]
    schemas = [_plain(value) for name, _, value in (pair.partition("=") for pair in pairs) if name == "schema"]
    schema = schemas[0] if schemas else SCHEMA
    if not 0 < len(schema) <= LONGEST or schema[0].isdigit() or not set(schema) <= set(LETTERS + "0123456789"):
        raise InvalidInput(f"schema is {schema!r}: give a name of at most {LONGEST} lower-case letters, digits and _")
    rest = "&".join(pair for pair in pairs if pair.partition("=")[0] != "schema")
    return f"{scheme}{credentials}{place}{'?' if rest else ''}{rest}", schema


def shown(url: str) -> str:
    """The address as messages show it: without passwords. Where it is not well made, rather less is shown than more."""
    if not url.startswith(SERVERS):
        return url
    scheme, credentials, place, query = _cut(url)
    if "@" in place or ("@" in query and not _is_well_made(query)):
        credentials, _, place = f"{credentials}{place}?{query}".rpartition("@")
        place, _, query = place.partition("?")
    user = credentials.removesuffix("@").partition(":")[0]
    shown = "&".join(_shown(pair) for pair in query.split("&") if pair and not _is_password(pair))
    return f"{scheme}{user}{'@' if user else ''}{place}{'?' if shown else ''}{shown}"


def _cut(url: str) -> tuple[str, str, str, str]:
    """The scheme, the user and password with their `@`, where it leads, and the parameters."""
    scheme, mark, rest = url.partition("://")
    before, at, after = rest.partition("@")
    if not at or "/" in before:
        before, at, after = "", "", rest
    place, _, query = after.partition("?")
    return scheme + mark, before + at, place, query


def _is_well_made(query: str) -> bool:
    return all(_is_open(pair.partition("=")[0]) or _is_password(pair) for pair in query.split("&"))


def _is_open(name: str) -> bool:
    return _plain(name) in OPEN.split()


def _is_password(pair: str) -> bool:
    return _plain(pair.partition("=")[0]) in ("password", "sslpassword")


def _shown(pair: str) -> str:
    name, equals, _ = pair.partition("=")
    return pair if _is_open(name) else f"{name}=..." if equals else "..."


def _plain(text: str) -> str:
    if "%" not in text:
        return text
    from urllib.parse import unquote  # Hardly any address needs it.

    return unquote(text)

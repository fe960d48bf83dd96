"""Addresses of engines, and opening the engine at an address. The libraries of engines are imported only then."""

from __future__ import annotations

from jotsam.core.errors import InvalidInput
from jotsam.core.names import FALKORDB, QDRANT
from jotsam.core.validate import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.core.settings import Settings
    from jotsam.engines.engine import Engine

SCHEMES = {"falkordb": FALKORDB, "falkordbs": FALKORDB, "qdrant": QDRANT, "qdrants": QDRANT}
TLS = ("falkordbs://", "qdrants://")
# The setting with the password or key of each engine.
SECRETS = {FALKORDB: "falkordb_password", QDRANT: "qdrant_api_key"}
EXAMPLES = "falkordb://HOST:6379 or qdrant://HOST:6333; with TLS falkordbs:// or qdrants://"


def name_of(address: str) -> str:
    """The name of the engine at an address, which is its kind. Raises `InvalidInput`, also for one with a password."""
    scheme, mark, rest = address.partition("://")
    name = SCHEMES.get(scheme.lower())
    if name is None or not mark:
        known = shown(scheme) if mark else "an address without a scheme"
        raise InvalidInput(f"invalid engine, {known}: must be {EXAMPLES}")
    user, at, _ = rest.rpartition("@")
    if (at and (name == QDRANT or ":" in user)) or "?" in rest or "#" in rest:
        setting = SECRETS[name]
        raise InvalidInput(
            f"invalid address of {name}: it has a password, a key or parameters, and it would be stored; remove them,"
            f" and put the password or key into the setting {setting} (environment: JOTSAM_{setting.upper()})"
        )
    if not rest or not rest.isprintable() or any(character.isspace() for character in rest):
        raise InvalidInput(f"invalid address {shown(address)}: must be {EXAMPLES}")
    return name


def ca_file(address: str, settings: Settings) -> str | None:
    """The file of an authority that the server of an address is trusted by too; None: none, or no TLS.

    Raises `InvalidInput` if it cannot be read.
    """
    path = settings.engine_ca_file
    if not path or not address.lower().startswith(TLS):
        return None
    import ssl  # slow to import

    try:
        ssl.create_default_context(cafile=path)
    except OSError as error:  # An `SSLError` too, if it contains no certificate.
        raise InvalidInput(
            f"invalid engine_ca_file {shown(path)}: must be a file of certificates as PEM ({error.strerror or error})"
        ) from error
    return path


def open_engine(address: str, settings: Settings) -> Engine:
    """The engine at an address. Connects nowhere. Raises `InvalidInput`, also if its library is not installed."""
    if name_of(address) == FALKORDB:
        from jotsam.engines.falkordb import FalkorDBEngine

        return FalkorDBEngine(address, password=settings.falkordb_password or None, ca_file=ca_file(address, settings))
    from jotsam.engines import qdrant

    return qdrant.open_engine(address, secret=settings.qdrant_api_key or None, ca_file=ca_file(address, settings))

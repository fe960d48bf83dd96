"""Reads files as documents: decodes text, and determines source and date.

As light as `accept`. It does not open the database. Errors are `InvalidInput` with the path, and a hint as their note,
so that one file does not stop the others.
"""

from __future__ import annotations

import os
import stat

from jotsam.core.clock import LATEST_MS
from jotsam.core.errors import InvalidInput
from jotsam.core.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_BYTES = 64_000_000
BINARY_CHECK_BYTES = 8_192
# Byte order marks, longer ones first, because one is a prefix of the other.
MARKS = ((b"\xff\xfe\0\0", "utf-32"), (b"\0\0\xfe\xff", "utf-32"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))

# File names that usually contain secrets, in lower case, as secret scanners list them.
_NAMES = (
    "id_rsa id_dsa id_ecdsa id_ed25519 id_ecdsa_sk id_ed25519_sk .netrc _netrc .pgpass pgpass.conf .my.cnf "
    ".mylogin.cnf .npmrc .pypirc .git-credentials .htpasswd .dockercfg .dockerconfigjson .s3cfg .boto .vault-token "
    ".terraformrc terraform.rc credentials.tfrc.json rclone.conf kubeconfig sftp-config.json wp-config.php .envrc "
    "proftpdpasswd .credentials credentials credentials.json credentials.toml credentials.yml credentials.yaml "
    "credentials.xml credentials.ini credentials.csv credentials.db application_default_credentials.json "
    ".secret .secrets secrets.json secrets.toml secrets.yml secrets.yaml"
)
_ENDINGS = "pem key p8 p12 pfx pkcs12 ppk jks keystore kdbx kdb agilekeychain keychain psafe3 ovpn tfvars tfstate"
SECRET_NAMES, SECRET_ENDINGS = frozenset(_NAMES.split()), frozenset(_ENDINGS.split())
SECRET_PLACES = frozenset((".docker/config.json", ".kube/config", "gh/hosts.yml", "etc/shadow"))
SECRET_BEGINNINGS = ("service-account", "service_account", "serviceaccount", "client_secret", "client-secret")
PUBLIC_ENDINGS = frozenset(("example", "sample", "template", "dist", "pub", "md"))  # `.env.example`, `id_rsa.pub`


class Reading(Record):
    """A file as text. `source` does not depend on the working directory."""

    text: str
    warnings: tuple[str, ...] = ()
    source: str | None = None
    folder: str | None = None
    date: int | None = None  # of the last modification


def read(path: str, *, force: bool = False) -> Reading:
    """Read a file. Raises `InvalidInput` if it is missing, a directory, unreadable, too large or not text, or if its
    name suggests that it contains secrets and `force` is not set.

    The source is the real absolute path, with `~` for the home folder, so that two files never share one: a newer text
    of a source supersedes the older. A pipe has no source and no date.
    """
    if not force and is_secret_file(path):
        raise _secret(path)
    try:
        with open(path, "rb") as file:
            facts = os.fstat(file.fileno())
            raw = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise _unreadable(path, error) from error
    except ValueError as error:
        raise InvalidInput(f"invalid path {path!r}: {error}") from error
    if len(raw) > MAX_BYTES:
        raise InvalidInput(f"{path} is larger than {MAX_BYTES // 1_000_000} MB: split it")
    text, warnings = decode(raw, name=path)
    if not stat.S_ISREG(facts.st_mode):
        return Reading(text=text, warnings=warnings)
    real = os.path.realpath(path)
    changed = facts.st_mtime_ns // 1_000_000
    return Reading(
        text=text,
        warnings=warnings,
        source=with_tilde(real),
        folder=os.path.dirname(real),
        date=changed if 0 <= changed <= LATEST_MS else None,
    )


def decode(raw: bytes, *, name: str) -> tuple[str, tuple[str, ...]]:
    """Decode text; returns warnings about replaced bytes. Raises `InvalidInput` for binary data."""
    encoding = next((encoding for mark, encoding in MARKS if raw.startswith(mark)), "utf-8")
    if encoding == "utf-8" and b"\0" in raw[:BINARY_CHECK_BYTES]:
        raise InvalidInput(f"{name} is binary: only text can be added")
    try:
        return raw.decode(encoding), ()
    except UnicodeDecodeError:
        text = raw.decode(encoding, "replace")
        wrong = text.count("\ufffd") - (raw.count(b"\xef\xbf\xbd") if encoding == "utf-8" else 0)
        places = "place that is" if wrong == 1 else "places that are"
        return text, (f"{wrong} {places} not {encoding.upper()} replaced by U+FFFD",)


def is_secret_file(path: str) -> bool:
    """Whether the name of the file, or of the target of a link, suggests that it contains secrets."""
    return any(_is_secret(name) for name in {path, os.path.realpath(path)})


def _is_secret(path: str) -> bool:
    folder, name = (os.path.basename(part).lower() for part in (os.path.dirname(path), path))
    stem, _, ending = name.rpartition(".")
    if ending in PUBLIC_ENDINGS:
        return False
    if name in SECRET_NAMES or f"{folder}/{name}" in SECRET_PLACES or (stem and ending in SECRET_ENDINGS):
        return True
    is_environment = name == ".env" or name.startswith((".env.", ".env-", ".env_")) or (stem and ending == "env")
    is_key_of_a_service = ending == "json" and name.startswith(SECRET_BEGINNINGS)
    return bool(is_environment or is_key_of_a_service)


def under(folder: str, patterns: Iterable[str]) -> list[str]:
    """Paths of the files below a folder that match one of the patterns, sorted, without hidden files and folders.

    A pattern with a slash is matched with the path below the folder, any other with the file name. Raises
    `InvalidInput` if the folder does not exist.
    """
    from fnmatch import fnmatchcase  # slow to import

    if not os.path.isdir(folder):
        raise InvalidInput(f"{folder} is not a directory")
    wanted, found = tuple(patterns), []
    for where, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            path = os.path.join(where, name)
            below = os.path.relpath(path, folder).replace(os.sep, "/")
            if not name.startswith(".") and any(fnmatchcase(below if "/" in p else name, p) for p in wanted):
                found.append(path)
    return sorted(found)


def _secret(path: str) -> InvalidInput:
    refused = InvalidInput(f"{path} is refused: its name suggests that it contains secrets")
    refused.add_note("--force adds it with its secrets redacted; so does standard input (-)")
    return refused


def _unreadable(path: str, error: OSError) -> InvalidInput:
    if not isinstance(error, IsADirectoryError):
        return InvalidInput(f"{path or repr(path)} cannot be read: {error.strerror or error}")
    refused = InvalidInput(f"{path} is a directory")
    refused.add_note(f"to add the files in it: jotsam add --dir {path}")
    return refused


def with_tilde(path: str) -> str:
    """A real path, with `~` for the home folder."""
    home = os.path.realpath(os.path.expanduser("~"))
    inside = home != os.sep and path.startswith(home + os.sep)
    return "~" + path[len(home) :] if inside else path

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
    from typing import BinaryIO

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


def read_file(path: str, *, force: bool = False) -> Reading:
    """Read a file. Raises `InvalidInput` if it is missing, a directory, unreadable, too large or not text, or if its
    name suggests that it contains secrets and `force` is not set.

    The source is the real absolute path, with `~` for the home folder, so that two files never share one: a newer text
    of a source supersedes the older.
    """
    if not force and is_secret_file(path):
        raise _secret(path)
    with open_regular(path) as file:
        facts = os.fstat(file.fileno())
        raw = file.read(MAX_BYTES + 1)
    if len(raw) > MAX_BYTES:
        raise InvalidInput(f"{path} is larger than {MAX_BYTES // 1_000_000} MB: split it")
    text, warnings = decode(raw, name=path)
    real = os.path.realpath(path)
    changed = facts.st_mtime_ns // 1_000_000
    return Reading(
        text=text,
        warnings=warnings,
        source=with_tilde(real),
        folder=os.path.dirname(real),
        date=changed if 0 <= changed <= LATEST_MS else None,
    )


def open_regular(path: str) -> BinaryIO:
    """Open a file for reading. Raises `InvalidInput` if it cannot be read or is not a regular file.

    A FIFO without a writer would block, and a device such as /dev/zero never ends.
    """
    try:
        number = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        mode = os.fstat(number).st_mode
    except OSError as error:
        raise _unreadable(path, error) from error
    except ValueError as error:
        raise InvalidInput(f"invalid path {path!r}: {error}") from error
    if stat.S_ISREG(mode):
        return os.fdopen(number, "rb")
    os.close(number)
    raise _not_regular(path, mode)


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


class Listing(Record):
    """The files below a folder."""

    matching: tuple[str, ...]  # sorted paths
    others: dict[str, int]  # number of files that match no pattern, by ending such as `.py`; most frequent first
    hidden: int  # files and folders whose names start with a dot; what is in such a folder is not counted


def below_all(folders: Iterable[str], patterns: Iterable[str]) -> Listing:
    """The same below several folders. A file that is below two of them is listed once."""
    wanted = [*patterns]
    found = [below(folder, wanted) for folder in dict.fromkeys(folders)]
    others: dict[str, int] = {}
    for listing in found:
        for ending, count in listing.others.items():
            others[ending] = others.get(ending, 0) + count
    return Listing(
        matching=tuple(sorted({path for listing in found for path in listing.matching})),
        others=dict(sorted(others.items(), key=lambda one: -one[1])),
        hidden=sum(listing.hidden for listing in found),
    )


def below(folder: str, patterns: Iterable[str]) -> Listing:
    """The files below a folder that match one of the patterns, and counts of the others.

    A pattern with a slash is matched with the path below the folder, any other with the file name. Raises
    `InvalidInput` if the folder does not exist.
    """
    from fnmatch import fnmatchcase  # slow to import

    if not os.path.isdir(folder):
        raise InvalidInput(f"{folder} is not a directory")
    wanted, matching, others, hidden = tuple(patterns), [], dict[str, int](), 0
    for where, folders, names in os.walk(folder):
        hidden += sum(name.startswith(".") for name in (*folders, *names))
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            path = os.path.join(where, name)
            inside = os.path.relpath(path, folder).replace(os.sep, "/")
            if name.startswith("."):
                continue
            if any(fnmatchcase(inside if "/" in p else name, p) for p in wanted):
                matching.append(path)
            else:
                ending = os.path.splitext(name)[1].lower()
                others[ending] = others.get(ending, 0) + 1
    ranked = dict(sorted(others.items(), key=lambda other: (-other[1], other[0])))
    return Listing(matching=tuple(sorted(matching)), others=ranked, hidden=hidden)


def _secret(path: str) -> InvalidInput:
    refused = InvalidInput(f"{path} is refused: its name suggests that it contains secrets")
    refused.add_note("--force adds it with its secrets redacted; so does standard input (-)")
    return refused


def _unreadable(path: str, error: OSError) -> InvalidInput:
    return InvalidInput(f"{path or repr(path)} cannot be read: {error.strerror or error}")


def _not_regular(path: str, mode: int) -> InvalidInput:
    if stat.S_ISDIR(mode):
        refused = InvalidInput(f"{path} is a directory")
        refused.add_note(f"to add the files in it: jotsam add {path}")
        return refused
    refused = InvalidInput(f"{path} is a {'FIFO' if stat.S_ISFIFO(mode) else 'device'}, not a regular file")
    refused.add_note("to add the output of a program: PROGRAM | jotsam add -")
    return refused


def with_tilde(path: str) -> str:
    """A real path, with `~` for the home folder."""
    home = os.path.realpath(os.path.expanduser("~"))
    inside = home != os.sep and path.startswith(home + os.sep)
    return "~" + path[len(home) :] if inside else path

"""Copies a model once, from a folder or an address, into the folder of models. Only done when somebody asks for it.

What is copied is exactly what an embedder reads; nothing of it is executed. The weights are checked by their SHA-256,
and the model is there whole or not at all.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from urllib.parse import urljoin

from jotsam.core.clock import new_id
from jotsam.core.errors import InvalidInput, JotsamError
from jotsam.core.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO

NEEDED = ("config.json", "tokenizer.json")
OPTIONAL = ("sentence_bert_config.json", "1_Pooling/config.json")
WEIGHTS = ("model.safetensors", "model.onnx")
PIECE = 1 << 20
SECONDS = 60


class Fetched(Record):
    """A model that is there now: the name to choose it by, its folder, and the SHA-256 of its weights."""

    name: str
    folder: str
    sha256: str


def fetch(source: str, *, into: str, name: str, sha256: str | None = None, weights: str = WEIGHTS[0]) -> Fetched:
    """Copy the model in the folder, or below the address, `source`.

    An address needs the `sha256` that its weights must have. Raises `InvalidInput`, or `JotsamError` if something
    cannot be fetched; then nothing is left behind.
    """
    is_address = source.startswith(("https://", "http://"))
    _check(name, sha256, weights, is_address=is_address)
    target = os.path.join(into, name)
    if os.path.exists(target):
        raise InvalidInput(f"{target} exists: remove it, or give another --name")
    partial = f"{target}.partial-{new_id()[:8]}"
    os.makedirs(partial, mode=0o700)
    try:
        for file in (*NEEDED, *OPTIONAL):
            _copy(source, file, partial, is_address=is_address, optional=file in OPTIONAL)
        digest = _copy(source, weights, partial, is_address=is_address)
        if sha256 and digest != sha256.lower():
            raise InvalidInput(f"{weights} of {source} has the SHA-256 {digest}, and not {sha256}: it was not kept")
        os.rename(partial, target)
    except OSError as error:
        raise JotsamError(f"{source} cannot be fetched: {error}") from error
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return Fetched(name=name, folder=target, sha256=digest or "")


def _check(name: str, sha256: str | None, weights: str, *, is_address: bool) -> None:
    if not name or name != os.path.basename(name) or name.startswith("."):
        raise InvalidInput(f"name is {name!r}: give a name without a slash, by which embed_model will choose the model")
    if weights not in WEIGHTS:
        raise InvalidInput(f"weights is {weights!r}: give {' or '.join(WEIGHTS)}")
    if is_address and not sha256:
        raise InvalidInput("what comes from an address must be checked: give the --sha256 of its weights")
    if sha256 is not None and (len(sha256) != 64 or set(sha256.lower()) - set("0123456789abcdef")):
        raise InvalidInput(f"sha256 is {sha256!r}: give 64 hexadecimal digits")


def _copy(source: str, file: str, target: str, *, is_address: bool, optional: bool = False) -> str | None:
    """The SHA-256 of what was copied; None: it is not there, and need not be."""
    try:
        with _opened(source, file, is_address=is_address) as reading:
            path = os.path.join(target, file)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            found = hashlib.sha256()
            with open(path, "wb") as writing:
                while piece := reading.read(PIECE):
                    found.update(piece)
                    writing.write(piece)
            return found.hexdigest()
    except FileNotFoundError as error:
        if optional:
            return None
        raise InvalidInput(f"{source} holds no model: there is no {file}") from error


def _opened(source: str, file: str, *, is_address: bool) -> IO[bytes]:
    if not is_address:
        return open(os.path.join(os.path.expanduser(source), file), "rb")
    from urllib.error import HTTPError
    from urllib.request import urlopen

    try:
        found: IO[bytes] = urlopen(urljoin(source.rstrip("/") + "/", file), timeout=SECONDS)
    except HTTPError as error:
        error.close()
        if error.code == 404:
            raise FileNotFoundError(f"{source} has no {file}") from error
        raise
    return found

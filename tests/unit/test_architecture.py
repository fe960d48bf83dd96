"""The structure of the package: which folder may import which, which module may import which library, and how large a
file may be.

Imports inside functions and under `TYPE_CHECKING` count like any other. Each test reads every file and lists every
offender.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import get_args

from jotsam.agents.agent import every_agent
from jotsam.agents.registry import AGENTS, SESSION_FORMATS, WITH_SESSIONS
from jotsam.core.settings import LLM_AGENTS
from jotsam.memory import options

PACKAGE = Path(__file__).parents[2] / "src" / "jotsam"

# Which folders a folder imports, besides `core` and itself: these and no others, and each of them. A folder that is not
# listed here is an error. `storage/{graph,queue}` is `storage/graph storage/queue`.
MAY_IMPORT = {
    "admin": (
        "admin/{agents,checks} ingest memory memory/{api,engines,forgetting,jobs,status} models "
        "pipeline/languages queueing storage storage/{memories,queue,recall,sqlite,status,transfer} worker "
        "worker/enrichment"
    ),
    "admin/agents": "agents ingest storage storage/memories",
    "admin/checks": "agents memory/{api,jobs,status} models queueing storage storage/{memories,postgres,queue,sqlite}",
    "agents": "storage/sqlite",
    "agents/*": "agents pipeline/languages storage/sqlite",
    "core": "",
    "core/platform": "",
    "engines": "",
    "ingest": ("agents pipeline pipeline/{redaction,text} storage storage/{forgetting,memories,queue,recall,sqlite}"),
    "ingest/memory_formats": "engines ingest storage/sqlite",
    "integrations": "",
    "memory": "storage storage/{access,queue,transfer}",
    "memory/access": "ingest memory pipeline/redaction storage storage/access",
    "memory/api": (
        "ingest memory "
        "memory/{access,engines,events,forgetting,graph,jobs,lifecycle,reading,status,transfer,writing} "
        "pipeline/{facts,lifecycle,redaction} retrieval retrieval/{rank,search} storage "
        "storage/{graph,lifecycle,memories,queue,recall} worker worker/{enrichment,lifecycle}"
    ),
    "memory/automem": (
        "ingest memory memory/{api,lifecycle,reading,writing} pipeline/{dates,extraction} retrieval "
        "retrieval/{question,rank} storage storage/{graph,lifecycle,memories,queue,recall,transfer}"
    ),
    "memory/engines": "engines memory retrieval/search storage storage/{engines,queue,recall,transfer} worker",
    "memory/events": "memory pipeline/redaction storage storage/{status,transfer}",
    "memory/forgetting": (
        "ingest memory/reading pipeline/{entities,lifecycle,text} storage "
        "storage/{access,forgetting,graph,lifecycle,memories,queue,recall,transfer} worker worker/enrichment"
    ),
    "memory/graph": (
        "memory memory/reading pipeline/{entities,facts,text} storage storage/{graph,lifecycle,memories,recall}"
    ),
    "memory/jobs": (
        "ingest memory memory/{access,engines,events,forgetting,lifecycle,reading,status} "
        "pipeline/{extraction,llm} queueing storage storage/{costs,graph,memories,queue,recall,sqlite,status} "
        "worker worker/enrichment"
    ),
    "memory/lifecycle": (
        "agents ingest memory/{reading,transfer} pipeline/{lifecycle,text} storage "
        "storage/{lifecycle,memories} worker/lifecycle"
    ),
    "memory/reading": (
        "ingest memory/engines models pipeline pipeline/{extraction,redaction,text} "
        "retrieval/{present,question,rank,search} "
        "storage storage/{costs,graph,lifecycle,memories,queue,recall} worker/lifecycle"
    ),
    "memory/sessions": (
        "ingest memory/status pipeline/{languages,notes,redaction} retrieval retrieval/{question,rank} "
        "storage storage/{memories,queue,recall} worker"
    ),
    "memory/status": "ingest memory/events storage storage/{costs,graph,lifecycle,memories,queue,recall,status}",
    "memory/transfer": (
        "engines ingest ingest/memory_formats memory/{forgetting,reading,writing} models "
        "pipeline/{redaction,statements} storage "
        "storage/{costs,forgetting,graph,lifecycle,memories,queue,recall,sqlite,transfer} worker/enrichment"
    ),
    "memory/writing": (
        "ingest memory memory/reading pipeline storage "
        "storage/{forgetting,graph,lifecycle,memories,queue,recall} worker/{enrichment,lifecycle}"
    ),
    "models": "agents",
    "pipeline": "",
    "pipeline/dates": "pipeline/{languages,text}",
    "pipeline/entities": "pipeline/{languages,text}",
    "pipeline/extraction": "pipeline/{dates,entities,facts,languages,text}",
    "pipeline/facts": "pipeline/{dates,entities,languages,text}",
    "pipeline/languages": "",
    "pipeline/lifecycle": "pipeline/{dates,extraction,languages,likeness,statements,text}",
    "pipeline/likeness": "pipeline/{entities,languages,statements,text}",
    "pipeline/llm": "pipeline/{dates,extraction,facts,lifecycle,notes,redaction,statements,text}",
    "pipeline/notes": "pipeline/{languages,text}",
    "pipeline/redaction": "",
    "pipeline/statements": "pipeline/languages",
    "pipeline/text": "",
    "queueing": "storage storage/queue",
    "remote": "memory memory/{api,writing}",
    "retrieval": (
        "pipeline/{notes,text} retrieval/{present,question,rank,search} storage storage/{graph,memories,queue,recall}"
    ),
    "retrieval/present": (
        "pipeline/{facts,likeness,text} retrieval/{question,rank,search} storage storage/{graph,memories,recall}"
    ),
    "retrieval/question": "pipeline/{dates,facts,languages,notes,text} storage storage/{graph,memories,recall}",
    "retrieval/rank": (
        "pipeline/{facts,languages,notes,statements,text} retrieval/question storage storage/{graph,memories,recall}"
    ),
    "retrieval/search": (
        "models pipeline/{dates,notes} retrieval/{question,rank} storage storage/{graph,memories,recall}"
    ),
    "storage": "storage/{postgres,sqlite}",
    "storage/access": "storage",
    "storage/costs": "storage",
    "storage/engines": "storage",
    "storage/forgetting": "storage storage/{lifecycle,memories,recall}",
    "storage/graph": "storage",
    "storage/lifecycle": "storage storage/{graph,memories,recall}",
    "storage/memories": "storage",
    "storage/postgres": "storage",
    "storage/queue": "storage",
    "storage/recall": "storage",
    "storage/sqlite": "storage",
    "storage/status": "storage",
    "storage/transfer": "storage",
    "surfaces/agent_files": "admin/agents agents ingest memory/api",
    "surfaces/cli": ("agents ingest memory memory/{api,status} surfaces/cli/{operate,remember} surfaces/{hooks,mcp}"),
    "surfaces/cli/agents": (
        "admin admin/agents agents ingest memory/{api,jobs,reading} surfaces/{agent_files,cli} surfaces/cli/remember"
    ),
    "surfaces/cli/ask": ("memory/{api,lifecycle,reading,sessions} retrieval/present surfaces/cli surfaces/cli/operate"),
    "surfaces/cli/keep": "admin ingest memory/{api,jobs,reading,transfer} surfaces/cli",
    "surfaces/cli/operate": (
        "admin agents ingest memory/{access,api,jobs,status} surfaces/{agent_files,cli,http,mcp,web} "
        "surfaces/http/server"
    ),
    "surfaces/cli/remember": (
        "agents ingest memory memory/{api,forgetting,transfer,writing} surfaces/cli surfaces/cli/operate"
    ),
    "surfaces/hooks": "agents ingest memory/sessions surfaces/cli",
    "surfaces/http": (
        "admin memory memory/{access,api,events,jobs,writing} surfaces/http/{automem,requests,server,v1} surfaces/mcp"
    ),
    "surfaces/http/automem": "admin memory/{api,automem,jobs,lifecycle,writing} surfaces/http/{requests,server}",
    "surfaces/http/requests": "memory/{access,api,status} surfaces/http/server",
    "surfaces/http/server": "admin memory/{api,events,status}",
    "surfaces/http/v1": "memory/{access,api,forgetting,jobs,lifecycle,reading,transfer} surfaces/http/requests",
    "surfaces/mcp": "memory/{api,automem,forgetting,jobs,reading,sessions,status,writing}",
    "surfaces/web": "memory/{access,api,reading} surfaces/http surfaces/http/{requests,server} surfaces/web/pages",
    "surfaces/web/drawings": "memory/graph",
    "surfaces/web/pages": (
        "admin admin/agents agents memory "
        "memory/{api,forgetting,graph,jobs,lifecycle,reading,status,writing} retrieval/present "
        "surfaces/http/{requests,server} surfaces/web/drawings"
    ),
    "worker": (
        "engines models pipeline/{llm,notes} queueing storage storage/{costs,engines,memories,queue,recall} "
        "worker/{enrichment,lifecycle}"
    ),
    "worker/enrichment": (
        "ingest models pipeline "
        "pipeline/{dates,entities,extraction,facts,lifecycle,likeness,llm,notes,redaction,statements,text} "
        "queueing storage storage/{costs,forgetting,graph,memories,queue,recall}"
    ),
    "worker/lifecycle": (
        "ingest models pipeline/{dates,extraction,lifecycle,likeness,llm,text} queueing storage "
        "storage/{costs,forgetting,graph,lifecycle,memories,queue,recall} worker/enrichment"
    ),
}

# Folders that import each other. `storage.connect` opens either database, which implements the contract in `storage`;
# `surfaces/cli` starts `add`, `status` and `hook` without a parser, because they must start in milliseconds.
TOGETHER = {("storage", f"storage/{name}") for name in ("postgres", "sqlite")}
TOGETHER |= {("surfaces/cli", f"surfaces/{name}") for name in ("cli/operate", "cli/remember", "hooks")}

# Folders whose modules do not import each other: each is a set of queries on its own tables.
SEPARATE = ("storage/access", "storage/engines", "storage/memories", "storage/status", "storage/transfer")

# The modules that may import the public names, which are for users: through them a module could reach everything, past
# the table. These look records up by the names in signatures.
OF_PUBLIC_NAMES = {"remote.calls", "remote.operation_calls", "surfaces.http.openapi", "surfaces.http.operation_routes"}

# The only modules that may import a library from outside the standard library; a name that ends with a dot is a folder.
LIBRARIES = {
    "apsw": [
        *(
            "storage.sqlite.sqlite",
            "storage.sqlite.sqlite_backup",
            "storage.sqlite.sqlite_connection",
            "storage.sqlite.sqlite_restore",
        ),
        *("storage.sqlite.sqlite_salvage", "storage.sqlite.sqlite_schema", "storage.sqlite.foreign_database"),
    ],
    **{
        name: [f"integrations.{name}"]
        for name in ("agent_framework", "anthropic", "crewai", "langgraph", "llama_index", "pydantic_ai")
    },
    "agents": ["integrations.openai_agents"],
    "pydantic": ["integrations.pydantic_ai"],  # writes its records as JSON
    "google": ["integrations.adk"],
    "anyio": [
        "surfaces.http.app",
        "surfaces.http.server.limits",
        "surfaces.http.time_limit",
        "surfaces.web.site",
    ],
    "falkordb": ["engines.falkordb_connection"],
    "h11": ["surfaces.http.serve"],
    "jinja2": ["surfaces.web.templates"],
    "markdown_it": ["surfaces.web.pages.markdown"],
    "markupsafe": ["surfaces.web."],  # comes with jinja2
    "httpx2": ["models.openai_endpoint", "remote.async_client", "remote.client", "remote.exchange"],
    "msgspec": [
        "memory.transfer.export_format",
        "queueing.queue",
        "surfaces.cli.agents.extraction",
        "surfaces.cli.output",
        "surfaces.cli.values",
        "surfaces.http.requests.decode",
        "surfaces.http.events",
        "surfaces.http.schemas",
        "surfaces.http.operation_routes",
        "surfaces.http.mcp",
        "surfaces.http.requests.route",
        "surfaces.http.v1.",
        "surfaces.http.automem.",
    ],
    "numpy": ["models.bert_encoder", "models.local_embedder", "models.safetensors", "storage.recall.vector_matrix"],
    "onnxruntime": ["models.onnx_encoder"],
    "opentelemetry": ["core.tracing"],
    "prometheus_client": ["surfaces.http.server.server_metrics"],
    "redis": ["engines.falkordb_connection"],  # comes with falkordb, whose errors it raises
    "psycopg": [
        "storage.postgres.postgres",
        "storage.postgres.postgres_connection",
        "storage.postgres.postgres_replicas",
    ],
    "qdrant_client": ["engines.qdrant_server"],
    "qdrant_edge": ["engines.qdrant_folder"],
    "shtab": ["surfaces.cli.operate.completion"],
    "spacy": ["models.spacy_ner"],
    "starlette": ["surfaces.http.app", "surfaces.http.serve", "surfaces.web.site"],
    "tomlkit": ["surfaces.agent_files.edit_toml"],
    "tokenizers": ["models.local_embedder"],
    "uvicorn": ["surfaces.http.serve"],
    "_typeshed": ["surfaces.cli.command"],
}

# Modules of the standard library that are dangerous in the wrong place, and where each may be imported.
RESTRICTED = {
    "asyncio": [
        "integrations.",
        "surfaces.http.events",
        "surfaces.http.probes",
        "surfaces.http.time_limit",
        "memory.api.async_client",
        "remote.async_client",
        "queueing.coroutines",
    ],
    "http": ["models.fake_endpoint"],
    "pickle": [],
    **{name: ["core.platform."] for name in ("ctypes", "fcntl", "msvcrt", "resource", "select", "winreg")},
    **{name: [] for name in ("grp", "platform", "pty", "pwd", "termios", "tty")},
    "random": [],  # Chance comes from `core.clock`, so that a test can fix it.
    "secrets": [],
    "socket": ["models.openai_endpoint", "surfaces.http.serve"],
    "sqlite3": [],  # A second SQLite library on one file drops the locks of the first, and committed rows are lost.
    "subprocess": [
        *(
            "core.platform.processes",
            "surfaces.agent_files.self_test",
            "surfaces.http.background",
            "worker.enrichment.extraction_process",
        ),
        *("models.agent_program", "models.packaged_model"),
        "surfaces.cli.ask.open_source",
    ],
    "time": ["core.clock"],
    "urllib": [
        *("core.dsn", "models.download", "remote.exchange", "remote.request", "surfaces.http.app"),
        *("surfaces.cli.operate.dashboard", "surfaces.http.automem.viewer", "surfaces.web.", "integrations."),
    ],
    "uuid": [],
}

# Pure folders: records in, records out. They import none of these.
PURE = ("pipeline", "queueing.backoff")
PURE += tuple(f"retrieval.question.{name}" for name in ("intent", "mentions", "parse", "stems", "terms"))
PURE += tuple(
    f"retrieval.rank.{name}" for name in ("context", "contradictions", "evidence", "fuse", "judge", "scores", "weights")
)
PURE += (
    "retrieval.present.layout",
    "retrieval.present.pack",
    "retrieval.present.excerpt",
    "retrieval.present.matches",
    "retrieval.present.passages",
    "retrieval.present.footer",
    "retrieval.present.render",
)
IMPURE = {"io", "logging", "os", "pathlib", "shutil", "sys", "threading"}

# Where the agents are named outside of their folders: the list of all, the public type of the option `format`, the
# setting `llm`, the actors that are no people, and examples for users. `claude` is also in examples of models and of
# another program, `cursor` and `git` are words.
ROLES = "pipeline/entities/roles.py"
LISTS = {"agents/registry.py", "core/settings.py", "memory/options.py", ROLES}
NAMED_IN = {
    "codex": {*LISTS, "surfaces/cli/agents/commands.py"},
    "gemini": LISTS,
    "opencode": {*LISTS, "models/agent_program.py"},
    "vscode": {"agents/registry.py", "pipeline/entities/gazetteer.py", ROLES},
}
COMMON_WORDS = {"claude", "cursor", "git"}

MOST_LINES, MOST_FUNCTION_LINES, MOST_PARAMETERS = 500, 60, 7

# Public methods name every option, so that an editor completes it and a type checker refuses a wrong one.
PUBLIC = {
    "memory.api.client",
    "memory.api.read_methods",
    "memory.api.bulk_methods",
    "memory.api.async_client",
    "memory.api.admin_client",
}
PUBLIC |= {"memory.api.async_methods", "queueing.queue", "queueing.processor"}

# Where an exception of any kind may be handled without raising: a worker must go on, a surface must report it.
BROAD_HANDLERS = ("queueing.loop", "surfaces")

FILES = {
    ".".join(file.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__"): file
    for file in sorted(PACKAGE.rglob("*.py"))
}


@cache
def nodes(module: str) -> list[ast.AST]:
    """Of its syntax tree. Not parsed on import: each process of the tests imports this file."""
    return list(ast.walk(ast.parse(FILES[module].read_text(encoding="utf-8"))))


@cache
def imported(module: str) -> set[str]:
    """The full names that a module imports: `jotsam.core.errors`, `os.path`."""
    found: set[str] = set()
    for node in nodes(module):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            found.update(name if name.removeprefix("jotsam.") in FILES else str(node.module) for name in names)
    return found


def own_imports() -> Iterator[tuple[str, str]]:
    """Pairs of modules of the package: the one that imports, and the one that it imports."""
    for module in FILES:
        for name in imported(module):
            target = name.removeprefix("jotsam.")
            if name.startswith("jotsam.") and target in FILES and target != module:
                yield module, target


def folder(module: str) -> str:
    return FILES[module].parent.relative_to(PACKAGE).as_posix()


def listed(folder: str) -> str:
    """The name of a folder in the table."""
    return "agents/*" if folder.startswith("agents/") else folder


def folders_of(row: str) -> set[str]:
    """The folders that a row of the table names."""
    found = set()
    for name in row.split():
        parent, brace, names = name.removesuffix("}").partition("{")
        found |= {parent + one for one in names.split(",")} if brace else {name}
    return found


def arrows() -> dict[tuple[str, str], list[str]]:
    """Which folder imports which, as the table names them, with the modules that do."""
    found: dict[tuple[str, str], list[str]] = {}
    for module, target in own_imports():
        source, goal = listed(folder(module)), folder(target)
        if source != "." and goal not in (folder(module), "core", "core/platform"):
            found.setdefault((source, goal), []).append(f"{module} imports {target}")
    return found


def test_folders_import_only_what_the_table_allows() -> None:
    table = {(source, goal) for source, row in MAY_IMPORT.items() for goal in folders_of(row)}
    offenders = [text for arrow, texts in arrows().items() if arrow not in table for text in texts]
    unknown = {listed(folder(module)) for module in FILES} - set(MAY_IMPORT) - {".", "surfaces"}
    offenders += [f"{name}/ is not in the table" for name in unknown]
    offenders += [f"{source}/ imports nothing of {goal}/ any more" for source, goal in table - arrows().keys()]
    assert not offenders, "\n".join(sorted(offenders))


def test_no_folder_imports_one_that_imports_it() -> None:
    graph: dict[str, set[str]] = {}
    for source, goal in arrows().keys() - TOGETHER:
        graph.setdefault(source, set()).add(listed(goal))
        graph.setdefault(listed(goal), set())
    assert [name for name in sorted(graph) if name in reachable(graph, name) and name != "agents/*"] == []


def test_only_one_package_asks_which_system_it_runs_on() -> None:
    asks = re.compile(r"\bsys\.platform\b|\bos\.(?:name|uname)\b")
    offenders = [module for module, path in FILES.items() if asks.search(path.read_text(encoding="utf-8"))]
    assert [module for module in offenders if not module.startswith("core.platform.")] == []


def test_imports_are_absolute() -> None:
    """The tests here read the full names."""
    relative = [module for module in FILES for node in nodes(module) if isinstance(node, ast.ImportFrom) and node.level]
    assert relative == []


def test_only_the_package_itself_lies_at_the_top() -> None:
    assert {path.name for path in PACKAGE.iterdir() if path.is_file()} == {"__init__.py", "__main__.py", "py.typed"}


def test_only_what_reads_signatures_imports_the_public_names() -> None:
    """The adapters for frameworks import them too, as programs of users do."""
    found = {one for one in FILES if one and "jotsam" in imported(one)}
    assert {one for one in found if not one.startswith("integrations.")} == OF_PUBLIC_NAMES


def test_modules_that_must_stay_separate_do_not_import_each_other() -> None:
    offenders = [
        f"{module} imports {target}" for module, target in own_imports() if folder(module) == folder(target) in SEPARATE
    ]
    assert not offenders, "\n".join(offenders)


def test_what_is_particular_to_an_agent_is_in_its_folder() -> None:
    texts = {
        path.relative_to(PACKAGE).as_posix(): path.read_text(encoding="utf-8", errors="replace")
        for path in PACKAGE.rglob("*")
        if path.is_file() and path.suffix != ".bin" and "__pycache__" not in path.parts
    }
    named = {
        agent: {
            name
            for name, text in texts.items()
            if not name.startswith(f"agents/{agent}/") and re.search(rf"\b{agent}\b", text)
        }
        for agent in {*AGENTS} - COMMON_WORDS
    }
    assert named == NAMED_IN
    folders = {path.name for path in (PACKAGE / "agents").iterdir() if path.is_dir()} - {"__pycache__"}
    assert folders == {*AGENTS}


def test_the_lists_of_agents_say_which_have_session_files_and_which_are_run_as_a_model() -> None:
    """The lists are read at the start of a hook, which imports no other agent."""
    assert {name for name in AGENTS if f"agents.{name}.model" in FILES} == {*LLM_AGENTS}
    assert {name for name in AGENTS if f"agents.{name}.sessions" in FILES} == {*WITH_SESSIONS.values()}
    assert get_args(options.SessionFormat) == SESSION_FORMATS, "add the format to the type in memory/options.py"
    assert {agent.name for agent in every_agent()} == {*AGENTS}


def test_there_is_no_import_cycle() -> None:
    graph: dict[str, set[str]] = {module: set() for module in FILES}
    for module, target in own_imports():
        graph[module].add(target)
    cycles = {
        " and ".join(sorted(other for other in reachable(graph, module) if module in reachable(graph, other)))
        for module in graph
        if module in reachable(graph, module)
    }
    assert not cycles, "\n".join(sorted(cycles))


def reachable(graph: dict[str, set[str]], module: str) -> set[str]:
    """The modules that a module imports, directly or through others."""
    found: set[str] = set()
    waiting = [module]
    while waiting:
        waiting += (new := graph[waiting.pop()] - found)
        found |= new
    return found


def test_each_library_is_imported_by_the_modules_named_for_it() -> None:
    offenders = []
    for module in FILES:
        for name in {name.split(".")[0] for name in imported(module)} - {"jotsam"}:
            allowed = RESTRICTED.get(name) if name in sys.stdlib_module_names else LIBRARIES.get(name, [])
            prefixes = tuple(one for one in allowed or () if one.endswith("."))
            if allowed is not None and module not in allowed and not module.startswith(prefixes):
                offenders.append(f"{module} imports {name}")
            if name in IMPURE and module.startswith(PURE):
                offenders.append(f"{module} is pure and imports {name}")
    assert not offenders, "\n".join(sorted(offenders))


def test_files_functions_and_parameter_lists_are_small() -> None:
    offenders = [
        f"{path.relative_to(PACKAGE).as_posix()}: {lines} lines"
        for path in sorted([*FILES.values(), *PACKAGE.rglob("*.sql")])
        if (lines := path.read_text(encoding="utf-8").count("\n")) > MOST_LINES
    ]
    for module in FILES:
        for node in nodes(module):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
                parameters = [one for one in arguments if one.arg not in ("self", "cls", "tx")]
                is_public = module in PUBLIC and not node.name.startswith("_")
                if len(parameters) > MOST_PARAMETERS and not is_public:
                    offenders.append(f"{module}.{node.name}: {len(parameters)} parameters")
                if (node.end_lineno or 0) - node.lineno >= MOST_FUNCTION_LINES:
                    offenders.append(f"{module}.{node.name}: too long")
    assert not offenders, "\n".join(offenders)


def test_a_public_function_says_what_it_reads_or_runs() -> None:
    """A method may be named so: its class says what it reads."""
    top = [(module, node) for module in FILES for node in nodes(module)[0].body]  # type: ignore[attr-defined]
    assert [module for module, node in top if getattr(node, "name", "") in ("read", "run")] == []


def test_only_the_worker_loop_and_the_surfaces_handle_exceptions_of_any_kind() -> None:
    offenders = []
    for module in FILES:
        for node in nodes(module):
            if isinstance(node, ast.ExceptHandler) and not module.startswith(BROAD_HANDLERS):
                reraises = any(isinstance(inner, ast.Raise) for inner in ast.walk(node))
                names = ast.unparse(node.type) if node.type else "BaseException"
                if names in ("Exception", "BaseException") and not reraises:
                    offenders.append(f"{module}: line {node.lineno}")
    assert not offenders, "\n".join(offenders)


def test_the_sql_of_the_queue_names_nothing_of_memory() -> None:
    offenders = [
        f"{path.name}: {word}"
        for path in (PACKAGE / "storage" / "sql").rglob("queue*.sql")
        for word in ("document", "memory", "entity", "chunk")
        if re.search(rf"\b{word}\b", path.read_text(encoding="utf-8").split("-- name", 1)[-1])
    ]
    assert not offenders, "\n".join(offenders)

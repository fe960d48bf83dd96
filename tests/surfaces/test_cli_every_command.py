"""All commands: on an empty database, with `--json`, with invalid values and with unknown ids."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tools.command_names import command_names

from jotsam.surfaces.cli.parser import full_parser

if TYPE_CHECKING:
    from tests.surfaces.conftest import Shell

# The output for an empty database, and a field of the JSON object.
EMPTY = {
    "recall": ("(nothing found)", "hits"),
    "recall elephants": ("(nothing found)", "hits"),
    "list": ("no memory matches", "memories"),
    "facts": ("no matching facts", "facts"),
    "entities": ("no matching entities", "entities"),
    "entities candidates": ("no entities that may be the same", "candidates"),
    "distill": ("0 proposals from 0 sessions", "workflows"),
    "lifecycle links": ("no links were found yet", "links"),
    "entities list": ("no matching entities", "entities"),
    "patterns": ("no patterns found yet", "patterns"),
    "projects": ("no memory or document names a project yet", "projects"),
    "projects list": ("no memory or document names a project yet", "projects"),
    "sessions": ("no sessions", "sessions"),
    "costs": ("no model was called", "costs"),
    "status": ("0 memories · 0 documents", "status"),
    "jobs": ("no matching jobs", "jobs"),
    "jobs list": ("no matching jobs", "jobs"),
    "jobs --stuck": ("no job is stuck", "stuck"),
    "jobs groups": ("no job has failed", "groups"),
    "jobs retry all --yes": ("retried 0 jobs", "retried"),
    "jobs discard all --yes": ("discarded 0 jobs", "discarded"),
    "reprocess --all": ("queued 0 memories; 0 already queued, 0 up to date", "queued"),
    "allow": ("no text that looks like a secret is allowed", "allowed"),
    "redacted": ("nothing was redacted", "redacted"),
    "pause enrich": ("enrich is paused until `jotsam resume enrich`", "paused"),
    "resume enrich": ("enrich was not paused", "was_paused"),
    "work": ("completed 0 jobs", "done"),
    "wait": ("done", "done"),
    "migrate": ("applied 8 migrations", "steps"),
    "migrate --dry-run": ("create table document", "steps"),
    "embedder": ("none: recall searches by words only", "embedding"),
    "embedder show": ("none: recall searches by words only", "embedding"),
    "engine": ("no engine: `jotsam engine add ADDRESS` adds one", "engines"),
    "engine status": ("no engine: `jotsam engine add ADDRESS` adds one", "engines"),
    "engine compare": ("nothing to compare: there is no engine, or no memory", "comparisons"),
    "engine rebuild": ("no engine: `jotsam engine add ADDRESS` adds one", "engines"),
    "maintain": ("nothing is past its time", "steps"),
    "config": ("soft_cap = 100", "settings"),
    "config show": ("soft_cap = 100", "settings"),
    "config set soft_cap 7": ("in effect soft_cap = 7", "origin"),
    "config unset soft_cap": ("in effect soft_cap = 100  # default", "origin"),
    "retention": ("keep_documents_days  for ever", "expired"),
    "capture": ("capture is on in this folder", "capture"),
    "agents": ("no agent: `jotsam install AGENT`", "agents"),
    "install claude --dry-run": ("create     ~/.claude/settings.json", "files"),
    "uninstall claude": ("not installed", "files"),
    "capture status": ("capture is on in this folder", "capture"),
    "export all.jsonl": ("", "counts"),
    "forget --everything": ("", "memories"),
    "blocks": ("no blocks", "blocks"),
    "brief": ("the next session would get nothing", "brief"),
    "brief --prompt deploy": ("this prompt would get nothing", "brief"),
    "rules": ("no rules", "rules"),
    "rules list": ("no rules", "rules"),
    "rules add tabs": ("added", "note"),
    "crystals": ("no crystals and no candidates", "crystals"),
    "crystals list": ("no crystals and no candidates", "crystals"),
    "checkpoint": ("0 turns imported, 0 memories judged, 0 crystals promoted", "promoted"),
    "checkpoint --dry-run": ("would import 0 turns, judge 0 memories, promote 0 crystals", "promoted"),
    "blocks list": ("no blocks", "blocks"),
    "blocks set human Ana": ("stored    human  version 1  3 of 2,000 characters, pinned", "block"),
    "lifecycle": ("no runs yet", "steps"),
    "lifecycle list": ("no runs yet", "steps"),
    "lifecycle run decay": ("decay would make 0 changes, 0 examined", "plans"),
    "lifecycle run decay --apply --no-wait": ("is waiting: `jotsam lifecycle show", "runs"),
    "lifecycle allow-again": ("0 changes that were taken back may be made again", "allowed"),
    "trash": ("the trash is empty", "trash"),
    "help": ("Topics:", "help"),
    "help exit-codes": ("usage error, such as an unknown option", "help"),
    "tokens": ("no tokens: `jotsam tokens create` makes one", "tokens"),
    "tokens list": ("no tokens: `jotsam tokens create` makes one", "tokens"),
    "tokens create --name laptop": ("jot_", "secret"),
    "audit": ("no changes over HTTP", "audit"),
    "trash empty": ("the trash is empty", "erased"),
    "remember tabs": ("accepted", "receipt"),
    "add note.md": ("accepted", "receipts"),
    "--async remember tabs": ("queued    job 1", "job_id"),
}

WITHOUT_JSON = ("hook", "mcp", "serve", "dashboard", "completion")

# Something that does not exist: exit code 1 and this error.
UNKNOWN = {
    "show nope": "there is no 'nope': `jotsam recall` and `jotsam jobs` show ids",
    "list nope": "there is no document or memory 'nope': `jotsam list` and `jotsam recall` show ids",
    "update nope --tag x": "there is no memory 'nope': `jotsam recall` shows ids",
    "archive nope": "there is no memory 'nope': `jotsam recall` shows ids",
    "unarchive nope": "there is no memory 'nope': `jotsam recall` shows ids",
    "supersede nope none": "there is no document, memory or fact 'nope': `jotsam recall` shows ids",
    "link nope LEADS_TO none": "there is no memory 'nope': `jotsam recall` shows ids",
    "graph nope": "there is no memory 'nope': `jotsam recall` shows ids",
    "entities merge nope none": "no entity 'nope': `jotsam entities` lists them",
    "entities show nope": "no entity 'nope': `jotsam entities` lists them",
    "entities split nope": "no entity 'nope': `jotsam entities` lists them",
    "sessions nope": "there is no session 'nope': `jotsam sessions` lists them",
    "projects merge nope none": "there is no project 'nope': `jotsam projects` lists them",
    "projects split nope": "project 'nope' is joined to no other: `jotsam projects` lists them",
    "projects rename nope none": "there is no project 'nope': `jotsam projects` lists them",
    "jobs show 7": "there is no '7'",
    "rules edit nope x": "there is no memory 'nope': `jotsam recall` shows ids",
    "rules strike nope": "there is no memory 'nope': `jotsam recall` shows ids",
    "crystals confirm nope": "there is no memory 'nope': `jotsam recall` shows ids",
    "crystals retract nope": "there is no memory 'nope': `jotsam recall` shows ids",
    "checkpoint nope": "nope: cannot be read: No such file or directory",
    "blocks get nope": "there is no block 'nope': `jotsam blocks` lists them",
    "blocks append nope x": "there is no block 'nope': `jotsam blocks` lists them",
    "blocks delete nope": "there is no block 'nope': `jotsam blocks` lists them",
    "lifecycle show nope": "there is no run 'nope': `jotsam lifecycle list` lists them",
    "lifecycle undo nope": "there is no run 'nope': `jotsam lifecycle list` lists them",
    "trash restore nope": "there is no batch 'nope' in the trash: `jotsam trash` lists them",
    "tokens revoke nope": "there is no token 'nope' of tenant 'default': `jotsam tokens` lists them",
    "import nope": "nope: cannot be read: No such file or directory",
    "import .": ".: contains none of *.jsonl, session-*.json",
    "jobs retry 7": "there is no job 7; `jotsam jobs` lists them",
    "jobs discard 7": "there is no job 7; `jotsam jobs` lists them",
    "jobs retry --group nope --yes": "there is no group 'nope' of dead jobs; `jotsam jobs groups` lists them",
    "reprocess nope": "there is no 'nope'",
    "extract-prompt nope": "there is no 'nope'",
    "wait nope": "there is no 'nope'",
    "allow --remove 0123456789": "no allowed text has the fingerprint '0123456789': `jotsam allow` lists them",
    "allow --fingerprint 0123456789 --reason x": "`jotsam redacted` lists them",
    "extract-apply nope.json": "nope.json cannot be read: No such file",
    "add nope.md": "nope.md cannot be read: No such file",
    "embedder fetch nope": "is not a model: config.json is missing",
    "engine add nope://x": "invalid engine, 'nope': must be falkordb://HOST:6379",
    "engine rebuild qdrant": "there is no engine 'qdrant' in this database; there are: none",
    "engine remove qdrant": "there is no engine 'qdrant' in this database; there are: none",
    "move-tenant ana --to postgresql://x": "is a file: only a server has tenants that move",
    "migrate --partitions 4": "is a file, and only a server has partitions",
    "migrate --to nope://x": "unsupported database nope://: must be a file or postgresql://...",
    "salvage nope.db new.db": "nope.db does not exist, or is not a file",
    "restore nope.db": "nope.db does not exist, or is not a file",
    "--db nope.db backup": "nope.db does not exist",
    "--db nope://x status": "unsupported database nope://: must be a file or postgresql://...",
    "--db - status": "invalid db '-' (option): standard input is no database",
}

# Usage errors: exit code 2 and this message.
USAGE_ERRORS = {
    "recall --limit many": "invalid int value: 'many'",
    "recall --since soon": "invalid date 'soon': must be a date such as 2026-03-01",
    "recall --metadata x": "invalid value 'x': must be KEY=VALUE",
    "facts --limit 0": "invalid number '0': must be an integer from 1 to",
    "entities --category animals": "invalid --category 'animals': must be one of",
    "patterns --limit x": "invalid number 'x': must be an integer from 1 to",
    "lifecycle run sleep": "invalid STEP 'sleep': must be one of",
    "distill 4f2a91c3": "ids need --write FOLDER",
    "lifecycle run decay --no-wait": "--no-wait needs --apply",
    "link a SIMILAR_TO b": "invalid TYPE 'SIMILAR_TO': must be one of",
    "costs --days 0": "invalid number '0': must be an integer from 1 to",
    "redacted --limit x": "invalid number 'x': must be an integer from 1 to",
    "jobs --older-than 3": "invalid age '3': must be an integer followed by s, m, h or d",
    "jobs retry x": "invalid job number 'x'",
    "jobs retry": "give job numbers, `all`",
    "crystals list --state nope": "invalid --state 'nope': must be one of",
    "pause nope": "invalid QUEUE 'nope': must be one of",
    "resume nope": "invalid QUEUE 'nope': must be one of",
    "reprocess": "give ids of memories or documents, a filter such as --degraded",
    "allow text": "--reason is missing: state why the text is not a secret",
    "extract-prompt": "give ids of memories or documents",
    "graph x --dot --svg": "not allowed with argument --dot",
    "wait --timeout x": "invalid time 'x': must be seconds from 0 to",
    "wait --timeout -1": "invalid time '-1': must be seconds from 0 to",
    "remember": "give either TEXT or --lines FILE",
    "remember x --metadata []": "invalid value '[]': must be a JSON object",
    "import": "the following arguments are required: FILE",
    "import x --format y": "invalid --format 'y': must be one of",
    "add": "name a file, a folder, or - for standard input",
    "embedder install more": "unrecognized arguments: more",
    "embedder fetch": "the following arguments are required: SOURCE",
    "migrate --to x --dry-run": "--dry-run prints the SQL of a migration and cannot be combined with --to",
    "move-tenant ana": "the following arguments are required: --to",
    "move-tenant ana --to x --dry-run --undo": "not allowed with argument --dry-run",
    "completion dos": "invalid shell 'dos': must be one of",
    "install nope": "invalid AGENT 'nope': must be one of",
    "uninstall": "the following arguments are required: AGENT",
    "agents more": "unrecognized arguments: more",
    "help recal": "did you mean `jotsam help recall`?",
    "status more": "unrecognized arguments: more",
    "doctor more": "unrecognized arguments: more",
    "config set soft_cpa 7": "did you mean soft_cap?",
    "config set soft_cap": "VALUE is missing",
    "config nope": "unknown subcommand 'nope': must be one of",
    "show": "the following arguments are required: ID",
    "supersede x": "NEW is missing: give the id that replaces 'x'",
    "extract-apply": "the following arguments are required: FILE",
    "work more": "unrecognized arguments: more",
    "tokens create": "the following arguments are required: --name",
    "tokens create --name x --scope root": "invalid --scope 'root': must be one of",
    "audit --limit 0": "invalid number '0': must be an integer from 1 to",
    "--async wait": "this command cannot be queued: run it without --async",
}

# Values that are checked after parsing: exit code 1 and this error.
REFUSED = {
    "recall x --limit 0": "invalid limit 0: must be an integer from 1 to 1,000",
    "recall x --tokens 3": "invalid tokens 3: must be an integer from 20 to 200,000",
    "recall --min-score=-1": "invalid min_score -1.0: must be a number from 0 to 1",
    "recall --expand-limit=-1": "invalid expand_limit -1: must be an integer from 0 to 1,000",
    "recall --when never": "when is 'never': give a time such as 'last week'",
    "recall --expand x": "expand is 'x': give some of entities, relations",
    "remember x --importance 2": "invalid importance 2.0: must be a number from 0 to 1",
    "allow --remove zz": "invalid fingerprint 'zz': must be at least its first 8 characters",
    "config set soft_cap many": "invalid soft_cap 'many'",
    "config set db x --project": "db cannot be set for a project: only",
    "embedder refresh": "no embedder is configured: set embed_model",
    "embedder fetch http://127.0.0.1:9/x": "give the --sha256 of the weights",
    "extract-apply -": "line 1, column 1: invalid JSON",
    "--tenant= status": "invalid tenant '' (option): must be a name without surrounding whitespace",
    "--db= status": "invalid db '' (option): must be the path of a file, or postgresql://...",
}


@pytest.mark.no_database
@pytest.mark.parametrize("line", EMPTY)
def test_an_empty_database_is_reported_with_exit_code_0(jotsam: Shell, line: str) -> None:
    jotsam.home.chmod(0o700)
    jotsam.file("note.md")
    done = jotsam(*line.split())
    assert done.returncode == 0, done.stderr
    assert EMPTY[line][0] in done.stdout
    assert "error" not in done.stderr


@pytest.mark.parametrize("line", EMPTY)
def test_json_output_is_one_object_with_a_schema_version(jotsam: Shell, line: str) -> None:
    jotsam.file("note.md")
    printed = json.loads(jotsam(*line.split(), "--json").stdout)
    assert printed["schema"] == 1
    assert EMPTY[line][1] in printed


@pytest.mark.parametrize(
    ("lines", "code"), [(UNKNOWN, 1), (USAGE_ERRORS, 2), (REFUSED, 1)], ids=["unknown", "usage", "refused"]
)
def test_errors_go_to_standard_error_with_the_expected_message(jotsam: Shell, lines: dict[str, str], code: int) -> None:
    results = {line: jotsam(*line.split()) for line in lines}
    unexpected = {
        line: (done.returncode, done.stderr)
        for line, done in results.items()
        if done.returncode != code or lines[line] not in " ".join(done.stderr.split())
    }
    assert unexpected == {}
    assert [line for line, done in results.items() if "Traceback" in done.stderr] == []


@pytest.mark.parametrize(
    ("lines", "code"), [(UNKNOWN, 1), (USAGE_ERRORS, 2), (REFUSED, 1)], ids=["unknown", "usage", "refused"]
)
def test_with_json_an_error_is_one_object_too(jotsam: Shell, lines: dict[str, str], code: int) -> None:
    wrong = {}
    for line in lines:
        done = jotsam(*line.split(), "--json")
        try:
            printed = json.loads(done.stdout)
        except ValueError:
            wrong[line] = done.stdout
            continue
        error = printed.get("error")
        names_each = printed.get("errors") or printed.get("problems")  # the result of several inputs
        is_told = names_each or (error and error["exit_code"] == code and error["message"] in done.stderr)
        if done.returncode != code or not is_told:
            wrong[line] = done.stdout
    assert wrong == {}


def test_every_command_is_covered_here() -> None:
    seen = " | ".join([*EMPTY, *UNKNOWN, *USAGE_ERRORS, *REFUSED])
    names = sorted(command_names(full_parser()))
    assert "entities merge" in names
    assert [name for name in names if name not in seen and name not in WITHOUT_JSON] == []

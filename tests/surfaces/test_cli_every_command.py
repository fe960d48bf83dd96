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
    "themes distill": ("0 proposals from 0 sessions", "workflows"),
    "db lifecycle links": ("no links were found yet", "links"),
    "entities list": ("no matching entities", "entities"),
    "themes patterns": ("no patterns found yet", "patterns"),
    "db projects": ("no memory or document names a project yet", "projects"),
    "db projects list": ("no memory or document names a project yet", "projects"),
    "status --cost": ("no model was called", "costs"),
    "sessions": ("no sessions", "sessions"),
    "log": ("nothing changed", "changes"),
    "status": ("0 memories · 0 documents", "status"),
    "jobs": ("no matching jobs", "jobs"),
    "jobs list": ("no matching jobs", "jobs"),
    "jobs --stuck": ("no job is stuck", "stuck"),
    "jobs groups": ("no job has failed", "groups"),
    "jobs retry all --yes": ("retried 0 jobs", "retried"),
    "jobs discard all --yes": ("discarded 0 jobs", "discarded"),
    "models reprocess --all": ("queued 0 memories; 0 already queued, 0 up to date", "queued"),
    "db secrets allow": ("no text that looks like a secret is allowed", "allowed"),
    "db secrets list": ("nothing was redacted", "redacted"),
    "jobs pause enrich": ("enrich is paused until `jotsam jobs resume enrich`", "paused"),
    "jobs resume enrich": ("enrich was not paused", "was_paused"),
    "jobs work": ("completed 0 jobs", "done"),
    "jobs wait": ("done", "done"),
    "db migrate": ("applied 12 migrations", "steps"),
    "db migrate --dry-run": ("create table document", "steps"),
    "models": ("none: recall searches by words only", "embedding"),
    "models show": ("none: recall searches by words only", "embedding"),
    "db engine": ("no engine: `jotsam db engine add ADDRESS` adds one", "engines"),
    "db engine status": ("no engine: `jotsam db engine add ADDRESS` adds one", "engines"),
    "db engine compare": ("nothing to compare: there is no engine, or no memory", "comparisons"),
    "db engine rebuild": ("no engine: `jotsam db engine add ADDRESS` adds one", "engines"),
    "db maintain": ("nothing is past its time", "steps"),
    "config": ("soft_cap = 100", "settings"),
    "config show": ("soft_cap = 100", "settings"),
    "config set soft_cap 7": ("in effect soft_cap = 7", "origin"),
    "config unset soft_cap": ("in effect soft_cap = 100  # default", "origin"),
    "db retention": ("keep_documents_days  for ever", "expired"),
    "agents capture": ("capture is on in this folder", "capture"),
    "agents": ("no agent: `jotsam install AGENT`", "agents"),
    "install claude --dry-run": ("create     ~/.claude/settings.json", "files"),
    "agents uninstall claude": ("not installed", "files"),
    "agents capture status": ("capture is on in this folder", "capture"),
    "db export all.jsonl": ("", "counts"),
    "forget --everything": ("", "memories"),
    "brief blocks": ("no blocks", "blocks"),
    "agents list": ("no agent: `jotsam install AGENT`", "agents"),
    "brief show": ("the next session would get nothing", "brief"),
    "brief": ("the next session would get nothing", "brief"),
    "brief --prompt deploy": ("this prompt would get nothing", "brief"),
    "brief rules": ("no rules", "rules"),
    "brief rules list": ("no rules", "rules"),
    "brief rules add tabs": ("added", "note"),
    "themes crystals": ("no crystals and no candidates", "crystals"),
    "themes crystals list": ("no crystals and no candidates", "crystals"),
    "themes checkpoint": ("0 turns imported, 0 memories judged, 0 crystals promoted", "promoted"),
    "themes checkpoint --dry-run": ("would import 0 turns, judge 0 memories, promote 0 crystals", "promoted"),
    "brief blocks list": ("no blocks", "blocks"),
    "brief blocks set human Ana": ("stored    human  version 1  3 of 2,000 characters, pinned", "block"),
    "db lifecycle": ("no runs yet", "steps"),
    "db lifecycle list": ("no runs yet", "steps"),
    "db lifecycle run decay": ("decay would make 0 changes, 0 examined", "plans"),
    "db lifecycle run decay --apply --no-wait": ("is waiting: `jotsam db lifecycle show", "runs"),
    "db lifecycle allow-again": ("0 changes that were taken back may be made again", "allowed"),
    "db trash": ("the trash is empty", "trash"),
    "help": ("Topics:", "help"),
    "help exit-codes": ("usage error, such as an unknown option", "help"),
    "server tokens": ("no tokens: `jotsam server tokens create` makes one", "tokens"),
    "server tokens list": ("no tokens: `jotsam server tokens create` makes one", "tokens"),
    "server tokens create --name laptop": ("jot_", "secret"),
    "server audit": ("no changes over HTTP", "audit"),
    "db trash empty": ("the trash is empty", "erased"),
    "remember tabs": ("accepted", "receipt"),
    "add note.md": ("accepted", "receipts"),
    "--async remember tabs": ("queued    job 1", "job_id"),
}

WITHOUT_JSON = ("demo", "agents hook", "agents mcp", "server start", "server dashboard", "config completion")

# Something that does not exist: exit code 1 and this error.
UNKNOWN = {
    "show nope": "there is no 'nope': `jotsam recall` and `jotsam jobs` show ids",
    "show --key nope": "there is no memory with the key 'nope': `remember` and `upsert` store one",
    "list nope": "there is no document or memory 'nope': `jotsam list` and `jotsam recall` show ids",
    "update nope --tag x": "there is no memory 'nope': `jotsam recall` shows ids",
    "update archive nope": "there is no memory 'nope': `jotsam recall` shows ids",
    "update unarchive nope": "there is no memory 'nope': `jotsam recall` shows ids",
    "update supersede nope none": "there is no document, memory or fact 'nope': `jotsam recall` shows ids",
    "update link nope LEADS_TO none": "there is no memory 'nope': `jotsam recall` shows ids",
    "show --links nope": "there is no memory 'nope': `jotsam recall` shows ids",
    "entities merge nope none": "no entity 'nope': `jotsam entities` lists them",
    "entities show nope": "no entity 'nope': `jotsam entities` lists them",
    "entities split nope": "no entity 'nope': `jotsam entities` lists them",
    "undo": "no command has changed what is stored: there is nothing to take back",
    "sessions nope": "there is no session 'nope': `jotsam sessions` lists them",
    "db projects merge nope none": "there is no project 'nope': `jotsam db projects` lists them",
    "db projects split nope": "project 'nope' is joined to no other: `jotsam db projects` lists them",
    "db projects rename nope none": "there is no project 'nope': `jotsam db projects` lists them",
    "jobs show 7": "there is no '7'",
    "brief rules edit nope x": "there is no memory 'nope': `jotsam recall` shows ids",
    "brief rules strike nope": "there is no memory 'nope': `jotsam recall` shows ids",
    "themes crystals confirm nope": "there is no memory 'nope': `jotsam recall` shows ids",
    "themes crystals retract nope": "there is no memory 'nope': `jotsam recall` shows ids",
    "themes checkpoint nope": "nope: cannot be read: No such file or directory",
    "brief blocks get nope": "there is no block 'nope': `jotsam brief blocks` lists them",
    "brief blocks append nope x": "there is no block 'nope': `jotsam brief blocks` lists them",
    "brief blocks delete nope": "there is no block 'nope': `jotsam brief blocks` lists them",
    "db lifecycle show nope": "there is no run 'nope': `jotsam db lifecycle list` lists them",
    "db lifecycle undo nope": "there is no run 'nope': `jotsam db lifecycle list` lists them",
    "db trash restore nope": "there is no batch 'nope' in the trash: `jotsam db trash` lists them",
    "server tokens revoke nope": "there is no token 'nope' of tenant 'default': `jotsam server tokens` lists them",
    "import nope": "nope: cannot be read: No such file or directory",
    "import .": ".: contains none of *.jsonl, session-*.json",
    "jobs retry 7": "there is no job 7; `jotsam jobs` lists them",
    "jobs discard 7": "there is no job 7; `jotsam jobs` lists them",
    "jobs retry --group nope --yes": "there is no group 'nope' of dead jobs; `jotsam jobs groups` lists them",
    "models reprocess nope": "there is no 'nope'",
    "agents extract-prompt nope": "there is no 'nope'",
    "jobs wait nope": "there is no 'nope'",
    "db secrets allow --remove 0123456789": "no allowed text has the fingerprint '0123456789': `jotsam db",
    "db secrets allow --fingerprint 0123456789 --reason x": "`jotsam db secrets list` lists them",
    "agents extract-apply nope.json": "nope.json cannot be read: No such file",
    "add nope.md": "nope.md cannot be read: No such file",
    "models fetch nope": "is not a model: config.json is missing",
    "db engine add nope://x": "invalid engine, 'nope': must be falkordb://HOST:6379",
    "db engine rebuild qdrant": "there is no engine 'qdrant' in this database; there are: none",
    "db engine remove qdrant": "there is no engine 'qdrant' in this database; there are: none",
    "db move-tenant ana --to postgresql://x": "is a file: only a server has tenants that move",
    "db migrate --partitions 4": "is a file, and only a server has partitions",
    "db migrate --to nope://x": "unsupported database nope://: must be a file or postgresql://...",
    "db salvage nope.db new.db": "nope.db does not exist, or is not a file",
    "db restore nope.db": "nope.db does not exist, or is not a file",
    "--db nope.db db backup": "nope.db does not exist",
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
    "themes patterns --limit x": "invalid number 'x': must be an integer from 1 to",
    "db lifecycle run sleep": "invalid STEP 'sleep': must be one of",
    "themes distill 4f2a91c3": "ids need --write FOLDER",
    "db lifecycle run decay --no-wait": "--no-wait needs --apply",
    "update link a SIMILAR_TO b": "invalid TYPE 'SIMILAR_TO': must be one of",
    "status --cost --days 0": "invalid number '0': must be an integer from 1 to",
    "db secrets list --limit x": "invalid number 'x': must be an integer from 1 to",
    "jobs --older-than 3": "invalid age '3': must be an integer followed by s, m, h or d",
    "jobs retry x": "invalid job number 'x'",
    "jobs retry": "give job numbers, `all`",
    "themes crystals list --state nope": "invalid --state 'nope': must be one of",
    "jobs pause nope": "invalid QUEUE 'nope': must be one of",
    "jobs resume nope": "invalid QUEUE 'nope': must be one of",
    "models reprocess": "give ids of memories or documents, a filter such as --degraded",
    "db secrets allow text": "--reason is missing: state why the text is not a secret",
    "agents extract-prompt": "give ids of memories or documents",
    "show --links x --dot --svg": "not allowed with argument --dot",
    "jobs wait --timeout x": "invalid time 'x': must be seconds from 0 to",
    "jobs wait --timeout -1": "invalid time '-1': must be seconds from 0 to",
    "remember": "give either TEXT or --lines FILE",
    "remember x --metadata []": "invalid value '[]': must be a JSON object",
    "import": "the following arguments are required: FILE",
    "import x --format y": "invalid --format 'y': must be one of",
    "add": "name a file, a folder, or - for standard input",
    "models install more": "unrecognized arguments: more",
    "models fetch": "the following arguments are required: SOURCE",
    "db migrate --to x --dry-run": "--dry-run prints the SQL of a migration and cannot be combined with --to",
    "db move-tenant ana": "the following arguments are required: --to",
    "db move-tenant ana --to x --dry-run --undo": "not allowed with argument --dry-run",
    "config completion dos": "invalid shell 'dos': must be one of",
    "install nope": "invalid AGENT 'nope': must be one of",
    "agents uninstall": "the following arguments are required: AGENT",
    "agents more": "unknown subcommand 'more': must be one of",
    "update set": "the following arguments are required: ID",
    "help recal": "did you mean `jotsam help recall`?",
    "status more": "unrecognized arguments: more",
    "doctor more": "unrecognized arguments: more",
    "config set soft_cpa 7": "did you mean soft_cap?",
    "config set soft_cap": "VALUE is missing",
    "config nope": "unknown subcommand 'nope': must be one of",
    "show": "give either ID or --key KEY",
    "show x --key k": "give either ID or --key KEY",
    "update supersede x": "NEW is missing: give the id that replaces 'x'",
    "agents extract-apply": "the following arguments are required: FILE",
    "jobs work more": "unrecognized arguments: more",
    "server tokens create": "the following arguments are required: --name",
    "server tokens create --name x --scope root": "invalid --scope 'root': must be one of",
    "server audit --limit 0": "invalid number '0': must be an integer from 1 to",
    "--async jobs wait": "this command cannot be queued: run it without --async",
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
    "db secrets allow --remove zz": "invalid fingerprint 'zz': must be at least its first 8 characters",
    "config set soft_cap many": "invalid soft_cap 'many'",
    "config set db x --project": "db cannot be set for a project: only",
    "models refresh": "no embedder is configured: set embed_model",
    "models fetch http://127.0.0.1:9/x": "give the --sha256 of the weights",
    "agents extract-apply -": "line 1, column 1: invalid JSON",
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

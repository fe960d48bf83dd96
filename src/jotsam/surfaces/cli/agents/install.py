"""`jotsam install`, `jotsam agents uninstall` and `jotsam agents`: Jotsam in the files of coding agents."""

from __future__ import annotations

import argparse
import difflib
import os
from collections.abc import Iterator
from contextlib import suppress
from importlib.resources import files as package_files

from jotsam.admin import embedders
from jotsam.admin.agents import agent_checks, launcher
from jotsam.admin.agents.agent_checks import AgentStatus
from jotsam.agents.agent import agent_named
from jotsam.agents.agent_files import MARK
from jotsam.core.clock import format_time
from jotsam.core.errors import DatabaseUnavailable, DatabaseUnusable, InvalidInput
from jotsam.core.records import CheckResult
from jotsam.core.settings import LLM_AGENTS, Settings
from jotsam.ingest import session_files
from jotsam.ingest.files import with_tilde
from jotsam.memory.api.client import Jotsam
from jotsam.surfaces.agent_files import install as installing
from jotsam.surfaces.agent_files.install import Change
from jotsam.surfaces.agent_files.self_test import self_test
from jotsam.surfaces.cli.empty_database import is_missing
from jotsam.surfaces.cli.output import DEGRADED, OK, echo, hint, paint, plural, print_json, print_table, warn
from jotsam.surfaces.cli.remember.import_files import import_sessions
from jotsam.surfaces.cli.terminal import ask, can_ask

CACHES = {".cache", "cache"}  # folders of uv and pipx, for programs that are run without being installed
CONTEXT_LINES = 1
TOKENS_PER_MEMORY = 1_500  # the instructions, the text, and the reply
PLUGIN = f"// {MARK}"  # the first line of a plugin
COLOURS = {"+": "green", "-": "red", "ok": "green", "warn": "yellow", "fail": "red"}
CAPTURED = "your prompts and the answers of {title}; not tool calls, their output, or thinking"
BY_TOOLS = "nothing by itself: what the agent stores with the tool `remember`"


def install(arguments: argparse.Namespace) -> int:
    """Show what would change, ask on a terminal, write it, and run the installed hook once."""
    name, scope, folder = _place(arguments)
    changes = installing.plan(name, scope, folder, instructions=arguments.instructions)
    is_new = any(change.before != change.after for change in changes)
    if not arguments.json:
        _print_changes(changes)
    if is_new and not arguments.json:
        _print_terms(arguments)
    if arguments.dry_run or (is_new and not _is_confirmed(arguments)):
        return _finish(arguments, changes, applied=False)
    instructions = arguments.instructions or (is_new and _wants_instructions(arguments, folder))
    changes = installing.install(name, scope, folder, instructions=instructions)
    result = self_test(name) if agent_named(name).has_hooks else None
    if not arguments.json:
        echo("installed" if is_new else "already installed")
        _print_result(arguments, result)
        if is_new and result and agent_named(name).events:
            hint(f"sessions of {agent_named(name).title} that are open do not see it: start them again")
        if is_new and not folder and result and result.level == "ok":
            _offer_sessions(arguments)
    return _finish(arguments, changes, applied=True, result=result)


def uninstall(arguments: argparse.Namespace) -> int:
    """Show what would change, ask on a terminal, and change it."""
    name, scope, folder = _place(arguments)
    changes = installing.plan_removal(name, scope, folder)
    is_there = any(change.before != change.after for change in changes)
    if not arguments.json:
        _print_changes(changes)
    if arguments.dry_run or (is_there and not _is_confirmed(arguments)):
        return _finish(arguments, changes, applied=False)
    changes = installing.uninstall(name, scope, folder)
    if not arguments.json:
        echo("uninstalled; what was stored stays" if is_there else "not installed")
    return _finish(arguments, changes, applied=True)


def list_agents(arguments: argparse.Namespace) -> int:
    """List the installations, with the last turn of each and what is wrong. Returns 3 if something is."""
    if arguments.plugin_folder:
        agent = agent_named(arguments.plugin_folder)
        if not agent.plugin:
            raise InvalidInput(f"there is no folder of a plugin for {agent.title}: use `jotsam install {agent.name}`")
        folder = str(package_files(f"jotsam.agents.{agent.name}") / agent.plugin)
        print_json(plugin_folder=folder) if arguments.json else echo(folder)
        return OK
    found = _examined(arguments.settings)
    problem = launcher.problem() if found else None
    code = DEGRADED if problem or any(one.problem for one in found) else OK
    if arguments.json:
        print_json(agents=found, problem=problem)
        return code
    if not found:
        echo("no agent: `jotsam install AGENT` gives one a memory")
        return OK
    rows = [
        (
            one.agent,
            with_tilde(one.folder) if one.folder else one.scope,
            one.version,
            format_time(one.installed_at),
            "" if one.last_turn_at is None else format_time(one.last_turn_at),
        )
        for one in found
    ]
    print_table(("agent", "scope", "version", "installed", "last turn"), rows)
    for text in [problem, *(one.problem for one in found)]:
        if text:
            warn(text)
    if code != OK:
        hint("`jotsam doctor` has the repair of each")
    return code


def _examined(settings: Settings) -> tuple[AgentStatus, ...]:
    if is_missing(settings):
        return agent_checks.examine(None, tenant=settings.tenant)
    try:
        with Jotsam(settings=settings) as jot:
            return agent_checks.examine(jot.database, tenant=settings.tenant)
    except (DatabaseUnavailable, DatabaseUnusable) as error:
        warn(f"the last turns are not known: {error}")
        return agent_checks.examine(None, tenant=settings.tenant)


def _place(arguments: argparse.Namespace) -> tuple[str, str, str]:
    """The agent, the scope and the folder of the project. Raises `InvalidInput` for a scope that the agent lacks."""
    scopes = agent_named(arguments.agent).scopes
    arguments.scope = arguments.scope or scopes[0]
    if arguments.scope not in scopes:
        raise InvalidInput(f"invalid scope {arguments.scope!r}: {arguments.agent} has only {', '.join(scopes)}")
    return arguments.agent, arguments.scope, _folder(arguments.scope)


def _folder(scope: str) -> str:
    """The folder of the project: that of the git repository, or else the current one."""
    if scope == "user":
        return ""
    here = folder = os.getcwd()
    while not os.path.exists(os.path.join(folder, ".git")):
        parent = os.path.dirname(folder)
        if parent == folder:
            return here
        folder = parent
    return folder


def _print_result(arguments: argparse.Namespace, result: CheckResult | None) -> None:
    if result:
        echo(f"{paint(result.level, COLOURS[result.level])}  {result.name}: {result.text}")
        if result.repair:
            hint(result.repair)
    if CACHES & set(launcher.program().split(os.sep)):
        warn(f"{launcher.program()} is in a cache that may be cleaned: install Jotsam with pipx or uv tool")
    if arguments.origins["db"].startswith(("environment", "option")):
        hint("agents use the database of config.toml and of their own environment, not the one that is set here")
    if arguments.scope == "project" and agent_named(arguments.agent).is_in_worktree:
        hint("the files name a path of this machine: do not commit them")
    if note := agent_named(arguments.agent).note:
        hint(note)


def _print_changes(changes: tuple[Change, ...]) -> None:
    for change in changes:
        path = with_tilde(change.path)
        echo(f"{change.verb:10} {paint(path, 'bold')}")
        lines = list(_diff(change))
        if any(line[1:].startswith(PLUGIN) for line in lines):
            lines = [*lines[:2], f" ... {len(lines) - 2} more lines"]  # All of the file is ours.
        for line in lines:
            echo(f"  {paint(line, COLOURS.get(line[:1], ''))}" if line[:1] in COLOURS else f"  {line}")


def _diff(change: Change) -> Iterator[str]:
    """The lines that change, with their neighbours, and without the heads of files."""
    before, after = (
        (content or b"").decode(errors="replace").splitlines() for content in (change.before, change.after)
    )
    lines = difflib.unified_diff(before, after, n=CONTEXT_LINES, lineterm="")
    return (line for number, line in enumerate(lines) if number >= 2 and not line.startswith("@@"))


def _print_terms(arguments: argparse.Namespace) -> None:
    chosen = agent_named(arguments.agent)
    captures = chosen.captures or (CAPTURED.format(title=chosen.title) if chosen.has_hooks else BY_TOOLS)
    echo(f"captures   {captures}")
    echo("leaves     nothing leaves this machine, unless you configure a model, an embedder or a server")
    if arguments.agent in LLM_AGENTS and not arguments.settings.has_model:
        echo(f"model      {_offer(arguments)}")
    if not arguments.settings.has_embedder:
        echo(f"embedder   off; {embedders.offer()}")
    echo("off        `jotsam agents capture off` (also by --project, --path and --session)")
    echo(f"undo       `jotsam agents uninstall {arguments.agent}{_scope_option(arguments)}`")


def _offer(arguments: argparse.Namespace) -> str:
    """What the agent costs as language model of the worker."""
    cap = arguments.settings.llm_daily_tokens
    limit = f", at most {cap:,} a day" if cap else ""
    price = f"about {TOKENS_PER_MEMORY:,} tokens of your plan or key for each memory{limit}"
    return f"off; `jotsam config set llm {arguments.agent}` lets its cheapest model read memories: {price}"


def _wants_instructions(arguments: argparse.Namespace, folder: str) -> bool:
    """Ask on a terminal, after a confirmed install, for lines in the instructions. They are never written unasked."""
    agent = agent_named(arguments.agent)
    files = agent.files(arguments.scope, folder, launcher.path())
    file = installing.instructions_of(agent, files, folder)
    if file is None or not can_ask(arguments):
        return False
    return ask(f"Also write three lines about memory into {with_tilde(file.path)}? [y/N] ", default=False)


def _offer_sessions(arguments: argparse.Namespace) -> None:
    """Ask on a terminal whether to import the sessions that are on the disk already; elsewhere say how it is done."""
    agent = agent_named(arguments.agent)
    found: dict[str, int] = {}
    for place in session_files.places(agent.sessions):
        with suppress(InvalidInput):
            found[place] = session_files.number(place, agent.sessions)
    paths = [path for path, number in found.items() if number]
    if not paths:
        return
    command = f"jotsam import {' '.join(with_tilde(path) for path in paths)}"
    about = f"{plural(sum(found.values()), 'session')} of {agent.title} on this disk"
    if not can_ask(arguments):
        hint(f"{about}: `{command}` imports them")
    elif ask(f"Import {about}? [Y/n] ", default=True):
        import_sessions(arguments, paths, {})
    else:
        hint(f"`{command}` imports them later")


def _scope_option(arguments: argparse.Namespace) -> str:
    return "" if arguments.scope == agent_named(arguments.agent).scopes[0] else f" --scope {arguments.scope}"


def _is_confirmed(arguments: argparse.Namespace) -> bool:
    """Ask on a terminal. Elsewhere the command names the missing option."""
    return ask("Apply? [Y/n] ", default=True) if can_ask(arguments) else True


def _finish(
    arguments: argparse.Namespace, changes: tuple[Change, ...], *, applied: bool, result: CheckResult | None = None
) -> int:
    if arguments.json:
        files = [{"path": one.path, "change": one.verb, "diff": list(_diff(one))} for one in changes]
        print_json(agent=arguments.agent, scope=arguments.scope, applied=applied, files=files, self_test=result)
    elif not applied:
        echo("nothing was changed")
    return DEGRADED if result and result.level == "fail" else OK

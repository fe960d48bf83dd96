"""`jotsam db engine`: add, show, rebuild and remove engines, which hold a copy of the memories."""

from __future__ import annotations

from jotsam.core.clock import duration, system_clock
from jotsam.memory.api.client import Jotsam
from jotsam.surfaces.cli.output import DEGRADED, OK, echo, hint, paint, plural, print_json, print_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator

    from jotsam.core.engine_records import EngineComparison, EngineStatus

FOLLOW = (
    "workers write them in the background: `jotsam db engine` shows how far they are, `jotsam jobs wait` waits for them"
)


def status(arguments: argparse.Namespace) -> int:
    """Print the engines. Returns 3 if one cannot be used."""
    with Jotsam(settings=arguments.settings) as jot:
        found = jot.admin.engines()
    return _print(arguments, found)


def add(arguments: argparse.Namespace) -> int:
    """Register an engine."""
    with Jotsam(settings=arguments.settings) as jot:
        added = jot.admin.add_engine(arguments.address, replace=arguments.replace)
    return _print(arguments, [added], follow=True)


def rebuild(arguments: argparse.Namespace) -> int:
    """Have all memories written again."""
    with Jotsam(settings=arguments.settings) as jot:
        rebuilt = jot.admin.rebuild_engines(arguments.engine)
    return _print(arguments, rebuilt, follow=True)


def compare(arguments: argparse.Namespace) -> int:
    """Compare engines with the database. Returns 3 if one differs and is not repaired."""
    with Jotsam(settings=arguments.settings) as jot:
        found = jot.admin.compare_engines(arguments.engine, repair=arguments.repair, limit=arguments.limit)
    if arguments.json:
        print_json(comparisons=found)
    else:
        _print_comparisons(found)
    return OK if arguments.repair or all(one.is_equal for one in found) else DEGRADED


def remove(arguments: argparse.Namespace) -> None:
    """Remove an engine from the database."""
    with Jotsam(settings=arguments.settings) as jot:
        removed = jot.admin.remove_engine(arguments.engine, purge=arguments.purge)
    if arguments.json:
        print_json(removed=removed, purged=arguments.purge)
        return
    echo(f"removed {removed.name}, {removed.address}")
    if not arguments.purge:
        hint("it keeps the memories that it holds")


def _print(arguments: argparse.Namespace, found: Iterable[EngineStatus], *, follow: bool = False) -> int:
    engines = list(found)
    if arguments.json:
        print_json(engines=engines)
    else:
        if not engines:
            echo("no engine: `jotsam db engine add ADDRESS` adds one")
        for engine in engines:
            for line in _lines(engine):
                echo(line)
        if follow and any(engine.pending for engine in engines):
            hint(FOLLOW)
    return DEGRADED if any(engine.problem for engine in engines) else OK


def _print_comparisons(found: Iterable[EngineComparison]) -> None:
    heads = ("engine", "tenant", "memories", "held", "missing", "left over", "differ", "pending")
    rows = [
        (one.name, of.tenant, of.memories, of.held, of.missing, of.left_over, of.differing, of.pending)
        for one in found
        for of in one.tenants
    ]
    if not rows:
        echo("nothing to compare: there is no engine, or no memory")
        return
    print_table(heads, rows)
    for one in found:
        for difference in one.differences:
            fields = f" in {', '.join(difference.fields)}" if difference.fields else ""
            echo(f"{one.name}: {difference.kind}{fields}  {difference.id}  of tenant {difference.tenant}")
        if one.repaired:
            echo(f"{one.name}: {plural(one.repaired, 'memory', 'memories')} will be repaired in the background")
        elif not one.is_equal:
            hint(f"`jotsam db engine compare {one.name} --repair` repairs them")


def _lines(engine: EngineStatus) -> Iterator[str]:
    now = system_clock()
    yield f"{engine.name}  {engine.address}, version {engine.version}"
    if engine.problem:
        yield f"  {paint('problem', 'red')}  {engine.problem}"
    if engine.held is not None:
        yield f"  holds    {engine.held:,} of {plural(engine.memories, 'memory', 'memories')}"
    elif not engine.problem:
        yield "  holds    unknown: another process has it open, perhaps the worker, and only one can"
    if engine.lacking:
        lost = plural(engine.lacking, "memory", "memories")
        yield f"  {paint('lacks', 'yellow')}    {lost}, no job writes them: `jotsam db engine compare --repair` does"
    if engine.pending:
        since = f", since {duration(max(0, now - engine.oldest))}" if engine.oldest is not None else ""
        yield f"  pending  {plural(engine.pending, 'memory', 'memories')}{since}"
    if engine.paused:
        again = f"; tried again in {duration(max(0, engine.probe_at - now))}" if engine.probe_at else ""
        reason = "for this reason" if engine.problem and engine.problem in engine.paused else engine.paused
        yield f"  {paint('paused', 'yellow')}   {reason}{again}"
    if engine.error:
        yield f"  {paint('error', 'yellow')}    {engine.error}"

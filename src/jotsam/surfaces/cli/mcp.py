"""`jotsam mcp`, parsed by the full parser: with global options that its small parser leaves to this one."""

from __future__ import annotations

from jotsam.surfaces.mcp.serve import serve

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse


def run(arguments: argparse.Namespace) -> int:
    names = ("db", "tenant", "project", "harness", "profile")
    options = {f"--{name}": value for name in names if (value := getattr(arguments, name)) is not None}
    if arguments.no_worker:
        options["--no-worker"] = ""
    return serve(options)

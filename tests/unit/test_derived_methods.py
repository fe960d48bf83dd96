"""The derived methods of `AsyncJotsam`, `Client` and `AsyncClient`: their signatures and docstrings.

tests/typing has what a type checker infers of them.
"""

from __future__ import annotations

import inspect
import pydoc
import re
from collections.abc import Iterator
from pathlib import Path

import griffe
from tools.derived_methods import DerivedMethods

import jotsam
from jotsam.memory import options
from jotsam.remote.calls import BY_HAND

ROOT = Path(__file__).parents[2]
SYNC = (jotsam.Jotsam, jotsam.Admin, jotsam.Knowledge, jotsam.Lifecycle, jotsam.Blocks, jotsam.Store, jotsam.Crystals)
DERIVED = (
    *(jotsam.AsyncJotsam, jotsam.AsyncAdmin, jotsam.AsyncKnowledge, jotsam.AsyncBlocks, jotsam.AsyncLifecycle),
    *(jotsam.AsyncStore, jotsam.AsyncCrystals, jotsam.Client, jotsam.AsyncClient),
)


def methods(kind: type) -> Iterator[str]:
    return (name for name, _ in inspect.getmembers(kind, inspect.isfunction) if not name.startswith("_"))


def test_each_method_is_sent_refused_or_described_with_its_own_arguments() -> None:
    offenders = []
    for original in SYNC:
        for name in methods(original):
            method = getattr(original, name)
            if name in {"scoped", "events", "close"} or "not_over_http" in vars(method):
                continue
            if method.__qualname__ in BY_HAND:
                wanted = [*inspect.signature(method).parameters.values()][1:]
                given = [*inspect.signature(BY_HAND[method.__qualname__]).parameters.values()][1:]
                is_right = [(a.name, a.kind, a.default) for a in wanted] == [(b.name, b.kind, b.default) for b in given]
            else:
                is_right = "operation" in vars(method)
            offenders += [] if is_right else [method.__qualname__]
    assert offenders == []


def test_help_and_tracebacks_name_the_derived_class() -> None:
    shown = pydoc.plain(pydoc.render_doc(jotsam.AsyncJotsam.recall))
    # From Python 3.13 on a parameter has a line of its own, and from 3.14 on its type no quotes.
    assert re.search(r"async recall\(\s*self,\s+question: '?str'? = ''", shown)
    assert jotsam.Client.recall.__doc__ == jotsam.Jotsam.recall.__doc__
    offenders = [
        f"{kind.__name__}.{name}: {function.__qualname__}"
        for kind in DERIVED
        for name in methods(kind)
        if (function := getattr(kind, name)).__qualname__.rpartition(".")[2] != name or "core" in function.__module__
    ]
    assert offenders == []
    assert str(inspect.signature(jotsam.Client.add)).endswith("session: 'str | None' = None) -> 'Receipt'")


def test_the_reference_shows_the_signature_and_docstring_of_each_derived_method() -> None:
    extensions = griffe.load_extensions(DerivedMethods)
    package = griffe.load("jotsam", search_paths=[ROOT / "src"], extensions=extensions, submodules=True)
    offenders = []
    for kind in DERIVED:
        shown = package[f"{kind.__module__.removeprefix('jotsam.')}.{kind.__name__}"].all_members
        for name in methods(kind):
            one, wanted = shown[name], inspect.signature(getattr(kind, name)).parameters
            documented = one.docstring is not None and inspect.cleandoc(one.docstring.value)
            parameters = [parameter.name for parameter in one.parameters] if one.is_function else None
            if documented != inspect.getdoc(getattr(kind, name)) or parameters != list(wanted):
                offenders.append(f"{kind.__name__}.{name}")
    assert offenders == []


def test_an_operation_names_parameters_that_its_method_has() -> None:
    offenders = []
    declared = [one for kind in SYNC for _, one in inspect.getmembers(kind) if hasattr(one, "operation")]
    for method in declared:
        operation, parameters = method.operation, [*inspect.signature(method).parameters.values()][1:]
        typed = [one.annotation for one in parameters if one.kind is one.VAR_KEYWORD]
        names = {one.name for one in parameters}
        names |= {field for one in typed for field in getattr(options, one[7:-1]).__annotations__}
        in_body = [one for number, one in enumerate(parameters) if operation.place_of(one.name, number) == "body"]
        named = {*operation.in_query, *operation.limits, *(() if operation.is_batch else operation.of_client)}
        if not named <= names or bool(in_body) != bool(operation.body) or len(parameters) < operation.path.count("{"):
            offenders.append(method.__qualname__)
    assert len(declared) >= 70
    assert offenders == []

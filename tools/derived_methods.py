"""Shows `mkdocstrings`, which reads files and imports nothing, the signatures and docstrings of derived methods.

An attribute `recall = threaded(Jotsam.recall)` becomes a function with the parameters of `Jotsam.recall`, and a
function below `@derived_from(Jotsam.add)` gets the docstring of `Jotsam.add`.
"""

from __future__ import annotations

from copy import copy

import griffe

COROUTINES = {"threaded", "awaited", "awaited_without_tx", "awaited_as_declared"}
DERIVING = {*COROUTINES, "sent", "sent_without_tx", "sent_as_declared"}


class DerivedMethods(griffe.Extension):
    """Named in mkdocs.yml."""

    def on_package(self, *, pkg: griffe.Module, **_: object) -> None:
        for name in ("memory.async_methods", "remote.methods", "remote.async_methods"):
            for kind in pkg[name].classes.values():
                for member in list(kind.members.values()):
                    if isinstance(member, griffe.Attribute) and isinstance(member.value, griffe.ExprCall):
                        if member.value.function.canonical_name in DERIVING:
                            kind.set_member(member.name, _derived(member, member.value, pkg))
                    elif isinstance(member, griffe.Function):
                        for decorator in member.decorators:
                            if isinstance(decorator.value, griffe.ExprCall):
                                member.docstring = copy(_original(decorator.value, pkg).docstring)


def _derived(member: griffe.Attribute, call: griffe.ExprCall, package: griffe.Module) -> griffe.Function:
    original = _original(call, package)
    function = griffe.Function(
        member.name,
        parameters=griffe.Parameters(*(one for one in original.parameters if one.name != "tx")),
        returns=original.returns,
        lineno=member.lineno,
        endlineno=member.endlineno,
        docstring=copy(original.docstring),
    )
    if call.function.canonical_name in COROUTINES:
        function.labels.add("async")
    return function


def _original(call: griffe.ExprCall, package: griffe.Module) -> griffe.Function:
    """The method that the first argument names. It may be inherited."""
    named = call.arguments[0]
    assert isinstance(named, griffe.Expr), f"{named} is not a method"
    path, _, name = named.canonical_path.rpartition(".")
    found = package.modules_collection[path].all_members[name]
    target = found.final_target if isinstance(found, griffe.Alias) else found
    assert isinstance(target, griffe.Function), f"{path}.{name} is not a function"
    return target

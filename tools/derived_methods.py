"""Shows `griffe`, which reads files and imports nothing, the signatures and docstrings of derived methods.

An attribute `recall = awaited(Jotsam.recall)` becomes a function with the parameters of `Jotsam.recall`.
"""

from __future__ import annotations

from copy import copy

import griffe

DERIVING = {"awaited", "sent"}
# Other names of classes, for type checkers.
WITHOUT_TX = {
    "jotsam.memory.api.async_methods.WithoutTx": "jotsam.memory.api.client.Jotsam",
    "jotsam.memory.api.async_methods.StoreWithoutTx": "jotsam.memory.api.store.Store",
}


class DerivedMethods(griffe.Extension):
    """An extension of `griffe`, for `tools.python_reference`."""

    def on_package(self, *, pkg: griffe.Module, **_: object) -> None:
        for name in ("memory.api.async_methods", "remote.methods", "remote.async_client"):
            for kind in pkg[name].classes.values():
                for member in list(kind.members.values()):
                    call = member.value if isinstance(member, griffe.Attribute) else None
                    if isinstance(call, griffe.ExprCall) and call.function.canonical_name in DERIVING:
                        kind.set_member(member.name, _derived(member, call, pkg))


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
    if call.function.canonical_name == "awaited":
        function.labels.add("async")
    return function


def _original(call: griffe.ExprCall, package: griffe.Module) -> griffe.Function:
    """The method that the first argument names. It may be inherited."""
    named = call.arguments[0]
    assert isinstance(named, griffe.Expr), f"{named} is not a method"
    path, _, name = named.canonical_path.rpartition(".")
    path = WITHOUT_TX.get(path, path)
    found = package.modules_collection[path].all_members[name]
    target = found.final_target if isinstance(found, griffe.Alias) else found
    assert isinstance(target, griffe.Function), f"{path}.{name} is not a function"
    return target

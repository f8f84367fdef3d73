"""Everything public is documented."""

from __future__ import annotations

import importlib
import inspect
from types import ModuleType

import pytest

MODULES = ["carom", "carom.billiards", "carom.gym", "carom.plot"]


def undocumented(module: ModuleType) -> list[str]:
    missing = [] if module.__doc__ else [module.__name__]
    names = getattr(module, "__all__", None) or [name for name in vars(module) if not name.startswith("_")]
    for name in names:
        thing = getattr(module, name)
        if not (inspect.isclass(thing) or callable(thing)) or not getattr(thing, "__module__", "").startswith("carom"):
            continue
        if not inspect.getdoc(thing):
            missing.append(f"{module.__name__}.{name}")
        if not inspect.isclass(thing):
            continue
        for member, value in vars(thing).items():
            if member.startswith("_") or not (callable(value) or isinstance(value, (property, staticmethod, classmethod))
                                              or inspect.isgetsetdescriptor(value)):
                continue
            if not inspect.getdoc(getattr(thing, member)):
                missing.append(f"{module.__name__}.{name}.{member}")
    return missing


@pytest.mark.parametrize("name", MODULES)
def test_everything_has_a_docstring(name: str) -> None:
    assert undocumented(importlib.import_module(name)) == []

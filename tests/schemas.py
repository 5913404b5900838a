"""Checks values against the JSON schemas of docs/schemas, as far as these go."""

from __future__ import annotations

import json
import re
from typing import Any

from tests.environments import ROOT

_TYPES = {
    "object": dict,
    "array": list,
    "string": str,
    "null": type(None),
    "integer": int,
    "number": (int, float),
}
#: What `problems` understands: a schema that says more is not checked as a whole.
_KNOWN = {
    "$schema", "title", "type", "properties", "required", "additionalProperties", "items",
    "minimum", "maximum", "pattern", "oneOf",
}  # fmt: skip


def schema(name: str) -> dict[str, Any]:
    """A schema of docs/schemas by name."""
    return json.loads((ROOT / "docs" / "schemas" / f"{name}.schema.json").read_text("utf-8"))


def problems(value: Any, rule: dict[str, Any], where: str = "$") -> list[str]:
    """Where a value is not what a schema says."""
    assert rule.keys() <= _KNOWN, rule.keys() - _KNOWN
    if "oneOf" in rule:
        fitting = [one for one in rule["oneOf"] if not problems(value, one, where)]
        return [] if len(fitting) == 1 else [f"{where}: {len(fitting)} of oneOf fit"]
    types = rule["type"] if isinstance(rule["type"], list) else [rule["type"]]
    if not any(isinstance(value, _TYPES[one]) for one in types) or isinstance(value, bool):
        return [f"{where}: {value!r} is no {types}"]
    found = []
    if isinstance(value, dict):
        found += [f"{where}: {name} is missing" for name in rule["required"] if name not in value]
        found += [f"{where}: {name} is unknown" for name in value if name not in rule["properties"]]
        for name, inner in rule["properties"].items():
            if name in value:
                found += problems(value[name], inner, f"{where}.{name}")
    elif isinstance(value, list):
        for number, one in enumerate(value):
            found += problems(one, rule["items"], f"{where}[{number}]")
    elif isinstance(value, str):
        if "pattern" in rule and not re.search(rule["pattern"], value):
            found.append(f"{where}: {value!r} does not match")
    elif value is not None and not rule.get("minimum", value) <= value <= rule.get(
        "maximum", value
    ):
        found.append(f"{where}: {value} is out of range")
    return found

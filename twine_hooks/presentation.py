"""Plans, reasons and results as lines for people and as values for JSON; decides nothing."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from twine_hooks.extraction import EMPTY
from twine_hooks.generation.writer import Estimate
from twine_hooks.plan import Plan, Reason, Task
from twine_hooks.survey import Skipped
from twine_hooks.update import Result

if TYPE_CHECKING:
    from twine_hooks.truth import Told

_ADD_AT_MOST = 30  #: paths in a `git add` line that a person still reads


def as_json(value: Any) -> str:
    """A value as JSON text, non-ASCII kept, keys in the order given."""
    return json.dumps(value, indent=2, ensure_ascii=False)


def shown(path: str) -> str:
    """A path as a person can read and paste it."""
    if path.isprintable():
        return shlex.quote(path)
    escaped = (_escaped(byte) for byte in path.encode("utf-8", "surrogateescape"))
    return f"$'{''.join(escaped)}'"


def _escaped(byte: int) -> str:
    """One byte inside of a shell's `$'…'`."""
    character = chr(byte)
    is_itself = " " <= character <= "~" and character not in "'\\"
    return character if is_itself else f"\\x{byte:02x}"


def task_line(task: Task) -> str:
    """One task: what is done to which document, and why."""
    reasons = "; ".join(str(reason) for reason in task.reasons)
    return f"{task.action:<7} {shown(task.path)}: {reasons}"


def task_value(task: Task) -> dict[str, Any]:
    """One task for JSON."""
    value: dict[str, Any] = {
        "path": task.path,
        "action": task.action,
        "reasons": [reason_value(reason) for reason in task.reasons],
    }
    return value | ({"origin": task.origin} if task.origin else {})


def reason_value(reason: Reason) -> dict[str, Any]:
    """One reason for JSON."""
    return {
        "kind": reason.kind,
        "subject": reason.subject,
        "symbols": list(reason.symbols),
        "text": str(reason),
    }


def plan_lines(plan: Plan) -> list[str]:
    """A plan as a list of lines, the sum last."""
    lines = [task_line(task) for task in plan.tasks]
    return [*lines, f"{counted(len(plan.tasks), 'document')} to do, {plan.fresh} fresh"]


def estimate_line(total: Estimate, price: float | None) -> str:
    """What a plan would take of a model, in one line."""
    tokens = f"about {total.prompt_tokens} + {total.answer_tokens} tokens"
    return f"{counted(total.calls, 'call')} of a model, {tokens}{priced(price)}"


def estimate_value(estimate: Estimate, price: float | None) -> dict[str, Any]:
    """What one document, or all of a plan, would take of a model, for JSON; price in US dollars."""
    return {
        "calls": estimate.calls,
        "prompt_tokens": estimate.prompt_tokens,
        "answer_tokens": estimate.answer_tokens,
        "price": price,
    }


def priced(price: float | None) -> str:
    """`, $0.0123`; "" where the price is not known or nothing."""
    return f", ${price:.4f}" if price else ""


def counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def skipped_lines(skipped: Sequence[Skipped]) -> list[str]:
    """What was passed over, empty files only counted."""
    notable = [one for one in skipped if one.reason != EMPTY]
    empty = len(skipped) - len(notable)
    lines = [f"skipped {shown(one.path)}: {one.reason}" for one in notable]
    return [*lines, f"skipped {counted(empty, 'empty file')}"] if empty else lines


def result_lines(result: Result) -> list[str]:
    """What a refresh did, in a few lines."""
    parts: list[tuple[Sequence[object], str]] = [
        (result.written, "written"),
        (result.rendered, "rendered again"),
        (result.moved, "moved"),
        (result.leaves, "leaf only"),
        (result.removed, "removed"),
        (result.ready, "already in the work tree"),
    ]
    done = ", ".join(f"{len(paths)} {what}" for paths, what in parts if paths)
    lines = [f"documents: {done or 'nothing to do'}"]
    if result.calls:
        tokens = f"{result.prompt_tokens} + {result.answer_tokens} tokens{priced(result.cost)}"
        lines.append(f"asked a model {counted(result.calls, 'time')}, {tokens}")
    lines += [f"outlined {shown(path)}: {reason}" for path, reason in result.outlined]
    lines += [f"held {shown(path)}: {reason}" for path, reason in result.held]
    lines += [f"failed {shown(path)}: {reason}" for path, reason in result.failed]
    lines += [f"left {shown(path)}: {reason}" for path, reason in result.left]
    return lines


def told_value(one: Told) -> dict[str, Any]:
    """How true a document is, for JSON; None for what was asked where nobody knows."""
    measure, asked = one.measure, one.asked
    return {
        "by": one.by,
        "existence": measure.existence,
        "unknown": list(measure.unknown),
        "completeness": measure.completeness,
        "missing": list(measure.missing),
        "parameter_recall": measure.parameter_recall,
        "unnamed": list(measure.unnamed),
        "calls": asked and asked.calls,
        "prompt_tokens": asked and asked.prompt_tokens,
        "answer_tokens": asked and asked.answer_tokens,
    }


def result_value(result: Result, told: Sequence[Told] = ()) -> dict[str, Any]:
    """What a refresh did, for JSON; ``told`` measures what a model wrote."""
    return {
        "written": result.written,
        "rendered": result.rendered,
        "moved": [{"from": old, "to": new} for old, new in result.moved],
        "leaves": result.leaves,
        "removed": result.removed,
        "ready": result.ready,
        "calls": result.calls,
        "prompt_tokens": result.prompt_tokens,
        "answer_tokens": result.answer_tokens,
        "cost": result.cost,
        "truth": {path: asdict(truth) for path, truth in sorted(result.truth.items())},
        "documents": {one.path: told_value(one) for one in told},
        "outlined": [{"path": path, "reason": reason} for path, reason in result.outlined],
        "held": [{"path": path, "reason": reason} for path, reason in result.held],
        "failed": [{"path": path, "reason": reason} for path, reason in result.failed],
        "left": [{"path": path, "reason": reason} for path, reason in result.left],
    }


def add_line(paths: Sequence[str]) -> str:
    """The exact command that stages these paths."""
    if len(paths) > _ADD_AT_MOST:
        return "git add -A -- .codetwine/docs"
    return "git add -A -- " + " ".join(shown(path) for path in paths)

"""Plans, reasons and results as lines for people and as values for JSON; decides nothing."""

from __future__ import annotations

import posixpath
import shlex
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from docs_store.layout import DOCS
from twine_hooks.extraction import EMPTY
from twine_hooks.generation.hand_edits import KEPT, MERGED, NO_FATES, OVERWRITTEN, Fates
from twine_hooks.generation.writer import Estimate
from twine_hooks.plan import Plan, Reason, Task
from twine_hooks.survey import Skipped
from twine_hooks.update import Result

if TYPE_CHECKING:
    from twine_hooks.truth import Told

FATE_WORDS = {KEPT: "kept", MERGED: "given to the model", OVERWRITTEN: "overwritten"}
NO_FATES_AT_ALL: Mapping[str, Fates] = MappingProxyType({})
_ADD_AT_MOST = 30  #: paths in a `git add` line that a person still reads


def as_json(value: Any) -> str:
    """A value as JSON text, non-ASCII kept, keys in the order given."""
    import json  # a hook tells nothing in JSON

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


def task_line(task: Task, fates: Fates = NO_FATES) -> str:
    """One task: what is done to which document, why, and what becomes of people's edits in it."""
    reasons = "; ".join(str(reason) for reason in task.reasons)
    return f"{task.action:<7} {shown(task.path)}: {reasons}{edits_note(fates)}"


def edits_note(fates: Fates) -> str:
    """`; edited by hand: summary kept`, or ""."""
    told = ", ".join(f"{name} {FATE_WORDS[fate]}" for name, fate in fates.items())
    return f"; edited by hand: {told}" if told else ""


def task_value(task: Task, fates: Fates = NO_FATES) -> dict[str, Any]:
    """One task for JSON."""
    value: dict[str, Any] = {
        "path": task.path,
        "action": task.action,
        "reasons": [reason_value(reason) for reason in task.reasons],
    }
    value |= {"origin": task.origin} if task.origin else {}
    return value | ({"edited": dict(fates)} if fates else {})


def reason_value(reason: Reason) -> dict[str, Any]:
    """One reason for JSON."""
    return {
        "kind": reason.kind,
        "subject": reason.subject,
        "symbols": list(reason.symbols),
        "text": str(reason),
    }


def plan_lines(plan: Plan, fates: Mapping[str, Fates] = NO_FATES_AT_ALL) -> list[str]:
    """A plan as a list of lines, the sum last. ``fates`` by source, where people edited any."""
    lines = [task_line(task, fates.get(task.path, NO_FATES)) for task in plan.tasks]
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


def refused_lines(refused: Iterable[str]) -> list[str]:
    """The files of a work tree that git itself can't read, so that they are seen as staged."""
    files = sorted(path for path in refused if not path.endswith("/"))
    why = "git can't add it (unreadable, or its filter fails), so it counts as it is staged"
    return [f"{shown(path)}: {why}" for path in files]


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
    is_undone = result.held or result.failed or result.left
    lines = [f"documents: {done or ('none written' if is_undone else 'nothing to do')}"]
    if result.calls:
        tokens = f"{result.prompt_tokens} + {result.answer_tokens} tokens{priced(result.cost)}"
        lines.append(f"asked a model {counted(result.calls, 'time')}, {tokens}")
    lines += [f"edited {shown(path)}: {name} {what}" for path, name, what in result.edits]
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
        "truth": {path: truth._asdict() for path, truth in sorted(result.truth.items())},
        "edits": [
            {"path": path, "section": name, "result": what} for path, name, what in result.edits
        ],
        "documents": {one.path: told_value(one) for one in told},
        "outlined": [{"path": path, "reason": reason} for path, reason in result.outlined],
        "held": [{"path": path, "reason": reason} for path, reason in result.held],
        "failed": [{"path": path, "reason": reason} for path, reason in result.failed],
        "left": [{"path": path, "reason": reason} for path, reason in result.left],
    }


def add_line(paths: Sequence[str], folder: str = "") -> str:
    """The exact command that stages these paths, for a shell in `folder` below the root."""
    respelt = _respelt(paths)
    rest = [path for path in paths if path not in respelt]
    if len(paths) > _ADD_AT_MOST:
        rest, respelt = [DOCS], respelt and [DOCS]
    add = f"git add -A -- {in_shell(rest, folder)}"
    if not respelt:
        return add
    # Where git ignores case, it takes the new name for the old one as long as that is known.
    return f"git rm -rq --cached --ignore-unmatch -- {in_shell(respelt, folder)} && {add}"


def _respelt(paths: Sequence[str]) -> list[str]:
    """The files among the paths whose folder is there in another case as well."""
    folders = {path.casefold() for path in paths}
    return [path for path in paths if path.rpartition("/")[0].casefold() in folders]


def in_shell(paths: Iterable[str], folder: str = "") -> str:
    """Paths as a person types them in `folder` below the root."""
    typed = (posixpath.relpath(path, folder) if folder else path for path in paths)
    return " ".join(shown(path) for path in typed)


def ignored_line(path: str, rule: str) -> str:
    """That git ignores a document, and what to do about it."""
    return (
        f"{shown(path)} is ignored by git ({rule}), so it can't be committed; "
        "`codetwine init` makes an exception in .codetwine/.gitignore, else change that rule"
    )

"""`codetwine status`: the state of all documents on one screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from docs_store.document import HandEdit, title_key
from twine_hooks.edited import edits_in, edits_policy
from twine_hooks.generation.hand_edits import fates_of
from twine_hooks.plan import REMOVE, Plan, Task
from twine_hooks.presentation import (
    FATE_WORDS,
    as_json,
    counted,
    reason_value,
    shown,
    skipped_lines,
    told_value,
)
from twine_hooks.session import Session
from twine_hooks.templating import Template
from twine_hooks.workspace import Workspace, opened

_LISTED = 12  #: of each kind; --all lists the rest


@click.command("status")
@click.option("--staged", is_flag=True, help="Look at the index, not the work tree.")
@click.option("--rev", metavar="REV", help="Look at a commit.")
@click.option("--truth", "wants_truth", is_flag=True, help="Measure how true documents are.")
@click.option("--all", "all_", is_flag=True, help="List everything, however long it gets.")
@click.option("--json", "wants_json", is_flag=True, help="Print as JSON.")
@click.pass_obj
def command(
    session: Session,
    staged: bool,
    rev: str | None,
    wants_truth: bool,
    all_: bool,
    wants_json: bool,
) -> int:
    """Show which documents are fresh, stale, missing or edited by hand.

    Also what was passed over and which imports lead nowhere. Exit code 0 whatever it shows:
    `codetwine verify` is the one that judges. --truth holds what each document says against what
    its source says now: names that exist, definitions and parameters that are told of, and what a
    model was asked for it on this machine.
    """
    with opened(session, rev=rev, staged=staged) as workspace:
        value = _value(workspace, workspace.evaluation.plan())
        if wants_truth:
            value["truth"] = _truth(workspace)
        click.echo(as_json(value) if wants_json else "\n".join(_lines(workspace, value, all_)))
        return 0


def state_of(workspace: Workspace, task: Task) -> str:
    """missing, stale or orphaned."""
    if task.action == REMOVE:
        return "orphaned"
    return "missing" if task.path not in workspace.evaluation.recorded.headers else "stale"


def _value(workspace: Workspace, plan: Plan) -> dict[str, Any]:
    evaluation = workspace.evaluation
    groups: dict[str, list[dict[str, Any]]] = {"stale": [], "missing": [], "orphaned": []}
    for task in plan.tasks:
        reasons = [reason_value(reason) for reason in task.reasons]
        groups[state_of(workspace, task)].append({"path": task.path, "reasons": reasons})
    stale = {task.path for task in plan.tasks}
    edited = edits_in(workspace, evaluation.recorded.headers).items()
    links = evaluation.survey.graph.links
    return {
        "snapshot": workspace.snapshot.label,
        "sources": len(evaluation.inputs),
        "fresh": plan.fresh,
        **groups,
        "edited": [_edited(workspace, path, path in stale, edits) for path, edits in edited],
        "skipped": [{"path": one.path, "reason": one.reason} for one in evaluation.survey.skipped],
        "submodules": sorted(workspace.snapshot.submodules),
        "dependencies": sum(len(evaluation.survey.graph.dependencies(path)) for path in links),
        "unresolved": [
            {"path": path, "line": one.line, "text": one.text}
            for path in sorted(links)
            for one in links[path].unresolved
        ],
    }


def _truth(workspace: Workspace) -> dict[str, Any]:
    from twine_hooks.truth import Told, total_of, truth_of

    told = truth_of(workspace.evaluation, workspace.cache)
    measure, asked = total_of(told)
    whole = told_value(Told("", "", measure, asked))
    totals = {name: one for name, one in whole.items() if not isinstance(one, list | str)}
    return {**totals, "documents": {one.path: told_value(one) for one in told}}


def _truth_lines(value: dict[str, Any], limit: int) -> list[str]:
    documents = value["documents"]
    lines = [
        "",
        f"truth of {counted(len(documents), 'document')}: existence {value['existence']}, "
        f"completeness {value['completeness']}, parameter recall {value['parameter_recall']}",
    ]
    if value["calls"]:
        tokens = f"{value['prompt_tokens']} + {value['answer_tokens']} tokens"
        lines.append(f"asked a model for them {counted(value['calls'], 'time')}, {tokens}")
    groups = {
        "names that nothing knows": "unknown",
        "not told of": "missing",
        "parameters not named": "unnamed",
    }
    for title, name in groups.items():
        entries = [
            f"{shown(path)}: {', '.join(one[name])}" for path, one in documents.items() if one[name]
        ]
        lines += _group(title, entries, limit)
    return lines


def _lines(workspace: Workspace, value: dict[str, Any], all_: bool) -> list[str]:
    limit = len(value["skipped"]) + len(value["unresolved"]) + value["sources"] if all_ else _LISTED
    lines = [
        f"{workspace.snapshot.label}: {counted(value['sources'], 'source')}, "
        f"{value['fresh']} fresh, {len(value['stale'])} stale, {len(value['missing'])} missing, "
        f"{len(value['orphaned'])} orphaned"
    ]
    for name in ("stale", "missing", "orphaned"):
        entries = [
            f"{shown(one['path'])}: {'; '.join(reason['text'] for reason in one['reasons'])}"
            for one in value[name]
        ]
        lines += _group(name, entries, limit)
    edited = [
        f"{shown(one['path'])}: {', '.join(map(_edited_section, one['edits']))}"
        + ("; its source has changed since" if one["is_stale"] else "")
        for one in value["edited"]
    ]
    lines += _group("edited by hand", edited, limit)
    lines += _group("passed over", skipped_lines(workspace.evaluation.survey.skipped), limit)
    lines += _group("submodules, not looked into", value["submodules"], limit)
    unresolved = [f"{shown(u['path'])}:{u['line']}: {u['text']}" for u in value["unresolved"]]
    lines += _group(f"{len(unresolved)} imports that lead nowhere", unresolved, limit)
    lines += _truth_lines(value["truth"], limit) if "truth" in value else []
    return lines + _advice(value)


def _edited(
    workspace: Workspace, path: str, is_stale: bool, edits: Sequence[HandEdit]
) -> dict[str, Any]:
    """The edited sections of a document, and what becomes of them when it is written anew."""
    template = workspace.evaluation.template
    fates = fates_of(edits, template, edits_policy(workspace), has_model=True)
    return {
        "path": path,
        "sections": [one.id for one in edits],
        "is_stale": is_stale,
        "edits": [
            {"section": one.id, "heading": _new_heading(one, template), "fate": fates[one.id]}
            for one in edits
        ],
    }


def _new_heading(edit: HandEdit, template: Template) -> str:
    """The heading that a person gave a section that they edited as well; "" for the usual one."""
    is_usual = title_key(edit.heading) == title_key(template.titles.get(edit.id, ""))
    return "" if is_usual else edit.heading


def _edited_section(edit: dict[str, Any]) -> str:
    heading = f', taken to be "{edit["heading"]}"' if edit["heading"] else ""
    return f"{edit['section']}{heading} ({FATE_WORDS[edit['fate']]})"


def _group(title: str, entries: list[str], limit: int) -> list[str]:
    if not entries:
        return []
    more = [f"  … and {len(entries) - limit} more (--all)"] if len(entries) > limit else []
    return ["", f"{title}:", *(f"  {entry}" for entry in entries[:limit]), *more]


def _advice(value: dict[str, Any]) -> list[str]:
    lines = []
    if value["sources"] > 3 and not value["dependencies"]:
        lines.append(
            "no file uses another one, as far as codetwine can see: if that is wrong, "
            "set analysis.source_roots in .codetwine/config.yaml"
        )
    if not value["sources"]:
        lines.append("there is no source in a language that codetwine knows")
    if value["stale"] or value["missing"] or value["orphaned"]:
        lines.append("`codetwine refresh` brings them up to date")
    return ["", *lines] if lines else []

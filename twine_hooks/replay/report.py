"""A replay as a table for people and as a value for JSON; decides nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from twine_hooks.config import POLICIES
from twine_hooks.presentation import counted
from twine_hooks.providers.model import Limits
from twine_hooks.replay.bill import Bill
from twine_hooks.replay.run import Replay, Step

_NARROWEST = 20  #: characters of a subject
_SHORT = 10  #: of a commit's id


@dataclass(frozen=True, slots=True)
class Report:
    """A replay with the prices of a model. ``model`` is "" where none is named; ``is_cut``: it
    begins where a shallow clone does."""

    replay: Replay
    policy: str
    model: str
    limits: Limits
    is_cut: bool = False

    def value(self) -> dict[str, Any]:
        """Everything, for JSON; see docs/replay.md."""
        replay = self.replay
        return {
            "from": replay.set_up.commit,
            "to": (replay.steps or [replay.set_up])[-1].commit,
            "shallow": self.is_cut,
            "policy": self.policy,
            "model": self.model or None,
            "set_up": {
                "sources": replay.set_up.sources,
                "policies": {one: self._bill(replay.set_up.bills[one]) for one in POLICIES},
            },
            "commits": [self._step(one) for one in replay.steps],
            "total": {
                "commits": len(replay.steps),
                "sources": replay.sources,
                "source_lines": replay.source_lines,
                "policies": {one: self._total(replay.total(one)) for one in POLICIES},
            },
        }

    def _step(self, step: Step) -> dict[str, Any]:
        return {
            "commit": step.commit,
            "subject": step.subject,
            "sources": step.sources,
            "source_lines": step.source_lines,
            "policies": {
                one: self._bill(step.bills[one]) | {"asked": list(step.bills[one].asked)}
                for one in POLICIES
            },
        }

    def _bill(self, bill: Bill) -> dict[str, Any]:
        return {
            "documents": bill.documents,
            "written": bill.written,
            "rendered": bill.rendered,
            "moved": bill.moved,
            "removed": bill.removed,
            "calls": bill.calls,
            "least_calls": bill.least_calls,
            "prompt_tokens": bill.prompt_tokens,
            "answer_tokens": bill.answer_tokens,
            "price": self._price(bill),
            "doc_lines": bill.doc_lines,
            "too_long": bill.too_long,
        }

    def _total(self, bill: Bill) -> dict[str, Any]:
        ratio = round(bill.calls / bill.least_calls, 4) if bill.least_calls else None
        return self._bill(bill) | {"calls_per_least": ratio}

    def _price(self, bill: Bill) -> float | None:
        return self.limits.price(bill.prompt_tokens, bill.answer_tokens)

    def lines(self, width: int) -> list[str]:
        """A line for each commit, then one for each policy; no wider than ``width`` if it fits."""
        replay = self.replay
        rows = [self._row(one) for one in replay.steps]
        head = ["commit", "subject", "sources", *self._columns]
        totals = [self._total_row(one) for one in POLICIES]
        set_up = self._cells(replay.set_up.bills[self.policy])
        first = [replay.set_up.commit[:_SHORT], "(set-up)", str(replay.set_up.sources), *set_up]
        return [
            f"policy {self.policy}; {self._measured()}",
            "",
            *_table([head, first, *rows], width),
            "",
            self._sum(),
            "",
            *_table([["policy", *self._columns, "least calls"], *totals], width, texts=1),
        ]

    def _sum(self) -> str:
        changes = f"{counted(self.replay.sources, 'change')} of a source"
        lines = counted(self.replay.source_lines, "line")
        return f"{counted(len(self.replay.steps), 'commit')}, {changes}, {lines}; set-up left out:"

    def _measured(self) -> str:
        return f"as {self.model} counts" if self.model else "no model named: 4 characters a token"

    @property
    def _columns(self) -> list[str]:
        price = [] if self.limits.price(1, 1) is None else ["price"]
        return ["documents", "calls", "prompt tokens", *price, "doc lines"]

    def _cells(self, bill: Bill) -> list[str]:
        price = self._price(bill)
        numbers = [str(bill.documents), str(bill.calls), str(bill.prompt_tokens)]
        return [*numbers, *([] if price is None else [f"${price:.4f}"]), str(bill.doc_lines)]

    def _row(self, step: Step) -> list[str]:
        cells = self._cells(step.bills[self.policy])
        return [step.commit[:_SHORT], _visible(step.subject), str(step.sources), *cells]

    def _total_row(self, policy: str) -> list[str]:
        bill = self.replay.total(policy)
        return [policy, *self._cells(bill), str(bill.least_calls)]


def _visible(text: str) -> str:
    return "".join(one if one.isprintable() else "?" for one in text)


def _table(rows: Sequence[Sequence[str]], width: int, texts: int = 2) -> list[str]:
    """Columns in line; of ``texts`` columns at the left the last one is cut where that helps."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    spare = width - sum(widths) - 2 * (len(widths) - 1)
    if spare < 0 and texts > 1:
        widths[texts - 1] = max(min(_NARROWEST, widths[texts - 1]), widths[texts - 1] + spare)
    return ["  ".join(_cells(row, widths, texts)).rstrip() for row in rows]


def _cells(row: Sequence[str], widths: Sequence[int], texts: int) -> list[str]:
    return [
        _cut(cell, width).ljust(width) if column < texts else cell.rjust(width)
        for column, (cell, width) in enumerate(zip(row, widths, strict=True))
    ]


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"

"""From settings and options to who writes: a model's writer, or None for the outline.

The address and the key are a person's own, never the repository's; the repository may wish for a
model. Without any of these nothing of a model's library is imported.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import cache as once
from typing import TYPE_CHECKING, NamedTuple

from docs_store.digest import short
from twine_hooks.config import CONFIG_PATH, Config
from twine_hooks.errors import ConfigError, GitError
from twine_hooks.extraction import facts_of_blob
from twine_hooks.files import Files, is_own
from twine_hooks.generation.choice import affordable
from twine_hooks.generation.spending import Allowance, Spending
from twine_hooks.personal import Personal, read_personal
from twine_hooks.plan import WRITE, Plan
from twine_hooks.providers.model import ModelFailedError
from twine_hooks.update import Progress, Refresh, Result
from twine_hooks.workspace import Workspace

if TYPE_CHECKING:
    from docs_store.cache import Cache
    from twine_hooks.evaluation import Evaluation
    from twine_hooks.generation.condensing import Condensing
    from twine_hooks.generation.model_writer import ModelWriter
    from twine_hooks.providers.client import ClientModel
    from twine_hooks.providers.litellm import LiteLLM

PROVIDERS = ("outline", "litellm")
_COMMITS_LOOKED_AT = 12  #: for the source that a document was written for


class Wish(NamedTuple):
    """What a command was told: empty and None where it was told nothing."""

    provider: str = ""
    model: str = ""
    allowance: Allowance = Allowance()
    max_retries: int | None = None


def writer_for(workspace: Workspace, wish: Wish) -> ModelWriter | None:
    """Who writes the prose: a model's writer, or None for the outline. Raises ConfigError."""
    personal = read_personal(workspace.session.environ)
    asked = model_for(personal, workspace.evaluation.config, wish)
    if asked is None:
        return None
    from twine_hooks.generation.model_writer import ModelWriter, remembered_source

    if wish.allowance.max_cost is not None and asked.limits().price(1, 1) is None:
        raise ConfigError(
            f"the price of {asked.name} is not known, so that it cannot be limited; use --max-calls"
        )
    return ModelWriter(
        model=asked,
        cache=workspace.cache,
        spending=Spending(wish.allowance, asked.limits),
        exists=_exists(workspace.snapshot),
        source_before=lambda path, own: (
            remembered_source(workspace.cache, own) or committed_source(workspace, path, own)
        ),
        answer_tokens=answer_tokens(personal),
        condensing=condensing(personal, workspace.evaluation.config),
    )


def writer_of_client(
    model: ClientModel, cache: Cache, evaluation: Evaluation, personal: Personal
) -> ModelWriter:
    """Who writes with a client that a program brings along.

    It is asked for every document, whatever it failed for, and nothing stands in for it.
    """
    from twine_hooks.generation.model_writer import ModelWriter, remembered_source

    return ModelWriter(
        model=model,
        cache=cache,
        spending=Spending(Allowance(), model.limits, patience=None),
        exists=_exists(evaluation.snapshot),
        source_before=lambda path, own: remembered_source(cache, own),
        answer_tokens=answer_tokens(personal),
        condensing=condensing(personal, evaluation.config),
        stands_in=False,
    )


def _exists(snapshot: Files) -> Callable[[str], bool]:
    """Whether the project has a file of a name, as prose may write it."""
    from twine_hooks.generation.vocabulary import exists_in

    # Made when the first name is looked up: most runs write few documents.
    files = once(lambda: exists_in(path for path in snapshot.files if not is_own(path)))
    return lambda path: files()(path)


def answer_tokens(personal: Personal) -> int:
    """How long an answer may be, in tokens."""
    return max(1, int(personal.number("DOC_MAX_TOKENS")))


def model_for(personal: Personal, config: Config, wish: Wish) -> LiteLLM | None:
    """The model that writes, or None for the outline. Raises ConfigError."""
    name = chosen_model(personal, config, wish)
    if not name:
        return None
    from twine_hooks.providers.litellm import LiteLLM

    retries = int(personal.number("MAX_RETRIES"))
    return LiteLLM(
        name,
        personal.text("LLM_API_KEY"),
        personal.text("LLM_API_BASE"),
        max_retries=retries if wish.max_retries is None else min(retries, wish.max_retries),
        retry_wait=personal.number("RETRY_WAIT"),
        timeout=personal.number("LLM_TIMEOUT"),
        context_tokens=int(personal.number("LLM_CONTEXT_TOKENS")),
    )


def condensing(personal: Personal, config: Config) -> Condensing | None:
    """How large definitions are condensed; a person's own settings go before the repository's.

    They say how a model is asked, not what is stale, so that two people may differ.
    """
    from twine_hooks.generation.condensing import Condensing

    own = personal.flag("ENABLE_CODE_SUMMARY")
    lines = personal.number_or("CODE_SUMMARY_TRIGGER_LINES", config.code_summary_trigger_lines)
    chars = personal.number_or("CODE_SUMMARY_MAX_CHARS", config.code_summary_max_chars)
    is_on = config.enable_code_summary if own is None else own
    return Condensing(lines, chars) if is_on and chars else None


def chosen_model(personal: Personal, config: Config, wish: Wish) -> str:
    """The name of the model that writes, "" for the outline: options go before what the person
    set, that before what the repository wishes. Raises ConfigError."""
    if wish.provider == "outline" or (personal.is_on is False and not wish.provider + wish.model):
        return ""
    own = wish.model or personal.text("LLM_MODEL")
    if own:
        return own
    if "litellm" not in (wish.provider, config.provider) and not personal.is_on:
        return ""
    if not config.model:
        raise ConfigError(
            f"no model is named: set LLM_MODEL, `model:` in {CONFIG_PATH}, or use "
            "`--provider outline`"
        )
    return _trusted(config.model, personal)


def _trusted(model: str, personal: Personal) -> str:
    """A model that a repository wishes for, if it cannot lead code or a key elsewhere."""
    if "://" in model or "@" in model:
        raise ConfigError(
            f"{CONFIG_PATH}: `model: {model}` holds an address, which is never taken from a "
            f"repository; if you trust it, set LLM_MODEL to it"
        )
    if personal.text("LLM_API_KEY") and not personal.text("LLM_API_BASE"):
        raise ConfigError(
            f"{CONFIG_PATH} wishes for {model}, and LLM_API_KEY could go to the wrong provider: "
            f"set LLM_MODEL={model}, or the provider's own variable, as OPENAI_API_KEY"
        )
    return model


def jobs_of(personal: Personal, wished: int | None = None) -> int:
    """How many documents a model is asked about at once: MAX_WORKERS where no option says it."""
    return max(1, int(personal.number("MAX_WORKERS")) if wished is None else wished)


def run_within(
    run: Refresh, plan: Plan, allowance: Allowance, progress: Progress = lambda task: None
) -> Result:
    """Run a plan, or as much of it as the allowance lets; the rest is left and named."""
    left: list[tuple[str, str]] = []
    if run.writer is not None and _may_be_short(plan, allowance):
        # A model that is out of order is told of for each document, not here.
        with suppress(ModelFailedError):
            plan, left = _chosen(run, plan, allowance)
    result = run.run(plan, progress)
    result.left[:0] = left
    if result.calls:
        result.cost = _spent(run)
    return result


def _spent(run: Refresh) -> float | None:
    from twine_hooks.generation.model_writer import ModelWriter

    return run.writer.spending.cost if isinstance(run.writer, ModelWriter) else None


def _may_be_short(plan: Plan, allowance: Allowance) -> bool:
    if allowance.max_cost is not None:
        return True
    writing = sum(task.action == WRITE for task in plan.tasks)
    return allowance.max_calls is not None and writing > allowance.max_calls


def _chosen(run: Refresh, plan: Plan, allowance: Allowance) -> tuple[Plan, list[tuple[str, str]]]:
    from twine_hooks.generation.model_writer import ModelWriter

    assert isinstance(run.writer, ModelWriter)
    graph = run.evaluation.survey.graph
    return affordable(
        plan,
        run.estimates(plan),
        allowance,
        run.writer.model.limits(),
        lambda path: len(graph.dependents(path)),
    )


def committed_source(workspace: Workspace, path: str, own: str) -> str:
    """The text that a source had when its digest was ``own``, looked for in the latest commits
    that touched it; "" where it is in none of them."""
    try:
        listed = workspace.repo.run(
            ["log", f"-n{_COMMITS_LOOKED_AT}", "--format=%H", "HEAD", "--", path]
        )
    except GitError:  # no commit yet
        return ""
    for commit in listed.decode().split():
        with suppress(GitError):
            data = workspace.repo.run(["cat-file", "blob", f"{commit}:{path}"])
            facts = facts_of_blob(path, data)
            if not isinstance(facts, str) and short(f"b3:{facts.meaning}") == own:
                return data.decode("utf-8", "replace")
    return ""

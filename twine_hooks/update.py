"""The way of one refresh: evaluate, plan, write each document and its leaf, tell what happened."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from docs_store import leaf as leaves
from docs_store import store
from docs_store.digest import short
from docs_store.document import Document, edited, hand_edits, render
from docs_store.errors import DocumentError
from docs_store.header import parse_header, require_header
from docs_store.layout import doc_path, leaf_path
from twine_hooks.config import KEEP
from twine_hooks.evaluation import Evaluation
from twine_hooks.files import read_file
from twine_hooks.generation.author import compose
from twine_hooks.generation.choice import levels
from twine_hooks.generation.hand_edits import MERGED, NO_FATES, OVERWRITTEN, Fates, fates_of
from twine_hooks.generation.writer import EXPECTED_SUMMARY
from twine_hooks.material import Material
from twine_hooks.plan import COPY, LEAF, MOVE, REMOVE, RENDER, WRITE, Plan, Task
from twine_hooks.providers.outline import NAME, outline
from twine_hooks.recorded import present_document

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

    from twine_hooks.generation.writer import Estimate, Truth, Writer, Written

Progress = Callable[[Task], None]
_NOT_MERGED = "kept, as no answer left most of it as it was; look whether it is still true"


class Result:
    """What a refresh did. Paths are those of the sources, in the order of the work."""

    def __init__(self) -> None:
        self.written: list[str] = []  #: prose made anew
        self.rendered: list[str] = []  #: facts rendered anew, prose kept
        self.moved: list[tuple[str, str]] = []  #: (old, new), copies too
        self.leaves: list[str] = []  #: only the leaf written
        self.removed: list[str] = []
        self.ready: list[str] = []  #: on disk already, only not in the index
        self.failed: list[tuple[str, str]] = []  #: (source, reason)
        self.left: list[tuple[str, str]] = []  #: (source, limit that stopped it)
        self.held: list[tuple[str, str]] = []  #: (source, what a person must do)
        self.outlined: list[tuple[str, str]] = []  #: written, but (why) by no model
        self.edits: list[tuple[str, str, str]] = []  #: (source, section, what for)
        self.calls = 0
        self.prompt_tokens = 0
        self.answer_tokens = 0
        self.asked: dict[str, Estimate] = {}  #: by source, of those judged
        self.truth: dict[str, Truth] = {}  #: of each answer that was judged
        #: US dollars; None where nothing was asked or no price is known
        self.cost: float | None = None

    @property
    def touched(self) -> list[str]:
        """All sources whose document or leaf on disk is another than the snapshot's."""
        moved = [new for _, new in self.moved]
        return [*self.written, *self.rendered, *moved, *self.leaves, *self.removed, *self.ready]

    def note(self, path: str, answer: Written) -> None:
        """Count what a model was asked for a source, and what came of it."""
        self.calls += answer.calls
        self.prompt_tokens += answer.prompt_tokens
        self.answer_tokens += answer.answer_tokens
        if answer.truth is not None:
            self.truth[path] = answer.truth
            self.asked[path] = answer.asked
        if answer.texts is not None and answer.problem:
            self.outlined.append((path, answer.problem))
        if answer.texts is None:
            (self.left if answer.is_limit else self.failed).append((path, answer.problem))

    def note_edits(
        self, path: str, present: Document | None, prose: Mapping[str, str], fates: Fates
    ) -> None:
        """Note what became of sections that people edited, but for those that just stay."""
        texts = present.texts() if present else {}
        for name, fate in fates.items():
            if fate == OVERWRITTEN:
                self.edits.append((path, name, OVERWRITTEN))
            elif fate == MERGED and name not in prose:
                self.edits.append((path, name, _NOT_MERGED))
            elif fate == MERGED and prose[name] != texts.get(name):
                self.edits.append((path, name, "corrected by a model"))


class Refresh:
    """One run over a plan, writing below ``root``.

    ``writer`` is None for the outline. ``prefers_disk`` is for the index: a document in the work
    tree that is newer than the index's is what a person sees, so it is the present one. ``jobs``
    is how many documents a model is asked about at once; the documents are the same with any.
    ``edits`` says what becomes of sections that people edited, one of EDITS in config.py.
    """

    def __init__(
        self,
        evaluation: Evaluation,
        root: Path,
        writer: Writer | None = None,
        prefers_disk: bool = False,
        jobs: int = 1,
        edits: str = KEEP,
    ) -> None:
        self.evaluation = evaluation
        self.root = root
        self.writer = writer
        self.prefers_disk = prefers_disk
        self.jobs = jobs
        self.edits = edits
        self._summaries: dict[str, str] = {}  #: of the documents on disk
        self._folded: dict[str, list[str]] = {}  #: sources by their name's case

    def run(self, plan: Plan, progress: Progress = lambda task: None) -> Result:
        """Do all tasks in order. A document that fails stays as it is and stale."""
        result = Result()
        origins = self._origins(plan)
        if self.writer is None or self.jobs < 2:
            for task in plan.tasks:
                progress(task)
                self._do(task, origins, result)
            return result
        from concurrent.futures import ThreadPoolExecutor  # most hooks write without a model

        with ThreadPoolExecutor(self.jobs) as pool:
            try:
                for group in self._groups(plan):
                    self._do_group(group, origins, result, progress, pool)
            finally:
                pool.shutdown(wait=False, cancel_futures=True)
        return result

    def _groups(self, plan: Plan) -> list[tuple[Task, ...]]:
        writing = [task for task in plan.tasks if task.action != REMOVE]
        removing = tuple(task for task in plan.tasks if task.action == REMOVE)
        return [*levels(writing, self.evaluation.survey.graph.dependencies), removing]

    def _do_group(
        self,
        group: Sequence[Task],
        origins: Mapping[str, Document | None],
        result: Result,
        progress: Progress,
        pool: ThreadPoolExecutor,
    ) -> None:
        """Ask about all of a group at once, and write each as soon as those before it are."""
        asked = {
            task.path: pool.submit(self._ask, task, *self._ready_to_write(task, origins))
            for task in group
            if task.action == WRITE and not self._is_settled(task, origins)
        }
        for task in group:
            progress(task)
            future = asked.get(task.path)
            self._do(task, origins, result, future.result() if future else None)

    def _is_settled(self, task: Task, origins: Mapping[str, Document | None]) -> bool:
        """Whether a task needs no prose: it is held, or done in the work tree already."""
        is_done = self.prefers_disk and self._is_done_on_disk(task.path)
        return is_done or bool(self._problem(task, origins))

    def _ready_to_write(
        self, task: Task, origins: Mapping[str, Document | None]
    ) -> tuple[Material, Document | None]:
        present = self._present(task.path) if not task.origin else origins[task.origin]
        return self.evaluation.material(task.path, self._summary), present

    def _ask(self, task: Task, material: Material, present: Document | None) -> Written:
        assert self.writer is not None
        inputs, fates = self.evaluation.inputs[task.path], self._fates(task, present)
        return self.writer.write(task, material, inputs, present, fates)

    def _fates(self, task: Task, present: Document | None) -> Fates:
        """What becomes of the edited sections of a present document.

        What is only on disk, neither committed nor staged, is kept: nobody could get it back.
        """
        if task.action != WRITE or present is None or self.edits == KEEP:
            return NO_FATES
        path = doc_path(task.origin or task.path)
        data = self._on_disk(path) if self.prefers_disk else None
        if data is not None and _plain(data) != self._in_snapshot(path):
            return NO_FATES
        has_model = self.writer is not None
        return fates_of(hand_edits(present), self.evaluation.template, self.edits, has_model)

    def estimates(self, plan: Plan) -> dict[str, Estimate]:
        """By source what a model would be asked for, where that is not nothing at all."""
        found = {}
        ahead: set[str] = set()

        def summary(path: str) -> str:
            if path not in ahead:
                return self._summary(path)
            # Not known yet, so that no answer of before can be taken for one to what will be asked.
            return f"… {self._summary(path) or EXPECTED_SUMMARY}"

        for task in plan.tasks:
            if task.action == WRITE and self.writer is not None:
                present = self._present(task.origin or task.path)
                material = self.evaluation.material(task.path, summary)
                inputs = self.evaluation.inputs[task.path]
                fates = self._fates(task, present)
                found[task.path] = self.writer.estimate(task, material, inputs, present, fates)
                ahead.add(task.path)
        return found

    def _do(
        self,
        task: Task,
        origins: Mapping[str, Document | None],
        result: Result,
        answer: Written | None = None,
    ) -> None:
        if task.action == REMOVE and (other := self._same_on_disk(task.path)):
            store.recase(self.root, other)
            result.removed.append(task.path)
            return
        problem = self._problem(task, origins)
        if problem:
            result.held.append((task.path, problem))
        elif task.action == REMOVE:
            self._remove(task, result)
        elif task.action == LEAF:
            self._write_leaf(task.path)
            result.leaves.append(task.path)
        elif self.prefers_disk and self._is_done_on_disk(task.path):
            self._write_leaf(task.path)
            result.ready.append(task.path)
        else:
            self._write(task, origins, result, answer)

    def _problem(self, task: Task, origins: Mapping[str, Document | None]) -> str:
        """Why the document on disk must not go or be written over, or "".

        One without a header is not ours, below a damaged one may stand what people wrote, and
        what is neither staged nor moved on is lost with the file.
        """
        path = doc_path(task.path)
        data = self._on_disk(path) if task.action != LEAF else None
        if data is None or not data.strip():  # empty: what a power cut leaves
            return ""
        try:
            require_header(data.decode("utf-8", "replace"), path)
        except DocumentError as error:
            return str(error)
        goes = task.action == REMOVE and task.path not in origins
        if goes and self.prefers_disk and _plain(data) != self._in_snapshot(path):
            return f"{path} has edits that are not staged, and its source goes; stage or undo them"
        return ""

    def _same_on_disk(self, path: str) -> str:
        """The source with the very document of one that is gone, on a disk that does not tell upper
        case from lower; "" for none."""
        if not self._folded:
            for source in self.evaluation.inputs:
                self._folded.setdefault(source.casefold(), []).append(source)
        gone = self.root / doc_path(path)
        for source in self._folded.get(path.casefold(), ()):
            file = self.root / doc_path(source)
            if gone.exists() and file.exists() and gone.samefile(file):
                return source
        return ""

    def _in_snapshot(self, path: str) -> bytes:
        return _plain(read_file(self.evaluation.snapshot, path) or b"")

    def _remove(self, task: Task, result: Result) -> None:
        # In the index run a source that is gone from the index may still lie in the work tree,
        # untracked; its document goes with the commit all the same.
        store.remove(self.root, task.path)
        result.removed.append(task.path)

    def _write(
        self,
        task: Task,
        origins: Mapping[str, Document | None],
        result: Result,
        answer: Written | None,
    ) -> None:
        material, present = self._ready_to_write(task, origins)
        prose, by = self._prose(task, material, present, result, answer)
        if prose is None:
            return
        # What the outline writes in the place of a model that failed takes no one's place.
        is_stand_in = self.writer is not None and by == NAME
        fates = NO_FATES if is_stand_in else self._fates(task, present)
        inputs = self.evaluation.inputs[task.path]
        document = compose(material, inputs, prose, present, by, fates)
        result.note_edits(task.path, present, prose, fates)
        store.write_document(self.root, task.path, render(document))
        self._summaries.pop(task.path, None)  # to be read as it stands there
        self._write_leaf(task.path)
        if task.action == WRITE:
            result.written.append(task.path)
        elif task.action == RENDER:
            result.rendered.append(task.path)
        else:
            result.moved.append((task.origin, task.path))

    def _prose(
        self,
        task: Task,
        material: Material,
        present: Document | None,
        result: Result,
        answer: Written | None,
    ) -> tuple[Mapping[str, str] | None, str]:
        """Texts by section and who wrote them; None where a model failed or a limit was met."""
        if task.action in (RENDER, MOVE, COPY) and present is not None:
            by_hand = edited(present)  # compose keeps these, and that they are edits
            texts = {name: text for name, text in present.texts().items() if name not in by_hand}
            return texts, present.header.by
        if self.writer is None:
            return outline(material), NAME
        answer = answer or self._ask(task, material, present)
        result.note(task.path, answer)
        return answer.texts, answer.by

    def _write_leaf(self, path: str) -> None:
        store.write_leaf(self.root, path, leaves.render(self.evaluation.leaf(path)))

    def _origins(self, plan: Plan) -> dict[str, Document | None]:
        """The documents that move or are copied, read before anything is written over them."""
        wanted = sorted({task.origin for task in plan.tasks if task.origin})
        return {path: self._present(path) for path in wanted}

    def _present(self, path: str) -> Document | None:
        """The document of a source as it is now."""
        titles = self.evaluation.template.titles
        if self.prefers_disk:
            found = present_document(self._on_disk(doc_path(path)), titles, doc_path(path))
            if found is not None:
                return found
        data = read_file(self.evaluation.snapshot, doc_path(path))
        return present_document(data, titles, doc_path(path))

    def _on_disk(self, path: str) -> bytes | None:
        file = self.root / path
        return file.read_bytes() if file.is_file() else None

    def _is_done_on_disk(self, path: str) -> bool:
        """Whether the work tree holds the document already, only the index does not."""
        data = self._on_disk(doc_path(path)) or b""
        try:
            header = parse_header(data.decode("utf-8", "replace"), doc_path(path))
        except DocumentError:
            return False
        inputs = self.evaluation.inputs[path]
        return (
            header is not None
            and header.inputs == inputs.digest
            and header.place == short(inputs.place)
        )

    def _summary(self, path: str) -> str:
        """The summary of another document, as far as it is written yet."""
        if path not in self._summaries:
            data = self._on_disk(doc_path(path))
            if data is None:  # written elsewhere, or left out of a sparse checkout
                data = read_file(self.evaluation.snapshot, doc_path(path))
            found = present_document(data, {}, doc_path(path))
            self._summaries[path] = found.summary if found else ""
        return self._summaries[path]


def _plain(data: bytes) -> bytes:
    return data.replace(b"\r\n", b"\n")


def paths_to_add(result: Result, root: Path) -> list[str]:
    """The folders of documents that belong into the commit, for ``git add``; sorted.

    Removed ones are named by their files, since their folders are gone.
    """
    gone = set(result.removed)
    folders = {doc_path(path).rpartition("/")[0] for path in result.touched if path not in gone}
    files = {one for path in gone for one in (doc_path(path), leaf_path(path))}
    return sorted(folders | files)

"""The running API and the reading API, as another program uses them."""

from __future__ import annotations

import asyncio
import gc
import json
import re
import shutil
import sqlite3
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.environments import ROOT
from tests.model_server import ModelServer
from tests.projects import Project, unpack
from twine_hooks import knowledge_db as db
from twine_hooks.api import process_all_files
from twine_hooks.errors import CodetwineError

FILES = unpack('''
-- geometry.py --
"""Shapes."""
class BaseShape:
    """Something with an outline."""
    def compute_area(self): return 0

def areaOfSquare(n): return n * n
-- price.py --
from geometry import BaseShape, areaOfSquare
class Price(BaseShape):
    def total(self):
        return areaOfSquare(2) + self.compute_area()
-- shop.py --
from price import Price
def main():
    return Price().total()
''')


def run(*args, **options):
    return asyncio.run(process_all_files(*args, **options))


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "shop"
    made.mkdir()
    for name, text in FILES.items():
        (made / name).write_text(text)
    return made


@pytest.fixture
def knowledge(folder, tmp_path):
    run(folder, tmp_path / "out", knowledge_format="sqlite")
    return db.open_knowledge(tmp_path / "out/shop/project_knowledge.sqlite")


def test_it_works_outside_of_a_repository(folder, tmp_path):
    (folder / "node_modules").mkdir()
    (folder / "node_modules/x.js").write_text("x()")
    (folder / ".gitignore").write_text("*.log\n")
    (folder / "a.log").write_text("x")
    done = run(str(folder), str(tmp_path / "out"))
    expected = {"file_count": 4, "dependency_fail_list": [], "doc_count": 0, "doc_fail_list": []}
    assert done == expected
    summary = json.loads((tmp_path / "out/shop/project_dependency_summary.json").read_text())
    assert re.fullmatch(r"shop/\.gitignore~\w+/\.gitignore", summary["files"][0]["file"])
    assert [one["file"] for one in summary["files"][1:]] == [
        "shop/geometry_py/geometry.py",
        "shop/price_py/price.py",
        "shop/shop_py/shop.py",
    ]


def test_an_output_folder_inside_of_the_project_is_no_source(folder):
    for _ in range(3):
        assert run(folder, folder / "output")["file_count"] == 3


def test_the_same_folder_gives_the_same_bytes(folder, tmp_path):
    for name in ("one", "two"):
        run(folder, tmp_path / name, knowledge_format="both")
    for name in ("project_knowledge.json", "project_knowledge.sqlite", "dependency_graph.md"):
        one, two = ((tmp_path / folder / "shop" / name).read_bytes() for folder in ("one", "two"))
        assert one == two


def test_only_the_files_of_the_list_are_looked_at(folder, tmp_path):
    done = run(folder, tmp_path / "out", file_list=["price.py", "./geometry.py", "gone.py"])
    assert done["file_count"] == 2
    assert done["dependency_fail_list"] == ["gone.py"]
    with pytest.raises(CodetwineError, match="outside"):
        run(folder, tmp_path / "out", file_list=["../x.py"])


def test_in_a_repository_it_is_what_git_sees_with_its_documents(tmp_path):
    project = Project(tmp_path / "shop")
    project.write(FILES)
    project.write({".gitignore": "hidden.py\n", "hidden.py": "x = 1\n"})
    project.tool("refresh")
    done = run(project.path, tmp_path / "out")
    assert (done["file_count"], done["doc_count"]) == (4, 3)
    done = run(project.path, tmp_path / "out", file_list=["shop.py", "nothing.py"])
    assert (done["file_count"], done["doc_count"]) == (1, 1)
    assert done["dependency_fail_list"] == ["nothing.py"]


@pytest.mark.parametrize("name", ["gone", "shop/price.py"])
def test_a_folder_that_is_not_there(folder, tmp_path, name):
    with pytest.raises(CodetwineError, match="is no folder"):
        run(tmp_path / name, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_files_and_dependencies(knowledge):
    files = {one["file"]: one for one in db.iter_files(knowledge)}
    assert list(files) == [f"shop/{name}_py/{name}.py" for name in ("geometry", "price", "shop")]
    price = "shop/price_py/price.py"
    assert db.get_file(knowledge, price) == db.get_file(knowledge, "price.py") == files[price]
    assert db.get_file(knowledge, "gone.py") is None
    assert db.callees_of(knowledge, price) == ["shop/geometry_py/geometry.py"]
    assert db.callers_of(knowledge, price) == ["shop/shop_py/shop.py"]
    [entry] = [one for one in db.iter_dependencies(knowledge) if one["file"] == price]
    assert entry["callers"] == ["shop/shop_py/shop.py"]


def test_definitions_by_name_or_a_part_of_it(knowledge):
    [found] = db.find_definitions(knowledge, "total")
    assert found == {
        "file": "shop/price_py/price.py",
        "name": "total",
        "type": "method",
        "start_line": 3,
        "end_line": 4,
    }
    assert db.find_definitions(knowledge, "tot") == []
    assert [one["name"] for one in db.find_definitions(knowledge, "AREA", partial=True)] == [
        "compute_area",
        "areaOfSquare",
    ]
    assert db.find_definitions(knowledge, "%", partial=True) == []


@pytest.mark.parametrize(
    "name", ["total", "Price.total", "Price::total", "price.py::Price.total", "price.py::total"]
)
def test_callers_and_callees_of_a_symbol(knowledge, name):
    [caller] = db.callers_of_symbol(knowledge, name)
    assert (caller["path"], caller["qualified"]) == ("shop.py", "main")
    assert (caller["edge"], caller["lines"]) == ("calls", [3])
    callees = {one["qualified"] for one in db.callees_of_symbol(knowledge, name)}
    assert callees == {"areaOfSquare", "BaseShape.compute_area"}
    [symbol] = db.find_symbols(knowledge, name)
    assert symbol["kind"] == "method"


def test_a_path_names_the_file(knowledge):
    [found] = db.find_symbols(knowledge, "price.py")
    assert (found["name"], found["kind"], found["qualified"]) == ("price.py", "file", "")
    assert [one["path"] for one in db.callers_of_symbol(knowledge, "price.py")] == ["shop.py"]


def test_what_a_symbol_touches_with_the_steps(knowledge):
    found = [
        (one["qualified"], one["steps"]) for one in db.impact_of_symbol(knowledge, "areaOfSquare")
    ]
    assert found == [("Price.total", 1), ("main", 2)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("square", "areaOfSquare"),
        ("area of square", "areaOfSquare"),
        ("compute", "BaseShape.compute_area"),
        ("outline", "BaseShape"),
        ("basesh", "BaseShape"),
    ],
)
def test_search_knows_the_parts_of_names(knowledge, text, expected):
    assert expected in [one["qualified"] for one in db.search(knowledge, text)]


@pytest.mark.parametrize("text", ["", "  ", '"', "a AND", "(", "'; DROP TABLE files", "*", "NEAR("])
def test_no_search_is_an_error(knowledge, text):
    db.search(knowledge, text)


def test_the_database_cannot_be_written(knowledge):
    with pytest.raises(sqlite3.OperationalError):
        knowledge.execute("DELETE FROM files")


def test_what_is_no_database_is_named(tmp_path):
    (tmp_path / "x").write_text("text that is no database, but long enough to be looked at" * 99)
    for name in ("x", "gone"):
        with pytest.raises(CodetwineError, match=r"codetwine export --format sqlite"):
            db.open_knowledge(tmp_path / name)


def test_a_query_uses_an_index(knowledge):
    asked = []
    knowledge.set_trace_callback(asked.append)
    for name in ("total", "Price.total", "price.py::total", "price.py", "nothing"):
        db.find_symbols(knowledge, name)
        db.callers_of_symbol(knowledge, name)
        db.callees_of_symbol(knowledge, name)
        db.impact_of_symbol(knowledge, name)
    knowledge.set_trace_callback(None)
    assert len(asked) > 20
    for query in asked:
        plan = [row[3] for row in knowledge.execute(f"EXPLAIN QUERY PLAN {query}")]
        assert not [one for one in plan if re.match(r"SCAN (symbols|symbol_edges|edge)\b", one)], (
            plan
        )


def test_reading_imports_nothing_heavy():
    program = "import sys, twine_hooks.knowledge_db; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    loaded = set(done.stdout.split())
    assert "sqlite3" in loaded
    assert not loaded & {"click", "pygit2", "tree_sitter", "ruamel", "litellm", "blake3"}


def test_a_query_takes_no_time(knowledge):
    started = time.perf_counter()
    db.callers_of_symbol(knowledge, "total")
    db.search(knowledge, "area")
    assert time.perf_counter() - started < 0.05


class Writes:
    """A client as codetwine's own is one: a coroutine that takes a prompt and gives a text.

    Of the files in ``failing`` it gives what ``gives`` is, or raises it.
    """

    model = "test/small"

    def __init__(self, *failing, gives=None):
        self.prompts, self.limits, self.failing, self.gives = [], set(), failing, gives

    async def generate(self, prompt, max_tokens=0):
        self.prompts.append(prompt)
        self.limits.add(max_tokens)
        await asyncio.sleep(0)
        if asked_about(prompt) not in self.failing:
            return answered(prompt)
        if isinstance(self.gives, BaseException):
            raise self.gives
        return self.gives

    @property
    def asked(self):
        return [asked_about(prompt) for prompt in self.prompts]


class WritesTogether:
    """Answers nobody before so many have asked."""

    def __init__(self, many):
        self.many, self.met, self.most, self.now = many, asyncio.Event(), 0, 0

    async def generate(self, prompt):
        self.now += 1
        self.most = max(self.most, self.now)
        if self.now == self.many:
            self.met.set()
        await asyncio.wait_for(self.met.wait(), 60)
        await asyncio.sleep(0.01)
        self.now -= 1
        return answered(prompt)


class WritesPlainly:
    def generate(self, prompt):
        return answered(prompt)


class WritesLater:
    """A plain function that gives something to wait for."""

    def generate(self, prompt):
        async def later():
            await asyncio.sleep(0)
            return answered(prompt)

        return later()


class Hangs(Writes):
    """Answers so often, then begins to answer and never ends."""

    def __init__(self, after=0):
        super().__init__()
        self.after, self.begun, self.was_cancelled = after, asyncio.Event(), False

    async def generate(self, prompt):
        if len(self.prompts) < self.after:
            return await super().generate(prompt)
        self.prompts.append(prompt)
        self.begun.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.was_cancelled = True
            raise


def asked_about(prompt):
    return re.search(r"^File: (.+)$", prompt, re.MULTILINE)[1]


def answered(prompt):
    system, _, user = prompt.partition("\n\nFile: ")
    messages = [
        {"role": "system", "content": system},
        {"role": "user", "content": f"File: {user}"},
    ]
    return ModelServer().answer("well", messages)


def docs_of(out):
    known = json.loads((out / "shop/project_knowledge.json").read_text())
    return {one["file"].rpartition("/")[2]: one.get("doc") for one in known["files"]}


def add_files(folder, many):
    names = [f"more{number}.py" for number in range(many)]
    for name in names:
        (folder / name).write_text(f"def {name[:-3]}(): return 1\n")
    return names


def state_of(folder):
    return {path: path.stat().st_mtime_ns for path in (folder, *folder.rglob("*"))}


@pytest.mark.parametrize("client", [Writes, WritesPlainly, WritesLater])
def test_a_client_writes_the_documents_and_the_project_is_left_alone(folder, tmp_path, client):
    before = state_of(folder)
    assert run(folder, tmp_path / "out", client()) == {
        "file_count": 3,
        "dependency_fail_list": [],
        "doc_count": 3,
        "doc_fail_list": [],
    }
    doc = docs_of(tmp_path / "out")["price.py"]
    assert doc["summary"] == (
        "This part is about summary and the file as a whole. Number 0 of its definitions is "
        "`Price`, which a reader meets first. Number 1 of its definitions is `Price.total`, which "
        "a reader meets first."
    )
    assert doc["summary"] in (tmp_path / "out/shop/price_py/doc.md").read_text()
    assert state_of(folder) == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "shop"]


def test_a_client_is_told_how_long_an_answer_may_be(folder, tmp_path):
    client = Writes()
    run(folder, tmp_path / "out", client, environ={"DOC_MAX_TOKENS": "700"})
    assert client.limits == {700}


def test_what_was_written_is_asked_for_once(folder, tmp_path):
    client = Writes()
    run(folder, tmp_path / "out", client)
    assert sorted(client.asked) == ["geometry.py", "price.py", "shop.py"]
    docs = docs_of(tmp_path / "out")
    assert run(folder, tmp_path / "out", client)["doc_count"] == 3
    assert run(folder, tmp_path / "out")["doc_count"] == 3  # without a client they are kept
    assert docs_of(tmp_path / "out") == docs
    (folder / "shop.py").write_text("def main():\n    return 7\n")
    assert run(folder, tmp_path / "out", client)["doc_count"] == 3
    assert client.asked[3:] == ["shop.py"]


def test_documents_of_sources_that_are_gone_go_and_of_those_left_out_stay(folder, tmp_path):
    client = Writes()
    run(folder, tmp_path / "out", client)
    place = tmp_path / "out/shop/.cache/documents/.codetwine/docs"
    run(folder, tmp_path / "out", client, ["geometry.py"])
    assert sorted(path.name for path in place.iterdir()) == ["geometry.py", "price.py", "shop.py"]
    (folder / "shop.py").unlink()
    assert run(folder, tmp_path / "out", client)["doc_count"] == 2
    assert sorted(path.name for path in place.iterdir()) == ["geometry.py", "price.py"]
    assert len(client.prompts) == 3


NOTHING = {
    "None": (None, "test/small gave no text"),
    "blank": (" \n", "test/small gave no text"),
    "no text": (b"## Summary", "test/small gave no text"),
    "prose": ("Sure!", "test/small answered with none of the sections"),
    "error": (ValueError("no\nanswer today"), "did not answer (ValueError: no answer today)"),
    "timeout": (TimeoutError(), "did not answer (TimeoutError)"),
    "cancelled": (asyncio.CancelledError(), "did not answer (CancelledError)"),
}


@pytest.mark.parametrize("name", NOTHING)
def test_one_that_fails_is_named_and_the_rest_goes_on(folder, tmp_path, caplog, name):
    gives, said = NOTHING[name]
    failing = ["geometry.py", *add_files(folder, 4)]
    done = run(folder, tmp_path / "out", Writes(*failing, gives=gives))
    assert (done["doc_count"], done["doc_fail_list"]) == (2, failing)
    docs = docs_of(tmp_path / "out")
    assert [path for path, doc in docs.items() if doc is None] == failing
    assert [line.partition(": ")[0] for line in caplog.messages] == failing
    assert all(said in line for line in caplog.messages)
    again = Writes()
    assert run(folder, tmp_path / "out", again)["doc_fail_list"] == []
    assert sorted(again.asked) == failing


def test_a_document_that_is_no_longer_fresh_stays_where_the_client_fails(folder, tmp_path):
    run(folder, tmp_path / "out", Writes())
    before = docs_of(tmp_path / "out")["geometry.py"]["summary"]
    (folder / "geometry.py").write_text("def area(n): return n\n")
    done = run(folder, tmp_path / "out", Writes("geometry.py"))
    assert done["doc_fail_list"] == ["geometry.py"]
    assert docs_of(tmp_path / "out")["geometry.py"]["summary"] == before


def test_a_plain_function_may_fail_too(folder, tmp_path, caplog):
    class RunsOut:
        answers = iter(())

        def generate(self, prompt):
            return next(self.answers)

    assert run(folder, tmp_path / "out", RunsOut())["doc_count"] == 0
    assert "RunsOut did not answer (RuntimeError: StopIteration)" in caplog.messages[0]


def test_outlines_of_the_project_are_written_anew_beside_the_export(tmp_path):
    project = Project(tmp_path / "shop")
    project.write(FILES)
    project.tool("refresh")
    project.add().commit("documents")
    client = Writes()
    done = run(project.path, tmp_path / "out", client)
    assert (done["doc_count"], done["doc_fail_list"]) == (3, [])
    assert sorted(client.asked) == ["geometry.py", "price.py", "shop.py"]
    assert "This part is" in docs_of(tmp_path / "out")["shop.py"]["summary"]
    assert project.git("status", "--porcelain") == ""
    run(project.path, tmp_path / "out", client)
    assert len(client.prompts) == 3
    # Without a client those of the project are what there is.
    run(project.path, tmp_path / "out")
    assert "This part is" not in docs_of(tmp_path / "out")["shop.py"]["summary"]
    project.replace("shop.py", "Price().total()", "Price().total() + 1")
    assert run(project.path, tmp_path / "out", client, ["shop.py"])["doc_count"] == 1


def test_fresh_documents_of_the_project_go_before_and_are_told_of(tmp_path):
    project, client = Project(tmp_path / "shop"), Writes()
    own = tmp_path / "out/shop/.cache/documents/.codetwine/docs"
    project.write(FILES)
    run(project.path, tmp_path / "first", Writes())
    written = tmp_path / "first/shop/.cache/documents/.codetwine/docs"
    shutil.copytree(written, project.path / ".codetwine/docs")
    project.write({"cart.py": "from price import Price\ndef cart(): return Price()\n"})
    assert run(project.path, tmp_path / "out", client)["doc_count"] == 4
    assert client.asked == ["cart.py"]
    assert "This part is about summary and the file as a whole." in client.prompts[0]
    shutil.copytree(own / "cart.py", project.path / ".codetwine/docs/cart.py")
    project.edit_doc("cart.py", "This part is about summary", "This part really is about summary")
    assert run(project.path, tmp_path / "out", client)["doc_count"] == 4
    assert client.asked == ["cart.py"]
    assert "This part really is" in docs_of(tmp_path / "out")["cart.py"]["summary"]
    assert [path for path in own.rglob("*") if path.is_file()] == []


def test_sections_that_a_person_edited_are_kept(tmp_path):
    project = Project(tmp_path / "shop")
    project.write(FILES)
    project.tool("refresh")
    project.edit_doc("shop.py", "Defines function `main`.", "Where it begins.")
    before = project.documents()
    client = Writes()
    run(project.path, tmp_path / "out", client)
    assert docs_of(tmp_path / "out")["shop.py"]["summary"].startswith("Where it begins.")
    assert "This part is about overview" in str(docs_of(tmp_path / "out")["shop.py"])
    run(project.path, tmp_path / "out", client, environ={"DOC_EDITS": "overwrite"})
    assert "Where it begins." not in docs_of(tmp_path / "out")["shop.py"]["summary"]
    assert project.documents() == before


def test_the_same_with_any_number_at_once(folder, tmp_path):
    add_files(folder, 8)
    wishes = {
        "one": (1, {"max_workers": 1}),
        "three": (3, {"max_workers": 3}),
        "five": (5, {"environ": {"MAX_WORKERS": "5"}}),
        "none": (1, {"max_workers": 0}),
    }
    for name, (many, options) in wishes.items():
        client = WritesTogether(many)
        assert run(folder, tmp_path / name, client, **options)["doc_count"] == 11
        assert client.most == many
    texts = {(tmp_path / name / "shop/project_knowledge.json").read_bytes() for name in wishes}
    assert len(texts) == 1


def test_a_plain_function_is_asked_for_one_at_a_time(folder, tmp_path):
    add_files(folder, 4)
    guard, met = threading.Lock(), []

    class Alone:
        def generate(self, prompt):
            met.append(not guard.acquire(blocking=False))
            time.sleep(0.01)
            guard.release()
            return answered(prompt)

    assert run(folder, tmp_path / "out", Alone(), max_workers=4)["doc_count"] == 7
    assert not any(met)


def test_many_runs_leave_their_threads_to_the_client(folder, tmp_path):
    class NeedsThread:
        async def generate(self, prompt):
            return await asyncio.to_thread(answered, prompt)

    async def many():
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
        outs = [tmp_path / str(number) for number in range(3)]
        return await asyncio.gather(
            *(process_all_files(folder, out, NeedsThread()) for out in outs)
        )

    assert [done["doc_count"] for done in asyncio.run(many())] == [3, 3, 3]


def test_two_runs_into_one_folder_ask_for_everything_once(folder, tmp_path):
    client = Writes()

    async def both():
        runs = (process_all_files(folder, tmp_path / "out", client) for _ in range(2))
        return await asyncio.gather(*runs)

    assert [done["doc_count"] for done in asyncio.run(both())] == [3, 3]
    assert len(client.prompts) == 3


def test_settings_limit_what_is_asked(folder, tmp_path):
    client = Writes()
    assert run(folder, tmp_path / "out", client, environ={"ENABLE_LLM_DOC": "false"}) == {
        "file_count": 3,
        "dependency_fail_list": [],
        "doc_count": 0,
        "doc_fail_list": [],
    }
    lines = "".join(f"    step{number} = argv[{number}]\n" for number in range(400))
    (folder / "long.py").write_text(f"def long(argv):\n{lines}")
    environ = {"LLM_CONTEXT_TOKENS": "1500", "ENABLE_CODE_SUMMARY": "false"}
    run(folder, tmp_path / "out", client, environ=environ)
    assert max(map(len, client.prompts)) <= 4 * 1500
    assert "step399" not in "".join(client.prompts)


def test_what_is_no_client_or_no_list_is_refused(folder, tmp_path):
    with pytest.raises(CodetwineError, match="is a object without a method generate"):
        run(folder, tmp_path / "out", object())
    for wrong in (4, "price.py"):
        with pytest.raises(CodetwineError, match="list of paths"):
            run(folder, tmp_path / "out", None, wrong)
    with pytest.raises(CodetwineError, match="MAX_WORKERS"):
        run(folder, tmp_path / "out", Writes(), environ={"MAX_WORKERS": "many"})
    assert not (tmp_path / "out").exists()


def test_nothing_is_asked_for_or_written_where_it_could_not_be_kept(folder, tmp_path):
    client, before = Writes(), state_of(folder)
    (tmp_path / "out/shop").mkdir(parents=True)
    (tmp_path / "out/shop/diary.txt").write_text("dear diary")
    for out in (tmp_path / "out", tmp_path):  # the second would be the project itself
        with pytest.raises(CodetwineError, match="is no export and holds"):
            run(folder, out, client)
    assert client.prompts == []
    assert state_of(folder) == before
    assert [path.name for path in (tmp_path / "out/shop").iterdir()] == ["diary.txt"]


def cancel(folder, out, client, begun):
    """Cancel a run once it has ``begun``; it complains of nothing."""
    complaints = []

    async def run_and_cancel():
        asyncio.get_running_loop().set_exception_handler(lambda _, said: complaints.append(said))
        task = asyncio.create_task(process_all_files(folder, out, client, max_workers=1))
        await begun()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        del task
        gc.collect()

    asyncio.run(run_and_cancel())
    assert complaints == []


def test_nothing_more_is_asked_for_or_written_once_it_was_cancelled(folder, tmp_path):
    client = Hangs(after=2)
    cancel(folder, tmp_path / "out", client, client.begun.wait)
    assert client.was_cancelled
    assert len(client.prompts) == 3
    assert not (tmp_path / "out/shop/project_knowledge.json").exists()
    again = Writes()
    assert run(folder, tmp_path / "out", again)["doc_count"] == 3
    assert again.asked == client.asked[2:]  # what was answered is not asked for again


def test_a_plain_function_that_hangs_is_left_behind(folder, tmp_path):
    begun, end = threading.Event(), threading.Event()

    class HangsPlainly:
        def generate(self, prompt):
            begun.set()
            end.wait()

    try:
        cancel(folder, tmp_path / "out", HangsPlainly(), lambda: asyncio.to_thread(begun.wait, 60))
    finally:
        end.set()
    assert not (tmp_path / "out/shop/project_knowledge.json").exists()


def test_one_that_asks_nobody_has_ended_when_it_is_cancelled(folder, tmp_path):
    cancel(folder, tmp_path / "out", None, lambda: asyncio.sleep(0))
    assert (tmp_path / "out/shop/.export.json").is_file()  # what is written last

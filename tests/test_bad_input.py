"""Whatever lies in a repository: a clear line, and the run goes on."""

from __future__ import annotations

import os
import subprocess

import pytest

from tests.git.names import NAMES
from tests.projects import DOCS, Project

GOOD = "\n-- good.py --\ndef good(): return 1\n"


@pytest.fixture
def project(tmp_path):
    return Project(tmp_path / "p", GOOD)


def skipped(project):
    """What `status` says was passed over: path -> reason."""
    said = project.tool("status", "--json")
    return {one["path"]: one["reason"] for one in said.json["skipped"]}


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("empty.py", b"", "it is empty"),
        ("blank.py", b" \n\n\t\n", "it is empty"),
        ("binary.py", b"MZ\0\1\2\3" * 100, "it is binary"),
        ("big.py", b"x = 1  # generated\n" * 1_060_000, "it has 20140 KB (max_file_kb: 1000)"),
        ("mini.js", b"var a=1;" * 10_000, "it is minified"),
        (
            "large.py",
            b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 12345\n",
            "it is a pointer of Git LFS",
        ),
    ],
)
def test_what_nobody_wrote_is_passed_over_and_named(project, name, content, reason):
    project.write({name: content}).check("good.py")
    assert skipped(project) == {name: reason}
    if "empty" not in reason:
        assert f"{name}: {reason}" in project.tool("refresh").out
    # And once there is something to say about it, it is said; and when not any more, not.
    language = "function f() {}\n" if name.endswith("js") else "def f(): pass\n"
    project.write({name: language}).check(name)
    project.write({name: content}).check(removed=name)


@pytest.mark.parametrize(
    "content",
    [
        "def caf\u00e9(): pass\n".encode("latin-1"),
        "\ufeffdef f(): pass\n".encode("utf-16-le"),
        "\ufeffdef f(): pass\n".encode(),
        b"def f(): return '\xff\xfe\x80'\n",
        b"# -*- coding: shift_jis -*-\ndef f(): return '\x83\x41'\n",
        b"def f():\r\n    return 1\r\n",
        b"def f():\r    return 1\r",
        b"\x0cdef f(): pass\n\x1a",
    ],
)
def test_any_encoding_and_line_end(project, content):
    project.write({"odd.py": content}).check("good.py odd.py")
    assert "## Definitions" in project.doc("odd.py")
    assert "\r" not in project.doc("odd.py")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("deep.py", "x = " + "(\n" * 10_000 + ")\n" * 10_000),
        ("lists.py", "x = " + "[\n" * 10_000 + "]\n" * 10_000),
        ("nested.py", "".join(" " * n + "if x:\n" for n in range(600)) + " " * 600 + "pass\n"),
        ("deep.js", "function f() {\n" * 10_000 + "}\n" * 10_000),
        ("deep.ts", "class A { m() {\n" * 1_000 + "}}\n" * 1_000),
        ("chain.js", "a" + ".b()\n" * 10_000),
        ("types.ts", "type A = " + "Array<\n" * 10_000 + "A" + ">\n" * 10_000),
        ("open.tsx", "<a>\n" * 10_000),
        ("sum.py", "x = " + "1 +\\\n" * 10_000 + "1\n"),
    ],
)
def test_deep_nesting_overflows_nothing(project, name, content):
    project.write({name: content})
    said = project.program("refresh", "--json")
    assert said.code == 0, said.err
    assert sorted(said.json["written"]) == sorted(["good.py", name])
    project.check_fresh()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.py", "def f(:\n  return\nclass\nimport\nfrom . import\n@\ndef g(): return 1\n"),
        ("a.py", "'''never closed\n"),
        ("a.py", "<<<<<<< ours\ndef f(): pass\n=======\ndef g(): pass\n>>>>>>> theirs\n"),
        ("a.js", "import { from ;;; export default\nfunction (\nclass { constructor( } }\n"),
        ("a.ts", "interface { : ; } type = enum {{{ export * from\n"),
        ("a.tsx", "const a = <div><b></div>\n"),
    ],
)
def test_syntax_errors(project, name, content):
    project.write({name: content})
    assert sorted(project.tool("refresh", "--json").json["written"]) == sorted(["good.py", name])
    project.check_fresh()


def test_symbolic_links_are_not_followed(project, tmp_path):
    (tmp_path / "outside.py").write_text("def secret(): pass\n")
    targets = {"dangling.py": "nowhere.py", "loop.py": "loop.py", "alias.py": "good.py"}
    targets |= {"out.py": str(tmp_path / "outside.py"), "folder": "."}
    for name, target in targets.items():
        (project.path / name).symlink_to(target)
    project.check("good.py")
    reason = "it is a symbolic link"
    assert skipped(project) == dict.fromkeys(
        ("alias.py", "dangling.py", "loop.py", "out.py"), reason
    )
    project.delete("alias.py").write({"alias.py": "def alias(): pass\n"}).check("alias.py")


def test_a_link_in_the_place_of_the_documents_is_refused(project, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (project.path / DOCS).symlink_to(tmp_path / "elsewhere")
    said = project.tool("refresh")
    assert said.code == 1
    assert "symbolic link" in said.err
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_submodules_are_not_looked_into(project, tmp_path):
    other = Project(tmp_path / "other", "\n-- inner.py --\ndef inner(): pass\n")
    other.add().commit()
    project.git("submodule", "add", "-q", other.path.as_uri(), "sub")
    project.check("good.py")
    assert project.tool("status", "--json").json["submodules"] == ["sub"]
    assert [path for path in project.documents() if "inner" in path] == []
    inside = Project(project.path / "sub", home=tmp_path / "home", init=False)
    inside.check("inner.py")


def test_an_embedded_repository_is_not_looked_into(project):
    inner = Project(
        project.path / "inner", "\n-- a.py --\ndef a(): pass\n", home=project.path.parent
    )
    inner.add().commit()
    project.check("good.py")


@pytest.mark.parametrize("name", [one for one in NAMES if one.endswith(".py")], ids=ascii)
def test_any_file_name(project, name):
    named = os.fsencode(name)
    folder = os.fsencode(project.path)
    target = os.path.join(folder, named)
    os.makedirs(os.path.dirname(target), exist_ok=True)
    with open(target, "wb") as stream:
        stream.write(b"from good import good\ndef odd(): return good()\n")
    said = project.tool("refresh", "--json")
    assert said.code == 0, said.err
    assert sorted(said.json["written"]) == sorted(["good.py", name])
    project.check_fresh()
    assert project.tool("status").code == 0
    assert project.tool("why", f"./{name}").code == 0
    assert project.tool("tree").code == 0
    assert project.tool("graph", "--format", "mermaid").code == 0
    assert project.program("status").code == 0
    project.add().commit()
    assert project.tool("verify", "--rev", "HEAD").code == 0
    project.replace("good.py", "1", "2")
    assert project.tool("refresh", "--json").json["written"] == ["good.py", name]
    line = project.tool("plan", "--all").out
    assert "\n" in line and len(line.splitlines()) == 3
    os.unlink(target)
    assert project.tool("refresh", "--json").json["removed"] == [name]
    project.check_fresh()


@pytest.mark.parametrize("name", [one for one in NAMES if one.endswith(".py")], ids=ascii)
def test_the_printed_git_add_stages_any_name(project, name):
    target = os.path.join(os.fsencode(project.path), os.fsencode(name))
    os.makedirs(os.path.dirname(target), exist_ok=True)
    with open(target, "wb") as stream:
        stream.write(b"def odd(): return 1\n")
    project.add()
    said = project.program("hook", "pre-commit", environ={"PRE_COMMIT": "1"})
    assert said.code == 1
    line = next(one for one in said.err.split("\n") if one.startswith("  git add "))
    project.run("bash", "-c", line.strip())
    assert project.program("hook", "pre-commit", environ={"PRE_COMMIT": "1"}).code == 0


def test_no_commit_no_source_and_a_detached_head(tmp_path):
    project = Project(tmp_path / "p")
    project.check()
    assert "no source" in project.tool("status").out
    project.files(GOOD).check("good.py")
    project.add().commit()
    project.git("checkout", "-q", "--detach")
    project.replace("good.py", "1", "2").check("good.py")
    assert project.tool("verify", "--rev", "HEAD").code == 0
    said = project.tool("verify", "--rev", "nowhere")
    assert said.code == 1 and "'nowhere' names no commit" in said.err


def test_outside_of_any_repository(tmp_path):
    project = Project(tmp_path / "p", GOOD, init=False)
    for command in ("status", "refresh", "verify", "init", "plan"):
        said = project.tool(command)
        assert (said.code, said.out) == (1, "")
        assert "is in no git repository" in said.err


def test_a_damaged_leaf_is_named_with_its_line_and_rebuilt(project):
    project.check("good.py")
    path = f"{DOCS}/good.py/leaf.twine"
    good = project.read(path)
    damaged = {
        "cut": good[: len(good) // 2],
        "empty": "",
        "other": "hello\n",
        "newer": good.replace("codetwine-leaf 1", "codetwine-leaf 9"),
        "conflict": "<<<<<<< ours\n" + good + "=======\n" + good + ">>>>>>> theirs\n",
    }
    for text in damaged.values():
        project.write({path: text})
        said = project.tool("verify")
        assert said.code == 1
        assert f"{path}:" in said.out
        project.check(leaves="good.py")
        assert project.read(path) == good
    project.delete(path).check(leaves="good.py")


def test_a_damaged_header_is_named_and_what_is_below_is_not_lost(project):
    project.check("good.py")
    path = f"{DOCS}/good.py/doc.md"
    good = project.read(path)
    damaged = {
        "none": (good.split("\n", 2)[2], "no codetwine header"),
        "inputs": (good.replace("inputs=b3:", "inputs=b4:"), f"{path}:1: has a damaged header"),
        "cut": (good.replace(" -->", ""), f"{path}:1: has a damaged header"),
        "newer": (good.replace("doc=1", "doc=9"), "upgrade codetwine"),
        "conflict": (
            "<<<<<<< ours\n" + good + "=======\n",
            f"{path}:1: begins with conflict markers",
        ),
    }
    for text, message in damaged.values():
        project.write({path: text})
        for command in ("verify", "refresh"):
            said = project.tool(command)
            assert said.code == 1
            assert message in said.out, said.out
        assert project.read(path) == text
        assert project.tool("status", "--json").json["stale"] != []
    project.delete(path).check("good.py")
    assert project.read(path) == good


def test_a_body_with_equals_signs_is_no_conflict(project):
    project.check("good.py")
    path = f"{DOCS}/good.py/doc.md"
    project.write({path: project.read(path) + "\nMine\n=======\n\ntext\n"})
    project.check_fresh()


@pytest.mark.parametrize("what", ["garbage", "empty", "cut", "folder"])
def test_a_damaged_cache_is_no_cache(project, what):
    project.check("good.py")
    folder = project.path / ".git" / "codetwine"
    for file in [one for one in folder.iterdir() if one.is_file() and one.name != "lock"]:
        data = file.read_bytes()
        file.unlink()
        if what == "folder":
            file.mkdir()
        else:
            file.write_bytes({"garbage": b"\xff" * 5000, "empty": b"", "cut": data[:700]}[what])
    project.check()
    project.replace("good.py", "1", "2").check("good.py")
    assert project.program("verify", "--staged").code in (0, 1)
    assert project.program("hook", "pre-commit").code in (0, 1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("dependents: used\ncutoff: lots\n", ".codetwine/config.yaml:2: `cutoff` is one of"),
        ("dependents: used\ndependants: x\n", "config.yaml:2: unknown setting `dependants`; did"),
        ("a: [\n", ".codetwine/config.yaml:2: this is not YAML"),
        ("- a\n", ".codetwine/config.yaml:1: expected `name: value` lines"),
        ("max_file_kb: many\n", ".codetwine/config.yaml:1: `max_file_kb` takes a whole number"),
        ("exclude: {a: b}\n", ".codetwine/config.yaml:1: `exclude` takes a list"),
        ("exclude: 7\n", ".codetwine/config.yaml:1: `exclude` takes a list"),
        ("hook:\n  post_merge: maybe\n", ".codetwine/config.yaml:2: `post_merge` is one of"),
        ("hook: 7\n", ".codetwine/config.yaml:1: `hook` takes lines of its own"),
        ("template: nowhere\n", "there is no template `nowhere`"),
        ("template: ../../etc\n", "there is no template"),
        ("dependents: used\ndependents: none\n", ".codetwine/config.yaml:2: "),
        ("1: 2\n", ".codetwine/config.yaml:1: unknown setting"),
        ("cutoff: meaning\nmodel: \x07\n", ".codetwine/config.yaml:2: this is not YAML"),
        ("model: 2001-99-99\n", ".codetwine/config.yaml: this can't be read (month"),
        (f"max_file_kb: {'9' * 5000}\n", ".codetwine/config.yaml: this can't be read"),
        ("a: " + "[" * 5000, ".codetwine/config.yaml: this can't be read"),
    ],
)
def test_damaged_settings_are_named_with_their_line(project, text, message):
    project.write({".codetwine/config.yaml": text})
    for command in (("refresh",), ("verify",), ("status",), ("hook", "pre-commit")):
        project.add()
        said = project.tool(*command)
        assert said.code == 1, said
        assert message in said.err, said.err
    assert project.documents() == {}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sections: 7\n", "a template has a list of `sections:`"),
        ("sections: [\n", "template.yaml: this is not YAML"),
        ("summary_prompt: 2001-99-99\n", "template.yaml: this is not YAML (month"),
        ("sections: " + "[" * 5000, "template.yaml: this is not YAML"),
        ("sections: [{id: a}]\n", "each section has an `id` and a `title`"),
        ("sections: [{id: a, title: A, kind: facts}]\n", "section a: `render` is one of"),
        ("sections: [{id: summary, title: A}]\n", "none named summary"),
    ],
)
def test_a_damaged_template_is_named(project, text, message):
    project.write({".codetwine/template/template.yaml": text})
    said = project.tool("refresh")
    assert said.code == 1
    assert message in said.err


def test_a_merge_conflict_in_a_document_is_refused_until_it_is_resolved(project):
    project.check("good.py")
    project.add().commit()
    project.git("checkout", "-q", "-b", "side")
    project.replace("good.py", "1", "2").check("good.py")
    project.add().commit()
    project.git("checkout", "-q", "main")
    project.replace("good.py", "1", "3").check("good.py")
    project.add().commit()
    assert project.run("git", "merge", "-q", "side", check=False).returncode == 1
    said = project.tool("refresh")
    assert said.code == 1 and "in a merge conflict" in said.err
    project.write({"good.py": "def good(): return 4\n"})
    project.git("checkout", "-q", "--theirs", DOCS)
    project.add()
    assert project.tool("verify", "--staged").code == 1
    project.check("good.py")
    project.add().commit()
    assert project.tool("verify", "--rev", "HEAD").code == 0


def test_a_full_disk_leaves_no_half_file(tmp_path):
    if os.geteuid() != 0:
        pytest.skip("only root may mount the small disk that is to be full")
    small = tmp_path / "small"
    small.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(small)]
    if subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("this machine does not let root mount a tmpfs")
    try:
        project = Project(small / "p", home=tmp_path / "home")
        names = [f"m{number:02}.py" for number in range(40)]
        project.write({name: f"def f{name[1:3]}(): return 1\n" for name in names})
        project.check(" ".join(names))
        before = project.documents()
        long = "".join(f"def f{n}(a, b, c): return {n}\n\n" for n in range(400))
        project.write({name: long + f"x = {name[1:3]}\n" for name in names[:4]})
        filler = small / "filler"
        with filler.open("wb", buffering=0) as stream, pytest.raises(OSError):
            while True:
                stream.write(b"x" * 4096)
        said = project.tool("refresh")
        assert said.code == 1, said
        assert "No space left" in said.err
        for path, data in project.documents().items():
            assert data == before.get(path) or data.decode().endswith("\n"), path
            assert not path.endswith(".tmp")
        filler.unlink()
        said = project.tool("refresh")
        assert said.code == 0
        project.check_fresh()
    finally:
        subprocess.run(["umount", str(small)], check=True)

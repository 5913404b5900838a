"""The template, the language of the prose, what is excluded: settings that documents depend on."""

from __future__ import annotations

from tests.projects import Project

FILES = '''
-- a.py --
"""First.

More of it.
"""
def f(): return 1
-- b.py --
from a import f
-- gen/c.py --
from a import f
'''
TEMPLATE = """\
sections:
  - {id: definitions, title: What there is, kind: facts, render: definitions}
  - {id: overview, title: How it works, kind: prose, prompt: How it works.}
"""


def test_another_template_writes_all_and_back_again(tmp_path):
    project = Project(tmp_path / "p", FILES).check("a.py b.py gen/c.py")
    before = project.documents()
    project.write({".codetwine/template/template.yaml": TEMPLATE}).check("a.py b.py gen/c.py")
    assert "## What there is\n" in project.doc("a.py")
    assert "## How it works\n\nMore of it." in project.doc("a.py")
    assert "## Dependencies" not in project.doc("b.py")
    project.replace(".codetwine/template/template.yaml", "What there is", "Names").check(
        "a.py b.py gen/c.py"
    )
    project.write(
        {
            ".codetwine/template/template.yaml": "# why\n"
            + TEMPLATE.replace("What there is", "Names")
        }
    ).check()
    project.delete(".codetwine/template/template.yaml").check("a.py b.py gen/c.py")
    assert project.documents() == before


def test_another_language_of_the_prose_writes_all(tmp_path):
    project = Project(tmp_path / "p", FILES).check("a.py b.py gen/c.py")
    project.write({".codetwine/config.yaml": "output_language: German\n"})
    project.check("a.py b.py gen/c.py")
    project.write({".codetwine/config.yaml": "output_language: German\nprovider: outline\n"})
    project.check()


def test_what_is_excluded_has_no_document_and_is_no_dependency_to_link_to(tmp_path):
    project = Project(tmp_path / "p", FILES).check("a.py b.py gen/c.py")
    project.write({".codetwine/config.yaml": "exclude: [/gen/]\n"}).check(removed="gen/c.py")
    project.replace("gen/c.py", "import f", "import f as g").check()
    project.write({".codetwine/config.yaml": ""}).check("gen/c.py")


def test_a_dependency_that_is_excluded_still_counts_as_a_whole(tmp_path):
    project = Project(tmp_path / "p", FILES, "exclude: [a.py]\n")
    project.write({"b.py": "from a import f\nf()\n"}).check("b.py gen/c.py")
    assert "(../../../a.py)" in project.doc("b.py")
    project.replace("a.py", "return 1", "return 2").check("b.py gen/c.py")


def test_what_decides_staleness_is_not_read_from_the_environment(tmp_path, monkeypatch):
    project = Project(tmp_path / "p", FILES).check("a.py b.py gen/c.py")
    monkeypatch.setenv("OUTPUT_LANGUAGE", "Japanese")
    monkeypatch.setenv("EXCLUDE_PATTERNS", "gen/, *.min.js")
    monkeypatch.setenv("SUMMARY_MAX_CHARS", "300")
    for command in (("config", "show"), ("refresh",)):
        said = project.tool(*command).err.splitlines()
        names = ["OUTPUT_LANGUAGE", "EXCLUDE_PATTERNS", "SUMMARY_MAX_CHARS"]
        assert [line.split()[0] for line in said] == names
        lines = [line.split("`")[1] for line in said]
        assert lines == [
            'output_language: "Japanese"',
            'exclude: ["gen/", "*.min.js"]',
            "summary_max_chars: 300",
        ]
    project.check()  # nothing became stale
    project.write({".codetwine/config.yaml": "\n".join(lines)})
    assert project.tool("config", "show").err == ""


def test_a_limit_of_summaries_cuts_them_at_a_sentence_and_makes_all_stale(tmp_path):
    said = "Reads numbers. Adds them up. Writes what comes out of that."
    files = f'-- a.py --\n"""{said}"""\n\n\ndef f():\n    return 1\n-- b.py --\nx = 1\n'
    project = Project(tmp_path / "p", files).check("a.py b.py")
    assert said in project.doc("a.py")
    project.write({".codetwine/config.yaml": "summary_max_chars: 30\n"}).check("a.py b.py")
    assert "\n\nReads numbers. Adds them up.\n\n_Outlined" in project.doc("a.py")
    project.write({".codetwine/config.yaml": "summary_max_chars: 10\n"}).check("a.py b.py")
    assert "\n\nReads…\n\n_Outlined" in project.doc("a.py")
    own = "summary_prompt: In short.\nsummary_max_chars: 14\nsections: []\n"
    project.write({".codetwine/config.yaml": "", ".codetwine/template/template.yaml": own})
    project.check("a.py b.py")
    assert "\n\nReads numbers.\n\n_Outlined" in project.doc("a.py")
    project.write({".codetwine/template/template.yaml": own.replace("14", "-1")})
    assert "template.yaml: `summary_max_chars` is a whole number" in project.tool("plan").err

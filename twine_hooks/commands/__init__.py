"""The list of our commands, one file each; no command is imported before it is called.

`commands/<name>.py` holds a click command named `command`, takes its `Session` with
`click.pass_obj`, and returns the exit code.
"""

from __future__ import annotations

# name -> the first sentence of the command's help, so that `codetwine --help` imports none of them.
# A new command also needs its line in `registered.py` and in pyproject.toml.
COMMANDS = {
    "init": "Set this repository up: settings, .gitattributes and the hook.",
    "status": "Show which documents are fresh, stale, missing or edited by hand.",
    "plan": "Show what refresh would do, with reasons, calls and tokens.",
    "refresh": "Bring the documents up to date.",
    "verify": "Fail if a document is stale, missing or orphaned; write nothing.",
    "diff": "Compare the documents of two commits, and say why they differ.",
    "review": "Print what a reviewer should know of a change of the documents.",
    "comment": "Write or edit one comment on a pull request at GitHub.",
    "resolve": "Settle documents and leaves that are in a merge conflict, and stage them.",
    "why": "Explain why a document is stale or fresh, and what it uses.",
    "tree": "Print the digests of a directory, or of the root.",
    "graph": "Print the dependencies between files or symbols.",
    "export": "Write what is known of the project, for other programs and for people.",
    "template": "List, show and check the templates of documents.",
    "config": "Show the settings.",
    "install": "Install git hooks in this clone.",
    "uninstall": "Remove our git hooks from this clone.",
    "hook": "Do what a git hook asks for.",
    "doctor": "Check the installation, and say how to repair it.",
}

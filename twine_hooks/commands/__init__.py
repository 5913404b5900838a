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
    "replay": "Play a history, and tell what its documents would have cost.",
    "refresh": "Bring the documents up to date.",
    "verify": "Fail if a document is stale, missing or orphaned; write nothing.",
    "diff": "Compare the documents of two commits, and say why they differ.",
    "review": "Print what a reviewer should know of a change of the documents.",
    "comment": "Write or edit one comment on a pull request at GitHub.",
    "resolve": "Settle documents and leaves that are in a merge conflict, and stage them.",
    "why": "Explain why a document is stale or fresh, and what it uses.",
    "tree": "Print the digests of a directory, or of the root.",
    "graph": "Print the dependencies between files or symbols.",
    "facts": "Print what one file says of itself, and what its names lead to.",
    "languages": "List the languages that are understood, and how far.",
    "export": "Write what is known of the project, for other programs and for people.",
    "callers": "Print who uses a symbol or a file.",
    "callees": "Print what a symbol or a file uses.",
    "chain": "Print the ways over uses from one symbol to another.",
    "impact": "Print everything that a change may touch, with the way there.",
    "cycles": "Print what uses each other in a circle.",
    "unused": "Print the definitions that nobody refers to.",
    "chunks": "Print the code in pieces that each say where they belong.",
    "repomap": "Print the signatures that matter most, within a budget.",
    "rank": "Print which symbols or files matter most.",
    "history": "Print commits, authors, last change and share of fixes by file.",
    "cochange": "Print what changes together with a file.",
    "hotspots": "Print the files that are large and change often.",
    "template": "List, show and check the templates of documents.",
    "config": "Show the settings.",
    "install": "Install git hooks in this clone.",
    "uninstall": "Remove our git hooks from this clone.",
    "hook": "Do what a git hook asks for.",
    "doctor": "Check the installation, and say how to repair it.",
}

"""Our commands as PyPI's twine calls them: `main(args)` of the group twine.registered_commands."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from twine_hooks.cli import main


def _handler(command: str) -> Callable[[Sequence[str]], int]:
    return lambda args: main([command, *args])


config = _handler("config")
comment = _handler("comment")
diff = _handler("diff")
doctor = _handler("doctor")
export = _handler("export")
graph = _handler("graph")
hook = _handler("hook")
init = _handler("init")
install = _handler("install")
plan = _handler("plan")
refresh = _handler("refresh")
resolve = _handler("resolve")
review = _handler("review")
status = _handler("status")
template = _handler("template")
tree = _handler("tree")
uninstall = _handler("uninstall")
verify = _handler("verify")
why = _handler("why")

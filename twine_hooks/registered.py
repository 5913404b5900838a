"""Our commands as PyPI's twine calls them: `main(args)` of the group twine.registered_commands."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from twine_hooks.cli import main


def _handler(command: str) -> Callable[[Sequence[str]], int]:
    return lambda args: main([command, *args])


callees = _handler("callees")
callers = _handler("callers")
chain = _handler("chain")
chunks = _handler("chunks")
cochange = _handler("cochange")
comment = _handler("comment")
config = _handler("config")
cycles = _handler("cycles")
diff = _handler("diff")
doctor = _handler("doctor")
export = _handler("export")
facts = _handler("facts")
graph = _handler("graph")
history = _handler("history")
hook = _handler("hook")
hotspots = _handler("hotspots")
impact = _handler("impact")
init = _handler("init")
install = _handler("install")
languages = _handler("languages")
plan = _handler("plan")
rank = _handler("rank")
refresh = _handler("refresh")
replay = _handler("replay")
repomap = _handler("repomap")
resolve = _handler("resolve")
review = _handler("review")
status = _handler("status")
template = _handler("template")
tree = _handler("tree")
uninstall = _handler("uninstall")
unused = _handler("unused")
verify = _handler("verify")
why = _handler("why")

"""`dependency_graph.md`: diagrams that GitHub renders and a person can read.

GitHub draws no diagram with more than 500 edges or 50,000 characters, whatever it says itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from twine_hooks.analysis.graph import components
from twine_hooks.file_graph import FileEdge, FileGraph
from twine_hooks.folding import Folding, folder_of
from twine_hooks.markup import code, diagram_label

#: More than this nobody reads in GitHub's column.
MOST_NODES, MOST_EDGES = 25, 60
#: Below GitHub's own limits for one diagram.
MOST_CHARACTERS = 45_000
_LONGEST = 120  #: characters of a label
_MOST_ROWS = 40  #: of the table that stands where a diagram would be too large
_MOST_PAGE = 400_000  #: characters; GitHub does not render pages of more than 512 KB
_DEPTHS = (99, 3, 2, 1)  #: of the folders around one, from exact to coarse
_GREY = "fill:#eee,stroke:#999,color:#555"


def lines(graph: FileGraph) -> Iterator[str]:
    """The page line by line."""
    yield f"# Dependencies of {code(graph.project)}"
    yield ""
    yield f"{len(graph.files)} sources, {len(graph.edges)} dependencies between them."
    yield ""
    yield "## Folders"
    yield ""
    yield "A folder stands for all files below it that are in no folder shown beside it."
    yield ""
    yield from _overview(graph)
    size = 0
    sections = list(_by_folder(graph))
    for number, (folder, files, edges) in enumerate(sections):
        section = list(_section(folder, files, edges))
        size += sum(len(line) + 1 for line in section)
        if size > _MOST_PAGE:
            yield ""
            yield f"{len(sections) - number} more folders are left out here."
            return
        yield from section


def _overview(graph: FileGraph) -> Iterator[str]:
    """The graph of folders, in which those that depend on each other in a circle share a box."""
    folded = Folding(graph).folded(MOST_NODES, MOST_EDGES)
    names = {folder: f"n{number}" for number, folder in enumerate(folded.folders)}
    labels = {
        folder: f"{folder or '.'} ({_counted(files)})" for folder, files in folded.folders.items()
    }
    targets: dict[str, list[str]] = {folder: [] for folder in folded.folders}
    for source, target in folded.edges:
        targets[source].append(target)
    yield "```mermaid"
    yield "graph LR"
    for number, group in enumerate(sorted(components(targets))):
        boxed = len(group) > 1
        if boxed:
            yield f'  subgraph c{number}["in a circle"]'
        for folder in group:
            yield f'  {"  " * boxed}{names[folder]}["{label(labels[folder])}"]'
        if boxed:
            yield "  end"
    for source, target in folded.edges:
        yield f"  {names[source]} --> {names[target]}"
    yield "```"


def _by_folder(graph: FileGraph) -> Iterator[tuple[str, list[str], list[FileEdge]]]:
    """(folder, its files, the edges that touch them) of each folder with any edge."""
    edges: dict[str, list[FileEdge]] = {}
    for edge in graph.edges:
        for folder in {folder_of(edge.source), folder_of(edge.target)}:
            edges.setdefault(folder, []).append(edge)
    files: dict[str, list[str]] = {}
    for path in graph.files:
        files.setdefault(folder_of(path), []).append(path)
    for folder in sorted(edges):
        yield folder, files[folder], edges[folder]


def _section(folder: str, files: Sequence[str], edges: Sequence[FileEdge]) -> Iterator[str]:
    yield ""
    yield f"## {code(folder or '.')}"
    yield ""
    for depth in _DEPTHS:
        diagram = _fitting(folder, edges, depth)
        if diagram:
            yield from diagram
            return
    yield from _table(files, edges)


def _fitting(folder: str, edges: Sequence[FileEdge], depth: int) -> list[str]:
    """The diagram of a folder with the others cut off at a depth; nothing where it is too large."""
    pairs = sorted(
        {(_seen(edge.source, folder, depth), _seen(edge.target, folder, depth)) for edge in edges}
    )
    nodes = sorted({one for pair in pairs for one in pair})
    if len(nodes) > MOST_NODES or len(pairs) > MOST_EDGES:
        return []
    diagram = list(_diagram(nodes, pairs))
    fits = sum(len(line) + 1 for line in diagram) <= MOST_CHARACTERS
    return diagram if fits else []


#: (whether it is a folder, path)
_Seen = tuple[bool, str]


def _seen(path: str, folder: str, depth: int) -> _Seen:
    """A file from inside of a folder: itself, or so many parts of the folder that it is in."""
    other = folder_of(path)
    if other == folder:
        return False, path
    return True, "/".join(other.split("/")[:depth])


def _diagram(nodes: Sequence[_Seen], pairs: Iterable[tuple[_Seen, _Seen]]) -> Iterator[str]:
    names = {node: f"n{number}" for number, node in enumerate(nodes)}
    yield "```mermaid"
    yield "graph LR"
    for (is_folder, path), name in names.items():
        text = f"{path or '.'}/" if is_folder else path.rpartition("/")[2]
        yield f'  {name}["{label(text)}"]'
    for source, target in pairs:
        yield f"  {names[source]} --> {names[target]}"
    grey = [name for (is_folder, _), name in names.items() if is_folder]
    if grey:
        yield f"  classDef outside {_GREY}"
        yield f"  class {','.join(grey)} outside"
    yield "```"


def _table(files: Sequence[str], edges: Iterable[FileEdge]) -> Iterator[str]:
    """The files that most others use come first."""
    uses: dict[str, int] = dict.fromkeys(files, 0)
    used: dict[str, int] = dict.fromkeys(files, 0)
    for edge in edges:
        for counts, path in ((uses, edge.source), (used, edge.target)):
            if path in counts:
                counts[path] += 1
    yield "| file | used by | uses |"
    yield "|---|---|---|"
    ranked = sorted(files, key=lambda path: (-used[path], -uses[path], path))
    for path in ranked[:_MOST_ROWS]:
        name = code(path.rpartition("/")[2]).replace("|", "\\|")
        yield f"| {name} | {used[path]} | {uses[path]} |"
    if len(ranked) > _MOST_ROWS:
        yield ""
        yield f"And {_counted(len(ranked) - _MOST_ROWS)} more."


def label(text: str) -> str:
    """A name inside of a quoted label; the end of a long one."""
    return diagram_label(text if len(text) <= _LONGEST else f"…{text[-_LONGEST:]}")


def _counted(files: int) -> str:
    return "1 file" if files == 1 else f"{files} files"

"""Which file an include means: the folders that a compiler would search, in its order, and the
nearest file of that name where nobody says which folders those are. Knows no names in files.
"""

from __future__ import annotations

import json
import posixpath
import shlex
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from twine_hooks.analysis.lang_base import Project, folder_of, join

CERTAIN, LIKELY, GUESSED = 1.0, 0.5, 0.3


class Found(NamedTuple):
    """One file that an include means."""

    path: str
    confidence: float
    place: int  #: index of the searched folder in which it was found, -1 for none


class Flags(NamedTuple):
    """What one compile command says about includes. Folders are relative to the root."""

    quoted: tuple[str, ...] = ()  #: searched for "x" only
    folders: tuple[str, ...] = ()
    forced: tuple[str, ...] = ()  #: ``-include``: paths, or names to search for
    macros: tuple[tuple[str, str], ...] = ()  #: ``-D`` with a file as value
    is_whole: bool = False  #: from a real compile command: what it does not find is not here


class IncludePaths:
    """Finds included files of one project."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._paths = project.paths
        self.suffix_match = lru_cache(maxsize=None)(self._read_suffix_match)

    # --- compile commands -----------------------------------------------------------------------

    @cached_property
    def commands(self) -> dict[str, Flags]:
        """Compiled file -> its flags, from every compile_commands.json of the tree."""
        found: dict[str, Flags] = {}
        for path in sorted(self._paths):
            if posixpath.basename(path) == "compile_commands.json":
                for file, flags in self._read_commands(path):
                    found.setdefault(file, flags)
        return found

    def _read_commands(self, path: str) -> Iterator[tuple[str, Flags]]:
        try:
            rows = json.loads((self._project.read(path) or b"").decode("utf-8", "replace"))
        except (ValueError, RecursionError):
            return
        rows = [one for one in rows if isinstance(one, dict)] if isinstance(rows, list) else []
        commands = [(_absolute(one), one) for one in rows]
        root = self._root([file for file, _ in commands], folder_of(path))
        for file, one in commands:
            relative = _below(root, file)
            if relative in self._paths:
                folder = str(one.get("directory", root))
                folder = folder if folder.startswith("/") else posixpath.join(root, folder)
                yield relative, self._flags(_arguments(one), root, folder, is_whole=True)

    def _root(self, files: Iterable[str], beside: str) -> str:
        """The folder on the machine of the commands that is the root of this tree."""
        votes: dict[str, int] = {}
        for file in files:
            parts = file.split("/")
            for start in range(len(parts)):
                if "/".join(parts[start:]) in self._paths:
                    root = "/".join(parts[:start])
                    votes[root] = votes.get(root, 0) + 1
                    break
        if not votes:
            return "/" + beside
        return min(votes, key=lambda root: (-votes[root], root))

    def _flags(self, arguments: Sequence[str], root: str, folder: str, is_whole: bool) -> Flags:
        quoted: list[str] = []
        folders: dict[str, list[str]] = {"-I": [], "-isystem": [], "-idirafter": []}
        forced: list[str] = []
        macros: list[tuple[str, str]] = []
        for option, value in _options(arguments):
            where = _below(root, posixpath.normpath(posixpath.join(folder, value)))
            if option == "-D":
                name, _, file = value.partition("=")
                file = file.replace("\\", "").strip("'")
                if file[:1] in ("<", '"'):
                    macros.append((name, file))
            elif option in ("-include", "-imacros"):
                forced.append(where if where in self._paths else value)
            elif where is not None:
                (quoted if option == "-iquote" else folders[option]).append(where)
        return Flags(
            tuple(dict.fromkeys(quoted)),
            tuple(dict.fromkeys(one for group in folders.values() for one in group)),
            tuple(forced),
            tuple(macros),
            is_whole,
        )

    @cached_property
    def _configured(self) -> Flags:
        settings = self._project.settings
        given = [f"-I{folder}" for folder in settings.include_dirs]
        return self._flags([*given, *settings.compile_args], "", "", is_whole=False)

    @cached_property
    def _flag_files(self) -> dict[str, Flags]:
        """Folder -> flags of the ``compile_flags.txt`` in it."""
        found = {}
        for path in sorted(self._paths):
            if posixpath.basename(path) == "compile_flags.txt":
                text = (self._project.read(path) or b"").decode("utf-8", "replace")
                folder = folder_of(path)
                arguments = [line.strip() for line in text.splitlines() if line.strip()]
                found[folder] = self._flags(arguments, "", folder, is_whole=False)
        return found

    @cached_property
    def _by_folder(self) -> dict[str, Flags]:
        """Folder -> the flags of what is compiled there, for files that are not."""
        found: dict[str, list[Flags]] = {}
        for path in sorted(self.commands):
            found.setdefault(folder_of(path), []).append(self.commands[path])
        return {
            folder: Flags(
                tuple(dict.fromkeys(one for flags in group for one in flags.quoted)),
                tuple(dict.fromkeys(one for flags in group for one in flags.folders)),
            )
            for folder, group in found.items()
        }

    def flags_of(self, path: str) -> Flags:
        """The flags for a file: its own, those of its folder or one above, the configured ones."""
        own = self.commands.get(path)
        if own is not None:
            return own
        folder = folder_of(path)
        while True:
            near = self._flag_files.get(folder) or self._by_folder.get(folder)
            if near is not None:
                return near
            if not folder:
                return self._configured
            folder = folder_of(folder)

    # --- search ---------------------------------------------------------------------------------

    def find(self, path: str, target: str, flags: Flags) -> Found | None:
        """The file that ``target`` ('"x.h"' or '<x.h>') means in ``path``."""
        name = target[1:-1].strip()
        if not name or name.startswith("/"):
            return None
        if target[0] == '"':
            beside = join(folder_of(path), name)
            if beside in self._paths:
                return Found(beside, CERTAIN, -1)
            searched = (*flags.quoted, *flags.folders, *self._configured.quoted)
        else:
            searched = flags.folders
        searched = (*searched, *self._configured.folders)
        for index, folder in enumerate(searched):
            there = join(folder, name)
            if there in self._paths:
                return Found(there, CERTAIN, index)
        if target[0] == "<" and (flags.is_whole or is_standard(name)):
            return None
        return self.suffix_match(folder_of(path), name, target[0] == '"')

    def find_next(self, path: str, target: str, flags: Flags) -> Found | None:
        """The file of that name in a folder searched after the one that holds ``path``."""
        name = target[1:-1].strip()
        searched = list(dict.fromkeys((*flags.folders, *self._configured.folders)))
        own = [index for index, folder in enumerate(searched) if join(folder, name) == path]
        for folder in searched[own[0] + 1 :] if own else searched:
            there = join(folder, name)
            if there in self._paths and there != path:
                return Found(there, CERTAIN, -1)
        return None

    @cached_property
    def _by_base(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for path in sorted(self._paths):
            found.setdefault(posixpath.basename(path), []).append(path)
        return found

    def _read_suffix_match(self, folder: str, name: str, is_quoted: bool) -> Found | None:
        """The nearest file whose path ends with ``name``."""
        parts = [part for part in name.split("/") if part not in (".", "..")]
        if not parts:
            return None
        suffix = "/".join(parts)
        if is_quoted and len(parts) == 1 and is_standard(name):
            return None
        ranked = sorted(
            (_steps(folder, path.removesuffix(suffix).rstrip("/")), path)
            for path in self._by_base.get(parts[-1], ())
            if path == suffix or path.endswith("/" + suffix)
        )
        if not is_quoted and len(ranked) > 1 and posixpath.join(folder, suffix) == ranked[0][1]:
            del ranked[0]  # who wants the file beside it writes quotes
        if not ranked:
            return None
        is_tied = len(ranked) > 1 and ranked[0][0] == ranked[1][0]
        return Found(ranked[0][1], GUESSED if is_tied else LIKELY, -1)


def _steps(folder: str, root: str) -> tuple[int, int, int]:
    """How far a folder to search is from the file that includes: up first, then down."""
    own = folder.split("/") if folder else []
    there = root.split("/") if root else []
    common = 0
    while common < min(len(own), len(there)) and own[common] == there[common]:
        common += 1
    down = len(there) - common
    is_usual = down > 0 and there[-1].lower() in _USUAL
    return len(own) - common, down - is_usual, down


_USUAL = frozenset({"include", "inc", "includes", "src", "headers"})


def _absolute(command: dict[str, object]) -> str:
    folder, file = str(command.get("directory", "")), str(command.get("file", ""))
    return posixpath.normpath(posixpath.join(folder, file)).replace("\\", "/")


def _below(root: str, path: str) -> str | None:
    """``path`` as seen from ``root``, None when it is elsewhere. An empty root holds all."""
    if path == root or (not root and path == "."):
        return ""
    if not root:
        return join("", path) if not path.startswith(("/", "..")) else None
    prefix = root.rstrip("/") + "/"
    return path[len(prefix) :] if path.startswith(prefix) else None


def _arguments(command: dict[str, object]) -> list[str]:
    arguments = command.get("arguments")
    if isinstance(arguments, list):
        return [str(one) for one in arguments]
    try:
        return shlex.split(str(command.get("command", "")))
    except ValueError:
        return str(command.get("command", "")).split()


_OPTIONS = ("-iquote", "-isystem", "-idirafter", "-include", "-imacros", "-I", "-D")


def _options(arguments: Sequence[str]) -> Iterator[tuple[str, str]]:
    """(option, value) of those that say something about includes, joined or not."""
    waiting = ""
    for one in arguments:
        if waiting:
            yield waiting, one
            waiting = ""
            continue
        one = "-I" + one[2:] if one.startswith("/I") and len(one) > 2 else one
        for option in _OPTIONS:
            if one == option:
                waiting = option
                break
            if one.startswith(option):
                yield option, one[len(option) :].removeprefix("=")
                break


_STANDARD_FOLDERS = frozenset(
    """sys netinet arpa net linux asm asm-generic bits gnu machine mach rpc protocols
    netpacket scsi security ext experimental c++ IOKit CoreFoundation
    CoreServices Availability libkern""".split()  # noqa: SIM905
)
_STANDARD = frozenset(
    """assert ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign
    stdarg stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string tgmath threads time
    uchar wchar wctype complex aio cpio dirent dlfcn fcntl fmtmsg fnmatch ftw glob grp iconv
    langinfo libgen mntent monetary mqueue ndbm netdb nl_types poll pthread pwd regex sched search
    semaphore spawn strings stropts syslog tar termios trace ulimit unistd utime utmp utmpx wordexp
    alloca ucontext execinfo malloc getopt err endian byteswap ifaddrs link elf features paths
    memory values obstack printf resolv pty shadow sysexits ttyent error fts crypt argp
    windows winsock winsock2 ws2tcpip io process direct conio tchar intrin immintrin emmintrin
    xmmintrin pmmintrin tmmintrin smmintrin nmmintrin wmmintrin mmintrin x86intrin arm_neon
    arm_acle cpuid varargs""".split()  # noqa: SIM905
)
_STANDARD_CPP = frozenset(
    """algorithm any array atomic barrier bit bitset cassert cctype cerrno cfenv cfloat charconv
    chrono cinttypes climits clocale cmath codecvt compare complex concepts condition_variable
    coroutine csetjmp csignal cstdarg cstddef cstdint cstdio cstdlib cstring ctime cuchar cwchar
    cwctype deque exception execution expected filesystem format forward_list fstream functional
    future generator initializer_list iomanip ios iosfwd iostream istream iterator latch limits
    list locale map mdspan memory memory_resource mutex new numbers numeric optional ostream print
    queue random ranges ratio regex scoped_allocator semaphore set shared_mutex source_location
    span spanstream sstream stack stacktrace stdexcept stop_token streambuf string string_view
    strstream syncstream system_error thread tuple type_traits typeindex typeinfo unordered_map
    unordered_set utility valarray variant vector version""".split()  # noqa: SIM905
)


def is_standard(name: str) -> bool:
    """Whether an include names a header of the C or C++ standard library or of the system."""
    folder, slash, _ = name.partition("/")
    if slash:
        return folder in _STANDARD_FOLDERS
    stem, dot, extension = name.rpartition(".")
    return stem in _STANDARD if dot and extension == "h" else name in _STANDARD_CPP

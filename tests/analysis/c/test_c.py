"""C: cases from reports, includes as a compiler finds them, names, interface and meaning."""

from __future__ import annotations

import json
import random
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.analysis.check import cases, check, check_case, check_change, facts_of, links_of
from twine_hooks.analysis.extract import extract

HERE = Path(__file__).parent


@pytest.mark.parametrize("case", list(cases(HERE)), ids=lambda case: case["id"])
def test_case(case):
    check_case(case)


# --- includes ----------------------------------------------------------------------------------

COMMANDS = [
    {"directory": "/b/out", "file": "../src/a.c", "command": "cc -I../y -I ../x -c ../src/a.c"}
]

INCLUDES = {
    "order of -I": (
        {"src/a.c": "#include <h.h>\n", "x/h.h": "", "y/h.h": "", "out/compile_commands.json": COMMANDS},
        [("src/a.c", "y/h.h")],
    ),
    "a header is searched for with the flags of who includes it": (
        {"src/a.c": '#include "a.h"\n', "src/a.h": "#include <h.h>\n", "x/h.h": "", "y/h.h": "",
         "out/compile_commands.json": COMMANDS},
        [("src/a.c", "src/a.h"), ("src/a.h", "y/h.h")],
    ),
    "with a compile command <> leads nowhere else": (
        {"src/a.c": "#include <other.h>\n", "z/other.h": "", "out/compile_commands.json": COMMANDS},
        [],
    ),
    "a file that is not compiled has the flags of its folder": (
        {"src/a.c": "", "src/b.c": "#include <h.h>\n", "x/h.h": "", "y/h.h": "",
         "out/compile_commands.json": COMMANDS},
        [("src/b.c", "y/h.h")],
    ),
    "-include and a macro that names a file by -D": (
        {"a.c": "#include CONF\n", "pre.h": "", "conf.h": "", "compile_commands.json": [
            {"directory": "/r", "file": "a.c", "arguments": ["cc", "-include", "pre.h", '-DCONF="conf.h"', "a.c"]}]},
        [("a.c", "conf.h"), ("a.c", "pre.h")],
    ),
    "a damaged compile_commands.json is as none": (
        {"a.c": '#include "h.h"\n', "inc/h.h": "", "compile_commands.json": "{["},
        [("a.c", "inc/h.h")],
    ),
    "compile_flags.txt": (
        {"a.c": "#include <h.h>\n", "one/h.h": "", "two/h.h": "", "compile_flags.txt": "-Itwo\n"},
        [("a.c", "two/h.h")],
    ),
    "without flags the nearest": (
        {"lib/a/src/a.c": '#include "p/h.h"\n', "lib/a/include/p/h.h": "", "lib/b/include/p/h.h": ""},
        [("lib/a/src/a.c", "lib/a/include/p/h.h")],
    ),
    "a name of the standard library is not the project's": (
        {"a.c": "#include <string.h>\n#include <sys/types.h>\n", "compat/string.h": "", "x/sys/types.h": ""},
        [],
    ),
    "who writes <> means another file than the one beside": (
        {"src/a.c": "#include <sds.h>\n", "src/sds.h": "", "deps/h/sds.h": ""},
        [("src/a.c", "deps/h/sds.h")],
    ),
    "never the source of the same stem": ({"a.c": '#include "b.h"\n', "b.c": "", "b.cpp": ""}, []),
    "a source that is included": ({"a.c": '#include "b.c"\n', "b.c": ""}, [("a.c", "b.c")]),
    "upwards": ({"a/b/c.c": '#include "../d.h"\n', "a/d.h": ""}, [("a/b/c.c", "a/d.h")]),
    "out of the tree": ({"a.c": '#include "../../x.h"\n', "b/c.h": ""}, []),
    "what does not parse drops nothing": (
        {"a.c": 'int f( {{{ \n#include "h.h"\n @@ )) ` \n#  include"k.h"\n', "h.h": "", "k.h": ""},
        [("a.c", "h.h"), ("a.c", "k.h")],
    ),
    "in comments and strings is no include": (
        {"a.c": '/*\n#include "h.h"\n*/\n// \\\n#include "h.h"\nchar *s = "\\\n#include <h.h>\\\n";\n', "h.h": ""},
        [],
    ),
    "a macro of an included file names the file": (
        {"a.c": '#include "conf.h"\n#include ALLOC_H\n', "conf.h": "#define ALLOC_H <my/alloc.h>\n", "my/alloc.h": ""},
        [("a.c", "conf.h"), ("a.c", "my/alloc.h")],
    ),
    "include_next without flags finds nothing": ({"w/a.h": "#include_next <a.h>\n"}, []),
    "CRLF and a byte order mark": ({"a.c": '\ufeff#include "h.h"\r\nint x;\r\n', "h.h": ""}, [("a.c", "h.h")]),
    "circles": ({"a.h": '#include "b.h"\n', "b.h": '#include "a.h"\n'}, [("a.h", "b.h"), ("b.h", "a.h")]),
}  # fmt: skip


@pytest.mark.parametrize("name", INCLUDES)
def test_includes(name):
    files, edges = INCLUDES[name]
    files = {p: t if isinstance(t, str) else json.dumps(t) for p, t in files.items()}
    check(files, edges=edges)


def kinds(files):
    return {
        (p, e.target): (e.kind, e.confidence)
        for p, one in links_of(files).items()
        for e in one.edges
    }


def test_kind_and_confidence():
    text = '#include "a.h"\n#if 0\n#include "b.h"\n#else\n#include "c.h"\n#endif\n#include "d.h"\n'
    found = kinds({"x.c": text, "a.h": "", "b.h": "", "c.h": "", "inc/d.h": ""})
    assert found["x.c", "a.h"] == ("include", 1.0)
    assert found["x.c", "b.h"] == ("inactive", 1.0)
    assert found["x.c", "c.h"] == ("include", 1.0)
    assert found["x.c", "inc/d.h"][1] < 1.0


def test_own_includes_that_lead_nowhere_are_counted():
    links = links_of({"a.c": '#include "gone.h"\n#include <vector.h>\n#include "stdio.h"\n'})
    assert [one.text for one in links["a.c"].unresolved] == ['#include "gone.h"']


# --- names -------------------------------------------------------------------------------------

NAMES = {
    "through a header to the one definition": (
        {"a.c": '#include "b.h"\nint m(void) { return f(); }\n', "b.h": "int f(void);\n",
         "b.c": '#include "b.h"\nint f(void) { return 1; }\n'},
        [("a.c", "b.h", "f"), ("a.c", "b.c", "f")], [],
    ),
    "of two definitions the one that sees the header": (
        {"a.c": '#include "x/s.h"\nint m(void) { return f(); }\n', "x/s.h": "int f(void);\n",
         "x/s.c": '#include "s.h"\nint f(void) { return 1; }\n', "y/s.h": "int f(void);\n",
         "y/s.c": '#include "s.h"\nint f(void) { return 2; }\n'},
        [("a.c", "x/s.c", "f")], [("a.c", "y/s.c", "f"), ("a.c", "y/s.h", "f")],
    ),
    "static stays inside": (
        {"a.c": '#include "b.h"\nint m(void) { return f(); }\n', "b.h": "int f(void);\n",
         "c.c": '#include "b.h"\nstatic int f(void) { return 1; }\n'},
        [("a.c", "b.h", "f")], [("a.c", "c.c", "f")],
    ),
    "a name that is not visible is not used": (
        {"a.c": "int m(void) { return f(); }\n", "b.c": "int f(void) { return 1; }\n"},
        [], [("a.c", "b.c", "f")],
    ),
    "a local variable is not the global of its name": (
        {"a.c": '#include "b.h"\nint m(int count) { int other = count; return other; }\n',
         "b.h": "extern int count, other;\n"},
        [], [("a.c", "b.h", "count"), ("a.c", "b.h", "other")],
    ),
    "members by the type of a variable": (
        {"a.c": '#include "t.h"\nint m(struct p *x, q y) { return x->len + y.in->len2; }\n',
         "t.h": '#include "u.h"\nstruct p { int len; };\ntypedef struct { inner *in; } q;\n',
         "u.h": "typedef struct inner { int len2; int len; } inner;\n"},
        [("a.c", "t.h", "p::len"), ("a.c", "t.h", "q::in"), ("a.c", "u.h", "inner::len2")],
        [("a.c", "u.h", "inner::len")],
    ),
    "members through calls, casts and brackets": (
        {"a.c": '#include "t.h"\nint m(void *v) { return get(1)->a + ((struct s*)v)->b + tab[0].c; }\n',
         "t.h": "struct s { int a, b, c; };\nstruct s *get(int);\nextern struct s tab[3];\n"},
        [("a.c", "t.h", "s::a"), ("a.c", "t.h", "s::b"), ("a.c", "t.h", "s::c"), ("a.c", "t.h", "get")], [],
    ),
    "macros, typedefs and enumerators": (
        {"a.c": '#include "t.h"\n#ifdef FLAG\nnum x = MAX(ONE, 2);\n#endif\n',
         "t.h": "#define FLAG\n#define MAX(a, b) ((a) > (b) ? (a) : (b))\ntypedef long num;\nenum { ONE, TWO };\n"},
        [("a.c", "t.h", one) for one in ("FLAG", "MAX", "num", "ONE")], [("a.c", "t.h", "TWO")],
    ),
    "what a macro expands to": (
        {"a.c": '#include "t.h"\nvoid m(void) { CHECK(1); }\n',
         "t.h": "void fail(int);\n#define CHECK(x) do { if (!(x)) fail(__LINE__); } while (0)\n"},
        [("a.c", "t.h", "CHECK"), ("a.c", "t.h", "fail")], [],
    ),
    "a table of functions and a designated initializer": (
        {"a.c": '#include "t.h"\nstruct ops o = { .open = my_open };\n',
         "t.h": "struct ops { int (*open)(void); };\nint my_open(void);\n"},
        [("a.c", "t.h", "ops"), ("a.c", "t.h", "ops::open"), ("a.c", "t.h", "my_open")], [],
    ),
    "a source that is included leans on who includes it": (
        {"a.c": '#include "t.h"\n#include "impl.c"\n', "t.h": "struct loop { int fd; };\n",
         "impl.c": "int go(struct loop *l) { return l->fd; }\n"},
        [("impl.c", "t.h", "loop"), ("impl.c", "t.h", "loop::fd")], [],
    ),
    "under #if 0 nothing is used": (
        {"a.c": '#include "t.h"\n#if 0\nint x = ONE;\n#endif\n', "t.h": "#define ONE 1\n"},
        [], [("a.c", "t.h", "ONE")],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_names(name):
    files, wanted, avoided = NAMES[name]
    used = {
        (path, use.target, symbol)
        for path, one in links_of(files).items()
        for use in one.uses
        for symbol in (use.symbol, use.symbol.rpartition("::")[2])
    }
    assert set(wanted) - used == set()
    assert set(avoided) & used == set()


def test_definitions():
    facts = facts_of(
        "x.h",
        """\
#ifndef X_H
#define X_H
#ifdef __cplusplus
extern "C" {
#endif
/** A client. */
typedef struct client { int argc; struct { int q; } in; } client, *client_p;
API_EXPORT int (open_it)(const char *name) NOTHROW;
#define TWICE(x) ((x) * 2)
enum mode { OFF, ON = 2, };
extern int level;
static inline int twice(int a) { int local = a; return local * 2; }
#ifdef __cplusplus
}
#endif
#endif
""",
    )
    found = {one.qualified: one for one in facts.definitions}
    assert {name: one.kind for name, one in found.items()} == {
        "client": "struct", "client::argc": "field", "client::in": "field", "client::in::q": "field",
        "client_p": "type", "open_it": "function", "TWICE": "macro", "mode": "enum", "OFF": "enumerator",
        "ON": "enumerator", "level": "variable", "twice": "function",
    }  # fmt: skip
    assert facts.language == "c"
    assert not facts.has_errors
    assert found["client"].doc == "A client."
    assert found["twice"].signature == "static inline int twice(int a)"
    assert found["twice"].public
    assert not facts_of("x.c", "static int f(void) { return 1; }\n").definitions[0].public


def test_branches_with_unequal_brackets():
    facts = facts_of(
        "x.c",
        "int f(int a) {\n#ifdef A\n if (a) {\n#else\n if (!a) {\n#endif\n a = 1; }\n return a;\n}\nint g;\n",
    )
    assert [one.name for one in facts.definitions] == ["f", "g"]
    assert not facts.has_errors


@pytest.mark.parametrize(
    ("text", "language"),
    [("struct a { int class; };\n", "c"), ("class A {};\n", "cpp"), ("namespace n { int x; }\n", "cpp"),
     ("#ifdef __cplusplus\nnamespace n {}\n#endif\nint x;\n", "c"), ("std::string f();\n", "cpp")],
)  # fmt: skip
def test_language_of_a_header(text, language):
    assert facts_of("x.h", text).language == language


# --- interface and meaning ---------------------------------------------------------------------

CHANGES = [
    ("body", "int f(void) { return 1; }\n", "int f(void) { return 2; }\n", False, True),
    ("signature", "int f(void);\n", "int f(int);\n", True, True),
    ("name of a parameter", "int f(int a);\n", "int f(int b);\n", True, True),
    ("white space", "int f(int a,int b){return a+b;}\n", "int\nf(int a, int b)\n{\n  return a + b;\n}\n", False, False),
    ("plain comment", "int f(void);\n", "/* hm */ int f(void); // ho\n", False, False),
    ("comment at the head", "int f(void);\n", "/* licence */\nint f(void);\n", False, False),
    ("doc comment", "/** One. */\nint f(void);\n", "/** Two. */\nint f(void);\n", True, True),
    ("macro body", "#define A 1\n", "#define A 2\n", True, True),
    ("line ends of a macro", "#define A (1 + \\\n  2)\n", "#define A (1 +     \\\n          2)\n", False, False),
    ("inline function in a header", "#pragma once\ninline int f(void) { return 1; }\n",
     "#pragma once\ninline int f(void) { return 2; }\n", True, True),
    ("static inline", "static inline int f(void) { return 1; }\n", "static inline int f(void) { return 2; }\n", False, True),
    ("constant", "const int a = 1;\n", "const int a = 2;\n", True, True),
    ("enumerator", "enum e { A, B };\n", "enum e { A, B = 3 };\n", True, True),
    ("order of enumerators", "enum e { A, B };\n", "enum e { B, A };\n", True, True),
    ("trailing comma", "enum e { A, B };\n", "enum e { A, B, };\n", False, False),
    ("field", "struct s { int a; };\n", "struct s { long a; };\n", True, True),
    ("order of fields", "struct s { int a; char b; };\n", "struct s { char b; int a; };\n", True, True),
    ("visibility", "int f(void) { return 1; }\n", "static int f(void) { return 1; }\n", True, True),
    ("static body", "static int f(void) { return 1; }\n", "static int f(void) { return 2; }\n", False, True),
    ("order", "int f(void);\nint g(void);\n", "int g(void);\nint f(void);\n", False, True),
    ("string", 'char *s = "a b";\n', 'char *s = "a  b";\n', True, True),
    ("a space that tells", "#define A (1)\n#define B\n", "#define A(1)\n#define B\n", True, True),
]  # fmt: skip


@pytest.mark.parametrize("row", CHANGES, ids=lambda row: row[0])
def test_interface_and_meaning(row):
    name, before, after, interface, meaning = row
    if name == "a space that tells":
        assert facts_of("x.c", before).meaning != facts_of("x.c", after).meaning
    else:
        check_change("x.c", before, after, interface=interface, meaning=meaning)


# --- any input ---------------------------------------------------------------------------------

SNIPPET = (HERE / "snippet.c").read_bytes()


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=400), st.sampled_from(["c", "cpp"]))
def test_random_bytes(data, language):
    extract(data, language)


@settings(max_examples=150, deadline=None)
@given(
    st.integers(0, 2000), st.integers(0, 200), st.binary(max_size=6), st.sampled_from(["c", "cpp"])
)
def test_cut_and_changed_source(start, length, inserted, language):
    facts = extract(SNIPPET[:start] + inserted + SNIPPET[start + length :], language)
    assert all(one.end >= one.start for one in facts.definitions)


@pytest.mark.parametrize(
    "part", ["{", "(", "[", "#if A\n", "#if 0\n", "/*", '"', "a->", "struct s {", "x(", "((T*)"]
)
def test_deep_nesting(part):
    facts = extract((part * 10_000).encode(), "c")
    assert facts.language in ("c", "cpp")


def test_long_files_take_their_time_in_proportion():
    def seconds(lines):
        random.seed(1)
        text = "".join(
            f"#define M{i} {i}\nint f{i}(struct s *p) {{ int v{i} = p->x; return g(v{i})->y[{i}].z; }}\n"
            for i in range(lines)
        )
        start = time.process_time()
        extract(text.encode(), "c")
        return time.process_time() - start

    small, large = seconds(1_000), seconds(10_000)
    assert large < 40 * max(small, 0.01)


def test_white_space_behind_a_macro_without_a_value_hides_nothing():
    text = (
        "#define A   \n#define B\t\n#define C \r\n#define D \\\n\nint x;\n"
        "#define E __attribute__((packed))\n# define F __declspec(dllexport)\n#define G 1\n"
    )
    found = [(one.name, one.signature) for one in facts_of("a.c", text).definitions]
    assert found == [
        ("A", "#define A"),
        ("B", "#define B"),
        ("C", "#define C"),
        ("D", "#define D"),
        ("x", "int x;"),
        ("E", "#define E __attribute__((packed))"),
        ("F", "# define F __declspec(dllexport)"),
        ("G", "#define G 1"),
    ]

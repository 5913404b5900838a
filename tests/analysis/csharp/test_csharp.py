"""C#: facts of single files, what changes what, and where names lead."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.analysis.check import cases, check, check_case, check_change, facts_of, links_of

CASES = list(cases(Path(__file__).parent))


@pytest.mark.parametrize("case", CASES, ids=[str(one["id"]) for one in CASES])
def test_case(case):
    check_case(case)


SHAPES = """\
// licence
using System;
global using static Geo.Util;
using Alias = Geo.Map<int>;

namespace Geo.Shapes
{
    /// <summary>
    /// A shape, see <see cref="Area"/>.
    /// </summary>
    /// <param name="unit">Its unit.</param>
    [Serializable, Mark(1, Name = "x")]
    public abstract partial class Shape<T>(int unit) : Base<T>, IArea where T : Area, new()
    {
        #region fields
        public const int Sides = 4, Corners = 5;
        private readonly List<T> parts = new(), others;
        int hidden = 1;
        #endregion
        public event EventHandler<T> Moved;
        public string Name { get; private set; } = "x";
        public int Count { get { return parts.Count; } }
        public T this[int at] => parts[at];
        public static Shape<T> operator +(Shape<T> a, Shape<T> b) => a;
        public Shape(string name) : base(name) { Name = name; }
        /** Its area. */
        [Obsolete] protected double Area(in int unit = 1) { int Local() => 1; return Local(); }
        private void Inner() { }
        enum Kind { /// <summary>Not round.</summary>
            Flat, Round = 2, }
        public record struct Point(int X, int Y);
    }
    public delegate void Moved(object sender);
}
public interface IArea { double Area(int unit); }
"""


def test_definitions():
    facts = facts_of("Shape.cs", SHAPES)
    assert not facts.has_errors
    assert facts.namespace == "Geo.Shapes"
    assert [(one.qualified, one.kind, one.public) for one in facts.definitions] == [
        ("Shape", "class", True),
        ("Shape.Sides", "constant", True),
        ("Shape.Corners", "constant", True),
        ("Shape.parts", "field", False),
        ("Shape.others", "field", False),
        ("Shape.hidden", "field", False),
        ("Shape.Moved", "event", True),
        ("Shape.Name", "property", True),
        ("Shape.Count", "property", True),
        ("Shape.this", "property", True),
        ("Shape.operator +", "method", True),
        ("Shape.Shape", "constructor", True),
        ("Shape.Area", "method", True),
        ("Shape.Inner", "method", False),
        ("Shape.Kind", "enum", False),
        ("Shape.Kind.Flat", "enumerator", False),
        ("Shape.Kind.Round", "enumerator", False),
        ("Shape.Point", "record", True),
        ("Shape.Point.X", "property", True),
        ("Shape.Point.Y", "property", True),
        ("Moved", "delegate", True),
        ("IArea", "interface", True),
        ("IArea.Area", "method", True),
    ]
    by_name = {one.qualified: one for one in facts.definitions}
    shape, area = by_name["Shape"], by_name["Shape.Area"]
    assert shape.doc == "A shape, see Area.\n\nunit: Its unit."
    assert shape.decorators == ("[Serializable]", '[Mark(1, Name = "x")]')
    assert shape.bases == ("Base<T>", "IArea")
    assert shape.signature == (
        "public abstract partial class Shape<T>(int unit) : Base<T>, IArea where T : Area, new()"
    )
    assert area.signature == "protected double Area(in int unit = 1)"
    assert (area.doc, area.decorators) == ("Its area.", ("[Obsolete]",))
    assert by_name["Shape.Kind.Flat"].doc == "Not round."
    assert by_name["Shape.Name"].signature == 'public string Name { get; private set; } = "x";'
    assert by_name["Shape.Count"].signature == "public int Count { get }"
    assert by_name["Shape.this"].signature == "public T this[int at]"
    assert by_name["Shape.Shape"].signature == "public Shape(string name)"
    assert dict(facts.extra)["namespace 21"] == ""


def test_usings():
    facts = facts_of("A.cs", SHAPES)
    assert [(one.module, one.name, one.alias, one.kind) for one in facts.imports] == [
        ("System", "*", "", "import"),
        ("Geo.Util", "*", "", "global static"),
        ("Geo", "Map<int>", "Alias", "alias"),
    ]


#: (before, after, the interface changes, the meaning changes)
CHANGES = [
    ("class A { int F() { return 1; } }", "class A\n{\n  int F()\n  {\n    return 1;\n  }\n}\n", False, False),
    ("class A { int F() { return 1; } }", "class A { /* x */ int F() { return 1; } // y\n }", False, False),
    ("class A { int[] a = { 1, 2 }; }", "class A { int[] a = { 1, 2, }; }", False, False),
    ("enum A { B, C }", "enum A { B, C, }", False, False),
    ("class A { int a; }", "class A {\n#region x\nint a;\n#endregion\n}", False, False),
    ("class A { public int F() { return 1; } }", "class A { public int F() { return 2; } }", False, True),
    ("class A { public int F() => 1; }", "class A { public int F() => 2; }", False, True),
    ("class A { public int P { get { return 1; } } }", "class A { public int P { get { return 2; } } }", False, True),
    ("class A { public int P { get { return 1; } }  }", "class A { public int P { get { return 1; } set { } } }", True, True),
    ("class A { public int P => 1; }", "class A { public int P => 2; }", False, True),
    ("class A { public int P { get; } = 1; }", "class A { public int P { get; } = 2; }", False, True),
    ("class A { public int P { get; set; } }", "class A { public int P { get; private set; } }", True, True),
    ("class A { public A() : base(1) { } }", "class A { public A() : base(2) { } }", False, True),
    ("class A { public int F() { return 1; } }", "class A { public long F() { return 1; } }", True, True),
    ("class A { public void F(int a) { } }", "class A { public void F(int b) { } }", True, True),
    ("class A { public void F(int a = 1) { } }", "class A { public void F(int a = 2) { } }", True, True),
    ("class A { public void F() { } }", "class A { [X] public void F() { } }", True, True),
    ("[X(1)] class A { }", "[X(2)] class A { }", True, True),
    ("class A : B { }", "class A : C { }", True, True),
    ("class A<T> { }", "class A<T> where T : B { }", True, True),
    ("class A { void F() { } }", "class A { public void F() { } }", True, True),
    ("class A { public void F() { } }", "class A { internal void F() { } }", True, True),
    ("class A { private void F() { } }", "class A { void F(int a) { } }", False, True),
    ("interface A { void F(); }", "interface A { void F(int a); }", True, True),
    ("interface A { int F() => 1; }", "interface A { int F() => 2; }", False, True),
    ("class A { int a = 1; }", "class A { int a = 2; }", False, True),
    ("class A { public int a = 1; }", "class A { public int a = 2; }", False, True),
    ("class A { public const int B = 1; }", "class A { public const int B = 2; }", True, True),
    ("class A { public static readonly int B = 1; }", "class A { public static readonly int B = 2; }", True, True),
    ("class A { const int B = 1; }", "class A { const int B = 2; }", False, True),
    ('class A { public const string s = "a b"; }', 'class A { public const string s = "a  b"; }', True, True),
    ("class A {\n/// a\npublic void F() { } }", "class A {\n/// b\npublic void F() { } }", True, True),
    ("class A {\n/// a\n/// b\npublic void F() { } }", "class A {\n///a\n    /// b\npublic void F() { } }", False, False),
    ("class A { public void F() { } public void G() { } }", "class A { public void G() { } public void F() { } }", False, True),
    ("record A(int B);", "record A(int B, int C);", True, True),
    ("enum A { B }", "enum A { B, C }", True, True),
    ("enum A { B = 1 }", "enum A { B = 2 }", True, True),
    ("delegate void A(int a);", "delegate void A(long a);", True, True),
    ("using B; class A { }", "using C; class A { }", False, True),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after", "interface", "meaning"), CHANGES)
def test_change(before, after, interface, meaning):
    check_change("A.cs", before, after, interface=interface, meaning=meaning)


def test_usings_that_lead_nowhere():
    links = links_of({"A.cs": "using System.Text;\nusing P.Gone;\nnamespace P;\nclass A { }\n"})
    assert [(one.text, one.line) for one in links["A.cs"].unresolved] == [("P.Gone.*", 2)]


def test_a_type_inside_of_a_generic_one():
    check(
        {
            "A.cs": "class A { Outer<int, B>.In i; int F() => i.Go(); }\n",
            "O.cs": "class Outer<T, U> { public class In { public int Go() => 1; } }\n",
            "B.cs": "class B { }\n",
        },
        edges=[("A.cs", "O.cs"), ("A.cs", "B.cs")],
        symbols=[("A.cs", "O.cs", "Outer.In"), ("A.cs", "O.cs", "Outer.In.Go")],
    )


def test_a_name_of_several_types_is_unresolved():
    links = links_of(
        {
            "A.cs": "using P;\nusing Q;\nclass A {\n  Foo f = new Foo();\n  P.Foo g;\n}\n",
            "P.cs": "namespace P;\npublic class Foo { }\n",
            "Q.cs": "namespace Q;\npublic class Foo { }\n",
        }
    )
    assert [(one.text, one.line) for one in links["A.cs"].unresolved] == [("Foo", 4)]
    assert {edge.target for edge in links["A.cs"].edges} == {"P.cs"}


@pytest.mark.parametrize(
    "reference",
    ["$(Root)\\P\\P.csproj", "..\\*\\P.csproj", "$(MSBuildThisFileDirectory)../P/P.csproj"],
)
def test_references_with_variables_and_patterns(reference):
    check(
        {
            "App/App.csproj": f'<Project><ProjectReference Include="{reference}" /></Project>',
            "App/A.cs": "class A { Foo f; }\n",
            "P/P.csproj": "<Project />",
            "P/Foo.cs": "public class Foo { }\n",
        },
        edges=[("App/A.cs", "P/Foo.cs")],
    )


def test_of_two_projects_the_one_whose_type_is_public():
    reference = '<ProjectReference Include="../{0}/{0}.csproj" />'.format
    app = f"<Project>{reference('P')}{reference('Q')}</Project>"
    files = {
        "App/App.csproj": app,
        "App/A.cs": "class A { Foo f; }\n",
        "P/P.csproj": "<Project />",
        "P/Foo.cs": "internal class Foo { }\n",
        "Q/Q.csproj": "<Project />",
        "Q/Foo.cs": "public class Foo { }\n",
    }
    check(files, edges=[("App/A.cs", "Q/Foo.cs")])
    links = check({**files, "P/Foo.cs": "public class Foo { }\n"})
    assert [one.text for one in links["App/A.cs"].unresolved] == ["Foo"]


def test_kinds_of_edges_and_uses():
    links = check(
        {
            "A.cs": "using Q;\nnamespace P;\n[Mark]\nclass A : B {\n  int F() {\n    return Make().X +\n      Make().X;\n  }\n}\n",
            "Q.cs": "namespace Q;\npublic class B { public C Make() => null; }\n",
            "C.cs": "namespace Q;\npublic class C { public int X; }\n",
            "M.cs": "namespace P;\nclass MarkAttribute { }\n",
        },
        edges=[("A.cs", "Q.cs"), ("A.cs", "C.cs"), ("A.cs", "M.cs"), ("Q.cs", "C.cs")],
    )  # fmt: skip
    kinds = {(edge.target, edge.kind) for edge in links["A.cs"].edges}
    assert kinds == {("Q.cs", "import"), ("C.cs", "member"), ("M.cs", "same-namespace")}
    uses = {(one.symbol, one.kind, one.lines, one.scope) for one in links["A.cs"].uses}
    assert uses == {
        ("B", "base", (4,), "A"),
        ("B.Make", "read", (6, 7), "A.F"),
        ("C.X", "read", (6, 7), "A.F"),
        ("MarkAttribute", "type", (3,), "A"),
    }


def test_methods_of_the_library_come_before_extension_methods():
    check(
        {
            "A.cs": "using System.Collections.Generic;\nclass A { void F(string s, List<int> l, object o) { s.StartsWith(1); l.Contains(1); o.ToString(); s.Quoted(); } }\n",
            "E.cs": "static class E { public static bool StartsWith(this string s, int n) => true; public static bool Contains(this IEnumerable<int> s, int n) => true; public static string ToString(this object o) => null; }\n",
            "Q.cs": "static class Q { public static string Quoted(this string s) => s; }\n",
        },
        edges=[("A.cs", "Q.cs")],
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("class A : B\n#if X\n, C\n#endif\n{ }", "BC"),
        ("class A { void F(\n#if X\nB b\n#else\nC c\n#endif\n) { } D d; }", "BD"),
        ("class A { B F()\n#if X\n{ return null; }\n#else\n;\n#endif\nC c; }", "BC"),
        ("class A { void F() { if (true) { }\n#if X\nelse if (B.X) { }\n#endif\nC.F(); } }", "BC"),
        ("class A {\n#if X\nB b;\n#elif Y\nC c;\n#else\nD d;\n#endif\n}", "BCD"),
        ("class A {\n#if X\nclass I : B {\n#else\nclass I : C {\n#endif\n} D d; }", "BD"),
    ],
)
def test_conditions_of_the_preprocessor(text, names):
    assert not facts_of("A.cs", text).has_errors
    others = {f"{name}.cs": f"class {name} {{ }}\n" for name in "BCD"}
    check({"A.cs": text, **others}, edges=[("A.cs", f"{name}.cs") for name in names])


def test_a_condition_is_part_of_the_meaning():
    facts = facts_of("A.cs", "class A : B\n#if X\n, C\n#endif\n{ }")
    assert facts.definitions[0].signature == "class A : B , C"
    assert facts.definitions[0].bases == ("B", "C")
    check_change("A.cs", "class A {\n#if X\nint a;\n#endif\n}", "class A {\n#if Y\nint a;\n#endif\n}", interface=False, meaning=True)  # fmt: skip


def test_projects_that_share_files_and_settings():
    check(
        {
            "Directory.Build.props": '<Project><ItemGroup><Using Include="Q" /></ItemGroup></Project>',
            "P/P.csproj": '<Project><!-- <ProjectReference Include="../R/R.csproj" /> --><ItemGroup><Compile Include="..\\Shared\\**\\*.cs" /></ItemGroup></Project>',
            "R/R.csproj": "<Project />",
            "Shared/Deep/S.cs": "namespace Q;\npublic class S { }\n",
            "R/B.cs": "namespace Q;\npublic class B { }\n",
            "P/A.cs": "class A { S s; B b; }\n",
        },
        edges=[("P/A.cs", "Shared/Deep/S.cs")],
    )


def test_many_bases_in_one_another_are_no_trouble():
    text = "".join(f"class A{n} : A{n + 1}.B {{ int X() => this.y.z; }}\n" for n in range(600))
    assert links_of({"a.cs": text})["a.cs"].uses

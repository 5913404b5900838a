"""SQL: cases from reports, names as databases resolve them, dbt, definitions, interface and meaning."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.analysis.check import cases, check, check_case, check_change, facts_of, links_of
from twine_hooks.analysis.extract import extract
from twine_hooks.analysis.facts import pack, unpack
from twine_hooks.analysis.languages.sql_keywords import ACTIONS

HERE = Path(__file__).parent


@pytest.mark.parametrize("case", list(cases(HERE)), ids=lambda case: case["id"])
def test_case(case):
    check_case(case)


# --- names -------------------------------------------------------------------------------------

T = "create table t (i int);"
NAMES = {
    "quotes keep capital letters in PostgreSQL": (
        {"t.sql": 'create table "Orders" (i serial );', "u.sql": "create table orders (i serial );",
         "v.sql": 'select * from "Orders";', "w.sql": "select * from ORDERS;"},
        [("v.sql", "t.sql"), ("w.sql", "u.sql")],
    ),
    "a quoted name in lower case is an unquoted one": (
        {"t.sql": "create table Orders (i int);", "v.sql": 'select * from "orders";'},
        [("v.sql", "t.sql")],
    ),
    "quotes with other letters name something else": (
        {"t.sql": "create table Orders (i int);", "v.sql": 'select * from "Orders";'}, [],
    ),
    "brackets and back ticks keep no letters": (
        {"t.sql": "CREATE TABLE [dbo].[Users] (i int)\nGO\n", "v.sql": "select * from dbo.users\nGO\n",
         "m.sql": "create table `Cars` (i int) engine=innodb;", "n.sql": "select * from cars;"},
        [("v.sql", "t.sql"), ("n.sql", "m.sql")],
    ),
    "a schema tells tables of one name apart": (
        {"a.sql": "create table a.users (i int);", "b.sql": "create table b.users (i int);",
         "v.sql": "select * from b.users;"},
        [("v.sql", "b.sql")],
    ),
    "without a schema it is the default one": (
        {"a.sql": "create table app.users (i int);", "b.sql": "create table public.users (i int);",
         "v.sql": "select * from users;"},
        [("v.sql", "b.sql")],
    ),
    "another schema is another table": (
        {"a.sql": "create table app.users (i int);", "v.sql": "select * from other.users;"}, [],
    ),
    "search_path": (
        {"a.sql": "create table app.users (i int);", "b.sql": "create table users (i int);",
         "v.sql": "set search_path to app, public;\nselect * from users;"},
        [("v.sql", "a.sql")],
    ),
    "search_path of the file that creates": (
        {"a.sql": "set search_path = app;\ncreate table users (i int);",
         "b.sql": "create table public.users (i int);", "v.sql": "select * from app.users;"},
        [("v.sql", "a.sql")],
    ),
    "search_path of one function": (
        {"a.sql": "create table app.t (i int);", "b.sql": T,
         "f.sql": "create function f() returns int set search_path = app language sql as\n$$ select i from t\n$$;"
                  "\nselect * from t;"},
        [("f.sql", "a.sql"), ("f.sql", "b.sql")],
    ),
    "a temporary table is local, but for what it is made from": (
        {"t.sql": T, "v.sql": "create temp table t as select * from t; select * from t;",
         "w.sql": "create temporary table t (i int); select * from t; drop table t;"},
        [("v.sql", "t.sql")],
    ),
    "after a temporary table is dropped its name is the real one again": (
        {"t.sql": T, "v.sql": "create temp table t (i int); drop table t; select * from t;"},
        [("v.sql", "t.sql")],
    ),
    "T-SQL's temporary tables and variables": (
        {"t.sql": "create table x (i int);",
         "v.sql": "set nocount on\nselect * into #x from @x\nselect * from #x\nGO\n"}, [],
    ),
    "dropped and made again in one file": (
        {"t.sql": T, "v.sql": "drop table if exists t; create table t (i int); select * from t;"}, [],
    ),
    "read before it is made again": (
        {"t.sql": T, "v.sql": "create table old as select * from t;\ndrop table t;\ncreate table t (i int);"},
        [("v.sql", "t.sql")],
    ),
    "the migration that makes it again": (
        {"m/1.sql": T, "m/10.sql": "drop table t; create table t (j int);",
         "m/9.sql": "drop table t; create table t (k int);", "v.sql": "select * from t;"},
        [("v.sql", "m/10.sql")],
    ),
    "recursive WITH, several names, a nested one": (
        {"t.sql": T, "a.sql": "create table a (i int);",
         "v.sql": "with recursive t as (select 1 union all select * from t), a (x) as (select * from t)"
                  " select * from (with b as (select * from a) select * from b) s, t;"},
        [],
    ),
    "WITH ends with its query": (
        {"t.sql": T, "v.sql": "select * from (with t as (select 1) select * from t) s; select * from t;"},
        [("v.sql", "t.sql")],
    ),
    "routines: call, execute, trigger, in expressions": (
        {"f.sql": "create function f(a int) returns int language sql as $$ select 1 $$;",
         "p.sql": "create procedure p() language sql as $$ select f(1) $$;",
         "g.sql": "create function g() returns trigger language plpgsql as $$ begin return new; end $$;",
         "t.sql": T, "v.sql": "call p(); select f(1);",
         "w.sql": "create trigger x before insert on t for each row execute function g();"},
        [("p.sql", "f.sql"), ("v.sql", "p.sql"), ("v.sql", "f.sql"), ("w.sql", "t.sql"), ("w.sql", "g.sql")],
    ),
    "types and sequences": (
        {"m.sql": "create type mood as enum ('sad', 'ok');", "s.sql": "create sequence seq;",
         "d.sql": "create domain email as text;", "t.sql": T,
         "u.sql": "create table u (m mood, e email not null, i int default nextval('seq'));",
         "f.sql": "create function f(m mood) returns setof t language sql as $$ select null::email $$;"},
        [("u.sql", "m.sql"), ("u.sql", "s.sql"), ("u.sql", "d.sql"), ("f.sql", "m.sql"), ("f.sql", "t.sql"),
         ("f.sql", "d.sql")],
    ),
    "GRANT, COMMENT, ALTER, INDEX, POLICY, TRUNCATE, COPY, LOCK": (
        {"t.sql": T, "f.sql": "create function f() returns int language sql as $$ select 1 $$;",
         "a.sql": "grant select, delete on t to joe;", "b.sql": "revoke all on table t from t2;",
         "c.sql": "grant execute on function f() to joe;", "d.sql": "comment on column t.i is 'from f';",
         "e.sql": "create index on t (i);", "g.sql": "create policy p on t using (true);",
         "h.sql": "truncate t;", "i.sql": "copy t (i) from stdin;", "j.sql": "drop trigger if exists x on t;"},
        [(f"{one}.sql", "t.sql") for one in "abdeghij"] + [("c.sql", "f.sql")],
    ),
    "a type by one of its columns, inheritance, LIKE, a partition": (
        {"t.sql": T, "a.sql": "create table a () inherits (t);", "b.sql": "create table b (like t);",
         "c.sql": "create table c partition of t for values from (1) to (2);",
         "d.sql": "create function d() returns t.i%type language plpgsql as $$ begin end $$;"},
        [(f"{one}.sql", "t.sql") for one in "abcd"],
    ),
    "a body in another language is none in SQL": (
        {"t.sql": T, "f.sql": "create function f() returns int language plpython3u as $$ from t import x $$;"},
        [],
    ),
    "MySQL: delimiters and comments that are code": (
        {"t.sql": T, "u.sql": "create table u (i int);",
         "p.sql": "DELIMITER //\ncreate procedure p()\nbegin\n  select * from t; # from u\nend//\nDELIMITER ;\n"
                  "/*!50001 create view v as select * from u */;"},
        [("p.sql", "t.sql"), ("p.sql", "u.sql")],
    ),
    "MERGE, APPLY, comma in ON, DELETE with an alias": (
        {"a.sql": "create table a (i int);", "b.sql": "create table b (i int);", "c.sql": "create table c (i int);",
         "v.sql": "merge into a using b on a.i = b.i when matched then update set i = 1;",
         "w.sql": "select * from a x join b y on x.i = y.i, c;", "x.sql": "delete x from a x where x.i = 1;"},
        [("v.sql", "a.sql"), ("v.sql", "b.sql"), ("w.sql", "a.sql"), ("w.sql", "b.sql"), ("w.sql", "c.sql"),
         ("x.sql", "a.sql")],
    ),
    "two tables of one name and nothing to tell them apart": (
        {"x/a.sql": T, "y/b.sql": T, "v.sql": "select * from t;"}, [],
    ),
    "the nearer of two": (
        {"x/a.sql": T, "y/b.sql": T, "y/v.sql": "select * from t;"}, [("y/v.sql", "y/b.sql")],
    ),
    "nested comments": ({"t.sql": T, "v.sql": "select 1 /* a /* b */ from t */;"}, []),
    "includes": (
        {"db/all.sql": "\\i sub/a.sql\n\\ir 'b c.sql'\n\\i :dir/only.sql\n", "db/sub/a.sql": "", "db/b c.sql": "",
         "x/only.sql": "", "my.sql": "SOURCE ./db/sub/a.sql\n"},
        [("db/all.sql", "db/sub/a.sql"), ("db/all.sql", "db/b c.sql"), ("db/all.sql", "x/only.sql"),
         ("my.sql", "db/sub/a.sql")],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_names(name):
    files, edges = NAMES[name]
    check(files, edges=edges)


def test_what_is_not_clear_is_kept_as_unresolved():
    links = links_of({"x/a.sql": T, "y/b.sql": T, "v.sql": "select * from t;\n\\i gone.sql"})
    assert [one.text for one in links["v.sql"].unresolved] == ["gone.sql", "t"]


def test_uses_name_the_symbol_and_the_definition_that_uses_it():
    files = {
        "t.sql": "create table app.t (i int);",
        "v.sql": "create view v as\nselect * from app.T;",
    }
    (use,) = links_of(files)["v.sql"].uses
    assert use == ("t.sql", "app.t", "read", (2,), "v")


# --- dbt ---------------------------------------------------------------------------------------

SOURCES = """version: 2
sources:
  - name: shop
    tables:
      - name: orders
        columns:
          - name: id
      - name: items
  - name: crm
    tables: [{name: x}]
models:
  - name: b
"""
DBT = {
    "ref, source, macro, in comments and strings too": (
        {"dbt_project.yml": "name: 'shop'\n", "models/src.yml": SOURCES,
         "models/a.sql": "{{ config(x='y') }}\n-- depends on {{ ref('c') }}\nselect {{ cents('x') }} from "
                         "{{ ref('shop', \"b\") }} join {{ source('shop', 'items') }} using (i)",
         "models/sub/b.sql": "select 1 as i", "models/c.sql": "select 1 as i",
         "macros/money.sql": "{% macro cents(x) %} {{ x }} / 100 {% endmacro %}"},
        [("models/a.sql", "models/sub/b.sql"), ("models/a.sql", "models/c.sql"),
         ("models/a.sql", "models/src.yml"), ("models/a.sql", "macros/money.sql")],
    ),
    "a commented template asks for nothing, a column is no source": (
        {"models/src.yml": SOURCES, "models/a.sql": "{# {{ ref('b') }} #} select 1 from {{ source('shop', 'id') }}",
         "models/b.sql": "select 1"}, [],
    ),
    "seeds, snapshots, versions, models in Python": (
        {"dbt_project.yml": "name: x\n", "seeds/days.csv": "d\n", "models/py.py": "",
         "models/m_v2.sql": "select 1", "snapshots/s.sql": "{% snapshot snap %} select 1 {% endsnapshot %}",
         "models/a.sql": "select * from {{ ref('days') }}, {{ ref('snap') }}, {{ ref('m', v=2) }}, {{ ref('py') }}"},
        [("models/a.sql", one) for one in ("seeds/days.csv", "models/m_v2.sql", "snapshots/s.sql", "models/py.py")],
    ),
    "two projects keep to themselves": (
        {"x/dbt_project.yml": "name: x\n", "y/dbt_project.yml": "name: y\n", "x/models/b.sql": "select 1",
         "y/models/b.sql": "select 1", "y/models/a.sql": "select * from {{ ref('b') }}",
         "x/models/a.sql": "select * from {{ ref('y', 'b') }}"},
        [("y/models/a.sql", "y/models/b.sql"), ("x/models/a.sql", "y/models/b.sql")],
    ),
    "a macro of a package is not the project's; a macro uses another": (
        {"macros/a.sql": "{% macro star() %} {{ other() }} {% endmacro %}",
         "macros/b.sql": "{%- macro other() -%} {%- endmacro -%}", "models/m.sql": "select {{ dbt_utils.star() }}"},
        [("macros/a.sql", "macros/b.sql")],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", DBT)
def test_dbt(name):
    files, edges = DBT[name]
    check(files, edges=edges)


# --- definitions -------------------------------------------------------------------------------


def test_definitions():
    text = """-- All that is sold.
create table if not exists app."Item" (
  id int primary key, -- its number
  price numeric(10, 2) not null,
  constraint positive check (price > 0)
);
create materialized view app.v as select id, price * 2 as double from app."Item";
create or replace function app.f(a int) returns int as $$ select 1; $$ language sql;
create unique index concurrently ix on app."Item" (id);
create type mood as enum ('sad', 'ok');
create temp table scratch (i int);
create procedure p(in x int)
begin
  create table inner_one (i int);
  select 1;
end;
create sequence s;
"""
    found = [
        (one.qualified, one.kind, one.signature) for one in facts_of("a.sql", text).definitions
    ]
    assert found == [
        ("app.Item", "table", 'create table if not exists app."Item"'),
        ("app.Item.id", "field", "id int primary key"),
        ("app.Item.price", "field", "price numeric(10, 2) not null"),
        ("app.v", "view", "create materialized view app.v"),
        ("app.v.id", "field", "id"),
        ("app.v.double", "field", "double"),
        ("app.f", "function", "create or replace function app.f(a int) returns int"),
        ("ix", "index", 'create unique index concurrently ix on app."Item" (id)'),
        ("mood", "type", "create type mood"),
        ("mood.sad", "enumerator", "'sad'"),
        ("mood.ok", "enumerator", "'ok'"),
        ("p", "procedure", "create procedure p(in x int)"),
        ("s", "sequence", "create sequence s"),
    ]
    docs = {one.qualified: one.doc for one in facts_of("a.sql", text).definitions if one.doc}
    assert docs == {"app.Item": "All that is sold.", "app.Item.id": "its number"}


def test_macro():
    text = "{# Cents\n   as money #}\n{% macro m(a, b=1) -%} {{ a }} {%- endmacro %}\n"
    (one,) = facts_of("m.sql", text).definitions
    assert (one.name, one.kind, one.signature, one.doc) == (
        "m",
        "macro",
        "macro m(a, b=1)",
        "Cents\nas money",
    )


def test_oracle_package_and_tsql_batches():
    oracle = """create or replace package body pkg is
  procedure a is begin null; end a;
  procedure b is x number; begin if x is null then null; end if; end b;
end pkg;
/
create table after_it (i varchar2(3));
"""
    assert [one.name for one in facts_of("a.sql", oracle).definitions if one.parent < 0] == [
        "pkg",
        "after_it",
    ]
    tsql = "CREATE TABLE [dbo].[A] ([i] int)\nGO\nCREATE PROC dbo.p AS\nBEGIN\n SELECT 1; SELECT 2\nEND\nGO\nCREATE VIEW dbo.v AS SELECT 1 AS x\nGO\n"
    assert [one.name for one in facts_of("a.sql", tsql).definitions if one.parent < 0] == [
        "A",
        "p",
        "v",
    ]


# --- interface and meaning ---------------------------------------------------------------------

TABLE = "create table t (id int, name text);"
VIEW = "create view v as select a, b as c from t where a > 1;"
FUNCTION = "create function f(a int default 1) returns int language sql as $$ select a + 1 $$;"
MODEL = "with x as (select a, b from {{ ref('t') }}) select * from x"
CHANGES = [
    (TABLE, "CREATE TABLE T\n(\n  ID INT,\n  NAME TEXT\n)", False, False),
    (TABLE, "create table t (id int, /* plain */ name text);", False, False),
    (TABLE, TABLE + "\n\n-- the end\n", False, False),
    (TABLE, "create table t (id bigint, name text);", True, True),
    (TABLE, "create table t (id int default 3, name text);", True, True),
    (TABLE, "create table t (id int, title text);", True, True),
    (TABLE, "-- what t is\n" + TABLE, True, True),
    (TABLE, "create table t (id int, name text);\ncomment on table t is 'T';", True, True),
    (TABLE, "insert into t values (1);\n" + TABLE, False, True),
    (VIEW, "create view v as\nselect a, b as c\nfrom t\nwhere a > 1", False, False),
    (VIEW, "create view v as select a, b as c from t where a > 2;", False, True),
    (VIEW, "create view v as select a, b as d from t where a > 1;", True, True),
    (FUNCTION, FUNCTION.replace("a + 1", "a + 2"), False, True),
    (FUNCTION, FUNCTION.replace("a + 1", "A\n  + 1 -- why"), False, False),
    (FUNCTION, FUNCTION.replace("default 1", "default 2"), True, True),
    (FUNCTION, FUNCTION.replace("returns int", "returns text"), True, True),
    ("create procedure p(x int)\nbegin\nselect 1;\nend;", "create procedure p(x int)\nbegin\nselect 2;\nend;", False, True),
    ("create index i on t (a);", "create index i on t (b);", True, True),
    ("create type m as enum ('a');", "create type m as enum ('a', 'b');", True, True),
    ("select 'a  b';", "select 'a b';", False, True),
    ('select "A" as x, 1 as y;', 'select "a" as x, 1 as y;', False, True),
    (MODEL, "with x as (\n  select a, b from {{ref('t')}}\n)\n\nselect * from x\n", False, False),
    (MODEL, MODEL.replace("a, b", "a, b, c"), True, True),
    (MODEL, MODEL.replace("'t'", "'u'"), False, True),
    ("{% macro m(a) %} {{ a }} {% endmacro %}", "{% macro m(a) %} ({{ a }}) {% endmacro %}", False, True),
    ("{% macro m(a) %} {{ a }} {% endmacro %}", "{% macro m(a, b) %} {{ a }} {% endmacro %}", True, True),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after", "interface", "meaning"), CHANGES)
def test_change(before, after, interface, meaning):
    check_change("a.sql", before, after, interface=interface, meaning=meaning)


# --- any input ---------------------------------------------------------------------------------

SNIPPETS = [text for files, _ in [*NAMES.values(), *DBT.values()] for text in files.values()]


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes(data):
    facts = extract(data, "sql")
    assert unpack(pack(facts)) == facts


@settings(max_examples=300, deadline=None)
@given(
    st.randoms(use_true_random=False), st.lists(st.sampled_from(SNIPPETS), min_size=1, max_size=3)
)
def test_cut_and_joined(chance: random.Random, parts):
    text = "".join(
        part[chance.randrange(len(part) + 1) :][: chance.randrange(1, 90)] for part in parts
    )
    facts = extract(text.encode(), "sql")
    assert all(0 <= one.start < one.end <= len(text) for one in facts.definitions)
    links_of({"a.sql": text, "b.sql": parts[0]})


@pytest.mark.parametrize(
    "text", ["t;e dome into", "create table a (b as", "grant x on", "call", "a by"]
)
def test_a_file_may_end_where_a_name_is_expected(text):
    assert facts_of("a.sql", text).language == "sql"


@pytest.mark.parametrize(
    "before", ["", "select 1 ", "insert ", "create table t ( a ", "grant a on "]
)
def test_nothing_behind_a_keyword(before):
    for keyword in ACTIONS:
        links_of({"a.sql": before + keyword})


@pytest.mark.parametrize(
    "text",
    [
        "select " + "(" * 10_000 + "1" + ")" * 10_000,
        "".join(f"create table t{i} (i int, j text); -- doc\n" for i in range(20_000)),
        "create table t (i int);\n" * 5_000 + "drop table t;\n" * 5_000,
        "select a, b from t where 'x' = \"y\"\n" * 20_000,
        "/* " * 20_000,
        "'\n" * 20_001,
        "{{ x }} {% if %} " * 10_000,
        "with a as (" * 10_000,
        "create " * 20_000,
        "a." * 20_000,
        "$$ $a$ " * 10_000,
        "[a " * 20_000,
        "{% macro " * 10_000,
        "{{ ref( " * 10_000,
    ],
    ids=lambda text: text[:12],
)
def test_size(text):
    begin = time.process_time()
    extract(text.encode(), "sql")
    assert time.process_time() - begin < 30


# --- a second opinion --------------------------------------------------------------------------

QUERIES = [
    "select a.x, (select max(y) from b) from a join c on a.i = c.i left join d using (i) where exists (select 1 from e)",
    "with a as (select * from b), c as (select * from a) select * from c, d union all select * from e",
    "insert into a select * from b where i in (select i from c)",
    "select extract(year from x), trim(both ' ' from y), cast(z as date) from a where b is distinct from c",
    "create view v as select * from s.a cross join lateral (select * from b where b.i = a.i) q",
    "update a set x = b.y from b where a.i = b.i",
    "select sum(x) over (partition by y order by z), case when a then b end from t group by 1 having count(*) > 1",
]


@pytest.mark.parametrize("query", QUERIES)
def test_sqlglot_finds_the_same_tables(query):
    sqlglot = pytest.importorskip("sqlglot")
    tree = sqlglot.parse_one(query, read="postgres")
    ctes = {one.alias for one in tree.find_all(sqlglot.exp.CTE)}
    wanted = {one.name for one in tree.find_all(sqlglot.exp.Table)} - ctes
    wanted -= {one.name for one in facts_of("q.sql", query).definitions}
    found = {
        one.chain.rpartition(".")[2]
        for one in facts_of("q.sql", query).references
        if one.kind == "read"
    }
    assert found == wanted


def test_each_branch_of_a_template_is_a_query():
    text = "{% if a() %}\nselect 1 as one {{ b() }}\n{% else %}\nselect 2\n{% endif %}\n"
    names = [one.name for one in facts_of("models/a.sql", text).definitions]
    assert names in ([], ["one"])


@pytest.mark.parametrize("doc", ["Sums up.", "TODO: sum up", "Copyright A. B."])
def test_what_is_left_to_do_is_no_purpose(doc):
    text = f"-- {doc}\n\nselect 1 as one\n"
    assert facts_of("a.sql", text).doc == (doc if doc == "Sums up." else "")

"""The words of SQL that tell where names of relations, routines and types stand."""

from __future__ import annotations

#: Kinds of references: what may be meant by the name.
RELATION, CALL, TYPE, ANY, DROP, COLUMN, SCHEMA = (
    "read", "call", "type", "any", "drop", "column", "schema",
)  # fmt: skip


def words(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


ENDS_LIST = words(
    "where group order having limit union intersect except minus select set window qualify fetch"
    " offset returning values to cascade restrict into then loop begin end do if else declare"
    " return call exec execute insert update delete merge create alter drop print while truncate"
    " grant revoke when connect start output option prewhere settings sample go default as"
    " with"
)
KEEPS_LIST = frozenset({"as", "with", "if", "output", "sample"})
#: Words that may stand between the keyword and the name.
PASSED = words(
    "lateral only if not exists table concurrently materialized foreign ignore low_priority"
    " delayed quick external temporary temp view all system outer"
)
NEVER_NAMES = words(
    "select from where set values on using join inner left right full cross natural group order"
    " by having limit union and or is null case when then else end as with into for references"
    " distinct unnest json_table xmltable primary unique check constraint foreign cascade in"
    " restrict database server none current stdin stdout begin update insert delete option"
    " ordinality to of dual"
)
STARTERS = frozenset({"", ";", "begin", "then", "else", "loop", "do", "is", "atomic"})
BODY_VERBS = frozenset({"select", "insert", "update", "delete", "merge", "with", "begin"})
NOT_A_STATEMENT = words(
    "on for or after before of key grant revoke , no instead and by add event alter except"
)
NOT_FROM = frozenset({"copy", "revoke", "fetch", "show", "restore", "backup", "close", "move"})
OBJECT_VERBS = words(
    "alter drop comment grant revoke refresh reindex rename lock disable enable describe desc"
    " undrop security"
)
OBJECTS = {
    "view": RELATION, "index": ANY, "sequence": ANY, "function": CALL, "procedure": CALL,
    "proc": CALL, "routine": CALL, "aggregate": CALL, "package": CALL, "type": TYPE,
    "domain": TYPE, "schema": SCHEMA, "synonym": ANY, "object": ANY, "macro": CALL,
}  # fmt: skip
MAINTENANCE = frozenset({"analyze", "analyse", "vacuum", "cluster", "describe", "desc", "check"})
PSEUDO = frozenset({"new", "old", "inserted", "deleted", "dual", "excluded", "this"})
SEQUENCES = frozenset({"nextval", "currval", "setval"})
#: Words before a parenthesis that call nothing of a project.
BUILT_IN = words(
    "in values and or not exists any some all over partition by key index primary unique check"
    " references varchar char character nvarchar nchar varchar2 number decimal numeric int integer"
    " bigint smallint tinyint float double real time timestamp datetime datetime2 bit binary"
    " varbinary text enum set count sum min max avg coalesce nullif cast convert lower upper"
    " substring substr trim round abs now date extract row_number rank dense_rank lag lead"
    " first_value last_value array array_agg string_agg json_build_object to_char to_date"
    " to_timestamp length replace concat concat_ws isnull ifnull iif if left right using on with"
    " as within filter grouping unnest generate_series greatest least case when then else from"
    " join where select table include returns return distinct interval date_trunc datediff dateadd"
    " getdate mod floor ceil ceiling power sqrt split_part row materialized group_concat like"
    " between is recursive lateral into end order group having limit"
)
BUILT_IN_TYPES = words(
    "int integer bigint smallint tinyint serial bigserial smallserial varchar char character text"
    " nvarchar nchar varchar2 number decimal numeric float double real boolean bool date time"
    " timestamp timestamptz datetime datetime2 bit binary varbinary blob clob json jsonb uuid bytea"
    " void trigger record array interval money xml int2 int4 int8 float4 float8 string int64"
    " float64 regclass name oid inet bpchar mediumint mediumtext longtext enum set variant unsigned"
    " null table setof row primary unique default not check references constraint as in out inout"
    " variadic regproc regtype hstore anyelement anyarray cstring internal event_trigger any"
)


INSERT_WORDS = words(
    "into or ignore overwrite low_priority high_priority delayed all first values default set as on"
)
BEFORE_OBJECTS = words(
    "alter drop on comment refresh reindex materialized rename foreign temporary replace undrop"
    " describe desc revoke grant in"
)
NAMED_ON_TABLES = frozenset({"trigger", "policy", "rule", "constraint", "index", "exists"})

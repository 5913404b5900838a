"""What is known of Rust's standard library without reading it."""

from __future__ import annotations

#: Types whose values have the members of what they hold.
DEREFERENCED = frozenset(
    {
        "Arc", "Box", "Cow", "LazyLock", "ManuallyDrop", "MutexGuard", "Pin", "Rc", "Ref", "RefMut",
        "RwLockReadGuard", "RwLockWriteGuard",
    }
)  # fmt: skip
_TAKEN = frozenset(
    {
        "expect", "unwrap", "unwrap_or", "unwrap_or_default", "unwrap_or_else", "unwrap_unchecked",
        "borrow", "borrow_mut", "get_or_insert", "get_or_insert_with", "into_inner", "insert",
    }
)  # fmt: skip
_SAME = frozenset(
    {
        "as_deref", "as_deref_mut", "as_mut", "as_mut_slice", "as_ref", "as_slice", "by_ref",
        "chain", "clone", "cloned", "copied", "cycle", "drain", "filter", "fuse", "inspect",
        "into_iter", "iter", "iter_mut", "map_err", "ok", "ok_or", "ok_or_else", "or", "or_else",
        "peekable", "rev", "skip", "skip_while", "step_by", "take", "take_while", "to_owned",
        "to_vec", "values", "values_mut", "into_values", "as_mut_ptr", "context", "with_context",
    }
)  # fmt: skip
_MAYBE = frozenset(
    {
        "back", "back_mut", "find", "first", "first_mut", "front", "front_mut", "get", "get_mut",
        "last", "last_mut", "lock", "max_by", "max_by_key", "min_by", "min_by_key", "next",
        "next_back", "nth", "peek", "pop", "pop_back", "pop_front", "read", "remove", "try_borrow",
        "upgrade", "write",
    }
)  # fmt: skip


def library(kind: str, name: str, args: tuple[object, ...], method: str) -> tuple[str, int] | None:
    """What a method of a standard type gives: (a type around it or "", which of the type arguments,
    -1 for the same type); None for unknown.
    """
    if kind not in ("outside", "list") or not args:
        return None
    if method in _SAME:
        return "", -1
    last = len(args) - 1
    if method in _MAYBE:
        return "Option", last
    if method in _TAKEN:
        return "", 0
    return None

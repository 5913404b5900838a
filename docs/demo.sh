#!/usr/bin/env bash
# `make demo`: codetwine at work on a small repository made for the purpose, in a temporary folder.
# `make demo REPO=path`: init and refresh on a clone of that repository, which itself is not touched.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# The demo owns its repositories: nobody's settings, signing keys or hooks take part in it.
export HOME="$folder/home" GIT_CONFIG_GLOBAL="$folder/home/.gitconfig" GIT_CONFIG_NOSYSTEM=1
mkdir "$HOME"
while read -r name; do unset "$name"; done < <(git rev-parse --local-env-vars)
git config --global user.name "Ada Example"
git config --global user.email ada@example.com
git config --global init.defaultBranch main
git config --global --add safe.directory '*'

say() { printf '\n# %s\n' "$*"; }

run() {
    printf '$ %s\n' "$*"
    "$@"
}

written() {
    say "The documents that are there now"
    git ls-files --others --exclude-standard .codetwine/docs | awk '/doc\.md$/ && n++ < 20'
}

if [ $# -gt 0 ]; then
    source=$(cd "$1" && pwd)
    say "A clone of $source"
    git clone --quiet --no-local "$source" "$folder/clone"
    cd "$folder/clone"
    run codetwine init
    run codetwine refresh
    written
    run codetwine status
    exit
fi

mkdir -p "$folder/shop/src" "$folder/shop/web"
cd "$folder/shop"
git init --quiet
cat >src/geometry.py <<'PYTHON'
"""Shapes on a plane."""


def area(width: float, height: float) -> float:
    """The area of a rectangle, in the square of its unit."""
    return width * height
PYTHON
git add . && git commit --quiet -m "Measure rectangles"
cat >src/price.py <<'PYTHON'
"""What things cost."""

from geometry import area


def paint(width: float, height: float, per_unit: float = 2.5) -> float:
    """The price of painting a wall."""
    return area(width, height) * per_unit
PYTHON
cat >web/money.ts <<'TYPESCRIPT'
/** Writes an amount as people read it. */
export function money(amount: number): string {
    return `${amount.toFixed(2)} EUR`;
}
TYPESCRIPT
cat >web/label.ts <<'TYPESCRIPT'
import { money } from "./money.js";

/** The line under a picture of a wall. */
export const label = (name: string, price: number): string => `${name}: ${money(price)}`;
TYPESCRIPT
git add . && git commit --quiet -m "Tell prices"

say "A repository with two commits, in Python and TypeScript. First, the set-up:"
run codetwine init
run codetwine refresh
written
say "One of them"
run cat .codetwine/docs/src/price.py/doc.md
run git add --all
run git commit --quiet -m "Document the code"

say "Now area() changes, which price.py uses"
sed -i.orig 's/height: float) -> float/height: float, scale: float = 1.0) -> float/
    s/return width \* height/return width * height * scale/' src/geometry.py
rm src/geometry.py.orig
run codetwine plan
run codetwine refresh
say "What a reviewer sees of it"
run git diff --stat
run git diff -- .codetwine/docs/src/price.py/doc.md

say "From here on, the hook does it"
run codetwine install
run git commit --all --quiet -m "Scale areas" || {
    run git add .codetwine
    run git commit --all --quiet -m "Scale areas"
}
run codetwine status

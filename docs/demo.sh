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
    printf '$'
    for word in "$@"; do
        case $word in
        *[!A-Za-z0-9_./:=-]*) printf " '%s'" "$word" ;;
        *) printf ' %s' "$word" ;;
        esac
    done
    printf '\n'
    "$@"
}

first() { # the first N lines of what comes in, and how many more there are
    awk -v most="$1" 'NR <= most; END { if (NR > most) printf "  … and %d more\n", NR - most }'
}

written() {
    say "The documents that are there now"
    git ls-files --others --exclude-standard '.codetwine/docs/*doc.md' | first 20
}

if [ $# -gt 0 ]; then
    source=$(cd "$1" && pwd)
    say "A clone of $source"
    git clone --quiet --no-local "$source" "$folder/clone"
    cd "$folder/clone"
    run codetwine init
    run codetwine refresh 2>&1 | cut -c 1-200 | first 20
    written
    say "The longest of them"
    document=$(git ls-files -z --others --exclude-standard '.codetwine/docs/*doc.md' |
        xargs -0 -r ls -S | awk 'NR == 1')
    if [ -n "$document" ]; then run cat "$document" | cut -c 1-200 | first 40; fi
    say "What codetwine knows of the repository"
    run codetwine status | cut -c 1-200
    git add --all
    run codetwine verify --staged
    exit
fi

# The repository of the demo: Python and TypeScript, three commits.
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
git add . && git commit --quiet -m "Tell the price of painting"
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
git add . && git commit --quiet -m "Show prices"

edit() { # edit FILE PROGRAM: sed in place, whichever sed this is
    sed "$2" "$1" >"$folder/edited" && cat "$folder/edited" >"$1"
}

say "A repository with three commits, in Python and TypeScript. First, the set-up"
run git log --oneline --stat --format='%s'
run codetwine init
run codetwine refresh
written
say "One of them"
run cat .codetwine/docs/src/price.py/doc.md
say "They are committed like code"
run git add --all
run git commit --quiet -m "Document the code"

say "Now area() gets a parameter. price.py uses it, nothing in web/ does"
edit src/geometry.py 's/height: float) -> float/height: float, scale: float = 1.0) -> float/
    s/return width \* height/return width * height * scale/'
run git diff --unified=0 src
run codetwine plan
run codetwine refresh
say "What a reviewer sees of it"
run git diff --stat
run git diff --unified=0 -- '*doc.md'

say "From here on, the hook does it: money() changes, and nobody thinks of its document"
run codetwine install
edit web/money.ts 's/Writes an amount as people read it/Writes an amount in euros/'
run git commit --quiet --all -m "Scale areas, say which money"
run git show --stat --format=%s
run codetwine status
run codetwine verify

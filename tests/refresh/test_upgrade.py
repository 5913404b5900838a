"""An upgrade makes no unchanged tree stale: the digests of these sources are what they always were.

A change that fails here makes every document of every repository stale. If it is worth that, say so
in the changelog, and put the new digests below.
"""

from __future__ import annotations

from tests.projects import DOCS, Project

FILES = '''
-- geometry.py --
"""Shapes."""
from dataclasses import dataclass

LIMIT = 3


@dataclass
class Shape:
    """A shape."""

    sides: int = 4

    def area(self, scale=1.0):  # a comment
        """Its area."""
        return self.sides * scale


def double(shape: Shape):
    if shape.sides > LIMIT:
        return 2 * shape.area()
    return 0
-- app.py --
from geometry import Shape, double as twice
import geometry


def main():
    return twice(Shape()) + geometry.LIMIT
-- web/money.ts --
/** Money. */
export interface Money { amount: number; currency: string }

export const format = (money: Money, digits = 2): string => `${money.amount.toFixed(digits)}`;
-- web/label.js --
import { format } from './money';

export class Label {
  text(money) { return format(money); }
}
-- C.java --
package p;

/** A class. */
public class C {
    public int f(int a) { return a + 1; }
}
-- m.kt --
package p

/** Doubles. */
fun double(a: Int) = C().f(a) * 2
-- a.c --
#include "a.h"

/* Adds. */
int add(int a, int b) { return a + b; }
-- a.h --
#define LIMIT 3
int add(int a, int b);
-- s.sql --
create table t (id int primary key); -- a table
create view v as select id from t;
'''

OWN_AND_INPUTS = """
C.java 5218946e b3:64ac127be2d769e0040c39d95914acc9
a.c 1c12c4f0 b3:62e2fa894ff98e63a009d9ae681b58cc
a.h 8f7ad762 b3:a4d462015e89583066dddbec7ed3701c
app.py c9b54dc9 b3:4b84774bb38d2125068df942dd3b2771
geometry.py 1f18bf30 b3:e3342e78e6f05b3589b79bfd1310a533
m.kt cf6d999f b3:f1b6e6ccb1818ba6f126b16f1a227c05
s.sql 6ac4fa6a b3:aefbbe2741d94d76248b9561531fa519
web/label.js 7ee5b7f7 b3:0770bdc93032dfb0f4904ee57acc264e
web/money.ts 90295306 b3:4c56ecb46702ad02fc7a00ec3f8f86a4
"""


def test_the_digests_are_what_they_were(tmp_path):
    project = Project(tmp_path / "p", FILES)
    assert project.tool("refresh").code == 0
    found = []
    for path in sorted(project.documents()):
        if path.endswith("doc.md"):
            words = dict(
                w.split("=", 1) for w in project.read(path).split("\n")[0].split() if "=" in w
            )
            source = path.removeprefix(f"{DOCS}/").removesuffix("/doc.md")
            found.append(f"{source} {words['own']} {words['inputs']}")
    assert "\n".join(found) == OWN_AND_INPUTS.strip()

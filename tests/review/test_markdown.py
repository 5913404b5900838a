"""A review as Markdown: nothing that a stranger wrote is live, nothing is cut in half."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from twine_hooks.errors import ReviewError
from twine_hooks.markup import code_spans
from twine_hooks.review.escape import fenced, is_web_address, text
from twine_hooks.review.markdown import FLAVORS, MARKER, MAX_CHARS, render
from twine_hooks.review.model import (
    DocumentChange,
    Edge,
    Edited,
    InterfaceChange,
    Review,
    SectionChange,
    Stale,
)

OURS = {"details", "summary"}
OF_MARKDOWN = {"p", "h3", "ul", "li", "strong", "em", "pre", "code", "br", "a", "hr"}
OF_TABLES = {"table", "thead", "tbody", "tr", "th", "td"}


class Seen(HTMLParser):
    """What a reader's browser would get: tags, links, and text outside of code."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.open: list[str] = []
        self.links: list[str] = []
        self.text = ""
        self.comments: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        if tag not in ("br", "hr", "img"):
            self.open.append(tag)
        self.links += [value for name, value in attrs if name in ("href", "src")]

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag

    def handle_data(self, data):
        if "code" not in self.open:
            self.text += data

    def handle_comment(self, data):
        self.comments.append(data)


def seen(markdown: str) -> Seen:
    html = MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(markdown)
    found = Seen()
    found.feed(html)
    found.close()
    assert found.open == []
    return found


def check_dead(markdown: str) -> Seen:
    """Assert that nothing in it is live but what we mean to be."""
    found = seen(markdown)
    assert set(found.tags) <= OURS | OF_MARKDOWN | OF_TABLES, set(found.tags)
    assert all(re.match(r"https?://", link) for link in found.links), found.links
    assert not re.search(r"[@#]\w", found.text, re.ASCII), found.text
    assert not re.search(r"\bGH-\d|\b(?:https?|ftp)://|\bwww\.\w", found.text, re.I), found.text
    assert not re.search(
        "[\u00ad\u061c\u202a-\u202e\u2066-\u2069\x00-\x08\U000e0000-\U000e0fff]", markdown
    )
    return found


HOSTILE = [
    "@octocat, see #1, owner/repo#2, GH-3 and owner/repo@" + "a" * 40,
    "<details><summary>x</summary><img src=x onerror=alert(1)></details>",
    "</details></details></div>",
    "```\n</details>\n````\n`````js\n",
    "[x](javascript:alert(1)) ![x](data:text/html;x) <javascript:alert(1)>",
    "https://evil.example www.evil.example mailto:a@b.c ftp://x.example",
    MARKER,
    "<!-- codetwine: doc=1 inputs=b3:0 -->",
    "\u202eevil\u2066 \x00\x1b[31m \u200b@octocat",
    "| a | b |\n|---|---|\n# heading\n> quote\n- list\n1. one\n---\n===",
    "&lt;b&gt; &amp; &#64;octocat &commat;octocat",
    "[a]: https://evil.example\n[a]",
    "$x$ ~~y~~ **z** __w__ ~z~ :tada:",
    "\udcff surrogate",
    "a" * 100_000,
    "/close\n/merge",
    "\u061cevil\u00ad" + "".join(chr(0xE0000 + ord(one)) for one in "@octocat"),
    "xmpp:a@b.c HTTPS://evil.example wWw.evil.example",
    '"]; click n0 "javascript:alert(1)"; %%{init: {}}%%',
    "[![a](http://x/y.png)](http://z) x[^1]\n\n[^1]: y",
    "[!WARNING]\n[x] done <![CDATA[ x ]]> <?php ?>",
    "a\r\n\r# h\r```\r\u2028# b\u2029@x",
    "".join("`" * number + "a" for number in range(1, 300)),
]


def hostile(value: str) -> Review:
    """The same text in every place that holds a text."""
    paths = (value, f"dir/{value}")
    return Review(
        value,
        value,
        documents=tuple(
            DocumentChange(path, kind, value, (SectionChange(value, "rewritten"),), (value,), value)
            for path in paths
            for kind in ("added", "removed", "rewritten", "moved", value)
        ),
        stale=(Stale(value, False, (value, value, value, value)),),
        interfaces=(InterfaceChange(value, value, value, paths, (value,)),),
        edited=(Edited(value, (value,)),),
        edges=tuple(Edge(path, value) for path in paths),
        changed=(value,),
    )


@pytest.mark.parametrize("flavor", FLAVORS)
@pytest.mark.parametrize("value", HOSTILE, ids=range(len(HOSTILE)))
def test_what_strangers_wrote_is_dead_outside_of_code(value, flavor):
    rendered = render(hostile(value), flavor, link_base="https://github.example/o/r/blob/abc")
    found = check_dead(rendered)
    assert len(rendered) <= MAX_CHARS
    ours = [MARKER[4:-3]] if FLAVORS[flavor].hides_comments else []
    assert found.comments == ours
    rendered.encode("utf-8")


@given(st.text(max_size=60), st.sampled_from(list(FLAVORS)))
def test_any_text(value, flavor):
    check_dead(render(hostile(value), flavor))


@given(st.text(alphabet="`~@#<>[]()*_|\\!&;:/-. aG1\n", max_size=40))
def test_any_text_of_what_markdown_is_made_of(value):
    check_dead(text(value))
    check_dead(f"| a |\n|---|\n| {text(value)} |")
    check_dead(f"<details><summary>x</summary>\n\n{fenced(value, 'diff')}\n\n</details>")


@pytest.mark.parametrize("value", ["/close", "1. x", "- x", "# x", "> x", "+ x", "=== x"])
def test_the_start_of_a_line_is_no_command_and_no_block(value):
    """GitLab runs lines that begin with a slash."""
    assert not text(value).startswith(value[0]) or value[0] == "1"
    assert seen(text(value)).text.strip() == value


@given(st.text(alphabet="`ab ", max_size=40))
def test_code_spans_are_those_of_a_markdown_parser(value):
    [tokens] = [one.children for one in MarkdownIt().parse(f"x{value}x") if one.type == "inline"]
    expected = [one.content for one in tokens if one.type == "code_inline"]
    found = [one for one, is_code in code_spans(f"x{value}x") if is_code]
    assert [_stripped(one) for one in found] == expected


def _stripped(inside):
    is_padded = inside.startswith(" ") and inside.endswith(" ") and inside.strip(" ")
    return inside[1:-1] if is_padded else inside


@given(st.text(alphabet="`~ab\n ", max_size=60))
def test_a_fence_is_longer_than_any_in_it(value):
    tokens = MarkdownIt("commonmark").parse(fenced(value, "diff"))
    assert [one.type for one in tokens] == ["fence"]
    assert tokens[0].content == f"{value}\n"


def many(number: int) -> Review:
    return Review(
        "a",
        "b",
        documents=tuple(
            DocumentChange(
                f"src/file{n}.py",
                "rewritten",
                sections=(SectionChange("Definitions", "rewritten"),),
                reasons=("its source changed (`area` changed)",),
                diff="@@ -1 +1 @@\n-old ``` text\n+new text",
            )
            for n in range(number)
        ),
        stale=tuple(Stale(f"src/stale{n}.py", False, ("x",)) for n in range(number)),
    )


@pytest.mark.parametrize("limit", [1_000, 5_000, 60_000])
@pytest.mark.parametrize("flavor", FLAVORS)
def test_whole_entries_only_and_what_was_left_out_is_said(limit, flavor):
    rendered = render(many(600), flavor, limit)
    assert len(rendered) <= limit
    check_dead(rendered)
    rows = re.findall(r"^\| `src/file\d+\.py` \|.*\|.*\|$", rendered, re.MULTILINE)
    assert rows and rendered.count("| `src/file") == len(rows)
    left_out = int(re.search(r"Left out to keep this short: (\d+) documents", rendered)[1])
    assert left_out + len(rows) == 600
    assert rendered.count("<details>") == rendered.count("</details>")


def test_it_leads_with_what_a_reviewer_needs():
    review = hostile("a.py")
    rendered = render(review)
    order = ["| document |", "Not up to date", "Interfaces", "Edited by hand", "```diff", "mermaid"]
    places = [rendered.index(one) for one in order]
    assert places == sorted(places)


def test_documents_are_links_where_an_address_is_known():
    rendered = render(many(1), link_base="https://github.example/o/r/blob/abc/")
    target = "https://github.example/o/r/blob/abc/.codetwine/docs/src/file0.py/doc.md"
    assert f"[`src/file0.py`]({target})" in rendered
    with pytest.raises(ReviewError):
        render(many(1), link_base="javascript:alert(1)")
    assert not is_web_address("https://x.example/a b")


def test_the_picture_is_bounded():
    edges = tuple(Edge(f"user{n}.py", "used.py") for n in range(500))
    rendered = render(Review("a", "b", stale=(Stale("x"),), edges=edges, changed=("used.py",)))
    picture = rendered.split("```mermaid\n")[1].split("\n```")[0]
    nodes = re.findall(r"^  (n\d+)\[", picture, re.MULTILINE)
    assert len(nodes) == len(set(nodes)) == 24
    for line in re.findall(r"^  (n\d+) --> (n\d+)$", picture, re.MULTILINE):
        assert set(line) <= set(nodes)


def test_an_empty_review_is_one_line():
    assert render(Review("a", "b"), "plain") == (
        "### Documentation\n\nThis change needs no other documentation.\n"
    )

"""A review as Markdown for one platform; every text in it counts as written by a stranger."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import quote

from docs_store.layout import DOC_NAME, DOCS
from twine_hooks.errors import ReviewError
from twine_hooks.review.escape import cell_code, fenced, is_web_address, link, text
from twine_hooks.review.fitting import Group, fitted
from twine_hooks.review.model import CONFIRMED, REMOVED, DocumentChange, Review
from twine_hooks.review.picture import picture
from twine_hooks.review.words import Words, summary

MARKER = "<!-- codetwine: review -->"
MAX_CHARS = 60_000
_ROWS = 100


@dataclass(frozen=True, slots=True)
class Flavor:
    """What a platform shows: folded parts, Mermaid pictures, comments that nobody sees."""

    name: str
    folds: bool
    draws: bool
    hides_comments: bool


FLAVORS = {
    "github": Flavor("github", folds=True, draws=True, hides_comments=True),
    "gitlab": Flavor("gitlab", folds=True, draws=True, hides_comments=True),
    "bitbucket": Flavor("bitbucket", folds=False, draws=False, hides_comments=False),
    "plain": Flavor("plain", folds=False, draws=False, hides_comments=False),
}


def render(
    review: Review, flavor: str = "github", max_chars: int = MAX_CHARS, link_base: str = ""
) -> str:
    """The whole text. Documents are linked below `link_base`, a web address, where it is given."""
    if link_base and not is_web_address(link_base):
        raise ReviewError(f"{link_base!r} is no http(s) address; correct --link-base")
    page = _Page(review, FLAVORS[flavor], link_base.rstrip("/"))
    opening = "\n\n".join(filter(None, [page.marker, "### Documentation", summary(review)]))
    return fitted(opening, page.groups(), "", max_chars)


@dataclass(frozen=True, slots=True)
class _Page:
    review: Review
    flavor: Flavor
    link_base: str

    @property
    def marker(self) -> str:
        return MARKER if self.flavor.hides_comments else ""

    def groups(self) -> list[Group]:
        """Everything below the summary, the most important first."""
        words = Words(text, cell_code)
        changed = [one for one in self.review.documents if one.kind != CONFIRMED]
        table = "| document | what | why |\n|---|---|---|"
        groups = [
            Group(table, [self._row(words, one) for one in changed], "document", most=_ROWS),
            self._listed(
                "Not up to date: run `codetwine refresh` and commit what it writes",
                map(words.stale, self.review.stale),
                "stale document",
            ),
            self._listed(
                "Interfaces", map(words.interface, self.review.interfaces), "interface change"
            ),
            self._listed(
                "Edited by hand, and the source has changed: read them again",
                (
                    f"{self._document(one.path)}: {', '.join(map(text, one.sections))}"
                    for one in self.review.edited
                ),
                "edited document",
            ),
            Group("", [self._diff(one) for one in changed if one.diff], "diff", gap="\n\n"),
        ]
        drawn = picture(self.review) if self.flavor.draws else ""
        if drawn:
            body = f"{fenced(drawn, 'mermaid')}\n\nThick: changed. Dashed: document rewritten."
            groups.append(Group("", [self._folded("Who uses what changed", body)], "picture"))
        return [group for group in groups if group.entries]

    def _listed(self, title: str, entries: Iterable[str], noun: str) -> Group:
        return Group(f"**{title}**\n", [f"- {entry}" for entry in entries], noun)

    def _document(self, path: str) -> str:
        label = cell_code(path)
        where = f"{self.link_base}/{_quoted(_document_path(path))}"
        return link(label, where) if self.link_base else label

    def _row(self, words: Words, one: DocumentChange) -> str:
        named = cell_code(one.path) if one.kind == REMOVED else self._document(one.path)
        return f"| {named} | {words.what(one)} | {words.reasons(one.reasons)} |"

    def _diff(self, one: DocumentChange) -> str:
        return self._folded(one.path, fenced(one.diff, "diff"))

    def _folded(self, title: str, body: str) -> str:
        if not self.flavor.folds:
            return f"{text(title)}\n\n{body}"
        # Inside of <summary> Markdown does not count: what `text` put a backslash before is text.
        label = text(title.replace("`", "'").replace("\\", "/")).replace("\\", "")
        return f"<details><summary>{label}</summary>\n\n{body}\n\n</details>"


def _document_path(path: str) -> str:
    # The path may come from outside, and be none that a document can have.
    return f"{DOCS}/{path}/{DOC_NAME}"


def _quoted(path: str) -> str:
    return quote(path.encode("utf-8", "surrogateescape"), safe="/")

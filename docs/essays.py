#!/usr/bin/env python3
"""Writes the pages of primitives: the essay that a header begins with, as Markdown, and what the tables of README.md say of
it.

    essays.py PROJECT_FOLDER [--check]

A room is a folder of docs with a README.md whose name is that of a folder in include/synchro. Of a header there whose
essay states a problem it has the page, and no other page. In an essay, one or two words that begin a paragraph, with a
point or a colon, are its label; what is indented stands as it is, as code if it names synchro::; `traits.citation`
stands for the source that the tables have; a primitive in backticks, a page, an example and a header become links (a
header with a page: to that). With --check the pages are only compared. The exit status is 1 if a page has no header,
and with --check if one is missing or out of date.
"""

import os
import pathlib
import re
import sys
import textwrap

LABEL = re.compile(r"^([A-Z][a-z]+(?: [a-z]+)?[.:])(?= |$)")  # one word or two, as "Memory orders."
CHOICE = re.compile(r"\b(Choose it|Do not choose it)\b")
NAME = re.compile(r"`(\w+)(/\w+)?`")
FILE = re.compile(r"\b([\w/]+)\.(md|cpp|hpp)(#[\w-]+)?")
TABLE = re.compile(r"^\|.+\|\n\|[-|:]+\|\n(?:\|.+\|\n)+", re.M)


def essay_of(header):
    """The comment that it begins with."""
    comment = re.match(r"(?://.*\n)*", header.read_text(encoding="utf-8"))[0]
    return re.sub(r"^// ?", "", comment, flags=re.M)


def rooms_of(project):
    """Of each folder of pages the folder of its headers."""
    headers = project / "include" / "synchro"
    folders = sorted(readme.parent for readme in (project / "docs").glob("*/README.md"))
    return {folder: headers / folder.name for folder in folders if (headers / folder.name).is_dir()}


def headers_of_pages(project):
    """Of each page its header."""
    return {pages / f"{header.stem}.md": header for pages, headers in rooms_of(project).items()
            for header in sorted(headers.rglob("*.hpp")) if "\nProblem. " in essay_of(header)}


def parts(essay):
    """(is it indented, its lines) of each paragraph. Indented ones that follow each other are one."""
    found, between = [], []
    for line in essay.replace("\nPicture.  ", "\nPicture.\n" + " " * len("Picture.  ")).splitlines():
        is_indented = line.startswith("  ")
        if not line:
            between = [""]
            continue
        if found and found[-1][0] == is_indented and (is_indented or not between):
            found[-1][1].extend([*between, line])
        else:
            found.append((is_indented, [line]))
        between = []
    return found


def as_it_is(lines):
    """Of text each paragraph begins at the left."""
    told = "\n".join(lines)
    language, pieces = ("cpp", [told]) if "synchro::" in told else ("text", told.split("\n\n"))
    return "\n".join([f"```{language}", "\n\n".join(map(textwrap.dedent, pieces)), "```"])


class Page:
    def __init__(self, project, path, headers):
        self.project, self.path, self.header = project, path, headers[path]
        self.others = {page.stem: page for page in headers if page != path}
        self.sources = [*(project / "include").rglob("*.hpp")]

    def link(self, words, target):
        return f"[{words}]({os.path.relpath(target, self.path.parent)})"

    def named(self, found):
        return self.link(found[0], self.others[found[1]]) if found[1] in self.others else found[0]

    def placed(self, found):
        """A page by its section or its name; a header by its page if it has one, else by what is unique of its path."""
        name, form, section = found[1], found[2], found[3] or ""
        stem = name.rpartition("/")[2]
        if form != "hpp":
            words = section[1:].replace("-", " ") or name.removeprefix("docs/").removesuffix("/README")
            return self.link(words if form == "md" else found[0], self.project / found[0])
        sources = [path for path in self.sources if path.as_posix().endswith(f"/{name}.hpp") and path != self.header]
        target = self.others.get(stem, sources[0] if len(sources) == 1 else None)
        return self.link(f"{stem}.hpp", target) if target and sources else found[0]

    def prose(self, text):
        return CHOICE.sub(r"**\1**", LABEL.sub(r"**\1**", NAME.sub(self.named, FILE.sub(self.placed, text))))

    def tables(self):
        """Of each generated table that tells of it: cells of the headings, of the line below, of its waiting policies."""
        readme = (self.path.parent / "README.md").read_text(encoding="utf-8")
        of_it = re.compile(rf"\| \[?`{self.path.stem}[`/]")
        for table in TABLE.findall(readme.partition("<!-- generated")[2]):
            heading, line, *rows = table.splitlines()
            if its_own := [row for row in rows if of_it.match(row)]:
                yield [row.strip("|").split("|") for row in (heading, line, *its_own)]

    def text(self):
        tables, choice, source = list(self.tables()), "", ""
        if tables:
            choice, source = (cell.strip() for cell in tables[-1][2][-2:])
            tables[-1] = [row[:-2] for row in tables[-1]]
        (_, opening), *essay = parts(essay_of(self.header))
        title, _, more = " ".join(opening).partition(": ")[2].partition(". ")
        text = [f"<!-- generated by ./dev docs from {self.header.relative_to(self.project)} -->"]
        text += [f"# {self.path.stem}: {title.rstrip('.')}"]
        text += [self.prose(more)] if more else []
        text += [f"In short: {choice}."] if choice else []
        for is_indented, lines in essay:
            told = " ".join(lines).replace("`traits.citation`", source)
            text.append(as_it_is(lines) if is_indented else self.prose(told))
        text += ["\n".join(f"|{'|'.join(row)}|" for row in table) for table in tables if len(table[0]) > 1]
        include = self.header.relative_to(self.project / "include")
        text.append(f"Header: {self.link(f'`{include}`', self.header)}. All of them: [{self.path.parent.name}](README.md).")
        return "\n\n".join(text) + "\n"


def without_header(project, headers):
    for folder in rooms_of(project):
        yield from (f"{page} has no header" for page in sorted({*folder.glob("*.md")} - {folder / "README.md", *headers}))


def state_of(path, text):
    """What is wrong with it on the disk, if anything is."""
    if not path.exists():
        return "is not there"
    return "" if path.read_text(encoding="utf-8") == text else "is out of date"


def wrong(project, is_checked):
    """Sentences. What can be written is written, unless it is only checked."""
    headers = headers_of_pages(project)
    sentences = [*without_header(project, headers)]
    for path in headers:
        text = Page(project, path, headers).text()
        state = state_of(path, text)
        if state and is_checked:
            sentences.append(f"{path} {state}: run ./dev docs")
        elif state:
            path.write_text(text, encoding="utf-8")
            print(f"{path} is up to date now")
    return sentences


if __name__ == "__main__":
    sys.exit("\n".join(wrong(pathlib.Path(sys.argv[1]), sys.argv[2:] == ["--check"])) or 0)

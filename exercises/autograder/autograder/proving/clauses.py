"""The ledger of clauses: what a text says of limits and special cases, and the part that tests it.

Each sentence with a word such as "may" or "of equal ones", or with a number in a question to implement or to
repair, needs an entry: a phrase of it, with the part that tests it and the mistake that only this part
catches, or the reason for which nothing is to be tested.
"""

import ast
import re
from collections.abc import Iterator, Mapping

from autograder.authoring.source import Source, mark_of, without_magics
from autograder.authoring.spec import Question

WORDS = r"(?<![\w`])(may|might|where(?! \$)|equal|ties?|at least|at most|never|empty|None|float64)(?![\w`])"
NUMBER = r"(?<![\w.`$\\])(?<![-+] )\d[\d,.]*(?<![,.])(?![\w`])"
# what says nothing of an answer's behavior: points, roles, links, code, names of questions, formulas
SILENT = re.compile(
    r"^\*\d+ points?.*?\*|\{\w+(?::\w+)?\}`[^`]*`|\[[^\]]*\]\([^)]*\)|`{3}.*?`{3}|\b\d\d\.\d\b"
    r"|\$\$.*?\$\$|\$[^$]*\$",
    re.DOTALL | re.MULTILINE,
)
INLINE = re.compile(r"\$(?!\$)")
SENTENCE = re.compile(r"(?<=[.:;?!])\s+(?=[A-Z`*$\\(])|\n\s*\n|\n(?=\s*[-*|] )")


def question_texts(source: Source) -> dict[str, str]:
    """The prose above the cell of each question."""
    found: dict[str, str] = {}
    above: list[str] = []
    for cell in source.notebook.cells if source.notebook is not None else ():
        mark = mark_of(cell.source) if cell.cell_type == "code" else None
        if cell.cell_type == "markdown":
            text = cell.source
            above = [text] if re.match(r"#+ \d\d\.\d", text) else [*above, text]
        elif mark not in (None, "setup"):
            found[str(mark)] = "\n\n".join(above)
            above = []
    return found


def gaps(question: Question, text: str, stub: str, mistakes: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    """What the ledger of a question lacks, or has too much of, a sentence each."""
    said = _flat("\n\n".join([text, *_docstrings(stub)]))
    parts = [part.name for part in question.parts]
    for phrase, entry in question.clauses.items():
        if _flat(phrase) not in said:
            yield f"{question.id}: the clause {phrase!r} is not in the text"
        if isinstance(entry, str):
            if len(entry.split()) < 2:
                yield f"{question.id}: the clause {phrase!r} needs a reason in words, not {entry!r}"
            continue
        part, mistake = entry
        if part not in parts:
            known = ", ".join(parts)
            yield f"{question.id}: the clause {phrase!r} names the part {part!r}; there are {known}"
        elif mistakes.get(mistake) != (part,):
            yield f"{question.id}: {phrase!r}: no mistake {mistake!r} loses the part {part!r} alone"
    phrases = [_flat(phrase) for phrase in question.clauses]
    numbers = question.kind in ("implement", "repair")
    telling = re.compile(f"{WORDS}|{NUMBER}" if numbers else WORDS, re.IGNORECASE)
    for sentence in sentences(text, stub):
        found = telling.search(SILENT.sub(" ", sentence))
        if found and not any(phrase in _flat(sentence) for phrase in phrases):
            yield f"{question.id}: no clause for {found[0]!r} in: {_flat(sentence)}"


def sentences(text: str, stub: str) -> Iterator[str]:
    """The sentences of a text, and the entries of the docstrings, that may say something to test."""
    title, _, rest = text.partition("\n")
    text = rest if title.startswith("#") else text
    text = SILENT.sub(lambda found: found[0] if INLINE.match(found[0]) else " ", text)
    yield from (part for part in SENTENCE.split(text) if part.strip())
    for docstring in _docstrings(stub):
        yield from re.split(r"\n(?=\s*\w+:\s)|\n\s*\n", docstring)


def _docstrings(stub: str) -> list[str]:
    nodes = ast.walk(ast.parse(without_magics(stub)))
    return [d for n in nodes if isinstance(n, ast.FunctionDef | ast.ClassDef) and (d := ast.get_docstring(n))]


def _flat(text: str) -> str:
    return " ".join(text.split())

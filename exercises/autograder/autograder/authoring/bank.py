"""The bank of an exercise: right answers and named mistakes, one file each."""

import re
from dataclasses import dataclass
from pathlib import Path

from autograder.authoring.spec import SpecificationError

BANK_FILE = re.compile(r"(\d{2})_(\d{1,2})_(\w+)\.py")


@dataclass(frozen=True)
class BankFile:
    """A right or wrong answer of the bank."""

    path: Path
    question: str
    name: str
    source: str
    explanation: str
    loses: tuple[str, ...]


def read_bank(folder: Path, side: str) -> list[BankFile]:
    """The files of ``bank/right`` or ``bank/wrong``, in order, checked against the naming rules."""
    files = []
    for path in sorted((folder / "bank" / side).glob("*.py")):
        named = BANK_FILE.fullmatch(path.name)
        if not named:
            raise SpecificationError(f"{path}: a bank file is named like 06_2_style.py")
        source = path.read_text(encoding="utf-8")
        first = re.match(r'"""(.+?)\s*(?:"""|\n)', source)
        if not first:
            raise SpecificationError(
                f'{path}: begins with no docstring such as """attention without the scale"""'
            )
        loses = re.search(r"^# loses: (.+)$", source, re.MULTILINE)
        if side == "wrong" and not loses:
            raise SpecificationError(f"{path}: has no line such as '# loses: values'")
        lost = tuple(name.strip() for name in loses[1].split(",")) if loses else ()
        files.append(BankFile(path, f"{named[1]}.{named[2]}", named[3], source, first[1].strip(), lost))
    return files

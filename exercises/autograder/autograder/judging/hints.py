"""Which of a part's hints are shown to whom: none that sends to a part that is won."""

import re
from collections.abc import Collection

from autograder.judging.exam import ExamQuestion

ELSEWHERE = re.compile(r"If [^.?]*\bmend\b[^.?:]*\bfirst\b[^.?]*\.\s*")
OTHERS_WON = re.compile(r"If the others are won[:,] ")
ANSWERING = re.compile(r"If not: ")
NAMED = re.compile(r"`([^`]*)`")


def hints_for(question: ExamQuestion, part: str, lost: Collection[str]) -> tuple[str, ...]:
    """The hints for who loses ``part`` first, as far as they say something where these parts are lost."""
    told = [_fitting(hint, question, part, lost) for hint in question.hints_on(part)]
    kept = [hint for hint in told if hint]
    if kept and (begun := ANSWERING.match(kept[0])):
        kept[0] = _capital(kept[0][begun.end() :])
    return tuple(kept)


def _fitting(hint: str, question: ExamQuestion, part: str, lost: Collection[str]) -> str:
    """The hint without what holds only if other parts are lost, or won."""
    if (sends := ELSEWHERE.match(hint)) and not _applies(sends[0], question, part, lost):
        return _capital(hint[sends.end() :])
    if others := OTHERS_WON.match(hint):
        return _capital(hint[others.end() :]) if set(lost) <= {part} else ""
    return hint


def _applies(sentence: str, question: ExamQuestion, part: str, lost: Collection[str]) -> bool:
    """Whether a part to which a sentence sends is lost; without a name it means earlier ones, all won."""
    named = set(NAMED.findall(sentence)) - {part}
    parts = {one.name for one in question.parts}
    return bool(named & set(lost)) or bool(named - parts)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]

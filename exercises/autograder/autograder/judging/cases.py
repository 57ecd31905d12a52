"""``check("06.2").case(3)``: the inputs of a case at the public seed, to run it again."""

import numbers
from collections.abc import Mapping
from typing import Any

import numpy as np
import torch

from autograder.judging.exam import Case, ExamPart, ExamQuestion
from autograder.judging.results import NoCase, Result
from autograder.judging.wording import clip
from autograder.worker.values import unpack

MAX_SHOWN = 3


class CaseInputs(dict):
    """The inputs of a case by name, as a question's function gets them; shown with types, shapes, values."""

    def __init__(self, title: str, inputs: Mapping[str, Any]):
        super().__init__(inputs)
        self.title = title

    def __repr__(self) -> str:
        if not self:
            return f"{self.title}: it has no inputs"
        return "\n".join([f"{self.title}:", *(f"  {name}: {_shown(value)}" for name, value in self.items())])


def inputs_of(question: ExamQuestion, result: Result, number: int, name: str = "") -> CaseInputs:
    """The inputs of one case of the part called ``name``, by default of the first one that is lost."""
    part = _part(question, result, name)
    count = len(part.cases)
    if isinstance(number, bool) or not isinstance(number, numbers.Integral) or not 1 <= number <= count:
        has = "1 case" if count == 1 else f"{count} cases, numbered from 1"
        raise NoCase(
            f"the part {part.name!r} of question {question.id} has {has}: there is no case {number!r}"
        )
    title = f"question {question.id}, part {part.name!r}, case {number} of {count}"
    return CaseInputs(title, _fresh(part.cases[number - 1]))


def _part(question: ExamQuestion, result: Result, name: str) -> ExamPart:
    lost = [part.name for part in result.parts if part.points < part.max_points]
    parts = {part.name: part for part in question.parts}
    wanted = name or next(iter(lost), question.parts[0].name)
    if wanted not in parts:
        known = ", ".join(map(repr, parts))
        raise NoCase(f"question {question.id} has no part {wanted!r}; its parts are {known}")
    return parts[wanted]


def _fresh(case: Case) -> dict[str, Any]:
    """The inputs as a worker makes them, of their own memory."""
    tensor = lambda array: torch.from_numpy(array.copy())  # noqa: E731
    inputs: dict[str, Any] = unpack(case.inputs, case.arrays, tensor=tensor, array=np.copy)
    return inputs


def _shown(value: Any) -> str:
    """A value in one line: of tensors and arrays the type, the shape and the first numbers."""
    if isinstance(value, torch.Tensor | np.ndarray):
        kind = "tensor" if isinstance(value, torch.Tensor) else "array"
        values = np.asarray(value)
        text = np.array2string(
            values, threshold=12, edgeitems=MAX_SHOWN, precision=4, separator=", ", max_line_width=10_000
        )
        text = text.replace("[ ", "[").replace(" ]", "]")
        return f"{values.dtype} {kind} {tuple(values.shape)} {clip(text, 200)}"
    if isinstance(value, list | tuple) and any(isinstance(item, torch.Tensor | np.ndarray) for item in value):
        items = [_shown(item) for item in value[:MAX_SHOWN]]
        more = [f"... {len(value) - MAX_SHOWN} more"] if len(value) > MAX_SHOWN else []
        return f"{type(value).__name__} of {len(value)}: " + "; ".join([*items, *more])
    return clip(repr(value), 200)

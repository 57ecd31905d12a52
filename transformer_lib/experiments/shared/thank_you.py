"""After *thank you ,* who? The question that the book asks every language model of the tales.

In a hundred of the unseen stories somebody says *thank you ,* and then the hero's name. In most of them the
name also stands fifteen words back; in the others, only in the first sentence. A chapter whose model answers
has an experiment called ``scoreboard``, or ``scoreboard-`` and a word, with conditions that name a model.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from html import escape
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor

from transformer_lib.data import load_tales, token_stream
from transformer_lib.experiments.running.results import Results
from transformer_lib.experiments.shared import small_tales
from transformer_lib.experiments.shared.small_tales import tales
from transformer_lib.notebook import Table, show_table

__all__ = ["CONTEXT", "Question", "Scoreboard", "questions", "score", "scoreboard", "valid_nats"]

CONTEXT = 96
"""How many of the latest words a model may read."""

Model = Callable[[Int[Tensor, "batch time"]], Float[Tensor, "batch time vocab"]]


@dataclass(frozen=True)
class Question:
    """A story up to *thank you ,*, and the name that comes next; near if it is among the last 20 words."""

    prompt: Int[Tensor, "time"]
    name: int

    @property
    def is_near(self) -> bool:
        """Whether the name stands some fifteen words back."""
        return self.name in self.prompt[-20:]


@cache
def questions() -> list[Question]:
    """Those of all unseen stories, an end token in front of each."""
    vocabulary, asked = tales().tokenizer, " thank you , "
    stories = [story.partition(asked) for story in tales().test if asked in story]
    return [
        Question(
            torch.tensor([vocabulary.end_token, *vocabulary.encode(before + asked.rstrip())]),
            vocabulary.encode(after.split()[0])[0],
        )
        for before, _, after in stories
    ]


@cache
def _windows() -> dict[str, tuple[Tensor, Tensor]]:
    others = token_stream(load_tales(n_train=200, n_valid=0, n_test=0, seed=1).train, tales().tokenizer)
    streams = {"valid": torch.from_numpy(others), "test": small_tales.streams()[1]}
    return {part: small_tales.cut(stream, CONTEXT) for part, stream in streams.items()}


@torch.no_grad()
def valid_nats(model: Model) -> float:
    """Nats per token on stories that are neither trained on nor tested."""
    return small_tales.nats(model, *_windows()["valid"]).item()


@torch.no_grad()
def score(model: Model) -> dict[str, Any]:
    """How often the likeliest word is the name, nats per token, and how the model continues the first story.

    Parameters
    ----------
    model
        The logits of the token after each; it reads windows of :data:`CONTEXT` tokens at most.
    """

    def likeliest(tokens: Int[Tensor, "time"]) -> Tensor:
        return model(tokens[None, -CONTEXT:])[0, -1].argmax()

    right: dict[bool, list[bool]] = {True: [], False: []}
    for question in questions():
        right[question.is_near].append(int(likeliest(question.prompt)) == question.name)
    tokens, end = questions()[0].prompt, tales().tokenizer.end_token
    while len(tokens) < len(questions()[0].prompt) + 12 and (tokens[-1] != end or len(tokens) == 1):
        tokens = torch.cat([tokens, likeliest(tokens)[None]])
    said = tokens[len(questions()[0].prompt) :].tolist()
    return {
        "near": sum(right[True]) / len(right[True]),
        "far": sum(right[False]) / len(right[False]),
        "nats": round(small_tales.nats(model, *_windows()["test"]).item(), 4),
        "valid": round(valid_nats(model), 4),
        "says": tales().tokenizer.decode([token for token in said if token != end]),
    }


@dataclass(frozen=True)
class Scoreboard:
    """A table, and below it how each model continues the same story."""

    table: Table
    prompt: str
    says: Mapping[str, str]

    def __repr__(self) -> str:
        width = max(map(len, self.says))
        lines = [f"{model.ljust(width)}  {text}" for model, text in self.says.items()]
        return "\n".join([repr(self.table), "", f"{self.prompt} ...", *lines])

    def _repr_html_(self) -> str:
        lines = [f"<dt>{escape(model)}</dt><dd>{escape(text)}</dd>" for model, text in self.says.items()]
        return (
            f"{self.table._repr_html_()}<p><em>{escape(self.prompt)} …</em></p>"
            f'<dl class="continuations">{"".join(lines)}</dl>'
        )


def scoreboard(records: list[Results], chapter: int) -> Scoreboard:
    """The rows of these records up to a chapter, in its order and the worst first.

    A model that several records have shows its longest training, and continues the story as at their first
    seed.
    """
    latest: dict[str, tuple[Results, dict[str, Any]]] = {}
    for results in records:
        for run in reversed(results.record.result["runs"]):
            model, steps = run["settings"]["model"], run["settings"].get("steps", 0)
            known = latest[model][1]["settings"].get("steps", 0) if model in latest else 0
            if run["result"]["chapter"] <= chapter and steps >= known:
                latest[model] = results, run
    rows, says = [], {}
    for model, (results, run) in latest.items():
        asked = {name: run["settings"][name] for name in ("model", "steps") if name in run["settings"]}
        near, far, nats = (results.interval(name, **asked).mean for name in ("near", "far", "nats"))
        rows.append((run["result"]["chapter"], -nats, [model, f"{near:.2f}", f"{far:.2f}", f"{nats:.2f}"]))
        says[model] = run["result"]["says"]
    shown = [[cells[0], str(number), *cells[1:]] for number, _, cells in sorted(rows)]
    numbers = [sum(question.is_near is near for question in questions()) for near in (True, False)]
    titles = ["model", "chapter", f"near ({numbers[0]})", f"far ({numbers[1]})", "nats per token"]
    where = f"After “thank you ,” in {sum(numbers)} unseen stories"
    caption = f"{where}: how often the likeliest word is the right name"
    prompt = tales().tokenizer.decode(questions()[0].prompt[1:].tolist())
    return Scoreboard(show_table(titles, shown, caption), prompt, {row[0]: says[row[0]] for row in shown})

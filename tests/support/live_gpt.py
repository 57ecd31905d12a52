"""Inputs of the live figure gpt, and what PyTorch computes of them, taken from the one file's variables."""

import sys
from collections import defaultdict
from collections.abc import Callable
from types import FrameType
from typing import Any

import live_weights
import torch
from torch import Tensor

from transformer_lib import one_file_gpt


def _number(low: int, high: int, generator: torch.Generator) -> int:
    return int(torch.randint(low, high + 1, (), generator=generator))


def _variables(call: Callable[[], Any]) -> dict[str, list[dict[str, Any]]]:
    """The variables of each call of a function of `one_file_gpt` at its end, and as `called` at its start."""
    found = defaultdict(list)
    called = []

    def note(frame: FrameType, event: str, result: Any) -> None:
        if frame.f_code.co_filename != one_file_gpt.__file__:
            return
        if event == "call":
            called.append(dict(frame.f_locals))
        elif event == "return":
            found[frame.f_code.co_qualname].append(
                {**frame.f_locals, "called": called.pop(), "returned": result}
            )

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(before)
    return found


def gpt_case(generator: torch.Generator) -> tuple[dict[str, Any], dict[str, Tensor]]:
    """Words of the vocabulary and another, and each array: most are variables of the one file."""
    model, words = live_weights.read()
    length = _number(0, 12, generator) if _number(0, 20, generator) else _number(90, 120, generator)
    ids = [_number(1, len(words) - 1, generator) for _ in range(length)]
    typed = [(words[i], words[i].title())[_number(0, 1, generator)] for i in ids]
    typed.insert(_number(0, length, generator), ("zebras", "Zoë", "45")[_number(0, 2, generator)])
    tokens = torch.tensor([[0, *ids][-model.context_length :]])
    temperature = _number(1, 20, generator) / 10
    found = _variables(lambda: model.generate(tokens, n=1, temperature=temperature))
    (whole,), (generated,) = found["GPT.forward"], found["GPT.generate"]
    expected = {"tokens": tokens[0], "embedding: token": model.token_embedding(tokens)}
    expected["embedding: positions"] = whole["positions"][None]
    expected["embedding: x"] = found["Block.forward"][0]["called"]["x"]
    parts = [found[f"{part}.forward"] for part in ("CausalSelfAttention", "FeedForward", "Block")]
    for at, (attention, feed_forward, block) in enumerate(zip(*parts, strict=True), start=1):
        heads = ("q", "k", "v", "scores", "weights", "gathered")
        expected |= {f"attention {at}: {name}": attention[name][0] for name in heads}
        expected |= {
            f"attention {at}: norm 1": attention["called"]["x"],
            f"attention {at}: output": attention["returned"],
            f"attention {at}: x": block["x"],
            f"feed-forward {at}: norm 2": feed_forward["called"]["x"],
            f"feed-forward {at}: inner": feed_forward["inner"],
            f"feed-forward {at}: down": feed_forward["returned"],
            f"feed-forward {at}: x": block["returned"],
        }
    logits = whole["returned"]
    p = (logits / temperature).softmax(-1)
    torch.testing.assert_close(p[:, -1], generated["p"])
    expected |= {"output: final norm": model.final_norm(whole["x"]), "output: logits": logits, "output: p": p}
    case = {"text": " ".join(typed), "temperature": temperature}
    return case, {name: array.detach().double() for name, array in expected.items()}

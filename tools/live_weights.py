"""Train the small GPT of chapter 11 that the live figure `gpt` runs, and write its weights as a script.

    python tools/live_weights.py

trains on the tales of the chapter with the chapter's own code, some minutes on one core, and says what the
model has learned. Each row of a matrix is kept in 8 bits and a scale, so the page computes what PyTorch
computes with the weights that `read` gives, not with those that were trained.
"""

import base64
import json
import sys
from pathlib import Path

import torch
from torch import Tensor

from transformer_lib.data import Corpus, load_tales, token_stream
from transformer_lib.one_file_gpt import GPT, get_batch, make_optimizer, train_step

PATH = Path(__file__).resolve().parent.parent / "book" / "_static" / "live" / "gpt-weights.js"
SHAPE = {"context_length": 96, "d_model": 64, "n_heads": 4, "n_layers": 2}
STEPS, WARMUP, LEARNING_RATE = 5000, 50, 0.006
ASKED = " thank you ,"
HEADER = f"""// @ts-check
"use strict";

/* The weights of the figure gpt: written by `python tools/{Path(__file__).name}`, not by hand. */
const gptWeights = """


def tales() -> Corpus:
    """The stories of chapter 11."""
    return load_tales(n_train=2000, n_valid=0, n_test=500, seed=0)


def train(corpus: Corpus, steps: int = STEPS, seed: int = 0) -> GPT:
    """A model that has read the stories; its rate rises for some steps and falls from the middle on."""
    torch.manual_seed(seed)
    model = GPT(corpus.tokenizer.vocab_size, **SHAPE)
    model.init_weights(std=SHAPE["d_model"] ** -0.5)
    optimizer = make_optimizer(model, LEARNING_RATE)
    tokens = torch.from_numpy(token_stream(corpus.train, corpus.tokenizer))
    for step in range(1, steps + 1):
        for group in optimizer.param_groups:
            group["lr"] = LEARNING_RATE * min(step / WARMUP, 1, 2.05 - 2 * step / steps)
        loss = train_step(model, optimizer, *get_batch(tokens, 16, SHAPE["context_length"]))
        if step % 500 == 0:
            print(f"step {step:5,}: {loss:.2f} nats per word", flush=True)
    return model


def packed(tensor: Tensor) -> dict[str, object]:
    """A tensor for JSON: the rows of a matrix in 8 bits and a scale each, a vector in four decimals."""
    if tensor.ndim == 1:
        return {"values": [round(number, 4) for number in tensor.tolist()]}
    scales = [float(f"{row.abs().max().item() / 127:.4g}") for row in tensor]
    whole = (tensor.double() / torch.tensor(scales).double()[:, None]).round().clamp(-127, 127)
    text = base64.b64encode(whole.to(torch.int8).numpy().tobytes()).decode()
    return {"scales": scales, "rows": text}


def unpacked(data: dict) -> Tensor:
    """The tensor that the page computes with."""
    if "values" in data:
        return torch.tensor(data["values"]).double()
    whole = torch.frombuffer(bytearray(base64.b64decode(data["rows"])), dtype=torch.int8)
    scales = torch.tensor(data["scales"], dtype=torch.float64)
    return whole.view(len(scales), -1) * scales[:, None]


def write(model: GPT, words: list[str], path: Path = PATH) -> None:
    """Write the script."""
    data = {**SHAPE, "words": words, **{name: packed(tensor) for name, tensor in model.state_dict().items()}}
    lines = [f"{json.dumps(name)}: {json.dumps(value)}" for name, value in data.items()]
    path.write_text(HEADER + "{\n" + ",\n".join(lines) + "\n};\n", encoding="utf-8")


def read(path: Path = PATH) -> tuple[GPT, list[str]]:
    """The model of a script in double precision, and its words."""
    text = path.read_text(encoding="utf-8").removeprefix(HEADER).rstrip(";\n")
    data = json.loads(text)
    words = data.pop("words")
    model = GPT(len(words), *(data.pop(name) for name in SHAPE)).double()
    model.load_state_dict({name: unpacked(tensor) for name, tensor in data.items()})
    return model, words


def right_names(model: GPT, corpus: Corpus) -> float:
    """In which share of unseen stories the likeliest word after `thank you ,` is the hero's name."""
    words = corpus.tokenizer
    stories = [story.partition(ASKED) for story in corpus.test if ASKED in story]
    right = 0
    for begin, asked, end in stories:
        prompt = torch.tensor([[words.end_token, *words.encode(begin + asked)]])
        guess = model.generate(prompt, n=1, top_k=1)[0, -1]
        right += words.decode([int(guess)]) == end.split()[0]
    return right / len(stories)


def main() -> int:
    """Train, write, and say what was written."""
    corpus = tales()
    write(train(corpus), [corpus.tokenizer.decode([token]) for token in range(corpus.tokenizer.vocab_size)])
    print(f"{PATH.name}: {PATH.stat().st_size:,} bytes, {right_names(read()[0], corpus):.0%} right names")
    return 0


if __name__ == "__main__":
    sys.exit(main())

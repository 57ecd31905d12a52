"""What makes a program of the pieces: the last part of the file that ``assemble`` writes."""

# mypy: disable-error-code="operator"

import argparse
from pathlib import Path
from typing import Any

import torch
from torch import nn

# the pieces, which stand above this part in an assembled file
split_heads: Any = None
join_heads: Any = None
attention: Any = None
make_mask: Any = None
waves: Any = None
layer_norm: Any = None
block: Any = None
next_token_loss: Any = None
get_batch: Any = None
train_step: Any = None
generate: Any = None
next_distribution: Any = None
learning_rate: Any = None

# %% the frame


class Transformer(nn.Module):
    """A language model of the pieces: embeddings and waves, pre-norm blocks, a last norm, logits."""

    def __init__(self, vocab, d=128, n_heads=4, n_blocks=2, tied=False):
        super().__init__()
        self.d, self.n_heads, m = d, n_heads, 4 * d
        shapes = {"W_q": (d, d), "W_k": (d, d), "W_v": (d, d), "W_o": (d, d), "W_1": (d, m), "W_2": (m, d)}
        zeros = {"b_1": m, "b_2": d, "bias_1": d, "bias_2": d}
        self.E = nn.Parameter(torch.randn(vocab, d) * d**-0.5)  # a row for each token
        self.head = self.E if tied else nn.Parameter(torch.randn(vocab, d) * 0.02)
        blocks = []
        for _ in range(n_blocks):
            p = {name: torch.randn(shape) * shape[0] ** -0.5 for name, shape in shapes.items()}
            p |= {name: p[name] * (2 * n_blocks) ** -0.5 for name in ("W_o", "W_2")}
            p |= {name: torch.zeros(size) for name, size in zeros.items()}
            blocks.append(nn.ParameterDict(p | {"gain_1": torch.ones(d), "gain_2": torch.ones(d)}))
        self.blocks = nn.ModuleList(blocks)
        self.gain, self.bias = nn.Parameter(torch.ones(d)), nn.Parameter(torch.zeros(d))

    def attend(self, x, p):
        """Causal attention with several heads; x and the result are (batch, time, d)."""
        time = x.shape[1]
        q, k, v = (split_heads(x @ p[name], self.n_heads).flatten(0, 1) for name in ("W_q", "W_k", "W_v"))
        allowed = make_mask(time, time, causal=True).to(x.device).expand(len(q), time, time)
        heads = attention(q, k, v, allowed).unflatten(0, (-1, self.n_heads))
        return join_heads(heads) @ p["W_o"]

    def features(self, inputs):
        """What the head sees of inputs (batch, time): (batch, time, d)."""
        places = waves(torch.arange(inputs.shape[1]).float(), self.d)
        x = self.E[inputs] * self.d**0.5 + places.to(self.E)
        for p in self.blocks:
            x = block(x, lambda y, p=p: self.attend(y, p), dict(p.items()), pre=True)
        return layer_norm(x, self.gain, self.bias)

    def forward(self, inputs):
        """Logits (batch, time, vocab) for the token after each place."""
        return self.features(inputs) @ self.head.T


class Filtered(nn.Module):
    """A model as `next_distribution` has it, for `generate` to draw from."""

    def __init__(self, model, temperature):
        super().__init__()
        self.model, self.temperature = model, temperature

    def forward(self, inputs):
        """Logarithms of probabilities (batch, time, vocab)."""
        logits = self.model(inputs)
        return next_distribution(logits.flatten(0, 1), self.temperature).log().view_as(logits)


def main(words=None):
    """Train on the characters of a text file, and write some of its kind."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("text_file", type=Path, help="a text in UTF-8, of a thousand characters or more")
    parser.add_argument("--steps", type=int, default=300, help="training steps (300)")
    parser.add_argument("--seed", type=int, default=0, help="seed of weights, batches and draws (0)")
    parser.add_argument("--prompt", help="what the written text begins with (the file's first character)")
    parser.add_argument("--temperature", type=float, default=0.8, help="below 1 it dares less (0.8)")
    given = parser.parse_args(words)
    context, n_rows, peak, length = 64, 16, 0.005, 300
    try:
        text = given.text_file.read_text(encoding="utf-8")
    except OSError as error:
        parser.error(f"{given.text_file}: {error.strerror}")
    except UnicodeDecodeError:
        parser.error(f"{given.text_file}: is not a text in UTF-8")
    if len(text) <= 10 * context:
        parser.error(f"{given.text_file}: has {len(text)} characters; give more than {10 * context}")
    if given.steps < 1 or not given.temperature > 0:
        parser.error("--steps and --temperature must be above 0")
    characters = sorted(set(text))
    prompt = given.prompt or text[0]
    if unknown := sorted(set(prompt) - set(characters)):
        parser.error(f"--prompt has {unknown[0]!r}, which the text does not")

    number = {character: i for i, character in enumerate(characters)}
    tokens, start = (torch.tensor([number[character] for character in some]) for some in (text, prompt))
    train, held_out = tokens[: len(tokens) * 9 // 10], tokens[len(tokens) * 9 // 10 :]
    torch.manual_seed(given.seed)
    generator = torch.Generator().manual_seed(given.seed)
    model = Transformer(len(characters))
    optimizer = torch.optim.AdamW(model.parameters())
    tests = get_batch(held_out, 32, context, torch.Generator().manual_seed(0))
    size = sum(p.numel() for p in model.parameters())
    print(f"{len(tokens):,} characters, {len(characters)} of them different; {size:,} parameters")
    for step in range(given.steps):
        for group in optimizer.param_groups:
            group["lr"] = learning_rate(step, peak, given.steps // 10, given.steps)
        loss = train_step(model, optimizer, *get_batch(train, n_rows, context, generator))
        if step % max(1, given.steps // 10) == 0 or step == given.steps - 1:
            with torch.no_grad():
                held = next_token_loss(model.features(tests[0]), model.head, tests[1]).item()
            print(f"step {step + 1:5}: loss {loss:.2f}, held out {held:.2f} nats per character", flush=True)
    written = generate(Filtered(model, given.temperature), start, length, context, generator)
    print("\n" + "".join(characters[i] for i in written.tolist()))


if __name__ == "__main__":
    main()

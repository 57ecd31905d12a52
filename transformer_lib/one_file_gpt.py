"""A whole GPT in one file: batches, model, loss, training step, and sampling.

Nothing is needed but PyTorch. A minute of training on a text, by characters::

    symbols = sorted(set(text))
    tokens = torch.tensor([symbols.index(c) for c in text])
    model = GPT(len(symbols), context_length=64)
    optimizer = make_optimizer(model, learning_rate=1e-3)
    for step in range(500):
        loss = train_step(model, optimizer, *get_batch(tokens, 16, 64))
    written = generate(model, tokens[None, :1], 200)[0]
    print("".join(symbols[i] for i in written))

The tests prove it equal to the library's ``DecoderLM`` (chapter 11).
"""

import torch
import torch.nn.functional as F
from torch import Tensor, nn


def get_batch(tokens, batch_size, context_length, generator=None):
    """Windows of the text, and the token after each of their tokens."""
    last = len(tokens) - context_length
    start = torch.randint(last, (batch_size, 1), generator=generator)
    place = start + torch.arange(context_length + 1)  # (batch, time + 1)
    window = tokens[place]
    return window[:, :-1], window[:, 1:]  # (batch, time) each


class Attention(nn.Module):
    """Causal attention by several heads: no place sees a later one."""

    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.qkv = nn.Linear(d_model, 3 * d_model, bias=False)
        self.output = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        """What each place gathers."""
        batch, time, d_model = x.shape
        qkv = self.qkv(x).view(batch, time, 3, self.n_heads, -1)
        q, k, v = qkv.permute(2, 0, 3, 1, 4)  # (batch, heads, time, d_head)
        scores = q @ k.mT / q.shape[-1] ** 0.5  # (batch, heads, time, time)
        later = torch.ones_like(scores[0, 0], dtype=torch.bool).triu(1)
        weights = scores.masked_fill(later, -torch.inf).softmax(dim=-1)
        mixed = weights @ v  # (batch, heads, time, d_head)
        return self.output(mixed.transpose(1, 2).reshape(batch, time, d_model))


class FeedForward(nn.Module):
    """A network of two layers, the same at every place."""

    def __init__(self, d_model, d_ff):
        super().__init__()
        self.up = nn.Linear(d_model, d_ff, bias=False)
        self.down = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        """The network's output at each place."""
        return self.down(F.gelu(self.up(x)))  # d_model, d_ff, d_model


class Block(nn.Module):
    """Attention, then the network, each added to the residual stream."""

    def __init__(self, d_model, n_heads):
        super().__init__()
        self.attention_norm = nn.LayerNorm(d_model)
        self.attention = Attention(d_model, n_heads)
        self.feed_forward_norm = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, 4 * d_model)

    def forward(self, x: Tensor) -> Tensor:
        """The residual stream after both branches."""
        x = x + self.attention(self.attention_norm(x))
        return x + self.feed_forward(self.feed_forward_norm(x))


class GPT(nn.Module):
    """Tokens in, and for each place the logits of the token after it out."""

    def __init__(
        self, vocab_size, context_length, d_model=128, n_heads=4, n_layers=4
    ):
        super().__init__()
        self.context_length = context_length
        self.tokens = nn.Embedding(vocab_size, d_model)
        self.places = nn.Embedding(context_length, d_model)
        blocks = [Block(d_model, n_heads) for _ in range(n_layers)]
        self.blocks = nn.ModuleList(blocks)
        self.final_norm = nn.LayerNorm(d_model)
        for name, parameter in self.named_parameters():
            if parameter.dim() == 2:
                joins = name.endswith(("output.weight", "down.weight"))
                std = 0.02 / (2 * n_layers) ** 0.5 if joins else 0.02
                nn.init.normal_(parameter, std=std)

    def forward(self, tokens: Tensor) -> Tensor:
        """The logits after each token."""
        place = torch.arange(tokens.shape[1], device=tokens.device)
        x = self.tokens(tokens) + self.places(place)  # (batch, time, d_model)
        for block in self.blocks:
            x = block(x)
        return self.final_norm(x) @ self.tokens.weight.T  # (batch, time, vocab)


def loss_of(model, inputs, targets):
    """The mean of -log p(next token), in nats."""
    logits = model(inputs)  # (batch, time, vocab)
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten())


def make_optimizer(model, learning_rate=3e-4, weight_decay=0.1):
    """AdamW; only the matrices of linear maps decay."""
    linear = [m.weight for m in model.modules() if isinstance(m, nn.Linear)]
    others = [p for p in model.parameters() if all(p is not w for w in linear)]
    groups = [
        {"params": linear, "weight_decay": weight_decay},
        {"params": others, "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=learning_rate, betas=(0.9, 0.95))


def train_step(model, optimizer, inputs, targets, clip_norm=1.0):
    """One update down the gradient, whose norm is clipped."""
    optimizer.zero_grad()
    loss = loss_of(model, inputs, targets)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), clip_norm)
    optimizer.step()
    return loss.item()


@torch.no_grad()
def generate(
    model, tokens, n_tokens, temperature=1.0, top_k=None, generator=None
):
    """Add tokens to each row, each drawn from what the model predicts."""
    for _ in range(n_tokens):
        seen = tokens[:, -model.context_length :]
        logits = model(seen)[:, -1] / temperature  # (batch, vocab)
        if top_k is not None:
            least = logits.topk(top_k).values[:, -1:]  # (batch, 1)
            logits = logits.masked_fill(logits < least, -torch.inf)
        p = logits.softmax(dim=-1)  # (batch, vocab)
        drawn = torch.multinomial(p, 1, generator=generator)  # (batch, 1)
        tokens = torch.cat([tokens, drawn], dim=1)  # (batch, time + 1)
    return tokens

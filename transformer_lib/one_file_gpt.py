"""A whole GPT in one file: batches, model, loss, training step and sampling.

With the same weights, a ``DecoderLM`` of the same shape computes the same. To
train it on the characters of ``text``, about a minute on one core::

    characters = sorted(set(text))
    tokens = torch.tensor([characters.index(c) for c in text])
    model = GPT(len(characters), 64, d_model=128, n_heads=4, n_layers=2)
    optimizer = make_optimizer(model, learning_rate=0.003)
    for step in range(2000):
        loss = train_step(model, optimizer, *get_batch(tokens, 16, 64))
    sample = model.generate(tokens[None, :1], n=300, temperature=0.8)
    print("".join(characters[token] for token in sample[0]))
"""

import torch
from torch import nn
from torch.nn import functional as F


def get_batch(tokens, batch_size, context_length, generator=None):
    """Random windows of a text; the targets are the inputs one token later."""
    n_starts = len(tokens) - context_length
    starts = torch.randint(n_starts, (batch_size, 1), generator=generator)
    windows = tokens[starts + torch.arange(context_length + 1)]
    return windows[:, :-1], windows[:, 1:]  # (batch, time) each


class CausalSelfAttention(nn.Module):
    """Each position gathers from itself and those before it, in every head."""

    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_model // n_heads
        self.qkv = nn.Linear(d_model, 3 * d_model, bias=False)
        self.output = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x):
        """(batch, time, d_model) to the same shape."""
        q, k, v = self.qkv(x).chunk(3, dim=-1)  # (batch, time, d_model) each
        split = (*x.shape[:2], self.n_heads, self.d_head)
        q = q.view(split).transpose(1, 2)  # (batch, heads, time, d_head)
        k = k.view(split).transpose(1, 2)  # (batch, heads, time, d_head)
        v = v.view(split).transpose(1, 2)  # (batch, heads, time, d_head)
        scores = q @ k.mT / self.d_head**0.5  # (batch, heads, time, time)
        may_attend = torch.ones_like(scores[0, 0]).tril().bool()  # (time, time)
        weights = scores.masked_fill(~may_attend, -torch.inf).softmax(dim=-1)
        gathered = weights @ v  # (batch, heads, time, d_head)
        joined = gathered.transpose(1, 2).flatten(2)  # (batch, time, d_model)
        return self.output(joined)


class FeedForward(nn.Module):
    """The same two-layer network at every position."""

    def __init__(self, d_model, d_ff):
        super().__init__()
        self.up = nn.Linear(d_model, d_ff, bias=False)
        self.down = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        """(batch, time, d_model) to the same shape."""
        inner = F.gelu(self.up(x))  # (batch, time, d_ff)
        return self.down(inner)  # (batch, time, d_model)


class Block(nn.Module):
    """Attention, then the network; each adds to what it reads, normalized."""

    def __init__(self, d_model, n_heads):
        super().__init__()
        self.norm_1, self.norm_2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attention = CausalSelfAttention(d_model, n_heads)
        self.feed_forward = FeedForward(d_model, d_ff=4 * d_model)

    def forward(self, x):
        """(batch, time, d_model) to the same shape."""
        x = x + self.attention(self.norm_1(x))
        return x + self.feed_forward(self.norm_2(x))


class GPT(nn.Module):
    """At each position, the logits of the token after it."""

    def __init__(self, vocab_size, context_length, d_model, n_heads, n_layers):
        super().__init__()
        self.context_length, self.n_layers = context_length, n_layers
        self.token_embedding = nn.Embedding(vocab_size, d_model)
        self.position_embedding = nn.Embedding(context_length, d_model)
        blocks = [Block(d_model, n_heads) for _ in range(n_layers)]
        self.blocks = nn.ModuleList(blocks)
        self.final_norm = nn.LayerNorm(d_model)
        self.init_weights()

    def init_weights(self, generator=None, std=0.02):
        """GPT-2's: smaller where 2 n_layers branches add up."""
        for name, weight in self.named_parameters():
            if weight.ndim == 2:
                adds = name.endswith(("output.weight", "down.weight"))
                scale = std / (2 * self.n_layers) ** 0.5 if adds else std
                nn.init.normal_(weight, std=scale, generator=generator)

    def forward(self, tokens):
        """(batch, time) to (batch, time, vocab_size)."""
        positions = self.position_embedding.weight[: tokens.shape[1]]
        x = self.token_embedding(tokens) + positions  # (batch, time, d_model)
        for block in self.blocks:
            x = block(x)
        head = self.token_embedding.weight.T  # (d_model, vocab_size)
        return self.final_norm(x) @ head  # (batch, time, vocab_size)

    @torch.no_grad()
    def generate(self, tokens, n, temperature=1.0, top_k=None, generator=None):
        """(batch, time) to (batch, time + n)."""
        for _ in range(n):
            latest = tokens[:, -self.context_length :]
            logits = self(latest)[:, -1] / temperature  # (batch, vocab_size)
            if top_k is not None:
                k = min(top_k, logits.shape[-1])
                least = logits.topk(k).values[:, -1:]  # (batch, 1)
                logits = logits.masked_fill(logits < least, -torch.inf)
            p = logits.softmax(dim=-1)
            token = torch.multinomial(p, 1, generator=generator)  # (batch, 1)
            tokens = torch.cat([tokens, token], dim=1)  # (batch, time + 1)
        return tokens


def next_token_loss(logits, targets):
    """The mean cross-entropy in nats per token."""
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten())


def make_optimizer(model, learning_rate):
    """AdamW; only the matrices of the blocks decay."""
    matrices = [p for p in model.blocks.parameters() if p.ndim == 2]
    gains_and_biases = [p for p in model.parameters() if p.ndim == 1]
    tables = [model.token_embedding.weight, model.position_embedding.weight]
    decay = {"params": matrices, "weight_decay": 0.1}
    rest = {"params": gains_and_biases + tables, "weight_decay": 0.0}
    return torch.optim.AdamW([decay, rest], lr=learning_rate, betas=(0.9, 0.95))


def train_step(model, optimizer, inputs, targets):
    """One update of the weights; the loss before it."""
    loss = next_token_loss(model(inputs), targets)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm=1.0)
    optimizer.step()
    return loss.item()

"""A whole translator in one file: encoder and decoder of Vaswani et al. (2017).

Nothing is needed but PyTorch. A pair is two lists of tokens of one vocabulary::

    model = Translator(vocab_size, d_model=128, n_heads=4, n_layers=2)
    optimizer = torch.optim.Adam(model.parameters(), betas=(0.9, 0.98))
    for step in range(1000):
        batch = make_batch(random.sample(pairs, 64), start=0, end=1)
        loss = train_step(model, optimizer, batch, step)
    print(translate(model, *batch[:2], start=0, end=1, longest=20))

The tests prove it equal to the library's ``EncoderDecoder`` (chapter 13).
"""

import torch
import torch.nn.functional as F
from torch import Tensor, nn

PADDING = -100


def make_batch(pairs, start, end):
    """Sources, their lengths, what the decoder reads, and what it predicts."""

    def padded(rows, filler):
        longest = max(map(len, rows))
        rows = [row + [filler] * (longest - len(row)) for row in rows]
        return torch.tensor(rows)

    lengths = torch.tensor([len(source) for source, _ in pairs])  # (batch,)
    source = padded([source for source, _ in pairs], end)  # (batch, source)
    inputs = padded([[start, *target] for _, target in pairs], end)
    targets = padded([[*target, end] for _, target in pairs], PADDING)
    return source, lengths, inputs, targets  # the last two: (batch, time)


def waves(n_places, d_model):
    """Sines and cosines of the place, each pair slower than the one before."""
    place = torch.arange(n_places, dtype=torch.float64)[:, None]
    exponent = torch.arange(0, d_model, 2, dtype=torch.float64) / d_model
    turns = place / 10000**exponent  # (places, d_model / 2)
    pairs = torch.stack([turns.sin(), turns.cos()], dim=-1)
    return pairs.flatten(1)  # (places, d_model)


class LayerNorm(nn.Module):
    """Each place's features, with mean 0 and deviation 1, then scaled."""

    def __init__(self, d_model):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, z: Tensor) -> Tensor:
        """The normalized features."""
        deviation, mean = torch.std_mean(z, -1, correction=0, keepdim=True)
        return self.gain * (z - mean) / (deviation + 1e-3) + self.bias


class Attention(nn.Module):
    """Each place of a sequence gathers from those of another, or its own."""

    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.query = nn.Linear(d_model, d_model, bias=False)
        self.key = nn.Linear(d_model, d_model, bias=False)
        self.value = nn.Linear(d_model, d_model, bias=False)
        self.output = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x: Tensor, memory: Tensor, allowed: Tensor) -> Tensor:
        """What is gathered from where ``allowed`` is true."""
        q, k, v = (  # (batch, heads, time, d_head)
            y.unflatten(-1, (self.n_heads, -1)).transpose(1, 2)
            for y in (self.query(x), self.key(memory), self.value(memory))
        )
        scores = q @ k.mT / q.shape[-1] ** 0.5  # (batch, heads, time, keys)
        weights = scores.masked_fill(~allowed, -torch.inf).softmax(dim=-1)
        mixed = (weights @ v).transpose(1, 2)  # (batch, time, heads, d_head)
        return self.output(mixed.flatten(2))  # (batch, time, d_model)


class FeedForward(nn.Module):
    """A network of two layers, the same at every place."""

    def __init__(self, d_model):
        super().__init__()
        self.up = nn.Linear(d_model, 4 * d_model)
        self.down = nn.Linear(4 * d_model, d_model)

    def forward(self, x: Tensor) -> Tensor:
        """The network's output at each place."""
        return self.down(F.relu(self.up(x)))  # 4 * d_model inside


class EncoderBlock(nn.Module):
    """Every place of the source sees every other."""

    def __init__(self, d_model, n_heads, dropout):
        super().__init__()
        self.attention = Attention(d_model, n_heads)
        self.attention_norm = LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model)
        self.feed_forward_norm = LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x: Tensor, real: Tensor) -> Tensor:
        """The residual stream after both branches, normalized after each."""
        x = self.attention_norm(x + self.drop(self.attention(x, x, real)))
        return self.feed_forward_norm(x + self.drop(self.feed_forward(x)))


class DecoderBlock(nn.Module):
    """A place sees the target before it, and all of the source."""

    def __init__(self, d_model, n_heads, dropout):
        super().__init__()
        self.attention = Attention(d_model, n_heads)
        self.attention_norm = LayerNorm(d_model)
        self.cross_attention = Attention(d_model, n_heads)
        self.cross_attention_norm = LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model)
        self.feed_forward_norm = LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, memory, past, real):
        """The residual stream after the three branches."""
        x = self.attention_norm(x + self.drop(self.attention(x, x, past)))
        found = self.cross_attention(x, memory, real)
        x = self.cross_attention_norm(x + self.drop(found))
        return self.feed_forward_norm(x + self.drop(self.feed_forward(x)))


class Translator(nn.Module):
    """Source tokens and target tokens in, the logits of each next token out."""

    def __init__(
        self, vocab_size, d_model=512, n_heads=8, n_layers=6, dropout=0.0
    ):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model)
        sizes = (d_model, n_heads, dropout)
        encoder = [EncoderBlock(*sizes) for _ in range(n_layers)]
        decoder = [DecoderBlock(*sizes) for _ in range(n_layers)]
        self.encoder = nn.ModuleList(encoder)
        self.decoder = nn.ModuleList(decoder)
        self.drop = nn.Dropout(dropout)
        for parameter in self.parameters():
            if parameter.dim() == 2:
                nn.init.normal_(parameter, std=parameter.shape[1] ** -0.5)

    def embed(self, tokens: Tensor) -> Tensor:
        """The tokens' vectors, and the waves of their places."""
        x = self.embedding(tokens)  # (batch, time, d_model)
        return self.drop(x + waves(*x.shape[1:]).to(x))

    def encode(self, source: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
        """A vector for each source token, and which of them are no padding."""
        real = torch.arange(source.shape[1]) < lengths[:, None]
        real = real[:, None, None]  # (batch, 1, 1, source)
        x = self.embed(source)
        for block in self.encoder:
            x = block(x, real)
        return x, real  # (batch, source, d_model)

    def decode(self, inputs: Tensor, memory: Tensor, real: Tensor) -> Tensor:
        """The logits of the token after each of the inputs."""
        time = inputs.shape[1]
        past = torch.ones(time, time, dtype=torch.bool).tril()
        x = self.embed(inputs)
        for block in self.decoder:
            x = block(x, memory, past, real)
        return x @ self.embedding.weight.T  # (batch, time, vocab)

    def forward(self, source, lengths, inputs):
        """The logits of the token after each of the inputs."""
        return self.decode(inputs, *self.encode(source, lengths))


def loss_of(model, source, lengths, inputs, targets, smoothing=0.1):
    """The mean cross-entropy of the targets, a part of each spread over all."""
    logits = model(source, lengths, inputs).flatten(0, 1)
    options = {"ignore_index": PADDING, "label_smoothing": smoothing}
    return F.cross_entropy(logits, targets.flatten(), **options)


def learning_rate(step, peak=1e-3, warmup=200):
    """Up in a straight line, then down with the root of the step."""
    return peak * min((step + 1) / warmup, (warmup / (step + 1)) ** 0.5)


def train_step(model, optimizer, batch, step, **schedule):
    """One update down the gradient of the batch's loss."""
    for group in optimizer.param_groups:
        group["lr"] = learning_rate(step, **schedule)
    optimizer.zero_grad()
    loss = loss_of(model, *batch)
    loss.backward()
    optimizer.step()
    return loss.item()


@torch.no_grad()
def translate(model, source, lengths, start, end, longest):
    """The most probable next token again and again, until all have ended."""
    memory, real = model.encode(source, lengths)
    tokens = source.new_full((len(source), 1), start)
    ended = torch.zeros(len(source), dtype=torch.bool)
    for _ in range(longest):
        best = model.decode(tokens, memory, real)[:, -1].argmax(-1)
        best = best.masked_fill(ended, end)  # (batch,)
        ended = ended | (best == end)
        tokens = torch.cat([tokens, best[:, None]], dim=1)  # (batch, time + 1)
    return tokens[:, 1:]

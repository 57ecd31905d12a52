"""A whole translator in one file: the Transformer of Vaswani et al. (2017).

With the same weights, an ``EncoderDecoder`` of this shape computes the same. A
text is a list of tokens from 1 on, and 0 ends it. Number words, in a minute::

    from random import sample
    from transformer_lib.data import encode_pairs, load_number_words
    corpus = load_number_words("de", "en")
    german, english = corpus.source_tokenizer, corpus.target_tokenizer
    pairs = encode_pairs(corpus.train, german, english)
    sizes = (german.vocab_size, english.vocab_size)
    model = Translator(sizes, d_model=64, n_heads=4, n_layers=2, dropout=0.0)
    optimizer = make_optimizer(model)
    for step in range(1000):
        rate = learning_rate(step, peak=0.003, warmup_steps=200)
        loss = train_step(model, optimizer, rate, *get_batch(sample(pairs, 32)))
    source, lengths = pad([german.encode("zweihunderttausendsieben")], END)
    print(english.decode(model.translate(source, lengths, n=20)[0].tolist()))
"""

import torch
from torch import nn
from torch.nn import functional as F

END, IGNORED = 0, -100  # cross_entropy leaves out targets of -100


def pad(texts, filler):
    """Texts one below the other, each as long as the longest; their lengths."""
    rows = [torch.tensor(text) for text in texts]
    lengths = torch.tensor([len(text) for text in texts])  # (batch,)
    return nn.utils.rnn.pad_sequence(rows, True, filler), lengths


def get_batch(pairs):
    """The decoder reads END and the words; it is to write the words and END."""
    sources, targets = zip(*pairs)
    source, lengths = pad(sources, END)  # (batch, source_time), (batch,)
    inputs, _ = pad([[END, *words] for words in targets], END)  # (batch, time)
    targets, _ = pad([[*words, END] for words in targets], IGNORED)
    return source, lengths, inputs, targets


def sinusoids(x):
    """Sines and cosines of each position, for x of (batch, time, d_model)."""
    time, d_model = x.shape[1:]
    position = torch.arange(time, dtype=x.dtype, device=x.device)[:, None]
    even = torch.arange(0, d_model, 2, dtype=x.dtype, device=x.device)
    angles = position / 10_000 ** (even / d_model)  # (time, d_model / 2)
    waves = torch.stack([angles.sin(), angles.cos()], dim=-1)
    return waves.flatten(1)  # (time, d_model)


class MultiHeadAttention(nn.Module):
    """Each position of x gathers from the context, in every head."""

    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_model // n_heads
        self.query = nn.Linear(d_model, d_model, bias=False)
        self.key = nn.Linear(d_model, d_model, bias=False)
        self.value = nn.Linear(d_model, d_model, bias=False)
        self.output = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, context, may_attend):
        """Two of (batch, their time, d_model) to the shape of the first."""
        q, k, v = self.query(x), self.key(context), self.value(context)
        split = (len(x), -1, self.n_heads, self.d_head)
        q = q.view(split).transpose(1, 2)  # (batch, heads, time, d_head)
        k = k.view(split).transpose(1, 2)  # (batch, heads, keys, d_head)
        v = v.view(split).transpose(1, 2)  # (batch, heads, keys, d_head)
        scores = q @ k.mT / self.d_head**0.5  # (batch, heads, time, keys)
        weights = scores.masked_fill(~may_attend, -torch.inf).softmax(dim=-1)
        gathered = weights @ v  # (batch, heads, time, d_head)
        joined = gathered.transpose(1, 2).flatten(2)  # (batch, time, d_model)
        return self.output(joined)


class FeedForward(nn.Module):
    """The same two-layer network at every position."""

    def __init__(self, d_model, d_ff):
        super().__init__()
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)

    def forward(self, x):
        """(batch, time, d_model) to the same shape."""
        inner = self.up(x).relu()  # (batch, time, d_ff)
        return self.down(inner)  # (batch, time, d_model)


class EncoderBlock(nn.Module):
    """Attention, then the network; each sum is normalized (post-norm)."""

    def __init__(self, d_model, n_heads, dropout):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.feed_forward = FeedForward(d_model, d_ff=4 * d_model)
        self.norm_1, self.norm_2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, may_attend):
        """(batch, source_time, d_model) to the same shape."""
        x = self.norm_1(x + self.dropout(self.attention(x, x, may_attend)))
        return self.norm_2(x + self.dropout(self.feed_forward(x)))


class DecoderBlock(nn.Module):
    """The same, with attention to the memory between the two."""

    def __init__(self, d_model, n_heads, dropout):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.cross_attention = MultiHeadAttention(d_model, n_heads)
        self.feed_forward = FeedForward(d_model, d_ff=4 * d_model)
        self.norm_1, self.norm_2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.norm_3 = nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, may_attend, memory, may_recall):
        """(batch, time, d_model) to the same shape."""
        x = self.norm_1(x + self.dropout(self.attention(x, x, may_attend)))
        recalled = self.cross_attention(x, memory, may_recall)
        x = self.norm_2(x + self.dropout(recalled))
        return self.norm_3(x + self.dropout(self.feed_forward(x)))


class Translator(nn.Module):
    """Encoder and decoder: p(next target token | source, target so far)."""

    def __init__(self, vocab_sizes, d_model, n_heads, n_layers, dropout=0.1):
        super().__init__()
        source_vocab_size, vocab_size = vocab_sizes
        shape, layers = (d_model, n_heads, dropout), range(n_layers)
        self.source_embedding = nn.Embedding(source_vocab_size, d_model)
        self.encoder = nn.ModuleList(EncoderBlock(*shape) for _ in layers)
        self.target_embedding = nn.Embedding(vocab_size, d_model)
        self.decoder = nn.ModuleList(DecoderBlock(*shape) for _ in layers)
        self.dropout = nn.Dropout(dropout)
        self.init_weights()

    def init_weights(self, generator=None):
        """Matrices of standard deviation 1 / sqrt(columns), biases of 0."""
        for name, weight in self.named_parameters():
            if weight.ndim == 2:
                std = weight.shape[1] ** -0.5
                nn.init.normal_(weight, std=std, generator=generator)
            elif name.endswith("bias"):
                nn.init.zeros_(weight)

    def embed(self, tokens, embedding):
        """What a word means plus where it stands."""
        x = embedding(tokens)  # (batch, time, d_model)
        x = x * x.shape[-1] ** 0.5  # features start with variance 1 / d_model
        return self.dropout(x + sinusoids(x))

    def encode(self, source, lengths):
        """The memory, (batch, source_time, d_model); a mask, True at words."""
        places = torch.arange(source.shape[1], device=source.device)
        has_word = places < lengths.view(-1, 1, 1, 1)  # (batch, 1, 1, keys)
        x = self.embed(source, self.source_embedding)
        for block in self.encoder:
            x = block(x, has_word)
        return x, has_word

    def decode(self, inputs, memory, has_word):
        """(batch, time) to (batch, time, vocab_size)."""
        square = inputs.new_ones(inputs.shape[1], inputs.shape[1])
        not_later = square.tril().bool()  # (time, time)
        x = self.embed(inputs, self.target_embedding)
        for block in self.decoder:
            x = block(x, not_later, memory, has_word)
        head = self.target_embedding.weight.T  # (d_model, vocab_size)
        return x @ head  # (batch, time, vocab_size)

    def forward(self, source, lengths, inputs):
        """The logits of the word after each of the inputs."""
        return self.decode(inputs, *self.encode(source, lengths))

    @torch.no_grad()
    def translate(self, source, lengths, n):
        """The most probable word n times; END from where a row has ended."""
        self.eval()
        memory, has_word = self.encode(source, lengths)
        tokens = torch.full_like(source[:, :1], END)  # (batch, 1)
        has_ended = torch.zeros_like(lengths, dtype=torch.bool)  # (batch,)
        for _ in range(n):
            logits = self.decode(tokens, memory, has_word)[:, -1]
            word = logits.argmax(dim=-1).masked_fill(has_ended, END)  # (batch,)
            tokens = torch.cat([tokens, word[:, None]], dim=1)
            has_ended |= word == END
        return tokens[:, 1:]  # (batch, n)


def smoothed_loss(logits, targets, smoothing=0.1):
    """Cross-entropy to targets of which a part is spread over all words."""
    scores = logits.mT  # cross_entropy wants (batch, vocab_size, time)
    return F.cross_entropy(scores, targets, label_smoothing=smoothing)


def learning_rate(step, peak, warmup_steps):
    """Up to the peak in a line, then down as 1 / sqrt(step)."""
    share = (step + 1) / warmup_steps
    return peak * min(share, share**-0.5)


def make_optimizer(model):
    """Adam, whose learning rate each training step sets."""
    return torch.optim.Adam(model.parameters(), betas=(0.9, 0.98), eps=1e-9)


def train_step(model, optimizer, rate, source, lengths, inputs, targets):
    """One update of the weights; the loss before it."""
    model.train()
    loss = smoothed_loss(model(source, lengths, inputs), targets)
    optimizer.zero_grad()
    loss.backward()
    optimizer.param_groups[0]["lr"] = rate
    optimizer.step()
    return loss.item()

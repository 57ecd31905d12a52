"""Right answers to question 07.4."""


# %% flatten: Unflatten and flatten.
class MultiHead(nn.Module):
    def __init__(self, d_model, n_heads, d_head):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head
        self.query = nn.Linear(d_model, n_heads * d_head, bias=False)
        self.key = nn.Linear(d_model, n_heads * d_head, bias=False)
        self.value = nn.Linear(d_model, n_heads * d_head, bias=False)
        self.output = nn.Linear(n_heads * d_head, d_model, bias=False)

    def forward(self, x):
        q, k, v = (
            layer(x).unflatten(-1, (self.n_heads, self.d_head)).transpose(1, 2)
            for layer in (self.query, self.key, self.value)
        )
        weights = (q @ k.mT * self.d_head**-0.5).softmax(-1)
        return self.output((weights @ v).transpose(1, 2).flatten(2)), weights


# %% loop: One head after the other.
class MultiHead(nn.Module):
    def __init__(self, d_model, n_heads, d_head):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head
        self.query = nn.Linear(d_model, n_heads * d_head, bias=False)
        self.key = nn.Linear(d_model, n_heads * d_head, bias=False)
        self.value = nn.Linear(d_model, n_heads * d_head, bias=False)
        self.output = nn.Linear(n_heads * d_head, d_model, bias=False)

    def forward(self, x):
        pieces = zip(*(layer(x).split(self.d_head, 2) for layer in (self.query, self.key, self.value)))
        found, kept = [], []
        for q, k, v in pieces:
            alpha = torch.softmax(q @ k.transpose(1, 2) / math.sqrt(self.d_head), 2)
            kept.append(alpha)
            found.append(alpha @ v)
        return self.output(torch.cat(found, 2)), torch.stack(kept, 1)

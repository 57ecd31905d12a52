"""Right answers to question 06.6."""


# %% buffer: A mask that is added, kept in a buffer that grows; the head's work in methods of its own.
class CausalHead(nn.Module):
    def __init__(self, d_model, d_head):
        super().__init__()
        self.query = nn.Linear(d_model, d_head, bias=False)
        self.key = nn.Linear(d_model, d_head, bias=False)
        self.value = nn.Linear(d_model, d_head, bias=False)
        self.output = nn.Linear(d_head, d_model, bias=False)
        self.register_buffer("future", torch.zeros(0, 0))

    def weights(self, x):
        if len(self.future) < x.shape[1]:
            self.future = torch.full((x.shape[1], x.shape[1]), -torch.inf).triu(1)
        scores = torch.einsum("bid,bjd->bij", self.query(x), self.key(x) / self.key.out_features**0.5)
        return nn.functional.softmax(scores + self.future[: x.shape[1], : x.shape[1]], dim=2)

    def forward(self, x):
        weights = self.weights(x)
        return torch.einsum("bij,bjd->bid", weights, self.output(self.value(x))), weights


# %% masked_fill: The mask before the softmax, without the diagonal, and the width of the head.
class CausalHead(nn.Module):
    def __init__(self, d_model, d_head):
        super().__init__()
        self.query = nn.Linear(d_model, d_head, bias=False)
        self.key = nn.Linear(d_model, d_head, bias=False)
        self.value = nn.Linear(d_model, d_head, bias=False)
        self.output = nn.Linear(d_head, d_model, bias=False)

    def forward(self, x):
        q, k, v = self.query(x), self.key(x), self.value(x)
        scores = q @ k.transpose(1, 2) / math.sqrt(q.shape[-1])
        future = torch.ones(scores.shape[1:], dtype=torch.bool).triu(1)
        weights = scores.masked_fill(future, -math.inf).softmax(dim=-1)
        return self.output(weights @ v), weights


# %% renormalize: Weights of the past alone, divided by their sum.
class CausalHead(nn.Module):
    def __init__(self, d_model, d_head):
        super().__init__()
        self.query = nn.Linear(d_model, d_head, bias=False)
        self.key = nn.Linear(d_model, d_head, bias=False)
        self.value = nn.Linear(d_model, d_head, bias=False)
        self.output = nn.Linear(d_head, d_model, bias=False)

    def forward(self, x):
        q, k, v = self.query(x), self.key(x), self.value(x)
        scores = torch.einsum("bid,bjd->bij", q, k) * self.query.out_features**-0.5
        places = torch.arange(x.shape[1])
        scores = torch.where(places <= places[:, None], scores, -math.inf)
        kept = (scores - scores.amax(-1, keepdim=True)).exp()
        weights = kept / kept.sum(-1, keepdim=True)
        return self.output(weights @ v), weights


# %% rows: Row by row, over what each object may see.
class CausalHead(nn.Module):
    def __init__(self, d_model, d_head):
        super().__init__()
        self.query = nn.Linear(d_model, d_head, bias=False)
        self.key = nn.Linear(d_model, d_head, bias=False)
        self.value = nn.Linear(d_model, d_head, bias=False)
        self.output = nn.Linear(d_head, d_model, bias=False)

    def forward(self, x):
        q, k, v = self.query(x), self.key(x), self.value(x)
        time = x.shape[1]
        rows = []
        for i in range(time):
            past = torch.softmax((k[:, : i + 1] * q[:, i : i + 1]).sum(-1) / math.sqrt(k.shape[-1]), dim=1)
            rows.append(nn.functional.pad(past, (0, time - i - 1)))
        weights = torch.stack(rows, dim=1)
        return self.output(weights @ v), weights

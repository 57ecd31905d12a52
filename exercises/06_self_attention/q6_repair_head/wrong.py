"""Named mistakes in question 06.6."""


# %% diagonal: objects that may not attend to themselves
# loses: reach, output, gradients
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
        future = torch.ones(scores.shape[1:], dtype=torch.bool).triu()
        weights = scores.masked_fill(future, -1e30).softmax(dim=-1).masked_fill(future, 0.0)
        return self.output(weights @ v), weights


# %% keys_ask: keys that ask and queries that are asked
# loses: scale, output, gradients
class CausalHead(nn.Module):
    def __init__(self, d_model, d_head):
        super().__init__()
        self.query = nn.Linear(d_model, d_head, bias=False)
        self.key = nn.Linear(d_model, d_head, bias=False)
        self.value = nn.Linear(d_model, d_head, bias=False)
        self.output = nn.Linear(d_head, d_model, bias=False)

    def forward(self, x):
        q, k, v = self.query(x), self.key(x), self.value(x)
        scores = k @ q.transpose(1, 2) / math.sqrt(q.shape[-1])
        future = torch.ones(scores.shape[1:], dtype=torch.bool).triu(diagonal=1)
        weights = scores.masked_fill(future, -math.inf).softmax(dim=-1)
        return self.output(weights @ v), weights


# %% mask_after: weights of the future set to zero after the softmax
# loses: rows, output, gradients
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
        future = torch.ones(scores.shape[1:], dtype=torch.bool).triu(diagonal=1)
        weights = scores.softmax(dim=-1).masked_fill(future, 0.0)
        return self.output(weights @ v), weights


# %% mask_in_training: a mask that is there in training only
# loses: reach, output
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
        if self.training:
            future = torch.ones(scores.shape[1:], dtype=torch.bool).triu(1)
            scores = scores.masked_fill(future, -math.inf)
        weights = scores.softmax(dim=-1)
        return self.output(weights @ v), weights


# %% no_mask: a head without a mask: the future is visible
# loses: reach, output, gradients
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
        weights = scores.softmax(dim=-1)
        return self.output(weights @ v), weights


# %% no_scale: a head without the scale
# loses: scale, output, gradients
class CausalHead(nn.Module):
    def __init__(self, d_model, d_head):
        super().__init__()
        self.query = nn.Linear(d_model, d_head, bias=False)
        self.key = nn.Linear(d_model, d_head, bias=False)
        self.value = nn.Linear(d_model, d_head, bias=False)
        self.output = nn.Linear(d_head, d_model, bias=False)

    def forward(self, x):
        q, k, v = self.query(x), self.key(x), self.value(x)
        scores = q @ k.transpose(1, 2)
        future = torch.ones(scores.shape[1:], dtype=torch.bool).triu(diagonal=1)
        weights = scores.masked_fill(future, -math.inf).softmax(dim=-1)
        return self.output(weights @ v), weights


# %% only_diagonal: the diagonal mended, the mask still after the softmax and the scale of d_model left
# loses: rows, scale, output, gradients
class CausalHead(nn.Module):
    def __init__(self, d_model, d_head):
        super().__init__()
        self.query = nn.Linear(d_model, d_head, bias=False)
        self.key = nn.Linear(d_model, d_head, bias=False)
        self.value = nn.Linear(d_model, d_head, bias=False)
        self.output = nn.Linear(d_head, d_model, bias=False)

    def forward(self, x):
        q, k, v = self.query(x), self.key(x), self.value(x)
        scores = q @ k.transpose(1, 2) / math.sqrt(x.shape[-1])
        future = torch.ones(scores.shape[1:], dtype=torch.bool).triu(diagonal=1)
        weights = scores.softmax(dim=-1).masked_fill(future, 0.0)
        return self.output(weights @ v), weights


# %% only_order: the mask before the softmax, with the diagonal still masked and the scale of d_model left
# loses: reach, scale, output, gradients
class CausalHead(nn.Module):
    def __init__(self, d_model, d_head):
        super().__init__()
        self.query = nn.Linear(d_model, d_head, bias=False)
        self.key = nn.Linear(d_model, d_head, bias=False)
        self.value = nn.Linear(d_model, d_head, bias=False)
        self.output = nn.Linear(d_head, d_model, bias=False)

    def forward(self, x):
        q, k, v = self.query(x), self.key(x), self.value(x)
        scores = q @ k.transpose(1, 2) / math.sqrt(x.shape[-1])
        future = torch.ones(scores.shape[1:], dtype=torch.bool).triu()
        weights = scores.masked_fill(future, -math.inf).softmax(dim=-1)
        return self.output(weights @ v), weights


# %% only_scale: the scale mended, the two mistakes in the mask left
# loses: rows, reach, output, gradients
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
        future = torch.ones(scores.shape[1:], dtype=torch.bool).triu()
        weights = scores.softmax(dim=-1).masked_fill(future, 0.0)
        return self.output(weights @ v), weights


# %% scale: the scale of d_model where d_head is meant
# loses: scale, output, gradients
class CausalHead(nn.Module):
    def __init__(self, d_model, d_head):
        super().__init__()
        self.query = nn.Linear(d_model, d_head, bias=False)
        self.key = nn.Linear(d_model, d_head, bias=False)
        self.value = nn.Linear(d_model, d_head, bias=False)
        self.output = nn.Linear(d_head, d_model, bias=False)

    def forward(self, x):
        q, k, v = self.query(x), self.key(x), self.value(x)
        scores = q @ k.transpose(1, 2) / math.sqrt(x.shape[-1])
        future = torch.ones(scores.shape[1:], dtype=torch.bool).triu(diagonal=1)
        weights = scores.masked_fill(future, -math.inf).softmax(dim=-1)
        return self.output(weights @ v), weights


# %% weights_detached: weights that are handed out without their gradient
# loses: gradients
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
        future = torch.ones(scores.shape[1:], dtype=torch.bool).triu(diagonal=1)
        weights = scores.masked_fill(future, -math.inf).softmax(dim=-1)
        return self.output(weights @ v), weights.detach()


# %% divided_by_sums: rows of which the future is taken away after the softmax, divided by their sums, which may be 0
# loses: output, gradients
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
        weights = scores.softmax(dim=-1).masked_fill(future, 0.0)
        weights = weights / weights.sum(dim=-1, keepdim=True)
        return self.output(weights @ v), weights


# %% thousand_less: scores of the future less a thousand, where they may be more than that above the past
# loses: output, gradients
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
        future = torch.ones(scores.shape[1:]).triu(1)
        weights = (scores - 1000 * future).softmax(dim=-1)
        return self.output(weights @ v), weights


# %% cut_scores: scores cut off at 50, so that all above are equal
# loses: output, gradients
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
        powers = scores.clamp(-50, 50).exp().tril()
        weights = powers / powers.sum(dim=-1, keepdim=True)
        return self.output(weights @ v), weights


# %% table: a mask made at the first call, for 200 objects at least, that leaves what comes behind them open
# loses: reach
class CausalHead(nn.Module):
    def __init__(self, d_model, d_head):
        super().__init__()
        self.query = nn.Linear(d_model, d_head, bias=False)
        self.key = nn.Linear(d_model, d_head, bias=False)
        self.value = nn.Linear(d_model, d_head, bias=False)
        self.output = nn.Linear(d_head, d_model, bias=False)
        self.future = None

    def forward(self, x):
        q, k, v = self.query(x), self.key(x), self.value(x)
        scores = q @ k.transpose(1, 2) / math.sqrt(q.shape[-1])
        time = x.shape[1]
        if self.future is None:
            self.future = torch.ones(max(time, 200), max(time, 200), dtype=torch.bool).triu(1)
        future = torch.zeros(time, time, dtype=torch.bool)
        known = self.future[:time, :time]
        future[: len(known), : len(known)] = known
        weights = scores.masked_fill(future, -math.inf).softmax(dim=-1)
        return self.output(weights @ v), weights


# %% first_weights: weights of the first call, given again to other objects
# loses: output
class CausalHead(nn.Module):
    def __init__(self, d_model, d_head):
        super().__init__()
        self.query = nn.Linear(d_model, d_head, bias=False)
        self.key = nn.Linear(d_model, d_head, bias=False)
        self.value = nn.Linear(d_model, d_head, bias=False)
        self.output = nn.Linear(d_head, d_model, bias=False)
        self.weights = {}

    def forward(self, x):
        q, k, v = self.query(x), self.key(x), self.value(x)
        scores = q @ k.transpose(1, 2) / math.sqrt(q.shape[-1])
        if x.shape not in self.weights:
            future = torch.ones(scores.shape[1:], dtype=torch.bool).triu(1)
            self.weights[x.shape] = scores.masked_fill(future, -math.inf).softmax(dim=-1)
        weights = self.weights[x.shape]
        return self.output(weights @ v), weights

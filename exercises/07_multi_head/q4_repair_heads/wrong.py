"""Named mistakes in question 07.4."""


# %% axis: a softmax over the heads, the rest mended
# loses: rows, output, gradients
class MultiHead(nn.Module):
    def __init__(self, d_model, n_heads, d_head):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head
        self.query = nn.Linear(d_model, n_heads * d_head, bias=False)
        self.key = nn.Linear(d_model, n_heads * d_head, bias=False)
        self.value = nn.Linear(d_model, n_heads * d_head, bias=False)
        self.output = nn.Linear(n_heads * d_head, d_model, bias=False)

    def forward(self, x):
        batch, time, _ = x.shape
        apart = (batch, time, self.n_heads, self.d_head)
        q = self.query(x).view(apart).transpose(1, 2)
        k = self.key(x).view(apart).transpose(1, 2)
        v = self.value(x).view(apart).transpose(1, 2)
        scores = q @ k.transpose(2, 3) / math.sqrt(self.d_head)
        weights = scores.softmax(dim=1)
        found = weights @ v
        together = found.transpose(1, 2).reshape(batch, time, -1)
        return self.output(together), weights


# %% detached: weights that no gradient passes
# loses: gradients
class MultiHead(nn.Module):
    def __init__(self, d_model, n_heads, d_head):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head
        self.query = nn.Linear(d_model, n_heads * d_head, bias=False)
        self.key = nn.Linear(d_model, n_heads * d_head, bias=False)
        self.value = nn.Linear(d_model, n_heads * d_head, bias=False)
        self.output = nn.Linear(n_heads * d_head, d_model, bias=False)

    def forward(self, x):
        batch, time, _ = x.shape
        apart = (batch, time, self.n_heads, self.d_head)
        q = self.query(x).view(apart).transpose(1, 2)
        k = self.key(x).view(apart).transpose(1, 2)
        v = self.value(x).view(apart).transpose(1, 2)
        scores = q @ k.transpose(2, 3) / math.sqrt(self.d_head)
        weights = scores.softmax(dim=3)
        found = weights @ v
        together = found.transpose(1, 2).reshape(batch, time, -1)
        return self.output(((weights.detach() @ v).transpose(1, 2)).reshape(batch, time, -1)), weights


# %% join: a join without a transposition, the rest mended
# loses: join, output, gradients
class MultiHead(nn.Module):
    def __init__(self, d_model, n_heads, d_head):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head
        self.query = nn.Linear(d_model, n_heads * d_head, bias=False)
        self.key = nn.Linear(d_model, n_heads * d_head, bias=False)
        self.value = nn.Linear(d_model, n_heads * d_head, bias=False)
        self.output = nn.Linear(n_heads * d_head, d_model, bias=False)

    def forward(self, x):
        batch, time, _ = x.shape
        apart = (batch, time, self.n_heads, self.d_head)
        q = self.query(x).view(apart).transpose(1, 2)
        k = self.key(x).view(apart).transpose(1, 2)
        v = self.value(x).view(apart).transpose(1, 2)
        scores = q @ k.transpose(2, 3) / math.sqrt(self.d_head)
        weights = scores.softmax(dim=3)
        found = weights @ v
        together = found.reshape(batch, time, -1)
        return self.output(together), weights


# %% join_interleaved: a join that mixes the columns of all heads, the rest mended
# loses: join, output, gradients
class MultiHead(nn.Module):
    def __init__(self, d_model, n_heads, d_head):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head
        self.query = nn.Linear(d_model, n_heads * d_head, bias=False)
        self.key = nn.Linear(d_model, n_heads * d_head, bias=False)
        self.value = nn.Linear(d_model, n_heads * d_head, bias=False)
        self.output = nn.Linear(n_heads * d_head, d_model, bias=False)

    def forward(self, x):
        batch, time, _ = x.shape
        apart = (batch, time, self.n_heads, self.d_head)
        q = self.query(x).view(apart).transpose(1, 2)
        k = self.key(x).view(apart).transpose(1, 2)
        v = self.value(x).view(apart).transpose(1, 2)
        scores = q @ k.transpose(2, 3) / math.sqrt(self.d_head)
        weights = scores.softmax(dim=3)
        found = weights @ v
        together = found.permute(0, 2, 3, 1).reshape(batch, time, -1)
        return self.output(together), weights


# %% keys_ask: weights used the wrong way round: keys average over the queries
# loses: output, gradients
class MultiHead(nn.Module):
    def __init__(self, d_model, n_heads, d_head):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head
        self.query = nn.Linear(d_model, n_heads * d_head, bias=False)
        self.key = nn.Linear(d_model, n_heads * d_head, bias=False)
        self.value = nn.Linear(d_model, n_heads * d_head, bias=False)
        self.output = nn.Linear(n_heads * d_head, d_model, bias=False)

    def forward(self, x):
        batch, time, _ = x.shape
        apart = (batch, time, self.n_heads, self.d_head)
        q = self.query(x).view(apart).transpose(1, 2)
        k = self.key(x).view(apart).transpose(1, 2)
        v = self.value(x).view(apart).transpose(1, 2)
        scores = q @ k.transpose(2, 3) / math.sqrt(self.d_head)
        weights = scores.softmax(dim=3)
        found = weights.transpose(2, 3) @ v
        together = found.transpose(1, 2).reshape(batch, time, -1)
        return self.output(together), weights


# %% only_axis: the softmax alone mended
# loses: scale, join, output, gradients
class MultiHead(nn.Module):
    def __init__(self, d_model, n_heads, d_head):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head
        self.query = nn.Linear(d_model, n_heads * d_head, bias=False)
        self.key = nn.Linear(d_model, n_heads * d_head, bias=False)
        self.value = nn.Linear(d_model, n_heads * d_head, bias=False)
        self.output = nn.Linear(n_heads * d_head, d_model, bias=False)

    def forward(self, x):
        batch, time, _ = x.shape
        apart = (batch, time, self.n_heads, self.d_head)
        q = self.query(x).view(apart).transpose(1, 2)
        k = self.key(x).view(apart).transpose(1, 2)
        v = self.value(x).view(apart).transpose(1, 2)
        scores = q @ k.transpose(2, 3) / math.sqrt(x.shape[-1])
        weights = scores.softmax(dim=3)
        found = weights @ v
        together = found.reshape(batch, time, -1)
        return self.output(together), weights


# %% only_join: the join alone mended
# loses: rows, scale, output, gradients
class MultiHead(nn.Module):
    def __init__(self, d_model, n_heads, d_head):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head
        self.query = nn.Linear(d_model, n_heads * d_head, bias=False)
        self.key = nn.Linear(d_model, n_heads * d_head, bias=False)
        self.value = nn.Linear(d_model, n_heads * d_head, bias=False)
        self.output = nn.Linear(n_heads * d_head, d_model, bias=False)

    def forward(self, x):
        batch, time, _ = x.shape
        apart = (batch, time, self.n_heads, self.d_head)
        q = self.query(x).view(apart).transpose(1, 2)
        k = self.key(x).view(apart).transpose(1, 2)
        v = self.value(x).view(apart).transpose(1, 2)
        scores = q @ k.transpose(2, 3) / math.sqrt(x.shape[-1])
        weights = scores.softmax(dim=1)
        found = weights @ v
        together = found.transpose(1, 2).reshape(batch, time, -1)
        return self.output(together), weights


# %% only_scale: the scale alone mended
# loses: rows, join, output, gradients
class MultiHead(nn.Module):
    def __init__(self, d_model, n_heads, d_head):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head
        self.query = nn.Linear(d_model, n_heads * d_head, bias=False)
        self.key = nn.Linear(d_model, n_heads * d_head, bias=False)
        self.value = nn.Linear(d_model, n_heads * d_head, bias=False)
        self.output = nn.Linear(n_heads * d_head, d_model, bias=False)

    def forward(self, x):
        batch, time, _ = x.shape
        apart = (batch, time, self.n_heads, self.d_head)
        q = self.query(x).view(apart).transpose(1, 2)
        k = self.key(x).view(apart).transpose(1, 2)
        v = self.value(x).view(apart).transpose(1, 2)
        scores = q @ k.transpose(2, 3) / math.sqrt(self.d_head)
        weights = scores.softmax(dim=1)
        found = weights @ v
        together = found.reshape(batch, time, -1)
        return self.output(together), weights


# %% queries: a softmax over the queries
# loses: rows, scale, output, gradients
class MultiHead(nn.Module):
    def __init__(self, d_model, n_heads, d_head):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head
        self.query = nn.Linear(d_model, n_heads * d_head, bias=False)
        self.key = nn.Linear(d_model, n_heads * d_head, bias=False)
        self.value = nn.Linear(d_model, n_heads * d_head, bias=False)
        self.output = nn.Linear(n_heads * d_head, d_model, bias=False)

    def forward(self, x):
        batch, time, _ = x.shape
        apart = (batch, time, self.n_heads, self.d_head)
        q = self.query(x).view(apart).transpose(1, 2)
        k = self.key(x).view(apart).transpose(1, 2)
        v = self.value(x).view(apart).transpose(1, 2)
        scores = q @ k.transpose(2, 3) / math.sqrt(self.d_head)
        weights = scores.softmax(dim=2)
        found = weights @ v
        together = found.transpose(1, 2).reshape(batch, time, -1)
        return self.output(together), weights


# %% scale: the scale of d_model, the rest mended
# loses: scale, output, gradients
class MultiHead(nn.Module):
    def __init__(self, d_model, n_heads, d_head):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head
        self.query = nn.Linear(d_model, n_heads * d_head, bias=False)
        self.key = nn.Linear(d_model, n_heads * d_head, bias=False)
        self.value = nn.Linear(d_model, n_heads * d_head, bias=False)
        self.output = nn.Linear(n_heads * d_head, d_model, bias=False)

    def forward(self, x):
        batch, time, _ = x.shape
        apart = (batch, time, self.n_heads, self.d_head)
        q = self.query(x).view(apart).transpose(1, 2)
        k = self.key(x).view(apart).transpose(1, 2)
        v = self.value(x).view(apart).transpose(1, 2)
        scores = q @ k.transpose(2, 3) / math.sqrt(x.shape[-1])
        weights = scores.softmax(dim=3)
        found = weights @ v
        together = found.transpose(1, 2).reshape(batch, time, -1)
        return self.output(together), weights


# %% scale_all: the scale of all heads together
# loses: scale, output, gradients
class MultiHead(nn.Module):
    def __init__(self, d_model, n_heads, d_head):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head
        self.query = nn.Linear(d_model, n_heads * d_head, bias=False)
        self.key = nn.Linear(d_model, n_heads * d_head, bias=False)
        self.value = nn.Linear(d_model, n_heads * d_head, bias=False)
        self.output = nn.Linear(n_heads * d_head, d_model, bias=False)

    def forward(self, x):
        batch, time, _ = x.shape
        apart = (batch, time, self.n_heads, self.d_head)
        q = self.query(x).view(apart).transpose(1, 2)
        k = self.key(x).view(apart).transpose(1, 2)
        v = self.value(x).view(apart).transpose(1, 2)
        scores = q @ k.transpose(2, 3) / math.sqrt(self.n_heads * self.d_head)
        weights = scores.softmax(dim=3)
        found = weights @ v
        together = found.transpose(1, 2).reshape(batch, time, -1)
        return self.output(together), weights


# %% weights_detached: weights that are returned detached
# loses: gradients
class MultiHead(nn.Module):
    def __init__(self, d_model, n_heads, d_head):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head
        self.query = nn.Linear(d_model, n_heads * d_head, bias=False)
        self.key = nn.Linear(d_model, n_heads * d_head, bias=False)
        self.value = nn.Linear(d_model, n_heads * d_head, bias=False)
        self.output = nn.Linear(n_heads * d_head, d_model, bias=False)

    def forward(self, x):
        batch, time, _ = x.shape
        apart = (batch, time, self.n_heads, self.d_head)
        q = self.query(x).view(apart).transpose(1, 2)
        k = self.key(x).view(apart).transpose(1, 2)
        v = self.value(x).view(apart).transpose(1, 2)
        scores = q @ k.transpose(2, 3) / math.sqrt(self.d_head)
        weights = scores.softmax(dim=3)
        found = weights @ v
        together = found.transpose(1, 2).reshape(batch, time, -1)
        return self.output(together), weights.detach()

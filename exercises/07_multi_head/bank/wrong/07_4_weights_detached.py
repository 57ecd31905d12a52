"""weights that are returned detached"""
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

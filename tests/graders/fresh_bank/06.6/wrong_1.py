# question 06.6
# wrong: the mask is applied after the softmax and the rows are divided by their sums, which are 0 where a future score is far larger
# differs: x so large that a future score is 1000 above the past ones (x * 100): NaN; right on ordinary inputs
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

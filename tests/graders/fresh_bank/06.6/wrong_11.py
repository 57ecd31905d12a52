# question 06.6
# wrong: scores of the future are set to 0 and not to minus infinity
# differs: time 2, any x: the first row is not 1, 0
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
        past = torch.ones(scores.shape[1:], dtype=x.dtype).tril()
        weights = (scores * past).softmax(dim=-1)
        return self.output(weights @ v), weights

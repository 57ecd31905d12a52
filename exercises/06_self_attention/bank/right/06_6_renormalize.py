"""Weights of the past alone, divided by their sum."""
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
        kept = torch.tril((scores - scores.amax(-1, keepdim=True)).exp())
        weights = kept / kept.sum(-1, keepdim=True)
        return self.output(weights @ v), weights

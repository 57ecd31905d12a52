# question 06.6
# wrong: the mask is made once, at the first call, for 100 objects at least; longer texts are not masked behind it
# differs: time 130 (first call time 5): objects see the future beyond position 100
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
        if not hasattr(self, "future"):
            size = max(time, 100)
            self.future = torch.ones(size, size, dtype=torch.bool).triu(1)
        scores = q @ k.transpose(1, 2) / math.sqrt(q.shape[-1])
        mask = torch.zeros(time, time, dtype=torch.bool)
        known = self.future[:time, :time]
        mask[: len(known), : len(known)] = known
        weights = scores.masked_fill(mask, -math.inf).softmax(dim=-1)
        return self.output(weights @ v), weights

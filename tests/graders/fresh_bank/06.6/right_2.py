# question 06.6
class CausalHead(nn.Module):
    def __init__(self, d_model, d_head):
        super().__init__()
        self.query = nn.Linear(d_model, d_head, bias=False)
        self.key = nn.Linear(d_model, d_head, bias=False)
        self.value = nn.Linear(d_model, d_head, bias=False)
        self.output = nn.Linear(d_head, d_model, bias=False)
    def forward(self, x):
        """One row after another: object i sees the first i + 1 objects."""
        q, k, v = self.query(x), self.key(x), self.value(x)
        scale = self.query.out_features ** -0.5
        time = x.shape[1]
        rows, mixed = [], []
        for i in range(time):
            scores = torch.einsum("bd,bjd->bj", q[:, i] * scale, k[:, : i + 1])
            row = torch.softmax(scores, dim=1)
            mixed.append(torch.einsum("bj,bjd->bd", row, v[:, : i + 1]))
            rows.append(nn.functional.pad(row, (0, time - i - 1)))
        return self.output(torch.stack(mixed, 1)), torch.stack(rows, 1)

"""Row by row, over what each object may see."""
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

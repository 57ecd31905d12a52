"""A mask that is added, kept in a buffer; the head's work in methods of its own."""
class CausalHead(nn.Module):
    def __init__(self, d_model, d_head):
        super().__init__()
        self.query = nn.Linear(d_model, d_head, bias=False)
        self.key = nn.Linear(d_model, d_head, bias=False)
        self.value = nn.Linear(d_model, d_head, bias=False)
        self.output = nn.Linear(d_head, d_model, bias=False)
        self.register_buffer("future", torch.full((256, 256), -torch.inf).triu(1))

    def weights(self, x):
        scores = torch.einsum("bid,bjd->bij", self.query(x), self.key(x) / self.key.out_features**0.5)
        return nn.functional.softmax(scores + self.future[: x.shape[1], : x.shape[1]], dim=2)

    def forward(self, x):
        weights = self.weights(x)
        return torch.einsum("bij,bjd->bid", weights, self.output(self.value(x))), weights

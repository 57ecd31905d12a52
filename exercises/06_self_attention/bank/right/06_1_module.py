"""A module with typed arguments; the mask as a number that is added, and weights by logsumexp."""
class Attention(nn.Module):
    def forward(
        self, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, allowed: torch.Tensor | None = None
    ) -> torch.Tensor:
        scores = torch.baddbmm(self.bias(query, key, allowed), query * query.shape[-1] ** -0.5, key.mT)
        weights = (scores - scores.logsumexp(dim=-1, keepdim=True)).exp()
        return torch.bmm(weights * self.seeing(weights, allowed), value)

    def bias(self, query, key, allowed):
        shape = query.shape[0], query.shape[1], key.shape[1]
        return torch.zeros(()).expand(shape) if allowed is None else (~allowed).to(query.dtype) * -1e30

    def seeing(self, weights, allowed):
        return 1.0 if allowed is None else allowed.any(-1, keepdim=True)


attention = Attention()

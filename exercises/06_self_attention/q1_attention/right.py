"""Right answers to question 06.1."""


# %% einsum: Einstein sums; exponentials set to zero where forbidden, and a safe division.
def attention(query, key, value, allowed=None):
    scores = torch.einsum("bqd,bkd->bqk", query, key) / math.sqrt(query.shape[-1])
    if allowed is None:
        allowed = torch.ones_like(scores, dtype=torch.bool)
    scores = torch.where(allowed, scores, torch.full_like(scores, torch.finfo(scores.dtype).min))
    shifted = scores - scores.detach().amax(dim=2, keepdim=True)
    exponentials = shifted.exp() * allowed
    total = exponentials.sum(dim=2, keepdim=True)
    weights = exponentials / torch.where(total > 0, total, torch.ones_like(total))
    return torch.einsum("bqk,bkv->bqv", weights, value)


# %% loops: One query at a time, over the keys that it may see.
def attention(query, key, value, allowed=None):
    output = []
    for n in range(query.shape[0]):
        rows = []
        for i in range(query.shape[1]):
            seen = torch.ones(key.shape[1], dtype=torch.bool) if allowed is None else allowed[n, i]
            if not seen.any():
                rows.append(torch.zeros(value.shape[2]))
                continue
            scores = key[n][seen] @ query[n, i] / math.sqrt(query.shape[2])
            rows.append(torch.softmax(scores, dim=0) @ value[n][seen])
        output.append(torch.stack(rows))
    return torch.stack(output)


# %% masked_fill: A softmax with minus infinity; rows of nothing are opened first.
def attention(query, key, value, allowed=None):
    scores = query @ key.mT / query.shape[-1] ** 0.5
    if allowed is None:
        return scores.softmax(-1) @ value
    blind = ~allowed.any(-1, keepdim=True)
    weights = scores.masked_fill(~allowed & ~blind, -torch.inf).softmax(-1)
    return torch.where(blind, torch.zeros(()), weights @ value)


# %% module: A module with typed arguments; the mask as a number that is added, and weights by logsumexp.
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


# %% running: One key at a time with a running maximum, numerator and denominator, in float64.
def attention(query, key, value, allowed=None):
    query, key, value = query.double(), key.double(), value.double()
    largest = query.new_full(query.shape[:2], -1e300)
    top, bottom = 0.0, torch.zeros_like(largest)
    for j in range(key.shape[1]):
        score = (query * key[:, j, None]).sum(2) / math.sqrt(query.shape[2])
        seen = torch.ones_like(score, dtype=torch.bool) if allowed is None else allowed[:, :, j]
        new = torch.where(seen, torch.maximum(largest, score), largest)
        shrink = (largest - new).exp()
        term = torch.where(seen, (torch.where(seen, score, new) - new).exp(), 0.0)
        top = top * shrink[..., None] + term[..., None] * value[:, j, None]
        bottom = bottom * shrink + term
        largest = new
    return (top / torch.where(bottom > 0, bottom, 1.0)[..., None]).float()


# %% vmap: One query and its keys, mapped over queries and batch.
def of_one_query(query, keys, values, allowed):
    scores = (keys * query).sum(-1) / len(query) ** 0.5
    largest = torch.where(allowed, scores, -torch.inf).max().detach()
    weights = torch.where(allowed, torch.where(allowed, scores - largest, 0.0).exp(), 0.0)
    return (weights.unsqueeze(1) * values).sum(0) / weights.sum().clamp(min=torch.finfo(weights.dtype).tiny)


over_queries = torch.vmap(of_one_query, in_dims=(0, None, None, 0))
over_batch = torch.vmap(over_queries)


def attention(query, key, value, allowed=None):
    if allowed is None:
        allowed = torch.ones((), dtype=torch.bool).expand(*query.shape[:2], key.shape[1])
    return over_batch(query, key, value, allowed)

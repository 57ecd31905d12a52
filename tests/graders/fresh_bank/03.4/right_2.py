# question 03.4
class _Replace(torch.autograd.Function):
    @staticmethod
    def forward(ctx, z, rows):
        return rows.clone()

    @staticmethod
    def backward(ctx, grad):
        return grad, None


def quantize(z, codebook, beta=0.25):
    batch, n, d = z.shape
    best = torch.full((batch, n), math.inf, dtype=z.dtype)
    codes = torch.zeros(batch, n, dtype=torch.long)
    for number, row in enumerate(codebook.detach()):
        distance = ((z.detach() - row) ** 2).sum(-1)
        nearer = distance < best
        best = torch.where(nearer, distance, best)
        codes[nearer] = number
    rows = F.embedding(codes, codebook)
    vectors = _Replace.apply(z, rows.detach())
    loss = F.mse_loss(rows, z.detach(), reduction="sum")
    loss = loss + beta * F.mse_loss(z, rows.detach(), reduction="sum")
    return codes, vectors, loss / (batch * n)

"""Results written into buffers, position by position, by an object that keeps the sums."""
class Sums:
    def __init__(self, batch, k, d):
        self.read, self.written = torch.zeros(k, batch), torch.zeros(d, batch)

    def __call__(self, t, token, V, c, W, b, out):
        self.written.addmm_(W[t], (c[t, :, None] + self.read).sigmoid_())
        torch.add(self.written, b[t, :, None], out=out)
        self.read += V[t, :, token]


@torch.inference_mode()
def nade_scores(tokens, V, c, W, b):
    step = Sums(len(tokens), *V.shape[1:])
    scores = torch.empty(tokens.shape[1], V.shape[2], len(tokens))
    for t, token in enumerate(tokens.T):
        step(t, token, V, c, W, b, scores[t])
    return scores.permute(2, 0, 1)

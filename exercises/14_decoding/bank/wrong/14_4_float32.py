"""totals in float32"""
# loses: beams
def search(log_p, n_beams, end, longest, alpha):
    beam, finished = [((), 0.0)], []
    for _ in range(longest):
        if not beam:
            break
        totals = torch.tensor([total for _, total in beam])
        scores = torch.stack([torch.tensor(log_p(prefix)) for prefix, _ in beam]) + totals[:, None]
        flat = scores.flatten()
        top = flat.topk(min(n_beams, len(flat)))
        new = []
        for total, index in zip(top.values.tolist(), top.indices.tolist()):
            prefix = beam[index // scores.shape[1]][0]
            text = (*prefix, index % scores.shape[1])
            (finished if text[-1] == end else new).append((text, total))
        beam = new
    finished += beam
    tokens, total = max(finished, key=lambda f: f[1] / ((5 + len(f[0])) / 6) ** alpha)
    return list(tokens), total

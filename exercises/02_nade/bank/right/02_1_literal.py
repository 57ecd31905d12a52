"""The equation as it stands, in four loops."""
def nade_scores(tokens, V, c, W, b):
    rows = []
    for row in tokens.tolist():
        hidden, scores = [], []
        for t in range(len(row)):
            total = c[t].clone()
            for s in range(t):
                total += V[s][:, row[s]]
            hidden.append(total.sigmoid())
            f = b[t].clone()
            for s in range(t + 1):
                f += W[s] @ hidden[s]
            scores.append(f)
        rows.append(torch.stack(scores))
    return torch.stack(rows)

# question 02.1
# wrong: for a batch of one the caller's c is changed by the running sum
# differs: batch 1, time 3: c[0] is another afterwards
def nade_scores(tokens, V, c, W, b):
    rows = []
    for line in tokens.tolist():
        said, scores, total = 0, [], torch.zeros_like(c[0])
        for t, token in enumerate(line):
            state = c[t]
            state += total
            said = said + W[t] @ state.sigmoid()
            scores.append(b[t] + said)
            total = total + V[t, :, token]
        rows.append(torch.stack(scores))
    return torch.stack(rows)

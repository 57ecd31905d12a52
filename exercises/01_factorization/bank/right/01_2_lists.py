"""Python lists, converted at the end."""
def history_windows(tokens, history, start):
    rows = []
    for row in tokens.tolist():
        padded = [start] * history + row
        rows.append([padded[t : t + history] for t in range(len(row))])
    return torch.tensor(rows, dtype=torch.long).reshape(*tokens.shape, history)

# question 13.5
def translate(next_scores, n, start, end, most):
    taken = [[] for _ in range(n)]

    def going(row):
        return end not in row and len(row) < most

    while any(going(row) for row in taken):
        length = max(len(row) for row in taken)
        fed = [[start] + row + [end] * (length - len(row)) for row in taken]
        scores = next_scores(torch.tensor(fed, dtype=torch.long))
        for row, line in zip(taken, scores.detach().double().numpy()):
            if going(row):
                row.append(int(np.argmax(line)))
    return [row[: row.index(end)] if end in row else row for row in taken]

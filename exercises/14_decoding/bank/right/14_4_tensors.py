"""One tensor of totals per step."""


def search(log_p, n_beams, end, longest, alpha):
    prefixes, totals, finished = [()], torch.zeros(1, dtype=torch.float64), []
    for step in range(longest):
        if not prefixes:
            break
        rows = torch.tensor([log_p(prefix) for prefix in prefixes], dtype=torch.float64)
        sums = (totals[:, None] + rows).flatten()
        values, places = sums.topk(min(n_beams, len(sums)))
        prefixes_now, totals_now = [], []
        for value, place in zip(values.tolist(), places.tolist()):
            text = (*prefixes[place // rows.shape[1]], place % rows.shape[1])
            if text[-1] == end:
                finished.append((text, value))
            else:
                prefixes_now.append(text)
                totals_now.append(value)
        prefixes, totals = prefixes_now, torch.tensor(totals_now, dtype=torch.float64)
    finished.extend(zip(prefixes, totals.tolist()))
    scores = [total / math.pow((5 + len(text)) / 6, alpha) for text, total in finished]
    text, total = finished[int(np.argmax(scores))]
    return list(text), total

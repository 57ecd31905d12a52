"""Right answers to question 14.4."""


# %% heap: The largest by a heap, finished texts kept as scores.
import heapq


def search(log_p, n_beams, end, longest, alpha):
    beam, best = [(0.0, ())], None
    for length in range(1, longest + 1):
        factor = ((5 + length) / 6) ** alpha
        pool = (
            (total + more, (*prefix, token))
            for total, prefix in beam
            for token, more in enumerate(log_p(prefix))
        )
        beam = []
        for total, text in heapq.nlargest(n_beams, pool):
            if text[-1] == end or length == longest:
                if best is None or total / factor > best[0]:
                    best = (total / factor, list(text), total)
            else:
                beam.append((total, text))
    return best[1], best[2]


# %% recursion: One step, and then the search from there.
def search(log_p, n_beams, end, longest, alpha):
    def go(beam, steps):
        over = [item for item in beam if steps == 0 or (item[1] and item[1][-1] == end)]
        alive = [item for item in beam if item not in over]
        if not alive:
            return over
        pool = []
        for total, text in alive:
            for token, more in enumerate(log_p(text)):
                pool.append((total + more, (*text, token)))
        pool.sort(reverse=True)
        return over + go(pool[:n_beams], steps - 1)

    found = go([(0.0, ())], longest)
    ranked = sorted(found, key=lambda item: item[0] / ((5 + len(item[1])) / 6) ** alpha)
    total, text = ranked[-1]
    return list(text), total


# %% tensors: One tensor of totals per step.
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

"""The largest by a heap, finished texts kept as scores."""


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

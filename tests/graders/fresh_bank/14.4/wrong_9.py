# question 14.4
# wrong: the list of the model is sorted in place
# differs: a log_p that hands out the same list again, with a best token other than 0
def search(log_p, n_beams, end, longest, alpha):
    """The best text that a beam search finds."""
    beam, finished = [((), 0.0)], []
    for _ in range(longest):
        candidates = []
        for prefix, total in beam:
            values = log_p(prefix)
            order = sorted(range(len(values)), key=lambda i: -values[i])
            values.sort(reverse=True)
            for token, value in zip(order, values):
                candidates.append((prefix + (token,), total + value))
        candidates.sort(key=lambda candidate: candidate[1], reverse=True)
        beam = []
        for text, total in candidates[:n_beams]:
            if text[-1] == end:
                finished.append((text, total))
            else:
                beam.append((text, total))
        if not beam:
            break
    finished += beam
    best, total = max(finished, key=lambda f: f[1] / ((5 + len(f[0])) / 6) ** alpha)
    return list(best), float(total)

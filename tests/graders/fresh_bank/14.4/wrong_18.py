# question 14.4
# wrong: log-probabilities below -50 are raised to -50
# differs: n_beams 1, longest 1, log-probabilities -60 and -70, vocabulary 2
def search(log_p, n_beams, end, longest, alpha):
    """The best text that a beam search finds."""
    beam, finished = [((), 0.0)], []
    for _ in range(longest):
        candidates = []
        for prefix, total in beam:
            for token, value in enumerate(log_p(prefix)):
                candidates.append((prefix + (token,), max(total + value, -50.0)))
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

# question 14.4
# wrong: n_beams is at most the size of the vocabulary
# differs: n_beams 100, alpha 3, longest 3, end 2; first p = .6 .39 .01; after 0 always thirds; after 1 .46 .44 .1, then .98 .01 .01
def search(log_p, n_beams, end, longest, alpha):
    """The best text that a beam search finds."""
    beam, finished = [((), 0.0)], []
    for _ in range(longest):
        candidates = []
        for prefix, total in beam:
            for token, value in enumerate(log_p(prefix)):
                candidates.append((prefix + (token,), total + value))
        candidates.sort(key=lambda candidate: candidate[1], reverse=True)
        beam = []
        for text, total in candidates[: min(n_beams, len(log_p(())))]:
            if text[-1] == end:
                finished.append((text, total))
            else:
                beam.append((text, total))
        if not beam:
            break
    finished += beam
    best, total = max(finished, key=lambda f: f[1] / ((5 + len(f[0])) / 6) ** alpha)
    return list(best), float(total)

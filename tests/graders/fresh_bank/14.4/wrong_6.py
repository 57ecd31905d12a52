# question 14.4
# wrong: the best text is chosen by its log-probability, without the penalty
# differs: alpha 1, a short text of -1.0 and a long one of -1.1
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
        for text, total in candidates[:n_beams]:
            if text[-1] == end:
                finished.append((text, total))
            else:
                beam.append((text, total))
        if not beam:
            break
    finished += beam
    best, total = max(finished, key=lambda f: f[1])
    return list(best), float(total)

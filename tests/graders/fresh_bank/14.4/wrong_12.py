# question 14.4
# wrong: finished texts stay in competition with the beam instead of leaving it for the list
# differs: n_beams 2, alpha 3, longest 6, end 0; first p = .5 .4 .1, then .02 .5 .48, after a second token 2 always .001 .001 .998, else thirds
def search(log_p, n_beams, end, longest, alpha):
    """The best text that a beam search finds."""
    beam, finished = [((), 0.0)], []
    for _ in range(longest):
        candidates = list(finished)
        for prefix, total in beam:
            for token, value in enumerate(log_p(prefix)):
                candidates.append((prefix + (token,), total + value))
        candidates.sort(key=lambda candidate: candidate[1], reverse=True)
        beam, finished = [], []
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

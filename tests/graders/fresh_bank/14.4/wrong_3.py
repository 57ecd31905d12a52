# question 14.4
# wrong: the beam is filled up to n_beams with unfinished texts where some have left
# differs: n_beams 2: after one text ended, the beam keeps 2 instead of 1
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
        finished += [c for c in candidates[:n_beams] if c[0][-1] == end]
        beam = [c for c in candidates if c[0][-1] != end][:n_beams]
        if not beam:
            break
    finished += beam
    best, total = max(finished, key=lambda f: f[1] / ((5 + len(f[0])) / 6) ** alpha)
    return list(best), float(total)

# question 14.4
# wrong: each prefix keeps its best token alone, so the beams never come from one prefix
# differs: n_beams 2 at the first step: one prefix is kept instead of 2
def search(log_p, n_beams, end, longest, alpha):
    """The best text that a beam search finds."""
    beam, finished = [((), 0.0)], []
    for _ in range(longest):
        candidates = []
        for prefix, total in beam:
            values = log_p(prefix)
            token = max(range(len(values)), key=lambda i: values[i])
            candidates.append((prefix + (token,), total + values[token]))
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

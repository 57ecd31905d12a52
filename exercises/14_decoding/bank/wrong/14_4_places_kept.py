"""ended texts that keep their places in the beam"""


# loses: beams, penalty
def search(log_p, n_beams, end, longest, alpha):
    beam = [((), 0.0)]
    for _ in range(longest):
        longer = [pair for pair in beam if end in pair[0]]
        longer += [
            ((*prefix, token), total + more)
            for prefix, total in beam
            if end not in prefix
            for token, more in enumerate(log_p(prefix))
        ]
        beam = sorted(longer, key=lambda pair: -pair[1])[:n_beams]

    def score(pair):
        return pair[1] / ((5 + len(pair[0])) / 6) ** alpha

    tokens, total = max(beam, key=score)
    return list(tokens), total

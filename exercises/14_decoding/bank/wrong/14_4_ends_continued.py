"""ended texts that are continued all the same"""


# loses: penalty
def search(log_p, n_beams, end, longest, alpha):
    beam, finished = [((), 0.0)], []
    for _ in range(longest):
        longer = [
            ((*prefix, token), total + more)
            for prefix, total in beam
            for token, more in enumerate(log_p(prefix))
        ]
        longer = sorted(longer, key=lambda pair: -pair[1])[:n_beams]
        finished += [pair for pair in longer if pair[0][-1] == end]
        beam = longer
    finished += beam

    def score(pair):
        return pair[1] / ((5 + len(pair[0])) / 6) ** alpha

    tokens, total = max(finished, key=score)
    return list(tokens), total

"""two tokens at least, whatever is asked for"""


# loses: greedy, beams, penalty
def search(log_p, n_beams, end, longest, alpha):
    def expand(beam):
        longer = [
            ((*prefix, token), total + more)
            for prefix, total in beam
            for token, more in enumerate(log_p(prefix))
        ]
        longer = sorted(longer, key=lambda pair: -pair[1])[:n_beams]
        finished.extend(pair for pair in longer if pair[0][-1] == end)
        return [pair for pair in longer if pair[0][-1] != end]

    finished = []
    beam, step = expand([((), 0.0)]), 1
    while beam:
        beam, step = expand(beam), step + 1
        if step >= longest:
            break
    finished += beam

    def score(pair):
        return pair[1] / ((5 + len(pair[0])) / 6) ** alpha

    tokens, total = max(finished, key=score)
    return list(tokens), total

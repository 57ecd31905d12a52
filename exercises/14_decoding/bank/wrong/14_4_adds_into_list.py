"""log-probabilities added into the model's list"""
# loses: beams, penalty
def search(log_p, n_beams, end, longest, alpha):
    beam, finished = [((), 0.0)], []
    for _ in range(longest):
        longer = []
        for prefix, total in beam:
            scores = log_p(prefix)
            for token in range(len(scores)):
                scores[token] += total
                longer.append(((*prefix, token), scores[token]))
        longer.sort(key=lambda pair: pair[1], reverse=True)
        beam = []
        for pair in longer[:n_beams]:
            if pair[0][-1] == end:
                finished.append(pair)
            else:
                beam.append(pair)
    finished.extend(beam)
    tokens, total = max(finished, key=lambda f: f[1] / ((5 + len(f[0])) / 6) ** alpha)
    return list(tokens), total

"""One step, and then the search from there."""


def search(log_p, n_beams, end, longest, alpha):
    def go(beam, steps):
        over = [item for item in beam if steps == 0 or (item[1] and item[1][-1] == end)]
        alive = [item for item in beam if item not in over]
        if not alive:
            return over
        pool = []
        for total, text in alive:
            for token, more in enumerate(log_p(text)):
                pool.append((total + more, (*text, token)))
        pool.sort(reverse=True)
        return over + go(pool[:n_beams], steps - 1)

    found = go([(0.0, ())], longest)
    ranked = sorted(found, key=lambda item: item[0] / ((5 + len(item[1])) / 6) ** alpha)
    total, text = ranked[-1]
    return list(text), total

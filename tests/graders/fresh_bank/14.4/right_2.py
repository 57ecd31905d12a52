# question 14.4
import heapq


def search(log_p, n_beams, end, longest, alpha):
    def score(text, total):
        return total / math.pow((5 + len(text)) / 6, alpha)

    best = None

    def finish(text, total):
        nonlocal best
        if best is None or score(text, total) > score(*best):
            best = (text, total)

    alive = {(): 0.0}
    while alive and len(next(iter(alive))) < longest:
        continued = (
            (total + float(value), prefix + (token,))
            for prefix, total in alive.items()
            for token, value in enumerate(log_p(prefix))
        )
        kept = heapq.nlargest(n_beams, continued)
        alive = {}
        for total, text in kept:
            if text[-1] == end:
                finish(text, total)
            else:
                alive[text] = total
    for text, total in alive.items():
        finish(text, total)
    return [int(token) for token in best[0]], best[1]

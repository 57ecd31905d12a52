"""Question 14.4: Beam search."""

import functools

import torch
from autograder.authoring import Part, Question


def models(beams, alphas, longest=(2, 3, 4), tilt=0.0, cases=16, scale=1.2):
    """Tables of log-probabilities after each pair of tokens; ``tilt`` is added to the end's logit."""

    def draw(rng):
        for n in range(cases):
            vocab = int(rng.integers(3, 6))
            logits = scale * rng.standard_normal((vocab + 1, vocab + 1, vocab))
            end = int(rng.integers(0, vocab))
            logits[..., end] += tilt
            log_p = torch.from_numpy(logits).log_softmax(-1)
            yield {
                "table": log_p,
                "n_beams": int(beams[n % len(beams)]),
                "end": end,
                "longest": int(rng.choice(longest)),
                "alpha": float(alphas[n % len(alphas)]),
            }

    return draw


greedily = models((1,), (0.0,), tilt=-0.5)
some_beams = models((2, 3, 4), (0.0,), (4, 5, 6), tilt=-1.0, cases=24)
many_beams = models((700,), (0.0,), (2, 3), tilt=-0.5)
some_penalties = models((2, 3, 5), (0.6, 1.0, 2.0, 4.0), (3, 4, 6), tilt=-0.3, cases=24)
frequent_ends = models((1, 2, 3), (2.0, 4.0), (4, 5, 6), tilt=0.75, cases=24)


def other_places(keep):
    """A search in which the place of an ended text stays taken, or is taken by another at once."""

    def search(log_p, n_beams, end, longest, alpha):
        beam, ended = [((), 0.0)], []
        for _ in range(longest):
            longer = [((*y, i), s + more) for y, s in beam for i, more in enumerate(log_p(y))]
            ranked = sorted(longer + (ended if keep else []), key=lambda pair: -pair[1])
            beam, ended = [], [] if keep else ended
            for pair in ranked:
                if len(beam) + (len(ended) if keep else 0) < n_beams:
                    (ended if pair[0][-1] == end else beam).append(pair)
        return max(ended + beam, key=lambda pair: pair[1] / ((5 + len(pair[0])) / 6) ** alpha)

    return search


def other_ends(fewer):
    """A search in which ended texts of any rank are finished, or each takes a place with it for good."""

    def search(log_p, n_beams, end, longest, alpha):
        beam, ended = [((), 0.0)], []
        for _ in range(longest):
            longer = [((*y, i), s + more) for y, s in beam for i, more in enumerate(log_p(y))]
            longer = sorted(longer, key=lambda pair: -pair[1])
            longer = longer[: n_beams - len(ended)] if fewer else longer
            ended += [pair for pair in longer if pair[0][-1] == end]
            beam = [pair for pair in longer if pair[0][-1] != end][:n_beams]
        return max(ended + beam, key=lambda pair: pair[1] / ((5 + len(pair[0])) / 6) ** alpha)

    return search


def forgetful(log_p, *given):
    """A search that takes the log-probabilities of the first prefix of the same length and last token."""
    known = {}
    return search(lambda y: known.setdefault((len(y), y[-1:]), log_p(y)), *given)


def telling(make, other, cases):
    """The first of the drawn cases in which another search finds another text."""

    def draw(rng):
        found = 0
        while found < cases:
            for case in make(rng):
                given = [case[name] for name in ("n_beams", "end", "longest", "alpha")]
                if (
                    found < cases
                    and list(other(scores_of(case), *given)[0]) != search(scores_of(case), *given)[0]
                ):
                    found += 1
                    yield case

    return draw


def scores_of(case):
    """The model: what follows depends on the last token, the sum of those before it, and their number."""
    rows = case["table"].tolist()
    vocab = len(rows[0][0])
    return lambda y: rows[(sum(y[:-1]) + len(y)) % vocab if len(y) > 1 else -1][y[-1] if y else -1]


def one_beam(rng):
    yield from greedily(rng)
    yield from telling(greedily, other_ends(fewer=False), 2)(rng)
    yield from models((1,), (0.0,), (1,), tilt=-3.0, cases=4)(rng)


def few_beams(rng):
    yield from some_beams(rng)
    yield from telling(some_beams, other_places(keep=True), 4)(rng)
    yield from telling(some_beams, other_ends(fewer=True), 4)(rng)
    yield from telling(some_beams, forgetful, 4)(rng)
    yield from models((2, 3, 4), (0.0,), (3, 4), cases=6, scale=600.0)(rng)  # probabilities that are 0
    yield from models((1, 3), (0.0,), (1,), tilt=-3.0, cases=4)(rng)
    yield from models((2, 3), (0.0,), (4, 5, 6), cases=24, scale=1e-8)(rng)  # float32 takes them for equal


def penalized(rng):
    yield from some_penalties(rng)
    for keep in (True, False):
        yield from telling(frequent_ends, other_places(keep), 4)(rng)
    for shift in (4, 6):
        yield from telling(some_penalties, functools.partial(search, shift=shift), 3)(rng)
    yield from models((1, 3), (2.0,), (1,), tilt=-3.0, cases=4)(rng)


def call_search(student, inputs):
    rows = inputs["table"].tolist()

    def log_p(prefix):
        if type(prefix) is not tuple:
            raise TypeError(f"log_p is a function of a tuple of tokens; it was given {prefix!r}")
        before = (sum(prefix[:-1]) + len(prefix)) % len(rows[0][0]) if len(prefix) > 1 else -1
        return rows[before][prefix[-1] if prefix else -1]  # the same list for all prefixes that end alike

    given = (inputs["n_beams"], inputs["end"], inputs["longest"], inputs["alpha"])
    tokens, total = student.search(log_p, *given)
    return {"tokens": list(tokens), "log-probability": total}


def search(log_p, n_beams, end, longest, alpha, shift=5):
    alive, best = {(): 0.0}, (-float("inf"), (), 0.0)
    for length in range(1, longest + 1):
        pool = {}
        for prefix, total in alive.items():
            for token, more in enumerate(log_p(prefix)):
                pool[(*prefix, token)] = total + more
        alive = {}
        for text in sorted(pool, key=pool.get, reverse=True)[:n_beams]:
            if text[-1] != end and length < longest:
                alive[text] = pool[text]
            else:
                best = max(best, (pool[text] / ((shift + length) / 6) ** alpha, text, pool[text]))
    return list(best[1]), best[2]


QUESTION = Question(
    id="14.4",
    title="Beam search",
    kind="implement",
    difficulty=5,
    minutes=45,
    reference={"search": search},
    parts=[
        Part(
            "greedy",
            3,
            "one beam, no penalty",
            call_search,
            inputs=one_beam,
            hints=(
                "With one beam, each step takes the most probable token. When does it stop?",
                "log_p may hand out the same list again. Does your code add something into it?",
                "A text that is not over after the last step counts as it is.",
            ),
        ),
        Part(
            "beams",
            2,
            "several beams, no penalty",
            call_search,
            inputs=few_beams,
            hints=(
                "If the part before is lost, mend that first.",
                "The continuations of all prefixes compete for the places together.",
                "Some log-probabilities differ by less than float32 holds: add them in float64.",
                "A finished text uses up its place in this step only: the next beam is smaller, and "
                "the step after keeps n_beams continuations again. A finished text is not "
                "continued, but it can still win.",
            ),
        ),
        Part(
            "exhaustive",
            2,
            "a beam for every prefix",
            call_search,
            inputs=many_beams,
            hints=(
                "If a part before is lost, mend that first.",
                "With more beams than prefixes nothing is dropped. Is your result the best of all?",
            ),
        ),
        Part(
            "penalty",
            4,
            "several beams, with a length penalty",
            call_search,
            inputs=penalized,
            hints=(
                "If a part before is lost, mend that first.",
                "The beam is chosen by log-probability, the result among the finished texts by score.",
                "The end token belongs to the length. Is a longer text helped by your penalty?",
            ),
        ),
    ],
)

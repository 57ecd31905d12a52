"""Question 14.4: Beam search."""

import functools
import itertools

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
more_beams = models((6, 7, 9), (0.0,), (5, 6), tilt=-1.0)
many_beams = models((700,), (0.0,), (2, 3), tilt=-0.5)
some_penalties = models((2, 3, 5), (0.6, 1.0, 2.0, 4.0), (3, 4, 6), tilt=-0.3, cases=24)
frequent_ends = models((1, 2, 3), (2.0, 4.0), (4, 5, 6), tilt=0.75, cases=24)


def of_sizes(rng, n_beams, vocab, longest, *, tilt=-30.0, scale=1.2, alpha=0.0, rows=3):
    """A model of any size, whose tables many prefixes share; no two candidates are nearly equal."""
    while True:
        logits = scale * rng.standard_normal((rows, rows, vocab))
        end = int(rng.integers(vocab - vocab // 9 - 1, vocab))
        logits[..., end] += tilt
        log_p = torch.from_numpy(logits).log_softmax(-1)
        case = {"table": log_p, "n_beams": n_beams, "end": end, "longest": longest, "alpha": alpha}
        if nearest(scores_of(case), n_beams, end, longest) > 1e-6:
            return case


def nearest(log_p, n_beams, end, longest):
    """The least difference of two totals, one of which at least is kept."""
    alive, least = {(): 0.0}, 1.0
    for _ in range(longest):
        pool = {(*y, i): s + more for y, s in alive.items() for i, more in enumerate(log_p(y))}
        ranked = sorted(pool.items(), key=lambda pair: -pair[1])[: n_beams + 1]
        least = min([least, *(one[1] - two[1] for one, two in itertools.pairwise(ranked))])
        alive = {y: s for y, s in ranked[:n_beams] if y[-1] != end}
    return least


def from_behind(rng, n_beams, vocab, alpha=0.0):
    """A model whose best text begins with the last two tokens that the beam keeps, or the last of all."""
    while True:
        logits = 0.05 * rng.standard_normal((vocab, vocab, vocab))
        end = int(rng.integers(vocab))
        logits[..., end] -= 30.0
        case = {"table": None, "n_beams": n_beams, "end": end, "longest": 3, "alpha": alpha}
        log_p = scores_of({"table": torch.from_numpy(logits).log_softmax(-1)})
        pairs = {
            (i, j): log_p(())[i] + log_p((i,))[j] for i in range(vocab) for j in range(vocab) if i != end
        }
        ranked = sorted((y for y in pairs if y[1] != end), key=pairs.get, reverse=True)
        first, second = ranked[:n_beams][-1]
        before = (first + 2) % vocab
        if before == vocab - 1:  # the row that shorter prefixes have
            continue
        logits[before, second, (end + int(rng.integers(1, vocab))) % vocab] += 20.0
        case["table"] = torch.from_numpy(logits).log_softmax(-1)
        if nearest(scores_of(case), n_beams, end, 3) > 1e-6:
            return case


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


def sorting(log_p, *given):
    """A search that leaves each list of the model in order, the largest first."""

    def read(y):
        given_out = log_p(y)
        found = list(given_out)
        given_out.sort(reverse=True)
        return found

    return search(read, *given)


def adding(log_p, *given):
    """A search that adds what came before into the lists of the model."""
    totals = {(): 0.0}

    def read(y):
        given_out = log_p(y)
        for i in range(len(given_out)):
            given_out[i] += totals[y]
            totals[(*y, i)] = given_out[i]
        return [total - totals[y] for total in given_out]

    return search(read, *given)


def ended_enough(log_p, n_beams, end, longest, alpha):
    """A search that is over as soon as n_beams texts have ended."""
    beam, ended = [((), 0.0)], []
    for _ in range(longest):
        longer = [((*y, i), s + more) for y, s in beam for i, more in enumerate(log_p(y))]
        longer = sorted(longer, key=lambda pair: -pair[1])[:n_beams]
        ended += [pair for pair in longer if pair[0][-1] == end]
        beam = [pair for pair in longer if pair[0][-1] != end and len(ended) < n_beams]
    return max(ended + beam, key=lambda pair: pair[1] / ((5 + len(pair[0])) / 6) ** alpha)


def four_at_most(log_p, n_beams, *given):
    """A search with no more than four beams."""
    return search(log_p, min(n_beams, 4), *given)


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

    def log_p(y):
        before = (sum(y[:-1]) + len(y)) % vocab % len(rows) if len(y) > 1 else -1
        return rows[before][y[-1] % len(rows[0]) if y else -1]

    return log_p


def one_beam(rng):
    yield from greedily(rng)
    yield from telling(greedily, other_ends(fewer=False), 2)(rng)
    yield from models((1,), (0.0,), (1,), tilt=-3.0, cases=4)(rng)
    yield of_sizes(rng, 1, 4, int(rng.integers(36, 44)))  # so long that the model hands out lists again
    yield of_sizes(rng, 1, 1, int(rng.integers(1, 6)))  # the end is the only token


def few_beams(rng):
    yield from some_beams(rng)
    yield from telling(some_beams, other_places(keep=True), 4)(rng)
    yield from telling(some_beams, other_ends(fewer=True), 4)(rng)
    for other in (forgetful, ended_enough):
        yield from telling(some_beams, other, 4)(rng)
    yield from models((2, 3, 4), (0.0,), (3, 4), cases=6, scale=600.0)(rng)  # probabilities that are 0
    yield from models((1, 3), (0.0,), (1,), tilt=-3.0, cases=4)(rng)
    yield from models((2, 3), (0.0,), (4, 5, 6), cases=24, scale=1e-8)(rng)  # float32 takes them for equal
    yield from telling(more_beams, four_at_most, 2)(rng)
    for n_beams, longest in [(3, int(rng.integers(8, 12))), (5, 7)]:
        yield of_sizes(rng, n_beams, 4, longest, rows=4)
    yield from_behind(rng, int(rng.integers(101, 140)), 13)
    yield of_sizes(rng, 3, int(rng.integers(260, 280)), 4, tilt=4.0, rows=2)
    # a text as improbable as no number but its logarithm can say
    yield of_sizes(rng, 1, int(rng.integers(260, 280)), int(rng.integers(155, 165)), scale=0.1, rows=2)


def any_beam(rng):
    yield from many_beams(rng)
    yield from_behind(rng, 700, 5)
    for other in (sorting, adding):  # lists are handed out again
        yield from telling(models((700,), (0.0,), (4,), tilt=-0.5), other, 2)(rng)


def penalized(rng):
    yield from some_penalties(rng)
    yield from_behind(rng, 9, 5, alpha=1.0)
    for keep in (True, False):
        yield from telling(frequent_ends, other_places(keep), 4)(rng)
    for shift in (4, 6):
        yield from telling(some_penalties, functools.partial(search, shift=shift), 3)(rng)
    yield from models((1, 3), (2.0,), (1,), tilt=-3.0, cases=4)(rng)
    yield of_sizes(rng, 2, 5, int(rng.integers(8, 12)), alpha=1.5, rows=5)


def call_search(student, inputs):
    rows = inputs["table"].tolist()

    def log_p(prefix):
        if type(prefix) is not tuple:
            raise TypeError(f"log_p is a function of a tuple of tokens; it was given {prefix!r}")
        vocab = len(rows[0][0])
        before = (sum(prefix[:-1]) + len(prefix)) % vocab % len(rows) if len(prefix) > 1 else -1
        return rows[before][
            prefix[-1] % len(rows[0]) if prefix else -1
        ]  # the same list for all prefixes that end alike

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
    clauses={
        "with the empty prefix": "every case begins there",
        "every prefix in the beam": "greedy loses every part with several beams",
        "or all if there are fewer": "a part has a beam for every prefix",
        "which may therefore be smaller": "places_kept and fewer_beams lose the last part as well",
        "when the beam is empty": "two_at_least loses both parts in which texts are short",
        "with the highest *score*": ("penalty", "no_penalty"),
        "differ by little": ("beams", "float32"),
        "may hand out the same list": "adds_into_list and sorts_list lose every part",
        "a tuple of tokens, at first": "last_token_read loses every part",
        "natural log-probability": ("beams", "product"),
        "one for each token": "what the function is given",
        "an int, at least 1": "one beam is a part of its own",
        "number of tokens, at least 1": "one token is among the cases of three parts",
        "length penalty, 0 or more": "0 in three parts, 0.6 to 4 in the last",
        "a list of ints with": "end_cut loses every part",
    },
    parts=[
        Part(
            "greedy",
            3,
            "one beam, no penalty",
            call_search,
            inputs=one_beam,
            hints=(
                (
                    "Follow the case that is named with one beam: which token does each step take, after "
                    "how many steps does it end, and what is returned?"
                ),
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
                "Take the case that is told of: what does the beam hold after each step, and what "
                "is finished?",
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
            inputs=any_beam,
            hints=(
                "How many texts are finished in the end, and how many has the vocabulary made possible?",
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
                "Print score, length and log-probability of every finished text. Which should win?",
                "The beam is chosen by log-probability, the result among the finished texts by score.",
                "The end token belongs to the length. Is a longer text helped by your penalty?",
            ),
        ),
    ],
)

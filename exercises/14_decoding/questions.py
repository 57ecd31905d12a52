"""Exercises of chapter 14: filters, costs, a sampler to repair, a beam search, and what samples lose."""

import functools
import math

import numpy as np
import torch
from autograder.authoring import Part, Question, normal

SHAPES = [(2, 6), (1, 5), (4, 4), (3, 7), (2, 6), (5, 3), (120, 4), (2, 110), (3, 1)]


def rows(rng, scale=1.5):
    for batch, vocab in SHAPES:
        yield {"logits": normal(rng, batch, vocab, scale=scale)}


def tempered(rng):
    for case in rows(rng):
        yield {**case, "temperature": float(rng.choice([0.3, 0.6, 1.7, 3.0]))}
    for case in rows(rng):  # so cold that logits which are nearly equal differ
        yield {"logits": 0.004 * case["logits"], "temperature": 0.004}


def cut_by_number(rng):
    for case in rows(rng):
        yield {**case, "top_k": int(rng.integers(1, 5))}
    yield {"logits": normal(rng, 2, 3), "top_k": 7}


def cut_by_mass(rng):
    for case in rows(rng):
        yield {**case, "top_p": float(rng.uniform(0.3, 0.95))}
    for batch, vocab in [(30, 5), (40, 3)]:  # the sum of all, once rounded, may not reach it
        yield {"logits": normal(rng, batch, vocab), "top_p": 1 - 1e-9}
    yield {"logits": normal(rng, 3, 5) + torch.tensor([6.0, 0, 0, 0, 0]), "top_p": 0.4}


def cut_twice(rng):
    for case in rows(rng, 1.0):
        yield {
            **case,
            "temperature": float(rng.choice([0.5, 2.0, 3.0])),
            "top_k": int(rng.integers(2, 5)),
            "top_p": float(rng.uniform(0.5, 0.95)),
        }


def extreme(rng):
    """Another offset in each row; the differences are ordinary, or in the thousands."""
    for batch, vocab, gap in [(3, 5, 1.0), (2, 4, 1.0), (1, 6, 400.0), (3, 4, 900.0)]:
        offsets = torch.from_numpy(rng.choice([-4000.0, -1500.0, 1200.0, 3000.0], (batch, 1)))
        ranks = torch.from_numpy(np.stack([rng.permutation(vocab) for _ in range(batch)]))
        yield {"logits": offsets + gap * ranks, "temperature": 0.5}
        yield {"logits": offsets + gap * ranks, "temperature": 2.0, "top_k": 3, "top_p": 0.7}
        if gap == 1:
            yield {"logits": 20.0 * ranks - 9000.0, "temperature": 0.5, "top_k": 3}
        if gap > 1:  # so hot that probabilities matter that are 0 before the temperature
            yield {"logits": offsets + gap * ranks, "temperature": 300.0}


def call_filter(student, inputs):
    options = {name: inputs[name] for name in ("temperature", "top_k", "top_p") if name in inputs}
    return {"probabilities": student.next_distribution(inputs["logits"], **options)}


def next_distribution(logits, temperature=1.0, top_k=None, top_p=None):
    """One row at a time, from the most probable token on."""
    result = torch.zeros(logits.shape, dtype=torch.float64)
    for row, z in enumerate(logits.double() / temperature):
        p = (z - z.max()).exp()
        p = p / p.sum()
        order = p.argsort(descending=True).tolist()
        if top_k is not None:
            order = order[:top_k]
        whole = sum(p[i] for i in order)
        kept, reached = [], 0.0
        for i in order:
            kept.append(i)
            reached = reached + p[i] / whole
            if top_p is not None and reached >= top_p:
                break
        for i in kept:
            result[row, i] = p[i] / sum(p[j] for j in kept)
    return result


def chains(sizes, *, depends=True, ends=True, alike=False, loud=False, remembers=True):
    """Tables of the next token's logits; ``alike`` numbers are the same at each step of a row.

    Where nothing ``remembers``, they depend on the last token alone.
    """

    def draw(rng):
        for batch, time, vocab in sizes:
            table = rng.standard_normal((vocab, vocab)) * 1.5
            if not depends:
                table[:] = table[0]
            start, end = (int(i) for i in rng.choice(vocab, 2, replace=False))
            table[:, end] = 1.5 if ends else -40.0
            if loud:
                table = 1000.0 * table + rng.choice([-5000.0, 3000.0], (vocab, 1))
            uniforms = rng.uniform(0.02, 0.98, (batch, time))
            if alike:
                uniforms[:] = uniforms[:, :1]
            yield {
                "table": torch.from_numpy(table),
                "start": start,
                "end": end,
                "uniforms": torch.from_numpy(uniforms.astype(np.float32)),
                "remembers": remembers,
            }

    return draw


SIZES = [(3, 6, 5), (1, 7, 4), (5, 2, 3), (4, 4, 4), (3, 6, 5), (2, 1, 6), (110, 3, 4), (2, 104, 4)]
carried = chains(SIZES, ends=False, alike=True)
counted = chains(SIZES, depends=False, ends=False)
stopped = chains([(6, 8, 4), (9, 6, 3), (8, 8, 5)], alike=True, remembers=False)
every_chain = chains(SIZES)


def all_chains(rng):
    yield from every_chain(rng)
    yield from chains([(4, 5, 4), (1, 6, 5)], loud=True)(rng)
    yield from edges(rng)


def edges(rng):
    """Texts that are begun with the end token; numbers that are 0 where the first token is impossible."""
    for case in chains([(3, 6, 4), (1, 5, 3)])(rng):
        yield {**case, "start": case["end"]}
    for case in chains([(4, 5, 5), (2, 3, 4)])(rng):
        table, uniforms = case["table"].clone(), case["uniforms"].clone()
        table[:, 0] = -math.inf
        uniforms[::2] = 0.0
        yield {**case, "table": table, "uniforms": uniforms}
    for batch, time, vocab in [(3, 2, 5), (2, 3, 7)]:
        yield just_below(rng, batch, time, vocab)


def just_below(rng, batch, time, vocab):
    """Numbers just below 1, which the sum of all rounded probabilities of the first token does not exceed."""
    most = np.nextafter(np.float32(1), np.float32(0))
    while True:
        (case,) = chains([(batch, time, vocab)])(rng)
        table = 0.5 * case["table"]
        if case["end"] == vocab - 1:
            continue
        if table[case["start"]].float().softmax(0).cumsum(0)[-1] <= float(most):
            return {**case, "table": table, "uniforms": torch.full_like(case["uniforms"], float(most))}


def call_sample(student, inputs):
    read = []

    def step(token, state):
        # the state counts the tokens read and remembers the last but one
        read.append(token.tolist())
        count, before = state
        logits = inputs["table"][token]
        if count > 0 and inputs["remembers"]:
            logits = 0.5 * (logits + inputs["table"][before])
        return logits.float(), (count + 1, token)

    batch, time = inputs["uniforms"].shape
    first = torch.full((batch,), inputs["start"])
    tokens, total = student.sample(step, (0, first), inputs["start"], inputs["end"], inputs["uniforms"])
    written = np.array([np.asarray(row) for row in tokens])
    fed = all(np.array_equal(given, written[..., t]) for t, given in enumerate(read[1:time]))
    return {"tokens": tokens, "log-probabilities": total, "step reads the row as it is returned": fed}


def sample(step, state, start, end, uniforms):
    batch, time = uniforms.shape
    token, alive = torch.full((batch,), start), torch.ones(batch, dtype=torch.bool)
    total = torch.zeros(batch, dtype=torch.float64)
    tokens = torch.full((batch, time), end)
    for t in range(time):
        logits, state = step(token, state)
        p = logits.softmax(1)
        reached = p.cumsum(1) > uniforms[:, t, None]
        token = torch.where(reached.any(1), reached.long().argmax(1), p.shape[1] - 1)
        token = torch.where(alive, token, end)
        log_p = logits.double().log_softmax(1)
        total = total + torch.where(alive, log_p.gather(1, token[:, None])[:, 0], 0.0)
        tokens[:, t] = token
        alive = alive & (token != end)
    return tokens, total


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


def drawn_texts(rng):
    for n, time, vocab in [(4, 5, 3), (1, 4, 6), (6, 1, 4), (3, 3, 3), (4, 5, 3), (2, 105, 3), (110, 2, 3)]:
        logits = 1.5 * rng.standard_normal((n, time, vocab))
        allowed = rng.random((n, time, vocab)) < (0.97 if time > 50 else 0.8)
        tokens = rng.integers(0, vocab, (n, time))
        lengths = rng.integers(1, time + 1, n)
        yield {
            "logits": torch.from_numpy(logits),
            "tokens": torch.from_numpy(tokens),
            "allowed": torch.from_numpy(allowed),
            "lengths": torch.from_numpy(lengths),
            "temperature": float(rng.choice([0.5, 0.8, 1.5])),
        }


def loud_texts(rng):
    yield from drawn_texts(rng)
    for case, _ in zip(drawn_texts(rng), range(2)):
        offsets = torch.from_numpy(rng.choice([-3000.0, 2000.0], (*case["tokens"].shape, 1)))
        yield {**case, "logits": case["logits"] * 600 + offsets}


def call_measure(student, inputs):
    names = ("logits", "tokens", "allowed", "lengths", "temperature")
    return dict(student.measure(*(inputs[name] for name in names)))


def measure(logits, tokens, allowed, lengths, temperature):
    spent, wrong, count, fine = 0.0, 0.0, 0, 0
    for z, text, can, length in zip(logits / temperature, tokens, allowed, lengths.tolist()):
        log_q = (z - z.logsumexp(1, keepdim=True))[:length]
        places = torch.arange(length)
        spent = spent - log_q[places, text[:length]].sum().item()
        wrong = wrong + log_q.exp().masked_fill(can[:length], 0.0).sum().item()
        fine += bool(can[places, text[:length]].all())
        count += length
    return {"entropy": spent / count, "possible": fine / len(tokens), "mass": wrong / count}


def give_reports(student, inputs):
    return {
        f"{run}: {name}": student.report[run][name]
        for run in ("cold", "warm")
        for name in ("entropy", "possible", "mass")
    }


REPORT = {
    "cold": {"entropy": 0.7697898, "possible": 0.935, "mass": 0.006853046},
    "warm": {"entropy": 1.254941, "possible": 0.47, "mass": 0.08225449},
}

QUESTIONS = [
    Question(
        id="14.1",
        title="Filters",
        kind="implement",
        difficulty=1,
        minutes=20,
        reference={"next_distribution": next_distribution},
        exempt={
            "no gradient": "tokens are drawn from it; nothing trains through it",
            "a large negative number for minus infinity": "logits are in the thousands: -1e9 is as good",
            "masked after the normalization": "cut and rescaled is what the text asks for",
        },
        parts=[
            Part(
                "temperature",
                1,
                "without top_k and top_p",
                call_filter,
                inputs=tempered,
                hints=(
                    "Is a low temperature sharper than 1 in your answer, or flatter?",
                    "The logits are divided by the temperature, before the softmax over the vocabulary.",
                ),
            ),
            Part(
                "top-k",
                2,
                "with top_k alone",
                call_filter,
                inputs=cut_by_number,
                hints=(
                    "Does each row sum to 1, and has it as many tokens above 0 as it should?",
                    "Each row keeps its own most probable tokens, at the places where they were.",
                ),
            ),
            Part(
                "top-p",
                2,
                "with top_p alone",
                call_filter,
                inputs=cut_by_mass,
                hints=(
                    "Try the example of the text, with 0.79 and with 0.81.",
                    "The token that makes the sum reach top_p belongs to the set. The most probable one "
                    "always does.",
                    "A token is kept if the tokens before it have not reached top_p yet.",
                ),
            ),
            Part(
                "together",
                1,
                "with all three settings",
                call_filter,
                inputs=cut_twice,
                hints=(
                    "If a part before is lost, mend that first.",
                    "In which order are the settings applied? What does top_p sum up?",
                ),
            ),
            Part(
                "extremes",
                1,
                "logits in the thousands",
                call_filter,
                inputs=extreme,
                hints=(
                    "If a part before is lost, mend that first.",
                    "Exponentials may overflow. What may be subtracted from a row, and changes nothing?",
                    "A number that stands for minus infinity has to lie far below every logit.",
                ),
            ),
        ],
    ),
    Question(
        id="14.2",
        title="What decoding costs and prefers",
        kind="derive",
        difficulty=3,
        minutes=30,
        reference={
            "ratio": math.exp(2.5),
            "temperature": math.log(5 / 3, 2),
            "first": 0.5,
            "unspoiled": 0.988**80,
            "kept": 24_576_000,
            "products": 26_086_400,
            "alpha": math.log(1.5, 1.75),
            "empty": 61,
        },
        parts=[
            Part(
                "ratio",
                1,
                "the ratio at temperature 0.6",
                reads=("ratio",),
                hints=(
                    "What is the ratio of two probabilities of a softmax?",
                    "It is the exponential of the difference of what goes into the softmax.",
                ),
            ),
            Part(
                "temperature",
                1,
                "the temperature of twice",
                reads=("temperature",),
                hints=(
                    "What does a temperature do to a ratio of probabilities?",
                    "It raises it to the power 1/T. Take logarithms.",
                ),
            ),
            Part(
                "first",
                1,
                "the first of six tokens",
                reads=("first",),
                hints=(
                    "Which tokens are left after top_k, and with what probabilities?",
                    "top_p sums up the rescaled probabilities. How many tokens are needed?",
                ),
            ),
            Part(
                "unspoiled",
                1,
                "texts without an impossible token",
                reads=("unspoiled",),
                hints=(
                    "What is the probability that one token is possible?",
                    "All 80 have to be possible.",
                ),
            ),
            Part(
                "kept",
                1,
                "numbers in the cache",
                reads=("kept",),
                hints=(
                    "How wide is one head? How many heads of keys does a block keep?",
                    "Keys and values, each block, each token, each beam.",
                ),
            ),
            Part(
                "products",
                1,
                "multiplications of 200 tokens",
                reads=("products",),
                hints=(
                    "Which terms are the same at each step, and which one grows?",
                    "The numbers from 1 to 200 sum to 20,100.",
                ),
            ),
            Part(
                "alpha",
                1,
                "the length penalty of a tie",
                reads=("alpha",),
                hints=(
                    "Write the equation of the two scores. Which numbers cancel?",
                    "A ratio of the factors, to the power alpha, equals a ratio of the log-probabilities.",
                ),
            ),
            Part(
                "empty",
                1,
                "where the end alone wins",
                reads=("empty",),
                hints=(
                    "What is the probability of the right text of n tokens?",
                    "Take logarithms on both sides, and mind the sign when you divide.",
                ),
            ),
        ],
    ),
    Question(
        id="14.3",
        title="Repair a sampler",
        kind="repair",
        difficulty=2,
        minutes=20,
        reference={"sample": sample},
        exempt={
            "no gradient": "it samples; nothing trains through it",
            "sample: shifted by the largest of all rows": "logits come from step, not as an argument",
            "sample: change of argument state": "it is of any kind, here a tuple",
        },
        parts=[
            Part(
                "state",
                1,
                "a model that remembers, and no end",
                call_sample,
                inputs=carried,
                compare=("tokens", "log-probabilities"),
                hints=(
                    "What does the model know at the third step of the first token?",
                    "`step` returns a new state. Where does it go?",
                ),
            ),
            Part(
                "uniforms",
                1,
                "a model that forgets, and no end",
                call_sample,
                inputs=counted,
                compare=("tokens", "log-probabilities"),
                hints=(
                    "Are the tokens of one row all the same?",
                    "Each step has its own column of random numbers.",
                ),
            ),
            Part(
                "filled up",
                1,
                "texts that end: their tokens",
                call_sample,
                inputs=stopped,
                compare=("tokens",),
                hints=(
                    "What stands behind the first end token of a row?",
                    "Keep for each row whether it has drawn the end token, and put it wherever it has.",
                ),
            ),
            Part(
                "log-probability",
                1,
                "texts that end: their log-probabilities",
                call_sample,
                inputs=stopped,
                compare=("log-probabilities",),
                hints=(
                    "The end token counts, and what comes behind it does not.",
                    "Decide whether a row is over before you add the cost of a step, not after.",
                ),
            ),
            Part(
                "together",
                2,
                "all together",
                call_sample,
                inputs=all_chains,
                hints=(
                    "If a part before is lost, mend that first.",
                    "Follow one row by hand, step by step, until behind its end. What does `step` read?",
                    "What happens where a number is 0 and the first token impossible, where the rounded "
                    "probabilities do not sum to 1, where `start` is `end`? And 0 times minus infinity is "
                    "NaN.",
                ),
            ),
        ],
    ),
    Question(
        id="14.4",
        title="Beam search",
        kind="implement",
        difficulty=5,
        minutes=45,
        reference={"search": search},
        parts=[
            Part(
                "greedy",
                2,
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
                3,
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
    ),
    Question(
        id="14.5",
        title="Measure what samples lose",
        kind="experiment",
        difficulty=4,
        minutes=30,
        needs=("14.1",),
        reference={"measure": measure, "report": REPORT},
        parts=[
            Part(
                "entropy",
                2,
                "on small texts: the entropy",
                call_measure,
                inputs=loud_texts,
                compare=("entropy",),
                hints=(
                    "The tokens were drawn at a temperature. Do you score them with the same distribution?",
                    "A mean over tokens is not the mean over texts, and padding counts for nothing.",
                    "Is a number infinite? With logits in the thousands a probability rounds to 0, whose "
                    "logarithm is minus infinity. Take the logarithm of the softmax at once.",
                ),
            ),
            Part(
                "possible",
                1,
                "on small texts: the share of possible texts",
                call_measure,
                inputs=drawn_texts,
                compare=("possible",),
                hints=(
                    "One impossible token spoils its text. Which tokens of a text count?",
                    "It is a share of texts, not of tokens.",
                ),
            ),
            Part(
                "mass",
                2,
                "on small texts: the probability of impossible tokens",
                call_measure,
                inputs=loud_texts,
                compare=("mass",),
                hints=(
                    "It asks for probabilities at each place, whatever was drawn there.",
                    "Sum over the tokens that are not allowed, then take the mean over places that count.",
                ),
            ),
            Part(
                "reported numbers",
                2,
                "your run: both temperatures",
                give_reports,
                conceal=True,
                digits=5,
                requires=("entropy", "possible", "mass"),
                hints=(
                    "`cold` was drawn at 0.5 and `warm` at 1.",
                    "Copy five digits or more of each of the six numbers.",
                ),
            ),
        ],
    ),
]

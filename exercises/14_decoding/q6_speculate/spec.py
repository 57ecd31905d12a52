"""Question 14.6: Speculative sampling."""

import itertools

import numpy as np
import torch
from autograder.authoring import Part, Question, sizes

NEAR = 1e-3


def whole(rng, low, high):
    return int(rng.integers(low, high))


def rows(rng, count, vocab):
    """Distributions in which some tokens are impossible, where there are enough tokens."""
    weights = rng.exponential(size=(count, vocab))
    if vocab > 3:
        weights[rng.random((count, vocab)) < 0.2] = 0.0
        weights[:, int(rng.integers(vocab))] += 0.3
    return weights / weights.sum(1, keepdims=True)


def passes(rng, gamma, vocab, kept=None):
    """A pass in which that many guesses are kept, if it matters; no number is near to a limit."""
    while True:
        draft, target = rows(rng, gamma, vocab), rows(rng, gamma + 1, vocab)
        guesses = np.array([rng.choice(vocab, p=q) for q in draft], dtype=np.int64)
        uniforms = rng.random(gamma + 1)
        own, n = target[-1], gamma
        ratios = target[np.arange(gamma), guesses] / draft[np.arange(gamma), guesses]
        for i in range(gamma):
            if uniforms[i] >= ratios[i]:
                own, n = np.maximum(target[i] - draft[i], 0.0), i
                break
        sums = own.cumsum() / own.sum()
        near = [*np.abs(ratios - uniforms[:-1]), *np.abs(sums - uniforms[-1])]
        if min(near) < NEAR or (kept is not None and n != kept):
            continue
        return {
            "guesses": torch.from_numpy(guesses),
            "draft": torch.from_numpy(draft),
            "target": torch.from_numpy(target),
            "uniforms": torch.from_numpy(uniforms),
        }


def refused(rng):
    """Passes in which a guess is refused, after others that are kept and before others that would be."""
    for _ in range(2):
        for gamma, vocab in sizes(rng, gamma=(1, 6), vocab=(3, 6)):
            yield passes(rng, gamma, vocab, whole(rng, 0, gamma))
    for gamma, kept in [(3, 2), (6, 3), (5, 1)]:
        yield passes(rng, gamma, whole(rng, 4, 7), kept)


def refused_at_once(rng):
    for gamma, vocab in [*sizes(rng, gamma=(1, 3), vocab=(3, 8))] * 3:
        yield passes(rng, gamma, vocab, 0)
    yield many_guesses(rng, 3, 0)


def all_kept(rng):
    for gamma, vocab in [*sizes(rng, gamma=(0, 4), vocab=(3, 8))] * 3:
        yield passes(rng, gamma, vocab, gamma)
    yield refused_by_the_first(rng)


def refused_by_the_first(rng):
    """A pass that keeps all guesses, though the first number would refuse a later one."""
    while True:
        case = passes(rng, 3, 5, 3)
        places, y = torch.arange(1, 3), case["guesses"][1:]
        ratios = case["target"][places, y] / case["draft"][places, y]
        if (case["uniforms"][0] > ratios).any():
            return case


def many_guesses(rng, gamma, kept):
    """A pass of many guesses, of which so many are kept; each may be any of a few tokens."""
    draft, target = rows(rng, gamma, 6) + 0.02, rows(rng, gamma + 1, 6) + 0.02
    draft, target = draft / draft.sum(1, keepdims=True), target / target.sum(1, keepdims=True)
    guesses = np.array([rng.choice(6, p=q) for q in draft], dtype=np.int64)
    places = np.arange(gamma)
    uniforms = rng.random(gamma + 1)
    uniforms[:-1] *= 0.95 * np.minimum(target[places, guesses] / draft[places, guesses], 1.0)
    own, y = target[kept], guesses[kept : kept + 1]
    if kept < gamma:
        draft[kept] = 0.5 * np.roll(own, 1) + 0.1
        target[kept] = own = np.where(np.arange(6) == y, 0.1 * draft[kept], own + 0.1)
        draft[kept], target[kept] = draft[kept] / draft[kept].sum(), own / own.sum()
        uniforms[kept] = rng.uniform(0.5, 1.0)
        own = np.maximum(target[kept] - draft[kept], 0.0)
    other = np.where(np.arange(6) == y, 0.0, target[kept]) if kept < gamma else own[::-1]
    sums, others = (np.append(0.0, row.cumsum() / row.sum()) for row in (own, other))
    while True:  # neither the target without the guess nor its tokens backwards would draw the same
        j = int(rng.choice(np.flatnonzero(own > 0.05 * own.sum())))
        uniforms[-1] = sums[j] + rng.uniform(0.2, 0.8) * (sums[j + 1] - sums[j])
        if np.searchsorted(others, uniforms[-1]) != j + 1:
            break
    arrays = {"guesses": guesses, "draft": draft, "target": target, "uniforms": uniforms}
    return {name: torch.from_numpy(array) for name, array in arrays.items()}


def hardly_possible(rng):
    """A guess to which the target gives next to nothing, and the number 0, which keeps it."""
    case = passes(rng, 2, 5, 2)
    target, y = case["target"].clone(), case["guesses"][1]
    target[1, (y + 1) % 5] += target[1, y]
    target[1, y] = 1e-20
    uniforms = case["uniforms"].clone()
    uniforms[1] = 0.0
    return {**case, "target": target, "uniforms": uniforms}


def small_numbers(rng):
    """Numbers below a thousandth, just above what a guess and the target's own first token have."""
    case = passes(rng, 2, 5, 1)
    target, uniforms, y = case["target"] + 0.05, case["uniforms"].clone(), case["guesses"]
    target[1, y[1]] = 2e-4 * float(case["draft"][1, y[1]])
    target = target / target.sum(1, keepdim=True)
    uniforms[0], uniforms[1] = 0.0, rng.uniform(5e-4, 9e-4)
    return {**case, "target": target, "uniforms": uniforms}


def all_passes(rng):
    for gamma, vocab in sizes(rng, gamma=(0, 6), vocab=8, far={"gamma": 100, "vocab": 100}):
        yield passes(rng, gamma, vocab)
    yield passes(rng, 1, 4)
    while (case := passes(rng, 2, 300, 2))["guesses"].min() < 256:
        pass
    yield case
    yield from tiny(rng)
    gamma = whole(rng, 104, 120)
    yield many_guesses(rng, gamma, gamma)
    yield many_guesses(rng, gamma, gamma - whole(rng, 1, 4))
    yield hardly_possible(rng)
    yield small_numbers(rng)
    yield refused_by_the_first(rng)
    while True:  # the next number would draw another replacement than the last one
        case = passes(rng, 3, 5, 1)
        sums = (case["target"][1] - case["draft"][1]).clamp(min=0).cumsum(0)
        next_one, last = ((sums > u * sums[-1]).int().argmax() for u in case["uniforms"][2:])
        if next_one != last:
            yield case
            break
    for guess, number in [(0, 0.39), (0, 0.41), (1, 0.99)]:  # the example of the text
        yield {**example(), "guesses": torch.tensor([guess]), "uniforms": torch.tensor([number, 0.7])}
    for case in (passes(rng, 3, 5, 1), passes(rng, 2, 4, 2)):
        yield {name: value.float() if name != "guesses" else value for name, value in case.items()}
    for case in (passes(rng, 3, 6, 3), passes(rng, 2, 5, 2)):  # a draft that is the target
        draft = case["target"][:-1].clone()
        guesses = torch.from_numpy(np.array([rng.choice(len(q), p=q) for q in draft.numpy()]))
        yield {**case, "draft": draft, "guesses": guesses}
    for gamma, vocab in [(2, 6), (3, 5)]:  # guesses that the target cannot write, and numbers that are 0
        case = passes(rng, gamma, vocab, 1)
        target, y = case["target"].clone(), case["guesses"][1]
        target[1, y] = 0.0
        target[1, (y + 1) % vocab] += 0.1
        target[1] = target[1] / target[1].sum()
        uniforms = case["uniforms"].clone()
        uniforms[1:] = 0.0
        yield {**case, "target": target, "uniforms": uniforms}
    for case in (passes(rng, 1, 5, 1), passes(rng, 0, 4)):  # its own first token is impossible
        target = case["target"].clone()
        target[-1, 0], target[-1, 1] = 0.0, target[-1, 1] + 0.2
        target[-1] = target[-1] / target[-1].sum()
        uniforms = case["uniforms"].clone()
        uniforms[-1] = 0.0
        yield {**case, "target": target, "uniforms": uniforms}


def example():
    """The distributions of the text's example."""
    target = torch.tensor([[0.2, 0.5, 0.3], [0.1, 0.4, 0.5]], dtype=torch.float64)
    return {"draft": torch.tensor([[0.5, 0.5, 0.0]], dtype=torch.float64), "target": target}


def tiny(rng):
    """A guess of small probability, kept or refused by little; what replaces it has a small sum, too."""
    for share, number in [(0.75, 0.72), (0.5, 0.9)]:
        a, b, c, _ = order = rng.permutation(4)
        draft, target = np.zeros((1, 4)), np.tile([[0.1], [0.25]], 4)
        draft[0, order] = 2e-5, 0.3, 0.3, 0.39998
        target[0] = draft[0]
        target[0, a] *= share
        target[0, [b, c]] += 2e-5 * (1 - share) * np.array([0.4, 0.6])
        yield {
            "guesses": torch.tensor([a]),
            "draft": torch.from_numpy(draft),
            "target": torch.from_numpy(target),
            "uniforms": torch.tensor([number, 0.38 if b < c else 0.57], dtype=torch.float64),
        }


def on_a_grid(rng, gamma, vocab, size):
    """Distributions for which `size` numbers in equal distances give each token its exact share.

    Probabilities to be kept, shares of what replaces a guess and of the last token are multiples of 1/size.
    What replaces a guess has other shares in the target.
    """

    def shares(count):
        cuts = np.sort(rng.choice(np.arange(1, size), count - 1, replace=False))
        return np.diff([0, *cuts, size]) / size

    while True:
        draft, target = rng.dirichlet(np.full(vocab, 3.0), gamma), np.zeros((gamma + 1, vocab))
        target[-1], alike = shares(vocab), False
        for i in range(gamma):
            less, *more = rng.permutation(vocab)
            target[i] = draft[i]
            target[i, less] *= rng.integers(1, size // 2 + 1) / size
            own = shares(len(more))
            target[i, more] += (1 - target[i].sum()) * own
            other = np.round(size * target[i, more] / target[i, more].sum())
            alike = alike or (len(more) > 1 and np.array_equal(other, size * own))
        if not alike:
            return {"draft": torch.from_numpy(draft), "target": torch.from_numpy(target), "size": size}


def grids(rng):
    for gamma, vocab, size in [(1, 3, 8), (2, 2, 2), (1, 2, 4)]:
        yield on_a_grid(rng, gamma, vocab, size)


def pairs(rng):
    for gamma, vocab in sizes(rng, gamma=(0, 5), vocab=7, far={"gamma": 100, "vocab": 100}):
        draft, target = rows(rng, gamma, vocab), rows(rng, gamma + 1, vocab)
        if gamma > 100:
            draft = 0.03 * draft + 0.97 * target[:-1]
        yield {"draft": torch.from_numpy(draft), "target": torch.from_numpy(target)}
    yield example()
    small = np.array([[1.0, 8e-4, 0.0], [0.0, 7e-4, 1.0]])  # draft and target have hardly anything in common
    small /= small.sum(1, keepdims=True)
    yield {"draft": torch.from_numpy(small[:1].copy()), "target": torch.from_numpy(small[1:].repeat(2, 0))}


def call_speculate(student, inputs):
    found = student.speculate(*(inputs[name] for name in ("guesses", "draft", "target", "uniforms")))
    tokens = [int(token) for token in found]
    return {"tokens": tokens, "all but the last": tokens[:-1], "the last": tokens[-1:]}


def call_on_a_grid(student, inputs):
    draft, target, size = (inputs[name] for name in ("draft", "target", "size"))
    gamma, vocab = draft.shape
    shares = torch.zeros([vocab + 1] * (gamma + 1), dtype=torch.float64)
    numbers = (torch.arange(size, dtype=torch.float64) + 0.5) / size
    grid = torch.cartesian_prod(*[numbers] * (gamma + 1))
    for guesses in torch.cartesian_prod(*[torch.arange(vocab)] * gamma).reshape(-1, gamma):
        weight = draft[torch.arange(gamma), guesses].prod() / len(grid)
        for uniforms in grid:
            found = student.speculate(guesses.clone(), draft.clone(), target.clone(), uniforms.clone())
            tokens = [int(token) for token in found]
            if not (1 <= len(tokens) <= gamma + 1 and all(0 <= token < vocab for token in tokens)):
                return {"what it wrote": tokens}
            shares[(*tokens, *[vocab] * (gamma + 1 - len(tokens)))] += weight
    first = shares.reshape(vocab + 1, -1).sum(1)[:vocab]
    return {"shares of the first token": first, "shares of all outcomes": shares.flatten()}


def true_shares(inputs):
    """What is written has the target's distribution, and the pass ends where a guess is refused."""
    draft, target = inputs["draft"].numpy(), inputs["target"].numpy()
    gamma, vocab = draft.shape
    shares = np.zeros([vocab + 1] * (gamma + 1))
    for tokens in itertools.product(range(vocab), repeat=gamma):
        before = 1.0
        for i in range(gamma):  # the i guesses are kept, and at place i stands what replaces one
            if not any(tokens[i + 1 :]):
                own = before * max(target[i, tokens[i]] - draft[i, tokens[i]], 0.0)
                shares[(*tokens[: i + 1], *[vocab] * (gamma - i))] += own
            before *= min(draft[i, tokens[i]], target[i, tokens[i]])
        shares[tokens] += np.append(before * target[gamma], 0.0)
    return {"shares of the first token": target[0], "shares of all outcomes": shares.ravel()}


def call_length(student, inputs):
    return {"length": student.expected_length(inputs["draft"], inputs["target"])}


def speculate(guesses, draft, target, uniforms):
    p, q, u = target.tolist(), draft.tolist(), uniforms.tolist()
    written = []
    for i, y in enumerate(guesses.tolist()):
        if not u[i] < min(1.0, p[i][y] / q[i][y]):
            own = [max(a - b, 0.0) for a, b in zip(p[i], q[i])]
            break
        written.append(y)
    else:
        own = p[-1]
    total, j = own[0], 0
    while not total / sum(own) > u[-1]:
        j += 1
        total += own[j]
    return [*written, j]


def expected_length(draft, target):
    q, p = draft.tolist(), target.tolist()
    mean = 1.0
    for i in reversed(range(len(q))):
        mean = 1.0 + mean * sum(min(a, b) for a, b in zip(p[i], q[i]))
    return mean


QUESTION = Question(
    id="14.6",
    title="Speculative sampling",
    kind="implement",
    difficulty=4,
    minutes=35,
    reference={"speculate": speculate, "expected_length": expected_length},
    exempt={"clipped at 10": "all that it takes is probabilities, and numbers below 1"},
    clauses={
        "token 2 takes its place": "it is a case of two parts",
        "guess 1 is always kept": "it is a case of two parts",
        "writes 1.7 tokens": "it is a case of two parts",
        "(there may be none)": "no guess is a case of three parts",
        "If none is refused, one more token": "no_bonus loses every part in which all guesses are kept",
        "and one token of its own": "guess_kept_too and no_bonus lose three parts and more",
        "All chance comes from": "one_number loses every part with several guesses",
        "is kept if $u < a_i$": ("together", "impossible_kept"),
        "first token $j$ for which": ("together", "impossible_drawn"),
        "gives the probability 0": ("together", "impossible_kept"),
        "No number is so near": "it says what is not asked for",
        "mean number of tokens that one pass writes": ("length", "no_own_token"),
        "An example to check by hand": "it is a case of two parts",
        "with probability 0.4": "it is a case of two parts",
        "gamma may be 0": "no guess is a case of three parts",
        "1 to gamma + 1 whole numbers": ("together", "divisor_guarded"),
    },
    parts=[
        Part(
            "guesses kept",
            2,
            "a guess is refused: what is written before it, and no more than one token behind",
            call_speculate,
            inputs=refused,
            compare=("all but the last",),
            hints=(
                "For each guess print u, p(y) and q(y). Which guesses does the rule keep?",
                "A guess that the target likes better than the draft does is always kept. Another is kept "
                "the less often, the smaller p(y) is beside q(y).",
                "After a refusal nothing that was guessed later counts: it was guessed behind another text.",
            ),
        ),
        Part(
            "replacement",
            2,
            "the first guess is refused: what replaces it",
            call_speculate,
            inputs=refused_at_once,
            compare=("the last",),
            hints=(
                (
                    "Compute the replacement of the case by hand: which tokens have p above q, by how "
                    "much, what do these parts sum to, and which number draws one of them?"
                ),
                "The positive parts of p - q do not sum to 1. What has to happen before they are compared "
                "with a number between 0 and 1?",
                "The last of the uniforms draws the token, and the row is that of the refused guess.",
            ),
        ),
        Part(
            "all kept",
            1,
            "no guess is refused",
            call_speculate,
            inputs=all_kept,
            compare=("tokens",),
            hints=(
                (
                    "If all guesses are kept, how many tokens does the pass write, which row gives the "
                    "last of them, and which number draws it?"
                ),
                "The target's pass has also given the distribution behind the last guess. Which row is it?",
            ),
        ),
        Part(
            "together",
            1,
            "passes of any size, impossible tokens, and numbers that are 0",
            call_speculate,
            inputs=all_passes,
            compare=("tokens",),
            hints=(
                "Take the case that is told of: for each guess compare u times q(y) with p(y). "
                "Which token follows?",
                "With u = 0 an impossible token must neither be kept nor drawn. Is each of your two "
                "comparisons strict in the right direction?",
            ),
        ),
        Part(
            "distribution",
            1,
            "over all guesses and all numbers, what is written has the target's distribution",
            call_on_a_grid,
            inputs=grids,
            expected=true_shares,
            atol=1e-6,
            hints=(
                "Add up by hand for two tokens: how often is token 0 guessed and kept, how often does it "
                "replace a guess?",
                "A number that has refused a guess is known to be large. Can it still draw its replacement?",
            ),
        ),
        Part(
            "length",
            2,
            "the mean number of tokens that a pass writes",
            call_length,
            inputs=pairs,
            hints=(
                (
                    "Take two guesses: how likely is it that the first is kept, and that both are? How "
                    "many tokens are written in each event?"
                ),
                "The second guess counts only if the first was kept, too.",
                "Count the token that the pass writes by itself.",
            ),
        ),
    ],
)

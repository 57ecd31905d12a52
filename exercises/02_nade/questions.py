"""Exercises of chapter 2: the slides' NADE, its sampler, its cost, a leak, and a comparison in nats."""

import itertools
import math

import torch
from autograder.authoring import Part, Question, normal


def tokens_of(rng, vocab, *shape):
    return torch.from_numpy(rng.integers(0, vocab, shape))


def parameters(rng, p, k, d):
    return {
        "V": normal(rng, p, k, d),
        "c": normal(rng, p, k),
        "W": normal(rng, p, d, k),
        "b": normal(rng, p, d),
    }


def first_positions(rng):
    for batch, p, k, d in [(3, 4, 3, 2), (1, 2, 5, 4)]:
        yield {"tokens": tokens_of(rng, d, batch, 1), **parameters(rng, p, k, d)}


def whole_sequences(rng):
    for batch, p, k, d in [(4, 6, 3, 2), (2, 4, 2, 5), (1, 5, 4, 3), (3, 4, 4, 4), (2, 130, 2, 3)]:
        yield {"tokens": tokens_of(rng, d, batch, p), **parameters(rng, p, k, d)}


def sequences_with_large_sums(rng):
    """Whole sequences, and some whose hidden layers read sums of thousands, of both signs."""
    yield from whole_sequences(rng)
    yield {"tokens": tokens_of(rng, 3, 3, 6), **with_large_sums(parameters(rng, 6, 4, 3), "V")}


def with_large_sums(named, matrix):
    """Parameters of which one is large; c and it have few digits, so that no order of adding rounds."""
    return {**named, matrix: (1000 * named[matrix]).round(), "c": (64 * named["c"]).round() / 64}


def short_sequences(rng):
    for batch, time, p, k, d in [(3, 4, 7, 3, 2), (1, 2, 5, 2, 4)]:
        yield {"tokens": tokens_of(rng, d, batch, time), **parameters(rng, p, k, d)}


def long_enough(rng):
    for batch, p, k, d in [(2, 5, 3, 3), (1, 4, 4, 2)]:
        yield {"tokens": tokens_of(rng, d, batch, p), **parameters(rng, p, k, d)}


def unread_sequences(rng):
    """V is zero, so that no token matters."""
    for case in whole_sequences(rng):
        yield {**case, "V": torch.zeros_like(case["V"])}


def call_with_changed_tokens(student, inputs):
    """Change one token after another, and see which scores move."""
    rest = [inputs[name] for name in ("V", "c", "W", "b")]
    before = torch.as_tensor(student.nade_scores(inputs["tokens"], *rest)).detach()
    if before.shape != (*inputs["tokens"].shape, inputs["b"].shape[1]):
        return {"shape": list(before.shape)}
    moved = []
    for s in range(inputs["tokens"].shape[1]):
        changed = inputs["tokens"].clone()
        changed[:, s] = (changed[:, s] + 1) % inputs["b"].shape[1]
        after = torch.as_tensor(student.nade_scores(changed, *rest)).detach()
        moved.append(((after - before).abs() > 1e-5).any(0).any(-1))
    moved = torch.stack(moved)
    return {
        "shape": list(before.shape),
        "scores that move with their own token or a later one": int(moved.tril().sum()),
        "the first token moves the last scores": bool(moved[0, -1]),
    }


def call_scores(student, inputs):
    names = ("tokens", "V", "c", "W", "b")
    return {"scores": student.nade_scores(*(inputs[name] for name in names))}


def nade_scores(tokens, V, c, W, b):
    time = tokens.shape[1]
    V, c, W, b = (parameter[:time].double() for parameter in (V, c, W, b))
    columns = V[torch.arange(time), :, tokens]
    read = torch.cat([torch.zeros_like(columns[:, :1]), columns.cumsum(1)[:, :-1]], 1)
    return b + torch.einsum("tdk,ntk->ntd", W, torch.sigmoid(c + read)).cumsum(1)


def first_steps(rng):
    for p, k, d in [(3, 4, 2), (1, 2, 5), (3, 1, 2), (3, 4, 2)]:
        yield {
            "t": 0,
            "token": None,
            "read": torch.zeros(k),
            "written": torch.zeros(d),
            **parameters(rng, p, k, d),
        }


def later_steps(rng):
    for p, k, d, t in [(5, 4, 2, 3), (4, 2, 5, 1), (6, 3, 3, 5), (4, 1, 3, 2), (120, 2, 2, 110)]:
        yield {
            "t": t,
            "token": int(rng.integers(1, d)),
            "read": normal(rng, k),
            "written": normal(rng, d),
            **parameters(rng, p, k, d),
        }


def steps_with_large_sums(rng):
    """Sums of thousands, of both signs: in what is read, and in what is written for all tokens alike."""
    yield from later_steps(rng)
    case = next(later_steps(rng))
    yield {**case, "read": 1000 * torch.tensor([1.0, -1, 2, -2])}
    for sign in (1, -1):
        yield {**case, "written": case["written"] + sign * 1000}


def steps_after_zero(rng):
    """The token 0, which is not no token."""
    for case in later_steps(rng):
        yield {**case, "token": 0}


def call_step(student, inputs):
    names = ("t", "token", "read", "written", "V", "c", "W", "b")
    probabilities, read, written = student.sampling_step(*(inputs[name] for name in names))
    return {"probabilities": probabilities, "read": read, "written": written}


def call_cost(student, inputs):
    """A step with parameters for a thousand positions beside one with the few that it needs."""
    from torch.overrides import TorchFunctionMode

    class Count(TorchFunctionMode):
        numbers = 0

        def __torch_function__(self, func, types, args=(), kwargs=None):
            result = func(*args, **(kwargs or {}))
            given = {x.untyped_storage().data_ptr() for x in args if isinstance(x, torch.Tensor)}
            if isinstance(result, torch.Tensor) and result.untyped_storage().data_ptr() not in given:
                self.numbers += result.numel()
            return result

    names = ("t", "token", "read", "written", "V", "c", "W", "b")
    few = [inputs[name] for name in names]
    many = few[:4] + [x.repeat(1000 // len(x), *[1] * (x.ndim - 1)) for x in few[4:]]
    with Count() as count:
        long = student.sampling_step(*many)
    short = student.sampling_step(*few)
    other = student.sampling_step(few[0], 0, *few[2:])
    same = [torch.allclose(torch.as_tensor(a), torch.as_tensor(b)) for a, b in zip(long, short)]
    moves = [not torch.allclose(torch.as_tensor(a), torch.as_tensor(b)) for a, b in zip(short, other)]
    return {
        "the same as with few parameters": same,
        "the token matters": moves[1],
        "the step computes more than a thousand numbers": count.numbers > 1000,
    }


def sampling_step(t, token, read, written, V, c, W, b):
    read, written = read.double(), written.double()
    if token is not None:
        read = read + V[t - 1, :, token].double()
    written = written + W[t].double() @ torch.sigmoid(c[t].double() + read)
    return torch.softmax(b[t].double() + written, 0), read, written


def images(rng, shapes, scale=1.0):
    """Sequences with gaps: what stands in ``tokens`` at a missing place is arbitrary."""
    for time, p, k, d, missing in shapes:
        known = torch.ones(time, dtype=torch.bool)
        known[torch.from_numpy(rng.permutation(time)[:missing])] = False
        named = {name: scale * value for name, value in parameters(rng, p, k, d).items()}
        yield {"tokens": tokens_of(rng, d, time), "known": known, **named}


def whole_images_only(rng):
    yield from images(rng, [(5, 5, 3, 3, 0), (3, 6, 2, 4, 0), (1, 2, 2, 2, 0), (1, 1, 3, 2, 0)])


def images_with_gaps(rng):
    yield from images(
        rng,
        [
            (5, 5, 3, 2, 3),
            (4, 6, 2, 4, 2),
            (1, 3, 4, 3, 1),
            (4, 4, 3, 2, 4),
            (5, 5, 3, 2, 3),
            (4, 4, 1, 3, 1),
            (1, 1, 3, 2, 1),
            (4, 5, 3, 3, 2),
        ],
    )
    yield from images(rng, [(5, 110, 2, 2, 2)])


def images_cut_off(rng):
    """What is missing is missing at the end."""
    for case in images(rng, [(5, 5, 3, 2, 0), (4, 5, 2, 3, 0), (6, 6, 4, 2, 0)]):
        case["known"][-int(rng.integers(1, 4)) :] = False
        yield case


def improbable_images(rng):
    """Probabilities far below the least positive float64; scores and sums are in the thousands.

    Known tokens are hard to believe, missing ones hard to guess; another number is added to the scores of
    each position, for all tokens alike.
    """
    shapes = [(30, 30, 4, 3, 2), (24, 26, 2, 2, 4), (20, 22, 3, 3, 0), (22, 22, 3, 2, 2)]
    for number, case in enumerate(images(rng, shapes, scale=0.5)):
        known = case["known"]
        named = {name: case[name] for name in ("V", "c", "W", "b")}
        if number > 1:
            named = with_large_sums(named, "V")
        time, vocab = len(known), case["b"].shape[1]
        named["b"][:time][known] *= 100
        likely = named["b"][:time].argmax(-1)
        tokens = (likely + torch.from_numpy(rng.integers(1, vocab, time))) % vocab
        signs = torch.from_numpy(rng.choice([-1.0, 1.0], (len(named["b"]), 1)))
        named["b"] += (signs * torch.from_numpy(rng.uniform(1000, 1500, signs.shape))).float()
        yield {**case, **named, "tokens": tokens}


def call_evidence(student, inputs):
    names = ("tokens", "known", "V", "c", "W", "b")
    return {"log_evidence": student.log_evidence(*(inputs[name] for name in names))}


def call_fill_in(student, inputs):
    names = ("tokens", "known", "V", "c", "W", "b")
    return {"probabilities": student.fill_in(*(inputs[name] for name in names))}


def call_both(student, inputs):
    arguments = [inputs[name] for name in ("tokens", "known", "V", "c", "W", "b")]
    return {
        "log_evidence": student.log_evidence(*arguments),
        "probabilities": student.fill_in(*[x.clone() for x in arguments]),
    }


def completions(tokens, known, V, c, W, b):
    """Every filling of the gaps, with its log-probability."""
    gaps = (~known).nonzero()[:, 0]
    fillings = list(itertools.product(range(b.shape[1]), repeat=len(gaps)))
    rows = tokens.repeat(len(fillings), 1)
    rows[:, gaps] = torch.tensor(fillings, dtype=torch.long)
    log_probs = torch.log_softmax(nade_scores(rows, V, c, W, b), -1)
    return rows, log_probs.gather(2, rows[..., None])[..., 0].sum(1)


def log_evidence(tokens, known, V, c, W, b):
    return completions(tokens, known, V, c, W, b)[1].logsumexp(0)


def fill_in(tokens, known, V, c, W, b):
    rows, log_probs = completions(tokens, known, V, c, W, b)
    one_hot = torch.nn.functional.one_hot(rows, b.shape[1])
    return (log_probs.softmax(0)[:, None, None] * one_hot).sum(0)


def binary(rng, shapes):
    for batch, time, k in shapes:
        yield {
            "x": tokens_of(rng, 2, batch, time),
            "W": normal(rng, time, k),
            "c": normal(rng, k),
            "V": normal(rng, time, k),
            "b": normal(rng, time),
            "upstream": normal(rng, batch, time),
        }


def binary_without_bias(rng):
    for case in binary(rng, [(4, 6, 3), (2, 3, 5), (3, 1, 4), (4, 6, 3), (2, 5, 1), (2, 130, 2)]):
        case["x"][:, 0] = 1
        yield {**case, "c": torch.zeros_like(case["c"])}


def binary_blank(rng):
    for case in binary(rng, [(2, 5, 3), (1, 4, 2)]):
        yield {**case, "x": torch.zeros_like(case["x"])}


def binary_to_train_on(rng):
    """Everything together; then sums in the thousands and log-odds in the hundreds, of both signs."""
    yield from binary(rng, [(4, 6, 3), (1, 5, 2), (3, 4, 4), (2, 110, 2)])
    for case in binary(rng, [(4, 6, 3)]):
        yield with_large_sums(case, "W")
    # log-odds beyond those whose probability rounds to 0 or 1
    for case in binary(rng, [(3, 5, 4)]):
        yield {**case, "b": 100 * case["b"]}


def call_log_odds(student, inputs):
    return {"log_odds": student.log_odds(*(inputs[name] for name in ("x", "W", "c", "V", "b")))}


def call_backward(student, inputs):
    leaves = {name: inputs[name].clone().requires_grad_() for name in ("W", "c", "V", "b")}
    values = torch.as_tensor(student.log_odds(inputs["x"], *leaves.values()))
    if values.requires_grad:
        (values * inputs["upstream"]).sum().backward()
    unused = {name: torch.zeros_like(leaf) for name, leaf in leaves.items() if leaf.grad is None}
    gradients = {f"gradient of {name}": unused.get(name, leaf.grad) for name, leaf in leaves.items()}
    return {"log_odds": values, **gradients}


def log_odds(x, W, c, V, b):
    W, c, V, b = W.double(), c.double(), V.double(), b.double()
    terms = torch.nn.functional.pad(x[..., None] * W, (0, 0, 1, 0))[:, :-1]
    return b + (V * torch.sigmoid(c + terms.cumsum(1))).sum(-1)


def made_up_images(rng):
    """Log-probabilities of images of a few pixels, and of so many that exp of them is zero; with ties."""
    for images, n_pixels, level in [(7, 9, 4.0), (1, 100, 60.0), (12, 2000, 800.0)]:
        rows = -torch.from_numpy(rng.uniform(level, level + 3, (3, images)))
        if images > 1:
            rows[2, -2:] = rows[1, -2:] + torch.tensor([0.0, 0.5])
        named = dict(zip(("independent", "regression", "nade"), rows, strict=True))
        yield {**named, "n_pixels": n_pixels}


def call_measure(student, inputs):
    names = ("independent", "regression", "nade", "n_pixels")
    return dict(student.measure(*(inputs[name] for name in names)))


def measure(independent, regression, nade, n_pixels):
    losses = {"independent": independent, "regression": regression, "nade": nade}
    found = {name: -math.fsum(log_probs.tolist()) / len(log_probs) for name, log_probs in losses.items()}
    return {
        **found,
        "gain": found["regression"] - found["nade"],
        "bits": found["nade"] / math.log(2) / n_pixels,
        "wins": sum(a > b for a, b in zip(nade.tolist(), regression.tolist())) / len(nade),
    }


def give_reported_losses(student, inputs):
    return {name: student.report[name] for name in ("independent", "regression", "nade")}


def give_reported_comparison(student, inputs):
    return {name: student.report[name] for name in ("gain", "bits", "wins")}


P, K, D = 100, 30, 7

QUESTIONS = [
    Question(
        id="02.1",
        title="The slides' NADE",
        kind="implement",
        difficulty=3,
        minutes=25,
        reference={"nade_scores": nade_scores},
        parts=[
            Part(
                "first",
                1,
                "the first scores, which read nothing",
                call_scores,
                inputs=first_positions,
                hints=(
                    "Write the two equations for t = 1. Which of the sums is empty, and which has one term?",
                    "h_1 is the sigmoid of c_1, and f_1 reads h_1.",
                    "A sequence of one token uses the first of the parameters, whatever p is.",
                ),
            ),
            Part(
                "causal",
                1,
                "scores change with the tokens before them, and with no other",
                call_with_changed_tokens,
                inputs=long_enough,
                hints=(
                    "Change one token, and see which scores move. Those of its own position should not.",
                    "The sum over s < t ends before t: the hidden layer at t must not have read x_t.",
                    "A token is read after the scores of its position are finished.",
                ),
            ),
            Part(
                "written",
                1,
                "what the hidden layers write, when V is zero and no token matters",
                call_scores,
                inputs=unread_sequences,
                hints=(
                    "With V = 0 only c, W and b are left. Compute f_2 by hand.",
                    "f_t adds up W_s h_s over all s up to t, and b_t once.",
                    "Each position has its own c_t and b_t: which of them does your code use at t = 2?",
                ),
            ),
            Part(
                "values",
                2,
                "the scores of whole sequences, with sums of thousands too",
                call_scores,
                inputs=sequences_with_large_sums,
                hints=(
                    "What is read and what is written are right by themselves. Is V_s x_s the column of V_s "
                    "that the token picks?",
                    "V[s] has the shape (k, d), and a token is an index from 0 to d - 1. W[s] has the shape "
                    "(d, k), which is easily confused where k = d.",
                    "exp(1000) is infinite, and infinity over infinity is NaN. PyTorch has the sigmoid.",
                ),
            ),
            Part(
                "short",
                1,
                "sequences shorter than p",
                call_scores,
                inputs=short_sequences,
                hints=(
                    "Which of the p parameters should a sequence of four tokens use?",
                    "Position t uses the parameters at t, whether the sequence ends early or not.",
                ),
            ),
        ],
        exempt={"no gradient": "the text asks for scores; nothing trains through them here"},
    ),
    Question(
        id="02.2",
        title="One step of the sampler",
        kind="implement",
        difficulty=3,
        minutes=20,
        reference={"sampling_step": sampling_step},
        parts=[
            Part(
                "first",
                1,
                "the first step, without a token",
                call_step,
                inputs=first_steps,
                hints=(
                    "At t = 0 no token has been drawn. What is read, then?",
                    "The step still writes: what is written afterwards is W_0 h_0, and the probabilities "
                    "are a softmax.",
                    "The two sums contain no biases: c_t and b_t are added where they are used, at this "
                    "step only.",
                ),
            ),
            Part(
                "sums",
                1,
                "a later step: what has been read and written after it",
                call_step,
                inputs=later_steps,
                compare=("read", "written"),
                hints=(
                    "The token belongs to position t - 1. Which matrix reads it?",
                    "Which of the two sums feeds h_t, and which does h_t feed? h_t reads the token as well: "
                    "first read, then write.",
                    "What is read is a sum of columns of V, what is written a sum of W_s h_s: no bias is in "
                    "them.",
                ),
            ),
            Part(
                "probabilities",
                1,
                "a later step: the probabilities of the next token, with scores of thousands too",
                call_step,
                inputs=steps_with_large_sums,
                rtol=1e-3,
                compare=("probabilities",),
                hints=(
                    "They are positive and add up to 1. Do yours?",
                    "f_t has the sum over all s up to t, which is what is written after this step, and b_t.",
                    "exp(1000) is infinite, and exp(-1000) is zero. PyTorch's softmax subtracts the largest "
                    "score first.",
                ),
            ),
            Part(
                "token 0",
                1,
                "a later step after the token 0, which is a token like others",
                call_step,
                inputs=steps_after_zero,
                hints=(
                    "What does `if token:` say of the token 0?",
                    "None means that there is no token; 0 is the first one of the vocabulary.",
                ),
            ),
            Part(
                "cost",
                1,
                "a step costs the same however many positions there are",
                call_cost,
                inputs=later_steps,
                hints=(
                    "Which matrices does a step need? It should touch no others, not even to copy them.",
                    "V[t - 1] and W[t] are two matrices of k times d numbers. Convert or multiply these, not "
                    "all p of them.",
                ),
            ),
        ],
        exempt={
            "no gradient": "the text asks for a step of the sampler; nothing trains through it",
            "logarithm of a probability": "the answer is a probability: what is lost is less than 1e-12",
        },
    ),
    Question(
        id="02.3",
        title="What it costs",
        kind="derive",
        difficulty=2,
        minutes=20,
        reference={
            "parameters": 2 * P * K * D + P * K + P * D,
            "naive": P * P * K * D,
            "shared": (2 * P - 1) * K * D,
            "indexed": P * K * D,
        },
        parts=[
            Part(
                "parameters",
                1,
                "the number of parameters",
                reads=("parameters",),
                hints=(
                    "What are the shapes of V, c, W and b, each with all its positions?",
                    "V has p matrices of k rows and d columns. Count the entries of all four, and add.",
                ),
            ),
            Part(
                "naive",
                2,
                "multiplications of the equations as they stand",
                reads=("naive",),
                hints=(
                    "How many products V_s x_s does f_t need at t = 1, 2, 3, and how many W_s h_s?",
                    "Add up t - 1 and t over all t from 1 to p, and multiply by what one product costs.",
                    "The sum of the numbers from 1 to p is p (p + 1) / 2.",
                ),
            ),
            Part(
                "shared",
                1,
                "multiplications with running sums",
                reads=("shared",),
                hints=(
                    "With running sums, how often is each matrix used?",
                    "Nobody reads the last token: one of the V is never used.",
                ),
            ),
            Part(
                "indexed",
                1,
                "multiplications with running sums and indices",
                reads=("indexed",),
                hints=(
                    "How many multiplications does it take to pick a column of a matrix?",
                    "The W are multiplied as before.",
                ),
            ),
        ],
    ),
    Question(
        id="02.4",
        title="Repair a NADE that is too good",
        kind="repair",
        difficulty=3,
        minutes=20,
        reference={"log_odds": log_odds},
        parts=[
            Part(
                "history",
                2,
                "each position reads the tokens before it, and no other (c is zero here)",
                call_log_odds,
                inputs=binary_without_bias,
                hints=(
                    "Change x_t: do the log-odds at t change?",
                    "cumsum at t includes the term of t. How many terms has the sum over s < t?",
                    "At the first position nothing has been read.",
                ),
            ),
            Part(
                "bias",
                1,
                "blank images, where only the biases count",
                call_log_odds,
                inputs=binary_blank,
                hints=(
                    "For a blank image h_t is the sigmoid of c at every position. What is added up in your "
                    "code?",
                    "A constant inside a running sum is counted once more at each position.",
                ),
            ),
            Part(
                "training",
                1,
                "both repaired: the log-odds, and their gradients for W, c, V and b",
                call_backward,
                inputs=binary_to_train_on,
                hints=(
                    "If another part is lost, mend that first: this one needs both repairs.",
                    "Call backward on your answer, each number times one of its own. Which of the parameters "
                    "has no gradient?",
                    "A gradient ends where a tensor is detached or becomes a NumPy array. It is NaN where "
                    "infinity was divided by infinity, and exp(1000) is infinite.",
                ),
            ),
        ],
    ),
    Question(
        id="02.5",
        title="NADE against logistic regressions",
        kind="experiment",
        difficulty=3,
        minutes=30,
        reference={
            "measure": measure,
            "report": {
                "independent": 25.217354,
                "regression": 18.539444,
                "nade": 18.073141,
                "gain": 0.466303,
                "bits": 0.407406,
                "wins": 0.6275,
            },
        },
        exempt={"more than a hundred": "the reported run has four hundred images"},
        parts=[
            Part(
                "losses",
                1,
                "on made-up log-probabilities: the three mean losses",
                call_measure,
                inputs=made_up_images,
                compare=("independent", "regression", "nade"),
                hints=(
                    "log_prob gives one number per image, in nats. Is a loss positive or negative?",
                    "A loss in nats per image is minus the mean over the images, whatever their number.",
                ),
            ),
            Part(
                "gain and bits",
                1,
                "on made-up log-probabilities: gain and bits",
                call_measure,
                inputs=made_up_images,
                rtol=1e-3,
                compare=("gain", "bits"),
                hints=(
                    "gain is a difference of two of your losses. Is it positive when NADE is better?",
                    "Bits are nats divided by ln 2, and bits per dimension divide by the number of pixels "
                    "as well.",
                    "Do the log-probabilities come from images of 64 pixels here? n_pixels says it.",
                ),
            ),
            Part(
                "wins",
                1,
                "on made-up log-probabilities: the fraction of images on which NADE is better",
                call_measure,
                inputs=made_up_images,
                compare=("wins",),
                hints=(
                    "Compare the two models image by image: which gives the higher log-probability?",
                    "Compare the logarithms: exp(-800) is zero. Images on which both are equal are no wins.",
                    "A fraction is a number from 0 to 1: divide by the number of images.",
                ),
            ),
            Part(
                "reported losses",
                1,
                "your run: the three test losses, and `losses` above",
                give_reported_losses,
                conceal=True,
                digits=5,
                requires=("losses",),
                hints=(
                    "Train on train, choose the step on valid, report on test: `train_and_test` does all "
                    "three. Its answers are what `measure` takes.",
                    "TiedBinaryNADE has 64 pixels and 30 hidden units, a learning rate of 0.03, and the "
                    "generator of the text; BernoulliPixels is fitted to train.",
                    "Make a new model before you train again: a model that was trained goes on from "
                    "where it stopped.",
                ),
            ),
            Part(
                "reported comparison",
                1,
                "your run: gain, bits and wins, and `gain and bits` and `wins` above",
                give_reported_comparison,
                conceal=True,
                digits=3,
                requires=("gain and bits", "wins"),
                hints=(
                    "Do the reported numbers come from the same call of `measure` as the losses?",
                    "The digits have 64 pixels, and there are 400 test images.",
                ),
            ),
        ],
    ),
    Question(
        id="02.6",
        title="Fill in what is missing",
        kind="implement",
        difficulty=4,
        minutes=40,
        reference={"log_evidence": log_evidence, "fill_in": fill_in},
        needs=("02.1",),
        parts=[
            Part(
                "known",
                1,
                "nothing is missing: the log-probability of the sequence",
                call_evidence,
                inputs=whole_images_only,
                hints=(
                    "The scores at t predict tokens[t], by a softmax over the vocabulary.",
                    "The log-probability of a sequence is the sum of the log-probabilities of its tokens.",
                    "Your nade_scores takes a batch: one sequence is a batch of one.",
                ),
            ),
            Part(
                "evidence",
                2,
                "the log-probability of the known tokens",
                call_evidence,
                inputs=images_with_gaps,
                hints=(
                    "With one missing token of a vocabulary of two there are two complete sequences. What "
                    "is the "
                    "probability that one of them occurs?",
                    "Probabilities of sequences that exclude each other are added: not their logarithms, "
                    "not their mean.",
                    "If everything is missing, the answer is the logarithm of 1.",
                ),
            ),
            Part(
                "tail",
                1,
                "what is missing is the end: probabilities for each place",
                call_fill_in,
                inputs=images_cut_off,
                hints=(
                    "Known places are certain: their rows hold a 1 and zeros. The others sum to 1.",
                    "A completion counts as much as it is probable, not as much as any other.",
                    "The probability of a token at a place is the share of the completions that have it "
                    "there.",
                ),
            ),
            Part(
                "marginals",
                2,
                "gaps anywhere: probabilities for each place",
                call_fill_in,
                inputs=images_with_gaps,
                hints=(
                    "Does your answer at a gap change when a known token *behind* it changes? It should.",
                    "Weigh whole sequences, not beginnings: the probability of what comes later depends on "
                    "the filling.",
                    "The weights of the completions are a softmax of their log-probabilities.",
                ),
            ),
            Part(
                "improbable",
                1,
                "sequences whose probability vanishes in floating point",
                call_both,
                inputs=improbable_images,
                rtol=1e-4,
                atol=3e-3,
                hints=(
                    "If another part is lost, mend that first. Then print the log-probabilities of the "
                    "completions.",
                    "exp(-1000) is zero, and so is a sum of such numbers. Stay with logarithms.",
                    "Both the log of a sum of exponentials and the softmax stay the same up to a number "
                    "that is subtracted.",
                ),
            ),
        ],
        exempt={
            "no gradient": "the question infers with a model that has been trained",
            **{
                f"fill_in: without mask and option: {way}": "nothing is missing, so no exponential is needed"
                for way in (
                    "no shift in float64",
                    "shifted where positive",
                    "shifted where negative",
                    "shifted by the largest of all rows",
                    "cut off at 80",
                    "logarithm of a probability",
                    "an exponential over one plus itself",
                )
            },
        },
    ),
]

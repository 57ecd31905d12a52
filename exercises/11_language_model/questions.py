"""Exercises of chapter 11: sizes and units, the loss, a scorer, a tied gradient, learning and counting."""

import math

import torch
from autograder.authoring import Part, Question, normal

CROSS_ENTROPIES = (
    "torch.nn.functional.cross_entropy",
    "torch.nn.CrossEntropyLoss",
    "torch.nn.functional.nll_loss",
    "torch.nn.NLLLoss",
    # what these call
    "torch._C._nn.cross_entropy_loss",
    "torch._C._nn.nll_loss",
    "torch._C._nn.nll_loss2d",
    "torch._C._nn.nll_loss_nd",
    "torch.ops.aten.cross_entropy_loss",
    "torch.ops.aten.nll_loss",
    "torch.ops.aten.nll_loss2d",
    "torch.ops.aten.nll_loss2d_forward",
    "torch.ops.aten.nll_loss_forward",
    "torch.ops.aten.nll_loss_nd",
)
AUTOGRAD = (
    "torch.autograd.grad",
    "torch.autograd.backward",
    "torch.Tensor.backward",
    "torch.autograd.functional.vjp",
    "torch.autograd.functional.jvp",
    "torch.autograd.functional.jacobian",
    "torch.autograd.forward_ad.make_dual",
    "torch.func.grad",
    "torch.func.grad_and_value",
    "torch.func.vjp",
    "torch.func.jvp",
    "torch.func.jacrev",
    "torch.func.jacfwd",
    "torch.func.linearize",
)
PADDING = -100

SIZES = [(2, 3, 4, 5), (1, 4, 3, 7), (3, 1, 2, 6), (2, 5, 5, 5), (1, 1, 3, 4), (3, 3, 3, 3), (2, 3, 4, 5)]
LONG = [(1, 103, 3, 4), (104, 2, 2, 5), (2, 2, 2, 105), (1, 2, 106, 3)]


def one_of(rng, vocab, *shape):
    return torch.from_numpy(rng.integers(0, vocab, shape))


def outputs(rng, scale=1.0):
    """Batch, time, width and vocabulary; each case with an upstream gradient."""
    for batch, time, d, vocab in SIZES + LONG:
        yield {
            "z": scale * normal(rng, batch, time, d) / d**0.5,
            "E": normal(rng, vocab, d),
            "targets": one_of(rng, vocab, batch, time),
            "upstream": 0.5 + float(rng.random()),
        }


def padded(rng, scale=1.0):
    """Some targets are padding, at the ends or in the middle, and one row may have none left."""
    for n, case in enumerate(outputs(rng, scale)):
        batch, time = case["targets"].shape
        hidden = torch.from_numpy(rng.random((batch, time)) < 0.5)
        if n % 3 == 0 and batch > 1:
            hidden[1] = True
        hidden[0, int(rng.integers(time))] = False
        yield {**case, "targets": case["targets"].masked_fill(hidden, PADDING)}


def extreme(rng):
    """Scores in the thousands, in both directions, with another offset at each place.

    In the last cases they are a thousand apart, and one target has the least of them.
    """
    kinds = [(2, 3, 4, 5, 15.0), (1, 4, 3, 6, 15.0), (3, 2, 4, 4, 15.0), (2, 5, 2, 5, 15.0)]
    for batch, time, d, vocab, scale in [*kinds, (2, 3, 3, 5, 600.0), (1, 4, 4, 6, 600.0)]:
        z = scale * normal(rng, batch, time, d)
        offset = 1500.0 * torch.from_numpy(rng.choice([-2.0, -1.0, 1.0, 2.0], (batch, time, 1))).float()
        table, targets = normal(rng, vocab, d), one_of(rng, vocab, batch, time)
        if scale > 100:
            targets[0, 0] = (table @ z[0, 0]).argmin()
        yield {
            "z": torch.cat([z, offset], dim=2),
            "E": torch.cat([table, torch.ones(vocab, 1)], dim=1),
            "targets": targets,
            "upstream": 0.5 + float(rng.random()),
        }


def extreme_padded(rng):
    for case in extreme(rng):
        targets = case["targets"].clone()
        targets[:, -1] = PADDING
        yield {**case, "targets": targets}
    yield from extreme(rng)
    yield from saturated(rng)


def saturated(rng):
    """Scores that are whole multiples of thousands, exact in every precision."""
    for batch, time, d, vocab in SIZES[:4]:
        yield {
            "z": 2000.0 * (one_of(rng, 9, batch, time, d) - 4).float(),
            "E": (one_of(rng, 5, vocab, d) - 2).float(),
            "targets": one_of(rng, vocab, batch, time),
            "upstream": 0.5 + float(rng.random()),
        }


def all_targets(rng):
    yield from outputs(rng)
    yield from padded(rng)


def call_loss(student, inputs):
    return {"loss": student.next_token_loss(inputs["z"], inputs["E"], inputs["targets"])}


def call_large(student, inputs):
    z, E = (inputs[name].clone().requires_grad_() for name in ("z", "E"))
    loss = student.next_token_loss(z, E, inputs["targets"])
    if loss.requires_grad:
        loss.sum().backward()
    gradients = [leaf.grad for leaf in (z, E) if leaf.grad is not None]
    return {"loss": loss.detach(), "gradients are finite": all(bool(g.isfinite().all()) for g in gradients)}


def call_loss_backward(student, inputs):
    leaves = {name: inputs[name].clone().requires_grad_() for name in ("z", "E")}
    loss = student.next_token_loss(leaves["z"], leaves["E"], inputs["targets"])
    (inputs["upstream"] * loss).sum().backward()
    unused = {name: torch.zeros_like(leaf) for name, leaf in leaves.items() if leaf.grad is None}
    return {f"gradient of {name}": unused.get(name, leaf.grad) for name, leaf in leaves.items()}


def next_token_loss(z, E, targets):
    scores = z.double() @ E.double().T
    log_probs = scores - scores.logsumexp(dim=-1, keepdim=True)
    counts = (targets != PADDING).double()
    chosen = log_probs.gather(2, targets.clamp(min=0)[..., None])[..., 0]
    return -(chosen * counts).sum() / counts.sum()


TEXTS = [(12, 4, 5), (6, 2, 3), (9, 3, 4), (10, 5, 6), (8, 1, 4), (20, 4, 7), (8, 4, 4), (110, 10, 5)]


def texts(rng, *, whole, same_length, same_scores):
    """A text of each size, and the parameters of a model that averages what its window holds."""
    for tokens, context, vocab in TEXTS:
        size = tokens if whole or context == 1 else tokens - int(rng.integers(1, context))
        stream = one_of(rng, vocab, max(1, size))
        lengths = torch.ones(vocab, dtype=torch.long) if same_length else 1 + one_of(rng, 6, vocab)
        yield {
            "stream": stream,
            "lengths": lengths,
            "context": context,
            "start": int(rng.integers(vocab)),
            "read": 0.0 * normal(rng, vocab, vocab) if same_scores else 2.0 * normal(rng, vocab, vocab),
            "bias": normal(rng, vocab),
        }


def answers(rng):
    """Only the shift decides: whole windows, characters as tokens."""
    return texts(rng, whole=True, same_length=True, same_scores=False)


def rests(rng):
    """Only the last window decides: the model predicts the same everywhere."""
    return texts(rng, whole=False, same_length=True, same_scores=True)


def long_tokens(rng):
    """Only the characters of the tokens decide."""
    return texts(rng, whole=True, same_length=False, same_scores=True)


def everything(rng):
    yield from texts(rng, whole=False, same_length=False, same_scores=False)
    for case in texts(rng, whole=False, same_length=False, same_scores=False):  # shorter than a window
        size = 1 + int(rng.integers(2))
        yield {**case, "stream": case["stream"][:size], "context": case["context"] + 2}
    for case in texts(rng, whole=False, same_length=False, same_scores=False):  # a token without characters
        lengths = case["lengths"].clone()
        lengths[case["stream"][0]] = 0
        if all(lengths[window].any() for window in case["stream"].split(case["context"])):
            yield {**case, "lengths": lengths}
    for same_length, scale in ((False, 10.0), (True, 300.0)):
        for case in texts(rng, whole=False, same_length=same_length, same_scores=False):
            offset = 1500.0 * torch.from_numpy(rng.choice([-2.0, -1.0, 1.0, 2.0], (len(case["read"]), 1)))
            yield {**case, "read": scale * case["read"] + offset.float()}


def call_scorer(student, inputs):
    def logits(tokens):
        given, most = f"{str(tokens.dtype).removeprefix('torch.')} {tuple(tokens.shape)}", inputs["context"]
        if tokens.dtype != torch.long or tokens.dim() != 2 or len(tokens) != 1:
            raise ValueError(f"logits is a function of a long tensor (1, time); it was given {given}")
        if not 1 <= tokens.shape[1] <= most:
            raise ValueError(f"a window has 1 to {most} tokens here; logits was given {given}")
        read = inputs["read"][tokens].cumsum(dim=1)
        return inputs["bias"] + read / torch.arange(1, 1 + tokens.shape[1])[:, None]

    names = ("stream", "lengths", "context", "start")
    return {"nats": student.nats_per_character(logits, *(inputs[name] for name in names))}


def nats_per_character(logits, stream, lengths, context, start):
    total, before = 0.0, start
    for begin in range(0, len(stream), context):
        targets = stream[begin : begin + context]
        window = torch.cat([torch.tensor([before]), targets[:-1]])
        log_probs = logits(window[None])[0].double().log_softmax(dim=-1)
        total -= float(log_probs[torch.arange(len(targets)), targets].sum())
        before = int(targets[-1])
    return total / float(lengths[stream].sum())


GRADIENTS = [(2, 3, 4, 5), (1, 4, 3, 7), (3, 1, 2, 6), (2, 5, 3, 9), (1, 1, 3, 4), (3, 3, 3, 3), (2, 3, 4, 5)]
GRADIENTS += [(2, 3, 1, 5)]  # rows of one number
MANY = [(2, 104, 2, 3), (105, 2, 3, 4), (2, 3, 4, 1)]


def models(rng, repeated=False, scale=1.0):
    """Batch, time, width and vocabulary; tokens that are read occur once, or many times."""
    for batch, time, d, vocab in [*GRADIENTS, *(MANY if repeated else [])]:
        vocab = vocab if repeated else max(vocab, batch * time)
        read = one_of(rng, max(1, vocab // 2), batch, time)
        if not repeated:
            read = torch.from_numpy(rng.permutation(vocab)[: batch * time].reshape(batch, time))
        yield {
            "E": scale * normal(rng, vocab, d),
            "M": normal(rng, time, time).tril() / time**0.5,
            "R": normal(rng, d, d) / d**0.5,
            "tokens": read,
            "targets": one_of(rng, vocab, batch, time),
        }


def repeated_models(rng):
    return models(rng, repeated=True)


def extreme_models(rng):
    """Scores in the thousands, exact in float32."""
    for case in models(rng, repeated=True, scale=40.0):
        exact = {name: (8 * case[name]).round() / 8 for name in ("M", "R")}
        yield {**case, "E": case["E"].round(), **exact}


def call_both(student, inputs):
    names = ("E", "M", "R", "tokens", "targets")
    as_head, as_rows = student.tied_gradient(*(inputs[name] for name in names))
    return {"as_head": as_head, "as_rows": as_rows}


def call_sum(student, inputs):
    given = [inputs[name] for name in ("E", "M", "R")]
    for name in ("tokens", "targets"):  # as they are cut out of longer texts
        given.append(torch.nn.functional.pad(inputs[name], (0, 1))[:, :-1])
    as_head, as_rows = student.tied_gradient(*given)
    return {"sum": torch.as_tensor(as_head) + torch.as_tensor(as_rows)}


def tied_gradient(E, M, R, tokens, targets):
    E, M, R = E.double(), M.double(), R.double()
    as_head, as_rows = torch.zeros_like(E), torch.zeros_like(E)
    for read, wanted in zip(tokens, targets):
        z = M @ E[read] @ R
        error = (z @ E.T).softmax(dim=-1)
        error[torch.arange(len(wanted)), wanted] -= 1
        error /= targets.numel()
        as_head += error.T @ z
        back = M.T @ error @ E @ R.T
        for place, token in enumerate(read.tolist()):
            as_rows[token] += back[place]
    return as_head, as_rows


PAIRS = [
    (30, 4, (1, 2, 5)),
    (60, 5, (2, 7, 20)),
    (12, 3, (1, 30)),
    (25, 6, (3,)),
    (40, 5, (1, 4)),
    (150, 6, (1, 8, 12, 16, 20, 24, 30, 40, 60)),
    (160, 5, (2, 10, 14, 20, 28, 40)),
    (130, 4, (1, 6, 9, 12, 16, 24, 32)),
]
FAST = [(40, 4, (1, 2)), (120, 5, (1,)), (30, 3, (1, 2))]


def tied(text, vocab, steps):
    """Whether a row's two largest scores are equal after a step at a huge rate: rounding would decide."""
    counts = torch.zeros(vocab, vocab)
    counts.index_put_((torch.tensor(text[:-1]), torch.tensor(text[1:])), torch.tensor(1.0), accumulate=True)
    counts = counts[counts.sum(1) > 0]
    scores = torch.zeros_like(counts)
    for step in range(steps):
        sure = torch.nn.functional.one_hot(scores.argmax(1), vocab) if step else 1 / vocab
        scores = scores + counts - counts.sum(1, keepdim=True) * sure
        first, second = scores.topk(2).values.T
        if torch.any(first - second < 0.25):
            return True
    return False


def written(rng, source, first, size):
    """A text of a source of pairs."""
    text = [first]
    while len(text) < size:
        row = source[text[-1]].numpy()
        text.append(int(rng.choice(len(row), p=row / row.sum())))
    return text


def pairs(rng):
    """Short texts of a random source; the last few with scores in the thousands."""
    for tokens, vocab, steps in PAIRS + FAST:
        source = torch.from_numpy(rng.random((vocab, vocab)) ** 4 + 0.02)
        unseen = (tokens, vocab) == (40, 5)  # the vocabulary has two more tokens than the texts
        fast = (tokens, vocab, steps) in FAST

        train, test = written(rng, source, 0, tokens), written(rng, source, 1, 130)
        while fast and tied(train, vocab, max(steps)):
            train = written(rng, source, 0, tokens)
        yield {
            "train": torch.tensor(train),
            "test": torch.tensor(test),
            "vocab": vocab + 2 * unseen,
            "rate": float(rng.uniform(2e4, 6e4) if fast else rng.uniform(2.0, 6.0)),
            "steps": steps,
        }
    yield swinging(rng)
    zeros = torch.zeros(9, dtype=torch.long)  # nothing to learn: both losses are 0, and neither is ahead
    yield {"train": zeros, "test": zeros[:5], "vocab": 1, "rate": 1.0, "steps": (1, 3)}


def swinging(rng):
    """Texts on which learning overtakes counting, falls back and overtakes it again, by a clear margin."""
    while True:
        source = torch.from_numpy(rng.random((3, 3)) ** 4 + 0.02)
        case = {
            "train": torch.tensor(written(rng, source, 0, 100)),
            "test": torch.tensor(written(rng, source, 1, 130)),
            "vocab": 3,
            "rate": float(rng.uniform(8.0, 15.0)),
            "steps": (1, 2, 3, 4, 5, 6, 7, 8, 9, 10),
        }
        found = measure(**case)
        behind = [nats - found["counting"] for nats in found["learned"]]
        signs = "".join("+" if nats > 0 else "-" for nats in behind)
        if min(map(abs, behind)) > 1e-3 and "-" in signs.partition("-")[2].partition("+")[2]:
            return case


def call_measure(student, inputs):
    names = ("train", "test", "vocab", "rate", "steps")
    return dict(student.measure(*(inputs[name] for name in names)))


def give_losses(student, inputs):
    return {name: student.report[name] for name in ("counting", "best", "last")}


def give_first(student, inputs):
    return {"first": student.report["first"]}


def measure(train, test, vocab, rate, steps):
    counts = torch.zeros(vocab, vocab, dtype=torch.float64)
    for a, b in zip(train.tolist(), train.tolist()[1:]):
        counts[a, b] += 1
    smooth = (counts + 1) / (counts.sum(1, keepdim=True) + vocab)
    before, after = test[:-1], test[1:]
    counting = float(-smooth[before, after].log().mean())
    total, W, learned = counts.sum(), torch.zeros_like(counts), []
    for step in range(1, max(steps) + 1):
        error = counts.sum(1, keepdim=True) * W.softmax(1) - counts
        W = W - rate * error / total
        if step in steps:
            learned.append(float(-W.log_softmax(1)[before, after].mean()))
    first = next((step for step, nats in zip(steps, learned) if nats < counting), -1)
    return {"counting": counting, "learned": learned, "first": first}


BLOCK = 4 * 32 * 32 + 2 * 32 * 128 + 2 * 2 * 32
TIED = 500 * 32 + 48 * 32 + 2 * BLOCK + 2 * 32

QUESTIONS = [
    Question(
        id="11.1",
        title="Sizes and units",
        kind="derive",
        difficulty=1,
        minutes=15,
        reference={
            "tied": TIED,
            "untied": TIED + 500 * 32,
            "nats": 2.3 * 350 / 875,
            "bits": 2.3 * 350 / 875 / math.log(2),
            "odds": math.exp(1.9),
            "total": 2.5,
        },
        parts=[
            Part(
                "tied",
                1,
                "the parameters of a model with one table",
                reads=("tied",),
                hints=(
                    "List them from the bottom to the top: tokens, places, two blocks, the last norm.",
                    "A block has four square matrices of attention, two matrices of the network and two "
                    "norms.",
                    "A norm has two numbers for each feature, and a place has a vector of its own.",
                ),
            ),
            Part(
                "untied",
                1,
                "the parameters of a model with two tables",
                reads=("untied",),
                hints=(
                    "What does the head have of its own now?",
                    "A head without bias has one number for each token and feature.",
                ),
            ),
            Part(
                "nats",
                1,
                "nats per character",
                reads=("nats",),
                hints=(
                    "How many nats does the whole text cost?",
                    "Spread the nats of all its tokens over all its characters.",
                ),
            ),
            Part(
                "bits",
                1,
                "bits per character",
                reads=("bits",),
                hints=(
                    "A bit is less than a nat, so the number of bits is larger.",
                    "One bit is ln 2 nats.",
                ),
            ),
            Part(
                "odds",
                1,
                "the ratio of two probabilities",
                reads=("odds",),
                hints=(
                    "The softmax's denominator is the same for both tokens.",
                    "The difference of the two columns, times the vector, is the logarithm of the ratio.",
                ),
            ),
            Part(
                "total",
                1,
                "what four wrong probabilities sum to",
                reads=("total",),
                hints=(
                    "The denominator holds the first m exponentials only.",
                    "All four numerators are there. Add them up.",
                ),
            ),
        ],
    ),
    Question(
        id="11.2",
        title="From outputs to the loss",
        kind="implement",
        difficulty=2,
        minutes=20,
        reference={"next_token_loss": next_token_loss},
        forbids=CROSS_ENTROPIES,
        parts=[
            Part(
                "values",
                2,
                "every target counts",
                call_loss,
                inputs=outputs,
                hints=(
                    "Which shape have the scores, and along which dimension do probabilities sum to 1?",
                    "A token's score is the dot product of its row of the table and the output.",
                    "The loss is the mean over batch and time of minus the logarithm of the target's "
                    "probability.",
                ),
            ),
            Part(
                "padding",
                1,
                "some targets are padding",
                call_loss,
                inputs=padded,
                hints=(
                    "By what number is the sum divided if half of the targets do not count?",
                    "A row may have more targets than another. Every target that counts weighs the same.",
                    "Find the places of the targets that count, and take the mean over them alone.",
                ),
            ),
            Part(
                "large scores",
                1,
                "scores in the thousands",
                call_large,
                inputs=extreme_padded,
                rtol=1e-3,
                hints=(
                    "What is the exponential of 3,000, and the logarithm of that of -3,000?",
                    "Subtract a number from all scores of a place that leaves the probabilities as they are.",
                    "There is a form of the logarithm of a softmax that never takes the logarithm of zero.",
                ),
            ),
            Part(
                "gradients",
                2,
                "gradients for the outputs and for the table",
                call_loss_backward,
                inputs=all_targets,
                rtol=1e-3,
                hints=(
                    "If the values are wrong, mend them first.",
                    "Does something cut the gradient off: item, detach, NumPy, a new tensor?",
                ),
            ),
        ],
    ),
    Question(
        id="11.3",
        title="Repair a scorer",
        kind="repair",
        difficulty=3,
        minutes=25,
        reference={"nats_per_character": nats_per_character},
        parts=[
            Part(
                "answers",
                1,
                "what the model reads before it predicts",
                call_scorer,
                inputs=answers,
                hints=(
                    "Print the inputs and the targets of the first window, one below the other.",
                    "Where in its input does the model find the token that it has to predict?",
                    "The first input is the start token, and the last token of the text is no input.",
                ),
            ),
            Part(
                "rest",
                1,
                "texts whose last window is not full",
                call_scorer,
                inputs=rests,
                hints=(
                    "Try a text of five tokens and windows of four. Which tokens are scored?",
                    "At which positions may a window begin? A slice may be shorter than it asks for.",
                ),
            ),
            Part(
                "characters",
                1,
                "tokens of several characters",
                call_scorer,
                inputs=long_tokens,
                hints=(
                    "What is the unit of the number that is returned?",
                    "How many characters has each token of the text? `lengths` says.",
                    "Divide by the characters of all tokens of the text together.",
                ),
            ),
            Part(
                "together",
                2,
                "all of it at once",
                call_scorer,
                inputs=everything,
                hints=(
                    "Mend the parts above first.",
                    "Is every token of the text scored once, and is each of its characters counted once?",
                    "A token without characters costs nats like any other.",
                ),
            ),
        ],
    ),
    Question(
        id="11.4",
        title="The gradient of a tied table",
        kind="implement",
        difficulty=5,
        minutes=35,
        reference={"tied_gradient": tied_gradient},
        forbids=AUTOGRAD,
        exempt={"no gradient": "it is itself a gradient; nothing trains through it"},
        parts=[
            Part(
                "head",
                2,
                "the part of the scores",
                call_both,
                inputs=models,
                compare=("as_head",),
                rtol=2e-4,
                hints=(
                    "What is the derivative of the loss at one place for the scores of that place?",
                    "It is the probabilities minus the one-hot target. A score is a product of a row and z.",
                    "Sum an outer product over all places, and divide as the loss does.",
                ),
            ),
            Part(
                "rows",
                2,
                "the part of the inputs, where each token is read once at most",
                call_both,
                inputs=models,
                compare=("as_rows",),
                rtol=2e-4,
                hints=(
                    "Go back from the scores to z, from z to the mixed inputs, from these to the inputs.",
                    "Each matrix on the way forward is on the way back transposed.",
                    "What reaches input s comes from all places that M lets read it.",
                ),
            ),
            Part(
                "repeated",
                2,
                "the part of the inputs, where tokens are read many times",
                call_both,
                inputs=repeated_models,
                compare=("as_rows",),
                rtol=2e-4,
                hints=(
                    "What belongs to a row that is read at three places?",
                    "Assigning to an index that occurs twice keeps one of the two. They have to add up.",
                ),
            ),
            Part(
                "sum",
                1,
                "the gradient of the tied table",
                call_sum,
                inputs=repeated_models,
                rtol=2e-4,
                hints=(
                    "It is the sum of the two parts. Which of them is still wrong?",
                    "Compare with automatic differentiation in a cell of your own.",
                ),
            ),
            Part(
                "large scores",
                1,
                "scores in the thousands",
                call_both,
                inputs=extreme_models,
                rtol=2e-3,
                atol=2e-3,
                hints=(
                    "Which of your steps takes an exponential?",
                    "The largest score of each place may be subtracted first, or a library softmax used.",
                ),
            ),
        ],
    ),
    Question(
        id="11.5",
        title="Where learning overtakes counting",
        kind="experiment",
        difficulty=4,
        minutes=25,
        needs=("11.2",),
        exempt={
            "measure: shifted where positive": "descent from zeros keeps the sum of a row at zero, so that "
            "its largest score is never negative",
        },
        reference={
            "measure": measure,
            "report": {"counting": 1.895357, "best": 1.857242, "last": 2.024811, "first": 30},
        },
        parts=[
            Part(
                "counting",
                1,
                "on small texts: the counts",
                call_measure,
                inputs=pairs,
                compare=("counting",),
                hints=(
                    "Count the pairs of the training text, and score the pairs of the test text.",
                    "1 is added to every pair, so the vocabulary is added to every row's sum.",
                ),
            ),
            Part(
                "learned",
                2,
                "on small texts: the losses of the learned table",
                call_measure,
                inputs=pairs,
                compare=("learned",),
                rtol=1e-3,
                hints=(
                    "After no step the loss is ln vocab. What is it after one?",
                    "The loss that is descended is that of the training text, its mean over all pairs.",
                    "Does step 1 come before the first test, and does no step come twice?",
                ),
            ),
            Part(
                "first",
                1,
                "on small texts: where learning is ahead",
                call_measure,
                inputs=pairs,
                compare=("first",),
                requires=("counting", "learned"),
                hints=(
                    "It is a number of steps, not a place in the list, and there may be none.",
                    "Where learning is never ahead, it is -1.",
                ),
            ),
            Part(
                "reported losses",
                1,
                "your run: counting, and learning at its best and at last",
                give_losses,
                conceal=True,
                digits=4,
                requires=("counting", "learned"),
                hints=(
                    "Are the arguments those of the text, and is the second text the one that is scored?",
                    "`best` is the least of the list, `last` its last entry. Give five digits or more.",
                ),
            ),
            Part(
                "reported first",
                1,
                "your run: where learning overtakes counting",
                give_first,
                conceal=True,
                digits=4,
                requires=("first",),
                hints=(
                    "It is one of the numbers of steps that you asked for.",
                    "Copy `first` from the dict.",
                ),
            ),
        ],
    ),
]

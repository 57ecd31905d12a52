"""Question 11.6: Batch, step, generate."""

import numpy as np
import torch
from autograder.authoring import Part, Question, sizes

from ..inputs import one_of

EACH = 40  # rows for each place of a text: enough for every window of it
ROWS = 4000  # enough for shares


def text_of(rng, windows, context, n_rows):
    """A text with so many windows of this length that fit. No two windows are equal."""
    tokens = torch.from_numpy(rng.permutation(3 * (windows + context))[: windows + context])
    return {"tokens": tokens, "n_rows": n_rows, "context": context, "seed": int(rng.integers(2**31))}


def all_windows(rng):
    for windows, context in sizes(rng, windows=5, context=6, far={"windows": 100, "context": 100}):
        yield text_of(rng, windows, context, EACH * (windows + context) + int(rng.integers(EACH)))
    context = int(rng.integers(2, 6))
    for n_rows in (1, context, context + 1):  # as long as a window, and as the text
        yield text_of(rng, 1, context, n_rows)
    yield {**text_of(rng, 2, 2, 7 * EACH), "tokens": torch.tensor([5, 6, 7, 8])}


def several_windows(rng):
    for windows, context in sizes(rng, windows=(2, 5), context=5, far={"context": 100}):
        yield text_of(rng, windows, context, ROWS)


def trained(rng, kinds):
    """A small model, and batches for a few steps. No gradient is longer than 1."""
    for steps, rows, time, vocab, loud, optimizer in kinds:
        text = one_of(rng, vocab, steps, rows, time + 1)
        if vocab > 256:  # tokens whose numbers are no bytes
            text[0, 0, :2] = torch.tensor([299, 256])
        yield {
            "inputs": text[:, :, :-1].clone(),
            "targets": text[:, :, 1:].clone(),
            "E": 0.2 * torch.from_numpy(rng.standard_normal((vocab, 3))),
            "W": 0.2 * torch.from_numpy(rng.standard_normal((3, vocab))),
            "scores": loud * torch.from_numpy(rng.permutation(np.resize([1.0, -1.0, 0.0], vocab))),
            "optimizer": optimizer,
        }


def first_steps(rng):
    drawn = sizes(rng, rows=4, time=5, vocab=7, far={"rows": 100, "time": 100})
    kinds = [(1, *shape, 0.0, "plain") for shape in drawn]
    kinds += [(1, 2, 2, 300, 0.0, "plain"), (1, 3, 4, 6, 3000.0, "plain"), (1, 3, 3, 2, 800.0, "adaptive")]
    yield from trained(rng, kinds)


def several_steps(rng):
    names = ["plain", "momentum", "plain", "adaptive"]
    drawn = enumerate(sizes(rng, steps=(2, 4), rows=4, time=4, vocab=6))
    kinds = [(*shape, 0.0, names[n % 4]) for n, shape in drawn]
    yield from trained(rng, [*kinds, (2, 2, 4, 4, 2000.0, "plain")])


def told(rng, kinds, *, offset=0.0):
    """Models that leave no choice: where they stand in the text decides the next token."""
    for prompt, n_tokens, context, vocab in kinds:
        n_states = 4 * vocab if vocab < 100 else 7
        low = 256 if vocab > 256 else 0  # tokens whose numbers are no bytes
        following = rng.permutation(np.resize(np.arange(vocab)[-n_states:], n_states))
        table = 60.0 * np.eye(vocab)[following] + offset * rng.choice([-1.0, 1.0], (n_states, 1))
        yield {
            "prompt": low + one_of(rng, vocab - low, prompt),
            "n_tokens": n_tokens,
            "context": context,
            "table": torch.from_numpy(table),
            "dropout": 0,
            "again": 0,
            "training": bool(rng.integers(2)),
            "seed": int(rng.integers(2**31)),
        }


def continuations(rng):
    drawn = [*sizes(rng, prompt=6, n_tokens=8, context=6, vocab=7, far={"prompt": 100, "n_tokens": 100})]
    yield from told(rng, [*drawn, (3, 8, 4, 5), (7, 6, 4, 5), (110, 3, 100, 5), (2, 6, 3, 300)])
    yield from told(rng, [(3, 6, 4, 4), (2, 6, 3, 3)], offset=3000.0)


def modes(rng):
    for training in (True, False, True):
        for context in rng.permutation([2, 3, 4])[:2].tolist():
            (case,) = told(rng, [(int(rng.integers(1, 5)), context + 4, context, int(rng.integers(4, 8)))])
            yield {**case, "dropout": 1, "training": training}


def choices(rng):
    """Three tokens of each model are probable, with known probabilities, the others impossible."""
    for context, n_tokens, offset in [(3, 600, 0.0), (2, 30, -2000.0), (4, 600, 1500.0)]:
        vocab = int(rng.integers(4, 9))
        row = np.full(vocab, -60.0)
        row[rng.permutation(vocab)[:3]] = np.log([0.6, 0.3, 0.1])
        yield {
            "prompt": one_of(rng, vocab, int(rng.integers(1, 6))),
            "n_tokens": n_tokens,
            "context": context,
            "table": torch.from_numpy(np.tile(row + offset, (vocab, 1))),
            "dropout": 0,
            "again": int(n_tokens < 100),
            "training": True,
            "seed": int(rng.integers(2**31)),
        }


def call_get_batch(student, inputs):
    tokens, n_rows, context = (inputs[name] for name in ("tokens", "n_rows", "context"))
    generator = torch.Generator().manual_seed(inputs["seed"])
    read, goal = student.get_batch(tokens, n_rows, context, generator)
    shapes = [list(read.shape), list(goal.shape)]
    if shapes != [[n_rows, context]] * 2:
        return {"shapes": shapes, "windows and their targets": None, "long": None}
    seen = torch.unique(torch.cat([read, goal], 1), dim=0)
    return {
        "shapes": shapes,
        "windows and their targets": seen,
        "long": read.dtype == goal.dtype == torch.long,
    }


def call_shares(student, inputs):
    def batch(generator, seed):
        torch.manual_seed(seed)
        np.random.seed(seed)  # noqa: NPY002
        return student.get_batch(inputs["tokens"], inputs["n_rows"], inputs["context"], generator)[0]

    generators = [torch.Generator().manual_seed(inputs["seed"]) for _ in range(2)]
    first, again, later = batch(generators[0], 1), batch(generators[1], 2), batch(generators[0], 1)
    counts = torch.bincount(first[:, 0], minlength=int(inputs["tokens"].max()) + 1)
    return {
        "shares": counts[inputs["tokens"][: len(inputs["tokens"]) - inputs["context"]]] / len(first),
        "rows like the one before": (first[1:, 0] == first[:-1, 0]).double().mean(),
        "the same state of the generator gives the same batch": torch.equal(first, again),
        "the next batch is another": not torch.equal(first, later),
    }


def are_equally_likely(inputs, outputs):
    shares = np.asarray(outputs["shares"], dtype=float)
    n = len(inputs["tokens"]) - inputs["context"]
    if shares.shape != (n,):
        return f"shares of {n} windows were expected"
    far = 5.5 * ((n - 1) / inputs["n_rows"]) ** 0.5  # standard deviations
    if not (abs(n * shares - 1) <= far).all():
        told = ", ".join(f"{share:.3f}" for share in shares)
        return f"the {n} windows were drawn with the shares {told}: each should be drawn about as often"
    if not abs(n * outputs["rows like the one before"] - 1) <= far:
        return "how often a row is drawn depends on the row before: rows should be drawn independently"


def call_train_step(student, inputs):
    class Small(torch.nn.Module):
        """Each place scores the next token by the mean of what has been read, and by fixed scores."""

        def __init__(self):
            super().__init__()
            self.E = torch.nn.Parameter(inputs["E"].clone())
            self.W = torch.nn.Parameter(inputs["W"].clone())

        def forward(self, tokens):
            count = torch.arange(1, tokens.shape[1] + 1)[:, None]
            return self.E[tokens].cumsum(1) / count @ self.W + inputs["scores"]

    class Optimizer:
        """As those of torch.optim, whose import would take longer than everything else here."""

        def __init__(self, parameters):
            self.param_groups = [{"params": list(parameters), "lr": 0.5}]
            self.state = {}

        def zero_grad(self, set_to_none=True):
            for p in self.param_groups[0]["params"]:
                p.grad = None if set_to_none or p.grad is None else torch.zeros_like(p.grad)

        def step(self, closure=None):
            for p in self.param_groups[0]["params"]:
                if p.grad is None:
                    continue
                mean, square = self.state.get(p, (0.0, 0.0))
                if inputs["optimizer"] == "adaptive":
                    self.state[p] = mean, square = 0.9 * mean + p.grad, square + p.grad**2
                    p.data -= 0.05 * mean / (square.sqrt() + 0.1)
                else:
                    keep = 0.9 if inputs["optimizer"] == "momentum" else 0.0
                    self.state[p] = mean, square = keep * mean + p.grad, 0.0
                    p.data -= 0.5 * mean

    model = Small()
    optimizer = Optimizer(model.parameters())
    losses, floats = [], True
    for read, goal in zip(inputs["inputs"], inputs["targets"]):
        loss = student.train_step(model, optimizer, read, goal)
        floats = floats and isinstance(loss, float)
        losses.append(float(loss.detach() if torch.is_tensor(loss) else loss))
    return {
        "losses": losses,
        "losses are floats": floats,
        "the losses of the steps differ": max(losses) > min(losses),
        "E": model.E.detach().clone(),
        "W": model.W.detach().clone(),
    }


def call_generate(student, inputs):
    read, watched, table, vocab = [], [], inputs["table"], inputs["table"].shape[1]

    class Told(torch.nn.Module):
        """The scores of the next token, from a table that is read where the window's tokens say."""

        def forward(self, tokens):
            read.append(tokens.shape[1])
            watched.append(torch.is_grad_enabled())
            places = torch.arange(tokens.shape[1]) + 2
            row = ((tokens + 1) * places).cumsum(1) % len(table)
            logits = table[row] + 0.0 * self.nothing
            return logits.roll(1, -1) if self.training and inputs["dropout"] else logits

        def __init__(self):
            super().__init__()
            self.nothing = torch.nn.Parameter(torch.zeros(vocab, dtype=torch.float64))

    model = Told().train(inputs["training"])

    def text(generator, seed):
        torch.manual_seed(seed)
        np.random.seed(seed)  # noqa: NPY002
        rest = inputs["n_tokens"], inputs["context"], generator
        return student.generate(model, inputs["prompt"], *rest)

    generators = [torch.Generator().manual_seed(inputs["seed"]) for _ in range(2)]
    first = text(generators[0], 1)
    longest, watched_first = max(read, default=0), any(watched)
    again, later = first, None
    if inputs["again"]:
        again, later = text(generators[1], 2), text(generators[0], 1)
    shape, n = list(first.shape), len(inputs["prompt"])
    drawn = torch.bincount(first.flatten()[n:], minlength=vocab).double()
    return {
        "shape": shape,
        "text": first,
        "tokens read at once, at most": longest,
        "long": first.dtype == torch.long,
        "gradients while the model reads": watched_first,
        "in training mode afterwards": model.training,
        "prompt": first.flatten()[:n],
        "shares": drawn / max(1, int(drawn.sum())),
        "the same state of the generator gives the same text": torch.equal(first, again),
        "the next text is another": later is None or not torch.equal(first, later),
    }


def are_drawn(inputs, outputs):
    shares = np.asarray(outputs["shares"], dtype=float)
    likely = np.asarray(inputs["table"])[0] > np.asarray(inputs["table"])[0].max() - 30
    if shares.shape != likely.shape or not abs(shares.sum() - 1) <= 1e-6:
        return "tokens of the vocabulary were expected after the prompt"
    if shares[~likely].any():
        return "tokens were drawn whose probability is below 1e-20"
    wanted = np.exp(np.asarray(inputs["table"])[0] - np.asarray(inputs["table"])[0].max())[likely]
    wanted = wanted / wanted.sum()
    far = 5.5 * (wanted * (1 - wanted) / inputs["n_tokens"]) ** 0.5  # standard deviations
    if not (abs(shares[likely] - wanted) <= far).all():
        told = ", ".join(f"{share:.2f}" for share in shares[likely])
        asked = ", ".join(f"{share:.2f}" for share in wanted)
        return f"tokens with the probabilities {asked} were drawn with the shares {told}"


def get_batch(tokens, n_rows, context, generator):
    starts = torch.randint(0, len(tokens) - context, (n_rows,), generator=generator)
    windows = tokens.unfold(0, context + 1, 1)[starts]
    return windows[:, :context], windows[:, 1:]


def train_step(model, optimizer, inputs, targets):
    log_p = model(inputs).log_softmax(-1)
    loss = -log_p.gather(-1, targets[..., None]).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return float(loss.detach())


def generate(model, prompt, n_tokens, context, generator):
    was_training = model.training
    model.eval()
    tokens = prompt.tolist()
    with torch.no_grad():
        for _ in range(n_tokens):
            p = model(torch.tensor([tokens[-context:]]))[0, -1].softmax(0)
            tokens.append(int(torch.multinomial(p, 1, generator=generator)))
    model.train(was_training)
    return torch.tensor(tokens)


QUESTION = Question(
    id="11.6",
    title="Batch, step, generate",
    kind="implement",
    difficulty=3,
    minutes=35,
    reference={"get_batch": get_batch, "train_step": train_step, "generate": generate},
    exempt={
        "get_batch: n is 1": "a text is longer than its windows",
        "get_batch: n and context agree": "a text is longer than its windows",
        "generate: squeezed": "a text has one axis, with a prompt and at least one more token on it",
    },
    clauses={
        "From the text 5, 6, 7, 8": "it is a case; one_too_many loses it",
        "rows are drawn independently": ("fair", "dealt"),
        "You may clip gradients": "it is allowed, and changes nothing in the tests",
        "tokens if it is longer": ("continuation", "fifty_read"),
        "has to come from `generator`": ("fair", "global_draws"),
        "drawn from the softmax": ("draws", "half_temperature"),
        "writes in evaluation mode": ("modes", "no_eval"),
        "n is greater than context": "a shorter text has no window",
        "one step of the optimizer on": ("updates", "no_step"),
        "the mean loss before the step": ("loss", "loss_afterwards"),
        "long tensor (n,), at least one token": "there is nothing to go on from without a token",
        "the tokens to draw, at least one": "one_token_less loses continuation and modes",
        "the most tokens that the model may": "not_cropped loses continuation and modes",
    },
    parts=[
        Part(
            "windows",
            2,
            "every window that fits, and its targets",
            call_get_batch,
            inputs=all_windows,
            hints=(
                "Take a text of five tokens and a context of three. Which windows have a target at every "
                "place? Write them down.",
                "A window needs context + 1 tokens of the text: its last target stands one place after its "
                "last input.",
                "With n tokens there are n - context windows, which start at 0, 1, ..., n - context - 1.",
            ),
        ),
        Part(
            "fair",
            1,
            "windows drawn with the generator, all equally likely",
            call_shares,
            inputs=several_windows,
            compare=(
                "the same state of the generator gives the same batch",
                "the next batch is another",
            ),
            properties=(are_equally_likely,),
            hints=(
                "Three things are asked here: equal shares for all windows, rows that do not depend on one "
                "another, and numbers that the generator draws and nothing else. Which of them is named?",
                "Two generators with the same seed should give the same batch, and one generator should give "
                "another batch each time.",
                "torch.randint takes the generator by its name. Its upper end is not drawn.",
            ),
        ),
        Part(
            "loss",
            1,
            "the loss of the batch before the update",
            call_train_step,
            inputs=first_steps,
            rtol=1e-6,
            atol=1e-9,
            compare=("losses", "losses are floats"),
            hints=(
                "A model that gives each of 5 tokens the same score has a loss of ln 5 = 1.61 nats per "
                "token, whatever the size of the batch. What does yours say?",
                "Every place of every row has a target, and all count the same. The targets come shifted.",
                "Keep the loss from before the step, as a number of Python that holds no graph. Scores may "
                "be in the thousands.",
            ),
        ),
        Part(
            "updates",
            1,
            "the weights after a few steps",
            call_train_step,
            inputs=several_steps,
            rtol=1e-6,
            atol=1e-9,
            compare=("E", "W", "the losses of the steps differ"),
            hints=(
                "Print a weight before and after each of two steps, and what stands in its p.grad when the "
                "second begins.",
                "Gradients add up until they are set to zero. Then comes backward, and then the optimizer's "
                "step.",
            ),
        ),
        Part(
            "continuation",
            2,
            "texts that the model leaves no choice about",
            call_generate,
            inputs=continuations,
            compare=("shape", "text", "tokens read at once, at most", "long"),
            hints=(
                "Which of the model's scores are about the token after the last one?",
                "The prompt comes first in the result, and what was drawn is read in the next step.",
                "When the text is longer than the context, the model reads the end of it, not the beginning.",
            ),
        ),
        Part(
            "modes",
            1,
            "a model with dropout",
            call_generate,
            inputs=modes,
            compare=("text", "gradients while the model reads", "in training mode afterwards"),
            hints=(
                "Three things are asked here: evaluation mode while the model writes, no gradients "
                "meanwhile, "
                "and at the end the mode from before. Which of them is named?",
                "model.training says in which mode a model is. Dropout acts in training mode alone.",
                "Note the mode first, then model.eval(), and at the end model.train(...) with what you "
                "noted. Gradients are switched off by torch.no_grad().",
            ),
        ),
        Part(
            "draws",
            1,
            "tokens drawn by their probabilities",
            call_generate,
            inputs=choices,
            compare=(
                "prompt",
                "the same state of the generator gives the same text",
                "the next text is another",
            ),
            properties=(are_drawn,),
            hints=(
                "Print the softmax of the last scores and, beside it, how often each token stands in a "
                "long text "
                "of yours. Then write two texts with generators of one seed.",
                "The softmax of the last scores is a distribution: draw from it, with the generator, once "
                "for each token.",
            ),
        ),
    ],
)

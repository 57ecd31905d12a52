"""Exercises of chapter 12: dropout by hand, label smoothing, hiding, where to stop, the price of noise."""

import itertools

import numpy as np
import torch
from autograder.authoring import Part, Question


def whole(rng, low, high):
    return int(rng.integers(low, high))


def normal(rng, *shape):
    return torch.from_numpy(rng.standard_normal(shape))


def batches(rng, shapes, *, smoothing, padding=0.0, size=1.0):
    """Logits and targets; with padding, some targets are ignored, but never all."""
    for n, (batch, time, vocab) in enumerate(shapes):
        targets = torch.from_numpy(rng.integers(0, vocab, (batch, time)))
        ignored = int(rng.choice([-100, -1]))
        if padding:
            ignored = [0, -100, vocab - 1, -1, vocab // 2][n % 5]
            hidden = torch.from_numpy(rng.random((batch, time)) < padding)
            hidden[0, 0], hidden[-1, -1] = False, True
            targets[targets == ignored] = (ignored + 1) % vocab
            targets[hidden] = ignored
        yield {
            "logits": size * normal(rng, batch, time, vocab),
            "targets": targets,
            "epsilon": float(rng.uniform(0.05, 0.5)) if smoothing else 0.0,
            "ignored": ignored,
        }


SHAPES = [(2, 3, 5), (1, 4, 3), (4, 1, 6), (3, 3, 3), (2, 7, 4), (2, 3, 5), (1, 1, 2), (2, 2, 120)]
PADDED = [(2, 3, 5), (1, 4, 3), (4, 1, 6), (3, 3, 3), (2, 7, 4), (2, 3, 5), (1, 110, 3)]


def without_smoothing(rng):
    yield from batches(rng, SHAPES, smoothing=False)


def with_smoothing(rng):
    yield from batches(rng, SHAPES, smoothing=True)


def nothing_counts(rng):
    for case in batches(rng, [(2, 3, 4), (1, 1, 3), (1, 5, 2)], smoothing=True):
        yield {**case, "targets": torch.full_like(case["targets"], case["ignored"])}


def with_padding(rng):
    yield from batches(rng, PADDED, smoothing=True, padding=0.4)
    yield from batches(rng, PADDED[:2], smoothing=False, padding=0.6)
    for case in batches(rng, [(2, 3, 4), (1, 5, 3)], smoothing=True):
        beyond = case["logits"].shape[-1] + whole(rng, 0, 3)  # no token has this number
        targets = case["targets"].clone()
        targets[0, 1::2] = beyond
        yield {**case, "targets": targets, "ignored": beyond}
    yield from nothing_counts(rng)


def large(rng):
    for options in ({"smoothing": True}, {"smoothing": True, "padding": 0.3}, {"smoothing": False}):
        for case in batches(rng, PADDED[:5], size=500.0, **options):
            offsets = torch.from_numpy(rng.choice([-2000.0, 2000.0, 0.0], case["targets"].shape))
            offsets.view(-1)[0], offsets.view(-1)[-1] = 2000.0, -2000.0
            yield {**case, "logits": case["logits"] + offsets[..., None]}


def call_loss(student, inputs):
    return {"loss": student.smoothed_loss(**inputs)}


def call_large(student, inputs):
    logits = inputs["logits"].clone().requires_grad_()
    loss = student.smoothed_loss(logits, *(inputs[name] for name in ("targets", "epsilon", "ignored")))
    if loss.requires_grad:
        loss.backward()
    is_finite = logits.grad is None or bool(logits.grad.isfinite().all())
    return {"loss": loss.detach(), "gradient is finite": is_finite}


def with_upstream(rng):
    for case in batches(rng, PADDED, smoothing=True, padding=0.4):
        yield {**case, "upstream": float(rng.uniform(0.5, 2.0))}
    for case in with_smoothing(rng):
        yield {**case, "upstream": -float(rng.uniform(0.5, 2.0))}
    for case in nothing_counts(rng):
        yield {**case, "upstream": 1.0}


def call_gradient(student, inputs):
    inputs = dict(inputs)
    upstream = inputs.pop("upstream")
    logits = inputs.pop("logits").clone().requires_grad_()
    (upstream * student.smoothed_loss(logits, **inputs)).backward()
    return {"gradient": logits.grad}


def smoothed_loss(logits, targets, epsilon, ignored):
    vocab = logits.shape[-1]
    rows, places = logits.reshape(-1, vocab), targets.reshape(-1)
    rows, places = rows[places != ignored], places[places != ignored]
    if not len(places):
        return 0.0 * logits.sum()
    q = torch.full_like(rows, epsilon / vocab)
    q[torch.arange(len(places)), places] += 1 - epsilon
    log_p = rows - rows.logsumexp(-1, keepdim=True)
    return -(q * log_p).sum() / len(places)


def lookups(rng, *, words, rows, training=True):
    for vocab, width, batch, time in [
        (5, 3, 2, 6),
        (4, 4, 1, 7),
        (7, 2, 3, 1),
        (3, 3, 3, 3),
        (6, 1, 2, 9),
        (5, 3, 2, 6),
        (9, 4, 1, 120),
        (1, 3, 2, 4),
    ]:
        rate = float(rng.uniform(0.1, 0.7)) if rows else 0.0
        row_mask = torch.from_numpy((rng.random(vocab) > 0.4).astype(float))
        row_mask[0], row_mask[-1] = 0.0, 1.0
        word_mask = torch.from_numpy((rng.random((batch, time)) > 0.4).astype(float))
        word_mask[0, 0], word_mask[-1, -1] = 1.0, 0.0 if batch * time > 1 else 1.0
        tokens = torch.from_numpy(rng.integers(0, vocab, (batch, time)))
        tokens[0, 0] = vocab - 1
        yield {
            "table": normal(rng, vocab, width),
            "tokens": tokens,
            "word_mask": word_mask if words else torch.ones_like(word_mask),
            "row_mask": row_mask if rows else torch.ones_like(row_mask),
            "row_rate": rate,
            "training": training,
        }


def in_use(rng):
    yield from lookups(rng, words=True, rows=True, training=False)


def words_alone(rng):
    yield from lookups(rng, words=True, rows=False)


def rows_alone(rng):
    yield from lookups(rng, words=False, rows=True)
    case = next(lookups(rng, words=False, rows=True))
    yield {**case, "row_rate": 0.999}  # rows are scaled by a thousand


def words_and_rows(rng):
    yield from lookups(rng, words=True, rows=True)


def hidden_or_not(rng):
    yield from words_and_rows(rng)
    yield from in_use(rng)


def call_hide(student, inputs):
    return {"vectors": student.hide(**inputs)}


def call_hide_gradient(student, inputs):
    inputs = dict(inputs)
    table = inputs.pop("table").clone().requires_grad_()
    vectors = student.hide(table, **inputs)
    upstream = torch.cos(torch.arange(vectors.numel()) + 1.0).reshape(vectors.shape)
    if vectors.requires_grad:
        (vectors * upstream).sum().backward()
    return {"gradient": torch.zeros_like(table) if table.grad is None else table.grad}


def hide(table, tokens, word_mask, row_mask, row_rate, training):
    if not training:
        return table[tokens]
    scaled = table * (row_mask / (1 - row_rate)).unsqueeze(1)
    return scaled[tokens] * word_mask.unsqueeze(-1)


def runs(rng, sizes):
    for n_runs, n_points in sizes:
        steps = np.cumsum(rng.integers(1, 50, n_points))
        bowl = 2 + np.abs(np.linspace(-1, 1.3, n_points)) ** 2
        yield {
            "steps": steps,
            "valid": bowl + 0.5 * rng.standard_normal((n_runs, n_points)),
            "test": bowl + 0.5 * rng.standard_normal((n_runs, n_points)),
        }


def some_runs(rng):
    yield from runs(rng, [(3, 5), (1, 4), (6, 6), (4, 2), (5, 1), (2, 9), (whole(rng, 7, 12), 7)])
    for case in runs(rng, [(8, 9), (6, 12)]):  # losses that fall again after they have risen for long
        yield {**case, "valid": 20 + 30 * rng.random(case["valid"].shape)}


def with_ties(rng):
    for case in runs(rng, [(4, 6), (3, 9), (6, 5)]):
        valid = np.round(case["valid"])
        valid[0, [1, 3]] = -3.0
        valid[1, [0, 1]] = -3.0
        valid[2, [2, -1]] = -3.0  # the last loss is one of the least
        yield {**case, "valid": valid}
    for case in runs(rng, [(5, 6)]):  # nearly equal, and not equal
        yield {**case, "valid": 2 + 1e-9 * case["valid"]}


def call_measure(student, inputs):
    found = dict(student.measure(**inputs))
    return {
        "stop": torch.as_tensor([int(step) for step in found["stop"]]),
        **{name: found[name] for name in ("test", "last", "cheat")},
    }


def measure(steps, valid, test):
    stop, stopped, least = [], [], []
    for v, t in zip(valid.tolist(), test.tolist()):
        n = v.index(min(v))
        stop.append(int(steps[n]))
        stopped.append(t[n])
        least.append(min(t))
    n = len(stop)
    return {
        "stop": stop,
        "test": sum(stopped) / n,
        "last": sum(t[-1] for t in test.tolist()) / n,
        "cheat": (sum(stopped) - sum(least)) / n,
    }


def give_report(student, inputs):
    return {name: student.report[name] for name in ("stop", "test", "last", "cheat")}


def heads(rng, kinds):
    for d, vocab, rate in kinds:
        yield {
            "x": normal(rng, d),
            "W": normal(rng, d, vocab),
            "y": whole(rng, 0, vocab),
            "epsilon": float(rng.choice([0.1, 0.2, 0.3])),
            "rate": rate,
        }


def half(rng):
    yield from heads(rng, [(3, 4, 0.5), (1, 3, 0.5), (5, 2, 0.5), (4, 4, 0.5)])
    (many,) = heads(rng, [(2, 110, 0.5)])
    yield {**many, "y": 100}  # a target like any other


def other_rates(rng):
    yield from heads(
        rng,
        [
            (3, 4, 0.2),
            (4, 3, 0.8),
            (1, 5, 0.3),
            (6, 3, 0.1),
            (3, 3, 0.7),
            (3, 1, 0.4),
            (8, 3, 0.3),
            (7, 2, 0.2),
        ],
    )
    for case in heads(rng, [(4, 3, 0.4), (3, 3, 0.3)]):
        x = case["x"].clone()
        x[1] = 0.0  # some masks give the same vector
        yield {**case, "x": x}


def loud_heads(rng):
    yield from other_rates(rng)
    for sign, case in zip((1, -1, 1), heads(rng, [(3, 4, 0.2), (4, 3, 0.6), (2, 5, 0.3)])):
        x, W = case["x"], 400 * case["W"]  # logits beyond 1,000
        x[0], W[0] = 1.0, W[0] + sign * 3000.0
        yield {**case, "x": x, "W": W}


def no_rate(rng):
    yield from heads(rng, [(3, 4, 0.0), (1, 2, 0.0), (5, 3, 0.0)])


def call_mean(student, inputs):
    return {"mean": student.price(**inputs)[0]}


def call_price(student, inputs):
    mean, added = student.price(**inputs)
    return {"mean": mean, "price": added}


def price(x, W, y, epsilon, rate):
    d, target = len(x), torch.tensor([[y]])
    mean = torch.zeros((), dtype=torch.float64)
    for mask in itertools.product([0.0, 1.0], repeat=d):
        share = float(np.prod([1 - rate if m else rate for m in mask]))
        dropped = x * torch.tensor(mask, dtype=torch.float64) / (1 - rate)
        mean = mean + share * smoothed_loss((dropped @ W)[None, None], target, epsilon, -100)
    return mean, mean - smoothed_loss((x @ W)[None, None], target, epsilon, -100)


QUESTIONS = [
    Question(
        id="12.1",
        title="By hand",
        kind="derive",
        difficulty=1,
        minutes=15,
        reference={
            "kept": 4.0,
            "variance": 3.0,
            "row_sum": 0.625,
            "intact": 0.531441,
            "by_row": 0.2,
            "by_word": 0.04,
        },
        parts=[
            Part(
                "kept",
                1,
                "what a number is that is kept",
                reads=("kept",),
                hints=(
                    "Which factor makes the mean come out right?",
                    "What is kept is divided by what the rate leaves.",
                ),
            ),
            Part(
                "variance",
                1,
                "the variance of one number",
                reads=("variance",),
                hints=(
                    "The variance is the mean of the squares minus the square of the mean.",
                    "The number that is kept has been scaled.",
                ),
            ),
            Part(
                "many",
                1,
                "a row of weights, and a vector",
                reads=("row_sum", "intact"),
                hints=(
                    "Does a weight that is kept know what happened to the others?",
                    "Each of the six numbers has a draw of its own.",
                ),
            ),
            Part(
                "by_row",
                1,
                "two occurrences, where rows are hidden",
                reads=("by_row",),
                hints=(
                    "How many draws decide over the two occurrences?",
                    "A row of the table is drawn once.",
                ),
            ),
            Part(
                "by_word",
                1,
                "two occurrences, where words are hidden",
                reads=("by_word",),
                hints=(
                    "How many draws decide over the two occurrences?",
                    "A word of the text is drawn each time it occurs.",
                ),
            ),
        ],
    ),
    Question(
        id="12.2",
        title="Smoothed loss",
        kind="implement",
        difficulty=2,
        minutes=20,
        reference={"smoothed_loss": smoothed_loss},
        forbids=(
            "torch.nn.functional.cross_entropy",
            "torch.nn.functional.nll_loss",
            "torch.nn.functional.kl_div",
            # what these call
            "torch._C._nn.cross_entropy_loss",
            "torch._C._nn.nll_loss",
            "torch._C._nn.nll_loss2d",
            "torch._C._nn.nll_loss_nd",
            "torch.kl_div",
            "torch.ops.aten.cross_entropy_loss",
            "torch.ops.aten.kl_div",
            "torch.ops.aten.nll_loss",
            "torch.ops.aten.nll_loss2d",
            "torch.ops.aten.nll_loss2d_forward",
            "torch.ops.aten.nll_loss_forward",
            "torch.ops.aten.nll_loss_nd",
        ),
        parts=[
            Part(
                "plain",
                1,
                "no smoothing, nothing ignored",
                call_loss,
                inputs=without_smoothing,
                hints=(
                    "Without smoothing the cost of a target is minus its log-probability.",
                    "The mean runs over batch and time.",
                ),
            ),
            Part(
                "smoothed",
                1,
                "with smoothing, nothing ignored",
                call_loss,
                inputs=with_smoothing,
                hints=(
                    "Does your target distribution sum to 1?",
                    "All K tokens get a share, the right one as well.",
                ),
            ),
            Part(
                "padding",
                2,
                "some targets are ignored, or all",
                call_loss,
                inputs=with_padding,
                hints=(
                    "By how many is the sum divided?",
                    "A place that is ignored must cost nothing, its smoothed share included.",
                    "The number for ignored places may be that of a token, negative or beyond all tokens.",
                    "If nothing counts, the loss is 0. By what does your code divide then?",
                ),
            ),
            Part(
                "large",
                1,
                "logits beyond 1,000 in both directions",
                call_large,
                inputs=large,
                hints=(
                    "Which step of your code overflows, or takes the logarithm of 0?",
                    "Work with log-probabilities from the start.",
                ),
            ),
            Part(
                "gradient",
                1,
                "the gradient for the logits",
                call_gradient,
                inputs=with_upstream,
                hints=(
                    "Is something in your code cut off from the gradient?",
                    "`detach`, `item` and NumPy cut it off.",
                    "Where nothing counts, the gradient is 0, and `backward` must still run.",
                ),
            ),
        ],
    ),
    Question(
        id="12.3",
        title="Repair the hiding",
        kind="repair",
        difficulty=3,
        minutes=20,
        reference={"hide": hide},
        parts=[
            Part(
                "in use",
                1,
                "outside training",
                call_hide,
                inputs=in_use,
                hints=(
                    "What should be hidden outside training?",
                    "Look at what has happened before the function looks at `training`.",
                ),
            ),
            Part(
                "words",
                1,
                "input dropout alone",
                call_hide,
                inputs=words_alone,
                hints=(
                    "Compare a word that is kept with its row of the table.",
                    "A missing word leaves the others as they are.",
                ),
            ),
            Part(
                "rows",
                1,
                "dropout of rows alone",
                call_hide,
                inputs=rows_alone,
                hints=(
                    "By which factor are the rows scaled that are kept?",
                    "With the right factor the mean over masks is the row itself.",
                ),
            ),
            Part(
                "both",
                1,
                "words and rows",
                call_hide,
                inputs=words_and_rows,
                hints=(
                    "If another part is lost, mend that first.",
                    "A word must be kept by both masks.",
                ),
            ),
            Part(
                "gradient",
                1,
                "the gradient for the table",
                call_hide_gradient,
                inputs=hidden_or_not,
                hints=(
                    "If the vectors are wrong, so is their gradient.",
                    "The table is trained through what is returned.",
                    "Outside training, too, the table has its gradient.",
                ),
            ),
        ],
    ),
    Question(
        id="12.4",
        title="Where to stop",
        kind="experiment",
        difficulty=4,
        minutes=25,
        reference={
            "measure": measure,
            "report": {
                "stop": [200, 200, 200, 400, 200, 200],
                "test": 2.080691497755064,
                "last": 2.810222347476335,
                "cheat": 0.1312664826520391,
            },
        },
        parts=[
            Part(
                "stop",
                1,
                "on small runs: where each stops",
                call_measure,
                inputs=some_runs,
                compare=("stop",),
                hints=(
                    "Each run has a stop of its own.",
                    "A step, not the number of the point; and by validation, not by the test.",
                ),
            ),
            Part(
                "ties",
                1,
                "equal validation losses, and nearly equal ones",
                call_measure,
                inputs=with_ties,
                compare=("stop",),
                hints=(
                    "Which of equal losses does your code take?",
                    "The earliest is wanted.",
                    "Losses that differ by little are not equal: what rounds them may make them so.",
                ),
            ),
            Part(
                "test",
                1,
                "on small runs: the test at the stop, and at the end",
                call_measure,
                inputs=some_runs,
                compare=("test", "last"),
                hints=(
                    "The test loss of a run at its own stop, then the mean over runs.",
                    "What is last is the last point of every run.",
                ),
            ),
            Part(
                "cheat",
                1,
                "on small runs: what looking at the test would win",
                call_measure,
                inputs=some_runs,
                compare=("cheat",),
                hints=(
                    "Take the least test loss of each run, not of all.",
                    "The stopped mean is never below the mean of the least ones.",
                ),
            ),
            Part(
                "report",
                2,
                "your run on the six runs of the text",
                give_report,
                conceal=True,
                digits=5,
                requires=("stop", "ties", "test", "cheat"),
                hints=(
                    "Call `measure(at, valid_losses, test_losses)`, in this order.",
                    "Copy the numbers with six digits; `stop` is a list of six steps.",
                ),
            ),
        ],
    ),
    Question(
        id="12.5",
        title="The price of noise",
        kind="implement",
        difficulty=5,
        minutes=40,
        reference={"price": price},
        needs=("12.2",),
        exempt={
            "no gradient": "the text says that the model is measured, not trained",
        },
        parts=[
            Part(
                "half",
                1,
                "rate 0.5, where all masks are equally likely: the mean loss",
                call_mean,
                inputs=half,
                hints=(
                    "How many masks of d numbers are there, and how likely is each at rate 0.5?",
                    "What is kept is scaled; the target stays as it is.",
                ),
            ),
            Part(
                "rates",
                2,
                "other rates: the mean loss",
                call_mean,
                inputs=loud_heads,
                hints=(
                    "How likely is the mask that keeps everything?",
                    "Each number that is kept is a factor, and so is each that is hidden.",
                ),
            ),
            Part(
                "price",
                2,
                "what dropout adds",
                call_price,
                inputs=other_rates,
                hints=(
                    "Compare with the loss of the vector as it is, without scale and mask.",
                    "The price is never negative: the loss is convex in the logits.",
                ),
            ),
            Part(
                "no dropout",
                1,
                "rate 0",
                call_price,
                inputs=no_rate,
                hints=(
                    "At rate 0 one mask has probability 1 and the others 0.",
                    "Does a power of 0 come out as you expect?",
                ),
            ),
        ],
    ),
]

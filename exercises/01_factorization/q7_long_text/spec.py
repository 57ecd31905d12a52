"""Question 01.7: A long text through a short model."""

import torch
from autograder.authoring import Part, Question, normal, sizes

from ..inputs import tokens_of


def texts(rng, shapes, vocab=(4, 8), memory=1.0):
    """Texts with windows, and the weights of a model; without memory it always predicts the same.

    The start token lies outside the vocabulary, and in each third text inside.
    """
    for number, (time, context, stride) in enumerate(shapes):
        size, width = int(rng.integers(*vocab)), 3
        tokens = tokens_of(rng, size, time)
        tokens[0] = size - 1
        yield {
            "tokens": tokens,
            "start": int(rng.integers(1, size)) if number % 3 == 2 else size,
            "context": context,
            "stride": stride,
            "embedding": normal(rng, size + 1, width, scale=1.5),
            "unembedding": memory * normal(rng, width, size),
            "bias": normal(rng, size),
        }


def overlapping(rng):
    """Lengths of texts, contexts and strides; the first text ends within a window, the second with one."""
    shapes = []
    for stride, overlap, more in sizes(rng, stride=5, overlap=3, more=3):
        short = (int(rng.integers(1, stride)), 0)[len(shapes)] if len(shapes) < 2 else rng.integers(0, stride)
        shapes.append((stride + overlap + more * stride - int(short), stride + overlap, stride))
    return shapes


def texts_without_memory(rng):
    yield from texts(rng, overlapping(rng), memory=0.0)


def texts_in_one_window(rng):
    """Texts shorter than the context, and as long."""
    shapes = [
        (time, time + more, stride_of(rng, time + more)) for time, more in sizes(rng, time=6, more=(0, 4))
    ]
    yield from texts(rng, [*shapes, (4, 5, 2), (4, 5, 2), (1, 1, 1)])
    yield from texts(rng, [(5, 5, 2)], vocab=(5, 6))


def stride_of(rng, context):
    return int(rng.integers(1, context + 1))


def texts_in_disjoint_windows(rng):
    """The first text ends within a window."""
    shapes = []
    for context, windows in sizes(rng, context=6, windows=(2, 4)):
        short = rng.integers(min(1, len(shapes)) ^ 1, context)
        shapes.append((context * windows - int(short), context, context))
    yield from texts(rng, [*shapes, (10, 5, 5), (10, 5, 5)])


def texts_in_windows(rng):
    """Also one that is longer than the context by one place, and one with tokens beyond 255."""
    yield from texts(rng, overlapping(rng))
    yield from texts(rng, [(6, 5, 2), (6, 5, 2)], vocab=(5, 6))
    yield from texts(rng, [(12, 5, 3)], vocab=(260, 290))


def long_texts(rng):
    for low in (200, 140):
        context = int(rng.integers(12, 18))
        shape = (int(rng.integers(low, low + 40)), context, int(rng.integers(5, context)))
        yield from texts(rng, [shape], vocab=(5, 8))
    yield from texts(rng, [(300, 270, 260), (300, 3, 1)], vocab=(5, 8))
    for case in texts(rng, [(115, 16, 10)]):
        common = normal(rng, 3, 1, scale=400.0)
        for sign in (1, -1):
            yield {**case, "unembedding": sign * common + 15 * case["unembedding"]}


def call_score_windows(student, inputs):
    shapes = []

    def model(tokens):
        shapes.append(tokens.shape)
        ages = torch.arange(tokens.shape[1])[:, None] - torch.arange(tokens.shape[1])
        decay = torch.where(ages >= 0, 0.8 ** ages.double().clamp(min=0), 0.0)
        embedding, unembedding = inputs["embedding"].double(), inputs["unembedding"].double()
        return (inputs["bias"] + decay @ embedding[tokens] @ unembedding).float()

    names = ("tokens", "start", "context", "stride")
    scores = student.score_windows(model, *(inputs[name] for name in names))
    longest = max((shape[-1] for shape in shapes), default=0)
    return {"scores": scores, "calls": len(shapes), "longest": longest}


def score_windows(model, tokens, start, context, stride):
    read = torch.cat([torch.tensor([start]), tokens[:-1]])
    scores, begin, scored = [], 0, 0
    while scored < len(tokens):
        end = min(begin + context, len(tokens))
        log_probs = torch.log_softmax(model(read[None, begin:end])[0].double(), -1)
        scores.append(sum(log_probs[i - begin, tokens[i]] for i in range(scored, end)))
        begin, scored = begin + stride, end
    return torch.stack(scores)


def one_batch(inputs, outputs):
    if outputs["calls"] != 1:
        return f"the model was called {outputs['calls']} times; all windows fit into one batch"
    if outputs["longest"] > inputs["context"]:
        return f"the model had to read {outputs['longest']} tokens at once; it reads {inputs['context']}"
    return None


QUESTION = Question(
    id="01.7",
    title="A long text through a short model",
    kind="implement",
    difficulty=4,
    minutes=40,
    reference={"score_windows": score_windows},
    needs=("01.1",),
    clauses={
        "A model reads at most `context` tokens": ("one pass", "one_place_more"),
        "the most places that the model reads": ("one pass", "one_place_more"),
        "long, that returns logits (windows, places": ("one pass", "one_place_more"),
        "which is at most `context`": ("disjoint", "always_overlap"),
        "the distance from window to window": ("disjoint", "always_overlap"),
        "If the text is shorter than `context`": ("one window", "short_dropped"),
        "As in 01.1, logits can be in the thousands": ("one pass", "underflow"),
        "through `model` in one call": ("one pass", "one_by_one"),
        "long tensor (time,), the text, time at least 1": ("one window", "squeezed"),
        "which may lie outside": "most start tokens of the cases do, and none is a token to predict",
    },
    parts=[
        Part(
            "coverage",
            2,
            "each token is scored once, by the right window (this model predicts the same everywhere)",
            call_score_windows,
            inputs=texts_without_memory,
            compare=("scores",),
            hints=(
                "Write down for 7 tokens, context 4 and stride 2 where each window begins and ends.",
                "How many windows are there? The last is the first one that reaches the end of the text.",
                "A window scores what no earlier one has scored: all places of the first, and `stride` "
                "of each "
                "later one, or fewer at the end.",
            ),
        ),
        Part(
            "one window",
            2,
            "a text that fits into one window",
            call_score_windows,
            inputs=texts_in_one_window,
            compare=("scores",),
            hints=(
                "The first token of the text is predicted from the start token alone. What does the "
                "model read?",
                "The model reads the text moved by one place, with the start token in front and without "
                "its last token.",
                "A text may be shorter than the context: then the window is as long as the text.",
            ),
        ),
        Part(
            "disjoint",
            2,
            "windows that do not overlap: the stride is the context",
            call_score_windows,
            inputs=texts_in_disjoint_windows,
            compare=("scores",),
            hints=(
                (
                    "Print for each window, the last one too, where it begins and what the model reads "
                    "there. Where should it begin, and with what?"
                ),
                "The second window begins with the last token of the text that the first one scored.",
                "Cut the windows out of the shifted text. What hangs over the end is filled up and does "
                "not count.",
            ),
        ),
        Part(
            "overlap",
            3,
            "windows that overlap",
            call_score_windows,
            inputs=texts_in_windows,
            compare=("scores",),
            hints=(
                "The places that a window shares with an earlier one are read again, and not scored again.",
                "The model must read them, though: they are the past of what is scored.",
                "With sequence_log_prob: the log-probability of a whole window minus that of its first "
                "places.",
            ),
        ),
        Part(
            "one pass",
            1,
            "hundreds of tokens and logits of thousands, all windows in one call of the model",
            call_score_windows,
            inputs=long_texts,
            atol=3e-3,
            compare=("scores",),
            properties=(one_batch,),
            hints=(
                "How often is the model called, and with which shape?",
                "Stack the windows into a tensor (windows, width). A window that hangs over the end "
                "needs filling.",
                "A table of places, begins[:, None] + torch.arange(width), cuts all of them out at once.",
            ),
        ),
    ],
    exempt={"no gradient": "it evaluates a model that has been trained"},
)

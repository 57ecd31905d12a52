"""Question 01.7: A long text through a short model."""

import torch
from autograder.authoring import Part, Question, normal

from ..inputs import tokens_of


def texts(rng, sizes, memory=1.0):
    """Texts with windows, and the weights of a model; without memory it always predicts the same."""
    for time, context, stride in sizes:
        vocab, width = int(rng.integers(4, 7)), 3
        yield {
            "tokens": tokens_of(rng, vocab, time),
            "start": vocab,
            "context": context,
            "stride": stride,
            "embedding": normal(rng, vocab + 1, width, scale=1.5),
            "unembedding": memory * normal(rng, width, vocab),
            "bias": normal(rng, vocab),
        }


def texts_without_memory(rng):
    yield from texts(rng, [(13, 5, 2), (11, 4, 4), (10, 6, 4), (9, 3, 1)], memory=0.0)


def texts_in_one_window(rng):
    yield from texts(rng, [(5, 8, 3), (6, 6, 2), (1, 4, 4), (1, 1, 1)])


def texts_in_disjoint_windows(rng):
    yield from texts(rng, [(12, 4, 4), (11, 4, 4), (5, 1, 1)])


def texts_in_windows(rng):
    yield from texts(rng, [(13, 5, 2), (9, 4, 1), (10, 6, 4), (7, 6, 5)])


def long_texts(rng):
    yield from texts(rng, [(211, 16, 10), (150, 12, 4)])
    for case in texts(rng, [(115, 16, 10)]):
        common = normal(rng, 3, 1, scale=400.0)
        yield {**case, "unembedding": common + 15 * case["unembedding"]}


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
                "What stands at the beginning of the second window? Not the start token.",
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

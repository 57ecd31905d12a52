"""Question 10.7: A block of today, token by token."""

import math

import torch
from autograder.authoring import Part, Question, normal, sizes

from ..inputs import FUSED, spread_out

ATTENTIONS = (
    "torch.nn.functional.scaled_dot_product_attention",
    "torch.nn.functional.multi_head_attention_forward",
)

ALIKE = (4, 4, 4, 2, 2, 2, 4)  # batch, time, d, heads of keys, heads of queries for each, half a width, m
FREE = 1e36  # a base with which only the first pair of a head turns
LONGEST = 500


def decoders(rng, shapes, **others):
    """Streams with offsets, and weights of a block; queries and keys give scores of a few units."""
    for batch, time, d, n_shared, each, half, m in shapes:
        n_heads, k = n_shared * each, 2 * half
        x = spread_out(rng, batch, time, d)
        yield {
            "x": x if d > 1 else x.sign() * (1.0 + x.abs()),
            "gain_1": 0.5 + normal(rng, d).abs(),
            "W_q": 1.5 * normal(rng, d, n_heads * k) / d**0.5,
            "W_k": 1.5 * normal(rng, d, n_shared * k) / d**0.5,
            "W_v": normal(rng, d, n_shared * k),
            "W_o": 0.5 * normal(rng, n_heads * k, d) / (n_heads * k) ** 0.5,
            "gain_2": 0.5 + normal(rng, d).abs(),
            "W_g": 1.5 * normal(rng, d, m) / d**0.5,
            "W_1": normal(rng, d, m),
            "W_2": normal(rng, m, d) / m**0.5,
            "n_heads": n_heads,
            **others,
        }


def networks(rng):
    """Attention gives nothing. Streams are of ordinary size, large, and as small as 0.001.

    At last a wide network, and the text's example.
    """
    shapes = [(b, t, d, 1, 1, 1, m) for b, t, d, m in sizes(rng, batch=3, time=4, d=5, m=7)]
    shapes.append((2, 2, 3, 2, 1, 1, int(rng.integers(101, 113))))
    for i, case in enumerate(decoders(rng, shapes)):
        size = (1.0, 4e-3, 1.0, 20.0, 1e-3)[i % 5]
        yield {**case, "x": size * case["x"], "W_o": torch.zeros_like(case["W_o"])}
    for case in decoders(rng, [(1, 1, 2, 1, 1, 1, 1)]):
        yield {
            **case,
            "x": torch.tensor([[[1.0, 7.0]]]),
            "W_o": torch.zeros(2, 2),
            "gain_2": torch.ones(2),
            "W_g": torch.tensor([[10.0], [0.0]]),
            "W_1": torch.tensor([[0.0], [1.0]]),
            "W_2": torch.tensor([[1.0, 0.0]]),
        }


def lone_tokens(rng):
    """One token, which attends to itself; the network gives nothing. At last a single head."""
    shapes = [(b, 1, d, n, e, h, 2) for b, d, n, e, h in sizes(rng, batch=3, d=5, n_shared=3, each=3, half=2)]
    for i, case in enumerate(decoders(rng, [*shapes[1:], (2, 1, 4, 2, 3, 1, 2), (2, 1, 3, 1, 1, 2, 3)])):
        size = (1.0, 4e-3)[i % 2]
        yield {**case, "x": size * case["x"], "W_2": torch.zeros_like(case["W_2"])}


def unturned(rng):
    """Only the last two features of six are used, and they hardly turn; the network gives nothing."""
    used = torch.tensor([0.0, 0.0, 0.0, 0.0, 1.2, 1.2])
    drawn = list(sizes(rng, batch=3, time=5, d=(3, 5), n_shared=2, each=2))[1:]
    for case in decoders(rng, [(b, t, d, n, e, 3, 2) for b, t, d, n, e in drawn], base=FREE):
        yield {
            **case,
            "W_q": case["W_q"] * used.repeat(case["n_heads"]),
            "W_k": case["W_k"] * used.repeat(case["W_k"].shape[1] // 6),
            "W_2": torch.zeros_like(case["W_2"]),
        }


def together(rng):
    """Several sizes, a single head, sizes that are all alike, a long text, other bases.

    The streams are so large that no epsilon shows.
    """
    for case in any_decoders(rng):
        yield {**case, "x": 4.0 * case["x"]}


def any_decoders(rng):
    drawn = list(sizes(rng, batch=2, time=5, d=(3, 5), n_shared=2, each=2, half=2, m=4))[1:]
    yield from decoders(rng, [*drawn, (2, 3, 4, 1, 1, 2, 3), (1, int(rng.integers(101, 113)), 3, 1, 2, 1, 2)])
    yield from decoders(rng, [ALIKE, (2, 4, 3, 2, 2, 2, 3)], base=30.0)
    yield from decoders(rng, [(1, 3, 4, 1, 2, 3, 2)], base=200.0)
    for case in decoders(rng, [(2, 4, 3, 1, 2, 1, 3)]):  # all scores are 0
        yield {**case, "W_q": torch.zeros_like(case["W_q"])}


def in_pieces(rng, longest=LONGEST):
    """Three texts in short pieces, some of one token, the last with tiny values; and a long one."""
    drawn = list(sizes(rng, batch=2, d=(3, 5), n_shared=2, each=3, half=2))[1:4]
    lengths = ([1, 1, 1, 1], [3, 1, 2], [2, int(rng.integers(3, 6))], [longest - 3, 3])
    shapes = [(b, d, n, e, h, 3) for b, d, n, e, h in drawn] + [(1, 3, 1, 2, 1, 2)]
    for (batch, *others), pieces in zip(shapes, lengths):
        for case in decoders(rng, [(batch, sum(pieces), *others)], base=50.0):
            even = 0.2 if sum(pieces) > 100 else 1.0  # of many tokens, each has its share
            tiny = 3e-4 if pieces[0] == 2 else 1.0
            yield {
                **case,
                "W_q": even * case["W_q"],
                "W_v": tiny * case["W_v"],
                "W_o": case["W_o"] / tiny,
                "pieces": pieces,
                "upstream": normal(rng, *case["x"].shape),
            }


def forked(rng):
    """A text and two continuations of it; the second one is of another length."""
    drawn = list(sizes(rng, batch=3, d=(3, 4), n_shared=2, each=2, half=2))[1:6]
    for case in decoders(rng, [(b, 6, *others, 2) for b, *others in drawn]):
        batch, _, d = case["x"].shape
        yield {**case, "other": spread_out(rng, batch, 2, d)}


def extreme(rng):
    """Scores of about 1,500 and -1,500, another in each row, later ones larger by 1,100, and large gates.

    The squares of each token sum to d, and no pair that is used turns by more than a third. The last text
    is one token as small as the epsilon's root, whose scores are large all the same.
    """
    for batch, n_heads, n_shared, pieces, base, size in (
        (2, 4, 2, [4, 3], {}, 1.0),
        (1, 2, 1, [3, 2], {"base": FREE}, 1.0),
        (3, 2, 1, [1], {}, 4e-3),
    ):
        time, d, k, m = sum(pieces), 6, 6, 4
        for case in decoders(rng, [(batch, time, d, n_shared, n_heads // n_shared, k // 2, m)], **base):
            case = {
                name: value.double() if isinstance(value, torch.Tensor) else value
                for name, value in case.items()
            }
            x = 0.4 * normal(rng, batch, time, d).double().clamp(-2, 2)
            sign = torch.ones(time, dtype=torch.float64)
            sign[::2] = -1.0
            x[..., 0] = sign * (0.9 + 0.1 * normal(rng, batch, time).clamp(-1, 1)) * rng.choice([-1, 1])
            x[..., 1] = 1.0
            x[..., 2] = 0.7 * (torch.arange(time) >= pieces[0] - 1)
            x[:, -1, 2] = 1.4 * (time > 1)
            x[..., 5] = (d - x[..., :5].square().sum(-1)).sqrt()
            gates = torch.tensor([2000.0, 2000.0, 2000.0, 1.0], dtype=torch.float64)
            queries, keys = torch.zeros(2, d, k, dtype=torch.float64)
            queries[0, 4], keys[1, 4] = 4000.0, 1.0
            queries[1, 2], keys[2, 2], keys[3, 2] = 1.0, 4000.0, 4.0
            yield {
                **case,
                "x": size * x,
                "gain_1": torch.ones(d, dtype=torch.float64),
                "W_q": queries.repeat(1, n_heads),
                "W_k": keys.repeat(1, n_shared),
                "W_g": case["W_g"] * gates,
                "W_1": case["W_1"] / gates,
                "pieces": pieces,
                "upstream": normal(rng, batch, time, d).double(),
            }


def sent_through(rng):
    """Texts in pieces and in one; the streams of the last are as small as the epsilon's root."""
    yield from in_pieces(rng, longest=int(rng.integers(34, 40)))
    drawn = list(sizes(rng, batch=2, time=4, d=(3, 5), n_shared=2, each=2, m=4))[1:4]
    for case in decoders(rng, [(b, t, d, n, e, 1, m) for b, t, d, n, e, m in drawn]):
        yield {**case, "pieces": [case["x"].shape[1]], "upstream": normal(rng, *case["x"].shape)}
    for case in decoders(rng, [(2, 2, 4, 1, 2, 1, 3)]):
        upstream = normal(rng, *case["x"].shape)
        yield {**case, "x": 4e-3 * case["x"], "pieces": [2], "upstream": upstream}


def call_decoder(student, inputs):
    names = ("gain_1", "W_q", "W_k", "W_v", "W_o", "gain_2", "W_g", "W_1", "W_2")
    weights = {name: inputs[name] for name in names}
    base = {"base": inputs["base"]} if "base" in inputs else {}
    return {"z": student.decoder_block(inputs["x"], weights, inputs["n_heads"], **base)[0]}


def call_in_pieces(student, inputs):
    names = ("gain_1", "W_q", "W_k", "W_v", "W_o", "gain_2", "W_g", "W_1", "W_2")
    weights = {name: inputs[name] for name in names}
    base = {"base": inputs["base"]} if "base" in inputs else {}
    found, cache = [], None
    for piece in inputs["x"].split(inputs["pieces"], 1):
        past = {} if cache is None else {"cache": cache}
        z, cache = student.decoder_block(piece, weights, inputs["n_heads"], **past, **base)
        found.append(z)
    return {f"z of piece {n}": z for n, z in enumerate(found)}


def call_forked(student, inputs):
    names = ("gain_1", "W_q", "W_k", "W_v", "W_o", "gain_2", "W_g", "W_1", "W_2")
    weights, n_heads = {name: inputs[name] for name in names}, inputs["n_heads"]
    _, first = student.decoder_block(inputs["x"][:, :4], weights, n_heads)
    sizes = [list(kept.shape) for kept in first]
    _, longer = student.decoder_block(inputs["x"][:, 4:], weights, n_heads, first)
    before = [kept.clone() for kept in longer]
    z, second = student.decoder_block(inputs["other"], weights, n_heads, first)
    return {
        "shapes of the cache": sizes,
        "shapes of the second cache": [list(kept.shape) for kept in second],
        "shapes of the first, afterwards": [list(kept.shape) for kept in first],
        "z of the other continuation": z,
        "the first continuation's cache stays": [torch.equal(a, b) for a, b in zip(before, longer)],
    }


def call_decoder_backward(student, inputs):
    names = ("x", "gain_1", "W_q", "W_k", "W_v", "W_o", "gain_2", "W_g", "W_1", "W_2")
    leaves = {name: inputs[name].clone().requires_grad_() for name in names}
    weights = {name: leaves[name] for name in names[1:]}
    base = {"base": inputs["base"]} if "base" in inputs else {}
    found, cache = [], None
    for piece in leaves["x"].split(inputs["pieces"], 1):
        past = {} if cache is None else {"cache": cache}
        z, cache = student.decoder_block(piece, weights, inputs["n_heads"], **past, **base)
        found.append(z)
    (torch.cat(found, 1) * inputs["upstream"]).sum().backward()
    return {
        f"gradient of {name}": torch.zeros_like(leaf) if leaf.grad is None else leaf.grad
        for name, leaf in leaves.items()
    }


def decoder_block(x, weights, n_heads, cache=None, base=10000.0):
    """Token by token and head by head; the cache holds keys that are not turned."""
    kind = x.dtype
    w = {name: weight.double() for name, weight in weights.items()}
    x, k = x.double(), w["W_q"].shape[1] // n_heads
    rates = base ** (-torch.arange(0, k, 2).double() / k)

    def rms_norm(z, gain):
        return gain * z * (z.square().mean(-1, keepdim=True) + 1e-5).rsqrt()

    def turned(rows, start):
        angles = (start + torch.arange(rows.shape[1]).double())[:, None] * rates
        pairs = torch.view_as_complex(rows.unflatten(-1, (-1, 2)).contiguous())
        return torch.view_as_real(pairs * torch.polar(torch.ones_like(angles), angles)).flatten(-2)

    normed = rms_norm(x, w["gain_1"])
    queries, keys, values = ((normed @ w[name]).split(k, 2) for name in ("W_q", "W_k", "W_v"))
    start = 0
    if cache is not None:
        start = cache[0].shape[2]
        keys = [torch.cat([cache[0][:, g].double(), key], 1) for g, key in enumerate(keys)]
        values = [torch.cat([cache[1][:, g].double(), value], 1) for g, value in enumerate(values)]
    ahead = torch.arange(keys[0].shape[1]) > start + torch.arange(x.shape[1])[:, None]
    u = x
    for h, query in enumerate(queries):
        g = h * len(keys) // n_heads
        scores = turned(query, start) @ turned(keys[g], 0).mT / math.sqrt(k)
        shares = scores.masked_fill(ahead, -math.inf).softmax(-1)
        u = u + shares @ values[g] @ w["W_o"][h * k : (h + 1) * k]
    normed = rms_norm(u, w["gain_2"])
    gate = normed @ w["W_g"]
    z = u + (gate * torch.sigmoid(gate) * (normed @ w["W_1"])) @ w["W_2"]
    return z.to(kind), (torch.stack(list(keys), 1).to(kind), torch.stack(list(values), 1).to(kind))


QUESTION = Question(
    id="10.7",
    title="A block of today, token by token",
    kind="implement",
    difficulty=5,
    minutes=60,
    reference={"decoder_block": decoder_block},
    forbids=(*FUSED, *ATTENTIONS),
    exempt={
        "a large negative number for minus infinity": "scores are in the thousands, and every token may "
        "attend to itself: -1e9 is as good",
    },
    parts=[
        Part(
            "network",
            3,
            "W_o is zero: the norm, the gated network and its line",
            call_decoder,
            inputs=networks,
            rtol=1e-3,
            atol=1e-5,
            hints=(
                "With W_o = 0 attention adds nothing, and u is x. What is left of the equations?",
                "The root mean square is taken over the features of a token. No mean is subtracted, and "
                "the epsilon stands inside the root.",
                "Only one of the two inner layers goes through the activation; then they are multiplied.",
            ),
        ),
        Part(
            "one token",
            2,
            "W_2 is zero, one token: what it finds is its own value",
            call_decoder,
            inputs=lone_tokens,
            rtol=1e-3,
            atol=1e-5,
            hints=(
                "A single token has all its weight on itself, so its heads return its values. Which head "
                "of values belongs to each head of queries?",
                "The first n_heads / n_kv heads of queries share the first head of values.",
                "The heads are put side by side, head 1 first, and W_o follows.",
            ),
        ),
        Part(
            "attention",
            3,
            "W_2 is zero, several tokens, features that hardly turn",
            call_decoder,
            inputs=unturned,
            rtol=1e-3,
            atol=1e-4,
            hints=(
                (
                    "Write down the scores and the weights of three tokens of the case that is named: by "
                    "what are scores divided, which tokens may each of them see, and what does each row "
                    "sum to?"
                ),
                "Token i attends to the tokens 0 to i, and the weights of each row sum to 1.",
                "By the root of which width are the scores divided?",
            ),
        ),
        Part(
            "positions",
            1,
            "everything together, all tokens at once",
            call_decoder,
            inputs=together,
            rtol=1e-3,
            atol=1e-4,
            hints=(
                (
                    "Go through the equations line by line for the case that is named: what does each "
                    "line read, and which angles belong to each token, by the base and the width of a "
                    "head?"
                ),
                "Queries and keys are turned, values are not. Which two features make a pair?",
                "The rates depend on the width of a head, not on that of the stream.",
            ),
        ),
        Part(
            "pieces",
            3,
            "the same text in pieces, with the cache",
            call_in_pieces,
            inputs=in_pieces,
            rtol=1e-3,
            atol=1e-4,
            hints=(
                (
                    "Print the result of the case that is named at once, and in its pieces. From which "
                    "token on do they differ, and how long are the text and the cache up to there?"
                ),
                "A piece begins at the position that the cache's length says, for turning and for the mask.",
                "Are the keys in your cache turned already? Then they must not be turned again.",
            ),
        ),
        Part(
            "cache",
            1,
            "the cache holds no more than it must, and can be used twice",
            call_forked,
            inputs=forked,
            rtol=1e-3,
            atol=1e-4,
            hints=(
                "Print the shapes of a cache, then continue the same text twice.",
                "Heads that share their keys need them once. The shape is (batch, n_kv, tokens, k).",
                "A cache that is given stays as it is. A longer one is new.",
            ),
        ),
        Part(
            "extremes",
            1,
            "scores near 1,500 and near -1,500, and gates in the thousands, with their gradients",
            call_decoder_backward,
            inputs=extreme,
            rtol=1e-3,
            atol=1e-3,
            hints=(
                (
                    "What is large in the case that is named, the scores or the gates? Print them before "
                    "and after each step: where is a difference lost, or a number no number any more?"
                ),
                "If numbers are NaN, look for an exponential that overflows, in the gate too: its "
                "gradient is then infinity times zero.",
            ),
        ),
        Part(
            "gradients",
            1,
            "gradients for x and all weights, through the cache too",
            call_decoder_backward,
            inputs=sent_through,
            rtol=2e-3,
            atol=1e-3,
            hints=(
                "Which of the weights get no gradient, or another one when the text is in pieces?",
                "An earlier piece gets a gradient from later ones, through its keys and values. Does "
                "something cut it off?",
            ),
        ),
    ],
    clauses={
        "What chapters 7, 9 and 10 say": "where it comes from",
        "at most 500 tokens": ("pieces", "short_table"),
        "A text in pieces of any lengths": ("pieces", "short_table"),
        "A cache must stay as it was": ("cache", "one_list"),
        "or `None` if `x` begins the text": "every part begins a text so",
        "can be continued in two ways": ("cache", "one_list"),
        "Scores of later tokens may be larger": ("extremes", "no_shift"),
        "Streams may be as small as": "network and one token have such streams: epsilon_small loses both",
        "The first token of a text has position 0": "an offset of all positions changes no score",
        "the queries of head 1": "heads_last loses all parts that attend",
        "head 1 first": "heads_last loses all parts that attend",
        "An example to check by hand": "it is a case of the network",
        "one token $x = (1, 7)$": "it is a case of the network",
        "Let $g_2$ be 1": "it is a case of the network",
        "the gate's input is 2": "it is a case of the network",
        "time at least 1": "what is given",
        "None, or the cache": "every part begins a text with None",
        "a whole number": "it is the form of a count",
    },
)

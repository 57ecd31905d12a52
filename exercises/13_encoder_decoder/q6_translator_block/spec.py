"""Question 13.6: The decoder's block."""

import math

import torch
from autograder.authoring import Part, Question, normal, sizes


def shapes(rng):
    """Sizes of batch, time, source_time, d, n_heads and m."""
    drawn = sizes(rng, batch=3, time=5, source_time=4, n_heads=3, d_head=(2, 4), m=5)
    for batch, time, source_time, n_heads, d_head, m in drawn:
        # with few features variances would be as small as epsilon by chance
        yield batch, time, source_time, max(n_heads * d_head, 6 - n_heads % 2), n_heads, m
    yield 2, 4, 3, 6, 6, 2  # heads of one feature


def long(rng):
    """A long source, a long target, a single feature, and all sizes equal."""
    yield 1, 2, int(rng.integers(100, 110)), 4, 2, 3
    yield 1, int(rng.integers(100, 110)), 3, 4, 2, 2
    yield 2, 3, 2, 1, 1, 4
    yield 4, 4, 4, 4, 2, 4  # all as large as d


def blocks(rng, shapes):
    """Targets, memories with padding at any place, and parameters; scores are of a few units."""
    for batch, time, source_time, d, n_heads, m in shapes:
        allowed = torch.from_numpy(rng.random((batch, source_time)) < 0.6)
        allowed[:, int(rng.integers(source_time))] = True
        if source_time > 1:
            allowed[-1] = torch.arange(source_time) < source_time - 1
        case = {
            "x": 0.5 + 1.5 * normal(rng, batch, time, d),
            "memory": 0.3 + 1.2 * normal(rng, batch, source_time, d),
            "memory_allowed": allowed,
        }
        for name in "WC":
            case[f"{name}_q"] = normal(rng, d, d) / d**0.5
            case[f"{name}_k"] = normal(rng, d, d) / d**0.5
            case[f"{name}_v"] = 1.5 * normal(rng, d, d) / d**0.5
            case[f"{name}_o"] = 1.5 * normal(rng, d, d) / d**0.5
        case |= {"W_1": normal(rng, d, m), "b_1": normal(rng, m)}
        case |= {"W_2": normal(rng, m, d) / m**0.5, "b_2": normal(rng, d)}
        for n in (1, 2, 3):
            case[f"gain_{n}"] = 0.5 + normal(rng, d).abs()
            case[f"bias_{n}"] = 0.7 * normal(rng, d)
        yield {**case, "n_heads": n_heads}


def without(case, zeros, plain):
    """The case with some matrices that are zero, and norms that have no gain and no bias."""
    case = {**case, **{name: torch.zeros_like(case[name]) for name in zeros}}
    for n in plain:
        case |= {f"gain_{n}": torch.ones_like(case["gain_1"]), f"bias_{n}": torch.zeros_like(case["bias_1"])}
    return case


def networks(rng):
    """Neither attention adds anything; some targets are as small as the root of the norm's epsilon."""
    for i, case in enumerate(blocks(rng, shapes(rng))):
        small = i % 2 == 1
        case = without(case, ("W_o", "C_o"), (2,) if small else (1, 2))
        yield {**case, "x": (4e-3 if small else 1.0) * case["x"]}


def written(rng):
    """What has been written alone matters."""
    for case in [*blocks(rng, shapes(rng)), *as_long(rng)]:
        yield without(case, ("C_o", "W_2", "b_2"), (2, 3))


def unpadded(rng):
    """The source alone matters, and all of it."""
    for case in blocks(rng, shapes(rng)):
        case = without(case, ("W_o", "W_2", "b_2"), (1, 2, 3))
        case["memory_allowed"] = torch.ones_like(case["memory_allowed"])
        yield case
    # memories that are small beside what is made of them
    yield {**case, "memory": 4e-4 * case["memory"], **{f"C_{n}": 2000.0 * case[f"C_{n}"] for n in "kv"}}


def padded(rng):
    """The same with padding, some of it with memories that are large."""
    for i, case in enumerate(blocks(rng, shapes(rng))):
        case = without(case, ("W_o", "W_2", "b_2"), (1, 2, 3))
        size = torch.where(case["memory_allowed"], 1.0, (1.0, 4.0)[i % 2])
        yield {**case, "memory": size[..., None] * case["memory"]}
    for case in blocks(rng, [(1, 1, 3, 4, 2, 5)]):  # the example of the text
        case = without(case, ("W_o", "W_2", "b_2", "C_q"), (1, 2, 3))
        memory = torch.tensor([[[8.0, 0, 0, 0], [0, 0, 0, 0], [5, -3, 2, 9]]])
        allowed = torch.tensor([[True, True, False]])
        case |= {"C_v": torch.eye(4), "C_o": torch.eye(4), "memory": memory, "memory_allowed": allowed}
        yield {**case, "x": torch.tensor([[[1.0, 1.0, 3.0, 3.0]]])}


def as_long(rng):
    """Sources as long as their targets, padded at every other place: nothing of the target is hidden."""
    for case in blocks(rng, [(2, 4, 4, 6, 2, 5)]):
        even = torch.arange(4) % 2 == 0
        yield {**case, "memory_allowed": torch.stack([even, ~even])}


def small(rng):
    """Targets as small as the root of the norm's epsilon."""
    for case in blocks(rng, [(2, 3, 4, 4, 2, 5)]):
        yield {**case, "x": 4e-3 * case["x"]}


def together(rng):
    yield from blocks(rng, [*shapes(rng), *long(rng)])
    yield from small(rng)
    yield from as_long(rng)
    for case in blocks(rng, [(2, 4, 3, 6, 2, 3)]):  # all scores are 0
        yield {**case, **{name: torch.zeros_like(case[name]) for name in ("W_q", "C_q")}}
    for case in blocks(rng, [(2, 3, 4, 6, 2, 5)]):  # large inputs, and a last norm that makes them small
        case |= {name: case[name] / 30 for name in ("W_q", "W_k", "C_q", "C_k")}
        case |= {name: 8e-4 * case[name] for name in ("gain_3", "bias_3")}
        yield {**case, "x": 30 * case["x"], "memory": 30 * case["memory"]}


def extreme(rng):
    """Scores beyond 1,000 and -1,000 from token to token; those of what is masked are larger by as much."""
    for number, (batch, time, source_time) in enumerate([(2, 4, 3), (1, 3, 4), (2, 4, 3)]):
        d, d_head, n_heads = 8, 4, 2
        for case in blocks(rng, [(batch, time, source_time, d, n_heads, 3)]):
            case = {n: v.double() if v.is_floating_point() else v for n, v in case.items() if n != "n_heads"}
            x, memory = 0.5 * case["x"], 0.5 * case["memory"]
            sign = torch.tensor([-1.0, 1.0]).repeat(time)[:time] * float(rng.choice([-1.0, 1.0]))
            x[..., 0] = 4.0 * sign
            x[..., 1] = 1.0
            x[..., 2] = 1.0 * (torch.arange(time) == time - 1)
            memory[..., 0] = 1.0
            if number == 1:
                case["memory_allowed"] = torch.ones_like(case["memory_allowed"])
            memory[..., 1] = 1.0 * ~case["memory_allowed"]
            query, key, own, other = torch.zeros(4, d, d_head, dtype=torch.float64)
            query[0, 0], key[1, 0] = 1000.0, 1.0  # from token to token, alike for all keys
            query[1, 1], key[2, 1] = 3000.0, 1.0  # the last key
            query[3, 2], key[3, 2], query[4, 3], key[4, 3] = 1.0, 1.0, 1.0, 1.0
            own[0, 0], other[0, 0] = 2000.0, 1.0
            own[1, 1], other[1, 1] = 2000.0, 1.0
            own[5, 2], other[5, 2], own[6, 3], other[6, 3] = 1.0, 1.0, 1.0, 1.0
            case |= {"W_q": query.repeat(1, 2), "W_k": key.repeat(1, 2)}
            case |= {"C_q": own.repeat(1, 2), "C_k": other.repeat(1, 2)}
            case |= {"W_o": 0.2 * case["W_o"], "gain_1": torch.ones(d).double()}
            case["bias_1"] = torch.tensor([0.0, 4.0, 0, 0, 0, 0, 0, 0], dtype=torch.float64)
            yield {
                **case,
                "x": x,
                "memory": memory,
                "n_heads": n_heads,
                "upstream": normal(rng, batch, time, d).double(),
            }


def sent_back(rng):
    for case in (*blocks(rng, [*shapes(rng), (1, 36, 40, 4, 2, 3)]), *small(rng), *as_long(rng)):
        yield {**case, "upstream": normal(rng, *case["x"].shape)}
    yield from extreme(rng)


def call_block(student, inputs):
    names = ("b_2", "W_2", "b_1", "W_1", "C_q", "C_k", "C_v", "C_o", "W_q", "W_k", "W_v", "W_o")
    names += ("gain_3", "gain_2", "gain_1", "bias_3", "bias_2", "bias_1")
    parameters = {name: inputs[name] for name in names}
    given = (inputs["x"], inputs["memory"], inputs["memory_allowed"], parameters, inputs["n_heads"])
    return {"z": student.translator_block(*given)}


def call_block_backward(student, inputs):
    names = ("b_2", "W_2", "b_1", "W_1", "C_q", "C_k", "C_v", "C_o", "W_q", "W_k", "W_v", "W_o")
    names += ("gain_3", "gain_2", "gain_1", "bias_3", "bias_2", "bias_1")
    leaves = {name: inputs[name].clone().requires_grad_() for name in ("x", "memory", *names)}
    parameters = {name: leaves[name] for name in names}
    given = (leaves["x"], leaves["memory"], inputs["memory_allowed"], parameters, inputs["n_heads"])
    (student.translator_block(*given) * inputs["upstream"]).sum().backward()
    return {
        f"gradient of {name}": torch.zeros_like(leaf) if leaf.grad is None else leaf.grad
        for name, leaf in leaves.items()
    }


def translator_block(x, memory, memory_allowed, parameters, n_heads):
    """Sentence by sentence and head by head, over the words alone."""
    p = {name: value.double() for name, value in parameters.items()}
    d = x.shape[2]
    k = d // n_heads

    def norm(y, n):
        y = y - y.mean(-1, keepdim=True)
        return p[f"gain_{n}"] * y * (y.square().sum(-1, keepdim=True) / d + 1e-5).rsqrt() + p[f"bias_{n}"]

    def attended(name, a, context, ahead):
        total = torch.zeros_like(a)
        for h in range(n_heads):
            query, key, value = (
                rows @ p[f"{name}_{letter}"][:, h * k : (h + 1) * k]
                for rows, letter in ((a, "q"), (context, "k"), (context, "v"))
            )
            shares = (query @ key.T / math.sqrt(k) + ahead).softmax(1)
            total = total + shares @ value @ p[f"{name}_o"][h * k : (h + 1) * k]
        return total

    found = []
    ahead = torch.full((x.shape[1], x.shape[1]), -math.inf, dtype=torch.float64).triu(1)
    for text, source, words in zip(x.double(), memory.double(), memory_allowed):
        o = norm(text + attended("W", text, text, ahead), 1)
        o = norm(o + attended("C", o, source[words], 0.0), 2)
        o = norm(o + (o @ p["W_1"] + p["b_1"]).clamp(min=0.0) @ p["W_2"] + p["b_2"], 3)
        found.append(o)
    return torch.stack(found).to(x.dtype)


QUESTION = Question(
    id="13.6",
    title="The decoder's block",
    kind="implement",
    difficulty=4,
    minutes=30,
    reference={"translator_block": translator_block},
    forbids=(
        "torch.nn.functional.scaled_dot_product_attention",
        "torch.nn.functional.multi_head_attention_forward",
    ),
    exempt={
        "a large negative number for minus infinity": "every token may attend to itself, and every source "
        "has a word: -1e9 is as good",
    },
    clauses={
        "what has been written, then": "cross_first loses every part with attention",
        "Each token is a row": "the formulas say so",
        "The source is known as a whole": "causal_cross loses four parts, no_padding_mask three",
        "with $\\epsilon = 10^{-5}$ inside": "no_epsilon loses the network's part and the last two",
        "one target token $x": "it is a case of the part with padding",
        "The first norm gives": "it is a case of the part with padding",
        "Let $C_q$ be zero": "it is a case of the part with padding",
        "memory has the two words": "it is a case of the part with padding",
        "Head 1 has the first": "heads_last loses every part with attention",
        "which divides d": "one head, several and d heads are among the cases",
        "padding; each row has a": "what the function is given",
        "where it has padding": "padding_inverted loses every part with padding",
    },
    parts=[
        Part(
            "network",
            1,
            "neither attention adds anything: the norms, the network and its residual connection",
            call_block,
            inputs=networks,
            rtol=1e-3,
            atol=1e-4,
            hints=(
                "With W_o = 0 and C_o = 0 both attentions give zeros. What is left of the three equations?",
                "The network reads what the second norm gives, and is added to the same vector.",
                "Some inputs are so small that the norm's epsilon counts. Where does it stand, and how "
                "large is it?",
            ),
        ),
        Part(
            "self-attention",
            2,
            "the source and the network add nothing: what has been written",
            call_block,
            inputs=written,
            rtol=1e-3,
            atol=1e-4,
            hints=(
                (
                    "Change one token of x, then one of the memory, padding among them. Which rows of "
                    "your output change, and which may?"
                ),
                "Each head has its own columns of the queries, keys and values. What is the size of a "
                "head's part, and which root belongs to it?",
                "Bring the heads behind the time again before you put them side by side.",
            ),
        ),
        Part(
            "cross-attention",
            2,
            "what has been written and the network add nothing, no padding: the source",
            call_block,
            inputs=unpadded,
            rtol=1e-3,
            atol=1e-4,
            hints=(
                (
                    "Write the second equation for the case that is named: from what, and with which "
                    "matrices, are queries, keys and values made, and which words of the source may a "
                    "target word see?"
                ),
                "The source has no future: which of its words may the first target token see?",
                "The queries come from what the first norm gives, which is also what is added.",
            ),
        ),
        Part(
            "padding",
            1,
            "the same with padding in the sources",
            call_block,
            inputs=padded,
            rtol=1e-3,
            atol=1e-4,
            hints=(
                (
                    "Take a source of which a word is padding. Your output should be the one that you get "
                    "for the source without this word."
                ),
                "Padding has to be hidden before the softmax, from every query and in every head.",
                "Which of the four dimensions of the scores counts the source's tokens?",
            ),
        ),
        Part(
            "together",
            1,
            "everything together",
            call_block,
            inputs=together,
            rtol=1e-3,
            atol=1e-4,
            hints=(
                "Take the case that is told of, and compute the three equations line by line. Where "
                "do they part?",
                "Each of the three norms has its own gain and bias, and each attention its own matrices.",
                "Count: three sums, three norms, and the next line starts from what the last norm gave.",
            ),
        ),
        Part(
            "gradients",
            1,
            "gradients for x, the memory and all parameters, with scores in the thousands too",
            call_block_backward,
            inputs=sent_back,
            rtol=2e-3,
            atol=1e-3,
            hints=(
                "Which gradients are wrong, and which step of yours lies between them and the result?",
                "The encoder learns only through the memory. Does something cut its gradient off?",
                "Mask before the largest score of a row is subtracted: a masked one may be larger by a "
                "thousand.",
            ),
        ),
    ],
)

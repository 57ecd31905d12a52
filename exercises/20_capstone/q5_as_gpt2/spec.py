"""Question 20.5: Translate a checkpoint."""

import numpy as np
import torch
from autograder.authoring import Part, Question, normal, sizes

SHAPES = {
    "W_q": "dd", "W_k": "dd", "W_v": "dd", "W_o": "dd", "W_1": "dm", "W_2": "md", "b_1": "m", "b_2": "d",
    "gain_1": "d", "bias_1": "d", "gain_2": "d", "bias_2": "d",
}  # fmt: skip


def model_of(rng, d, m, vocab, n_blocks, context):
    size = {"d": d, "m": m}
    weights = {"E": normal(rng, vocab, d), "head": normal(rng, vocab, d)}
    weights |= {"gain": normal(rng, d), "bias": normal(rng, d)}
    for i in range(n_blocks):
        for name, axes in SHAPES.items():
            weights[f"blocks.{i}.{name}"] = normal(rng, *(size[axis] for axis in axes))
    order = rng.permutation(sorted(weights)).tolist()
    return {"weights": {name: weights[name] for name in order}, "context": context}


def models(rng):
    for d, m, vocab, n_blocks, context in sizes(
        rng, d=6, m=9, vocab=8, n_blocks=4, context=7, far={"context": 110}
    ):
        yield model_of(rng, d, m, vocab, n_blocks, context)
    yield model_of(rng, 4, 4, 4, 1, 4)
    yield model_of(rng, 2, 3, 5, 12, 3)  # blocks whose numbers have two digits
    yield model_of(rng, 5, 20, 300, 1, 3)
    case = model_of(rng, 3, 4, 5, 2, 4)
    yield {**case, "weights": {name: 30.0 * tensor for name, tensor in case["weights"].items()}}


def call_tables(student, inputs):
    found = student.as_gpt2(inputs["weights"], inputs["context"])
    names = ("transformer.wte.weight", "transformer.wpe.weight", "lm_head.weight")
    return {name: found[name] for name in names}


def call_attention(student, inputs):
    found = student.as_gpt2(inputs["weights"], inputs["context"])
    return {name: tensor for name, tensor in found.items() if ".attn." in name}


def call_rest(student, inputs):
    found = student.as_gpt2(inputs["weights"], inputs["context"])
    rest = {name: tensor for name, tensor in found.items() if ".mlp." in name or ".ln_" in name}
    return {"names": sorted(found), **rest}


def as_gpt2(weights, context):
    d = weights["E"].shape[1]
    table = np.zeros((context, d))
    for t in range(context):
        for j in range(d):
            angle = t * 10000.0 ** (-(j - j % 2) / d)
            table[t, j] = np.cos(angle) if j % 2 else np.sin(angle)
    made = {
        "lm_head.weight": weights["head"].double(),
        "transformer.wte.weight": weights["E"].double() * np.sqrt(d),
        "transformer.wpe.weight": torch.from_numpy(table),
        "transformer.ln_f.weight": weights["gain"],
        "transformer.ln_f.bias": weights["bias"],
    }
    for i in range(sum(name.endswith("W_q") for name in weights)):
        p = {name: weights[f"blocks.{i}.{name}"] for name in SHAPES}
        attention = {"c_attn.weight": torch.hstack([p["W_q"], p["W_k"], p["W_v"]]), "c_proj.weight": p["W_o"]}
        attention |= {"c_attn.bias": torch.zeros(3 * d), "c_proj.bias": torch.zeros(d)}
        network = {"c_fc.weight": p["W_1"], "c_fc.bias": p["b_1"]}
        network |= {"c_proj.weight": p["W_2"], "c_proj.bias": p["b_2"]}
        norms = {
            f"ln_{n}.{new}": p[f"{old}_{n}"]
            for n in (1, 2)
            for new, old in (("weight", "gain"), ("bias", "bias"))
        }
        made |= {f"transformer.h.{i}.attn.{name}": tensor for name, tensor in attention.items()}
        made |= {f"transformer.h.{i}.mlp.{name}": tensor for name, tensor in network.items()}
        made |= {f"transformer.h.{i}.{name}": tensor for name, tensor in norms.items()}
    return made


QUESTION = Question(
    id="20.5",
    title="Translate a checkpoint",
    kind="implement",
    difficulty=3,
    minutes=25,
    reference={"as_gpt2": as_gpt2},
    exempt={"no gradient": "a file has no gradient"},
    clauses={
        "the same weights GPT-2's names": "the 2 is part of a name",
        "by the names of GPT-2": "the 2 is part of a name",
        "$d$ may be odd": "odd widths are among the cases",
        "without a factor": ("tables", "no_root"),
        "where $r_j": ("tables", "own_rate"),
    },
    parts=[
        Part(
            "tables",
            2,
            "the tables of tokens and places, and the head",
            call_tables,
            inputs=models,
            hints=(
                "What does my_transformer.py multiply the row of a token by, and what does GPT-2?",
                "An odd column has the rate of the even one before it. What if the last column is even?",
            ),
        ),
        Part(
            "attention",
            2,
            "the attention of every block",
            call_attention,
            inputs=models,
            hints=(
                "In which order do queries, keys and values stand in the one matrix, and along which axis?",
                "Where my_transformer.py has no bias, GPT-2 needs one that changes nothing.",
            ),
        ),
        Part(
            "rest",
            2,
            "networks and norms, and the names of everything, no other among them",
            call_rest,
            inputs=models,
            hints=(
                "Which of the two maps of the network is c_fc, and which norm is ln_2?",
                "The last norm is ln_f, outside the blocks. Matrices are not transposed.",
                "Print your names beside those of the text. Which has no transformer. before it?",
            ),
        ),
    ],
)

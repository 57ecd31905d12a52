"""Sampling token by token from a start token, with a cache; and beam search of a translator."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from transformers import Cache, DynamicCache, StaticCache
from x_transformers import AutoregressiveWrapper

from tests.benchmarks.measuring import BF16, Row, compare
from tests.benchmarks.peers import (
    LANGUAGE_MODELS,
    TRANSLATORS,
    Gpt2,
    Marian,
    check_sameness,
    lstm,
    our_translator,
    ours,
    x_transformer,
)
from transformer_lib.decoding.beam import beam_search
from transformer_lib.decoding.sampling import generate

N_BEAMS = 4
LIMIT_STEPS = 64


def measure(
    size: str, batch: int, n_tokens: int, repeats: int, device: str = "cpu", half: bool = False
) -> list[Row]:
    """Tokens a second of ours, of the peers that have a cache, and of the LSTM's cells.

    ``half`` says whether all of them are also measured with weights and caches in bfloat16.
    """
    shape = LANGUAGE_MODELS[size]
    context_length = n_tokens + shape.time // 4
    kinds = {"ours": ours, "Gpt2": Gpt2, "x": x_transformer, "lstm": lstm}
    runs = {}
    for mark, precision in {"": torch.float32, **({BF16: torch.bfloat16} if half else {})}.items():
        models = {name: build(shape, context_length).to(device).eval() for name, build in kinds.items()}
        if not mark:
            generator = torch.Generator().manual_seed(0)
            check_sameness(models, torch.randint(3, shape.vocab_size, (2, 8), generator=generator).to(device))
            check_cache(
                models["ours"], torch.randint(shape.vocab_size, (2, 8), generator=generator).to(device)
            )
        for model in models.values():
            model.to(precision)
        runs |= {name + mark: run for name, run in samplers(models, batch, n_tokens, device).items()}
    torch.compiler.reset()  # or the code of another case counts towards the most that PyTorch keeps
    with torch.compiler.set_stance("force_eager" if size == "quick" else "default"):
        return compare("sampling", f"{size}, batch {batch}", runs, batch * n_tokens, "tokens/s", repeats)


def samplers(
    models: dict[str, nn.Module], batch: int, n_tokens: int, device: str
) -> dict[str, Callable[[], object]]:
    """What is measured: each draws ``n_tokens`` tokens for each text of a batch."""
    nothing = torch.empty(batch, 0, dtype=torch.long, device=device)
    start = torch.zeros(batch, 1, dtype=torch.long, device=device)
    theirs = models["Gpt2"]
    compiled = torch.compile(theirs)
    wrapped = AutoregressiveWrapper(models["x"])

    return {
        "ours": lambda: generate(models["ours"], nothing, n_tokens),
        "ours, compiled": lambda: generate(models["ours"], nothing, n_tokens, compiled=True),
        "Hugging Face GPT-2, own loop": lambda: own_loop(
            theirs, DynamicCache(config=theirs.config), start, n_tokens
        ),
        "Hugging Face GPT-2, compiled": lambda: own_loop(
            compiled, StaticCache(config=theirs.config, max_cache_len=n_tokens), start, n_tokens
        ),
        "Hugging Face GPT-2, generate": lambda: theirs.generate(
            start,
            attention_mask=torch.ones_like(start),
            max_new_tokens=n_tokens,
            do_sample=True,
            top_k=0,
            eos_token_id=None,
            pad_token_id=0,
        ),
        "x-transformers": lambda: wrapped.generate(
            start, n_tokens, filter_logits_fn=lambda logits: logits, cache_kv=True
        ),
        "LSTM, cell": lambda: generate(models["lstm"], nothing, n_tokens),
    }


def limits(size: str, repeats: int, device: str = "cpu") -> list[Row]:
    """Tokens a second, one at a time, if a step were nothing but the products with the blocks' weights.

    Of two ways for the weights to lie in memory, output by output or input by input, it is the faster.
    """
    shape = LANGUAGE_MODELS[size]
    model = ours(shape, shape.time).to(device).eval()
    weights = [module.weight.data for module in model.modules() if isinstance(module, nn.Linear)]
    rows = {weight.shape[1]: torch.randn(1, weight.shape[1], device=device) for weight in weights}

    @torch.no_grad()
    def products(weights: list[Tensor]) -> None:
        for _ in range(LIMIT_STEPS):
            for weight in weights:
                F.linear(rows[weight.shape[1]], weight)

    by_input = [weight.t().contiguous().t() for weight in weights]
    runs = {"by output": lambda: products(weights), "by input": lambda: products(by_input)}
    measured = compare("sampling", f"{size}, batch 1", runs, LIMIT_STEPS, "tokens/s", repeats)
    return [replace(max(measured, key=lambda row: row.median), name="limit, products")]


@torch.no_grad()
def own_loop(model: Callable[..., Any], cache: Cache, token: Tensor, n_tokens: int) -> Tensor:
    """Hugging Face's model and cache, without the rest of its ``generate``."""
    tokens = []
    for _ in range(n_tokens):
        logits = model(token, past_key_values=cache, use_cache=True).logits[:, -1]
        token = torch.multinomial(logits.softmax(-1), 1)
        tokens.append(token)
    return torch.cat(tokens, dim=1)


@torch.no_grad()
def check_cache(model: nn.Module, tokens: Tensor) -> None:
    """Refuse a cache that changes what is predicted."""
    state = model.init_state(len(tokens))
    for t, expected in enumerate(model.logits(tokens).unbind(1)):
        logits, state = model.step(tokens[:, t], state)
        torch.testing.assert_close(logits, expected, rtol=1e-4, atol=1e-5)


def measure_beams(size: str, batch: int, n_tokens: int, repeats: int, device: str = "cpu") -> list[Row]:
    """Target tokens a second of beam search; no hypothesis ends before ``n_tokens``."""
    shape = TRANSLATORS[size]
    model, marian = (build(shape).to(device).eval() for build in (our_translator, Marian))
    source = torch.randint(
        3, shape.vocab_size, (batch, shape.time), generator=torch.Generator().manual_seed(0)
    ).to(device)
    check_sameness({"ours": model, "Marian": marian}, source, source)

    def search() -> None:
        beam_search(model.condition(source), n_tokens, end_token=1, batch_size=batch, n_beams=N_BEAMS)

    runs = {"ours": search}
    runs["Hugging Face Marian"] = lambda: marian.generate(
        input_ids=source,
        attention_mask=torch.ones_like(source),
        num_beams=N_BEAMS,
        max_new_tokens=n_tokens,
        eos_token_id=None,
        length_penalty=0.6,
        do_sample=False,
    )
    return compare(
        f"beam search, {N_BEAMS} beams", f"{size}, batch {batch}", runs, batch * n_tokens, "tokens/s", repeats
    )

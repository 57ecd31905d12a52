"""What a token costs where more stand before it: in training, and in sampling with a cache or without."""

from dataclasses import replace

import torch

from tests.benchmarks.measuring import Row, take_turns
from tests.benchmarks.peers import LANGUAGE_MODELS, lstm, ours
from tests.benchmarks.training import Training

TOKENS_A_STEP = 4096
STEPS = 8


def _tokens(vocab_size: int, batch: int, length: int) -> torch.Tensor:
    return torch.randint(vocab_size, (batch, length), generator=torch.Generator().manual_seed(0))


def measure_training(size: str, lengths: list[int], repeats: int, device: str = "cpu") -> list[Row]:
    """Microseconds a token of a training step, for the Transformer and the LSTM of equal size."""
    rows = []
    for length in lengths:
        batch = max(1, min(TOKENS_A_STEP, LANGUAGE_MODELS[size].batch * LANGUAGE_MODELS[size].time) // length)
        shape = replace(LANGUAGE_MODELS[size], time=length, batch=batch)
        tokens = _tokens(shape.vocab_size, batch, length).to(device)
        runs = {
            name: Training(build(shape).to(device), (tokens,), tokens).step
            for name, build in (("ours", ours), ("nn.LSTM", lstm))
        }
        for name, seconds in take_turns(runs, repeats).items():
            micros = [1e6 * s / tokens.numel() for s in seconds]
            rows.append(Row.of_rates("training by length", str(length), name, micros, "µs/token"))
    return rows


@torch.no_grad()
def measure_sampling(size: str, lengths: list[int], repeats: int, device: str = "cpu") -> list[Row]:
    """Microseconds for one more token after so many, read through the cache or all again; and the LSTM's."""
    shape = LANGUAGE_MODELS[size]
    model = ours(shape, max(lengths) + STEPS).to(device).eval()
    recurrent = lstm(shape, max(lengths) + STEPS).to(device).eval()
    token = torch.zeros(1, dtype=torch.long, device=device)
    rows = []
    for length in lengths:
        prefix = _tokens(shape.vocab_size, 1, length).to(device)
        _, state = model.read(prefix, model.init_state(1))
        _, read = recurrent.read(prefix, recurrent.init_state(1))

        def cached(state=state) -> None:
            """The state is left as it was found: the caches forget what is read here."""
            for cache in state.caches:
                cache.length, cache.version = state.tokens.shape[1], state.version
            last = state
            for _ in range(STEPS):
                _, last = model.step(token, last)

        def uncached(prefix=prefix) -> None:
            for _ in range(STEPS):
                model.logits(prefix)

        def cells(last=read) -> None:
            for _ in range(STEPS):
                _, last = recurrent.step(token, last)

        runs = {"cached": cached, "uncached": uncached, "LSTM, cell": cells}
        for name, seconds in take_turns(runs, repeats).items():
            micros = [1e6 * s / STEPS for s in seconds]
            rows.append(Row.of_rates("sampling by length", str(length), name, micros, "µs/token"))
    return rows

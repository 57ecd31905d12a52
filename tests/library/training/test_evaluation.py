"""An evaluation counts each token once, and what it gives is what a loop over the tokens gives."""

import numpy as np
import pytest
import torch

from transformer_lib.recurrent.language_model import LSTM, RecurrentConfig
from transformer_lib.training import evaluate_language_model, evaluation
from transformer_lib.transformer.language_model import DecoderLM, TransformerConfig
from transformer_lib.transformer.transformer_xl import TransformerXL, TransformerXLConfig

CONTEXT = 8


@pytest.fixture
def model() -> DecoderLM:
    config = TransformerConfig(11, CONTEXT, d_model=16, n_heads=2, n_layers=2, start_token=3, dropout=0.5)
    model = DecoderLM(config, generator=torch.Generator().manual_seed(0)).double()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(4.0)
    return model


def stream(length: int) -> np.ndarray:
    return np.random.default_rng(length).integers(11, size=length)


def direct(model: DecoderLM, tokens: np.ndarray, stride: int) -> float:
    inputs = [model.start_token, *tokens[:-1]]
    total = 0.0
    for t, token in enumerate(tokens):
        end = CONTEXT
        while t >= end:
            end += stride
        begin = max(0, min(end, len(tokens)) - CONTEXT)
        logits = model.logits(torch.tensor([inputs[begin : t + 1]]))[0, -1]
        total -= logits.log_softmax(-1)[token].item()
    return total / len(tokens)


@pytest.mark.slow
@pytest.mark.parametrize("length", [1, 5, 8, 9, 16, 29, 61])
@pytest.mark.parametrize("stride", [1, 3, 8])
def test_the_windows_give_what_a_loop_over_single_tokens_gives(model, monkeypatch, length, stride):
    monkeypatch.setattr(evaluation, "TOKENS_AT_ONCE", 3 * CONTEXT)
    tokens = stream(length)
    score = evaluate_language_model(model, tokens, stride=stride)
    assert score.tokens == length
    assert model.training, "the model's mode is as it was"
    assert score.nats == pytest.approx(direct(model.eval(), tokens, stride), abs=1e-12)


def test_the_score_is_the_mean_of_the_models_own_conditionals(model):
    tokens = stream(45)
    expected = -model.eval().conditional_log_probs(torch.from_numpy(tokens)[None], stride=5).mean().item()
    assert evaluate_language_model(model, tokens, stride=5).nats == pytest.approx(expected, abs=1e-12)


def recurrent(generator: torch.Generator) -> LSTM:
    return LSTM(RecurrentConfig(11, d_model=8, n_layers=2), generator=generator)


def with_memory(generator: torch.Generator) -> TransformerXL:
    return TransformerXL(TransformerXLConfig(11, 4, d_model=8), generator=generator)


@pytest.mark.parametrize("build", [recurrent, with_memory])
def test_a_model_that_carries_a_state_reads_piece_by_piece_what_it_reads_at_once(monkeypatch, build):
    model, tokens = build(torch.Generator().manual_seed(0)).double(), stream(45)
    expected = -model.eval().log_prob(torch.from_numpy(tokens)[None]).item() / 45
    monkeypatch.setattr(evaluation, "TOKENS_AT_ONCE", 7)
    scored = []
    score = evaluate_language_model(model, tokens, on_scored=scored.append)
    assert score.nats == pytest.approx(expected, abs=1e-12)
    assert scored == [7] * 6 + [3]


def test_a_longer_history_changes_the_score(model):
    tokens = stream(61)
    one, other = (evaluate_language_model(model, tokens, stride=stride).nats for stride in (1, 8))
    assert abs(one - other) > 1e-3


def test_no_text_strange_tokens_and_wrong_strides_are_refused(model):
    with pytest.raises(ValueError, match="no text to evaluate"):
        evaluate_language_model(model, stream(0))
    with pytest.raises(ValueError, match="outside the vocabulary"):
        evaluate_language_model(model, np.array([1, 11]))
    for stride in (0, CONTEXT + 1):
        with pytest.raises(ValueError, match=f"stride must be a whole number from 1 to 8, got {stride}"):
            evaluate_language_model(model, stream(9), stride=stride)


def test_a_read_only_stream_of_uint16_is_scored_as_the_same_tokens(model):
    tokens = stream(30)
    unsigned = tokens.astype(np.uint16)
    unsigned.flags.writeable = False
    assert evaluate_language_model(model, unsigned) == evaluate_language_model(model, tokens)

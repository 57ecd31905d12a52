"""Models of byte pairs with one table or two."""

import pytest
import torch

from transformer_lib.experiments.chapter_11 import word_pieces
from transformer_lib.one_file_gpt import GPT, next_token_loss


@pytest.mark.slow
def test_a_tied_model_lacks_the_second_table_and_its_own_table_is_the_head():
    tied, untied = (word_pieces.model(0, tied=tied) for tied in (True, False))
    assert untied.n_parameters() - tied.n_parameters() == 64 * word_pieces.BPE_TOKENS
    z = torch.eye(64)
    torch.testing.assert_close(tied.predict(z), tied.token_embedding.weight.T)


@pytest.mark.slow
def test_the_weights_that_are_tested_are_those_of_the_least_validation_loss():
    once, again = (word_pieces.measure(1, tied=True, steps=4, rate=0.003) for _ in range(2))
    assert once == again
    assert once["valid"] == min(point["valid"] for point in once["curve"]) < 7.0


def test_the_gradient_of_one_table_is_the_sum_of_its_two_uses():
    torch.manual_seed(0)
    model = GPT(11, 6, d_model=8, n_heads=2, n_layers=2).double()
    seen = {}
    for name in ("token_embedding", "final_norm"):
        module = model.get_submodule(name)
        module.register_forward_hook(lambda _, __, out, name=name: seen.setdefault(name, out).retain_grad())
    x, following = torch.tensor([[1, 4, 4, 9, 2, 7]]), torch.tensor([[4, 4, 9, 2, 7, 4]])
    logits = model(x)
    next_token_loss(logits, following).backward()
    with torch.no_grad():
        one_hot = torch.eye(11, dtype=torch.double)
        g = len(x[0]) * seen["token_embedding"].grad[0]
        read = sum(torch.outer(one_hot[x[0, t]], g[t]) for t in range(6)) / 6
        y_hat, z = logits[0].softmax(-1), seen["final_norm"][0]
        head = sum(torch.outer(y_hat[t] - one_hot[following[0, t]], z[t]) for t in range(6)) / 6
    torch.testing.assert_close(model.token_embedding.weight.grad, read + head)
    assert (read.abs().sum(1) > 0).tolist() == [token in x for token in range(11)], "only rows that are read"
    assert (head.abs().sum(1) > 0).all(), "every column of the head is corrected"

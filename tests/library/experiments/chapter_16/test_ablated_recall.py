"""Two tasks of recall, and the forms of the LSTM that try them."""

import pytest
import torch

from transformer_lib.experiments.chapter_16 import ablated_recall as recall

N = recall.N_SYMBOLS


def drawn(task, n=200):
    return recall.draw(task, n, torch.Generator().manual_seed(0))


def test_what_marks_itself_is_the_only_token_of_its_kind_and_is_asked_for():
    tokens, symbols = drawn("marked itself")
    assert ((tokens < N).sum(1) == 1).all()
    assert torch.equal(tokens[tokens < N], symbols)


def test_what_a_marker_marks_is_of_the_kind_of_all_others_and_is_asked_for():
    tokens, symbols = drawn("after a marker")
    assert ((tokens == N).sum(1) == 1).all() and (tokens <= N).all()
    place = (tokens == N).int().argmax(1) + 1
    assert torch.equal(tokens[torch.arange(len(tokens)), place], symbols)


@pytest.mark.parametrize("task", recall.TASKS)
def test_what_is_asked_for_stands_early_and_so_many_tokens_follow_it(task):
    tokens, _ = drawn(task)
    marks = tokens < N if task == "marked itself" else tokens == N
    after = tokens.shape[1] - 1 - marks.int().argmax(1) - int(task == "after a marker")
    assert after.min() == recall.DELAY and after.max() == recall.DELAY + recall.EARLIEST


@pytest.mark.parametrize("form", [*recall.FORMS, recall.NO_GATES])
def test_every_form_reads_to_the_end_and_names_a_symbol(form):
    model = recall.Reader(form, torch.Generator().manual_seed(0))
    tokens, _ = drawn("after a marker", 3)
    assert model(tokens).shape == (3, N)
    assert not torch.equal(model(tokens), model(tokens.flip(1)))


def test_a_seed_gives_the_same_scores_again_and_forms_differ():
    def run(form):
        return recall.train(0, task="after a marker", form=form, rate=0.01, steps=4)[1]

    assert run("LSTM") == run("LSTM") != run("none of the three")
    assert run("LSTM")["steps"] == 4


def test_forms_differ_in_their_parts_alone():
    first = [recall.Reader(form, torch.Generator().manual_seed(0)) for form in list(recall.FORMS)[:5]]
    for model in first[1:]:
        for one, other in zip(first[0].parameters(), model.parameters()):
            assert torch.equal(one, other)

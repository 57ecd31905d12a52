"""The cards: what is right, what a silent head takes away, and that each seed gives the same again."""

import pytest
import torch

from transformer_lib.experiments import run_seed
from transformer_lib.experiments.chapter_07 import heads as module
from transformer_lib.experiments.chapter_07.heads import (
    N_CARDS,
    CardReader,
    Cards,
    shares_right,
    shares_without,
    train_reader,
    weights_on_sources,
)


def cards_of(seed: int, n_rows: int = 200) -> Cards:
    return Cards.draw(n_rows, torch.Generator().manual_seed(seed))


def test_the_answers_are_those_of_the_asked_card_and_of_the_card_before():
    cards = cards_of(0, 3)
    for row in range(3):
        answer_of = dict(zip(cards.symbol[row].tolist(), cards.answer[row].tolist()))
        recall, before = cards.targets[:, row].tolist()
        assert recall == [answer_of[symbol] for symbol in cards.asked[row].tolist()]
        assert before == [-100, *cards.answer[row, :-1].tolist()]


def test_heads_of_any_number_have_as_many_parameters():
    counts = {sum(p.numel() for p in CardReader(n).parameters()) for n in (1, 2, 4)}
    assert len(counts) == 1


@pytest.mark.slow
def test_a_reader_without_its_only_head_guesses_and_gets_its_head_back():
    (reader,) = train_reader(0, n_heads=2, rate=0.01, steps=(300,))
    cards = cards_of(1)
    whole = shares_right(reader, cards)
    assert whole["both"] > 0.9
    lost = [{r for r in ("recall", "before") if shares[r] < 0.4} for shares in shares_without(reader, cards)]
    assert sorted(lost, key=str) == [{"before"}, {"recall"}]
    assert shares_right(reader, cards) == whole


def test_the_weights_on_the_sources_are_those_of_the_cards_that_hold_the_answers():
    reader, cards = CardReader(2, generator=torch.Generator().manual_seed(3)), cards_of(2, 4)
    weights = reader.weights(cards)
    by_hand = torch.zeros(2, 2)
    for relation in range(2):
        for row in range(4):
            for card in range(1, N_CARDS):
                by_hand[:, relation] += weights[row, :, card, cards.sources[relation, row, card]]
    torch.testing.assert_close(weights_on_sources(reader, cards), by_hand.detach() / (4 * (N_CARDS - 1)))


@pytest.mark.slow
def test_only_the_relation_that_counts_is_learned():
    (reader,) = train_reader(0, n_heads=1, task="before", rate=0.01, steps=(200,))
    shares = shares_right(reader, cards_of(1))
    assert shares["before"] > 0.95 and shares["recall"] < 0.4


def test_a_shorter_run_is_the_beginning_of_a_longer_one():
    first, _ = train_reader(4, n_heads=2, network=True, steps=(5, 10))
    (alone,) = train_reader(4, n_heads=2, network=True, steps=(5,))
    cards = cards_of(0, 5)
    assert torch.equal(first(cards), alone(cards))


def test_each_condition_is_measured_with_its_settings(monkeypatch):
    monkeypatch.setattr(module, "STEPS", (2, 4))
    measured = run_seed(module.EXPERIMENT, 0, task="both", n_heads=4, network=False, rate=0.003)
    assert list(measured) == ["2", "4"]
    assert list(measured["4"]["head"]) == ["1", "2", "3", "4"]
    assert measured["4"]["right"].keys() == {"recall", "before", "both"}
    assert measured["4"]["head"]["2"]["weight"]["recall"] == pytest.approx(1 / N_CARDS, abs=0.1)

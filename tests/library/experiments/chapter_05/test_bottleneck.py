"""Number words with and without attention: what is trained on, how it is scored, what is compared."""

import pytest
import torch

from transformer_lib.experiments import run_seed
from transformer_lib.experiments.chapter_05 import bottleneck as module
from transformer_lib.losses import IGNORED_TARGET


@pytest.fixture(autouse=True)
def few_numbers(monkeypatch):
    """A corpus that is made in no time."""
    caches = module.words, module.tokenizers, module.parts
    for function in caches:
        function.cache_clear()
    monkeypatch.setattr(module, "N_TRAIN", 90)
    monkeypatch.setattr(module, "N_TEST", 12)
    yield
    for function in caches:
        function.cache_clear()


def test_no_number_of_the_test_is_trained_on_and_each_length_has_its_part():
    for digits in module.DIGITS:
        train, test = module.words(digits)
        assert len(test) == 12 and len(train) == min(90, 9 * 10 ** (digits - 1) - 12)
        assert len({*train, *test}) == len(train) + len(test)
    assert module.words(2)[1][0][1].count("hundred") == 0
    assert all("thousand" in english for _, english in module.words(6)[0])


def test_inputs_are_the_targets_one_place_later_behind_the_start():
    pairs = module.as_pairs([("vierundsechzig", "sixty-four"), ("zehn", "ten")])
    assert pairs.lengths.tolist() == [14, 4] and pairs.inputs[:, 0].tolist() == [0, 0]
    assert torch.equal(pairs.inputs[0, 1:], pairs.targets[0, :-1])
    assert pairs.targets[1].tolist() == [pairs.inputs[1, 1].item(), 0, IGNORED_TARGET, IGNORED_TARGET]


def test_german_numbers_fall_into_their_parts_and_nothing_is_left_over():
    assert module.split_german("vierundsechzig") == ["vier", "und", "sechzig"]
    parts = ["siebzehn", "tausend", "ein", "hundert", "elf"]
    assert module.split_german("".join(parts)) == parts
    for digits in module.DIGITS:
        for german, _ in module.words(digits)[0]:
            assert "".join(module.split_german(german)) == german
    with pytest.raises(ValueError, match="not a German number"):
        module.split_german("vier und sechzig")


def test_sources_in_parts_are_shorter_and_have_the_same_targets():
    letters, parts = (module.as_pairs([("vierundsechzig", "sixty-four")], unit=u) for u in module.UNITS)
    assert (letters.lengths.item(), parts.lengths.item()) == (14, 3)
    assert torch.equal(letters.targets, parts.targets)


def test_the_sources_of_a_batch_have_one_length_and_no_padding():
    train, _ = module.parts()
    generator = torch.Generator().manual_seed(0)
    batches = [module.draw(train, generator) for _ in range(20)]
    for batch in batches:
        assert batch.lengths.tolist() == [batch.source.shape[1]] * module.BATCH
        assert (batch.targets != IGNORED_TARGET).any(0).all(), "no column is padding alone"
    assert len({batch.source.shape[1] for batch in batches}) > 5


@pytest.mark.slow
def test_one_wrong_word_spoils_a_translation_and_what_follows_the_end_does_not(monkeypatch):
    pairs = module.parts()[1][4]
    written = pairs.targets.clone()
    written[written == IGNORED_TARGET] = 5
    model, _ = module.train(0, steps=(1,))
    monkeypatch.setattr(module, "translate", lambda model, pairs: written)
    assert module.score(model, pairs)["exact"] == 1.0
    written[3, 0] += 1
    assert module.score(model, pairs)["exact"] == pytest.approx(11 / 12)


@pytest.mark.slow
def test_a_free_running_decoder_reads_its_own_words_and_stops_at_its_end():
    model, _ = module.train(0, steps=(1,))
    pairs = module.parts()[1][3]
    written = module.translate(model, pairs)
    inputs = torch.nn.functional.pad(written, (1, 0))[:, :-1]
    with torch.no_grad():
        chosen = model(pairs.source, inputs, pairs.lengths).argmax(-1)
    ended = (written == 0).cumsum(1) - (written == 0).long() > 0
    assert torch.equal(written[~ended], chosen[~ended]) and not written[ended].any()


@pytest.mark.slow
def test_a_seed_trains_the_same_again_and_scores_every_length():
    first, second = (module.train(1, variant="no attention", steps=(1, 3))[1] for _ in range(2))
    assert first == second and set(first) == {"1", "3"}
    assert set(first["3"]) == {*(f"{n} digits" for n in module.DIGITS), "words after right words"}


@pytest.mark.slow
def test_the_variants_differ_in_attention_alone():
    models = {
        variant: module.train(0, variant=variant, steps=(1,), d_model=8)[0] for variant in module.VARIANTS
    }
    one, other = (model.config for model in models.values())
    assert one.attention == "dot" and other.attention is None
    assert {"attention": None} | vars(one) | {"attention": None} == vars(other)
    assert one.d_model == 8


@pytest.mark.slow
def test_a_rate_that_falls_to_zero_ends_in_small_steps(monkeypatch):
    rates = []

    class Adam(torch.optim.Adam):
        def step(self, closure=None):
            rates.append(self.param_groups[0]["lr"])
            return super().step(closure)

    monkeypatch.setattr(torch.optim, "Adam", Adam)
    module.train(0, steps=(2, 4), rate=0.004, is_decayed=True)
    assert rates == pytest.approx([0.004, 0.003, 0.002, 0.001])
    rates.clear()
    module.train(0, steps=(2,), rate=0.004)
    assert rates == [0.004, 0.004]


def test_places_are_counted_on_the_longest_translations_alone(monkeypatch):
    pairs = module.parts()[1][6]
    longest = (pairs.targets != IGNORED_TARGET).sum(1) == module.FULL
    assert 0 < longest.sum() < len(longest)
    asked = []

    def translate(model, pairs):
        asked.append(len(pairs.targets))
        written = pairs.targets.clone()
        written[:, 3] += 1
        return written

    monkeypatch.setattr(module, "translate", translate)
    source, target = module.tokenizers()
    model = module.Seq2Seq(module.Seq2SeqConfig(source.vocab_size, target.vocab_size, d_model=2))
    right = module.right_by_place(model, pairs)
    assert right == [1.0] * 3 + [0.0] + [1.0] * 11 and asked == [int(longest.sum())]


def test_the_losing_arm_learns_longest_and_at_several_rates(monkeypatch):
    asked = []

    def trained(seed, **settings):
        asked.append(settings)
        return None, {str(settings["steps"][0]): {"6 digits": 0.5}}

    monkeypatch.setattr(module, "train", trained)
    monkeypatch.setattr(module, "right_by_place", lambda model, pairs: [1.0, 0.5])
    monkeypatch.setattr(module, "translations", lambda model, pairs: ["one"])
    for condition in module.EXPERIMENT.conditions:
        found = run_seed(module.EXPERIMENT, 0, **condition)
        assert found == {
            "6 digits": 0.5,
            "place 1": 1.0,
            "place 2": 0.5,
            "outputs": {"translations": ["one"]},
        }
    longest = {v: max(a["steps"][0] for a in asked if a["variant"] == v) for v in module.VARIANTS}
    assert longest["no attention"] == 4 * longest["attention"]
    rates = {a["rate"] for a in asked if a["steps"] == module.STEPS[-1:] and a["d_model"] == module.WIDTHS[0]}
    assert min(rates) < module.RATE < max(rates)
    assert all(a["is_decayed"] for a in asked)

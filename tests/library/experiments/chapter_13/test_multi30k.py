"""The captions' experiment on a few number words in their place: every part of it runs, and resumes."""

from dataclasses import replace

import pytest
import torch
from cli_runs import few_numbers, press_ctrl_c_at_batch_5

from transformer_lib.data import PAIRS, PairBatches, encode_pairs
from transformer_lib.experiments import EXPERIMENTS
from transformer_lib.experiments.chapter_13 import multi30k
from transformer_lib.experiments.chapter_13.multi30k import BEAMS, ON_A_GPU, PENALTIES, RECIPE, measure
from transformer_lib.metrics import bleu
from transformer_lib.recurrent.seq2seq import Seq2Seq
from transformer_lib.text import translation
from transformer_lib.text.evaluation import load_translator
from transformer_lib.text.run import Run
from transformer_lib.text.translation import Translator, train_translator
from transformer_lib.training import LAST, load_checkpoint, snapshots
from transformer_lib.transformer.encoder_decoder import EncoderDecoder

SMALL = replace(
    RECIPE,
    batch_size=256,
    vocab_size=300,
    model={**RECIPE.model, "d_model": 16, "n_heads": 2, "n_layers": 1, "d_ff": 32, "dropout": 0.1},
).with_training(steps=12, warmup_steps=4, evaluate_every=3, keep_last=2)


@pytest.fixture
def captions(monkeypatch):
    for direction in multi30k.DIRECTIONS:
        monkeypatch.setitem(PAIRS, f"multi30k-{direction}", few_numbers)


@pytest.mark.slow
def test_a_direction_is_trained_and_its_whole_test_part_translated(captions, tmp_path, monkeypatch):
    record = measure(3, tmp_path, direction="de-en", recipe=SMALL)
    assert record.config["data"] == "multi30k-de-en" and record.seeds == [3]
    assert len(snapshots(tmp_path / "run")) == 2
    for weights in ("best", "mean"):
        found = record.result[weights]
        assert found["beams"].keys() == {str(n) for n in BEAMS}
        assert found["penalty"].keys() == {f"{p:g}" for p in PENALTIES}
        assert found["bleu"] == found["beams"]["4"] and found["signature"].startswith("nrefs:1|case:mixed")
        assert found["lower_case"] >= found["bleu"] and found["bleu_half_width"] >= 0
    translations, references = record.result["outputs"]["translations"], [e for _, e in few_numbers().test]
    assert translations[:20] == record.result["best"]["translations"]
    assert bleu(translations, references).score == record.result["best"]["bleu"]
    # what is trained is not trained again: only the translations are made anew
    monkeypatch.setattr(multi30k, "train_translator", lambda run, build: pytest.fail("it was trained again"))
    again = measure(3, tmp_path, direction="de-en", recipe=SMALL)
    assert again.result == record.result


def test_case_counts_unless_translations_and_references_are_both_written_small(monkeypatch):
    class Fixed(Translator):
        def __init__(self):
            pass

        def translate(self, texts, **options):
            return ["A Dog runs in the park", "two men sit on a bench"]

    monkeypatch.setattr(multi30k, "RESAMPLES", 2)
    references = ["a dog runs in the Park", "Two men sit on a bench"]
    found, _ = multi30k.scores(Fixed(), [("", reference) for reference in references])
    assert found["bleu"] == bleu(Fixed().translate([]), references).score < 70
    assert found["lower_case"] == pytest.approx(100)


@pytest.mark.slow
def test_pieces_are_drawn_anew_in_each_epoch_and_a_run_of_them_resumes(captions, tmp_path, monkeypatch):
    seen = []

    class Watched(PairBatches):
        def __init__(self, pairs, *args, redraw=None, **kwargs):
            super().__init__(pairs, *args, redraw=redraw, **kwargs)
            if redraw is not None:
                seen.append((pairs, redraw))

    monkeypatch.setattr(translation, "PairBatches", Watched)
    numbers, recipe = few_numbers(), replace(SMALL, bpe_dropout=0.3, data="multi30k-de-en")
    tokenizer = recipe.fit_tokenizer(sentence for pair in numbers.train for sentence in pair)
    everything = encode_pairs([*numbers.train, *numbers.valid, *numbers.test], tokenizer, tokenizer)
    longest = max(max(len(source), len(target) + 1) for source, target in everything)
    recipe = replace(recipe, model=recipe.model | {"context_length": longest})
    train_translator(Run(recipe, tmp_path / "whole"))
    ((pairs, redraw),) = seen
    assert redraw(1) == redraw(1) != redraw(2)
    assert sum(len(target) for _, target in redraw(1)) > 1.1 * sum(len(target) for _, target in pairs)
    assert max(max(len(source), len(target) + 1) for source, target in redraw(1)) <= longest
    assert [tuple(map(tokenizer.decode, pair)) for pair in redraw(1)] == list(numbers.train)

    with monkeypatch.context() as patch:
        press_ctrl_c_at_batch_5(patch, translation.PairBatches)
        with pytest.raises(KeyboardInterrupt):
            train_translator(Run(recipe, tmp_path / "halves"))
    train_translator(Run.going_on(recipe, tmp_path / "halves"))
    one, other = (load_checkpoint(tmp_path / name / LAST) for name in ("whole", "halves"))
    assert all(torch.equal(one.weights[key], other.weights[key]) for key in one.weights)


def test_the_tiny_translator_differs_in_its_shape_and_its_length_alone():
    experiment, best = EXPERIMENTS["multi30k-tiny"], EXPERIMENTS["multi30k-best"]
    changed = {
        "model": best.config["model"] | {"d_model": 128, "n_layers": 4, "d_ff": 256},
        "training": best.config["training"] | {"steps": 5000},
    }
    assert experiment.config == best.config | changed
    assert experiment.conditions == ({"direction": "en-de"},)


@pytest.mark.slow
def test_the_recurrent_network_is_trained_and_scored_by_the_same_code(captions, tmp_path):
    recipe = replace(SMALL, model={**multi30k.RECURRENT_RECIPE.model, "d_model": 16}, vocab_size=300)
    record = measure(0, tmp_path, direction="de-en", recipe=recipe, build=multi30k.recurrent)
    model = load_translator(tmp_path / "run").model
    assert isinstance(model, Seq2Seq) and model.config.attention and model.config.bidirectional
    assert record.result["best"]["beams"].keys() == {str(n) for n in BEAMS}


def test_the_recurrent_network_is_about_as_large_as_the_transformer():
    sizes = {}
    for name, recipe, build in (
        ("transformer", RECIPE, EncoderDecoder),
        ("recurrent", multi30k.RECURRENT_RECIPE, multi30k.recurrent),
    ):
        config = recipe.config(vocab_size=recipe.vocab_size, start_token=0)
        model = build(config, generator=torch.Generator().manual_seed(0))
        sizes[name] = sum(parameter.numel() for parameter in model.parameters())
    assert sizes["recurrent"] == pytest.approx(sizes["transformer"], rel=0.15)
    assert EXPERIMENTS["multi30k-recurrent"].config["training"]["steps"] == RECIPE.training.steps


def test_both_sizes_are_one_recipe_and_say_what_is_left_open():
    experiment = EXPERIMENTS["multi30k"]
    assert experiment.conditions == ({"direction": "de-en"}, {"direction": "en-de"})
    for one, recipe in ((experiment, RECIPE), (experiment.gpu, ON_A_GPU)):
        assert one.config["model"] == RECIPE.model and "seed" not in one.config["training"]
        assert one.config["training"]["steps"] == recipe.training.steps
        recipe.config(vocab_size=6000, start_token=0)
    assert experiment.gpu.config["training"]["device"] == "cuda"

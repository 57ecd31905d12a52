"""Translators from training to translation: what is printed, recorded, resumed and read back."""

import copy
import io
import json
import sys
from pathlib import Path

import pytest
import torch
from cli_runs import MICRO_PAIRS, few_numbers, press_ctrl_c_at_batch_5, refused

from transformer_lib.__main__ import main
from transformer_lib.data import encode_pairs, load_number_words, tokenizer_from_dict
from transformer_lib.decoding.beam import beam_search
from transformer_lib.metrics import exact_match
from transformer_lib.recurrent.seq2seq import Seq2Seq, Seq2SeqConfig
from transformer_lib.text import translation
from transformer_lib.text.evaluation import load_translator
from transformer_lib.text.translation import Translator, score_translator, target_nats
from transformer_lib.training import LAST, load_checkpoint, read_record, save_checkpoint
from transformer_lib.transformer.config import TransformerConfig
from transformer_lib.transformer.encoder_decoder import EncoderDecoder

pytestmark = pytest.mark.usefixtures("small_and_elsewhere")


@pytest.fixture(scope="module")
def translator(translator_run) -> Translator:
    return load_translator(translator_run)


@pytest.fixture(scope="module")
def attentive() -> Translator:
    """An untrained model that looks hard at its source, so that translations differ, and sometimes end."""
    numbers = few_numbers()
    config = TransformerConfig(
        vocab_size=numbers.target_tokenizer.vocab_size,
        source_vocab_size=numbers.source_tokenizer.vocab_size,
        context_length=32,
        d_model=16,
        n_heads=2,
        n_layers=1,
    )
    model = EncoderDecoder(config, generator=torch.Generator().manual_seed(0)).eval()
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if "cross_attention" in name:
                parameter.mul_(10)
        model.decoder.token_embedding.weight[0] *= 1.5
    return Translator(model, numbers.source_tokenizer, numbers.target_tokenizer)


@pytest.mark.slow
def test_training_prints_the_table_and_leaves_a_run_that_translates(capsys):
    assert main(["train", *MICRO_PAIRS]) == 0
    out, err = capsys.readouterr()
    for row in (
        "number-words-de-en: numbers to 99 in German and English",
        "(character to word-punct); train 80, valid 8, test 8 pairs",
        "EncoderDecoder: ",
        "12 steps, ",
        "exact match      BLEU",
        "greedy ",
        "4 beams, length penalty 0.6",
        "nats/token of",
        "BLEU: nrefs:1|case:mixed|",
        "Translations by beam search:",
        "Try it: python -m transformer_lib translate --checkpoint runs",
    ):
        assert row in out
    assert "12/12" in err and "translating 8 sentences" in err and "tokens/s" in err
    names = sorted(path.name for path in Path("runs/number-words-de-en").iterdir())
    assert names == ["best.safetensors", "last.safetensors", "record.json"]


def test_the_record_holds_what_was_printed(translator_run, translator):
    record = read_record(translator_run / "record.json")
    assert record.command[:4] == ["python", "-m", "transformer_lib", "train"]
    assert record.config["label_smoothing"] == 0.1
    assert record.config["model"]["source_vocab_size"] == few_numbers().source_tokenizer.vocab_size
    training = record.config["training"]
    assert (training["schedule"], training["beta2"], training["weight_decay"]) == ("inverse-sqrt", 0.98, 0.0)
    assert record.data["sha256"] == few_numbers().sha256
    assert [point["step"] for point in record.curve] == [4, 8, 12]
    result = record.result
    best = min(point["validation_loss"] for point in record.curve)
    assert result["nats_per_token"]["valid"] == best
    assert result["bleu_signature"].startswith("nrefs:1|")
    assert [example["source"] for example in result["examples"]] == [s for s, _ in few_numbers().test[:4]]
    score = score_translator(translator, few_numbers().test)
    assert result["exact_match"] == score["exact_match"] and result["bleu"] == score["bleu"]
    assert result["nats_per_token"]["test"] == pytest.approx(score["nats_per_token"], abs=1e-6)


def test_the_checkpoint_is_the_best_on_the_validation_part(translator_run, translator):
    tokenizers, nats = (translator.source_tokenizer, translator.target_tokenizer), {}
    for part in ("valid", "test"):
        encoded = encode_pairs(getattr(few_numbers(), part), *tokenizers)
        nats[part], _ = target_nats(translator, encoded)
    best = min(point["validation_loss"] for point in read_record(translator_run / "record.json").curve)
    assert best == pytest.approx(nats["valid"], abs=1e-6)
    assert best != pytest.approx(nats["test"], abs=1e-4)


def test_the_checkpoint_holds_both_tokenizers(translator_run):
    values = load_checkpoint(translator_run).tokenizer
    assert values.keys() == {"source", "target"}
    assert tokenizer_from_dict(values["source"]) == few_numbers().source_tokenizer
    assert tokenizer_from_dict(values["target"]) == few_numbers().target_tokenizer


@pytest.mark.slow
def test_an_interrupted_run_ends_as_one_that_was_not(capsys, monkeypatch, translator_run):
    with monkeypatch.context() as patch:
        press_ctrl_c_at_batch_5(patch, translation.PairBatches)
        assert main(["train", "--run-dir", "run", *MICRO_PAIRS]) == 130
    assert "train --resume --run-dir run" in capsys.readouterr().err.splitlines()[-1]
    assert main(["train", "--resume", "--run-dir", "run", "--quiet"]) == 0
    one, other = load_checkpoint(Path("run") / LAST), load_checkpoint(translator_run / LAST)
    assert torch.equal(one.tensors["losses"], other.tensors["losses"])
    assert all(torch.equal(one.weights[key], other.weights[key]) for key in other.weights)
    again, first = read_record("run/record.json").result, read_record(translator_run / "record.json").result
    assert {**again, "tokens_per_second": 0} == {**first, "tokens_per_second": 0}


def test_a_resumed_translator_keeps_its_recipe(capsys, translator_run):
    resume = ["train", "--resume", "--run-dir", str(translator_run)]
    assert "label_smoothing=0.1: it cannot resume with 0.2" in refused(
        capsys, [*resume, "--label-smoothing", "0.2"]
    )
    assert "data='number-words-de-en': it cannot resume with 'tales'" in refused(
        capsys, [*resume, "--data", "tales"]
    )


def test_texts_come_from_the_arguments_or_line_by_line_and_each_gives_one_line(
    capsys, monkeypatch, translator_run
):
    translate = ["translate", "--checkpoint", str(translator_run)]
    assert main([*translate, "eins", "", "zwei"]) == 0
    given = capsys.readouterr().out
    monkeypatch.setattr(sys, "stdin", io.StringIO("eins\n\r\nzwei"))
    assert main(translate) == 0
    assert capsys.readouterr().out == given
    lines = given.split("\n")
    assert len(lines) == 4 and lines[1] == lines[3] == ""


@pytest.mark.parametrize(
    ("texts", "lines", "is_a_file", "sizes"),
    [(70, 0, False, [32, 32, 6]), (0, 33, True, [32, 1]), (0, 2, False, [1, 1])],
)
def test_texts_are_translated_together_unless_one_may_wait_for_the_answer_to_another(
    monkeypatch, tmp_path, translator_run, texts, lines, is_a_file, sizes
):
    path = tmp_path / "texts.txt"
    path.write_text("eins\n" * lines, encoding="utf-8")
    translate, translated = Translator.translate, []

    def counted(self, texts, **options):
        translated.append(len(texts))
        return translate(self, texts, **options)

    monkeypatch.setattr(Translator, "translate", counted)
    argv = ["translate", "--checkpoint", str(translator_run), "--beams", "1", *["eins"] * texts]
    with path.open(encoding="utf-8") if is_a_file else io.StringIO(path.read_text(encoding="utf-8")) as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        assert main(argv) == 0
    assert [size for size in translated if size] == sizes


def test_a_gpu_translates_more_texts_at_once(monkeypatch, translator):
    sizes: list[int] = []
    translator.translate(["eins"] * 40, on_batch=sizes.append)
    assert sizes == [0, 32, 8]
    monkeypatch.setattr(translation, "device_of", lambda model: torch.device("cuda"))
    assert translator.texts_at_once == 256


def test_texts_before_one_that_cannot_be_read_are_translated(capsys, translator_run):
    assert main(["translate", "--checkpoint", str(translator_run), "eins", "zwei", "eins" * 9, "drei"]) == 2
    out, err = capsys.readouterr()
    assert len(out.splitlines()) == 2 and "error: text 3: a text of 36 tokens is longer" in err


def test_a_text_may_have_as_many_tokens_as_the_model_reads_and_no_more(translator):
    token = translator.source_tokenizer.decode([5]).strip()
    longest = translator.context_length // len(translator.source_tokenizer.encode(token))
    assert len(translator.encode(token * longest)) == translator.context_length
    with pytest.raises(ValueError, match=f"longer than the model's context_length of {longest}"):
        translator.encode(token * (longest + 1))


def test_what_is_unknown_is_named_and_read_as_unknown(capsys, translator_run, translator):
    argv = ["translate", "--checkpoint", str(translator_run), "eins", "Qeins?Q"]
    assert main(argv) == 0
    out, err = capsys.readouterr()
    assert err == "text 2: read as <unk>: 'Q', '?'\n"
    assert len(out.splitlines()) == 2
    assert translator.encode("Qe") == [1, *translator.encode("e")]


@pytest.mark.slow
@pytest.mark.parametrize("n_beams", [1, 3])
def test_a_text_is_translated_among_others_as_it_is_alone(attentive, n_beams):
    texts = [source for source, _ in few_numbers().train[:9]] + [""]
    together = attentive.translate(texts, n_beams=n_beams, length_penalty=0.6)
    for text, translation_ in zip(texts, together, strict=True):
        assert attentive.translate([text], n_beams=n_beams, length_penalty=0.6) == [translation_]
    assert together[-1] == "" and len(set(together)) >= 8


def test_the_translations_of_a_score_are_those_of_the_beam_search(attentive):
    pairs = few_numbers().train[:9]
    sources = [source for source, _ in pairs]
    greedy, beams = (attentive.translate(sources, n_beams=n, length_penalty=0.6) for n in (1, 4))
    assert greedy != beams
    assert score_translator(attentive, pairs, n_beams=4, length_penalty=0.6)["translations"] == beams


def test_a_translation_is_the_best_hypothesis_of_the_beam_search(attentive):
    text, found = "dreiundneunzig", {}
    for penalty in (0.0, 2.0):
        conditioned = attentive.model.condition(torch.tensor([attentive.encode(text)]))
        best = beam_search(conditioned, 32, end_token=0, batch_size=1, n_beams=4, length_penalty=penalty)
        tokens = best.sequences[0, 0, : best.lengths[0, 0]].tolist()
        found[penalty] = attentive.target_tokenizer.decode(token for token in tokens if token)
        assert attentive.translate([text], n_beams=4, length_penalty=penalty) == [found[penalty]]
    assert found[0.0] != found[2.0]


def test_nats_are_those_of_each_pair_alone(attentive):
    pairs = [(attentive.encode(s), attentive.target_tokenizer.encode(t)) for s, t in few_numbers().test]
    nats, n_tokens = target_nats(attentive, pairs)
    total = 0.0
    for source, target in pairs:
        model = attentive.model.condition(torch.tensor([source]))
        total -= model.log_prob(torch.tensor([[*target, 0]])).item()
    assert n_tokens == sum(len(target) + 1 for _, target in pairs)
    assert nats == pytest.approx(total / n_tokens, rel=1e-5)


def test_nats_of_a_target_that_fills_a_batch_only_without_its_end(attentive, monkeypatch):
    pairs = [(attentive.encode("eins"), [1] * 5)]
    expected = target_nats(attentive, pairs)
    monkeypatch.setattr(translation, "TOKENS_AT_ONCE", 5)
    assert target_nats(attentive, pairs) == expected


@pytest.mark.slow
def test_pieces_of_words_are_shared_by_both_languages(capsys):
    assert main(["train", "--quiet", *MICRO_PAIRS, "--tokenizer", "bpe", "--vocab-size", "280"]) == 0
    assert "shared tokens (bpe to bpe)" in capsys.readouterr().out
    loaded = load_translator("runs/number-words-de-en")
    assert loaded.model.encoder.token_embedding is loaded.model.decoder.token_embedding
    assert loaded.source_tokenizer == loaded.target_tokenizer
    assert loaded.unknown("今日") == []
    assert main(["train", "--quiet", "--overwrite", *MICRO_PAIRS, "--tokenizer", "char"]) == 0
    assert "(character to character)" in capsys.readouterr().out


@pytest.mark.slow
def test_a_recurrent_translator_translates_too(capsys):
    numbers = few_numbers()
    sizes = {
        "source_vocab_size": numbers.source_tokenizer.vocab_size,
        "vocab_size": numbers.target_tokenizer.vocab_size,
    }
    model = Seq2Seq(Seq2SeqConfig(d_model=8, **sizes), generator=torch.Generator().manual_seed(0))
    tokenizers = {"source": numbers.source_tokenizer.to_dict(), "target": numbers.target_tokenizer.to_dict()}
    save_checkpoint("recurrent.safetensors", model, tokenizer=tokenizers)
    assert main(["translate", "--checkpoint", "recurrent.safetensors", "eins", "zwei"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2
    assert main(["evaluate", "--checkpoint", "recurrent.safetensors", "--data", "number-words-de-en"]) == 0
    assert "Seq2Seq of" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("tokenizer", "message"),
    [
        (None, "has no tokenizer"),
        ({"kind": "word"}, "has not the tokenizers of two languages"),
        ({"source": {"kind": "x"}, "target": {}}, "has no tokenizer that can be read"),
        ({"source": None, "target": {}}, "has no tokenizer that can be read"),
        (
            {key: {"kind": "word", "unknown": False, "symbols": ["a"]} for key in ("source", "target")},
            "and a tokenizer of 2: they do not belong together",
        ),
    ],
)
def test_a_translator_without_its_tokenizers_is_refused_in_one_line(capsys, translator, tokenizer, message):
    save_checkpoint("other.safetensors", translator.model, tokenizer=tokenizer)
    assert message in refused(capsys, ["translate", "--checkpoint", "other.safetensors", "eins"])


def test_evaluating_prints_a_table_and_writes_it(capsys, translator_run):
    assert (
        main(["evaluate", "--checkpoint", str(translator_run), "--json", "scores.json", "--limit", "5"]) == 0
    )
    out, err = capsys.readouterr()
    assert "number-words-de-en, test part" in out and "on 5 pairs" in out
    assert "greedy: 100%" in err and "beam: 100%" in err
    written = json.loads(Path("scores.json").read_text(encoding="utf-8"))
    assert written["model"] == "EncoderDecoder" and written["sha256"] == few_numbers().sha256
    score = written["score"]
    references = [target for _, target in few_numbers().test[:5]]
    assert score["exact_match"]["beam"] == exact_match(score["translations"], references)
    assert f"{score['nats_per_token']:.4f} nats/token" in out
    assert "target tokens that are unknown: 0" in out and score["unknown_target_tokens"] == 0


def test_target_tokens_that_a_translator_does_not_know_are_counted(capsys, translator_run):
    target = few_numbers().target_tokenizer
    assert target.encode("eins zwei") == [1, 1]
    Path("exchanged.tsv").write_text("one\teins zwei\n", encoding="utf-8")
    argv = ["evaluate", "--checkpoint", str(translator_run), "--data", "exchanged.tsv", "--json", "s.json"]
    assert main(argv) == 0
    assert "target tokens that are unknown: 2" in capsys.readouterr().out
    assert json.loads(Path("s.json").read_text(encoding="utf-8"))["score"]["unknown_target_tokens"] == 2


@pytest.mark.slow
def test_pairs_of_ones_own_are_scored_from_a_file(capsys, translator_run):
    lines = [f"{source}\t{target}" for source, target in few_numbers().test]
    Path("own.tsv").write_text("\n".join([*lines, ""]), encoding="utf-8")
    scores = []
    for data in ("own.tsv", "number-words-de-en"):
        assert main(["evaluate", "--checkpoint", str(translator_run), "--data", data, "--quiet"]) == 0
        out, err = capsys.readouterr()
        scores.append(out.splitlines()[2:])
        assert err == ""
    assert scores[0] == scores[1]


@pytest.mark.slow
def test_a_translator_of_ones_own_pairs_is_trained_resumed_and_scored_on_its_test_part(capsys):
    numbers = load_number_words("de", "en", n_train=120, n_valid=0, n_test=0, largest=999)
    pairs = [f"{source}\t{target}\n" for source, target in numbers.train]
    Path("own.tsv").write_text("".join(pairs), encoding="utf-8")
    sizes = ["d_model=8", "n_heads=1", "n_layers=1", "warmup_steps=1"]
    argv = ["train", "--data", "own.tsv", *(argument for size in sizes for argument in ("--set", size))]
    assert main([*argv, "--steps", "1"]) == 0
    assert main(["train", "--resume", "--run-dir", "runs/own", "--steps", "2"]) == 0
    assert "own.tsv: pairs of a file" in capsys.readouterr().out
    assert main(["evaluate", "--checkpoint", "runs/own", "--limit", "2"]) == 0
    assert "own.tsv, test part" in capsys.readouterr().out
    assert main(["evaluate", "--checkpoint", "runs/own", "--data", "own.tsv", "--limit", "2"]) == 0
    assert "own.tsv, whole part" in capsys.readouterr().out


def test_nats_are_those_without_dropout_also_in_a_model_that_trains(translator):
    encoded = encode_pairs(few_numbers().test[:3], translator.source_tokenizer, translator.target_tokenizer)
    expected = target_nats(translator, encoded)
    translator = copy.deepcopy(translator)
    translator.model.train()
    for module in translator.model.modules():
        if isinstance(module, torch.nn.Dropout):
            module.p = 0.5
    assert target_nats(translator, encoded) == expected
    assert translator.model.training


@pytest.mark.slow
def test_a_translator_learns_the_pairs_that_it_is_trained_on(capsys):
    sizes = ["d_model=48", "n_heads=4", "n_layers=1", "context_length=32", "warmup_steps=50"]
    argv = ["train", "--quiet", "--data", "number-words-de-en", "--steps", "250", "--lr", "0.01"]
    argv += [argument for size in sizes for argument in ("--set", size)]
    assert main(argv) == 0
    run_dir = "runs/number-words-de-en"
    argv = ["evaluate", "--checkpoint", run_dir, "--part", "train", "--json", "scores.json"]
    assert main(argv) == 0
    score = json.loads(Path("scores.json").read_text(encoding="utf-8"))["score"]
    assert score["exact_match"]["beam"] > 0.9
    capsys.readouterr()
    assert main(["translate", "--checkpoint", run_dir, few_numbers().train[0][0]]) == 0
    assert capsys.readouterr().out.strip() == score["translations"][0]

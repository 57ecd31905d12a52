"""Language models of every class are scored and sampled from their checkpoints."""

import json
import math
import re
import shutil
from pathlib import Path

import pytest
import torch
from cli_runs import MICRO_PAIRS, few_tales, refused, train_in

from transformer_lib.__main__ import main
from transformer_lib.data import CharTokenizer, read_pairs, token_stream, unknown_symbols
from transformer_lib.density.convolutional import CausalConvLM, ConvConfig
from transformer_lib.recurrent.language_model import LSTM, RNN, AblatedLSTM, RecurrentConfig
from transformer_lib.text import language_model
from transformer_lib.text.evaluation import load_language_model
from transformer_lib.text.language_model import score_text, text_table
from transformer_lib.training import (
    LAST,
    CheckpointError,
    evaluate_language_model,
    load_model,
    save_checkpoint,
)

pytestmark = pytest.mark.usefixtures("small_and_elsewhere")

RECURRENT = {"d_model": 8, "n_layers": 1}


def test_evaluating_prints_a_table_with_a_bar_and_writes_it(capsys, trained):
    argv = ["evaluate", "--checkpoint", str(trained), "--part", "valid", "--json", "deep/scores.json"]
    assert main(argv) == 0
    out, err = capsys.readouterr()
    assert "tales, valid part" in out and "DecoderLM of" in out
    assert "100%" in err and "token/s" in err
    written = json.loads(Path("deep/scores.json").read_text(encoding="utf-8"))
    assert written["sha256"] == few_tales().sha256
    score = written["score"]
    stream = token_stream(few_tales().valid, few_tales().tokenizer)
    nats = evaluate_language_model(load_model(trained), stream, stride=4).nats  # a quarter of the context
    assert score["nats_per_token"] == pytest.approx(nats) and score["tokens"] == len(stream)
    assert score["perplexity"] == pytest.approx(math.exp(nats))
    assert f"{nats:.4f}" in out
    assert sorted(path.name for path in Path("deep").iterdir()) == ["scores.json"]


def test_bits_are_counted_by_character_where_every_token_is_known(trained):
    model, tokenizer = load_language_model(trained)
    documents = few_tales().test
    score = score_text(model, tokenizer, documents)
    characters = sum(len(document) + 1 for document in documents)
    expected = score["nats_per_token"] * score["tokens"] / math.log(2) / characters
    assert score["bits_per_character"] == pytest.approx(expected)

    known = CharTokenizer("".join(chr(code) for code in range(32, 32 + model.vocab_size - 2)), unknown=True)
    strange = score_text(model, known, ["a\u2603b"])
    assert strange["bits_per_character"] is None and strange["unknown_tokens"] == 1
    assert "bits" not in text_table(strange) and "bits/character" in text_table(score)
    assert score_text(model, known, ["ab"])["bits_per_character"] is not None


def test_the_bar_counts_every_token_once(trained):
    stream = token_stream(few_tales().test, few_tales().tokenizer)
    scored = []
    evaluate_language_model(load_model(trained), stream, on_scored=scored.append)
    assert sum(scored) == len(stream)


@pytest.mark.parametrize(
    "build",
    [
        lambda size, g: RNN(RecurrentConfig(vocab_size=size, **RECURRENT), generator=g),
        lambda size, g: LSTM(RecurrentConfig(vocab_size=size, **RECURRENT), generator=g),
        lambda size, g: AblatedLSTM(RecurrentConfig(vocab_size=size, **RECURRENT), generator=g),
        lambda size, g: CausalConvLM(ConvConfig(vocab_size=size, d_model=8), generator=g),
    ],
    ids=["RNN", "LSTM", "AblatedLSTM", "CausalConvLM"],
)
def test_a_language_model_of_any_class_is_sampled_and_scored(capsys, build):
    tokenizer = few_tales().tokenizer
    model = build(tokenizer.vocab_size, torch.Generator().manual_seed(0))
    save_checkpoint("other.safetensors", model, tokenizer=tokenizer.to_dict())
    assert main(["sample", "--checkpoint", "other.safetensors", "--prompt", "near a", "--tokens", "3"]) == 0
    assert capsys.readouterr().out.startswith("near a")
    argv = ["evaluate", "--checkpoint", "other.safetensors", "--data", "tales", "--limit", "2", "--quiet"]
    assert main(argv) == 0
    out, err = capsys.readouterr()
    assert type(model).__name__ in out and err == ""


def test_a_checkpoint_that_was_not_made_by_train_needs_the_data(capsys, trained):
    model, tokenizer = load_language_model(trained)
    save_checkpoint("other.safetensors", model, tokenizer=tokenizer.to_dict())
    assert main(["evaluate", "--checkpoint", "other.safetensors"]) == 2
    assert "not made by train and does not name its data: give --data" in capsys.readouterr().err


def test_what_is_scored_says_itself_what_it_was_trained_on(capsys, trained):
    shutil.copytree(trained, "run")
    last = Path("run", LAST)
    last.write_bytes(last.read_bytes()[:-100])
    assert main(["evaluate", "--checkpoint", "run", "--quiet"]) == 0
    out, err = capsys.readouterr()
    assert "tales, test part" in out and err == ""


def test_a_tokenizer_of_another_model_is_refused(trained):
    model, _ = load_language_model(trained)
    save_checkpoint("other.safetensors", model, tokenizer=CharTokenizer("ab").to_dict())
    with pytest.raises(CheckpointError, match="a model of 192 tokens and a tokenizer of 3"):
        load_language_model("other.safetensors")


def test_text_of_ones_own_is_scored_from_a_file(capsys, trained):
    Path("own.txt").write_text("a " * 600, encoding="utf-8")
    assert main(["evaluate", "--checkpoint", str(trained), "--data", "own.txt", "--quiet"]) == 0
    assert "own.txt, test part" in capsys.readouterr().out


def test_the_line_of_a_pair_that_is_too_long_is_told(capsys, translator_run):
    Path("own.tsv").write_text(f"eins\tone\n\n{'eins' * 9}\tone\n", encoding="utf-8")
    argv = ["evaluate", "--checkpoint", str(translator_run), "--data", "own.tsv"]
    assert refused(capsys, argv).endswith("--skip-long leaves out what is too long: line 3 of own.tsv")


def test_what_training_left_out_as_too_long_is_left_out_of_its_test_part_too(capsys):
    lines = [f"{'eins ' * (60 if n % 3 else 1)}{n}\tone {n}" for n in range(1, 121)]
    Path("own.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    run = train_in(Path("run"), [*MICRO_PAIRS, "--data", "own.tsv", "--skip-long"])
    argv = ["evaluate", "--checkpoint", str(run)]
    assert main(argv) == 0
    kept = int(re.search(r"on (\d+) pairs", capsys.readouterr().out)[1])
    assert 0 < kept < 6, "of six pairs of the test part most are too long"
    assert "--skip-long" in refused(capsys, [*argv, "--data", "own.tsv"])
    assert main([*argv, "--data", "own.tsv", "--skip-long"]) == 0


def test_a_perplexity_that_is_infinite_is_reported_and_written_as_null(capsys, trained, monkeypatch):
    monkeypatch.setattr(language_model, "perplexity", lambda nats: math.inf)
    argv = ["evaluate", "--checkpoint", str(trained), "--limit", "1", "--json", "scores.json"]
    assert main(argv) == 0
    assert "infinite" in capsys.readouterr().out
    assert json.loads(Path("scores.json").read_text(encoding="utf-8"))["score"]["perplexity"] is None


def test_pairs_are_split_at_the_ends_of_lines_alone(tmp_path):
    path = tmp_path / "pairs.tsv"
    path.write_bytes("a\tone\x0cb\u2028c\r\n\r\nd\u0085\ttwo\n".encode())
    assert read_pairs(path) == [("a", "one\x0cb\u2028c"), ("d", "two")]


def test_a_symbol_is_read_as_unknown_only_where_there_is_a_token_for_that():
    assert unknown_symbols(CharTokenizer("abc", unknown=True), "cadad") == ["d"]
    assert unknown_symbols(CharTokenizer("abc"), "cadad") == []

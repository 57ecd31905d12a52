"""Train a translator on pairs of sentences, and count how many translations equal their reference.

This is what ``python -m transformer_lib train --data number-words-de-en`` runs (chapter 13): an
encoder-decoder after Vaswani et al. (2017), Adam with a warm-up and a decay by the root of the step, smoothed
labels, and of all weights those with the least loss on the validation part.
"""

from functools import partial

import torch

from transformer_lib.data import PairBatches, ParallelCorpus, Tokenizer, encode_pairs, load_pairs
from transformer_lib.encoder_decoder import EncoderDecoder
from transformer_lib.experiments.recipe import Recipe, check_batch
from transformer_lib.experiments.report import TranslationReport
from transformer_lib.experiments.runs import Run, describe_data
from transformer_lib.experiments.scores import check_fits, score_translator, target_nats
from transformer_lib.experiments.translator import Translator
from transformer_lib.training import TrainingConfig, translation_loss, write_record

__all__ = ["train_translator", "translation_recipe"]

VALIDATION_PAIRS = 500
TEST_PAIRS = 500


def translation_recipe(data: str = "number-words-de-en") -> Recipe:
    """What a translator is trained by, unless something else is asked for.

    Source: K. Stratos, 2 (Adam and its schedule); Vaswani et al. (2017), sections 5.3 and 5.4
    """
    return Recipe(
        data=data,
        batch_size=512,
        label_smoothing=0.1,
        training=TrainingConfig(
            steps=1600,
            learning_rate=2e-3,
            schedule="inverse-sqrt",
            warmup_steps=200,
            beta2=0.98,
            weight_decay=0.0,
            evaluate_every=200,
        ),
    )


def train_translator(run: Run) -> TranslationReport:
    """Train by the run's recipe, translate a part of the test, and leave checkpoints and a record.

    Nothing is written before the data, the settings and the model have proved to be in order.

    Raises
    ------
    ValueError
        If data, settings or model are not in order, or the folder holds a run that is neither to be resumed
        nor overwritten.
    CheckpointError
        If the run cannot be resumed with this recipe.
    ModuleNotFoundError
        If sacreBLEU is not installed.
    """
    import sacrebleu  # noqa: F401  # so that a missing package shows before the training, not after it

    recipe, seed = run.recipe, run.recipe.training.seed
    run.check_folder()
    run.say(f"reading {recipe.data}")
    corpus = load_pairs(recipe.data)
    source_tokenizer, target_tokenizer = _tokenizers(recipe, corpus)
    is_shared = source_tokenizer is target_tokenizer
    run.check_resumable(corpus.sha256)
    config = run.config(
        vocab_size=target_tokenizer.vocab_size,
        source_vocab_size=None if is_shared else source_tokenizer.vocab_size,
        start_token=target_tokenizer.end_token,
    )
    check_batch("tokens", recipe.batch_size)
    parts = {
        "train": corpus.train,
        "valid": corpus.valid[:VALIDATION_PAIRS],
        "test": corpus.test[:TEST_PAIRS],
    }
    encoded = {part: encode_pairs(pairs, source_tokenizer, target_tokenizer) for part, pairs in parts.items()}
    for pairs in encoded.values():
        check_fits(pairs, config.context_length)
    batches = PairBatches(encoded["train"], recipe.batch_size, seed, end_token=target_tokenizer.end_token)
    model = EncoderDecoder(config, generator=torch.Generator().manual_seed(seed))
    translator = Translator(model, source_tokenizer, target_tokenizer)

    trained = run.train(
        model,
        partial(translation_loss, label_smoothing=recipe.label_smoothing),
        batches,
        evaluate=lambda model: target_nats(translator, encoded["valid"])[0],
        tokenizer={"source": source_tokenizer.to_dict(), "target": target_tokenizer.to_dict()},
        sha256=corpus.sha256,
    )
    run.say(f"translating {len(parts['test']):,} sentences of the test part")
    report = TranslationReport(
        corpus=corpus,
        translator=translator,
        training=trained,
        sizes={part: len(getattr(corpus, part)) for part in parts},
        score=score_translator(translator, parts["test"], progress=run.progress),
        record=run.record_path,
    )
    data = describe_data(corpus, report.sizes, "pairs")
    write_record(report.record, run.record(config, model.n_parameters(), trained, data, report.result()))
    return report


def _tokenizers(recipe: Recipe, corpus: ParallelCorpus) -> tuple[Tokenizer, Tokenizer]:
    """Those of the two languages; one for both where it is made of pieces of words."""
    if recipe.suits(corpus.source_tokenizer, corpus.target_tokenizer):
        return corpus.source_tokenizer, corpus.target_tokenizer
    if recipe.tokenizer == "bpe":
        shared = recipe.fit_tokenizer(sentence for pair in corpus.train for sentence in pair)
        return shared, shared
    sources, targets = zip(*corpus.train)
    return recipe.fit_tokenizer(sources), recipe.fit_tokenizer(targets)

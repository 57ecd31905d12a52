"""The arguments of the command line, and what ``--help`` says of them."""

import argparse
from pathlib import Path

from transformer_lib import __version__
from transformer_lib.transformer.config import PRESETS

__all__ = ["PROGRAM", "parser"]

PROGRAM = "python -m transformer_lib"
DEVICES = ("auto", "cpu", "cuda", "mps")
ABOUT_PRESETS = {
    "tiny": "for a CPU: the default",
    "small": "twice as deep: minutes on a CPU",
    "medium": "10.6 million parameters besides the embeddings: hours on a CPU, minutes on a GPU",
    "gpt2-124m": "GPT-2's smallest, for a GPU, with the tokenizer's vocabulary",
    "llama-7b": "the smallest Llama, for a large GPU: its options fit models of any size",
    "base": "the Transformer of Vaswani et al. (2017), for a GPU",
    "big": "their large one, for a GPU",
}


def parser() -> argparse.ArgumentParser:
    """Commands and options; no value is checked against the library, which is not imported for it."""
    parser = argparse.ArgumentParser(
        prog=PROGRAM,
        description="Train Transformers: language models and translators; sample, translate and score them.",
    )
    parser.add_argument("--version", action="version", version=f"transformer-lib {__version__}")
    commands = parser.add_subparsers(title="commands", dest="command", metavar="COMMAND", required=True)

    train = commands.add_parser(
        "train",
        help="train a language model, or a translator on pairs of sentences",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description=(
            "Train a language model or, on sentences and their translations, a translator.\n\n"
            "Without options: a language model of tales, embedded stories whose entropy is known exactly.\n"
            "At the end a table compares it with the best Kneser-Ney n-gram model of order 1 to 6 on the\n"
            "same tokens and, where known, with the source. Of a large text, n-grams are counted in the\n"
            "first 5,000,000 tokens and the table is of the first 1,000,000 tokens of each part.\n\n"
            "With --data number-words-de-en: German number words into English, by a pre-norm encoder-\n"
            "decoder with GELU, learned positions, no biases and no dropout. At the end a table gives exact\n"
            "match and BLEU, greedily and by a search with 4 beams.\n\n"
            "Either takes minutes on a processor; a bar shows the time left."
        ),
        epilog="presets:\n" + "\n".join(map(_preset_line, PRESETS)) + "\n\n"
        "settings for --set: those of TransformerConfig (d_model, n_heads, n_layers, d_ff,\n"
        "context_length, dropout, norm, positions, ...) and of TrainingConfig (schedule, warmup_steps,\n"
        "weight_decay, clip_norm, accumulation, evaluate_every, patience,\n"
        "activation_checkpointing, ...).",
    )
    data = train.add_argument_group("data")
    data.add_argument(
        "--data",
        metavar="NAME",
        help="a text: tales, docstrings, tinyshakespeare, wikitext-2, or the path of a text file; pairs: "
        "number-words-de-en (also en-de, fr-en, en-fr), multi30k-de-en, tatoeba-fra-eng (also the other "
        "way), or the path of a file *.tsv of lines: source, tab, target (default: tales)",
    )
    data.add_argument(
        "--text", action="store_true", help="read the file as a text, even if it looks like pairs or a table"
    )
    data.add_argument(
        "--skip-long",
        action="store_true",
        default=None,
        help="leave out pairs that are longer than the model's context_length",
    )
    data.add_argument(
        "--tokenizer", metavar="KIND", help="word, word-punct, char or bpe (default: what suits the data)"
    )
    data.add_argument("--vocab-size", type=int, metavar="N", help="most tokens of bpe (default: 8000)")
    data.add_argument(
        "--bpe-dropout",
        type=float,
        metavar="RATE",
        help="how often a merge of bpe is passed over, for a translator (default: 0)",
    )
    model = train.add_argument_group("model and training")
    model.add_argument("--preset", metavar="NAME", help="shape of the model, see below (default: tiny)")
    model.add_argument(
        "--set", metavar="KEY=VALUE", action="append", default=[], help="any other setting; can be repeated"
    )
    model.add_argument(
        "--steps",
        type=int,
        metavar="N",
        help="updates of the parameters (default: 2400; for a translator 1600)",
    )
    model.add_argument(
        "--batch-size",
        type=int,
        metavar="N",
        help="windows in a batch (default: 8); for a translator, target tokens (default: 512)",
    )
    model.add_argument(
        "--lr",
        dest="learning_rate",
        type=float,
        metavar="RATE",
        help="peak learning rate (default: 0.003; for a translator 0.002)",
    )
    model.add_argument(
        "--label-smoothing",
        type=float,
        metavar="SHARE",
        help="share of each target that is spread over the vocabulary (default: 0; for a translator 0.1)",
    )
    model.add_argument(
        "--seed", type=int, metavar="N", help="of the weights, the batches and dropout (default: 0)"
    )
    model.add_argument("--device", choices=DEVICES, help="default: auto")
    model.add_argument("--precision", choices=["fp32", "bf16", "fp16"], help="default: fp32")
    run = train.add_argument_group("run")
    run.add_argument(
        "--run-dir", type=Path, metavar="FOLDER", help="for checkpoints and the record (default: runs/NAME)"
    )
    again = run.add_mutually_exclusive_group()
    again.add_argument(
        "--resume",
        action="store_true",
        help="continue the run in FOLDER with its settings; without FOLDER, that of --data, else the latest",
    )
    again.add_argument("--overwrite", action="store_true", help="replace the run in FOLDER")
    run.add_argument("--no-ngrams", action="store_true", help="no comparison with n-gram models at the end")
    run.add_argument(
        "--tensorboard", action="store_true", help="write logs for TensorBoard to FOLDER/tensorboard"
    )

    sample = commands.add_parser(
        "sample",
        help="let a trained language model continue a text",
        description="Print the prompt and what the model adds, up to the end of the document.",
    )
    sample.add_argument("--prompt", default="", help="the text to continue (default: none)")
    sample.add_argument("--tokens", type=int, default=256, help="most new tokens (default: 256)")
    sample.add_argument("--temperature", type=float, default=1.0, help="0 is greedy (default: 1)")
    sample.add_argument("--top-k", type=int, metavar="K", help="draw from the K most probable tokens only")
    sample.add_argument(
        "--top-p", type=float, metavar="P", help="draw from the fewest tokens of probability P only"
    )
    sample.add_argument("--seed", type=int, default=0, help="the same seed draws the same text (default: 0)")

    translate = commands.add_parser(
        "translate",
        help="translate texts with a trained translator",
        description=(
            "Print the translation of each text on a line of its own; that of an empty text is empty. "
            "Symbols that the model does not know are read as <unk>, and named on standard error."
        ),
    )
    translate.add_argument(
        "text", nargs="*", metavar="TEXT", help="a text (default: each line of standard input)"
    )

    evaluate = commands.add_parser(
        "evaluate",
        help="score a trained model",
        description=(
            "A language model's nats per token, perplexity and, where every token is known, bits per "
            "character; a translator's exact match and BLEU, greedily and by beam search, and nats per "
            "target token."
        ),
    )
    evaluate.add_argument(
        "--data",
        metavar="NAME",
        help="data as for train; for a translator also a file of lines: source, tab, reference, all of "
        "which are used (default: what the model was trained on)",
    )
    evaluate.add_argument(
        "--part",
        default="test",
        help="train, valid or test (default: test); of a text file the first 90%%, the next 5%% or the last "
        "5%% of the characters",
    )
    evaluate.add_argument(
        "--skip-long", action="store_true", help="leave out pairs that are longer than the translator reads"
    )
    evaluate.add_argument("--limit", type=int, metavar="N", help="only the first N documents or pairs")
    evaluate.add_argument("--json", type=Path, metavar="FILE", help="write the numbers to FILE too")

    reproduce = commands.add_parser(
        "reproduce",
        help="run one of the book's experiments, and write its record",
        description=(
            "Run an experiment of the book and write its record. The same command continues an experiment "
            "that was interrupted. Other --seeds with the same --record join those in it, also from another "
            "commit; a record of another configuration or other data is refused. The command that a record "
            "holds makes all of it again, in runs/records."
        ),
    )
    reproduce.add_argument("name", nargs="?", metavar="NAME", help="see --list")
    reproduce.add_argument(
        "--list", action="store_true", help="list the experiments, and the minutes that their records took"
    )
    reproduce.add_argument(
        "--seeds", type=int, nargs="+", metavar="SEED", help="instead of those that --list shows"
    )
    reproduce.add_argument(
        "--budget",
        choices=["cpu", "gpu"],
        default="cpu",
        help="the size that two cores reach, or the one for a GPU, of which --list says who has it "
        "(default: cpu)",
    )
    reproduce.add_argument(
        "--record", type=Path, metavar="FILE", help="the record (default: runs/records/NAME.json)"
    )
    reproduce.add_argument("--overwrite", action="store_true", help="replace the record and its runs")
    reproduce.add_argument(
        "-j",
        "--jobs",
        type=int,
        default=1,
        metavar="N",
        help="measure N conditions or seeds at once, which share the threads (default: 1)",
    )

    for command in (sample, translate, evaluate):
        command.add_argument(
            "--checkpoint",
            type=Path,
            required=True,
            metavar="PATH",
            help="a run's folder or a .safetensors file",
        )
        command.add_argument("--device", choices=DEVICES, default="cpu", help="default: cpu")
    for command in (translate, evaluate):
        command.add_argument("--beams", type=int, default=4, metavar="N", help="hypotheses (default: 4)")
        command.add_argument(
            "--length-penalty",
            type=float,
            default=0.6,
            metavar="ALPHA",
            help="0 compares log-probabilities, more favors long translations (default: 0.6)",
        )
    evaluate.set_defaults(beams=None, length_penalty=None)  # a language model takes neither
    for command in (train, evaluate, reproduce):
        command.add_argument("--quiet", action="store_true", help="no progress, only the table")
    return parser


def _preset_line(name: str) -> str:
    preset = PRESETS[name]
    shape = f"n_layers {preset['n_layers']}, d_model {preset['d_model']}, n_heads {preset['n_heads']}"
    return f"  {name:<10} {shape}, context_length {preset['context_length']}\n{'':13}{ABOUT_PRESETS[name]}"

"""What may be written on the command line, and the help texts; nothing heavy is imported for it."""

import argparse
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from transformer_lib import __version__
from transformer_lib.config import PRESETS

__all__ = ["command_parser"]

ABOUT_PRESETS = {
    "tiny": "for a CPU: the default",
    "small": "twice as deep: minutes on a CPU",
    "medium": "10.6 million parameters besides the embeddings: hours on a CPU, minutes on a GPU",
    "gpt2-124m": "GPT-2's smallest, for a GPU; its vocabulary gives way to the tokenizer's",
    "base": "the Transformer of Vaswani et al. (2017), for a GPU",
    "big": "their large one, for a GPU",
}
DEVICES = ("auto", "cpu", "cuda", "mps")
Handler = Callable[..., int]


def command_parser(program: str, handlers: Mapping[str, Handler]) -> argparse.ArgumentParser:
    """The parser of all commands; what it parses has the handler as ``command``."""
    parser = argparse.ArgumentParser(
        prog=program,
        description="Train Transformers: language models and translators; sample, translate and score them.",
    )
    parser.add_argument("--version", action="version", version=f"transformer-lib {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name, add in (
        ("train", _add_train),
        ("sample", _add_sample),
        ("translate", _add_translate),
        ("evaluate", _add_evaluate),
        ("reproduce", _add_reproduce),
    ):
        add(commands).set_defaults(command=handlers[name])
    return parser


def _add_train(commands: Any) -> argparse.ArgumentParser:
    parser = commands.add_parser(
        "train",
        help="train a language model, or a translator on pairs of sentences",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description=(
            "Train a language model or, on data of sentences and their translations, a translator.\n\n"
            "Without options: a language model of tales, embedded stories whose entropy is known exactly,\n"
            "in under two minutes on two cores. At the end a table sets it beside the best Kneser-Ney\n"
            "n-gram model of order 1 to 6 on the same tokens and, where known, beside the source.\n\n"
            "With --data number-words-de-en: German number words into English, in under four minutes. At\n"
            "the end a table gives exact match and BLEU, greedily and by a search with 4 beams."
        ),
        epilog="presets:\n" + "\n".join(map(_preset_line, PRESETS)) + "\n\n"
        "settings for --set: those of TransformerConfig (d_model, n_heads, n_layers, d_ff,\n"
        "context_length, dropout, norm, positions, ...) and of TrainingConfig (schedule, warmup_steps,\n"
        "weight_decay, clip_norm, accumulation, evaluate_every, patience, ...).",
    )
    data = parser.add_argument_group("data")
    data.add_argument(
        "--data",
        metavar="NAME",
        help="a text: tales, docstrings, tinyshakespeare, wikitext-2, or the path of a text file; pairs: "
        "number-words-de-en (also en-de, fr-en, en-fr), multi30k-de-en, tatoeba-fra-eng (also the other "
        "way) (default: tales)",
    )
    data.add_argument(
        "--tokenizer", metavar="KIND", help="word, word-punct, char or bpe (default: what suits the data)"
    )
    data.add_argument("--vocab-size", type=int, metavar="N", help="most tokens of bpe (default: 8000)")
    model = parser.add_argument_group("model and training")
    model.add_argument("--preset", metavar="NAME", help="shape of the model, see below (default: tiny)")
    model.add_argument(
        "--set", metavar="KEY=VALUE", action="append", default=[], help="any other setting; can be repeated"
    )
    model.add_argument("--steps", type=int, metavar="N", help="updates of the parameters")
    model.add_argument(
        "--batch-size",
        type=int,
        metavar="N",
        help="windows in a batch (default: 8); for a translator, target tokens (default: 512)",
    )
    model.add_argument("--lr", type=float, metavar="RATE", help="peak learning rate")
    model.add_argument(
        "--label-smoothing",
        type=float,
        metavar="SHARE",
        help="of each target, spread over the vocabulary (default: 0; for a translator 0.1)",
    )
    model.add_argument(
        "--seed", type=int, metavar="N", help="of the weights, the batches and dropout (default: 0)"
    )
    model.add_argument("--device", choices=DEVICES, help="default: auto")
    model.add_argument("--precision", choices=["fp32", "bf16", "fp16"], help="default: fp32")
    run = parser.add_argument_group("run")
    run.add_argument(
        "--run-dir", type=Path, metavar="FOLDER", help="for checkpoints and the record (default: runs/NAME)"
    )
    again = run.add_mutually_exclusive_group()
    again.add_argument(
        "--resume",
        action="store_true",
        help="go on with the run in FOLDER, with its settings unless given anew",
    )
    again.add_argument("--overwrite", action="store_true", help="replace the run in FOLDER")
    run.add_argument(
        "--tensorboard", action="store_true", help="write logs for TensorBoard to FOLDER/tensorboard"
    )
    _add_quiet(run)
    return parser


def _add_sample(commands: Any) -> argparse.ArgumentParser:
    parser = commands.add_parser(
        "sample",
        help="let a trained language model go on with a text",
        description="Print the prompt and what the model adds, up to the end of the document.",
    )
    _add_checkpoint(parser)
    parser.add_argument("--prompt", default="", help="the text to go on with (default: none)")
    parser.add_argument("--tokens", type=int, default=256, help="at most so many new tokens (default: 256)")
    parser.add_argument("--temperature", type=float, default=1.0, help="0 is greedy (default: 1)")
    parser.add_argument("--top-k", type=int, metavar="K", help="draw from the K most probable tokens only")
    parser.add_argument(
        "--top-p", type=float, metavar="P", help="draw from the fewest tokens of probability P only"
    )
    parser.add_argument("--seed", type=int, default=0, help="the same seed draws the same text (default: 0)")
    return parser


def _add_translate(commands: Any) -> argparse.ArgumentParser:
    parser = commands.add_parser(
        "translate",
        help="translate texts with a trained translator",
        description=(
            "Print the translation of each text on a line of its own; an empty text has an empty one. What "
            "the model does not know, it reads as <unk>, which is said on standard error."
        ),
    )
    parser.add_argument(
        "text", nargs="*", metavar="TEXT", help="a text (default: each line of standard input)"
    )
    _add_checkpoint(parser)
    _add_beams(parser)
    return parser


def _add_evaluate(commands: Any) -> argparse.ArgumentParser:
    parser = commands.add_parser(
        "evaluate",
        help="score a trained model",
        description=(
            "A language model's nats a token, perplexity and, where every token is known, bits a character; "
            "a translator's exact match and BLEU, greedily and by beam search, and nats a target token."
        ),
    )
    _add_checkpoint(parser)
    parser.add_argument(
        "--data",
        metavar="NAME",
        help="data as for train; for a translator also a file of lines: source, tab, reference, which are "
        "all taken (default: what the model was trained on)",
    )
    parser.add_argument("--part", default="test", help="train, valid or test (default: test)")
    parser.add_argument("--limit", type=int, metavar="N", help="only the first N documents or pairs")
    _add_beams(parser)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write what is printed to FILE too")
    _add_quiet(parser)
    return parser


def _add_reproduce(commands: Any) -> argparse.ArgumentParser:
    parser = commands.add_parser(
        "reproduce",
        help="run one of the book's experiments whole, and write its record",
        description=(
            "Run an experiment of the book whole and write its record. Seeds run today join those of "
            "yesterday where the runs differ in nothing else; an interrupted run is gone on with by the same "
            "command."
        ),
    )
    parser.add_argument("name", nargs="?", metavar="NAME", help="see --list")
    parser.add_argument("--list", action="store_true", help="list the experiments and their minutes")
    parser.add_argument(
        "--seeds", type=int, nargs="+", metavar="SEED", help="others than those that --list shows"
    )
    parser.add_argument(
        "--record", type=Path, metavar="FILE", help="the record (default: runs/records/NAME.json)"
    )
    parser.add_argument("--overwrite", action="store_true", help="replace the record and its runs")
    _add_quiet(parser)
    return parser


def _add_checkpoint(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--checkpoint", type=Path, required=True, metavar="PATH", help="a run's folder or a .safetensors file"
    )
    parser.add_argument("--device", choices=DEVICES, default="cpu", help="default: cpu")


def _add_beams(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--beams", type=int, default=4, metavar="N", help="hypotheses (default: 4)")
    parser.add_argument(
        "--length-penalty",
        type=float,
        default=0.6,
        metavar="ALPHA",
        help="0 compares log-probabilities, more favours long translations (default: 0.6)",
    )


def _add_quiet(parser: Any) -> None:
    parser.add_argument("--quiet", action="store_true", help="no progress, only the table")


def _preset_line(name: str) -> str:
    preset = PRESETS[name]
    shape = f"n_layers {preset['n_layers']}, d_model {preset['d_model']}, n_heads {preset['n_heads']}"
    return f"  {name:<10} {shape}, context_length {preset['context_length']}\n{'':13}{ABOUT_PRESETS[name]}"

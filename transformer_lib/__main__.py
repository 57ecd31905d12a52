"""The command line: ``python -m transformer_lib train`` and ``python -m transformer_lib sample``.

What a reader can get wrong ends in one line on standard error and exit code 2.
"""

import argparse
import os
import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from transformer_lib import __version__

PROGRAM = "python -m transformer_lib"
EXTRAS = {"accelerate", "safetensors", "tqdm", "sklearn", "tokenizers", "num2words", "pooch"}
NO_MEMORY = "out of memory|not enough memory|allocate memory"
MAIN_PROCESS = os.environ.get("RANK", "0") == "0"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line ``argv``, by default the process's own; the exit code."""
    argv = list(sys.argv[1:] if argv is None else argv)
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")
    arguments = _parser().parse_args(argv)
    try:
        return arguments.command(arguments, argv)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in EXTRAS:
            raise
        return _fail(f"this needs the package {error.name}: pip install 'transformer-lib[train]'")
    except FloatingPointError as error:
        return _fail(str(error), code=1)
    except (ValueError, OSError) as error:
        return _fail(str(error))
    except (MemoryError, RuntimeError) as error:
        if isinstance(error, RuntimeError) and not re.search(NO_MEMORY, str(error)):
            raise
        return _fail("there is not enough memory for this: take a smaller model, batch or text", code=1)


def _train(arguments: argparse.Namespace, argv: Sequence[str]) -> int:
    from transformer_lib.experiments import language_model
    from transformer_lib.experiments.recipe import Recipe
    from transformer_lib.training import LAST

    run_dir = arguments.run_dir or Path("runs") / Path(arguments.data or Recipe().data).stem
    recipe = language_model.saved_recipe(run_dir) if arguments.resume else Recipe()
    recipe = _with_options(recipe, arguments)
    try:
        report = language_model.run(
            recipe,
            run_dir,
            resume=arguments.resume,
            overwrite=arguments.overwrite,
            progress=not arguments.quiet,
            say=(lambda message: None) if arguments.quiet or not MAIN_PROCESS else _say,
            command=[*PROGRAM.split(), *argv],
        )
    except KeyboardInterrupt:
        if not (run_dir / LAST).exists():
            return _fail("interrupted before anything was saved", code=130)
        return _fail(
            f"interrupted; saved in {run_dir}. Go on with: {PROGRAM} train --resume --run-dir {run_dir}",
            code=130,
        )
    if MAIN_PROCESS:
        print(report)
        print(f"\nMore of it: {PROGRAM} sample --checkpoint {run_dir} --seed 1")
    return 0


def _with_options(recipe: Any, arguments: argparse.Namespace) -> Any:
    training = {
        "steps": arguments.steps,
        "learning_rate": arguments.lr,
        "seed": arguments.seed,
        "device": arguments.device,
        "precision": arguments.precision,
    }
    whole = {name: getattr(arguments, name) for name in ("data", "tokenizer", "preset", "batch_size")}
    given = {name: value for name, value in training.items() if value is not None}
    recipe = replace(recipe, **{name: value for name, value in whole.items() if value is not None})
    recipe = replace(recipe, training=replace(recipe.training, **given))
    return recipe.with_settings(arguments.set)


def _sample(arguments: argparse.Namespace, argv: Sequence[str]) -> int:
    from transformer_lib.experiments.language_model import continue_text, load_language_model

    model, tokenizer = load_language_model(arguments.checkpoint)
    text = continue_text(
        model,
        tokenizer,
        arguments.prompt,
        arguments.tokens,
        seed=arguments.seed,
        temperature=arguments.temperature,
        top_k=arguments.top_k,
        top_p=arguments.top_p,
    )
    print(text)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=PROGRAM, description="Train a small Transformer language model, and sample from it."
    )
    parser.add_argument("--version", action="version", version=f"transformer-lib {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _add_train(commands)
    _add_sample(commands)
    return parser


def _add_train(commands: Any) -> None:
    parser = commands.add_parser(
        "train",
        help="train a language model and compare it with counting and with the source",
        description=(
            "Train a language model. Without options: on tales, embedded stories whose entropy is known "
            "exactly, in under two minutes on two cores. At the end a table sets the model beside the best "
            "Kneser-Ney n-gram model of order 1 to 6 on the same tokens and, where known, beside the source."
        ),
        epilog=(
            "settings for --set: those of TransformerConfig (d_model, n_heads, n_layers, d_ff, "
            "context_length, dropout, norm, ...) and of TrainingConfig (schedule, warmup_steps, "
            "weight_decay, clip_norm, accumulation, evaluate_every, patience, ...)"
        ),
    )
    data = parser.add_argument_group("data")
    data.add_argument(
        "--data", metavar="NAME", help="tales, docstrings, or the path of a text file (default: tales)"
    )
    data.add_argument("--tokenizer", choices=["word", "char"], help="default: what suits the data")
    model = parser.add_argument_group("model and training")
    model.add_argument("--preset", help="shape of the model: tiny, small, medium (default: tiny)")
    model.add_argument(
        "--set", metavar="KEY=VALUE", action="append", default=[], help="any other setting; can be repeated"
    )
    model.add_argument("--steps", type=int, help="updates of the parameters")
    model.add_argument("--batch-size", type=int, help="windows in a batch")
    model.add_argument("--lr", type=float, help="peak learning rate")
    model.add_argument("--seed", type=int, help="of the weights, the batches and dropout (default: 0)")
    model.add_argument("--device", choices=["auto", "cpu", "cuda", "mps"], help="default: auto")
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
    run.add_argument("--quiet", action="store_true", help="no progress, only the table")
    parser.set_defaults(command=_train)


def _add_sample(commands: Any) -> None:
    parser = commands.add_parser(
        "sample",
        help="let a trained model go on with a text",
        description="Print the prompt and what the model adds, up to the end of the document.",
    )
    parser.add_argument(
        "--checkpoint", type=Path, required=True, metavar="PATH", help="a run's folder or a .safetensors file"
    )
    parser.add_argument("--prompt", default="", help="the text to go on with (default: none)")
    parser.add_argument("--tokens", type=int, default=256, help="at most so many new tokens (default: 256)")
    parser.add_argument("--temperature", type=float, default=1.0, help="0 is greedy (default: 1)")
    parser.add_argument("--top-k", type=int, metavar="K", help="draw from the K most probable tokens only")
    parser.add_argument(
        "--top-p", type=float, metavar="P", help="draw from the fewest tokens of probability P only"
    )
    parser.add_argument("--seed", type=int, default=0, help="the same seed draws the same text (default: 0)")
    parser.set_defaults(command=_sample)


def _say(message: str) -> None:
    print(message, file=sys.stderr, flush=True)


def _fail(message: str, code: int = 2) -> int:
    print(f"{PROGRAM}: error: {' '.join(message.split())}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())

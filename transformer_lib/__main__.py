"""The command line: ``python -m transformer_lib train | sample | translate | evaluate | reproduce``.

What a reader can get wrong ends in one line on standard error and exit code 2.
"""

import argparse
import os
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from transformer_lib.experiments.arguments import command_parser

PROGRAM = "python -m transformer_lib"
EXTRAS = dict.fromkeys(
    ("safetensors", "tqdm", "sklearn", "tokenizers", "num2words", "pooch", "sacrebleu"), "train"
) | {"tensorboard": "tensorboard"}
NO_MEMORY = "out of memory|not enough memory|allocate memory"
MAIN_PROCESS = os.environ.get("RANK", "0") == "0"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line ``argv``, by default the process's own; the exit code."""
    argv = list(sys.argv[1:] if argv is None else argv)
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")
    handlers = {
        "train": _train,
        "sample": _sample,
        "translate": _translate,
        "evaluate": _evaluate,
        "reproduce": _reproduce,
    }
    arguments = command_parser(PROGRAM, handlers).parse_args(argv)
    try:
        return arguments.command(arguments, argv)
    except KeyboardInterrupt:
        return _fail("interrupted", code=130)
    except ImportError as error:
        package = (error.name or "").partition(".")[0]
        if package not in EXTRAS:
            raise
        extra = EXTRAS[package]
        return _fail(f"this needs the package {error.name}: pip install 'transformer-lib[{extra}]'")
    except FloatingPointError as error:
        return _fail(str(error), code=1)
    except BrokenPipeError:
        # Whoever read standard output has left; what is still to be flushed to it goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except (ValueError, OSError) as error:
        return _fail(str(error))
    except (MemoryError, RuntimeError) as error:
        if isinstance(error, RuntimeError) and not re.search(NO_MEMORY, str(error)):
            raise
        return _fail("there is not enough memory for this: take a smaller model, batch or text", code=1)


def _train(arguments: argparse.Namespace, argv: Sequence[str]) -> int:
    from transformer_lib.data import PAIRS
    from transformer_lib.experiments.language_model import train_language_model
    from transformer_lib.experiments.recipe import Recipe
    from transformer_lib.experiments.runs import Run, saved_recipe
    from transformer_lib.experiments.translation import train_translator, translation_recipe
    from transformer_lib.training import LAST

    run_dir = arguments.run_dir or Path("runs") / Path(arguments.data or Recipe().data).stem
    if arguments.resume:
        recipe = saved_recipe(run_dir)
    else:
        recipe = translation_recipe() if arguments.data in PAIRS else Recipe()
    recipe = _with_options(recipe, arguments)
    is_translator = recipe.data in PAIRS
    run = Run(
        recipe,
        run_dir,
        resume=arguments.resume,
        overwrite=arguments.overwrite,
        progress=not arguments.quiet,
        tensorboard=arguments.tensorboard,
        say=_sayer(arguments),
        command=[*PROGRAM.split(), *argv],
    )
    try:
        report = train_translator(run) if is_translator else train_language_model(run)
    except KeyboardInterrupt:
        if not (run_dir / LAST).exists():
            return _fail("interrupted before anything was saved", code=130)
        return _fail(
            f"interrupted; saved in {run_dir}. Go on with: {PROGRAM} train --resume --run-dir {run_dir}",
            code=130,
        )
    if MAIN_PROCESS:
        print(report)
        command, options = ("translate", "") if is_translator else ("sample", " --seed 1")
        print(f"\nMore of it: {PROGRAM} {command} --checkpoint {run_dir}{options}")
    return 0


def _with_options(recipe: Any, arguments: argparse.Namespace) -> Any:
    training = {
        "steps": arguments.steps,
        "learning_rate": arguments.lr,
        "seed": arguments.seed,
        "device": arguments.device,
        "precision": arguments.precision,
    }
    names = ("data", "tokenizer", "vocab_size", "preset", "batch_size", "label_smoothing")
    whole = {name: getattr(arguments, name) for name in names}
    given = {name: value for name, value in training.items() if value is not None}
    recipe = replace(recipe, **{name: value for name, value in whole.items() if value is not None})
    recipe = replace(recipe, training=replace(recipe.training, **given))
    return recipe.with_settings(arguments.set)


def _sample(arguments: argparse.Namespace, argv: Sequence[str]) -> int:
    from transformer_lib.experiments.language_model import continue_text
    from transformer_lib.experiments.loading import load_language_model

    model, tokenizer = load_language_model(arguments.checkpoint, arguments.device)
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


def _translate(arguments: argparse.Namespace, argv: Sequence[str]) -> int:
    from transformer_lib.experiments.loading import load_translator

    translator = load_translator(arguments.checkpoint, arguments.device)
    for number, text in enumerate(arguments.text or _lines_of_stdin(), start=1):
        if unknown := translator.unknown(text):
            _say(f"text {number}: read as <unk>: {', '.join(map(repr, unknown))}")
        found = translator.translate([text], n_beams=arguments.beams, length_penalty=arguments.length_penalty)
        print(found[0], flush=True)
    return 0


def _lines_of_stdin() -> Iterable[str]:
    if hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(encoding="utf-8")
    return (line.rstrip("\r\n") for line in sys.stdin)


def _evaluate(arguments: argparse.Namespace, argv: Sequence[str]) -> int:
    from transformer_lib.experiments.evaluation import evaluate_checkpoint

    report = evaluate_checkpoint(
        arguments.checkpoint,
        data=arguments.data,
        part=arguments.part,
        limit=arguments.limit,
        n_beams=arguments.beams,
        length_penalty=arguments.length_penalty,
        json_path=arguments.json,
        device=arguments.device,
        progress=not arguments.quiet,
    )
    print(report)
    return 0


def _reproduce(arguments: argparse.Namespace, argv: Sequence[str]) -> int:
    from transformer_lib.experiments.reproduce import EXPERIMENTS, reproduce

    if arguments.list:
        for name, experiment in EXPERIMENTS.items():
            seeds = " ".join(map(str, experiment.seeds))
            print(f"{name:<14}{experiment.description}\n{'':14}{experiment.minutes} minutes, seeds {seeds}")
        return 0
    if arguments.name is None:
        raise ValueError(f"give the NAME of an experiment: {', '.join(EXPERIMENTS)}")
    record_path = arguments.record or Path("runs") / "records" / f"{arguments.name}.json"
    try:
        record = reproduce(
            arguments.name,
            record_path,
            seeds=arguments.seeds,
            overwrite=arguments.overwrite,
            progress=not arguments.quiet,
            say=_sayer(arguments),
            command=[*PROGRAM.split(), *argv],
        )
    except KeyboardInterrupt:
        return _fail("interrupted; give the same command, without --overwrite, to go on", code=130)
    seeds = " ".join(map(str, record.seeds))
    print(f"{arguments.name}: seeds {seeds}, {record.minutes:.1f} minutes")
    for name, mean in record.result.get("mean", {}).items():
        spread = record.result["standard_deviation"][name]
        print(f"  {name:<32}{mean:>14.4f}" + ("" if spread is None else f"  ± {spread:.4f}"))
    print(f"\nRecord: {record_path}")
    return 0


def _sayer(arguments: argparse.Namespace) -> Callable[[str], None]:
    return (lambda message: None) if arguments.quiet or not MAIN_PROCESS else _say


def _say(message: str) -> None:
    print(message, file=sys.stderr, flush=True)


def _fail(message: str, code: int = 2) -> int:
    print(f"{PROGRAM}: error: {' '.join(message.split())}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())

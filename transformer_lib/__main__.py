"""The command line: ``python -m transformer_lib train | sample | translate | evaluate | reproduce``.

A mistake of the reader ends in one line on standard error and exit code 2. Nothing heavy is imported before
the arguments are read.
"""

import argparse
import logging
import os
import re
import shlex
import stat
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path, PurePath
from typing import Any

from transformer_lib.checks import how_to_install
from transformer_lib.text.arguments import PROGRAM, parser

EXTRAS = dict.fromkeys(("sklearn", "scipy", "tokenizers", "num2words", "pooch", "sacrebleu"), "train") | {
    "tensorboard": "tensorboard"
}
NO_MEMORY = "out of memory|not enough memory|allocate memory"
NO_GPU = "no kernel image|CUDA (unknown )?error|CUDA driver|cuDNN|CUBLAS|HIP error|for the MPS device"
MAIN_PROCESS = os.environ.get("RANK", "0") == "0"
log = logging.getLogger("transformer_lib")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line ``argv``, by default the process's own; the exit code."""
    argv = list(sys.argv[1:] if argv is None else argv)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # Whatever the console has, nothing becomes a "?"; a name that is not UTF-8 keeps its bytes.
            stream.reconfigure(encoding="utf-8", errors="surrogateescape")
    commands = {
        "train": _train,
        "sample": _sample,
        "translate": _translate,
        "evaluate": _evaluate,
        "reproduce": _reproduce,
    }
    arguments = parser().parse_args(argv)
    arguments.words = [*PROGRAM.split(), *argv]
    try:
        with _messages(quiet=getattr(arguments, "quiet", False) or not MAIN_PROCESS):
            code = commands[arguments.command](arguments)
            if sys.stdout is not None:
                sys.stdout.flush()
            return code
    except KeyboardInterrupt:
        return _fail("interrupted", code=130)
    except ImportError as error:
        package = (error.name or "").partition(".")[0]
        if package not in EXTRAS:
            raise
        extra = EXTRAS[package]
        return _fail(f"this needs the package {error.name}: {how_to_install(extra)}")
    except FloatingPointError as error:
        return _fail(str(error), code=1)
    except BrokenPipeError:
        # Whoever read standard output has left.
        _write_nowhere()
        return 1
    except ValueError as error:
        return _fail(str(error))
    except OSError as error:
        try:
            print(end="", flush=True)
        except OSError:
            _write_nowhere()
        return _fail(str(error))
    except (MemoryError, RuntimeError) as error:
        if isinstance(error, RuntimeError) and not re.search(NO_MEMORY, str(error)):
            if not re.search(NO_GPU, str(error)):
                raise
            trouble = str(error).strip().splitlines()[0]
            return _fail(f"this PyTorch cannot compute on this GPU ({trouble}): give --device cpu", code=1)
        return _fail("there is not enough memory for this: take a smaller model, batch or text", code=1)


def _write_nowhere() -> None:
    """Let what is still to be flushed to standard output, which takes no more, go nowhere."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _train(arguments: argparse.Namespace) -> int:
    from transformer_lib.data import are_pairs, check_prose
    from transformer_lib.text.language_model import RECIPE, train_language_model
    from transformer_lib.text.run import Run, check_is_here, saved_recipe
    from transformer_lib.text.translation import RECIPE as TRANSLATION
    from transformer_lib.text.translation import train_translator
    from transformer_lib.training import LAST

    recipe = TRANSLATION if arguments.data and are_pairs(arguments.data) else RECIPE
    run_dir = arguments.run_dir or Path("runs") / Path(arguments.data or recipe.data).stem
    if arguments.resume and arguments.run_dir is None and arguments.data is None:
        run_dir = _latest_run(Path("runs")) or run_dir
        log.info("resuming the run in %s", run_dir)
    if arguments.resume and run_dir.is_dir() and any(run_dir.iterdir()) and not (run_dir / LAST).exists():
        raise ValueError(f"{run_dir} has no {LAST}, from which a run goes on: --overwrite starts it again")
    recipe = saved_recipe(run_dir) if arguments.resume else recipe
    if arguments.resume and not arguments.data:
        check_is_here(run_dir, recipe.data)
    if arguments.data and not (arguments.text or arguments.resume):
        check_prose(arguments.data)
    names = ["data", "tokenizer", "vocab_size", "bpe_dropout", "preset", "batch_size", "label_smoothing"]
    recipe = replace(recipe, **_given(arguments, *names, "skip_long"))
    flags = _given(arguments, "steps", "learning_rate", "seed", "device", "precision")
    names_set = {setting.partition("=")[0].strip().replace("-", "_") for setting in arguments.set}
    if both := sorted(names_set & flags.keys()):
        raise ValueError(f"{', '.join(both)}: given by a flag and by --set; leave one of them out")
    recipe = recipe.with_training(**flags).with_settings(arguments.set)
    saved_before = None if arguments.resume else _saved(run_dir)
    run = Run(
        recipe,
        run_dir,
        arguments.resume,
        arguments.overwrite,
        arguments.tensorboard,
        arguments.words,
        compares=not arguments.no_ngrams,
    )
    try:
        _, report = train_translator(run) if recipe.translates else train_language_model(run)
    except KeyboardInterrupt:
        if _saved(run_dir) in (None, saved_before):
            return _fail("interrupted before anything was saved", code=130)
        again = ["train", "--resume", "--run-dir", _for_a_shell(run_dir)]
        # A run knows its recipe, but not what is made of it beside the checkpoints.
        again += ["--no-ngrams"] * arguments.no_ngrams + ["--tensorboard"] * arguments.tensorboard
        return _fail(f"interrupted; saved in {run_dir}. Continue with: {PROGRAM} {' '.join(again)}", code=130)
    except BrokenPipeError:
        raise
    except (FloatingPointError, OSError) as error:
        if _saved(run_dir) in (None, saved_before):
            raise
        kind = OSError if isinstance(error, OSError) else FloatingPointError
        raise kind(
            f"{error}. {run_dir} keeps what was saved before; --resume goes on from there, and --overwrite "
            "begins again"
        ) from error
    if MAIN_PROCESS:
        use = "translate" if recipe.translates else "sample --seed 1"
        print(f"{report}\n\nTry it: {PROGRAM} {use} --checkpoint {_for_a_shell(run_dir)}")
    return 0


def _for_a_shell(path: PurePath) -> str:
    """The path as a shell, or Windows' command line, reads it as one argument that is no option."""
    text = f".{os.sep}{path}" if str(path).startswith("-") else str(path)
    if os.name != "nt":
        return shlex.quote(text)
    # Words with blanks are in quotes already; "&" and others would end the command as well.
    quoted = subprocess.list2cmdline([text])
    return quoted if re.fullmatch(r'".*"|[\w.:\\/-]+', quoted) else f'"{quoted}"'


def _saved(run_dir: Path) -> int | None:
    """When the run in a folder was saved, in nanoseconds, if it was."""
    from transformer_lib.training import LAST

    return (run_dir / LAST).stat().st_mtime_ns if (run_dir / LAST).exists() else None


def _latest_run(folder: Path) -> Path | None:
    """The run in ``folder`` that was saved last, if there is one."""
    from transformer_lib.training import LAST

    return max(
        (path.parent for path in folder.glob(f"*/{LAST}")),
        key=lambda run: (run / LAST).stat().st_mtime,
        default=None,
    )


def _given(arguments: argparse.Namespace, *names: str) -> dict[str, Any]:
    return {name: value for name in names if (value := getattr(arguments, name)) is not None}


def _sample(arguments: argparse.Namespace) -> int:
    from transformer_lib.data import clean_text, unknown_symbols
    from transformer_lib.text.evaluation import load_language_model
    from transformer_lib.text.language_model import continue_text

    model, tokenizer = load_language_model(arguments.checkpoint, arguments.device)
    if unknown := unknown_symbols(tokenizer, clean_text(arguments.prompt)):
        log.warning("the prompt: read as <unk>: %s", ", ".join(map(repr, unknown)))
    options = {name: getattr(arguments, name) for name in ("seed", "temperature", "top_k", "top_p")}
    print(continue_text(model, tokenizer, arguments.prompt, arguments.tokens, **options))
    return 0


def _translate(arguments: argparse.Namespace) -> int:
    from transformer_lib.text.evaluation import load_translator

    translator = load_translator(arguments.checkpoint, arguments.device)
    are_all_there = bool(arguments.text) or _stdin_is_a_file()
    texts = _that_can_be_read(arguments.text or _lines_of_stdin(), translator)
    options = {"n_beams": arguments.beams, "length_penalty": arguments.length_penalty}
    for group in _groups(texts, translator.texts_at_once if are_all_there else 1):
        for translation in translator.translate(group, **options):
            print(translation, flush=True)
    return 0


def _that_can_be_read(texts: Iterable[str], translator: Any) -> Iterator[str]:
    """The texts up to one that the translator cannot read; what it does not know is named."""
    for number, text in enumerate(texts, start=1):
        try:
            unknown = translator.unknown(text)
            translator.encode(text)
        except ValueError as error:
            raise ValueError(f"text {number}: {error}") from error
        if unknown:
            log.warning("text %d: read as <unk>: %s", number, ", ".join(map(repr, unknown)))
        yield text


def _groups(texts: Iterable[str], size: int) -> Iterator[list[str]]:
    """The texts in lists of ``size``; an error of the texts comes after those before it."""
    group: list[str] = []
    try:
        for text in texts:
            group.append(text)
            if len(group) == size:
                yield group
                group = []
    except ValueError:
        yield group
        raise
    yield group


def _stdin_is_a_file() -> bool:
    """Whether no line of standard input waits for the answer to the one before."""
    try:
        return stat.S_ISREG(os.fstat(sys.stdin.fileno()).st_mode)
    except (AttributeError, OSError):
        return False


def _lines_of_stdin() -> Iterable[str]:
    if sys.stdin is None:
        raise ValueError("there is no TEXT, and no standard input")
    from transformer_lib.data import clean_text

    if hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(encoding="utf-8", errors="surrogateescape", newline="\n")
    for number, line in enumerate(sys.stdin, start=1):
        if any("\udc80" <= symbol <= "\udcff" for symbol in line):
            raise ValueError(f"text {number}: line {number} of standard input is not UTF-8: convert it")
        is_old_mac = number == 1 and not line.endswith("\n")
        yield from clean_text(line.rstrip("\r\n")).split("\n") if is_old_mac else [line]


def _evaluate(arguments: argparse.Namespace) -> int:
    from transformer_lib.text.evaluation import evaluate_checkpoint

    report = evaluate_checkpoint(
        arguments.checkpoint,
        data=arguments.data,
        part=arguments.part,
        limit=arguments.limit,
        n_beams=arguments.beams,
        length_penalty=arguments.length_penalty,
        json_path=arguments.json,
        device=arguments.device,
        skip_long=arguments.skip_long,
    )
    print(report)
    return 0


def _reproduce(arguments: argparse.Namespace) -> int:
    from transformer_lib.checks import check_choice
    from transformer_lib.experiments import EXPERIMENTS, run

    if arguments.list:
        width = max(map(len, EXPERIMENTS)) + 2
        for name, experiment in EXPERIMENTS.items():
            print(f"{name:<{width}}chapter {experiment.chapter}: {experiment.description}")
            seeds = " ".join(map(str, experiment.seeds))
            print(f"{'':{width}}seeds {seeds}; {experiment.time_on_record()}")
            if experiment.gpu is not None:
                print(f"{'':{width}}with --budget gpu: {experiment.gpu.time_on_record()}")
        return 0
    if arguments.name is None:
        raise ValueError(f"give the NAME of an experiment: {', '.join(EXPERIMENTS)}")
    plain = arguments.name.removesuffix("-gpu")
    if plain != arguments.name and plain in EXPERIMENTS:
        raise ValueError(f"{arguments.name} is the form for a GPU of {plain}: write {plain} --budget gpu")
    check_choice("experiment", arguments.name, EXPERIMENTS)
    experiment = EXPERIMENTS[arguments.name]
    if arguments.budget == "gpu":
        if experiment.gpu is None:
            raise ValueError(f"{arguments.name} has one size, which a processor reaches: leave out --budget")
        experiment = experiment.gpu
    command = [*PROGRAM.split(), "reproduce", arguments.name]
    command += ["--budget", "gpu"] if arguments.budget == "gpu" else []
    path = arguments.record or Path("runs") / "records" / f"{experiment.name}.json"
    try:
        record = run(
            experiment,
            path,
            seeds=arguments.seeds,
            overwrite=arguments.overwrite,
            command=command,
            jobs=arguments.jobs,
        )
    except KeyboardInterrupt:
        return _fail("interrupted; give the same command without --overwrite to continue", code=130)
    if MAIN_PROCESS:
        print(f"{arguments.name}: seeds {' '.join(map(str, record.seeds))}, {record.minutes:.1f} minutes")
        for name, mean in record.result.get("mean", {}).items():
            spread = record.result["standard_deviation"][name]
            print(f"  {name:<32}{mean:>14.4f}" + ("" if spread is None else f"  ± {spread:.4f}"))
        print(f"\nRecord: {path}")
    return 0


@contextmanager
def _messages(quiet: bool) -> Iterator[None]:
    """Show the library's messages on standard error; if ``quiet``, warnings alone."""
    handler, level = logging.StreamHandler(), log.level
    log.addHandler(handler)
    log.setLevel(logging.WARNING if quiet else logging.INFO)
    try:
        yield
    finally:
        log.removeHandler(handler)
        log.setLevel(level)


def _fail(message: str, code: int = 2) -> int:
    one_line = re.sub(r"\s*\n\s*", " ", message.strip())  # blanks within a name stay as they are
    print(f"{PROGRAM}: error: {one_line}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())

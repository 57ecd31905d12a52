"""The book's experiments by name, and what runs them and reads their records.

An experiment is a module here with one or more entries in :data:`EXPERIMENTS`; see
:class:`~transformer_lib.experiments.runner.Experiment`.
"""

from transformer_lib.experiments import (
    beams,
    binarized_blocks,
    binarized_mnist,
    bottleneck,
    compression,
    costs,
    counting,
    delays,
    depth,
    heads,
    language_model,
    lengths,
    marginals,
    masked_digits,
    memory,
    model_sizes,
    multi30k,
    number_translators,
    optimizers,
    overfitting,
    pieces,
    questions,
    readouts,
    recall,
    recurrent_tales,
    regularization,
    sampled_tales,
    scorings,
    shakespeare,
    shared_heads,
    step_times,
    tied_language,
    today,
    translation,
    whole,
    wikitext2,
    wiring,
)
from transformer_lib.experiments.results import Results, SeedInterval
from transformer_lib.experiments.runner import Experiment, Tuned, run, run_seed
from transformer_lib.training import read_record
from transformer_lib.validation import check_choice

__all__ = [
    "EXPERIMENTS",
    "Experiment",
    "Results",
    "SeedInterval",
    "Tuned",
    "load_results",
    "run",
    "run_seed",
]

EXPERIMENTS: dict[str, Experiment] = {
    experiment.name: experiment
    for experiment in (
        marginals.EXPERIMENT,
        memory.EXPERIMENT,
        binarized_mnist.EXPERIMENT,
        binarized_blocks.TRANSFORMER,
        binarized_blocks.WAVENET,
        compression.EXPERIMENT,
        delays.EXPERIMENT,
        recurrent_tales.EXPERIMENT,
        recurrent_tales.READ,
        costs.EXPERIMENT,
        bottleneck.EXPERIMENT,
        scorings.LEARNING,
        scorings.COSTS,
        questions.EXPERIMENT,
        recall.SCALING,
        recall.TYING,
        tied_language.EXPERIMENT,
        heads.EXPERIMENT,
        overfitting.EXPERIMENT,
        shared_heads.EXPERIMENT,
        depth.EXPERIMENT,
        wiring.PLACEMENT,
        wiring.WIRING,
        wiring.PLACEMENT_LONGER,
        wiring.WIRING_LONGER,
        whole.EXPERIMENT,
        today.EXPERIMENT,
        lengths.EXPERIMENT,
        masked_digits.TRANSFORMER,
        masked_digits.PEEKING,
        counting.EXPERIMENT,
        pieces.EXPERIMENT,
        readouts.EXPERIMENT,
        shakespeare.EXPERIMENT,
        shakespeare.LARGEST,
        shakespeare.COUNTS,
        regularization.DROPOUT,
        regularization.WIDENING,
        regularization.AUGMENTATION,
        regularization.PENALTIES,
        wikitext2.EXPERIMENT,
        wikitext2.LARGEST,
        language_model.EXPERIMENT,
        translation.EXPERIMENT,
        number_translators.BESIDE,
        number_translators.WARMUP,
        number_translators.SIZING,
        sampled_tales.EXPERIMENT,
        beams.EXPERIMENT,
        model_sizes.SIZES,
        model_sizes.SHAPES,
        step_times.EXPERIMENT,
        optimizers.EXPERIMENT,
        multi30k.EXPERIMENT,
        multi30k.LONGEST,
        multi30k.RECURRENT,
        multi30k.TINIEST,
    )
}
"""The experiments by name.

:meta hide-value:
"""


def load_results(name: str) -> Results:
    """The committed record of the experiment called ``name``, to be read by name.

    ``NAME-gpu`` is the record of the form for a GPU of ``NAME``.

    Raises
    ------
    ValueError
        If there is no such experiment, or no record of it yet.
    """
    known = EXPERIMENTS | {one.gpu.name: one.gpu for one in EXPERIMENTS.values() if one.gpu is not None}
    check_choice("experiment", name, known)
    return Results(read_record(known[name].committed_record))

"""The figures of the course: one style, and the few pictures that every chapter draws.

A figure is drawn in ink on white, in the book's own typeface, and the page fits it to its light and dark
theme. It is 7 inches wide with type of 12 points and more, so that it can be read on a phone. Its colors can
be told apart with any kind of color vision. It holds no date and no version, so that the same drawing gives
the same bytes. Chapters call :func:`use_house_style` in their first cell; its text says what else to mind.

Nothing in the library imports this package: it needs matplotlib, which the library does not.
"""

from transformer_lib.plotting.alignment import (
    alignment_map,
    alignment_step,
    encoder_decoder,
    right_by_training,
    right_words,
    weight_patterns,
)
from transformer_lib.plotting.attention import (
    attention_flow,
    attention_over_steps,
    lookup_and_attention,
    shaded_text,
    split_and_join,
)
from transformer_lib.plotting.block import language_model, translator, two_blocks, whole_transformer
from transformer_lib.plotting.charts import (
    curve_with_spread,
    curves,
    curves_and_levels,
    heat_map,
    mask_grid,
    stacked_curves,
)
from transformer_lib.plotting.codes import (
    Size,
    curve_panels,
    dilated_stacks,
    image_rows,
    models_to_scale,
    seen_pixels,
    vqvae_flow,
    wavenet_layer,
)
from transformer_lib.plotting.decoding import (
    cache_grid,
    prefix_tree,
    quality_and_variety,
    scores_by_beams,
    word_bars,
    words_and_filters,
)
from transformer_lib.plotting.diagram import Box, Diagram
from transformer_lib.plotting.dropout import (
    dropout_sites,
    hidden_inputs,
    stopped_and_last,
    training_and_validation,
)
from transformer_lib.plotting.masks import answers_in_sight, paths_of_two_blocks
from transformer_lib.plotting.pixels import (
    agreement_bars,
    completions,
    nade_flow,
    pixel_images,
    pixel_questions,
)
from transformer_lib.plotting.recurrent import (
    gradient_by_distance,
    lstm_cell,
    recall_by_distance,
    time_per_token,
    unrolled_network,
)
from transformer_lib.plotting.scale import (
    data_parallel_step,
    draw_roofline,
    losses_by_width,
    memory_bars,
    tensor_and_pipeline,
)
from transformer_lib.plotting.sequences import (
    chain_rule_tree,
    excess_bars,
    loss_by_memory,
    padding_windows,
    surprisal_strip,
)
from transformer_lib.plotting.style import COLORS, WIDTH, save_png, use_house_style
from transformer_lib.plotting.trees import constituency_trees

__all__ = [
    "COLORS",
    "WIDTH",
    "Box",
    "Diagram",
    "Size",
    "agreement_bars",
    "alignment_map",
    "alignment_step",
    "answers_in_sight",
    "attention_flow",
    "attention_over_steps",
    "cache_grid",
    "chain_rule_tree",
    "completions",
    "constituency_trees",
    "curve_panels",
    "curve_with_spread",
    "curves",
    "curves_and_levels",
    "data_parallel_step",
    "dilated_stacks",
    "draw_roofline",
    "dropout_sites",
    "encoder_decoder",
    "excess_bars",
    "gradient_by_distance",
    "heat_map",
    "hidden_inputs",
    "image_rows",
    "language_model",
    "lookup_and_attention",
    "loss_by_memory",
    "losses_by_width",
    "lstm_cell",
    "mask_grid",
    "memory_bars",
    "models_to_scale",
    "nade_flow",
    "padding_windows",
    "paths_of_two_blocks",
    "pixel_images",
    "pixel_questions",
    "prefix_tree",
    "quality_and_variety",
    "recall_by_distance",
    "right_by_training",
    "right_words",
    "save_png",
    "scores_by_beams",
    "seen_pixels",
    "shaded_text",
    "split_and_join",
    "stacked_curves",
    "stopped_and_last",
    "surprisal_strip",
    "tensor_and_pipeline",
    "time_per_token",
    "training_and_validation",
    "translator",
    "two_blocks",
    "unrolled_network",
    "use_house_style",
    "vqvae_flow",
    "wavenet_layer",
    "weight_patterns",
    "whole_transformer",
    "word_bars",
    "words_and_filters",
]

"""The house's figures: what they show, that they are the same bytes each time, and what they refuse."""

import subprocess
import sys
from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")

import numpy as np
import pytest
import torch
from matplotlib import font_manager
from matplotlib import pyplot as plt
from matplotlib.text import Text

from transformer_lib.plotting import (
    COLORS,
    Diagram,
    Size,
    agreement_bars,
    alignment_map,
    alignment_step,
    answers_in_sight,
    attention_flow,
    attention_over_steps,
    cache_grid,
    completions,
    curve_panels,
    curve_with_spread,
    curves,
    curves_and_levels,
    data_parallel_step,
    dilated_stacks,
    draw_roofline,
    dropout_sites,
    encoder_decoder,
    excess_bars,
    gradient_by_distance,
    heat_map,
    hidden_inputs,
    image_rows,
    language_model,
    lookup_and_attention,
    loss_by_memory,
    losses_by_width,
    lstm_cell,
    mask_grid,
    memory_bars,
    models_to_scale,
    nade_flow,
    padding_windows,
    paths_of_two_blocks,
    pixel_questions,
    prefix_tree,
    quality_and_variety,
    recall_by_distance,
    right_by_training,
    right_words,
    save_png,
    scores_by_beams,
    seen_pixels,
    shaded_text,
    split_and_join,
    stacked_curves,
    stopped_and_last,
    style,
    surprisal_strip,
    tensor_and_pipeline,
    time_per_token,
    training_and_validation,
    translator,
    two_blocks,
    unrolled_network,
    use_house_style,
    vqvae_flow,
    wavenet_layer,
    weight_patterns,
    whole_transformer,
    word_bars,
    words_and_filters,
)


@pytest.fixture(autouse=True)
def house_style():
    with mpl.rc_context():
        use_house_style()
        yield
        plt.close("all")


def draw_everything():
    figure, (left, right) = plt.subplots(1, 2)
    heat_map(left, [[0.0, -1.0], [0.5, 1.0]], ["a", "b"], ["c", "d"])
    mask_grid(right, torch.ones(3, 3, dtype=torch.bool).tril())
    return figure


def test_the_same_drawing_gives_the_same_bytes_and_no_metadata(tmp_path):
    for name in ("first.png", "second.png"):
        save_png(draw_everything(), tmp_path / name)
    first = (tmp_path / "first.png").read_bytes()
    assert first == (tmp_path / "second.png").read_bytes()
    assert b"matplotlib" not in first and b"tEXt" not in first


def test_figures_are_set_in_the_typeface_of_the_book():
    for weight, name in [("normal", "Regular"), ("semibold", "SemiBold")]:
        found = Path(font_manager.findfont(font_manager.FontProperties(weight=weight)))
        assert found == Path(style.__file__).parent / "fonts" / f"CourseSerif-{name}.ttf"
    italic = font_manager.findfont(font_manager.FontProperties(style="italic"))
    assert Path(italic).name == "CourseSerif-Italic.ttf"


def test_the_fonts_are_registered_once_however_often_the_style_is_set():
    use_house_style()
    names = [font.name for font in font_manager.fontManager.ttflist]
    assert names.count("Course Serif") == 3


def test_no_text_is_smaller_than_12_points_by_default():
    sizes = {
        key: value for key, value in mpl.rcParams.items() if key.endswith(("labelsize", "legend.fontsize"))
    }
    assert {key: size for key, size in sizes.items() if isinstance(size, float) and size < 12} == {}
    figure = draw_everything()
    Diagram(2).arrow((0, 0), (1, 1), "an arrow")
    drawn = [text for number in plt.get_fignums() for text in plt.figure(number).findobj(Text)]
    assert drawn and figure.number in plt.get_fignums()
    assert min(text.get_fontsize() for text in drawn if text.get_text()) >= 12


def test_a_heat_map_prints_every_number_where_it_belongs():
    _, ax = plt.subplots()
    heat_map(ax, torch.tensor([[0.25, 0.75], [1.0, -0.5]], requires_grad=True), ["q1", "q2"], ["k1", "k2"])
    shown = {text.get_position(): text.get_text() for text in ax.texts}
    assert shown == {(0, 0): "0.25", (1, 0): "0.75", (0, 1): "1.00", (1, 1): "\N{MINUS SIGN}0.50"}
    assert [label.get_text() for label in ax.get_yticklabels()] == ["q1", "q2"]
    assert [label.get_text() for label in ax.get_xticklabels()] == ["k1", "k2"]


def test_numbers_stand_out_from_their_cells():
    _, ax = plt.subplots()
    heat_map(ax, [[0.0, 1.0]])
    assert [text.get_color() for text in ax.texts] == [COLORS["black"], "white"]


def test_a_scale_starts_at_zero_where_no_number_is_negative():
    _, ax = plt.subplots()
    assert heat_map(ax, [[-1.0, 3.0]]).get_clim() == (-1.0, 3.0)
    assert heat_map(ax, [[0.2, 0.8]]).get_clim() == (0.0, 0.8)
    assert heat_map(ax, [[0.2, 0.8]], limits=(0, 1)).get_clim() == (0, 1)


def test_a_mask_crosses_out_exactly_the_closed_cells():
    _, ax = plt.subplots()
    mask = np.array([[True, False, True], [False, True, True]])
    mask_grid(ax, mask)
    crosses = {(int(line.get_ydata()[0]), int(line.get_xdata()[0])) for line in ax.lines}
    assert crosses == {(0, 1), (1, 0)}


def test_a_curve_runs_through_the_mean_within_the_range_of_the_runs():
    _, ax = plt.subplots()
    runs = np.array([[1.0, 4.0], [3.0, 5.0], [8.0, 9.0]])
    line = curve_with_spread(ax, [10, 20], runs, "runs", color="orange")
    np.testing.assert_allclose(line.get_ydata(), [4.0, 6.0])  # not the medians, 3 and 5
    assert line.get_color() == COLORS["orange"]
    band = ax.collections[0].get_paths()[0].vertices
    assert band[band[:, 0] == 20, 1].min() == 4.0 and band[band[:, 0] == 20, 1].max() == 9.0


def test_a_window_over_a_padded_sequence_is_its_history_and_the_token_that_it_predicts(monkeypatch):
    rows, box = {}, Diagram.box

    def noted(self, x, y, text, **options):
        rows.setdefault(y, []).append((text, options["color"]))
        return box(self, x, y, text, **options)

    monkeypatch.setattr(Diagram, "box", noted)
    padding_windows("abc", 2)
    from_the_top = [rows[y] for y in sorted(rows, reverse=True)]
    assert [[text for text, _ in row] for row in from_the_top] == [
        ["start", "start", "a"],
        ["start", "a", "b"],
        ["a", "b", "c"],
    ]
    assert all([color for _, color in row] == ["blue", "blue", "orange"] for row in from_the_top)


def test_each_run_is_a_line_in_each_panel_over_one_axis():
    figure = stacked_curves([0, 10], {"nats": [[3.0, 1.0], [2.0, 1.5]], "right": [[0, 9], [1, 8]]}, "steps")
    upper, lower = figure.axes
    assert [ax.get_ylabel() for ax in figure.axes] == ["nats", "right"] and lower.get_xlabel() == "steps"
    assert [line.get_ydata().tolist() for line in upper.lines] == [[3.0, 1.0], [2.0, 1.5]]
    assert [line.get_ydata().tolist() for line in lower.lines] == [[0.0, 9.0], [1.0, 8.0]]


def test_a_level_is_a_line_at_its_height_beside_the_curves():
    figure = curves_and_levels(
        {"model": ([1, 2], [[3.0, 1.0], [2.0, 1.0]]), "small": ([1], [[2.5]])},
        {"6-gram": 1.5},
        x_title="passes",
        y_title="nats",
        limits=(0.5, 3.0),
    )
    (ax,) = figure.axes
    assert [line.get_ydata()[0] for line in ax.lines] == [2.5, 2.5, 1.5]
    assert [text.get_text() for text in ax.texts] == ["6-gram"] and ax.get_ylim() == (0.5, 3.0)


def test_wrong_shapes_are_refused_in_words():
    _, ax = plt.subplots()
    with pytest.raises(ValueError, match="2 dimensions is needed, not one of shape"):
        heat_map(ax, [1.0, 2.0])
    with pytest.raises(ValueError, match="the matrix has 2 columns, but 3 labels were given"):
        heat_map(ax, [[1.0, 2.0]], columns=["a", "b", "c"])
    with pytest.raises(ValueError, match="one column per point of x, 2, but has 3"):
        curve_with_spread(ax, [1, 2], [[1, 2, 3]])
    with pytest.raises(ValueError, match="shades must have shape"):
        Diagram(2).grid(1, 1, 2, 2, shades=[[1.0]])


def test_an_arrow_stops_at_the_edge_of_the_box():
    diagram = Diagram(2, 4)
    left = diagram.box(1, 1, "left", width=1)
    right = diagram.grid(3, 1, 2, 2, cell=0.4)
    assert left.right == (1.5, 1) and right.left == (2.6, 1)
    diagram.arrow(left, right, "moves")
    diagram.figure.canvas.draw()
    arrow = next(patch for patch in diagram.ax.patches if isinstance(patch, mpl.patches.FancyArrowPatch))
    path = arrow.get_path()
    drawn = path.vertices[path.codes != path.CLOSEPOLY]
    x = diagram.ax.transData.inverted().transform(arrow.get_transform().transform(drawn))[:, 0]
    assert 1.5 <= x.min() < 1.6 and 2.5 < x.max() <= 2.6


@pytest.mark.slow
def test_importing_the_library_does_not_import_matplotlib():
    program = "import sys, transformer_lib; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def texts(diagram):
    return [text.get_text() for text in diagram.ax.texts]


def test_the_flow_of_a_head_shows_every_number_it_is_given():
    ones = torch.arange(6.0).view(3, 2)
    scores = torch.tensor([[0.0, 2, -2], [1, 0, 1], [1, 2, 3]])
    shown = texts(attention_flow(ones, ones, ones, ones, scores, scores.softmax(-1), ones / 4))
    assert shown.count("5") == 4 and "\N{MINUS SIGN}2" in shown
    assert f"{scores.softmax(-1)[2, 2]:.2f}" in shown and "1.25" in shown


def test_the_lookup_shows_its_weights_and_their_average():
    shown = texts(lookup_and_attention([2, 1], [[1, 0], [0, 1], [-1, 0]], [10, 20, 30], [0.7, 0.2, 0.1]))
    assert {"0.70", "0.20", "0.10", "14.0", "(\N{MINUS SIGN}1, 0)"} <= set(shown)


def test_a_heavier_word_has_a_darker_ground():
    _, ax = plt.subplots()
    shaded_text(ax, ["once", "upon", "a"], [0.0, 0.1, 0.6], title="hero?")
    grounds = [sum(patch.get_facecolor()[:3]) for patch in ax.patches]
    assert grounds[0] > grounds[1] > grounds[2]
    _, light = plt.subplots()
    shaded_text(light, ["once", "upon"], [0.0, 0.1])
    assert light.patches[1].get_facecolor() == ax.patches[1].get_facecolor(), "a weight has one shade"
    _, dark = plt.subplots()
    shaded_text(dark, ["once", "upon"], [0.5, 1.0])
    assert dark.patches[0].get_facecolor() == dark.patches[1].get_facecolor(), "darkest from 0.5 on"
    assert [text.get_text() for text in ax.texts] == ["once", "upon", "a"] and ax.get_title("left") == "hero?"


def test_a_text_without_a_weight_for_each_word_is_refused():
    with pytest.raises(ValueError, match="2 words need as many weights, not 1"):
        shaded_text(plt.subplots()[1], ["once", "upon"], [0.5])


def test_attention_over_steps_names_words_at_their_rows():
    _, ax = plt.subplots()
    attention_over_steps(ax, [0, 20, 40], [[0.1, 0.9], [0.5, 0.5], [0.8, 0.2]], {1: "ada"})
    (image,) = ax.images
    assert image.get_array().tolist() == [[0.1, 0.5, 0.8], [0.9, 0.5, 0.2]]
    assert list(image.get_extent()) == [-10, 50, 1.5, -0.5], "the first row lies around 0, above the second"
    assert ax.get_yticks().tolist() == [1] and ax.get_yticklabels()[0].get_text() == "ada"
    with pytest.raises(ValueError, match="3 steps need as many rows of weights, not 1"):
        attention_over_steps(ax, [0, 20, 40], [[0.1, 0.9]], {})


def test_the_split_into_heads_says_the_shape_of_every_matrix():
    shown = texts(split_and_join(torch.full((2, 5, 5), 0.2), d_head=3))
    assert {"$X$:  5 × 6", "5 × 3", "side by side:  5 × 6", "$W^O$:  6 × 6", "output:  5 × 6"} <= set(shown)
    assert [text for text in shown if text.endswith("5 × 5")] == [
        rf"$\alpha^{{({h})}}$:  5 × 5" for h in (1, 2)
    ]


def test_the_cells_of_the_heads_weights_are_as_dark_as_the_weights():
    weights = torch.zeros(2, 4, 4)
    weights[1, 3, 0] = 1.0
    diagram = split_and_join(weights)
    purple = mpl.colors.to_rgba(COLORS["purple"])
    cells = [patch for patch in diagram.ax.patches if patch.get_edgecolor() == purple and patch.get_fill()]
    darkest = min(range(len(cells)), key=lambda n: sum(cells[n].get_facecolor()[:3]))
    assert len(cells) == 32 and darkest == 16 + 12


def test_the_drawing_of_a_whole_transformer_shows_every_number_it_is_given():
    points = ("word", "place", "sum", "u 1", "z 1", "u 2", "z 2", "normed")
    numbers = {
        "tokens": [0, 3, 5, 7, 9],
        "points": {name: [n + 0.25, -1.5, 0.0] for n, name in enumerate(points)},
        "logits": [3.0, 2.0, 1.0],
        "likely": [["ben", 0.5], ["ada", 0.25], ["ivy", 0.125]],
        "target": "ada",
        "nats": 1.39,
    }
    drawn = whole_transformer(["a", "b", "c", "d", "e"], numbers, d_model=6, vocab_size=11)
    shown = " ".join(texts(drawn))
    for n in range(len(points)):
        assert f"({n}.25, \N{MINUS SIGN}1.50, 0.00, …)" in shown
    assert "ln 0.25 = 1.39 nats" in shown and "11 logits" in shown and "5 × 6" in shown


@pytest.mark.slow
def test_post_norm_has_its_norms_on_the_line_and_pre_norm_on_the_branches():
    drawn = two_blocks()
    norms = [text.get_position()[0] for text in drawn.ax.texts if text.get_text() == "LayerNorm"]
    lines = [text.get_position()[0] for text in drawn.ax.texts if text.get_text() == "+"]
    assert [x in lines for x in norms] == [True, True, False, False]


def test_a_block_drops_out_at_five_places_and_never_on_its_line():
    drawn = dropout_sites()
    assert texts(drawn).count("drop") == 5
    drops = [text.get_position()[0] for text in drawn.ax.texts if text.get_text() == "drop"]
    line = [text.get_position()[0] for text in drawn.ax.texts if text.get_text() == "+"]
    assert [x in line for x in drops] == [True, False, False, False, False]
    assert all(any(id_ in text for text in texts(drawn)) for id_ in ("S15", "S16", "S17", "S18"))


def test_what_is_hidden_of_an_input_is_white_and_the_rest_is_not():
    vectors = np.array([[1.0, 0.0], [0.0, 0.0], [2.0, 1.0]])
    drawn = hidden_inputs(["a", "b", "c"], [("some", vectors)])
    cells = [patch.get_facecolor()[:3] for patch in drawn.ax.patches if patch.get_linewidth() == 0.8]
    assert [cell == (1.0, 1.0, 1.0) for cell in cells] == [False, True, True, True, False, False]
    assert texts(drawn) == ["some", "a", "b", "c"]


def test_overfitting_is_marked_where_the_validation_loss_is_least():
    runs = {"some": [[50, 3.0, 3.1], [100, 2.0, 2.5], [150, 1.0, 2.8]]}
    (ax,) = training_and_validation(runs).axes
    (mark,) = [line for line in ax.lines if line.get_marker() == "o"]
    assert (mark.get_xdata()[0], mark.get_ydata()[0]) == (100, 2.5)


def test_each_curve_has_its_points_a_color_and_a_name():
    figure = curves({"some": [(1, 2), (2, 1)], "other": [(1, 5)]}, "steps", "loss")
    (ax,) = figure.axes
    assert [list(line.get_ydata()) for line in ax.lines] == [[2, 1], [5]], "draw the points of every curve"
    assert len({line.get_color() for line in ax.lines}) == 2, "give each curve a color of its own"
    assert [text.get_text() for text in figure.legends[0].texts] == ["some", "other"], "name every curve"
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("steps", "loss"), "label both axes"


POINTS = np.array([[1.0, 2.0], [3.0, 2.5]])


def named(n, values):
    return {f"{number}": values for number in range(n)}


CHARTS = {
    curves: (6, lambda n: curves(named(n, [(1, 2), (2, 1)]), "x", "y")),
    stacked_curves: (6, lambda n: stacked_curves([0, 1], {"nats": np.ones((n, 2))}, "x")),
    curves_and_levels: (
        6,
        lambda n: curves_and_levels(named(n, ([1, 2], POINTS)), {}, x_title="x", y_title="y", limits=(0, 3)),
    ),
    draw_roofline: (4, lambda n: draw_roofline(named(n, (1e11, 1e10)), [])),
    memory_bars: (6, lambda n: memory_bars({"plain": named(n, 1e9)}, sizes=(8,))),
    losses_by_width: (
        4,
        lambda n: losses_by_width({1e10 + k: {8: [1.0], 16: [2.0]} for k in range(n)}, 0.9),
    ),
    quality_and_variety: (
        3,
        lambda n: quality_and_variety({"a": named(n, (POINTS, POINTS)), "b": {}}, 0.9),
    ),
    scores_by_beams: (4, lambda n: scores_by_beams([1, 50], named(n, POINTS))),
    gradient_by_distance: (6, lambda n: gradient_by_distance(named(n, [1.0, 0.1]))),
    recall_by_distance: (4, lambda n: recall_by_distance(["near", "far"], named(n, POINTS), {"none": 0.1})),
    time_per_token: (4, lambda n: time_per_token([1, 2], {"training": named(n, POINTS)})),
    curve_panels: (3, lambda n: curve_panels({"nats": named(n, POINTS)}, [1, 2], "x")),
    models_to_scale: (3, lambda n: models_to_scale(named(n, Size(1, 8, "small")), ["a", "b", "c"])),
    right_words: (4, lambda n: right_words(named(n, [0.1, 0.2]), ["a", "b"])),
    right_by_training: (
        3,
        lambda n: right_by_training({"a": named(n, [[0.1, 0.2], [0.3, 0.4]])}, [1000, 2000]),
    ),
    training_and_validation: (2, lambda n: training_and_validation(named(n, [[1, 2, 3], [2, 1, 2]]))),
}


@pytest.mark.parametrize("chart", CHARTS, ids=lambda chart: chart.__name__)
def test_a_chart_tells_apart_all_that_it_is_given_or_refuses_it(chart):
    most, draw = CHARTS[chart]
    whole, fewer = draw(most), draw(most - 1)
    artists = [
        len((getattr(figure, "ax", None) or figure.axes[0]).get_children()) for figure in (whole, fewer)
    ]
    assert artists[0] > artists[1], "the last one is drawn, too"
    with pytest.raises(ValueError, match=f"^at most {most} can be told apart in this chart; got {most + 1}$"):
        draw(most + 1)


def test_each_of_six_curves_has_a_color_of_its_own():
    (ax,) = curves(named(6, [(1, 2), (2, 1)]), "x", "y").axes
    assert len({line.get_color() for line in ax.lines}) == 6


def test_bills_of_other_parts_are_refused_and_so_are_heads_and_keys_that_have_no_place():
    with pytest.raises(ValueError, match="every bill needs the parts of the first, weights"):
        memory_bars({"plain": {"weights": 4e9}, "more": {"weights": 4e9, "logits": 6e9}}, sizes=(8,))
    with pytest.raises(ValueError, match="two heads are drawn; got the weights of 3"):
        split_and_join(np.ones((3, 2, 2)))
    with pytest.raises(ValueError, match="three keys are drawn, with a value and a weight each"):
        lookup_and_attention([2, 1], [[1, 0]] * 4, [10] * 4, [0.25] * 4)


def test_a_remedy_has_a_point_for_each_seed_stopped_and_at_the_end():
    (ax,) = stopped_and_last({"none": ([1.9, 2.0], [2.4, 2.5]), "some": ([1.8, 1.9], [2.0, 2.1])}).axes
    points = [list(line.get_xdata()) for line in ax.lines if line.get_marker() in ("o", "s")]
    assert points == [[2.4, 2.5], [1.9, 2.0], [2.0, 2.1], [1.8, 1.9]]
    assert [text.get_text() for text in ax.get_yticklabels()] == ["none", "some"]


def test_a_language_model_predicts_at_each_place_what_the_next_one_reads():
    shown = texts(language_model(["emil", "was", "a", "lazy", "boy"]))
    assert [word for word in ("emil", "was", "a", "lazy", "boy") if word in shown] == [
        "emil",
        "was",
        "a",
        "lazy",
    ]
    predicted = [text for text in shown if text.startswith("$p_")]
    assert predicted == ["$p_1$(was)", "$p_2$(a)", "$p_3$(lazy)", "$p_4$(boy)"]


def test_the_drawing_of_a_translator_names_every_equation_once_and_shifts_the_target():
    drawn = translator(["vier", "und", "sechzig"], ["sixty", "-", "four"])
    shown = " ".join(texts(drawn)).replace("\n", " ").replace(",", " ").split()
    assert sorted(word for word in shown if word[0] == "K") == sorted(f"K{n}" for n in range(1, 12))
    read, written = (
        [t.get_text() for t in drawn.ax.texts if abs(t.get_position()[1] - y) < 0.1] for y in (0.5, 7.1)
    )
    assert read == ["vier", "und", "sechzig", "BOS", "sixty", "-", "four"]
    assert written == ["sixty", "-", "four", "EOS"]


def test_the_answer_is_the_input_one_place_after_the_prediction():
    drawing = answers_in_sight(["Ada", "was", "a", "merry"], 1)
    shown = texts(drawing)
    assert shown.count("was") == 2 and "start" in shown and shown.count("merry") == 1
    boxes = [patch.get_edgecolor() for patch in drawing.ax.patches if hasattr(patch, "get_boxstyle")]
    assert boxes.count(mpl.colors.to_rgba(COLORS["orange"])) == 1
    assert boxes.count(mpl.colors.to_rgba(COLORS["blue"])) == 2


def test_a_detour_through_an_earlier_row_is_marked_only_without_a_mask():
    drawing = paths_of_two_blocks(4)
    orange = [p for p in drawing.ax.patches if p.get_edgecolor() == mpl.colors.to_rgba(COLORS["orange"])]
    boxes = [patch for patch in orange if hasattr(patch, "get_boxstyle")]
    assert len(boxes) == 3 and all(box.get_x() > 2.8 for box in boxes)
    # causal: 10 + 10; without a mask 16 to u and all that can reach the last z, two of them as arrows
    assert len(drawing.ax.lines) == 20 + 16 + 10 - 2


def test_as_many_tokens_are_marked_as_the_receptive_field_holds():
    figure = dilated_stacks({"plain": [1, 1, 1], "dilated": [1, 2, 4]}, n=10)
    for ax, field in zip(figure.axes, (4, 8)):
        blue = mpl.colors.to_rgba(COLORS["blue"])
        marked = [dot.get_offsets()[0] for dot in ax.collections if tuple(dot.get_facecolors()[0]) == blue]
        assert sorted(x for x, level in marked if level == 0) == list(range(10 - field, 10))
    # the last output reads the outputs 4 apart, these what is 2 apart
    assert [sorted(x for x, at in marked if at == level) for level in (3, 2, 1)] == [
        [9],
        [5, 9],
        [3, 5, 7, 9],
    ]


def test_a_model_is_shown_the_pixels_before_the_one_that_it_is_asked_about():
    image, chances = np.resize([1, 0, 0], 16), np.linspace(0, 1, 16)
    first, later = pixel_questions(image, chances, [0, 6]).axes
    assert np.isnan(np.ma.filled(first.images[0].get_array(), np.nan)).all()
    seen = np.ma.filled(later.images[0].get_array().astype(float), np.nan).flatten()
    assert seen[:6].tolist() == [0, 1, 1, 0, 1, 1] and np.isnan(seen[6:]).all(), "ink is black"
    assert later.get_xlabel() == "p(ink) = 0.40\nink"


def test_the_codes_of_an_image_are_drawn_and_begin_the_prior_s_sequence():
    codes = np.arange(16).reshape(4, 4) + 5
    shown = texts(vqvae_flow(np.eye(8), codes, np.eye(8), n_codes=32))
    assert all(str(code) in shown for code in range(5, 21))
    assert "prior:  5 6 7 8 9 10 …" in shown and "$e_{31}$" in shown


def test_pixels_that_are_not_yet_drawn_are_never_marked_as_seen():
    figure = seen_pixels({"all": np.ones(64, dtype=bool), "none": np.zeros(64, dtype=bool)}, 20)
    everything, nothing = (ax.images[0].get_array().flatten() for ax in figure.axes)
    assert everything.tolist() == [1] * 20 + [2] * 44 and nothing.tolist() == [0] * 20 + [2] * 44


def test_images_stand_in_rows_and_a_line_marks_what_was_given():
    figure = image_rows({"real": np.ones((3, 64)), "drawn": np.zeros((2, 64))}, given={"drawn": 4})
    real, drawn = figure.axes
    ink = np.asarray(real.images[0].get_array())
    assert (ink[:, :8] == 0).all() and np.ma.getmaskarray(real.images[0].get_array())[:, 8].all()
    assert not real.lines and [line.get_ydata()[0] for line in drawn.lines] == [3.5, 3.5]


def test_curves_of_panels_share_their_axis_and_levels_stand_in_theirs():
    panels = {"loss": {"a": np.ones((2, 3)), "b": np.zeros((2, 3))}, "right": {"a": np.ones((2, 3))}}
    left, right = curve_panels(panels, [8, 16, 64], "memory", levels={"right": {"guessing": 0.1}}).axes
    assert len(left.lines) == 2 and len(right.lines) == 2
    assert [tick.get_text() for tick in left.get_xticklabels()] == ["8", "16", "64"]
    assert "guessing" in [text.get_text() for text in right.texts]


def test_a_layer_of_wavenet_has_two_ways_out():
    shown = " ".join(texts(wavenet_layer()))
    assert "residual" in shown and "skip" in shown


def test_models_are_drawn_to_one_scale():
    sizes = {"small": Size(10, 100, ""), "large": Size(20, 400, "")}
    drawn = models_to_scale(sizes, ["thank", "you", ","])
    small, large = [patch for patch in drawn.ax.patches if type(patch) is mpl.patches.Rectangle][1:]
    assert large.get_width() == pytest.approx(4 * small.get_width())
    assert large.get_height() == pytest.approx(2 * small.get_height())
    assert "," in texts(drawn)


def test_the_unrolled_network_reads_one_place_behind_what_it_predicts():
    drawn = unrolled_network(["Ada", "was"])
    place = {}
    for text in drawn.ax.texts:
        place.setdefault(text.get_text(), []).append(text.get_position())
    (x, below), (other, above) = place["start"][0], max(place["Ada"], key=lambda point: point[1])
    assert x == other and below < place["$h_1$"][0][1] < above
    assert "$h_2$" in place and len(place["$W_h$"]) == len(place["$W_x$"]) == 2


def test_the_lstm_shows_its_numbers_and_has_a_valve_for_each_gate():
    numbers = {"c_previous": 1.0, "c_tilde": 0.5, "i": 0.9, "f": 0.8, "o": 0.4, "c": 1.25, "h": 0.31}
    drawn = lstm_cell(numbers)
    shown = " ".join(texts(drawn))
    assert all(f"{value:.2f}" in shown for value in numbers.values())
    triangles = [patch for patch in drawn.ax.patches if isinstance(patch, mpl.patches.Polygon)]
    assert len(triangles) == 6


def test_what_is_left_of_a_gradient_is_drawn_as_a_power_of_ten_and_lstms_are_dashed():
    (ax,) = gradient_by_distance({"RNN": [1.0, 0.1, 0.01], "LSTM": [1.0, 1.0, 1.0]}).axes
    lstm, rnn = ax.lines
    assert list(rnn.get_ydata()) == pytest.approx([0, -1, -2]) and list(lstm.get_ydata()) == [0, 0, 0]
    assert (rnn.get_linestyle(), lstm.get_linestyle()) == ("-", "--")
    assert [text.get_text() for text in ax.texts] == ["LSTM", "RNN"]


def test_recall_has_a_curve_for_each_run_and_their_mean_and_a_line_for_each_guess():
    shares = [[0.2, 0.0], [0.3, 0.1], [0.7, 0.2]]
    (ax,) = recall_by_distance(["15", "30"], {"RNN": shares}, {"one of twelve": 0.1}).axes
    mean, *runs, guess = ax.lines
    assert list(mean.get_ydata()) == pytest.approx([0.4, 0.1])
    assert [list(run.get_ydata()) for run in runs] == shares
    assert guess.get_ydata()[0] == 0.1 and ax.texts[0].get_text() == "one of twelve"


def test_times_have_a_chart_for_each_task_and_a_line_for_each_model():
    times = {"RNN": [[1.0, 2.0], [3.0, 4.0]], "LSTM": [[1.0, 1.0], [1.0, 1.0]]}
    charts = time_per_token([16, 64], {"training": times, "sampling": times}).axes
    assert [ax.get_title(loc="left") for ax in charts] == ["training", "sampling"]
    assert list(charts[1].lines[0].get_ydata()) == [2.0, 3.0]


def test_an_encoder_decoder_reads_the_start_first_and_shows_weights_only_if_it_attends():
    plain = [text.get_text() for text in encoder_decoder(["ein", "s"], ["one"]).ax.texts]
    assert "SOS" in plain and plain.count("one") == 1 and any("$q_0 = h_T$" in text for text in plain)
    attends = encoder_decoder(["ein", "s"], ["one"], weights=[0.25, 0.75])
    shown = [text.get_text() for text in attends.ax.texts]
    assert {"0.25", "0.75", "query"} <= set(shown) and not any("$q_0 = h_T$" in text for text in shown)
    assert shown.count("$W_c$") == 1, "one for each word"
    light, heavy = (line.get_linewidth() for line in attends.ax.lines[::2])
    assert light < heavy
    with pytest.raises(ValueError, match="2 states need as many weights, not 1"):
        encoder_decoder(["ein", "s"], ["one"], weights=[1.0])


def test_a_step_of_alignment_prints_scores_exponentials_weights_and_their_sum():
    keys = np.array([[1.0, 0.0], [0.0, 1.0]])
    step = alignment_step(np.log([2.0, 3.0]), keys, [0.4, 0.6], [0.4, 0.6])
    shown = [text.get_text() for text in step.ax.texts]
    assert {"0.69", "1.10", "2.00", "3.00", "0.40", "0.60", "sum 5.00", "$A_j$ = (0.40, 0.60)"} <= set(shown)


def test_patterns_of_weights_share_one_scale_and_leave_no_empty_axes():
    figure = weight_patterns({"a": [[0.5, 0.5]], "b": np.eye(2), "c": np.eye(3), "d": [[1.0]]})
    drawn = [ax for ax in figure.axes if ax.axison]
    assert [ax.get_title(loc="center") for ax in drawn] == ["a", "b", "c", "d"]
    assert {ax.images[0].get_clim() for ax in drawn} == {(0.0, 1.0)}


def test_a_map_of_alignments_names_the_parts_that_were_read_below_their_letters():
    (ax,) = alignment_map([[0.1, 0.2, 0.7], [0.5, 0.5, 0.0]], ["one", "END"], ["ei", "n"]).axes
    assert [label.get_text() for label in ax.get_xticklabels()] == ["ei", "n"]
    assert list(ax.get_xticks()) == [0.5, 2.0]
    assert [line.get_xdata()[0] for line in ax.lines] == [1.5]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("read", "written")
    with pytest.raises(ValueError, match="1 words and 3 letters need weights of that shape"):
        alignment_map([[0.5, 0.5]], ["one"], ["ein"])


def test_right_words_are_drawn_for_each_model_over_places_of_which_the_digits_are_shaded():
    figure = right_words({"a": [1.0, 0.5], "b": [0.0, 0.25]}, ["six", "END"], digits=[0])
    (ax,) = figure.axes
    assert [list(line.get_ydata()) for line in ax.lines] == [[1.0, 0.5], [0.0, 0.25]]
    assert [label.get_text() for label in ax.get_xticklabels()] == ["six", "END"]
    (band,) = ax.patches
    assert (band.get_x(), band.get_width()) == (-0.5, 1.0)


def test_training_is_drawn_as_far_as_each_model_was_trained():
    panels = {"narrow": {"a": [[0.0, 0.5]], "b": [[0.0, 0.0], [1.0, 0.5]]}, "wide": {"a": [[1.0, 1.0]]}}
    narrow, wide = right_by_training(panels, (10, 100)).axes
    assert [list(line.get_ydata()) for line in narrow.lines] == [[0.25], [0.0, 0.75]]
    assert (narrow.get_title("left"), wide.get_title("left")) == ("narrow", "wide")
    assert wide.get_xscale() == "log" and wide.get_ylim() == narrow.get_ylim()


def test_a_cache_computes_one_token_per_step_and_nothing_else_computes_all():
    orange, blue = (style.tint(COLORS[name], s) for name, s in (("orange", 0.75), ("blue", 0.2)))
    figure = cache_grid(4)
    for ax, computed, read in zip(figure.axes, (10, 4), (0, 6)):
        faces = [patch.get_facecolor()[:3] for patch in ax.patches]
        assert sum(face == pytest.approx(orange) for face in faces) == computed
        assert sum(face == pytest.approx(blue) for face in faces) == read
    (legend,) = figure.legends
    named = {text.get_text(): patch for text, patch in zip(legend.get_texts(), legend.get_patches())}
    assert named["computed in this step"].get_facecolor()[:3] == pytest.approx(orange)
    assert named["read from the cache"].get_facecolor()[:3] == pytest.approx(blue)


def test_a_tree_shows_each_prefix_with_its_probability_and_marks_what_is_kept():
    scores = {"a": 0.6, "aa": 0.36, "a.": 0.24, ".": 0.4}
    drawing = prefix_tree(scores, greedy=["a", "aa"], beam=["a", "."])
    assert {"a   0.6", "a a   0.36", "a .   0.24", ".   0.4", "start"} <= set(texts(drawing))
    edges = [mpl.colors.to_hex(p.get_edgecolor()).upper() for p in drawing.ax.patches]
    for color in ("purple", "orange", "green"):
        assert edges.count(COLORS[color]) == 1, color
    centers = {
        text.get_text(): drawing.ax.transData.transform(text.get_position()) for text in drawing.ax.texts
    }
    for shown, color in (("a   0.6", "purple"), ("a a   0.36", "orange"), (".   0.4", "green")):
        (box,) = (p for p in drawing.ax.patches if p.get_window_extent().contains(*centers[shown]))
        assert mpl.colors.to_hex(box.get_edgecolor()).upper() == COLORS[color], shown


def test_words_are_drawn_from_the_most_probable_down_with_two_bars_each():
    _, ax = plt.subplots()
    word_bars(ax, ["the", "a"], [0.7, 0.3], [1.0, 0.0])
    assert [patch.get_width() for patch in ax.patches] == [1.0, 0.0, 0.7, 0.3]
    assert ax.yaxis_inverted() and [t.get_text() for t in ax.get_yticklabels()] == ["the", "a"]
    assert not ax.lines
    word_bars(ax, ["the", "a"], [0.7, 0.3], [1.0, 0.0], [0.6, 0.4])
    (strokes,) = ax.lines
    assert list(strokes.get_xdata()) == [0.6, 0.4] and list(strokes.get_ydata()) == [0, 1]


def test_a_roof_rises_with_the_bandwidth_and_ends_at_the_rate_and_every_speed_has_its_name():
    points = [("slow", "train", 100.0, 5e10), ("fast", "sample", 1.0, 9e11), ("none", "nowhere", 1.0, 1e10)]
    (ax,) = draw_roofline({"slow": (1e11, 1e10), "fast": (1e14, 1e12)}, points).axes
    for rate, bandwidth in ((1e11, 1e10), (1e14, 1e12)):
        roofs = [line for line in ax.lines if len(line.get_xdata()) > 2 and max(line.get_ydata()) == rate]
        assert len(roofs) == 1, f"draw one roof at {rate:g}"
        x, y = roofs[0].get_data()
        assert y[0] == pytest.approx(bandwidth * x[0]), "a roof begins on the slope of the bandwidth"
        assert y[-1] == rate, "a roof ends at the rate"
    names = {text.get_text(): text.get_position() for text in ax.texts}
    assert list(names) == ["slow", "train", "fast", "sample"]
    assert (names["slow"][0], names["fast"][0]) == (10, 100), "a roof bends at its rate over its bandwidth"
    bends = [list(line.get_xdata()) for line in ax.lines if line.get_linestyle() == ":"]
    assert [10, 10] in bends and [100, 100] in bends


def test_the_bars_of_a_bill_end_at_its_sum_and_every_size_is_marked():
    bills = {"plain": {"weights": 4e9, "logits": 6e9}, "sharded": {"weights": 1e9, "logits": 6e9}}
    (ax,) = memory_bars(bills, sizes=(8, 24)).axes
    ends = [max(c[n].get_x() + c[n].get_width() for c in ax.containers) for n in range(2)]
    assert ends == pytest.approx([10, 7]), "a bar ends at the gigabytes of all parts"
    assert [text.get_text() for text in ax.texts] == ["10", "7"]
    assert {line.get_xdata()[0] for line in ax.lines} == {8, 24}, "mark each size by a line"


def test_losses_by_width_are_a_curve_of_means_for_each_budget_with_all_seeds():
    (ax,) = losses_by_width({1e10: {8: [1.0, 1.1, 2.4], 16: [1.2, 1.4]}, 2e10: {8: [1.1]}}, floor=0.9).axes
    means = [list(line.get_ydata()) for line in ax.lines if line.get_label() in {"1", "2"}]
    assert means == [pytest.approx([1.5, 1.3]), pytest.approx([1.1])]
    seeds = [y for line in ax.lines if line.get_markersize() == 3 for y in line.get_ydata()]
    assert sorted(seeds) == [1.0, 1.1, 1.1, 1.2, 1.4, 2.4], "draw every seed"
    assert ax.lines[-1].get_ydata()[0] == 0.9, "the floor is a line"


def test_two_gpus_hold_the_two_halves_of_each_matrix_and_each_piece_passes_both_ways():
    drawing = tensor_and_pipeline()
    shown = texts(drawing)
    assert {"sum", "activations", "gradients", "blocks 1 to 12", "blocks 13 to 24"} <= set(shown)
    assert [shown.count(piece) for piece in "1234"] == [4] * 4, "each GPU works forward and backward on it"


def test_filters_stand_side_by_side_with_the_most_probable_word_on_top():
    ways = {"k = 1": [1.0, 0.0], "T = 0.5": [0.9, 0.1]}
    figure = words_and_filters(["the", "a"], [0.7, 0.3], ways, [0.6, 0.4])
    assert [ax.get_title(loc="left") for ax in figure.axes] == list(ways)
    assert all(ax.yaxis_inverted() for ax in figure.axes)
    assert [patch.get_width() for patch in figure.axes[1].patches] == [0.9, 0.1, 0.7, 0.3]


def test_samplers_have_a_chart_for_each_model_and_a_curve_for_each_family():
    x = np.array([[1.0, 2.0], [1.0, 4.0], [1.0, 3.0]])
    y = np.array([[10.0, 20.0], [30.0, 20.0], [35.0, 26.0]])
    panels, names = {"200": {"top-k": (x, y)}, "800": {"top-k": (x, y)}}, {"top-k": {1: "k = 3"}}
    first, second = quality_and_variety(panels, 0.9, names).axes
    assert [(text.get_text(), text.xy) for text in first.texts] == [("k = 3", (3.0, 22.0))]
    assert [ax.get_title(loc="left") for ax in (first, second)] == ["200", "800"]
    curve, *_, source = first.lines
    assert list(curve.get_xdata()) == [1.0, 3.0] and list(curve.get_ydata()) == [25.0, 22.0]
    bars = [segment.tolist() for segment in first.collections[0].get_segments()]
    assert bars == [[[1.0, 10.0], [1.0, 35.0]], [[3.0, 20.0], [3.0, 26.0]]], "from the least seed to the most"
    assert list(source.get_xdata()) == [0.9, 0.9]


def test_searches_are_drawn_by_beams_as_scores():
    (ax,) = scores_by_beams([1, 50], {"stopped": np.array([[40.0, 1.0]])}).axes
    assert list(ax.lines[0].get_ydata()) == [40.0, 1.0]
    assert [tick.get_text() for tick in ax.get_xticklabels()] == ["1", "50"]


def test_a_sharded_worker_holds_half_of_the_cells_and_the_halves_differ():
    drawing = data_parallel_step()
    assert {"replicated (DDP)", "sharded (FSDP)", "mean", "gather", "mean, scatter"} <= set(texts(drawing))
    cells = [patch for patch in drawing.ax.patches if isinstance(patch, mpl.patches.Rectangle)]
    filled = [cell for cell in cells if cell.get_fill() and cell.get_facecolor()[:3] != (1, 1, 1)]
    assert len(filled) == 2 * 3 * 16 + 2 * 3 * 8


def test_a_strip_of_surprisals_has_a_cell_for_each_word_and_model_darker_where_it_cost_more():
    figure = surprisal_strip(["a", "cat"], {"model": [1.0, 2.5], "other": [0.0, 0.0]})
    ax = figure.axes[0]
    assert [text.get_text() for text in ax.texts] == ["a", "cat"]
    light, _, dark, _ = (sum(patch.get_facecolor()[:3]) for patch in ax.patches)
    assert len(ax.patches) == 4 and dark < light
    with pytest.raises(ValueError, match="model has 1 surprisals for 2 words"):
        surprisal_strip(["a", "cat"], {"model": [1.0]})


def test_completions_stand_between_what_was_given_and_what_is_real():
    real = np.eye(4)
    given = real.copy()
    given[:, 2:] = np.nan
    figure = completions(given, np.stack([real, real, real]), real)
    assert len(figure.axes) == 4 * 5
    assert [text.get_text() for ax in figure.axes for text in ax.texts] == [
        "given",
        "drawn by the model",
        "real",
    ]
    first, second = (ax.images[0].get_array() for ax in figure.axes[:2])
    assert np.ma.count_masked(first) == 2 and np.ma.count_masked(second) == 0
    figure.draw_without_rendering()
    lefts = [ax.get_position().x0 for ax in figure.axes[:5]]
    assert np.allclose(np.diff(lefts), lefts[1] - lefts[0], atol=0.002)


def test_a_bar_of_agreement_is_as_wide_as_its_group_and_as_high_as_it_is_right():
    ax = agreement_bars({"all": ([1, 3], [1.0, 0.8]), "few": ([7, 5], [0.5, 0.3])}, 8, "title").axes[0]
    assert [patch.get_width() for patch in ax.patches] == pytest.approx([0.25, 0.75])
    assert [patch.get_height() for patch in ax.patches] == pytest.approx([0.9, 0.4])
    assert [patch.get_x() for patch in ax.patches] == pytest.approx([0.0, 0.25])
    assert [text.get_text() for text in ax.texts] == ["all\n25%", "few\n75%"]


def test_the_flow_of_a_nade_shows_three_tokens_and_both_running_sums():
    shown = [text.get_text() for text in nade_flow().axes[0].texts]
    assert [word for word in shown if word.startswith("$x_")] == ["$x_1$", "$x_2$", "$x_3$"]
    assert "read so far" in shown and "written so far" in shown


def test_excess_bars_are_sorted_and_the_kind_compared_with_is_grey():
    figure = excess_bars({"hero": 2.0, "none": 0.5, "home": 3.0}, "none")
    bars = figure.axes[0].patches
    assert [bar.get_width() for bar in bars] == [0.5, 2.0, 3.0]
    colors = [mpl.colors.to_hex(bar.get_facecolor()).upper() for bar in bars]
    assert colors == [COLORS[name].upper() for name in ("grey", "blue", "blue")]


def test_losses_by_memory_start_at_the_source_and_have_a_tick_for_each_memory():
    axes = loss_by_memory({"counts": ([2, 3, 8], [[3.0, 2.0, 1.5]], "orange")}).axes[0]
    (curve,) = axes.lines
    np.testing.assert_allclose(curve.get_xdata(), [2, 3, 8])
    assert [label.get_text() for label in axes.get_xticklabels()] == ["2", "3", "8"]
    assert axes.get_ylim()[0] == 0, "zero is the loss of the source, which no model can pass on average"

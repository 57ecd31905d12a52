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
    alignment_map,
    alignment_step,
    answers_in_sight,
    attention_flow,
    cache_grid,
    curve_with_spread,
    data_parallel_step,
    dilated_stacks,
    dropout_sites,
    encoder_decoder,
    gradient_by_distance,
    heat_map,
    hidden_inputs,
    language_model,
    lookup_and_attention,
    lstm_cell,
    mask_grid,
    nade_flow,
    paths_of_two_blocks,
    prefix_tree,
    recall_by_distance,
    save_png,
    shaded_text,
    shares_by_length,
    split_and_join,
    stopped_and_last,
    style,
    surprisal_strip,
    time_per_token,
    training_and_validation,
    translator,
    two_blocks,
    unrolled_network,
    use_house_style,
    vqvae_flow,
    weight_patterns,
    whole_transformer,
    word_bars,
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
    runs = np.array([[1.0, 4.0], [3.0, 6.0], [2.0, 8.0]])
    line = curve_with_spread(ax, [10, 20], runs, "runs", color="orange")
    np.testing.assert_allclose(line.get_ydata(), [2.0, 6.0])
    assert line.get_color() == COLORS["orange"]
    band = ax.collections[0].get_paths()[0].vertices
    assert band[band[:, 0] == 20, 1].min() == 4.0 and band[band[:, 0] == 20, 1].max() == 8.0


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
    assert [text.get_text() for text in ax.texts] == ["once", "upon", "a"] and ax.get_title("left") == "hero?"


def test_a_text_without_a_weight_for_each_word_is_refused():
    with pytest.raises(ValueError, match="2 words need as many weights, not 1"):
        shaded_text(plt.subplots()[1], ["once", "upon"], [0.5])


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


def test_a_remedy_has_a_point_for_each_seed_stopped_and_at_the_end():
    (ax,) = stopped_and_last({"none": ([1.9, 2.0], [2.4, 2.5]), "some": ([1.8, 1.9], [2.0, 2.1])}).axes
    points = [list(line.get_xdata()) for line in ax.lines if line.get_marker() in ("o", "s")]
    assert points == [[2.4, 2.5], [1.9, 2.0], [2.0, 2.1], [1.8, 1.9]]
    assert [text.get_text() for text in ax.get_yticklabels()] == ["none", "some"]


def test_a_language_model_predicts_at_each_place_what_the_next_one_reads():
    shown = texts(language_model(["a", "r", "r", "a"]))
    assert shown.count("r") == 2 and shown.count("a") == 1 and "start" in shown
    predicted = [text for text in shown if text.startswith("$p_")]
    assert predicted == ["$p_1$(a)", "$p_2$(r)", "$p_3$(r)", "$p_4$(a)"]


def test_the_drawing_of_a_translator_names_every_equation_once_and_shifts_the_target():
    drawn = translator(["vier", "und", "sechzig"], ["sixty", "-", "four"])
    shown = " ".join(texts(drawn)).replace("\n", " ").replace(",", " ").split()
    assert sorted(word for word in shown if word[0] == "K") == sorted(f"K{n}" for n in range(1, 12))
    read, written = (
        [t.get_text() for t in drawn.ax.texts if abs(t.get_position()[1] - y) < 0.1] for y in (0.5, 6.2)
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


def test_the_codes_of_an_image_are_drawn_and_begin_the_prior_s_sequence():
    codes = np.arange(16).reshape(4, 4) + 5
    shown = texts(vqvae_flow(np.eye(8), codes, np.eye(8), n_codes=32))
    assert all(str(code) in shown for code in range(5, 21))
    assert "prior:  5 6 7 8 9 10 …" in shown and "$e_{32}$" in shown


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


def test_recall_has_a_curve_for_each_network_and_a_line_for_each_guess():
    (ax,) = recall_by_distance(["15", "30"], {"RNN": [[0.2, 0.0], [0.4, 0.2]]}, {"one of twelve": 0.1}).axes
    curve, guess = ax.lines
    assert list(curve.get_ydata()) == pytest.approx([0.3, 0.1])
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


def test_a_map_of_alignments_has_what_was_read_below_and_what_was_written_beside():
    (ax,) = alignment_map([[0.1, 0.9]], ["one"], "ei").axes
    assert [label.get_text() for label in ax.get_xticklabels()] == ["e", "i"]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("read", "written")


def test_a_cache_computes_one_token_per_step_and_nothing_else_computes_all():
    orange, blue = (style.tint(COLORS[name], s) for name, s in (("orange", 0.75), ("blue", 0.2)))
    figure = cache_grid(4)
    for ax, computed, read in zip(figure.axes, (10, 4), (0, 6)):
        faces = [patch.get_facecolor()[:3] for patch in ax.patches]
        assert sum(face == pytest.approx(orange) for face in faces) == computed
        assert sum(face == pytest.approx(blue) for face in faces) == read


def test_a_tree_shows_each_prefix_with_its_probability_and_marks_what_is_kept():
    scores = {"a": 0.6, "aa": 0.36, "a.": 0.24, ".": 0.4}
    drawing = prefix_tree(scores, greedy=["a", "aa"], beam=["a", "."])
    assert {"a   0.6", "a a   0.36", "a .   0.24", ".   0.4", "start"} <= set(texts(drawing))
    edges = [mpl.colors.to_hex(p.get_edgecolor()).upper() for p in drawing.ax.patches]
    for color in ("purple", "orange", "green"):
        assert edges.count(COLORS[color]) == 1, color


def test_words_are_drawn_from_the_most_probable_down_with_two_bars_each():
    _, ax = plt.subplots()
    word_bars(ax, ["the", "a"], [0.7, 0.3], [1.0, 0.0])
    assert [patch.get_width() for patch in ax.patches] == [1.0, 0.0, 0.7, 0.3]
    assert ax.yaxis_inverted() and [t.get_text() for t in ax.get_yticklabels()] == ["the", "a"]
    assert not ax.lines
    word_bars(ax, ["the", "a"], [0.7, 0.3], [1.0, 0.0], [0.6, 0.4])
    (strokes,) = ax.lines
    assert list(strokes.get_xdata()) == [0.6, 0.4] and list(strokes.get_ydata()) == [0, 1]


def test_shares_fill_each_bar_and_narrow_ones_carry_no_number():
    figure = shares_by_length({8: {"a": 3.0, "b": 1.0}, 64: {"a": 1.0, "b": 19.0}})
    (ax,) = figure.axes
    assert sorted(text.get_text() for text in ax.texts) == ["25", "75", "95"]
    for n in range(2):
        bars = [container[n] for container in ax.containers]
        assert sum(bar.get_width() for bar in bars) == pytest.approx(100)


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


def test_the_flow_of_a_nade_shows_three_tokens_and_both_running_sums():
    shown = [text.get_text() for text in nade_flow().axes[0].texts]
    assert [word for word in shown if word.startswith("$x_")] == ["$x_1$", "$x_2$", "$x_3$"]
    assert "read so far" in shown and "written so far" in shown

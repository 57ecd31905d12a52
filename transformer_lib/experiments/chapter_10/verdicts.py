"""What chapter 10 finds of the sources' claims."""

from transformer_lib.experiments.running.verdicts import Contrast, Verdict

__all__ = ["VERDICTS"]

NATS, POWERS = "nats per token", "powers of ten"


def _below_64_blocks(label: str, wiring: str, gain: float = 1.0) -> Contrast:
    """The norm of the gradient below 64 blocks for 1 above them, as a power of ten."""
    arm, shared = {"wiring": wiring}, {"gain": gain}
    return Contrast(label, "depth", "gradients.0", arm, shared=shared, unit=POWERS, against=0.0)


def _without(part: str, blocks: int, rate: float) -> Contrast:
    """A Transformer without one of its parts, against the whole."""
    label = f"no {part}, {blocks} blocks, rate {rate:g}"
    shared = {"blocks": blocks, "rate": rate}
    return Contrast(label, "parts", "nats", {"without": part}, {"without": "nothing"}, shared, NATS)


def _post_norm(gain: float, rate: float) -> Contrast:
    """Post-norm against pre-norm, in six blocks that are trained for 480 steps."""
    post, pre = {"wiring": "post-norm"}, {"wiring": "pre-norm"}
    label = f"post-norm against pre-norm, six blocks, g = {gain:g}, rate {rate:g}"
    return Contrast(label, "norm-placement-longer", "nats", post, pre, {"gain": gain, "rate": rate}, NATS)


VERDICTS = [
    Verdict(
        claim="C15",
        status="holds",
        sentence=(
            "The position-wise network and two convolutions of kernel size 1 with a ReLU between them "
            "are the same function with the same parameters."
        ),
        proven=(
            "tests/library/equations/test_tx.py::"
            "test_the_article_s_network_is_two_convolutions_of_kernel_size_one"
        ),
    ),
    Verdict(
        claim="C12",
        status="holds when",
        sentence=(
            "Mean β and variance γ² are exact for one gain and one bias without an epsilon. "
            "With a gain for each feature they depend on the input."
        ),
        proven="tests/library/equations/test_note.py::test_scalar_gain_and_bias_are_the_output_s_deviation_and_mean",
    ),
    Verdict(
        claim="C23",
        status="holds when",
        sentence=(
            "Residual connections keep gradients from vanishing, and so do norms alone. Against explosion "
            "residual connections need norms or a small start. Without residual connections, eight blocks "
            "with norms learned only word frequencies in 300 steps."
        ),
        contrasts=[
            _below_64_blocks("gradient, neither residual nor norm: against 1 above", "branches alone"),
            _below_64_blocks("gradient, residual, no norm: against 1 above", "residual"),
            _below_64_blocks(
                "gradient, residual, no norm, half start: against 1 above", "residual", gain=0.5
            ),
            _below_64_blocks("gradient, norm, no residual: against 1 above", "norm"),
            _without("residual", 8, 0.01),
            _without("norm", 8, 0.003),
        ],
        open="longer training of eight blocks; warm-up; other widths",
    ),
    Verdict(
        claim="C36",
        status="holds when",
        sentence=(
            "In six blocks post-norm kept up with pre-norm from a small start. From the usual start, at the "
            "larger rate, it had learned only word frequencies after 480 steps."
        ),
        contrasts=[_post_norm(gain, rate) for gain in (0.5, 1.0) for rate in (0.003, 0.01)],
        open="longer training; warm-up; other depths",
    ),
]

"""What chapter 19 finds of the sources' claims."""

from transformer_lib.experiments.running.verdicts import Verdict

__all__ = ["VERDICTS"]

VERDICTS = [
    Verdict(
        claim="C11",
        status="holds when",
        sentence=(
            "Attention is kernel regression, with a Gaussian kernel where all keys are equally long or carry "
            "their length as a feature. With separate matrices for queries and keys the kernel need not be "
            "symmetric."
        ),
        proven=(
            "tests/library/equations/test_papers_attention.py::"
            "test_with_keys_of_one_length_attention_is_a_gaussian_smoother_as_it_stands"
        ),
    ),
]

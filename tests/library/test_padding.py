"""Padding may hold anything: it is gone before a model looks at it."""

import pytest
import torch

from transformer_lib.padding import without_padding


@pytest.mark.parametrize("lengths", [[0, 1, 2, 3, 4], [4, 4, 4, 4, 4], [0, 0, 0, 0, 0]])
def test_all_that_lies_behind_a_rows_length_is_0_and_all_before_it_stays(lengths):
    tokens = torch.arange(1, 21).view(5, 4)
    found = without_padding(tokens.index_fill(1, torch.tensor([3]), -7), torch.tensor(lengths))
    expected = [[row[t] if t < n else 0 for t in range(4)] for row, n in zip(tokens.tolist(), lengths)]
    expected = [[-7 if t == 3 and x else x for t, x in enumerate(row)] for row in expected]
    assert found.tolist() == expected


def test_without_lengths_nothing_is_padding():
    tokens = torch.tensor([[1, -1]])
    assert without_padding(tokens, None) is tokens
    assert without_padding(torch.empty(2, 0, dtype=torch.long), torch.tensor([0, 0])).shape == (2, 0)

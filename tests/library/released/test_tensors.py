"""Released tensors are read from a mapping or a file, and what does not fit is listed."""

import pytest
import torch
from safetensors.torch import save_file

from transformer_lib.released.tensors import check_released, one_floating_type, read_released


def test_a_file_gives_the_tensors_that_were_saved(tmp_path):
    tensors = {"a": torch.arange(3.0), "b": torch.ones(2, 2)}
    save_file(tensors, tmp_path / "weights.safetensors")
    for source in (tensors, tmp_path / "weights.safetensors"):
        found, prompt = read_released(source)
        assert prompt is None
        assert found.keys() == tensors.keys() and all(torch.equal(found[n], tensors[n]) for n in tensors)


def test_what_cannot_be_read_is_named(tmp_path):
    (tmp_path / "notes.txt").write_text("no weights", encoding="utf-8")
    for name in ("notes.txt", "absent"):
        with pytest.raises(ValueError, match=f"{name} cannot be read as a safetensors file"):
            read_released(tmp_path / name)


@pytest.mark.parametrize("second", [torch.ones(1, dtype=torch.float16), torch.ones(1, dtype=torch.long)])
def test_weights_of_several_types_are_refused(second):
    one_floating_type({"a": torch.ones(1), "b": torch.ones(2)})
    with pytest.raises(ValueError, match=f"one floating type for all; got .*{second.dtype}"):
        one_floating_type({"a": torch.ones(1), "b": second})


def test_every_kind_of_misfit_is_listed_and_long_lists_are_cut():
    expected = {"a": torch.Size([2]), "b": torch.Size([3]), **{f"c{n}": torch.Size([1]) for n in range(7)}}
    tensors = {"a": torch.ones(2), "b": torch.ones(4), "extra": torch.ones(1)}
    check_released("model", {"a": torch.Size([2])}, {"a": torch.ones(2)})
    told = (
        r"missing: c0, c1, c2, c3, c4 and 2 more; unexpected: extra; of another shape: b \(4,\), not \(3,\)"
    )
    with pytest.raises(ValueError, match=f"not the weights of this model; {told}"):
        check_released("model", expected, tensors)

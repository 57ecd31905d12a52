"""One sum in several forms: they are the same function, and all of them are timed."""

import torch

from transformer_lib.experiments.chapter_16 import form_times


def test_forms_of_one_layer_are_the_same_function():
    made = form_times.forms(0, width=8)
    x = torch.randn(2, 9, 8, generator=torch.Generator().manual_seed(0))
    outputs = {name: form(x) for name, form in made.items()}
    for kind in ("LSTM", "linear"):
        first, *others = (out for name, out in outputs.items() if name.startswith(kind))
        for other in others:
            torch.testing.assert_close(first, other, rtol=1e-4, atol=1e-5)
    assert not torch.allclose(outputs["softmax"], outputs["linear, memory"], atol=1e-3)


def test_every_form_is_timed_and_the_differences_are_those_of_rounding():
    found = form_times.measure(0, lengths=(2, 5), repeats=1)
    assert set(found["5"]) == set(form_times.FORMS)
    assert max(found["different"].values()) < 1e-10

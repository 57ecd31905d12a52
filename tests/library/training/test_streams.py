"""A model that carries its state from batch to batch trains as one that reads the whole stream, cut off."""

import numpy as np
import pytest
import torch
from torch.nn import functional as F
from torch.testing import assert_close

from transformer_lib import losses
from transformer_lib.data import StreamBatches
from transformer_lib.recurrent.language_model import LSTM, RNN, RecurrentConfig
from transformer_lib.training import StreamLoss, TrainingConfig, train

TOKENS = np.random.default_rng(0).integers(0, 7, 200)
CONFIG = RecurrentConfig(vocab_size=7, d_model=8, n_layers=2)


def model(model_class=LSTM):
    return model_class(CONFIG, generator=torch.Generator().manual_seed(0))


def settings(**changes):
    return TrainingConfig(**{"steps": 12, "warmup_steps": 2, "device": "cpu", "evaluate_every": 4} | changes)


@pytest.mark.parametrize("model_class", [RNN, LSTM])
def test_the_losses_of_an_epoch_are_those_of_the_stream_read_in_one_go(model_class):
    batches, loss, recurrent = StreamBatches(TOKENS, 3, 5), StreamLoss(), model(model_class).double()
    with torch.no_grad():
        parts = [batches.batch(i) for i in range(batches.batches_per_epoch)]
        carried = torch.stack([loss(recurrent, part) * part.targets.numel() for part in parts]).sum()
        inputs, targets = (torch.cat([part[k] for part in parts], dim=1) for k in (0, 1))
        whole = F.cross_entropy(recurrent.logits(inputs).transpose(1, 2), targets, reduction="sum")
    assert_close(carried, whole, rtol=0, atol=1e-10)


def test_an_epoch_begins_with_nothing_carried():
    batches, loss, recurrent = StreamBatches(TOKENS, 3, 5), StreamLoss(), model()
    fresh = loss(recurrent, batches.batch(0))
    later = loss(recurrent, batches.batch(1))
    assert_close(loss(recurrent, batches.batch(batches.batches_per_epoch)), fresh)
    assert not torch.allclose(later, StreamLoss()(recurrent, batches.batch(1)))


def test_no_gradient_reaches_back_beyond_a_batch():
    batches, loss, recurrent = StreamBatches(TOKENS, 3, 5), StreamLoss(), model()
    loss(recurrent, batches.batch(0)).backward()
    loss(recurrent, batches.batch(1)).backward()


@pytest.mark.parametrize("stop", [1, 4, 7])
def test_a_resumed_run_carries_on_what_was_carried(tmp_path, stop):
    batches = StreamBatches(TOKENS, 3, 5)
    whole = train(model(), StreamLoss(), batches, settings(), progress=False)
    interrupted = settings(checkpoint_every=stop)

    def stop_here(batch_number, batch=batches.batch):
        if batch_number > stop:
            raise KeyboardInterrupt
        return batch(batch_number)

    stopping = StreamBatches(TOKENS, 3, 5)
    stopping.batch = stop_here
    with pytest.raises(KeyboardInterrupt):
        train(model(), StreamLoss(), stopping, interrupted, run_dir=tmp_path, progress=False)
    resumed = train(
        model(), StreamLoss(), batches, interrupted, run_dir=tmp_path, resume=True, progress=False
    )
    assert resumed.losses == whole.losses


def test_several_batches_an_update_are_refused():
    with pytest.raises(ValueError, match="one batch per update, in one process; got 2 batches"):
        train(model(), StreamLoss(), StreamBatches(TOKENS, 3, 5), settings(accumulation=2), progress=False)


def test_a_state_that_is_a_dictionary_is_saved_whole():
    state = {"sum": torch.tensor([1.0, 2.0]), "more": (torch.tensor(3.0), None)}
    assert [part.tolist() for part in losses._tensors(state)] == [[1.0, 2.0], 3.0]

"""Texts that share a row, or begin behind padding, are read as if each stood alone."""

import pytest
import torch
from density_cases import randomize
from drawn import exactly, tokens

from transformer_lib.transformer.config import POSITIONS, TransformerConfig
from transformer_lib.transformer.encoder_decoder import Encoder
from transformer_lib.transformer.language_model import DecoderLM
from transformer_lib.transformer.masks import Mask

LENGTHS = (4, 1, 5)
TIME = sum(LENGTHS)
SCHEMES = sorted(set(POSITIONS) - {"relative-values"})


def decoder(positions: str, **changes) -> DecoderLM:
    config = TransformerConfig(7, TIME, d_model=8, n_heads=2, n_layers=2, positions=positions, **changes)
    return randomize(DecoderLM(config)).double().eval()


def encoder(positions: str) -> Encoder:
    config = TransformerConfig(7, TIME, d_model=8, n_heads=2, n_layers=2, positions=positions)
    return randomize(Encoder(config)).double().eval()


def packed() -> tuple[torch.Tensor, torch.Tensor, Mask]:
    """Rows of three texts each, in two orders; their positions, and what keeps them apart."""
    text, ids, owner = tokens(2, TIME, vocab_size=7), [], []
    for lengths in (LENGTHS, LENGTHS[::-1]):
        ids.append(torch.cat([torch.arange(n) for n in lengths]))
        owner.append(torch.repeat_interleave(torch.arange(3), torch.tensor(lengths)))
    owners = torch.stack(owner)
    same = owners[:, None, :, None] == owners[:, None, None, :]  # (batch, 1, queries, keys)
    return text, torch.stack(ids), Mask.from_dense(same)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_texts_in_one_row_are_read_as_if_each_had_its_own(scheme):
    model = decoder(scheme)
    text, ids, apart = packed()
    together = model.logits(text, position_ids=ids, mask=apart)
    for row, lengths in enumerate((LENGTHS, LENGTHS[::-1])):
        begin = 0
        for n in lengths:
            alone = model.logits(text[row : row + 1, begin : begin + n])
            exactly(together[row, begin : begin + n], alone[0])
            begin += n


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("n_padding", [0, 1, 5])
def test_sources_in_one_row_are_encoded_as_if_each_had_its_own(scheme, n_padding):
    model = encoder(scheme)
    text, ids, apart = packed()
    text[0, TIME - n_padding :] = -1  # padding may hold anything
    lengths = torch.tensor([TIME - n_padding, TIME])
    together = model(text, lengths, position_ids=ids, mask=apart)
    for row, sizes in enumerate((LENGTHS, LENGTHS[::-1])):
        begin = 0
        for n in sizes:
            end = min(begin + n, int(lengths[row]))
            if begin < end:
                exactly(together[row, begin:end], model(text[row : row + 1, begin:end])[0])
            begin += n


@pytest.mark.parametrize("scheme", SCHEMES)
def test_an_encoder_with_positions_in_order_is_one_without(scheme):
    model, text = encoder(scheme), tokens(2, TIME, vocab_size=7)
    in_order = torch.arange(TIME).expand(2, -1)
    exactly(model(text, position_ids=in_order), model(text))
    apart = torch.tensor([0, 1, 2, 3, 4, 6, 7, 8, 9, 9]).expand(2, -1)
    changes = (model(text, position_ids=apart) - model(text)).abs().amax((0, 2))
    assert (changes > 1e-6).any() == (scheme != "none")
    with pytest.raises(ValueError, match="position_ids must be from 0"):
        model(text, position_ids=in_order - 1)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_text_behind_padding_is_read_as_without_it(scheme):
    model = decoder(scheme)
    text, pads = tokens(2, TIME, vocab_size=7), torch.tensor([3, 0])
    ids = (torch.arange(TIME) - pads[:, None]).clamp(min=0)
    seen = torch.arange(TIME) >= pads[:, None]  # (batch, keys)
    found = model.logits(text, position_ids=ids, mask=Mask.from_dense(seen[:, None, None]))
    exactly(found[0, 3:], model.logits(text[:1, 3:])[0])
    exactly(found[1], model.logits(text[1:])[0])


@pytest.mark.parametrize("dtype", [torch.int8, torch.int64])
@pytest.mark.parametrize("scheme", SCHEMES)
def test_positions_in_order_change_nothing_and_others_do(scheme, dtype):
    model, text = decoder(scheme), tokens(2, TIME, vocab_size=7)
    in_order = torch.arange(TIME, dtype=dtype).expand(2, -1)
    exactly(model.logits(text, position_ids=in_order), model.logits(text))
    # Gaps between neighbors, which schemes that see distances alone notice too.
    apart = torch.tensor([0, 1, 2, 3, 4, 6, 7, 8, 9, 9], dtype=dtype).expand(2, -1)
    changes = (model.logits(text, position_ids=apart) - model.logits(text)).abs().amax((0, 2))
    assert (changes[5:] > 1e-6).all() == (scheme != "none")
    assert (changes[:5] < 1e-9).all(), "a position acts on no text before it"


@pytest.mark.parametrize(
    ("ids", "told"),
    [
        (torch.arange(TIME), rf"one integer for each token, \(2, {TIME}\); got torch.int64, \({TIME},\)"),
        (torch.zeros(2, TIME), "one integer for each token.* got torch.float32"),
        (torch.arange(TIME).expand(2, -1) - 1, f"from 0 to {TIME - 1}; got -1"),
        (torch.arange(TIME).expand(2, -1) + 1, f"from 0 to {TIME - 1}; got {TIME}"),
    ],
)
def test_positions_that_are_none_are_refused(ids, told, without_type_checks):
    with pytest.raises(ValueError, match=f"position_ids must be {told}"):
        decoder("learned").logits(tokens(2, TIME, vocab_size=7), position_ids=ids)


def test_what_cannot_have_a_position_for_each_token_says_so():
    text, ids = tokens(2, TIME, vocab_size=7), torch.arange(TIME).expand(2, -1)
    with pytest.raises(ValueError, match="take no position_ids: use 'relative'"):
        decoder("relative-values").logits(text, position_ids=ids)
    model = decoder("rotary")
    with pytest.raises(ValueError, match="caches hold has no position_ids"):
        model(text, position_ids=ids, caches=model.stack.new_caches(2, TIME))

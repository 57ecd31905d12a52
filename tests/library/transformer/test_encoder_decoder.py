"""Encoder, classifier and translator are PyTorch's given the same weights, and padding changes nothing."""

import math
import subprocess
import sys

import hypothesis.strategies as st
import pytest
import torch
from density_cases import all_sequences, assert_causal, randomize
from drawn import generator
from hypothesis import given, settings
from torch import nn
from torch.testing import assert_close

from transformer_lib.decoding.beam import beam_search
from transformer_lib.transformer.block import LayerNorm
from transformer_lib.transformer.config import POSITIONS, TransformerConfig
from transformer_lib.transformer.encoder_decoder import POOLINGS, Classifier, Encoder, EncoderDecoder

TINY = {
    "vocab_size": 4,
    "context_length": 6,
    "d_model": 8,
    "n_heads": 2,
    "n_layers": 2,
    "source_vocab_size": 5,
}
LENGTHS = torch.tensor([2, 0, 4])
every_scheme = pytest.mark.parametrize("positions", POSITIONS)
no_nested_tensors = pytest.mark.filterwarnings("ignore:enable_nested_tensor")
both_norms = pytest.mark.parametrize("norm", ["post", "pre"])


def config(**changes):
    return TransformerConfig(**TINY | changes)


def translator(**changes):
    return randomize(EncoderDecoder(config(**changes)), scale=0.5).double().eval()


def encoder(**changes):
    return randomize(Encoder(config(**changes)), scale=0.5).double().eval()


def sources(*shape, seed=0):
    return torch.randint(5, shape, generator=torch.Generator().manual_seed(seed))


def targets(*shape, seed=1):
    return torch.randint(4, shape, generator=torch.Generator().manual_seed(seed))


def first_inputs(model, run):
    """What enters the first block of a model in each of the passes that ``run`` makes."""
    inputs = []
    handle = model.stack.blocks[0].register_forward_pre_hook(lambda module, args: inputs.append(args[0]))
    run()
    handle.remove()
    return inputs


def torch_weights(ours):
    """PyTorch's names of the parameters of a block, with ours."""
    parts = {"self_attn.": ours.attention, "norm1.": ours.attention_norm}
    if ours.cross_attention is not None:
        parts |= {"multihead_attn.": ours.cross_attention, "norm2.": ours.cross_attention_norm}
    last = "norm2." if ours.cross_attention is None else "norm3."
    parts |= {
        last: ours.feed_forward_norm,
        "linear1.": ours.feed_forward.up,
        "linear2.": ours.feed_forward.down,
    }
    renamed = {"qkv.": "in_proj_", "output.": "out_proj.", "gain": "weight"}
    for prefix, part in parts.items():
        for name, parameter in part.named_parameters():
            for old, new in renamed.items():
                name = name.replace(old, new)
            yield prefix + name, parameter


def paired(ours, theirs):
    """Give a stack of PyTorch's the weights of ours; return the pairs of parameters."""
    pairs = []
    for block, layer in zip(ours.stack.blocks, theirs.layers):
        named = dict(layer.named_parameters())
        weights = dict(torch_weights(block))
        assert named.keys() == weights.keys()
        pairs += [(parameter, named[name]) for name, parameter in weights.items()]
    norm = ours.stack.final_norm
    if isinstance(norm, LayerNorm):
        pairs += [(norm.gain, theirs.norm.weight), (norm.bias, theirs.norm.bias)]
    with torch.no_grad():
        for mine, other in pairs:
            other.copy_(mine)
    return pairs


def torch_transformer(norm, **options):
    """PyTorch's, without the normalizations that it puts behind post-norm stacks."""
    theirs = nn.Transformer(
        8, 2, 2, 2, 32, 0.0, batch_first=True, norm_first=norm == "pre", dtype=torch.float64, **options
    )
    if norm == "post":
        theirs.encoder.norm = theirs.decoder.norm = None
    return theirs


def assert_gradients_agree(pairs):
    for mine, other in pairs:
        assert mine.grad.abs().max() > 0
        assert_close(mine.grad, other.grad, rtol=1e-9, atol=1e-12)


@no_nested_tensors
@both_norms
@pytest.mark.parametrize("padded", [False, True])
@pytest.mark.parametrize("activation", ["relu", "gelu"])
def test_values_and_gradients_are_those_of_torch_s_encoder(norm, padded, activation):
    ours = encoder(norm=norm, bias=True, activation=activation)
    theirs = torch_transformer(norm, activation=activation).encoder
    pairs = paired(ours, theirs)
    x, lengths = sources(3, 4), torch.tensor([2, 1, 4]) if padded else None
    hidden = torch.arange(4) >= lengths[:, None] if padded else None
    counts = 1.0 if hidden is None else (~hidden).double()[..., None]
    embedded = ours.stack.positions.embed(ours.token_embedding(x)).detach()
    mine, other = ours(x, lengths) * counts, theirs(embedded, src_key_padding_mask=hidden) * counts
    assert_close(mine, other)
    for result in (mine, other):
        result.pow(3).sum().backward()
    assert_gradients_agree(pairs)


@no_nested_tensors
@both_norms
@pytest.mark.parametrize("padded", [False, True])
def test_values_and_gradients_are_those_of_torch_s_transformer(norm, padded):
    ours, theirs = translator(norm=norm, bias=True, activation="relu"), torch_transformer(norm)
    pairs = paired(ours.encoder, theirs.encoder) + paired(ours.decoder, theirs.decoder)
    x, y, lengths = sources(3, 4), targets(3, 5), torch.tensor([2, 1, 4]) if padded else None
    hidden = torch.arange(4) >= lengths[:, None] if padded else None
    source, target = (
        part.stack.positions.embed(part.token_embedding(tokens)).detach()
        for part, tokens in ((ours.encoder, x), (ours.decoder, y))
    )
    future = torch.ones(5, 5, dtype=torch.bool).triu(1)
    z = theirs(source, target, tgt_mask=future, src_key_padding_mask=hidden, memory_key_padding_mask=hidden)
    mine, other = ours(x, y, lengths), z @ ours.decoder.token_embedding.weight.detach().T
    assert_close(mine, other)
    for result in (mine, other):
        result.pow(3).sum().backward()
    assert_gradients_agree(pairs)


def expected_parameters(c, shared):
    d, k, m, L = c.d_model, c.n_heads * c.head_width, c.d_ff or 4 * c.d_model, c.n_layers
    attention_bias = c.bias if c.attention_bias is None else c.attention_bias
    attention = 4 * d * k + (3 * k + d) * attention_bias
    network = (2 * d * m + (m + d) * c.bias + 2 * d) * (2 if c.macaron else 1)
    encoder = attention + 2 * d + network
    decoder = 2 * (attention + 2 * d) + network
    tokens = c.vocab_size * d * (1 if c.tie_embeddings else 2) + (0 if shared else c.source_vocab_size * d)
    places = 2 * c.context_length * d * (c.positions == "learned")
    return tokens + places + L * (encoder + decoder) + 4 * d * (c.norm == "pre")


@pytest.mark.parametrize(("name", "count"), [("base", 63_045_632), ("big", 214_171_648)])
def test_stratos_sizes_with_a_shared_vocabulary_of_37000(name, count):
    shape = TransformerConfig.preset(name, vocab_size=37_000)
    with torch.device("meta"):
        assert EncoderDecoder(shape).n_parameters() == count == expected_parameters(shape, shared=True)


@pytest.mark.parametrize("source_vocab_size", [None, 5])
@pytest.mark.parametrize("tie_embeddings", [False, True])
@pytest.mark.parametrize(
    "form",
    [
        {"norm": "pre", "bias": True},
        {"norm": "post", "bias": True, "attention_bias": False, "positions": "sinusoidal"},
        {"d_head": 3, "d_ff": 5, "macaron": True},
    ],
    ids=["pre", "stratos", "macaron"],
)
def test_the_parameter_count_is_the_formula(form, tie_embeddings, source_vocab_size):
    shape = config(tie_embeddings=tie_embeddings, source_vocab_size=source_vocab_size, **form)
    assert EncoderDecoder(shape).n_parameters() == expected_parameters(shape, source_vocab_size is None)


def test_a_shared_vocabulary_has_one_embedding_and_two_have_two():
    shared, separate = translator(source_vocab_size=None), translator()
    assert shared.encoder.token_embedding is shared.decoder.token_embedding
    assert shared.source_vocab_size == shared.vocab_size == 4
    assert separate.encoder.token_embedding is not separate.decoder.token_embedding
    assert (separate.source_vocab_size, separate.vocab_size) == (5, 4)


@pytest.mark.slow
@both_norms
@every_scheme
@given(seed=st.integers(0, 100), more=st.integers(0, 2), change=st.integers(-(2**40), 2**40))
@settings(max_examples=3)
def test_padding_of_any_value_and_length_changes_nothing(norm, positions, seed, more, change):
    model, x, y = translator(norm=norm, positions=positions), sources(3, 4, seed=seed), targets(3, 3)
    with torch.no_grad():
        logits = model(x, y, LENGTHS)
        padding = torch.arange(4 + more) >= LENGTHS[:, None]
        longer = torch.cat([x, sources(3, more)], dim=1).masked_fill(padding, change)
        assert_close(model(longer, y, LENGTHS), logits, rtol=0, atol=1e-12)
        for row, length in enumerate(LENGTHS):
            alone = model(x[row : row + 1, :length], y[row : row + 1])
            assert_close(alone, logits[row : row + 1], rtol=0, atol=1e-12)


@pytest.mark.slow
@both_norms
@every_scheme
def test_a_source_of_length_zero_gives_no_nan_forward_or_backward(norm, positions):
    model, y = translator(norm=norm, positions=positions), targets(3, 3)
    for x, lengths in ((sources(3, 4), torch.tensor([0, 0, 1])), (sources(3, 0), None)):
        logits = model(x, y, lengths)
        model.zero_grad()
        logits.square().sum().backward()
        assert torch.isfinite(logits).all()
        assert all(p.grad is None or torch.isfinite(p.grad).all() for p in model.parameters())


@every_scheme
def test_targets_are_causal_and_every_source_token_matters(positions):
    model, x = translator(positions=positions), sources(3, 4)
    with torch.no_grad():
        assert_causal(model.condition(x), targets(3, 5))
        logits = model(x, targets(3, 5))
        for s in range(4):
            changed = x.clone()
            changed[:, s] = (changed[:, s] + 1) % 5
            assert ((model(changed, targets(3, 5)) - logits).abs().amax(-1) > 1e-9).all()


@both_norms
def test_a_wide_beam_finds_the_best_of_all_targets_of_each_source(norm):
    model, y, end = translator(norm=norm), all_sequences(4, 3), 3
    x = sources(3, 4)
    found = beam_search(
        model.condition(x, LENGTHS), 3, end_token=end, batch_size=3, n_beams=64, n_best=5, length_penalty=0.0
    )
    for row in range(3):
        one = model.condition(x[row : row + 1].expand(len(y), -1), LENGTHS[row].expand(len(y)))
        with torch.no_grad():
            scores = one.conditional_log_probs(y)
        best = {}
        for sequence, score in zip(y.tolist(), scores):
            length = sequence.index(end) + 1 if end in sequence else 3
            best[tuple(sequence[:length])] = score[:length].sum().item()
        expected = sorted(best.items(), key=lambda item: -item[1])[:5]
        for k, (sequence, score) in enumerate(expected):
            length = found.lengths[row, k]
            assert tuple(found.sequences[row, k, :length].tolist()) == sequence
            assert_close(found.scores[row, k].item(), score, rtol=0, atol=1e-10)


def test_conditioning_gives_the_logits_of_the_whole_model():
    model, x, y = translator(), sources(3, 4), targets(3, 5)
    assert_close(model.condition(x, LENGTHS).logits(y), model(x, y, LENGTHS))
    assert_close(model.condition(x)(y), model(x, y))


def test_as_many_targets_as_sources_are_read():
    model = translator()
    conditioned = model.condition(sources(2, 4))
    for call in (
        lambda: conditioned.logits(targets(4, 3)),
        lambda: conditioned.log_prob(targets(3, 2)),
        lambda: conditioned.sample(1, 2),
        lambda: beam_search(conditioned, 2, end_token=0, batch_size=3),
    ):
        with pytest.raises(ValueError, match=r"there are 2 sources; [134] targets do not fit them"):
            call()


def test_no_sources_have_no_targets():
    model, nothing = translator(), sources(0, 4)
    assert model(nothing, targets(0, 3)).shape == (0, 3, 4)
    assert model.condition(nothing).sample(0, 3).shape == (0, 3)
    assert model.condition(nothing).log_prob(targets(0, 3)).shape == (0,)
    assert beam_search(model.condition(nothing), 2, end_token=0, batch_size=0).scores.shape == (0, 1)
    assert Classifier(config(), 3)(nothing).shape == (0, 3)


def dropout_of(part, *, rate=0.5, **changes):
    """Whether two passes in training differ where only this dropout is on."""
    rates = dict.fromkeys(("attention_dropout", "activation_dropout"), 0.0)
    model = translator(**rates | {part: rate} | changes)
    x, y = sources(3, 4), targets(3, 5)
    model.eval()
    assert torch.equal(model(x, y), model(x, y))
    model.train()
    torch.manual_seed(0)
    return model, not torch.equal(model(x, y), model(x, y))


@pytest.mark.slow
@pytest.mark.parametrize(
    "part", ["dropout", "attention_dropout", "activation_dropout", "input_dropout", "embedding_dropout"]
)
def test_each_dropout_acts_in_training_alone_and_at_its_own_sites(part):
    model, acts = dropout_of(part)
    assert acts
    blocks = [*model.encoder.stack.blocks, *model.decoder.stack.blocks]
    attention = [part == "attention_dropout"] * 2
    for block in blocks:
        attentions = [a for a in (block.attention, block.cross_attention) if a is not None]
        assert [a.dropout == 0.5 for a in attentions] == attention[: len(attentions)]
        assert (block.feed_forward.dropout.p == 0.5) == (part == "activation_dropout")
        assert (block.attention.output_dropout == 0.5) == (part == "dropout")
        assert (block.feed_forward.output_dropout == 0.5) == (part == "dropout")
    for side in (model.encoder, model.decoder):
        assert (side.stack.dropout.p == 0.5) == (part == "dropout")
        torch.manual_seed(1)
        hides = part in ("dropout", "input_dropout", "embedding_dropout")
        inputs = first_inputs(side, lambda: [model(sources(3, 4), targets(3, 5)) for _ in range(4)])
        assert hides == any(not torch.equal(inputs[0], other) for other in inputs[1:])


@pytest.mark.parametrize("part", ["input_dropout", "embedding_dropout"])
def test_a_hidden_word_leaves_only_its_position(part):
    model = encoder(**{part: 0.5}).train()
    torch.manual_seed(0)
    x = torch.tensor([[0, 1, 0, 1, 2, 2], [1, 0, 2, 2, 0, 1]])
    inputs = first_inputs(model, lambda: model(x))
    hidden = (inputs[0] == model.stack.positions.table.weight[:6]).all(-1)
    assert 0 < hidden.sum() < x.numel()
    by_word = all(len(set(hidden[x == word].tolist())) == 1 for word in range(3))
    assert by_word == (part == "embedding_dropout")


def test_embeddings_are_scaled_on_request():
    plain, scaled = encoder(), encoder(scale_embeddings=True)
    inputs = [first_inputs(model, lambda: model(sources(2, 4)))[0] for model in (plain, scaled)]  # noqa: B023
    places = plain.stack.positions.table.weight[:4]
    assert_close((inputs[0] - places) * math.sqrt(8), inputs[1] - places)


@pytest.mark.parametrize("pooling", POOLINGS)
@pytest.mark.parametrize("padded", [False, True])
def test_the_label_is_read_from_what_the_pooling_says(pooling, padded):
    model = randomize(Classifier(config(), 3, pooling=pooling), scale=0.5).double().eval()
    x, lengths = sources(3, 4), torch.tensor([2, 1, 4])
    logits = model(x, lengths) if padded else model(x)
    assert logits.shape == ((3, 4, 3) if pooling == "each" else (3, 3))
    for row, length in enumerate(lengths.tolist() if padded else [4] * 3):
        z = model.encoder(x[row : row + 1, :length])[0]
        read = {"last": z[-1], "first": z[0], "mean": z.mean(0), "each": z}[pooling]
        expected = read @ model.head.weight.T + model.head.bias
        assert_close(logits[row, :length] if pooling == "each" else logits[row], expected)


@pytest.mark.parametrize("pooling", POOLINGS)
def test_padding_does_not_change_a_label_and_sends_back_no_gradient(pooling):
    model = randomize(Classifier(config(), 3, pooling=pooling), scale=0.5).double().eval()
    x, lengths = sources(3, 4), torch.tensor([2, 1, 4])
    padding = torch.arange(4) >= lengths[:, None]
    same = model(x, lengths), model(x.masked_fill(padding, -7), lengths)
    read = ~padding if pooling == "each" else slice(None)
    assert torch.equal(same[0][read], same[1][read])
    rows = []
    model.encoder.token_embedding.register_forward_hook(lambda module, args, output: rows.append(output))
    (gradient,) = torch.autograd.grad(model(x, lengths)[read].square().sum(), rows[0])
    assert (gradient[padding] == 0).all() and (gradient[~padding] != 0).any(-1).all()


@pytest.mark.parametrize("pooling", ["last", "first", "mean"])
def test_a_label_needs_a_token(pooling):
    model = Classifier(config(), 3, pooling=pooling)
    for x, lengths in ((sources(2, 3), torch.tensor([2, 0])), (sources(2, 0), None)):
        with pytest.raises(
            ValueError, match=f"pooling '{pooling}' needs at least one token in every sequence"
        ):
            model(x, lengths)
    assert Classifier(config(), 3, pooling="each")(sources(2, 0)).shape == (2, 0, 3)


def test_impossible_classifiers_are_refused():
    with pytest.raises(ValueError, match="n_classes must be at least 1; got 0"):
        Classifier(config(), 0)
    with pytest.raises(ValueError, match=r"pooling 'lost' is not one of .*; did you mean 'last'\?"):
        Classifier(config(), 2, pooling="lost")


@pytest.mark.parametrize(
    ("x", "lengths", "message"),
    [
        (sources(2, 7), None, "the model reads at most 6 tokens; got 7"),
        (
            torch.tensor([[0, 1], [5, 0]]),
            None,
            r"token 5 at batch 1, time 0 is outside the vocabulary 0\.\.4",
        ),
        (sources(2, 3), torch.tensor([4, 1]), r"2 whole numbers from 0 to 3; got \[4, 1\]"),
        (sources(2, 3), torch.tensor([-1, 1]), r"2 whole numbers from 0 to 3; got \[-1, 1\]"),
    ],
)
def test_what_does_not_fit_the_encoder_is_refused(x, lengths, message):
    for call in (encoder(), translator().condition, Classifier(config(), 2)):
        with pytest.raises(ValueError, match=message):
            call(x, lengths)


@pytest.mark.slow
@pytest.mark.parametrize("make", [Encoder, EncoderDecoder, lambda c, **g: Classifier(c, 3, **g)])
@every_scheme
def test_a_generator_decides_all_weights_and_leaves_the_global_one_alone(make, positions):
    before = torch.get_rng_state()
    shape = config(positions=positions, bias=True, tie_embeddings=False, macaron=True)
    first, second, other = (make(shape, generator=generator(seed)) for seed in (3, 3, 4))
    assert torch.equal(torch.get_rng_state(), before)
    for (name, a), b, c in zip(first.named_parameters(), second.parameters(), other.parameters()):
        assert torch.equal(a, b) and torch.isfinite(a).all(), name
        assert a.dim() < 2 or not torch.equal(a, c), name


def test_weights_start_with_the_variance_of_their_inputs():
    shape = TransformerConfig(300, 200, d_model=128, n_layers=2, bias=True, tie_embeddings=False)
    model = EncoderDecoder(shape, generator=generator())
    for name, parameter in model.named_parameters():
        if name.endswith("positions.table.weight"):
            expected = 0.02
        elif parameter.dim() == 2:
            expected = parameter.shape[1] ** -0.5
        else:
            assert (parameter == (1.0 if name.endswith("gain") else 0.0)).all(), name
            continue
        assert_close(parameter.std().item(), expected, rtol=0.05, atol=0)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_logits_keep_the_type_of_the_weights(dtype):
    model = EncoderDecoder(config()).to(dtype)
    logits = model(sources(3, 4), targets(3, 5), LENGTHS)
    assert logits.dtype == dtype and torch.isfinite(logits).all()


@pytest.mark.slow
def test_models_of_both_kinds_compile_to_one_graph():
    program = """
import torch
from transformer_lib.transformer.config import TransformerConfig
from transformer_lib.transformer.encoder_decoder import EncoderDecoder
from transformer_lib.transformer.language_model import DecoderLM

def same(model, *inputs):
    compiled = torch.compile(model, backend="eager", fullgraph=True)
    torch.testing.assert_close(compiled(*inputs), model(*inputs))

tokens = torch.arange(10).reshape(2, 5) % 5
shape = dict(vocab_size=5, context_length=6, d_model=8, n_heads=2, n_layers=1)
for positions in ("rotary", "alibi", "relative", "joint"):
    same(DecoderLM(TransformerConfig(**shape, positions=positions)), tokens)
for lengths in (None, torch.tensor([3, 0])):
    same(EncoderDecoder(TransformerConfig(**shape, positions="sinusoidal")), tokens, tokens[:, 1:], lengths)
"""
    # The run-time shape checks of the tests cannot be traced, hence a process without them.
    subprocess.run([sys.executable, "-c", program], check=True)

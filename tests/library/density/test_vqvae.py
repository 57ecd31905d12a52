"""The VQ-VAE quantizes to the nearest code, trains straight through it, and bounds what it defines."""

import json
import math
import runpy

import hypothesis.strategies as st
import numpy as np
import pytest
import torch
from density_cases import all_sequences, assert_samples_follow, randomize
from hypothesis import given, settings
from torch.testing import assert_close

from transformer_lib.data import load_digits
from transformer_lib.density import vqvae
from transformer_lib.density.vqvae import VQVAE, VectorQuantizer, VQVAEConfig, vqvae_loss
from transformer_lib.equations import papers
from transformer_lib.interfaces import SequenceModel
from transformer_lib.metrics import bits_per_dim
from transformer_lib.padding import shift_right
from transformer_lib.training import language_model_loss
from transformer_lib.transformer.language_model import DecoderLM, TransformerConfig

SQUARE = {"height": 2, "width": 2, "vocab_size": 2, "latent_height": 1, "latent_width": 2, "n_codes": 3}
ROW = {"height": 1, "width": 4, "vocab_size": 3, "latent_height": 1, "latent_width": 2, "n_codes": 2}
SMALL = {"d_code": 2, "d_hidden": 4}
every_space = pytest.mark.parametrize("space", [SQUARE, ROW], ids=["square", "row"])


def model(seed=0, scale=0.7, **changes):
    """A small model in float64 whose weights are large enough for tokens and codes to matter."""
    return randomize(VQVAE(VQVAEConfig(**SMALL | changes)).double(), seed=seed, scale=scale)


def every_x(m):
    return all_sequences(m.vocab_size, m.config.n_tokens)


def joint_log_probs(m, x):
    """log p(x | z) + log p(z) for every grid of codes, grid by grid and token by token."""
    terms = []
    for z in all_sequences(m.config.n_codes, m.config.n_latents):
        log_probs = m.decode(z[None])[0].log_softmax(-1)
        tokens = torch.stack([sum(log_probs[t, row[t]] for t in range(len(row))) for row in x])
        terms.append(tokens + m.prior.log_prob(z[None]))
    return torch.stack(terms, dim=1)


class OneCode(SequenceModel):
    """Nearly all of the probability on one token, whatever came before."""

    def __init__(self, vocab_size, favorite):
        super().__init__()
        self.vocab_size, self.favorite = vocab_size, favorite

    def logits(self, tokens):
        alone = 50 * torch.eye(self.vocab_size, dtype=torch.float64)[self.favorite]
        return alone.expand(*tokens.shape, -1)


def test_every_convolution_keeps_the_variance_of_what_it_reads():
    drawn = torch.Generator().manual_seed(0)
    m = VQVAE(VQVAEConfig(d_code=32), generator=drawn)
    layers = [layer for part in (m.encoder, m.decoder) for layer in part if hasattr(layer, "weight")]
    assert [type(layer).__name__ for layer in layers].count("ConvTranspose2d") == 1
    for layer in layers:
        y = layer(torch.randn(64, layer.in_channels, 8, 8, generator=drawn))
        assert y[..., 1:-1, 1:-1].std().item() == pytest.approx(1, rel=0.1)  # at the edges less is read


class Marginal:
    """A VQ-VAE whose codes are summed out, as the chi-square test reads a model."""

    def __init__(self, m):
        self.m, self.vocab_size, self.log_prob = m, m.vocab_size, m.exact_log_prob

    def sample(self, n, length, generator):
        return self.m.sample(n, generator=generator)


@pytest.mark.proves("oord2017")
@given(st.integers(1, 6), st.integers(1, 5), st.integers(1, 4), st.integers(0, 1000))
@settings(max_examples=25)
def test_the_quantizer_is_the_papers(n_vectors, n_codes, d_code, seed):
    quantizer = randomize(VectorQuantizer(n_codes, d_code).double(), seed=seed)
    z_e = np.random.default_rng(seed).normal(size=(n_vectors, d_code))
    e = quantizer.codebook.detach().numpy()
    quantized = quantizer(torch.from_numpy(z_e))
    posterior = np.eye(n_codes)[quantized.codes.numpy()]
    np.testing.assert_array_equal(posterior, papers.vq_posterior(z_e, e))
    np.testing.assert_allclose(quantized.vectors.detach(), papers.vq_quantize(z_e, e), atol=1e-10)
    _, codebook, commitment = papers.vqvae_loss_terms(0.0, z_e, e, 1.0)
    assert quantized.codebook_loss.item() == pytest.approx(codebook, abs=1e-10)
    assert quantized.commitment_loss.item() == pytest.approx(commitment, abs=1e-10)


@pytest.mark.proves("oord2017")
@every_space
def test_the_loss_is_the_papers_with_the_likelihood_s_sign_turned(space):
    m = model(**space, commitment=0.3)
    e, losses = m.quantizer.codebook.detach().numpy(), []
    for x in every_x(m):
        vectors = []
        m.encoder.register_forward_hook(lambda module, inputs, output, seen=vectors: seen.append(output))
        log_probs = m.decode(m.encode(x[None]))[0].log_softmax(-1)
        log_likelihood = sum(log_probs[t, token].item() for t, token in enumerate(x))
        z_e = vectors[0][0].flatten(1).T.detach().numpy()
        losses.append(sum(papers.vqvae_loss_terms(log_likelihood, z_e, e, 0.3)))
    assert vqvae_loss(m, every_x(m)).item() == pytest.approx(np.mean(losses), abs=1e-10)


def test_of_codes_equally_near_the_first_is_taken():
    quantizer = VectorQuantizer(3, 1)
    with torch.no_grad():
        quantizer.codebook.copy_(torch.tensor([[5.0], [1.0], [-1.0]]))
    assert quantizer.nearest(torch.tensor([[0.0], [0.5], [-0.5], [4.0]])).tolist() == [1, 1, 2, 0]


def test_the_gradient_goes_straight_through_to_the_encoder_and_not_to_the_codes():
    quantizer = randomize(VectorQuantizer(4, 3).double())
    z_e = torch.randn(5, 3, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    z_e.requires_grad_()
    weight = torch.randn(5, 3, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
    (quantizer(z_e).vectors.sin() * weight).sum().backward()
    expected = weight * quantizer.codebook[quantizer.nearest(z_e)].cos()
    assert_close(z_e.grad, expected, rtol=0, atol=1e-10)
    assert quantizer.codebook.grad is None


def test_each_of_the_two_losses_moves_its_own_side():
    quantizer = randomize(VectorQuantizer(4, 3).double())
    z_e = torch.randn(
        5, 3, dtype=torch.float64, generator=torch.Generator().manual_seed(0), requires_grad=True
    )
    codes, _, codebook_loss, commitment_loss = quantizer(z_e)
    towards = 2 / 5 * (z_e - quantizer.codebook[codes]).detach()
    (to_z,) = torch.autograd.grad(commitment_loss, z_e, retain_graph=True)
    assert_close(to_z, towards, rtol=0, atol=1e-10)
    (to_codes,) = torch.autograd.grad(codebook_loss, quantizer.codebook, retain_graph=True)
    expected = torch.zeros_like(to_codes).index_add(0, codes, -towards)
    assert_close(to_codes, expected, rtol=0, atol=1e-10)
    for loss, parameter in ((codebook_loss, z_e), (commitment_loss, quantizer.codebook)):
        assert not loss.requires_grad or torch.autograd.grad(loss, parameter, allow_unused=True) == (None,)


def test_the_first_stage_reaches_every_parameter_but_the_prior_s_and_the_second_those_alone():
    m = VQVAE(VQVAEConfig(d_hidden=8), generator=torch.Generator().manual_seed(0))
    x = torch.randint(16, (8, 64), generator=torch.Generator().manual_seed(0))
    vqvae_loss(m, x).backward()
    for name, parameter in m.named_parameters():
        if name.startswith("prior"):
            assert parameter.grad is None, name
        else:
            assert parameter.grad.isfinite().all() and parameter.grad.any(), name
    m.zero_grad()
    codes = m.encode(x)
    loss = language_model_loss(m.prior, (shift_right(codes, m.prior.start_token), codes))
    assert_close(loss, -m.prior.log_prob(codes).mean() / m.config.n_latents)
    loss.backward()
    for name, parameter in m.named_parameters():
        assert (parameter.grad is not None) == name.startswith("prior"), name


@pytest.mark.proves("oord2017")
@every_space
def test_the_exact_probability_sums_over_every_grid_of_codes_and_the_bound_takes_one(space):
    m = model(**space)
    x = every_x(m)
    joint = joint_log_probs(m, x)
    exact, elbo = m.exact_log_prob(x), m.elbo(x)
    assert_close(exact, joint.logsumexp(1), rtol=0, atol=1e-10)
    grids = all_sequences(m.config.n_codes, m.config.n_latents).tolist()
    own = torch.tensor([grids.index(codes) for codes in m.encode(x).tolist()])
    assert own.unique().numel() > 1
    for row in range(len(x)):
        log_prior = m.prior.log_prob(torch.tensor(grids)).detach().numpy()
        bound = papers.vqvae_bound(joint[row].detach().numpy() - log_prior, log_prior, own[row].item())
        assert (elbo[row].item(), exact[row].item()) == pytest.approx(bound, abs=1e-10)


@every_space
def test_the_bound_lacks_what_the_posterior_leaves_to_other_codes_and_is_strict(space):
    m = model(**space)
    x = every_x(m)
    joint, elbo = joint_log_probs(m, x), m.elbo(x)
    gap = m.exact_log_prob(x) - elbo
    posterior = (joint - joint.logsumexp(1, keepdim=True)).exp()
    own = (joint - elbo[:, None]).abs().argmin(1, keepdim=True)
    assert (gap > 1e-6).all()
    assert_close(gap, -posterior.gather(1, own).log().squeeze(1), rtol=0, atol=1e-9)


def test_the_bound_is_tight_where_one_code_alone_explains_x():
    only = model(**SQUARE | {"n_codes": 1})
    assert_close(only.elbo(every_x(only)), only.exact_log_prob(every_x(only)), rtol=0, atol=1e-12)
    m = model(seed=1, **SQUARE | {"latent_width": 1})
    x = every_x(m)
    favorite = m.encode(x)[0, 0].item()
    m.prior = OneCode(3, favorite)
    is_own = m.encode(x)[:, 0] == favorite
    gap = m.exact_log_prob(x) - m.elbo(x)
    assert is_own.any() and not is_own.all()
    assert (gap[is_own] < 1e-9).all() and (gap[~is_own] > 1).all()


@every_space
def test_the_exact_probabilities_sum_to_one_and_the_bounds_to_less(space):
    m = model(**space)
    assert m.exact_log_prob(every_x(m)).logsumexp(0).item() == pytest.approx(0, abs=1e-10)
    assert m.elbo(every_x(m)).logsumexp(0).item() < -0.01


@every_space
def test_samples_follow_the_probabilities_with_the_codes_summed_out(space):
    m = model(**space)
    assert m.exact_log_prob(every_x(m)).exp().std() > 1e-3
    assert_samples_follow(Marginal(m), m.config.n_tokens)


def test_any_sequence_model_can_be_the_prior():
    config = VQVAEConfig(**SMALL | SQUARE)
    prior = DecoderLM(TransformerConfig(3, 2, d_model=4, n_heads=1, n_layers=1))
    m = randomize(VQVAE(config, prior).double(), scale=0.5)
    assert m.exact_log_prob(every_x(m)).logsumexp(0).item() == pytest.approx(0, abs=1e-10)
    assert_samples_follow(Marginal(m), 4)


@pytest.mark.parametrize(("latent_height", "latent_width"), [(1, 1), (2, 3), (4, 6), (4, 1)])
def test_the_default_prior_sees_every_code_before_and_each_token_depends_on_some_code(
    latent_height, latent_width
):
    m = model(height=4, width=6, latent_height=latent_height, latent_width=latent_width, vocab_size=3)
    assert m.prior.receptive_field >= m.config.n_latents
    codes = torch.zeros(1, m.config.n_latents, dtype=torch.long)
    changed = (m.decode(codes) - m.decode(codes + 1)).abs().amax(-1)
    assert changed.shape == (1, 24) and (changed > 0).all()


def test_codes_stand_where_the_tokens_are_that_they_describe():
    m = model(height=8, width=8, latent_height=4, latent_width=4, vocab_size=3)
    rows = []
    m.encoder.register_forward_hook(lambda module, inputs, output: rows.append(output.flatten(2).mT))
    x = torch.zeros(1, 64, dtype=torch.long)
    m.encode(x)
    x[0, 8 * 6 + 1] = 1
    m.encode(x)
    moved = (rows[0] != rows[1]).any(-1)[0].reshape(4, 4)
    assert moved[3, 0] and not moved[:2].any() and not moved[:, 2:].any()


def test_no_batch_and_one_token_are_allowed():
    m = model(height=1, width=1, latent_height=1, latent_width=1, vocab_size=2, n_codes=2)
    assert m.exact_log_prob(every_x(m)).exp().sum().item() == pytest.approx(1)
    none = torch.zeros(0, 1, dtype=torch.long)
    assert m.encode(none).shape == (0, 1)
    assert m.elbo(none).shape == m.exact_log_prob(none).shape == (0,)
    assert m.sample(0).shape == (0, 1)


def test_a_generator_decides_weights_and_samples_and_leaves_the_global_one_alone():
    before = torch.get_rng_state()
    first, second = (
        VQVAE(VQVAEConfig(**SMALL | SQUARE), generator=torch.Generator().manual_seed(3)) for _ in range(2)
    )
    for (name, a), b in zip(first.named_parameters(), second.named_parameters()):
        assert torch.equal(a, b[1]) and a.isfinite().all(), name
    draw = [first.sample(9, generator=torch.Generator().manual_seed(seed)) for seed in (0, 0, 1)]
    assert torch.equal(draw[0], draw[1]) and not torch.equal(draw[0], draw[2])
    assert torch.equal(torch.get_rng_state(), before)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float64])
def test_bounds_have_at_least_float32_and_tokens_may_be_of_any_integer_type(dtype):
    m = model(**SQUARE).to(dtype)
    x = every_x(m)
    precise = torch.promote_types(dtype, torch.float32)
    assert m.elbo(x).dtype == m.exact_log_prob(x).dtype == vqvae_loss(m, x).dtype == precise
    assert torch.equal(m.elbo(x.to(torch.int8)), m.elbo(x))
    assert torch.equal(m.exact_log_prob(x.to(torch.int32)), m.exact_log_prob(x))


@pytest.mark.parametrize("method", ["elbo", "exact_log_prob", "encode", "forward"])
def test_examples_that_are_none_are_refused(method):
    m = model(**SQUARE)
    with pytest.raises(ValueError, match=r"token 2 at batch 0, time 3 is outside the vocabulary 0\.\.1"):
        getattr(m, method)(torch.tensor([[0, 1, 0, 2]]))
    with pytest.raises(ValueError, match="each row needs 4 tokens; got 3"):
        getattr(m, method)(torch.tensor([[0, 1, 0]]))


def test_codes_that_are_none_and_sample_sizes_that_are_none_are_refused():
    m = model(**SQUARE)
    with pytest.raises(ValueError, match=r"token 3 at batch 0, time 1 is outside the vocabulary 0\.\.2"):
        m.decode(torch.tensor([[0, 3]]))
    with pytest.raises(ValueError, match="each row needs 2 tokens; got 1"):
        m.decode(torch.tensor([[0]]))
    with pytest.raises(ValueError, match="n counts samples and cannot be negative; got -1"):
        m.sample(-1)


def test_a_space_too_large_to_enumerate_is_refused_with_what_to_do():
    with pytest.raises(ValueError, match=r"32 codes at 16 places make more than 10000 grids.*or elbo"):
        model().exact_log_prob(torch.zeros(1, 64, dtype=torch.long))


def test_a_prior_that_does_not_fit_the_codes_is_refused():
    config = VQVAEConfig(**SMALL | SQUARE)
    for vocab_size, context, message in [
        (4, 2, "the prior has 4 tokens; there are 3 codes"),
        (3, 1, "the prior reads 1 tokens; an example has 2 codes"),
    ]:
        prior = DecoderLM(TransformerConfig(vocab_size, context, d_model=4, n_heads=1, n_layers=1))
        with pytest.raises(ValueError, match=message):
            VQVAE(config, prior)


def test_a_configuration_survives_json():
    config = VQVAEConfig(**SQUARE, commitment=0.5)
    assert VQVAEConfig.from_dict(json.loads(json.dumps(config.to_dict()))) == config
    assert VQVAEConfig.from_dict({}) == VQVAEConfig()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"n_codes": 0}, "n_codes must be a positive whole number, got 0"),
        ({"d_code": 2.0}, "d_code must be a positive whole number, got 2.0"),
        ({"height": True}, "height must be a positive whole number, got True"),
        ({"latent_height": 3}, "latent_height must divide height=8: 1, 2, 4, 8; got 3"),
        ({"latent_width": 16}, "latent_width must divide width=8: 1, 2, 4, 8; got 16"),
        ({"commitment": -0.1}, "commitment must be a finite number of at least 0, got -0.1"),
        ({"commitment": math.nan}, "commitment must be a finite number of at least 0, got nan"),
        ({"commitment": "1"}, "commitment must be a finite number of at least 0, got '1'"),
        ({"n_code": 3}, "no setting 'n_code'; did you mean 'n_codes'"),
    ],
)
def test_a_wrong_configuration_says_what_would_be_right(changes, message):
    # The tests' own type checks would speak before the configuration does, hence a copy without them.
    plain = runpy.run_path(vqvae.__file__)["VQVAEConfig"]
    with pytest.raises(ValueError, match=message):
        plain.from_dict(changes)


@pytest.mark.slow
def test_on_digits_a_few_codes_say_more_than_the_best_constant_and_few_codes_stay_unused():
    images = load_digits(levels=16)
    train, test = (torch.from_numpy(part).long() for part in (images.train, images.test))
    counts = torch.nn.functional.one_hot(train, 16).sum(0) + 0.1
    constant = (counts / counts.sum(-1, keepdim=True)).log()
    constant_nats = -constant[torch.arange(64), test].sum(1).mean().item()

    generator = torch.Generator().manual_seed(0)
    m = VQVAE(VQVAEConfig(d_hidden=32), generator=generator)

    def fit(loss, parameters, steps):
        optimizer = torch.optim.Adam(parameters, lr=2e-3)
        for _ in range(steps):
            batch = train[torch.randint(len(train), (64,), generator=generator)]
            optimizer.zero_grad()
            loss(batch).backward()
            optimizer.step()

    def prior_loss(batch):
        codes = m.encode(batch)
        return language_model_loss(m.prior, (shift_right(codes, m.prior.start_token), codes))

    encoder_at_first = m.encoder[0].weight.clone()
    prior_parameters = list(m.prior.parameters())
    others = [p for name, p in m.named_parameters() if not name.startswith("prior")]
    fit(lambda batch: vqvae_loss(m, batch), others, 600)
    fit(prior_loss, prior_parameters, 300)

    with torch.no_grad():
        reconstruction = -m(test)[0].log_softmax(-1).gather(2, test[..., None]).sum((1, 2)).mean().item()
        nats = -m.elbo(test).mean().item()
    used = m.encode(train).unique().numel()
    print(
        f"constant {constant_nats:.1f}, given the codes {reconstruction:.1f}, bound {nats:.1f} nats "
        f"({bits_per_dim(nats, 64):.3f} bits/dim); {used} of 32 codes in use"
    )
    assert reconstruction < 0.75 * constant_nats
    assert reconstruction < nats < reconstruction + 16 * math.log(32)
    assert used > 24
    assert not torch.allclose(m.encoder[0].weight, encoder_at_first, atol=1e-2)

"""NADE's running sums compute what its double sums say, and train to better densities than regressions do."""

import pytest
import torch
from density_cases import all_sequences, randomize

from transformer_lib.data import load_digits
from transformer_lib.density.baselines import FullyVisibleSigmoid
from transformer_lib.density.nade import NADE, TiedBinaryNADE
from transformer_lib.metrics import paired_interval

MODELS = {
    "slides, sums": lambda p, d, k: NADE(p, d, k),
    "slides, weights": lambda p, d, k: NADE(p, d, k, learn_sums=False),
    "slides, ReLU": lambda p, d, k: NADE(p, d, k, activation="relu"),
    "classic": lambda p, d, k: TiedBinaryNADE(p, k),
}
every_model = pytest.mark.parametrize("make", MODELS.values(), ids=MODELS)


def slides_conditional(model, x, t):
    """Equations S3-S5 for one t, each sum a loop over one-hot vectors."""
    one_hot = torch.eye(model.vocab_size, dtype=model.b.dtype)
    V, c, W, b = model.V, model.c, model.W, model.b
    f = b[t]
    for r in range(t + 1):
        read = sum((V[s] @ one_hot[x[s]] for s in range(r)), torch.zeros_like(c[r]))
        f = f + W[r] @ model.activation(c[r] + read)
    return f.log_softmax(0)[x[t]]


def classic_conditional(model, x, t):
    read = sum((model.V[s] * x[s] for s in range(t)), model.c)
    p = torch.sigmoid(model.b[t] + model.W[t] @ torch.sigmoid(read))
    return torch.log(p if x[t] == 1 else 1 - p)


@every_model
def test_running_sums_give_what_the_loops_give_and_the_same_gradients(make):
    model = randomize(make(5, 3, 4)).double()
    loops = classic_conditional if isinstance(model, TiedBinaryNADE) else slides_conditional
    x = torch.randint(model.vocab_size, (6, 5), generator=torch.Generator().manual_seed(0))
    fast = model.conditional_log_probs(x)
    slow = torch.stack([torch.stack([loops(model, row, t) for t in range(5)]) for row in x])
    torch.testing.assert_close(fast, slow)

    weights = torch.randn(6, 5, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
    parameters = list(model.parameters())
    for gradient, expected in zip(
        torch.autograd.grad((weights * fast).sum(), parameters),
        torch.autograd.grad((weights * slow).sum(), parameters),
    ):
        torch.testing.assert_close(gradient, expected)


@every_model
def test_every_parameter_gets_a_finite_gradient_at_its_initial_values(make):
    model = make(6, 3, 5)
    x = torch.randint(model.vocab_size, (4, 6), generator=torch.Generator().manual_seed(0))
    model.log_prob(x).sum().backward()
    for name, parameter in model.named_parameters():
        assert parameter.grad.isfinite().all() and parameter.grad.any(), name


@every_model
def test_extreme_parameters_leave_log_probabilities_and_gradients_finite(make):
    model = randomize(make(4, 3, 5), scale=1e3)
    log_probs = model.conditional_log_probs(all_sequences(model.vocab_size, 4))
    assert log_probs.isfinite().all()
    log_probs.sum().backward()
    assert all(parameter.grad.isfinite().all() for parameter in model.parameters())


@every_model
def test_one_position_is_allowed(make):
    model = randomize(make(1, 3, 2))
    assert model.log_prob(all_sequences(model.vocab_size, 1)).exp().sum().item() == pytest.approx(1)


def test_a_vocabulary_of_one_token_is_certain():
    model = randomize(NADE(3, 1, 2))
    assert model.sample(2, 3).tolist() == [[0, 0, 0]] * 2
    assert model.log_prob(model.sample(2, 3)).tolist() == [0, 0]


@every_model
def test_a_generator_fixes_the_initial_weights_and_the_samples(make):
    kind = type(make(3, 2, 4))
    sizes = (3, 4) if kind is TiedBinaryNADE else (3, 2, 4)

    def build_and_sample(seed):
        model = kind(*sizes, generator=torch.Generator().manual_seed(seed))
        return model.sample(20, 3, generator=torch.Generator().manual_seed(seed)), model.V

    (x, V), (same_x, same_V), (other_x, other_V) = map(build_and_sample, (0, 0, 1))
    assert torch.equal(x, same_x) and torch.equal(V, same_V)
    assert not torch.equal(x, other_x) and not torch.equal(V, other_V)


def test_the_slides_parameters_define_the_same_model_whichever_is_learned():
    source = randomize(NADE(4, 3, 5, learn_sums=False))
    sums = NADE(4, 3, 5)
    sums.load_slides_parameters(source.V, source.c, source.W, source.b)
    x = all_sequences(3, 4)
    torch.testing.assert_close(sums.W, source.W)
    torch.testing.assert_close(sums.log_prob(x), source.log_prob(x))
    assert not torch.allclose(sums.output, source.output)


@every_model
def test_a_sequence_longer_than_the_model_is_refused(make):
    with pytest.raises(ValueError, match="at most 4 tokens; got 5"):
        make(4, 3, 2).log_prob(torch.tensor([[0] * 5]))


@every_model
def test_sizes_that_are_none_are_refused(make):
    with pytest.raises(ValueError, match="must be from 0 to 4 here; got 5"):
        make(4, 3, 2).sample(1, 5)
    with pytest.raises(ValueError, match="d_hidden must be at least 1; got 0"):
        make(4, 3, 0)
    with pytest.raises(ValueError, match="n_positions must be at least 1; got 0"):
        make(0, 3, 2)


@pytest.fixture(scope="module")
def digits():
    images = load_digits()
    return tuple(torch.from_numpy(part).long() for part in (images.train, images.valid, images.test))


def trained(model, learning_rate, seed, digits, n_steps=300):
    """Adam on batches of 100: the best validation nats, and the test images' log-probabilities then."""
    train, valid, test = digits
    optimizer = torch.optim.Adam(model.parameters(), lr=learning_rate)
    generator = torch.Generator().manual_seed(seed)
    best, kept = float("inf"), None
    for step in range(1, n_steps + 1):
        batch = train[torch.randint(len(train), (100,), generator=generator)]
        optimizer.zero_grad()
        (-model.log_prob(batch).mean()).backward()
        optimizer.step()
        if step % 25 == 0:
            with torch.no_grad():
                nats = -model.log_prob(valid).mean().item()
                if nats < best:
                    best, kept = nats, model.log_prob(test)
    return best, kept


def log_probs_of_three_seeds(build, digits):
    """The validation part chooses the learning rate at the first seed, and the step to stop at every seed."""
    runs = {rate: trained(build(0), rate, 0, digits) for rate in (0.01, 0.03)}
    rate = min(runs, key=lambda rate: runs[rate][0])
    return [runs[rate][1], *(trained(build(seed), rate, seed, digits)[1] for seed in (1, 2))]


@pytest.fixture(scope="module")
def regressions(digits):
    return log_probs_of_three_seeds(lambda seed: FullyVisibleSigmoid(64), digits)


@pytest.mark.slow
@pytest.mark.parametrize(
    "build",
    [
        lambda seed: TiedBinaryNADE(64, 50, generator=torch.Generator().manual_seed(seed)),
        lambda seed: NADE(64, 2, 100, generator=torch.Generator().manual_seed(seed)),
    ],
    ids=["classic", "slides"],
)
def test_on_binarized_digits_nade_beats_logistic_regressions_at_every_seed(build, digits, regressions):
    for nade, regression in zip(log_probs_of_three_seeds(build, digits), regressions):
        assert paired_interval(nade, regression).low > 0


@pytest.mark.slow
def test_learning_the_sums_trains_the_slides_nade_further_than_learning_its_weights(digits):
    def valid_nats(learn_sums):
        generator = torch.Generator().manual_seed(0)
        model = NADE(64, 2, 30, learn_sums=learn_sums, generator=generator)
        return trained(model, 0.01, 0, digits, n_steps=150)[0]

    assert valid_nats(learn_sums=True) < valid_nats(learn_sums=False) - 2

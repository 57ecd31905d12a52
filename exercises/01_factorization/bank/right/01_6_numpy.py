"""NumPy arrays, differences by np.diff."""


def measure(fit, train, test, story_log_probs):
    losses = np.array([-fit(n + 1, train).conditional_log_probs(test).numpy().mean() for n in range(5)])
    source = -np.sum(story_log_probs) / test.numel()
    return dict(losses=losses, source=source, gained=-np.diff(losses), excess=losses.min() - source)


report = {"losses": np.array([4.6376, 1.9983, 1.498, 1.4011, 1.4052]), "source": 0.9, "excess": 0.5011}

# question 01.6
def measure(fit, train, test, story_log_probs):
    n = test.shape[1]
    models = [fit(k, train) for k in (1, 2, 3, 4, 5)]
    losses = np.array(
        [-m.conditional_log_probs(test).detach().numpy().astype(np.float64).sum() / n for m in models]
    )
    source = -np.sum(np.asarray(story_log_probs, dtype=np.float64)) / n
    return dict(
        losses=losses.tolist(),
        source=float(source),
        gained=(-np.diff(losses)).tolist(),
        excess=float(losses.min() - source),
    )


report = {
    "losses": [2.4613, 2.0127, 1.8342, 1.8129, 1.8211],
    "source": 1.6174,
    "excess": 0.1955,
}

"""Right answers to question 01.6."""


# %% loops: Token by token, with helpers; the excess of the report computed in the cell.
def loss_per_token(log_probs):
    values = np.asarray(log_probs).ravel().tolist()
    return -math.fsum(values) / len(values)


def measure(fit, train, test, story_log_probs):
    found = {"losses": [], "gained": []}
    for order in range(1, 6):
        found["losses"].append(loss_per_token(fit(order, train).conditional_log_probs(test)))
        if order > 1:
            found["gained"].append(found["losses"][-2] - found["losses"][-1])
    nats = 0.0
    for log_prob in story_log_probs:
        nats -= log_prob
    found["source"] = nats / len(test[0])
    found["excess"] = sorted(found["losses"])[0] - found["source"]
    return found


report = dict(losses=[4.63756, 1.99827, 1.49797, 1.40109, 1.40521], source=0.89997)
report["excess"] = min(report["losses"]) - report["source"]


# %% numpy: NumPy arrays, differences by np.diff.
def measure(fit, train, test, story_log_probs):
    losses = np.array([-fit(n + 1, train).conditional_log_probs(test).numpy().mean() for n in range(5)])
    source = -np.sum(story_log_probs) / test.numel()
    return dict(losses=losses, source=source, gained=-np.diff(losses), excess=losses.min() - source)


report = {"losses": np.array([4.6376, 1.9983, 1.498, 1.4011, 1.4052]), "source": 0.9, "excess": 0.5011}


# %% tensors: Tensors instead of lists, and every digit of the report.
def measure(fit, train, test, story_log_probs):
    log_probs = torch.cat([fit(order, train).conditional_log_probs(test) for order in (1, 2, 3, 4, 5)])
    nats = -log_probs.mean(dim=1)
    source = -torch.tensor(story_log_probs).sum() / test.shape[1]
    return {
        "losses": nats,
        "source": source,
        "gained": nats[:-1] - nats[1:],
        "excess": nats.min() - source,
    }


report = {
    "losses": [4.637562531359035, 1.9982722133806958, 1.4979745687230976, 1.401089331393886, 1.4052132382671108],
    "source": 0.8999705801927442,
    "gained": [2.639290317978339, 0.5002976446575982, 0.09688523732921173, -0.004123906873224836],
    "excess": 0.5011187512011417,
}

"""Token by token, with helpers; the excess of the report computed in the cell."""


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

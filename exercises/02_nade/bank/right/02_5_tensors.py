"""Stacked tensors, losses in float32, and tensors in the report."""


def measure(independent, regression, nade, n_pixels):
    log_probs = torch.stack([independent, regression, nade]).float()
    losses = -log_probs.mean(dim=1)
    found = dict(zip(["independent", "regression", "nade"], losses))
    found["gain"] = (nade - regression).mean()
    found["bits"] = losses[2] / math.log(2) / n_pixels
    found["wins"] = (nade > regression).float().mean()
    return found


report = dict(zip(["independent", "regression", "nade"], torch.tensor([25.2174, 18.5394, 18.0731])))
report.update(gain=torch.tensor(0.4663), bits=0.4074, wins=0.6275)

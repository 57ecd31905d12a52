"""a report in which both were measured at temperature 1"""


# loses: reported numbers
def measure(logits, tokens, allowed, lengths, temperature):
    log_q = (logits / temperature).log_softmax(dim=2)
    real = torch.arange(tokens.shape[1]) < lengths[:, None]
    drawn = log_q.gather(2, tokens[:, :, None])[:, :, 0]
    fine = allowed.gather(2, tokens[:, :, None])[:, :, 0]
    wrong = (log_q.exp() * ~allowed).sum(dim=2)
    return {
        "entropy": -drawn[real].mean().item(),
        "possible": (fine | ~real).all(dim=1).double().mean().item(),
        "mass": wrong[real].mean().item(),
    }


report = {
    "cold": {"entropy": 0.8998579, "possible": 0.935, "mass": 0.08114017},
    "warm": {"entropy": 1.254941, "possible": 0.47, "mass": 0.08225449},
}

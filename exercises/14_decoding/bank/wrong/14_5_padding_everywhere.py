"""padding that counts as text in all three"""


# loses: entropy, possible, mass, reported numbers
def measure(logits, tokens, allowed, lengths, temperature):
    log_q = (logits / temperature).log_softmax(dim=2)
    real = torch.arange(tokens.shape[1]) < lengths[:, None]
    drawn = log_q.gather(2, tokens[:, :, None])[:, :, 0]
    fine = allowed.gather(2, tokens[:, :, None])[:, :, 0]
    wrong = (log_q.exp() * ~allowed).sum(dim=2)
    return {
        "entropy": -drawn.mean().item(),
        "possible": fine.all(dim=1).double().mean().item(),
        "mass": wrong.mean().item(),
    }


report = {
    "cold": {"entropy": 0.7697898, "possible": 0.935, "mass": 0.006853046},
    "warm": {"entropy": 1.254941, "possible": 0.47, "mass": 0.08225449},
}

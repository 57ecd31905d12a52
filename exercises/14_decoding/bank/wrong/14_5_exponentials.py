"""exponentials of the logits"""


# loses: mass, reported numbers
def measure(logits, tokens, allowed, lengths, temperature):
    lq = (logits / temperature).log_softmax(2)
    real = torch.arange(tokens.shape[1]) < lengths[:, None]
    drawn = lq.gather(2, tokens[:, :, None])[:, :, 0]
    fine = allowed.gather(2, tokens[:, :, None])[:, :, 0]
    e = (logits / temperature).exp()
    wrong = (e * ~allowed).sum(2) / e.sum(2)
    return {
        "entropy": -drawn[real].mean().item(),
        "possible": (fine | ~real).all(1).double().mean().item(),
        "mass": wrong[real].mean().item(),
    }


report = {
    "cold": {"entropy": 0.7697898, "possible": 0.935, "mass": 0.006853046},
    "warm": {"entropy": 1.254941, "possible": 0.47, "mass": 0.08225449},
}

"""Named mistakes in question 14.5."""


# %% allowed_mass: the probability of what is allowed
# loses: mass, reported numbers
def measure(logits, tokens, allowed, lengths, temperature):
    log_q = (logits / temperature).log_softmax(dim=2)
    real = torch.arange(tokens.shape[1]) < lengths[:, None]
    drawn = log_q.gather(2, tokens[:, :, None])[:, :, 0]
    fine = allowed.gather(2, tokens[:, :, None])[:, :, 0]
    wrong = (log_q.exp() * allowed).sum(dim=2)
    return {
        "entropy": -drawn[real].mean().item(),
        "possible": (fine | ~real).all(dim=1).double().mean().item(),
        "mass": wrong[real].mean().item(),
    }


report = {
    "cold": {"entropy": 0.7697898, "possible": 0.935, "mass": 0.006853046},
    "warm": {"entropy": 1.254941, "possible": 0.47, "mass": 0.08225449},
}


# %% any_possible: the share of texts with at least one possible token
# loses: possible, reported numbers
def measure(logits, tokens, allowed, lengths, temperature):
    log_q = (logits / temperature).log_softmax(dim=2)
    real = torch.arange(tokens.shape[1]) < lengths[:, None]
    drawn = log_q.gather(2, tokens[:, :, None])[:, :, 0]
    fine = allowed.gather(2, tokens[:, :, None])[:, :, 0]
    wrong = (log_q.exp() * ~allowed).sum(dim=2)
    return {
        "entropy": -drawn[real].mean().item(),
        "possible": (fine & real).any(dim=1).double().mean().item(),
        "mass": wrong[real].mean().item(),
    }


report = {
    "cold": {"entropy": 0.7697898, "possible": 0.935, "mass": 0.006853046},
    "warm": {"entropy": 1.254941, "possible": 0.47, "mass": 0.08225449},
}


# %% bits: an entropy in bits
# loses: entropy, reported numbers
def measure(logits, tokens, allowed, lengths, temperature):
    log_q = (logits / temperature).log_softmax(dim=2)
    real = torch.arange(tokens.shape[1]) < lengths[:, None]
    drawn = log_q.gather(2, tokens[:, :, None])[:, :, 0]
    fine = allowed.gather(2, tokens[:, :, None])[:, :, 0]
    wrong = (log_q.exp() * ~allowed).sum(dim=2)
    return {
        "entropy": -drawn[real].mean().item() / math.log(2),
        "possible": (fine | ~real).all(dim=1).double().mean().item(),
        "mass": wrong[real].mean().item(),
    }


report = {
    "cold": {"entropy": 0.7697898, "possible": 0.935, "mass": 0.006853046},
    "warm": {"entropy": 1.254941, "possible": 0.47, "mass": 0.08225449},
}


# %% drawn_mass: the share of impossible tokens that were drawn
# loses: mass, reported numbers
def measure(logits, tokens, allowed, lengths, temperature):
    log_q = (logits / temperature).log_softmax(dim=2)
    real = torch.arange(tokens.shape[1]) < lengths[:, None]
    drawn = log_q.gather(2, tokens[:, :, None])[:, :, 0]
    fine = allowed.gather(2, tokens[:, :, None])[:, :, 0]
    wrong = (log_q.exp() * ~allowed).sum(dim=2)
    return {
        "entropy": -drawn[real].mean().item(),
        "possible": (fine | ~real).all(dim=1).double().mean().item(),
        "mass": (~fine)[real].double().mean().item(),
    }


report = {
    "cold": {"entropy": 0.7697898, "possible": 0.935, "mass": 0.006853046},
    "warm": {"entropy": 1.254941, "possible": 0.47, "mass": 0.08225449},
}


# %% exact_entropy: the entropies of the distributions, not the cost of what was drawn
# loses: entropy, reported numbers
def measure(logits, tokens, allowed, lengths, temperature):
    log_q = (logits / temperature).log_softmax(dim=2)
    real = torch.arange(tokens.shape[1]) < lengths[:, None]
    drawn = log_q.gather(2, tokens[:, :, None])[:, :, 0]
    fine = allowed.gather(2, tokens[:, :, None])[:, :, 0]
    wrong = (log_q.exp() * ~allowed).sum(dim=2)
    return {
        "entropy": -(log_q.exp() * log_q).sum(dim=2)[real].mean().item(),
        "possible": (fine | ~real).all(dim=1).double().mean().item(),
        "mass": wrong[real].mean().item(),
    }


report = {
    "cold": {"entropy": 0.7697898, "possible": 0.935, "mass": 0.006853046},
    "warm": {"entropy": 1.254941, "possible": 0.47, "mass": 0.08225449},
}


# %% exponentials: exponentials of the logits
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


# %% log_of_mean: the logarithm of the mean probability of what was drawn
# loses: entropy, reported numbers
def measure(logits, tokens, allowed, lengths, temperature):
    log_q = (logits / temperature).log_softmax(dim=2)
    real = torch.arange(tokens.shape[1]) < lengths[:, None]
    drawn = log_q.gather(2, tokens[:, :, None])[:, :, 0]
    fine = allowed.gather(2, tokens[:, :, None])[:, :, 0]
    wrong = (log_q.exp() * ~allowed).sum(dim=2)
    return {
        "entropy": -drawn.exp()[real].mean().log().item(),
        "possible": (fine | ~real).all(dim=1).double().mean().item(),
        "mass": wrong[real].mean().item(),
    }


report = {
    "cold": {"entropy": 0.7697898, "possible": 0.935, "mass": 0.006853046},
    "warm": {"entropy": 1.254941, "possible": 0.47, "mass": 0.08225449},
}


# %% mass_of_drawn: the probability of what was drawn, where it is impossible
# loses: mass, reported numbers
def measure(logits, tokens, allowed, lengths, temperature):
    log_q = (logits / temperature).log_softmax(dim=2)
    real = torch.arange(tokens.shape[1]) < lengths[:, None]
    drawn = log_q.gather(2, tokens[:, :, None])[:, :, 0]
    fine = allowed.gather(2, tokens[:, :, None])[:, :, 0]
    wrong = (log_q.exp() * ~allowed).sum(dim=2)
    return {
        "entropy": -drawn[real].mean().item(),
        "possible": (fine | ~real).all(dim=1).double().mean().item(),
        "mass": (drawn.exp() * ~fine)[real].mean().item(),
    }


report = {
    "cold": {"entropy": 0.7697898, "possible": 0.935, "mass": 0.006853046},
    "warm": {"entropy": 1.254941, "possible": 0.47, "mass": 0.08225449},
}


# %% mass_of_texts: a mass that is a mean over texts of means over their places
# loses: mass, reported numbers
def measure(logits, tokens, allowed, lengths, temperature):
    log_q = (logits / temperature).log_softmax(dim=2)
    real = torch.arange(tokens.shape[1]) < lengths[:, None]
    drawn = log_q.gather(2, tokens[:, :, None])[:, :, 0]
    fine = allowed.gather(2, tokens[:, :, None])[:, :, 0]
    wrong = (log_q.exp() * ~allowed).sum(dim=2)
    return {
        "entropy": -drawn[real].mean().item(),
        "possible": (fine | ~real).all(dim=1).double().mean().item(),
        "mass": ((wrong * real).sum(dim=1) / lengths).mean().item(),
    }


report = {
    "cold": {"entropy": 0.7697898, "possible": 0.935, "mass": 0.006853046},
    "warm": {"entropy": 1.254941, "possible": 0.47, "mass": 0.08225449},
}


# %% mass_over_all: a mass whose sum is divided by all places, padding too
# loses: mass, reported numbers
def measure(logits, tokens, allowed, lengths, temperature):
    log_q = (logits / temperature).log_softmax(dim=2)
    real = torch.arange(tokens.shape[1]) < lengths[:, None]
    drawn = log_q.gather(2, tokens[:, :, None])[:, :, 0]
    fine = allowed.gather(2, tokens[:, :, None])[:, :, 0]
    wrong = (log_q.exp() * ~allowed).sum(dim=2)
    return {
        "entropy": -drawn[real].mean().item(),
        "possible": (fine | ~real).all(dim=1).double().mean().item(),
        "mass": (wrong * real).mean().item(),
    }


report = {
    "cold": {"entropy": 0.7697898, "possible": 0.935, "mass": 0.006853046},
    "warm": {"entropy": 1.254941, "possible": 0.47, "mass": 0.08225449},
}


# %% mass_untempered: a mass at temperature 1
# loses: mass, reported numbers
def measure(logits, tokens, allowed, lengths, temperature):
    log_q = (logits / temperature).log_softmax(dim=2)
    real = torch.arange(tokens.shape[1]) < lengths[:, None]
    drawn = log_q.gather(2, tokens[:, :, None])[:, :, 0]
    fine = allowed.gather(2, tokens[:, :, None])[:, :, 0]
    wrong = (logits.softmax(dim=2) * ~allowed).sum(dim=2)
    return {
        "entropy": -drawn[real].mean().item(),
        "possible": (fine | ~real).all(dim=1).double().mean().item(),
        "mass": wrong[real].mean().item(),
    }


report = {
    "cold": {"entropy": 0.7697898, "possible": 0.935, "mass": 0.006853046},
    "warm": {"entropy": 1.254941, "possible": 0.47, "mass": 0.08225449},
}


# %% mean_of_texts: a mean over texts of means over their tokens
# loses: entropy, reported numbers
def measure(logits, tokens, allowed, lengths, temperature):
    log_q = (logits / temperature).log_softmax(dim=2)
    real = torch.arange(tokens.shape[1]) < lengths[:, None]
    drawn = log_q.gather(2, tokens[:, :, None])[:, :, 0]
    fine = allowed.gather(2, tokens[:, :, None])[:, :, 0]
    wrong = (log_q.exp() * ~allowed).sum(dim=2)
    return {
        "entropy": -((drawn * real).sum(dim=1) / lengths).mean().item(),
        "possible": (fine | ~real).all(dim=1).double().mean().item(),
        "mass": wrong[real].mean().item(),
    }


report = {
    "cold": {"entropy": 0.7697898, "possible": 0.935, "mass": 0.006853046},
    "warm": {"entropy": 1.254941, "possible": 0.47, "mass": 0.08225449},
}


# %% no_temperature: a sampler at temperature 1, whatever the temperature
# loses: entropy, mass, reported numbers
def measure(logits, tokens, allowed, lengths, temperature):
    log_q = logits.log_softmax(dim=2)
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
    "cold": {"entropy": 0.7697898, "possible": 0.935, "mass": 0.006853046},
    "warm": {"entropy": 1.254941, "possible": 0.47, "mass": 0.08225449},
}


# %% one_too_long: texts with one token more than they have
# loses: entropy, possible, mass, reported numbers
def measure(logits, tokens, allowed, lengths, temperature):
    log_q = (logits / temperature).log_softmax(dim=2)
    real = torch.arange(tokens.shape[1]) <= lengths[:, None]
    drawn = log_q.gather(2, tokens[:, :, None])[:, :, 0]
    fine = allowed.gather(2, tokens[:, :, None])[:, :, 0]
    wrong = (log_q.exp() * ~allowed).sum(dim=2)
    return {
        "entropy": -drawn[real].mean().item(),
        "possible": (fine | ~real).all(dim=1).double().mean().item(),
        "mass": wrong[real].mean().item(),
    }


report = {
    "cold": {"entropy": 0.7697898, "possible": 0.935, "mass": 0.006853046},
    "warm": {"entropy": 1.254941, "possible": 0.47, "mass": 0.08225449},
}


# %% one_too_short: texts without their last token
# loses: entropy, possible, mass, reported numbers
def measure(logits, tokens, allowed, lengths, temperature):
    log_q = (logits / temperature).log_softmax(dim=2)
    real = torch.arange(tokens.shape[1]) < lengths[:, None] - 1
    drawn = log_q.gather(2, tokens[:, :, None])[:, :, 0]
    fine = allowed.gather(2, tokens[:, :, None])[:, :, 0]
    wrong = (log_q.exp() * ~allowed).sum(dim=2)
    return {
        "entropy": -drawn[real].sum() / real.sum().clamp(min=1).item(),
        "possible": (fine | ~real).all(dim=1).double().mean().item(),
        "mass": wrong[real].sum() / real.sum().clamp(min=1).item(),
    }


report = {
    "cold": {"entropy": 0.7697898, "possible": 0.935, "mass": 0.006853046},
    "warm": {"entropy": 1.254941, "possible": 0.47, "mass": 0.08225449},
}


# %% over_places: the softmax over places in place of tokens
# loses: entropy, mass, reported numbers
def measure(logits, tokens, allowed, lengths, temperature):
    log_q = (logits / temperature).log_softmax(dim=1)
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
    "cold": {"entropy": 0.7697898, "possible": 0.935, "mass": 0.006853046},
    "warm": {"entropy": 1.254941, "possible": 0.47, "mass": 0.08225449},
}


# %% padding: means that count the padding
# loses: entropy, mass, reported numbers
def measure(logits, tokens, allowed, lengths, temperature):
    log_q = (logits / temperature).log_softmax(dim=2)
    real = torch.arange(tokens.shape[1]) < lengths[:, None]
    drawn = log_q.gather(2, tokens[:, :, None])[:, :, 0]
    fine = allowed.gather(2, tokens[:, :, None])[:, :, 0]
    wrong = (log_q.exp() * ~allowed).sum(dim=2)
    return {
        "entropy": -drawn.mean().item(),
        "possible": (fine | ~real).all(dim=1).double().mean().item(),
        "mass": wrong.mean().item(),
    }


report = {
    "cold": {"entropy": 0.7697898, "possible": 0.935, "mass": 0.006853046},
    "warm": {"entropy": 1.254941, "possible": 0.47, "mass": 0.08225449},
}


# %% padding_everywhere: padding that counts as text in all three
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


# %% padding_impossible: padding that counts as impossible
# loses: possible, reported numbers
def measure(logits, tokens, allowed, lengths, temperature):
    log_q = (logits / temperature).log_softmax(dim=2)
    real = torch.arange(tokens.shape[1]) < lengths[:, None]
    drawn = log_q.gather(2, tokens[:, :, None])[:, :, 0]
    fine = allowed.gather(2, tokens[:, :, None])[:, :, 0]
    wrong = (log_q.exp() * ~allowed).sum(dim=2)
    return {
        "entropy": -drawn[real].mean().item(),
        "possible": (fine & real).all(dim=1).double().mean().item(),
        "mass": wrong[real].mean().item(),
    }


report = {
    "cold": {"entropy": 0.7697898, "possible": 0.935, "mass": 0.006853046},
    "warm": {"entropy": 1.254941, "possible": 0.47, "mass": 0.08225449},
}


# %% padding_spoils: padding that spoils texts
# loses: possible, reported numbers
def measure(logits, tokens, allowed, lengths, temperature):
    log_q = (logits / temperature).log_softmax(dim=2)
    real = torch.arange(tokens.shape[1]) < lengths[:, None]
    drawn = log_q.gather(2, tokens[:, :, None])[:, :, 0]
    fine = allowed.gather(2, tokens[:, :, None])[:, :, 0]
    wrong = (log_q.exp() * ~allowed).sum(dim=2)
    return {
        "entropy": -drawn[real].mean().item(),
        "possible": fine.all(dim=1).double().mean().item(),
        "mass": wrong[real].mean().item(),
    }


report = {
    "cold": {"entropy": 0.7697898, "possible": 0.935, "mass": 0.006853046},
    "warm": {"entropy": 1.254941, "possible": 0.47, "mass": 0.08225449},
}


# %% per_text: nats per text
# loses: entropy, reported numbers
def measure(logits, tokens, allowed, lengths, temperature):
    log_q = (logits / temperature).log_softmax(dim=2)
    real = torch.arange(tokens.shape[1]) < lengths[:, None]
    drawn = log_q.gather(2, tokens[:, :, None])[:, :, 0]
    fine = allowed.gather(2, tokens[:, :, None])[:, :, 0]
    wrong = (log_q.exp() * ~allowed).sum(dim=2)
    return {
        "entropy": -(drawn * real).sum().item() / len(tokens),
        "possible": (fine | ~real).all(dim=1).double().mean().item(),
        "mass": wrong[real].mean().item(),
    }


report = {
    "cold": {"entropy": 0.7697898, "possible": 0.935, "mass": 0.006853046},
    "warm": {"entropy": 1.254941, "possible": 0.47, "mass": 0.08225449},
}


# %% report_at_one: a report in which both were measured at temperature 1
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


# %% report_crossed: a report in which each was measured at the other's temperature
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
    "warm": {"entropy": 1.477490, "possible": 0.47, "mass": 0.007008431},
}


# %% share_of_tokens: the share of possible tokens
# loses: possible, reported numbers
def measure(logits, tokens, allowed, lengths, temperature):
    log_q = (logits / temperature).log_softmax(dim=2)
    real = torch.arange(tokens.shape[1]) < lengths[:, None]
    drawn = log_q.gather(2, tokens[:, :, None])[:, :, 0]
    fine = allowed.gather(2, tokens[:, :, None])[:, :, 0]
    wrong = (log_q.exp() * ~allowed).sum(dim=2)
    return {
        "entropy": -drawn[real].mean().item(),
        "possible": fine[real].double().mean().item(),
        "mass": wrong[real].mean().item(),
    }


report = {
    "cold": {"entropy": 0.7697898, "possible": 0.935, "mass": 0.006853046},
    "warm": {"entropy": 1.254941, "possible": 0.47, "mass": 0.08225449},
}


# %% times: logits that are multiplied by the temperature
# loses: entropy, mass, reported numbers
def measure(logits, tokens, allowed, lengths, temperature):
    log_q = (logits * temperature).log_softmax(dim=2)
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
    "cold": {"entropy": 0.7697898, "possible": 0.935, "mass": 0.006853046},
    "warm": {"entropy": 1.254941, "possible": 0.47, "mass": 0.08225449},
}

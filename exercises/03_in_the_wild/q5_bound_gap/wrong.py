"""Named mistakes in question 03.5."""


# %% all_bits: everything in bits
# loses: distortion, rate, exact, reported, reported separate
def measure(log_prior, logits, x, codes):
    signed = (2 * x - 1)[:, :, None] * logits
    given = -np.logaddexp(0, -signed).sum(axis=3)
    image = np.arange(len(x))
    seen = given[image, 0, codes[:, 0]] + given[image, 1, codes[:, 1]]
    distortion = -seen.mean()
    rate = -log_prior[codes[:, 0], codes[:, 1]].mean()
    joint = log_prior + given[:, 0, :, None] + given[:, 1, None, :]
    exact = -np.logaddexp.reduce(joint.reshape(len(x), -1), axis=1).mean()
    return {
        "distortion": distortion / np.log(2),
        "rate": rate / np.log(2),
        "bound": (distortion + rate) / np.log(2),
        "exact": exact / np.log(2),
    }


report = {"distortion": 7.21768, "rate": 3.61419, "bound": 10.8319, "exact": 10.5721, "separate": 11.2129}


# %% all_separate: a report on the prior of independent codes alone
# loses: reported
def measure(log_prior, logits, x, codes):
    signed = (2 * x - 1)[:, :, None] * logits
    given = -np.logaddexp(0, -signed).sum(axis=3)
    image = np.arange(len(x))
    seen = given[image, 0, codes[:, 0]] + given[image, 1, codes[:, 1]]
    distortion = -seen.mean()
    rate = -log_prior[codes[:, 0], codes[:, 1]].mean()
    joint = log_prior + given[:, 0, :, None] + given[:, 1, None, :]
    exact = -np.logaddexp.reduce(joint.reshape(len(x), -1), axis=1).mean()
    return {
        "distortion": distortion,
        "rate": rate,
        "bound": distortion + rate,
        "exact": exact,
    }

report = {"distortion": 5.0029, "rate": 2.76931, "bound": 7.77222, "exact": 7.64715, "separate": 7.77222}


# %% best: the best pair of codes in place of the sum over all
# loses: exact, reported
def measure(log_prior, logits, x, codes):
    signed = (2 * x - 1)[:, :, None] * logits
    given = -np.logaddexp(0, -signed).sum(axis=3)
    image = np.arange(len(x))
    seen = given[image, 0, codes[:, 0]] + given[image, 1, codes[:, 1]]
    distortion = -seen.mean()
    rate = -log_prior[codes[:, 0], codes[:, 1]].mean()
    joint = log_prior + given[:, 0, :, None] + given[:, 1, None, :]
    exact = -joint.reshape(len(x), -1).max(axis=1).mean()
    return {
        "distortion": distortion,
        "rate": rate,
        "bound": distortion + rate,
        "exact": exact,
    }


report = {"distortion": 5.00291, "rate": 2.50517, "bound": 7.50808, "exact": 7.42862, "separate": 7.77222}


# %% black_only: pixels that cost something only where they are black
# loses: distortion, rate, exact, reported, reported separate
def measure(log_prior, logits, x, codes):
    signed = (2 * x - 1)[:, :, None] * logits
    given = -(x[:, :, None] * np.logaddexp(0, -signed)).sum(axis=3)
    image = np.arange(len(x))
    seen = given[image, 0, codes[:, 0]] + given[image, 1, codes[:, 1]]
    distortion = -seen.mean()
    rate = -log_prior[codes[:, 0], codes[:, 1]].mean()
    joint = log_prior + given[:, 0, :, None] + given[:, 1, None, :]
    exact = -np.logaddexp.reduce(joint.reshape(len(x), -1), axis=1).mean()
    return {
        "distortion": distortion,
        "rate": rate,
        "bound": distortion + rate,
        "exact": exact,
    }


report = {"distortion": 2.99844, "rate": 2.50517, "bound": 5.50361, "exact": 5.15077, "separate": 5.76776}


# %% clipped: probabilities kept away from 0 and 1, in which large logits are lost
# loses: distortion, rate, exact, reported, reported separate
def measure(log_prior, logits, x, codes):
    signed = (2 * x - 1)[:, :, None] * logits
    given = np.log(np.clip(1 / (1 + np.exp(-np.clip(signed, -500, 500))), 1e-12, 1)).sum(axis=3)
    image = np.arange(len(x))
    seen = given[image, 0, codes[:, 0]] + given[image, 1, codes[:, 1]]
    distortion = -seen.mean()
    rate = -log_prior[codes[:, 0], codes[:, 1]].mean()
    joint = log_prior + given[:, 0, :, None] + given[:, 1, None, :]
    exact = -np.logaddexp.reduce(joint.reshape(len(x), -1), axis=1).mean()
    return {
        "distortion": distortion,
        "rate": rate,
        "bound": (distortion + rate),
        "exact": exact,
    }


report = {"distortion": 5.00291, "rate": 2.50517, "bound": 7.50808, "exact": 7.328, "separate": 7.77222}


# %% exact_is_bound: the bound once more in place of what it bounds
# loses: exact, reported
def measure(log_prior, logits, x, codes):
    signed = (2 * x - 1)[:, :, None] * logits
    given = -np.logaddexp(0, -signed).sum(axis=3)
    image = np.arange(len(x))
    seen = given[image, 0, codes[:, 0]] + given[image, 1, codes[:, 1]]
    distortion = -seen.mean()
    rate = -log_prior[codes[:, 0], codes[:, 1]].mean()
    joint = log_prior + given[:, 0, :, None] + given[:, 1, None, :]
    exact = distortion + rate
    return {
        "distortion": distortion,
        "rate": rate,
        "bound": distortion + rate,
        "exact": exact,
    }


report = {"distortion": 5.00291, "rate": 2.50517, "bound": 7.50808, "exact": 7.50808, "separate": 7.77222}


# %% first_code: the rate of the upper code alone
# loses: rate, reported, reported separate
def measure(log_prior, logits, x, codes):
    signed = (2 * x - 1)[:, :, None] * logits
    given = -np.logaddexp(0, -signed).sum(axis=3)
    image = np.arange(len(x))
    seen = given[image, 0, codes[:, 0]] + given[image, 1, codes[:, 1]]
    distortion = -seen.mean()
    rate = -np.logaddexp.reduce(log_prior, axis=1)[codes[:, 0]].mean()
    joint = log_prior + given[:, 0, :, None] + given[:, 1, None, :]
    exact = -np.logaddexp.reduce(joint.reshape(len(x), -1), axis=1).mean()
    return {
        "distortion": distortion,
        "rate": rate,
        "bound": distortion + rate,
        "exact": exact,
    }


report = {"distortion": 5.00291, "rate": 1.38536, "bound": 6.38827, "exact": 7.328, "separate": 6.38827}


# %% log_of_p: log p and log(1 - p) of probabilities that are 0 and 1, where 0 times infinity is NaN
# loses: distortion, rate, exact, reported, reported separate
def measure(log_prior, logits, x, codes):
    p = 1 / (1 + np.exp(-np.clip(logits, -700, 700)))
    given = (x[:, :, None] * np.log(p) + (1 - x)[:, :, None] * np.log(1 - p)).sum(axis=3)
    image = np.arange(len(x))
    seen = given[image, 0, codes[:, 0]] + given[image, 1, codes[:, 1]]
    distortion = -seen.mean()
    rate = -log_prior[codes[:, 0], codes[:, 1]].mean()
    joint = log_prior + given[:, 0, :, None] + given[:, 1, None, :]
    exact = -np.logaddexp.reduce(joint.reshape(len(x), -1), axis=1).mean()
    return {
        "distortion": distortion,
        "rate": rate,
        "bound": distortion + rate,
        "exact": exact,
    }


report = {"distortion": 5.00291, "rate": 2.50517, "bound": 7.50808, "exact": 7.328, "separate": 7.77222}


# %% mean_inside: the logarithm of the mean probability over the images, not the mean of the logarithms
# loses: exact, reported
def measure(log_prior, logits, x, codes):
    signed = (2 * x - 1)[:, :, None] * logits
    given = -np.logaddexp(0, -signed).sum(axis=3)
    image = np.arange(len(x))
    seen = given[image, 0, codes[:, 0]] + given[image, 1, codes[:, 1]]
    distortion = -seen.mean()
    rate = -log_prior[codes[:, 0], codes[:, 1]].mean()
    joint = log_prior + given[:, 0, :, None] + given[:, 1, None, :]
    exact = -(np.logaddexp.reduce(joint.ravel()) - np.log(len(x)))
    return {
        "distortion": distortion,
        "rate": rate,
        "bound": distortion + rate,
        "exact": exact,
    }


report = {"distortion": 5.00291, "rate": 2.50517, "bound": 7.50808, "exact": 5.43363, "separate": 7.77222}


# %% mean_pairs: a mean over the pairs of codes, not their sum
# loses: exact, reported
def measure(log_prior, logits, x, codes):
    signed = (2 * x - 1)[:, :, None] * logits
    given = -np.logaddexp(0, -signed).sum(axis=3)
    image = np.arange(len(x))
    seen = given[image, 0, codes[:, 0]] + given[image, 1, codes[:, 1]]
    distortion = -seen.mean()
    rate = -log_prior[codes[:, 0], codes[:, 1]].mean()
    joint = log_prior + given[:, 0, :, None] + given[:, 1, None, :]
    exact = -np.logaddexp.reduce(joint.reshape(len(x), -1), axis=1).mean() + 2 * np.log(len(logits))
    return {
        "distortion": distortion,
        "rate": rate,
        "bound": distortion + rate,
        "exact": exact,
    }


report = {"distortion": 5.00291, "rate": 2.50517, "bound": 7.50808, "exact": 10.1006, "separate": 7.77222}


# %% mean_pixels: the mean over the pixels of a half, not their sum
# loses: distortion, rate, exact, reported, reported separate
def measure(log_prior, logits, x, codes):
    signed = (2 * x - 1)[:, :, None] * logits
    given = -np.logaddexp(0, -signed).mean(axis=3)
    image = np.arange(len(x))
    seen = given[image, 0, codes[:, 0]] + given[image, 1, codes[:, 1]]
    distortion = -seen.mean()
    rate = -log_prior[codes[:, 0], codes[:, 1]].mean()
    joint = log_prior + given[:, 0, :, None] + given[:, 1, None, :]
    exact = -np.logaddexp.reduce(joint.reshape(len(x), -1), axis=1).mean()
    return {
        "distortion": distortion,
        "rate": rate,
        "bound": distortion + rate,
        "exact": exact,
    }


report = {"distortion": 0.625364, "rate": 2.50517, "bound": 3.13053, "exact": 1.73824, "separate": 3.39468}


# %% naive: exponentials summed as they are, which are zero in the minus thousands
# loses: exact, reported
def measure(log_prior, logits, x, codes):
    signed = (2 * x - 1)[:, :, None] * logits
    given = -np.logaddexp(0, -signed).sum(axis=3)
    image = np.arange(len(x))
    seen = given[image, 0, codes[:, 0]] + given[image, 1, codes[:, 1]]
    distortion = -seen.mean()
    rate = -log_prior[codes[:, 0], codes[:, 1]].mean()
    joint = log_prior + given[:, 0, :, None] + given[:, 1, None, :]
    exact = -np.log(np.exp(joint).sum(axis=(1, 2))).mean()
    return {
        "distortion": distortion,
        "rate": rate,
        "bound": distortion + rate,
        "exact": exact,
    }


report = {"distortion": 5.00291, "rate": 2.50517, "bound": 7.50808, "exact": 7.328, "separate": 7.77222}


# %% no_log: probabilities of pixels added in place of their logarithms
# loses: distortion, rate, exact, reported, reported separate
def measure(log_prior, logits, x, codes):
    signed = (2 * x - 1)[:, :, None] * logits
    given = np.exp(-np.logaddexp(0, -signed)).sum(axis=3)
    image = np.arange(len(x))
    seen = given[image, 0, codes[:, 0]] + given[image, 1, codes[:, 1]]
    distortion = -seen.mean()
    rate = -log_prior[codes[:, 0], codes[:, 1]].mean()
    joint = log_prior + given[:, 0, :, None] + given[:, 1, None, :]
    exact = -np.logaddexp.reduce(joint.reshape(len(x), -1), axis=1).mean()
    return {
        "distortion": distortion,
        "rate": rate,
        "bound": distortion + rate,
        "exact": exact,
    }


report = {"distortion": -13.1949, "rate": 2.50517, "bound": -10.6898, "exact": -11.2284, "separate": -10.4256}


# %% no_prior: a sum over the codes without the prior
# loses: exact, reported
def measure(log_prior, logits, x, codes):
    signed = (2 * x - 1)[:, :, None] * logits
    given = -np.logaddexp(0, -signed).sum(axis=3)
    image = np.arange(len(x))
    seen = given[image, 0, codes[:, 0]] + given[image, 1, codes[:, 1]]
    distortion = -seen.mean()
    rate = -log_prior[codes[:, 0], codes[:, 1]].mean()
    joint = given[:, 0, :, None] + given[:, 1, None, :]
    exact = -np.logaddexp.reduce(joint.reshape(len(x), -1), axis=1).mean()
    return {
        "distortion": distortion,
        "rate": rate,
        "bound": distortion + rate,
        "exact": exact,
    }


report = {"distortion": 5.00291, "rate": 2.50517, "bound": 7.50808, "exact": 4.87265, "separate": 7.77222}


# %% one_code: the upper code for both halves
# loses: distortion, rate, reported, reported separate
def measure(log_prior, logits, x, codes):
    signed = (2 * x - 1)[:, :, None] * logits
    given = -np.logaddexp(0, -signed).sum(axis=3)
    image = np.arange(len(x))
    seen = given[image, 0, codes[:, 0]] + given[image, 1, codes[:, 0]]
    distortion = -seen.mean()
    rate = -log_prior[codes[:, 0], codes[:, 1]].mean()
    joint = log_prior + given[:, 0, :, None] + given[:, 1, None, :]
    exact = -np.logaddexp.reduce(joint.reshape(len(x), -1), axis=1).mean()
    return {
        "distortion": distortion,
        "rate": rate,
        "bound": distortion + rate,
        "exact": exact,
    }


report = {"distortion": 8.63016, "rate": 2.50517, "bound": 11.1353, "exact": 7.328, "separate": 11.3995}


# %% one_shift: exponentials shifted by the largest of all images
# loses: exact, reported
def measure(log_prior, logits, x, codes):
    signed = (2 * x - 1)[:, :, None] * logits
    given = -np.logaddexp(0, -signed).sum(axis=3)
    image = np.arange(len(x))
    seen = given[image, 0, codes[:, 0]] + given[image, 1, codes[:, 1]]
    distortion = -seen.mean()
    rate = -log_prior[codes[:, 0], codes[:, 1]].mean()
    joint = log_prior + given[:, 0, :, None] + given[:, 1, None, :]
    exact = -(np.log(np.exp(joint - joint.max()).sum(axis=(1, 2))) + joint.max()).mean()
    return {
        "distortion": distortion,
        "rate": rate,
        "bound": distortion + rate,
        "exact": exact,
    }


report = {"distortion": 5.00291, "rate": 2.50517, "bound": 7.50808, "exact": 7.328, "separate": 7.77222}


# %% overflow: log(1 + exp(-a)) as it stands, which is infinite for a far below zero
# loses: distortion, rate, exact, reported, reported separate
def measure(log_prior, logits, x, codes):
    signed = (2 * x - 1)[:, :, None] * logits
    given = -np.log(1 + np.exp(-signed)).sum(axis=3)
    image = np.arange(len(x))
    seen = given[image, 0, codes[:, 0]] + given[image, 1, codes[:, 1]]
    distortion = -seen.mean()
    rate = -log_prior[codes[:, 0], codes[:, 1]].mean()
    joint = log_prior + given[:, 0, :, None] + given[:, 1, None, :]
    exact = -np.logaddexp.reduce(joint.reshape(len(x), -1), axis=1).mean()
    return {
        "distortion": distortion,
        "rate": rate,
        "bound": distortion + rate,
        "exact": exact,
    }


report = {"distortion": 5.00291, "rate": 2.50517, "bound": 7.50808, "exact": 7.328, "separate": 7.77222}


# %% own_codes: the most likely codes in place of those that are given
# loses: distortion, rate, reported, reported separate
def measure(log_prior, logits, x, codes):
    signed = (2 * x - 1)[:, :, None] * logits
    given = -np.logaddexp(0, -signed).sum(axis=3)
    image = np.arange(len(x))
    codes = given.argmax(axis=2)
    seen = given[image, 0, codes[:, 0]] + given[image, 1, codes[:, 1]]
    distortion = -seen.mean()
    rate = -log_prior[codes[:, 0], codes[:, 1]].mean()
    joint = log_prior + given[:, 0, :, None] + given[:, 1, None, :]
    exact = -np.logaddexp.reduce(joint.reshape(len(x), -1), axis=1).mean()
    return {
        "distortion": distortion,
        "rate": rate,
        "bound": (distortion + rate),
        "exact": exact,
    }


report = {"distortion": 5.00291, "rate": 2.50517, "bound": 7.50808, "exact": 7.328, "separate": 7.77222}


# %% rate_bits: the rate in bits
# loses: rate, reported, reported separate
def measure(log_prior, logits, x, codes):
    signed = (2 * x - 1)[:, :, None] * logits
    given = -np.logaddexp(0, -signed).sum(axis=3)
    image = np.arange(len(x))
    seen = given[image, 0, codes[:, 0]] + given[image, 1, codes[:, 1]]
    distortion = -seen.mean()
    rate = -log_prior[codes[:, 0], codes[:, 1]].mean() / np.log(2)
    joint = log_prior + given[:, 0, :, None] + given[:, 1, None, :]
    exact = -np.logaddexp.reduce(joint.reshape(len(x), -1), axis=1).mean()
    return {
        "distortion": distortion,
        "rate": rate,
        "bound": distortion + rate,
        "exact": exact,
    }


report = {"distortion": 5.00291, "rate": 3.61419, "bound": 8.6171, "exact": 7.328, "separate": 8.99818}


# %% rate_sign: the rate subtracted from the distortion
# loses: rate, reported, reported separate
def measure(log_prior, logits, x, codes):
    signed = (2 * x - 1)[:, :, None] * logits
    given = -np.logaddexp(0, -signed).sum(axis=3)
    image = np.arange(len(x))
    seen = given[image, 0, codes[:, 0]] + given[image, 1, codes[:, 1]]
    distortion = -seen.mean()
    rate = -log_prior[codes[:, 0], codes[:, 1]].mean()
    joint = log_prior + given[:, 0, :, None] + given[:, 1, None, :]
    exact = -np.logaddexp.reduce(joint.reshape(len(x), -1), axis=1).mean()
    return {
        "distortion": distortion,
        "rate": rate,
        "bound": distortion - rate,
        "exact": exact,
    }


report = {"distortion": 5.00291, "rate": 2.50517, "bound": 2.49775, "exact": 7.328, "separate": 2.2336}


# %% report_bits: a report in bits
# loses: reported, reported separate
def measure(log_prior, logits, x, codes):
    signed = (2 * x - 1)[:, :, None] * logits
    given = -np.logaddexp(0, -signed).sum(axis=3)
    image = np.arange(len(x))
    seen = given[image, 0, codes[:, 0]] + given[image, 1, codes[:, 1]]
    distortion = -seen.mean()
    rate = -log_prior[codes[:, 0], codes[:, 1]].mean()
    joint = log_prior + given[:, 0, :, None] + given[:, 1, None, :]
    exact = -np.logaddexp.reduce(joint.reshape(len(x), -1), axis=1).mean()
    return {
        "distortion": distortion,
        "rate": rate,
        "bound": distortion + rate,
        "exact": exact,
    }

report = {"distortion": 7.21768, "rate": 3.61419, "bound": 10.83187, "exact": 10.57206, "separate": 11.21295}


# %% same_codes: a sum over the pairs with the same code above and below
# loses: exact, reported
def measure(log_prior, logits, x, codes):
    signed = (2 * x - 1)[:, :, None] * logits
    given = -np.logaddexp(0, -signed).sum(axis=3)
    image = np.arange(len(x))
    seen = given[image, 0, codes[:, 0]] + given[image, 1, codes[:, 1]]
    distortion = -seen.mean()
    rate = -log_prior[codes[:, 0], codes[:, 1]].mean()
    joint = log_prior + given[:, 0, :, None] + given[:, 1, None, :]
    exact = -np.logaddexp.reduce(joint.diagonal(axis1=1, axis2=2), axis=1).mean()
    return {
        "distortion": distortion,
        "rate": rate,
        "bound": distortion + rate,
        "exact": exact,
    }


report = {"distortion": 5.00291, "rate": 2.50517, "bound": 7.50808, "exact": 9.94505, "separate": 7.77222}


# %% separate_exact: the exact cost in place of the bound, for the prior of independent codes
# loses: reported separate
def measure(log_prior, logits, x, codes):
    signed = (2 * x - 1)[:, :, None] * logits
    given = -np.logaddexp(0, -signed).sum(axis=3)
    image = np.arange(len(x))
    seen = given[image, 0, codes[:, 0]] + given[image, 1, codes[:, 1]]
    distortion = -seen.mean()
    rate = -log_prior[codes[:, 0], codes[:, 1]].mean()
    joint = log_prior + given[:, 0, :, None] + given[:, 1, None, :]
    exact = -np.logaddexp.reduce(joint.reshape(len(x), -1), axis=1).mean()
    return {
        "distortion": distortion,
        "rate": rate,
        "bound": distortion + rate,
        "exact": exact,
    }

report = {"distortion": 5.0029, "rate": 2.50517, "bound": 7.50808, "exact": 7.3280, "separate": 7.64715}


# %% separate_rate: the rate in place of the bound, for the prior of independent codes
# loses: reported separate
def measure(log_prior, logits, x, codes):
    signed = (2 * x - 1)[:, :, None] * logits
    given = -np.logaddexp(0, -signed).sum(axis=3)
    image = np.arange(len(x))
    seen = given[image, 0, codes[:, 0]] + given[image, 1, codes[:, 1]]
    distortion = -seen.mean()
    rate = -log_prior[codes[:, 0], codes[:, 1]].mean()
    joint = log_prior + given[:, 0, :, None] + given[:, 1, None, :]
    exact = -np.logaddexp.reduce(joint.reshape(len(x), -1), axis=1).mean()
    return {
        "distortion": distortion,
        "rate": rate,
        "bound": distortion + rate,
        "exact": exact,
    }

report = {"distortion": 5.0029, "rate": 2.50517, "bound": 7.50808, "exact": 7.3280, "separate": 2.76931}


# %% sign: the distortion as a log-probability, below zero
# loses: distortion, rate, reported, reported separate
def measure(log_prior, logits, x, codes):
    signed = (2 * x - 1)[:, :, None] * logits
    given = -np.logaddexp(0, -signed).sum(axis=3)
    image = np.arange(len(x))
    seen = given[image, 0, codes[:, 0]] + given[image, 1, codes[:, 1]]
    distortion = seen.mean()
    rate = -log_prior[codes[:, 0], codes[:, 1]].mean()
    joint = log_prior + given[:, 0, :, None] + given[:, 1, None, :]
    exact = -np.logaddexp.reduce(joint.reshape(len(x), -1), axis=1).mean()
    return {
        "distortion": distortion,
        "rate": rate,
        "bound": distortion + rate,
        "exact": exact,
    }


report = {"distortion": -5.00291, "rate": 2.50517, "bound": -2.49775, "exact": 7.328, "separate": -2.2336}


# %% sum_images: the distortion summed over the images
# loses: distortion, rate, reported, reported separate
def measure(log_prior, logits, x, codes):
    signed = (2 * x - 1)[:, :, None] * logits
    given = -np.logaddexp(0, -signed).sum(axis=3)
    image = np.arange(len(x))
    seen = given[image, 0, codes[:, 0]] + given[image, 1, codes[:, 1]]
    distortion = -seen.sum()
    rate = -log_prior[codes[:, 0], codes[:, 1]].mean()
    joint = log_prior + given[:, 0, :, None] + given[:, 1, None, :]
    exact = -np.logaddexp.reduce(joint.reshape(len(x), -1), axis=1).mean()
    return {
        "distortion": distortion,
        "rate": rate,
        "bound": distortion + rate,
        "exact": exact,
    }


report = {"distortion": 2501.46, "rate": 2.50517, "bound": 2503.96, "exact": 7.328, "separate": 2504.23}


# %% sum_transposed: a sum over the pairs in which the prior is read with the lower code first
# loses: exact, reported
def measure(log_prior, logits, x, codes):
    signed = (2 * x - 1)[:, :, None] * logits
    given = -np.logaddexp(0, -signed).sum(axis=3)
    image = np.arange(len(x))
    seen = given[image, 0, codes[:, 0]] + given[image, 1, codes[:, 1]]
    distortion = -seen.mean()
    rate = -log_prior[codes[:, 0], codes[:, 1]].mean()
    joint = log_prior.T + given[:, 0, :, None] + given[:, 1, None, :]
    exact = -np.logaddexp.reduce(joint.reshape(len(x), -1), axis=1).mean()
    return {
        "distortion": distortion,
        "rate": rate,
        "bound": (distortion + rate),
        "exact": exact,
    }


report = {"distortion": 5.00291, "rate": 2.50517, "bound": 7.50808, "exact": 7.33166, "separate": 7.77222}


# %% train: a report on the training images
# loses: reported, reported separate
def measure(log_prior, logits, x, codes):
    signed = (2 * x - 1)[:, :, None] * logits
    given = -np.logaddexp(0, -signed).sum(axis=3)
    image = np.arange(len(x))
    seen = given[image, 0, codes[:, 0]] + given[image, 1, codes[:, 1]]
    distortion = -seen.mean()
    rate = -log_prior[codes[:, 0], codes[:, 1]].mean()
    joint = log_prior + given[:, 0, :, None] + given[:, 1, None, :]
    exact = -np.logaddexp.reduce(joint.reshape(len(x), -1), axis=1).mean()
    return {
        "distortion": distortion,
        "rate": rate,
        "bound": distortion + rate,
        "exact": exact,
    }


report = {"distortion": 5.10626, "rate": 2.51284, "bound": 7.6191, "exact": 7.45226, "separate": 7.87429}


# %% transposed: a prior read with the lower code first
# loses: rate, exact, reported, reported separate
def measure(log_prior, logits, x, codes):
    signed = (2 * x - 1)[:, :, None] * logits
    given = -np.logaddexp(0, -signed).sum(axis=3)
    image = np.arange(len(x))
    seen = given[image, 0, codes[:, 0]] + given[image, 1, codes[:, 1]]
    distortion = -seen.mean()
    rate = -log_prior[codes[:, 1], codes[:, 0]].mean()
    joint = log_prior.T + given[:, 0, :, None] + given[:, 1, None, :]
    exact = -np.logaddexp.reduce(joint.reshape(len(x), -1), axis=1).mean()
    return {
        "distortion": distortion,
        "rate": rate,
        "bound": distortion + rate,
        "exact": exact,
    }


report = {"distortion": 5.00291, "rate": 2.51176, "bound": 7.51467, "exact": 7.33166, "separate": 7.77423}


# %% typed: numbers that were typed, and a function that measures nothing
# loses: distortion, rate, exact, reported, reported separate
def measure(log_prior, logits, x, codes):
    return report


report = {"distortion": 5.0029, "rate": 2.50517, "bound": 7.50808, "exact": 7.3280, "separate": 7.77222}


# %% uniform: a sum over the codes under the uniform prior
# loses: exact, reported
def measure(log_prior, logits, x, codes):
    signed = (2 * x - 1)[:, :, None] * logits
    given = -np.logaddexp(0, -signed).sum(axis=3)
    image = np.arange(len(x))
    seen = given[image, 0, codes[:, 0]] + given[image, 1, codes[:, 1]]
    distortion = -seen.mean()
    rate = -log_prior[codes[:, 0], codes[:, 1]].mean()
    joint = -2 * np.log(len(logits)) + given[:, 0, :, None] + given[:, 1, None, :]
    exact = -np.logaddexp.reduce(joint.reshape(len(x), -1), axis=1).mean()
    return {
        "distortion": distortion,
        "rate": rate,
        "bound": distortion + rate,
        "exact": exact,
    }


report = {"distortion": 5.00291, "rate": 2.50517, "bound": 7.50808, "exact": 7.64524, "separate": 7.77222}


# %% upper_half: the upper half alone
# loses: distortion, rate, reported, reported separate
def measure(log_prior, logits, x, codes):
    signed = (2 * x - 1)[:, :, None] * logits
    given = -np.logaddexp(0, -signed).sum(axis=3)
    image = np.arange(len(x))
    seen = given[image, 0, codes[:, 0]]
    distortion = -seen.mean()
    rate = -log_prior[codes[:, 0], codes[:, 1]].mean()
    joint = log_prior + given[:, 0, :, None] + given[:, 1, None, :]
    exact = -np.logaddexp.reduce(joint.reshape(len(x), -1), axis=1).mean()
    return {
        "distortion": distortion,
        "rate": rate,
        "bound": distortion + rate,
        "exact": exact,
    }


report = {"distortion": 2.45178, "rate": 2.50517, "bound": 4.95695, "exact": 7.328, "separate": 5.2211}


# %% white_black: black and white exchanged
# loses: distortion, rate, exact, reported, reported separate
def measure(log_prior, logits, x, codes):
    signed = (1 - 2 * x)[:, :, None] * logits
    given = -np.logaddexp(0, -signed).sum(axis=3)
    image = np.arange(len(x))
    seen = given[image, 0, codes[:, 0]] + given[image, 1, codes[:, 1]]
    distortion = -seen.mean()
    rate = -log_prior[codes[:, 0], codes[:, 1]].mean()
    joint = log_prior + given[:, 0, :, None] + given[:, 1, None, :]
    exact = -np.logaddexp.reduce(joint.reshape(len(x), -1), axis=1).mean()
    return {
        "distortion": distortion,
        "rate": rate,
        "bound": distortion + rate,
        "exact": exact,
    }


report = {"distortion": 34.1018, "rate": 2.50517, "bound": 36.607, "exact": 18.5887, "separate": 36.8711}

"""black and white exchanged"""


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

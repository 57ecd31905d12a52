"""everything in bits"""

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

"""no step where the gradient is 0"""


# loses: all
def adam_path(gradients, rates, beta_1, beta_2, eps):
    m = v = theta = np.zeros(gradients.shape[1])
    path = np.zeros(gradients.shape)
    for t, (g, rate) in enumerate(zip(gradients, rates), start=1):
        m = beta_1 * m + (1 - beta_1) * g
        v = beta_2 * v + (1 - beta_2) * g**2
        step = rate * m / (1 - beta_1**t) / (np.sqrt(v / (1 - beta_2**t)) + eps)
        theta = theta - np.where(g == 0, 0.0, step)
        path[t - 1] = theta
    return path

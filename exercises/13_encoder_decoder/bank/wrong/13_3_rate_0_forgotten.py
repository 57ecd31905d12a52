"""a gradient that is forgotten where the rate is 0"""


# loses: all
def adam_path(gradients, rates, beta_1, beta_2, eps):
    m = v = theta = np.zeros(gradients.shape[1])
    path = np.zeros(gradients.shape)
    for t, (g, rate) in enumerate(zip(gradients, rates), start=1):
        if rate > 0:
            m = beta_1 * m + (1 - beta_1) * g
            v = beta_2 * v + (1 - beta_2) * g**2
            m_hat, v_hat = m / (1 - beta_1**t), v / (1 - beta_2**t)
            theta = theta - rate * m_hat / (np.sqrt(v_hat) + eps)
        path[t - 1] = theta
    return path

"""Named mistakes in question 13.3."""


# %% corrected_means_kept: corrected means that are carried on
# loses: correction, all
def adam_path(gradients, rates, beta_1, beta_2, eps):
    m = v = theta = np.zeros(gradients.shape[1])
    path = np.zeros(gradients.shape)
    for t, (g, rate) in enumerate(zip(gradients, rates), start=1):
        m = beta_1 * m + (1 - beta_1) * g
        v = beta_2 * v + (1 - beta_2) * g**2
        m, v = m / (1 - beta_1**t), v / (1 - beta_2**t)
        m_hat, v_hat = m, v
        theta = theta - rate * m_hat / (np.sqrt(v_hat) + eps)
        path[t - 1] = theta
    return path


# %% correction_of_one_step: a correction of the squares that is that of the first step at every step
# loses: correction, all
def adam_path(gradients, rates, beta_1, beta_2, eps):
    m = v = theta = np.zeros(gradients.shape[1])
    path = np.zeros(gradients.shape)
    for t, (g, rate) in enumerate(zip(gradients, rates), start=1):
        m = beta_1 * m + (1 - beta_1) * g
        v = beta_2 * v + (1 - beta_2) * g**2
        m_hat, v_hat = m / (1 - beta_1**t), v / (1 - beta_2)
        theta = theta - rate * m_hat / (np.sqrt(v_hat) + eps)
        path[t - 1] = theta
    return path


# %% epsilon_added_to_step: epsilon added to the quotient, not to the root
# loses: epsilon, all
def adam_path(gradients, rates, beta_1, beta_2, eps):
    m = v = theta = np.zeros(gradients.shape[1])
    path = np.zeros(gradients.shape)
    for t, (g, rate) in enumerate(zip(gradients, rates), start=1):
        m = beta_1 * m + (1 - beta_1) * g
        v = beta_2 * v + (1 - beta_2) * g**2
        m_hat, v_hat = m / (1 - beta_1**t), v / (1 - beta_2**t)
        theta = theta - rate * m_hat / np.sqrt(v_hat) + eps
        path[t - 1] = theta
    return path


# %% epsilon_inside: epsilon under the root
# loses: epsilon, all
def adam_path(gradients, rates, beta_1, beta_2, eps):
    m = v = theta = np.zeros(gradients.shape[1])
    path = np.zeros(gradients.shape)
    for t, (g, rate) in enumerate(zip(gradients, rates), start=1):
        m = beta_1 * m + (1 - beta_1) * g
        v = beta_2 * v + (1 - beta_2) * g**2
        m_hat, v_hat = m / (1 - beta_1**t), v / (1 - beta_2**t)
        theta = theta - rate * m_hat / np.sqrt(v_hat + eps)
        path[t - 1] = theta
    return path


# %% epsilon_left_out: no epsilon
# loses: epsilon, all
def adam_path(gradients, rates, beta_1, beta_2, eps):
    m = v = theta = np.zeros(gradients.shape[1])
    path = np.zeros(gradients.shape)
    for t, (g, rate) in enumerate(zip(gradients, rates), start=1):
        m = beta_1 * m + (1 - beta_1) * g
        v = beta_2 * v + (1 - beta_2) * g**2
        m_hat, v_hat = m / (1 - beta_1**t), v / (1 - beta_2**t)
        theta = theta - rate * m_hat / np.sqrt(v_hat)
        path[t - 1] = theta
    return path


# %% epsilon_squared: the square of epsilon under the root
# loses: epsilon, all
def adam_path(gradients, rates, beta_1, beta_2, eps):
    m = v = theta = np.zeros(gradients.shape[1])
    path = np.zeros(gradients.shape)
    for t, (g, rate) in enumerate(zip(gradients, rates), start=1):
        m = beta_1 * m + (1 - beta_1) * g
        v = beta_2 * v + (1 - beta_2) * g**2
        m_hat, v_hat = m / (1 - beta_1**t), v / (1 - beta_2**t)
        theta = theta - rate * m_hat / np.sqrt(v_hat + eps**2)
        path[t - 1] = theta
    return path


# %% epsilon_uncorrected: epsilon added to the root before its correction
# loses: all
def adam_path(gradients, rates, beta_1, beta_2, eps):
    m = v = theta = np.zeros(gradients.shape[1])
    path = np.zeros(gradients.shape)
    for t, (g, rate) in enumerate(zip(gradients, rates), start=1):
        m = beta_1 * m + (1 - beta_1) * g
        v = beta_2 * v + (1 - beta_2) * g**2
        m_hat, v_hat = m / (1 - beta_1**t), v / (1 - beta_2**t)
        theta = theta - rate * m_hat / (np.sqrt(v) + eps) * np.sqrt(
            1 - beta_2**t
        )
        path[t - 1] = theta
    return path


# %% first_rate: the first rate at every step
# loses: epsilon, correction, all
def adam_path(gradients, rates, beta_1, beta_2, eps):
    m = v = theta = np.zeros(gradients.shape[1])
    path = np.zeros(gradients.shape)
    for t, (g, rate) in enumerate(zip(gradients, rates), start=1):
        m = beta_1 * m + (1 - beta_1) * g
        v = beta_2 * v + (1 - beta_2) * g**2
        m_hat, v_hat = m / (1 - beta_1**t), v / (1 - beta_2**t)
        theta = theta - rates[0] * m_hat / (np.sqrt(v_hat) + eps)
        path[t - 1] = theta
    return path


# %% larger_of_both: the larger of the root and epsilon, not their sum
# loses: epsilon, all
def adam_path(gradients, rates, beta_1, beta_2, eps):
    m = v = theta = np.zeros(gradients.shape[1])
    path = np.zeros(gradients.shape)
    for t, (g, rate) in enumerate(zip(gradients, rates), start=1):
        m = beta_1 * m + (1 - beta_1) * g
        v = beta_2 * v + (1 - beta_2) * g**2
        m_hat, v_hat = m / (1 - beta_1**t), v / (1 - beta_2**t)
        theta = theta - rate * m_hat / np.maximum(np.sqrt(v_hat), eps)
        path[t - 1] = theta
    return path


# %% no_correction: no corrections of either mean
# loses: first step, correction, all
def adam_path(gradients, rates, beta_1, beta_2, eps):
    m = v = theta = np.zeros(gradients.shape[1])
    path = np.zeros(gradients.shape)
    for t, (g, rate) in enumerate(zip(gradients, rates), start=1):
        m = beta_1 * m + (1 - beta_1) * g
        v = beta_2 * v + (1 - beta_2) * g**2
        m_hat, v_hat = m, v
        theta = theta - rate * m_hat / (np.sqrt(v_hat) + eps)
        path[t - 1] = theta
    return path


# %% no_correction_of_mean: no correction of the mean of gradients
# loses: first step, correction, all
def adam_path(gradients, rates, beta_1, beta_2, eps):
    m = v = theta = np.zeros(gradients.shape[1])
    path = np.zeros(gradients.shape)
    for t, (g, rate) in enumerate(zip(gradients, rates), start=1):
        m = beta_1 * m + (1 - beta_1) * g
        v = beta_2 * v + (1 - beta_2) * g**2
        m_hat, v_hat = m, v / (1 - beta_2**t)
        theta = theta - rate * m_hat / (np.sqrt(v_hat) + eps)
        path[t - 1] = theta
    return path


# %% no_correction_of_squares: no correction of the mean of squares
# loses: first step, correction, all
def adam_path(gradients, rates, beta_1, beta_2, eps):
    m = v = theta = np.zeros(gradients.shape[1])
    path = np.zeros(gradients.shape)
    for t, (g, rate) in enumerate(zip(gradients, rates), start=1):
        m = beta_1 * m + (1 - beta_1) * g
        v = beta_2 * v + (1 - beta_2) * g**2
        m_hat, v_hat = m / (1 - beta_1**t), v
        theta = theta - rate * m_hat / (np.sqrt(v_hat) + eps)
        path[t - 1] = theta
    return path


# %% no_root: no root of the mean of squares
# loses: epsilon, first step, correction, all
def adam_path(gradients, rates, beta_1, beta_2, eps):
    m = v = theta = np.zeros(gradients.shape[1])
    path = np.zeros(gradients.shape)
    for t, (g, rate) in enumerate(zip(gradients, rates), start=1):
        m = beta_1 * m + (1 - beta_1) * g
        v = beta_2 * v + (1 - beta_2) * g**2
        m_hat, v_hat = m / (1 - beta_1**t), v / (1 - beta_2**t)
        theta = theta - rate * m_hat / (v_hat + eps)
        path[t - 1] = theta
    return path


# %% one_array: the two means and the parameters in one and the same array
# loses: epsilon, first step, correction, all
def adam_path(gradients, rates, beta_1, beta_2, eps):
    m = v = theta = np.zeros(gradients.shape[1])
    path = np.zeros(gradients.shape)
    for t, (g, rate) in enumerate(zip(gradients, rates), start=1):
        m *= beta_1
        m += (1 - beta_1) * g
        v *= beta_2
        v += (1 - beta_2) * g**2
        m_hat, v_hat = m / (1 - beta_1**t), v / (1 - beta_2**t)
        theta = theta - rate * m_hat / (np.sqrt(v_hat) + eps)
        path[t - 1] = theta
    return path


# %% one_step_ahead: steps that are counted from 2
# loses: first step, correction, all
def adam_path(gradients, rates, beta_1, beta_2, eps):
    m = v = theta = np.zeros(gradients.shape[1])
    path = np.zeros(gradients.shape)
    for t, (g, rate) in enumerate(zip(gradients, rates), start=2):
        m = beta_1 * m + (1 - beta_1) * g
        v = beta_2 * v + (1 - beta_2) * g**2
        m_hat, v_hat = m / (1 - beta_1**t), v / (1 - beta_2**t)
        theta = theta - rate * m_hat / (np.sqrt(v_hat) + eps)
        path[t - 2] = theta
    return path


# %% only_correction_mended: the other beta among the squares, and epsilon under the root
# loses: epsilon, first step, all
def adam_path(gradients, rates, beta_1, beta_2, eps):
    m = v = theta = np.zeros(gradients.shape[1])
    path = np.zeros(gradients.shape)
    for t, (g, rate) in enumerate(zip(gradients, rates), start=1):
        m = beta_1 * m + (1 - beta_1) * g
        v = beta_2 * v + (1 - beta_1) * g**2
        m_hat, v_hat = m / (1 - beta_1**t), v / (1 - beta_2**t)
        theta = theta - rate * m_hat / np.sqrt(v_hat + eps)
        path[t - 1] = theta
    return path


# %% only_epsilon_mended: the other beta among the squares, and the first step's correction at every step
# loses: first step, correction, all
def adam_path(gradients, rates, beta_1, beta_2, eps):
    m = v = theta = np.zeros(gradients.shape[1])
    path = np.zeros(gradients.shape)
    for t, (g, rate) in enumerate(zip(gradients, rates), start=1):
        m = beta_1 * m + (1 - beta_1) * g
        v = beta_2 * v + (1 - beta_1) * g**2
        m_hat, v_hat = m / (1 - beta_1**t), v / (1 - beta_2)
        theta = theta - rate * m_hat / (np.sqrt(v_hat) + eps)
        path[t - 1] = theta
    return path


# %% other_correction: the correction of the gradients for their squares too
# loses: first step, all
def adam_path(gradients, rates, beta_1, beta_2, eps):
    m = v = theta = np.zeros(gradients.shape[1])
    path = np.zeros(gradients.shape)
    for t, (g, rate) in enumerate(zip(gradients, rates), start=1):
        m = beta_1 * m + (1 - beta_1) * g
        v = beta_2 * v + (1 - beta_2) * g**2
        m_hat, v_hat = m / (1 - beta_1**t), v / (1 - beta_1**t)
        theta = theta - rate * m_hat / (np.sqrt(v_hat) + eps)
        path[t - 1] = theta
    return path


# %% rate_0_forgotten: a gradient that is forgotten where the rate is 0
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


# %% rate_0_skipped: a step left out where the rate is 0
# loses: all
def adam_path(gradients, rates, beta_1, beta_2, eps):
    m = v = theta = np.zeros(gradients.shape[1])
    path = np.zeros(gradients.shape)
    for t, (g, rate) in enumerate(zip(gradients, rates), start=1):
        if rate == 0:
            continue
        m = beta_1 * m + (1 - beta_1) * g
        v = beta_2 * v + (1 - beta_2) * g**2
        m_hat, v_hat = m / (1 - beta_1**t), v / (1 - beta_2**t)
        theta = theta - rate * m_hat / (np.sqrt(v_hat) + eps)
        path[t - 1] = theta
    return path


# %% same_beta_everywhere: one beta for both means
# loses: all
def adam_path(gradients, rates, beta_1, beta_2, eps):
    m = v = theta = np.zeros(gradients.shape[1])
    path = np.zeros(gradients.shape)
    for t, (g, rate) in enumerate(zip(gradients, rates), start=1):
        m = beta_1 * m + (1 - beta_1) * g
        v = beta_1 * v + (1 - beta_1) * g**2
        m_hat, v_hat = m / (1 - beta_1**t), v / (1 - beta_1**t)
        theta = theta - rate * m_hat / (np.sqrt(v_hat) + eps)
        path[t - 1] = theta
    return path


# %% still: no step where the gradient is 0
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


# %% two_mended: epsilon under the root, and the first step's correction at every step
# loses: epsilon, correction, all
def adam_path(gradients, rates, beta_1, beta_2, eps):
    m = v = theta = np.zeros(gradients.shape[1])
    path = np.zeros(gradients.shape)
    for t, (g, rate) in enumerate(zip(gradients, rates), start=1):
        m = beta_1 * m + (1 - beta_1) * g
        v = beta_2 * v + (1 - beta_2) * g**2
        m_hat, v_hat = m / (1 - beta_1**t), v / (1 - beta_2)
        theta = theta - rate * m_hat / np.sqrt(v_hat + eps)
        path[t - 1] = theta
    return path


# %% uphill: steps in the direction of the gradient
# loses: epsilon, first step, correction, all
def adam_path(gradients, rates, beta_1, beta_2, eps):
    m = v = theta = np.zeros(gradients.shape[1])
    path = np.zeros(gradients.shape)
    for t, (g, rate) in enumerate(zip(gradients, rates), start=1):
        m = beta_1 * m + (1 - beta_1) * g
        v = beta_2 * v + (1 - beta_2) * g**2
        m_hat, v_hat = m / (1 - beta_1**t), v / (1 - beta_2**t)
        theta = theta - -rate * m_hat / (np.sqrt(v_hat) + eps)
        path[t - 1] = theta
    return path


# %% wrong_beta: the mean of squares with the other beta in its second term
# loses: first step, all
def adam_path(gradients, rates, beta_1, beta_2, eps):
    m = v = theta = np.zeros(gradients.shape[1])
    path = np.zeros(gradients.shape)
    for t, (g, rate) in enumerate(zip(gradients, rates), start=1):
        m = beta_1 * m + (1 - beta_1) * g
        v = beta_2 * v + (1 - beta_1) * g**2
        m_hat, v_hat = m / (1 - beta_1**t), v / (1 - beta_2**t)
        theta = theta - rate * m_hat / (np.sqrt(v_hat) + eps)
        path[t - 1] = theta
    return path


# %% single_precision: means in float32, in which squares of small gradients are 0 and of large ones infinite
# loses: all
def adam_path(gradients, rates, beta_1, beta_2, eps):
    m = v = theta = np.zeros(gradients.shape[1], dtype=np.float32)
    path = np.zeros(gradients.shape)
    for t, (g, rate) in enumerate(zip(gradients.astype(np.float32), rates), start=1):
        m = (beta_1 * m + (1 - beta_1) * g).astype(np.float32)
        v = (beta_2 * v + (1 - beta_2) * g * g).astype(np.float32)
        m_hat, v_hat = m / (1 - beta_1**t), v / (1 - beta_2**t)
        theta = theta - rate * m_hat / (np.sqrt(v_hat) + eps)
        path[t - 1] = theta
    return path

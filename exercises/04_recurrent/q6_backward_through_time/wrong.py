"""Named mistakes in question 04.6."""


# %% averaged: matrices' gradients averaged over the steps
# loses: matrices, large
def lstm_gradients(x, W, h_0, c_0, up_h, up_c):
    def logistic(z):
        return 0.5 + 0.5 * np.tanh(0.5 * z)

    steps, h, c = [], h_0, c_0
    for x_t in x:
        s = {k: logistic(W[k + "h"] @ h + W[k + "x"] @ x_t) for k in "cifo"}
        c_new = s["i"] * s["c"] + s["f"] * c
        shown = logistic(c_new)
        steps.append((x_t, h, c, s, shown, s["o"] * shown))
        h, c = s["o"] * shown, c_new
    gradients = {name: np.zeros_like(W[name]) for name in W}
    gradients["x"] = np.zeros_like(x)
    dh, dc = np.zeros_like(h_0), up_c
    for t in reversed(range(len(x))):
        x_t, h, c, s, shown, h_new = steps[t]
        dh = dh + up_h[t]
        dc = dc + dh * s["o"] * shown * (1 - shown)
        ds = {"c": dc * s["i"], "i": dc * s["c"], "f": dc * c, "o": dh * shown}
        dz = {k: ds[k] * s[k] * (1 - s[k]) for k in s}
        for k in s:
            gradients[k + "h"] += np.outer(dz[k], h)
            gradients[k + "x"] += np.outer(dz[k], x_t)
        gradients["x"][t] = sum(dz[k] @ W[k + "x"] for k in s)
        dh = sum(dz[k] @ W[k + "h"] for k in s)
        dc = dc * s["f"]
    for name in W:
        gradients[name] /= len(x)
    return gradients | {"h_0": dh, "c_0": dc}


# %% c_zero_late: the gradient of the first memory before the first forget gate
# loses: one step, first state, large
def lstm_gradients(x, W, h_0, c_0, up_h, up_c):
    def logistic(z):
        return 0.5 + 0.5 * np.tanh(0.5 * z)

    steps, h, c = [], h_0, c_0
    for x_t in x:
        s = {k: logistic(W[k + "h"] @ h + W[k + "x"] @ x_t) for k in "cifo"}
        c_new = s["i"] * s["c"] + s["f"] * c
        shown = logistic(c_new)
        steps.append((x_t, h, c, s, shown, s["o"] * shown))
        h, c = s["o"] * shown, c_new
    gradients = {name: np.zeros_like(W[name]) for name in W}
    gradients["x"] = np.zeros_like(x)
    dh, dc = np.zeros_like(h_0), up_c
    for t in reversed(range(len(x))):
        x_t, h, c, s, shown, h_new = steps[t]
        dh = dh + up_h[t]
        dc = dc + dh * s["o"] * shown * (1 - shown)
        ds = {"c": dc * s["i"], "i": dc * s["c"], "f": dc * c, "o": dh * shown}
        dz = {k: ds[k] * s[k] * (1 - s[k]) for k in s}
        for k in s:
            gradients[k + "h"] += np.outer(dz[k], h)
            gradients[k + "x"] += np.outer(dz[k], x_t)
        gradients["x"][t] = sum(dz[k] @ W[k + "x"] for k in s)
        dh = sum(dz[k] @ W[k + "h"] for k in s)
        dc = dc * s["f"]
    return gradients | {"h_0": dh, "c_0": dc / s["f"]}


# %% float32: float32 in the loop
# loses: one step, inputs, matrices, first state, large
def lstm_gradients(x, W, h_0, c_0, up_h, up_c):
    def logistic(z):
        return 0.5 + 0.5 * np.tanh(0.5 * z)

    W = {name: W[name].astype(np.float32) for name in W}
    steps, h, c = [], h_0.astype(np.float32), c_0.astype(np.float32)
    for x_t in x:
        s = {k: logistic(W[k + "h"] @ h + W[k + "x"] @ x_t) for k in "cifo"}
        c_new = s["i"] * s["c"] + s["f"] * c
        shown = logistic(c_new)
        steps.append((x_t, h, c, s, shown, s["o"] * shown))
        h, c = s["o"] * shown, c_new
    gradients = {name: np.zeros_like(W[name]) for name in W}
    gradients["x"] = np.zeros_like(x)
    dh, dc = np.zeros_like(h_0), up_c
    for t in reversed(range(len(x))):
        x_t, h, c, s, shown, h_new = steps[t]
        dh = dh + up_h[t]
        dc = dc + dh * s["o"] * shown * (1 - shown)
        ds = {"c": dc * s["i"], "i": dc * s["c"], "f": dc * c, "o": dh * shown}
        dz = {k: ds[k] * s[k] * (1 - s[k]) for k in s}
        for k in s:
            gradients[k + "h"] += np.outer(dz[k], h)
            gradients[k + "x"] += np.outer(dz[k], x_t)
        gradients["x"][t] = sum(dz[k] @ W[k + "x"] for k in s)
        dh = sum(dz[k] @ W[k + "h"] for k in s)
        dc = dc * s["f"]
    return gradients | {"h_0": dh, "c_0": dc}


# %% forget_for_input: the gradients of input gate and forget gate exchanged
# loses: one step, inputs, matrices, first state, large
def lstm_gradients(x, W, h_0, c_0, up_h, up_c):
    def logistic(z):
        return 0.5 + 0.5 * np.tanh(0.5 * z)

    steps, h, c = [], h_0, c_0
    for x_t in x:
        s = {k: logistic(W[k + "h"] @ h + W[k + "x"] @ x_t) for k in "cifo"}
        c_new = s["i"] * s["c"] + s["f"] * c
        shown = logistic(c_new)
        steps.append((x_t, h, c, s, shown, s["o"] * shown))
        h, c = s["o"] * shown, c_new
    gradients = {name: np.zeros_like(W[name]) for name in W}
    gradients["x"] = np.zeros_like(x)
    dh, dc = np.zeros_like(h_0), up_c
    for t in reversed(range(len(x))):
        x_t, h, c, s, shown, h_new = steps[t]
        dh = dh + up_h[t]
        dc = dc + dh * s["o"] * shown * (1 - shown)
        ds = {"c": dc * s["i"], "i": dc * s["c"], "f": dc * c, "o": dh * shown}
        dz = {k: ds[k] * s[k] * (1 - s[k]) for k in s}
        dz["i"], dz["f"] = dz["f"], dz["i"]
        for k in s:
            gradients[k + "h"] += np.outer(dz[k], h)
            gradients[k + "x"] += np.outer(dz[k], x_t)
        gradients["x"][t] = sum(dz[k] @ W[k + "x"] for k in s)
        dh = sum(dz[k] @ W[k + "h"] for k in s)
        dc = dc * s["f"]
    return gradients | {"h_0": dh, "c_0": dc}


# %% forget_of_candidate: a forget gate's gradient by the new memory in place of the old one
# loses: one step, inputs, matrices, first state, large
def lstm_gradients(x, W, h_0, c_0, up_h, up_c):
    def logistic(z):
        return 0.5 + 0.5 * np.tanh(0.5 * z)

    steps, h, c = [], h_0, c_0
    for x_t in x:
        s = {k: logistic(W[k + "h"] @ h + W[k + "x"] @ x_t) for k in "cifo"}
        c_new = s["i"] * s["c"] + s["f"] * c
        shown = logistic(c_new)
        steps.append((x_t, h, c, s, shown, s["o"] * shown))
        h, c = s["o"] * shown, c_new
    gradients = {name: np.zeros_like(W[name]) for name in W}
    gradients["x"] = np.zeros_like(x)
    dh, dc = np.zeros_like(h_0), up_c
    for t in reversed(range(len(x))):
        x_t, h, c, s, shown, h_new = steps[t]
        dh = dh + up_h[t]
        dc = dc + dh * s["o"] * shown * (1 - shown)
        ds = {"c": dc * s["i"], "i": dc * s["c"], "f": dc * (s["i"] * s["c"] + s["f"] * c), "o": dh * shown}
        dz = {k: ds[k] * s[k] * (1 - s[k]) for k in s}
        for k in s:
            gradients[k + "h"] += np.outer(dz[k], h)
            gradients[k + "x"] += np.outer(dz[k], x_t)
        gradients["x"][t] = sum(dz[k] @ W[k + "x"] for k in s)
        dh = sum(dz[k] @ W[k + "h"] for k in s)
        dc = dc * s["f"]
    return gradients | {"h_0": dh, "c_0": dc}


# %% gates_swapped: candidate and input gate exchanged in the gradient
# loses: one step, inputs, matrices, first state, large
def lstm_gradients(x, W, h_0, c_0, up_h, up_c):
    def logistic(z):
        return 0.5 + 0.5 * np.tanh(0.5 * z)

    steps, h, c = [], h_0, c_0
    for x_t in x:
        s = {k: logistic(W[k + "h"] @ h + W[k + "x"] @ x_t) for k in "cifo"}
        c_new = s["i"] * s["c"] + s["f"] * c
        shown = logistic(c_new)
        steps.append((x_t, h, c, s, shown, s["o"] * shown))
        h, c = s["o"] * shown, c_new
    gradients = {name: np.zeros_like(W[name]) for name in W}
    gradients["x"] = np.zeros_like(x)
    dh, dc = np.zeros_like(h_0), up_c
    for t in reversed(range(len(x))):
        x_t, h, c, s, shown, h_new = steps[t]
        dh = dh + up_h[t]
        dc = dc + dh * s["o"] * shown * (1 - shown)
        ds = {"c": dc * s["c"], "i": dc * s["i"], "f": dc * c, "o": dh * shown}
        dz = {k: ds[k] * s[k] * (1 - s[k]) for k in s}
        for k in s:
            gradients[k + "h"] += np.outer(dz[k], h)
            gradients[k + "x"] += np.outer(dz[k], x_t)
        gradients["x"][t] = sum(dz[k] @ W[k + "x"] for k in s)
        dh = sum(dz[k] @ W[k + "h"] for k in s)
        dc = dc * s["f"]
    return gradients | {"h_0": dh, "c_0": dc}


# %% h_zero_no_output_gate: a way back that leaves the output gate out
# loses: one step, inputs, matrices, first state, large
def lstm_gradients(x, W, h_0, c_0, up_h, up_c):
    def logistic(z):
        return 0.5 + 0.5 * np.tanh(0.5 * z)

    steps, h, c = [], h_0, c_0
    for x_t in x:
        s = {k: logistic(W[k + "h"] @ h + W[k + "x"] @ x_t) for k in "cifo"}
        c_new = s["i"] * s["c"] + s["f"] * c
        shown = logistic(c_new)
        steps.append((x_t, h, c, s, shown, s["o"] * shown))
        h, c = s["o"] * shown, c_new
    gradients = {name: np.zeros_like(W[name]) for name in W}
    gradients["x"] = np.zeros_like(x)
    dh, dc = np.zeros_like(h_0), up_c
    for t in reversed(range(len(x))):
        x_t, h, c, s, shown, h_new = steps[t]
        dh = dh + up_h[t]
        dc = dc + dh * s["o"] * shown * (1 - shown)
        ds = {"c": dc * s["i"], "i": dc * s["c"], "f": dc * c, "o": dh * shown}
        dz = {k: ds[k] * s[k] * (1 - s[k]) for k in s}
        for k in s:
            gradients[k + "h"] += np.outer(dz[k], h)
            gradients[k + "x"] += np.outer(dz[k], x_t)
        gradients["x"][t] = sum(dz[k] @ W[k + "x"] for k in s)
        dh = sum(dz[k] @ W[k + "h"] for k in "cif")
        dc = dc * s["f"]
    return gradients | {"h_0": dh, "c_0": dc}


# %% last_output_alone: the gradients of a loss that reads the last output alone
# loses: inputs, matrices, first state, large
def lstm_gradients(x, W, h_0, c_0, up_h, up_c):
    def logistic(z):
        return 0.5 + 0.5 * np.tanh(0.5 * z)

    steps, h, c = [], h_0, c_0
    for x_t in x:
        s = {k: logistic(W[k + "h"] @ h + W[k + "x"] @ x_t) for k in "cifo"}
        c_new = s["i"] * s["c"] + s["f"] * c
        shown = logistic(c_new)
        steps.append((x_t, h, c, s, shown, s["o"] * shown))
        h, c = s["o"] * shown, c_new
    gradients = {name: np.zeros_like(W[name]) for name in W}
    gradients["x"] = np.zeros_like(x)
    dh, dc = np.zeros_like(h_0), up_c
    for t in reversed(range(len(x))):
        x_t, h, c, s, shown, h_new = steps[t]
        dh = dh + up_h[t] * (t == len(x) - 1)
        dc = dc + dh * s["o"] * shown * (1 - shown)
        ds = {"c": dc * s["i"], "i": dc * s["c"], "f": dc * c, "o": dh * shown}
        dz = {k: ds[k] * s[k] * (1 - s[k]) for k in s}
        for k in s:
            gradients[k + "h"] += np.outer(dz[k], h)
            gradients[k + "x"] += np.outer(dz[k], x_t)
        gradients["x"][t] = sum(dz[k] @ W[k + "x"] for k in s)
        dh = sum(dz[k] @ W[k + "h"] for k in s)
        dc = dc * s["f"]
    return gradients | {"h_0": dh, "c_0": dc}


# %% last_step_matrices: matrices' gradients of the first step alone
# loses: matrices, large
def lstm_gradients(x, W, h_0, c_0, up_h, up_c):
    def logistic(z):
        return 0.5 + 0.5 * np.tanh(0.5 * z)

    steps, h, c = [], h_0, c_0
    for x_t in x:
        s = {k: logistic(W[k + "h"] @ h + W[k + "x"] @ x_t) for k in "cifo"}
        c_new = s["i"] * s["c"] + s["f"] * c
        shown = logistic(c_new)
        steps.append((x_t, h, c, s, shown, s["o"] * shown))
        h, c = s["o"] * shown, c_new
    gradients = {name: np.zeros_like(W[name]) for name in W}
    gradients["x"] = np.zeros_like(x)
    dh, dc = np.zeros_like(h_0), up_c
    for t in reversed(range(len(x))):
        x_t, h, c, s, shown, h_new = steps[t]
        dh = dh + up_h[t]
        dc = dc + dh * s["o"] * shown * (1 - shown)
        ds = {"c": dc * s["i"], "i": dc * s["c"], "f": dc * c, "o": dh * shown}
        dz = {k: ds[k] * s[k] * (1 - s[k]) for k in s}
        for k in s:
            gradients[k + "h"] = np.outer(dz[k], h)
            gradients[k + "x"] = np.outer(dz[k], x_t)
        gradients["x"][t] = sum(dz[k] @ W[k + "x"] for k in s)
        dh = sum(dz[k] @ W[k + "h"] for k in s)
        dc = dc * s["f"]
    return gradients | {"h_0": dh, "c_0": dc}


# %% matrix_not_transposed: W_h in place of its transpose on the way back
# loses: one step, inputs, matrices, first state, large
def lstm_gradients(x, W, h_0, c_0, up_h, up_c):
    def logistic(z):
        return 0.5 + 0.5 * np.tanh(0.5 * z)

    steps, h, c = [], h_0, c_0
    for x_t in x:
        s = {k: logistic(W[k + "h"] @ h + W[k + "x"] @ x_t) for k in "cifo"}
        c_new = s["i"] * s["c"] + s["f"] * c
        shown = logistic(c_new)
        steps.append((x_t, h, c, s, shown, s["o"] * shown))
        h, c = s["o"] * shown, c_new
    gradients = {name: np.zeros_like(W[name]) for name in W}
    gradients["x"] = np.zeros_like(x)
    dh, dc = np.zeros_like(h_0), up_c
    for t in reversed(range(len(x))):
        x_t, h, c, s, shown, h_new = steps[t]
        dh = dh + up_h[t]
        dc = dc + dh * s["o"] * shown * (1 - shown)
        ds = {"c": dc * s["i"], "i": dc * s["c"], "f": dc * c, "o": dh * shown}
        dz = {k: ds[k] * s[k] * (1 - s[k]) for k in s}
        for k in s:
            gradients[k + "h"] += np.outer(dz[k], h)
            gradients[k + "x"] += np.outer(dz[k], x_t)
        gradients["x"][t] = sum(dz[k] @ W[k + "x"] for k in s)
        dh = sum(W[k + "h"] @ dz[k] for k in s)
        dc = dc * s["f"]
    return gradients | {"h_0": dh, "c_0": dc}


# %% memory_forgets_later: a gradient of the memory that is replaced at each step, where it should be added to
# loses: inputs, matrices, first state, large
def lstm_gradients(x, W, h_0, c_0, up_h, up_c):
    def logistic(z):
        return 0.5 + 0.5 * np.tanh(0.5 * z)

    steps, h, c = [], h_0, c_0
    for x_t in x:
        s = {k: logistic(W[k + "h"] @ h + W[k + "x"] @ x_t) for k in "cifo"}
        c_new = s["i"] * s["c"] + s["f"] * c
        shown = logistic(c_new)
        steps.append((x_t, h, c, s, shown, s["o"] * shown))
        h, c = s["o"] * shown, c_new
    gradients = {name: np.zeros_like(W[name]) for name in W}
    gradients["x"] = np.zeros_like(x)
    dh, dc = np.zeros_like(h_0), up_c
    for t in reversed(range(len(x))):
        x_t, h, c, s, shown, h_new = steps[t]
        dh = dh + up_h[t]
        dc = (dc if t == len(x) - 1 else 0) + dh * s["o"] * shown * (1 - shown)
        ds = {"c": dc * s["i"], "i": dc * s["c"], "f": dc * c, "o": dh * shown}
        dz = {k: ds[k] * s[k] * (1 - s[k]) for k in s}
        for k in s:
            gradients[k + "h"] += np.outer(dz[k], h)
            gradients[k + "x"] += np.outer(dz[k], x_t)
        gradients["x"][t] = sum(dz[k] @ W[k + "x"] for k in s)
        dh = sum(dz[k] @ W[k + "h"] for k in s)
        dc = dc * s["f"]
    return gradients | {"h_0": dh, "c_0": dc}


# %% memory_not_forgotten: a gradient of the memory that goes back as it is, without the forget gate
# loses: one step, inputs, matrices, first state, large
def lstm_gradients(x, W, h_0, c_0, up_h, up_c):
    def logistic(z):
        return 0.5 + 0.5 * np.tanh(0.5 * z)

    steps, h, c = [], h_0, c_0
    for x_t in x:
        s = {k: logistic(W[k + "h"] @ h + W[k + "x"] @ x_t) for k in "cifo"}
        c_new = s["i"] * s["c"] + s["f"] * c
        shown = logistic(c_new)
        steps.append((x_t, h, c, s, shown, s["o"] * shown))
        h, c = s["o"] * shown, c_new
    gradients = {name: np.zeros_like(W[name]) for name in W}
    gradients["x"] = np.zeros_like(x)
    dh, dc = np.zeros_like(h_0), up_c
    for t in reversed(range(len(x))):
        x_t, h, c, s, shown, h_new = steps[t]
        dh = dh + up_h[t]
        dc = dc + dh * s["o"] * shown * (1 - shown)
        ds = {"c": dc * s["i"], "i": dc * s["c"], "f": dc * c, "o": dh * shown}
        dz = {k: ds[k] * s[k] * (1 - s[k]) for k in s}
        for k in s:
            gradients[k + "h"] += np.outer(dz[k], h)
            gradients[k + "x"] += np.outer(dz[k], x_t)
        gradients["x"][t] = sum(dz[k] @ W[k + "x"] for k in s)
        dh = sum(dz[k] @ W[k + "h"] for k in s)
        dc = dc + 0
    return gradients | {"h_0": dh, "c_0": dc}


# %% naive: sigmoids of exponentials that overflow
# loses: large
def lstm_gradients(x, W, h_0, c_0, up_h, up_c):
    def logistic(z):
        return np.exp(z) / (1 + np.exp(z))

    steps, h, c = [], h_0, c_0
    for x_t in x:
        s = {k: logistic(W[k + "h"] @ h + W[k + "x"] @ x_t) for k in "cifo"}
        c_new = s["i"] * s["c"] + s["f"] * c
        shown = logistic(c_new)
        steps.append((x_t, h, c, s, shown, s["o"] * shown))
        h, c = s["o"] * shown, c_new
    gradients = {name: np.zeros_like(W[name]) for name in W}
    gradients["x"] = np.zeros_like(x)
    dh, dc = np.zeros_like(h_0), up_c
    for t in reversed(range(len(x))):
        x_t, h, c, s, shown, h_new = steps[t]
        dh = dh + up_h[t]
        dc = dc + dh * s["o"] * shown * (1 - shown)
        ds = {"c": dc * s["i"], "i": dc * s["c"], "f": dc * c, "o": dh * shown}
        dz = {k: ds[k] * s[k] * (1 - s[k]) for k in s}
        for k in s:
            gradients[k + "h"] += np.outer(dz[k], h)
            gradients[k + "x"] += np.outer(dz[k], x_t)
        gradients["x"][t] = sum(dz[k] @ W[k + "x"] for k in s)
        dh = sum(dz[k] @ W[k + "h"] for k in s)
        dc = dc * s["f"]
    return gradients | {"h_0": dh, "c_0": dc}


# %% new_output: outer products with the new output in place of the one before
# loses: one step, matrices, large
def lstm_gradients(x, W, h_0, c_0, up_h, up_c):
    def logistic(z):
        return 0.5 + 0.5 * np.tanh(0.5 * z)

    steps, h, c = [], h_0, c_0
    for x_t in x:
        s = {k: logistic(W[k + "h"] @ h + W[k + "x"] @ x_t) for k in "cifo"}
        c_new = s["i"] * s["c"] + s["f"] * c
        shown = logistic(c_new)
        steps.append((x_t, h, c, s, shown, s["o"] * shown))
        h, c = s["o"] * shown, c_new
    gradients = {name: np.zeros_like(W[name]) for name in W}
    gradients["x"] = np.zeros_like(x)
    dh, dc = np.zeros_like(h_0), up_c
    for t in reversed(range(len(x))):
        x_t, h, c, s, shown, h_new = steps[t]
        dh = dh + up_h[t]
        dc = dc + dh * s["o"] * shown * (1 - shown)
        ds = {"c": dc * s["i"], "i": dc * s["c"], "f": dc * c, "o": dh * shown}
        dz = {k: ds[k] * s[k] * (1 - s[k]) for k in s}
        for k in s:
            gradients[k + "h"] += np.outer(dz[k], h_new)
            gradients[k + "x"] += np.outer(dz[k], x_t)
        gradients["x"][t] = sum(dz[k] @ W[k + "x"] for k in s)
        dh = sum(dz[k] @ W[k + "h"] for k in s)
        dc = dc * s["f"]
    return gradients | {"h_0": dh, "c_0": dc}


# %% no_h_back: gradients that do not flow back through the four sums
# loses: inputs, matrices, first state, large
def lstm_gradients(x, W, h_0, c_0, up_h, up_c):
    def logistic(z):
        return 0.5 + 0.5 * np.tanh(0.5 * z)

    steps, h, c = [], h_0, c_0
    for x_t in x:
        s = {k: logistic(W[k + "h"] @ h + W[k + "x"] @ x_t) for k in "cifo"}
        c_new = s["i"] * s["c"] + s["f"] * c
        shown = logistic(c_new)
        steps.append((x_t, h, c, s, shown, s["o"] * shown))
        h, c = s["o"] * shown, c_new
    gradients = {name: np.zeros_like(W[name]) for name in W}
    gradients["x"] = np.zeros_like(x)
    dh, dc = np.zeros_like(h_0), up_c
    for t in reversed(range(len(x))):
        x_t, h, c, s, shown, h_new = steps[t]
        dh = up_h[t]
        dc = dc + dh * s["o"] * shown * (1 - shown)
        ds = {"c": dc * s["i"], "i": dc * s["c"], "f": dc * c, "o": dh * shown}
        dz = {k: ds[k] * s[k] * (1 - s[k]) for k in s}
        for k in s:
            gradients[k + "h"] += np.outer(dz[k], h)
            gradients[k + "x"] += np.outer(dz[k], x_t)
        gradients["x"][t] = sum(dz[k] @ W[k + "x"] for k in s)
        dh = sum(dz[k] @ W[k + "h"] for k in s)
        dc = dc * s["f"]
    return gradients | {"h_0": dh, "c_0": dc}


# %% no_memory_back: gradients that do not flow back along the memory
# loses: one step, inputs, matrices, first state, large
def lstm_gradients(x, W, h_0, c_0, up_h, up_c):
    def logistic(z):
        return 0.5 + 0.5 * np.tanh(0.5 * z)

    steps, h, c = [], h_0, c_0
    for x_t in x:
        s = {k: logistic(W[k + "h"] @ h + W[k + "x"] @ x_t) for k in "cifo"}
        c_new = s["i"] * s["c"] + s["f"] * c
        shown = logistic(c_new)
        steps.append((x_t, h, c, s, shown, s["o"] * shown))
        h, c = s["o"] * shown, c_new
    gradients = {name: np.zeros_like(W[name]) for name in W}
    gradients["x"] = np.zeros_like(x)
    dh, dc = np.zeros_like(h_0), up_c
    for t in reversed(range(len(x))):
        x_t, h, c, s, shown, h_new = steps[t]
        dh = dh + up_h[t]
        dc = dc + dh * s["o"] * shown * (1 - shown)
        ds = {"c": dc * s["i"], "i": dc * s["c"], "f": dc * c, "o": dh * shown}
        dz = {k: ds[k] * s[k] * (1 - s[k]) for k in s}
        for k in s:
            gradients[k + "h"] += np.outer(dz[k], h)
            gradients[k + "x"] += np.outer(dz[k], x_t)
        gradients["x"][t] = sum(dz[k] @ W[k + "x"] for k in s)
        dh = sum(dz[k] @ W[k + "h"] for k in s)
        dc = np.zeros_like(dc)
    return gradients | {"h_0": dh, "c_0": dc}


# %% no_slope_of_gates: gates without their slopes
# loses: one step, inputs, matrices, first state, large
def lstm_gradients(x, W, h_0, c_0, up_h, up_c):
    def logistic(z):
        return 0.5 + 0.5 * np.tanh(0.5 * z)

    steps, h, c = [], h_0, c_0
    for x_t in x:
        s = {k: logistic(W[k + "h"] @ h + W[k + "x"] @ x_t) for k in "cifo"}
        c_new = s["i"] * s["c"] + s["f"] * c
        shown = logistic(c_new)
        steps.append((x_t, h, c, s, shown, s["o"] * shown))
        h, c = s["o"] * shown, c_new
    gradients = {name: np.zeros_like(W[name]) for name in W}
    gradients["x"] = np.zeros_like(x)
    dh, dc = np.zeros_like(h_0), up_c
    for t in reversed(range(len(x))):
        x_t, h, c, s, shown, h_new = steps[t]
        dh = dh + up_h[t]
        dc = dc + dh * s["o"] * shown * (1 - shown)
        ds = {"c": dc * s["i"], "i": dc * s["c"], "f": dc * c, "o": dh * shown}
        dz = {k: ds[k] for k in s}
        for k in s:
            gradients[k + "h"] += np.outer(dz[k], h)
            gradients[k + "x"] += np.outer(dz[k], x_t)
        gradients["x"][t] = sum(dz[k] @ W[k + "x"] for k in s)
        dh = sum(dz[k] @ W[k + "h"] for k in s)
        dc = dc * s["f"]
    return gradients | {"h_0": dh, "c_0": dc}


# %% no_slope_of_memory: the sigmoid around the memory without its slope
# loses: one step, inputs, matrices, first state, large
def lstm_gradients(x, W, h_0, c_0, up_h, up_c):
    def logistic(z):
        return 0.5 + 0.5 * np.tanh(0.5 * z)

    steps, h, c = [], h_0, c_0
    for x_t in x:
        s = {k: logistic(W[k + "h"] @ h + W[k + "x"] @ x_t) for k in "cifo"}
        c_new = s["i"] * s["c"] + s["f"] * c
        shown = logistic(c_new)
        steps.append((x_t, h, c, s, shown, s["o"] * shown))
        h, c = s["o"] * shown, c_new
    gradients = {name: np.zeros_like(W[name]) for name in W}
    gradients["x"] = np.zeros_like(x)
    dh, dc = np.zeros_like(h_0), up_c
    for t in reversed(range(len(x))):
        x_t, h, c, s, shown, h_new = steps[t]
        dh = dh + up_h[t]
        dc = dc + dh * s["o"]
        ds = {"c": dc * s["i"], "i": dc * s["c"], "f": dc * c, "o": dh * shown}
        dz = {k: ds[k] * s[k] * (1 - s[k]) for k in s}
        for k in s:
            gradients[k + "h"] += np.outer(dz[k], h)
            gradients[k + "x"] += np.outer(dz[k], x_t)
        gradients["x"][t] = sum(dz[k] @ W[k + "x"] for k in s)
        dh = sum(dz[k] @ W[k + "h"] for k in s)
        dc = dc * s["f"]
    return gradients | {"h_0": dh, "c_0": dc}


# %% no_up_c: gradients without up_c
# loses: one step, inputs, matrices, first state, large
def lstm_gradients(x, W, h_0, c_0, up_h, up_c):
    def logistic(z):
        return 0.5 + 0.5 * np.tanh(0.5 * z)

    steps, h, c = [], h_0, c_0
    for x_t in x:
        s = {k: logistic(W[k + "h"] @ h + W[k + "x"] @ x_t) for k in "cifo"}
        c_new = s["i"] * s["c"] + s["f"] * c
        shown = logistic(c_new)
        steps.append((x_t, h, c, s, shown, s["o"] * shown))
        h, c = s["o"] * shown, c_new
    gradients = {name: np.zeros_like(W[name]) for name in W}
    gradients["x"] = np.zeros_like(x)
    dh, dc = np.zeros_like(h_0), np.zeros_like(c_0)
    for t in reversed(range(len(x))):
        x_t, h, c, s, shown, h_new = steps[t]
        dh = dh + up_h[t]
        dc = dc + dh * s["o"] * shown * (1 - shown)
        ds = {"c": dc * s["i"], "i": dc * s["c"], "f": dc * c, "o": dh * shown}
        dz = {k: ds[k] * s[k] * (1 - s[k]) for k in s}
        for k in s:
            gradients[k + "h"] += np.outer(dz[k], h)
            gradients[k + "x"] += np.outer(dz[k], x_t)
        gradients["x"][t] = sum(dz[k] @ W[k + "x"] for k in s)
        dh = sum(dz[k] @ W[k + "h"] for k in s)
        dc = dc * s["f"]
    return gradients | {"h_0": dh, "c_0": dc}


# %% output_gate_memory: the memory in place of its sigmoid in the output gate's gradient
# loses: one step, inputs, matrices, first state, large
def lstm_gradients(x, W, h_0, c_0, up_h, up_c):
    def logistic(z):
        return 0.5 + 0.5 * np.tanh(0.5 * z)

    steps, h, c = [], h_0, c_0
    for x_t in x:
        s = {k: logistic(W[k + "h"] @ h + W[k + "x"] @ x_t) for k in "cifo"}
        c_new = s["i"] * s["c"] + s["f"] * c
        shown = logistic(c_new)
        steps.append((x_t, h, c, s, shown, s["o"] * shown))
        h, c = s["o"] * shown, c_new
    gradients = {name: np.zeros_like(W[name]) for name in W}
    gradients["x"] = np.zeros_like(x)
    dh, dc = np.zeros_like(h_0), up_c
    for t in reversed(range(len(x))):
        x_t, h, c, s, shown, h_new = steps[t]
        dh = dh + up_h[t]
        dc = dc + dh * s["o"] * shown * (1 - shown)
        ds = {"c": dc * s["i"], "i": dc * s["c"], "f": dc * c, "o": dh * (s["i"] * s["c"] + s["f"] * c)}
        dz = {k: ds[k] * s[k] * (1 - s[k]) for k in s}
        for k in s:
            gradients[k + "h"] += np.outer(dz[k], h)
            gradients[k + "x"] += np.outer(dz[k], x_t)
        gradients["x"][t] = sum(dz[k] @ W[k + "x"] for k in s)
        dh = sum(dz[k] @ W[k + "h"] for k in s)
        dc = dc * s["f"]
    return gradients | {"h_0": dh, "c_0": dc}


# %% reversed: rows of the inputs' gradient from the last to the first
# loses: inputs, large
def lstm_gradients(x, W, h_0, c_0, up_h, up_c):
    def logistic(z):
        return 0.5 + 0.5 * np.tanh(0.5 * z)

    steps, h, c = [], h_0, c_0
    for x_t in x:
        s = {k: logistic(W[k + "h"] @ h + W[k + "x"] @ x_t) for k in "cifo"}
        c_new = s["i"] * s["c"] + s["f"] * c
        shown = logistic(c_new)
        steps.append((x_t, h, c, s, shown, s["o"] * shown))
        h, c = s["o"] * shown, c_new
    gradients = {name: np.zeros_like(W[name]) for name in W}
    gradients["x"] = np.zeros_like(x)
    dh, dc = np.zeros_like(h_0), up_c
    for t in reversed(range(len(x))):
        x_t, h, c, s, shown, h_new = steps[t]
        dh = dh + up_h[t]
        dc = dc + dh * s["o"] * shown * (1 - shown)
        ds = {"c": dc * s["i"], "i": dc * s["c"], "f": dc * c, "o": dh * shown}
        dz = {k: ds[k] * s[k] * (1 - s[k]) for k in s}
        for k in s:
            gradients[k + "h"] += np.outer(dz[k], h)
            gradients[k + "x"] += np.outer(dz[k], x_t)
        gradients["x"][t] = sum(dz[k] @ W[k + "x"] for k in s)
        dh = sum(dz[k] @ W[k + "h"] for k in s)
        dc = dc * s["f"]
    gradients["x"] = gradients["x"][::-1]
    return gradients | {"h_0": dh, "c_0": dc}


# %% slope_at_zero: the slope 1/4 everywhere
# loses: one step, inputs, matrices, first state, large
def lstm_gradients(x, W, h_0, c_0, up_h, up_c):
    def logistic(z):
        return 0.5 + 0.5 * np.tanh(0.5 * z)

    steps, h, c = [], h_0, c_0
    for x_t in x:
        s = {k: logistic(W[k + "h"] @ h + W[k + "x"] @ x_t) for k in "cifo"}
        c_new = s["i"] * s["c"] + s["f"] * c
        shown = logistic(c_new)
        steps.append((x_t, h, c, s, shown, s["o"] * shown))
        h, c = s["o"] * shown, c_new
    gradients = {name: np.zeros_like(W[name]) for name in W}
    gradients["x"] = np.zeros_like(x)
    dh, dc = np.zeros_like(h_0), up_c
    for t in reversed(range(len(x))):
        x_t, h, c, s, shown, h_new = steps[t]
        dh = dh + up_h[t]
        dc = dc + dh * s["o"] * shown * (1 - shown)
        ds = {"c": dc * s["i"], "i": dc * s["c"], "f": dc * c, "o": dh * shown}
        dz = {k: ds[k] * 0.25 for k in s}
        for k in s:
            gradients[k + "h"] += np.outer(dz[k], h)
            gradients[k + "x"] += np.outer(dz[k], x_t)
        gradients["x"][t] = sum(dz[k] @ W[k + "x"] for k in s)
        dh = sum(dz[k] @ W[k + "h"] for k in s)
        dc = dc * s["f"]
    return gradients | {"h_0": dh, "c_0": dc}


# %% tanh_shown: the slope of tanh for the sigmoid around the memory
# loses: one step, inputs, matrices, first state, large
def lstm_gradients(x, W, h_0, c_0, up_h, up_c):
    def logistic(z):
        return 0.5 + 0.5 * np.tanh(0.5 * z)

    steps, h, c = [], h_0, c_0
    for x_t in x:
        s = {k: logistic(W[k + "h"] @ h + W[k + "x"] @ x_t) for k in "cifo"}
        c_new = s["i"] * s["c"] + s["f"] * c
        shown = logistic(c_new)
        steps.append((x_t, h, c, s, shown, s["o"] * shown))
        h, c = s["o"] * shown, c_new
    gradients = {name: np.zeros_like(W[name]) for name in W}
    gradients["x"] = np.zeros_like(x)
    dh, dc = np.zeros_like(h_0), up_c
    for t in reversed(range(len(x))):
        x_t, h, c, s, shown, h_new = steps[t]
        dh = dh + up_h[t]
        dc = dc + dh * s["o"] * (1 - shown**2)
        ds = {"c": dc * s["i"], "i": dc * s["c"], "f": dc * c, "o": dh * shown}
        dz = {k: ds[k] * s[k] * (1 - s[k]) for k in s}
        for k in s:
            gradients[k + "h"] += np.outer(dz[k], h)
            gradients[k + "x"] += np.outer(dz[k], x_t)
        gradients["x"][t] = sum(dz[k] @ W[k + "x"] for k in s)
        dh = sum(dz[k] @ W[k + "h"] for k in s)
        dc = dc * s["f"]
    return gradients | {"h_0": dh, "c_0": dc}


# %% tanh_slope: the slopes of tanh in place of those of the sigmoid
# loses: one step, inputs, matrices, first state, large
def lstm_gradients(x, W, h_0, c_0, up_h, up_c):
    def logistic(z):
        return 0.5 + 0.5 * np.tanh(0.5 * z)

    steps, h, c = [], h_0, c_0
    for x_t in x:
        s = {k: logistic(W[k + "h"] @ h + W[k + "x"] @ x_t) for k in "cifo"}
        c_new = s["i"] * s["c"] + s["f"] * c
        shown = logistic(c_new)
        steps.append((x_t, h, c, s, shown, s["o"] * shown))
        h, c = s["o"] * shown, c_new
    gradients = {name: np.zeros_like(W[name]) for name in W}
    gradients["x"] = np.zeros_like(x)
    dh, dc = np.zeros_like(h_0), up_c
    for t in reversed(range(len(x))):
        x_t, h, c, s, shown, h_new = steps[t]
        dh = dh + up_h[t]
        dc = dc + dh * s["o"] * shown * (1 - shown)
        ds = {"c": dc * s["i"], "i": dc * s["c"], "f": dc * c, "o": dh * shown}
        dz = {k: ds[k] * (1 - s[k] ** 2) for k in s}
        for k in s:
            gradients[k + "h"] += np.outer(dz[k], h)
            gradients[k + "x"] += np.outer(dz[k], x_t)
        gradients["x"][t] = sum(dz[k] @ W[k + "x"] for k in s)
        dh = sum(dz[k] @ W[k + "h"] for k in s)
        dc = dc * s["f"]
    return gradients | {"h_0": dh, "c_0": dc}


# %% transposed: transposes in the gradients of the matrices that act on h
# loses: one step, matrices, large
def lstm_gradients(x, W, h_0, c_0, up_h, up_c):
    def logistic(z):
        return 0.5 + 0.5 * np.tanh(0.5 * z)

    steps, h, c = [], h_0, c_0
    for x_t in x:
        s = {k: logistic(W[k + "h"] @ h + W[k + "x"] @ x_t) for k in "cifo"}
        c_new = s["i"] * s["c"] + s["f"] * c
        shown = logistic(c_new)
        steps.append((x_t, h, c, s, shown, s["o"] * shown))
        h, c = s["o"] * shown, c_new
    gradients = {name: np.zeros_like(W[name]) for name in W}
    gradients["x"] = np.zeros_like(x)
    dh, dc = np.zeros_like(h_0), up_c
    for t in reversed(range(len(x))):
        x_t, h, c, s, shown, h_new = steps[t]
        dh = dh + up_h[t]
        dc = dc + dh * s["o"] * shown * (1 - shown)
        ds = {"c": dc * s["i"], "i": dc * s["c"], "f": dc * c, "o": dh * shown}
        dz = {k: ds[k] * s[k] * (1 - s[k]) for k in s}
        for k in s:
            gradients[k + "h"] += np.outer(h, dz[k])
            gradients[k + "x"] += np.outer(dz[k], x_t)
        gradients["x"][t] = sum(dz[k] @ W[k + "x"] for k in s)
        dh = sum(dz[k] @ W[k + "h"] for k in s)
        dc = dc * s["f"]
    return gradients | {"h_0": dh, "c_0": dc}


# %% up_c_every_step: up_c added at every step
# loses: inputs, matrices, first state, large
def lstm_gradients(x, W, h_0, c_0, up_h, up_c):
    def logistic(z):
        return 0.5 + 0.5 * np.tanh(0.5 * z)

    steps, h, c = [], h_0, c_0
    for x_t in x:
        s = {k: logistic(W[k + "h"] @ h + W[k + "x"] @ x_t) for k in "cifo"}
        c_new = s["i"] * s["c"] + s["f"] * c
        shown = logistic(c_new)
        steps.append((x_t, h, c, s, shown, s["o"] * shown))
        h, c = s["o"] * shown, c_new
    gradients = {name: np.zeros_like(W[name]) for name in W}
    gradients["x"] = np.zeros_like(x)
    dh, dc = np.zeros_like(h_0), up_c
    for t in reversed(range(len(x))):
        x_t, h, c, s, shown, h_new = steps[t]
        dh = dh + up_h[t]
        dc = dc + (up_c if t < len(x) - 1 else 0) + dh * s["o"] * shown * (1 - shown)
        ds = {"c": dc * s["i"], "i": dc * s["c"], "f": dc * c, "o": dh * shown}
        dz = {k: ds[k] * s[k] * (1 - s[k]) for k in s}
        for k in s:
            gradients[k + "h"] += np.outer(dz[k], h)
            gradients[k + "x"] += np.outer(dz[k], x_t)
        gradients["x"][t] = sum(dz[k] @ W[k + "x"] for k in s)
        dh = sum(dz[k] @ W[k + "h"] for k in s)
        dc = dc * s["f"]
    return gradients | {"h_0": dh, "c_0": dc}


# %% x_no_output_gate: gradients of the inputs without the output gate
# loses: one step, inputs, large
def lstm_gradients(x, W, h_0, c_0, up_h, up_c):
    def logistic(z):
        return 0.5 + 0.5 * np.tanh(0.5 * z)

    steps, h, c = [], h_0, c_0
    for x_t in x:
        s = {k: logistic(W[k + "h"] @ h + W[k + "x"] @ x_t) for k in "cifo"}
        c_new = s["i"] * s["c"] + s["f"] * c
        shown = logistic(c_new)
        steps.append((x_t, h, c, s, shown, s["o"] * shown))
        h, c = s["o"] * shown, c_new
    gradients = {name: np.zeros_like(W[name]) for name in W}
    gradients["x"] = np.zeros_like(x)
    dh, dc = np.zeros_like(h_0), up_c
    for t in reversed(range(len(x))):
        x_t, h, c, s, shown, h_new = steps[t]
        dh = dh + up_h[t]
        dc = dc + dh * s["o"] * shown * (1 - shown)
        ds = {"c": dc * s["i"], "i": dc * s["c"], "f": dc * c, "o": dh * shown}
        dz = {k: ds[k] * s[k] * (1 - s[k]) for k in s}
        for k in s:
            gradients[k + "h"] += np.outer(dz[k], h)
            gradients[k + "x"] += np.outer(dz[k], x_t)
        gradients["x"][t] = sum(dz[k] @ W[k + "x"] for k in "cif")
        dh = sum(dz[k] @ W[k + "h"] for k in s)
        dc = dc * s["f"]
    return gradients | {"h_0": dh, "c_0": dc}


# %% zero_start: a start from zeros in place of the state that is given
# loses: one step, inputs, matrices, first state, large
def lstm_gradients(x, W, h_0, c_0, up_h, up_c):
    def logistic(z):
        return 0.5 + 0.5 * np.tanh(0.5 * z)

    steps, h, c = [], 0 * h_0, 0 * c_0
    for x_t in x:
        s = {k: logistic(W[k + "h"] @ h + W[k + "x"] @ x_t) for k in "cifo"}
        c_new = s["i"] * s["c"] + s["f"] * c
        shown = logistic(c_new)
        steps.append((x_t, h, c, s, shown, s["o"] * shown))
        h, c = s["o"] * shown, c_new
    gradients = {name: np.zeros_like(W[name]) for name in W}
    gradients["x"] = np.zeros_like(x)
    dh, dc = np.zeros_like(h_0), up_c
    for t in reversed(range(len(x))):
        x_t, h, c, s, shown, h_new = steps[t]
        dh = dh + up_h[t]
        dc = dc + dh * s["o"] * shown * (1 - shown)
        ds = {"c": dc * s["i"], "i": dc * s["c"], "f": dc * c, "o": dh * shown}
        dz = {k: ds[k] * s[k] * (1 - s[k]) for k in s}
        for k in s:
            gradients[k + "h"] += np.outer(dz[k], h)
            gradients[k + "x"] += np.outer(dz[k], x_t)
        gradients["x"][t] = sum(dz[k] @ W[k + "x"] for k in s)
        dh = sum(dz[k] @ W[k + "h"] for k in s)
        dc = dc * s["f"]
    return gradients | {"h_0": dh, "c_0": dc}


# %% thirty_back: gradients that flow back thirty steps and no further
# loses: inputs, matrices, first state
def lstm_gradients(x, W, h_0, c_0, up_h, up_c):
    def logistic(z):
        return 0.5 + 0.5 * np.tanh(0.5 * z)

    steps, h, c = [], h_0, c_0
    for x_t in x:
        s = {k: logistic(W[k + "h"] @ h + W[k + "x"] @ x_t) for k in "cifo"}
        c_new = s["i"] * s["c"] + s["f"] * c
        shown = logistic(c_new)
        steps.append((x_t, h, c, s, shown, s["o"] * shown))
        h, c = s["o"] * shown, c_new
    gradients = {name: np.zeros_like(W[name]) for name in W}
    gradients["x"] = np.zeros_like(x)
    dh, dc = np.zeros_like(h_0), up_c
    for t in reversed(range(len(x))):
        x_t, h, c, s, shown, h_new = steps[t]
        if t == len(x) - 31:
            dh, dc = 0 * dh, 0 * dc
        dh = dh + up_h[t]
        dc = dc + dh * s["o"] * shown * (1 - shown)
        ds = {"c": dc * s["i"], "i": dc * s["c"], "f": dc * c, "o": dh * shown}
        dz = {k: ds[k] * s[k] * (1 - s[k]) for k in s}
        for k in s:
            gradients[k + "h"] += np.outer(dz[k], h)
            gradients[k + "x"] += np.outer(dz[k], x_t)
        gradients["x"][t] = sum(dz[k] @ W[k + "x"] for k in s)
        dh = sum(dz[k] @ W[k + "h"] for k in s)
        dc = dc * s["f"]
    return gradients | {"h_0": dh, "c_0": dc}


# %% hundred_back: no gradients but those of the last hundred steps
# loses: inputs, matrices, first state
def lstm_gradients(x, W, h_0, c_0, up_h, up_c):
    def logistic(z):
        return 0.5 + 0.5 * np.tanh(0.5 * z)

    steps, h, c = [], h_0, c_0
    for x_t in x:
        s = {k: logistic(W[k + "h"] @ h + W[k + "x"] @ x_t) for k in "cifo"}
        c_new = s["i"] * s["c"] + s["f"] * c
        shown = logistic(c_new)
        steps.append((x_t, h, c, s, shown, s["o"] * shown))
        h, c = s["o"] * shown, c_new
    gradients = {name: np.zeros_like(W[name]) for name in W}
    gradients["x"] = np.zeros_like(x)
    dh, dc = np.zeros_like(h_0), up_c
    for t in reversed(range(len(x))):
        x_t, h, c, s, shown, h_new = steps[t]
        if t == len(x) - 101:  # all that is older counts as given
            dh, dc = 0 * dh, 0 * dc
            break
        dh = dh + up_h[t]
        dc = dc + dh * s["o"] * shown * (1 - shown)
        ds = {"c": dc * s["i"], "i": dc * s["c"], "f": dc * c, "o": dh * shown}
        dz = {k: ds[k] * s[k] * (1 - s[k]) for k in s}
        for k in s:
            gradients[k + "h"] += np.outer(dz[k], h)
            gradients[k + "x"] += np.outer(dz[k], x_t)
        gradients["x"][t] = sum(dz[k] @ W[k + "x"] for k in s)
        dh = sum(dz[k] @ W[k + "h"] for k in s)
        dc = dc * s["f"]
    return gradients | {"h_0": dh, "c_0": dc}

"""Float64 inside, matrices from the left, an answer with the inputs' type as a list."""
def sampling_step(t, token, read, written, V, c, W, b):
    column = V[t - 1].double().T[token] if t else torch.zeros(()).expand(len(read))
    r = read.double() + column
    u = torch.addmv(written.double(), W[t].double(), torch.special.expit(c[t] + r))
    return [(u + b[t]).log_softmax(0).exp().float(), r.float(), u.float()]

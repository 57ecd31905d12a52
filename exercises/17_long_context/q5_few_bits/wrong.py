"""Named mistakes in question 17.5."""


# %% divided_by_zero: codes that are NaN where all is zero
# loses: zeros
def encode(x, bits):
    most = 2 ** (bits - 1) - 1
    step = x.abs().amax(dim=1, keepdim=True) / most
    codes = (x / step).round()
    return codes, step


def decode(codes, step):
    return codes * step


# %% truncated: codes cut off towards zero
# loses: codes, bits
def encode(x, bits):
    most = 2 ** (bits - 1) - 1
    step = x.abs().amax(dim=1, keepdim=True) / most
    codes = torch.where(step > 0, x / step, 0.0).trunc()
    return codes, step


def decode(codes, step):
    return codes * step


# %% rounded_down: codes rounded down
# loses: codes, bits
def encode(x, bits):
    most = 2 ** (bits - 1) - 1
    step = x.abs().amax(dim=1, keepdim=True) / most
    codes = torch.where(step > 0, x / step, 0.0).floor()
    return codes, step


def decode(codes, step):
    return codes * step


# %% one_step: one step for all vectors
# loses: codes, bits, zeros
def encode(x, bits):
    most = 2 ** (bits - 1) - 1
    step = x.abs().max().expand(len(x), 1) / most
    codes = torch.where(step > 0, x / step, 0.0).round()
    return codes, step


def decode(codes, step):
    return codes * step


# %% always_eight: codes of eight bits whatever bits says
# loses: bits
def encode(x, bits):
    most = 127
    step = x.abs().amax(dim=1, keepdim=True) / most
    codes = torch.where(step > 0, x / step, 0.0).round()
    return codes, step


def decode(codes, step):
    return codes * step


# %% one_too_many: a largest code of a power of two
# loses: codes, bits, zeros
def encode(x, bits):
    most = 2 ** (bits - 1)
    step = x.abs().amax(dim=1, keepdim=True) / most
    codes = torch.where(step > 0, x / step, 0.0).round()
    return codes, step


def decode(codes, step):
    return codes * step


# %% no_sign_bit: codes that leave no bit for the sign
# loses: codes, bits, zeros
def encode(x, bits):
    most = 2**bits - 1
    step = x.abs().amax(dim=1, keepdim=True) / most
    codes = torch.where(step > 0, x / step, 0.0).round()
    return codes, step


def decode(codes, step):
    return codes * step


# %% signed: a step from the largest number instead of the largest absolute one
# loses: codes, bits
def encode(x, bits):
    most = 2 ** (bits - 1) - 1
    step = x.amax(dim=1, keepdim=True).clamp(min=0) / most
    codes = torch.where(step > 0, x / step, 0.0).round()
    return codes, step


def decode(codes, step):
    return codes * step


# %% divided_back: codes divided by their step
# loses: back
def encode(x, bits):
    most = 2 ** (bits - 1) - 1
    step = x.abs().amax(dim=1, keepdim=True) / most
    codes = torch.where(step > 0, x / step, 0.0).round()
    return codes, step


def decode(codes, step):
    return codes / step

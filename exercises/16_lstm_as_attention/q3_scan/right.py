"""Right answers to question 16.3."""


# %% start_first: The start as a step before the first, with a factor of 0.
def join(f_1, u_1, f_2, u_2):
    return f_1 * f_2, torch.addcmul(u_2, f_2, u_1)


def scan(f, u, start, join):
    f = torch.cat([torch.zeros_like(f[:1]), f])
    u = torch.cat([start[None], u])
    n = 1
    while n < len(u):
        later = join(f[:-n], u[:-n], f[n:], u[n:])
        f, u = (torch.cat([old[:n], new]) for old, new in zip((f, u), later))
        n *= 2
    return u[1:]


# %% halves: Pairs joined, a scan of half the length, and the places between filled in.
def join(f_1, u_1, f_2, u_2):
    return f_2 * f_1, u_2 + f_2 * u_1


def prefixes(f, u, join):
    if len(f) == 1:
        return f, u
    even = len(f) // 2 * 2
    f_half, u_half = prefixes(*join(f[0:even:2], u[0:even:2], f[1:even:2], u[1:even:2]), join)
    between = (len(f) - 1) // 2
    f_odd, u_odd = join(f_half[:between], u_half[:between], f[2::2], u[2::2])
    f_all = [f[:1]] + [None] * (len(f) - 1)
    u_all = [u[:1]] + [None] * (len(f) - 1)
    for n in range(1, len(f)):
        f_all[n] = f_half[n // 2 : n // 2 + 1] if n % 2 else f_odd[n // 2 - 1 : n // 2]
        u_all[n] = u_half[n // 2 : n // 2 + 1] if n % 2 else u_odd[n // 2 - 1 : n // 2]
    return torch.cat(f_all), torch.cat(u_all)


def scan(f, u, start, join):
    f, u = prefixes(f, u, join)
    return f * start + u


# %% padded: Steps that change nothing before the first, in float64.
def join(f_1, u_1, f_2, u_2):
    f_1, u_1, f_2, u_2 = (part.double() for part in (f_1, u_1, f_2, u_2))
    return f_1 * f_2, u_1 * f_2 + u_2


def scan(f, u, start, join):
    f, u = f.double(), u.double()
    for n in range(math.ceil(math.log2(len(f)))):
        away = min(2**n, len(f))
        f_before = torch.cat([torch.ones_like(f[:away]), f])[: len(f)]
        u_before = torch.cat([torch.zeros_like(u[:away]), u])[: len(u)]
        f, u = join(f_before, u_before, f, u)
    return torch.addcmul(u, f, start.double())

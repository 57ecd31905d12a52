"""Named mistakes in question 16.3."""


# %% other_order: a join in which the second step comes first
# loses: join, gradients
def join(f_1, u_1, f_2, u_2):
    return f_2 * f_1, f_1 * u_2 + u_1


def scan(f, u, start, join):
    n = 1
    while n < len(u):
        f_new, u_new = join(f[:-n], u[:-n], f[n:], u[n:])
        f, u = torch.cat([f[:n], f_new]), torch.cat([u[:n], u_new])
        n = 2 * n
    return f * start + u


# %% added: a join that adds the terms as they are
# loses: join, gradients
def join(f_1, u_1, f_2, u_2):
    return f_2 * f_1, u_1 + u_2


def scan(f, u, start, join):
    n = 1
    while n < len(u):
        f_new, u_new = join(f[:-n], u[:-n], f[n:], u[n:])
        f, u = torch.cat([f[:n], f_new]), torch.cat([u[:n], u_new])
        n = 2 * n
    return f * start + u


# %% swapped: a scan that hands join the later step first
# loses: values, closed, rounds, gradients
def join(f_1, u_1, f_2, u_2):
    return f_2 * f_1, f_2 * u_1 + u_2


def scan(f, u, start, join):
    n = 1
    while n < len(u):
        f_new, u_new = join(f[n:], u[n:], f[:-n], u[:-n])
        f, u = torch.cat([f[:n], f_new]), torch.cat([u[:n], u_new])
        n = 2 * n
    return f * start + u


# %% from_zero: a scan that starts from 0
# loses: values, closed, rounds, gradients
def join(f_1, u_1, f_2, u_2):
    return f_2 * f_1, f_2 * u_1 + u_2


def scan(f, u, start, join):
    n = 1
    while n < len(u):
        f_new, u_new = join(f[:-n], u[:-n], f[n:], u[n:])
        f, u = torch.cat([f[:n], f_new]), torch.cat([u[:n], u_new])
        n = 2 * n
    return u + 0 * start


# %% start_added: a start that is added to every state as it is
# loses: values, closed, rounds, gradients
def join(f_1, u_1, f_2, u_2):
    return f_2 * f_1, f_2 * u_1 + u_2


def scan(f, u, start, join):
    n = 1
    while n < len(u):
        f_new, u_new = join(f[:-n], u[:-n], f[n:], u[n:])
        f, u = torch.cat([f[:n], f_new]), torch.cat([u[:n], u_new])
        n = 2 * n
    return u + start


# %% start_twice: a start that meets the first factor twice
# loses: values, closed, rounds, gradients
def join(f_1, u_1, f_2, u_2):
    return f_2 * f_1, f_2 * u_1 + u_2


def scan(f, u, start, join):
    start = f[0] * start
    n = 1
    while n < len(u):
        f_new, u_new = join(f[:-n], u[:-n], f[n:], u[n:])
        f, u = torch.cat([f[:n], f_new]), torch.cat([u[:n], u_new])
        n = 2 * n
    return f * start + u


# %% one_by_one: a loop that calls join once for each step
# loses: rounds
def join(f_1, u_1, f_2, u_2):
    return f_2 * f_1, f_2 * u_1 + u_2


def scan(f, u, start, join):
    states, factor, term = [], torch.ones_like(start[None]), start[None]
    for t in range(len(u)):
        factor, term = join(factor, term, f[t : t + 1], u[t : t + 1])
        states.append(term)
    return torch.cat(states)


# %% no_joins: a loop over the steps without join
# loses: rounds
def join(f_1, u_1, f_2, u_2):
    return f_2 * f_1, f_2 * u_1 + u_2


def scan(f, u, start, join):
    states, state = [], start
    for t in range(len(u)):
        state = f[t] * state + u[t]
        states.append(state)
    return torch.stack(states)


# %% divided: sums of terms divided by running products of the factors
# loses: closed, rounds, gradients
def join(f_1, u_1, f_2, u_2):
    return f_2 * f_1, f_2 * u_1 + u_2


def scan(f, u, start, join):
    product = f.double().cumprod(dim=0)
    return product * (start + (u / product).cumsum(dim=0))


# %% detached: states that no gradient passes from one round to the next
# loses: gradients
def join(f_1, u_1, f_2, u_2):
    return f_2 * f_1, f_2 * u_1 + u_2


def scan(f, u, start, join):
    n = 1
    while n < len(u):
        f_new, u_new = join(f[:-n], u[:-n], f[n:], u[n:])
        f, u = torch.cat([f[:n], f_new]).detach(), torch.cat([u[:n], u_new]).detach()
        n = 2 * n
    return f * start + u

"""Named mistakes in question 16.6."""


# %% last: a second layer that keeps the last token alone
# loses: kept, long, drowned
def build(symbols):
    n = symbols
    eye, zeros = torch.eye(n + 1), torch.zeros(n + 1, n + 1)
    first = {"W_c": 10 * eye, "W_i": zeros, "W_f": zeros, "b_c": torch.zeros(n + 1)}
    first["b_i"] = torch.full((n + 1,), 100.0)
    first["b_f"] = torch.cat([torch.full((n,), -100.0), torch.zeros(1)])
    gate = torch.zeros(n, n + 1)
    gate[:, n] = 0.0
    second = {"W_c": 10 * eye[:n], "W_i": gate, "W_f": zeros[:n], "b_c": torch.zeros(n)}
    second["b_i"] = torch.full((n,), 100.0)
    second["b_f"] = torch.full((n,), -100.0)
    return [first, second]


# %% all_counted: a second layer that adds up all tokens of the text
# loses: short, kept, long, drowned
def build(symbols):
    n = symbols
    eye, zeros = torch.eye(n + 1), torch.zeros(n + 1, n + 1)
    first = {"W_c": 10 * eye, "W_i": zeros, "W_f": zeros, "b_c": torch.zeros(n + 1)}
    first["b_i"] = torch.full((n + 1,), 100.0)
    first["b_f"] = torch.cat([torch.full((n,), -100.0), torch.zeros(1)])
    gate = torch.zeros(n, n + 1)
    gate[:, n] = 0.0
    second = {"W_c": 10 * eye[:n], "W_i": gate, "W_f": zeros[:n], "b_c": torch.zeros(n)}
    second["b_i"] = torch.full((n,), 100.0)
    second["b_f"] = torch.full((n,), 100.0)
    return [first, second]


# %% marker_stays: a first layer that never forgets the marker, so that all later symbols are let in
# loses: kept, long, drowned
def build(symbols):
    n = symbols
    eye, zeros = torch.eye(n + 1), torch.zeros(n + 1, n + 1)
    first = {"W_c": 10 * eye, "W_i": zeros, "W_f": zeros, "b_c": torch.zeros(n + 1)}
    first["b_i"] = torch.full((n + 1,), 100.0)
    first["b_f"] = torch.cat([torch.full((n,), -100.0), torch.full((1,), 100.0)])
    gate = torch.zeros(n, n + 1)
    gate[:, n] = 1000.0
    second = {"W_c": 10 * eye[:n], "W_i": gate, "W_f": zeros[:n], "b_c": torch.zeros(n)}
    second["b_i"] = torch.full((n,), -350.0)
    second["b_f"] = torch.full((n,), 100.0)
    return [first, second]


# %% three_words: a gate that is open for three tokens after the marker
# loses: kept, long, drowned
def build(symbols):
    n = symbols
    eye, zeros = torch.eye(n + 1), torch.zeros(n + 1, n + 1)
    first = {"W_c": 10 * eye, "W_i": zeros, "W_f": zeros, "b_c": torch.zeros(n + 1)}
    first["b_i"] = torch.full((n + 1,), 100.0)
    first["b_f"] = torch.cat([torch.full((n,), -100.0), torch.zeros(1)])
    gate = torch.zeros(n, n + 1)
    gate[:, n] = 1000.0
    second = {"W_c": 10 * eye[:n], "W_i": gate, "W_f": zeros[:n], "b_c": torch.zeros(n)}
    second["b_i"] = torch.full((n,), -100.0)
    second["b_f"] = torch.full((n,), 100.0)
    return [first, second]


# %% leaking: input gates that are not closed enough
# loses: long, drowned
def build(symbols):
    n = symbols
    eye, zeros = torch.eye(n + 1), torch.zeros(n + 1, n + 1)
    first = {"W_c": 10 * eye, "W_i": zeros, "W_f": zeros, "b_c": torch.zeros(n + 1)}
    first["b_i"] = torch.full((n + 1,), 100.0)
    first["b_f"] = torch.cat([torch.full((n,), -100.0), torch.zeros(1)])
    gate = torch.zeros(n, n + 1)
    gate[:, n] = 12.0
    second = {"W_c": 10 * eye[:n], "W_i": gate, "W_f": zeros[:n], "b_c": torch.zeros(n)}
    second["b_i"] = torch.full((n,), -4.0)
    second["b_f"] = torch.full((n,), 100.0)
    return [first, second]


# %% fading: a second memory that fades
# loses: long, drowned
def build(symbols):
    n = symbols
    eye, zeros = torch.eye(n + 1), torch.zeros(n + 1, n + 1)
    first = {"W_c": 10 * eye, "W_i": zeros, "W_f": zeros, "b_c": torch.zeros(n + 1)}
    first["b_i"] = torch.full((n + 1,), 100.0)
    first["b_f"] = torch.cat([torch.full((n,), -100.0), torch.zeros(1)])
    gate = torch.zeros(n, n + 1)
    gate[:, n] = 1000.0
    second = {"W_c": 10 * eye[:n], "W_i": gate, "W_f": zeros[:n], "b_c": torch.zeros(n)}
    second["b_i"] = torch.full((n,), -350.0)
    second["b_f"] = torch.full((n,), -4.0)
    return [first, second]


# %% at_marker: a gate that is open at the marker alone
# loses: short, kept, long, drowned
def build(symbols):
    n = symbols
    eye, zeros = torch.eye(n + 1), torch.zeros(n + 1, n + 1)
    first = {"W_c": 10 * eye, "W_i": zeros, "W_f": zeros, "b_c": torch.zeros(n + 1)}
    first["b_i"] = torch.full((n + 1,), 100.0)
    first["b_f"] = torch.cat([torch.full((n,), -100.0), torch.zeros(1)])
    gate = torch.zeros(n, n + 1)
    gate[:, n] = 1000.0
    second = {"W_c": 10 * eye[:n], "W_i": gate, "W_f": zeros[:n], "b_c": torch.zeros(n)}
    second["b_i"] = torch.full((n,), -600.0)
    second["b_f"] = torch.full((n,), 100.0)
    return [first, second]


# %% symbols_stay: a first layer that forgets no symbol
# loses: short, kept, long, drowned
def build(symbols):
    n = symbols
    eye, zeros = torch.eye(n + 1), torch.zeros(n + 1, n + 1)
    first = {"W_c": 10 * eye, "W_i": zeros, "W_f": zeros, "b_c": torch.zeros(n + 1)}
    first["b_i"] = torch.full((n + 1,), 100.0)
    first["b_f"] = torch.cat([torch.full((n,), 100.0), torch.zeros(1)])
    gate = torch.zeros(n, n + 1)
    gate[:, n] = 1000.0
    second = {"W_c": 10 * eye[:n], "W_i": gate, "W_f": zeros[:n], "b_c": torch.zeros(n)}
    second["b_i"] = torch.full((n,), -350.0)
    second["b_f"] = torch.full((n,), 100.0)
    return [first, second]

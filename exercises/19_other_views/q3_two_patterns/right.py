"""Right answers to question 19.3."""


# %% closed: Closed forms, and the valley by Newton's method.
right_angle = 2
neighbors = 1 / math.sin(math.radians(20)) ** 2
share = 0.97
for _ in range(50):
    sigmoid = 1 / (1 + math.exp(-4 * (2 * share - 1)))
    share -= (share - sigmoid) / (1 - 8 * sigmoid * (1 - sigmoid))


# %% vectors: The memory itself, with vectors in the plane: slopes by differences, and updates until nothing moves.
def updated(p, theta, beta):
    patterns = np.array([[1.0, 0.0], [math.cos(theta), math.sin(theta)]])
    scores = beta * patterns @ (p * patterns[0] + (1 - p) * patterns[1])
    return 1 / (1 + math.exp(scores[1] - scores[0]))


def parts_at(theta):
    low, high = 0.1, 100.0
    for _ in range(100):
        middle = (low + high) / 2
        slope = (updated(0.5 + 1e-5, theta, middle) - updated(0.5 - 1e-5, theta, middle)) / 2e-5
        low, high = (low, middle) if slope > 1 else (middle, high)
    return low


right_angle, neighbors = parts_at(math.pi / 2), parts_at(math.radians(40))
share = 1.0
for _ in range(1000):
    share = updated(share, math.pi / 2, 4.0)


# %% memory: The memory of 19.1, at a right angle and with the two patterns in one batch of starts.
right_angle = 4 / 2
neighbors = 4 / (2 - 2 * math.cos(math.radians(40)))
patterns = torch.eye(2, dtype=torch.float64)[None]
states = patterns.clone()
for _ in range(300):
    states = retrieve(states, patterns, 4.0)
share = states.max().item()

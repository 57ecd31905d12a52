"""Right answers to question 09.2."""


# %% closed: Closed forms.
one_hot = 256 * 256 + 2048 * 256
joint = 256 * 1024 + 2048 * 1024 + 1024 * 256
relative = 6 * 8 * 129 * 32
wavelength = 2 * math.pi * 10000 ** (48 / 128)
slow = 64 - math.ceil(64 * math.log(5000 / (2 * math.pi), 10000))
similarity = math.cos(2) + math.cos(0.02)
penalty = math.exp(-12 / 8)


# %% counted: Counted from tensors.
def count(*shapes):
    return sum(torch.empty(shape).numel() for shape in shapes)


one_hot = count((256 + 2048, 256))
joint = count((256, 1024), (2048, 1024), (1024, 256))
relative = count((6, 8, 2 * 64 + 1, 32))
lengths = 2 * np.pi * 10000 ** (np.arange(0, 128, 2) / 128)
wavelength = lengths[24]
slow = int((lengths > 5000).sum())


def wave(t):
    return np.array([np.sin(t), np.cos(t), np.sin(t / 100), np.cos(t / 100)])


similarity = wave(7) @ wave(9)
penalty = np.exp(-12 * (2 ** (-8 / 8)) ** 3)

"""Right answers to question 09.2."""


# %% closed: Closed forms.
wavelength = 2 * math.pi * 10000 ** (48 / 128)
slow = 64 - math.ceil(64 * math.log(5000 / (2 * math.pi), 10000))
base = math.exp(4 / 3 * math.log(131072 / (2 * math.pi)))


# %% searched: Wavelengths in an array, and a base that is found by halving.
def wavelengths(base):
    return 2 * np.pi * base ** (np.arange(0, 128, 2) / 128)


wavelength = wavelengths(10000.0)[24]
slow = int((wavelengths(10000.0) > 5000).sum())
low, high = 1.0, 1e9
for _ in range(200):
    middle = (low + high) / 2
    if (wavelengths(middle) > 131072).sum() >= 16:
        high = middle
    else:
        low = middle
base = high

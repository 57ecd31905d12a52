"""Numbers copied with three digits."""
means = [0.148, 0.0830, 0.0427, 0.0216]
medians = [0.172, 0.0379, 0.000885, 0.00000119]
slope = -0.486
certain = 0.809

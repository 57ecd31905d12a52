"""A function of the moments of one term."""
def of_sum(mean_q, var_q, mean_k, var_k, terms=48):
    return terms * ((var_q + mean_q**2) * (var_k + mean_k**2) - (mean_q * mean_k) ** 2)


variance = of_sum(0, 3, 0, 0.5)
scale = variance**-0.5
shifted = of_sum(0, 3, 2, 1)
own_mean = 48 * 1.0
own_variance = 48 * (3.0 - 1.0)

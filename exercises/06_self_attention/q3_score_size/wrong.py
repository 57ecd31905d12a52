"""Named mistakes in question 06.3."""


# %% deviation: the standard deviation in place of the variance
# loses: variance
variance = 72**0.5
scale = 72**-0.5
shifted = 720
own_mean = 48
own_variance = 96


# %% mean_ignored: the variance of shifted keys as if their mean did not matter
# loses: shifted
variance = 72
scale = 72**-0.5
shifted = 144
own_mean = 48
own_variance = 96


# %% mean_not_squared: E[k^2] taken for variance plus mean, without the square
# loses: shifted
variance = 72
scale = 72**-0.5
shifted = 48 * 3 * 3
own_mean = 48
own_variance = 96


# %% one_over_root_k: the scale 1/sqrt(48), although the entries have not variance 1
# loses: scale
variance = 72
scale = 48**-0.5
shifted = 720
own_mean = 48
own_variance = 96


# %% one_over_variance: one over the variance, not over its root
# loses: scale
variance = 72
scale = 1/72
shifted = 720
own_mean = 48
own_variance = 96


# %% own_fourth: the fourth moment without the squared mean subtracted
# loses: own
variance = 72
scale = 72**-0.5
shifted = 720
own_mean = 48
own_variance = 48 * 3


# %% own_independent: a variance as if the token were independent of itself
# loses: own
variance = 72
scale = 72**-0.5
shifted = 720
own_mean = 48
own_variance = 48


# %% own_zero: a mean of zero for a token's score with itself
# loses: own
variance = 72
scale = 72**-0.5
shifted = 720
own_mean = 0
own_variance = 96


# %% sum_of_variances: variances added where the factors are multiplied
# loses: variance, scale
variance = 48 * 3.5
scale = (48 * 3.5)**-0.5
shifted = 720
own_mean = 48
own_variance = 96

"""the scale 1/sqrt(48), although the entries have not variance 1"""
# loses: scale
variance = 72
scale = 48**-0.5
shifted = 720
own_mean = 48
own_variance = 96

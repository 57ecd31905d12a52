"""the slope of the undecided head, 1/4"""
# loses: certain
own = 0.24
other = -0.18
pull = 0.1 * (50 - 17)
certain = 0.25

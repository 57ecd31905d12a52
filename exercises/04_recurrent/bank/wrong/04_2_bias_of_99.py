"""a bias for 99 steps"""


# loses: bias
steps = 44
peak = 5.88
bound = 0.8**12
memory = 0.4 * 0.5 * 0.9 * 0.75
bias = -math.log(2 ** (1 / 99) - 1)
rnn = 96 + 96**2 + 2 * 50 * 96 + 96 + 50
note = 8 * 96**2
critical = 514
again = 15150

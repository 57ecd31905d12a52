"""n times the power n of 0.7, not n - 1"""


# loses: peak
steps = 44
peak = max(4 * n * 0.7**n for n in range(1, 99))
bound = 0.8**12
memory = 0.4 * 0.5 * 0.9 * 0.75
bias = -math.log(2**0.01 - 1)
rnn = 96 + 96**2 + 2 * 50 * 96 + 96 + 50
note = 8 * 96**2
critical = 514
again = 15150

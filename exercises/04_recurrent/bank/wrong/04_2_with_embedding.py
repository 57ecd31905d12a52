"""a count with an embedding before the network"""


# loses: parameters
steps = 44
peak = 5.88
bound = 0.8**12
memory = 0.4 * 0.5 * 0.9 * 0.75
bias = -math.log(2**0.01 - 1)
rnn = 96 + 96**2 + 3 * 50 * 96 + 96 + 50
note = 8 * 96**2
critical = 514
again = 15150

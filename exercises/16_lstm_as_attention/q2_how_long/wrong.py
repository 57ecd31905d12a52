"""Named mistakes in question 16.2."""


# %% still_there: the last distance at which a hundredth may be left
# loses: distance
distance = 43
gate = 0.5 ** (1 / 50)
bias = math.log(gate / (1 - gate))
tie = 0.25 ** (1 / 10)


# %% own_gate: powers in which a word also meets the forget gate of its own step
# loses: gate, bias, tie
distance = 44
gate = 0.5 ** (1 / 51)
bias = math.log(gate / (1 - gate))
tie = 0.25 ** (1 / 11)


# %% linear: a gate that takes away the same amount at each word
# loses: distance, gate, bias, tie
distance = 10
gate = 1 - 0.5 / 50
bias = math.log(gate / (1 - gate))
tie = 1 - 0.75 / 10


# %% log_of_gate: the logarithm of the gate as its bias
# loses: bias
distance = 44
gate = 0.5 ** (1 / 50)
bias = math.log(gate)
tie = 0.25 ** (1 / 10)


# %% odds: the odds of the gate without their logarithm
# loses: bias
distance = 44
gate = 0.5 ** (1 / 50)
bias = gate / (1 - gate)
tie = 0.25 ** (1 / 10)


# %% nine_words: a count of the words between the two
# loses: tie
distance = 44
gate = 0.5 ** (1 / 50)
bias = math.log(gate / (1 - gate))
tie = 0.25 ** (1 / 9)


# %% difference: the difference of the two input gates in place of their quotient
# loses: tie
distance = 44
gate = 0.5 ** (1 / 50)
bias = math.log(gate / (1 - gate))
tie = 0.6 ** (1 / 10)


# %% e_fold: the gate that leaves one over e
# loses: gate, bias
distance = 44
gate = math.exp(-1 / 50)
bias = math.log(gate / (1 - gate))
tie = 0.25 ** (1 / 10)

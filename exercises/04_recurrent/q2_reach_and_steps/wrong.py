"""Named mistakes in question 04.2."""


# %% again_last: a pass after the last token as well
# loses: sampling
steps = 44
peak = 5.88
bound = 0.8**12
memory = 0.4 * 0.5 * 0.9 * 0.75
bias = -math.log(2**0.01 - 1)
rnn = 96 + 96**2 + 2 * 50 * 96 + 96 + 50
note = 8 * 96**2
critical = 514
again = 3 * sum(range(1, 102))


# %% all_powers: the sum of the entry over all powers of W
# loses: peak
steps = 44
peak = 4 / 0.3**2
bound = 0.8**12
memory = 0.4 * 0.5 * 0.9 * 0.75
bias = -math.log(2**0.01 - 1)
rnn = 96 + 96**2 + 2 * 50 * 96 + 96 + 50
note = 8 * 96**2
critical = 514
again = 15150


# %% bias_of_99: a bias for 99 steps
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


# %% bias_sign: the bias of the share that is forgotten
# loses: bias
steps = 44
peak = 5.88
bound = 0.8**12
memory = 0.4 * 0.5 * 0.9 * 0.75
bias = math.log(2**0.01 - 1)
rnn = 96 + 96**2 + 2 * 50 * 96 + 96 + 50
note = 8 * 96**2
critical = 514
again = 15150


# %% e_fold: the bias that leaves 1/e of the memory
# loses: bias
steps = 44
peak = 5.88
bound = 0.8**12
memory = 0.4 * 0.5 * 0.9 * 0.75
bias = -math.log(math.exp(0.01) - 1)
rnn = 96 + 96**2 + 2 * 50 * 96 + 96 + 50
note = 8 * 96**2
critical = 514
again = 15150


# %% eigenvalue: the largest power of the eigenvalue alone
# loses: peak
steps = 44
peak = 0.7
bound = 0.8**12
memory = 0.4 * 0.5 * 0.9 * 0.75
bias = -math.log(2**0.01 - 1)
rnn = 96 + 96**2 + 2 * 50 * 96 + 96 + 50
note = 8 * 96**2
critical = 514
again = 15150


# %% entry_powers: the entry of W's second power
# loses: peak
steps = 44
peak = 5.6
bound = 0.8**12
memory = 0.4 * 0.5 * 0.9 * 0.75
bias = -math.log(2**0.01 - 1)
rnn = 96 + 96**2 + 2 * 50 * 96 + 96 + 50
note = 8 * 96**2
critical = 514
again = 15150


# %% first_power: the entry of W itself
# loses: peak
steps = 44
peak = 4.0
bound = 0.8**12
memory = 0.4 * 0.5 * 0.9 * 0.75
bias = -math.log(2**0.01 - 1)
rnn = 96 + 96**2 + 2 * 50 * 96 + 96 + 50
note = 8 * 96**2
critical = 514
again = 15150


# %% four_matrices: four matrices in place of eight
# loses: parameters
steps = 44
peak = 5.88
bound = 0.8**12
memory = 0.4 * 0.5 * 0.9 * 0.75
bias = -math.log(2**0.01 - 1)
rnn = 96 + 96**2 + 2 * 50 * 96 + 96 + 50
note = 4 * 96**2
critical = 514
again = 15150


# %% gate_not_bias: the gate in place of its bias
# loses: bias
steps = 44
peak = 5.88
bound = 0.8**12
memory = 0.4 * 0.5 * 0.9 * 0.75
bias = 2**-0.01
rnn = 96 + 96**2 + 2 * 50 * 96 + 96 + 50
note = 8 * 96**2
critical = 514
again = 15150


# %% half_of_each: the bias of a gate that keeps 1 - 1/200 of the memory
# loses: bias
steps = 44
peak = 5.88
bound = 0.8**12
memory = 0.4 * 0.5 * 0.9 * 0.75
bias = math.log(199)
rnn = 96 + 96**2 + 2 * 50 * 96 + 96 + 50
note = 8 * 96**2
critical = 514
again = 15150


# %% input_gate_after: the input gate of step 3
# loses: memory
steps = 44
peak = 5.88
bound = 0.8**12
memory = 0.9 * 0.5 * 0.9 * 0.75
bias = -math.log(2**0.01 - 1)
rnn = 96 + 96**2 + 2 * 50 * 96 + 96 + 50
note = 8 * 96**2
critical = 514
again = 15150


# %% input_gates: a product of input gates
# loses: memory
steps = 44
peak = 5.88
bound = 0.8**12
memory = 0.4 * 0.9 * 0.3 * 0.7
bias = -math.log(2**0.01 - 1)
rnn = 96 + 96**2 + 2 * 50 * 96 + 96 + 50
note = 8 * 96**2
critical = 514
again = 15150


# %% last_missing: forget gates that end before the last step
# loses: memory
steps = 44
peak = 5.88
bound = 0.8**12
memory = 0.4 * 0.5 * 0.9
bias = -math.log(2**0.01 - 1)
rnn = 96 + 96**2 + 2 * 50 * 96 + 96 + 50
note = 8 * 96**2
critical = 514
again = 15150


# %% layer_by_layer: rounds of layers that wait for one another
# loses: serial
steps = 44
peak = 5.88
bound = 0.8**12
memory = 0.4 * 0.5 * 0.9 * 0.75
bias = -math.log(2**0.01 - 1)
rnn = 96 + 96**2 + 2 * 50 * 96 + 96 + 50
note = 8 * 96**2
critical = 3 * 512
again = 15150


# %% no_biases: a count without biases
# loses: parameters
steps = 44
peak = 5.88
bound = 0.8**12
memory = 0.4 * 0.5 * 0.9 * 0.75
bias = -math.log(2**0.01 - 1)
rnn = 96 + 96**2 + 2 * 50 * 96
note = 8 * 96**2
critical = 514
again = 15150


# %% no_first_state: a count without the first state
# loses: parameters
steps = 44
peak = 5.88
bound = 0.8**12
memory = 0.4 * 0.5 * 0.9 * 0.75
bias = -math.log(2**0.01 - 1)
rnn = 96**2 + 2 * 50 * 96 + 96 + 50
note = 8 * 96**2
critical = 514
again = 15150


# %% no_head: a count without the head
# loses: parameters
steps = 44
peak = 5.88
bound = 0.8**12
memory = 0.4 * 0.5 * 0.9 * 0.75
bias = -math.log(2**0.01 - 1)
rnn = 96 + 96**2 + 50 * 96 + 96
note = 8 * 96**2
critical = 514
again = 15150


# %% no_input_gate: the forget gates without the input gate
# loses: memory
steps = 44
peak = 5.88
bound = 0.8**12
memory = 0.5 * 0.9 * 0.75
bias = -math.log(2**0.01 - 1)
rnn = 96 + 96**2 + 2 * 50 * 96 + 96 + 50
note = 8 * 96**2
critical = 514
again = 15150


# %% no_start_read: a program that does not read the start token
# loses: sampling
steps = 44
peak = 5.88
bound = 0.8**12
memory = 0.4 * 0.5 * 0.9 * 0.75
bias = -math.log(2**0.01 - 1)
rnn = 96 + 96**2 + 2 * 50 * 96 + 96 + 50
note = 8 * 96**2
critical = 514
again = 3 * sum(range(100))


# %% not_rounded: the n at which the derivative equals 0.01
# loses: steps
steps = math.log(0.01) / math.log(0.9)
peak = 5.88
bound = 0.8**12
memory = 0.4 * 0.5 * 0.9 * 0.75
bias = -math.log(2**0.01 - 1)
rnn = 96 + 96**2 + 2 * 50 * 96 + 96 + 50
note = 8 * 96**2
critical = 514
again = 15150


# %% note_with_biases: the note's LSTM with four biases
# loses: parameters
steps = 44
peak = 5.88
bound = 0.8**12
memory = 0.4 * 0.5 * 0.9 * 0.75
bias = -math.log(2**0.01 - 1)
rnn = 96 + 96**2 + 2 * 50 * 96 + 96 + 50
note = 8 * 96**2 + 4 * 96
critical = 514
again = 15150


# %% one_layer: rounds of a single layer
# loses: serial
steps = 44
peak = 5.88
bound = 0.8**12
memory = 0.4 * 0.5 * 0.9 * 0.75
bias = -math.log(2**0.01 - 1)
rnn = 96 + 96**2 + 2 * 50 * 96 + 96 + 50
note = 8 * 96**2
critical = 512
again = 15150


# %% one_layer_again: the cells of a single layer
# loses: sampling
steps = 44
peak = 5.88
bound = 0.8**12
memory = 0.4 * 0.5 * 0.9 * 0.75
bias = -math.log(2**0.01 - 1)
rnn = 96 + 96**2 + 2 * 50 * 96 + 96 + 50
note = 8 * 96**2
critical = 514
again = 5050


# %% one_less: a bound over eleven steps
# loses: logistic
steps = 44
peak = 5.88
bound = 0.8**11
memory = 0.4 * 0.5 * 0.9 * 0.75
bias = -math.log(2**0.01 - 1)
rnn = 96 + 96**2 + 2 * 50 * 96 + 96 + 50
note = 8 * 96**2
critical = 514
again = 15150


# %% one_round_more: a round too many for the layers above the first
# loses: serial
steps = 44
peak = 5.88
bound = 0.8**12
memory = 0.4 * 0.5 * 0.9 * 0.75
bias = -math.log(2**0.01 - 1)
rnn = 96 + 96**2 + 2 * 50 * 96 + 96 + 50
note = 8 * 96**2
critical = 515
again = 15150


# %% own_gate: the forget gate of step 2 as well
# loses: memory
steps = 44
peak = 5.88
bound = 0.8**12
memory = 0.4 * 0.8 * 0.5 * 0.9 * 0.75
bias = -math.log(2**0.01 - 1)
rnn = 96 + 96**2 + 2 * 50 * 96 + 96 + 50
note = 8 * 96**2
critical = 514
again = 15150


# %% peak_between: a maximum between two whole n
# loses: peak
steps = 44
peak = -4 / (0.7 * math.e * math.log(0.7))
bound = 0.8**12
memory = 0.4 * 0.5 * 0.9 * 0.75
bias = -math.log(2**0.01 - 1)
rnn = 96 + 96**2 + 2 * 50 * 96 + 96 + 50
note = 8 * 96**2
critical = 514
again = 15150


# %% peak_place: the n of the largest derivative in place of the derivative
# loses: peak
steps = 44
peak = 3
bound = 0.8**12
memory = 0.4 * 0.5 * 0.9 * 0.75
bias = -math.log(2**0.01 - 1)
rnn = 96 + 96**2 + 2 * 50 * 96 + 96 + 50
note = 8 * 96**2
critical = 514
again = 15150


# %% peak_power: n times the power n of 0.7, not n - 1
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


# %% slope_half: a bound with the value 1/2 of the sigmoid for its slope
# loses: logistic
steps = 44
peak = 5.88
bound = 1.6**12
memory = 0.4 * 0.5 * 0.9 * 0.75
bias = -math.log(2**0.01 - 1)
rnn = 96 + 96**2 + 2 * 50 * 96 + 96 + 50
note = 8 * 96**2
critical = 514
again = 15150


# %% slope_one: a bound without the slope of the sigmoid
# loses: logistic
steps = 44
peak = 5.88
bound = 3.2**12
memory = 0.4 * 0.5 * 0.9 * 0.75
bias = -math.log(2**0.01 - 1)
rnn = 96 + 96**2 + 2 * 50 * 96 + 96 + 50
note = 8 * 96**2
critical = 514
again = 15150


# %% slopes_alone: a bound without the weight
# loses: logistic
steps = 44
peak = 5.88
bound = 0.25**12
memory = 0.4 * 0.5 * 0.9 * 0.75
bias = -math.log(2**0.01 - 1)
rnn = 96 + 96**2 + 2 * 50 * 96 + 96 + 50
note = 8 * 96**2
critical = 514
again = 15150


# %% square: 100 tokens read for every sample
# loses: sampling
steps = 44
peak = 5.88
bound = 0.8**12
memory = 0.4 * 0.5 * 0.9 * 0.75
bias = -math.log(2**0.01 - 1)
rnn = 96 + 96**2 + 2 * 50 * 96 + 96 + 50
note = 8 * 96**2
critical = 514
again = 3 * 100 * 100


# %% step_early: the last n at which the derivative is still above 0.01
# loses: steps
steps = 43
peak = 5.88
bound = 0.8**12
memory = 0.4 * 0.5 * 0.9 * 0.75
bias = -math.log(2**0.01 - 1)
rnn = 96 + 96**2 + 2 * 50 * 96 + 96 + 50
note = 8 * 96**2
critical = 514
again = 15150


# %% tenth: the n at which the derivative is below 0.1
# loses: steps
steps = 22
peak = 5.88
bound = 0.8**12
memory = 0.4 * 0.5 * 0.9 * 0.75
bias = -math.log(2**0.01 - 1)
rnn = 96 + 96**2 + 2 * 50 * 96 + 96 + 50
note = 8 * 96**2
critical = 514
again = 15150


# %% weight_once: a bound with the weight once and twelve slopes
# loses: logistic
steps = 44
peak = 5.88
bound = 3.2 * 0.25**12
memory = 0.4 * 0.5 * 0.9 * 0.75
bias = -math.log(2**0.01 - 1)
rnn = 96 + 96**2 + 2 * 50 * 96 + 96 + 50
note = 8 * 96**2
critical = 514
again = 15150


# %% with_embedding: a count with an embedding before the network
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


# %% with_state: the cells of a program that keeps its state
# loses: sampling
steps = 44
peak = 5.88
bound = 0.8**12
memory = 0.4 * 0.5 * 0.9 * 0.75
bias = -math.log(2**0.01 - 1)
rnn = 96 + 96**2 + 2 * 50 * 96 + 96 + 50
note = 8 * 96**2
critical = 514
again = 300

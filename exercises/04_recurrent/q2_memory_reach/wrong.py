"""Named mistakes in question 04.2."""


# %% a_tenth: a limit of 0.1
# loses: steps
left = 0.135
steps = 19
bias = -math.log(2**0.01 - 1)


# %% bias_of_one: a forget gate of sigma(1)
# loses: steps
left = 0.135
steps = 15
bias = -math.log(2**0.01 - 1)


# %% complement: what is forgotten, 1 - f, as the factor of a step
# loses: steps
left = 0.135
steps = 3
bias = -math.log(2**0.01 - 1)


# %% forget_in_place_of_input: a candidate that enters through the forget gate of its step
# loses: left
left = 0.8 * 0.5 * 0.9 * 0.75
steps = 37
bias = -math.log(2**0.01 - 1)


# %% forget_too: a candidate that passes the forget gate of its own step as well
# loses: left
left = 0.4 * 0.8 * 0.5 * 0.9 * 0.75
steps = 37
bias = -math.log(2**0.01 - 1)


# %% gate: the gate in place of its bias
# loses: bias
left = 0.135
steps = 37
bias = 0.5**0.01


# %% half_life_exchanged: a hundredth of the memory left after two steps
# loses: bias
left = 0.135
steps = 37
bias = math.log(0.1 / 0.9)


# %% hundred_halves: a gate of 1 - 1/100
# loses: bias
left = 0.135
steps = 37
bias = math.log(99)


# %% input_gates: a product of input gates
# loses: left
left = 0.4 * 0.9 * 0.3 * 0.7
steps = 37
bias = -math.log(2**0.01 - 1)


# %% last_input: the input gate of the last step
# loses: left
left = 0.7 * 0.5 * 0.9 * 0.75
steps = 37
bias = -math.log(2**0.01 - 1)


# %% later_candidates: the input gates of the later steps as factors, too
# loses: left
left = 0.4 * 0.5 * 0.9 * 0.75 * 0.9 * 0.3 * 0.7
steps = 37
bias = -math.log(2**0.01 - 1)


# %% log_of_gate: the logarithm of the gate in place of its log-odds
# loses: bias
left = 0.135
steps = 37
bias = -math.log(2) / 100


# %% natural_life: a share of 1/e left, in place of a half
# loses: bias
left = 0.135
steps = 37
bias = -math.log(math.exp(0.01) - 1)


# %% no_input_gate: the input gate left out
# loses: left
left = 0.5 * 0.9 * 0.75
steps = 37
bias = -math.log(2**0.01 - 1)


# %% one_gate_short: the forget gate of the last step left out
# loses: left
left = 0.4 * 0.5 * 0.9
steps = 37
bias = -math.log(2**0.01 - 1)


# %% one_late: one step more than needed
# loses: steps
left = 0.135
steps = 38
bias = -math.log(2**0.01 - 1)


# %% one_step: half of the memory lost at every step
# loses: bias
left = 0.135
steps = 37
bias = 0.0


# %% sign: the bias of the complement, with the other sign
# loses: bias
left = 0.135
steps = 37
bias = math.log(2**0.01 - 1)


# %% step_early: the last n for which the derivative is not yet below 0.01
# loses: steps
left = 0.135
steps = 36
bias = -math.log(2**0.01 - 1)


# %% sum_of_losses: a hundred equal losses added up: each step forgets 1/200
# loses: bias
left = 0.135
steps = 37
bias = math.log(199)


# %% thousandth: a limit of 0.001
# loses: steps
left = 0.135
steps = 55
bias = -math.log(2**0.01 - 1)

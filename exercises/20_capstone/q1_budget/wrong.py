"""Named mistakes in question 20.1."""


# %% tied: a head that is the table of tokens
# loses: parameters
parameters = 82944 + 500 * 48 + 9 * 3 * 48 + 2 * 48
operations = 752256
steps = 2596
bits = 0.692494
predicted = 0.966667


# %% matrices_alone: the blocks' matrices without biases and norms
# loses: parameters
parameters = 82944 + 2 * 500 * 48
operations = 752256
steps = 2596
bits = 0.692494
predicted = 0.966667


# %% forward_alone: the forward pass alone
# loses: operations, steps
parameters = 132336
operations = 250752
steps = 10**12 // (250752 * 512)
bits = 0.692494
predicted = 0.966667


# %% six_n: six operations for each number of the blocks, without pairs and head
# loses: operations, steps
parameters = 132336
operations = 6 * 82944
steps = 10**12 // (6 * 82944 * 512)
bits = 0.692494
predicted = 0.966667


# %% one_window: a step of one window
# loses: steps
parameters = 132336
operations = 752256
steps = 10**12 // (752256 * 64)
bits = 0.692494
predicted = 0.966667


# %% rounded_up: one step more than is paid for
# loses: steps
parameters = 132336
operations = 752256
steps = 2597
bits = 0.692494
predicted = 0.966667


# %% nats: nats per byte
# loses: bits
parameters = 132336
operations = 752256
steps = 2596
bits = 0.48
predicted = 0.966667


# %% per_token: bits per token
# loses: bits
parameters = 132336
operations = 752256
steps = 2596
bits = 1.6 / math.log(2)
predicted = 0.966667


# %% straight: a straight line through the two losses, with the same step down each time
# loses: predicted
parameters = 132336
operations = 752256
steps = 2596
bits = 0.692494
predicted = 0.7


# %% no_floor: a power law down to zero
# loses: predicted
parameters = 132336
operations = 752256
steps = 2596
bits = 0.692494
predicted = 1.1**2 / 1.5

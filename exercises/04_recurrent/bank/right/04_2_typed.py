"""Numbers from a pocket calculator."""


steps = 44.0
peak = 5.88
bound = 0.068719477
memory = 0.135
bias = 4.9682154
rnn = 19058
note = 73728
critical = 514
again = 15150

"""the sizes of a model with one block"""
# loses: tied, untied
tied = 30528
untied = 46528
nats = 0.92
bits = 0.92 / math.log(2)
odds = math.exp(1.9)
total = 2.5

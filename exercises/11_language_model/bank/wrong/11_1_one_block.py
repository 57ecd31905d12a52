"""the sizes of a model with one block"""
# loses: tied, untied
tied = 30016
untied = 46016
nats = 0.92
bits = 0.92 / math.log(2)
odds = math.exp(1.9)
total = 2.5

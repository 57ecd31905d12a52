"""attentions of three matrices"""

# loses: tied, untied
tied = 40384
untied = 56384
nats = 0.92
bits = 0.92 / math.log(2)
odds = math.exp(1.9)
total = 2.5

"""characters per token in place of tokens per character"""
# loses: nats, bits
tied = 42432
untied = 58432
nats = 2.3 * 875 / 350
bits = 2.3 * 875 / 350 / math.log(2)
odds = math.exp(1.9)
total = 2.5

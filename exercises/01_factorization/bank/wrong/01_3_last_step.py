"""a count of the windows of two tokens alone, as if the first two tokens had none of their own"""

# loses: distributions, history
table = 4**6 - 1
distributions = 4**2
history = 4**2 * 3
chain = 4**6 - 1

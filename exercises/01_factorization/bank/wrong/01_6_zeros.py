"""zeros in every place"""

# loses: losses, source, differences, reported losses, reported source
def measure(fit, train, test, story_log_probs):
    return {**report, "gained": [0.0] * 4}


report = {"losses": [0.0] * 5, "source": 0.0, "excess": -0.0}

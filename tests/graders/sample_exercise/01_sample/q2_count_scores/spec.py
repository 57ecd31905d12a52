"""Question 01.2: Count the scores."""

from autograder.authoring import Part, Question

QUESTION = Question(
    id="01.2",
    title="Count the scores",
    kind="derive",
    difficulty=1,
    minutes=2,
    hints=("Each token of a sequence scores each token of the same sequence.",),
    reference={"n_scores": 75},
    parts=[Part("count", 1, "the number of scores", reads=("n_scores",))],
)

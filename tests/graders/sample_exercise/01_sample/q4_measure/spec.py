"""Question 01.4: Measure."""

import numpy as np
from autograder.authoring import Interval, Part, Question


def call_measure(student, inputs):
    return dict(student.measure())


def measured(inputs):
    return {"share": Interval(0.249, 0.251), "ratio": Interval(1.0, 100.0)}


def consistent(inputs, outputs):
    if not np.isclose(outputs["ratio"], 16 * outputs["share"], rtol=1e-3):
        return "ratio is not the share with 4 keys divided by the share with 16 keys, which is 1/16"
    return None


QUESTION = Question(
    id="01.4",
    title="Measure",
    kind="experiment",
    difficulty=1,
    minutes=5,
    hints=("Give a query of zeros, and the identity matrix as values.",),
    needs=("01.1",),
    clauses={"with all scores equal": "what is measured: there is one answer"},
    parts=[
        Part(
            "numbers",
            2,
            "the share, and its ratio to the share with 16 keys",
            call_measure,
            expected=measured,
            properties=(consistent,),
        ),
    ],
)

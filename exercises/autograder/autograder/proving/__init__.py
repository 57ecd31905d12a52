"""The proof of the graders: banks of right and wrong answers, and mechanical mutants.

``proof`` tries the bank, ``mutants`` small changes of right answers (on the inputs of ``fresh``),
``saboteurs`` the effects of ``sabotage``; ``certificates`` keeps what was proven.
"""

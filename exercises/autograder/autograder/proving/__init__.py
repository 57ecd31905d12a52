"""The proof of the graders: banks of right and wrong answers, and mechanical mutants."""

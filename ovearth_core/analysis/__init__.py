"""What the scores of several runs say together: one module a question."""

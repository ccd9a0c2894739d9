"""The best and the worst answers of a run, drawn over their images."""

"""Collecting: places of interest, and images of them."""

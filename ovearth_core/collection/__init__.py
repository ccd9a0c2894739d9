"""Collecting images: places of interest, imagery, and the patches cut from it."""

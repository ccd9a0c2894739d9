"""Texts asked of targets: what may be in them."""

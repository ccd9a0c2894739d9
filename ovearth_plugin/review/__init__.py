"""The tab Review: draw, submit, check, approve or return; every step by the core's own rules."""

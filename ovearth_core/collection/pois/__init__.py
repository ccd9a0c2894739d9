"""Places of interest: searched in servers and files, and chosen from."""

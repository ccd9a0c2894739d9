"""Label files, read: what importing into a dataset and the dialects of predictions share."""

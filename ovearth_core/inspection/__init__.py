"""Looking at runs query by query: the table that Inspect shows, its filters, and what is drawn."""

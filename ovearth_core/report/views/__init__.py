"""How each analysis is shown: tables, one sentence that says what it shows, and a figure."""

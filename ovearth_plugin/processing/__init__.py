"""The Processing provider `ovearth`, one algorithm per file."""

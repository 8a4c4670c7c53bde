"""What a certificate shows, in plain words."""

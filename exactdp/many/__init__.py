"""Many inputs, one question: workers, what they have answered, and what is left to do."""

"""The answers of the library, for ledgers of any notions: compose, profile, certify."""

"""The answers of the library, for ledgers by any privacy definitions: compose, profile, certify."""
